/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses JSON from outside. json-glib recurses with each bracket, takes about fifty times the memory of the text, and
 * hashes names by a known function, so that all could collide. JSON that is nested too deeply, too long, or has too
 * many members is therefore refused before it is parsed. */
#pragma once

#include "budgets.h"

#include <gio/gio.h>
#include <json-glib/json-glib.h>

/* Whether @text, of @length bytes, has at most @most bytes and is not nested too deeply for any parser. Else FALSE with
 * G_IO_ERROR_MESSAGE_TOO_LARGE, or G_IO_ERROR_INVALID_DATA if it is not JSON; not all invalid JSON is detected. The
 * messages name no file. */
gboolean json_check_bounded (const char *text, gsize length, gsize most, GError **error);

/* Parses @text, of @length bytes and at most @most. NULL with G_IO_ERROR_MESSAGE_TOO_LARGE if it is longer or nested
 * too deeply, or an object has more members than JSON_MOST_MEMBERS, with G_IO_ERROR_INVALID_DATA if it is not JSON; the
 * messages name no file. The caller owns the result. */
JsonNode *json_parse_bounded (const char *text, gsize length, gsize most, GError **error);

/* Members of JSON objects from outside: of the requested type, or treated as missing. */

/* The whole number @name of @object; @otherwise if there is none. */
static inline gint64
json_member_int (JsonObject *object, const char *name, gint64 otherwise)
{
  JsonNode *node = json_object_get_member (object, name);

  return node && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64
             ? json_node_get_int (node)
             : otherwise;
}

/* The text @name of @object, which owns it; NULL if there is none. */
static inline const char *
json_member_text (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_get_string (node)
             : NULL;
}

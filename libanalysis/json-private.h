/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of JSON objects that came from outside: of the wanted type, or not there. */
#pragma once

#include <json-glib/json-glib.h>

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

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

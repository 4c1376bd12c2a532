/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses JSON that came from outside. json-glib goes one call deeper with each bracket and takes some fifty times the
 * memory of the text, and names that a stranger chose may all come to lie in one place of its tables: what is nested,
 * long or of many members beyond reason is refused before it is parsed. */
#pragma once

#include "budgets.h"

#include <gio/gio.h>
#include <json-glib/json-glib.h>

/* Whether @text, of @length bytes, is at most @most and not too deep for any parser. Else FALSE with
 * G_IO_ERROR_MESSAGE_TOO_LARGE, or with G_IO_ERROR_INVALID_DATA where it is not JSON; that it is, is not said. The
 * messages name no file. */
gboolean json_check_bounded (const char *text, gsize length, gsize most, GError **error);

/* The value that @text is, of @length bytes and at most @most. NULL with G_IO_ERROR_MESSAGE_TOO_LARGE where it is
 * longer or too deep, or an object has more members than JSON_MOST_MEMBERS, with G_IO_ERROR_INVALID_DATA where it is
 * not JSON; the messages name no file. The caller owns it.
 */
JsonNode *json_parse_bounded (const char *text, gsize length, gsize most, GError **error);

/* The same of the regular file @path; NULL with a G_IO_ERROR where it is none as well. */
JsonNode *json_load_bounded (const char *path, gsize most, GError **error);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes tables to standard output: aligned text for people, JSON and CSV for programs. */
#pragma once

#include "command.h"
#include "tables/tables.h"

#include <json-glib/json-glib.h>

/* Appends members to the object of one row, each after a comma. */
typedef gboolean (*ExtendRow) (GString *json, const CulpritTable *table, guint row, gpointer data, GError **error);

/* Writes @table as text with the columns that @definition shows in a terminal (NULL: all of the table's), or completely
 * as JSON or CSV. @empty: message if there are no rows. */
void print_table (const CulpritTable *table, Format format, const CulpritDefinition *definition, const char *empty);

/* Writes @table as JSON, each object extended by @extend, which several threads call at a time. */
gboolean print_json (const CulpritTable *table, ExtendRow extend, gpointer data, GError **error);

/* Adds a text member, null if @text is NULL; a boolean one; and a whole number. */
void print_json_text (JsonBuilder *builder, const char *name, const char *text);
void print_json_flag (JsonBuilder *builder, const char *name, gboolean value);
void print_json_int (JsonBuilder *builder, const char *name, gint64 value);

/* Adds a member @name with @value, or only @value to a list; null if it is not finite. */
void print_json_real (JsonBuilder *builder, const char *name, double value);
void print_json_real_element (JsonBuilder *builder, double value);

/* Writes @json, or the content of @builder, on a line of its own. Control characters are escaped, so that nothing is
 * lost. */
void print_json_line (const char *json);
void print_json_built (JsonBuilder *builder);

/* Adds a member @name with @texts (of char *). */
void print_json_texts (JsonBuilder *builder, const char *name, const GPtrArray *texts);

/* Writes @text in a terminal colour, e.g. "1" for bold. */
void print_coloured (const char *colour, const char *text);

/* Wraps @text, to begin at column @indent, at spaces before column 100. The first returns it, owned by the caller; the
 * second writes it at the cursor, followed by a line break. */
char *print_wrap (const char *text, guint indent);
void print_wrapped (const char *text, guint indent);

/* Cuts the beginning of @text so that at most @width characters remain. The caller owns the result. */
char *print_shorten (const char *text, guint width);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes tables to standard output: aligned text for people, JSON and CSV for programs. */
#pragma once

#include "command.h"
#include "tables/tables.h"

#include <json-glib/json-glib.h>

/* Adds members to the object of one row, from a comma on. */
typedef gboolean (*ExtendRow) (GString *json, const CulpritTable *table, guint row, gpointer data, GError **error);

/* Writes @table as text with those columns that @definition shows in a terminal (NULL: all of the table's), or in full
 * as JSON or CSV. @empty: what to tell people if there are no rows. */
void print_table (const CulpritTable *table, Format format, const CulpritDefinition *definition, const char *empty);

/* Writes @table as JSON, each object extended by @extend. */
gboolean print_json (const CulpritTable *table, ExtendRow extend, gpointer data, GError **error);

/* A member that is a text, null where @text is NULL; and one that is true or false. */
void print_json_text (JsonBuilder *builder, const char *name, const char *text);
void print_json_flag (JsonBuilder *builder, const char *name, gboolean value);

/* Adds a member @name with @value, or only @value to a list; null where it is not finite. */
void print_json_real (JsonBuilder *builder, const char *name, double value);
void print_json_real_element (JsonBuilder *builder, double value);

/* Writes @json on a line of its own; and what @builder holds. What a terminal would obey is escaped, so that nothing is
 * lost. */
void print_json_line (const char *json);
void print_json_built (JsonBuilder *builder);

/* Adds a member @name with @texts (of char *). */
void print_json_texts (JsonBuilder *builder, const char *name, const GPtrArray *texts);

/* Writes @text in a colour of the terminal, as "1" for bold. */
void print_coloured (const char *colour, const char *text);

/* @text for column @indent on, broken at spaces before column 100. The caller owns it; or it is written where the
 * cursor is, and a line break after it. */
char *print_wrap (const char *text, guint indent);
void print_wrapped (const char *text, guint indent);

/* Cuts @text at its front to at most @width characters. The caller owns the result. */
char *print_shorten (const char *text, guint width);

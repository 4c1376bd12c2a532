/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes tables to standard output: aligned text for people, JSON and CSV for programs. */
#pragma once

#include "command.h"
#include "json.h"
#include "record/message.h"
#include "tables/tables.h"

/* Appends members to the object of one row, each after a comma. */
typedef gboolean (*ExtendRow) (GString *json, const CulpritTable *table, guint row, gpointer data, GError **error);

/* Writes @table as text with the columns that @definition shows in a terminal (NULL: all of the table's), or completely
 * as JSON or CSV. @empty: message if there are no rows. */
void print_table (const CulpritTable *table, Format format, const CulpritDefinition *definition, const char *empty);

/* Writes @table as JSON, each object extended by @extend, which several threads call at a time. */
gboolean print_json (const CulpritTable *table, ExtendRow extend, gpointer data, GError **error);

/* Writes @json on a line of its own; or @from, see members_write(). Control characters are escaped, so that nothing is
 * lost. */
void print_json_line (const char *json);
void print_members (const Member *members, gconstpointer from, gconstpointer context);

/* Writes the element @index of an array, as above; then the end of one of @n. None of a thousand runs has to wait in
 * memory for the last. */
void print_element (guint index, const Member *members, gconstpointer from, gconstpointer context);
void print_elements_end (guint n);

/* Shows a line of progress in place of the one before, if the user can see it on a terminal; and removes it. */
void print_progress (const char *format, ...) G_GNUC_PRINTF (1, 2);
void print_progress_end (void);

/* Prints @message as a sentence on a line of its own, if it is for people. */
void print_message (const CulpritMessage *message);

/* Writes @text in a terminal colour, e.g. "1" for bold. */
void print_coloured (const char *colour, const char *text);

/* Wraps @text, to begin at column @indent, at spaces before column 100. The first returns it, owned by the caller; the
 * second writes it at the cursor, followed by a line break. */
char *print_wrap (const char *text, guint indent);
void print_wrapped (const char *text, guint indent);

/* Cuts the beginning of @text on a terminal, so that at most @width characters remain. The caller owns the result. */
char *print_shorten (const char *text, guint width);

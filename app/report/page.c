/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes markup that is well-formed, both as HTML and as XML, whatever the texts contain. */
#include "page.h"

#include "clean.h"
#include "tables/column.h"

#include <math.h>
#include <string.h>

/* Adds @escaped with a question mark for each control character (escaped as a character reference, which XML does not
 * allow for these) and for characters that change the direction of text. */
static void
add_clean (GString *page, const char *escaped)
{
  for (const char *at = escaped; *at; at = g_utf8_next_char (at))
    {
      gunichar character = g_utf8_get_char (at);
      const char *end = g_str_has_prefix (at, "&#x") ? strchr (at, ';') : NULL;

      if (end)
        at = end;
      g_string_append_unichar (page, !end && (character == '\n' || culprit_is_plain (character)) ? character : '?');
    }
}

void
page_add (GString *page, const char *markup, ...)
{
  va_list arguments;

  g_autofree char *escaped = NULL;
  g_autofree char *valid = NULL;

  va_start (arguments, markup);
  escaped = g_markup_vprintf_escaped (markup, arguments);
  va_end (arguments);
  valid = g_utf8_make_valid (escaped, -1);
  add_clean (page, valid);
}

static gboolean
is_name (const CulpritColumn *column)
{
  return column->kind == CULPRIT_KIND_FUNCTION || g_str_equal (column->key, "culprit");
}

/* The number for programs; times are whole ns. */
static void
add_number (GString *page, double number, const CulpritColumn *column, const char *shown)
{
  char exact[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_dtostr (exact, sizeof exact, column->kind >= CULPRIT_KIND_TIME ? round (number) : number);
  page_add (page, "<td class=\"number\"><data value=\"%s\">%s</data></td>", exact, shown);
}

void
page_add_cell (GString *page, const CulpritTable *table, guint row, const CulpritColumn *column)
{
  CulpritValue value = culprit_column_value (column, table, row);
  g_autofree char *shown = culprit_cell_text (table, row, column);

  if (!shown)
    page_add (page, column->kind >= CULPRIT_KIND_NUMBER ? "<td class=\"number\"></td>" : "<td></td>");
  else if (column->kind >= CULPRIT_KIND_NUMBER)
    add_number (page, culprit_value_number (value), column, shown);
  else
    page_add (page, is_name (column) ? "<td><code>%s</code></td>" : "<td>%s</td>", shown);
}

void
page_add_cells (GString *page, const CulpritTable *table, guint row, const CulpritColumn *columns)
{
  for (; columns->key; columns++)
    page_add_cell (page, table, row, columns);
}

void
page_begin_table (GString *page, const CulpritColumn *columns)
{
  page_add (page, "<div class=\"wide\"><table>\n<thead><tr>");
  for (; columns->key; columns++)
    {
      g_autofree char *title = culprit_column_heading (columns);

      page_add (page,
                columns->kind >= CULPRIT_KIND_NUMBER ? "<th scope=\"col\" class=\"number\">%s</th>"
                                                     : "<th scope=\"col\">%s</th>",
                title);
    }
  page_add (page, "</tr></thead>\n<tbody>\n");
}

void
page_end_table (GString *page)
{
  page_add (page, "</tbody></table></div>\n");
}

void
page_add_table (GString *page, const CulpritTable *table, const CulpritDefinition *definition, guint rows)
{
  g_autofree CulpritColumn *columns = culprit_definition_pick (definition, definition->report);

  page_begin_table (page, columns);
  for (guint row = 0; row < culprit_table_rows (table) && row < rows; row++)
    {
      page_add (page, "<tr>");
      page_add_cells (page, table, row, columns);
      page_add (page, "</tr>\n");
    }
  page_end_table (page);
}

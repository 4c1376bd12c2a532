/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as text, JSON and CSV. */
#include "print.h"

#include "clean.h"
#include "each.h"
#include "record/words.h"
#include "tables/column.h"
#include "tables/table.h"
#include "units.h"

#include <glib/gprintf.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Tables as JSON: one object per row. */

#define ROWS_AT_ONCE 256

void
print_json_line (const char *json)
{
  g_autofree char *clean = culprit_clean_json (json);

  g_print ("%s\n", clean);
}

void
print_members (const Member *members, gconstpointer from, gconstpointer context)
{
  g_autofree char *json = members_write (members, from, context);

  print_json_line (json);
}

void
print_element (guint index, const Member *members, gconstpointer from, gconstpointer context)
{
  g_autofree char *json = members_write (members, from, context);
  g_autofree char *clean = culprit_clean_json (json);

  g_print ("%c%s", index == 0 ? '[' : ',', clean);
}

void
print_elements_end (guint n)
{
  g_print (n > 0 ? "]\n" : "[]\n");
}

static gboolean progress_is_shown;

void
print_progress_end (void)
{
  if (progress_is_shown)
    g_fprintf (stderr, "\r\033[K");
  progress_is_shown = FALSE;
}

void
print_progress (const char *format, ...)
{
  va_list arguments;

  if (!isatty (STDERR_FILENO))
    return;
  print_progress_end ();
  va_start (arguments, format);
  g_vfprintf (stderr, format, arguments);
  va_end (arguments);
  progress_is_shown = TRUE;
}

void
print_message (const CulpritMessage *message)
{
  g_autofree char *words = culprit_message_words (message, CULPRIT_AT_COMMAND);

  if (!words)
    return;
  print_progress_end ();
  g_print ("%s\n", words);
  fflush (stdout);
}

/* Rows that are turned into text together, in any order. */
typedef struct
{
  const CulpritTable *table;
  ExtendRow extend;
  gpointer data;
  guint first;
  char *texts[ROWS_AT_ONCE];
  GError *errors[ROWS_AT_ONCE];
} Rows;

static void
make_row (gpointer data, guint index)
{
  Rows *rows = data;
  guint row = rows->first + index;
  g_autoptr (GString) json = g_string_new (row > 0 ? ",\n {" : "{");

  culprit_table_add_members (rows->table, row, json);
  if (rows->extend && !rows->extend (json, rows->table, row, rows->data, &rows->errors[index]))
    return;
  g_string_append_c (json, '}');
  rows->texts[index] = culprit_clean_json (json->str);
}

/* One object per line. To save memory, only some are created at once. */
gboolean
print_json (const CulpritTable *table, ExtendRow extend, gpointer data, GError **error)
{
  Rows rows = { .table = table, .extend = extend, .data = data };
  guint n_rows = culprit_table_rows (table);
  gboolean good = TRUE;

  g_print ("[");
  for (; rows.first < n_rows && good; rows.first += ROWS_AT_ONCE)
    {
      guint n = MIN (n_rows - rows.first, ROWS_AT_ONCE);

      culprit_each (n, make_row, &rows);
      for (guint i = 0; i < n; i++)
        {
          if (good && rows.texts[i])
            g_print ("%s", rows.texts[i]);
          else if (good)
            g_propagate_error (error, g_steal_pointer (&rows.errors[i]));
          good &= rows.texts[i] != NULL;
          g_clear_pointer (&rows.texts[i], g_free);
          g_clear_error (&rows.errors[i]);
        }
    }
  if (good)
    g_print ("]\n");
  return good;
}

#define WIDTH 100         /* of a line */
#define NARROWEST_TEXT 10 /* in a column */
#define WIDE_WORD 12      /* in the window: words of such columns are names, which can be cut */

/* One column of text output: the cells, with the title first. */
typedef struct
{
  const CulpritColumn *column;
  GPtrArray *cells; /* of GRefString */
  glong width;      /* of the widest */
} Shown;

void
print_coloured (const char *colour, const char *text)
{
  g_autofree char *clean = culprit_clean_text (text);

  g_fprintf (stdout, "\033[%sm%s\033[0m", colour, clean);
}

char *
print_wrap (const char *text, guint indent)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  GString *lines = g_string_new (NULL);
  gsize column = indent;

  for (char **word = words; *word; word++)
    {
      gsize length = g_utf8_strlen (*word, -1);

      if (column > indent && column + 1 + length > WIDTH)
        {
          g_string_append_printf (lines, "\n%*s", (int) indent, "");
          column = indent;
        }
      g_string_append_printf (lines, "%s%s", column > indent ? " " : "", *word);
      column += length + (column > indent);
    }
  return g_string_free (lines, FALSE);
}

void
print_wrapped (const char *text, guint indent)
{
  g_autofree char *lines = print_wrap (text, indent);

  g_print ("%s\n", lines);
}

/* What is no terminal is searched for names, so that they are left whole. */
static gboolean
can_cut (void)
{
  return isatty (STDOUT_FILENO);
}

char *
print_shorten (const char *text, guint width)
{
  glong length = g_utf8_strlen (text, -1);

  if (length <= (glong) width || !can_cut ())
    return g_strdup (text);
  return g_strconcat ("…", g_utf8_offset_to_pointer (text, length - width + 1), NULL);
}

/* Texts whose beginning may be cut off if a line would be too long. */
static gboolean
is_cut (const CulpritColumn *column)
{
  return column->kind < CULPRIT_KIND_NUMBER && (column->kind != CULPRIT_KIND_WORD || column->width > WIDE_WORD) &&
         column->kind != CULPRIT_KIND_CLASS && column->kind != CULPRIT_KIND_ANSWER;
}

/* A text that is repeated from row to row is stored once. */
static void
add_cell (Shown *shown, const char *text)
{
  char *last = shown->cells->len > 0 ? g_ptr_array_index (shown->cells, shown->cells->len - 1) : NULL;

  g_ptr_array_add (shown->cells,
                   last && g_str_equal (last, text) ? g_ref_string_acquire (last) : g_ref_string_new (text));
  shown->width = MAX (shown->width, g_utf8_strlen (text, -1));
}

static void
shown_clear (gpointer data)
{
  g_ptr_array_unref (((Shown *) data)->cells);
}

static Shown
show_column (const CulpritTable *table, const CulpritColumn *column)
{
  Shown shown = { column, g_ptr_array_new_with_free_func ((GDestroyNotify) g_ref_string_release), 0 };
  const CulpritUnit *unit = culprit_column_unit (table, column);
  g_autofree char *title = culprit_column_heading (column);
  g_autofree char *heading = unit ? g_strdup_printf ("%s %s", title, unit->name) : g_steal_pointer (&title);

  add_cell (&shown, heading);
  for (guint row = 0; row < culprit_table_rows (table); row++)
    {
      g_autofree char *text = culprit_cell_text_in (table, row, column, unit);
      g_autofree char *line = culprit_clean_line (text ? text : "-");

      add_cell (&shown, line);
    }
  return shown;
}

static gboolean
has_texts (const CulpritTable *table, guint column)
{
  for (guint row = 0; row < culprit_table_rows (table); row++)
    if (culprit_table_at (table, row, column).type != CULPRIT_VALUE_NULL)
      return culprit_table_at (table, row, column).type == CULPRIT_VALUE_TEXT;
  return FALSE;
}

/* All columns of the table, for a user's own query. */
static CulpritColumn *
all_columns (const CulpritTable *table)
{
  CulpritColumn *columns = g_new0 (CulpritColumn, table->columns->len + 1);

  for (guint i = 0; i < table->columns->len; i++)
    {
      columns[i].key = columns[i].title = g_ptr_array_index (table->columns, i);
      columns[i].kind = has_texts (table, i) ? CULPRIT_KIND_TEXT : CULPRIT_KIND_NUMBER;
    }
  return columns;
}

/* Headings are never cut. */
static glong
shown_width (const Shown *shown, glong text_width)
{
  glong heading = g_utf8_strlen (g_ptr_array_index (shown->cells, 0), -1);

  return is_cut (shown->column) ? MAX (MIN (shown->width, text_width), heading) : shown->width;
}

/* The maximum width of a line: that of the terminal, if it is wider than the default. */
static glong
line_width (void)
{
  struct winsize size;

  if (!can_cut ())
    return G_MAXLONG;
  return ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? MAX (size.ws_col, WIDTH) : WIDTH;
}

static glong
widest (const GArray *all)
{
  glong width = NARROWEST_TEXT;

  for (guint i = 0; i < all->len; i++)
    width = MAX (width, g_array_index (all, Shown, i).width);
  return width;
}

/* The maximum width of texts so that a line fits, as far as texts can be cut. */
static glong
choose_text_width (const GArray *all)
{
  glong most = line_width ();

  for (glong text_width = widest (all); text_width > NARROWEST_TEXT; text_width--)
    {
      glong width = -2;

      for (guint i = 0; i < all->len; i++)
        width += shown_width (&g_array_index (all, Shown, i), text_width) + 2;
      if (width <= most)
        return text_width;
    }
  return NARROWEST_TEXT;
}

static void
add_padded (GString *text, const Shown *shown, guint line, glong text_width)
{
  gboolean number = shown->column->kind >= CULPRIT_KIND_NUMBER;
  glong width = shown_width (shown, text_width);
  const char *whole = g_ptr_array_index (shown->cells, line);
  g_autofree char *cell = print_shorten (whole, is_cut (shown->column) && line > 0 ? text_width : width);
  int space = width - g_utf8_strlen (cell, -1);

  g_string_append_printf (text, "%*s%s%*s", number ? space : 0, "", cell, number ? 0 : space, "");
}

static void
print_line (const GArray *all, guint line, glong text_width)
{
  gboolean title = line == 0 && isatty (STDOUT_FILENO) && !g_getenv ("NO_COLOR");
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < all->len; i++)
    {
      g_string_append (text, i > 0 ? "  " : "");
      add_padded (text, &g_array_index (all, Shown, i), line, text_width);
    }
  g_strchomp (text->str);
  if (title)
    print_coloured ("1", text->str);
  else
    g_print ("%s", text->str);
  g_print ("\n");
}

static void
print_text (const CulpritTable *table, const CulpritColumn *columns)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Shown));
  gboolean more_than_all = FALSE;
  glong text_width;

  g_array_set_clear_func (all, shown_clear);
  for (const CulpritColumn *column = columns; column->key; column++)
    {
      Shown shown = show_column (table, column);

      g_array_append_val (all, shown);
      for (guint row = 0; row < culprit_table_rows (table) && column->kind == CULPRIT_KIND_SHARE; row++)
        more_than_all |= culprit_share_is_all (culprit_value_number (culprit_table_value (table, row, column->key)));
    }
  text_width = choose_text_width (all);
  for (guint line = 0; line <= culprit_table_rows (table); line++)
    print_line (all, line, text_width);
  if (more_than_all)
    g_print ("\nall: 100 %% or more, as others were faster.\n");
}

/* Line by line: all of it can be many times as large as the table. */
static void
print_csv (const CulpritTable *table)
{
  g_autoptr (GString) line = g_string_new (NULL);

  culprit_table_add_csv_header (table, line);
  for (guint row = 0; row < culprit_table_rows (table); row++)
    {
      g_print ("%s", line->str);
      g_string_truncate (line, 0);
      culprit_table_add_csv_row (table, row, line);
    }
  g_print ("%s", line->str);
}

void
print_table (const CulpritTable *table, Format format, const CulpritDefinition *definition, const char *empty)
{
  g_autofree CulpritColumn *columns = NULL;

  switch (format)
    {
    case FORMAT_JSON:
      print_json (table, NULL, NULL, NULL);
      break;
    case FORMAT_CSV:
      print_csv (table);
      break;
    default:
      if (culprit_table_rows (table) == 0 && empty)
        g_print ("%s\n", empty);
      else
        {
          columns = definition ? culprit_definition_pick (definition, definition->text) : all_columns (table);
          print_text (table, columns);
        }
    }
}

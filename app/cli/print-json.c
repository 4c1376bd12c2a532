/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as JSON: one object per row. */
#include "print.h"

#include "clean.h"
#include "each.h"
#include "tables/table-text.h"

#include <math.h>

#define GREATEST 1e15 /* Nothing measured is this large, and json-glib writes larger whole numbers as "1e+17.0". */
#define ROWS_AT_ONCE 256

void
print_json_real_element (JsonBuilder *builder, double value)
{
  if (fabs (value) <= GREATEST)
    json_builder_add_double_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

void
print_json_real (JsonBuilder *builder, const char *name, double value)
{
  json_builder_set_member_name (builder, name);
  print_json_real_element (builder, value);
}

void
print_json_line (const char *json)
{
  g_autofree char *clean = culprit_clean_json (json);

  g_print ("%s\n", clean);
}

void
print_json_built (JsonBuilder *builder)
{
  g_autoptr (JsonNode) node = json_builder_get_root (builder);
  g_autofree char *text = json_to_string (node, FALSE);

  print_json_line (text);
}

void
print_json_texts (JsonBuilder *builder, const char *name, const GPtrArray *texts)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < texts->len; i++)
    json_builder_add_string_value (builder, g_ptr_array_index (texts, i));
  json_builder_end_array (builder);
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

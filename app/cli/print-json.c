/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as JSON: one object per row. */
#include "print.h"

#include "clean.h"
#include "tables/table-text.h"

#include <math.h>

#define GREATEST 1e15 /* Nothing measured is this large, and json-glib writes larger whole numbers as "1e+17.0". */

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

/* One object per line, created and written one by one to save memory. */
gboolean
print_json (const CulpritTable *table, ExtendRow extend, gpointer data, GError **error)
{
  g_autoptr (GString) json = g_string_new (NULL);

  g_print ("[");
  for (guint row = 0; row < culprit_table_rows (table); row++)
    {
      g_autofree char *clean = NULL;

      g_string_assign (json, row > 0 ? ",\n {" : "{");
      culprit_table_add_members (table, row, json);
      if (extend && !extend (json, table, row, data, error))
        return FALSE;
      g_string_append_c (json, '}');
      clean = culprit_clean_json (json->str);
      g_print ("%s", clean);
    }
  g_print ("]\n");
  return TRUE;
}

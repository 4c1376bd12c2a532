/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as JSON: an object for each row. */
#include "print.h"

#include <math.h>
#include <string.h>

static void
add_json_value (JsonBuilder *builder, CulpritValue value, const char *column)
{
  if (value.type == CULPRIT_VALUE_REAL && !isfinite (value.real))
    value.type = CULPRIT_VALUE_NULL;
  switch (value.type)
    {
    case CULPRIT_VALUE_INTEGER:
      json_builder_add_int_value (builder, value.integer);
      break;
    case CULPRIT_VALUE_REAL:
      if (print_is_time (column) && fabs (value.real) < 9e18)
        json_builder_add_int_value (builder, llround (value.real));
      else
        json_builder_add_double_value (builder, value.real);
      break;
    case CULPRIT_VALUE_TEXT:
      json_builder_add_string_value (builder, value.text);
      break;
    default:
      json_builder_add_null_value (builder);
    }
}

/* The members of one row. Columns of one group stand together and become an object of their own. */
static void
add_json_members (JsonBuilder *builder, const CulpritTable *table, guint row)
{
  g_autofree char *group = NULL;

  for (guint i = 0; i < table->columns->len; i++)
    {
      const char *column = g_ptr_array_index (table->columns, i);
      const char *dot = table->grouped ? strchr (column, '.') : NULL;
      g_autofree char *own = dot ? g_strndup (column, dot - column) : NULL;

      if (group && g_strcmp0 (group, own) != 0)
        {
          json_builder_end_object (builder);
          g_clear_pointer (&group, g_free);
        }
      if (own && !group)
        {
          json_builder_set_member_name (builder, own);
          json_builder_begin_object (builder);
          group = g_steal_pointer (&own);
        }
      json_builder_set_member_name (builder, dot ? dot + 1 : column);
      add_json_value (builder, culprit_table_at (table, row, i), column);
    }
  if (group)
    json_builder_end_object (builder);
}

void
print_json_row (JsonBuilder *builder, const CulpritTable *table, guint row)
{
  json_builder_begin_object (builder);
  add_json_members (builder, table, row);
  json_builder_end_object (builder);
}

void
print_json_real (JsonBuilder *builder, const char *name, double value)
{
  json_builder_set_member_name (builder, name);
  if (isfinite (value))
    json_builder_add_double_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

void
print_json_built (JsonBuilder *builder)
{
  g_autoptr (JsonNode) node = json_builder_get_root (builder);
  g_autofree char *text = json_to_string (node, FALSE);

  g_print ("%s\n", text);
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

/* One object a line, built and written one by one: memory stays small. */
gboolean
print_json (const CulpritTable *table, ExtendRow extend, gpointer data, GError **error)
{
  guint rows = culprit_table_rows (table);
  g_autoptr (JsonGenerator) generator = json_generator_new ();

  g_print ("[");
  for (guint row = 0; row < rows; row++)
    {
      g_autoptr (JsonBuilder) builder = json_builder_new ();
      g_autoptr (JsonNode) node = NULL;
      g_autofree char *text = NULL;

      json_builder_begin_object (builder);
      add_json_members (builder, table, row);
      if (extend && !extend (builder, table, row, data, error))
        return FALSE;
      json_builder_end_object (builder);
      node = json_builder_get_root (builder);
      json_generator_set_root (generator, node);
      text = json_generator_to_data (generator, NULL);
      g_print ("%s%s", row > 0 ? ",\n " : "", text);
    }
  g_print ("]\n");
  return TRUE;
}

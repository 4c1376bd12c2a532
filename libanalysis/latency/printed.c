/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores the figures that a tool printed itself as JSON, under the column names of culprit latency. */
#include "printed.h"

#include "budgets.h"
#include "json.h"

#include <math.h>
#include <string.h>

#define PER_CENT 1e4 /* millionths */
#define UNIT_LENGTH ((int) strlen ("_ns"))

static const struct
{
  const char *name;
  gsize offset;
} members[] = {
  { "min_ns", G_STRUCT_OFFSET (CulpritPrinted, min_ns) },   { "mean_ns", G_STRUCT_OFFSET (CulpritPrinted, mean_ns) },
  { "mode_ns", G_STRUCT_OFFSET (CulpritPrinted, mode_ns) }, { "max_ns", G_STRUCT_OFFSET (CulpritPrinted, max_ns) },
  { "sd_ns", G_STRUCT_OFFSET (CulpritPrinted, sd_ns) },
};

static double *
member (CulpritPrinted *printed, guint i)
{
  return G_STRUCT_MEMBER_P (printed, members[i].offset);
}

CulpritPrinted *
culprit_printed_new (void)
{
  CulpritPrinted *printed = g_new0 (CulpritPrinted, 1);

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    *member (printed, i) = NAN;
  printed->quantiles = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return printed;
}

void
culprit_printed_free (CulpritPrinted *printed)
{
  g_hash_table_unref (printed->quantiles);
  g_free (printed);
}

void
culprit_printed_add_quantile (CulpritPrinted *printed, guint p_millionths, double ns)
{
  g_hash_table_insert (printed->quantiles, GUINT_TO_POINTER (p_millionths), g_memdup2 (&ns, sizeof ns));
}

double
culprit_printed_quantile (const CulpritPrinted *printed, guint p_millionths)
{
  const double *ns = printed ? g_hash_table_lookup (printed->quantiles, GUINT_TO_POINTER (p_millionths)) : NULL;

  return ns ? *ns : NAN;
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  guint left = GPOINTER_TO_UINT (a);
  guint right = GPOINTER_TO_UINT (b);

  return (left > right) - (left < right);
}

char *
culprit_printed_in_words (const CulpritPrinted *printed)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    if (isfinite (*(const double *) G_STRUCT_MEMBER_P (printed, members[i].offset)))
      g_string_append_printf (text, "%s%.*s", text->len > 0 ? ", " : "", (int) strlen (members[i].name) - UNIT_LENGTH,
                              members[i].name);
  if (g_hash_table_size (printed->quantiles) > 0)
    g_string_append_printf (text, "%squantiles", text->len > 0 ? ", " : "");
  return g_string_free (text, FALSE);
}

static void
add_members (JsonObject *object, const CulpritPrinted *printed)
{
  g_autoptr (GList) places = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      double ns = *(const double *) G_STRUCT_MEMBER_P (printed, members[i].offset);

      if (isfinite (ns) && fabs (ns) <= MAX_LATENCY_NS)
        json_object_set_member (object, members[i].name, json_node_of_real (ns));
    }
  places = g_list_sort (g_hash_table_get_keys (printed->quantiles), compare_places);
  for (GList *place = places; place; place = place->next)
    {
      g_autofree char *name = g_strdup_printf ("p%g_ns", GPOINTER_TO_UINT (place->data) / PER_CENT);
      double ns = culprit_printed_quantile (printed, GPOINTER_TO_UINT (place->data));

      if (isfinite (ns) && fabs (ns) <= MAX_LATENCY_NS)
        json_object_set_member (object, name, json_node_of_real (ns));
    }
}

char *
culprit_printed_to_json (const CulpritPrinted *printed, guint64 beyond, gint64 end_ns)
{
  g_autoptr (JsonNode) root = json_node_init_object (json_node_alloc (), json_object_new ());
  JsonObject *object = json_node_get_object (root);

  json_object_unref (object); /* The node has its own reference. */
  if (printed)
    add_members (object, printed);
  if (beyond > 0)
    {
      json_object_set_int_member (object, "beyond", beyond);
      json_object_set_int_member (object, "end_ns", end_ns);
    }
  return json_object_get_size (object) > 0 ? json_to_string (root, FALSE) : NULL;
}

static void
take_member (JsonObject *object, const char *name, JsonNode *value, gpointer data)
{
  CulpritPrinted *printed = data;
  GType type = JSON_NODE_HOLDS_VALUE (value) ? json_node_get_value_type (value) : G_TYPE_INVALID;
  double ns = type == G_TYPE_DOUBLE || type == G_TYPE_INT64 ? json_node_get_double (value) : NAN;

  if (!isfinite (ns) || fabs (ns) > MAX_LATENCY_NS)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    if (g_str_equal (name, members[i].name))
      *member (printed, i) = ns;
  if (*name == 'p')
    {
      double per_cent = g_ascii_strtod (name + 1, NULL);

      if (per_cent > 0 && per_cent < 100)
        culprit_printed_add_quantile (printed, lround (per_cent * PER_CENT), ns);
    }
}

CulpritPrinted *
culprit_printed_from_json (const char *json)
{
  g_autoptr (JsonNode) root = json ? json_parse_bounded (json, strlen (json), JSON_LONGEST_LINE, NULL) : NULL;
  CulpritPrinted *printed;

  if (!root || !JSON_NODE_HOLDS_OBJECT (root))
    return NULL;
  printed = culprit_printed_new ();
  json_object_foreach_member (json_node_get_object (root), take_member, printed);
  return printed;
}

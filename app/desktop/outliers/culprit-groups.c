/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts late wake-ups by culprit. The sums are computed once; comparing looks them up. */
#include "outliers/culprit-groups.h"

#include "triage.h"

#include <math.h>

struct _CulpritGroups
{
  GHashTable *excess; /* culprit -> double: the sum in ns */
};

static double *
excess_of (CulpritGroups *groups, const char *culprit)
{
  double *excess = g_hash_table_lookup (groups->excess, culprit);

  if (!excess)
    {
      excess = g_new0 (double, 1);
      g_hash_table_insert (groups->excess, g_strdup (culprit), excess);
    }
  return excess;
}

CulpritGroups *
culprit_groups_new (CulpritRows *rows)
{
  CulpritGroups *groups = g_new (CulpritGroups, 1);

  groups->excess = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (rows)); i++)
    {
      g_autoptr (CulpritRow) row = g_list_model_get_item (G_LIST_MODEL (rows), i);
      double excess_ns = culprit_row_real (row, "excess_ns");

      if (!isnan (excess_ns) && !triage_ignores (row))
        *excess_of (groups, culprit_row_text (row, "culprit")) += excess_ns;
    }
  return groups;
}

void
culprit_groups_free (CulpritGroups *groups)
{
  g_hash_table_unref (groups->excess);
  g_free (groups);
}

int
culprit_groups_compare (CulpritRow *left, CulpritRow *right, gpointer data)
{
  const char *one = culprit_row_text (left, "culprit");
  const char *other = culprit_row_text (right, "culprit");
  double difference;

  if (triage_ignores (left) || triage_ignores (right))
    return triage_ignores (left) - triage_ignores (right);
  if (g_str_equal (one, other))
    return 0;
  if (!*one || !*other)
    return *one ? -1 : 1;
  difference = *excess_of (data, other) - *excess_of (data, one);
  return difference > 0 ? 1 : difference < 0 ? -1 : strcmp (one, other);
}

int
culprit_groups_compare_latency (CulpritRow *left, CulpritRow *right, gpointer data)
{
  gint64 difference = culprit_row_integer (right, "latency_ns") - culprit_row_integer (left, "latency_ns");

  return difference > 0 ? 1 : difference < 0 ? -1 : 0;
}

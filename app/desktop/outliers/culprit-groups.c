/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts late wake-ups by culprit. The sums are computed once; comparing looks them up. */
#include "outliers/culprit-groups.h"

#include "seeded-hash.h"
#include "triage.h"
#include "units.h"

#include <math.h>

#define IGNORED "ignored/" /* the key of their group, which is no name of a function */

typedef struct
{
  guint captures;
  double excess_ns; /* the sum */
} Group;

struct _CulpritGroups
{
  GHashTable *all; /* culprit -> Group */
};

static const char *
key_of (CulpritRow *row)
{
  return triage_ignores (row) ? IGNORED : culprit_row_text (row, "culprit");
}

static Group *
find_group (CulpritGroups *groups, const char *key)
{
  Group *group = g_hash_table_lookup (groups->all, key);

  if (!group)
    {
      group = g_new0 (Group, 1);
      g_hash_table_insert (groups->all, g_strdup (key), group);
    }
  return group;
}

CulpritGroups *
culprit_groups_new (CulpritRows *rows)
{
  CulpritGroups *groups = g_new (CulpritGroups, 1);

  groups->all = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, g_free);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (rows)); i++)
    {
      g_autoptr (CulpritRow) row = g_list_model_get_item (G_LIST_MODEL (rows), i);
      double excess_ns = culprit_row_real (row, "excess_ns");
      Group *group = find_group (groups, key_of (row));

      group->captures++;
      if (!isnan (excess_ns))
        group->excess_ns += excess_ns;
    }
  return groups;
}

void
culprit_groups_free (CulpritGroups *groups)
{
  g_hash_table_unref (groups->all);
  g_free (groups);
}

/* "qh_completions: 8 late wake-ups, 12.600 ms excess". */
static char *
head (CulpritRow *row, gpointer data)
{
  const Group *group = find_group (data, key_of (row));
  const char *culprit = culprit_row_text (row, "culprit");
  g_autofree char *excess = culprit_time_format (llround (group->excess_ns));
  const char *name = triage_ignores (row) ? "Ignored" : *culprit ? culprit : "Unexplained";

  if (triage_ignores (row) || !(group->excess_ns > 0))
    return g_strdup_printf ("%s: %u late wake-up%s", name, group->captures, culprit_plural (group->captures));
  return g_strdup_printf ("%s: %u late wake-up%s, %s excess", name, group->captures, culprit_plural (group->captures),
                          excess);
}

static int
compare (CulpritRow *left, CulpritRow *right, gpointer data)
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
  difference = find_group (data, other)->excess_ns - find_group (data, one)->excess_ns;
  return difference > 0 ? 1 : difference < 0 ? -1 : strcmp (one, other);
}

static int
compare_latency (CulpritRow *left, CulpritRow *right, gpointer data)
{
  gint64 difference = culprit_row_integer (right, "latency_ns") - culprit_row_integer (left, "latency_ns");

  return difference > 0 ? 1 : difference < 0 ? -1 : 0;
}

const TableGroups culprit_groups_by_culprit = { compare, compare_latency, head };

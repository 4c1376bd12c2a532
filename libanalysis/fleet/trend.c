/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts outliers by day or kernel, and by culprit. */
#include "fleet/trend-private.h"
#include "seeded-hash.h"
#include "units.h"

#include <stdio.h>

#define MOST_NAMES 5 /* Others are counted together. */
#define MOST_DAYS 4000

typedef struct
{
  const char *name;
  double captures;
} Count;

static int
compare_counts (gconstpointer a, gconstpointer b)
{
  const Count *left = a;
  const Count *right = b;

  if (left->captures != right->captures)
    return left->captures < right->captures ? 1 : -1;
  return g_strcmp0 (left->name, right->name);
}

/* The culprits of @rows, most captures first. */
static GArray *
count_culprits (const CulpritTable *rows)
{
  GArray *counts = g_array_new (FALSE, FALSE, sizeof (Count));
  g_autoptr (GHashTable) places = g_hash_table_new (culprit_hash_text, g_str_equal);

  for (guint row = 0; row < culprit_table_rows (rows); row++)
    {
      const Count none = { culprit_table_text (rows, row, "culprit"), 0 };
      gpointer place;

      if (!*none.name)
        continue;
      if (!g_hash_table_lookup_extended (places, none.name, NULL, &place))
        {
          place = GUINT_TO_POINTER (counts->len);
          g_hash_table_insert (places, (gpointer) none.name, place);
          g_array_append_val (counts, none);
        }
      g_array_index (counts, Count, GPOINTER_TO_UINT (place)).captures +=
          MAX (culprit_table_integer (rows, row, "captures"), 0);
    }
  g_array_sort (counts, compare_counts);
  return counts;
}

/* The places of @names by name. */
static GHashTable *
find_places (const GPtrArray *names)
{
  GHashTable *places = g_hash_table_new (culprit_hash_text, g_str_equal);

  for (guint i = 0; i < names->len; i++)
    g_hash_table_insert (places, g_ptr_array_index (names, i), GUINT_TO_POINTER (i));
  return places;
}

/* The place of @name; @otherwise: it has none. */
static guint
find (GHashTable *places, const char *name, guint otherwise)
{
  gpointer place;

  return g_hash_table_lookup_extended (places, name, NULL, &place) ? GPOINTER_TO_UINT (place) : otherwise;
}

/* FALSE: @text is no day. */
static gboolean
parse_day (const char *text, GDate *date)
{
  guint year;
  guint month;
  guint day;
  int end = 0;

  if (sscanf (text, "%4u-%2u-%2u%n", &year, &month, &day, &end) != 3 || end != 10 || text[end] ||
      !g_date_valid_dmy (day, month, year))
    return FALSE;
  g_date_clear (date, 1);
  g_date_set_dmy (date, day, month, year);
  return TRUE;
}

/* Adds the days after the last of @labels and before @next, on which there was nothing. */
static void
fill_gap (GPtrArray *labels, const char *next)
{
  GDate from;
  GDate to;
  char text[16];

  if (labels->len == 0 || !parse_day (g_ptr_array_index (labels, labels->len - 1), &from) || !parse_day (next, &to))
    return;
  for (g_date_add_days (&from, 1); g_date_compare (&from, &to) < 0 && labels->len < MOST_DAYS;
       g_date_add_days (&from, 1))
    {
      g_date_strftime (text, sizeof text, "%Y-%m-%d", &from);
      g_ptr_array_add (labels, g_strdup (text));
    }
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(char *const *) a, *(char *const *) b);
}

static void
fill_labels (GPtrArray *labels, const CulpritTable *rows, const char *key)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (culprit_hash_text, g_str_equal);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();

  for (guint row = 0; row < culprit_table_rows (rows); row++)
    if (g_hash_table_add (seen, (gpointer) culprit_table_text (rows, row, key)))
      g_ptr_array_add (sorted, (gpointer) culprit_table_text (rows, row, key));
  g_ptr_array_sort (sorted, compare_texts);
  for (guint i = 0; i < sorted->len; i++)
    {
      fill_gap (labels, g_ptr_array_index (sorted, i));
      g_ptr_array_add (labels, g_strdup (g_ptr_array_index (sorted, i)));
    }
}

void
fleet_trend_fill (CulpritFleetTrend *trend, const CulpritTable *rows, const char *key)
{
  g_autoptr (GArray) culprits = count_culprits (rows);
  guint named = MIN (culprits->len, MOST_NAMES);
  gboolean others = culprits->len > named;
  g_autoptr (GHashTable) names = NULL;
  g_autoptr (GHashTable) labels = NULL;

  trend->labels = g_ptr_array_new_with_free_func (g_free);
  trend->names = g_ptr_array_new_with_free_func (g_free);
  fill_labels (trend->labels, rows, key);
  for (guint i = 0; i < named; i++)
    g_ptr_array_add (trend->names, g_strdup (g_array_index (culprits, Count, i).name));
  if (others)
    g_ptr_array_add (trend->names,
                     g_strdup_printf ("%u other%s", culprits->len - named, culprit_plural (culprits->len - named)));
  g_ptr_array_add (trend->names, g_strdup ("no culprit"));
  trend->counts = g_new0 (double, trend->names->len * trend->labels->len + 1);
  names = find_places (trend->names);
  labels = find_places (trend->labels);
  for (guint row = 0; row < culprit_table_rows (rows); row++)
    {
      const char *culprit = culprit_table_text (rows, row, "culprit");
      guint name = *culprit ? find (names, culprit, trend->names->len - 2) : trend->names->len - 1;
      guint label = find (labels, culprit_table_text (rows, row, key), 0);

      trend->counts[name * trend->labels->len + label] += MAX (culprit_table_integer (rows, row, "captures"), 0);
    }
}

void
fleet_trend_clear (CulpritFleetTrend *trend)
{
  g_clear_pointer (&trend->labels, g_ptr_array_unref);
  g_clear_pointer (&trend->names, g_ptr_array_unref);
  g_clear_pointer (&trend->counts, g_free);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums by key: captures add up to a base as their rows do. */
#include "base-private.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <string.h>

#define KEY_OF_PART(function, context) ((function) *CULPRIT_CONTEXTS + (context))

static void
sums_free (gpointer data)
{
  BaseSums *sums = data;

  culprit_spread_clear (&sums->untraced_ns);
  culprit_spread_clear (&sums->calls_made);
  culprit_spread_clear (&sums->stretch_ns);
  g_free (sums);
}

Base *
base_new (void)
{
  Base *base = g_new0 (Base, 1);

  base->latencies_ns = g_array_new (FALSE, FALSE, sizeof (double));
  base->parts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, sums_free);
  base->holders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, sums_free);
  base->elsewhere = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, sums_free);
  return base;
}

void
base_free (Base *base)
{
  g_array_unref (base->latencies_ns);
  g_hash_table_unref (base->parts);
  g_hash_table_unref (base->holders);
  g_hash_table_unref (base->elsewhere);
  g_free (base);
}

static BaseSums *
sums_of_number (GHashTable *table, gint64 key)
{
  BaseSums *sums = g_hash_table_lookup (table, &key);

  if (!sums)
    {
      sums = g_new0 (BaseSums, 1);
      g_hash_table_insert (table, g_memdup2 (&key, sizeof key), sums);
    }
  return sums;
}

BaseSums *
base_part (Base *base, gint64 function, CulpritContext context)
{
  return sums_of_number (base->parts, KEY_OF_PART (function, context));
}

const BaseSums *
base_find_part (const Base *base, gint64 function, CulpritContext context)
{
  gint64 key = KEY_OF_PART (function, context);

  return g_hash_table_lookup (base->parts, &key);
}

BaseSums *
base_elsewhere (Base *base, gint64 function)
{
  return sums_of_number (base->elsewhere, function);
}

const BaseSums *
base_find_elsewhere (const Base *base, gint64 function)
{
  return g_hash_table_lookup (base->elsewhere, &function);
}

/* The context is the first character of a holder's key. */
static char *
holder_key (const char *name, CulpritContext context)
{
  return g_strdup_printf ("%c%s", 'a' + context, name);
}

BaseSums *
base_holder (Base *base, const char *name, CulpritContext context)
{
  char *key = holder_key (name, context);
  BaseSums *sums = g_hash_table_lookup (base->holders, key);

  if (sums)
    g_free (key);
  else
    g_hash_table_insert (base->holders, key, sums = g_new0 (BaseSums, 1));
  return sums;
}

const BaseSums *
base_find_holder (const Base *base, const char *name, CulpritContext context)
{
  g_autofree char *key = holder_key (name, context);

  return g_hash_table_lookup (base->holders, key);
}

void
base_finish (Base *base)
{
  guint n = base->latencies_ns->len;
  const double *latencies_ns = (const double *) (gpointer) base->latencies_ns->data;
  g_autofree double *sorted = g_memdup2 (latencies_ns, n * sizeof (double));

  if (n == 0)
    return;
  base->mean_ns = gsl_stats_mean (latencies_ns, 1, n);
  gsl_sort (sorted, 1, n);
  base->median_ns = gsl_stats_median_from_sorted_data (sorted, 1, n);
  for (guint i = 0; i < n; i++)
    sorted[i] = fabs (latencies_ns[i] - base->median_ns);
  gsl_sort (sorted, 1, n);
  base->mad_ns = gsl_stats_median_from_sorted_data (sorted, 1, n);
}

static void
apply_parts (const Base *base, CulpritCase *one, GHashTable *names)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  double n = MAX (one->ordinary, 1);
  GHashTableIter iterator;
  gpointer key;
  gpointer value;

  for (guint i = 0; i < one->parts->len; i++)
    {
      CulpritPart *part = &g_array_index (one->parts, CulpritPart, i);
      gint64 own = KEY_OF_PART (part->function, part->context);
      const BaseSums *sums = g_hash_table_lookup (base->parts, &own);

      part->base_calls = sums ? sums->calls / n : 0;
      part->base_self_ns = sums ? sums->self_ns / n : 0;
      g_hash_table_add (seen, g_memdup2 (&own, sizeof own));
    }
  g_hash_table_iter_init (&iterator, base->parts);
  while (g_hash_table_iter_next (&iterator, &key, &value))
    {
      const BaseSums *sums = value;
      gint64 function = *(gint64 *) key / CULPRIT_CONTEXTS;
      CulpritPart part = { .function = function,
                           .name = g_hash_table_lookup (names, &function),
                           .context = *(gint64 *) key % CULPRIT_CONTEXTS,
                           .base_calls = sums->calls / n,
                           .base_self_ns = sums->self_ns / n };

      part.name = part.name ? part.name : CULPRIT_UNNAMED;
      if (!g_hash_table_contains (seen, key))
        g_array_append_val (one->parts, part);
    }
}

static void
apply_holders (const Base *base, CulpritCase *one, GStringChunk *texts)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  double n = MAX (one->ordinary, 1);
  GHashTableIter iterator;
  gpointer key;
  gpointer value;

  for (guint i = 0; i < one->holders->len; i++)
    {
      CulpritHolder *holder = &g_array_index (one->holders, CulpritHolder, i);
      char *own = holder_key (holder->name, holder->context);
      const BaseSums *sums = g_hash_table_lookup (base->holders, own);

      holder->base_self_ns = sums ? sums->self_ns / n : 0;
      g_hash_table_add (seen, own);
    }
  g_hash_table_iter_init (&iterator, base->holders);
  while (g_hash_table_iter_next (&iterator, &key, &value))
    {
      const char *name = key;
      CulpritHolder holder = { .name = g_string_chunk_insert_const (texts, name + 1),
                               .context = *name - 'a',
                               .base_self_ns = ((const BaseSums *) value)->self_ns / n };

      if (!g_hash_table_contains (seen, key))
        g_array_append_val (one->holders, holder);
    }
}

void
base_apply (const Base *base, CulpritCase *one, GHashTable *names, GStringChunk *texts)
{
  one->ordinary = base->latencies_ns->len;
  one->base_ns = base->mean_ns;
  one->median_ns = base->median_ns;
  one->mad_ns = base->mad_ns;
  apply_parts (base, one, names);
  apply_holders (base, one, texts);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums by key: captures add up to a base as their rows do. */
#include "base-private.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <string.h>

#define KEY_OF_PART(function, context) ((function) *CULPRIT_CONTEXTS + (context))

Base *
base_new (void)
{
  Base *base = g_new0 (Base, 1);

  base->latencies_ns = g_array_new (FALSE, FALSE, sizeof (double));
  base->parts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  base->holders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return base;
}

void
base_free (Base *base)
{
  g_array_unref (base->latencies_ns);
  g_hash_table_unref (base->parts);
  g_hash_table_unref (base->holders);
  g_free (base);
}

static BaseSums *
part_of_key (Base *base, gint64 key)
{
  BaseSums *sums = g_hash_table_lookup (base->parts, &key);

  if (!sums)
    {
      gint64 *kept = g_new (gint64, 1);

      *kept = key;
      sums = g_new0 (BaseSums, 1);
      g_hash_table_insert (base->parts, kept, sums);
    }
  return sums;
}

BaseSums *
base_part (Base *base, gint64 function, CulpritContext context)
{
  return part_of_key (base, KEY_OF_PART (function, context));
}

static BaseSums *
holder_of_key (Base *base, const char *key)
{
  BaseSums *sums = g_hash_table_lookup (base->holders, key);

  if (!sums)
    {
      sums = g_new0 (BaseSums, 1);
      g_hash_table_insert (base->holders, g_strdup (key), sums);
    }
  return sums;
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
  g_autofree char *key = holder_key (name, context);

  return holder_of_key (base, key);
}

static void
add_sums (BaseSums *sums, const BaseSums *other)
{
  sums->calls += other->calls;
  sums->self_ns += other->self_ns;
  sums->stretch_ns = MAX (sums->stretch_ns, other->stretch_ns);
  sums->windows += other->windows;
}

void
base_add (Base *base, const Base *other)
{
  GHashTableIter iterator;
  gpointer key;
  gpointer sums;

  g_array_append_vals (base->latencies_ns, other->latencies_ns->data, other->latencies_ns->len);
  g_hash_table_iter_init (&iterator, other->parts);
  while (g_hash_table_iter_next (&iterator, &key, &sums))
    add_sums (part_of_key (base, *(gint64 *) key), sums);
  g_hash_table_iter_init (&iterator, other->holders);
  while (g_hash_table_iter_next (&iterator, &key, &sums))
    add_sums (holder_of_key (base, key), sums);
}

/* The number of ordinary wake-ups, their mean, median and median absolute deviation. */
static void
apply_latencies (const Base *base, CulpritCase *one)
{
  guint n = base->latencies_ns->len;
  const double *latencies_ns = (const double *) (gpointer) base->latencies_ns->data;
  g_autofree double *sorted = g_memdup2 (latencies_ns, n * sizeof (double));

  one->ordinary = n;
  if (n == 0)
    return;
  one->base_ns = gsl_stats_mean (latencies_ns, 1, n);
  gsl_sort (sorted, 1, n);
  one->median_ns = gsl_stats_median_from_sorted_data (sorted, 1, n);
  for (guint i = 0; i < n; i++)
    sorted[i] = fabs (latencies_ns[i] - one->median_ns);
  gsl_sort (sorted, 1, n);
  one->mad_ns = gsl_stats_median_from_sorted_data (sorted, 1, n);
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
      part->base_calls_ran = sums && sums->windows > 0 ? sums->calls / sums->windows : 0;
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
                           .base_self_ns = sums->self_ns / n,
                           .rest_per_call_ns = NAN };

      part.name = part.name ? part.name : "unnamed";
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
  gint64 place = KEY_OF_PART (one->stretch.function, one->stretch.context);
  const BaseSums *sums = g_hash_table_lookup (base->parts, &place);

  apply_latencies (base, one);
  apply_parts (base, one, names);
  apply_holders (base, one, texts);
  one->stretch.ordinary_ns = sums && sums->windows > 0 ? sums->stretch_ns : 0;
}

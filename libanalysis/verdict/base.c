/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up ordinary wake-ups by function: the sums of several captures form one base. */
#include "base-private.h"

#include "seeded-hash.h"

#include <string.h>

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
  base->parts = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, sums_free);
  base->holders = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, sums_free);
  base->sorted = g_array_new (FALSE, FALSE, sizeof (gint64));
  base->sorted_holders = g_ptr_array_new ();
  base->elsewhere = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, sums_free);
  return base;
}

void
base_free (Base *base)
{
  g_array_unref (base->latencies_ns);
  g_hash_table_unref (base->parts);
  g_hash_table_unref (base->holders);
  g_hash_table_unref (base->elsewhere);
  g_array_unref (base->sorted);
  g_ptr_array_unref (base->sorted_holders);
  g_free (base);
}

static BaseSums *
sums_of_number (GHashTable *table, gint64 key)
{
  BaseSums *sums = g_hash_table_lookup (table, &key);

  if (!sums)
    {
      sums = g_new0 (BaseSums, 1);
      sums->key = key;
      g_hash_table_insert (table, &sums->key, sums);
    }
  return sums;
}

BaseSums *
base_part (Base *base, gint64 function, CulpritContext context)
{
  return sums_of_number (base->parts, BASE_KEY (function, context));
}

BaseSums *
base_find_part (const Base *base, gint64 function, CulpritContext context)
{
  gint64 key = BASE_KEY (function, context);

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

/* A holder's key begins with its context, as one character. */
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

BaseSums *
base_find_holder (const Base *base, const char *name, CulpritContext context)
{
  g_autofree char *key = holder_key (name, context);

  return g_hash_table_lookup (base->holders, key);
}

static void
add_sums (BaseSums *sums, const BaseSums *other)
{
  sums->calls += other->calls;
  sums->self_ns += other->self_ns;
  sums->windows += other->windows;
  culprit_spread_merge (&sums->untraced_ns, &other->untraced_ns);
  culprit_spread_merge (&sums->calls_made, &other->calls_made);
  culprit_spread_merge (&sums->stretch_ns, &other->stretch_ns);
}

/* Most populations are in a single portion, so that nothing needs to be copied. */
void
base_take (Base *base, Base *other)
{
  GHashTableIter iterator;
  gpointer key;
  gpointer sums;

  if (base->latencies_ns->len == 0 &&
      g_hash_table_size (base->parts) + g_hash_table_size (base->holders) + g_hash_table_size (base->elsewhere) == 0)
    {
      Base empty = *base;

      *base = *other;
      *other = empty;
      return;
    }
  g_array_append_vals (base->latencies_ns, other->latencies_ns->data, other->latencies_ns->len);
  base->spread_windows += other->spread_windows;
  g_hash_table_iter_init (&iterator, other->parts);
  while (g_hash_table_iter_next (&iterator, &key, &sums))
    add_sums (sums_of_number (base->parts, *(gint64 *) key), sums);
  g_hash_table_iter_init (&iterator, other->elsewhere);
  while (g_hash_table_iter_next (&iterator, &key, &sums))
    add_sums (sums_of_number (base->elsewhere, *(gint64 *) key), sums);
  g_hash_table_iter_init (&iterator, other->holders);
  while (g_hash_table_iter_next (&iterator, &key, &sums))
    add_sums (base_holder (base, (const char *) key + 1, *(const char *) key - 'a'), sums);
}

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  gint64 left = *(const gint64 *) a;
  gint64 right = *(const gint64 *) b;

  return (left > right) - (left < right);
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

void
base_finish (Base *base)
{
  GHashTableIter iterator;
  gpointer key;

  base->usual = usual_of (base->latencies_ns);
  g_hash_table_iter_init (&iterator, base->parts);
  while (g_hash_table_iter_next (&iterator, &key, NULL))
    g_array_append_vals (base->sorted, key, 1);
  g_array_sort (base->sorted, compare_keys);
  g_hash_table_iter_init (&iterator, base->holders);
  while (g_hash_table_iter_next (&iterator, &key, NULL))
    g_ptr_array_add (base->sorted_holders, key);
  g_ptr_array_sort (base->sorted_holders, compare_texts);
}

static void
apply_parts (const Base *base, CulpritCase *one, GHashTable *names)
{
  PartCursor cursor = { one->parts->len, 0 };

  for (guint i = 0; i < base->sorted->len; i++)
    {
      gint64 key = g_array_index (base->sorted, gint64, i);
      const BaseSums *sums = g_hash_table_lookup (base->parts, &key);
      gint64 function = key / CULPRIT_CONTEXTS;
      CulpritPart like = { .function = function,
                           .name = g_hash_table_lookup (names, &function),
                           .context = key % CULPRIT_CONTEXTS };

      like.name = like.name ? like.name : CULPRIT_UNNAMED;
      usual_apply_part (one, &cursor, &like, sums->calls, sums->self_ns);
    }
}

static void
apply_holders (const Base *base, CulpritCase *one, GStringChunk *texts)
{
  guint own = one->holders->len;

  for (guint i = 0; i < base->sorted_holders->len; i++)
    {
      const char *key = g_ptr_array_index (base->sorted_holders, i);
      const BaseSums *sums = g_hash_table_lookup (base->holders, key);

      usual_apply_holder (one, own, g_string_chunk_insert (texts, key + 1), *key - 'a', sums->self_ns);
    }
}

void
base_apply (const Base *base, CulpritCase *one, GHashTable *names, GStringChunk *texts)
{
  usual_apply (&base->usual, one);
  apply_parts (base, one, names);
  apply_holders (base, one, texts);
}

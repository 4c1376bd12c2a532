/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up ordinary wake-ups by function: the sums of several captures form one base. */
#include "base-private.h"

#include "seeded-hash.h"

#include <string.h>

static void
sums_free (gpointer data)
{
  BaseSums *sums = data;

  for (guint i = 0; i < BASE_SPREADS; i++)
    culprit_spread_clear (&sums->spreads[i]);
  g_free (sums);
}

Base *
base_new (void)
{
  Base *base = g_new0 (Base, 1);

  base->latencies_ns = g_array_new (FALSE, FALSE, sizeof (double));
  base->parts = g_hash_table_new_full (culprit_hash_number, g_int64_equal, NULL, sums_free);
  base->holders = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, sums_free);
  base->sorted = g_array_new (FALSE, FALSE, sizeof (gint64));
  base->sorted_holders = g_ptr_array_new ();
  base->elsewhere = g_hash_table_new_full (culprit_hash_number, g_int64_equal, NULL, sums_free);
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
  sums->name = name;
  return sums;
}

BaseSums *
base_find_holder (const Base *base, const char *name, CulpritContext context)
{
  g_autofree char *key = holder_key (name, context);

  return g_hash_table_lookup (base->holders, key);
}

void
base_keep (BaseSums *sums, const Packed packed[BASE_SPREADS], GStringChunk *room)
{
  /* Where the previous row is, then each spread after its length. */
  guint8 row[sizeof sums->kept + BASE_SPREADS * (1 + G_MAXUINT8)];
  guint8 *at = row + sizeof sums->kept;

  memcpy (row, &sums->kept, sizeof sums->kept);
  for (guint i = 0; i < BASE_SPREADS; i++)
    {
      guint n_kept = packed[i].n_bytes <= G_MAXUINT8 ? packed[i].n_bytes : 0;

      if (n_kept < packed[i].n_bytes)
        culprit_spread_add_packed (&sums->spreads[i], packed[i].bytes, packed[i].n_bytes);
      sums->spreads[i].max = MAX (sums->spreads[i].max, packed[i].max);
      *at++ = n_kept;
      if (n_kept > 0)
        memcpy (at, packed[i].bytes, n_kept);
      at += n_kept;
    }
  sums->kept = (guint8 *) g_string_chunk_insert_len (room, (const char *) row, at - row);
  sums->kept_first = sums->kept_first ? sums->kept_first : sums->kept;
}

/* The one that was added before it; rows are not aligned. */
static guint8 *
row_before (const guint8 *row)
{
  guint8 *before;

  memcpy (&before, row, sizeof before);
  return before;
}

void
base_settle (BaseSums *sums)
{
  for (guint8 *row = g_steal_pointer (&sums->kept); row; row = row_before (row))
    {
      const guint8 *at = row + sizeof sums->kept;

      for (guint i = 0; i < BASE_SPREADS; at += 1 + *at, i++)
        culprit_spread_add_packed (&sums->spreads[i], at + 1, *at);
    }
  sums->kept_first = NULL;
}

static void
add_kept (BaseSums *sums, const BaseSums *other)
{
  if (!other->kept)
    return;
  memcpy (other->kept_first, &sums->kept, sizeof sums->kept);
  sums->kept = other->kept;
  sums->kept_first = sums->kept_first ? sums->kept_first : other->kept_first;
}

static void
add_sums (BaseSums *sums, const BaseSums *other)
{
  sums->calls += other->calls;
  sums->self_ns += other->self_ns;
  sums->windows += other->windows;
  for (guint i = 0; i < BASE_SPREADS; i++)
    culprit_spread_merge (&sums->spreads[i], &other->spreads[i]);
  add_kept (sums, other);
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
    add_sums (base_holder (base, ((const BaseSums *) sums)->name, *(const char *) key - 'a'), sums);
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
apply_holders (const Base *base, CulpritCase *one)
{
  guint own = one->holders->len;

  for (guint i = 0; i < base->sorted_holders->len; i++)
    {
      const char *key = g_ptr_array_index (base->sorted_holders, i);
      const BaseSums *sums = g_hash_table_lookup (base->holders, key);

      usual_apply_holder (one, own, sums->name, *key - 'a', sums->self_ns);
    }
}

void
base_apply (const Base *base, CulpritCase *one, GHashTable *names)
{
  usual_apply (&base->usual, one);
  apply_parts (base, one, names);
  apply_holders (base, one);
}

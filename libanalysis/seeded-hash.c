/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uses XXH3 with a random seed. */
#include "seeded-hash.h"

#include <stdatomic.h>
#include <string.h>
#include <xxhash.h>

guint64
culprit_hash_seed (void)
{
  static _Atomic guint64 seed; /* 0: not drawn yet */
  guint64 known = atomic_load (&seed);
  guint64 drawn;

  if (known != 0)
    return known;
  drawn = ((guint64) g_random_int () << 32 | g_random_int ()) | 1;
  return atomic_compare_exchange_strong (&seed, &known, drawn) ? drawn : known;
}

guint
culprit_hash_text (gconstpointer key)
{
  return XXH3_64bits_withSeed (key, strlen (key), culprit_hash_seed ());
}

guint
culprit_hash_number (gconstpointer key)
{
  return XXH3_64bits_withSeed (key, sizeof (gint64), culprit_hash_seed ());
}

guint
culprit_hash_direct (gconstpointer key)
{
  return XXH3_64bits_withSeed (&key, sizeof key, culprit_hash_seed ());
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By XXH3, with a number of our own before the text. */
#include "seeded-hash.h"

#include <string.h>
#include <xxhash.h>

guint64
culprit_hash_seed (void)
{
  static guint64 seed;
  static gsize drawn;

  if (g_once_init_enter (&drawn))
    {
      seed = (guint64) g_random_int () << 32 | g_random_int ();
      g_once_init_leave (&drawn, 1);
    }
  return seed;
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

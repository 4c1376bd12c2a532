/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The distribution of a quantity over ordinary wake-ups: its maximum, and counts of values by size. Spreads can be
 * added, so that captures and studies can be too.
 *
 * Values are counted in buckets, eight per octave: below 16 each whole number has its own, above that a bucket is at
 * most an eighth of its value wide. */
#pragma once

#include <glib.h>

typedef struct
{
  guint bucket;
  guint64 count;
} CulpritBucket;

typedef struct
{
  guint64 max;
  GArray *buckets; /* of CulpritBucket, in ascending order; NULL: nothing was counted */
} CulpritSpread;

/* The bucket of @value; the value in the middle of a bucket: the value itself if the bucket has only one. */
guint culprit_bucket_of (guint64 value);
double culprit_bucket_middle (guint bucket);

void culprit_spread_clear (CulpritSpread *spread);

/* Counts @value. */
void culprit_spread_add (CulpritSpread *spread, guint64 value);

/* How many values were counted. */
guint64 culprit_spread_total (const CulpritSpread *spread);

/* The sum of the @n largest values, or of all, each taken as the middle of its bucket. */
double culprit_spread_largest (const CulpritSpread *spread, guint64 n);

/* The buckets as bytes: for each a pair of unsigned LEB128 numbers, its distance from the previous one (for the first:
 * from bucket 0) and its count. The caller owns them. */
GByteArray *culprit_spread_pack (const CulpritSpread *spread);

/* Adds packed buckets. If they are malformed, as in a damaged study, nothing is added from there on. */
void culprit_spread_add_packed (CulpritSpread *spread, const guint8 *bytes, gsize n_bytes);

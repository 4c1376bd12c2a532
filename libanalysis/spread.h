/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a quantity is spread over ordinary wake-ups: its greatest value, and how many values are of which size. Spreads
 * add up, so that captures and studies do.
 *
 * Values are counted in buckets, eight to an octave: below 16 each whole number has one of its own, above that a bucket
 * is at most an eighth of its value wide. */
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
  GArray *buckets;  /* of CulpritBucket, in rising order; NULL: nothing was counted */
  GByteArray *kept; /* of culprit_spread_keep_packed(), each behind its length; may be NULL */
} CulpritSpread;

/* The bucket of @value; the value in the middle of a bucket, and its greatest: the value itself where it has a bucket
 * of its own. */
guint culprit_bucket_of (guint64 value);
double culprit_bucket_middle (guint bucket);
double culprit_bucket_end (guint bucket);

void culprit_spread_clear (CulpritSpread *spread);

/* Counts @value once more. */
void culprit_spread_add (CulpritSpread *spread, guint64 value);

/* Adds all that @other counted. */
void culprit_spread_merge (CulpritSpread *spread, const CulpritSpread *other);

/* How many values were counted. */
guint64 culprit_spread_total (const CulpritSpread *spread);

/* The buckets as bytes: for each a pair of unsigned LEB128 numbers, its distance from the one before (the first: from
 * bucket 0) and its count. The caller owns them. */
GByteArray *culprit_spread_pack (const CulpritSpread *spread);

/* Adds buckets that were packed. What does not follow the form, as a damaged study may not, adds nothing from there
 * on. */
void culprit_spread_add_packed (CulpritSpread *spread, const guint8 *bytes, gsize n_bytes);

/* The same, but they are counted only by culprit_spread_settle(), before which nothing but the maximum may be asked. */
void culprit_spread_keep_packed (CulpritSpread *spread, const guint8 *bytes, gsize n_bytes);
void culprit_spread_settle (CulpritSpread *spread);

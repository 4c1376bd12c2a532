/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The upper bits of a value determine its bucket: counting takes a few instructions and no logarithm. */
#include "spread.h"

#define PARTS 8     /* buckets per octave */
#define PART_BITS 3 /* 2^3 of them */
#define LAST_BUCKET ((64 - PART_BITS + 1) * PARTS - 1)
#define MOST_COUNTED (G_MAXUINT32) /* in one bucket of one packed spread: a larger number is damage */

guint
culprit_bucket_of (guint64 value)
{
  guint shift;

  if (value < 2 * PARTS)
    return value;
  shift = 63 - __builtin_clzll (value) - PART_BITS;
  return shift * PARTS + (value >> shift);
}

/* How far the values of @bucket, which has several, are shifted. */
static guint
shift_of (guint bucket)
{
  return bucket / PARTS - 1;
}

static double
start_of (guint bucket)
{
  return (double) ((guint64) (bucket - shift_of (bucket) * PARTS) << shift_of (bucket));
}

double
culprit_bucket_middle (guint bucket)
{
  return bucket < 2 * PARTS ? bucket : start_of (bucket) + (double) (G_GUINT64_CONSTANT (1) << shift_of (bucket)) / 2;
}

void
culprit_spread_clear (CulpritSpread *spread)
{
  g_clear_pointer (&spread->buckets, g_array_unref);
  spread->max = 0;
}

/* The index of the first bucket of @spread that is not below @bucket. Branch-free, as branches here are
 * unpredictable. */
static guint
find_bucket (const CulpritSpread *spread, guint bucket)
{
  const CulpritBucket *buckets = (const CulpritBucket *) (gpointer) spread->buckets->data;
  guint index = 0;

  for (guint n = spread->buckets->len; n > 0; n /= 2)
    index += (n + 1) / 2 * (buckets[index + (n - 1) / 2].bucket < bucket);
  return index;
}

/* Counts @count values into @bucket. */
static void
count (CulpritSpread *spread, guint bucket, guint64 count)
{
  guint index;

  if (!spread->buckets)
    spread->buckets = g_array_new (FALSE, FALSE, sizeof (CulpritBucket));
  index = find_bucket (spread, bucket);
  if (index < spread->buckets->len && g_array_index (spread->buckets, CulpritBucket, index).bucket == bucket)
    g_array_index (spread->buckets, CulpritBucket, index).count += count;
  else
    g_array_insert_val (spread->buckets, index, ((CulpritBucket) { bucket, count }));
}

void
culprit_spread_add (CulpritSpread *spread, guint64 value)
{
  spread->max = MAX (spread->max, value);
  count (spread, culprit_bucket_of (value), 1);
}

guint64
culprit_spread_total (const CulpritSpread *spread)
{
  guint64 total = 0;

  for (guint i = 0; spread->buckets && i < spread->buckets->len; i++)
    total += g_array_index (spread->buckets, CulpritBucket, i).count;
  return total;
}

double
culprit_spread_largest (const CulpritSpread *spread, guint64 n)
{
  double sum = 0;

  for (guint i = spread->buckets ? spread->buckets->len : 0; n > 0 && i > 0; i--)
    {
      const CulpritBucket *bucket = &g_array_index (spread->buckets, CulpritBucket, i - 1);
      guint64 taken = MIN (n, bucket->count);

      sum += taken * culprit_bucket_middle (bucket->bucket);
      n -= taken;
    }
  return sum;
}

static void
pack_number (GByteArray *bytes, guint64 number)
{
  do
    {
      guint8 byte = (number & 0x7f) | (number > 0x7f ? 0x80 : 0);

      g_byte_array_append (bytes, &byte, 1);
      number >>= 7;
    }
  while (number > 0);
}

GByteArray *
culprit_spread_pack (const CulpritSpread *spread)
{
  GByteArray *bytes = g_byte_array_new ();
  guint before = 0;

  for (guint i = 0; spread->buckets && i < spread->buckets->len; i++)
    {
      const CulpritBucket *bucket = &g_array_index (spread->buckets, CulpritBucket, i);

      pack_number (bytes, bucket->bucket - before);
      pack_number (bytes, bucket->count);
      before = bucket->bucket;
    }
  return bytes;
}

/* Reads the number at @at and advances. FALSE if there is none, or if it exceeds @most. */
static gboolean
unpack_number (const guint8 **at, const guint8 *end, guint64 most, guint64 *number)
{
  *number = 0;
  for (guint shift = 0; *at < end && shift < 35; shift += 7)
    {
      guint8 byte = *(*at)++;

      *number |= (guint64) (byte & 0x7f) << shift;
      if (!(byte & 0x80))
        return *number <= most;
    }
  return FALSE;
}

void
culprit_spread_add_packed (CulpritSpread *spread, const guint8 *bytes, gsize n_bytes)
{
  const guint8 *end = n_bytes > 0 ? bytes + n_bytes : bytes; /* Nothing may be NULL, to which nothing is added. */
  guint64 bucket = 0;
  guint64 distance;
  guint64 counted;

  while (bytes < end && unpack_number (&bytes, end, LAST_BUCKET - bucket, &distance) &&
         unpack_number (&bytes, end, MOST_COUNTED, &counted))
    {
      bucket += distance;
      count (spread, bucket, counted);
    }
}

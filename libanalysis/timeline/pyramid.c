/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Summaries of many spans: blocks of equal numbers of spans, and buckets of equal time, with half as many on each level
 * as on the level below. A lane of ten million spans is drawn from the coarsest buckets that are no longer than a
 * pixel. */
#include "lane-private.h"

#define SPANS_PER_BUCKET 4 /* With fewer, the spans themselves are as fast. */

/* The part of @span inside [@start_ns, @end_ns). */
static guint64
part_ns (const Lane *lane, guint32 span, guint64 start_ns, guint64 end_ns)
{
  guint64 from_ns = MAX (start_ns, lane_span (lane, span)->start_ns);
  guint64 to_ns = MIN (end_ns, lane_end_ns (lane, span));

  return to_ns > from_ns ? to_ns - from_ns : 0;
}

static void
build_blocks (Lane *lane)
{
  guint n = lane->spans->len / BLOCK_SPANS;
  Piece *blocks = g_new (Piece, n + 1);

  for (guint i = 0; i < n; i++)
    blocks[i] = lane_sum (lane, i * BLOCK_SPANS, (i + 1) * BLOCK_SPANS);
  lane->blocks = blocks;
}

/* The finest level. @firsts: for each bucket the first span that starts in it or later. */
static void
build_finest (Lane *lane, guint32 *firsts)
{
  Piece *buckets = lane->buckets[0];
  guint64 longest_ns = 0;
  double covered_ns = 0;
  guint32 span = 0;

  for (guint i = 0; i < lane->n_buckets; i++)
    {
      guint64 start_ns = lane->origin_ns + i * lane->bucket_ns;
      guint64 end_ns = start_ns + lane->bucket_ns;
      Piece *bucket = &buckets[i];

      bucket->dominant = CULPRIT_TIMELINE_NONE;
      covered_ns = 0;
      firsts[i] = span < lane->spans->len && lane_span (lane, span)->start_ns < start_ns ? span + 1 : span;
      while (span < lane->spans->len && lane_span (lane, span)->start_ns < end_ns)
        {
          guint64 length_ns = part_ns (lane, span, start_ns, end_ns);

          covered_ns += length_ns;
          if (bucket->dominant == CULPRIT_TIMELINE_NONE || length_ns > longest_ns)
            {
              longest_ns = length_ns;
              bucket->dominant = span;
            }
          if (lane_end_ns (lane, span) > end_ns)
            break;
          span++;
        }
      bucket->covered_ns = covered_ns;
      lane_note_dominant (lane, bucket);
    }
}

/* Keeps the longer of @span's part and that of @best's dominant. */
static void
keep_longest (const Lane *lane, guint64 start_ns, guint64 end_ns, guint32 span, guint32 *best)
{
  guint64 length_ns;
  guint64 best_ns;

  if (span == CULPRIT_TIMELINE_NONE)
    return;
  length_ns = part_ns (lane, span, start_ns, end_ns);
  best_ns = *best != CULPRIT_TIMELINE_NONE ? part_ns (lane, *best, start_ns, end_ns) : 0;
  if (*best == CULPRIT_TIMELINE_NONE || length_ns > best_ns || (length_ns == best_ns && span < *best))
    *best = span;
}

/* A level from the level below. The longest part is that of either half, or of the span that extends over both. */
static void
build_level (Lane *lane, guint level, const guint32 *firsts)
{
  const Piece *below = lane->buckets[level - 1];
  Piece *buckets = lane->buckets[level];
  guint64 length_ns = lane->bucket_ns << level;

  for (guint i = 0; i < lane->n_buckets >> level; i++)
    {
      guint64 start_ns = lane->origin_ns + i * length_ns;
      guint32 across = firsts[(2 * i + 1) << (level - 1)];
      guint32 best = below[2 * i].dominant;

      if (across > 0 && lane_end_ns (lane, across - 1) > start_ns + length_ns / 2)
        keep_longest (lane, start_ns, start_ns + length_ns, across - 1, &best);
      keep_longest (lane, start_ns, start_ns + length_ns, below[2 * i + 1].dominant, &best);
      buckets[i].dominant = best;
      buckets[i].covered_ns = below[2 * i].covered_ns + below[2 * i + 1].covered_ns;
      lane_note_dominant (lane, &buckets[i]);
    }
}

void
lane_index (Lane *lane, guint64 first_ns, guint64 last_ns)
{
  g_autofree guint32 *firsts = NULL;
  guint n = MAX_BUCKETS;

  build_blocks (lane);
  while (n > lane->spans->len / SPANS_PER_BUCKET)
    n /= 2;
  if (n < 2)
    return;
  lane->n_buckets = n;
  lane->origin_ns = first_ns;
  lane->bucket_ns = (last_ns - first_ns) / n + 1;
  lane->levels = g_bit_storage (n);
  lane->buckets = g_new (Piece *, lane->levels);
  for (guint level = 0; level < lane->levels; level++)
    lane->buckets[level] = g_new (Piece, n >> level);
  firsts = g_new (guint32, n);
  build_finest (lane, firsts);
  for (guint level = 1; level < lane->levels; level++)
    build_level (lane, level, firsts);
}

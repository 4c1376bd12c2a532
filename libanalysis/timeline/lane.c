/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spans of a lane: adding them, finding one by time, and summarising a sequence of them by blocks. */
#include "lane-private.h"

Lane *
lane_new (guint cpu, int depth)
{
  Lane *lane = g_new0 (Lane, 1);

  lane->cpu = cpu;
  lane->depth = depth;
  lane->spans = g_array_new (FALSE, FALSE, sizeof (Span));
  lane->long_spans = g_array_new (FALSE, FALSE, sizeof (LongSpan));
  lane->splits = g_array_new (FALSE, FALSE, sizeof (SplitRef));
  return lane;
}

void
lane_free (Lane *lane)
{
  g_array_unref (lane->spans);
  g_array_unref (lane->long_spans);
  g_array_unref (lane->splits);
  for (guint level = 0; level < lane->levels; level++)
    g_free (lane->buckets[level]);
  g_free (lane->buckets);
  g_free (lane->blocks);
  g_free (lane);
}

guint32
lane_add (Lane *lane, guint64 start_ns, guint64 end_ns, guint32 what, guint64 self_ns, guint64 tracing_ns)
{
  guint32 index = lane->spans->len;
  Span span = { .what = what };
  LongSpan numbers;

  start_ns = MAX (start_ns, lane->last_end_ns);
  end_ns = MAX (start_ns, end_ns);
  lane->last_end_ns = end_ns;
  numbers = (LongSpan) { index, end_ns - start_ns, self_ns, tracing_ns };
  span.start_ns = start_ns;
  if (G_LIKELY (MAX (numbers.length_ns, MAX (self_ns, tracing_ns)) < LONG_NS))
    {
      span.length_ns = numbers.length_ns;
      span.self_ns = self_ns;
      span.tracing_ns = tracing_ns;
    }
  else
    {
      span.length_ns = LONG_NS;
      g_array_append_val (lane->long_spans, numbers);
    }
  g_array_append_val (lane->spans, span);
  return index;
}

const LongSpan *
lane_find_long (const Lane *lane, guint32 span)
{
  guint low = 0;
  guint high = lane->long_spans->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (lane->long_spans, LongSpan, middle).span <= span)
        low = middle;
      else
        high = middle;
    }
  return &g_array_index (lane->long_spans, LongSpan, low);
}

guint32
lane_first_ending_after (const Lane *lane, guint32 from, guint64 at_ns)
{
  guint32 low = from;
  guint32 high = lane->spans->len;

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (lane_end_ns (lane, middle) > at_ns)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

guint32
lane_first_from (const Lane *lane, guint32 from, guint64 at_ns)
{
  guint32 n = lane->spans->len;
  guint32 step = 1;
  guint32 low = from;
  guint32 high;

  while (low < n && lane_span (lane, low)->start_ns < at_ns)
    {
      from = low + 1;
      low = n - low > step ? low + step : n;
      step *= 2;
    }
  for (high = low, low = from; low < high;)
    {
      guint32 middle = low + (high - low) / 2;

      if (lane_span (lane, middle)->start_ns < at_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static inline void
add_span (const Lane *lane, guint32 span, Piece *sum, guint64 *longest_ns, double *covered_ns)
{
  guint64 length_ns = lane_length_ns (lane, span);

  *covered_ns += length_ns;
  if (sum->dominant != CULPRIT_TIMELINE_NONE && length_ns <= *longest_ns)
    return;
  *longest_ns = length_ns;
  sum->dominant = span;
}

void
lane_note_dominant (const Lane *lane, Piece *piece)
{
  if (piece->dominant == CULPRIT_TIMELINE_NONE)
    return;
  piece->what = lane_span (lane, piece->dominant)->what;
  piece->length_ns = lane_span (lane, piece->dominant)->length_ns;
}

Piece
lane_sum (const Lane *lane, guint32 first, guint32 end)
{
  Piece sum = { .dominant = CULPRIT_TIMELINE_NONE };
  guint64 longest_ns = 0;
  double covered_ns = 0;

  for (; first < end && (first % BLOCK_SPANS != 0 || !lane->blocks); first++)
    add_span (lane, first, &sum, &longest_ns, &covered_ns);
  for (; end - first >= BLOCK_SPANS; first += BLOCK_SPANS)
    {
      const Piece *block = &lane->blocks[first / BLOCK_SPANS];
      guint64 length_ns = lane_length_ns (lane, block->dominant);

      covered_ns += block->covered_ns;
      if (sum.dominant != CULPRIT_TIMELINE_NONE && length_ns <= longest_ns)
        continue;
      longest_ns = length_ns;
      sum.dominant = block->dominant;
    }
  for (; first < end; first++)
    add_span (lane, first, &sum, &longest_ns, &covered_ns);
  sum.covered_ns = covered_ns;
  lane_note_dominant (lane, &sum);
  return sum;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spans of a lane: adding them, finding one by time, and summarising a sequence of them by blocks. */
#include "lane-private.h"

static void lane_note_dominant (const Lane *lane, Piece *piece);

/* Summaries of many spans: blocks of equal numbers of spans, and buckets of equal time, with half as many on each level
 * as on the level below. A lane of ten million spans is drawn from the coarsest buckets that are no longer than a
 * pixel. */

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
add_to_sum (const Lane *lane, guint32 index, CulpritTimelineSum *sum)
{
  const Span *span = lane_span (lane, index);

  sum->what = sum->spans == 0 || sum->what == span_what (span) ? span_what (span) : CULPRIT_TIMELINE_NONE;
  sum->spans++;
  sum->calls += span_begins (span);
  sum->total_ns += lane_length_ns (lane, index);
}

static void
build_blocks (Lane *lane)
{
  guint n = lane->spans->len / BLOCK_SPANS;
  Block *blocks = g_new (Block, n + 1);
  CulpritTimelineSum before = { 0 };

  for (guint i = 0; i < n; i++)
    {
      CulpritTimelineSum sum = { 0 };
      gboolean same;

      for (guint32 span = i * BLOCK_SPANS; span < (i + 1) * BLOCK_SPANS; span++)
        add_to_sum (lane, span, &sum);
      same = i > 0 && sum.what != CULPRIT_TIMELINE_NONE && blocks[i - 1].what == sum.what;
      blocks[i] = (Block) { .piece = lane_sum (lane, i * BLOCK_SPANS, (i + 1) * BLOCK_SPANS),
                            .what = sum.what,
                            .same_from = same ? blocks[i - 1].same_from : i,
                            .calls = before.calls,
                            .total_ns = before.total_ns };
      before.calls += sum.calls;
      before.total_ns += sum.total_ns;
    }
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

/* What the pixels of a lane can show: from buckets of time if these are short enough, else from the spans. */

static CulpritTimelineMark
mark_span (const Lane *lane, guint32 index)
{
  const Span *span = lane_span (lane, index);

  return (CulpritTimelineMark) { .start_ns = span->start_ns,
                                 .end_ns = lane_end_ns (lane, index),
                                 .span = index,
                                 .what = span_what (span),
                                 .fill = 1,
                                 .marks = span_marks (span),
                                 .context = span_context (span),
                                 .alone = TRUE };
}

static CulpritTimelineMark
mark_piece (const Piece *piece, guint64 start_ns, guint64 end_ns)
{
  double fill = piece->covered_ns / (double) MAX (end_ns - start_ns, 1);

  return (CulpritTimelineMark) { .start_ns = start_ns,
                                 .end_ns = end_ns,
                                 .span = piece->dominant,
                                 .what = piece->what & WHAT_MASK,
                                 .fill = CLAMP (fill, 0.001, 1),
                                 .context = what_context (piece->what) };
}

/* Consecutive spans, from @first to before @end, within less than a pixel. */
static CulpritTimelineMark
mark_run (const Lane *lane, guint32 first, guint32 end)
{
  Piece sum;

  if (end == first + 1)
    return mark_span (lane, first);
  sum = lane_sum (lane, first, end);
  return mark_piece (&sum, lane_span (lane, first)->start_ns, lane_end_ns (lane, end - 1));
}

/* The end of the pixel that contains @at_ns. Pixels are counted from time 0, so that the picture is stable while
 * panning. */
static guint64
pixel_end (guint64 at_ns, guint64 pixel_ns)
{
  return at_ns - at_ns % pixel_ns + pixel_ns;
}

static void
query_spans (const Lane *lane, guint64 start_ns, guint64 end_ns, guint64 pixel_ns, GArray *marks)
{
  guint32 n = lane->spans->len;
  guint32 next;

  for (guint32 i = lane_first_ending_after (lane, 0, start_ns); i < n; i = next)
    {
      const Span *span = lane_span (lane, i);
      CulpritTimelineMark mark;

      if (span->start_ns >= end_ns)
        return;
      next = i + 1;
      if (lane_length_ns (lane, i) < pixel_ns)
        {
          next = lane_first_from (lane, i + 1, pixel_end (span->start_ns, pixel_ns));
          if (next > i + 1 && lane_length_ns (lane, next - 1) >= pixel_ns)
            next--;
        }
      mark = mark_run (lane, i, next);
      g_array_append_val (marks, mark);
    }
}

/* Adds the mark of a long span, which may begin in an earlier bucket. */
static void
add_alone (const Lane *lane, guint32 span, guint first_mark, GArray *marks)
{
  CulpritTimelineMark mark = mark_span (lane, span);
  CulpritTimelineMark *before =
      marks->len > first_mark ? &g_array_index (marks, CulpritTimelineMark, marks->len - 1) : NULL;

  if (before && before->end_ns > mark.start_ns)
    before->end_ns = MAX (before->start_ns, mark.start_ns);
  g_array_append_val (marks, mark);
}

/* A span longer than a pixel is found as the dominant of a bucket, as no two such spans fit into one. */
static void
query_buckets (const Lane *lane, guint level, guint64 start_ns, guint64 end_ns, guint64 pixel_ns, GArray *marks)
{
  guint64 length_ns = lane->bucket_ns << level;
  guint64 last = lane->n_buckets >> level;
  guint first_mark = marks->len;
  guint64 drawn_ns = 0;

  for (guint64 i = start_ns > lane->origin_ns ? (start_ns - lane->origin_ns) / length_ns : 0; i < last; i++)
    {
      const Piece *bucket = &lane->buckets[level][i];
      guint64 from_ns = lane->origin_ns + i * length_ns;
      CulpritTimelineMark mark;

      if (from_ns >= end_ns)
        return;
      if (bucket->dominant == CULPRIT_TIMELINE_NONE)
        continue;
      if (bucket->length_ns >= pixel_ns || bucket->length_ns == LONG_NS)
        {
          guint64 span_end_ns = lane_end_ns (lane, bucket->dominant);

          if (span_end_ns == drawn_ns)
            continue;
          add_alone (lane, bucket->dominant, first_mark, marks);
          drawn_ns = span_end_ns;
          if (span_end_ns > from_ns + length_ns)
            i = (span_end_ns - lane->origin_ns) / length_ns - 1;
          continue;
        }
      mark = mark_piece (bucket, MAX (from_ns, drawn_ns), from_ns + length_ns);
      g_array_append_val (marks, mark);
    }
}

void
culprit_timeline_query (
    const CulpritTimeline *timeline, guint lane_index, guint64 start_ns, guint64 end_ns, guint pixels, GArray *marks)
{
  const Lane *lane = g_ptr_array_index (timeline->lanes, lane_index);
  guint64 pixel_ns = end_ns > start_ns ? MAX ((end_ns - start_ns) / MAX (pixels, 1), 1) : 1;
  guint level = 0;

  if (lane->levels == 0 || lane->bucket_ns > pixel_ns)
    {
      query_spans (lane, start_ns, end_ns, pixel_ns, marks);
      return;
    }
  while (level + 1 < lane->levels && lane->bucket_ns << (level + 1) <= pixel_ns)
    level++;
  query_buckets (lane, level, start_ns, end_ns, pixel_ns, marks);
}

CulpritTimelineSum
culprit_timeline_sum (const CulpritTimeline *timeline, guint lane_index, guint64 start_ns, guint64 end_ns)
{
  const Lane *lane = g_ptr_array_index (timeline->lanes, lane_index);
  guint32 i = lane_first_from (lane, 0, start_ns);
  guint32 end = lane_first_ending_after (lane, 0, end_ns);
  guint32 first_block = (i + BLOCK_SPANS - 1) / BLOCK_SPANS;
  guint32 end_block = end / BLOCK_SPANS; /* The last blocks of a lane may be incomplete, and do not exist then. */
  CulpritTimelineSum sum = { .what = CULPRIT_TIMELINE_NONE };

  if (first_block + 1 < end_block)
    {
      const Block *first = &lane->blocks[first_block];
      const Block *middle = &lane->blocks[end_block - 2];
      const Block *last = middle + 1; /* Its spans are added one by one. */

      for (; i < first_block * BLOCK_SPANS; i++)
        add_to_sum (lane, i, &sum);
      if (middle->same_from > first_block || (sum.spans > 0 && sum.what != middle->what))
        sum.what = CULPRIT_TIMELINE_NONE;
      else
        sum.what = middle->what;
      sum.spans += (end_block - 1 - first_block) * BLOCK_SPANS;
      sum.calls += last->calls - first->calls;
      sum.total_ns += last->total_ns - first->total_ns;
      i = (end_block - 1) * BLOCK_SPANS;
    }
  for (; i < end; i++)
    add_to_sum (lane, i, &sum);
  return sum;
}

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

const SplitRef *
lane_find_split (const Lane *lane, guint32 span)
{
  guint low = 0;
  guint high = lane->splits->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const SplitRef *ref = &g_array_index (lane->splits, SplitRef, middle);

      if (ref->span == span)
        return ref;
      if (ref->span < span)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
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

/* Copies the most used facts about the dominant span into @piece. */
static void
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
      const Piece *block = &lane->blocks[first / BLOCK_SPANS].piece;
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the pixels of a lane can show: from buckets of time if these are short enough, else from the spans. */
#include "lane-private.h"

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

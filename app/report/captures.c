/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The section on late wake-ups: a table of all, and where the time of the longest ones went. */
#include "capture/capture.h"
#include "chart/colours.h"
#include "names.h"
#include "report-private.h"
#include "tables/budget.h"
#include "units.h"

#include <math.h>
#include <string.h>

/* The budget of one capture: a bar whose parts are as wide as their time in ns, so that they add up exactly, and a
 * table with the same numbers. */

#define STRIPES 120 /* in a whole bar */

/* The name of the colour in the style sheet of the segment at @place. */
static char *
colour_of (const CulpritSegment *segment, guint place)
{
  static const char *const names[] = { [CULPRIT_SEGMENT_CULPRIT] = "part-culprit",
                                       [CULPRIT_SEGMENT_REST] = "part-other",
                                       [CULPRIT_SEGMENT_TRACING] = "part-tracing" };

  return segment->kind == CULPRIT_SEGMENT_PART ? g_strdup_printf ("part-%u", place % CHART_COLOURS)
                                               : g_strdup (names[segment->kind]);
}

/* How lines lean that hatch a segment. */
static ChartHatch
hatch_of (const CulpritSegment *segment)
{
  return segment->kind == CULPRIT_SEGMENT_TRACING ? CHART_HATCH_RIGHT
         : segment->kept                          ? chart_hatch (segment->context)
                                                  : CHART_PLAIN;
}

/* A part of a picture, in its units. */
typedef struct
{
  guint64 left;
  guint64 right;
  guint64 top;
  guint64 bottom;
} Area;

/* Hatches @area with lines @step apart. A pattern would need a reference, and the file should have none, not even to
 * itself. */
static void
add_stripes (GString *page, ChartHatch hatch, const Area *area, guint64 step)
{
  const guint64 width = step / 3;

  if (hatch == CHART_PLAIN)
    return;
  page_add (page, "<path class=\"stripes %s\" d=\"", hatch == CHART_HATCH_RIGHT ? "" : "over");
  for (guint64 at = area->left; at < area->right && area->right - at >= step + width; at += step)
    {
      guint64 head = at + (hatch == CHART_HATCH_RIGHT ? step : 0);
      guint64 foot = at + (hatch == CHART_HATCH_LEFT ? step : 0);

      page_add (page,
                "M%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "L%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                "h%" G_GUINT64_FORMAT "L%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "z",
                foot, area->bottom, head, area->top, width, foot + width, area->bottom);
    }
  page_add (page, "\"/>\n");
}

static void
add_bar (GString *page, const GArray *segments, gint64 latency_ns)
{
  page_add (page,
            "<svg class=\"bar\" viewBox=\"0 0 %" G_GINT64_FORMAT " 1\" preserveAspectRatio=\"none\" role=\"img\">\n"
            "<title>The parts of this wake-up, as in the table below</title>\n",
            latency_ns);
  for (guint i = 0; i < segments->len; i++)
    {
      const CulpritSegment *segment = &g_array_index (segments, CulpritSegment, i);
      g_autofree char *colour = colour_of (segment, i);
      g_autofree char *time = culprit_time_format (segment->part_ns);
      /* A damaged study may have parts beyond the latency. */
      const guint64 right_ns = MIN (segment->from_ns + segment->part_ns, (guint64) MAX (latency_ns, 0));

      page_add (page,
                "<rect class=\"%s\" x=\"%" G_GUINT64_FORMAT "\" y=\"0\" width=\"%" G_GINT64_FORMAT
                "\" height=\"1\"><title>%s: %s%s%s</title></rect>\n",
                colour, segment->from_ns, segment->part_ns, segment->name, time, segment->kept ? ", " : "",
                segment->kept ? segment->kept : "");
      add_stripes (page, hatch_of (segment), &(Area) { segment->from_ns, right_ns, 0, 1 },
                   MAX (latency_ns / STRIPES, 3));
    }
  page_add (page, "</svg>\n");
}

/* The budget of a capture, as a bar and a table; @one may be NULL. */
static void
report_add_budget (GString *page, const CulpritTable *budget, const CulpritCase *one, gint64 latency_ns)
{
  g_autofree CulpritColumn *columns = culprit_definition_pick (&culprit_budget, culprit_budget.report);
  g_autoptr (GArray) segments = culprit_budget_segments (budget, one);

  add_bar (page, segments, latency_ns);
  page_begin_table (page, columns);
  for (guint row = 0; row < segments->len; row++)
    {
      const CulpritSegment *segment = &g_array_index (segments, CulpritSegment, row);
      g_autofree char *colour = colour_of (segment, row);

      page_add (page, "<tr class=\"%s\"><td class=\"whole\"><span class=\"swatch %s %s\"></span> <code>%s</code>",
                segment->kind == CULPRIT_SEGMENT_CULPRIT ? "culprit" : "part", colour,
                segment->kept ? culprit_context_name (segment->context) : "", segment->name);
      if (segment->kept)
        page_add (page, "<br/><span class=\"aside\">%s</span>", segment->kept);
      page_add (page, "</td>");
      page_add_cells (page, budget, row, columns + 1);
      page_add (page, "</tr>\n");
    }
  page_end_table (page);
}

/* The call tree of a late wake-up: a row for each function below its caller, the most expensive first. */

#define MOST_ROWS 60
#define DEEPEST 24

typedef struct
{
  GString *page;
  const CulpritTree *tree;
  const CulpritColumn *columns; /* of times, followed by one without a key */
  guint64 smallest_ns;
  guint rows;
} Shown;

static void
add_node (Shown *shown, const CulpritTreeNode *node, guint level)
{
  g_autofree char *label = culprit_tree_label (node);
  g_autofree char *context = culprit_tree_context (node);

  page_add (shown->page, "<tr><td style=\"padding-left: %uem\">", level);
  if (node->parent == CULPRIT_TREE_NONE)
    page_add (shown->page, "%s", label);
  else
    page_add (shown->page, "<code>%s</code>", label);
  page_add (shown->page, "</td><td class=\"number\">");
  if (node->calls > 0)
    page_add (shown->page, "%" G_GUINT64_FORMAT, node->calls);
  page_add (shown->page, "</td>");
  for (const CulpritColumn *column = shown->columns; column->key; column++)
    {
      guint64 time_ns = culprit_tree_number (node, column);
      g_autofree char *time = time_ns > 0 ? culprit_time_format (time_ns) : g_strdup ("");

      page_add (shown->page, "<td class=\"number\">%s</td>", time);
    }
  page_add (shown->page, "<td>%s</td></tr>\n", context);
  shown->rows++;
}

/* A stretch without events, without numbers: it is part of the time of the call above. */
static void
add_silence (Shown *shown, guint64 length_ns, guint level)
{
  g_autofree char *text = culprit_silence_format (length_ns);

  page_add (shown->page,
            "<tr><td style=\"padding-left: %uem\" colspan=\"6\"><span class=\"silence\">%s</span></td></tr>\n", level,
            text);
  shown->rows++;
}

/* The siblings from @first on and all below them, but for small ones. */
static void
add_nodes (Shown *shown, guint first, guint level)
{
  g_autoptr (GArray) siblings = culprit_tree_siblings (shown->tree, first, CULPRIT_TIMES_UNTRACED);

  for (guint i = 0; i < siblings->len && shown->rows < MOST_ROWS && level < DEEPEST; i++)
    {
      const CulpritTreeNode *node = culprit_tree_node (shown->tree, g_array_index (siblings, guint, i));

      if (culprit_tree_node_time (node, CULPRIT_TIMES_UNTRACED) < shown->smallest_ns)
        continue;
      add_node (shown, node, level);
      if (node->silence_ns > 0)
        add_silence (shown, node->silence_ns, level + 1);
      add_nodes (shown, node->first_child, level + 1);
    }
}

static void
report_add_calls (GString *page, const CulpritTree *tree, gint64 latency_ns)
{
  g_autofree CulpritColumn *head = culprit_definition_pick (&culprit_calls, culprit_calls.report);
  g_autofree CulpritColumn *columns = culprit_definition_pick (&culprit_calls, culprit_calls.text);
  Shown shown = { page, tree, columns, culprit_smallest_part_ns (latency_ns), 0 };

  page_add (page, "<details>\n<summary>Call tree, without the tracer's time and without small parts</summary>\n");
  page_begin_table (page, head);
  add_nodes (&shown, tree->first_source, 0);
  page_end_table (page);
  page_add (page, "</details>\n");
}

/* A picture of the calls around a late wake-up on its CPU, in rows by depth: the longest ones with their names. */

#define WIDTH 960.0
#define HEAD 20 /* for what happened when */
#define ROW 18  /* from row to row */
#define GAP 4   /* below the row of a program */
#define TIMELINE_MOST_ROWS 24
#define MOST_BOXES 1500 /* so that a page with twenty of them stays small */
#define PIXELS 480
#define AROUND 0.15   /* of the latency, before and after it */
#define CHARACTER 6.6 /* about the width of one */
#define NAME_PAD 3
#define LEAST_CHARACTERS 5
#define LEAST_WIDTH 0.6
#define STRIPE (WIDTH / STRIPES)
#define LEAST_HATCHED (3 * STRIPE) /* beside a name */

typedef struct
{
  GString *page;
  const CulpritTimeline *timeline;
  guint64 start_ns;
  guint64 end_ns;
  guint boxes;
} TimelineShown;

static double
position (const TimelineShown *shown, guint64 at_ns)
{
  double part = ((double) at_ns - (double) shown->start_ns) / ((double) shown->end_ns - (double) shown->start_ns);

  return WIDTH * CLAMP (part, 0, 1);
}

/* A number as SVG requires it, in every locale. */
static void
add_number (const TimelineShown *shown, const char *name, double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  page_add (shown->page, " %s=\"%s\"", name, g_ascii_formatd (text, sizeof text, "%.1f", number));
}

static double
name_width (const char *name)
{
  return 2 * NAME_PAD + CHARACTER * g_utf8_strlen (name, -1);
}

/* Returns the width that @name takes, cut to @width; 0: it is left out. */
static double
add_name (const TimelineShown *shown, const char *name, double x, double y, double width)
{
  const glong length = g_utf8_strlen (name, -1);
  const glong fitting = (glong) ((width - 2 * NAME_PAD) / CHARACTER);
  g_autofree char *cut = length > fitting ? g_utf8_substring (name, 0, MAX (fitting - 1, 0)) : g_strdup (name);

  if (fitting < LEAST_CHARACTERS || length == 0)
    return 0;
  page_add (shown->page, "<text");
  add_number (shown, "x", x + NAME_PAD);
  add_number (shown, "y", y + ROW - 5);
  page_add (shown->page, ">%s%s</text>\n", cut, length > fitting ? "…" : "");
  return MIN (name_width (name), width);
}

/* Begins a box; its end tag is the caller's. */
static void
begin_box (TimelineShown *shown, CulpritContext context, double x, double y, double width)
{
  page_add (shown->page, "<rect class=\"context-%s\"", culprit_context_name (context));
  add_number (shown, "x", x);
  add_number (shown, "y", y);
  add_number (shown, "width", width);
  page_add (shown->page, " height=\"%d\"", ROW - 1);
  shown->boxes++;
}

static void
add_box (TimelineShown *shown, guint lane, const CulpritTimelineMark *mark, double y)
{
  double x = position (shown, mark->start_ns);
  double width = position (shown, mark->end_ns) - x;
  CulpritTimelineCall call;
  g_autofree char *name = NULL;
  g_autofree char *time = NULL;

  if (width < LEAST_WIDTH)
    return;
  begin_box (shown, mark->context, x, y, MAX (width - 0.5, 0.5));
  if (!mark->alone)
    {
      page_add (shown->page, "/>\n");
      return;
    }
  culprit_timeline_describe (shown->timeline, lane, mark->span, &call);
  name = call.depth < 0 ? g_strdup (call.name) : culprit_function_label (call.name, call.ordinal);
  time = culprit_time_format (call.end_ns - call.start_ns);
  page_add (shown->page, "><title>%s: %s</title></rect>\n", name, time);
  add_name (shown, name, x, y, width);
}

/* Marks of several calls that touch and are of one context become one. FALSE: nothing is there. */
static gboolean
add_lane (TimelineShown *shown, guint lane, double y)
{
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineMark));
  const double pixel_ns = (double) (shown->end_ns - shown->start_ns) / PIXELS;
  CulpritTimelineMark last = { 0 };

  culprit_timeline_query (shown->timeline, lane, shown->start_ns, shown->end_ns, PIXELS, marks);
  for (guint i = 0; i < marks->len && shown->boxes < MOST_BOXES; i++)
    {
      const CulpritTimelineMark *mark = &g_array_index (marks, CulpritTimelineMark, i);
      gboolean joined = i > 0 && !mark->alone && !last.alone && mark->context == last.context &&
                        mark->start_ns <= last.end_ns + pixel_ns;

      if (joined)
        {
          last.end_ns = mark->end_ns;
          continue;
        }
      if (i > 0)
        add_box (shown, lane, &last, y);
      last = *mark;
    }
  if (marks->len > 0)
    add_box (shown, lane, &last, y);
  return marks->len > 0;
}

/* A part of the program's row, in words where these fit; the rest of it is hatched like in the budget. */
static void
add_stay (TimelineShown *shown, const CulpritTimelineStay *stay, double x, double width)
{
  const ChartHatch hatch = chart_hatch (stay->context);
  const double room = hatch == CHART_PLAIN ? width : width - LEAST_HATCHED;
  g_autofree char *words = culprit_timeline_stay_in_words (stay);
  g_autofree char *time = culprit_time_format (stay->end_ns - stay->start_ns);
  double named;

  begin_box (shown, stay->context, x, HEAD, width);
  page_add (shown->page, "><title>%s for %s</title></rect>\n", words, time);
  named = add_name (shown, hatch == CHART_PLAIN || name_width (words) <= room ? words : stay->who, x, HEAD, room);
  add_stripes (shown->page, hatch,
               &(Area) { (guint64) lround (x + named), (guint64) lround (x + width), HEAD, HEAD + ROW - 1 }, STRIPE);
}

/* The row of a program: what its task does in the late window, and who keeps it from that; a line where it was woken.
 * FALSE: it has none. */
static gboolean
add_stays (TimelineShown *shown, const CulpritWindow *outlier)
{
  const GArray *stays = shown->timeline->stays;
  double right = 0;

  if (stays->len == 0)
    return FALSE;
  add_name (shown, shown->timeline->measured, 0, HEAD, position (shown, outlier->start_ns));
  for (guint i = 0; i < stays->len; i++)
    {
      const CulpritTimelineStay *stay = &g_array_index (stays, CulpritTimelineStay, i);
      double x = position (shown, stay->start_ns);
      double end = position (shown, stay->end_ns);

      if (end <= right)
        continue;
      right = MAX (end, x + 1);
      add_stay (shown, stay, x, right - x);
    }
  if (outlier->woken_ns > outlier->start_ns)
    page_add (shown->page, "<path class=\"woken\" d=\"M%d %dv%d\"/>\n",
              (int) lround (position (shown, outlier->woken_ns)), HEAD, ROW - 1);
  return TRUE;
}

/* When it should have woken up, and when it did. */
static void
add_moment (const TimelineShown *shown, guint64 at_ns, const char *text, double height, gboolean left)
{
  double x = position (shown, at_ns);

  page_add (shown->page, "<path class=\"moment\" d=\"M%d 0V%d\"/>\n<text class=\"moment%s\"", (int) lround (x),
            (int) height, left ? " up" : "");
  add_number (shown, "x", left ? x - 4 : x + 4);
  page_add (shown->page, " y=\"13\">%s</text>\n", text);
}

static void
add_colour (GString *page, CulpritContext context, const char *hatched, const char *words)
{
  page_add (page, "<span class=\"swatch context-%s %s\"></span>%s ", culprit_context_name (context), hatched, words);
}

/* The colours, and the row of a program in words. */
static void
add_legend (GString *page, const CulpritTimeline *timeline)
{
  g_autofree char *stays = culprit_timeline_stays_in_words (timeline);

  if (stays)
    page_add (page, "<p>%s.</p>\n", stays);
  page_add (page, "<p class=\"aside\">");
  for (CulpritContext context = CULPRIT_CONTEXT_MEASURED; context < CULPRIT_CONTEXT_BLOCKED; context++)
    add_colour (page, context, "", culprit_context_words[context].title);
  if (stays)
    {
      add_colour (page, CULPRIT_CONTEXT_TASK, "task", "preempted");
      add_colour (page, CULPRIT_CONTEXT_BLOCKED, "blocked", "blocked");
    }
  page_add (page, "</p>\n");
}

/* The calls around the late wake-up of @timeline as a picture, and below each other. */
static void
report_add_timeline (GString *page, const CulpritTimeline *timeline)
{
  const CulpritWindow *outlier = culprit_capture_outlier (timeline->capture);
  g_autoptr (GString) boxes = g_string_new (NULL);
  TimelineShown shown = { boxes, timeline, 0, 0, 0 };
  g_autofree char *late = outlier ? culprit_time_format (culprit_window_latency_ns (outlier)) : NULL;
  gboolean awake = culprit_windows_end_awake (timeline->capture->measured);
  g_autofree char *woke = g_strdup_printf (awake ? "woke %s late" : "took %s", late ? late : "");
  guint64 around_ns = outlier ? culprit_window_latency_ns (outlier) * AROUND : 0;
  guint rows = 0;
  int top;
  int height;

  if (!outlier || around_ns == 0)
    return;
  shown.start_ns = outlier->start_ns - MIN (around_ns, outlier->start_ns);
  shown.end_ns = MIN (outlier->end_ns + around_ns, MAX (timeline->last_ns, outlier->end_ns));
  top = HEAD + (add_stays (&shown, outlier) ? ROW + GAP : 0);
  for (guint i = 0; i < timeline->cpus->len; i++)
    {
      const CulpritTimelineCpu *cpu = &g_array_index (timeline->cpus, CulpritTimelineCpu, i);

      for (guint lane = 0; cpu->cpu == outlier->cpu && lane < cpu->n_lanes && rows < TIMELINE_MOST_ROWS; lane++)
        rows += add_lane (&shown, cpu->first_lane + lane, top + rows * ROW);
    }
  height = top + (int) rows * ROW;
  add_moment (&shown, outlier->start_ns, awake ? "expected" : "begins", height, FALSE);
  add_moment (&shown, outlier->end_ns, woke, height, TRUE);
  page_add (page,
            "<div class=\"wide\"><svg class=\"timeline\" viewBox=\"0 0 %d %d\" role=\"img\">\n"
            "<title>Calls on CPU %u around the late wake-up, in rows by depth</title>\n",
            (int) WIDTH, height, outlier->cpu);
  g_string_append_len (page, boxes->str, boxes->len);
  page_add (page, "</svg></div>\n");
  add_legend (page, timeline);
}

void
report_add_captures (GString *page, const ReportContent *content)
{
  const CulpritTable *outliers = content->outliers;
  g_autofree char *title = culprit_verdict_windows (content->verdict, 0);

  title[0] = g_ascii_toupper (title[0]);
  page_add (page, "<section id=\"captures\">\n<h2>%s</h2>\n", title);
  if (culprit_table_rows (outliers) == 0)
    {
      page_add (page, "<p>There are none.</p>\n</section>\n");
      return;
    }
  page_add_table (page, outliers, &culprit_outliers, G_MAXUINT);
  page_add (page, "</section>\n");
}

static int
compare_latencies (gconstpointer a, gconstpointer b, gpointer data)
{
  const CulpritTable *outliers = data;
  guint row_a = *(const guint *) a;
  guint row_b = *(const guint *) b;
  gint64 a_ns = culprit_table_integer (outliers, row_a, "latency_ns");
  gint64 b_ns = culprit_table_integer (outliers, row_b, "latency_ns");

  return a_ns != b_ns ? (a_ns < b_ns ? 1 : -1) : (row_a > row_b) - (row_a < row_b);
}

/* The rows of @outliers, longest latency first. */
static GArray *
sort_rows (CulpritTable *outliers)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint row = 0; row < culprit_table_rows (outliers); row++)
    g_array_append_val (rows, row);
  g_array_sort_with_data (rows, compare_latencies, outliers);
  return rows;
}

/* Its timeline, if the capture itself can be read, and its call tree. */
static gboolean
add_calls (GString *page, const ReportContent *content, guint row, GError **error)
{
  const CulpritTable *outliers = content->outliers;
  gint64 capture = culprit_table_integer (outliers, row, "capture");
  g_autoptr (GError) problem = NULL;
  g_autofree char *file = culprit_capture_files_find (content->files, capture, &problem);
  guint64 threshold_ns;
  g_autofree char *windows =
      file ? culprit_query_capture_definition (content->study, capture, &threshold_ns, &problem) : NULL;
  g_autoptr (CulpritTimeline) timeline =
      windows ? culprit_timeline_read (file, windows, threshold_ns, NULL, &problem) : NULL;
  g_autoptr (CulpritTree) tree = culprit_query_tree (content->study, capture, error);

  if (!tree)
    return FALSE;
  if (timeline && culprit_capture_outlier (timeline->capture))
    report_add_timeline (page, timeline);
  else
    page_add (page, "<p class=\"aside\">The capture itself could not be read, so it has no timeline: %s.</p>\n",
              problem ? problem->message : "it has no late window any more");
  report_add_calls (page, tree, culprit_table_integer (outliers, row, "latency_ns"));
  return TRUE;
}

static gboolean
add_capture (GString *page, const ReportContent *content, guint row, GError **error)
{
  const CulpritTable *outliers = content->outliers;
  gint64 capture = culprit_table_integer (outliers, row, "capture");
  gint64 latency_ns = culprit_table_integer (outliers, row, "latency_ns");
  gint64 ordinary = culprit_table_integer (outliers, row, "ordinary_windows");
  const CulpritCase *one = culprit_verdict_case (content->judged, capture);
  g_autoptr (CulpritTable) budget = culprit_query_budget (content->study, capture, CULPRIT_TIMES_UNTRACED,
                                                          culprit_smallest_part_ns (latency_ns), error);
  g_autofree char *words = one ? culprit_case_in_words (one) : g_strdup ("");
  g_autofree char *latency = culprit_time_format (latency_ns);
  g_autofree char *held = culprit_held_in_words (culprit_table_integer (outliers, row, "interrupts_off_ns"),
                                                 culprit_table_integer (outliers, row, "preemption_off_ns"));

  if (!budget)
    return FALSE;
  page_add (page,
            "<article id=\"capture-%" G_GINT64_FORMAT "\">\n<h3>Capture %" G_GINT64_FORMAT ": %s %s</h3>\n<p>%s</p>\n",
            capture, capture, latency, culprit_late_or_long (culprit_table_text (outliers, row, "window_kind")), words);
  culprit_budget_mark_stall (budget, one);
  report_add_budget (page, budget, one, latency_ns);
  if (!add_calls (page, content, row, error))
    return FALSE;
  page_add (page,
            "<p class=\"aside\">%s (pid %" G_GINT64_FORMAT ") on CPU %" G_GINT64_FORMAT ", beside %" G_GINT64_FORMAT
            " ordinary one%s; %s%s%s</p>\n</article>\n",
            culprit_table_text (outliers, row, "comm"), culprit_table_integer (outliers, row, "pid"),
            culprit_table_integer (outliers, row, "cpu"), ordinary, culprit_plural (ordinary),
            culprit_table_text (outliers, row, "file"), held ? "; " : "", held ? held : "");
  return TRUE;
}

gboolean
report_add_budgets (GString *page, const ReportContent *content, GError **error)
{
  g_autoptr (GArray) rows = sort_rows (content->outliers);
  g_autofree char *windows = culprit_verdict_windows (content->verdict, rows->len);

  if (rows->len == 0)
    return TRUE;
  page_add (page, "<section id=\"budgets\">\n<h2>Where the time went</h2>\n");
  if (rows->len > REPORT_MOST_BUDGETS)
    page_add (page, "<p>The %u longest of %u %s.</p>\n", REPORT_MOST_BUDGETS, rows->len, windows);
  for (guint i = 0; i < rows->len && i < REPORT_MOST_BUDGETS; i++)
    if (!add_capture (page, content, g_array_index (rows, guint, i), error))
      return FALSE;
  page_add (page, "</section>\n");
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture of the calls around a late wake-up on its CPU, in rows by depth: the longest ones with their names. */
#include "names.h"
#include "report-private.h"
#include "units.h"

#include <math.h>
#include <string.h>

#define WIDTH 960.0
#define HEAD 20 /* for what happened when */
#define ROW 18  /* from row to row */
#define MOST_ROWS 24
#define MOST_BOXES 1500 /* so that a page with twenty of them stays small */
#define PIXELS 480
#define AROUND 0.15   /* of the latency, before and after it */
#define CHARACTER 6.6 /* about the width of one */
#define LEAST_CHARACTERS 5
#define LEAST_WIDTH 0.6

typedef struct
{
  GString *page;
  const CulpritTimeline *timeline;
  guint64 start_ns;
  guint64 end_ns;
  guint boxes;
} Shown;

static double
position (const Shown *shown, guint64 at_ns)
{
  double part = ((double) at_ns - (double) shown->start_ns) / ((double) shown->end_ns - (double) shown->start_ns);

  return WIDTH * CLAMP (part, 0, 1);
}

/* A number as SVG requires it, in every locale. */
static void
add_number (const Shown *shown, const char *name, double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  page_add (shown->page, " %s=\"%s\"", name, g_ascii_formatd (text, sizeof text, "%.1f", number));
}

static void
add_name (const Shown *shown, const char *name, double x, double y, double width)
{
  gssize fitting = (gssize) (width / CHARACTER);
  g_autofree char *cut =
      g_utf8_strlen (name, -1) > fitting ? g_utf8_substring (name, 0, MAX (fitting - 1, 0)) : g_strdup (name);

  if (fitting < LEAST_CHARACTERS)
    return;
  page_add (shown->page, "<text");
  add_number (shown, "x", x + 3);
  add_number (shown, "y", y + ROW - 5);
  page_add (shown->page, ">%s%s</text>\n", cut, strlen (cut) < strlen (name) ? "…" : "");
}

static void
add_box (Shown *shown, guint lane, const CulpritTimelineMark *mark, double y)
{
  double x = position (shown, mark->start_ns);
  double width = position (shown, mark->end_ns) - x;
  CulpritTimelineCall call;
  g_autofree char *name = NULL;
  g_autofree char *time = NULL;

  if (width < LEAST_WIDTH)
    return;
  page_add (shown->page, "<rect class=\"context-%s\"", culprit_context_name (mark->context));
  add_number (shown, "x", x);
  add_number (shown, "y", y);
  add_number (shown, "width", MAX (width - 0.5, 0.5));
  page_add (shown->page, " height=\"%d\"", ROW - 1);
  shown->boxes++;
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
add_lane (Shown *shown, guint lane, double y)
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

/* When it should have woken up, and when it did. */
static void
add_moment (const Shown *shown, guint64 at_ns, const char *text, double height, gboolean left)
{
  double x = position (shown, at_ns);

  page_add (shown->page, "<path class=\"moment\" d=\"M%d 0V%d\"/>\n<text class=\"moment%s\"", (int) lround (x),
            (int) height, left ? " up" : "");
  add_number (shown, "x", left ? x - 4 : x + 4);
  page_add (shown->page, " y=\"13\">%s</text>\n", text);
}

/* The colours. */
static void
add_legend (GString *page)
{
  page_add (page, "<p class=\"aside\">");
  for (CulpritContext context = CULPRIT_CONTEXT_MEASURED; context <= CULPRIT_CONTEXT_NMI; context++)
    page_add (page, "<span class=\"swatch context-%s\"></span>%s ", culprit_context_name (context),
              culprit_context_name (context));
  page_add (page, "</p>\n");
}

void
report_add_timeline (GString *page, const CulpritTimeline *timeline)
{
  const CulpritWindow *outlier = culprit_capture_outlier (timeline->capture);
  g_autoptr (GString) boxes = g_string_new (NULL);
  Shown shown = { boxes, timeline, 0, 0, 0 };
  g_autofree char *late = outlier ? culprit_time_format (culprit_window_latency_ns (outlier)) : NULL;
  g_autofree char *woke = g_strdup_printf ("woke %s late", late ? late : "");
  guint64 around_ns = outlier ? culprit_window_latency_ns (outlier) * AROUND : 0;
  guint rows = 0;

  if (!outlier || around_ns == 0)
    return;
  shown.start_ns = outlier->start_ns - MIN (around_ns, outlier->start_ns);
  shown.end_ns = MIN (outlier->end_ns + around_ns, MAX (timeline->last_ns, outlier->end_ns));
  for (guint i = 0; i < timeline->cpus->len; i++)
    {
      const CulpritTimelineCpu *cpu = &g_array_index (timeline->cpus, CulpritTimelineCpu, i);

      for (guint lane = 0; cpu->cpu == outlier->cpu && lane < cpu->n_lanes && rows < MOST_ROWS; lane++)
        rows += add_lane (&shown, cpu->first_lane + lane, HEAD + rows * ROW);
    }
  add_moment (&shown, outlier->start_ns, "expected", HEAD + rows * ROW, FALSE);
  add_moment (&shown, outlier->end_ns, woke, HEAD + rows * ROW, TRUE);
  page_add (page,
            "<div class=\"wide\"><svg class=\"timeline\" viewBox=\"0 0 %d %u\" role=\"img\">\n"
            "<title>Calls on CPU %u around the late wake-up, in rows by depth</title>\n",
            (int) WIDTH, HEAD + rows * ROW, outlier->cpu);
  g_string_append_len (page, boxes->str, boxes->len);
  page_add (page, "</svg></div>\n");
  add_legend (page);
}

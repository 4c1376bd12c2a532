/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Late wake-ups merged by call path, as a picture: a box for each path, as wide as its time, in the colour of its
 * difference. It is complete without the script that lets it be zoomed and searched. */
#include "flame/flame.h"
#include "chart/colours.h"
#include "clean.h"
#include "report-private.h"
#include "report-resources.h"

#include <math.h>

#define WIDTH 1000.0 /* in which boxes narrower than one are left out, and labels narrower than LABEL are not shown */
#define LABEL 40
#define ROW 21
#define MOST_BOXES 1500 /* so that the page stays small */
#define LONGEST 400     /* characters of a text */
#define SHADES 10       /* of less, and of more */

char *
report_flame_css (ChartPalette palette)
{
  GString *css = g_string_new (NULL);

  for (int shade = -SHADES; shade <= SHADES; shade++)
    {
      ChartColour colour = chart_difference_colour (palette, (double) shade / SHADES);
      ChartColour text = chart_text_on (&colour);

      g_string_append_printf (css, "--shade%d: #%02x%02x%02x; --on-shade%d: %s; ", shade + SHADES,
                              (guint) lround (colour.red * 255), (guint) lround (colour.green * 255),
                              (guint) lround (colour.blue * 255), shade + SHADES, text.red > 0.5 ? "#fff" : "#000");
    }
  return g_string_free (css, FALSE);
}

static int
shade_of (const CulpritFlame *flame, guint node)
{
  double part = flame->most_ns > 0 ? culprit_flame_difference_ns (flame, node) / flame->most_ns : 0;

  return SHADES + (int) lround (part * SHADES);
}

/* A number as SVG requires it, in every locale. */
static void
add_percent (GString *page, const char *name, double part)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  page_add (page, " %s=\"%s%%\"", name, g_ascii_formatd (text, sizeof text, "%.3f", part * 100));
}

/* @from_ns: where it begins among the nanoseconds of all. @parent: the number of the box above it; -1: none. */
static void
add_box (GString *page, const CulpritFlame *flame, const CulpritFlameBox *box, guint64 from_ns, int parent)
{
  const CulpritFlameNode *node = culprit_flame_node (flame, box->node);
  g_autofree char *title = culprit_flame_title (flame, box->node);
  g_autofree char *name = culprit_clean_start (title, LONGEST, ' ');
  g_autofree char *description = culprit_flame_describe (flame, box->node);
  g_autofree char *tooltip = culprit_clean_start (description, LONGEST, ' ');
  g_autofree char *cause = node->cause > 0 ? g_strdup_printf ("Cause %u: ", node->cause) : g_strdup ("");
  int shade = shade_of (flame, box->node);

  page_add (page, "<svg class=\"call%s%s\"", node->cause > 0 ? " cause" : "", box->width < LABEL ? " narrow" : "");
  add_percent (page, "x", box->x / WIDTH);
  add_percent (page, "width", box->width / WIDTH);
  page_add (page,
            " y=\"%u\" height=\"%d\" data-name=\"%s\" data-from=\"%" G_GUINT64_FORMAT "\" data-ns=\"%" G_GUINT64_FORMAT
            "\" data-depth=\"%u\" data-parent=\"%d\">",
            node->depth * ROW, ROW - 1, name, from_ns, node->total_ns, node->depth, parent);
  page_add (page,
            "<title>%s</title><rect width=\"100%%\" height=\"100%%\" style=\"fill: var(--shade%d)\"/>"
            "<text x=\"4\" y=\"14\" style=\"fill: var(--on-shade%d)\">%s%s</text></svg>\n",
            tooltip, shade, shade, cause, name);
}

static void
add_picture (GString *page, const CulpritFlame *flame)
{
  g_autoptr (GArray) boxes = culprit_flame_layout (flame, 0, WIDTH, 1);
  guint64 from_ns[CULPRIT_NODES_DEEPEST + 3] = { 0 }; /* where the next box of each row begins */
  int last[CULPRIT_NODES_DEEPEST + 3] = { 0 };        /* the last box of each row */
  g_autofree char *words = culprit_flame_in_words (flame);
  guint rows = 0;
  guint n = MIN (boxes->len, MOST_BOXES);

  for (guint i = 0; i < n; i++)
    rows = MAX (rows, culprit_flame_node (flame, g_array_index (boxes, CulpritFlameBox, i).node)->depth + 1);
  page_add (page,
            "<div class=\"wide\"><svg class=\"flame\" width=\"100%%\" height=\"%u\" role=\"img\">\n<title>%s</title>\n",
            rows * ROW, words);
  for (guint i = 0; i < n; i++)
    {
      const CulpritFlameBox *box = &g_array_index (boxes, CulpritFlameBox, i);
      const CulpritFlameNode *node = culprit_flame_node (flame, box->node);

      add_box (page, flame, box, from_ns[node->depth], node->depth > 0 ? last[node->depth - 1] : -1);
      from_ns[node->depth + 1] = from_ns[node->depth];
      from_ns[node->depth] += node->total_ns;
      last[node->depth] = i;
    }
  page_add (page, "</svg></div>\n");
}

static void
add_legend (GString *page, const CulpritFlame *flame)
{
  g_autofree char *less = culprit_flame_legend (flame, FALSE);
  g_autofree char *more = culprit_flame_legend (flame, TRUE);

  if (flame->base_wake_ups == 0)
    return;
  page_add (page, "<p class=\"aside\">%s ", less);
  for (int shade = 0; shade <= 2 * SHADES; shade += SHADES / 2)
    page_add (page, "<span class=\"swatch\" style=\"background: var(--shade%d)\"></span>", shade);
  page_add (page, "%s</p>\n", more);
}

gboolean
report_add_flame (GString *page, const ReportContent *content, GError **error)
{
  g_autoptr (CulpritFlame) flame = culprit_flame_read (content->study, &content->filter, NULL, error);
  g_autoptr (GBytes) script = g_resource_lookup_data (culprit_report_get_resource (), "/culprit/report/flame.js",
                                                      G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autofree char *words = NULL;
  gsize length;
  const char *text = g_bytes_get_data (script, &length);

  if (!flame)
    return FALSE;
  if (flame->captures->len == 0)
    return TRUE;
  culprit_flame_mark (flame, content->verdict);
  words = culprit_flame_in_words (flame);
  page_add (
      page,
      "<section id=\"flame\">\n<h2>Call paths</h2>\n<p>%s. A box is a call path, below its caller; its width is its "
      "time in the late wake-ups, its colour how much more or less that is. Causes are outlined.</p>\n",
      words);
  add_legend (page, flame);
  page_add (page, "<p class=\"tools\" hidden=\"hidden\"><input type=\"search\" placeholder=\"Function\" "
                  "aria-label=\"Search for functions\"/> <button type=\"button\">All</button> <output></output></p>\n");
  add_picture (page, flame);
  page_add (page, "<script>\n");
  g_string_append_len (page, text, length);
  page_add (page, "</script>\n</section>\n");
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The budget of one capture: a bar whose parts are as wide as their time in ns, so that they add up exactly, and a
 * table with the same numbers. */
#include "report-private.h"

#include "tables/budget.h"
#include "units.h"

#define COLOURS 7
#define CULPRIT_COLOUR "part-culprit"
#define OTHER_COLOUR "part-other"
#define TRACING_COLOUR "part-tracing"
#define STRIPES 120 /* in a whole bar */

static gboolean
is_kind (const CulpritTable *budget, guint row, const char *kind)
{
  return g_str_equal (culprit_table_text (budget, row, "kind"), kind);
}

/* Whether a part is the culprit, or where a blind stall struck. */
static gboolean
is_culprit (const CulpritTable *budget, guint row, const CulpritCase *one)
{
  g_autofree char *label = culprit_part_label (budget, row);

  return culprit_budget_is_stall (budget, row) ||
         (one && g_strcmp0 (label, one->culprit) == 0 &&
          g_str_equal (culprit_table_text (budget, row, "context"), culprit_context_name (one->context)));
}

/* The name of a part's colour in the style sheet. */
static char *
colour_of (const CulpritTable *budget, guint row, const CulpritCase *one)
{
  if (is_kind (budget, row, "rest"))
    return g_strdup (OTHER_COLOUR);
  if (is_kind (budget, row, "tracing"))
    return g_strdup (TRACING_COLOUR);
  if (is_culprit (budget, row, one))
    return g_strdup (CULPRIT_COLOUR);
  return g_strdup_printf ("part-%u", row % COLOURS);
}

/* "other (110 smaller parts)" or the function's name. */
static char *
name_of (const CulpritTable *budget, guint row)
{
  g_autofree char *label = culprit_part_label (budget, row);

  return is_kind (budget, row, "rest") ? g_strdup_printf ("other %s", label) : g_steal_pointer (&label);
}

/* Hatches the part of a bar from @from_ns to @end_ns. A pattern would need a reference, and the file should have none,
 * not even to itself. */
static void
add_stripes (GString *page, guint64 from_ns, guint64 end_ns, gint64 latency_ns)
{
  guint64 step_ns = MAX (latency_ns / STRIPES, 3);
  guint64 width_ns = step_ns / 3;
  guint64 last_ns =
      MIN (end_ns, (guint64) MAX (latency_ns, 0)); /* A damaged study may have parts beyond the latency. */

  page_add (page, "<path class=\"stripes\" d=\"");
  for (guint64 at_ns = from_ns; at_ns < last_ns && last_ns - at_ns >= step_ns + width_ns; at_ns += step_ns)
    page_add (page, "M%" G_GUINT64_FORMAT " 1L%" G_GUINT64_FORMAT " 0h%" G_GUINT64_FORMAT "L%" G_GUINT64_FORMAT " 1z",
              at_ns, at_ns + step_ns, width_ns, at_ns + width_ns);
  page_add (page, "\"/>\n");
}

static void
add_bar (GString *page, const CulpritTable *budget, const CulpritCase *one, gint64 latency_ns)
{
  guint64 from_ns = 0;

  page_add (page,
            "<svg class=\"bar\" viewBox=\"0 0 %" G_GINT64_FORMAT " 1\" preserveAspectRatio=\"none\" role=\"img\">\n"
            "<title>The parts of this wake-up, as in the table below</title>\n",
            latency_ns);
  for (guint row = 0; row < culprit_table_rows (budget); row++)
    {
      gint64 part_ns = culprit_table_integer (budget, row, "part_ns");
      g_autofree char *colour = colour_of (budget, row, one);
      g_autofree char *name = name_of (budget, row);
      g_autofree char *time = culprit_time_format (part_ns);

      page_add (page,
                "<rect class=\"%s\" x=\"%" G_GUINT64_FORMAT "\" y=\"0\" width=\"%" G_GINT64_FORMAT
                "\" height=\"1\"><title>%s: %s</title></rect>\n",
                colour, from_ns, part_ns, name, time);
      if (is_kind (budget, row, "tracing"))
        add_stripes (page, from_ns, from_ns + part_ns, latency_ns);
      from_ns += part_ns;
    }
  page_add (page, "</svg>\n");
}

void
report_add_budget (GString *page, const CulpritTable *budget, const CulpritCase *one, gint64 latency_ns)
{
  g_autofree CulpritColumn *columns = culprit_definition_pick (&culprit_budget, culprit_budget.report);

  add_bar (page, budget, one, latency_ns);
  page_begin_table (page, columns);
  for (guint row = 0; row < culprit_table_rows (budget); row++)
    {
      g_autofree char *colour = colour_of (budget, row, one);
      g_autofree char *name = name_of (budget, row);

      page_add (page, "<tr class=\"%s\"><td class=\"whole\"><span class=\"swatch %s\"></span> <code>%s</code></td>",
                is_culprit (budget, row, one) ? "culprit" : "part", colour, name);
      page_add_cells (page, budget, row, columns + 1);
      page_add (page, "</tr>\n");
    }
  page_end_table (page);
}

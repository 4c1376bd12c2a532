/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explains every number of the report: the columns of its tables, and the terms used. */
#include "report-private.h"

static const struct
{
  const char *name;
  const CulpritDefinition *table;
} tables[] = {
  { "What was recorded", &culprit_runs }, { "How runs compare", &culprit_comparisons },
  { "Late wake-ups", &culprit_outliers }, { "Where the time went", &culprit_budget },
  { "Call tree", &culprit_calls },        { "Functions whose cost varies", &culprit_functions },
  { "Stalls", &culprit_places },
};

static const struct
{
  const char *name;
  const char *meaning;
} words[] = {
  { "ordinary", "A wake-up of the same capture that did not trigger it." },
  { "stands out", "The latency is above that of 95 % of the ordinary wake-ups, above their mean by half of it, and "
                  "above their median by "
                  "at least 5 x 1.4826 x their median absolute deviation." },
  { "called too often",
    "At least 70 % of the culprit's excess comes from more calls than when it ordinarily runs; a single "
    "call is never too often." },
  { "took too long", "At most 30 % of it does; in between, it is mixed." },
  { "interference", "Another task or interrupt has half of the excess, and no function in it has half of that." },
  { "late timer", "Only the idle task ran: the event that should have woken it came late." },
  { "blind stall",
    "A stretch in which nothing was traced, at places that differ: firmware or a hypervisor held the CPU." },
  { "unexplained",
    "The wake-up does not stand out, or nothing in it exceeds what the worst of as many ordinary ones shows." },
  { "confidence",
    "How certain it is that this is a cause, whatever other causes there are: from how far it exceeds the worst "
    "of as many ordinary wake-ups, and how many captures agree." },
  { "weight", "The cause's share of the excess of all captures, with its 95 % interval." },
  { "peak", "A latency significantly more frequent than those around it." },
  { "stretch",
    "The time between two events of a CPU; it is abnormal if it is far longer than ordinary ones at its place." },
};

static void
add_meaning (GString *page, const char *name, const char *meaning)
{
  page_add (page, "<div><dt>%s</dt><dd>%s</dd></div>\n", name, meaning);
}

static void
add_columns (GString *page, const CulpritDefinition *table)
{
  g_autofree CulpritColumn *columns = culprit_definition_pick (table, table->report);

  for (const CulpritColumn *column = columns; column->key; column++)
    {
      g_autofree char *title = culprit_column_heading (column);

      add_meaning (page, title, column->explain);
    }
}

void
report_add_meaning (GString *page)
{
  page_add (page, "<section id=\"meaning\">\n<h2>What the numbers mean</h2>\n<dl>\n");
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    add_meaning (page, words[i].name, words[i].meaning);
  page_add (page, "</dl>\n");
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      page_add (page, "<h3>%s</h3>\n<dl>\n", tables[i].name);
      add_columns (page, tables[i].table);
      page_add (page, "</dl>\n");
    }
  page_add (page, "</section>\n");
}

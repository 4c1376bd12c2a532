/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call tree of a late wake-up: a row for each function below its caller, the most expensive first. */
#include "report-private.h"
#include "tables/tree.h"
#include "units.h"

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
      add_nodes (shown, node->first_child, level + 1);
    }
}

void
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

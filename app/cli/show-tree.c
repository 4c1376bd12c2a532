/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the call tree: one line per function below its caller, most expensive first. */
#include "show-tree.h"

#include "print.h"
#include "tables/tree.h"

#include <string.h>

#define NAME_WIDTH 48
#define LEAST_WIDTH 10 /* of a time column */

/* Where and what to print. */
typedef struct
{
  const CulpritTree *tree;
  const CulpritColumn *columns; /* the time columns, followed by one without a key */
  CulpritTimes times;
  guint64 smallest_ns;
} Shown;

static int
width_of (const CulpritColumn *column)
{
  return MAX (LEAST_WIDTH, (int) strlen (column->title) + 2);
}

/* @name with its indentation, padded to its column, and the times of @node. */
static void
print_cells (const Shown *shown, const char *name, guint level, const CulpritTreeNode *node)
{
  guint indent = MIN (level * 2, NAME_WIDTH / 2);
  g_autofree char *cut = print_shorten (name, NAME_WIDTH - indent);
  g_autofree char *space = g_strnfill (NAME_WIDTH - indent - g_utf8_strlen (cut, -1), ' ');

  g_print ("%*s%s%s", (int) indent, "", cut, space);
  for (const CulpritColumn *column = shown->columns; column->key; column++)
    {
      guint64 time_ns = culprit_tree_number (node, column);
      g_autofree char *text = time_ns > 0 ? g_strdup_printf ("%.1f", time_ns / 1e3) : g_strdup ("-");

      g_print ("%*s", width_of (column), text);
    }
}

static void
print_node (const Shown *shown, const CulpritTreeNode *node, guint level)
{
  g_autofree char *label = culprit_tree_label (node);
  g_autofree char *context = culprit_tree_context (node);
  g_autofree char *name =
      node->calls > 1 ? g_strdup_printf ("%s x %" G_GUINT64_FORMAT, label, node->calls) : g_steal_pointer (&label);

  print_cells (shown, name, level, node);
  g_print ("  %s\n", context);
}

/* The siblings from @first on and all below them; small ones are combined. */
static void
print_nodes (const Shown *shown, guint first, guint level)
{
  g_autoptr (GArray) siblings = culprit_tree_siblings (shown->tree, first, shown->times);
  CulpritTreeNode rest = { 0 };
  guint small = 0;

  for (guint i = 0; i < siblings->len; i++)
    {
      const CulpritTreeNode *node = culprit_tree_node (shown->tree, g_array_index (siblings, guint, i));

      if (culprit_tree_node_time (node, shown->times) < shown->smallest_ns)
        {
          small++;
          rest.total_ns += node->on_cpu_ns;
          rest.untraced_ns += node->untraced_ns;
          continue;
        }
      print_node (shown, node, level);
      print_nodes (shown, node->first_child, level + 1);
    }
  if (small > 0)
    {
      g_autofree char *name = g_strdup_printf ("(%u smaller)", small);

      print_cells (shown, name, level, &rest);
      g_print ("\n");
    }
}

static void
print_heading (const Shown *shown)
{
  if (shown->times == CULPRIT_TIMES_TRACED)
    g_print ("\nCall tree of the window, times in us, including the tracer's. Total is from entry to exit;\n");
  else
    g_print ("\nCall tree of the window, times in us, excluding the tracer's, which is the last row;\n");
  g_print ("~ marks calls whose entry or exit was not captured.\n\n%-*s", NAME_WIDTH, "task or interrupt, function");
  for (const CulpritColumn *column = shown->columns; column->key; column++)
    {
      g_autofree char *title = culprit_column_heading (column);

      g_print ("%*s", width_of (column), title);
    }
  g_print ("  context\n");
}

void
show_tree (CulpritStudy *study, const CulpritTable *outlier, CulpritTimes times, gint64 smallest_ns)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CulpritTree) tree = culprit_query_tree (study, culprit_table_integer (outlier, 0, "capture"), &error);
  const CulpritDefinition *calls = times == CULPRIT_TIMES_TRACED ? &culprit_calls_traced : &culprit_calls;
  g_autofree CulpritColumn *columns = culprit_definition_pick (calls, calls->text);
  Shown shown = { .columns = columns, .times = times, .smallest_ns = smallest_ns };

  if (!tree)
    {
      g_print ("\nNo call tree: %s\n", error->message);
      return;
    }
  shown.tree = tree;
  print_heading (&shown);
  print_nodes (&shown, tree->first_source, 0);
  if (times == CULPRIT_TIMES_UNTRACED)
    {
      print_cells (&shown, "[tracing]", 0, &(CulpritTreeNode) { .untraced_ns = culprit_tree_tracing (tree) });
      g_print ("\n");
    }
}

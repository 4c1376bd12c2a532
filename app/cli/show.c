/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit show */
#include "capture/capture.h"
#include "clean.h"
#include "outliers.h"
#include "print.h"
#include "study/query.h"
#include "tables/budget.h"
#include "units.h"

#include <string.h>

/* Prints the call tree: one line per function below its caller, most expensive first. */

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
  glong length = indent + g_utf8_strlen (cut, -1);
  g_autofree char *space = g_strnfill (MAX (NAME_WIDTH - length, 0), ' ');

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

/* Writes the tree of @outlier, a row of culprit_query_outliers(), or why there is none. Nodes that held the CPU for
 * less than @smallest_ns are combined. */
static void
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

static gboolean
is_known (const CulpritTable *table, const char *column)
{
  return culprit_table_value (table, 0, column).type != CULPRIT_VALUE_NULL;
}

/* What was not traced; NULL: nothing is known to be missing. The caller owns it. */
static char *
missing_in_words (const CulpritTable *capture)
{
  gboolean interrupts_missing =
      is_known (capture, "interrupts_traced") && culprit_table_integer (capture, 0, "interrupts_traced") == 0;
  const char *functions = culprit_table_text (capture, 0, "graph_functions");

  return culprit_coverage_in_words (culprit_table_integer (capture, 0, "graph_depth"), *functions ? functions : NULL,
                                    interrupts_missing);
}

static void
print_capture (const CulpritTable *capture, const CulpritTable *outlier)
{
  g_autofree char *latency = culprit_time_format (culprit_table_integer (outlier, 0, "latency_ns"));
  g_autofree char *untraced = culprit_time_format (culprit_table_integer (outlier, 0, "untraced_ns"));
  g_autofree char *length = culprit_time_format (culprit_table_integer (capture, 0, "length_ns"));
  g_autofree char *period = culprit_time_format (culprit_table_integer (capture, 0, "period_ns"));
  g_autofree char *error = culprit_time_format (culprit_table_integer (capture, 0, "period_error_ns"));
  g_autofree char *uncertain = culprit_time_format (culprit_table_integer (outlier, 0, "uncertain_ns"));
  g_autofree char *missing = missing_in_words (capture);
  g_autofree char *cycles = culprit_window_kind_in_words (CULPRIT_WINDOWS_OF_CYCLES);
  gboolean cyclic = g_str_equal (culprit_table_text (capture, 0, "windows"), cycles);
  g_autofree char *file = culprit_clean_line (culprit_table_text (capture, 0, "file"));
  g_autofree char *held = NULL;
  const char *no_windows = culprit_table_text (capture, 0, "no_windows");
  gint64 lost = culprit_table_integer (capture, 0, "lost_events");
  gint64 truncated = culprit_table_integer (capture, 0, "truncated_calls");
  gint64 ordinary = culprit_table_integer (capture, 0, "ordinary_windows");

  g_print ("Capture %" G_GINT64_FORMAT ": %s (run %s)\n", culprit_table_integer (capture, 0, "capture"), file,
           culprit_table_text (capture, 0, "run"));
  g_print ("  on %s, kernel %s, clock %s: %" G_GINT64_FORMAT " events in %s, CPUs: %" G_GINT64_FORMAT "\n",
           culprit_table_text (capture, 0, "host"), culprit_table_text (capture, 0, "kernel"),
           culprit_table_text (capture, 0, "clock"), culprit_table_integer (capture, 0, "events"), length,
           culprit_table_integer (capture, 0, "cpus"));
  g_print ("  missing: %" G_GINT64_FORMAT " event%s lost, %" G_GINT64_FORMAT
           " overwritten before the first, %" G_GINT64_FORMAT " call%s truncated\n",
           lost, culprit_plural (lost), culprit_table_integer (capture, 0, "overwritten_events"), truncated,
           culprit_plural (truncated));
  if (missing)
    g_print ("  not traced: %s; their time counts for their caller or what they interrupted\n", missing);
  if (*no_windows)
    {
      g_print ("  no windows: %s\n", no_windows);
      g_print ("  its functions: culprit functions --capture %" G_GINT64_FORMAT "\n",
               culprit_table_integer (capture, 0, "capture"));
      return;
    }
  g_print ("  %s (pid %" G_GINT64_FORMAT ") %s %s%s on CPU %" G_GINT64_FORMAT "; without tracing about %s\n",
           culprit_table_text (outlier, 0, "comm"), culprit_table_integer (outlier, 0, "pid"),
           cyclic ? "woke up" : "took", latency, cyclic ? " late" : "", culprit_table_integer (outlier, 0, "cpu"),
           untraced);
  g_print ("  window: %s\n", culprit_table_text (capture, 0, "windows"));
  held = culprit_held_in_words (culprit_table_integer (outlier, 0, "interrupts_off_ns"),
                                culprit_table_integer (outlier, 0, "preemption_off_ns"));
  if (held)
    g_print ("  %s\n", held);
  if (culprit_table_integer (outlier, 0, "uncertain_ns") > 0)
    g_print ("  the window is uncertain by %s\n", uncertain);
  if (!cyclic)
    g_print ("  beside %" G_GINT64_FORMAT " ordinary one%s of the same capture\n", ordinary, culprit_plural (ordinary));
  else if (culprit_table_integer (capture, 0, "period_ns") == 0)
    g_print ("  no ordinary wake-ups to compare with: the period is not known; import with --period\n");
  else
    g_print ("  beside %" G_GINT64_FORMAT " ordinary wake-up%s of the same capture, period %s%s%s (%s)\n", ordinary,
             culprit_plural (ordinary), period, is_known (capture, "period_error_ns") ? " +/- " : "",
             is_known (capture, "period_error_ns") ? error : "", culprit_table_text (capture, 0, "period_source"));
}

/* The cause of the late wake-up. */
static void
print_case (const CulpritCase *one)
{
  g_autofree char *words = one ? culprit_case_in_words (one) : NULL;

  if (!words)
    return;
  g_print ("  ");
  print_wrapped (words, 2);
}

/* Only the budget, all of it, for programs. */
static int
print_parts (CulpritStudy *study, gint64 capture)
{
  GError *error = NULL;
  g_autoptr (CulpritTable) parts = culprit_query_parts (study, capture, &error);

  if (!parts)
    return command_fail (error);
  print_table (parts, FORMAT_CSV, &culprit_parts, NULL);
  return EXIT_DONE;
}

/* An outlier in detail: where its time went, and its call tree. */
static int
print_outlier (
    CulpritStudy *study, const CulpritTable *outlier, const CulpritCase *one, CulpritTimes times, gint64 smallest_ns)
{
  g_autoptr (CulpritTable) budget = NULL;
  GError *error = NULL;

  budget = culprit_query_budget (study, culprit_table_integer (outlier, 0, "capture"), times, smallest_ns, &error);
  if (!budget)
    return command_fail (error);
  culprit_budget_mark_stall (budget, one);
  print_case (one);
  if (times == CULPRIT_TIMES_TRACED)
    g_print ("\nWhere the time went, including the tracer's own time; the column own adds up to the latency.\n");
  else
    g_print ("\nWhere the time went; untraced times and tracing add up to the latency.\n");
  g_print ("Usual is the mean of the ordinary ones; longest is a time without an event, tracing included.\n\n");
  print_table (budget, FORMAT_TEXT, times == CULPRIT_TIMES_TRACED ? &culprit_budget_traced : &culprit_budget, NULL);
  show_tree (study, outlier, times, smallest_ns);
  return EXIT_DONE;
}

int
command_show (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  gboolean all = FALSE;
  gboolean traced = FALSE;
  const GOptionEntry own[] = {
    { "all", 0, 0, G_OPTION_ARG_NONE, &all, "Show small parts too", NULL },
    { "traced", 0, 0, G_OPTION_ARG_NONE, &traced, "Include the tracer's own time", NULL },
    { NULL },
  };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (CulpritTable) capture = NULL;
  g_autoptr (CulpritVerdict) verdict = NULL;
  g_autoptr (CulpritTable) outlier = NULL;
  CulpritFilter filter = { 0 };
  GError *error = NULL;
  gint64 smallest_ns = 0;
  int status;

  if (!command_parse (command, argc, argv, own, &options, &status))
    return status;
  if (options.rest[1])
    return command_complain ("specify one capture only; see culprit help show");
  study = command_open (&options);
  if (!study)
    return EXIT_BAD;
  filter.capture = culprit_query_capture_id (study, options.rest[0], &error);
  if (filter.capture && options.format == FORMAT_CSV)
    return print_parts (study, filter.capture);
  if (filter.capture)
    capture = culprit_query_captures (study, &filter, &error);
  if (capture)
    verdict = outliers_judge (study, &error);
  if (verdict)
    outlier = culprit_verdict_outliers (study, &filter, verdict, NULL, &error);
  if (!outlier)
    return command_fail (error);
  if (options.format == FORMAT_JSON)
    return print_json (outlier, outliers_add_budget, study, &error) ? EXIT_DONE : command_fail (error);
  print_capture (capture, outlier);
  if (culprit_table_rows (outlier) == 0)
    return EXIT_DONE;
  if (!all)
    smallest_ns = culprit_smallest_part_ns (culprit_table_integer (outlier, 0, "latency_ns"));
  return print_outlier (study, outlier, culprit_verdict_case (verdict, filter.capture),
                        traced ? CULPRIT_TIMES_TRACED : CULPRIT_TIMES_UNTRACED, smallest_ns);
}

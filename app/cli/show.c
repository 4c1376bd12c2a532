/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit show */
#include "capture/capture.h"
#include "capture/tree.h"

#include "outliers.h"
#include "print.h"
#include "units.h"

#define SMALL_PERCENT 1 /* Parts below this share of the latency are taken together. */
#define NAME_WIDTH 48
#define WIDTH 100

static const Column budget_columns[] = {
  { "context", "context", COLUMN_TEXT },
  { "function", "function", COLUMN_TEXT },
  { "calls", "calls", COLUMN_COUNT },
  { "ordinary.calls_mean", "usual", COLUMN_MEAN },
  { "self_ns", "self", COLUMN_TIME },
  { "ordinary.self_mean_ns", "usual", COLUMN_TIME },
  { "tracing_ns", "tracing", COLUMN_TIME },
  { "ordinary.tracing_mean_ns", "usual", COLUMN_TIME },
  { "longest_stretch_ns", "longest", COLUMN_TIME },
  { NULL },
};

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
print_heading (const CulpritTable *capture, const CulpritTable *outlier)
{
  g_autofree char *latency = culprit_time_format (culprit_table_integer (outlier, 0, "latency_ns"));
  g_autofree char *untraced = culprit_time_format (culprit_table_integer (outlier, 0, "untraced_ns"));
  g_autofree char *length = culprit_time_format (culprit_table_integer (capture, 0, "length_ns"));
  g_autofree char *period = culprit_time_format (culprit_table_integer (capture, 0, "period_ns"));
  g_autofree char *error = culprit_time_format (culprit_table_integer (capture, 0, "period_error_ns"));
  g_autofree char *uncertain = culprit_time_format (culprit_table_integer (outlier, 0, "uncertain_ns"));
  g_autofree char *missing = missing_in_words (capture);
  const char *no_windows = culprit_table_text (capture, 0, "no_windows");

  g_print ("Capture %" G_GINT64_FORMAT ": %s (run %s)\n", culprit_table_integer (capture, 0, "capture"),
           culprit_table_text (capture, 0, "file"), culprit_table_text (capture, 0, "run"));
  g_print ("  on %s, kernel %s, clock %s: %" G_GINT64_FORMAT " events in %s, CPUs: %" G_GINT64_FORMAT "\n",
           culprit_table_text (capture, 0, "host"), culprit_table_text (capture, 0, "kernel"),
           culprit_table_text (capture, 0, "clock"), culprit_table_integer (capture, 0, "events"), length,
           culprit_table_integer (capture, 0, "cpus"));
  g_print ("  missing: %" G_GINT64_FORMAT " events lost, %" G_GINT64_FORMAT
           " overwritten before the first, %" G_GINT64_FORMAT " calls truncated\n",
           culprit_table_integer (capture, 0, "lost_events"), culprit_table_integer (capture, 0, "overwritten_events"),
           culprit_table_integer (capture, 0, "truncated_calls"));
  if (missing)
    g_print ("  not traced: %s; their time counts for what they interrupted or were called by\n", missing);
  if (*no_windows)
    {
      g_print ("  no windows: %s\n", no_windows);
      g_print ("  its functions: culprit functions --capture %" G_GINT64_FORMAT "\n",
               culprit_table_integer (capture, 0, "capture"));
      return;
    }
  g_print ("  %s (pid %" G_GINT64_FORMAT ") woke up %s late on CPU %" G_GINT64_FORMAT "; without tracing about %s\n",
           culprit_table_text (outlier, 0, "comm"), culprit_table_integer (outlier, 0, "pid"), latency,
           culprit_table_integer (outlier, 0, "cpu"), untraced);
  if (culprit_table_integer (outlier, 0, "uncertain_ns") > 0)
    g_print ("  the window is uncertain by %s\n", uncertain);
  if (culprit_table_integer (capture, 0, "period_ns") == 0)
    g_print ("  beside no ordinary wake-ups: the period is not known; import with --period\n");
  else
    g_print ("  beside %" G_GINT64_FORMAT " ordinary wake-ups of the same capture, period %s%s%s (%s)\n",
             culprit_table_integer (capture, 0, "ordinary_windows"), period,
             is_known (capture, "period_error_ns") ? ", give or take " : "",
             is_known (capture, "period_error_ns") ? error : "", culprit_table_text (capture, 0, "period_source"));
}

/* What it is due to. */
static void
print_case (const CulpritCase *one)
{
  g_autofree char *words = one ? culprit_case_in_words (one) : NULL;

  if (!words)
    return;
  g_print ("  ");
  print_wrapped (words, 2, WIDTH);
}

/* The name of a node as shown, indented, with how often it was called. */
static char *
node_label (const CulpritTreeNode *node, guint level)
{
  guint indent = MIN (level * 2, NAME_WIDTH / 2);
  g_autofree char *space = g_strnfill (indent, ' ');
  g_autofree char *name = NULL;
  g_autofree char *shown = NULL;

  if (node->parent == CULPRIT_TREE_NONE)
    name = g_strdup_printf ("%s (%d)", *node->name ? node->name : "task", node->pid);
  else if (node->calls > 1)
    name = g_strdup_printf ("%s x %" G_GUINT64_FORMAT, node->name, node->calls);
  else
    name = g_strdup (node->name);
  shown = print_shorten (name, NAME_WIDTH - indent);
  return g_strconcat (space, shown, NULL);
}

static void
print_time (guint64 time_ns)
{
  g_autofree char *text = time_ns > 0 ? g_strdup_printf ("%.1f", time_ns / 1e3) : g_strdup ("-");

  g_print ("%10s", text);
}

static void
print_node (const CulpritTreeNode *node, guint level)
{
  g_autofree char *label = node_label (node, level);
  glong width = g_utf8_strlen (label, -1);
  g_autofree char *space = g_strnfill (NAME_WIDTH - MIN (width, NAME_WIDTH), ' ');

  g_print ("%s%s", label, space);
  print_time (node->total_ns);
  print_time (node->self_ns);
  print_time (node->untraced_ns);
  print_time (node->off_cpu_ns);
  g_print ("  %s%s\n", culprit_context_name (node->context), node->truncated > 0 ? " ~" : "");
}

static void
print_small (guint count, guint64 on_cpu_ns, guint64 untraced_ns, guint level)
{
  g_autofree char *indent = g_strnfill (MIN (level * 2, NAME_WIDTH / 2), ' ');
  g_autofree char *label = g_strdup_printf ("%s(%u smaller)", indent, count);

  g_print ("%-*s", NAME_WIDTH, label);
  print_time (on_cpu_ns);
  print_time (0);
  print_time (untraced_ns);
  g_print ("\n");
}

/* The siblings from @first on and all below them. */
static void
print_nodes (const CulpritTree *tree, guint first, guint level, guint64 smallest_ns)
{
  guint small = 0;
  guint64 small_ns = 0;
  guint64 small_untraced_ns = 0;

  for (guint i = first; i != CULPRIT_TREE_NONE; i = g_array_index (tree->nodes, CulpritTreeNode, i).next_sibling)
    {
      const CulpritTreeNode *node = &g_array_index (tree->nodes, CulpritTreeNode, i);

      if (node->on_cpu_ns < smallest_ns)
        {
          small++;
          small_ns += node->on_cpu_ns;
          small_untraced_ns += node->untraced_ns;
          continue;
        }
      print_node (node, level);
      print_nodes (tree, node->first_child, level + 1, smallest_ns);
    }
  if (small > 0)
    print_small (small, small_ns, small_untraced_ns, level);
}

static int
print_tree (CulpritStudy *study, const CulpritTable *outlier, gint64 smallest_ns)
{
  GError *error = NULL;
  g_autofree char *file = culprit_query_capture_file (study, culprit_table_integer (outlier, 0, "capture"), &error);
  g_autoptr (CulpritTree) tree = NULL;

  if (file)
    tree = culprit_tree_read (
        file, culprit_table_integer (outlier, 0, "cpu"), culprit_table_integer (outlier, 0, "window.start_ns"),
        culprit_table_integer (outlier, 0, "window.end_ns"), culprit_table_integer (outlier, 0, "pid"), &error);
  if (!tree)
    {
      g_print ("\nNo call tree: %s\n", error->message);
      g_error_free (error);
      return EXIT_DONE;
    }
  g_print ("\nCall tree of the window, times in us. Untraced is with all below it, the tracer taken out;\n"
           "~ marks calls whose entry or exit was not seen.\n\n");
  g_print ("%-*s%10s%10s%10s%10s  context\n", NAME_WIDTH, "task, function", "total", "self", "untraced", "off cpu");
  print_nodes (tree, tree->first_task, 0, smallest_ns);
  return EXIT_DONE;
}

int
command_show (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  gboolean all = FALSE;
  const GOptionEntry own[] = {
    { "all", 0, 0, G_OPTION_ARG_NONE, &all, "Small parts too", NULL },
    { NULL },
  };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (CulpritTable) capture = NULL;
  g_autoptr (CulpritVerdict) verdict = NULL;
  g_autoptr (CulpritTable) outlier = NULL;
  g_autoptr (CulpritTable) budget = NULL;
  CulpritFilter filter = { 0 };
  GError *error = NULL;
  gint64 smallest_ns = 0;
  int status;

  if (!command_parse ("show", argc, argv, own, &options, &status))
    return status;
  if (options.rest[1])
    return command_complain ("culprit show: one capture at a time");
  study = command_open (&options);
  if (!study)
    return EXIT_BAD;
  filter.capture = culprit_query_capture_id (study, options.rest[0], &error);
  if (filter.capture)
    capture = culprit_query_captures (study, &filter, &error);
  if (capture)
    verdict = outliers_judge (study, &(CulpritFilter) { 0 }, &error);
  if (verdict)
    outlier = culprit_verdict_outliers (study, &filter, verdict, NULL, &error);
  if (outlier && options.format == FORMAT_JSON)
    return print_json (outlier, outliers_add_budget, study, &error) ? EXIT_DONE : command_fail (error);
  if (outlier && options.format == FORMAT_TEXT && !all)
    smallest_ns = culprit_table_integer (outlier, 0, "latency_ns") * SMALL_PERCENT / 100;
  if (outlier)
    budget = culprit_query_budget (study, filter.capture, smallest_ns, &error);
  if (!budget)
    return command_fail (error);
  if (options.format == FORMAT_CSV)
    {
      print_table (budget, FORMAT_CSV, NULL, NULL);
      return EXIT_DONE;
    }
  print_heading (capture, outlier);
  if (culprit_table_rows (outlier) == 0)
    return EXIT_DONE;
  print_case (culprit_verdict_case (verdict, filter.capture));
  g_print ("\nWhere the time went; usual is the mean of ordinary wake-ups:\n\n");
  print_table (budget, FORMAT_TEXT, budget_columns, NULL);
  return print_tree (study, outlier, smallest_ns);
}

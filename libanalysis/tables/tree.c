/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of the call tree of a late wake-up. */
#include "tables/tree.h"

#include "names.h"
#include "tables/words-private.h"

static const CulpritColumn columns[] = {
  { "function", "Function", CULPRIT_KIND_FUNCTION,
    "What had the CPU, a task or an interrupt, and below it the functions that it called, once per caller, most "
    "expensive "
    "first.",
    17, TRUE },
  { "calls", "Calls", CULPRIT_KIND_COUNT, "How often it was called from there.", 5 },
  { "with_callees_ns", "With Callees", CULPRIT_KIND_TIME,
    "Its untraced time including its callees: rows are sorted by this.", 11 },
  { "untraced_ns", "Untraced", CULPRIT_KIND_TIME, WORDS_UNTRACED, 9 },
  { "total_ns", "Total", CULPRIT_KIND_TIME,
    "From entry to exit, within the late wake-up; for a task, the time it held the CPU.", 9 },
  { "self_ns", "Own", CULPRIT_KIND_TIME, "Its own time, excluding its callees, including the tracer's.", 9 },
  { "tracing_ns", "Tracing", CULPRIT_KIND_TIME, WORDS_TRACING, 9 },
  { "off_cpu_ns", "Off CPU", CULPRIT_KIND_TIME, WORDS_OFF_CPU, 9 },
  { "context", "Context", CULPRIT_KIND_TEXT,
    WORDS_CONTEXT " ~ marks calls whose entry or exit was not captured: their times are lower limits.", 9 },
  { NULL },
};

const CulpritDefinition culprit_calls = {
  .row = "call",
  .columns = columns,
  .text = "with_callees_ns untraced_ns off_cpu_ns",
  .report = "function calls with_callees_ns untraced_ns off_cpu_ns context",
  .window = "function calls with_callees_ns untraced_ns off_cpu_ns context",
};

const CulpritDefinition culprit_calls_traced = {
  .row = "call",
  .columns = columns,
  .text = "total_ns self_ns tracing_ns off_cpu_ns",
  .window = "function calls total_ns self_ns tracing_ns off_cpu_ns context",
};

guint64
culprit_tree_number (const CulpritTreeNode *node, const CulpritColumn *column)
{
  const struct
  {
    const char *key;
    guint64 number;
  } known[] = {
    { "calls", node->calls },
    { "with_callees_ns", node->untraced_ns },
    { "untraced_ns", node->self_ns - node->tracing_ns },
    { "total_ns", node->total_ns },
    { "self_ns", node->self_ns },
    { "tracing_ns", node->tracing_ns },
    { "off_cpu_ns", node->off_cpu_ns },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_equal (known[i].key, column->key))
      return known[i].number;
  return 0;
}

char *
culprit_tree_context (const CulpritTreeNode *node)
{
  return g_strconcat (node->context < CULPRIT_CONTEXTS ? culprit_context_name (node->context) : "",
                      node->truncated > 0 ? " ~" : "", NULL);
}

char *
culprit_tree_label (const CulpritTreeNode *node)
{
  static const char *const interrupts[CULPRIT_CONTEXTS] = {
    [CULPRIT_CONTEXT_HARDIRQ] = "interrupt", [CULPRIT_CONTEXT_SOFTIRQ] = "soft interrupt", [CULPRIT_CONTEXT_NMI] = "NMI"
  };

  if (node->parent == CULPRIT_TREE_NONE && interrupts[node->context])
    return g_strdup (interrupts[node->context]);
  return culprit_function_label (*node->name ? node->name : "task", node->ordinal);
}

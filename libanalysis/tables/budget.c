/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of where the time of one late wake-up went: complete for programs, shortened for people. */
#include "tables/budget.h"

#include "capture/capture.h"
#include "names.h"
#include "tables/words-private.h"

#define STALL "stall" /* a kind of part, besides those of the query */
#define SHOWN 6       /* columns that only culprit_query_budget() has; they come first */

static const CulpritColumn columns[] = {
  { "kind", "Kind", CULPRIT_KIND_WORD,
    "A part, the part that a blind stall struck, all small parts together, or tracing." },
  { "part_ns", "Untraced", CULPRIT_KIND_EXACT,
    WORDS_UNTRACED " All rows, with the tracer's share in the last, add up to the latency.", 8 },
  { "share", "Share", CULPRIT_KIND_SHARE, "Its share of the latency.", 7 },
  { "who", "Who", CULPRIT_KIND_TEXT,
    "The other task that had the CPU, or who ended a blocked time; of several, the one with most of it.", 8 },
  { "path", "Path", CULPRIT_KIND_TEXT, "The calls in which the task was blocked.", 12, TRUE },
  { "ordinary.part_mean_ns", "Usual", CULPRIT_KIND_TIME, WORDS_USUAL_TIME, 8 },
  { "context", "Context", CULPRIT_KIND_TEXT, WORDS_CONTEXT, 7 },
  { "function", "Function", CULPRIT_KIND_FUNCTION, "The function; names in brackets are time in which no function ran.",
    14, TRUE },
  { "module", "Module", CULPRIT_KIND_TEXT, WORDS_MODULE },
  { "ordinal", "Ordinal", CULPRIT_KIND_IDENTIFIER, WORDS_ORDINAL },
  { "calls", "Calls", CULPRIT_KIND_COUNT,
    "How often it was called in this late wake-up. A call that began earlier counts with its part inside.", 5 },
  { "self_ns", "Own", CULPRIT_KIND_EXACT,
    "Its time in this wake-up, excluding its callees, including the tracer's time. All rows add up to the latency.",
    8 },
  { "tracing_ns", "Tracing", CULPRIT_KIND_TIME, WORDS_TRACING, 8 },
  { "untraced_ns", "Untraced", CULPRIT_KIND_EXACT, "Its own time, excluding the tracer's." },
  { "total_ns", "Total", CULPRIT_KIND_TIME, "From entry to exit, including its callees." },
  { "longest_stretch_ns", "Longest", CULPRIT_KIND_TIME,
    "Its longest stretch without any event, including the tracer's time.", 7 },
  { "truncated", "Truncated", CULPRIT_KIND_COUNT, WORDS_TRUNCATED },
  { "ordinary.calls_mean", "Usual n", CULPRIT_KIND_MEAN, WORDS_USUAL_CALLS, 5 },
  { "ordinary.self_mean_ns", "Usual", CULPRIT_KIND_TIME, "The mean of its own time in ordinary wake-ups." },
  { "ordinary.tracing_mean_ns", "Usual", CULPRIT_KIND_TIME, "The mean of the tracer's share of that." },
  { "ordinary.untraced_mean_ns", "Usual", CULPRIT_KIND_TIME, "The mean of its untraced time in ordinary wake-ups." },
  { NULL },
};

const CulpritDefinition culprit_parts = { .row = "part", .columns = columns + SHOWN };

const CulpritDefinition culprit_budget = {
  .row = "part",
  .columns = columns,
  .text = "context function calls ordinary.calls_mean part_ns ordinary.part_mean_ns longest_stretch_ns",
  .window =
      "function context calls ordinary.calls_mean part_ns self_ns ordinary.part_mean_ns tracing_ns longest_stretch_ns",
  .more = "who path",
  .report = "function context part_ns share ordinary.part_mean_ns calls ordinary.calls_mean",
};

const CulpritDefinition culprit_budget_traced = {
  .row = "part",
  .columns = columns,
  .text = "context function calls ordinary.calls_mean self_ns ordinary.part_mean_ns tracing_ns "
          "ordinary.tracing_mean_ns longest_stretch_ns",
};

static char *
label_of (const CulpritTable *table, guint row)
{
  guint ordinal = culprit_table_has (table, "ordinal") ? culprit_table_integer (table, row, "ordinal") : 0;

  return culprit_function_label (culprit_table_text (table, row, "function"), ordinal);
}

void
culprit_budget_mark_stall (CulpritTable *budget, const CulpritCase *one)
{
  if (!one || one->class != CULPRIT_CLASS_BLIND_STALL)
    return;
  for (guint row = 0; row < culprit_table_rows (budget); row++)
    {
      g_autofree char *label = label_of (budget, row);

      if (g_strcmp0 (label, one->stretch.name) == 0 &&
          g_str_equal (culprit_table_text (budget, row, "context"), culprit_context_name (one->stretch.context)))
        culprit_table_set_text (budget, row, "kind", STALL);
    }
}

static gboolean
is_kind (const CulpritTable *budget, guint row, const char *kind)
{
  return g_str_equal (culprit_table_text (budget, row, "kind"), kind);
}

char *
culprit_part_label (const CulpritTable *table, guint row)
{
  g_autofree char *label = label_of (table, row);

  return culprit_table_has (table, "kind") && is_kind (table, row, STALL) ? g_strdup_printf ("stall (in %s)", label)
                                                                          : g_steal_pointer (&label);
}

static const char *
text_of (const CulpritTable *budget, guint row, const char *key)
{
  return culprit_table_has (budget, key) ? culprit_table_text (budget, row, key) : "";
}

static CulpritContext
context_of (const CulpritTable *budget, guint row)
{
  return culprit_context_named (text_of (budget, row, "context"));
}

/* Who kept the measured task from running, and where it waited; NULL: nobody. */
static char *
tell_keeper (const CulpritTable *budget, guint row)
{
  g_auto (GStrv) path = g_strsplit (text_of (budget, row, "path"), " > ", -1);

  return culprit_kept_in_words (context_of (budget, row), text_of (budget, row, "who"),
                                culprit_name_of_wait (path, g_strv_length (path)));
}

static gboolean
is_culprit (const CulpritTable *budget, guint row, const CulpritCase *one)
{
  g_autofree char *label = label_of (budget, row);

  return is_kind (budget, row, STALL) ||
         (one &&
          g_strcmp0 (one->context == CULPRIT_CONTEXT_BLOCKED ? text_of (budget, row, "who") : label, one->culprit) ==
              0 &&
          g_str_equal (culprit_table_text (budget, row, "context"), culprit_context_name (one->context)));
}

static void
clear_segment (gpointer data)
{
  CulpritSegment *segment = data;

  g_free (segment->name);
  g_free (segment->kept);
  g_free (segment->key);
}

GArray *
culprit_budget_segments (const CulpritTable *budget, const CulpritCase *one)
{
  GArray *segments = g_array_new (FALSE, FALSE, sizeof (CulpritSegment));
  guint64 sum_ns = 0;

  g_array_set_clear_func (segments, clear_segment);
  for (guint row = 0; row < culprit_table_rows (budget); row++)
    {
      gboolean rest = is_kind (budget, row, "rest");
      gboolean is_part = *text_of (budget, row, "context") != '\0';
      g_autofree char *label = culprit_part_label (budget, row);
      const CulpritSegment segment = {
        .kind = rest                               ? CULPRIT_SEGMENT_REST
                : is_kind (budget, row, "tracing") ? CULPRIT_SEGMENT_TRACING
                : is_culprit (budget, row, one)    ? CULPRIT_SEGMENT_CULPRIT
                                                   : CULPRIT_SEGMENT_PART,
        .context = is_part ? context_of (budget, row) : CULPRIT_CONTEXT_MEASURED,
        .name = g_strconcat (rest ? "other " : "", label, NULL),
        .kept = is_part ? tell_keeper (budget, row) : NULL,
        .key = culprit_function_key (culprit_table_text (budget, row, "function"),
                                     culprit_table_text (budget, row, "module"),
                                     culprit_table_integer (budget, row, "ordinal")),
        .from_ns = sum_ns,
        .part_ns = culprit_table_integer (budget, row, "part_ns"),
      };

      sum_ns += segment.part_ns;
      g_array_append_val (segments, segment);
    }
  return segments;
}

/* The table of the call tree of a late wake-up. */

static const CulpritColumn tree_columns[] = {
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
  .columns = tree_columns,
  .text = "with_callees_ns untraced_ns off_cpu_ns",
  .report = "function calls with_callees_ns untraced_ns off_cpu_ns context",
  .window = "function calls with_callees_ns untraced_ns off_cpu_ns context",
};

const CulpritDefinition culprit_calls_traced = {
  .row = "call",
  .columns = tree_columns,
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
  gboolean task = node->context <= CULPRIT_CONTEXT_IDLE;

  if (node->parent == CULPRIT_TREE_NONE && node->context == CULPRIT_CONTEXT_BLOCKED)
    return culprit_kept_in_words (node->context, node->name, "");
  if (node->parent == CULPRIT_TREE_NONE && !task)
    return g_strdup (culprit_context_words[node->context].kind);
  return culprit_function_label (*node->name ? node->name : "task", node->ordinal);
}

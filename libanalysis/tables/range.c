/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of the totals of a range, and their values. */
#include "tables/range.h"

#include "tables/words-private.h"

static const CulpritColumn columns[] = {
  { "function", "Function", CULPRIT_KIND_FUNCTION, "The function; names in brackets are time in which no function ran.",
    14, TRUE },
  { "module", "Module", CULPRIT_KIND_TEXT, WORDS_MODULE },
  { "ordinal", "Ordinal", CULPRIT_KIND_IDENTIFIER, WORDS_ORDINAL },
  { "calls", "Calls", CULPRIT_KIND_COUNT, "Its calls that were on a CPU in the range, if only in part.", 5 },
  { "untraced_ns", "Untraced", CULPRIT_KIND_TIME,
    "Its own time in the range, excluding its callees and the tracer's time.", 8 },
  { "self_ns", "Own", CULPRIT_KIND_TIME,
    "Its own time in the range, including the tracer's. All rows add up to the range on every CPU, less what was not "
    "captured.",
    8 },
  { "tracing_ns", "Tracing", CULPRIT_KIND_TIME, WORDS_TRACING, 8 },
  { "total_ns", "Total", CULPRIT_KIND_TIME,
    "From entry to exit, while on a CPU in the range; of recursive calls only the outermost counts.", 8 },
  { NULL },
};

const CulpritDefinition culprit_range = {
  .row = "function",
  .columns = columns,
  .window = "function calls untraced_ns total_ns",
  .more = "self_ns tracing_ns module",
};

CulpritTable *
culprit_range_table (const CulpritTimeline *timeline, guint64 start_ns, guint64 end_ns, GCancellable *cancellable)
{
  g_autoptr (GArray) totals = culprit_timeline_totals (timeline, start_ns, end_ns, cancellable);
  CulpritTable *table = totals ? culprit_definition_begin (&culprit_range) : NULL;

  for (guint i = 0; table && i < totals->len; i++)
    {
      const CulpritTimelineTotal *total = &g_array_index (totals, CulpritTimelineTotal, i);
      const CulpritFunction *function = &g_array_index (timeline->capture->functions, CulpritFunction, total->function);

      culprit_table_add_text (table, function->name);
      culprit_table_add_text (table, function->module);
      culprit_table_add_integer (table, function->ordinal);
      culprit_table_add_integer (table, (gint64) total->calls);
      culprit_table_add_integer (table, (gint64) (total->self_ns - total->tracing_ns));
      culprit_table_add_integer (table, (gint64) total->self_ns);
      culprit_table_add_integer (table, (gint64) total->tracing_ns);
      culprit_table_add_integer (table, (gint64) total->total_ns);
    }
  return table;
}

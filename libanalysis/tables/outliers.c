/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of late wake-ups: the study's rows next to the verdict's. */
#include "tables/outliers.h"

#include "tables/tables.h"
#include "tables/words-private.h"

#include <math.h>
#include <string.h>

static const CulpritColumn columns[] = {
  { "capture", "#", CULPRIT_KIND_IDENTIFIER, WORDS_CAPTURE, 3 },
  { "file", "File", CULPRIT_KIND_FILE, WORDS_FILE, 12 },
  { "run", "Run", CULPRIT_KIND_TEXT, "The run it belongs to.", 8 },
  { "latency_ns", "Latency", CULPRIT_KIND_TIME,
    "How late the task was: from the expected wake-up to when it ran, including the tracer's own time.", 8 },
  { "untraced_ns", "Untraced", CULPRIT_KIND_TIME,
    "Approximately the latency without tracing: the minimum cost of each event is subtracted.", 8 },
  { "tracing_ns", "Tracing", CULPRIT_KIND_TIME, "What was subtracted: the latency minus the untraced latency." },
  { "cpu", "CPU", CULPRIT_KIND_IDENTIFIER, "The CPU on which the task should have run." },
  { "pid", "PID", CULPRIT_KIND_IDENTIFIER, "The task's process ID." },
  { "comm", "Task", CULPRIT_KIND_TEXT, "The task's name." },
  { "kernel", "Kernel", CULPRIT_KIND_TEXT, WORDS_KERNEL },
  { "window.start_ns", "From", CULPRIT_KIND_TIME, "When the task should have run, on the capture's clock." },
  { "window.end_ns", "To", CULPRIT_KIND_TIME, "When it did." },
  { "ordinary_windows", "Ordinary", CULPRIT_KIND_COUNT, "Ordinary wake-ups in the same capture." },
  { "lost_events", "Lost", CULPRIT_KIND_COUNT,
    "Events lost within the capture, because the ring buffer was not read in time." },
  { "not_captured_ns", "Not Captured", CULPRIT_KIND_TIME, "The part of the latency for which nothing was recorded." },
  { "uncertain_ns", "Uncertain", CULPRIT_KIND_TIME, "The window may be earlier or later by this much." },
  { "interrupts_off_ns", "Interrupts Off", CULPRIT_KIND_TIME,
    "The untraced part of the latency in which its CPU had interrupts disabled for 20 us or more." },
  { "preemption_off_ns", "Preemption Off", CULPRIT_KIND_TIME, "The same for preemption." },
  { "window_kind", "Measured", CULPRIT_KIND_TEXT,
    "What was measured: cyclic wake-ups, or those of any task, responses and what is between events, as culprit record "
    "and import define them." },
  { "triage", "State", CULPRIT_KIND_WORD,
    "Triage state: new, seen, explained or ignored. Ignored ones are excluded from functions, verdict, stalls and "
    "report." },
  { "note", "Note", CULPRIT_KIND_TEXT, "Your note.", 6, TRUE },
  { "class", "Class", CULPRIT_KIND_CLASS,
    "The kind of cause: a function that was called too often or took too long, another task or interrupt that held the "
    "CPU, a task that blocked it, a blind stall, a late timer; spread if nothing carries it, "
    "tracing if it is late only because of that." },
  { "culprit", "Culprit", CULPRIT_KIND_WORD, "The function, task or interrupt that accounts for most of the excess.",
    14, TRUE },
  { "path", "Path", CULPRIT_KIND_TEXT, "The calls to what carries it, below the task or interrupt that had the CPU.",
    12, TRUE },
  { "excess_ns", "Excess", CULPRIT_KIND_TIME,
    "The untraced latency minus the mean of ordinary wake-ups: the time to explain. The excesses of the parts add up "
    "to it.",
    8 },
  { "share", "Share", CULPRIT_KIND_SHARE,
    "The share of the excess that the culprit accounts for; \"all\" means more than 100 %, as others were faster.", 7 },
  { "confidence", "Confidence", CULPRIT_KIND_RATIO,
    "How certain it is, from 0 to 1, that the culprit is a cause at all, based on all captures of the population." },
  { NULL },
};

const CulpritDefinition culprit_outliers = {
  .row = "late wake-up",
  .columns = columns,
  .text = "capture file latency_ns untraced_ns excess_ns class culprit share",
  .window = "capture latency_ns excess_ns class culprit share triage",
  .more = "untraced_ns path note run file cpu comm kernel ordinary_windows lost_events not_captured_ns uncertain_ns "
          "interrupts_off_ns preemption_off_ns window_kind confidence",
  .report = "capture run latency_ns untraced_ns excess_ns class culprit share triage note",
};

char *
culprit_held_in_words (gint64 interrupts_ns, gint64 preemption_ns)
{
  g_autofree char *interrupts = culprit_time_format (interrupts_ns);
  g_autofree char *preemption = culprit_time_format (preemption_ns);

  if (interrupts_ns > 0 && preemption_ns > 0)
    return g_strdup_printf ("its CPU had interrupts disabled for %s of the latency, preemption for %s", interrupts,
                            preemption);
  if (interrupts_ns > 0 || preemption_ns > 0)
    return g_strdup_printf ("its CPU had %s disabled for %s of the latency",
                            interrupts_ns > 0 ? "interrupts" : "preemption",
                            interrupts_ns > 0 ? interrupts : preemption);
  return NULL;
}

gboolean
culprit_class_check (const char *name, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint class = 0; class < CULPRIT_CLASSES; class ++)
    {
      if (g_str_equal (name, culprit_class_name (class)))
        return TRUE;
      g_string_append_printf (names, "%s%s",
                              class == 0                    ? ""
                              : class < CULPRIT_CLASSES - 1 ? ", "
                                                            : " or ",
                              culprit_class_name (class));
    }
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "must be %s", names->str);
  return FALSE;
}

static void
add_value (CulpritTable *table, CulpritValue value)
{
  if (value.type == CULPRIT_VALUE_TEXT)
    culprit_table_add_text (table, value.text);
  else
    g_array_append_val (table->values, value);
}

CulpritTable *
culprit_outliers_unjudged (CulpritStudy *study, const CulpritFilter *filter, GError **error)
{
  static const char *const added[] = { "class", "culprit", "path", "excess_ns", "share", "confidence" };
  g_autoptr (CulpritTable) rows = culprit_query_outliers (study, filter, error);
  CulpritTable *table;

  if (!rows)
    return NULL;
  table = culprit_table_new ();
  table->grouped = rows->grouped;
  for (guint i = 0; i < rows->columns->len; i++)
    culprit_table_add_column (table, g_ptr_array_index (rows->columns, i));
  for (guint i = 0; i < G_N_ELEMENTS (added); i++)
    culprit_table_add_column (table, added[i]);
  for (guint row = 0; row < culprit_table_rows (rows); row++)
    {
      for (guint i = 0; i < rows->columns->len; i++)
        add_value (table, culprit_table_at (rows, row, i));
      for (guint i = 0; i < G_N_ELEMENTS (added); i++)
        culprit_table_add_real (table, NAN);
    }
  return table;
}

static void
judge_row (CulpritTable *outliers, guint row, const CulpritCase *one)
{
  culprit_table_set_text (outliers, row, "class", culprit_class_name (one->class));
  if (one->culprit)
    culprit_table_set_text (outliers, row, "culprit", one->culprit);
  else
    culprit_table_set_real (outliers, row, "culprit", NAN);
  if (one->path)
    culprit_table_set_text (outliers, row, "path", one->path);
  else
    culprit_table_set_real (outliers, row, "path", NAN);
  culprit_table_set_real (outliers, row, "excess_ns", one->ordinary > 0 ? one->excess_ns : NAN);
  culprit_table_set_real (outliers, row, "share", one->culprit ? one->share : NAN);
  culprit_table_set_real (outliers, row, "confidence", one->culprit ? one->confidence : NAN);
}

void
culprit_outliers_judge (CulpritTable *outliers, const CulpritVerdict *verdict, const char *others)
{
  for (guint row = 0; row < culprit_table_rows (outliers); row++)
    {
      const CulpritCase *one = culprit_verdict_case (verdict, culprit_table_integer (outliers, row, "capture"));

      if (one)
        judge_row (outliers, row, one);
      else if (others)
        culprit_table_set_text (outliers, row, "class", others);
    }
}

static void
keep_class (CulpritTable *table, const char *class)
{
  guint width = table->columns->len;
  CulpritValue *values = (CulpritValue *) (gpointer) table->values->data;
  guint kept = 0;

  for (guint row = 0; row < culprit_table_rows (table); row++)
    if (g_str_equal (culprit_table_text (table, row, "class"), class))
      memmove (values + width * kept++, values + width * row, width * sizeof (CulpritValue));
  g_array_set_size (table->values, width * kept);
}

CulpritTable *
culprit_verdict_outliers (
    CulpritStudy *study, const CulpritFilter *filter, const CulpritVerdict *verdict, const char *class, GError **error)
{
  CulpritTable *table = culprit_outliers_unjudged (study, filter, error);

  if (!table)
    return NULL;
  culprit_outliers_judge (table, verdict, culprit_class_name (CULPRIT_CLASS_UNEXPLAINED));
  if (class)
    keep_class (table, class);
  return table;
}

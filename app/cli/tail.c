/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit tail */
#include "plot-options.h"
#include "print.h"
#include "study/profiles.h"
#include "units.h"

#include <math.h>
#include <string.h>

/* A run with its tail. */
typedef struct
{
  char *name;
  guint number;
  CulpritRunTail *read;
} Loaded;

static void
loaded_clear (gpointer data)
{
  Loaded *loaded = data;

  g_free (loaded->name);
  culprit_run_tail_free (loaded->read);
}

/* The tail of a run, and what is said about it. */
typedef struct
{
  const char *run;
  CulpritTail tail;
  gint64 period_ns;
  char *in_words;
  char *deadline_in_words;
} Shown;

static const Member estimate_members[] = {
  MEMBER (CulpritEstimate, "value", value, REAL),
  MEMBER (CulpritEstimate, "low", low, REAL),
  MEMBER (CulpritEstimate, "high", high, REAL),
  { 0 },
};

static void
add_time (JsonBuilder *builder, gconstpointer once_in, gconstpointer context)
{
  const Shown *shown = context;

  members_add_real (builder, shown->period_ns > 0 ? *(const double *) once_in * shown->period_ns : NAN);
}

static const Member level_members[] = {
  MEMBER (CulpritTailLevel, "once_in", once_in, REAL),
  MEMBER (CulpritTailLevel, "time_ns", once_in, OWN, .add = add_time),
  MEMBER (CulpritTailLevel, "ns", ns.value, REAL),
  MEMBER (CulpritTailLevel, "low_ns", ns.low, REAL),
  MEMBER (CulpritTailLevel, "high_ns", ns.high, REAL),
  MEMBER (CulpritTailLevel, "worst_low_ns", worst_low_ns, REAL),
  MEMBER (CulpritTailLevel, "worst_high_ns", worst_high_ns, REAL),
  { 0 },
};

static const Member tail_members[] = {
  MEMBER (Shown, "run", run, TEXT),
  MEMBER (Shown, "n", tail.n, NUMBER),
  MEMBER (Shown, "max_ns", tail.max_ns, REAL),
  MEMBER (Shown, "outcome", tail.outcome, NAME, .name_of = culprit_tail_outcome_name),
  MEMBER (Shown, "in_words", in_words, TEXT),
  MEMBER (Shown, "threshold_ns", tail.threshold_ns, REAL),
  MEMBER (Shown, "exceeding", tail.exceeding, NUMBER),
  MEMBER (Shown, "effective", tail.effective, REAL),
  MEMBER (Shown, "extremal_index", tail.extremal, REAL),
  MEMBER (Shown, "shape", tail.shape, STRUCT, .of = estimate_members),
  MEMBER (Shown, "scale_ns", tail.scale_ns, STRUCT, .of = estimate_members),
  MEMBER (Shown, "levels", tail.levels, ARRAY, .of = level_members),
  { 0 },
};

static const Member deadline_members[] = {
  { "", 0, MEMBER_SAME, .of = tail_members },
  MEMBER (Shown, "deadline_ns", tail.asked.deadline_ns, NUMBER),
  MEMBER (Shown, "late", tail.late, NUMBER),
  MEMBER (Shown, "within_bin", tail.divided, FLAG),
  MEMBER (Shown, "late_counted", tail.counted, STRUCT, .of = estimate_members),
  MEMBER (Shown, "late_part", tail.late_part, STRUCT, .of = estimate_members),
  MEMBER (Shown, "more_wakeups", tail.more, REAL),
  MEMBER (Shown, "deadline_in_words", deadline_in_words, TEXT),
  { 0 },
};

static void
print_columns (const char *const *columns)
{
  g_print ("  %13s %9s %12s   %-24s   %s\n", columns[CULPRIT_TAIL_ONCE_IN], columns[CULPRIT_TAIL_TIME],
           columns[CULPRIT_TAIL_LATENCY], columns[CULPRIT_TAIL_INTERVAL], columns[CULPRIT_TAIL_WORST]);
}

static void
print_levels (const Shown *shown)
{
  const GArray *levels = shown->tail.levels;
  const char *heads[CULPRIT_TAIL_COLUMNS];

  memcpy (heads, culprit_tail_heads, sizeof heads);
  if (shown->period_ns <= 0)
    heads[CULPRIT_TAIL_TIME] = "";
  if (levels->len > 0)
    g_print ("\n");
  if (levels->len > 0)
    print_columns (heads);
  for (guint i = 0; i < levels->len; i++)
    {
      g_auto (GStrv) texts = culprit_tail_level_texts (&g_array_index (levels, CulpritTailLevel, i), shown->period_ns);

      print_columns ((const char *const *) texts);
    }
}

static void
print_text (const Shown *shown)
{
  g_autofree char *n = culprit_count_format (shown->tail.n);

  g_print ("%s: %s latenc%s\n  ", shown->run, n, shown->tail.n == 1 ? "y" : "ies");
  print_wrapped (shown->in_words, 2);
  print_levels (shown);
  if (!shown->deadline_in_words)
    return;
  g_print ("\n  ");
  print_wrapped (shown->deadline_in_words, 2);
}

/* Shows @loaded, the run @index. */
static void
show_run (const Loaded *loaded, guint index, Format format)
{
  CulpritTail *tail = loaded->read->tail;
  gint64 period_ns = loaded->read->facts.period_ns;
  g_autofree char *in_words = culprit_tail_in_words (tail);
  g_autofree char *deadline_in_words = culprit_tail_deadline_in_words (tail, period_ns);
  Shown shown;

  for (guint i = tail->levels->len; i-- > 0;)
    if (!culprit_tail_level_is_usual (&g_array_index (tail->levels, CulpritTailLevel, i)))
      g_array_remove_index (tail->levels, i);
  shown = (Shown) { loaded->name, *tail, period_ns, in_words, deadline_in_words };
  if (format == FORMAT_JSON)
    print_element (index, deadline_in_words ? deadline_members : tail_members, &shown, &shown);
  else
    print_text (&shown);
}

/* Adds the runs that @label means, or all of them if it is NULL, to @all; not those of which only a summary is known.
 * FALSE with an error. */
static gboolean
load_runs (CulpritStudy *study, const char *label, const CulpritTailAsked *asked, GArray *all, GError **error)
{
  g_autoptr (GPtrArray) names = culprit_study_profile_names (study, label, error);

  if (names && !command_tell_left_out (study, label, error))
    return FALSE;
  for (guint i = 0; names && i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autoptr (CulpritRunTail) read = culprit_study_tail (study, name, asked, error);
      Loaded loaded = { .name = g_strdup (name), .read = read };

      if (!read || !culprit_study_run_number (study, name, &loaded.number, error))
        {
          g_free (loaded.name);
          return FALSE;
        }
      loaded.read = g_steal_pointer (&read);
      if (loaded.read->tail)
        g_array_append_val (all, loaded);
      else
        loaded_clear (&loaded);
    }
  return names != NULL;
}

static gboolean
plot_all (const GArray *all, const PlotOptions *plots, GError **error)
{
  g_autoptr (GArray) series = g_array_new (FALSE, FALSE, sizeof (ChartSeries));

  for (guint i = 0; i < all->len; i++)
    {
      const Loaded *loaded = &g_array_index (all, Loaded, i);
      const ChartSeries one = { loaded->name, loaded->read->profile, loaded->number, loaded->read->tail };

      g_array_append_val (series, one);
    }
  return plot_options_write (plots, series, error);
}

static void
show_all (const GArray *all, Format format)
{
  for (guint i = 0; i < all->len; i++)
    {
      if (format != FORMAT_JSON && i > 0)
        g_print ("\n");
      show_run (&g_array_index (all, Loaded, i), i, format);
    }
  if (format == FORMAT_JSON)
    print_elements_end (all->len);
  else if (all->len == 0)
    g_print ("No runs with latencies yet; record some with culprit record, or import them with culprit import.\n");
}

static gboolean
has_deadline (const GArray *all)
{
  for (guint i = 0; i < all->len; i++)
    if (g_array_index (all, Loaded, i).read->tail->asked.deadline_ns > 0)
      return TRUE;
  return FALSE;
}

static int
show (const Options *options, const CulpritTailAsked *asked, const PlotOptions *plots)
{
  g_autoptr (CulpritStudy) study = command_open (options);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Loaded));
  gboolean good = TRUE;
  GError *error = NULL;

  g_array_set_clear_func (all, loaded_clear);
  if (!study)
    return EXIT_BAD;
  if (!options->rest[0])
    good = load_runs (study, NULL, asked, all, &error);
  for (char **name = options->rest; *name && good; name++)
    good = load_runs (study, *name, asked, all, &error);
  if (good && asked->once_in > 0 && all->len > 0 && !has_deadline (all))
    return command_complain ("--once-in needs a deadline, and no run has one; give --deadline");
  if (!good || !plot_all (all, plots, &error))
    return command_fail (error);
  show_all (all, options->format);
  return EXIT_DONE;
}

int
command_tail (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autofree char *deadline = NULL;
  g_autofree char *threshold = NULL;
  g_autofree char *once_in = NULL;
  g_auto (PlotOptions) plots = { 0 };
  CulpritTailAsked asked = { 0 };
  const GOptionEntry own[] = {
    { "deadline", 0, 0, G_OPTION_ARG_STRING, &deadline, "A wake-up this late is late (default: the run's deadline)",
      "TIME" },
    { "once-in", 0, 0, G_OPTION_ARG_STRING, &once_in,
      "Whether at most one in so many wake-ups is late, e.g. 1e8, or how much longer to measure", "WAKE-UPS" },
    { "threshold", 0, 0, G_OPTION_ARG_STRING, &threshold,
      "Fit all above this time (default: the lowest that is stable)", "TIME" },
    { NULL },
  };
  g_autofree GOptionEntry *entries = plot_options_entries_tail (&plots, own);
  GError *error = NULL;
  int status;

  if (!command_parse (command, argc, argv, entries, &options, &status))
    return status;
  if (!plot_options_check (&plots, &error))
    return command_fail (error);
  asked.levels = plots.plots ? culprit_tail_levels_drawn : culprit_tail_levels_usual;
  if (!command_parse_time ("deadline", deadline, &asked.deadline_ns) ||
      !command_parse_time ("threshold", threshold, &asked.threshold_ns))
    return EXIT_BAD;
  if (once_in && !culprit_tail_once_in_parse (once_in, &asked.once_in))
    return command_complain ("--once-in must be a number of wake-ups from 2 to 1e18, e.g. 1e8");
  return show (&options, &asked, &plots);
}

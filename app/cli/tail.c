/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit tail */
#include "latency/tail.h"
#include "print.h"
#include "study/profiles.h"
#include "units.h"

#include <math.h>

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
  MEMBER (Shown, "late_counted", tail.counted, STRUCT, .of = estimate_members),
  MEMBER (Shown, "late_part", tail.late_part, STRUCT, .of = estimate_members),
  MEMBER (Shown, "more_wakeups", tail.more, REAL),
  MEMBER (Shown, "deadline_in_words", deadline_in_words, TEXT),
  { 0 },
};

static char *
say_time (double ns)
{
  return isfinite (ns) && fabs (ns) < (double) ((gint64) 1 << 62) ? culprit_time_format (llround (ns))
                                                                  : g_strdup ("no limit");
}

static void
print_levels (const Shown *shown)
{
  const GArray *levels = shown->tail.levels;

  if (levels->len > 0)
    g_print ("\n  %13s %9s %12s   %-24s   %s\n", "once in", shown->period_ns > 0 ? "time" : "", "latency",
             "95 % interval", "the worst of so many");
  for (guint i = 0; i < levels->len; i++)
    {
      const CulpritTailLevel *level = &g_array_index (levels, CulpritTailLevel, i);
      g_autofree char *once_in = culprit_count_format (level->once_in);
      g_autofree char *time =
          shown->period_ns > 0 ? culprit_long_time_format (level->once_in * shown->period_ns) : g_strdup ("");
      g_autofree char *value = say_time (level->ns.value);
      g_autofree char *low = say_time (level->ns.low);
      g_autofree char *high = say_time (level->ns.high);
      g_autofree char *interval = g_strdup_printf ("%s to %s", low, high);
      g_autofree char *worst_low = say_time (level->worst_low_ns);
      g_autofree char *worst_high = say_time (level->worst_high_ns);

      g_print ("  %13s %9s %12s   %-24s   %s to %s\n", once_in, time, value, interval, worst_low, worst_high);
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

typedef struct
{
  CulpritStudy *study;
  const CulpritTailAsked *asked;
  JsonBuilder *builder; /* NULL: as text */
  guint shown;          /* runs so far */
} Output;

/* Shows the tail of the run @name; nothing if only its summary is known. FALSE with an error. */
static gboolean
show_run (Output *output, const char *name, GError **error)
{
  CulpritProfileFacts facts = { 0 };
  CulpritTailAsked asked = *output->asked;
  g_autoptr (CulpritProfile) profile = NULL;
  g_autoptr (GArray) blocks = NULL;
  g_autoptr (CulpritTail) tail = NULL;
  g_autofree char *in_words = NULL;
  g_autofree char *deadline_in_words = NULL;
  Shown shown;

  if (!culprit_study_profile_facts (output->study, name, &facts, error))
    return FALSE;
  if (!facts.whole)
    return TRUE;
  profile = culprit_study_profile (output->study, name, CULPRIT_ALL_CPUS, error);
  if (!profile || !culprit_study_tail_blocks (output->study, name, profile,
                                              culprit_tail_floor (profile, asked.threshold_ns), &blocks, error))
    return FALSE;
  if (asked.deadline_ns == 0)
    asked.deadline_ns = MAX (facts.deadline_ns, 0);
  tail = culprit_tail_new (profile, blocks, &asked);
  in_words = culprit_tail_in_words (tail);
  deadline_in_words = culprit_tail_deadline_in_words (tail, facts.period_ns);
  shown = (Shown) { name, *tail, facts.period_ns, in_words, deadline_in_words };
  if (output->builder)
    members_add_object (output->builder, deadline_in_words ? deadline_members : tail_members, &shown, &shown);
  else
    {
      g_print ("%s", output->shown > 0 ? "\n" : "");
      print_text (&shown);
    }
  output->shown++;
  return TRUE;
}

/* Shows the runs that @label means, or all of them if it is NULL. FALSE with an error. */
static gboolean
show_runs (Output *output, const char *label, GError **error)
{
  g_autoptr (GPtrArray) names = culprit_study_profile_names (output->study, label, error);

  for (guint i = 0; names && i < names->len; i++)
    if (!show_run (output, g_ptr_array_index (names, i), error))
      return FALSE;
  return names != NULL;
}

static int
show (const Options *options, const CulpritTailAsked *asked)
{
  g_autoptr (CulpritStudy) study = command_open (options);
  g_autoptr (JsonBuilder) builder = options->format == FORMAT_JSON ? json_builder_new () : NULL;
  Output output = { study, asked, builder, 0 };
  gboolean good = TRUE;
  GError *error = NULL;

  if (!study)
    return EXIT_BAD;
  if (builder)
    json_builder_begin_array (builder);
  if (!options->rest[0])
    good = show_runs (&output, NULL, &error);
  for (char **name = options->rest; *name && good; name++)
    good = show_runs (&output, *name, &error);
  if (!good)
    return command_fail (error);
  if (builder)
    print_array (builder);
  else if (output.shown == 0)
    g_print ("No runs with latencies yet; record some with culprit record, or import them with culprit import.\n");
  return EXIT_DONE;
}

int
command_tail (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autofree char *deadline = NULL;
  g_autofree char *threshold = NULL;
  CulpritTailAsked asked = { .levels = culprit_tail_levels_usual };
  const GOptionEntry own[] = {
    { "deadline", 0, 0, G_OPTION_ARG_STRING, &deadline, "A wake-up this late is late (default: the run's deadline)",
      "TIME" },
    { "once-in", 0, 0, G_OPTION_ARG_DOUBLE, &asked.once_in,
      "Whether at most one in so many wake-ups is late, e.g. 1e8, or how much longer to measure", "WAKE-UPS" },
    { "threshold", 0, 0, G_OPTION_ARG_STRING, &threshold,
      "Fit all above this time (default: the lowest that is stable)", "TIME" },
    { NULL },
  };
  int status;

  if (!command_parse (command, argc, argv, own, &options, &status))
    return status;
  if (!command_parse_time (command, "deadline", deadline, &asked.deadline_ns) ||
      !command_parse_time (command, "threshold", threshold, &asked.threshold_ns))
    return EXIT_BAD;
  if (asked.once_in != 0 && !(asked.once_in >= 2 && asked.once_in <= 1e18))
    return command_complain ("culprit tail: --once-in must be a number of wake-ups from 2 to 1e18, e.g. 1e8");
  return show (&options, &asked);
}

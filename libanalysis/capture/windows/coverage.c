/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Infers what was not traced from what never occurs, or never shows itself as it comes. An ordinary capture is
 * recognised after a few events: it has interrupts, deep calls, and functions of the scheduler. */
#include "capture/capture-private.h"

#include "clean.h"

#define MAX_SHALLOW 12         /* A capture with deeper calls is assumed to have no limit. */
#define MIN_CALLS 5            /* of a function, to tell whether it calls others */
#define MIN_CALLING 0.95       /* share of these calls that call others */
#define MIN_CUT_FUNCTIONS 3    /* that call others, but never at the deepest level */
#define MIN_KNOWN_FUNCTIONS 2  /* of those known to always call others */
#define MIN_CUT_CALLS 20       /* of such functions at the deepest level */
#define MIN_EVENTS_CHOSEN 100  /* without the scheduler, by few functions */
#define MIN_EVENTS_SOME 1000   /* the same by many functions */
#define MAX_CHOSEN 8           /* functions that are listed by name */
#define MIN_EVENTS_SILENT 1000 /* without an interrupt */
#define MIN_SILENT_NS 20000000
#define ENOUGH_CYCLES 3 /* arrivals of the measured task */

#define ALL_BUT "all but "
#define WRITE "vfs_write"

/* How a function was called. */
typedef struct
{
  guint calls;   /* above the deepest level */
  guint calling; /* of these, those that called another function */
  guint deepest; /* calls at the deepest level */
} Use;

/* Hardly a cycle passes without these. They exclude functions that interrupts call too, or that share their address
 * with a stub. */
static const char *const common[] = { "schedule",      "__schedule",   "finish_task_switch", "do_idle",
                                      "do_syscall_64", "x64_sys_call", "invoke_syscall",     "el0_svc" };
static const char *const common_prefixes[] = { "__x64_sys_", "__arm64_sys_" };

/* These always call other functions. */
static const char *const calling[] = { "do_syscall_64",
                                       "x64_sys_call",
                                       "__x64_sys_clock_nanosleep",
                                       "__arm64_sys_clock_nanosleep",
                                       "common_nsleep",
                                       "hrtimer_nanosleep",
                                       "do_nanosleep",
                                       "schedule",
                                       "__schedule",
                                       "do_idle",
                                       "default_idle_call",
                                       "__sysvec_apic_timer_interrupt",
                                       "hrtimer_interrupt",
                                       "__hrtimer_run_queues",
                                       "psi_task_switch",
                                       "tick_nohz_restart_sched_tick",
                                       "__x64_sys_write",
                                       "__arm64_sys_write",
                                       "ksys_write",
                                       "vfs_write" };

/* The first never runs without the second, which is a function of its own wherever the kernel has it. */
static const struct
{
  const char *caller;
  const char *called;
} pairs[] = { { "__sysvec_apic_timer_interrupt", "hrtimer_interrupt" }, { "hrtimer_wakeup", "try_to_wake_up" } };

static gboolean
is_calling (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (calling); i++)
    if (g_str_equal (name, calling[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_common (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (common); i++)
    if (g_str_equal (name, common[i]))
      return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (common_prefixes); i++)
    if (g_str_has_prefix (name, common_prefixes[i]))
      return TRUE;
  return FALSE;
}

/* Whether it writes to a file, as to that of the marker. */
static gboolean
is_writing (const char *name)
{
  return g_str_has_prefix (name, WRITE); /* or vfs_writev */
}

static gboolean
is_of_idle (const char *name)
{
  return strstr (name, "idle") != NULL;
}

/* Reads events until it is clear that nothing is missing. */
static void
glance (const Session *session, guint *deepest, gboolean *interrupted)
{
  *deepest = 0;
  *interrupted = FALSE;
  for (guint i = 0; i < session->streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (session->streams, i);

      for (guint v = 0; v < stream->visits->len; v++)
        {
          EventReader reader = stream_events (stream, &g_array_index (stream->visits, Visit, v));
          guint open = 0;
          guint depth;

          if (*deepest > MAX_SHALLOW && *interrupted)
            return;
          while (event_reader_next_call (&reader, &open, &depth))
            {
              /* The end of irq_enter_rcu() is in one even if none is traced, and soft ones are traced in any case. */
              *interrupted |=
                  reader.kind == PACKED_ENTRY && (reader.interrupts & (INTERRUPT_HARD | INTERRUPT_NMI)) != 0;
              *deepest = MAX (*deepest, depth);
            }
        }
    }
}

/* Counts how the functions of @visit were called. Whether a call called another function shows in the event after its
 * entry, unless that belongs to an interrupt. */
static void
count_uses (const Stream *stream, const Visit *visit, guint deepest, Use *uses)
{
  EventReader reader = stream_events (stream, visit);
  guint32 before = CULPRIT_FUNCTION_USER; /* The function that was just entered. */
  guint8 interrupts = 0;
  guint before_depth = 0;
  guint open = 0;
  guint depth;

  while (event_reader_next_call (&reader, &open, &depth))
    {
      guint32 function = reader.kind == PACKED_ENTRY ? stream->functions[reader.function] : CULPRIT_FUNCTION_USER;

      if (before != CULPRIT_FUNCTION_USER && before_depth < deepest && interrupts == reader.interrupts)
        {
          uses[before].calls++;
          uses[before].calling += reader.kind == PACKED_ENTRY && function != before;
        }
      if (function != CULPRIT_FUNCTION_USER && depth == deepest)
        uses[function].deepest++;
      before = function;
      before_depth = depth;
      interrupts = reader.interrupts;
    }
}

/* Whether calls below @deepest were cut off: functions that always call others never do at that level. */
static gboolean
is_cut (const Session *session, const CulpritCapture *capture, guint deepest)
{
  g_autofree Use *uses = g_new0 (Use, capture->functions->len);
  guint functions = 0;
  guint known = 0;
  guint64 calls = 0;
  guint64 known_calls = 0;

  for (guint i = 0; i < session->streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (session->streams, i);

      for (guint v = 0; v < stream->visits->len; v++)
        count_uses (stream, &g_array_index (stream->visits, Visit, v), deepest, uses);
    }
  for (guint i = CULPRIT_FUNCTION_PSEUDO; i < capture->functions->len; i++)
    {
      gboolean seen = uses[i].calls >= MIN_CALLS;

      if (uses[i].deepest == 0 || uses[i].calling < MIN_CALLING * uses[i].calls)
        continue;
      functions += seen;
      calls += seen ? uses[i].deepest : 0;
      if (!is_calling (g_array_index (capture->functions, CulpritFunction, i).name))
        continue;
      known++;
      known_calls += uses[i].deepest;
    }
  return (functions >= MIN_CUT_FUNCTIONS && calls >= MIN_CUT_CALLS) ||
         (known >= MIN_KNOWN_FUNCTIONS && known_calls >= MIN_CUT_CALLS);
}

/* Finds the functions that no other one called, which are @called, or the first @enough of them. Returns how many. */
static guint
find_outermost (const Session *session, guint enough, gboolean *called)
{
  guint n = 0;

  for (guint i = 0; i < session->streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (session->streams, i);

      for (guint v = 0; v < stream->visits->len && n < enough; v++)
        {
          EventReader reader = stream_events (stream, &g_array_index (stream->visits, Visit, v));
          guint open = 0;
          guint depth;

          while (event_reader_next_call (&reader, &open, &depth))
            if (reader.kind == PACKED_ENTRY && depth == 0 && !called[stream->functions[reader.function]])
              {
                called[stream->functions[reader.function]] = TRUE;
                n++;
              }
        }
    }
  return n;
}

/* Whether tasks had the CPU without what they call being traced: the idle task, or all but one, came only unseen. */
static gboolean
hides_tasks (const Session *session)
{
  gboolean idle_seen = FALSE;
  gboolean idle_unseen = FALSE;
  gboolean others_unseen = FALSE;
  gboolean several_seen = FALSE;
  gint32 seen = NOBODY;

  for (guint i = 0; i < session->streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (session->streams, i);

      idle_seen |= stream->idle_seen;
      idle_unseen |= stream->idle_unseen;
      others_unseen |= stream->others_unseen;
      several_seen |= stream->several_seen || (seen != NOBODY && stream->seen != NOBODY && stream->seen != seen);
      seen = stream->seen != NOBODY ? stream->seen : seen;
    }
  return (idle_unseen && !idle_seen) || (others_unseen && !several_seen && !idle_seen);
}

/* Whether a function that @is is among those with @indices; NULL: among all. */
static gboolean
any_is (const CulpritCapture *capture, const gboolean *indices, gboolean (*is) (const char *name))
{
  for (guint i = CULPRIT_FUNCTION_PSEUDO; i < capture->functions->len; i++)
    if ((!indices || indices[i]) && is (g_array_index (capture->functions, CulpritFunction, i).name))
      return TRUE;
  return FALSE;
}

static gboolean
occurs (const CulpritCapture *capture, const char *name)
{
  for (guint i = CULPRIT_FUNCTION_PSEUDO; i < capture->functions->len; i++)
    if (g_str_equal (g_array_index (capture->functions, CulpritFunction, i).name, name))
      return TRUE;
  return FALSE;
}

/* Whether a function is not seen that was surely called. */
static gboolean
hides_called (const Session *session, const CulpritCapture *capture)
{
  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    if (symbols_has (session->symbols, pairs[i].called) && occurs (capture, pairs[i].caller) &&
        !occurs (capture, pairs[i].called))
      return TRUE;
  return FALSE;
}

/* The functions that were traced, separated by commas, or "some" if they are many; NULL: all. Where all are, the marker
 * is written by one, what is surely called is seen, and common ones are called, not all by the same one. The caller
 * owns the result. */
static char *
find_chosen (const Session *session, const CulpritCapture *capture)
{
  g_autofree gboolean *called = g_new0 (gboolean, capture->functions->len);
  gboolean write_hidden = session->marker.text && capture->coverage.depth == 0 &&
                          symbols_has (session->symbols, WRITE) && !any_is (capture, NULL, is_writing);
  gboolean called_hidden =
      capture->coverage.depth == 0 && capture->function_events >= MIN_EVENTS_CHOSEN && hides_called (session, capture);
  gboolean tasks_hidden = hides_tasks (session);
  gboolean some_common = any_is (capture, NULL, is_common);
  guint n =
      find_outermost (session, some_common && !tasks_hidden && !write_hidden && !called_hidden ? 2 : G_MAXUINT, called);
  gboolean few = n > 0 && n <= MAX_CHOSEN;
  gboolean common_hidden = !(some_common && n > 1) &&
                           capture->function_events >= (few ? MIN_EVENTS_CHOSEN : MIN_EVENTS_SOME) &&
                           (symbols_has (session->symbols, "schedule") || symbols_has (session->symbols, "__schedule"));
  GString *list;

  if (!write_hidden && !called_hidden && !common_hidden && !(tasks_hidden && !any_is (capture, called, is_of_idle)))
    return NULL;
  if (!few)
    return g_strdup ("some");
  list = g_string_new (NULL);
  for (guint i = 0; i < capture->functions->len; i++)
    if (called[i])
      g_string_append_printf (list, "%s%s", list->len > 0 ? "," : "",
                              g_array_index (capture->functions, CulpritFunction, i).name);
  return g_string_free (list, FALSE);
}

#define MOST_SHOWN 500 /* characters of a list that may have thousands of functions */

char *
culprit_coverage_in_words (guint depth, const char *functions, gboolean interrupts_missing)
{
  GString *words = g_string_new (NULL);
  g_autofree char *cut = functions ? culprit_clean_start (functions, MOST_SHOWN, ' ') : NULL;

  if (depth > 0)
    g_string_append_printf (words, "calls nested more than %u deep", depth);
  if (cut && g_str_has_prefix (cut, ALL_BUT))
    g_string_append_printf (words, "%scalls of %s", words->len > 0 ? ", " : "", cut + strlen (ALL_BUT));
  else if (cut)
    g_string_append_printf (words, "%scalls outside of %s", words->len > 0 ? ", " : "",
                            g_str_equal (cut, "some") ? "some chosen functions" : cut);
  if (interrupts_missing)
    g_string_append_printf (words, "%sinterrupts", words->len > 0 ? ", " : "");
  return g_string_free (words, words->len == 0);
}

/* Whether a timer wakes the measured task, as the capture shows often enough. */
static gboolean
timers_wake (const Session *session, const CulpritCapture *capture)
{
  gint32 pid = session->marker.text ? session->marker.pid : capture->cycles ? capture->cycles->pid : NOBODY;
  guint times = 0;

  if (!culprit_windows_begin_by_timer (session->definition) || pid == NOBODY)
    return FALSE;
  for (guint i = 0; i < session->streams->len && times < ENOUGH_CYCLES; i++)
    {
      const GArray *visits = ((const Stream *) g_ptr_array_index (session->streams, i))->visits;

      for (guint v = 1; v < visits->len && times < ENOUGH_CYCLES; v++)
        times += g_array_index (visits, Visit, v).pid == pid;
    }
  return times == ENOUGH_CYCLES;
}

void
coverage_find (const Session *session, CulpritCapture *capture)
{
  const CulpritCycles *cycles = capture->cycles;
  CulpritCoverage *coverage = &capture->coverage;
  guint deepest;
  gboolean interrupted;

  glance (session, &deepest, &interrupted);
  if (cycles && cycles->settings_known)
    {
      coverage->depth = cycles->graph_depth;
      coverage->functions = g_strdup (cycles->graph_functions);
    }
  else
    {
      coverage->depth = deepest <= MAX_SHALLOW && is_cut (session, capture, deepest) ? deepest + 1 : 0;
      coverage->functions = find_chosen (session, capture);
    }
  if (interrupted)
    coverage->interrupts = 1;
  else if (symbols_has (session->symbols, "hrtimer_interrupt") &&
           (timers_wake (session, capture) ||
            (capture->events >= MIN_EVENTS_SILENT && capture->last_ns - capture->first_ns >= MIN_SILENT_NS)))
    coverage->interrupts = 0;
}

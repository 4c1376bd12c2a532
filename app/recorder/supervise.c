/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conducts a recording: facts, checks, load, calibration, runs. Before it changes something, it notes that in the
 * Rescue. */
#include "recorder-private.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PROBLEM_SIZE 512
#define EXIT_BAD 2
#define LOAD_START_MS 200
#define NS_PER_S 1000000000

static const char *
end_reason (const Recording *recording)
{
  const Request *request = recording->request;

  if (control_stopped ())
    return "stopped";
  if (request->captures > 0 && recording->captures >= request->captures)
    return "captures";
  return request->cycles > 0 && !recording->cut_short ? "cycles" : "limit";
}

/* One that still had the lock when we looked for what a killed recording left may have been killed since. */
static bool
lock_machine (const Recording *recording)
{
  return journal_lock () && (recording->recovered || !journal_waits () ||
                             fail ("a recording was killed just now, and what it changed is not "
                                   "restored yet; start again, which restores it first"));
}

/* Also plans what the kernel is to measure. */
static bool
check (Rescue *rescue, const Request *request, Recording *recording)
{
  static Triggers triggers;

  if (!facts_root ())
    return fail ("culprit-recorder must run as root; start it with pkexec or sudo, or log in as root");
  if (tracing_keeps_tracer () || (tracing_is_busy () && (request_traces (request) || request_watches (request))))
    return fail ("this machine's tracing is not yet what it was before an earlier recording; " TRACING_TO_FREE
                 ", and record again");
  if (request->method == METHOD_POLL && request->priority > 0 && request->cpus.n >= sysconf (_SC_NPROCESSORS_ONLN) &&
      !facts_throttled ())
    return fail ("method poll on all CPUs would leave nobody else a CPU, as real-time tasks are not throttled; leave "
                 "one out, or throttle them: sysctl -w kernel.sched_rt_runtime_us=950000");
  if (request->captures > 0)
    capture_prepare ();
  if (request->delays || request->treatments)
    return lock_machine (recording); /* Two that change something would measure each other. */
  if (request_watches (request))
    {
      recording->triggers = &triggers;
      if (!triggers_plan (&triggers, request, rescue) || !lock_machine (recording) || !triggers_check (&triggers))
        return false;
    }
  return !request_traces (request) || (lock_machine (recording) && tracing_check (request));
}

/* Starts the load. A load that fails immediately is an error. */
static bool
begin_load (Rescue *rescue, const Request *request)
{
  int status;

  rescue->load = load_start (request->load, &rescue->contained);
  if (rescue->load < 0)
    return false;
  control_wait (-1, LOAD_START_MS);
  if (!load_has_ended (rescue->load, &status) || status == 0)
    return true;
  return fail ("the load \"%.200s\" ended at once with status %d%s", request->load, status, load_status_words (status));
}

/* Saves the tracing settings, in memory and in the journal, and changes them as @request says; what the @triggers, if
 * any, will change is noted too. The journal also tells the folder for captures before it is made, so that it can be
 * removed if we are killed. */
static bool
begin_tracing (Rescue *rescue, const Request *request, const Triggers *triggers)
{
  bool captures = request->captures > 0;

  if (captures && !capture_choose_folder (request, rescue->folder))
    return false;
  rescue->tracing.used = 0;
  if ((triggers && !triggers_save (triggers, &rescue->tracing)) ||
      (request_traces (request) && !settings_save (&rescue->tracing)) || !journal_write (rescue))
    return false;
  atomic_store (&rescue->tracing.changed, true);
  return (!captures || capture_make_folder (rescue->folder)) && (!request_traces (request) || tracing_set_up (request));
}

/* All changes to the machine before the first run. */
static bool
prepare (Rescue *rescue, const Request *request, Recording *recording)
{
  if (!request_watches (request) && !(recording->shared = shared_new (request)))
    return fail ("not enough memory for the samples of %d CPUs", request->cpus.n);
  if ((request_traces (request) || recording->triggers) && !begin_tracing (rescue, request, recording->triggers))
    return false;
  if (request->load && !begin_load (rescue, request))
    return false;
  if (request->treatments)
    treatment_prepare (rescue, request);
  if (request->delays && !delayer_start (request->delay_at, request->delay_percent))
    return false;
  privileges_confine ();
  if (request->delays && !try_delays (recording->shared, request))
    return false;
  if (request_watches (request))
    watch_note_task (&request->window);
  return request_watches (request) || request->tracing == TRACING_OFF || calibrate (recording->shared, request);
}

/* The runs; with alternating tracing, one without, two with it, two without, and so on. Drift then affects both
 * equally, and tracing, which takes long to switch, is switched only every other time. */
static bool
measure (Recording *recording)
{
  const Request *request = recording->request;
  bool takes_turns = request->tracing == TRACING_BOTH;
  bool was_traced = request_traces (request); /* as left by prepare() */
  int runs = takes_turns ? 2 * request->runs : 1;

  for (int run = 1; run <= runs && !control_stopped (); run++)
    {
      bool traced = takes_turns ? run / 2 % 2 == 1 : request->tracing == TRACING_ON;

      if (was_traced && !traced && !tracing_take_down ())
        return fail (
            "the tracer cannot be removed for a run without it (%s): end what reads this machine's trace, such "
            "as from trace_pipe, and record again",
            strerror (errno));
      if (traced && !was_traced && !tracing_set_up (request))
        return false;
      was_traced = traced;
      if (!(request_watches (request) ? watch_measure : run_measure) (recording, run, traced))
        return false;
    }
  return true;
}

/* The runs of a request with delays: one for each, in their order. */
static bool
measure_delayed (Recording *recording)
{
  const JsonValue *delays = recording->request->delays;

  for (int i = 0; i < delays->n_items && !control_stopped (); i++)
    {
      recording->delay_ns = delays->items[i].number;
      if (!run_measure (recording, i + 1, false))
        return false;
    }
  return true;
}

/* The runs of a request with treatments: likewise. What a run that failed leaves is undone at the end. */
static bool
measure_treated (Recording *recording)
{
  const JsonValue *treatments = recording->request->treatments;

  for (int i = 0; i < treatments->n_items && !control_stopped (); i++)
    {
      recording->treated = treatments->items[i].number;
      if (recording->treated && !treatment_apply (recording->rescue))
        return control_stopped ();
      if (!run_measure (recording, i + 1, false) || !treatment_undo (recording->rescue))
        return false;
    }
  return true;
}

static int
end (const char *reason)
{
  reply_begin ("end");
  reply_text ("reason", reason);
  reply_end ();
  return 0;
}

static int
conduct (Rescue *rescue, const Request *request, bool (*runs) (Recording *recording))
{
  Recording recording = { .request = request, .rescue = rescue, .folder = rescue->folder };
  char said[PROBLEM_SIZE];
  const char *failed;
  int status;
  bool undone;
  bool good;

  recording.recovered = journal_is_left () && journal_recover (rescue, said, sizeof said) != RECOVERED_NOT;
  if (recording.recovered)
    reply_note ("%s", said);
  control_watch (request->watchdog_ns);
  facts_reply ();
  good = check (rescue, request, &recording) && prepare (rescue, request, &recording) && runs (&recording);
  delayer_end ();

  if (good && load_has_ended (rescue->load, &status))
    reply_note ("the load ended before the measurement, with status %d", status);
  snprintf (said, sizeof said, "%s%s", good ? "" : problem (), good ? "" : "; ");
  undone = treatment_undo (rescue);
  failed = rescue_all (rescue);
  if (failed)
    reply_note ("this machine's tracing is restored, except for what is refused: %s%s", failed,
                atomic_load (&rescue->tracing.changed) && !tracing_is_busy ()
                    ? "; that is tried again with all of root's rights at the end"
                    : "");
  if (control_session_is_dead ())
    reply_note ("nothing was heard from this session for %lld s, as if it were frozen: the recording was stopped",
                (long long) request->watchdog_ns / NS_PER_S);
  if (recording.shared)
    shared_free (recording.shared);
  if (good && undone)
    return end (end_reason (&recording));
  reply_error ("%s%s", undone ? "" : said, problem ());
  return EXIT_BAD;
}

static int
record (Rescue *rescue, const Request *request)
{
  if (!request->delays && !request->treatments && !request_watches (request))
    return conduct (rescue, request, measure);
  reply_error (request->delays       ? "delays need the request \"prove\""
               : request->treatments ? "treatments need the request \"trial\""
                                     : "windows of other tasks need the request \"watch\"");
  return EXIT_BAD;
}

static int
watch (Rescue *rescue, const Request *request)
{
  if (request_watches (request))
    return conduct (rescue, request, measure);
  reply_error ("what to watch is missing: wakeup_of, response_of, between or marks");
  return EXIT_BAD;
}

static int
prove (Rescue *rescue, const Request *request)
{
  if (request->delays)
    return conduct (rescue, request, measure_delayed);
  reply_error ("delays is missing");
  return EXIT_BAD;
}

static int
try (Rescue *rescue, const Request *request)
{
  if (request->treatments)
    return conduct (rescue, request, measure_treated);
  reply_error ("treatments is missing");
  return EXIT_BAD;
}

static int
examine (Rescue *rescue, const Request *request)
{
  facts_reply ();
  return end ("examined");
}

static int
restore (Rescue *rescue, const Request *request)
{
  char said[PROBLEM_SIZE];
  Recovered recovered = journal_recover (rescue, said, sizeof said);

  if (recovered == RECOVERED || recovered == RECOVERED_NOTHING)
    {
      reply_note ("%s", said);
      return end ("restored");
    }
  reply_error ("%s", said);
  return EXIT_BAD;
}

/* What sessions can request; a new kind of request is one more entry. */
static const struct
{
  const char *action;
  bool (*read) (const JsonValue *object, Request *request, char *text, size_t size); /* NULL: it takes no settings */
  int (*serve) (Rescue *rescue, const Request *request); /* Says everything up to the last line; returns our status. */
} requests[] = {
  { "record", request_read, record }, { "watch", request_read, watch }, { "prove", request_read, prove },
  { "trial", request_read, try },     { "examine", NULL, examine },     { "restore", NULL, restore },
};

/* Serves the request in @object. */
static int
serve (Rescue *rescue, const JsonValue *object)
{
  static Request request;
  char text[PROBLEM_SIZE] = ""; /* what is wrong with it */
  const char *action = request_action (object, text, sizeof text);

  for (size_t i = 0; action && i < sizeof requests / sizeof *requests; i++)
    if (strcmp (requests[i].action, action) == 0)
      {
        if (!requests[i].read || requests[i].read (object, &request, text, sizeof text))
          return requests[i].serve (rescue, &request);
        action = NULL;
      }
  if (action)
    reply_error ("this recorder does not support \"%s\"", action);
  else
    reply_error ("%s", text);
  return EXIT_BAD;
}

int
supervise (Rescue *rescue)
{
  JsonValue object;
  InputLine line = control_read_request (&object);
  int status = EXIT_BAD;

  if (line == INPUT_OBJECT)
    status = serve (rescue, &object);
  else if (line == INPUT_TOO_LONG)
    reply_error ("the request is longer than %d KB", INPUT_SIZE >> 10);
  else if (line == INPUT_GARBAGE)
    reply_error ("invalid request from the session");
  json_clear (&object);
  return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watches windows from user space, where the kernel cannot: has the events that begin and end them recorded in an
 * instance of our own, reads them in order of time, and does with them what the triggers would. It is as sound as these
 * as long as no event is lost; it only comes later. */
#include "recorder-private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>

#define MOST_KEYS 16384  /* threads, say; as many as the triggers have room for */
#define MOST_STEPS 32    /* to where a key is */
#define MOST_SEEN 100000 /* at a time: nothing else is done meanwhile */

typedef enum
{
  SEEN_TIMER,  /* The task started one. */
  SEEN_WAKING, /* It is woken. */
  SEEN_IN,     /* It gets a CPU. */
  SEEN_OUT,    /* It leaves that, asleep. */
  SEEN_BEGIN,  /* of a window between events, as the next */
  SEEN_END,
  SEEN_LOSS, /* Events between this time and the next were lost. */
} Kind;

typedef struct
{
  int64_t at_ns;
  int64_t until_ns; /* when a timer expires, or until when events were lost */
  uint64_t key;
  int cpu;
  Kind kind;
} Seen;

/* What has begun for a key; as the variables of the triggers, each is used once. */
typedef struct
{
  uint64_t key;
  int64_t due_ns;   /* when it begins, if it does; 0: not known */
  int64_t begun_ns; /* of a response */
  bool timed;       /* It has started a timer since it was asleep. */
  bool asleep;
} Begun;

static struct
{
  const Request *request;
  struct tep_handle *events;
  struct tracefs_instance *instance;
  int begin; /* the numbers of these events; of a task, those of its timer, waking and switches */
  int end;
  int timer;
  int waking;
  int switches;
  Begun begun[MOST_KEYS];
  Seen *seen; /* in order of time, those that cannot be used yet */
  int n_seen;
  int room;
  int64_t read_ns; /* All events before that have been taken. */
  int64_t lost_ns; /* Some events before that are lost. */
  WindowCounts counts;
  bool armed; /* The next window that is a hit stops the trace. */
  bool has_hit;
  WindowHit hit;
} follower;

/* Returns NULL. */
static Begun *
no_room (void)
{
  follower.counts.dropped++;
  return NULL;
}

static bool
is_free (const Begun *begun)
{
  return begun->due_ns == 0 && begun->begun_ns == 0 && !begun->timed && !begun->asleep;
}

/* What has begun for the key; all of it is unset if nothing has. NULL: there is no room for it. */
static Begun *
find_begun (uint64_t key)
{
  uint64_t at = key * 0x9e3779b97f4a7c15ull >> 50;
  Begun *free_one = NULL;

  for (int i = 0; i < MOST_STEPS; i++)
    {
      Begun *begun = &follower.begun[(at + i) % MOST_KEYS];

      if (is_free (begun))
        free_one = free_one ? free_one : begun;
      else if (begun->key == key)
        return begun;
    }
  if (!free_one)
    return no_room ();
  *free_one = (Begun) { .key = key };
  return free_one;
}

static void
count (int64_t us)
{
  WindowCounts *counts = &follower.counts;
  int at = 0;

  for (int to = counts->n; at < to;)
    {
      int middle = (at + to) / 2;

      if (counts->bins[middle].us < us)
        at = middle + 1;
      else
        to = middle;
    }
  if (at < counts->n && counts->bins[at].us == us)
    counts->bins[at].count++;
  else if (counts->n == MOST_BINS)
    counts->dropped++;
  else
    {
      memmove (&counts->bins[at + 1], &counts->bins[at], (counts->n - at) * sizeof *counts->bins);
      counts->bins[at] = (WindowBin) { us, 1 };
      counts->n++;
    }
}

static void
end_window (const Seen *seen, int64_t start_ns)
{
  const Request *request = follower.request;
  int64_t latency_ns = seen->at_ns - start_ns;

  if (latency_ns < 0 || latency_ns >= WINDOW_LONGEST_NS)
    follower.counts.absurd++;
  else if (follower.armed && !follower.has_hit && request_is_hit (request, latency_ns))
    {
      tracing_off ();
      follower.has_hit = true;
      follower.hit = (WindowHit) { .cpu = seen->cpu,
                                   .pid = window_is_of_task (&request->window) ? (pid_t) seen->key : -1,
                                   .latency_ns = latency_ns,
                                   .observed_ns = seen->at_ns / 1000 * 1000 };
    }
  else
    count (latency_ns / 1000);
}

/* Ends what began at @start_ns, unless that is 0, and forgets it. */
static void
end_begun (const Seen *seen, int64_t *start_ns)
{
  if (*start_ns != 0)
    end_window (seen, *start_ns);
  *start_ns = 0;
}

static void
take_response (const Seen *seen, Begun *begun, bool from_waking)
{
  switch (seen->kind)
    {
    case SEEN_IN:
      if (begun->due_ns != 0 && seen->at_ns >= begun->due_ns)
        begun->begun_ns = begun->due_ns;
      begun->due_ns = 0;
      break;
    case SEEN_WAKING:
      if (begun->asleep)
        begun->begun_ns = seen->at_ns;
      begun->asleep = false;
      break;
    default: /* It is asleep. */
      if (from_waking || begun->timed)
        end_begun (seen, &begun->begun_ns);
      begun->timed = false;
      begun->asleep = true;
    }
}

/* Nothing that began before events were lost ends after that, and what is left of meanwhile is not looked at: a window
 * could seem to reach from one event to another, whose own other ends are among those lost of another CPU. */
static void
take_loss (const Seen *seen)
{
  memset (follower.begun, 0, sizeof follower.begun);
  if (seen->until_ns > follower.lost_ns)
    follower.lost_ns = seen->until_ns;
  follower.counts.losses++;
}

/* Does with the event what the triggers do. */
static void
take_event (const Seen *seen)
{
  const Window *window = &follower.request->window;
  Begun *begun = find_begun (seen->key);

  if (!begun)
    return;
  if (seen->kind == SEEN_TIMER)
    {
      begun->due_ns = seen->until_ns;
      begun->timed = true;
    }
  else if (window->kind == WINDOW_RESPONSE)
    take_response (seen, begun, window->from_waking);
  else if (seen->kind == SEEN_WAKING || seen->kind == SEEN_BEGIN)
    begun->due_ns = seen->at_ns;
  else
    end_begun (seen, &begun->due_ns);
}

/* Reading. */

static int
compare_seen (const void *a, const void *b)
{
  const Seen *left = a;
  const Seen *right = b;

  return left->at_ns != right->at_ns ? (left->at_ns > right->at_ns) - (left->at_ns < right->at_ns)
                                     : (left->kind != SEEN_LOSS) - (right->kind != SEEN_LOSS);
}

static void
add (Kind kind, int64_t at_ns, int cpu, uint64_t key, int64_t until_ns)
{
  if (follower.n_seen == follower.room)
    {
      int room = follower.room > 0 ? 2 * follower.room : 1024;
      Seen *more = realloc (follower.seen, room * sizeof *more);

      if (!more) /* As if the kernel had lost it, and what is older. */
        {
          follower.seen[0] = (Seen) { .at_ns = follower.read_ns, .until_ns = at_ns + 1, .kind = SEEN_LOSS };
          follower.n_seen = 1;
          return;
        }
      follower.seen = more;
      follower.room = room;
    }
  follower.seen[follower.n_seen++] = (Seen) { at_ns, until_ns, key, cpu, kind };
}

static uint64_t
number (struct tep_event *event, struct tep_record *record, const char *field)
{
  unsigned long long value = 0;

  tep_get_any_field_val (NULL, event, field, record, &value, 0);
  return value;
}

/* Whether the task is the one whose name and pid are these fields. */
static bool
is_task (struct tep_event *event, struct tep_record *record, const char *comm, const char *pid)
{
  const Window *window = &follower.request->window;
  int length = 0;
  const char *name;

  if (window->by_pid)
    return (pid_t) number (event, record, pid) == atoi (window->task);
  name = tep_get_field_raw (NULL, event, comm, record, &length, 0);
  return name && strnlen (name, length) == strlen (window->task) &&
         memcmp (name, window->task, strlen (window->task)) == 0;
}

/* A text with the hash FNV-1a, as only whether two are the same matters. */
static uint64_t
hash_of (const char *text, size_t length)
{
  uint64_t hash = 0xcbf29ce484222325;

  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char) text[i]) * 0x100000001b3;
  return hash;
}

static uint64_t
key_of (struct tep_event *event, struct tep_record *record, const WindowEnd *end)
{
  struct tep_format_field *field = *end->key ? tep_find_any_field (event, end->key) : NULL;
  const char *text;
  int length = 0;

  if (!field || !(field->flags & (TEP_FIELD_IS_STRING | TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC)))
    return field ? number (event, record, end->key) : 0;
  text = tep_get_field_raw (NULL, event, end->key, record, &length, 0);
  return text && length > 0 ? hash_of (text, strnlen (text, length)) : 0;
}

/* Events that the kernel lost are between those of the last reading and this one. What is read beyond MOST_SEEN is
 * lost, too: it is between this event and now. Returns nonzero if no more is to be read. */
static int
see (struct tep_event *event, struct tep_record *record, int cpu, void *data)
{
  const Window *window = &follower.request->window;
  int64_t at_ns = (int64_t) record->ts;

  if (record->missed_events)
    add (SEEN_LOSS, follower.read_ns, cpu, 0, at_ns);
  if (event->id == follower.begin)
    add (SEEN_BEGIN, at_ns, cpu, key_of (event, record, &window->begin), 0);
  else if (event->id == follower.end)
    add (SEEN_END, at_ns, cpu, key_of (event, record, &window->end), 0);
  else if (event->id == follower.timer)
    add (SEEN_TIMER, at_ns, cpu, number (event, record, "common_pid"), (int64_t) number (event, record, "softexpires"));
  else if (event->id == follower.waking)
    add (SEEN_WAKING, at_ns, cpu, (pid_t) number (event, record, "pid"), 0);
  else if (event->id == follower.switches)
    {
      if (window->kind == WINDOW_RESPONSE && number (event, record, "prev_state") == 1 &&
          is_task (event, record, "prev_comm", "prev_pid"))
        add (SEEN_OUT, at_ns, cpu, (pid_t) number (event, record, "prev_pid"), 0);
      if (is_task (event, record, "next_comm", "next_pid"))
        add (SEEN_IN, at_ns, cpu, (pid_t) number (event, record, "next_pid"), 0);
    }
  if (follower.n_seen < MOST_SEEN)
    return 0;
  add (SEEN_LOSS, at_ns, cpu, 0, now_ns ());
  return 1;
}

bool
follow_read (void)
{
  int64_t now = now_ns (); /* What is older is there by now, on each CPU. */
  int used = 0;

  tracefs_iterate_raw_events (follower.events, follower.instance, NULL, 0, see, NULL);
  qsort (follower.seen, follower.n_seen, sizeof *follower.seen, compare_seen);
  for (; used < follower.n_seen && follower.seen[used].at_ns < now; used++)
    if (follower.seen[used].kind == SEEN_LOSS)
      take_loss (&follower.seen[used]);
    else if (follower.seen[used].at_ns >= follower.lost_ns)
      take_event (&follower.seen[used]);
  follower.read_ns = now;
  follower.n_seen -= used;
  if (used > 0)
    memmove (follower.seen, follower.seen + used, follower.n_seen * sizeof *follower.seen);
  return follower.has_hit;
}

void
follow_counts (WindowCounts *counts)
{
  *counts = follower.counts;
}

void
follow_arm (bool armed)
{
  follower.armed = armed;
  follower.has_hit = false;
}

bool
follow_hit (WindowHit *hit)
{
  *hit = follower.hit;
  return follower.has_hit;
}

/* Beginning and ending. */

bool
follow_can (const Window *window)
{
  return window->kind != WINDOW_MARKS &&
         (window->kind != WINDOW_BETWEEN || strcmp (window->begin.system, window->end.system) != 0 ||
          strcmp (window->begin.event, window->end.event) != 0);
}

/* Has @event recorded in the instance if @condition, which may be empty, is met. Returns its number; -1 with an error.
 */
static int
record (const Triggers *triggers, const char *system, const char *name, const char *condition)
{
  struct tep_event *event = tep_find_event_by_name (follower.events, system, name);
  char file[256];
  bool good = event;

  snprintf (file, sizeof file, "%sevents/%s/%s/filter", triggers->folder, system, name);
  good = good && (!*condition || setting_write (file, condition));
  snprintf (file, sizeof file, "%sevents/%s/%s/enable", triggers->folder, system, name);
  if (good && setting_write (file, "1"))
    return event->id;
  fail ("the event %s:%s cannot be watched: %s", system, name, event ? strerror (errno) : "its format is not known");
  return -1;
}

static bool
record_events (const Triggers *triggers, const Window *window)
{
  char condition[320];

  if (window->kind == WINDOW_BETWEEN)
    return (follower.begin = record (triggers, window->begin.system, window->begin.event, window->begin.filter)) >= 0 &&
           (follower.end = record (triggers, window->end.system, window->end.event, window->end.filter)) >= 0;
  snprintf (condition, sizeof condition, window->kind == WINDOW_RESPONSE ? "%s || (%s && prev_state == 1)" : "%s",
            triggers_is_task (window, "next_comm", "next_pid"), triggers_is_task (window, "prev_comm", "prev_pid"));
  if ((follower.switches = record (triggers, "sched", "sched_switch", condition)) < 0)
    return false;
  if (window->from_waking)
    return (follower.waking = record (triggers, "sched", "sched_waking", triggers_is_task (window, "comm", "pid"))) >=
           0;
  snprintf (condition, sizeof condition, OWN_TIMER, triggers_is_task (window, "comm", "common_pid"));
  return (follower.timer = record (triggers, "timer", "hrtimer_start", condition)) >= 0;
}

bool
follow_begin (const Triggers *triggers, const Request *request)
{
  const char *const systems[] = { "sched", "timer", request->window.begin.system, request->window.end.system, NULL };
  bool between = request->window.kind == WINDOW_BETWEEN;

  follow_end ();
  follower.request = request;
  follower.begin = follower.end = follower.timer = follower.waking = follower.switches = -1;
  follower.events = tracefs_local_events_system (NULL, between ? systems + 2 : systems);
  follower.instance = tracefs_instance_alloc (NULL, triggers->name);
  follower.seen = malloc (sizeof *follower.seen);
  follower.room = follower.seen ? 1 : 0;
  return follower.events && follower.instance && follower.seen
             ? record_events (triggers, &request->window)
             : fail ("the formats of events cannot be read: %s", strerror (errno));
}

void
follow_end (void)
{
  tep_free (follower.events);
  tracefs_instance_free (follower.instance);
  free (follower.seen);
  memset (&follower, 0, sizeof follower);
}

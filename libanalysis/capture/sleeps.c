/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the measured task's sleeps by a walk over its calls, and the timer interrupts that ended them by a look at
 * the events before. */
#include "sleeps-private.h"

#define MAX_VISITS_BACK 64 /* Of other tasks, between the timer's interrupt and the task's return. */

typedef struct
{
  const Walk *walk;
  const CulpritCapture *capture;
  Sleeps *found;
  guint32 clock_read; /* The function that reads a clock for the task; NO_FUNCTION: there is none. */
  guint32 returning;  /* The epoch, where nothing but the way back to user mode came after the last sleep; or 0. */
  guint64 seen_ns;    /* The end of the task's last stretch. */
  gboolean in_user;   /* Nothing but user mode and system calls came since the last of the user times began. */
  gboolean on_way;    /* Since then, the task came along on its way back from a sleep or an interrupt, */
  gboolean arrived;   /* and called the kernel for something else: it had arrived. */
  gboolean returned;  /* The present user time has not begun before the last call ended. */
} Search;

/* Parts of the names of the functions on the way from a system call back to user mode. They are not inside of the
 * call, and take 20 us when traced. The last four are called by one of the others, where that is not
 * inlined as in Linux 6.12. */
static const char *const ways_back[] = {
  "exit_to_user",     "syscall_exit",           "return_slowpath", "notify_resume",
  "handle_over_high", "maybe_throttle_current", "fpregs_assert",   "switch_fpu_return",
};

/* The end of the name of the system call that reads a clock. */
static const char clock_read[] = "clock_gettime";

/* The functions that timers call to wake a task. */
static const char *const wake_ups[] = { "hrtimer_wakeup", "posix_timer_fn", "it_real_fn", "timerfd_tmrproc" };

/* Parts of the names of the functions that an interrupt may call before its own context begins. */
static const char *const beginnings[] = { "irq_enter", "irqentry_enter" };

static gboolean
is_way_back (const CulpritCapture *capture, guint function)
{
  const char *name = g_array_index (capture->functions, CulpritFunction, function).name;

  for (guint i = 0; i < G_N_ELEMENTS (ways_back); i++)
    if (strstr (name, ways_back[i]))
      return TRUE;
  return FALSE;
}

static inline void
on_stretch (gpointer data, const Stretch *stretch)
{
  Search *search = data;
  GArray *users = search->found->users;

  if (stretch->start_ns != search->seen_ns || stretch->lost || stretch->context >= CULPRIT_CONTEXT_HARDIRQ)
    search->in_user = search->on_way = search->arrived = FALSE;
  search->seen_ns = stretch->end_ns;
  if (stretch->function != CULPRIT_FUNCTION_USER)
    return;
  if (!search->in_user)
    g_array_append_val (users, ((UserTime) { stretch->start_ns, stretch->end_ns }));
  else if (search->returned)
    g_array_index (users, UserTime, users->len - 1).start_ns = stretch->start_ns;
  g_array_index (users, UserTime, users->len - 1).end_ns = stretch->end_ns;
  search->in_user = TRUE;
  search->returned = FALSE;
}

static inline void
on_enter (gpointer data, guint stream, Task *task, Frame *frame)
{
}

static inline void
on_leave (gpointer data, guint stream, Task *task, Frame *frame, guint64 end_ns)
{
  Search *search = data;
  GArray *sleeps = search->found->sleeps;
  Sleep sleep = { .start_ns = frame->start_ns,
                  .end_ns = end_ns,
                  .cpu = ((const Stream *) g_ptr_array_index (search->walk->streams, stream))->cpu };
  gboolean way_back;
  gboolean slept;

  if (G_UNLIKELY (frame->function == search->clock_read))
    g_array_append_val (search->found->reads, ((UserTime) { frame->start_ns, end_ns }));
  if (frame != &task->frames[0])
    return;
  way_back = !(frame->marks & MARK_CUT) && is_way_back (search->capture, frame->function);
  if (search->returning == task->epoch && way_back)
    {
      g_array_index (sleeps, Sleep, sleeps->len - 1).end_ns = end_ns;
      g_array_index (sleeps, Sleep, sleeps->len - 1).cpu = sleep.cpu;
      search->on_way = search->returned = TRUE;
      return;
    }
  slept = !(frame->marks & MARK_CUT) && frame->arrivals != task->arrivals;
  search->returning = slept ? task->epoch : 0;
  search->arrived |= search->on_way && !way_back;
  search->on_way |= slept || way_back;
  search->returned = slept || (way_back && !search->arrived);
  if (slept)
    g_array_append_val (sleeps, sleep);
}

static int
compare_sleeps (gconstpointer a, gconstpointer b)
{
  const Sleep *left = a;
  const Sleep *right = b;

  if (left->end_ns != right->end_ns)
    return left->end_ns < right->end_ns ? -1 : 1;
  return left->start_ns < right->start_ns ? -1 : left->start_ns > right->start_ns;
}

static int
compare_users (gconstpointer a, gconstpointer b)
{
  guint64 left = ((const UserTime *) a)->start_ns;
  guint64 right = ((const UserTime *) b)->start_ns;

  return left < right ? -1 : left > right;
}

static guint32
find_clock_read (const CulpritCapture *capture)
{
  for (guint i = CULPRIT_FUNCTION_PSEUDO; i < capture->functions->len; i++)
    {
      const char *name = g_array_index (capture->functions, CulpritFunction, i).name;

      if (strstr (name, "sys_") && g_str_has_suffix (name, clock_read))
        return i;
    }
  return NO_FUNCTION;
}

Sleeps *
sleeps_find (Walk *walk, const CulpritCapture *capture, gint32 pid)
{
  static const WalkOps ops = { on_stretch, on_enter, on_leave };
  Sleeps *found = g_new0 (Sleeps, 1);
  Search search = { .walk = walk, .capture = capture, .found = found, .clock_read = find_clock_read (capture) };

  found->sleeps = g_array_new (FALSE, FALSE, sizeof (Sleep));
  found->reads = g_array_new (FALSE, FALSE, sizeof (UserTime));
  found->users = g_array_new (FALSE, FALSE, sizeof (UserTime));
  for (guint i = 0; i < walk->tasks->len; i++)
    if (g_array_index (walk->tasks, Task, i).pid == pid)
      walk_run (walk, &ops, &search, i);
  g_array_sort (found->sleeps, compare_sleeps);
  g_array_sort (found->users, compare_users);
  g_array_sort (found->reads, compare_users);
  return found;
}

/* What a function means to the search for interrupts. */
typedef enum
{
  MEANS_NOTHING,
  MEANS_WAKE_UP,
  MEANS_BEGINNING,
} Meaning;

/* The meaning of each function of @capture; NULL if none wakes anybody. The caller owns it. */
static guint8 *
find_meanings (const CulpritCapture *capture)
{
  g_autofree guint8 *meanings = g_new0 (guint8, capture->functions->len);
  gboolean any = FALSE;

  for (guint i = CULPRIT_FUNCTION_PSEUDO; i < capture->functions->len; i++)
    {
      const char *name = g_array_index (capture->functions, CulpritFunction, i).name;

      for (guint k = 0; k < G_N_ELEMENTS (wake_ups); k++)
        if (g_str_equal (name, wake_ups[k]))
          {
            meanings[i] = MEANS_WAKE_UP;
            any = TRUE;
          }
      for (guint k = 0; k < G_N_ELEMENTS (beginnings); k++)
        if (strstr (name, beginnings[k]))
          meanings[i] = MEANS_BEGINNING;
    }
  return any ? g_steal_pointer (&meanings) : NULL;
}

/* Looks in @visit for the last interrupt during @sleep in which a timer woke somebody, and tells @sleep of it. */
static gboolean
find_wake_up (const Stream *stream, const Visit *visit, const guint8 *meanings, Sleep *sleep)
{
  EventReader reader = stream_events (stream, visit);
  guint64 interrupt_ns = 0; /* when the present interrupt began */
  guint64 beginning_ns = 0; /* when its first function was called, before its context was the interrupt's */
  gint level = 0;           /* the calls that are open in that function, itself included */
  gboolean found = FALSE;

  while (event_reader_next (&reader) && reader.now_ns <= sleep->end_ns)
    {
      Meaning meaning = reader.kind == PACKED_ENTRY ? meanings[stream->functions[reader.function]] : MEANS_NOTHING;

      if ((reader.interrupts & INTERRUPT_BITS) == 0)
        {
          interrupt_ns = 0;
          if (meaning == MEANS_BEGINNING && level <= 0)
            beginning_ns = reader.now_ns;
          else if (level <= 0)
            beginning_ns = 0;
          level = beginning_ns > 0 ? level + (reader.kind == PACKED_ENTRY) - (reader.kind == PACKED_EXIT) : 0;
        }
      else if (interrupt_ns == 0)
        {
          interrupt_ns = beginning_ns > 0 ? beginning_ns : reader.now_ns;
          beginning_ns = 0;
          level = 0;
        }
      if (meaning != MEANS_WAKE_UP || interrupt_ns < sleep->start_ns)
        continue;
      sleep->timer_ns = interrupt_ns;
      sleep->wake_ns = reader.now_ns;
      found = TRUE;
    }
  return found;
}

/* The number of the last visit of @stream that began at @at_ns or before; -1: there is none. */
static gint
find_visit (const Stream *stream, guint64 at_ns)
{
  guint low = 0;
  guint high = stream->visits->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (g_array_index (stream->visits, Visit, middle).start_ns <= at_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return (gint) low - 1;
}

static const Stream *
find_stream (const Walk *walk, guint cpu)
{
  for (guint i = 0; i < walk->streams->len; i++)
    if (((const Stream *) g_ptr_array_index (walk->streams, i))->cpu == cpu)
      return g_ptr_array_index (walk->streams, i);
  return NULL;
}

static void
find_timer (const Walk *walk, const guint8 *meanings, Sleep *sleep)
{
  const Stream *stream = find_stream (walk, sleep->cpu);
  gint last = stream ? find_visit (stream, sleep->end_ns) : -1;

  for (gint i = last; i >= 0 && i > last - MAX_VISITS_BACK; i--)
    {
      const Visit *visit = &g_array_index (stream->visits, Visit, i);

      if (visit->end_ns < sleep->start_ns || find_wake_up (stream, visit, meanings, sleep) || visit->after_loss)
        return;
    }
}

void
sleeps_find_timers (const Walk *walk, const CulpritCapture *capture, Sleeps *sleeps, guint last, guint n)
{
  g_autofree guint8 *meanings = find_meanings (capture);

  for (guint i = last + 1 - MIN (n, last + 1); meanings && i <= last; i++)
    find_timer (walk, meanings, &g_array_index (sleeps->sleeps, Sleep, i));
}

void
sleeps_find_timer (const Walk *walk, const CulpritCapture *capture, Sleep *sleep)
{
  g_autofree guint8 *meanings = find_meanings (capture);

  if (meanings)
    find_timer (walk, meanings, sleep);
}

guint64
sleeps_last_event_ns (const Walk *walk, guint cpu, guint64 at_ns)
{
  const Stream *stream = find_stream (walk, cpu);
  gint last = stream && at_ns > 0 ? find_visit (stream, at_ns - 1) : -1;
  guint64 found_ns = 0;
  EventReader reader;

  if (last < 0)
    return 0;
  reader = stream_events (stream, &g_array_index (stream->visits, Visit, last));
  while (event_reader_next (&reader) && reader.now_ns < at_ns)
    found_ns = reader.now_ns;
  return found_ns;
}

void
sleeps_free (Sleeps *sleeps)
{
  g_array_unref (sleeps->sleeps);
  g_array_unref (sleeps->users);
  g_array_unref (sleeps->reads);
  g_free (sleeps);
}

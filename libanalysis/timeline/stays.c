/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the task of a late window does in it, from where the window lies and who has these CPUs there. */
#include "lane-private.h"

#include "capture/capture.h"
#include "names.h"
#include "seeded-hash.h"
#include "units.h"

#define MOST_TOLD 6

void
stay_clear (gpointer data)
{
  CulpritTimelineStay *stay = data;

  g_free (stay->who);
  g_free (stay->in);
}

char *
culprit_timeline_task_label (const CulpritTimelineTask *task)
{
  return task->pid == 0 ? g_strdup (task->comm)
                        : g_strdup_printf ("%s-%d", *task->comm ? task->comm : "task", task->pid);
}

/* The timeline's tasks by pid. A window may have as many waits as a task has switches, each with its waker. */
static GHashTable *
index_tasks (const CulpritTimeline *timeline)
{
  GHashTable *tasks = g_hash_table_new (culprit_hash_direct, NULL);

  for (guint i = 0; i < timeline->tasks->len; i++)
    {
      const CulpritTimelineTask *task = &g_array_index (timeline->tasks, CulpritTimelineTask, i);

      if (!g_hash_table_contains (tasks, GINT_TO_POINTER (task->pid)))
        g_hash_table_insert (tasks, GINT_TO_POINTER (task->pid), (gpointer) task);
    }
  return tasks;
}

static char *
label_of (GHashTable *tasks, gint32 pid)
{
  const CulpritTimelineTask *task = g_hash_table_lookup (tasks, GINT_TO_POINTER (pid));

  if (task)
    return culprit_timeline_task_label (task);
  return pid > 0 ? g_strdup_printf ("task-%d", pid) : g_strdup ("");
}

static char *
name_waker (GHashTable *tasks, gint32 pid, CulpritContext context)
{
  return context == CULPRIT_CONTEXT_TASK ? label_of (tasks, pid)
                                         : g_strdup (culprit_waker_in_words (culprit_context_name (context)));
}

static const CulpritTimelineCpu *
find_cpu (const CulpritTimeline *timeline, guint number)
{
  for (guint i = 0; i < timeline->cpus->len; i++)
    if (g_array_index (timeline->cpus, CulpritTimelineCpu, i).cpu == number)
      return &g_array_index (timeline->cpus, CulpritTimelineCpu, i);
  return NULL;
}

/* The call with which a task left @cpu at @at_ns: the innermost one that goes on. */
static char *
find_wait (const CulpritTimeline *timeline, const CulpritTimelineCpu *cpu, guint64 at_ns)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint lane = 1; at_ns > 0 && lane < cpu->n_lanes; lane++)
    {
      guint32 span = culprit_timeline_hit (timeline, cpu->first_lane + lane, at_ns - 1, 0);
      CulpritTimelineCall call;

      if (span == CULPRIT_TIMELINE_NONE)
        break;
      culprit_timeline_describe (timeline, cpu->first_lane + lane, span, &call);
      if (call.marks & CULPRIT_SPAN_CONTINUES)
        g_ptr_array_add (names, (gpointer) call.name);
    }
  return g_strdup (culprit_name_of_wait ((char **) names->pdata, names->len));
}

/* Adds those on the CPU of @piece, by who has that. */
static void
add_visits (CulpritTimeline *timeline, const CulpritPiece *piece, const CulpritWindow *outlier)
{
  const CulpritTimelineCpu *cpu = find_cpu (timeline, piece->cpu);
  const Lane *lane = cpu ? g_ptr_array_index (timeline->lanes, cpu->first_lane) : NULL;

  for (guint32 i = lane ? lane_first_ending_after (lane, 0, piece->start_ns) : 0; lane && i < lane->spans->len; i++)
    {
      const Span *span = lane_span (lane, i);
      const CulpritTimelineTask *task = &g_array_index (timeline->tasks, CulpritTimelineTask, span_what (span));
      guint64 start_ns = MAX (span->start_ns, piece->start_ns);
      const guint64 end_ns = MIN (lane_end_ns (lane, i), piece->end_ns);

      if (span->start_ns >= piece->end_ns)
        break;
      while (start_ns < end_ns)
        {
          gboolean due = start_ns < outlier->woken_ns;
          CulpritTimelineStay stay = { .start_ns = start_ns,
                                       .end_ns = due ? MIN (end_ns, outlier->woken_ns) : end_ns,
                                       .context = task->pid != 0 && task->pid != outlier->pid ? CULPRIT_CONTEXT_TASK
                                                  : due || task->pid == 0                     ? CULPRIT_CONTEXT_IDLE
                                                                          : CULPRIT_CONTEXT_MEASURED,
                                       .due = due,
                                       .cpu = piece->cpu,
                                       .who = culprit_timeline_task_label (task),
                                       .in = g_strdup ("") };

          start_ns = stay.end_ns;
          g_array_append_val (timeline->stays, stay);
        }
    }
}

void
timeline_find_stays (CulpritTimeline *timeline)
{
  const CulpritCapture *capture = timeline->capture;
  const CulpritWindow *outlier = culprit_capture_outlier (capture);
  const CulpritTimelineCpu *cpu = NULL; /* where the task was last */
  g_autoptr (GHashTable) tasks = NULL;

  if (!outlier || g_strcmp0 (capture->measured, CULPRIT_WINDOWS_OF_CYCLES) == 0)
    return;
  tasks = index_tasks (timeline);
  timeline->measured = label_of (tasks, outlier->pid);
  if (outlier->woken_ns > 0)
    timeline->waker = name_waker (tasks, outlier->waker, outlier->waker_context);
  for (guint i = 0; i < capture->pieces->len; i++)
    {
      const CulpritPiece *piece = &g_array_index (capture->pieces, CulpritPiece, i);
      CulpritTimelineStay stay = { .start_ns = piece->start_ns,
                                   .end_ns = piece->end_ns,
                                   .context = CULPRIT_CONTEXT_BLOCKED };

      if (&g_array_index (capture->windows, CulpritWindow, piece->window) != outlier)
        continue;
      if (!piece->blocked)
        {
          add_visits (timeline, piece, outlier);
          cpu = find_cpu (timeline, piece->cpu);
          continue;
        }
      stay.who = name_waker (tasks, piece->waker, piece->waker_context);
      stay.in = cpu ? find_wait (timeline, cpu, piece->start_ns) : g_strdup ("");
      g_array_append_val (timeline->stays, stay);
    }
}

char *
culprit_timeline_stay_in_words (const CulpritTimelineStay *stay)
{
  g_autofree char *kept = culprit_kept_in_words (stay->context, stay->who, stay->in);

  if (stay->context == CULPRIT_CONTEXT_BLOCKED)
    return g_steal_pointer (&kept);
  if (stay->due && stay->context == CULPRIT_CONTEXT_TASK)
    return g_strdup_printf ("not yet woken, while %s has CPU %u", stay->who, stay->cpu);
  if (stay->due)
    return g_strdup_printf ("not yet woken, while CPU %u is idle", stay->cpu);
  if (stay->context == CULPRIT_CONTEXT_MEASURED)
    return g_strdup_printf ("runs on CPU %u", stay->cpu);
  return kept ? g_strdup_printf ("%s on CPU %u", kept, stay->cpu)
              : g_strdup_printf ("waits for idle CPU %u", stay->cpu);
}

/* Stays that are told alike. */
typedef struct
{
  char *words;
  guint64 sum_ns;
} Told;

static int
compare_told (gconstpointer a, gconstpointer b)
{
  guint64 left = ((const Told *) a)->sum_ns;
  guint64 right = ((const Told *) b)->sum_ns;

  return left > right ? -1 : left < right;
}

char *
culprit_timeline_stays_in_words (const CulpritTimeline *timeline)
{
  g_autoptr (GHashTable) places = g_hash_table_new (culprit_hash_text, g_str_equal);
  g_autoptr (GArray) told = g_array_new (FALSE, FALSE, sizeof (Told));
  GString *text = timeline->stays->len > 0 ? g_string_new (timeline->measured) : NULL;

  for (guint i = 0; i < timeline->stays->len; i++)
    {
      const CulpritTimelineStay *stay = &g_array_index (timeline->stays, CulpritTimelineStay, i);
      Told one = { culprit_timeline_stay_in_words (stay), 0 };
      guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, one.words));

      if (place > 0)
        g_free (one.words);
      else
        {
          g_array_append_val (told, one);
          g_hash_table_insert (places, one.words, GUINT_TO_POINTER (place = told->len));
        }
      g_array_index (told, Told, place - 1).sum_ns += stay->end_ns - stay->start_ns;
    }
  g_array_sort (told, compare_told);
  for (guint i = 0; i < told->len; i++)
    {
      Told *one = &g_array_index (told, Told, i);
      g_autofree char *time = culprit_time_format (one->sum_ns);

      if (i < MOST_TOLD)
        g_string_append_printf (text, "%s %s for %s", i > 0 ? ";" : ":", one->words, time);
      g_free (one->words);
    }
  if (told->len > MOST_TOLD)
    g_string_append_printf (text, "; and %u more", told->len - MOST_TOLD);
  if (text && timeline->waker)
    g_string_append_printf (text, "; woken by %s", timeline->waker);
  return text ? g_string_free (text, FALSE) : NULL;
}

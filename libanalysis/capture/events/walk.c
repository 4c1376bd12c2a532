/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prepares the walk: puts the visits of all CPUs in order, finds their tasks, and what each task's stack contained
 * before its first event, which only later exits show. */
#include "seeded-hash.h"
#include "walk-private.h"

/* The state of the search for heads for a task. */
typedef struct
{
  guint epoch;  /* plus one; 0: none yet */
  guint lowest; /* Lowest depth of its events in the epoch; 0: there can be no more heads. */
  guint stream;
  guint losses; /* of the stream so far */
} Search;

void
walk_grow (Task *task, guint depth)
{
  if ((int) depth < task->capacity)
    return;
  task->capacity = MIN (MAX (4, (depth + 1) * 2), MAX_DEPTH + 1);
  task->frames = g_renew (Frame, task->frames, task->capacity);
}

static void
task_clear (Task *task)
{
  g_free (task->frames);
}

void
walk_free (Walk *walk)
{
  g_array_unref (walk->steps);
  g_array_unref (walk->tasks);
  g_array_unref (walk->epochs);
  g_array_unref (walk->heads);
  g_free (walk);
}

void
walk_measure (Walk *walk, gint32 pid)
{
  for (guint i = 0; i < walk->tasks->len; i++)
    {
      Task *task = &g_array_index (walk->tasks, Task, i);

      task->context = task->pid == 0     ? CULPRIT_CONTEXT_IDLE
                      : task->pid == pid ? CULPRIT_CONTEXT_MEASURED
                                         : CULPRIT_CONTEXT_TASK;
      task->source = 0;
    }
}

guint64
walk_first_ns (const Walk *walk, guint cpu)
{
  for (guint i = 0; i < walk->streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (walk->streams, i);

      if (stream->cpu == cpu)
        return stream_first_ns (stream);
    }
  return G_MAXUINT64;
}

/* The task of @visit: by pid, or for pid 0 by CPU. */
static guint32
find_task (Walk *walk, GHashTable *tasks, const Visit *visit)
{
  gint64 key = visit->pid != 0 ? visit->pid : G_MININT64 + visit->stream;
  gpointer found = g_hash_table_lookup (tasks, &key);
  Task task = { .pid = visit->pid, .top = -1, .stream = visit->stream };
  gint64 *kept;

  if (found)
    return GPOINTER_TO_UINT (found) - 1;
  walk_grow (&task, 0);
  g_array_append_val (walk->tasks, task);
  kept = g_new (gint64, 1);
  *kept = key;
  g_hash_table_insert (tasks, kept, GUINT_TO_POINTER (walk->tasks->len));
  return walk->tasks->len - 1;
}

static gboolean
is_before (const Visit *left, const Visit *right)
{
  return left->start_ns != right->start_ns ? left->start_ns < right->start_ns : left->stream < right->stream;
}

/* Moves the visit at @i of the heap @next, of @n, down to its position. */
static void
sink (const Visit **next, guint n, guint i)
{
  const Visit *visit = next[i];

  for (guint child = 2 * i + 1; child < n; child = 2 * i + 1)
    {
      child += child + 1 < n && is_before (next[child + 1], next[child]);
      if (!is_before (next[child], visit))
        break;
      next[i] = next[child];
      i = child;
    }
  next[i] = visit;
}

/* Merges the visits of the CPUs by their start; on ties, the lower CPU comes first. There may be thousands of CPUs: a
 * heap contains the next visit of each. */
static void
order_visits (Walk *walk)
{
  g_autoptr (GHashTable) tasks = g_hash_table_new_full (culprit_hash_number, g_int64_equal, g_free, NULL);
  g_autofree const Visit **next = g_new0 (const Visit *, walk->streams->len + 1);
  guint n = 0;

  for (guint i = 0; i < walk->streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (walk->streams, i);

      if (stream->visits->len > 0)
        next[n++] = &g_array_index (stream->visits, Visit, 0);
    }
  for (guint i = n; i > 0; i--)
    sink (next, n, i - 1);
  while (n > 0)
    {
      const Visit *first = next[0];
      const Stream *stream = g_ptr_array_index (walk->streams, first->stream);
      Step step = { first, find_task (walk, tasks, first), 0 };

      g_array_append_val (walk->steps, step);
      next[0] = first == &g_array_index (stream->visits, Visit, stream->visits->len - 1) ? next[--n] : first + 1;
      sink (next, n, 0);
    }
}

static void
add_head (Walk *walk, GArray *owners, guint epoch, const Head *head)
{
  g_array_append_val (walk->heads, *head);
  g_array_append_val (owners, epoch);
}

/* Searches the visit for heads, and for the depth at which the epoch began. */
static void
search_visit (Walk *walk, GArray *owners, const Visit *visit, Search *search)
{
  const Stream *stream = g_ptr_array_index (walk->streams, visit->stream);
  Epoch *epoch = &g_array_index (walk->epochs, Epoch, search->epoch - 1);
  EventReader reader = stream_events (stream, visit);
  guint open = 0;
  guint depth;

  while (search->lowest > 0 && event_reader_next_call (&reader, &open, &depth))
    {
      if (search->lowest == G_MAXUINT)
        epoch->top = reader.kind == PACKED_ENTRY ? (int) depth - 1 : (int) depth;
      if (reader.kind == PACKED_EXIT && depth < search->lowest)
        {
          Head head = { reader.now_ns - MIN (reader.lasted_ns, reader.now_ns), stream->functions[reader.function],
                        depth, reader.interrupts };

          add_head (walk, owners, search->epoch - 1, &head);
        }
      search->lowest = MIN (search->lowest, depth);
    }
}

/* Sorts the heads, found in order of time, by their epochs. */
static void
group_heads (Walk *walk, const GArray *owners)
{
  g_autoptr (GArray) heads = g_steal_pointer (&walk->heads);
  guint first = 0;

  walk->heads = g_array_sized_new (FALSE, FALSE, sizeof (Head), heads->len);
  g_array_set_size (walk->heads, heads->len);
  for (guint i = 0; i < heads->len; i++)
    g_array_index (walk->epochs, Epoch, g_array_index (owners, guint, i)).n_heads++;
  for (guint i = 0; i < walk->epochs->len; i++)
    {
      Epoch *epoch = &g_array_index (walk->epochs, Epoch, i);

      epoch->first_head = first;
      first += epoch->n_heads;
      epoch->n_heads = 0;
    }
  for (guint i = 0; i < heads->len; i++)
    {
      Epoch *epoch = &g_array_index (walk->epochs, Epoch, g_array_index (owners, guint, i));

      g_array_index (walk->heads, Head, epoch->first_head + epoch->n_heads++) = g_array_index (heads, Head, i);
    }
}

static void
find_heads (Walk *walk)
{
  g_autofree Search *searches = g_new0 (Search, walk->tasks->len + 1);
  g_autofree guint *losses = g_new0 (guint, walk->streams->len + 1);
  g_autoptr (GArray) owners = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < walk->steps->len; i++)
    {
      Step *step = &g_array_index (walk->steps, Step, i);
      Search *search = &searches[step->task];

      losses[step->visit->stream] += step->visit->after_loss;
      if (search->losses != losses[search->stream])
        search->epoch = 0;
      search->stream = step->visit->stream;
      search->losses = losses[search->stream];
      if (search->epoch == 0)
        {
          Epoch epoch = { -1, 0, 0 };

          g_array_append_val (walk->epochs, epoch);
          search->epoch = step->epoch = walk->epochs->len;
          search->lowest = G_MAXUINT;
        }
      if (search->lowest > 0)
        search_visit (walk, owners, step->visit, search);
    }
  group_heads (walk, owners);
}

Walk *
walk_new (GPtrArray *streams, gint32 measured_pid)
{
  Walk *walk = g_new0 (Walk, 1);

  walk->streams = streams;
  walk->steps = g_array_new (FALSE, FALSE, sizeof (Step));
  walk->tasks = g_array_new (FALSE, FALSE, sizeof (Task));
  walk->epochs = g_array_new (FALSE, FALSE, sizeof (Epoch));
  walk->heads = g_array_new (FALSE, FALSE, sizeof (Head));
  g_array_set_clear_func (walk->tasks, (GDestroyNotify) task_clear);
  order_visits (walk);
  walk_measure (walk, measured_pid);
  find_heads (walk);
  return walk;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A source is where the context changes: below it the stack is somebody else's. */
#include "seeded-hash.h"
#include "sources-private.h"

#include <string.h>

#define PATH_SHARE 50 /* A part of the budget gets a path where it has one in so many of the window's ns. */
#define MAX_PATH 12   /* calls */
#define ARROW " > "
#define LOOK_BACK 4       /* lengths of a stall, before it */
#define SILENT_PERCENT 80 /* of a stall, in which a CPU has no event */
#define USUAL_PERCENT 60  /* of it, for which a CPU that could tell is silent before, at most */

static gboolean
is_task (CulpritContext context)
{
  return context == CULPRIT_CONTEXT_MEASURED || context == CULPRIT_CONTEXT_TASK || context == CULPRIT_CONTEXT_IDLE;
}

/* The function with which the interrupt on top of the stack began. */
static guint
find_root (const Task *task, CulpritContext context)
{
  guint root = CULPRIT_FUNCTION_NOT_CAPTURED;

  for (int depth = task->top; depth >= 0; depth--)
    {
      const Frame *frame = &task->frames[depth];

      if (frame->function == NO_FUNCTION)
        continue;
      if (frame->context != context)
        break;
      root = frame->function;
    }
  return root;
}

/* What tells a source from others. */
static gint64
source_key (CulpritContext context, gint32 pid, guint function)
{
  return (gint64) context << 32 | (is_task (context) ? (guint32) pid : function);
}

static guint
find_number (const Sources *sources, gint64 key)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (sources->numbers, &key));
}

static void
keep_number (Sources *sources, gint64 key, guint number)
{
  g_hash_table_insert (sources->numbers, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (number));
}

void
sources_init (Sources *sources, GArray *array)
{
  *sources = (Sources) { .array = array };
  sources->numbers = g_hash_table_new_full (culprit_hash_number, g_int64_equal, g_free, NULL);
  for (guint i = 0; i < array->len; i++)
    {
      const CulpritSource *source = &g_array_index (array, CulpritSource, i);

      keep_number (sources, source_key (source->context, source->pid, source->function), i + 1);
    }
}

void
sources_clear (Sources *sources)
{
  g_hash_table_unref (sources->numbers);
}

static CulpritSource *
find_source (Sources *sources, CulpritContext context, gint32 pid, guint function)
{
  CulpritSource added = { .context = context, .pid = pid, .function = function, .priority = -1 };
  gint64 key = source_key (context, pid, function);

  if (sources->last_number == 0 || key != sources->last_key) /* Most often it is the same. */
    {
      sources->last_key = key;
      sources->last_number = find_number (sources, key);
    }
  if (sources->last_number == 0)
    {
      g_array_append_val (sources->array, added);
      sources->last_number = sources->array->len;
      keep_number (sources, key, sources->last_number);
    }
  return &g_array_index (sources->array, CulpritSource, sources->last_number - 1);
}

void
sources_add (
    Sources *sources, const CulpritCapture *capture, const Stretch *stretch, guint64 length_ns, guint64 tracing_ns)
{
  gboolean task = is_task (stretch->context);
  guint function = task ? CULPRIT_FUNCTION_USER : find_root (stretch->task, stretch->context);
  CulpritSource *source = find_source (sources, stretch->context, task ? stretch->task->pid : 0, function);

  source->self_ns += length_ns;
  source->tracing_ns += tracing_ns;
  if (!task)
    source->name = g_array_index (capture->functions, CulpritFunction, function).name;
  else if (stretch->context == CULPRIT_CONTEXT_IDLE)
    source->name = "idle";
}

void
sources_sum (Sources *sums, Sources *window)
{
  for (guint i = 0; i < window->array->len; i++)
    {
      const CulpritSource *source = &g_array_index (window->array, CulpritSource, i);
      CulpritSource *sum = find_source (sums, source->context, source->pid, source->function);

      sum->name = source->name;
      sum->windows++;
      sum->self_ns += source->self_ns;
      sum->tracing_ns += source->tracing_ns;
      culprit_spread_add (&sum->untraced_ns, source->self_ns - source->tracing_ns);
    }
  g_array_set_size (window->array, 0);
  g_hash_table_remove_all (window->numbers);
  window->last_number = 0;
}

static const CulpritTreeNode *
node_at (const CulpritTree *tree, guint index)
{
  return &g_array_index (tree->nodes, CulpritTreeNode, index);
}

/* Whether @node begins a source. */
static gboolean
begins_source (const CulpritTree *tree, const CulpritTreeNode *node)
{
  return node->parent == CULPRIT_TREE_NONE || node_at (tree, node->parent)->context != node->context;
}

/* The child of @node in the same context that has most of its time. */
static const CulpritTreeNode *
find_heaviest (const CulpritTree *tree, const CulpritTreeNode *node)
{
  const CulpritTreeNode *heaviest = NULL;

  for (guint child = node->first_child; child != CULPRIT_TREE_NONE; child = node_at (tree, child)->next_sibling)
    if (node_at (tree, child)->context == node->context &&
        (!heaviest || node_at (tree, child)->untraced_ns > heaviest->untraced_ns))
      heaviest = node_at (tree, child);
  return heaviest;
}

/* The calls below @source, as long as one of them has half of what it took. */
static const char *
path_below (CulpritCapture *capture, const CulpritTree *tree, const CulpritTreeNode *source)
{
  g_autoptr (GString) path = g_string_new (NULL);
  const CulpritTreeNode *node = find_heaviest (tree, source);

  for (guint i = 0; node && i < MAX_PATH && node->untraced_ns * 2 >= source->untraced_ns; i++)
    {
      g_string_append_printf (path, "%s%s", i > 0 ? ARROW : "", node->name);
      node = find_heaviest (tree, node);
    }
  return g_string_chunk_insert (capture->strings, path->str);
}

/* The calls from the source of @node down to it; of a deep stack the innermost. */
static const char *
path_to (CulpritCapture *capture, const CulpritTree *tree, const CulpritTreeNode *node)
{
  g_autoptr (GString) path = g_string_new (node->name);

  for (guint i = 1; i < MAX_PATH && !begins_source (tree, node); i++)
    {
      node = node_at (tree, node->parent);
      if (node->parent == CULPRIT_TREE_NONE)
        break;
      g_string_prepend (path, ARROW);
      g_string_prepend (path, node->name);
    }
  return g_string_chunk_insert (capture->strings, path->str);
}

/* The functions of interrupts by their names, as the tree tells them. */
static GHashTable *
index_functions (const GArray *sources)
{
  GHashTable *functions = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < sources->len; i++)
    {
      const CulpritSource *source = &g_array_index (sources, CulpritSource, i);

      if (!is_task (source->context))
        g_hash_table_insert (functions, (gpointer) source->name, GUINT_TO_POINTER (source->function));
    }
  return functions;
}

static void
find_paths_of_sources (CulpritCapture *capture, const CulpritTree *tree)
{
  g_autofree const CulpritTreeNode **heaviest = g_new0 (const CulpritTreeNode *, capture->sources->len + 1);
  g_autoptr (GHashTable) functions = index_functions (capture->sources);
  g_auto (Sources) sources;

  sources_init (&sources, capture->sources);
  for (guint i = 0; i < tree->nodes->len; i++)
    {
      const CulpritTreeNode *node = node_at (tree, i);
      guint function = GPOINTER_TO_UINT (g_hash_table_lookup (functions, node->name));
      guint number =
          begins_source (tree, node) ? find_number (&sources, source_key (node->context, node->pid, function)) : 0;

      if (number > 0 && (!heaviest[number] || node->untraced_ns > heaviest[number]->untraced_ns))
        heaviest[number] = node;
    }
  for (guint i = 0; i < capture->sources->len; i++)
    g_array_index (capture->sources, CulpritSource, i).path =
        heaviest[i + 1] ? path_below (capture, tree, heaviest[i + 1]) : "";
}

static void
find_path_of_cost (CulpritCapture *capture, const CulpritTree *tree, CulpritCost *cost)
{
  const char *name = g_array_index (capture->functions, CulpritFunction, cost->function).name;
  const CulpritTreeNode *heaviest = NULL;

  for (guint i = 0; i < tree->nodes->len; i++)
    {
      const CulpritTreeNode *node = node_at (tree, i);

      if (node->context == cost->context && node->parent != CULPRIT_TREE_NONE && node->name == name &&
          (!heaviest || node->self_ns > heaviest->self_ns))
        heaviest = node;
    }
  cost->path = heaviest ? path_to (capture, tree, heaviest) : NULL;
}

void
sources_find_paths (CulpritCapture *capture, const CulpritTree *tree)
{
  guint64 least_ns = MAX (culprit_window_latency_ns (culprit_capture_outlier (capture)) / PATH_SHARE, 1);

  find_paths_of_sources (capture, tree);
  for (guint i = 0; i < capture->costs->len; i++)
    {
      CulpritCost *cost = &g_array_index (capture->costs, CulpritCost, i);

      if (cost->function >= CULPRIT_FUNCTION_PSEUDO && cost->self_ns >= least_ns)
        find_path_of_cost (capture, tree, cost);
    }
}

/* The longest time without an event on @stream from @start_ns to @end_ns. */
static guint64
find_silence (const Stream *stream, guint64 start_ns, guint64 end_ns)
{
  guint64 before_ns = start_ns;
  guint64 longest_ns = 0;

  for (guint i = 0; i < stream->visits->len && before_ns < end_ns; i++)
    {
      const Visit *visit = &g_array_index (stream->visits, Visit, i);
      EventReader reader;

      if (visit->end_ns < start_ns)
        continue;
      reader = stream_events (stream, visit);
      while (before_ns < end_ns && event_reader_next (&reader))
        if (reader.now_ns > before_ns)
          {
            longest_ns = MAX (longest_ns, MIN (reader.now_ns, end_ns) - before_ns);
            before_ns = reader.now_ns;
          }
    }
  return MAX (longest_ns, end_ns > before_ns ? end_ns - before_ns : 0);
}

/* Whether the silence of @stream during @stall would tell something: shortly before it was never silent for half so
 * long. */
static gboolean
could_tell (const Stream *stream, const CulpritStall *stall)
{
  guint64 first_ns = stream_first_ns (stream);
  guint64 look_ns = MIN (stall->length_ns * LOOK_BACK, stall->start_ns);
  guint64 from_ns = MAX (stall->start_ns - look_ns, first_ns);

  return stream->visits->len > 0 && from_ns + 2 * stall->length_ns <= stall->start_ns &&
         find_silence (stream, from_ns, stall->start_ns) <= stall->length_ns * USUAL_PERCENT / 100;
}

void
sources_find_silence (const Walk *walk, CulpritCapture *capture)
{
  CulpritStall *stall = &capture->stall;
  guint cpu = culprit_capture_outlier (capture)->cpu;

  for (guint i = 0; i < walk->streams->len && stall->length_ns > 0; i++)
    {
      const Stream *stream = g_ptr_array_index (walk->streams, i);

      if (stream->cpu == cpu || !could_tell (stream, stall))
        continue;
      stall->other_cpus++;
      stall->silent_cpus += find_silence (stream, stall->start_ns, stall->start_ns + stall->length_ns) >=
                            stall->length_ns * SILENT_PERCENT / 100;
    }
}

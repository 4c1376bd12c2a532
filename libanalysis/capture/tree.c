/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the call tree of one window by a separate walk over the capture. */
#include "tree.h"

#include "capture-private.h"
#include "seeded-hash.h"
#include "tree-private.h"

/* A tree and its window. */
typedef struct
{
  TreeBuild build;
  guint stream;
  guint64 start_ns;
  guint64 end_ns;
} Reading;

static CulpritTreeNode *
node_at (const TreeBuild *build, guint i)
{
  return &g_array_index (build->tree->nodes, CulpritTreeNode, i);
}

static void
tree_clear (gpointer data)
{
  CulpritTree *tree = data;

  g_array_unref (tree->nodes);
  g_string_chunk_free (tree->strings);
}

CulpritTree *
culprit_tree_ref (CulpritTree *tree)
{
  return g_atomic_rc_box_acquire (tree);
}

void
culprit_tree_free (CulpritTree *tree)
{
  g_atomic_rc_box_release_full (tree, tree_clear);
}

/* Reading the tree. */

guint64
culprit_tree_node_time (const CulpritTreeNode *node, CulpritTimes times)
{
  return times == CULPRIT_TIMES_TRACED ? node->on_cpu_ns : node->untraced_ns;
}

typedef struct
{
  const CulpritTree *tree;
  CulpritTimes times;
} Order;

static int
compare_nodes (gconstpointer left, gconstpointer right, gpointer data)
{
  const Order *order = data;
  const CulpritTreeNode *one = culprit_tree_node (order->tree, *(const guint *) left);
  const CulpritTreeNode *other = culprit_tree_node (order->tree, *(const guint *) right);
  guint64 one_ns = culprit_tree_node_time (one, order->times);
  guint64 other_ns = culprit_tree_node_time (other, order->times);

  if (one_ns != other_ns)
    return one_ns < other_ns ? 1 : -1;
  return (one->on_cpu_ns < other->on_cpu_ns) - (one->on_cpu_ns > other->on_cpu_ns);
}

GArray *
culprit_tree_siblings (const CulpritTree *tree, guint first, CulpritTimes times)
{
  GArray *indices = g_array_new (FALSE, FALSE, sizeof (guint));
  Order order = { tree, times };

  for (guint i = first; i != CULPRIT_TREE_NONE; i = culprit_tree_node (tree, i)->next_sibling)
    g_array_append_val (indices, i);
  g_array_sort_with_data (indices, compare_nodes, &order);
  return indices;
}

guint64
culprit_tree_tracing (const CulpritTree *tree)
{
  guint64 tracing_ns = 0;

  for (guint i = 0; i < tree->nodes->len; i++)
    tracing_ns += culprit_tree_node (tree, i)->tracing_ns;
  return tracing_ns;
}

/* Building the tree. */

/* Adds a node after its siblings. */
static guint
add_node (TreeBuild *build, guint parent, const CulpritTreeNode *node)
{
  guint index = build->tree->nodes->len;
  guint none = CULPRIT_TREE_NONE;
  guint last = g_array_index (build->last, guint, parent + 1); /* CULPRIT_TREE_NONE plus one is 0. */

  g_array_append_val (build->tree->nodes, *node);
  g_array_append_val (build->last, none);
  if (last != CULPRIT_TREE_NONE)
    node_at (build, last)->next_sibling = index;
  else if (parent != CULPRIT_TREE_NONE)
    node_at (build, parent)->first_child = index;
  else
    build->tree->first_task = index;
  g_array_index (build->last, guint, parent + 1) = index;
  return index;
}

static guint
find_task (TreeBuild *build, const Task *task)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (build->tasks, GINT_TO_POINTER (task->pid)));
  CulpritTreeNode node = {
    CULPRIT_TREE_NONE, CULPRIT_TREE_NONE, CULPRIT_TREE_NONE, task->pid, "", "", 0, task->context
  };

  if (index == 0)
    {
      index = add_node (build, CULPRIT_TREE_NONE, &node) + 1;
      g_hash_table_insert (build->tasks, GINT_TO_POINTER (task->pid), GUINT_TO_POINTER (index));
    }
  return index - 1;
}

static guint
find_child (TreeBuild *build, guint parent, const Frame *frame, gint32 pid)
{
  const CulpritFunction *function = &g_array_index (build->capture->functions, CulpritFunction, frame->function);
  CulpritTreeNode node = { parent,         CULPRIT_TREE_NONE, CULPRIT_TREE_NONE, pid,
                           function->name, function->module,  function->ordinal, frame->context };
  gint64 key = (gint64) parent << 32 | (frame->function * CULPRIT_CONTEXTS + frame->context);
  guint child = GPOINTER_TO_UINT (g_hash_table_lookup (build->children, &key));

  if (child == 0)
    {
      child = add_node (build, parent, &node);
      g_hash_table_insert (build->children, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (child));
    }
  return child;
}

guint
tree_place (TreeBuild *build, Task *task)
{
  guint node = find_task (build, task);

  for (int depth = 0; depth <= task->top; depth++)
    {
      Frame *frame = &task->frames[depth];

      if (frame->function == NO_FUNCTION)
        continue;
      if (!(frame->marks & MARK_IN_TREE))
        {
          frame->marks |= MARK_IN_TREE;
          frame->node = find_child (build, node, frame, task->pid);
          node_at (build, frame->node)->calls++;
        }
      node = frame->node;
    }
  return node;
}

void
tree_add (TreeBuild *build, const Stretch *stretch, guint64 length_ns)
{
  guint index = stretch->lost ? find_task (build, stretch->task) : tree_place (build, stretch->task);
  CulpritTreeNode *node = node_at (build, index);

  node->self_ns += length_ns;
  node->tracing_ns += MIN (length_ns, stretch->floor_ns);
}

/* Sums from the leaves up: children come after their parents. */
static void
add_up (TreeBuild *build)
{
  for (guint i = build->tree->nodes->len; i > 0; i--)
    {
      CulpritTreeNode *node = node_at (build, i - 1);

      node->on_cpu_ns += node->self_ns;
      node->untraced_ns += node->self_ns - node->tracing_ns;
      if (node->parent == CULPRIT_TREE_NONE)
        node->total_ns = node->on_cpu_ns;
      else
        {
          node_at (build, node->parent)->on_cpu_ns += node->on_cpu_ns;
          node_at (build, node->parent)->untraced_ns += node->untraced_ns;
        }
      node->off_cpu_ns = node->total_ns > node->on_cpu_ns ? node->total_ns - node->on_cpu_ns : 0;
    }
}

void
tree_begin (TreeBuild *build, const CulpritCapture *capture)
{
  guint none = CULPRIT_TREE_NONE;

  build->capture = capture;
  build->tasks = g_hash_table_new (culprit_hash_direct, NULL);
  build->children = g_hash_table_new_full (culprit_hash_number, g_int64_equal, g_free, NULL);
  build->last = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (build->last, none);
  build->tree = g_atomic_rc_box_new0 (CulpritTree);
  build->tree->nodes = g_array_new (FALSE, FALSE, sizeof (CulpritTreeNode));
  build->tree->strings = g_string_chunk_new (4096);
  build->tree->first_task = CULPRIT_TREE_NONE;
}

CulpritTree *
tree_finish (TreeBuild *build)
{
  add_up (build);
  g_hash_table_unref (build->tasks);
  g_hash_table_unref (build->children);
  g_array_unref (build->last);
  return build->tree;
}

static inline void
on_stretch (gpointer data, const Stretch *stretch)
{
  Reading *reading = data;
  guint64 start_ns = MAX (stretch->start_ns, reading->start_ns);
  guint64 end_ns = MIN (stretch->end_ns, reading->end_ns);

  if (G_UNLIKELY (start_ns < end_ns && stretch->stream_index == reading->stream))
    tree_add (&reading->build, stretch, end_ns - start_ns);
}

static inline void
on_enter (gpointer data, guint stream, Task *task, Frame *frame)
{
  Reading *reading = data;

  if (G_UNLIKELY (frame->start_ns >= reading->start_ns && frame->start_ns < reading->end_ns) &&
      stream == reading->stream)
    tree_place (&reading->build, task);
}

static inline void
on_leave (gpointer data, guint stream, Task *task, Frame *frame, guint64 end_ns)
{
  Reading *reading = data;
  CulpritTreeNode *node;
  guint64 start_ns = MAX (frame->start_ns, reading->start_ns);

  if (G_LIKELY (!(frame->marks & MARK_IN_TREE)))
    return;
  node = node_at (&reading->build, frame->node);
  end_ns = MIN (end_ns, reading->end_ns);
  node->total_ns += end_ns > start_ns ? end_ns - start_ns : 0;
  node->truncated += (frame->marks & MARK_TRUNCATED) != 0;
}

/* The tree's own copy of @name, made once per name: nodes of one function share the text. */
static const char *
own_name (CulpritTree *tree, GHashTable *owned, const char *name)
{
  const char *own = g_hash_table_lookup (owned, name);

  if (!own)
    {
      own = g_string_chunk_insert (tree->strings, name);
      g_hash_table_insert (owned, (gpointer) name, (gpointer) own);
    }
  return own;
}

/* Copies the names, as the capture's are freed with it. */
static void
own_names (CulpritTree *tree, const TraceFile *file)
{
  g_autoptr (GHashTable) owned = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < tree->nodes->len; i++)
    {
      CulpritTreeNode *node = &g_array_index (tree->nodes, CulpritTreeNode, i);
      g_autofree char *comm = node->parent == CULPRIT_TREE_NONE ? capture_find_comm (file, node->pid) : NULL;

      node->name = comm ? g_string_chunk_insert (tree->strings, comm) : own_name (tree, owned, node->name);
      node->module = own_name (tree, owned, node->module);
    }
}

CulpritTree *
culprit_tree_read (const char *path, guint cpu, guint64 start_ns, guint64 end_ns, gint32 measured_pid, GError **error)
{
  static const WalkOps ops = { on_stretch, on_enter, on_leave };
  g_autoptr (Session) session = session_open (path, SESSION_PLAIN, NULL, error);
  Reading reading = { .start_ns = start_ns, .end_ns = end_ns, .stream = G_MAXUINT };
  CulpritTree *tree;

  if (!session)
    return NULL;
  session_prepare (session, measured_pid);
  tree_begin (&reading.build, session->capture);
  for (guint i = 0; i < session->streams->len; i++)
    if (((const Stream *) g_ptr_array_index (session->streams, i))->cpu == cpu)
      reading.stream = i;
  walk_run (session->walk, &ops, &reading, -1);
  tree = tree_finish (&reading.build);
  own_names (tree, session->file);
  return tree;
}

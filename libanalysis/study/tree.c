/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the nodes of one late wake-up, and adds them up from the leaves. */
#include "tree.h"

#include "seeded-hash.h"
#include "statement-private.h"

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

/* Reading. */

typedef struct
{
  CulpritTree *tree;
  GHashTable *texts;   /* of the tree, each stored once */
  GHashTable *indices; /* of nodes, plus one, by their number in the study */
} Reading;

static CulpritTreeNode *
node_at (const CulpritTree *tree, guint index)
{
  return &g_array_index (tree->nodes, CulpritTreeNode, index);
}

static const char *
keep (Reading *reading, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  char *kept = g_hash_table_lookup (reading->texts, valid);

  if (!kept)
    {
      kept = g_string_chunk_insert (reading->tree->strings, valid);
      g_hash_table_add (reading->texts, kept);
    }
  return kept;
}

/* Makes @index the first of its siblings. */
static void
link_node (CulpritTree *tree, guint index)
{
  CulpritTreeNode *node = node_at (tree, index);
  guint *first = node->parent == CULPRIT_TREE_NONE ? &tree->first_source : &node_at (tree, node->parent)->first_child;

  node->next_sibling = *first;
  *first = index;
}

/* A node whose parent is not there, or that is too deep, as in a damaged study, is left out. */
static void
take_node (Reading *reading, Statement *row)
{
  CulpritTree *tree = reading->tree;
  gboolean source = sqlite3_column_type (row, 1) == SQLITE_NULL;
  gint64 id = sqlite3_column_int64 (row, 0);
  gint64 parent_id = sqlite3_column_int64 (row, 1);
  guint parent = source ? CULPRIT_TREE_NONE : GPOINTER_TO_UINT (g_hash_table_lookup (reading->indices, &parent_id)) - 1;
  CulpritTreeNode node = { .parent = parent,
                           .first_child = CULPRIT_TREE_NONE,
                           .name = keep (reading, statement_text (row, source ? 3 : 4)),
                           .module = keep (reading, statement_text (row, 5)),
                           .ordinal = sqlite3_column_int64 (row, 6),
                           .context = culprit_context_named (statement_text (row, 2)),
                           .calls = sqlite3_column_int64 (row, 7),
                           .self_ns = sqlite3_column_int64 (row, 8),
                           .tracing_ns = sqlite3_column_int64 (row, 9),
                           .total_ns = sqlite3_column_int64 (row, 10),
                           .truncated = sqlite3_column_int64 (row, 11),
                           .silence_ns = sqlite3_column_int64 (row, 12) };

  if (!source && (parent == CULPRIT_TREE_NONE || node_at (tree, parent)->depth >= CULPRIT_NODES_DEEPEST))
    return;
  node.depth = source ? 0 : node_at (tree, parent)->depth + 1;
  g_array_append_val (tree->nodes, node);
  g_hash_table_insert (reading->indices, g_memdup2 (&id, sizeof id), GUINT_TO_POINTER (tree->nodes->len));
  link_node (tree, tree->nodes->len - 1);
}

/* Sums from the leaves up: children come after their parents. All of them add up to the latency. */
static void
add_up (CulpritTree *tree)
{
  guint64 latency_ns = 0;

  for (guint i = tree->nodes->len; i > 0; i--)
    {
      CulpritTreeNode *node = node_at (tree, i - 1);

      latency_ns += node->self_ns;
      node->on_cpu_ns += node->self_ns;
      node->untraced_ns += node->self_ns - node->tracing_ns;
      if (node->parent == CULPRIT_TREE_NONE)
        node->total_ns = node->on_cpu_ns;
      else
        {
          node_at (tree, node->parent)->on_cpu_ns += node->on_cpu_ns;
          node_at (tree, node->parent)->untraced_ns += node->untraced_ns;
        }
      node->off_cpu_ns = node->total_ns > node->on_cpu_ns ? node->total_ns - node->on_cpu_ns : 0;
    }
  for (guint i = 0; i < tree->nodes->len; i++)
    if (node_at (tree, i)->silence_ns < culprit_silence_least_ns (latency_ns))
      node_at (tree, i)->silence_ns = 0;
}

CulpritTree *
culprit_query_tree (CulpritStudy *study, gint64 capture, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "tree", error);
  g_autoptr (GHashTable) indices = g_hash_table_new_full (culprit_hash_number, g_int64_equal, g_free, NULL);
  g_autoptr (CulpritTree) tree = g_atomic_rc_box_new0 (CulpritTree);
  g_autoptr (GHashTable) texts = g_hash_table_new (culprit_hash_text, g_str_equal);
  Reading reading = { tree, texts, indices };
  gboolean row = statement != NULL;

  tree->nodes = g_array_new (FALSE, FALSE, sizeof (CulpritTreeNode));
  tree->strings = g_string_chunk_new (4096);
  tree->first_source = CULPRIT_TREE_NONE;
  if (statement)
    statement_bind_named (statement, "i:capture", capture);
  while (row)
    {
      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (row)
        take_node (&reading, statement);
    }
  add_up (tree);
  return statement ? g_steal_pointer (&tree) : NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creates the rows of the call tree when their parent is expanded; all rows share one tree. */
#include "outliers/tree-rows.h"

#include "names.h"
#include "tables/tree.h"

/* The tree, counted by the rows that tell of it. */
typedef struct
{
  CulpritTree *tree;
  CulpritTimes times;
  guint64 smallest_ns;
} Source;

struct _CulpritTreeRow
{
  GObject parent;
  Source *source;
  CulpritTreeNode node;
  GArray *together; /* of guint: the nodes of a row of several; NULL: it is one */
  char *label;
  char *key; /* of its function; NULL: it is none */
};

G_DEFINE_FINAL_TYPE (CulpritTreeRow, culprit_tree_row, G_TYPE_OBJECT)

static void
source_clear (gpointer data)
{
  Source *source = data;

  culprit_tree_free (source->tree);
}

static void
source_unref (gpointer data)
{
  g_rc_box_release_full (data, source_clear);
}

/* Making rows. */

static CulpritTreeRow *
make_one (Source *source, guint place)
{
  CulpritTreeRow *row = g_object_new (CULPRIT_TYPE_TREE_ROW, NULL);
  const CulpritTreeNode *node = culprit_tree_node (source->tree, place);

  row->source = g_rc_box_acquire (source);
  row->node = *node;
  row->label = culprit_tree_label (node);
  if (node->parent != CULPRIT_TREE_NONE)
    row->key = culprit_function_key (node->name, node->module, node->ordinal);
  return row;
}

/* @together is taken. */
static CulpritTreeRow *
make_several (Source *source, GArray *together)
{
  CulpritTreeRow *row = g_object_new (CULPRIT_TYPE_TREE_ROW, NULL);

  row->source = g_rc_box_acquire (source);
  row->together = together;
  row->label = g_strdup_printf ("(%u smaller)", together->len);
  row->node.context = CULPRIT_CONTEXTS;
  for (guint i = 0; i < together->len; i++)
    {
      const CulpritTreeNode *node = culprit_tree_node (source->tree, g_array_index (together, guint, i));

      row->node.self_ns += node->self_ns;
      row->node.tracing_ns += node->tracing_ns;
      row->node.on_cpu_ns += node->on_cpu_ns;
      row->node.untraced_ns += node->untraced_ns;
      row->node.truncated += node->truncated;
    }
  return row;
}

/* The tracer's share of all. */
static CulpritTreeRow *
make_tracing (Source *source)
{
  CulpritTreeRow *row = g_object_new (CULPRIT_TYPE_TREE_ROW, NULL);

  row->source = g_rc_box_acquire (source);
  row->label = g_strdup ("[tracing]");
  row->node = (CulpritTreeNode) { .parent = CULPRIT_TREE_NONE,
                                  .first_child = CULPRIT_TREE_NONE,
                                  .next_sibling = CULPRIT_TREE_NONE,
                                  .context = CULPRIT_CONTEXTS,
                                  .untraced_ns = culprit_tree_tracing (source->tree) };
  return row;
}

static void
append_all (GListStore *store, Source *source, const GArray *places)
{
  for (guint i = 0; i < places->len; i++)
    {
      g_autoptr (CulpritTreeRow) row = make_one (source, g_array_index (places, guint, i));

      g_list_store_append (store, row);
    }
}

/* The siblings from @first on. */
static GListStore *
make_siblings (Source *source, guint first, guint64 smallest_ns)
{
  GListStore *store = g_list_store_new (CULPRIT_TYPE_TREE_ROW);
  g_autoptr (GArray) all = culprit_tree_siblings (source->tree, first, source->times);
  g_autoptr (GArray) small = g_array_new (FALSE, FALSE, sizeof (guint));
  guint large = 0;

  while (large < all->len &&
         culprit_tree_node_time (culprit_tree_node (source->tree, g_array_index (all, guint, large)), source->times) >=
             smallest_ns)
    large++;
  g_array_append_vals (small, &g_array_index (all, guint, large), all->len - large);
  g_array_set_size (all, large);
  append_all (store, source, all);
  if (small->len > 0)
    {
      g_autoptr (CulpritTreeRow) row = make_several (source, g_steal_pointer (&small));

      g_list_store_append (store, row);
    }
  return store;
}

static GListModel *
make_children (gpointer item, gpointer data)
{
  CulpritTreeRow *row = item;
  gboolean small = culprit_tree_node_time (&row->node, row->source->times) < row->source->smallest_ns;
  GListStore *store;

  if (row->together)
    {
      store = g_list_store_new (CULPRIT_TYPE_TREE_ROW);
      append_all (store, row->source, row->together);
      return G_LIST_MODEL (store);
    }
  if (row->node.first_child == CULPRIT_TREE_NONE)
    return NULL;
  return G_LIST_MODEL (make_siblings (row->source, row->node.first_child, small ? 0 : row->source->smallest_ns));
}

GtkTreeListModel *
culprit_tree_rows_new (CulpritTree *tree, CulpritTimes times, guint64 smallest_ns)
{
  Source *source = g_rc_box_new0 (Source);
  GListStore *sources;
  GtkTreeListModel *rows;

  *source = (Source) { culprit_tree_ref (tree), times, smallest_ns };
  sources = make_siblings (source, tree->first_source, smallest_ns);
  if (times == CULPRIT_TIMES_UNTRACED)
    {
      g_autoptr (CulpritTreeRow) tracing = make_tracing (source);

      g_list_store_append (sources, tracing);
    }
  rows = gtk_tree_list_model_new (G_LIST_MODEL (sources), FALSE, FALSE, make_children, NULL, NULL);
  source_unref (source);
  return rows;
}

/* Its time without what it called. */
static guint64
own_time (CulpritTreeRow *row)
{
  return row->node.self_ns - (row->source->times == CULPRIT_TIMES_TRACED ? 0 : row->node.tracing_ns);
}

/* Whether what @row calls first costs more than itself. */
static gboolean
goes_on (CulpritTreeRow *row, CulpritTreeRow *child)
{
  return child && !child->together &&
         (row->node.parent == CULPRIT_TREE_NONE ||
          culprit_tree_node_time (&child->node, row->source->times) >= own_time (row));
}

guint
culprit_tree_rows_open_heaviest (GtkTreeListModel *rows)
{
  gboolean more = TRUE;
  guint place = 0;

  while (more)
    {
      g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (rows), place);
      g_autoptr (CulpritTreeRow) here = row ? gtk_tree_list_row_get_item (row) : NULL;
      g_autoptr (GtkTreeListRow) first = NULL;
      g_autoptr (CulpritTreeRow) child = NULL;

      if (!here || here->together)
        break;
      gtk_tree_list_row_set_expanded (row, TRUE);
      first = gtk_tree_list_row_get_child_row (row, 0);
      child = first ? gtk_tree_list_row_get_item (first) : NULL;
      more = goes_on (here, child);
      place += more;
    }
  return place;
}

/* What a row tells. */

const CulpritTreeNode *
culprit_tree_row_node (CulpritTreeRow *row)
{
  return &row->node;
}

guint
culprit_tree_row_together (CulpritTreeRow *row)
{
  return row->together ? row->together->len : 0;
}

const char *
culprit_tree_row_label (CulpritTreeRow *row)
{
  return row->label;
}

const char *
culprit_tree_row_function (CulpritTreeRow *row)
{
  return row->key;
}

static void
row_finalize (GObject *object)
{
  CulpritTreeRow *row = CULPRIT_TREE_ROW (object);

  source_unref (row->source);
  g_clear_pointer (&row->together, g_array_unref);
  g_free (row->label);
  g_free (row->key);
  G_OBJECT_CLASS (culprit_tree_row_parent_class)->finalize (object);
}

static void
culprit_tree_row_class_init (CulpritTreeRowClass *class)
{
  G_OBJECT_CLASS (class)->finalize = row_finalize;
}

static void
culprit_tree_row_init (CulpritTreeRow *row)
{
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call tree of a late wake-up, read in a thread, and only while visible. */
#include "outliers/capture-tree.h"

#include "compat.h"
#include "document.h"
#include "names.h"
#include "show.h"
#include "study/query.h"
#include "tables/budget.h"
#include "tables/column.h"
#include "units.h"
#include "widgets.h"

/* Rows, created when their parent is expanded; all share one tree. */

/* The tree, with a reference count for its rows. */
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
  GArray *together; /* of guint: the nodes of a combined row; NULL: a single node */
  gboolean silence; /* It is the longest stretch of the call above it without any event. */
  char *label;
  char *key; /* of its function; NULL: it is not one */
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

/* Takes @together. */
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

/* The tracer's share of everything. */
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

/* Its numbers stay empty: they are part of those of the call above it, and columns add up. */
static CulpritTreeRow *
make_silence (Source *source, guint64 length_ns)
{
  CulpritTreeRow *row = g_object_new (CULPRIT_TYPE_TREE_ROW, NULL);

  row->source = g_rc_box_acquire (source);
  row->label = culprit_silence_format (length_ns);
  row->silence = TRUE;
  row->node = (CulpritTreeNode) { .parent = CULPRIT_TREE_NONE,
                                  .first_child = CULPRIT_TREE_NONE,
                                  .next_sibling = CULPRIT_TREE_NONE,
                                  .context = CULPRIT_CONTEXTS };
  return row;
}

/* A row for each of the siblings from @first on, and one among them for a silence of their caller (0 ns: none). */
static GListStore *
make_siblings (Source *source, guint first, guint64 silence_ns, guint64 smallest_ns)
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
  if (silence_ns > 0)
    {
      g_autoptr (CulpritTreeRow) row = make_silence (source, silence_ns);
      guint place = 0;

      while (place < all->len &&
             culprit_tree_node_time (culprit_tree_node (source->tree, g_array_index (all, guint, place)),
                                     source->times) >= silence_ns)
        place++;
      g_list_store_insert (store, place, row);
    }
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
  if (row->node.first_child == CULPRIT_TREE_NONE && row->node.silence_ns == 0)
    return NULL;
  return G_LIST_MODEL (
      make_siblings (row->source, row->node.first_child, row->node.silence_ns, small ? 0 : row->source->smallest_ns));
}

/* A model of @tree, which it takes. Items are GtkTreeListRows of CulpritTreeRow, collapsed at first, sorted by the
 * times that are shown. Nodes below @smallest_ns of CPU time are combined; if times are untraced, the last row is the
 * tracer's share. */
static GtkTreeListModel *
culprit_tree_rows_new (CulpritTree *tree, CulpritTimes times, guint64 smallest_ns)
{
  Source *source = g_rc_box_new0 (Source);
  GListStore *sources;
  GtkTreeListModel *rows;

  *source = (Source) { culprit_tree_ref (tree), times, smallest_ns };
  sources = make_siblings (source, tree->first_source, 0, smallest_ns);
  if (times == CULPRIT_TIMES_UNTRACED)
    {
      g_autoptr (CulpritTreeRow) tracing = make_tracing (source);

      g_list_store_append (sources, tracing);
    }
  rows = gtk_tree_list_model_new (G_LIST_MODEL (sources), FALSE, FALSE, make_children, NULL, NULL);
  source_unref (source);
  return rows;
}

/* Its time without its callees. */
static guint64
own_time (CulpritTreeRow *row)
{
  return row->node.self_ns - (row->source->times == CULPRIT_TIMES_TRACED ? 0 : row->node.tracing_ns);
}

/* Whether the first callee of @row costs more than itself. */
static gboolean
goes_on (CulpritTreeRow *row, CulpritTreeRow *child)
{
  return child && !child->together && !child->silence &&
         (row->node.parent == CULPRIT_TREE_NONE ||
          culprit_tree_node_time (&child->node, row->source->times) >= own_time (row));
}

/* Expands the costliest path down to the function whose cost is its own; returns the position of that. */
static guint
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

/* Properties of rows. */

/* The numbers of a row; of a combined one, the sums of those that can be added: own, untraced and CPU times. Belongs to
 * @row. */
static const CulpritTreeNode *
culprit_tree_row_node (CulpritTreeRow *row)
{
  return &row->node;
}

const char *
culprit_tree_row_label (CulpritTreeRow *row)
{
  return row->label;
}

/* The culprit_function_key() of its function; NULL: it is a task, combined, or the tracer's share. Belongs to @row. */
static const char *
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

/* Columns; the first shows the levels and highlights the chosen function. */

#define UNKNOWN "–"
#define SILENCE_EXPLAINED                                                                                              \
  "The longest stretch of the call above without any event. It is part of that call’s own time and not added again."

/* Whether @column is shown with @times. */
static gboolean
is_shown (const CulpritColumn *column, CulpritTimes times)
{
  const CulpritDefinition *calls = times == CULPRIT_TIMES_TRACED ? &culprit_calls_traced : &culprit_calls;
  g_auto (GStrv) keys = g_strsplit (calls->window, " ", -1);

  return g_strv_contains ((const char *const *) keys, column->key);
}

/* The caller owns it. */
static char *
cell_text (CulpritTreeRow *row, const CulpritColumn *column)
{
  const CulpritTreeNode *node = culprit_tree_row_node (row);
  guint64 number = culprit_tree_number (node, column);

  if (column->kind == CULPRIT_KIND_FUNCTION)
    return g_strdup (culprit_tree_row_label (row));
  if (column->kind == CULPRIT_KIND_TEXT)
    return culprit_tree_context (node);
  if (row->silence)
    return g_strdup ("");
  return number == 0 ? g_strdup (UNKNOWN)
                     : culprit_value_text ((CulpritValue) { CULPRIT_VALUE_INTEGER, .integer = number }, column->kind);
}

/* Cells. */

static CulpritTreeRow *
item_row (GtkListItem *item)
{
  g_autoptr (CulpritTreeRow) row = gtk_tree_list_row_get_item (gtk_list_item_get_item (item));

  return row; /* owned by the list */
}

static void
mark (GtkWidget *label, const char *style, gboolean is_so)
{
  (is_so ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (label, style);
}

static void
light (GtkListItem *item, CulpritDocument *document)
{
  GtkWidget *label = gtk_tree_expander_get_child (GTK_TREE_EXPANDER (gtk_list_item_get_child (item)));
  CulpritTreeRow *row = gtk_list_item_get_item (item) ? item_row (item) : NULL;
  const char *function = row ? culprit_tree_row_function (row) : NULL;

  mark (label, "lit", function && g_strcmp0 (function, culprit_document_function (document)) == 0);
  mark (label, "dim-label", row && row->together);
  mark (label, "silence", row && row->silence);
}

static void
on_function (CulpritDocument *document, GParamSpec *spec, GtkListItem *item)
{
  light (item, document);
}

static void
on_setup_name (GtkSignalListItemFactory *factory, GtkListItem *item, CulpritDocument *document)
{
  GtkWidget *expander = gtk_tree_expander_new ();
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (label), culprit_calls.columns[0].width);
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), label);
  gtk_list_item_set_child (item, expander);
  g_signal_connect_object (document, "notify::function", G_CALLBACK (on_function), item, 0);
}

static void
on_bind_name (GtkSignalListItemFactory *factory, GtkListItem *item, CulpritDocument *document)
{
  GtkTreeExpander *expander = GTK_TREE_EXPANDER (gtk_list_item_get_child (item));
  CulpritTreeRow *row = item_row (item);

  gtk_tree_expander_set_list_row (expander, gtk_list_item_get_item (item));
  show_line (gtk_tree_expander_get_child (expander), culprit_tree_row_label (row));
  show_tooltip (GTK_WIDGET (expander), row->silence ? SILENCE_EXPLAINED : culprit_tree_row_label (row));
  light (item, document);
}

static void
on_unbind_name (GtkSignalListItemFactory *factory, GtkListItem *item, CulpritDocument *document)
{
  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (gtk_list_item_get_child (item)), NULL);
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, const CulpritColumn *column)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), column->kind >= CULPRIT_KIND_NUMBER ? 1 : 0);
  gtk_label_set_width_chars (GTK_LABEL (label), column->width);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, const CulpritColumn *column)
{
  g_autofree char *text = cell_text (item_row (item), column);

  show_line (gtk_list_item_get_child (item), text);
}

/* Shows the columns for @times. */
static void
tree_columns_show (GtkColumnView *view, CulpritTimes times)
{
  GListModel *all = gtk_column_view_get_columns (view);
  guint place = 0;

  for (guint i = 0; culprit_calls.columns[i].key; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (all, i);

      gtk_column_view_column_set_visible (column, is_shown (&culprit_calls.columns[i], times));
    }
  for (const CulpritColumn *column = culprit_calls.columns; column->key; column++)
    {
      if (is_shown (column, times) && column->kind >= CULPRIT_KIND_NUMBER)
        compat_align_title (view, place);
      place += is_shown (column, times);
    }
}

/* Adds the columns to @view, whose items are GtkTreeListRows of CulpritTreeRow; the function that is chosen in
 * @document is highlighted. */
static void
tree_columns_add (GtkColumnView *view, CulpritDocument *document)
{
  for (const CulpritColumn *column = culprit_calls.columns; column->key; column++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_autoptr (GtkColumnViewColumn) made = gtk_column_view_column_new (column->title, factory);

      if (column->kind == CULPRIT_KIND_FUNCTION)
        {
          g_signal_connect (factory, "setup", G_CALLBACK (on_setup_name), document);
          g_signal_connect (factory, "bind", G_CALLBACK (on_bind_name), document);
          g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind_name), document);
        }
      else
        {
          g_signal_connect (factory, "setup", G_CALLBACK (on_setup), (gpointer) column);
          g_signal_connect (factory, "bind", G_CALLBACK (on_bind), (gpointer) column);
        }
      gtk_column_view_column_set_resizable (made, TRUE);
      gtk_column_view_column_set_expand (made, column->expand);
      gtk_column_view_append_column (view, made);
    }
}

/* Text for the clipboard. */

/* The titles of the columns as a line with tabs. */
static void
tree_columns_append_titles (GString *text, CulpritTimes times)
{
  for (const CulpritColumn *column = culprit_calls.columns; column->key; column++)
    if (is_shown (column, times))
      g_string_append_printf (text, "%s%c", column->title, column[1].key ? '\t' : '\n');
}

/* Appends @row, @depth levels down, as a line with tabs. */
static void
tree_columns_append_text (GString *text, CulpritTreeRow *row, guint depth, CulpritTimes times)
{
  g_string_append_printf (text, "%*s", depth * 2, "");
  for (const CulpritColumn *column = culprit_calls.columns; column->key; column++)
    if (is_shown (column, times))
      {
        g_autofree char *cell = cell_text (row, column);
        g_autofree char *pasted =
            column->kind < CULPRIT_KIND_NUMBER ? culprit_pasted_text (cell) : g_steal_pointer (&cell);

        g_string_append_printf (text, "%s%c", pasted, column[1].key ? '\t' : '\n');
      }
}

/* A button that explains the columns. */
static GtkWidget *
tree_columns_explain_button (void)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new ();

  for (const CulpritColumn *column = culprit_calls.columns; column->key; column++)
    {
      g_ptr_array_add (entries, (gpointer) column->title);
      g_ptr_array_add (entries, (gpointer) column->explain);
    }
  g_ptr_array_add (entries, (gpointer) "(7 smaller)");
  g_ptr_array_add (entries, (gpointer) "Parts below 0.5 % of the latency each, together. Expand to see them.");
  g_ptr_array_add (entries, (gpointer) "nothing traced for 1.5 ms");
  g_ptr_array_add (entries, (gpointer) SILENCE_EXPLAINED " Shown from a tenth of the latency on, and 10 us.");
  g_ptr_array_add (entries, NULL);
  return explain_button_new ((const char *const *) entries->pdata);
}

struct _CulpritCaptureTree
{
  CulpritDocumentView parent;
  gint64 shown; /* the capture whose tree is shown or being read; 0: none */
  gint64 latency_ns;
  gint64 untraced_ns;
  CulpritTree *tree; /* of the capture that is shown, or NULL */
  GtkSingleSelection *selection;
  gboolean filling; /* The selection is not changed by the user. */
  GtkWidget *content;
  GtkWidget *message;
  GtkWidget *bar;
  GtkWidget *path;
  GtkColumnView *list;
};

G_DEFINE_FINAL_TYPE (CulpritCaptureTree, culprit_capture_tree, CULPRIT_TYPE_DOCUMENT_VIEW)

static CulpritTimes
times_of (CulpritCaptureTree *tree)
{
  return culprit_document_times (culprit_document_view_document (tree));
}

static void
show_message (CulpritCaptureTree *tree, const char *message)
{
  show_line (tree->message, message);
  gtk_stack_set_visible_child_name (GTK_STACK (tree->content), "message");
}

/* The heaviest path in words, for screen readers and people in a hurry. */
static void
describe (CulpritCaptureTree *tree, guint end)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean traced = times_of (tree) == CULPRIT_TIMES_TRACED;
  g_autofree char *all = culprit_time_format (traced ? tree->latency_ns : tree->untraced_ns);
  g_autofree char *cost = NULL;

  for (guint i = 0; i <= end; i++)
    {
      g_autoptr (GtkTreeListRow) item = g_list_model_get_item (G_LIST_MODEL (tree->selection), i);
      g_autoptr (CulpritTreeRow) row = item ? gtk_tree_list_row_get_item (item) : NULL;

      if (!row)
        break;
      g_string_append_printf (text, "%s%s", i > 0 ? " › " : "", culprit_tree_row_label (row));
      g_free (cost);
      cost = culprit_time_format (culprit_tree_node_time (culprit_tree_row_node (row), times_of (tree)));
    }
  if (!cost)
    return;
  g_string_append_printf (text, ": %s of %s %s", cost, all, traced ? "traced" : "untraced");
  show_line (tree->path, text->str);
  show_tooltip (tree->path, text->str);
  g_string_prepend (text, "Call tree, the heaviest path: ");
  show_to_reader (tree->list, GTK_ACCESSIBLE_PROPERTY_LABEL, text->str);
}

/* Reading. */

static gpointer
read_tree (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  return culprit_query_tree (study, *(gint64 *) data, error);
}

static void
fill (CulpritCaptureTree *tree)
{
  g_autoptr (GtkTreeListModel) rows =
      culprit_tree_rows_new (tree->tree, times_of (tree), culprit_smallest_part_ns (tree->latency_ns));
  guint end;

  tree->filling = TRUE;
  gtk_single_selection_set_model (tree->selection, G_LIST_MODEL (rows));
  end = culprit_tree_rows_open_heaviest (rows);
  gtk_single_selection_set_selected (tree->selection, end);
  tree->filling = FALSE;
  describe (tree, end);
  gtk_stack_set_visible_child_name (GTK_STACK (tree->content), "tree");
  compat_scroll_to (tree->list, end);
}

static void
on_tree (GObject *owner, gpointer result, const GError *error)
{
  CulpritCaptureTree *tree = CULPRIT_CAPTURE_TREE (owner);

  if (error)
    {
      tree->shown = 0;
      show_message (tree, error->message);
      return;
    }
  tree->tree = result;
  fill (tree);
}

/* Reads the chosen capture if it is visible and not shown yet. */
static void
follow (CulpritCaptureTree *tree)
{
  CulpritDocument *document = culprit_document_view_document (tree);
  gint64 capture = culprit_document_capture (document);
  CulpritRow *row = culprit_document_chosen_row (document);

  if (!row)
    tree->shown = 0;
  if (!gtk_widget_get_mapped (GTK_WIDGET (tree)) || !row || capture == tree->shown)
    return;
  tree->shown = capture;
  g_clear_pointer (&tree->tree, culprit_tree_free);
  tree->latency_ns = culprit_row_integer (row, "latency_ns");
  tree->untraced_ns = culprit_row_integer (row, "untraced_ns");
  show_message (tree, "Reading the study…");
  culprit_document_view_read_capture (tree, read_tree, g_memdup2 (&capture, sizeof capture), g_free, on_tree,
                                      (GDestroyNotify) culprit_tree_free);
}

static void
tree_capture_chosen (CulpritDocumentView *view)
{
  follow (CULPRIT_CAPTURE_TREE (view));
}

static void
tree_changed (CulpritDocumentView *view, CulpritPartKind part)
{
  if (part == CULPRIT_PART_OUTLIERS)
    follow (CULPRIT_CAPTURE_TREE (view));
}

static void
tree_times_chosen (CulpritDocumentView *view)
{
  CulpritCaptureTree *tree = CULPRIT_CAPTURE_TREE (view);

  tree_columns_show (tree->list, times_of (tree));
  if (tree->tree)
    fill (tree);
}

static void
tree_opened (CulpritDocumentView *view)
{
  CulpritCaptureTree *tree = CULPRIT_CAPTURE_TREE (view);

  tree_columns_add (tree->list, culprit_document_view_document (view));
  tree_columns_show (tree->list, times_of (tree));
}

/* Choosing and copying. */

static void
on_selected (GtkSingleSelection *selection, GParamSpec *spec, CulpritCaptureTree *tree)
{
  GtkTreeListRow *item = gtk_single_selection_get_selected_item (selection);
  g_autoptr (CulpritTreeRow) row = item && !tree->filling ? gtk_tree_list_row_get_item (item) : NULL;

  if (row && culprit_tree_row_function (row))
    culprit_document_choose_function (culprit_document_view_document (tree), culprit_tree_row_function (row));
}

/* Enter and double click expand and collapse. */
static void
on_activate (GtkColumnView *list, guint place, CulpritCaptureTree *tree)
{
  g_autoptr (GtkTreeListRow) item = g_list_model_get_item (G_LIST_MODEL (tree->selection), place);

  if (item)
    gtk_tree_list_row_set_expanded (item, !gtk_tree_list_row_get_expanded (item));
}

static void
on_copy (GtkButton *button, CulpritCaptureTree *tree)
{
  g_autofree char *text = culprit_capture_tree_text (tree);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (tree)), text);
}

char *
culprit_capture_tree_text (CulpritCaptureTree *tree)
{
  GString *text = g_string_new (NULL);

  tree_columns_append_titles (text, times_of (tree));
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (tree->selection)); i++)
    {
      g_autoptr (GtkTreeListRow) item = g_list_model_get_item (G_LIST_MODEL (tree->selection), i);
      g_autoptr (CulpritTreeRow) row = gtk_tree_list_row_get_item (item);

      tree_columns_append_text (text, row, gtk_tree_list_row_get_depth (item), times_of (tree));
    }
  return g_string_free (text, FALSE);
}

gboolean
culprit_capture_tree_has_focus (CulpritCaptureTree *tree)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (tree));
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;

  return focus && gtk_widget_is_ancestor (focus, GTK_WIDGET (tree));
}

/* The widget. */

static void
tree_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (culprit_capture_tree_parent_class)->map (widget);
  follow (CULPRIT_CAPTURE_TREE (widget));
}

static void
tree_finalize (GObject *object)
{
  g_clear_pointer (&CULPRIT_CAPTURE_TREE (object)->tree, culprit_tree_free);
  G_OBJECT_CLASS (culprit_capture_tree_parent_class)->finalize (object);
}

static void
culprit_capture_tree_class_init (CulpritCaptureTreeClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);
  CulpritDocumentViewClass *view = CULPRIT_DOCUMENT_VIEW_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = tree_finalize;
  widget->map = tree_map;
  view->opened = tree_opened;
  view->changed = tree_changed;
  view->capture_chosen = tree_capture_chosen;
  view->times_chosen = tree_times_chosen;
  widget_class_set_template (class, "outliers/capture-tree.ui");
  widget_class_bind_children (class, CulpritCaptureTree, content, selection, message, bar, path, list);
  widget_class_bind_callbacks (class, on_copy, on_activate, on_selected);
}

static void
culprit_capture_tree_init (CulpritCaptureTree *tree)
{
  gtk_widget_init_template (GTK_WIDGET (tree));
  gtk_box_append (GTK_BOX (tree->bar), tree_columns_explain_button ());
}

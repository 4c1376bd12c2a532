/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and shows the call tree of a late wake-up. It is read in a thread, and only while visible. */
#include "outliers/capture-tree.h"

#include "compat.h"
#include "outliers/tree-columns.h"
#include "show.h"
#include "study/query.h"
#include "units.h"

struct _CulpritCaptureTree
{
  CulpritDocumentView parent;
  gint64 shown; /* the capture whose tree is there or being read; 0: none */
  gint64 latency_ns;
  gint64 untraced_ns;
  CulpritTree *tree; /* that of the capture that is shown; NULL: none is there */
  GtkSingleSelection *selection;
  gboolean filling; /* What is selected is not the user's choice. */
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
tell (CulpritCaptureTree *tree, const char *message)
{
  show_line (tree->message, message);
  gtk_stack_set_visible_child_name (GTK_STACK (tree->content), "message");
}

/* The heaviest path in words, for those who do not see the rows and those in a hurry. */
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
      tell (tree, error->message);
      return;
    }
  tree->tree = result;
  fill (tree);
}

/* Reads the chosen capture, where it is seen and not there yet. */
static void
follow (CulpritCaptureTree *tree)
{
  gint64 capture = culprit_document_capture (culprit_document_view_document (tree));
  CulpritRows *rows = culprit_document_outliers (culprit_document_view_document (tree));
  CulpritRow *row = rows && capture ? culprit_rows_find (rows, "capture", capture) : NULL;

  if (!gtk_widget_get_mapped (GTK_WIDGET (tree)) || !row || capture == tree->shown)
    return;
  tree->shown = capture;
  g_clear_pointer (&tree->tree, culprit_tree_free);
  tree->latency_ns = culprit_row_integer (row, "latency_ns");
  tree->untraced_ns = culprit_row_integer (row, "untraced_ns");
  tell (tree, "Reading the study…");
  culprit_document_view_read (tree, read_tree, g_memdup2 (&capture, sizeof capture), g_free, on_tree,
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

/* Enter and double click open and close. */
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
  widget_class_set_template (class, "outliers/capture-tree.ui", G_STRUCT_OFFSET (CulpritCaptureTree, content));
  gtk_widget_class_bind_template_child (widget, CulpritCaptureTree, selection);
  gtk_widget_class_bind_template_child (widget, CulpritCaptureTree, message);
  gtk_widget_class_bind_template_child (widget, CulpritCaptureTree, bar);
  gtk_widget_class_bind_template_child (widget, CulpritCaptureTree, path);
  gtk_widget_class_bind_template_child (widget, CulpritCaptureTree, list);
  gtk_widget_class_bind_template_callback (widget, on_copy);
  gtk_widget_class_bind_template_callback (widget, on_activate);
  gtk_widget_class_bind_template_callback (widget, on_selected);
}

static void
culprit_capture_tree_init (CulpritCaptureTree *tree)
{
  gtk_widget_init_template (GTK_WIDGET (tree));
  gtk_box_append (GTK_BOX (tree->bar), tree_columns_explain_button ());
}

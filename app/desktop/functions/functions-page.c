/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the table of functions; its current row is the document's selected function. */
#include "functions/functions-page.h"

#include "functions/function-details.h"
#include "functions/function-cells.h"
#include "show.h"
#include "study/triage.h"
#include "units.h"

struct _FunctionsPage
{
  CulpritPage parent;
  CulpritTableView *table;
  GtkWidget *bar;
  GMenuModel *row_menu;
  GtkWidget *head;
};

static const TableCell cells[] = {
  { "calls_and_cost", split_bar_new, split_bar_show },
  { "late_wake_ups", strip_cell_new, strip_cell_show },
  { NULL },
};

G_DEFINE_FINAL_TYPE (FunctionsPage, functions_page, CULPRIT_TYPE_PAGE)

static CulpritRow *
find_function (CulpritDocument *document)
{
  const char *function = culprit_document_function (document);
  CulpritRows *rows = culprit_document_functions (document);

  for (guint i = 0; function && rows && i < g_list_model_get_n_items (G_LIST_MODEL (rows)); i++)
    {
      g_autoptr (CulpritRow) row = g_list_model_get_item (G_LIST_MODEL (rows), i);

      g_autofree char *key = culprit_row_function (row);

      if (g_str_equal (key, function))
        return row;
    }
  return NULL;
}

static void
on_selected (CulpritTableView *table, CulpritRow *row, FunctionsPage *page)
{
  g_autofree char *key = row ? culprit_row_function (row) : NULL;

  if (key)
    culprit_document_choose_function (culprit_document_view_document (page), key);
}

static void
page_function_chosen (CulpritDocumentView *view)
{
  culprit_table_view_select (FUNCTIONS_PAGE (view)->table, find_function (culprit_document_view_document (view)));
}

static void
page_changed (CulpritDocumentView *view, CulpritPartKind part)
{
  FunctionsPage *page = FUNCTIONS_PAGE (view);
  CulpritDocument *document = culprit_document_view_document (view);
  CulpritRows *rows = culprit_document_functions (document);
  gint64 ordinary;
  g_autofree char *left_out = NULL;
  g_autofree char *head = NULL;

  if (part != CULPRIT_PART_FUNCTIONS)
    return;
  ordinary = culprit_table_integer (culprit_rows_table (rows), 0, "ordinary.windows");
  left_out = culprit_ignored_in_words (culprit_document_ignored (document));
  head = g_strdup_printf ("Means over %" G_GINT64_FORMAT " late and %" G_GINT64_FORMAT " ordinary wake-up%s%s%s",
                          culprit_table_integer (culprit_rows_table (rows), 0, "outlier.windows"), ordinary,
                          culprit_plural (ordinary), left_out ? "; " : "", left_out ? left_out : "");
  show_line (page->head, head);
  show_tooltip (page->head, head);
  culprit_rows_greatest (rows, "excess_ns");
  culprit_table_view_set_rows (page->table, rows);
  culprit_table_view_set_empty (page->table, "No functions yet",
                                "Import or record captures; their functions are "
                                "compared here.");
  culprit_table_view_select (page->table, find_function (document));
}

static void
functions_page_class_init (FunctionsPageClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);
  CulpritDocumentViewClass *view = CULPRIT_DOCUMENT_VIEW_CLASS (class);

  CULPRIT_PAGE_CLASS (class)->split = "content";
  CULPRIT_PAGE_CLASS (class)->folded_height = CULPRIT_PAGE_FOLDED_HALF;
  view->changed = page_changed;
  view->function_chosen = page_function_chosen;
  g_type_ensure (CULPRIT_TYPE_TABLE_VIEW);
  g_type_ensure (CULPRIT_TYPE_FUNCTION_DETAILS);
  widget_class_set_template (class, "functions/functions-page.ui", 0);
  gtk_widget_class_bind_template_child (widget, FunctionsPage, table);
  gtk_widget_class_bind_template_child (widget, FunctionsPage, bar);
  gtk_widget_class_bind_template_child (widget, FunctionsPage, row_menu);
  gtk_widget_class_bind_template_child (widget, FunctionsPage, head);
  gtk_widget_class_bind_template_callback (widget, on_selected);
}

static void
functions_page_init (FunctionsPage *page)
{
  gtk_widget_init_template (GTK_WIDGET (page));
  culprit_table_view_set_columns (page->table, &culprit_functions, cells);
  culprit_table_view_keep (page->table, "functions");
  culprit_table_view_set_menu (page->table, page->row_menu);
  gtk_box_append (GTK_BOX (page->bar), culprit_table_view_columns_button (page->table));
  gtk_box_append (GTK_BOX (page->bar), culprit_table_view_explain_button (page->table));
}

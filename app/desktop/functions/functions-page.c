/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table's current row is the document's function. */
#include "functions/functions-page.h"

#include "functions/function-details.h"
#include "functions/split-bar.h"
#include "functions/strip-cell.h"
#include "study/triage.h"
#include "units.h"
#include "widgets.h"

struct _FunctionsPage
{
  GtkWidget parent;
  CulpritDocument *document;
  CulpritTableView *table;
  GtkWidget *bar;
  GtkWidget *head;
  GtkWidget *table_place;
  GtkWidget *details_place;
};

#define FUNCTIONS_TYPE_PAGE (functions_page_get_type ())
G_DECLARE_FINAL_TYPE (FunctionsPage, functions_page, FUNCTIONS, PAGE, GtkWidget)

static const TableCell cells[] = {
  { "calls_and_cost", split_bar_new, split_bar_show },
  { "late_wake_ups", strip_cell_new, strip_cell_show },
  { NULL },
};

static CulpritTableView *
page_table (CulpritPage *page)
{
  return FUNCTIONS_PAGE (page)->table;
}

static void
implement_page (CulpritPageInterface *interface)
{
  interface->table = page_table;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (FunctionsPage,
                               functions_page,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (CULPRIT_TYPE_PAGE, implement_page))

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
    culprit_document_choose_function (page->document, key);
}

static void
on_function (CulpritDocument *document, GParamSpec *spec, FunctionsPage *page)
{
  culprit_table_view_select (page->table, find_function (document));
}

static void
on_changed (CulpritDocument *document, guint part, FunctionsPage *page)
{
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
  gtk_label_set_label (GTK_LABEL (page->head), head);
  gtk_widget_set_tooltip_text (page->head, head);
  culprit_rows_greatest (rows, "excess_ns");
  culprit_table_view_set_rows (page->table, rows);
  culprit_table_view_set_empty (page->table, "No functions yet",
                                "Import or record captures; their functions are "
                                "compared here.");
  culprit_table_view_select (page->table, find_function (document));
}

static void
page_dispose (GObject *object)
{
  widget_drop_children (GTK_WIDGET (object));
  G_OBJECT_CLASS (functions_page_parent_class)->dispose (object);
}

static void
functions_page_class_init (FunctionsPageClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = page_dispose;
  gtk_widget_class_set_template_from_resource (widget, "/io/github/culprit/desktop/functions/functions-page.ui");
  gtk_widget_class_bind_template_child (widget, FunctionsPage, bar);
  gtk_widget_class_bind_template_child (widget, FunctionsPage, head);
  gtk_widget_class_bind_template_child (widget, FunctionsPage, table_place);
  gtk_widget_class_bind_template_child (widget, FunctionsPage, details_place);
}

static void
functions_page_init (FunctionsPage *page)
{
  gtk_widget_init_template (GTK_WIDGET (page));
}

GtkWidget *
functions_page_new (CulpritDocument *document)
{
  FunctionsPage *page = g_object_new (FUNCTIONS_TYPE_PAGE, NULL);

  page->document = document;
  page->table = culprit_table_view_new (&culprit_functions, cells);
  gtk_box_append (GTK_BOX (page->table_place), GTK_WIDGET (page->table));
  gtk_box_append (GTK_BOX (page->details_place), culprit_function_details_new (document));
  gtk_box_append (GTK_BOX (page->bar), culprit_table_view_explain_button (page->table));
  culprit_page_await (page->table, document);
  g_signal_connect (page->table, "selected", G_CALLBACK (on_selected), page);
  g_signal_connect_object (document, "changed", G_CALLBACK (on_changed), page, 0);
  g_signal_connect_object (document, "notify::function", G_CALLBACK (on_function), page, 0);
  return GTK_WIDGET (page);
}

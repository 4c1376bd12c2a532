/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of functions; its current row is the chosen function of the document. */
#include "pages.h"

#include "charts/strip.h"
#include "functions/function-cells.h"
#include "show.h"
#include "study/triage.h"
#include "tables/table-view.h"
#include "units.h"

#include <math.h>

/* The details: two strip plots above a table of captures; activating one shows it on the Outliers page. */

#define CULPRIT_TYPE_FUNCTION_DETAILS (culprit_function_details_get_type ())

G_DECLARE_FINAL_TYPE (CulpritFunctionDetails, culprit_function_details, CULPRIT, FUNCTION_DETAILS, CulpritDocumentView)

struct _CulpritFunctionDetails
{
  CulpritDocumentView parent;
  CulpritTableView *captures;
  GtkWidget *content;
  GtkWidget *head;
  GtkWidget *sentence;
  CulpritStrip *calls;
  CulpritStrip *untraced;
};

G_DEFINE_FINAL_TYPE (CulpritFunctionDetails, culprit_function_details, CULPRIT_TYPE_DOCUMENT_VIEW)

static gpointer
read_function (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  const char *const *asked = data;
  const CulpritFilter filter = { .run = asked[1] };

  return culprit_query_function (study, &filter, asked[0], error);
}

static GArray *
column_of (const CulpritTable *table, const char *key)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint row = 0; row < culprit_table_rows (table); row++)
    {
      double number = culprit_value_number (culprit_table_value (table, row, key));

      g_array_append_val (values, number);
    }
  return values;
}

static void
show_strip (CulpritStrip *strip, const CulpritTable *table, const char *late, const char *ordinary)
{
  g_autoptr (GArray) late_values = column_of (table, late);
  g_autoptr (GArray) ordinary_values = column_of (table, ordinary);

  culprit_strip_set_values (strip, late_values, ordinary_values);
}

static void
on_function_read (GObject *owner, gpointer result, const GError *error)
{
  CulpritFunctionDetails *details = CULPRIT_FUNCTION_DETAILS (owner);
  g_autoptr (CulpritRows) rows = NULL;

  if (error)
    {
      g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (double));

      culprit_document_view_fail (details, error->message);
      culprit_strip_set_values (details->calls, none, none); /* not those of the function before */
      culprit_strip_set_values (details->untraced, none, none);
      culprit_table_view_set_rows (details->captures, NULL);
      return;
    }
  show_strip (details->calls, result, "calls", "ordinary.calls_mean");
  show_strip (details->untraced, result, "untraced_ns", "ordinary.untraced_mean_ns");
  rows = culprit_rows_new (result);
  culprit_table_view_set_rows (details->captures, rows);
  culprit_table_view_set_empty (details->captures, "In no late wake-up",
                                "It ran only outside the captured late wake-ups.");
}

/* What the verdict says about the function. */
static char *
find_sentence (CulpritDocument *document, const char *function)
{
  const CulpritVerdict *verdict = culprit_document_verdict (document);
  g_autoptr (GPtrArray) sentences = verdict ? culprit_verdict_in_words (verdict) : NULL;

  if (!verdict)
    return g_strdup (culprit_document_no_verdict (document));
  for (guint i = 0; i < verdict->culprits->len && i < sentences->len; i++)
    if (g_strcmp0 (culprit_verdict_key (verdict, &g_array_index (verdict->culprits, CulpritCulprit, i)), function) == 0)
      return g_strdup (g_ptr_array_index (sentences, i));
  return g_strdup ("It is not the culprit of any late wake-up.");
}

static void
show_sentence (CulpritFunctionDetails *details)
{
  CulpritDocument *document = culprit_document_view_document (details);
  const char *function = culprit_document_function (document);
  g_autofree char *sentence = function ? find_sentence (document, function) : NULL;

  show_line (details->sentence, sentence ? sentence : "");
}

static void
show_chosen (CulpritFunctionDetails *details)
{
  CulpritDocument *document = culprit_document_view_document (details);
  const char *function = culprit_document_function (document);
  char **asked;

  gtk_stack_set_visible_child_name (GTK_STACK (details->content), function ? "function" : "none");
  show_sentence (details);
  if (!function)
    return;
  show_line (details->head, function);
  asked = g_new0 (char *, 3);
  asked[0] = g_strdup (function);
  asked[1] = g_strdup (culprit_document_run (document));
  culprit_document_view_read (details, read_function, asked, (GDestroyNotify) g_strfreev, on_function_read,
                              (GDestroyNotify) culprit_table_free);
}

static void
details_function_chosen (CulpritDocumentView *view)
{
  show_chosen (CULPRIT_FUNCTION_DETAILS (view));
}

static void
details_changed (CulpritDocumentView *view, CulpritPartKind part)
{
  if (part == CULPRIT_PART_OUTLIERS)
    show_chosen (CULPRIT_FUNCTION_DETAILS (view));
  else if (part == CULPRIT_PART_VERDICT)
    show_sentence (CULPRIT_FUNCTION_DETAILS (view));
}

static void
on_capture_activated (CulpritTableView *table, CulpritRow *row, CulpritFunctionDetails *details)
{
  culprit_document_choose_capture (culprit_document_view_document (details), culprit_row_integer (row, "capture"));
  gtk_widget_activate_action (GTK_WIDGET (details), "win.page", "s", "outliers");
}

static void
culprit_function_details_class_init (CulpritFunctionDetailsClass *class)
{
  CulpritDocumentViewClass *view = CULPRIT_DOCUMENT_VIEW_CLASS (class);

  view->changed = details_changed;
  view->function_chosen = details_function_chosen;
  ensure_types (CULPRIT_TYPE_STRIP, CULPRIT_TYPE_TABLE_VIEW);
  widget_class_set_template (class, "functions/function-details.ui");
  widget_class_bind_children (class, CulpritFunctionDetails, content, head, sentence, calls, untraced, captures);
  widget_class_bind_callbacks (class, on_capture_activated);
}

static void
culprit_function_details_init (CulpritFunctionDetails *details)
{
  gtk_widget_init_template (GTK_WIDGET (details));
  culprit_table_view_set_columns (details->captures, &culprit_function_windows, NULL);
}

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
  CulpritDocument *document = culprit_document_view_document (page);
  g_autofree char *key = row ? culprit_row_function (row) : NULL;

  if (key && g_strcmp0 (key, culprit_document_function (document)) != 0)
    culprit_document_choose_function (document, key);
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
  if (!rows)
    {
      show_line (page->head, NULL);
      culprit_table_view_set_rows (page->table, NULL);
      culprit_table_view_set_empty (page->table, "The functions cannot be read", "");
      return;
    }
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
  CulpritDocumentViewClass *view = CULPRIT_DOCUMENT_VIEW_CLASS (class);

  CULPRIT_PAGE_CLASS (class)->split = "content";
  CULPRIT_PAGE_CLASS (class)->folded_height = CULPRIT_PAGE_FOLDED_HALF;
  view->changed = page_changed;
  view->function_chosen = page_function_chosen;
  ensure_types (CULPRIT_TYPE_TABLE_VIEW, CULPRIT_TYPE_FUNCTION_DETAILS);
  widget_class_set_template (class, "functions/functions-page.ui");
  gtk_widget_class_bind_template_child_full (GTK_WIDGET_CLASS (class), "content", FALSE, 0);
  widget_class_bind_children (class, FunctionsPage, table, bar, row_menu, head);
  widget_class_bind_callbacks (class, on_selected);
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

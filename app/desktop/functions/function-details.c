/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows two strip plots above a table; activating a capture shows it on the Outliers page. */
#include "functions/function-details.h"

#include "charts/strip.h"
#include "show.h"
#include "tables/table-view.h"

#include <math.h>

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
      culprit_document_view_fail (details, error->message);
      return;
    }
  show_strip (details->calls, result, "calls", "ordinary.calls_mean");
  show_strip (details->untraced, result, "untraced_ns", "ordinary.untraced_mean_ns");
  rows = culprit_rows_new (result);
  culprit_table_view_set_rows (details->captures, rows);
  culprit_table_view_set_empty (details->captures, "In no late wake-up",
                                "It ran only outside the captured late wake-ups.");
}

/* What the verdict says of the function. */
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
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);
  CulpritDocumentViewClass *view = CULPRIT_DOCUMENT_VIEW_CLASS (class);

  view->changed = details_changed;
  view->function_chosen = details_function_chosen;
  g_type_ensure (CULPRIT_TYPE_STRIP);
  g_type_ensure (CULPRIT_TYPE_TABLE_VIEW);
  widget_class_set_template (class, "functions/function-details.ui", G_STRUCT_OFFSET (CulpritFunctionDetails, content));
  gtk_widget_class_bind_template_child (widget, CulpritFunctionDetails, head);
  gtk_widget_class_bind_template_child (widget, CulpritFunctionDetails, sentence);
  gtk_widget_class_bind_template_child (widget, CulpritFunctionDetails, calls);
  gtk_widget_class_bind_template_child (widget, CulpritFunctionDetails, untraced);
  gtk_widget_class_bind_template_child (widget, CulpritFunctionDetails, captures);
  gtk_widget_class_bind_template_callback (widget, on_capture_activated);
}

static void
culprit_function_details_init (CulpritFunctionDetails *details)
{
  gtk_widget_init_template (GTK_WIDGET (details));
  culprit_table_view_set_columns (details->captures, &culprit_function_windows, NULL);
}

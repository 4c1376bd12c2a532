/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two strips over a table; a capture that is activated is shown among the late wake-ups. */
#include "functions/function-details.h"

#include "charts/strip.h"
#include "tables/table-view.h"
#include "widgets.h"

#include <math.h>

struct _CulpritFunctionDetails
{
  GtkWidget parent;
  CulpritDocument *document;
  GCancellable *reading;
  CulpritTableView *captures;
  GtkWidget *stack;
  GtkWidget *head;
  GtkWidget *sentence;
  GtkWidget *strips;
  GtkWidget *calls;
  GtkWidget *untraced;
  GtkWidget *table_place;
};

G_DEFINE_FINAL_TYPE (CulpritFunctionDetails, culprit_function_details, GTK_TYPE_WIDGET)

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
show_strip (GtkWidget *strip, const CulpritTable *table, const char *late, const char *ordinary)
{
  g_autoptr (GArray) late_values = column_of (table, late);
  g_autoptr (GArray) ordinary_values = column_of (table, ordinary);

  culprit_strip_set_values (CULPRIT_STRIP (strip), late_values, ordinary_values);
}

static void
on_function_read (GObject *owner, gpointer result, const GError *error)
{
  CulpritFunctionDetails *details = CULPRIT_FUNCTION_DETAILS (owner);
  g_autoptr (CulpritRows) rows = NULL;

  if (error)
    {
      g_signal_emit_by_name (details->document, "failed", error->message);
      return;
    }
  show_strip (details->calls, result, "calls", "ordinary.calls_mean");
  show_strip (details->untraced, result, "untraced_ns", "ordinary.untraced_mean_ns");
  rows = culprit_rows_new (result);
  culprit_table_view_set_rows (details->captures, rows);
  culprit_table_view_set_empty (details->captures, "In no late wake-up",
                                "It ran only outside of the late wake-ups that were captured.");
}

/* What the verdict says of the function. */
static char *
find_sentence (CulpritDocument *document, const char *function)
{
  const CulpritVerdict *verdict = culprit_document_verdict (document);
  g_autoptr (GPtrArray) sentences = verdict ? culprit_verdict_in_words (verdict) : NULL;

  for (guint i = 0; verdict && i < verdict->culprits->len && i < sentences->len; i++)
    if (g_strcmp0 (culprit_verdict_key (verdict, &g_array_index (verdict->culprits, CulpritCulprit, i)), function) == 0)
      return g_strdup (g_ptr_array_index (sentences, i));
  return g_strdup ("It leads in none of the late wake-ups.");
}

static void
show_chosen (CulpritFunctionDetails *details)
{
  const char *function = culprit_document_function (details->document);
  char **asked;

  gtk_stack_set_visible_child_name (GTK_STACK (details->stack), function ? "function" : "none");
  if (!function)
    return;
  g_autofree char *sentence = find_sentence (details->document, function);

  gtk_label_set_label (GTK_LABEL (details->head), function);
  gtk_label_set_label (GTK_LABEL (details->sentence), sentence);
  g_cancellable_cancel (details->reading);
  g_clear_object (&details->reading);
  details->reading = g_cancellable_new ();
  asked = g_new0 (char *, 3);
  asked[0] = g_strdup (function);
  asked[1] = g_strdup (culprit_document_run (details->document));
  culprit_document_read (details->document, G_OBJECT (details), details->reading, read_function, asked,
                         (GDestroyNotify) g_strfreev, on_function_read, (GDestroyNotify) culprit_table_free);
}

static void
on_function (CulpritDocument *document, GParamSpec *spec, CulpritFunctionDetails *details)
{
  show_chosen (details);
}

static void
on_changed (CulpritDocument *document, guint part, CulpritFunctionDetails *details)
{
  if (part == CULPRIT_PART_OUTLIERS)
    show_chosen (details);
}

static void
on_capture_activated (CulpritTableView *table, CulpritRow *row, CulpritFunctionDetails *details)
{
  culprit_document_choose_capture (details->document, culprit_row_integer (row, "capture"));
  gtk_widget_activate_action (GTK_WIDGET (details), "win.page", "s", "outliers");
}

static void
details_dispose (GObject *object)
{
  CulpritFunctionDetails *details = CULPRIT_FUNCTION_DETAILS (object);

  g_cancellable_cancel (details->reading);
  g_clear_object (&details->reading);
  widget_drop_children (GTK_WIDGET (object));
  G_OBJECT_CLASS (culprit_function_details_parent_class)->dispose (object);
}

static void
culprit_function_details_class_init (CulpritFunctionDetailsClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = details_dispose;
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget, "/io/github/culprit/desktop/functions/function-details.ui");
  gtk_widget_class_bind_template_child (widget, CulpritFunctionDetails, stack);
  gtk_widget_class_bind_template_child (widget, CulpritFunctionDetails, head);
  gtk_widget_class_bind_template_child (widget, CulpritFunctionDetails, sentence);
  gtk_widget_class_bind_template_child (widget, CulpritFunctionDetails, strips);
  gtk_widget_class_bind_template_child (widget, CulpritFunctionDetails, table_place);
}

static void
culprit_function_details_init (CulpritFunctionDetails *details)
{
  gtk_widget_init_template (GTK_WIDGET (details));
  gtk_widget_set_vexpand (GTK_WIDGET (details), TRUE);
}

GtkWidget *
culprit_function_details_new (CulpritDocument *document)
{
  CulpritFunctionDetails *details = g_object_new (CULPRIT_TYPE_FUNCTION_DETAILS, NULL);

  details->document = document;
  details->calls = culprit_strip_new ("Calls in each wake-up", FALSE);
  details->untraced = culprit_strip_new ("Untraced time in each wake-up", TRUE);
  details->captures = culprit_table_view_new (&culprit_function_windows, NULL);
  gtk_box_append (GTK_BOX (details->strips), details->calls);
  gtk_box_append (GTK_BOX (details->strips), details->untraced);
  gtk_box_append (GTK_BOX (details->table_place), GTK_WIDGET (details->captures));
  g_signal_connect (details->captures, "activated", G_CALLBACK (on_capture_activated), details);
  g_signal_connect_object (document, "notify::function", G_CALLBACK (on_function), details, 0);
  g_signal_connect_object (document, "changed", G_CALLBACK (on_changed), details, 0);
  return GTK_WIDGET (details);
}

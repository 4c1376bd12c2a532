/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the range in a thread, while the pane is visible. */
#include "outliers/range-pane.h"

#include "show.h"
#include "tables/range.h"
#include "units.h"

struct _CulpritRangePane
{
  CulpritDocumentView parent;
  CulpritTimelineView *view;
  GtkWidget *content;
  GtkWidget *head;
  CulpritTableView *functions;
};

G_DEFINE_FINAL_TYPE (CulpritRangePane, culprit_range_pane, CULPRIT_TYPE_DOCUMENT_VIEW)

typedef struct
{
  CulpritTimeline *timeline;
  guint64 start_ns;
  guint64 end_ns;
} Range;

static void
range_free (gpointer data)
{
  culprit_timeline_unref (((Range *) data)->timeline);
  g_free (data);
}

static gpointer
add_up (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  const Range *range = data;
  CulpritTable *table = culprit_range_table (range->timeline, range->start_ns, range->end_ns, cancellable);

  if (!table)
    g_cancellable_set_error_if_cancelled (cancellable, error);
  return table;
}

static void
on_added_up (GObject *owner, gpointer result, const GError *error)
{
  CulpritRangePane *pane = CULPRIT_RANGE_PANE (owner);
  g_autoptr (CulpritRows) rows = error ? NULL : culprit_rows_new (result);

  if (rows)
    culprit_table_view_set_rows (pane->functions, rows);
}

/* The selected range, else the late wake-up, else everything. */
static Range *
find_range (CulpritTimelineView *view, CulpritTimeline *timeline, const char **what)
{
  const CulpritWindow *outlier = culprit_capture_outlier (timeline->capture);
  Range *range = g_new (Range, 1);

  *range = (Range) { .timeline = culprit_timeline_ref (timeline) };
  *what = "The selected range";
  if (culprit_timeline_view_get_selection (view, &range->start_ns, &range->end_ns))
    return range;
  *what = outlier ? "The late wake-up" : "The whole capture";
  range->start_ns = outlier ? outlier->start_ns : timeline->first_ns;
  range->end_ns = outlier ? outlier->end_ns : timeline->last_ns;
  return range;
}

static void
follow (CulpritRangePane *pane)
{
  CulpritTimeline *timeline = pane->view ? culprit_timeline_view_get_timeline (pane->view) : NULL;
  g_autofree char *time = NULL;
  g_autofree char *head = NULL;
  const char *what;
  Range *range;

  culprit_table_view_set_rows (pane->functions, NULL);
  if (!timeline || !gtk_widget_get_mapped (GTK_WIDGET (pane)))
    return;
  range = find_range (pane->view, timeline, &what);
  time = culprit_time_format (range->end_ns - range->start_ns);
  head = g_strdup_printf ("%s, %s, on %u CPU%s", what, time, timeline->cpus->len, culprit_plural (timeline->cpus->len));
  show_line (pane->head, head);
  culprit_document_view_read (pane, add_up, range, range_free, on_added_up, (GDestroyNotify) culprit_table_free);
}

static void
on_activated (CulpritTableView *table, CulpritRow *row, CulpritRangePane *pane)
{
  g_autofree char *function = culprit_row_function (row);

  culprit_document_choose_function (culprit_document_view_document (pane), function);
}

void
culprit_range_pane_set_view (CulpritRangePane *pane, CulpritTimelineView *view)
{
  pane->view = view;
  g_signal_connect_object (view, "range-selected", G_CALLBACK (follow), pane, G_CONNECT_SWAPPED);
}

static void
pane_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (culprit_range_pane_parent_class)->map (widget);
  follow (CULPRIT_RANGE_PANE (widget));
}

static void
culprit_range_pane_class_init (CulpritRangePaneClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  widget->map = pane_map;
  ensure_types (CULPRIT_TYPE_TABLE_VIEW);
  widget_class_set_template (class, "outliers/range-pane.ui");
  widget_class_bind_children (class, CulpritRangePane, content, head, functions);
  widget_class_bind_callbacks (class, on_activated);
}

static void
culprit_range_pane_init (CulpritRangePane *pane)
{
  gtk_widget_init_template (GTK_WIDGET (pane));
  culprit_table_view_set_columns (pane->functions, &culprit_range, NULL);
  culprit_table_view_set_empty (pane->functions, "Adding up…", "Shift+drag over the timeline selects another range.");
}

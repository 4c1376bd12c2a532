/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A chart of the runs that are ticked, and a table of all. A band that is selected can be recorded: it is one of the
 * run of the peak that was chosen or, if it was drawn by hand, of the ticked run that has most of its wake-ups there.
 */
#include "latency/latency-page.h"

#include "charts/chart-view.h"
#include "latency/latency-table.h"
#include "latency/peaks-button.h"
#include "units.h"

#include <math.h>

struct _LatencyPage
{
  CulpritPage parent;
  CulpritTableView *table;
  CulpritChartView *chart;
  CulpritPeaksButton *peaks;
  GtkWidget *bar;
  GtkWidget *kinds;
  GtkWidget *series;
  GtkWidget *band;
  char *band_run;   /* that the band was chosen in; NULL: there is none */
  const char *peak; /* the run of the peak that is being chosen; NULL: none is */
  GtkWidget *record_band;
};

static gboolean
page_export (CulpritPage *page, const char *path, GError **error)
{
  return culprit_chart_view_export (LATENCY_PAGE (page)->chart, path, error);
}

G_DEFINE_FINAL_TYPE (LatencyPage, latency_page, CULPRIT_TYPE_PAGE)

static gboolean
is_ticked (LatencyPage *page, const char *name)
{
  for (GtkWidget *tick = gtk_widget_get_first_child (page->series); tick; tick = gtk_widget_get_next_sibling (tick))
    if (g_str_equal (gtk_check_button_get_label (GTK_CHECK_BUTTON (tick)), name))
      return gtk_check_button_get_active (GTK_CHECK_BUTTON (tick));
  return FALSE;
}

static void
draw (LatencyPage *page)
{
  const GPtrArray *latencies = culprit_document_latencies (culprit_document_view_document (page));
  g_autoptr (GArray) series = g_array_new (FALSE, FALSE, sizeof (ChartSeries));
  ChartKind kind = gtk_drop_down_get_selected (GTK_DROP_DOWN (page->kinds));

  for (guint i = 0; latencies && i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);
      const ChartSeries added = { one->name, one->profile };

      if (one->profile && is_ticked (page, one->name))
        g_array_append_val (series, added);
    }
  culprit_chart_view_set_chart (
      page->chart, series->len > 0
                       ? chart_new (kind, (const ChartSeries *) (gpointer) series->data, series->len, CULPRIT_FITS)
                       : NULL);
}

static void
on_tick (GtkCheckButton *tick, LatencyPage *page)
{
  draw (page);
}

static void
on_kind (GtkDropDown *kinds, GParamSpec *spec, LatencyPage *page)
{
  if (culprit_document_view_document (page))
    draw (page);
}

/* A tick for each run; those that were there stay as they are. */
static void
fill_series (LatencyPage *page, const GPtrArray *latencies)
{
  g_autoptr (GHashTable) off = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GtkWidget *tick;

  while ((tick = gtk_widget_get_first_child (page->series)))
    {
      if (!gtk_check_button_get_active (GTK_CHECK_BUTTON (tick)))
        g_hash_table_add (off, g_strdup (gtk_check_button_get_label (GTK_CHECK_BUTTON (tick))));
      gtk_box_remove (GTK_BOX (page->series), tick);
    }
  for (guint i = 0; i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);

      if (!one->profile)
        continue;
      tick = gtk_check_button_new_with_label (one->name);
      gtk_check_button_set_active (GTK_CHECK_BUTTON (tick), !g_hash_table_contains (off, one->name));
      g_signal_connect (tick, "toggled", G_CALLBACK (on_tick), page);
      gtk_box_append (GTK_BOX (page->series), tick);
    }
}

static void
page_changed (CulpritDocumentView *view, CulpritPartKind part)
{
  LatencyPage *page = LATENCY_PAGE (view);
  const GPtrArray *latencies = culprit_document_latencies (culprit_document_view_document (view));
  g_autoptr (CulpritRows) rows = NULL;

  if (part != CULPRIT_PART_LATENCIES)
    return;
  rows = latency_rows (latencies);
  fill_series (page, latencies);
  culprit_peaks_button_set_latencies (page->peaks, latencies);
  culprit_table_view_set_empty (page->table, "No latencies yet",
                                "Record a run, or drop the results of cyclictest, stress-ng, rtla or jitterdebugger "
                                "here.");
  culprit_table_view_set_rows (page->table, rows);
  draw (page);
}

/* The band. */

static const char *
run_at (LatencyPage *page, double low_ns, double high_ns)
{
  const GPtrArray *latencies = culprit_document_latencies (culprit_document_view_document (page));
  const char *found = NULL;
  double most = 0;

  for (guint i = 0; latencies && i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);
      double share;

      if (!one->profile || !is_ticked (page, one->name))
        continue;
      share = (double) (culprit_profile_count_to (one->profile, llround (high_ns)) -
                        culprit_profile_count_to (one->profile, llround (low_ns) - 1)) /
              one->profile->n;
      if (share > most || !found)
        found = one->name;
      most = MAX (most, share);
    }
  return found;
}

static void
on_range (CulpritChartView *chart, LatencyPage *page)
{
  double low;
  double high;
  gboolean selected = culprit_chart_view_selection (chart, &low, &high) &&
                      gtk_drop_down_get_selected (GTK_DROP_DOWN (page->kinds)) <= CHART_DENSITY;
  g_autofree char *from = culprit_time_format (selected ? llround (low) : 0);
  g_autofree char *to = culprit_time_format (selected ? llround (high) : 0);
  g_autofree char *text = NULL;

  g_free (page->band_run);
  page->band_run = selected ? g_strdup (page->peak ? page->peak : run_at (page, low, high)) : NULL;
  text = g_strdup_printf ("Band %s to %s of %s", from, to, page->band_run);
  gtk_label_set_label (GTK_LABEL (page->band), page->band_run ? text : "Drag in the chart to select a band");
  gtk_widget_set_sensitive (page->record_band, page->band_run && high > 0);
}

/* The histogram is where peaks are seen. */
static void
on_peak (CulpritPeaksButton *button, const char *run, double low_ns, double high_ns, LatencyPage *page)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (page->kinds), CHART_HISTOGRAM);
  page->peak = run;
  culprit_chart_view_select (page->chart, low_ns, high_ns);
  page->peak = NULL;
}

static void
on_record_band (GtkButton *button, LatencyPage *page)
{
  double low;
  double high;

  if (page->band_run && culprit_chart_view_selection (page->chart, &low, &high))
    gtk_widget_activate_action (GTK_WIDGET (page), "win.record-band", "(sxx)", page->band_run,
                                (gint64) llround (MAX (low, 1)), (gint64) llround (high));
}

/* The chosen capture's latency is marked. */
static void
page_capture_chosen (CulpritDocumentView *view)
{
  CulpritDocument *document = culprit_document_view_document (view);
  CulpritRows *rows = culprit_document_outliers (document);
  CulpritRow *row = rows ? culprit_rows_find (rows, "capture", culprit_document_capture (document)) : NULL;

  culprit_chart_view_mark (LATENCY_PAGE (view)->chart, row ? culprit_row_real (row, "latency_ns") : NAN);
}

/* The widget. */

static void
page_finalize (GObject *object)
{
  g_free (LATENCY_PAGE (object)->band_run);
  G_OBJECT_CLASS (latency_page_parent_class)->finalize (object);
}

static void
latency_page_class_init (LatencyPageClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);
  CulpritDocumentViewClass *view = CULPRIT_DOCUMENT_VIEW_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = page_finalize;
  CULPRIT_PAGE_CLASS (class)->export_picture = page_export;
  view->changed = page_changed;
  view->capture_chosen = page_capture_chosen;
  g_type_ensure (CULPRIT_TYPE_CHART_VIEW);
  g_type_ensure (CULPRIT_TYPE_PEAKS_BUTTON);
  g_type_ensure (CULPRIT_TYPE_TABLE_VIEW);
  widget_class_set_template (class, "latency/latency-page.ui", 0);
  gtk_widget_class_bind_template_child (widget, LatencyPage, bar);
  gtk_widget_class_bind_template_child (widget, LatencyPage, kinds);
  gtk_widget_class_bind_template_child (widget, LatencyPage, series);
  gtk_widget_class_bind_template_child (widget, LatencyPage, peaks);
  gtk_widget_class_bind_template_child (widget, LatencyPage, band);
  gtk_widget_class_bind_template_child (widget, LatencyPage, record_band);
  gtk_widget_class_bind_template_child (widget, LatencyPage, chart);
  gtk_widget_class_bind_template_child (widget, LatencyPage, table);
  gtk_widget_class_bind_template_callback (widget, on_kind);
  gtk_widget_class_bind_template_callback (widget, on_peak);
  gtk_widget_class_bind_template_callback (widget, on_range);
  gtk_widget_class_bind_template_callback (widget, on_record_band);
}

static void
latency_page_init (LatencyPage *page)
{
  gtk_widget_init_template (GTK_WIDGET (page));
  culprit_table_view_set_columns (page->table, &culprit_latencies, NULL);
  gtk_box_append (GTK_BOX (page->bar), culprit_table_view_explain_button (page->table));
  on_range (page->chart, page);
}

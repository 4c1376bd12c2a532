/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A chart of the runs that are ticked, and a table of all. A band that is selected can be recorded: it is most likely
 * meant of the run of the peak that was chosen or, if it was drawn by hand, of the run that is selected in the table,
 * else of the ticked one that has most of its wake-ups there. */
#include "latency/latency-page.h"

#include "charts/chart-tools.h"
#include "charts/swatch.h"
#include "document.h"
#include "headings.h"
#include "latency/band-button.h"
#include "latency/mapping.h"
#include "latency/peaks-button.h"
#include "latency/read.h"
#include "seeded-hash.h"
#include "show.h"
#include "tables/latency.h"
#include "tables/table-view.h"
#include "units.h"
#include "wrap-layout.h"

#include <math.h>

/* Shows the library's table of latencies that the document has read. */

/* What of the table is drawn. */
extern const TableCell latency_cells[];

const TableCell latency_cells[] = {
  RUN_CELL,
  { NULL },
};

/* A row for each of @latencies (of CulpritLatencies). The caller owns it. */
static CulpritRows *
latency_rows (const GPtrArray *latencies)
{
  CulpritTable *table = culprit_latencies_table (NULL);
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  CulpritRows *rows;

  for (guint i = 0; i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);
      CulpritRunLatencies run = { one->name, one->profile, one->description, one->facts.summary };

      if (one->description && one->facts.period_ns > 0)
        run.lateness = culprit_lateness (one->profile, one->facts.period_ns, one->facts.deadline_ns);
      culprit_latencies_add (table, &run);
      g_array_append_val (numbers, one->number);
    }
  rows = culprit_rows_new (table);
  run_cell_attach (rows, numbers);
  return rows;
}

#define RUN "run" /* with a tick's row */

struct _LatencyPage
{
  CulpritPage parent;
  CulpritTableView *table;
  CulpritChartView *chart;
  CulpritChartTools *tools;
  CulpritPeaksButton *peaks;
  GtkWidget *bar;
  GtkWidget *kinds;
  GtkWidget *series;
  GtkWidget *band;
  CulpritBandButton *record_band;
  char *peak_run; /* the run of the peak that was chosen as the band; NULL: none was */
};

static gboolean
page_export (CulpritPage *page, const char *path, GError **error)
{
  g_autofree char *heading = heading_of_runs (culprit_document_view_document (page));

  return culprit_chart_view_export (LATENCY_PAGE (page)->chart, heading, path, error);
}

G_DEFINE_FINAL_TYPE (LatencyPage, latency_page, CULPRIT_TYPE_PAGE)

/* The ticks, each beside its run's colour. */
static GtkCheckButton *
tick_in (GtkWidget *row)
{
  return GTK_CHECK_BUTTON (gtk_widget_get_last_child (row));
}

/* The name of the run, of which the label may show only a part. */
static const char *
run_of (GtkWidget *row)
{
  return g_object_get_data (G_OBJECT (row), RUN);
}

static gboolean
is_ticked (LatencyPage *page, const char *name)
{
  for (GtkWidget *row = gtk_widget_get_first_child (page->series); row; row = gtk_widget_get_next_sibling (row))
    if (g_str_equal (run_of (row), name))
      return gtk_check_button_get_active (tick_in (row));
  return FALSE;
}

/* The runs that are drawn, of CulpritLatencies. */
static GPtrArray *
find_shown (LatencyPage *page)
{
  CulpritDocument *document = culprit_document_view_document (page);
  const GPtrArray *latencies = document ? culprit_document_latencies (document) : NULL;
  GPtrArray *shown = g_ptr_array_new ();

  for (guint i = 0; latencies && i < latencies->len; i++)
    {
      CulpritLatencies *one = g_ptr_array_index (latencies, i);

      if (one->profile && is_ticked (page, one->name))
        g_ptr_array_add (shown, one);
    }
  return shown;
}

/* The band. */

/* The selected latencies. FALSE where none are, or those of another axis. */
static gboolean
find_band (LatencyPage *page, gint64 *low_ns, gint64 *high_ns)
{
  const Chart *chart = culprit_chart_view_chart (page->chart);
  double low;
  double high;

  if (!culprit_chart_view_selection (page->chart, &low, &high) || !chart_has_latencies_across (chart) || high < 1)
    return FALSE;
  *low_ns = llround (low);
  *high_ns = llround (high);
  return TRUE;
}

/* The place in @shown of the run that the band is most likely meant of. */
static guint
find_likely (
    LatencyPage *page, const GPtrArray *shown, const CulpritProfile *const *profiles, gint64 low_ns, gint64 high_ns)
{
  g_autoptr (GPtrArray) selected = culprit_table_view_selected (page->table);
  const char *row = selected->len == 1 ? culprit_row_text (g_ptr_array_index (selected, 0), "run") : NULL;
  const char *run = page->peak_run ? page->peak_run : row;

  for (guint i = 0; i < shown->len; i++)
    if (g_strcmp0 (((const CulpritLatencies *) g_ptr_array_index (shown, i))->name, run) == 0)
      return i;
  return culprit_band_find (profiles, shown->len, low_ns, high_ns);
}

/* Tells the band and how much lies there, of all runs that are shown. */
static void
tell_band (LatencyPage *page, const CulpritProfile *const *profiles, guint n, gint64 low_ns, gint64 high_ns)
{
  CulpritBandCount count = culprit_band_count_all (profiles, n, low_ns, high_ns);
  g_autofree char *words = culprit_band_in_words (&count);
  g_autofree char *range = culprit_time_format_range (low_ns, high_ns);
  g_autofree char *text = g_strdup_printf ("Band %s: %s", range, words);

  show_line (page->band, text);
  show_tooltip (page->band, text);
  culprit_chart_view_tell_selection (page->chart, words);
}

static void
show_band (LatencyPage *page)
{
  g_autoptr (GPtrArray) shown = find_shown (page);
  g_autofree const CulpritProfile **profiles = g_new (const CulpritProfile *, shown->len + 1);
  CulpritDocument *document = culprit_document_view_document (page);
  const Chart *chart = culprit_chart_view_chart (page->chart);
  gint64 low_ns = 0;
  gint64 high_ns = 0;

  for (guint i = 0; i < shown->len; i++)
    profiles[i] = ((const CulpritLatencies *) g_ptr_array_index (shown, i))->profile;
  if (find_band (page, &low_ns, &high_ns) && shown->len > 0)
    {
      tell_band (page, profiles, shown->len, low_ns, high_ns);
      culprit_band_button_set_band (page->record_band, document, shown,
                                    find_likely (page, shown, profiles, low_ns, high_ns), MAX (low_ns, 1), high_ns);
      return;
    }
  g_ptr_array_set_size (shown, 0);
  show_line (page->band, chart && !chart_has_latencies_across (chart) ? "Bands are selected in the histogram or density"
                                                                      : "Drag in the chart to select a band");
  gtk_widget_set_tooltip_text (page->band, "Drag in the histogram or density chart to select a band of latencies");
  culprit_chart_view_tell_selection (page->chart, NULL);
  culprit_band_button_set_band (page->record_band, document, shown, 0, 0, 0);
}

/* The chart. */

/* Marks a latency, once. */
static void
add_trigger (LatencyPage *page, GHashTable *seen, const char *what, gint64 latency_ns)
{
  g_autofree char *time = culprit_time_format (latency_ns);
  g_autofree char *label = g_strdup_printf ("%s %s", what, time);

  if (latency_ns <= 0 || g_hash_table_contains (seen, label))
    return;
  culprit_chart_view_add_trigger (page->chart, latency_ns, label);
  g_hash_table_add (seen, g_steal_pointer (&label));
}

/* Marks what made wake-ups hits. */
static void
add_triggers (LatencyPage *page, const GPtrArray *shown)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);

  culprit_chart_view_clear_triggers (page->chart);
  for (guint i = 0; i < shown->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (shown, i);

      add_trigger (page, seen, "threshold", one->threshold_ns);
      add_trigger (page, seen, "recorded band from", one->band_low_ns);
      add_trigger (page, seen, "recorded band to", one->band_high_ns);
    }
}

static void
draw (LatencyPage *page)
{
  g_autoptr (GPtrArray) shown = find_shown (page);
  g_autoptr (GArray) series = g_array_new (FALSE, FALSE, sizeof (ChartSeries));
  ChartKind kind = gtk_drop_down_get_selected (GTK_DROP_DOWN (page->kinds));

  for (guint i = 0; i < shown->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (shown, i);
      const ChartSeries added = { one->name, one->profile, one->number };

      g_array_append_val (series, added);
    }
  culprit_chart_view_set_chart (
      page->chart, series->len > 0 ? chart_new (kind, (const ChartSeries *) (gpointer) series->data, series->len,
                                                CULPRIT_FITS, culprit_chart_tools_scale (page->tools))
                                   : NULL);
  add_triggers (page, shown);
  show_band (page);
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

static void
add_tick (LatencyPage *page, const CulpritLatencies *one, gboolean on)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *tick = show_tick_new (one->name);

  gtk_check_button_set_active (GTK_CHECK_BUTTON (tick), on);
  g_signal_connect (tick, "toggled", G_CALLBACK (on_tick), page);
  g_object_set_data_full (G_OBJECT (row), RUN, g_strdup (one->name), g_free);
  gtk_box_append (GTK_BOX (row), culprit_swatch_new (one->number));
  gtk_box_append (GTK_BOX (row), tick);
  gtk_box_append (GTK_BOX (page->series), row);
}

/* A tick for each run; those that were there stay as they are. */
static void
fill_series (LatencyPage *page, const GPtrArray *latencies)
{
  g_autoptr (GHashTable) off = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (page->series)))
    {
      if (!gtk_check_button_get_active (tick_in (row)))
        g_hash_table_add (off, g_strdup (run_of (row)));
      gtk_box_remove (GTK_BOX (page->series), row);
    }
  for (guint i = 0; i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);

      if (one->profile)
        add_tick (page, one, !g_hash_table_contains (off, one->name));
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
                                "Record a run, or drop the results of " CULPRIT_LATENCY_TOOLS " here.");
  culprit_table_view_set_rows (page->table, rows);
  draw (page);
}

static void
on_range (CulpritChartView *chart, LatencyPage *page)
{
  g_clear_pointer (&page->peak_run, g_free);
  show_band (page);
}

static void
on_selected (CulpritTableView *table, CulpritRow *row, LatencyPage *page)
{
  if (culprit_document_view_document (page))
    show_band (page);
}

/* The histogram is where peaks are seen. */
static void
on_peak (CulpritPeaksButton *button, const char *run, double low_ns, double high_ns, LatencyPage *page)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (page->kinds), CHART_HISTOGRAM);
  culprit_chart_view_select (page->chart, low_ns, high_ns);
  g_free (page->peak_run);
  page->peak_run = g_strdup (run);
  show_band (page);
}

static void
on_record_band (CulpritBandButton *button, const char *run, LatencyPage *page)
{
  gint64 low_ns;
  gint64 high_ns;

  if (find_band (page, &low_ns, &high_ns))
    gtk_widget_activate_action (GTK_WIDGET (page), "win.record-band", "(sxx)", run, MAX (low_ns, 1), high_ns);
}

/* The chosen capture's latency is marked. */
static void
page_capture_chosen (CulpritDocumentView *view)
{
  CulpritDocument *document = culprit_document_view_document (view);
  CulpritRows *rows = culprit_document_outliers (document);
  CulpritRow *row = rows ? culprit_rows_find (rows, "capture", culprit_document_capture (document)) : NULL;

  gint64 latency_ns = row ? culprit_row_integer (row, "latency_ns") : 0;
  g_autofree char *time = culprit_time_format (latency_ns);
  g_autofree char *label =
      g_strdup_printf ("capture %" G_GINT64_FORMAT ": %s", culprit_document_capture (document), time);

  culprit_chart_view_mark (LATENCY_PAGE (view)->chart, row ? latency_ns : NAN, label);
}

/* The widget. */

static void
page_finalize (GObject *object)
{
  g_free (LATENCY_PAGE (object)->peak_run);
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
  g_type_ensure (CULPRIT_TYPE_BAND_BUTTON);
  g_type_ensure (CULPRIT_TYPE_CHART_TOOLS);
  g_type_ensure (CULPRIT_TYPE_CHART_VIEW);
  g_type_ensure (CULPRIT_TYPE_PEAKS_BUTTON);
  g_type_ensure (CULPRIT_TYPE_TABLE_VIEW);
  g_type_ensure (CULPRIT_TYPE_WRAP_LAYOUT);
  widget_class_set_template (class, "latency/latency-page.ui", 0);
  gtk_widget_class_bind_template_child (widget, LatencyPage, bar);
  gtk_widget_class_bind_template_child (widget, LatencyPage, kinds);
  gtk_widget_class_bind_template_child (widget, LatencyPage, series);
  gtk_widget_class_bind_template_child (widget, LatencyPage, peaks);
  gtk_widget_class_bind_template_child (widget, LatencyPage, band);
  gtk_widget_class_bind_template_child (widget, LatencyPage, record_band);
  gtk_widget_class_bind_template_child (widget, LatencyPage, chart);
  gtk_widget_class_bind_template_child (widget, LatencyPage, tools);
  gtk_widget_class_bind_template_child (widget, LatencyPage, table);
  gtk_widget_class_bind_template_callback (widget, draw);
  gtk_widget_class_bind_template_callback (widget, on_kind);
  gtk_widget_class_bind_template_callback (widget, on_peak);
  gtk_widget_class_bind_template_callback (widget, on_range);
  gtk_widget_class_bind_template_callback (widget, on_record_band);
  gtk_widget_class_bind_template_callback (widget, on_selected);
}

static void
latency_page_init (LatencyPage *page)
{
  gtk_widget_init_template (GTK_WIDGET (page));
  culprit_table_view_set_columns (page->table, &culprit_latencies, latency_cells);
  culprit_table_view_keep (page->table, "latency");
  gtk_box_append (GTK_BOX (page->bar), culprit_table_view_columns_button (page->table));
  gtk_box_append (GTK_BOX (page->bar), culprit_table_view_explain_button (page->table));
  on_range (page->chart, page);
}

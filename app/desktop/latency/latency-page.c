/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A chart of the checked runs, and a table of all. What peaks are due to, as far as captures tell, is written at them.
 * A selected band can be recorded; the likely run is that of the chosen peak or, for a band drawn by hand, the one
 * selected in the table, else the checked one with most wake-ups in the band. */
#include "pages.h"

#include "charts/chart-view.h"
#include "charts/swatch.h"
#include "document.h"
#include "headings.h"
#include "latency/comparison/mapping.h"
#include "latency/tail-pane.h"
#include "latency/tools/read.h"
#include "record/band-map.h"
#include "seeded-hash.h"
#include "show.h"
#include "tables/latency.h"
#include "tables/table-view.h"
#include "units.h"
#include "verdict/explanation.h"
#include "widgets.h"

#include <gtk/gtk.h>
#include <math.h>
#include <string.h>

/* What peaks are due to. */

#define MOST_EXPLAINED 8 /* recordings */

/* Whether @explanation is about the run @one. */
static gboolean
is_about (const CulpritExplanation *explanation, const CulpritLatencies *one)
{
  return g_str_equal (one->tracing, "off") && g_str_equal (one->series, explanation->series);
}

/* What the band from @low_ns to @high_ns of the run @one is due to, by @explanations (of CulpritExplanation, may be
 * NULL); NULL: that is not known. */
static const CulpritExplainedPeak *
find_explained (const GPtrArray *explanations, const CulpritLatencies *one, double low_ns, double high_ns)
{
  for (guint i = 0; explanations && i < explanations->len; i++)
    {
      const CulpritExplanation *explanation = g_ptr_array_index (explanations, i);

      for (guint k = 0; is_about (explanation, one) && k < explanation->peaks->len; k++)
        {
          const CulpritExplainedPeak *peak = culprit_explanation_peak (explanation, k);

          if (peak->label && peak->at_ns >= low_ns && peak->at_ns <= high_ns)
            return peak;
        }
    }
  return NULL;
}

/* The labels of the run @one, of ChartLabel; their texts belong to @explanations. The caller owns the array. */
static GArray *
labels_of (const GPtrArray *explanations, const CulpritLatencies *one)
{
  GArray *labels = g_array_new (FALSE, FALSE, sizeof (ChartLabel));

  for (guint i = 0; explanations && i < explanations->len; i++)
    {
      const CulpritExplanation *explanation = g_ptr_array_index (explanations, i);

      for (guint k = 0; is_about (explanation, one) && k < explanation->peaks->len; k++)
        {
          const CulpritExplainedPeak *peak = culprit_explanation_peak (explanation, k);
          const ChartLabel label = { peak->at_ns, peak->band.low_ns, peak->band.high_ns, peak->label };

          if (peak->label)
            g_array_append_val (labels, label);
        }
    }
  return labels;
}

/* The peaks in a popover, by run and latency. */

#define CULPRIT_TYPE_PEAKS_BUTTON (culprit_peaks_button_get_type ())

G_DECLARE_FINAL_TYPE (CulpritPeaksButton, culprit_peaks_button, CULPRIT, PEAKS_BUTTON, AdwBin)

struct _CulpritPeaksButton
{
  AdwBin parent;
  GtkWidget *content;
  GtkWidget *list;
  GArray *bands; /* of Band, for each row of the list */
  GtkWidget *explain;
  char *run; /* to explain; NULL: none */
};

typedef struct
{
  char *run;
  double low_ns;
  double high_ns;
} Band;

static void
band_clear (gpointer data)
{
  g_free (((Band *) data)->run);
}

G_DEFINE_FINAL_TYPE (CulpritPeaksButton, culprit_peaks_button, ADW_TYPE_BIN)

static guint peak_chosen;

static void
on_row (GtkListBox *list, GtkListBoxRow *row, CulpritPeaksButton *button)
{
  const Band *band = &g_array_index (button->bands, Band, gtk_list_box_row_get_index (row));

  gtk_menu_button_popdown (GTK_MENU_BUTTON (button->content));
  g_signal_emit (button, peak_chosen, 0, band->run, band->low_ns, band->high_ns);
}

static void
on_explain (GtkButton *explain, CulpritPeaksButton *button)
{
  gtk_menu_button_popdown (GTK_MENU_BUTTON (button->content));
  gtk_widget_activate_action (GTK_WIDGET (button), "win.record-explain", "s", button->run);
}

/* Offers to explain the peaks of @run; NULL: of none. */
static void
culprit_peaks_button_set_run (CulpritPeaksButton *button, const char *run)
{
  g_autofree char *tip =
      run ? g_strdup_printf ("Capture wake-ups of each peak of %s, to tell which function it is due to", run)
          : g_strdup ("Select a run without tracing in the table of which is known where it was recorded");

  g_free (button->run);
  button->run = g_strdup (run);
  gtk_widget_set_sensitive (button->explain, run != NULL);
  show_tooltip (button->explain, tip);
}

static void
add_band (CulpritPeaksButton *button,
          const CulpritLatencies *one,
          const char *what,
          const CulpritExplainedPeak *explained,
          gint64 low_ns,
          gint64 high_ns)
{
  CulpritBandCount count = culprit_band_count (one->profile, low_ns, high_ns);
  g_autofree char *range = culprit_time_format_range (low_ns, high_ns + 1);
  g_autofree char *rate = culprit_band_rate_in_words (&count);
  g_autofree char *text = g_strdup_printf ("%s: %s%s%s, band %s, %s", one->name, what, explained ? ", " : "",
                                           explained ? explained->label : "", range, rate);
  const Band band = { g_strdup (one->name), low_ns, high_ns + 1 };
  GtkWidget *label = show_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_list_box_append (GTK_LIST_BOX (button->list), label);
  g_array_append_val (button->bands, band);
}

/* Offers the late wake-ups and the peaks of @latencies (of CulpritLatencies), with what they are due to by
 * @explanations, which may be NULL. All may be freed afterwards. */
static void
culprit_peaks_button_set_latencies (CulpritPeaksButton *button,
                                    const GPtrArray *latencies,
                                    const GPtrArray *explanations)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (button->list)))
    gtk_list_box_remove (GTK_LIST_BOX (button->list), child);
  g_array_set_size (button->bands, 0);
  for (guint i = 0; i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);
      CulpritLate late;

      if (one->profile && culprit_late_find (one->profile, &late))
        add_band (button, one, "late", find_explained (explanations, one, late.from_ns, late.to_ns), late.from_ns,
                  late.to_ns);
      for (guint k = 0; one->description && k < one->description->peaks->len; k++)
        {
          const CulpritPeak *peak = &g_array_index (one->description->peaks, CulpritPeak, k);
          g_autofree char *at = culprit_time_format (peak->at_ns);

          if (!peak->weak)
            add_band (button, one, at, find_explained (explanations, one, peak->band_low_ns, peak->band_high_ns),
                      peak->band_low_ns, peak->band_high_ns);
        }
    }
  gtk_widget_set_sensitive (button->content, button->bands->len > 0);
}

static void
peaks_button_dispose (GObject *object)
{
  adw_bin_set_child (ADW_BIN (object), NULL);
  g_clear_pointer (&CULPRIT_PEAKS_BUTTON (object)->bands, g_array_unref);
  g_clear_pointer (&CULPRIT_PEAKS_BUTTON (object)->run, g_free);
  G_OBJECT_CLASS (culprit_peaks_button_parent_class)->dispose (object);
}

static void
culprit_peaks_button_class_init (CulpritPeaksButtonClass *class)
{
  G_OBJECT_CLASS (class)->dispose = peaks_button_dispose;
  widget_class_set_template (class, "latency/peaks-button.ui");
  widget_class_bind_children (class, CulpritPeaksButton, content, list, explain);
  widget_class_bind_callbacks (class, on_row, on_explain);
  peak_chosen = signal_new (CULPRIT_TYPE_PEAKS_BUTTON, "chosen", 3, G_TYPE_STRING, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
}

static void
culprit_peaks_button_init (CulpritPeaksButton *button)
{
  button->bands = g_array_new (FALSE, FALSE, sizeof (Band));
  g_array_set_clear_func (button->bands, band_clear);
  gtk_widget_init_template (GTK_WIDGET (button));
  culprit_peaks_button_set_run (button, NULL);
}

/* A popover to choose the run that a band refers to, and to see the band to record. */

#define CULPRIT_TYPE_BAND_BUTTON (culprit_band_button_get_type ())

G_DECLARE_FINAL_TYPE (CulpritBandButton, culprit_band_button, CULPRIT, BAND_BUTTON, AdwBin)

struct _CulpritBandButton
{
  AdwBin parent;
  CulpritDocument *document; /* NULL: no band yet */
  gint64 low_ns;
  gint64 high_ns;
  GPtrArray *names; /* of char *, for each row of the drop-down */
  GtkWidget *content;
  GtkWidget *runs;
  GtkWidget *remark;
  GtkWidget *result;
  GtkWidget *rate;
  GtkWidget *warning;
};

G_DEFINE_FINAL_TYPE (CulpritBandButton, culprit_band_button, ADW_TYPE_BIN)

static guint band_chosen;

static const char *
chosen_run (CulpritBandButton *button)
{
  guint place = gtk_drop_down_get_selected (GTK_DROP_DOWN (button->runs));

  return place < button->names->len ? g_ptr_array_index (button->names, place) : NULL;
}

static void
show_map (CulpritBandButton *button)
{
  const char *run = chosen_run (button);
  g_autofree char *text = NULL;

  if (!run)
    return;
  g_auto (BandMap) map = band_map (button->document, run, button->low_ns, button->high_ns);

  text = band_map_result (&map);
  show_line (button->remark, map.remark ? map.remark : "");
  show_line (button->result, text);
  show_line (button->rate, map.rate ? map.rate : "");
  show_line (button->warning, map.warning ? map.warning : "");
  gtk_widget_set_visible (button->warning, map.warning != NULL);
}

static void
on_run (GtkDropDown *runs, GParamSpec *spec, CulpritBandButton *button)
{
  show_map (button);
}

static void
on_fill_in (GtkButton *fill_in, CulpritBandButton *button)
{
  g_autofree char *run = g_strdup (chosen_run (button));

  gtk_menu_button_popdown (GTK_MENU_BUTTON (button->content));
  if (run)
    g_signal_emit (button, band_chosen, 0, run);
}

/* Offers the band from @low_ns to @high_ns for each of the runs @shown (of CulpritLatencies of @document), at first for
 * the one at @likely. Insensitive if there are none. */
static void
culprit_band_button_set_band (CulpritBandButton *button,
                              CulpritDocument *document,
                              const GPtrArray *shown,
                              guint likely,
                              gint64 low_ns,
                              gint64 high_ns)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  g_ptr_array_set_size (button->names, 0);
  button->document = document;
  button->low_ns = low_ns;
  button->high_ns = high_ns;
  for (guint i = 0; i < shown->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (shown, i);
      CulpritBandCount count = culprit_band_count (one->profile, low_ns, high_ns);
      g_autofree char *words = culprit_band_in_words (&count);
      g_autofree char *title = g_strdup_printf ("%s: %s", one->name, words);

      g_ptr_array_add (button->names, g_strdup (one->name));
      show_in_list (titles, title);
    }
  gtk_drop_down_set_model (GTK_DROP_DOWN (button->runs), G_LIST_MODEL (titles));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (button->runs), likely);
  gtk_widget_set_sensitive (button->content, shown->len > 0);
  show_map (button);
}

/* The widget. */

static void
band_button_dispose (GObject *object)
{
  adw_bin_set_child (ADW_BIN (object), NULL);
  g_clear_pointer (&CULPRIT_BAND_BUTTON (object)->names, g_ptr_array_unref);
  G_OBJECT_CLASS (culprit_band_button_parent_class)->dispose (object);
}

static void
culprit_band_button_class_init (CulpritBandButtonClass *class)
{
  G_OBJECT_CLASS (class)->dispose = band_button_dispose;
  widget_class_set_template (class, "latency/band-button.ui");
  widget_class_bind_children (class, CulpritBandButton, content, runs, remark, result, rate, warning);
  widget_class_bind_callbacks (class, on_run, on_fill_in);
  band_chosen = signal_new (CULPRIT_TYPE_BAND_BUTTON, "chosen", 1, G_TYPE_STRING);
}

static void
culprit_band_button_init (CulpritBandButton *button)
{
  button->names = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_init_template (GTK_WIDGET (button));
}

/* The library's table of latencies. */

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
  GHashTable *ticks; /* of the runs in series */
  GtkWidget *band;
  GtkWidget *show_captures;
  CulpritBandButton *record_band;
  CulpritTailPane *tail;
  char *peak_run;                        /* the run of the peak that was chosen as the band, or NULL */
  GPtrArray *explanations;               /* of CulpritExplanation; NULL: not read yet */
  const CulpritExplainedPeak *explained; /* what that peak is due to; NULL: that is not known */
};

static gboolean
page_export (CulpritPage *page, const char *path, GError **error)
{
  g_autofree char *heading = heading_of_runs (culprit_document_view_document (page));

  return culprit_chart_view_export (LATENCY_PAGE (page)->chart, heading, path, error);
}

G_DEFINE_FINAL_TYPE (LatencyPage, latency_page, CULPRIT_TYPE_PAGE)

static gboolean
is_ticked (LatencyPage *page, const char *name)
{
  GtkCheckButton *tick = g_hash_table_lookup (page->ticks, name);

  return tick && gtk_check_button_get_active (tick);
}

/* The checked runs (of CulpritLatencies). The caller owns the array. */
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

static ChartKind
chosen_kind (LatencyPage *page)
{
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (page->kinds));
}

static gboolean
has_latencies_across (LatencyPage *page)
{
  return chosen_kind (page) == CHART_HISTOGRAM || chosen_kind (page) == CHART_DENSITY;
}

/* The selected latencies; FALSE: none are, or the axis has something else. */
static gboolean
find_band (LatencyPage *page, gint64 *low_ns, gint64 *high_ns)
{
  double low;
  double high;

  if (!culprit_chart_view_selection (page->chart, &low, &high) || !has_latencies_across (page) || high < 1)
    return FALSE;
  *low_ns = llround (low);
  *high_ns = llround (high);
  return TRUE;
}

/* The place in @shown of the run of the chosen peak, or else of the one selected in the table; @otherwise: there is
 * none. */
static guint
find_selected (LatencyPage *page, const GPtrArray *shown, guint otherwise)
{
  g_autoptr (GPtrArray) selected = culprit_table_view_selected (page->table);
  const char *row = selected->len == 1 ? culprit_row_text (g_ptr_array_index (selected, 0), "run") : NULL;
  const char *run = page->peak_run ? page->peak_run : row;

  for (guint i = 0; i < shown->len; i++)
    if (g_strcmp0 (((const CulpritLatencies *) g_ptr_array_index (shown, i))->name, run) == 0)
      return i;
  return otherwise;
}

/* Describes the band, how many wake-ups of the checked runs it contains and what they are due to. */
static void
describe_band (LatencyPage *page, const CulpritProfile *const *profiles, guint n, gint64 low_ns, gint64 high_ns)
{
  CulpritBandCount count = culprit_band_count_all (profiles, n, low_ns, high_ns);
  g_autofree char *words = culprit_band_in_words (&count);
  g_autofree char *range = culprit_time_format_range (low_ns, high_ns);
  g_autofree char *text = page->explained ? g_strdup_printf ("%s, band %s: %s", page->explained->label, range, words)
                                          : g_strdup_printf ("Band %s: %s", range, words);
  g_autofree char *tip = page->explained ? g_strdup_printf ("%s\n%s", text, page->explained->words) : g_strdup (text);

  show_line (page->band, text);
  show_tooltip (page->band, tip);
  culprit_chart_view_label_selection (page->chart, words);
}

/* The captures (of gint64) that the explanation of the band is from, or of checked runs whose latencies are in it. The
 * caller owns the array. */
static GArray *
find_captures (LatencyPage *page, gint64 low_ns, gint64 high_ns)
{
  if (page->explained)
    return g_array_ref (page->explained->captures);

  CulpritRows *rows = culprit_document_outliers (culprit_document_view_document (page));
  const CulpritTable *outliers = rows ? culprit_rows_table (rows) : NULL;
  GArray *captures = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint row = 0; outliers && row < culprit_table_rows (outliers); row++)
    {
      gint64 latency_ns = culprit_table_integer (outliers, row, "latency_ns");
      gint64 capture = culprit_table_integer (outliers, row, "capture");

      if (latency_ns >= low_ns && latency_ns <= high_ns && is_ticked (page, culprit_table_text (outliers, row, "run")))
        g_array_append_val (captures, capture);
    }
  return captures;
}

static void
offer_captures (LatencyPage *page)
{
  gint64 low_ns;
  gint64 high_ns;
  g_autoptr (GArray) captures = find_band (page, &low_ns, &high_ns) ? find_captures (page, low_ns, high_ns)
                                                                    : g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autofree char *text =
      captures->len > 0 ? g_strdup_printf ("Show %u Capture%s", captures->len, culprit_plural (captures->len)) : NULL;

  gtk_button_set_label (GTK_BUTTON (page->show_captures), text ? text : "Show Captures");
  gtk_widget_set_sensitive (page->show_captures, captures->len > 0);
}

static void
on_show_captures (GtkButton *button, LatencyPage *page)
{
  gint64 low_ns;
  gint64 high_ns;

  if (!find_band (page, &low_ns, &high_ns))
    return;

  g_autoptr (GArray) captures = find_captures (page, low_ns, high_ns);
  g_autofree char *range =
      page->explained ? g_strdup (page->explained->label) : culprit_time_format_range (low_ns, high_ns);
  GVariant *list = g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, captures->data, captures->len, sizeof (gint64));

  gtk_widget_activate_action (GTK_WIDGET (page), "win.captures", "(s@ax)", range, list);
  gtk_widget_activate_action (GTK_WIDGET (page), "win.page", "s", "outliers");
}

static void
show_band (LatencyPage *page)
{
  g_autoptr (GPtrArray) shown = find_shown (page);
  g_autofree const CulpritProfile **profiles = g_new (const CulpritProfile *, shown->len + 1);
  CulpritDocument *document = culprit_document_view_document (page);
  gint64 low_ns = 0;
  gint64 high_ns = 0;

  offer_captures (page);
  for (guint i = 0; i < shown->len; i++)
    profiles[i] = ((const CulpritLatencies *) g_ptr_array_index (shown, i))->profile;
  if (find_band (page, &low_ns, &high_ns) && shown->len > 0)
    {
      describe_band (page, profiles, shown->len, low_ns, high_ns);
      culprit_band_button_set_band (
          page->record_band, document, shown,
          find_selected (page, shown, culprit_band_find (profiles, shown->len, low_ns, high_ns)), MAX (low_ns, 1),
          high_ns);
      return;
    }
  g_ptr_array_set_size (shown, 0);
  show_line (page->band, !has_latencies_across (page) ? "Bands are selected in the histogram or density"
                                                      : "Drag in the chart to select a band");
  gtk_widget_set_tooltip_text (page->band, "Drag in the histogram or density chart to select a band of latencies");
  culprit_chart_view_label_selection (page->chart, NULL);
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

/* Marks thresholds and recorded bands. */
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

/* The tail is that of one run: the one selected in the table, else the first checked one. */
static void
show_tail (LatencyPage *page, const GPtrArray *shown)
{
  const CulpritLatencies *one = shown->len > 0 ? g_ptr_array_index (shown, find_selected (page, shown, 0)) : NULL;

  culprit_tail_pane_show (page->tail, one ? one->name : NULL, one ? one->number : 0,
                          culprit_chart_tools_scale (page->tools));
}

static void
on_tail (CulpritTailPane *pane, Chart *chart, LatencyPage *page)
{
  if (chosen_kind (page) == CHART_TAIL)
    culprit_chart_view_set_chart (page->chart, chart);
  else if (chart)
    chart_free (chart);
}

/* What a chart is made of. */
typedef struct
{
  GPtrArray *latencies;
  GPtrArray *explanations;
  GPtrArray *labels; /* of arrays of ChartLabel */
} Drawn;

static Drawn *
drawn_new (const GPtrArray *latencies, GPtrArray *explanations)
{
  Drawn *drawn = g_new (Drawn, 1);

  *drawn = (Drawn) { g_ptr_array_ref ((GPtrArray *) latencies), explanations ? g_ptr_array_ref (explanations) : NULL,
                     g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref) };
  return drawn;
}

static void
drawn_free (gpointer data)
{
  Drawn *drawn = data;

  g_ptr_array_unref (drawn->labels);
  g_clear_pointer (&drawn->explanations, g_ptr_array_unref);
  g_ptr_array_unref (drawn->latencies);
  g_free (drawn);
}

static void
draw (LatencyPage *page)
{
  Drawn *drawn;
  g_autoptr (GPtrArray) shown = find_shown (page);
  g_autoptr (GArray) series = g_array_new (FALSE, FALSE, sizeof (ChartSeries));
  const GPtrArray *latencies = culprit_document_latencies (culprit_document_view_document (page));

  if (!latencies)
    return;
  if (chosen_kind (page) == CHART_TAIL)
    {
      culprit_chart_view_clear_triggers (page->chart);
      show_tail (page, shown);
      show_band (page);
      return;
    }
  drawn = drawn_new (latencies, page->explanations);
  for (guint i = 0; i < shown->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (shown, i);
      GArray *labels = labels_of (page->explanations, one);
      const ChartSeries added = { one->name, one->profile, one->number, .labels = labels };

      g_array_append_val (series, added);
      g_ptr_array_add (drawn->labels, labels);
    }
  culprit_chart_view_make (page->chart, chosen_kind (page), series, culprit_chart_tools_scale (page->tools), drawn,
                           drawn_free);
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
  gtk_widget_set_visible (GTK_WIDGET (page->tail), chosen_kind (page) == CHART_TAIL);
  culprit_chart_view_select (page->chart, 0, 0);
  if (culprit_document_view_document (page))
    draw (page);
}

/* Check buttons by the name of the run, which their label may shorten. */
static GHashTable *
new_ticks (void)
{
  return g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, g_object_unref);
}

static void
add_tick (LatencyPage *page, const CulpritLatencies *one, gboolean on)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *tick = show_tick_new (one->name);

  gtk_check_button_set_active (GTK_CHECK_BUTTON (tick), on);
  g_signal_connect (tick, "toggled", G_CALLBACK (on_tick), page);
  g_hash_table_insert (page->ticks, g_strdup (one->name), g_object_ref (tick));
  gtk_box_append (GTK_BOX (row), culprit_swatch_new (one->number));
  gtk_box_append (GTK_BOX (row), tick);
  gtk_box_append (GTK_BOX (page->series), row);
}

/* A check button for each run, on unless the run only explains a peak of another one; existing ones keep their state.
 */
static void
fill_series (LatencyPage *page, const GPtrArray *latencies)
{
  g_autoptr (GHashTable) before = g_steal_pointer (&page->ticks);
  GtkWidget *row;

  page->ticks = new_ticks ();
  while ((row = gtk_widget_get_first_child (page->series)))
    gtk_box_remove (GTK_BOX (page->series), row);
  for (guint i = 0; i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);
      GtkCheckButton *tick = g_hash_table_lookup (before, one->name);

      if (one->profile)
        add_tick (page, one, tick ? gtk_check_button_get_active (tick) : !one->explains);
    }
}

/* In a thread. */
static gpointer
read_explanations (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  const GPtrArray *series = data;
  g_autoptr (GPtrArray) explanations = g_ptr_array_new_with_free_func ((GDestroyNotify) culprit_explanation_free);

  for (guint i = 0; i < series->len && !g_cancellable_is_cancelled (cancellable); i++)
    {
      GError *problem = NULL;
      CulpritExplanation *explanation =
          culprit_study_explanation (study, g_ptr_array_index (series, i), NULL, &problem);

      if (explanation)
        g_ptr_array_add (explanations, explanation);
      else if (!g_error_matches (problem, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND))
        {
          g_propagate_error (error, problem);
          return NULL;
        }
      else
        g_error_free (problem);
    }
  return g_steal_pointer (&explanations);
}

/* Whether any peak has a label. */
static gboolean
has_labels (const GPtrArray *explanations)
{
  for (guint i = 0; explanations && i < explanations->len; i++)
    {
      const CulpritExplanation *explanation = g_ptr_array_index (explanations, i);

      for (guint k = 0; k < explanation->peaks->len; k++)
        if (culprit_explanation_peak (explanation, k)->label)
          return TRUE;
    }
  return FALSE;
}

/* The series of the run that is selected in the table; NULL: none is, or more. */
static const char *
selected_series (LatencyPage *page)
{
  g_autoptr (GPtrArray) selected = culprit_table_view_selected (page->table);
  const GPtrArray *latencies = culprit_document_latencies (culprit_document_view_document (page));
  const char *run = selected->len == 1 ? culprit_row_text (g_ptr_array_index (selected, 0), "run") : NULL;

  for (guint i = 0; run && latencies && i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);

      if (g_str_equal (one->name, run))
        return one->series;
    }
  return NULL;
}

/* Offers to explain the peaks of the recording selected in the table, or else of the only one. */
static void
offer_to_explain (LatencyPage *page)
{
  const char *series = selected_series (page);
  const CulpritExplanation *found = NULL;

  for (guint i = 0; page->explanations && i < page->explanations->len; i++)
    {
      const CulpritExplanation *explanation = g_ptr_array_index (page->explanations, i);

      if (page->explanations->len == 1 || g_strcmp0 (explanation->series, series) == 0)
        found = explanation;
    }
  culprit_peaks_button_set_run (page->peaks, found && found->target ? found->run : NULL);
}

static void
on_explanations (GObject *owner, gpointer result, const GError *error)
{
  LatencyPage *page = LATENCY_PAGE (owner);
  g_autoptr (GPtrArray) before = NULL;

  if (error)
    {
      culprit_document_view_fail (page, error->message);
      return;
    }
  before = page->explanations;
  page->explanations = result;
  page->explained = NULL;
  offer_to_explain (page);
  if (!has_labels (before) && !has_labels (page->explanations))
    return;
  culprit_peaks_button_set_latencies (page->peaks, culprit_document_latencies (culprit_document_view_document (page)),
                                      page->explanations);
  draw (page);
}

/* Asks what the peaks of recordings without tracing are due to. */
static void
ask_explanations (LatencyPage *page, const GPtrArray *latencies)
{
  GPtrArray *series = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < latencies->len && series->len < MOST_EXPLAINED; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);

      if (one->profile && g_str_equal (one->tracing, "off") &&
          !g_ptr_array_find_with_equal_func (series, one->series, g_str_equal, NULL))
        g_ptr_array_add (series, g_strdup (one->series));
    }
  culprit_document_view_read (page, read_explanations, series, (GDestroyNotify) g_ptr_array_unref, on_explanations,
                              (GDestroyNotify) g_ptr_array_unref);
}

static void
page_changed (CulpritDocumentView *view, CulpritPartKind part)
{
  LatencyPage *page = LATENCY_PAGE (view);
  const GPtrArray *latencies = culprit_document_latencies (culprit_document_view_document (view));
  g_autoptr (CulpritRows) rows = NULL;

  if (part == CULPRIT_PART_OUTLIERS)
    offer_captures (page);
  if (part != CULPRIT_PART_LATENCIES)
    return;
  rows = latency_rows (latencies);
  fill_series (page, latencies);
  ask_explanations (page, latencies);
  culprit_peaks_button_set_latencies (page->peaks, latencies, page->explanations);
  culprit_table_view_set_empty (page->table, "No latencies yet",
                                "Record a run, or drop the results of " CULPRIT_LATENCY_TOOLS " here.");
  culprit_table_view_set_rows (page->table, rows);
  draw (page);
}

static void
on_range (CulpritChartView *chart, LatencyPage *page)
{
  g_clear_pointer (&page->peak_run, g_free);
  page->explained = NULL;
  show_band (page);
}

/* The band is a peak of the run @one. */
static void
choose_peak (LatencyPage *page, const CulpritLatencies *one)
{
  double low_ns;
  double high_ns;

  g_free (page->peak_run);
  page->peak_run = g_strdup (one->name);
  if (culprit_chart_view_selection (page->chart, &low_ns, &high_ns))
    page->explained = find_explained (page->explanations, one, low_ns, high_ns);
  show_band (page);
}

/* A click on a mark in the chart. */
static void
on_picked (CulpritChartView *chart, guint series, LatencyPage *page)
{
  g_autoptr (GPtrArray) shown = find_shown (page);

  if (series < shown->len)
    choose_peak (page, g_ptr_array_index (shown, series));
}

static void
on_selected (CulpritTableView *table, CulpritRow *row, LatencyPage *page)
{
  if (!culprit_document_view_document (page))
    return;
  offer_to_explain (page);
  if (chosen_kind (page) == CHART_TAIL)
    draw (page);
  else
    show_band (page);
}

/* Peaks show in the histogram. */
static void
on_peak (CulpritPeaksButton *button, const char *run, double low_ns, double high_ns, LatencyPage *page)
{
  const GPtrArray *latencies = culprit_document_latencies (culprit_document_view_document (page));

  gtk_drop_down_set_selected (GTK_DROP_DOWN (page->kinds), CHART_HISTOGRAM);
  culprit_chart_view_select (page->chart, low_ns, high_ns);
  for (guint i = 0; i < latencies->len; i++)
    if (g_str_equal (((const CulpritLatencies *) g_ptr_array_index (latencies, i))->name, run))
      choose_peak (page, g_ptr_array_index (latencies, i));
}

static void
on_record_band (CulpritBandButton *button, const char *run, LatencyPage *page)
{
  gint64 low_ns;
  gint64 high_ns;

  if (find_band (page, &low_ns, &high_ns))
    gtk_widget_activate_action (GTK_WIDGET (page), "win.record-band", "(sxx)", run, MAX (low_ns, 1), high_ns);
}

/* Marks the latency of the chosen capture. */
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
  g_hash_table_unref (LATENCY_PAGE (object)->ticks);
  g_clear_pointer (&LATENCY_PAGE (object)->explanations, g_ptr_array_unref);
  G_OBJECT_CLASS (latency_page_parent_class)->finalize (object);
}

static void
latency_page_class_init (LatencyPageClass *class)
{
  CulpritDocumentViewClass *view = CULPRIT_DOCUMENT_VIEW_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = page_finalize;
  CULPRIT_PAGE_CLASS (class)->export_picture = page_export;
  view->changed = page_changed;
  view->capture_chosen = page_capture_chosen;
  ensure_types (CULPRIT_TYPE_BAND_BUTTON, CULPRIT_TYPE_CHART_TOOLS, CULPRIT_TYPE_CHART_VIEW, CULPRIT_TYPE_PEAKS_BUTTON,
                CULPRIT_TYPE_TABLE_VIEW, CULPRIT_TYPE_TAIL_PANE, CULPRIT_TYPE_WRAP_LAYOUT);
  widget_class_set_template (class, "latency/latency-page.ui");
  widget_class_bind_children (class, LatencyPage, bar, kinds, series, peaks, band, show_captures, record_band, chart,
                              tools, table, tail);
  widget_class_bind_callbacks (class, draw, on_kind, on_peak, on_picked, on_range, on_record_band, on_selected,
                               on_show_captures, on_tail);
}

static void
latency_page_init (LatencyPage *page)
{
  page->ticks = new_ticks ();
  gtk_widget_init_template (GTK_WIDGET (page));
  culprit_table_view_set_columns (page->table, &culprit_latencies, latency_cells);
  culprit_table_view_keep (page->table, "latency");
  gtk_box_append (GTK_BOX (page->bar), culprit_table_view_columns_button (page->table));
  gtk_box_append (GTK_BOX (page->bar), culprit_table_view_explain_button (page->table));
  on_range (page->chart, page);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows a running recording: lines as they arrive, unless there are more than can be laid out, and the histogram,
 * updated at most four times a second, and less often if drawing takes long. */
#include "record/live-view.h"

#include "chart/chart.h"
#include "charts/chart-view.h"
#include "record/form-request.h"
#include "record/words.h"
#include "show.h"
#include "widgets.h"

#define REDRAW_MS 250
#define REST 10 /* times as long as drawing took, before it is done again: the window is there for more than that */
#define MOST_BINS 100000 /* of the histogram, more than a screen has places for: what is coarser is drawn in time */
#define MOST_ROWS 500    /* of the log, from which the oldest are removed */
#define MOST_AT_ONCE 4   /* new ones between two updates: laying out a long one was seen to take 0.2 s */

typedef enum
{
  LOG_PLAIN,
  LOG_WARNING,
  LOG_ERROR,
} LogKind;

struct _LiveView
{
  AdwBin parent;
  GtkWidget *content;
  GtkWidget *spinner;
  GtkWidget *title;
  GtkWidget *numbers;
  GtkWidget *captures;
  GtkWidget *next; /* what can be done when it is over, as these four */
  GtkWidget *check;
  GtkWidget *machine;
  GtkWidget *latencies;
  GtkWidget *late;
  GtkWidget *waiting;
  CulpritChartView *chart;
  GtkListBox *log;
  GtkScrolledWindow *scrolled; /* the log */
  GQueue rows;                 /* of GtkWidget: its newest, which wait to be laid out */
  guint left_out;              /* before these, as there were more than it shows */
  guint fresh;                 /* rows appended since the last update */
  CulpritProfile *profiles[2]; /* of latencies, without tracing and with it; NULL: nothing yet */
  guint redraw;                /* 0: nothing is to be drawn */
  gint64 rest_us;              /* before that */
  gint64 wanted;               /* captures */
  gint64 taken;
  guint blocks; /* 0: none of which the order does not matter */
  gint64 run;   /* 0: none has begun */
  CulpritTargetKind kind;
  char *step;     /* what it is at */
  gint64 step_us; /* when that began, and when all did, by the monotonic clock */
  gint64 begun_us;
  guint tick;        /* the source that counts the seconds; 0: nothing goes on */
  gboolean stopping; /* It was asked to. */
};

G_DEFINE_FINAL_TYPE (LiveView, live_view, ADW_TYPE_BIN)

/* The log: a row for each event, with time and sentence. */

/* A row is followed to its capture. */
static void
on_row (LiveView *view, GtkListBoxRow *row)
{
  gint64 capture = GPOINTER_TO_SIZE (g_object_get_data (G_OBJECT (row), "capture"));

  gtk_widget_activate_action (GTK_WIDGET (view), "win.capture", "x", capture);
  gtk_widget_activate_action (GTK_WIDGET (view), "win.page", "s", "outliers");
}

static GtkWidget *
make_label (const char *text, const char *class)
{
  GtkWidget *label = show_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  if (class)
    gtk_widget_add_css_class (label, class);
  return label;
}

/* Something was laid out: shows the end of the list. */
static void
scroll_down (GtkAdjustment *adjustment)
{
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
}

/* @capture: which the row leads to; 0: none. */
static GtkWidget *
make_row (LogKind kind, const char *text, gint64 capture)
{
  static const char *const icons[] = { NULL, "dialog-warning-symbolic", "dialog-error-symbolic" };
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%H:%M:%S");
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *label = make_label (text, NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), make_label (time, "dim-label"));
  if (icons[kind])
    gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (icons[kind]));
  gtk_box_append (GTK_BOX (box), label);
  if (capture != 0)
    gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("go-next-symbolic"));
  gtk_widget_add_css_class (box, "log-row");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), capture != 0);
  show_tooltip (row, capture != 0 ? "Show this capture" : NULL);
  g_object_set_data (G_OBJECT (row), "capture", GSIZE_TO_POINTER ((gsize) capture));
  return row;
}

static void
append (LiveView *view, GtkWidget *row)
{
  gtk_list_box_append (view->log, row);
  view->fresh++;
  if (gtk_list_box_get_row_at_index (view->log, MOST_ROWS))
    gtk_list_box_remove (view->log, GTK_WIDGET (gtk_list_box_get_row_at_index (view->log, 0)));
}

/* Appends of the rows that wait as many as may be laid out now. */
static void
append_waiting (LiveView *view)
{
  if (view->left_out > 0 && view->fresh < MOST_AT_ONCE)
    {
      g_autofree char *left_out = g_strdup_printf ("%u lines came too fast to be shown.", view->left_out);

      append (view, make_row (LOG_WARNING, left_out, 0));
      view->left_out = 0;
    }
  while (view->fresh < MOST_AT_ONCE && !g_queue_is_empty (&view->rows))
    {
      g_autoptr (GtkWidget) row = g_queue_pop_head (&view->rows);

      append (view, row);
    }
}

/* The histogram. The recorder sends samples every few seconds, after each capture and at the end of a run; between
 * these there are only sums, of which no histogram can be drawn. */

static void
forget_profiles (LiveView *view)
{
  for (guint i = 0; i < G_N_ELEMENTS (view->profiles); i++)
    g_clear_pointer (&view->profiles[i], culprit_profile_free);
}

static void draw_soon (LiveView *view);

static gboolean
draw (gpointer data)
{
  static const char *const names[] = { "tracing off", "tracing on" };
  LiveView *view = data;
  gint64 begun_us = g_get_monotonic_time ();
  ChartSeries series[G_N_ELEMENTS (names)];
  Chart *chart;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (view->profiles[i] && view->profiles[i]->n > 0)
      {
        culprit_profile_finish (view->profiles[i]);
        series[n++] = (ChartSeries) { names[i], view->profiles[i], i };
      }
  view->fresh = 0;
  append_waiting (view);
  chart = n > 0 ? chart_new (CHART_HISTOGRAM, series, n, CULPRIT_FITS, CHART_SCALE_AUTOMATIC) : NULL;
  view->redraw = 0;
  gtk_widget_set_visible (view->waiting, chart == NULL);
  gtk_widget_set_visible (GTK_WIDGET (view->chart), chart != NULL);
  culprit_chart_view_set_chart (view->chart, chart);
  view->rest_us = REST * (g_get_monotonic_time () - begun_us);
  if (view->fresh > 0)
    draw_soon (view);
  return G_SOURCE_REMOVE;
}

static void
draw_now (LiveView *view)
{
  g_clear_handle_id (&view->redraw, g_source_remove);
  draw (view);
}

static void
draw_soon (LiveView *view)
{
  if (view->redraw == 0)
    view->redraw = g_timeout_add (MAX (REDRAW_MS, view->rest_us / 1000), draw, view);
}

static void
say (LiveView *view, LogKind kind, const char *text, gint64 capture)
{
  g_queue_push_tail (&view->rows, g_object_ref_sink (make_row (kind, text, capture)));
  if (view->rows.length > MOST_ROWS)
    {
      g_object_unref (g_queue_pop_head (&view->rows));
      view->left_out++;
    }
  append_waiting (view);
  draw_soon (view);
}

/* What is drawn of a recording that goes on must not take ever longer. */
static void
bound_profile (CulpritProfile **profile)
{
  if ((*profile)->bins->len <= 2 * MOST_BINS)
    return;
  culprit_profile_finish (*profile);
  while ((*profile)->bins->len > MOST_BINS)
    {
      g_autoptr (CulpritProfile) fine = *profile;

      *profile = culprit_profile_coarsen (fine, 10 * fine->width_ns);
    }
}

static void
add_samples (LiveView *view, const CulpritMessage *message)
{
  CulpritProfile **place = &view->profiles[message->traced ? 1 : 0];
  g_autoptr (CulpritProfile) added = NULL;

  if (!*place)
    *place = culprit_profile_new (1);
  added = culprit_profile_coarsen (message->samples.latencies, (*place)->width_ns);
  culprit_profile_add_all (*place, added);
  bound_profile (place);
  draw_soon (view);
}

/* The kernel counts them; what it had before is among them. */
static void
take_bins (LiveView *view, const CulpritMessage *message)
{
  CulpritProfile **place = &view->profiles[message->traced ? 1 : 0];

  g_clear_pointer (place, culprit_profile_free);
  *place = culprit_profile_new (message->latencies->width_ns);
  culprit_profile_add_all (*place, message->latencies);
  draw_soon (view);
}

static char *
captures_text (LiveView *view)
{
  if (view->blocks > 0)
    return g_strdup_printf ("block %" G_GINT64_FORMAT " of %u", view->run, view->blocks);
  return g_strdup_printf ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " captures", view->taken, view->wanted);
}

static void
show_captures (LiveView *view)
{
  g_autofree char *text = captures_text (view);

  gtk_progress_bar_set_text (GTK_PROGRESS_BAR (view->captures), text);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (view->captures),
                                 view->blocks > 0   ? CLAMP ((view->run - 1.0) / view->blocks, 0, 1)
                                 : view->wanted > 0 ? MIN ((double) view->taken / view->wanted, 1)
                                                    : 0);
  gtk_widget_set_visible (view->captures, view->wanted > 0 || view->blocks > 0);
}

static void
show_numbers (LiveView *view, const CulpritRunTotals *totals)
{
  g_autofree char *text = culprit_totals_words (totals);

  if (totals->cycles > 0)
    show_line (view->numbers, text);
}

/* Steps, and how long they take. */

/* "1:05". The caller owns it. */
static char *
time_since (gint64 then_us)
{
  gint64 seconds = (g_get_monotonic_time () - then_us) / G_USEC_PER_SEC;

  return g_strdup_printf ("%" G_GINT64_FORMAT ":%02d", seconds / 60, (int) (seconds % 60));
}

static gboolean
show_step (gpointer data)
{
  LiveView *view = data;
  g_autofree char *time = time_since (view->step_us);
  g_autofree char *text = g_strdup_printf ("%s  %s", view->step, time);

  show_line (view->title, text);
  return G_SOURCE_CONTINUE;
}

static void
begin_step (LiveView *view, const char *step)
{
  g_free (view->step);
  view->step = g_strdup (step);
  view->step_us = g_get_monotonic_time ();
  if (view->tick == 0)
    view->tick = g_timeout_add_seconds (1, show_step, view);
  show_step (view);
}

static void
show_run (LiveView *view, const CulpritMessage *message)
{
  g_autofree char *text =
      g_strdup_printf ("Recording run %" G_GINT64_FORMAT ", tracing %s", message->run, message->traced ? "on" : "off");

  view->run = message->run;
  if (view->blocks == 0)
    begin_step (view, text);
  else if (view->run == 1)
    begin_step (view, "Measuring blocks in random order");
  if (view->blocks > 0)
    show_captures (view);
}

/* The recorder has started: where, and how long that took. */
static void
show_facts (LiveView *view, const CulpritFacts *facts)
{
  g_autofree char *time = time_since (view->begun_us);
  g_autofree char *text =
      g_strdup_printf ("The recorder started on %s, kernel %s, in %s.", facts->host ? facts->host : "the target",
                       facts->kernel ? facts->kernel : "unknown", time);

  say (view, LOG_PLAIN, text, 0);
  begin_step (view, "Setting up tracing");
}

char *
live_view_progress (LiveView *view)
{
  if (view->stopping)
    return g_strdup ("Stopping…");
  if (view->run == 0)
    return g_strdup ("Starting…");
  return view->wanted > 0 || view->blocks > 0 ? captures_text (view)
                                              : g_strdup_printf ("Recording run %" G_GINT64_FORMAT, view->run);
}

void
live_view_take (LiveView *view, const CulpritMessage *message)
{
  g_autofree char *words = culprit_message_words (message, CULPRIT_IN_WINDOW);
  gboolean imported = message->type == CULPRIT_MESSAGE_IMPORTED;

  if (message->type == CULPRIT_MESSAGE_PROGRESS || message->type == CULPRIT_MESSAGE_RUN_END)
    show_numbers (view, &message->totals);
  else if (message->type == CULPRIT_MESSAGE_FACTS)
    show_facts (view, &message->facts);
  else if (message->type == CULPRIT_MESSAGE_RUN)
    show_run (view, message);
  else if (message->type == CULPRIT_MESSAGE_SAMPLES)
    add_samples (view, message);
  else if (message->type == CULPRIT_MESSAGE_BINS)
    take_bins (view, message);
  view->taken += imported;
  if (imported)
    show_captures (view);
  if (words)
    say (view, culprit_message_warns (message) ? LOG_WARNING : LOG_PLAIN, words, imported ? message->capture : 0);
}

static void
set_busy (LiveView *view, gboolean busy)
{
  gtk_spinner_set_spinning (GTK_SPINNER (view->spinner), busy);
  gtk_widget_set_visible (view->spinner, busy);
}

void
live_view_clear (LiveView *view)
{
  GtkListBoxRow *row;

  g_queue_clear_full (&view->rows, g_object_unref);
  view->left_out = 0;
  while ((row = gtk_list_box_get_row_at_index (view->log, 0)))
    gtk_list_box_remove (view->log, GTK_WIDGET (row));
}

void
live_view_begin (LiveView *view, const CulpritTarget *target, const char *text, gint64 captures, guint blocks)
{
  forget_profiles (view);
  view->wanted = captures;
  view->taken = 0;
  view->blocks = blocks;
  view->run = 0;
  view->stopping = FALSE;
  say (view, LOG_PLAIN, text, 0);
  gtk_label_set_label (GTK_LABEL (view->numbers), "");
  show_line (view->waiting,
             "The histogram appears with the first samples. They arrive every few seconds, after each capture and at "
             "the end of a run.");
  gtk_widget_remove_css_class (view->title, "problem");
  gtk_stack_set_visible_child_name (GTK_STACK (view->content), "recording");
  show_captures (view);
  gtk_widget_set_visible (view->next, FALSE);
  view->begun_us = g_get_monotonic_time ();
  view->kind = target->kind;
  begin_step (view, form_target_step (target));
  set_busy (view, TRUE);
  draw_now (view);
}

void
live_view_stopping (LiveView *view)
{
  if (!view->stopping)
    begin_step (view, "Stopping");
  view->stopping = TRUE;
}

void
live_view_end (LiveView *view, const char *text, const char *problem)
{
  g_clear_handle_id (&view->tick, g_source_remove);
  gtk_widget_set_visible (view->next, TRUE);
  gtk_widget_set_visible (view->check, problem != NULL);
  gtk_widget_set_visible (view->machine, problem && view->kind != CULPRIT_TARGET_VM);
  gtk_widget_set_visible (view->latencies, !problem);
  gtk_widget_set_visible (view->late, !problem && view->taken > 0);
  show_line (view->title, text);
  gtk_label_set_label (GTK_LABEL (view->waiting), "No samples received.");
  if (problem)
    {
      gtk_widget_add_css_class (view->title, "problem");
      say (view, LOG_ERROR, problem, 0);
    }
  else
    say (view, LOG_PLAIN, text, 0);
  set_busy (view, FALSE);
  draw_now (view);
}

gboolean
live_view_export (LiveView *view, const char *heading, const char *path, GError **error)
{
  return culprit_chart_view_export (view->chart, heading, path, error);
}

/* The widget. */

static void
view_dispose (GObject *object)
{
  LiveView *view = LIVE_VIEW (object);

  g_clear_handle_id (&view->redraw, g_source_remove);
  g_clear_handle_id (&view->tick, g_source_remove);
  g_queue_clear_full (&view->rows, g_object_unref);
  G_OBJECT_CLASS (live_view_parent_class)->dispose (object);
}

static void
view_finalize (GObject *object)
{
  forget_profiles (LIVE_VIEW (object));
  g_free (LIVE_VIEW (object)->step);
  G_OBJECT_CLASS (live_view_parent_class)->finalize (object);
}

static void
live_view_class_init (LiveViewClass *class)
{
  G_OBJECT_CLASS (class)->dispose = view_dispose;
  G_OBJECT_CLASS (class)->finalize = view_finalize;
  ensure_types (CULPRIT_TYPE_CHART_VIEW);
  widget_class_set_template (class, "record/live-view.ui");
  widget_class_bind_children (class, LiveView, content, spinner, title, numbers, captures, next, check, machine,
                              latencies, late, scrolled, log, waiting, chart);
  widget_class_bind_callbacks (class, on_row);
}

static void
live_view_init (LiveView *view)
{
  gtk_widget_init_template (GTK_WIDGET (view));
  g_signal_connect (gtk_scrolled_window_get_vadjustment (view->scrolled), "changed", G_CALLBACK (scroll_down), NULL);
}

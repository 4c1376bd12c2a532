/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The details of one capture: the verdict's sentence, and the budget, read from the study when the capture is chosen.
 */
#include "outliers/capture-details.h"

#include "capture/windows/measured.h"
#include "charts/budget-bar.h"
#include "outliers/capture-timeline.h"
#include "outliers/capture-tree.h"
#include "outliers/triage-bar.h"
#include "show.h"
#include "tables/budget.h"
#include "tables/outliers.h"
#include "tables/table-view.h"
#include "units.h"
#include "widgets.h"

struct _CulpritCaptureDetails
{
  CulpritDocumentView parent;
  CulpritTableView *budget;
  GtkWidget *content;
  GtkWidget *head;
  GtkWidget *sentence;
  CulpritBudgetBar *bar;
  GtkWidget *pages;
  GtkWidget *switcher; /* buttons that choose the page, and others beside them */
  CulpritCaptureTree *tree;
  CulpritCaptureTimeline *timeline;
  CulpritTriageBar *triage_bar;
  gboolean full;
  GtkWidget *focus;     /* what had it before; NULL: nothing, or it no longer exists */
  gboolean page_chosen; /* The page was chosen in this window. */
};

/* Little space: the chosen page scrolls into view, and the timeline may take the space of everything else. */

#define LEAST_ROOM 300 /* pixels of height, for details whose timeline is worth looking at */

/* Sets the property "full": gives the timeline the space of everything else, or takes it back. */
static void
details_room_set_full (CulpritCaptureDetails *details, gboolean full)
{
  if (details->full == full)
    return;
  details->full = full;
  if (full)
    g_set_weak_pointer (&details->focus, gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (details))));
  g_object_notify (G_OBJECT (details), "full");
  if (!full)
    {
      if (details->focus)
        gtk_widget_grab_focus (details->focus);
      g_clear_weak_pointer (&details->focus);
      return;
    }
  gtk_widget_activate_action (GTK_WIDGET (details), "win.page", "s", "outliers");
  culprit_capture_details_show (details, "timeline");
  culprit_capture_timeline_focus (details->timeline);
}

static gboolean
is_timeline_chosen (CulpritCaptureDetails *details)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (details->pages)), "timeline") == 0;
}

/* The adjustment of the scrolled window around the details, or NULL. */
static GtkScrolledWindow *
find_room (CulpritCaptureDetails *details)
{
  return (GtkScrolledWindow *) gtk_widget_get_ancestor (GTK_WIDGET (details), GTK_TYPE_SCROLLED_WINDOW);
}

/* Whether the chosen page has too little space. Before it is laid out, that is unknown: FALSE. */
static gboolean
is_low (GtkScrolledWindow *room)
{
  const int height = gtk_widget_get_height (GTK_WIDGET (room));

  return height > 0 && height < LEAST_ROOM;
}

/* Scrolls down to the chosen page, which comes last, but leaves the buttons that choose pages in view. */
static gboolean
show_end (gpointer data)
{
  CulpritCaptureDetails *details = data;
  GtkScrolledWindow *room = find_room (details);
  GtkAdjustment *down = room ? gtk_scrolled_window_get_vadjustment (room) : NULL;
  graphene_rect_t way;

  if (down && !details->full && (is_timeline_chosen (details) || (details->page_chosen && is_low (room))) &&
      gtk_widget_compute_bounds (details->switcher, GTK_WIDGET (details), &way))
    gtk_adjustment_set_value (
        down, MIN (gtk_adjustment_get_upper (down) - gtk_adjustment_get_page_size (down), way.origin.y));
  return G_SOURCE_REMOVE;
}

/* A widget cannot be scrolled while it is being laid out. */
static void
show_end_soon (CulpritCaptureDetails *details)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, show_end, g_object_ref (details), g_object_unref);
}

/* Another page gets its space back. With little space, the timeline is shown at full size at once. */
static void
details_room_on_page (GtkStack *pages, GParamSpec *spec, CulpritCaptureDetails *details)
{
  GtkScrolledWindow *room = find_room (details);

  if (!is_timeline_chosen (details))
    details_room_set_full (details, FALSE);
  else if (room && gtk_widget_get_mapped (GTK_WIDGET (details)) && is_low (room))
    details_room_set_full (details, TRUE);
  details->page_chosen = gtk_widget_get_mapped (GTK_WIDGET (details));
  show_end_soon (details);
}

static void
on_room (GtkAdjustment *adjustment, CulpritCaptureDetails *details)
{
  show_end_soon (details);
}

/* Keeps the chosen page in view when the space for @details changes. */
static void
details_room_follow (CulpritCaptureDetails *details)
{
  GtkScrolledWindow *room = find_room (details);

  if (room)
    g_signal_connect_object (gtk_scrolled_window_get_vadjustment (room), "changed", G_CALLBACK (on_room), details, 0);
}

static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  CulpritCaptureDetails *details = CULPRIT_CAPTURE_DETAILS (widget);
  gboolean seen = details->full && gtk_widget_get_mapped (widget);

  if (seen)
    details_room_set_full (details, FALSE);
  return seen;
}

/* Whatever has the focus, as it may not be visible any more. */
static void
details_room_add_escape (CulpritCaptureDetails *details)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_set_scope (GTK_SHORTCUT_CONTROLLER (keys), GTK_SHORTCUT_SCOPE_GLOBAL);
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0), gtk_callback_action_new (on_escape, NULL, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (details), keys);
}

G_DEFINE_FINAL_TYPE (CulpritCaptureDetails, culprit_capture_details, CULPRIT_TYPE_DOCUMENT_VIEW)

static CulpritTimes
times_of (CulpritCaptureDetails *details)
{
  return culprit_document_times (culprit_document_view_document (details));
}

static CulpritRow *
chosen_row (CulpritCaptureDetails *details)
{
  return culprit_document_chosen_row (culprit_document_view_document (details));
}

/* The budget. */

typedef struct
{
  gint64 capture;
  CulpritTimes times;
  gint64 smallest_ns;
} Asked;

/* NULL: there is no verdict on it yet. */
static const CulpritCase *
chosen_case (CulpritCaptureDetails *details)
{
  CulpritRow *row = chosen_row (details);
  const CulpritVerdict *verdict = culprit_document_verdict (culprit_document_view_document (details));

  return row && verdict ? culprit_verdict_case (verdict, culprit_row_integer (row, "capture")) : NULL;
}

static gpointer
read_budget (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  const Asked *asked = data;

  return culprit_query_budget (study, asked->capture, asked->times, asked->smallest_ns, error);
}

static void
on_budget (GObject *owner, gpointer result, const GError *error)
{
  CulpritCaptureDetails *details = CULPRIT_CAPTURE_DETAILS (owner);
  g_autoptr (CulpritRows) rows = NULL;

  if (error)
    {
      culprit_document_view_fail (details, error->message);
      culprit_budget_bar_set_budget (details->bar, NULL); /* not those of the capture before */
      culprit_table_view_set_rows (details->budget, NULL);
      return;
    }
  culprit_budget_mark_stall (result, chosen_case (details));
  culprit_budget_bar_set_budget (details->bar, result);
  rows = culprit_rows_new (result);
  culprit_table_view_set_rows (details->budget, rows);
}

static void
ask_budget (CulpritCaptureDetails *details, CulpritRow *row)
{
  Asked *asked = g_new (Asked, 1);

  *asked = (Asked) { culprit_row_integer (row, "capture"), times_of (details),
                     culprit_smallest_part_ns (culprit_row_integer (row, "latency_ns")) };
  culprit_document_view_read_capture (details, read_budget, asked, g_free, on_budget,
                                      (GDestroyNotify) culprit_table_free);
}

static void
show_columns (CulpritCaptureDetails *details)
{
  gboolean traced = times_of (details) == CULPRIT_TIMES_TRACED;

  culprit_table_view_show_column (details->budget, "part_ns", !traced);
  culprit_table_view_show_column (details->budget, "self_ns", traced);
  culprit_table_view_show_column (details->budget, "tracing_ns", traced);
}

/* Contents. */

static void
show_head (CulpritCaptureDetails *details, CulpritRow *row)
{
  g_autofree char *file = g_path_get_basename (culprit_row_text (row, "file"));
  g_autofree char *latency = culprit_time_format (culprit_row_integer (row, "latency_ns"));
  g_autofree char *untraced = culprit_time_format (culprit_row_integer (row, "untraced_ns"));
  gint64 uncertain_ns = culprit_row_integer (row, "uncertain_ns");
  g_autofree char *uncertain = culprit_time_format (uncertain_ns);
  g_autofree char *head = g_strdup_printf (
      "%s of %s: %s %s%s%s, %s without the tracer, CPU %" G_GINT64_FORMAT, file, culprit_row_text (row, "run"), latency,
      culprit_late_or_long (culprit_row_text (row, "window_kind")), uncertain_ns > 0 ? " ± " : "",
      uncertain_ns > 0 ? uncertain : "", untraced, culprit_row_integer (row, "cpu"));

  show_line (details->head, head);
}

static void
show_sentence (CulpritCaptureDetails *details, CulpritRow *row)
{
  CulpritDocument *document = culprit_document_view_document (details);
  const CulpritCase *one = chosen_case (details);
  g_autofree char *words = one ? culprit_case_in_words (one) : NULL;
  g_autofree char *held = culprit_held_in_words (culprit_row_integer (row, "interrupts_off_ns"),
                                                 culprit_row_integer (row, "preemption_off_ns"));
  g_autofree char *sentence = one ? g_strconcat (words, held ? "; " : "", held, NULL) : NULL;

  label_set_sentence (details->sentence, one ? sentence
                                         : culprit_document_verdict (document)
                                             ? ""
                                             : culprit_document_no_verdict (document));
}

static void
show_chosen (CulpritCaptureDetails *details)
{
  CulpritRow *row = chosen_row (details);

  gtk_stack_set_visible_child_name (GTK_STACK (details->content), row ? "capture" : "none");
  if (!row)
    return;
  show_head (details, row);
  show_sentence (details, row);
  ask_budget (details, row);
}

static void
details_changed (CulpritDocumentView *view, CulpritPartKind part)
{
  CulpritCaptureDetails *details = CULPRIT_CAPTURE_DETAILS (view);
  CulpritRow *row = chosen_row (details);

  if (part == CULPRIT_PART_OUTLIERS)
    show_chosen (details);
  else if (part == CULPRIT_PART_VERDICT && row)
    {
      show_sentence (details, row);
      ask_budget (details, row);
    }
}

static void
details_capture_chosen (CulpritDocumentView *view)
{
  show_chosen (CULPRIT_CAPTURE_DETAILS (view));
}

static void
details_function_chosen (CulpritDocumentView *view)
{
  culprit_budget_bar_set_function (CULPRIT_CAPTURE_DETAILS (view)->bar,
                                   culprit_document_function (culprit_document_view_document (view)));
}

static void
details_times_chosen (CulpritDocumentView *view)
{
  CulpritCaptureDetails *details = CULPRIT_CAPTURE_DETAILS (view);
  CulpritRow *row = chosen_row (details);

  show_columns (details);
  if (row)
    ask_budget (details, row);
}

static void
on_part_activated (CulpritTableView *table, CulpritRow *row, CulpritCaptureDetails *details)
{
  g_autofree char *key = culprit_row_function (row);

  if (*culprit_row_text (row, "context") == '\0')
    return;
  culprit_document_choose_function (culprit_document_view_document (details), key);
  gtk_widget_activate_action (GTK_WIDGET (details), "win.page", "s", "functions");
}

/* The widget. */

static void
details_root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (culprit_capture_details_parent_class)->root (widget);
  details_room_follow (CULPRIT_CAPTURE_DETAILS (widget));
}

static void
details_get_property (GObject *object, guint property, GValue *value, GParamSpec *spec)
{
  g_value_set_boolean (value, CULPRIT_CAPTURE_DETAILS (object)->full);
}

static void
details_set_property (GObject *object, guint property, const GValue *value, GParamSpec *spec)
{
  details_room_set_full (CULPRIT_CAPTURE_DETAILS (object), g_value_get_boolean (value));
}

static void
details_dispose (GObject *object)
{
  g_clear_weak_pointer (&CULPRIT_CAPTURE_DETAILS (object)->focus);
  G_OBJECT_CLASS (culprit_capture_details_parent_class)->dispose (object);
}

static void
culprit_capture_details_class_init (CulpritCaptureDetailsClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);
  CulpritDocumentViewClass *view = CULPRIT_DOCUMENT_VIEW_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = details_dispose;
  G_OBJECT_CLASS (class)->get_property = details_get_property;
  G_OBJECT_CLASS (class)->set_property = details_set_property;
  g_object_class_install_property (
      G_OBJECT_CLASS (class), 1,
      g_param_spec_boolean ("full", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY));
  widget->root = details_root;
  view->opened = details_times_chosen;
  view->changed = details_changed;
  view->capture_chosen = details_capture_chosen;
  view->function_chosen = details_function_chosen;
  view->times_chosen = details_times_chosen;
  ensure_types (CULPRIT_TYPE_BUDGET_BAR, CULPRIT_TYPE_CAPTURE_TIMELINE, CULPRIT_TYPE_CAPTURE_TREE,
                CULPRIT_TYPE_TABLE_VIEW, CULPRIT_TYPE_TRIAGE_BAR);
  widget_class_set_template (class, "outliers/capture-details.ui");
  widget_class_bind_children (class, CulpritCaptureDetails, content, head, sentence, bar, pages, switcher, budget, tree,
                              timeline, triage_bar);
  widget_class_bind_callbacks (class, on_part_activated);
  gtk_widget_class_bind_template_callback_full (widget, "on_page", G_CALLBACK (details_room_on_page));
}

static void
culprit_capture_details_init (CulpritCaptureDetails *details)
{
  gtk_widget_init_template (GTK_WIDGET (details));
  culprit_table_view_set_columns (details->budget, &culprit_budget, NULL);
  culprit_triage_bar_append (details->triage_bar, culprit_table_view_explain_button (details->budget));
  details_room_add_escape (details);
}

gboolean
culprit_capture_details_shows_picture (CulpritCaptureDetails *details)
{
  return culprit_capture_timeline_is_shown (details->timeline);
}

gboolean
culprit_capture_details_export (CulpritCaptureDetails *details, const char *path, GError **error)
{
  return culprit_capture_timeline_export (details->timeline, path, error);
}

void
culprit_capture_details_set_rows (CulpritCaptureDetails *details, const GPtrArray *rows)
{
  culprit_triage_bar_set_rows (details->triage_bar, rows);
}

gboolean
culprit_capture_details_copy (CulpritCaptureDetails *details)
{
  g_autofree char *text =
      culprit_capture_tree_has_focus (details->tree) ? culprit_capture_tree_text (details->tree) : NULL;

  if (text)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (details)), text);
  return text != NULL;
}

void
culprit_capture_details_show (CulpritCaptureDetails *details, const char *view)
{
  if (gtk_stack_get_child_by_name (GTK_STACK (details->pages), view))
    gtk_stack_set_visible_child_name (GTK_STACK (details->pages), view);
}

void
culprit_capture_details_show_window (CulpritCaptureDetails *details)
{
  culprit_capture_details_show (details, "timeline");
  culprit_capture_timeline_show_window (details->timeline);
}

void
culprit_capture_details_focus (CulpritCaptureDetails *details)
{
  if (is_timeline_chosen (details))
    culprit_capture_timeline_focus (details->timeline);
}

gboolean
culprit_capture_details_search (CulpritCaptureDetails *details)
{
  if (details->full)
    culprit_capture_timeline_search (details->timeline);
  return details->full;
}

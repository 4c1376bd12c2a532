/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline of a capture, read in a thread, and only while visible. */
#include "outliers/capture-timeline.h"

#include "chart/picture.h"
#include "charts/timeline/map.h"
#include "charts/timeline/view.h"
#include "headings.h"
#include "outliers/call-pane.h"
#include "outliers/event-list.h"
#include "outliers/range-pane.h"
#include "page.h"
#include "show.h"
#include "study/query.h"
#include "units.h"

/* The chips of the highlights. They are all replaced when one changes; there are five at most. */

/* Removes the highlight @index. */
typedef void (*TimelineChipsRemove) (guint index, gpointer data);

#define SWATCH "\xe2\x96\xa0" /* a black square */
#define LETTERS 32

typedef struct
{
  CulpritTimelineView *view;
  guint index;
  TimelineChipsRemove remove;
  gpointer data;
} Chip;

static void
free_chip (gpointer chip, GClosure *closure)
{
  g_free (chip);
}

/* Replaced chips would lose the focus. */
static void
on_clicked (GtkButton *button, gpointer data)
{
  const Chip *chip = data;
  CulpritTimelineView *view = chip->view;

  culprit_timeline_view_set_current_highlight (view, chip->index);
  gtk_widget_grab_focus (GTK_WIDGET (view));
}

static void
on_removed (GtkButton *button, gpointer data)
{
  const Chip *chip = data;
  CulpritTimelineView *view = chip->view;

  chip->remove (chip->index, chip->data);
  gtk_widget_grab_focus (GTK_WIDGET (view));
}

static void
connect (GtkWidget *button, const Chip *chip, GCallback callback)
{
  g_signal_connect_data (button, "clicked", callback, g_memdup2 (chip, sizeof *chip), free_chip, 0);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
}

static GtkWidget *
make_swatch (const GdkRGBA *colour)
{
  GtkWidget *swatch = gtk_label_new (SWATCH);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_foreground_new (colour->red * G_MAXUINT16, colour->green * G_MAXUINT16,
                                                                 colour->blue * G_MAXUINT16));
  gtk_label_set_attributes (GTK_LABEL (swatch), attributes);
  return swatch;
}

static GtkWidget *
make_name (const CulpritTimelineHighlight *highlight)
{
  g_autofree char *text =
      highlight->is_function ? g_strdup (highlight->text) : g_strdup_printf ("“%s”", highlight->text);
  GtkWidget *name = show_label_new (text);

  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (name), LETTERS);
  show_tooltip (name, text);
  if (highlight->is_current)
    gtk_widget_add_css_class (name, "current");
  return name;
}

static GtkWidget *
make_chip (const CulpritTimelineHighlight *highlight, const Chip *chip)
{
  GtkWidget *both = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *button = gtk_button_new ();
  GtkWidget *remove = gtk_button_new_from_icon_name ("window-close-symbolic");
  g_autofree char *label = g_strdup_printf ("Go through the calls of %s", highlight->text);
  g_autofree char *remove_label = g_strdup_printf ("Stop highlighting %s", highlight->text);

  gtk_box_append (GTK_BOX (content), make_swatch (&highlight->colour));
  gtk_box_append (GTK_BOX (content), make_name (highlight));
  gtk_button_set_child (GTK_BUTTON (button), content);
  show_to_reader (button, GTK_ACCESSIBLE_PROPERTY_LABEL, label);
  show_to_reader (remove, GTK_ACCESSIBLE_PROPERTY_LABEL, remove_label);
  show_tooltip (remove, remove_label);
  connect (button, chip, G_CALLBACK (on_clicked));
  connect (remove, chip, G_CALLBACK (on_removed));
  gtk_box_append (GTK_BOX (both), button);
  gtk_box_append (GTK_BOX (both), remove);
  gtk_widget_add_css_class (both, "highlight");
  return both;
}

/* Replaces the chips in @box by those of the highlights of @view. */
static void
timeline_chips_fill (GtkBox *box, CulpritTimelineView *view, TimelineChipsRemove remove, gpointer data)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))))
    gtk_box_remove (box, child);
  for (guint i = 0; i < culprit_timeline_view_count_highlights (view); i++)
    {
      CulpritTimelineHighlight highlight = culprit_timeline_view_get_highlight (view, i);

      gtk_box_append (box, make_chip (&highlight, &(Chip) { view, i, remove, data }));
    }
}

#define WIDE 1000 /* width of a window that has space for a pane beside the timeline */
#define HINT "Shift+drag measures, double-click highlights"

struct _CulpritCaptureTimeline
{
  CulpritDocumentView parent;
  gboolean focusing; /* as soon as there is a timeline */
  gint64 shown;      /* the capture whose timeline is shown or being read; 0: none */
  GtkWidget *content;
  CulpritTimelineView *view;
  CulpritTimelineMap *map;
  GtkWidget *message;
  GtkWidget *search;
  GtkWidget *matches;
  GtkWidget *chips;
  GtkWidget *full;
  GtkWidget *side;
  GtkWidget *tabs;
  CulpritCallPane *pane;
  CulpritRangePane *range;
  CulpritEventList *events;
  GtkWidget *notice;
  GtkWidget *remark;
};

G_DEFINE_FINAL_TYPE (CulpritCaptureTimeline, culprit_capture_timeline, CULPRIT_TYPE_DOCUMENT_VIEW)

static void
show_message (CulpritCaptureTimeline *timeline, const char *message)
{
  show_line (timeline->message, message);
  gtk_stack_set_visible_child_name (GTK_STACK (timeline->content), "message");
}

static gpointer
read_timeline (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  gint64 capture = *(gint64 *) data;
  guint64 threshold_ns;
  g_autofree char *file = culprit_query_capture_file (study, capture, error);
  g_autofree char *windows = file ? culprit_query_capture_definition (study, capture, &threshold_ns, error) : NULL;

  return windows ? culprit_timeline_read (file, windows, threshold_ns, cancellable, error) : NULL;
}

/* Names the capture for screen readers. */
static void
name_view (CulpritCaptureTimeline *timeline)
{
  CulpritRow *row = culprit_document_row (culprit_document_view_document (timeline), timeline->shown);
  g_autofree char *file = row ? g_path_get_basename (culprit_row_text (row, "file")) : g_strdup ("");
  g_autofree char *name = g_strdup_printf ("Timeline of %s", file);

  show_to_reader (timeline->view, GTK_ACCESSIBLE_PROPERTY_LABEL, name);
}

static void
on_timeline (GObject *owner, gpointer result, const GError *error)
{
  CulpritCaptureTimeline *timeline = CULPRIT_CAPTURE_TIMELINE (owner);
  g_autoptr (CulpritTimeline) found = result;

  if (error)
    {
      timeline->shown = 0;
      show_message (timeline, error->message);
      return;
    }
  name_view (timeline);
  culprit_timeline_view_set_timeline (timeline->view, found);
  culprit_timeline_view_set_function (timeline->view,
                                      culprit_document_function (culprit_document_view_document (timeline)));
  culprit_timeline_view_show_function (timeline->view);
  gtk_stack_set_visible_child_name (GTK_STACK (timeline->content), "timeline");
  if (timeline->focusing)
    culprit_capture_timeline_focus (timeline);
}

/* Reads the chosen capture if it is visible and not shown yet. */
static void
follow (CulpritCaptureTimeline *timeline)
{
  CulpritDocument *document = culprit_document_view_document (timeline);
  gint64 capture = culprit_document_capture (document);
  CulpritRow *row = culprit_document_chosen_row (document);
  gint64 *asked;

  if (!row)
    timeline->shown = 0;
  if (!gtk_widget_get_mapped (GTK_WIDGET (timeline)) || !row || capture == timeline->shown)
    return;
  timeline->shown = capture;
  timeline->focusing = timeline->focusing || gtk_widget_has_focus (GTK_WIDGET (timeline->view));
  culprit_timeline_view_set_timeline (timeline->view, NULL);
  show_message (timeline, "Reading the capture…");
  asked = g_new (gint64, 1);
  *asked = capture;
  culprit_document_view_read_capture (timeline, read_timeline, asked, g_free, on_timeline,
                                      (GDestroyNotify) culprit_timeline_unref);
}

static void
timeline_capture_chosen (CulpritDocumentView *view)
{
  follow (CULPRIT_CAPTURE_TIMELINE (view));
}

/* What failed may work now. */
static void
timeline_changed (CulpritDocumentView *view, CulpritPartKind part)
{
  if (part == CULPRIT_PART_OUTLIERS)
    follow (CULPRIT_CAPTURE_TIMELINE (view));
}

static void
timeline_function_chosen (CulpritDocumentView *view)
{
  culprit_timeline_view_set_function (CULPRIT_CAPTURE_TIMELINE (view)->view,
                                      culprit_document_function (culprit_document_view_document (view)));
}

/* Search. */

static void
on_search (GtkSearchEntry *entry, CulpritCaptureTimeline *timeline)
{
  culprit_timeline_view_set_search (timeline->view, gtk_editable_get_text (GTK_EDITABLE (entry)));
}

/* "3 of 512", or the number of calls if none of them is chosen. */
static void
count_matches (CulpritCaptureTimeline *timeline)
{
  g_autofree char *text = NULL;
  guint64 rank;
  guint64 calls;

  if (!culprit_timeline_view_get_match (timeline->view, &rank, &calls))
    text = g_strdup ("");
  else if (rank > 0)
    text = g_strdup_printf ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT, rank, calls);
  else
    text = g_strdup_printf ("%" G_GUINT64_FORMAT " call%s", calls, culprit_plural (calls));
  show_line (timeline->matches, text);
}

static void
notice (CulpritCaptureTimeline *timeline, const char *text)
{
  show_line (timeline->notice, text);
  gtk_widget_set_visible (timeline->notice, *text != '\0');
}

/* The selection, or else the chosen call, or else a hint. */
static void
show_remark (CulpritCaptureTimeline *timeline)
{
  g_autofree char *measured = culprit_timeline_view_describe_selection (timeline->view);
  g_autofree char *chosen = culprit_timeline_view_describe_chosen (timeline->view);
  g_autofree char *markers = culprit_timeline_view_describe_markers (timeline->view);
  const char *remark = measured ? measured : markers ? markers : chosen ? chosen : HINT;

  show_line (timeline->remark, remark);
  show_tooltip (timeline->remark, remark);
}

static void
on_range_selected (CulpritTimelineView *view, guint64 start_ns, guint64 end_ns, CulpritCaptureTimeline *timeline)
{
  show_remark (timeline);
  if (end_ns > start_ns)
    gtk_stack_set_visible_child_name (GTK_STACK (timeline->tabs), "range");
}

/* The pane is shown at full size; with little space, only if a call is chosen. */
static void
show_pane (CulpritCaptureTimeline *timeline)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (timeline)));
  gboolean wide = !window || gtk_widget_get_width (window) >= WIDE;
  CulpritTimelinePlace place;

  gtk_widget_set_visible (timeline->side, gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (timeline->full)) &&
                                              (wide || culprit_timeline_view_get_chosen (timeline->view, &place)));
}

static void
on_call_chosen (CulpritTimelineView *view, CulpritCaptureTimeline *timeline)
{
  CulpritTimelinePlace place;

  notice (timeline, "");
  count_matches (timeline);
  show_remark (timeline);
  show_pane (timeline);
  if (culprit_timeline_view_get_chosen (view, &place) &&
      g_str_equal (gtk_stack_get_visible_child_name (GTK_STACK (timeline->tabs)), "range"))
    gtk_stack_set_visible_child_name (GTK_STACK (timeline->tabs), "call");
}

static void
on_wrapped (CulpritTimelineView *view, gboolean forward, CulpritCaptureTimeline *timeline)
{
  notice (timeline, forward ? "From the start again" : "From the end again");
}

/* Removing the highlight of the function or the search clears the choice or the search entry. */
static void
remove_highlight (guint index, gpointer data)
{
  CulpritCaptureTimeline *timeline = data;
  CulpritTimelineHighlight highlight = culprit_timeline_view_get_highlight (timeline->view, index);

  if (highlight.is_function)
    culprit_document_choose_function (culprit_document_view_document (timeline), NULL);
  else if (highlight.is_search)
    gtk_editable_set_text (GTK_EDITABLE (timeline->search), "");
  else
    culprit_timeline_view_remove_highlight (timeline->view, index);
}

static void
on_highlights_changed (CulpritTimelineView *view, CulpritCaptureTimeline *timeline)
{
  timeline_chips_fill (GTK_BOX (timeline->chips), view, remove_highlight, timeline);
  gtk_widget_action_set_enabled (GTK_WIDGET (timeline), "timeline.keep", culprit_timeline_view_can_keep_search (view));
  count_matches (timeline);
}

static void
keep_search (GtkWidget *widget, const char *action, GVariant *value)
{
  CulpritCaptureTimeline *timeline = CULPRIT_CAPTURE_TIMELINE (widget);

  culprit_timeline_view_keep_search (timeline->view);
  gtk_editable_set_text (GTK_EDITABLE (timeline->search), "");
  gtk_widget_grab_focus (timeline->search);
}

static void
on_stop (GtkSearchEntry *entry, CulpritCaptureTimeline *timeline)
{
  if (*gtk_editable_get_text (GTK_EDITABLE (entry)))
    gtk_editable_set_text (GTK_EDITABLE (entry), "");
  else
    gtk_widget_grab_focus (GTK_WIDGET (timeline->view));
}

static void
on_next (GtkWidget *from, CulpritCaptureTimeline *timeline)
{
  culprit_timeline_view_next_match (timeline->view);
}

static void
on_previous (GtkWidget *from, CulpritCaptureTimeline *timeline)
{
  culprit_timeline_view_previous_match (timeline->view);
}

static void
on_window (GtkButton *button, CulpritCaptureTimeline *timeline)
{
  if (!culprit_timeline_view_zoom_to_window (timeline->view))
    culprit_timeline_view_zoom_to_all (timeline->view);
}

static void
on_silence (GtkButton *button, CulpritCaptureTimeline *timeline)
{
  culprit_timeline_view_zoom_to_silence (timeline->view);
}

static void
on_silence_missed (CulpritTimelineView *view, CulpritCaptureTimeline *timeline)
{
  notice (timeline, "No long stretch without an event");
}

static void
on_all (GtkButton *button, CulpritCaptureTimeline *timeline)
{
  culprit_timeline_view_zoom_to_all (timeline->view);
}

static void
on_tracing (GtkToggleButton *button, CulpritCaptureTimeline *timeline)
{
  culprit_timeline_view_set_tracing (timeline->view, gtk_toggle_button_get_active (button));
}

static void
on_call (CulpritTimelineView *view, const char *function, CulpritCaptureTimeline *timeline)
{
  culprit_document_choose_function (culprit_document_view_document (timeline), function);
}

static void
on_shown (GtkWidget *view, CulpritCaptureTimeline *timeline)
{
  culprit_page_picture_changed (timeline);
}

/* The widget. */

static void
timeline_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (culprit_capture_timeline_parent_class)->map (widget);
  follow (CULPRIT_CAPTURE_TIMELINE (widget));
}

static void
culprit_capture_timeline_class_init (CulpritCaptureTimelineClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);
  CulpritDocumentViewClass *view = CULPRIT_DOCUMENT_VIEW_CLASS (class);

  widget->map = timeline_map;
  view->changed = timeline_changed;
  view->capture_chosen = timeline_capture_chosen;
  view->function_chosen = timeline_function_chosen;
  ensure_types (CULPRIT_TYPE_CALL_PANE, CULPRIT_TYPE_EVENT_LIST, CULPRIT_TYPE_RANGE_PANE, CULPRIT_TYPE_TIMELINE_MAP,
                CULPRIT_TYPE_TIMELINE_VIEW);
  widget_class_set_template (class, "outliers/capture-timeline.ui");
  widget_class_bind_children (class, CulpritCaptureTimeline, content, view, map, message, search, matches, chips, full,
                              side, tabs, pane, range, events, notice, remark);
  widget_class_bind_callbacks (class, on_search, on_next, on_previous, on_window, on_silence, on_silence_missed, on_all,
                               on_tracing, on_call, show_pane, on_call_chosen, on_highlights_changed, on_range_selected,
                               on_shown, on_stop, on_wrapped);
  gtk_widget_class_install_action (widget, "timeline.keep", NULL, keep_search);
}

static void
culprit_capture_timeline_init (CulpritCaptureTimeline *timeline)
{
  gtk_widget_init_template (GTK_WIDGET (timeline));
  culprit_timeline_map_set_view (timeline->map, timeline->view);
  culprit_call_pane_set_view (timeline->pane, timeline->view);
  culprit_range_pane_set_view (timeline->range, timeline->view);
  culprit_event_list_set_view (timeline->events, timeline->view);
  show_remark (timeline);
  gtk_widget_action_set_enabled (GTK_WIDGET (timeline), "timeline.keep", FALSE);
}

gboolean
culprit_capture_timeline_export (CulpritCaptureTimeline *timeline, const char *path, GError **error)
{
  g_autofree char *heading = heading_of_capture (culprit_document_view_document (timeline), timeline->shown);

  guint scale = MAX (gtk_widget_get_scale_factor (GTK_WIDGET (timeline)), PICTURE_SCALE);

  return culprit_timeline_view_export (timeline->view, heading, scale, path, error);
}

void
culprit_capture_timeline_show_window (CulpritCaptureTimeline *timeline)
{
  culprit_timeline_view_zoom_to_window (timeline->view);
  culprit_timeline_view_show_function (timeline->view);
}

void
culprit_capture_timeline_focus (CulpritCaptureTimeline *timeline)
{
  timeline->focusing = !gtk_widget_get_mapped (GTK_WIDGET (timeline->view));
  gtk_widget_grab_focus (GTK_WIDGET (timeline->view));
}

void
culprit_capture_timeline_search (CulpritCaptureTimeline *timeline)
{
  timeline->focusing = FALSE;
  gtk_widget_grab_focus (timeline->search);
}

gboolean
culprit_capture_timeline_is_shown (CulpritCaptureTimeline *timeline)
{
  return gtk_widget_get_mapped (GTK_WIDGET (timeline->view));
}

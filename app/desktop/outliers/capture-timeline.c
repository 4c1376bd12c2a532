/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading takes a thread; while the timeline is not seen nothing is read. */
#include "outliers/capture-timeline.h"

#include "charts/timeline-view.h"
#include "study/query.h"
#include "units.h"
#include "widgets.h"

struct _CulpritCaptureTimeline
{
  GtkWidget parent;
  CulpritDocument *document;
  GCancellable *reading;
  gint64 shown; /* the capture whose timeline is there or being read; 0: none */
  GtkWidget *stack;
  GtkWidget *place;
  GtkWidget *view;
  GtkWidget *message;
  GtkWidget *search;
  GtkWidget *matches;
};

G_DEFINE_FINAL_TYPE (CulpritCaptureTimeline, culprit_capture_timeline, GTK_TYPE_WIDGET)

static void
tell (CulpritCaptureTimeline *timeline, const char *message)
{
  gtk_label_set_label (GTK_LABEL (timeline->message), message);
  gtk_stack_set_visible_child_name (GTK_STACK (timeline->stack), "message");
}

static gpointer
read_timeline (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  g_autofree char *file = culprit_query_capture_file (study, *(gint64 *) data, error);

  return file ? culprit_timeline_read (file, cancellable, error) : NULL;
}

static void
on_timeline (GObject *owner, gpointer result, const GError *error)
{
  CulpritCaptureTimeline *timeline = CULPRIT_CAPTURE_TIMELINE (owner);
  g_autoptr (CulpritTimeline) found = result;

  if (error)
    {
      timeline->shown = 0;
      tell (timeline, error->message);
      return;
    }
  culprit_timeline_view_set_timeline (CULPRIT_TIMELINE_VIEW (timeline->view), found);
  culprit_timeline_view_set_function (CULPRIT_TIMELINE_VIEW (timeline->view),
                                      culprit_document_function (timeline->document));
  gtk_stack_set_visible_child_name (GTK_STACK (timeline->stack), "timeline");
}

/* Reads the chosen capture, where it is seen and not there yet. */
static void
follow (CulpritCaptureTimeline *timeline)
{
  gint64 capture = culprit_document_capture (timeline->document);
  gint64 *asked;

  if (!gtk_widget_get_mapped (GTK_WIDGET (timeline)) || capture == 0 || capture == timeline->shown)
    return;
  g_cancellable_cancel (timeline->reading);
  g_clear_object (&timeline->reading);
  timeline->reading = g_cancellable_new ();
  timeline->shown = capture;
  culprit_timeline_view_set_timeline (CULPRIT_TIMELINE_VIEW (timeline->view), NULL);
  tell (timeline, "Reading the capture…");
  asked = g_new (gint64, 1);
  *asked = capture;
  culprit_document_read (timeline->document, G_OBJECT (timeline), timeline->reading, read_timeline, asked, g_free,
                         on_timeline, (GDestroyNotify) culprit_timeline_unref);
}

static void
on_capture (CulpritDocument *document, GParamSpec *spec, CulpritCaptureTimeline *timeline)
{
  follow (timeline);
}

/* What failed may be there now. */
static void
on_changed (CulpritDocument *document, guint part, CulpritCaptureTimeline *timeline)
{
  if (part == CULPRIT_PART_OUTLIERS)
    follow (timeline);
}

static void
on_function (CulpritDocument *document, GParamSpec *spec, CulpritCaptureTimeline *timeline)
{
  culprit_timeline_view_set_function (CULPRIT_TIMELINE_VIEW (timeline->view), culprit_document_function (document));
}

/* Search. */

static void
on_search (GtkSearchEntry *entry, CulpritCaptureTimeline *timeline)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (entry));
  guint64 calls = culprit_timeline_view_set_search (CULPRIT_TIMELINE_VIEW (timeline->view), text);
  g_autofree char *told =
      *text ? g_strdup_printf ("%" G_GUINT64_FORMAT " call%s", calls, culprit_plural (calls)) : g_strdup ("");

  gtk_label_set_label (GTK_LABEL (timeline->matches), told);
}

static void
on_next (GtkWidget *from, CulpritCaptureTimeline *timeline)
{
  culprit_timeline_view_next_match (CULPRIT_TIMELINE_VIEW (timeline->view));
}

static void
on_previous (GtkWidget *from, CulpritCaptureTimeline *timeline)
{
  culprit_timeline_view_previous_match (CULPRIT_TIMELINE_VIEW (timeline->view));
}

static void
on_window (GtkButton *button, CulpritCaptureTimeline *timeline)
{
  if (!culprit_timeline_view_zoom_to_window (CULPRIT_TIMELINE_VIEW (timeline->view)))
    culprit_timeline_view_zoom_to_all (CULPRIT_TIMELINE_VIEW (timeline->view));
}

static void
on_all (GtkButton *button, CulpritCaptureTimeline *timeline)
{
  culprit_timeline_view_zoom_to_all (CULPRIT_TIMELINE_VIEW (timeline->view));
}

static void
on_tracing (GtkToggleButton *button, CulpritCaptureTimeline *timeline)
{
  culprit_timeline_view_set_tracing (CULPRIT_TIMELINE_VIEW (timeline->view), gtk_toggle_button_get_active (button));
}

static void
on_call (CulpritTimelineView *view, const char *function, CulpritCaptureTimeline *timeline)
{
  culprit_document_choose_function (timeline->document, function);
}

/* The widget. */

static void
timeline_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (culprit_capture_timeline_parent_class)->map (widget);
  follow (CULPRIT_CAPTURE_TIMELINE (widget));
}

static void
timeline_dispose (GObject *object)
{
  CulpritCaptureTimeline *timeline = CULPRIT_CAPTURE_TIMELINE (object);

  g_cancellable_cancel (timeline->reading);
  g_clear_object (&timeline->reading);
  widget_drop_children (GTK_WIDGET (object));
  G_OBJECT_CLASS (culprit_capture_timeline_parent_class)->dispose (object);
}

static void
culprit_capture_timeline_class_init (CulpritCaptureTimelineClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = timeline_dispose;
  widget->map = timeline_map;
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget, "/io/github/culprit/desktop/outliers/capture-timeline.ui");
  gtk_widget_class_bind_template_child (widget, CulpritCaptureTimeline, stack);
  gtk_widget_class_bind_template_child (widget, CulpritCaptureTimeline, place);
  gtk_widget_class_bind_template_child (widget, CulpritCaptureTimeline, message);
  gtk_widget_class_bind_template_child (widget, CulpritCaptureTimeline, search);
  gtk_widget_class_bind_template_child (widget, CulpritCaptureTimeline, matches);
  gtk_widget_class_bind_template_callback (widget, on_search);
  gtk_widget_class_bind_template_callback (widget, on_next);
  gtk_widget_class_bind_template_callback (widget, on_previous);
  gtk_widget_class_bind_template_callback (widget, on_window);
  gtk_widget_class_bind_template_callback (widget, on_all);
  gtk_widget_class_bind_template_callback (widget, on_tracing);
}

static void
culprit_capture_timeline_init (CulpritCaptureTimeline *timeline)
{
  gtk_widget_init_template (GTK_WIDGET (timeline));
}

GtkWidget *
culprit_capture_timeline_new (CulpritDocument *document)
{
  CulpritCaptureTimeline *timeline = g_object_new (CULPRIT_TYPE_CAPTURE_TIMELINE, NULL);

  timeline->document = document;
  timeline->view = culprit_timeline_view_new ();
  gtk_widget_set_vexpand (timeline->view, TRUE);
  gtk_box_append (GTK_BOX (timeline->place), timeline->view);
  g_signal_connect (timeline->view, "call-activated", G_CALLBACK (on_call), timeline);
  g_signal_connect_object (document, "notify::capture", G_CALLBACK (on_capture), timeline, 0);
  g_signal_connect_object (document, "changed", G_CALLBACK (on_changed), timeline, 0);
  g_signal_connect_object (document, "notify::function", G_CALLBACK (on_function), timeline, 0);
  return GTK_WIDGET (timeline);
}

gboolean
culprit_capture_timeline_export (CulpritCaptureTimeline *timeline, const char *path, GError **error)
{
  return culprit_timeline_view_export (CULPRIT_TIMELINE_VIEW (timeline->view), path, error);
}

gboolean
culprit_capture_timeline_is_shown (CulpritCaptureTimeline *timeline)
{
  return gtk_widget_get_mapped (timeline->view);
}

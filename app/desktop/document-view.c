/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connects a view's methods to the signals of its document. */
#include "document-view.h"

typedef struct
{
  CulpritDocument *document;
  GSignalGroup *signals;
  GCancellable *reading; /* NULL: nothing is */
} CulpritDocumentViewPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (CulpritDocumentView, culprit_document_view, GTK_TYPE_WIDGET)

enum
{
  PROPERTY_DOCUMENT = 1,
  PROPERTIES,
};

static GParamSpec *properties[PROPERTIES];

static CulpritDocumentViewPrivate *
private_of (gpointer view)
{
  return culprit_document_view_get_instance_private (CULPRIT_DOCUMENT_VIEW (view));
}

CulpritDocument *
culprit_document_view_document (gpointer view)
{
  return private_of (view)->document;
}

void
culprit_document_view_fail (gpointer view, const char *message)
{
  g_signal_emit_by_name (private_of (view)->document, "failed", message);
}

void
culprit_document_view_stop (gpointer view)
{
  CulpritDocumentViewPrivate *private = private_of (view);

  g_cancellable_cancel (private->reading);
  g_clear_object (&private->reading);
}

void
culprit_document_view_read (gpointer view,
                            DocumentRead read,
                            gpointer data,
                            GDestroyNotify data_destroy,
                            DocumentReady ready,
                            GDestroyNotify destroy)
{
  CulpritDocumentViewPrivate *private = private_of (view);

  culprit_document_view_stop (view);
  private->reading = g_cancellable_new ();
  culprit_document_read (private->document, view, private->reading, read, data, data_destroy, ready, destroy);
}

/* What happens to the document. */

static void
on_changed (CulpritDocumentView *view, guint part)
{
  if (CULPRIT_DOCUMENT_VIEW_GET_CLASS (view)->changed)
    CULPRIT_DOCUMENT_VIEW_GET_CLASS (view)->changed (view, part);
}

static void
on_capture (CulpritDocumentView *view)
{
  if (CULPRIT_DOCUMENT_VIEW_GET_CLASS (view)->capture_chosen)
    CULPRIT_DOCUMENT_VIEW_GET_CLASS (view)->capture_chosen (view);
}

static void
on_function (CulpritDocumentView *view)
{
  if (CULPRIT_DOCUMENT_VIEW_GET_CLASS (view)->function_chosen)
    CULPRIT_DOCUMENT_VIEW_GET_CLASS (view)->function_chosen (view);
}

static void
on_times (CulpritDocumentView *view)
{
  if (CULPRIT_DOCUMENT_VIEW_GET_CLASS (view)->times_chosen)
    CULPRIT_DOCUMENT_VIEW_GET_CLASS (view)->times_chosen (view);
}

/* The widget. */

static void
view_get_property (GObject *object, guint property, GValue *value, GParamSpec *spec)
{
  g_value_set_object (value, private_of (object)->document);
}

static void
view_set_property (GObject *object, guint property, const GValue *value, GParamSpec *spec)
{
  CulpritDocumentView *view = CULPRIT_DOCUMENT_VIEW (object);
  CulpritDocumentViewPrivate *private = private_of (view);

  g_set_object (&private->document, g_value_get_object (value));
  g_signal_group_set_target (private->signals, private->document);
  if (private->document && CULPRIT_DOCUMENT_VIEW_GET_CLASS (view)->opened)
    CULPRIT_DOCUMENT_VIEW_GET_CLASS (view)->opened (view);
}

static void
view_dispose (GObject *object)
{
  CulpritDocumentViewPrivate *private = private_of (object);

  culprit_document_view_stop (object);
  g_signal_group_set_target (private->signals, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), G_OBJECT_TYPE (object));
  g_clear_object (&private->document);
  G_OBJECT_CLASS (culprit_document_view_parent_class)->dispose (object);
}

static void
view_finalize (GObject *object)
{
  g_object_unref (private_of (object)->signals);
  G_OBJECT_CLASS (culprit_document_view_parent_class)->finalize (object);
}

static void
culprit_document_view_class_init (CulpritDocumentViewClass *class)
{
  GObjectClass *object = G_OBJECT_CLASS (class);

  object->get_property = view_get_property;
  object->set_property = view_set_property;
  object->dispose = view_dispose;
  object->finalize = view_finalize;
  properties[PROPERTY_DOCUMENT] =
      g_param_spec_object ("document", NULL, NULL, CULPRIT_TYPE_DOCUMENT, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object, PROPERTIES, properties);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
culprit_document_view_init (CulpritDocumentView *view)
{
  CulpritDocumentViewPrivate *private = private_of (view);

  private->signals = g_signal_group_new (CULPRIT_TYPE_DOCUMENT);
  g_signal_group_connect_swapped (private->signals, "changed", G_CALLBACK (on_changed), view);
  g_signal_group_connect_swapped (private->signals, "notify::capture", G_CALLBACK (on_capture), view);
  g_signal_group_connect_swapped (private->signals, "notify::function", G_CALLBACK (on_function), view);
  g_signal_group_connect_swapped (private->signals, "notify::traced", G_CALLBACK (on_times), view);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views and pages. */
#include "page.h"

typedef struct
{
  CulpritDocument *document;
  GSignalGroup *signals;
  GCancellable *reading; /* NULL: no question was asked */
} CulpritDocumentViewPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (CulpritDocumentView, culprit_document_view, ADW_TYPE_BIN)

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
  culprit_document_fail (private_of (view)->document, CULPRIT_ABOUT_STUDY, message);
}

void
culprit_document_view_stop (gpointer view)
{
  CulpritDocumentViewPrivate *private = private_of (view);

  g_cancellable_cancel (private->reading);
  g_clear_object (&private->reading);
}

/* A cancellable for the next question of @view; the previous one is cancelled. */
static GCancellable *
begin_reading (gpointer view)
{
  culprit_document_view_stop (view);
  return private_of (view)->reading = g_cancellable_new ();
}

void
culprit_document_view_read (gpointer view,
                            DocumentRead read,
                            gpointer data,
                            GDestroyNotify data_destroy,
                            DocumentReady ready,
                            GDestroyNotify destroy)
{
  culprit_document_read (private_of (view)->document, view, begin_reading (view), read, data, data_destroy, ready,
                         destroy);
}

void
culprit_document_view_read_capture (gpointer view,
                                    DocumentRead read,
                                    gpointer data,
                                    GDestroyNotify data_destroy,
                                    DocumentReady ready,
                                    GDestroyNotify destroy)
{
  culprit_document_read_capture (private_of (view)->document, view, begin_reading (view), read, data, data_destroy,
                                 ready, destroy);
}

static void
on_changed (CulpritDocumentView *view, guint part)
{
  if (CULPRIT_DOCUMENT_VIEW_GET_CLASS (view)->changed)
    CULPRIT_DOCUMENT_VIEW_GET_CLASS (view)->changed (view, part);
}

static void
on_replaced (CulpritDocumentView *view)
{
  if (CULPRIT_DOCUMENT_VIEW_GET_CLASS (view)->replaced)
    CULPRIT_DOCUMENT_VIEW_GET_CLASS (view)->replaced (view);
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
  adw_bin_set_child (ADW_BIN (object), NULL);
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
  g_object_class_install_property (
      object, 1,
      g_param_spec_object ("document", NULL, NULL, CULPRIT_TYPE_DOCUMENT, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
}

static void
culprit_document_view_init (CulpritDocumentView *view)
{
  CulpritDocumentViewPrivate *private = private_of (view);

  private->signals = g_signal_group_new (CULPRIT_TYPE_DOCUMENT);
  g_signal_group_connect_swapped (private->signals, "changed", G_CALLBACK (on_changed), view);
  g_signal_group_connect_swapped (private->signals, "replaced", G_CALLBACK (on_replaced), view);
  g_signal_group_connect_swapped (private->signals, "notify::capture", G_CALLBACK (on_capture), view);
  g_signal_group_connect_swapped (private->signals, "notify::function", G_CALLBACK (on_function), view);
  g_signal_group_connect_swapped (private->signals, "notify::traced", G_CALLBACK (on_times), view);
}

#define FOLDED_HEIGHT 180 /* of the upper part of a split */

typedef struct
{
  gboolean narrow;
  int position; /* of the split in the other orientation; 0: it never had that */
} CulpritPagePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (CulpritPage, culprit_page, CULPRIT_TYPE_DOCUMENT_VIEW)

static CulpritPagePrivate *
page_private_of (gpointer page)
{
  return culprit_page_get_instance_private (CULPRIT_PAGE (page));
}

static gpointer
find_child (CulpritPage *page, const char *name)
{
  return gtk_widget_get_template_child (GTK_WIDGET (page), G_OBJECT_TYPE (page), name);
}

/* Turns the split, and gives it the position that it last had this way. */
static void
fold (CulpritPage *page)
{
  CulpritPagePrivate *private = page_private_of (page);
  const char *name = CULPRIT_PAGE_GET_CLASS (page)->split;
  const int folded_height = CULPRIT_PAGE_GET_CLASS (page)->folded_height;
  GtkPaned *split = name ? find_child (page, name) : NULL;
  gboolean restored;
  int position;

  if (private->narrow)
    gtk_widget_add_css_class (GTK_WIDGET (page), "narrow");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (page), "narrow");
  if (!split)
    return;
  if (private->position == 0)
  private->position = folded_height > 0 ? folded_height : FOLDED_HEIGHT;
  position = gtk_paned_get_position (split);
  g_object_set (split, "position-set", FALSE, NULL);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (split),
                                  private->narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  g_object_get (split, "position-set", &restored, NULL); /* see panes_keep() */
  if (!restored)
    gtk_paned_set_position (split, private->position);
  private->position = position;
}

static void
page_get_property (GObject *object, guint property, GValue *value, GParamSpec *spec)
{
  g_value_set_boolean (value, page_private_of (object)->narrow);
}

static void
page_set_property (GObject *object, guint property, const GValue *value, GParamSpec *spec)
{
  CulpritPagePrivate *private = page_private_of (object);

  if (private->narrow == g_value_get_boolean (value))
    return;
  private->narrow = g_value_get_boolean (value);
  fold (CULPRIT_PAGE (object));
}

static guint picture_changed;

static CulpritTableView *
find_table (CulpritPage *page)
{
  GObject *table = find_child (page, "table");

  return table ? CULPRIT_TABLE_VIEW (table) : NULL;
}

CulpritTableView *
culprit_page_table (CulpritPage *page)
{
  CulpritPageClass *class = CULPRIT_PAGE_GET_CLASS (page);

  return !class->shows_table || class->shows_table (page) ? find_table (page) : NULL;
}

gboolean
culprit_page_copy (CulpritPage *page)
{
  return CULPRIT_PAGE_GET_CLASS (page)->copy && CULPRIT_PAGE_GET_CLASS (page)->copy (page);
}

gboolean
culprit_page_has_picture (CulpritPage *page)
{
  CulpritPageClass *class = CULPRIT_PAGE_GET_CLASS (page);

  return class->export_picture && (!class->shows_picture || class->shows_picture (page));
}

const char *
culprit_page_no_picture (CulpritPage *page)
{
  const char *hint = CULPRIT_PAGE_GET_CLASS (page)->picture_hint;

  return hint ? hint : "none on this page";
}

char *
culprit_page_name_picture (CulpritPage *page)
{
  return CULPRIT_PAGE_GET_CLASS (page)->name_picture ? CULPRIT_PAGE_GET_CLASS (page)->name_picture (page) : NULL;
}

void
culprit_page_picture_changed (gpointer part)
{
  GtkWidget *page = gtk_widget_get_ancestor (part, CULPRIT_TYPE_PAGE);

  if (page)
    g_signal_emit (page, picture_changed, 0);
}

gboolean
culprit_page_export_picture (CulpritPage *page, const char *path, GError **error)
{
  return CULPRIT_PAGE_GET_CLASS (page)->export_picture (page, path, error);
}

static void
on_failed (CulpritDocument *document, guint about, const char *message, CulpritPage *page)
{
  if (culprit_document_is_unreadable (document))
    culprit_table_view_set_empty (find_table (page), "This study cannot be read", "");
}

static void
page_opened (CulpritDocumentView *view)
{
  CulpritTableView *table = find_table (CULPRIT_PAGE (view));

  if (!table)
    return;
  g_signal_connect_object (culprit_document_view_document (view), "failed", G_CALLBACK (on_failed), view, 0);
  if (g_file_test (culprit_document_path (culprit_document_view_document (view)), G_FILE_TEST_EXISTS))
    culprit_table_view_set_empty (table, "Reading…", "");
  else
    culprit_table_view_set_empty (table, "Nothing in this study yet",
                                  "Drop captures here, import them (Ctrl+I), or record some (Alt+7).");
}

static void
culprit_page_class_init (CulpritPageClass *class)
{
  GObjectClass *object = G_OBJECT_CLASS (class);

  CULPRIT_DOCUMENT_VIEW_CLASS (class)->opened = page_opened;
  object->get_property = page_get_property;
  object->set_property = page_set_property;
  g_object_class_install_property (
      object, 1, g_param_spec_boolean ("narrow", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  picture_changed = signal_new (CULPRIT_TYPE_PAGE, "picture-changed", 0);
}

static void
culprit_page_init (CulpritPage *page)
{
}

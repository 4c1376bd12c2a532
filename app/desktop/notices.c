/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "notices.h"

#include "show.h"

#define SHOWN_MS 8000 /* long enough to press its button */

struct _CulpritNotices
{
  CulpritDocumentView parent;
  GtkWidget *message;
  GtkWidget *message_icon;
  GtkWidget *message_text;
  GtkWidget *details; /* of an import that the message is about */
  struct
  {
    char *text; /* NULL: none */
    gboolean failed;
    guint64 number;
  } told[CULPRIT_ABOUTS]; /* what the message says */
  guint64 newest;         /* of their numbers */
  GtkWidget *toast;
  GtkWidget *toast_text;
  GtkWidget *toast_action;
  guint hide; /* the source that hides the notice; 0: none is shown */
};

G_DEFINE_FINAL_TYPE (CulpritNotices, culprit_notices, CULPRIT_TYPE_DOCUMENT_VIEW)

enum
{
  PROPERTY_MESSAGE = 1,
  PROPERTY_NOTICE,
};

static const char *
message_of (CulpritNotices *notices)
{
  return gtk_label_get_label (GTK_LABEL (notices->message_text));
}

static int
compare_told (const void *a, const void *b, void *notices)
{
  guint64 left = CULPRIT_NOTICES (notices)->told[*(const CulpritAbout *) a].number;
  guint64 right = CULPRIT_NOTICES (notices)->told[*(const CulpritAbout *) b].number;

  return (left < right) - (left > right);
}

/* All that is told, each text once, the newest first, as there may be more than is seen at once. */
static void
show_message (CulpritNotices *notices)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  g_autofree char *message = NULL;
  gboolean failed = FALSE;
  CulpritAbout order[CULPRIT_ABOUTS];

  for (CulpritAbout about = 0; about < CULPRIT_ABOUTS; about++)
    order[about] = about;
  qsort_r (order, CULPRIT_ABOUTS, sizeof *order, compare_told, notices);
  for (guint i = 0; i < CULPRIT_ABOUTS; i++)
    {
      char *text = notices->told[order[i]].text;

      failed = failed || notices->told[order[i]].failed;
      if (text && !g_ptr_array_find_with_equal_func (texts, text, g_str_equal, NULL))
        g_ptr_array_add (texts, text);
    }
  g_ptr_array_add (texts, NULL);
  message = g_strjoinv ("\n", (char **) texts->pdata);
  gtk_image_set_from_icon_name (GTK_IMAGE (notices->message_icon),
                                failed ? "dialog-warning-symbolic" : "dialog-information-symbolic");
  show_lines (notices->message_text, message);
  gtk_revealer_set_reveal_child (GTK_REVEALER (notices->message), *message != '\0');
  if (failed)
    gtk_widget_add_css_class (gtk_revealer_get_child (GTK_REVEALER (notices->message)), "failed");
  else
    gtk_widget_remove_css_class (gtk_revealer_get_child (GTK_REVEALER (notices->message)), "failed");
  g_object_notify (G_OBJECT (notices), "message");
}

/* Without showing it; an empty @message: nothing. */
static void
tell (CulpritNotices *notices, CulpritAbout about, const char *message, gboolean failed)
{
  gboolean goes_on = about == CULPRIT_ABOUT_OPENING || about == CULPRIT_ABOUT_TRIAGE || about == CULPRIT_ABOUT_IMPORT;
  gboolean adds =
      *message && goes_on && notices->told[about].failed && !g_str_equal (notices->told[about].text, message);
  g_autofree char *before = notices->told[about].text;

  notices->told[about].text = !*message ? NULL : adds ? g_strconcat (message, "\n", before, NULL) : g_strdup (message);
  notices->told[about].failed = *message && (failed || adds);
  notices->told[about].number = ++notices->newest;
  if (about == CULPRIT_ABOUT_IMPORT && !adds)
    gtk_widget_set_visible (notices->details, FALSE);
}

void
culprit_notices_fail (CulpritNotices *notices, CulpritAbout about, const char *message)
{
  tell (notices, about, message, TRUE);
  show_message (notices);
}

void
culprit_notices_dismiss (CulpritNotices *notices)
{
  for (CulpritAbout about = 0; about < CULPRIT_ABOUTS; about++)
    tell (notices, about, "", FALSE);
  show_message (notices);
}

/* Name and target are set in this order, as they must match at any time. */
static void
set_action (GtkWidget *button, const char *label, const char *action)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;

  gtk_widget_set_visible (button, action != NULL);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), NULL);
  if (!action || !g_action_parse_detailed_name (action, &name, &target, NULL))
    return;
  gtk_button_set_label (GTK_BUTTON (button), label);
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (button), target);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), name);
}

/* Notices, which disappear on their own. */

static void
show_notice (CulpritNotices *notices, const char *text)
{
  show_line (notices->toast_text, text);
  show_tooltip (notices->toast_text, text);
  gtk_revealer_set_reveal_child (GTK_REVEALER (notices->toast), *text != '\0');
  g_object_notify (G_OBJECT (notices), "notice");
}

static gboolean
on_shown (gpointer data)
{
  CulpritNotices *notices = data;

  notices->hide = 0;
  show_notice (notices, "");
  return G_SOURCE_REMOVE;
}

void
culprit_notices_done (CulpritNotices *notices, const char *text, const char *label, const char *action)
{
  set_action (notices->toast_action, label, action);
  show_notice (notices, text);
  g_clear_handle_id (&notices->hide, g_source_remove);
  if (*text)
    notices->hide = g_timeout_add (SHOWN_MS, on_shown, notices);
}

/* Signals of the document. */

static void
on_informed (CulpritDocument *document, guint about, const char *message, CulpritNotices *notices)
{
  tell (notices, about, message, FALSE);
  show_message (notices);
}

static void
on_imported (CulpritDocument *document, gboolean more, CulpritNotices *notices)
{
  if (more)
    gtk_widget_set_visible (notices->details, TRUE);
}

static void
on_failed (CulpritDocument *document, guint about, const char *message, CulpritNotices *notices)
{
  culprit_notices_fail (notices, about, message);
}

static void
on_done (CulpritDocument *document, const char *text, const char *label, const char *action, CulpritNotices *notices)
{
  culprit_notices_done (notices, text, label, action);
}

static void
notices_opened (CulpritDocumentView *view)
{
  CulpritDocument *document = culprit_document_view_document (view);

  g_signal_connect_object (document, "failed", G_CALLBACK (on_failed), view, 0);
  g_signal_connect_object (document, "informed", G_CALLBACK (on_informed), view, 0);
  g_signal_connect_object (document, "imported", G_CALLBACK (on_imported), view, 0);
  g_signal_connect_object (document, "done", G_CALLBACK (on_done), view, 0);
}

/* For templates: shown only while a task is in progress. */
static gboolean
is_text (CulpritNotices *notices, const char *text)
{
  return text != NULL;
}

/* The widget. */

static void
notices_get_property (GObject *object, guint property, GValue *value, GParamSpec *spec)
{
  CulpritNotices *notices = CULPRIT_NOTICES (object);
  const char *notice = gtk_label_get_label (GTK_LABEL (notices->toast_text));

  g_value_set_string (value, property == PROPERTY_MESSAGE ? message_of (notices) : notice);
}

static void
notices_dispose (GObject *object)
{
  g_clear_handle_id (&CULPRIT_NOTICES (object)->hide, g_source_remove);
  G_OBJECT_CLASS (culprit_notices_parent_class)->dispose (object);
}

static void
notices_finalize (GObject *object)
{
  for (CulpritAbout about = 0; about < CULPRIT_ABOUTS; about++)
    g_free (CULPRIT_NOTICES (object)->told[about].text);
  G_OBJECT_CLASS (culprit_notices_parent_class)->finalize (object);
}

static void
culprit_notices_class_init (CulpritNoticesClass *class)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  G_OBJECT_CLASS (class)->get_property = notices_get_property;
  G_OBJECT_CLASS (class)->dispose = notices_dispose;
  G_OBJECT_CLASS (class)->finalize = notices_finalize;
  CULPRIT_DOCUMENT_VIEW_CLASS (class)->opened = notices_opened;
  g_object_class_install_property (G_OBJECT_CLASS (class), PROPERTY_MESSAGE,
                                   g_param_spec_string ("message", NULL, NULL, "", flags));
  g_object_class_install_property (G_OBJECT_CLASS (class), PROPERTY_NOTICE,
                                   g_param_spec_string ("notice", NULL, NULL, "", flags));
  widget_class_set_template (class, "notices.ui");
  widget_class_bind_children (class, CulpritNotices, message, message_icon, message_text, details, toast, toast_text,
                              toast_action);
  widget_class_bind_callbacks (class, is_text);
}

static void
culprit_notices_init (CulpritNotices *notices)
{
  gtk_widget_init_template (GTK_WIDGET (notices));
}

/* The report: a text view, which thousands of files do not slow down. */

#define REPORT_WIDTH 640
#define REPORT_HEIGHT 360
#define REPORT_MARGIN 12

static void
copy_all (GtkButton *button, GtkTextBuffer *buffer)
{
  GtkTextIter start;
  GtkTextIter end;
  g_autofree char *text = NULL;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (button)), text);
}

static GtkWidget *
make_text (const char *text)
{
  GtkWidget *view = gtk_text_view_new ();

  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), REPORT_MARGIN);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), REPORT_MARGIN);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), REPORT_MARGIN);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), REPORT_MARGIN);
  gtk_text_view_set_pixels_below_lines (GTK_TEXT_VIEW (view), REPORT_MARGIN / 2);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), text, -1);
  return view;
}

static void
add_escape (GtkWidget *window)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0), gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (window, keys);
}

void
import_report_show (GtkWindow *parent, const char *text)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *bar = gtk_header_bar_new ();
  GtkWidget *copy = gtk_button_new_with_label ("Copy");
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *view = make_text (text);

  g_signal_connect_object (copy, "clicked", G_CALLBACK (copy_all), gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), 0);
  gtk_header_bar_pack_start (GTK_HEADER_BAR (bar), copy);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_window_set_title (GTK_WINDOW (window), "Import Report");
  gtk_window_set_titlebar (GTK_WINDOW (window), bar);
  gtk_window_set_child (GTK_WINDOW (window), scrolled);
  gtk_window_set_default_size (GTK_WINDOW (window), REPORT_WIDTH, REPORT_HEIGHT);
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  add_escape (window);
  gtk_window_present (GTK_WINDOW (window));
}

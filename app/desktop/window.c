/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the pages of a document and does what their actions say. */
#include "window.h"

#include "compare/compare-page.h"
#include "compat.h"
#include "functions/functions-page.h"
#include "latency/latency-page.h"
#include "outliers/outliers-page.h"
#include "page.h"
#include "record/record-page.h"
#include "stalls/stalls-page.h"
#include "start/start-page.h"
#include "window-actions.h"

struct _CulpritStudyWindow
{
  GtkApplicationWindow parent;
  CulpritDocument *document;
  GtkWidget *title_stack;
  GtkWidget *study_name;
  GtkWidget *run_choice;
  GtkWidget *search_button;
  GtkWidget *message;
  GtkWidget *message_icon;
  GtkWidget *message_text;
  gboolean failed; /* It tells of a failure. */
  GtkWidget *outer;
  GtkWidget *pages;
  GtkWidget *progress;
  GtkWidget *progress_text;
  GtkWidget *spinner;
  gboolean filling; /* The choice of runs changes by itself. */
};

G_DEFINE_FINAL_TYPE (CulpritStudyWindow, culprit_study_window, GTK_TYPE_APPLICATION_WINDOW)

/* The pages, in their order. */
static const struct
{
  const char *name;
  const char *title;
  GtkWidget *(*make) (CulpritDocument *document);
} pages[] = {
  { "latency", "Latency", latency_page_new },       { "outliers", "Outliers", outliers_page_new },
  { "functions", "Functions", functions_page_new }, { "stalls", "Stalls", stalls_page_new },
  { "compare", "Compare", compare_page_new },       { "record", "Record", record_page_new },
};

static GSettings *
window_settings (CulpritStudyWindow *window)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));

  return application ? culprit_application_settings (CULPRIT_APPLICATION (application)) : NULL;
}

static void
show_message (CulpritStudyWindow *window, const char *message, gboolean failed)
{
  gtk_image_set_from_icon_name (GTK_IMAGE (window->message_icon),
                                failed ? "dialog-warning-symbolic" : "dialog-information-symbolic");
  gtk_label_set_label (GTK_LABEL (window->message_text), message);
  gtk_revealer_set_reveal_child (GTK_REVEALER (window->message), *message != '\0');
  window_actions_told (window, message);
  window->failed = failed;
}

void
culprit_study_window_fail (CulpritStudyWindow *window, const char *message)
{
  show_message (window, message, *message != '\0');
}

/* A failure stays until it is dismissed. */
static void
on_told (CulpritDocument *document, const char *message, CulpritStudyWindow *window)
{
  g_autofree char *both = g_strdup_printf ("%s\n%s", gtk_label_get_label (GTK_LABEL (window->message_text)), message);

  show_message (window, window->failed ? both : message, window->failed);
}

static void
on_failed (CulpritDocument *document, const char *message, CulpritStudyWindow *window)
{
  culprit_study_window_fail (window, message);
}

static void
on_doing (CulpritDocument *document, GParamSpec *spec, CulpritStudyWindow *window)
{
  const char *doing = culprit_document_doing (document);

  if (doing)
    gtk_label_set_label (GTK_LABEL (window->progress_text), doing);
  /* One that turns unseen still draws frames. */
  gtk_spinner_set_spinning (GTK_SPINNER (window->spinner), doing != NULL);
  gtk_revealer_set_reveal_child (GTK_REVEALER (window->progress), doing != NULL);
}

/* The runs to choose from: all, or one. */
static void
fill_runs (CulpritStudyWindow *window)
{
  CulpritRows *runs = culprit_document_runs (window->document);
  const char *chosen = culprit_document_run (window->document);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint selected = 0;

  gtk_string_list_append (names, "All runs");
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (runs)); i++)
    {
      const char *name = culprit_table_text (culprit_rows_table (runs), i, "run");

      gtk_string_list_append (names, name);
      if (g_strcmp0 (name, chosen) == 0)
        selected = i + 1;
    }
  window->filling = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (window->run_choice), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (window->run_choice), selected);
  window->filling = FALSE;
  gtk_widget_set_visible (window->run_choice, g_list_model_get_n_items (G_LIST_MODEL (names)) > 2);
}

static void
on_changed (CulpritDocument *document, guint part, CulpritStudyWindow *window)
{
  if (part == CULPRIT_PART_LATENCIES)
    fill_runs (window);
}

static void
on_run_chosen (GtkDropDown *choice, GParamSpec *spec, CulpritStudyWindow *window)
{
  GtkStringObject *item = gtk_drop_down_get_selected_item (choice);

  if (!window->filling && item && window->document)
    culprit_document_choose_run (window->document,
                                 gtk_drop_down_get_selected (choice) > 0 ? gtk_string_object_get_string (item) : NULL);
}

CulpritDocument *
culprit_study_window_document (CulpritStudyWindow *window)
{
  return window->document;
}

CulpritPage *
culprit_study_window_page (CulpritStudyWindow *window)
{
  GtkWidget *page = window->document ? gtk_stack_get_visible_child (GTK_STACK (window->pages)) : NULL;

  return page && CULPRIT_IS_PAGE (page) ? CULPRIT_PAGE (page) : NULL;
}

GtkWidget *
culprit_study_window_outliers (CulpritStudyWindow *window)
{
  return window->document ? gtk_stack_get_child_by_name (GTK_STACK (window->pages), "outliers") : NULL;
}

GtkWidget *
culprit_study_window_compare (CulpritStudyWindow *window)
{
  return window->document ? gtk_stack_get_child_by_name (GTK_STACK (window->pages), "compare") : NULL;
}

GtkWidget *
culprit_study_window_record (CulpritStudyWindow *window)
{
  return window->document ? gtk_stack_get_child_by_name (GTK_STACK (window->pages), "record") : NULL;
}

void
culprit_study_window_show_page (CulpritStudyWindow *window, const char *name)
{
  if (window->document && gtk_stack_get_child_by_name (GTK_STACK (window->pages), name))
    gtk_stack_set_visible_child_name (GTK_STACK (window->pages), name);
}

static void
on_page_shown (GtkStack *stack, GParamSpec *spec, CulpritStudyWindow *window)
{
  const char *name = gtk_stack_get_visible_child_name (stack);

  if (window->document && name)
    window_actions_page_shown (window, name);
}

/* Opening. */

static void
make_pages (CulpritStudyWindow *window)
{
  g_autofree char *page =
      window_settings (window) ? g_settings_get_string (window_settings (window), "page") : g_strdup ("outliers");

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    gtk_stack_add_titled (GTK_STACK (window->pages), pages[i].make (window->document), pages[i].name, pages[i].title);
  culprit_study_window_show_page (window, "outliers");
  culprit_study_window_show_page (window, page);
}

void
culprit_study_window_open (CulpritStudyWindow *window, const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *title = g_strdup_printf ("%s – Culprit", name);
  GSettings *settings = window_settings (window);
  g_autoptr (GVariant) traced = settings ? g_settings_get_value (settings, "traced-times") : NULL;

  window->document = culprit_document_new (path);
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    culprit_document_reload (window->document);
  g_signal_connect_object (window->document, "failed", G_CALLBACK (on_failed), window, 0);
  g_signal_connect_object (window->document, "told", G_CALLBACK (on_told), window, 0);
  g_signal_connect_object (window->document, "changed", G_CALLBACK (on_changed), window, 0);
  g_signal_connect_object (window->document, "notify::doing", G_CALLBACK (on_doing), window, 0);
  gtk_window_set_title (GTK_WINDOW (window), title);
  gtk_label_set_label (GTK_LABEL (window->study_name), name);
  gtk_widget_set_tooltip_text (window->study_name, path);
  make_pages (window);
  gtk_stack_set_visible_child_name (GTK_STACK (window->outer), "pages");
  gtk_stack_set_visible_child_name (GTK_STACK (window->title_stack), "pages");
  gtk_widget_set_visible (window->search_button, TRUE);
  window_actions_enable (window, TRUE);
  if (traced)
    g_action_group_change_action_state (G_ACTION_GROUP (window), "traced", traced);
}

const char *
culprit_study_window_path (CulpritStudyWindow *window)
{
  return window->document ? culprit_document_path (window->document) : NULL;
}

void
culprit_study_window_import (CulpritStudyWindow *window, const GPtrArray *paths)
{
  if (!window->document)
    {
      g_autofree char *folder = g_path_get_dirname (g_ptr_array_index (paths, 0));
      g_autofree char *path = g_build_filename (folder, "study.culprit", NULL);

      window = CULPRIT_STUDY_WINDOW (culprit_application_open_study (
          CULPRIT_APPLICATION (gtk_window_get_application (GTK_WINDOW (window))), path));
    }
  if (window->document)
    culprit_document_import (window->document, paths);
}

/* Files that are dropped: a study is opened, anything else imported. */
static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, CulpritStudyWindow *window)
{
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (g_free);

  for (GSList *list = gdk_file_list_get_files (g_value_get_boxed (value)); list; list = list->next)
    {
      char *path = g_file_get_path (list->data);

      if (path && g_str_has_suffix (path, ".culprit"))
        culprit_application_open_study (CULPRIT_APPLICATION (gtk_window_get_application (GTK_WINDOW (window))), path);
      if (path && !g_str_has_suffix (path, ".culprit"))
        g_ptr_array_add (others, path);
      else
        g_free (path);
    }
  if (others->len > 0)
    culprit_study_window_import (window, others);
  return TRUE;
}

/* Keys that text fields have as well: only what these leave comes here. */

static const struct
{
  const char *key;
  const char *action;
} edit_keys[] = {
  { "<Control>z", "win.undo" },
  { "<Control><Shift>z", "win.redo" },
  { "<Control>c", "win.copy" },
};

/* A field leaves a key as well when it has nothing to take back. */
static gboolean
on_edit_key (GtkWidget *window, GVariant *arguments, gpointer action)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (window));

  return !(focus && GTK_IS_EDITABLE (focus)) && gtk_widget_activate_action (window, action, NULL);
}

static void
add_edit_keys (CulpritStudyWindow *window)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (guint i = 0; i < G_N_ELEMENTS (edit_keys); i++)
    gtk_shortcut_controller_add_shortcut (
        GTK_SHORTCUT_CONTROLLER (controller),
        gtk_shortcut_new (gtk_shortcut_trigger_parse_string (edit_keys[i].key),
                          gtk_callback_action_new (on_edit_key, (gpointer) edit_keys[i].action, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (window), controller);
}

/* The window. */

static gboolean
window_close_request (GtkWindow *base)
{
  CulpritStudyWindow *window = CULPRIT_STUDY_WINDOW (base);
  GSettings *settings = window_settings (window);
  const char *page = gtk_stack_get_visible_child_name (GTK_STACK (window->pages));
  g_autoptr (GVariant) traced = g_action_group_get_action_state (G_ACTION_GROUP (window), "traced");
  int width;
  int height;

  if (settings)
    {
      gtk_window_get_default_size (base, &width, &height);
      g_settings_set_int (settings, "window-width", width);
      g_settings_set_int (settings, "window-height", height);
      g_settings_set_boolean (settings, "window-maximized", gtk_window_is_maximized (base));
      if (page)
        g_settings_set_string (settings, "page", page);
      if (traced)
        g_settings_set_value (settings, "traced-times", traced);
    }
  return GTK_WINDOW_CLASS (culprit_study_window_parent_class)->close_request (base);
}

static void
window_dispose (GObject *object)
{
  g_clear_object (&CULPRIT_STUDY_WINDOW (object)->document);
  G_OBJECT_CLASS (culprit_study_window_parent_class)->dispose (object);
}

static void
culprit_study_window_class_init (CulpritStudyWindowClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = window_dispose;
  GTK_WINDOW_CLASS (class)->close_request = window_close_request;
  gtk_widget_class_set_template_from_resource (widget, "/io/github/culprit/desktop/window.ui");
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, title_stack);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, study_name);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, run_choice);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, search_button);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, message);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, message_icon);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, message_text);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, outer);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, pages);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, progress);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, progress_text);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, spinner);
  gtk_widget_class_bind_template_callback (widget, on_run_chosen);
  gtk_widget_class_bind_template_callback (widget, on_page_shown);
}

static void
culprit_study_window_init (CulpritStudyWindow *window)
{
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  gtk_widget_init_template (GTK_WIDGET (window));
  gtk_widget_set_visible (window->search_button, FALSE);
  g_signal_connect (drop, "drop", G_CALLBACK (on_drop), window);
  gtk_widget_add_controller (GTK_WIDGET (window), GTK_EVENT_CONTROLLER (drop));
  add_edit_keys (window);
  window_actions_add (window);
}

CulpritStudyWindow *
culprit_study_window_new (CulpritApplication *application)
{
  CulpritStudyWindow *window = g_object_new (CULPRIT_TYPE_STUDY_WINDOW, "application", application, NULL);
  GSettings *settings = culprit_application_settings (application);

  gtk_stack_add_named (GTK_STACK (window->outer), start_page_new (settings), "start");
  gtk_stack_set_visible_child_name (GTK_STACK (window->outer), "start");
  if (settings)
    {
      gtk_window_set_default_size (GTK_WINDOW (window), g_settings_get_int (settings, "window-width"),
                                   g_settings_get_int (settings, "window-height"));
      if (g_settings_get_boolean (settings, "window-maximized"))
        gtk_window_maximize (GTK_WINDOW (window));
    }
  return window;
}

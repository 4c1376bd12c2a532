/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window: shows the pages of a document and runs its actions. */
#include "window.h"

#include "compat.h"
#include "export.h"
#include "file-manager.h"
#include "flame/flame-page.h"
#include "fleet/fleet-page.h"
#include "focus.h"
#include "functions/functions-page.h"
#include "kernelshark.h"
#include "latency/latency-page.h"
#include "opening.h"
#include "show.h"
#include "stalls/stalls-page.h"
#include "start/start-page.h"
#include "widgets.h"

#include <gtk/gtk.h>
#include <string.h>

static void window_actions_tell (CulpritStudyWindow *window,
                                 const char *name,
                                 CulpritNotices *notices,
                                 GParamSpec *property);
static void window_actions_add_with_study (CulpritStudyWindow *window);
static void window_actions_end (CulpritStudyWindow *window);
static void window_actions_add (CulpritStudyWindow *window);

/* Not accelerators, which would come before the fields: a controller in the bubble phase. */

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

/* Undo, redo and copy of @window. */
static void
edit_keys_add (GtkWidget *window)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (guint i = 0; i < G_N_ELEMENTS (edit_keys); i++)
    gtk_shortcut_controller_add_shortcut (
        GTK_SHORTCUT_CONTROLLER (controller),
        gtk_shortcut_new (gtk_shortcut_trigger_parse_string (edit_keys[i].key),
                          gtk_callback_action_new (on_edit_key, (gpointer) edit_keys[i].action, NULL)));
  gtk_widget_add_controller (window, controller);
}

/* Holds up the request to close a window until the question is answered; the session is told not to end meanwhile. */

#define GUARD "closing-guard" /* as data of the window */

typedef struct
{
  GtkWindow *question; /* NULL: nothing is asked */
  guint inhibited;     /* 0: the session may end */
} Guard;

static void
guard_free (gpointer data)
{
  Guard *guard = data;

  g_clear_weak_pointer (&guard->question);
  g_free (guard);
}

static void
on_accepted (gpointer window)
{
  gtk_window_destroy (window); /* Its page stops the recording. */
}

/* Whether the window stays. */
static gboolean
on_close (GtkWindow *window, RecordPage *page)
{
  Guard *guard = g_object_get_data (G_OBJECT (window), GUARD);

  if (!record_page_recording (page))
    return FALSE;
  if (!guard->question)
    g_set_weak_pointer (&guard->question,
                        compat_ask (window, "Stop recording?",
                                    "What was recorded so far stays in the study. Recording can take a few seconds to "
                                    "stop after the window is closed.",
                                    "Keep Recording", "Stop and Close", on_accepted));
  gtk_window_present (guard->question);
  return TRUE;
}

static void
on_recording (RecordPage *page, GParamSpec *spec, GtkWindow *window)
{
  GtkApplication *application = gtk_window_get_application (window);
  Guard *guard = g_object_get_data (G_OBJECT (window), GUARD);

  if (guard->question && !record_page_recording (page))
    gtk_window_destroy (guard->question);
  if (guard->inhibited)
    gtk_application_uninhibit (application, guard->inhibited);
  guard->inhibited = record_page_recording (page)
                         ? gtk_application_inhibit (application, window,
                                                    GTK_APPLICATION_INHIBIT_LOGOUT | GTK_APPLICATION_INHIBIT_SUSPEND,
                                                    "A recording is running")
                         : 0;
}

/* Asks before @window is closed while a recording runs in its @page. */
static void
closing_guard (GtkWindow *window, RecordPage *page)
{
  g_object_set_data_full (G_OBJECT (window), GUARD, g_new0 (Guard, 1), guard_free);
  g_signal_connect_object (window, "close-request", G_CALLBACK (on_close), page, 0);
  g_signal_connect_object (page, "notify::recording", G_CALLBACK (on_recording), window, 0);
}

/* Where there is no study yet, its name is asked for, and one beside the files suggested. */

#define WAITING "import-waiting" /* the files, as data of the window */
#define MOST_TRIED 1000

/* A study beside the first of @paths, called like their folder, that is not there yet. The caller owns it. */
static char *
suggest (const GPtrArray *paths)
{
  const char *first = g_ptr_array_index (paths, 0);
  g_autofree char *folder = g_path_get_dirname (first);
  g_autofree char *called =
      g_file_test (first, G_FILE_TEST_IS_DIR) ? g_path_get_basename (first) : g_path_get_basename (folder);
  const char *name = strpbrk (called, "/.") == called ? "study" : called;

  for (guint i = 1; i < MOST_TRIED; i++)
    {
      g_autofree char *file = i > 1 ? g_strdup_printf ("%s-%u.culprit", name, i) : g_strconcat (name, ".culprit", NULL);
      g_autofree char *path = g_build_filename (folder, file, NULL);

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
  return g_build_filename (folder, "study.culprit", NULL);
}

/* Imports into the study of @window, which there is. */
static void
import (CulpritStudyWindow *window, const GPtrArray *paths)
{
  culprit_document_import (culprit_study_window_document (window), paths);
}

static void
import_into_new (CulpritStudyWindow *window, const char *path, const GPtrArray *paths)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));

  import (opening_begin (CULPRIT_APPLICATION (application), path, NULL), paths);
}

static void
on_named (GPtrArray *files, gpointer window)
{
  const char *path = g_file_peek_path (g_ptr_array_index (files, 0));
  g_autoptr (GPtrArray) paths = g_object_steal_data (window, WAITING);

  if (path && paths)
    import_into_new (window, path, paths);
}

static void
ask (CulpritStudyWindow *window, const GPtrArray *paths)
{
  GPtrArray *waiting = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *suggested = suggest (paths);
  g_autofree char *folder = g_path_get_dirname (suggested);
  g_autofree char *name = g_path_get_basename (suggested);

  for (guint i = 0; i < paths->len; i++)
    g_ptr_array_add (waiting, g_strdup (g_ptr_array_index (paths, i)));
  g_object_set_data_full (G_OBJECT (window), WAITING, waiting, (GDestroyNotify) g_ptr_array_unref);
  compat_save (GTK_WINDOW (window), "New Study for the Imported Files", folder, name, on_named, window);
}

void
window_import (CulpritStudyWindow *window, const GPtrArray *paths)
{
  if (culprit_study_window_document (window))
    import (window, paths);
  else
    ask (window, paths);
}

/* The same without a question: a new study is put beside the first of @paths and called like their folder. */
static void
window_import_beside (CulpritStudyWindow *window, const GPtrArray *paths)
{
  g_autofree char *suggested = suggest (paths);

  if (culprit_study_window_document (window))
    import (window, paths);
  else
    import_into_new (window, suggested, paths);
}

struct _CulpritStudyWindow
{
  GtkApplicationWindow parent;
  CulpritDocument *document;
  GtkWidget *title_stack;
  GtkWidget *study_name;
  GtkWidget *run_choice;
  GtkWidget *search_button;
  CulpritNotices *notices;
  GtkWidget *outer;
  GMenu *export_menu;
  GtkWidget *pages;
  OutliersPage *outliers;
  ComparePage *compare;
  RecordPage *record;
  gboolean read;    /* Its late wake-ups have been. */
  gboolean filling; /* The choice of runs changes by itself. */
  GtkWidget *page_choice;
  GMenu *pages_menu; /* of it */
  gboolean narrow;   /* It has no room for pages side by side. */
};

G_DEFINE_FINAL_TYPE (CulpritStudyWindow, culprit_study_window, GTK_TYPE_APPLICATION_WINDOW)

enum
{
  PROPERTY_DOCUMENT = 1,
  PROPERTY_NARROW,
  PROPERTIES,
};

static GParamSpec *properties[PROPERTIES];

static GSettings *
window_settings (CulpritStudyWindow *window)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));

  return application ? culprit_application_settings (CULPRIT_APPLICATION (application)) : NULL;
}

void
culprit_study_window_fail (CulpritStudyWindow *window, const char *message)
{
  culprit_notices_fail (window->notices, message);
}

GMenu *
culprit_study_window_export_menu (CulpritStudyWindow *window)
{
  return window->export_menu;
}

CulpritNotices *
culprit_study_window_notices (CulpritStudyWindow *window)
{
  return window->notices;
}

static void
on_message (CulpritNotices *notices, GParamSpec *spec, CulpritStudyWindow *window)
{
  window_actions_tell (window, "dismiss", notices, spec);
}

static void
on_notice (CulpritNotices *notices, GParamSpec *spec, CulpritStudyWindow *window)
{
  window_actions_tell (window, "notice", notices, spec);
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

      show_in_list (names, name);
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
  if (part == CULPRIT_PART_OUTLIERS && !window->read)
    {
      window->read = TRUE;
      focus_page (GTK_STACK (window->pages));
    }
}

static void
on_run_chosen (GtkDropDown *choice, GParamSpec *spec, CulpritStudyWindow *window)
{
  guint place = gtk_drop_down_get_selected (choice); /* 0: all */
  const CulpritTable *runs;

  if (window->filling || place == GTK_INVALID_LIST_POSITION || !window->document)
    return;
  runs = culprit_rows_table (culprit_document_runs (window->document));
  culprit_document_choose_run (window->document, place > 0 ? culprit_table_text (runs, place - 1, "run") : NULL);
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

CulpritTableView *
culprit_study_window_table (CulpritStudyWindow *window)
{
  CulpritPage *page = culprit_study_window_page (window);

  return page ? culprit_page_table (page) : NULL;
}

OutliersPage *
culprit_study_window_outliers (CulpritStudyWindow *window)
{
  return window->outliers;
}

static ComparePage *
culprit_study_window_compare (CulpritStudyWindow *window)
{
  return window->compare;
}

static RecordPage *
culprit_study_window_record (CulpritStudyWindow *window)
{
  return window->record;
}

GtkWidget *
culprit_study_window_pages (CulpritStudyWindow *window)
{
  return window->pages;
}

void
culprit_study_window_show_page (CulpritStudyWindow *window, const char *name)
{
  gtk_stack_set_visible_child_name (GTK_STACK (window->pages), name);
}

/* The titles of the pages: side by side, or in a menu. */

static void
show_titles (CulpritStudyWindow *window)
{
  if (window->document)
    gtk_stack_set_visible_child_name (GTK_STACK (window->title_stack), window->narrow ? "narrow" : "pages");
}

static void
on_page (GtkStack *pages, GParamSpec *spec, CulpritStudyWindow *window)
{
  GtkWidget *page = gtk_stack_get_visible_child (pages);

  if (page)
    gtk_menu_button_set_label (GTK_MENU_BUTTON (window->page_choice),
                               gtk_stack_page_get_title (gtk_stack_get_page (pages, page)));
}

/* The page of many machines is there where the study has any; it could not be shown before, if it was the last one. */
static void
on_fleet (FleetPage *fleet, GParamSpec *spec, CulpritStudyWindow *window)
{
  GMenuModel *pages = G_MENU_MODEL (window->pages_menu);
  int last = g_menu_model_get_n_items (pages) - 1;
  g_autofree char *label = NULL;
  g_autofree char *page = NULL;
  gboolean filled;

  g_object_get (fleet, "filled", &filled, NULL);
  g_menu_model_get_item_attribute (pages, last, G_MENU_ATTRIBUTE_LABEL, "s", &label);
  if (g_str_equal (label, "Fleet"))
    g_menu_remove (window->pages_menu, last);
  if (!filled)
    return;
  g_menu_append (window->pages_menu, "Fleet", "win.page::fleet");
  page = window_settings (window) ? g_settings_get_string (window_settings (window), "page") : NULL;
  if (g_strcmp0 (page, "fleet") == 0)
    culprit_study_window_show_page (window, "fleet");
}

/* Opening. */

/* @property of @object is as it was remembered, and is remembered when it changes; other windows go their own way. */
static void
remember (CulpritStudyWindow *window, const char *key, gpointer object, const char *property)
{
  if (window_settings (window))
    g_settings_bind (window_settings (window), key, object, property,
                     G_SETTINGS_BIND_GET | G_SETTINGS_BIND_SET | G_SETTINGS_BIND_GET_NO_CHANGES);
}

void
culprit_study_window_open (CulpritStudyWindow *window, CulpritDocument *document)
{
  const char *path = culprit_document_path (document);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *title = g_strdup_printf ("%s – Culprit", name);

  window->document = g_object_ref (document);
  g_signal_connect_object (document, "changed", G_CALLBACK (on_changed), window, G_CONNECT_AFTER);
  show_title (GTK_WINDOW (window), title);
  show_line (window->study_name, name);
  show_tooltip (window->study_name, path);
  g_object_notify_by_pspec (G_OBJECT (window), properties[PROPERTY_DOCUMENT]);
  panes_keep (GTK_STACK (window->pages));
  culprit_study_window_show_page (window, "outliers");
  remember (window, "page", window->pages, "visible-child-name");
  remember (window, "traced-times", document, "traced");
  remember (window, "verdict-expanded", outliers_page_verdict (window->outliers), "expanded");
  gtk_stack_set_visible_child_name (GTK_STACK (window->outer), "pages");
  show_titles (window);
  gtk_widget_set_visible (window->search_button, TRUE);
  window_actions_add_with_study (window);
}

const char *
culprit_study_window_path (CulpritStudyWindow *window)
{
  return window->document ? culprit_document_path (window->document) : NULL;
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
        opening_open (CULPRIT_APPLICATION (gtk_window_get_application (GTK_WINDOW (window))), path, NULL);
      if (path && !g_str_has_suffix (path, ".culprit"))
        g_ptr_array_add (others, path);
      else
        g_free (path);
    }
  if (others->len > 0)
    window_import (window, others);
  return TRUE;
}

/* The window. */

static void
window_get_property (GObject *object, guint property, GValue *value, GParamSpec *spec)
{
  if (property == PROPERTY_NARROW)
    g_value_set_boolean (value, CULPRIT_STUDY_WINDOW (object)->narrow);
  else
    g_value_set_object (value, CULPRIT_STUDY_WINDOW (object)->document);
}

static void
window_set_property (GObject *object, guint property, const GValue *value, GParamSpec *spec)
{
  CULPRIT_STUDY_WINDOW (object)->narrow = g_value_get_boolean (value);
  show_titles (CULPRIT_STUDY_WINDOW (object));
}

static void
window_dispose (GObject *object)
{
  CulpritStudyWindow *window = CULPRIT_STUDY_WINDOW (object);

  if (window->document)
    window_actions_end (window);
  if (window->outer) /* A window that is closed is disposed of twice. */
    gtk_widget_dispose_template (GTK_WIDGET (object), CULPRIT_TYPE_STUDY_WINDOW);
  g_clear_object (&window->document);
  G_OBJECT_CLASS (culprit_study_window_parent_class)->dispose (object);
}

static void
culprit_study_window_class_init (CulpritStudyWindowClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = window_dispose;
  G_OBJECT_CLASS (class)->get_property = window_get_property;
  G_OBJECT_CLASS (class)->set_property = window_set_property;
  properties[PROPERTY_DOCUMENT] =
      g_param_spec_object ("document", NULL, NULL, CULPRIT_TYPE_DOCUMENT, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROPERTY_NARROW] =
      g_param_spec_boolean ("narrow", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (class), PROPERTIES, properties);
  g_type_ensure (FLAME_TYPE_PAGE);
  g_type_ensure (FLEET_TYPE_PAGE);
  g_type_ensure (LATENCY_TYPE_PAGE);
  g_type_ensure (OUTLIERS_TYPE_PAGE);
  g_type_ensure (FUNCTIONS_TYPE_PAGE);
  g_type_ensure (STALLS_TYPE_PAGE);
  g_type_ensure (COMPARE_TYPE_PAGE);
  g_type_ensure (RECORD_TYPE_PAGE);
  g_type_ensure (GDK_TYPE_FILE_LIST);
  g_type_ensure (CULPRIT_TYPE_NOTICES);
  gtk_widget_class_set_template_from_resource (widget, "/io/github/culprit/desktop/window.ui");
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, title_stack);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, study_name);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, run_choice);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, search_button);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, export_menu);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, notices);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, page_choice);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, outer);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, pages);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, outliers);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, compare);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, record);
  gtk_widget_class_bind_template_callback (widget, on_message);
  gtk_widget_class_bind_template_callback (widget, on_notice);
  gtk_widget_class_bind_template_child (widget, CulpritStudyWindow, pages_menu);
  gtk_widget_class_bind_template_callback (widget, on_fleet);
  gtk_widget_class_bind_template_callback (widget, on_drop);
  gtk_widget_class_bind_template_callback (widget, on_run_chosen);
}

static void
culprit_study_window_init (CulpritStudyWindow *window)
{
  gtk_widget_init_template (GTK_WIDGET (window));
  narrow_keep (GTK_WINDOW (window));
  g_signal_connect (window->pages, "notify::visible-child", G_CALLBACK (on_page), window);
  edit_keys_add (GTK_WIDGET (window));
  window_actions_add (window);
  focus_guard (GTK_WINDOW (window), GTK_STACK (window->pages));
  closing_guard (GTK_WINDOW (window), window->record);
}

CulpritStudyWindow *
culprit_study_window_new (CulpritApplication *application)
{
  CulpritStudyWindow *window = g_object_new (CULPRIT_TYPE_STUDY_WINDOW, "application", application, NULL);

  gtk_stack_add_named (GTK_STACK (window->outer), start_page_new (window_settings (window)), "start");
  gtk_stack_set_visible_child_name (GTK_STACK (window->outer), "start");
  remember (window, "window-width", window, "default-width");
  remember (window, "window-height", window, "default-height");
  remember (window, "window-maximized", window, "maximized");
  return window;
}

/* The actions of the window. An action that asks for a path has a variant (-to) that takes it as a parameter, for key
 * bindings and tests; "stop-and-close" is the answer to what closing asks. */

/* What captures, and other tools' results, are mostly called. */
#define CAPTURES "*.dat"
#define LATENCIES "*.txt;*.csv;*.json;*.yaml;*.yml;*.log;*.hist"

static void
open_chosen (GPtrArray *files, gpointer data)
{
  CulpritApplication *application = CULPRIT_APPLICATION (gtk_window_get_application (GTK_WINDOW (data)));

  for (guint i = 0; i < files->len; i++)
    if (g_file_peek_path (g_ptr_array_index (files, i)))
      opening_open (application, g_file_peek_path (g_ptr_array_index (files, i)), NULL);
}

/* The folder of the study; NULL where none is open. The caller owns it. */
static char *
study_folder (CulpritStudyWindow *window)
{
  const char *path = culprit_study_window_path (window);

  return path ? g_path_get_dirname (path) : NULL;
}

static void
open_study (GSimpleAction *action, GVariant *value, gpointer data)
{
  static const char *const filters[] = { "Studies", "*.culprit", NULL };

  g_autofree char *folder = study_folder (data);

  compat_open (GTK_WINDOW (data), "Open Study", folder, filters, open_chosen, data);
}

/* Opens the study at @path, which need not be there, where something can be recorded into it. */
static void
open_to_record (CulpritStudyWindow *window, const char *path)
{
  opening_begin (CULPRIT_APPLICATION (gtk_window_get_application (GTK_WINDOW (window))), path, "record");
}

static void
new_chosen (GPtrArray *files, gpointer data)
{
  if (g_file_peek_path (g_ptr_array_index (files, 0)))
    open_to_record (data, g_file_peek_path (g_ptr_array_index (files, 0)));
}

static void
new_study (GSimpleAction *action, GVariant *value, gpointer data)
{
  g_autofree char *folder = study_folder (data);

  compat_save (GTK_WINDOW (data), "New Study", folder, "study.culprit", new_chosen, data);
}

static void
new_study_at (GSimpleAction *action, GVariant *value, gpointer data)
{
  open_to_record (data, g_variant_get_string (value, NULL));
}

static void
import_chosen (GPtrArray *files, gpointer data)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < files->len; i++)
    if (g_file_peek_path (g_ptr_array_index (files, i)))
      g_ptr_array_add (paths, g_file_get_path (g_ptr_array_index (files, i)));
  if (paths->len > 0)
    window_import (data, paths);
}

static void
import_here (GSimpleAction *action, GVariant *value, gpointer data)
{
  static const char *const filters[] = { "Captures and latencies",
                                         (CAPTURES ";" LATENCIES),
                                         "Captures",
                                         CAPTURES,
                                         "Latencies",
                                         LATENCIES,
                                         "All files",
                                         "*",
                                         NULL };
  g_autofree char *folder = study_folder (data);

  compat_open (GTK_WINDOW (data), "Import Captures and Latencies", folder, filters, import_chosen, data);
}

static void
import_from (GSimpleAction *action, GVariant *value, gpointer data)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();

  g_ptr_array_add (paths, (gpointer) g_variant_get_string (value, NULL));
  window_import_beside (data, paths);
}

static void
reload (GSimpleAction *action, GVariant *value, gpointer data)
{
  culprit_document_reload (culprit_study_window_document (data));
}

static void
cancel (GSimpleAction *action, GVariant *value, gpointer data)
{
  culprit_document_cancel (culprit_study_window_document (data));
}

static void
undo (GSimpleAction *action, GVariant *value, gpointer data)
{
  culprit_document_undo (culprit_study_window_document (data));
}

static void
redo (GSimpleAction *action, GVariant *value, gpointer data)
{
  culprit_document_redo (culprit_study_window_document (data));
}

/* Tables. */

static void
search (GSimpleAction *action, GVariant *value, gpointer data)
{
  if (culprit_study_window_table (data))
    culprit_table_view_search (culprit_study_window_table (data), NULL);
}

static void
search_for (GSimpleAction *action, GVariant *value, gpointer data)
{
  if (culprit_study_window_table (data))
    culprit_table_view_search (culprit_study_window_table (data), g_variant_get_string (value, NULL));
}

static void
step (CulpritStudyWindow *window, int steps)
{
  if (culprit_study_window_table (window))
    culprit_table_view_step (culprit_study_window_table (window), steps);
}

static void
next (GSimpleAction *action, GVariant *value, gpointer data)
{
  step (data, 1);
}

static void
previous (GSimpleAction *action, GVariant *value, gpointer data)
{
  step (data, -1);
}

/* What is chosen. */

static void
choose_capture (GSimpleAction *action, GVariant *value, gpointer data)
{
  culprit_document_choose_capture (culprit_study_window_document (data), g_variant_get_int64 (value));
}

static void
dismiss (GSimpleAction *action, GVariant *value, gpointer data)
{
  culprit_study_window_fail (data, "");
}

static void
stop_and_close (GSimpleAction *action, GVariant *value, gpointer data)
{
  gtk_window_destroy (data);
}

static const GActionEntry without_study[] = {
  { .name = "dismiss", .activate = dismiss, .state = "''" },
  { .name = "notice", .state = "''" },
  { .name = "stop-and-close", .activate = stop_and_close },
  { .name = "open", .activate = open_study },
  { .name = "new-study", .activate = new_study },
  { .name = "new-study-at", .activate = new_study_at, .parameter_type = "s" },
  { .name = "import", .activate = import_here },
  { .name = "import-from", .activate = import_from, .parameter_type = "s" },
};

static void
show_details (GSimpleAction *action, GVariant *value, gpointer data)
{
  culprit_study_window_show_page (data, "outliers");
  outliers_page_show (culprit_study_window_outliers (data), g_variant_get_string (value, NULL));
}

static void
kernelshark (GSimpleAction *action, GVariant *value, gpointer data)
{
  kernelshark_open (culprit_study_window_document (data));
}

static void
show_in_files (GSimpleAction *action, GVariant *value, gpointer data)
{
  file_manager_show (culprit_study_window_document (data));
}

static void
on_file_manager (GObject *window, gboolean there)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (window), "show-in-files");

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), there);
}

/* Only what this window wrote: any program may ask for actions. */
static void
show_written (GSimpleAction *action, GVariant *value, gpointer data)
{
  const char *path = culprit_document_written (culprit_study_window_document (data));

  if (path)
    compat_show (data, path);
}

static const GActionEntry with_study[] = {
  { .name = "show-written", .activate = show_written },
  { .name = "details", .activate = show_details, .parameter_type = "s" },
  { .name = "kernelshark", .activate = kernelshark },
  { .name = "show-in-files", .activate = show_in_files },
  { .name = "reload", .activate = reload },
  { .name = "cancel", .activate = cancel },
  { .name = "undo", .activate = undo },
  { .name = "redo", .activate = redo },
  { .name = "search", .activate = search },
  { .name = "search-for", .activate = search_for, .parameter_type = "s" },
  { .name = "next", .activate = next },
  { .name = "previous", .activate = previous },
  { .name = "capture", .activate = choose_capture, .parameter_type = "x", .state = "int64 0" },
};

/* The state of the action @name becomes what the property of @notices is. */
static void
window_actions_tell (CulpritStudyWindow *window, const char *name, CulpritNotices *notices, GParamSpec *property)
{
  g_autofree char *text = NULL;
  g_autofree char *valid = NULL;

  g_object_get (notices, property->name, &text, NULL);
  valid = g_utf8_make_valid (text, -1);
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (window), name)),
                             g_variant_new_string (valid));
}

static void
on_capture (CulpritDocument *document, GParamSpec *spec, GSimpleAction *action)
{
  g_simple_action_set_state (action, g_variant_new_int64 (culprit_document_capture (document)));
}

/* Actions that need a table on the page that is shown. */
static const char *const of_table[] = { "search", "next", "previous", "export-table" };

/* Those that need a chart or a timeline. */
static const char *const of_picture[] = { "export-picture", "export-picture-to" };

static void
update_enabled (CulpritStudyWindow *window)
{
  CulpritPage *page = culprit_study_window_page (window);
  GActionMap *map = G_ACTION_MAP (window);

  for (guint i = 0; i < G_N_ELEMENTS (of_table); i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, of_table[i])),
                                 page && culprit_page_table (page));
  for (guint i = 0; i < G_N_ELEMENTS (of_picture); i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, of_picture[i])),
                                 page && culprit_page_has_picture (page));
  export_actions_fill_menu (window);
}

static void
follow_pages (CulpritStudyWindow *window)
{
  GtkWidget *pages = culprit_study_window_pages (window);

  g_signal_connect_object (pages, "notify::visible-child", G_CALLBACK (update_enabled), window, G_CONNECT_SWAPPED);
  for (GtkWidget *page = gtk_widget_get_first_child (pages); page; page = gtk_widget_get_next_sibling (page))
    if (CULPRIT_IS_PAGE (page))
      g_signal_connect_object (page, "picture-changed", G_CALLBACK (update_enabled), window, G_CONNECT_SWAPPED);
  update_enabled (window);
}

/* Actions whose states are properties of the document. */
static const char *const chosen[] = { "function", "run", "traced" };

/* An action whose state is a property of @object. */
static void
add_property (CulpritStudyWindow *window, const char *name, gpointer object, const char *property)
{
  g_autoptr (GPropertyAction) action = g_property_action_new (name, object, property);

  g_action_map_add_action (G_ACTION_MAP (window), G_ACTION (action));
}

static void
window_actions_add (CulpritStudyWindow *window)
{
  g_action_map_add_action_entries (G_ACTION_MAP (window), without_study, G_N_ELEMENTS (without_study), window);
}

/* Adds those that need a study, which is there now. */
static void
window_actions_add_with_study (CulpritStudyWindow *window)
{
  CulpritDocument *document = culprit_study_window_document (window);

  g_action_map_add_action_entries (G_ACTION_MAP (window), with_study, G_N_ELEMENTS (with_study), window);
  add_property (window, "page", culprit_study_window_pages (window), "visible-child-name");
  add_property (window, "verdict", outliers_page_verdict (culprit_study_window_outliers (window)), "expanded");
  add_property (window, "timeline-full",
                gtk_widget_get_template_child (GTK_WIDGET (culprit_study_window_outliers (window)), OUTLIERS_TYPE_PAGE,
                                               "details"),
                "full");
  for (guint i = 0; i < G_N_ELEMENTS (chosen); i++)
    add_property (window, chosen[i], document, chosen[i]);
  /* There are no property actions of 64 bits. */
  g_signal_connect_object (document, "notify::capture", G_CALLBACK (on_capture),
                           g_action_map_lookup_action (G_ACTION_MAP (window), "capture"), 0);
  culprit_rules_button_add_actions (compare_page_rules (culprit_study_window_compare (window)), G_ACTION_MAP (window));
  export_actions_add (window);
  outliers_actions_add (G_ACTION_MAP (window), culprit_study_window_outliers (window));
  record_actions_add (G_ACTION_MAP (window), culprit_study_window_record (window));
  follow_pages (window);
  on_file_manager (G_OBJECT (window), FALSE);
  file_manager_ask (G_OBJECT (window), on_file_manager);
}

/* Takes away those whose states are properties of others, who may outlive @window and would tell it of changes. */
static void
window_actions_end (CulpritStudyWindow *window)
{
  g_action_map_remove_action (G_ACTION_MAP (window), "page");
  g_action_map_remove_action (G_ACTION_MAP (window), "verdict");
  g_action_map_remove_action (G_ACTION_MAP (window), "timeline-full");
  for (guint i = 0; i < G_N_ELEMENTS (chosen); i++)
    g_action_map_remove_action (G_ACTION_MAP (window), chosen[i]);
}

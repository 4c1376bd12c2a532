/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The actions of the window. An action that asks for a path has a variant (-to) that takes it as a parameter, for key
 * bindings and tests; "stop-and-close" is the answer to what closing asks. */
#include "window-actions.h"

#include "compare/compare-page.h"
#include "compat.h"
#include "export-actions.h"
#include "file-manager.h"
#include "kernelshark.h"
#include "opening.h"
#include "outliers/outliers-page.h"
#include "record/record-page.h"
#include "window-import.h"

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
import (GSimpleAction *action, GVariant *value, gpointer data)
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
  { .name = "import", .activate = import },
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

void
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

void
window_actions_add (CulpritStudyWindow *window)
{
  g_action_map_add_action_entries (G_ACTION_MAP (window), without_study, G_N_ELEMENTS (without_study), window);
}

void
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

void
window_actions_end (CulpritStudyWindow *window)
{
  g_action_map_remove_action (G_ACTION_MAP (window), "page");
  g_action_map_remove_action (G_ACTION_MAP (window), "verdict");
  g_action_map_remove_action (G_ACTION_MAP (window), "timeline-full");
  for (guint i = 0; i < G_N_ELEMENTS (chosen); i++)
    g_action_map_remove_action (G_ACTION_MAP (window), chosen[i]);
}

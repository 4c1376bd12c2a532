/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window: its pages, its actions, and what happens before it closes. An action that asks for a path has a variant
 * (-to, -at, -from) that takes it as a parameter, for key bindings and tests. */
#include "window.h"

#include "application.h"
#include "compare/compare-page.h"
#include "compat.h"
#include "focus.h"
#include "notices.h"
#include "other-programs.h"
#include "pages.h"
#include "report/report.h"
#include "show.h"
#include "start/start-page.h"
#include "state.h"
#include "triage.h"
#include "units.h"
#include "widgets.h"

#include <string.h>

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
  FlamePage *flame;
  ComparePage *compare;
  RecordPage *record;
  gboolean read;    /* The late wake-ups have been read. */
  gboolean filling; /* The choice of runs is being filled. */
  GtkWidget *page_choice;
  GMenu *pages_menu;   /* of page_choice */
  gboolean narrow;     /* too narrow for pages side by side */
  GtkWindow *question; /* asks before closing; NULL: it does not */
  guint inhibited;     /* 0: the session may end */
};

G_DEFINE_FINAL_TYPE (CulpritStudyWindow, culprit_study_window, GTK_TYPE_APPLICATION_WINDOW)

enum
{
  PROPERTY_DOCUMENT = 1,
  PROPERTY_NARROW,
};

CulpritDocument *
culprit_study_window_document (CulpritStudyWindow *window)
{
  return window->document;
}

const char *
culprit_study_window_path (CulpritStudyWindow *window)
{
  return window->document ? culprit_document_path (window->document) : NULL;
}

void
culprit_study_window_show_page (CulpritStudyWindow *window, const char *name)
{
  gtk_stack_set_visible_child_name (GTK_STACK (window->pages), name);
}

void
culprit_study_window_fail (CulpritStudyWindow *window, CulpritAbout about, const char *message)
{
  culprit_notices_fail (window->notices, about, message);
}

char *
culprit_study_window_message (CulpritStudyWindow *window)
{
  char *message;

  g_object_get (window->notices, "message", &message, NULL);
  return message;
}

/* The visible page; NULL: no study is open. */
static CulpritPage *
page_of (CulpritStudyWindow *window)
{
  GtkWidget *page = window->document ? gtk_stack_get_visible_child (GTK_STACK (window->pages)) : NULL;

  return page && CULPRIT_IS_PAGE (page) ? CULPRIT_PAGE (page) : NULL;
}

/* The table of the visible page; NULL: it has none. */
static CulpritTableView *
table_of (CulpritStudyWindow *window)
{
  CulpritPage *page = page_of (window);

  return page ? culprit_page_table (page) : NULL;
}

/* Undo, redo and copy are not accelerators, which would come before text fields, but handled in the bubble phase. */

static const struct
{
  const char *key;
  const char *action;
} edit_keys[] = {
  { "<Control>z", "win.undo" },
  { "<Control><Shift>z", "win.redo" },
  { "<Control>c", "win.copy" },
};

/* A text field does not handle Undo if it has nothing to undo; then nothing else must be undone. */
static gboolean
on_edit_key (GtkWidget *window, GVariant *arguments, gpointer action)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (window));

  return !(focus && GTK_IS_EDITABLE (focus)) && gtk_widget_activate_action (window, action, NULL);
}

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

/* Closing waits for an answer while a recording runs; until then the session must not end either. */

static void
on_accepted (gpointer window)
{
  gtk_window_destroy (window); /* Its page stops the recording. */
}

/* Returns whether the window stays open. */
static gboolean
on_close (CulpritStudyWindow *window)
{
  if (!record_page_recording (window->record))
    return FALSE;
  if (!window->question)
    g_set_weak_pointer (&window->question,
                        compat_ask (GTK_WINDOW (window), "Stop recording?",
                                    "What was recorded so far stays in the study. Recording can take a few seconds to "
                                    "stop after the window is closed.",
                                    "Keep Recording", "Stop and Close", TRUE, on_accepted));
  gtk_window_present (window->question);
  return TRUE;
}

static void
on_recording (RecordPage *page, GParamSpec *spec, CulpritStudyWindow *window)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));

  if (window->question && !record_page_recording (page))
    gtk_window_destroy (window->question);
  if (window->inhibited)
    gtk_application_uninhibit (application, window->inhibited);
  window->inhibited = record_page_recording (page)
                          ? gtk_application_inhibit (application, GTK_WINDOW (window),
                                                     GTK_APPLICATION_INHIBIT_LOGOUT | GTK_APPLICATION_INHIBIT_SUSPEND,
                                                     "A recording is running")
                          : 0;
}

/* Opening and importing. The application opens studies, each in a window of its own. */

#define MAX_SUGGESTIONS 1000

/* What captures, and other tools' results, are mostly called. */
#define CAPTURES "*.dat"
#define LATENCIES "*.txt;*.csv;*.json;*.yaml;*.yml;*.log;*.hist"

/* Begins the study at @path and imports @captures (of char *); NULL: shows the page that records instead. */
static void
begin_study (CulpritStudyWindow *window, const char *path, const GPtrArray *captures)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (files, g_file_new_for_path (path));
  for (guint i = 0; captures && i < captures->len; i++)
    g_ptr_array_add (files, g_file_new_for_commandline_arg (g_ptr_array_index (captures, i))); /* also addresses */
  g_application_open (G_APPLICATION (gtk_window_get_application (GTK_WINDOW (window))), (GFile **) files->pdata,
                      files->len, WINDOW_NEW_STUDY);
}

/* All at once: what could not be opened before is over. */
static void
open_chosen (GPtrArray *files, gpointer window)
{
  g_application_open (G_APPLICATION (gtk_window_get_application (window)), (GFile **) files->pdata, files->len, "");
}

/* The path of a new study beside the first of @paths, named after their folder. The caller owns it. */
static char *
suggest (const GPtrArray *paths)
{
  const char *first = g_ptr_array_index (paths, 0);
  g_autofree char *folder = g_path_get_dirname (first);
  g_autofree char *base =
      g_file_test (first, G_FILE_TEST_IS_DIR) ? g_path_get_basename (first) : g_path_get_basename (folder);
  const char *name = strpbrk (base, "/.") == base ? "study" : base;

  for (guint i = 1; i < MAX_SUGGESTIONS; i++)
    {
      g_autofree char *file = i > 1 ? g_strdup_printf ("%s-%u.culprit", name, i) : g_strconcat (name, ".culprit", NULL);
      g_autofree char *path = g_build_filename (folder, file, NULL);

      if (!g_file_test (path, G_FILE_TEST_EXISTS | G_FILE_TEST_IS_SYMLINK))
        return g_steal_pointer (&path);
    }
  return g_build_filename (folder, "study.culprit", NULL);
}

static gpointer
copy_path (gconstpointer path, gpointer unused)
{
  return g_strdup (path);
}

/* Until the new study has a name. */
typedef struct
{
  CulpritStudyWindow *window;
  GPtrArray *captures; /* of char * */
} ToImport;

static void
to_import_free (gpointer data)
{
  ToImport *to_import = data;

  g_ptr_array_unref (to_import->captures);
  g_free (to_import);
}

static void
on_named (GPtrArray *files, gpointer data)
{
  const ToImport *to_import = data;
  const char *path = g_file_peek_path (g_ptr_array_index (files, 0));

  if (path)
    begin_study (to_import->window, path, to_import->captures);
}

void
culprit_study_window_import (CulpritStudyWindow *window, const GPtrArray *paths)
{
  g_autofree char *suggested = suggest (paths);
  g_autofree char *folder = g_path_get_dirname (suggested);
  g_autofree char *name = g_path_get_basename (suggested);
  ToImport *to_import;

  if (window->document)
    {
      culprit_document_import (window->document, paths);
      return;
    }
  to_import = g_new (ToImport, 1);
  *to_import = (ToImport) { window, g_ptr_array_copy ((GPtrArray *) paths, copy_path, NULL) };
  g_ptr_array_set_free_func (to_import->captures, g_free);
  compat_save (GTK_WINDOW (window), "New Study for the Imported Files", folder, name, on_named, to_import,
               to_import_free);
}

/* The paths of @files; of remote files without one their addresses, by which the import says that it cannot open them.
 * The caller owns it. */
static GPtrArray *
paths_of (const GPtrArray *files)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < files->len; i++)
    {
      char *path = g_file_get_path (g_ptr_array_index (files, i));

      g_ptr_array_add (paths, path ? path : g_file_get_uri (g_ptr_array_index (files, i)));
    }
  return paths;
}

static void
import_chosen (GPtrArray *files, gpointer window)
{
  g_autoptr (GPtrArray) paths = paths_of (files);

  if (paths->len > 0)
    culprit_study_window_import (window, paths);
}

/* Of dropped files, studies are opened and everything else is imported. */
static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, CulpritStudyWindow *window)
{
  g_autoptr (GPtrArray) studies = g_ptr_array_new ();
  g_autoptr (GPtrArray) others = g_ptr_array_new ();

  for (GSList *list = gdk_file_list_get_files (g_value_get_boxed (value)); list; list = list->next)
    if (g_file_peek_path (list->data) && g_str_has_suffix (g_file_peek_path (list->data), ".culprit"))
      g_ptr_array_add (studies, list->data);
    else
      g_ptr_array_add (others, list->data);
  if (studies->len > 0)
    open_chosen (studies, window);
  import_chosen (others, window);
  return TRUE;
}

/* Actions on files. */

/* The folder of the study; NULL: none is open. The caller owns it. */
static char *
study_folder (CulpritStudyWindow *window)
{
  return window->document ? g_path_get_dirname (culprit_document_path (window->document)) : NULL;
}

static void
open_study (GSimpleAction *action, GVariant *value, gpointer data)
{
  static const char *const filters[] = { "Studies", "*.culprit", NULL };
  g_autofree char *folder = study_folder (data);

  compat_open (GTK_WINDOW (data), "Open Study", folder, filters, open_chosen, data);
}

static void
new_chosen (GPtrArray *files, gpointer window)
{
  g_autoptr (GPtrArray) paths = paths_of (files);

  if (paths->len > 0)
    begin_study (window, g_ptr_array_index (paths, 0), NULL);
}

static void
new_study (GSimpleAction *action, GVariant *value, gpointer data)
{
  g_autofree char *folder = study_folder (data);

  compat_save (GTK_WINDOW (data), "New Study", folder, "study.culprit", new_chosen, data, NULL);
}

static void
new_study_at (GSimpleAction *action, GVariant *value, gpointer data)
{
  begin_study (data, g_variant_get_string (value, NULL), NULL);
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

/* Without a question: a new study gets the suggested path. */
static void
import_from (GSimpleAction *action, GVariant *value, gpointer data)
{
  CulpritStudyWindow *window = data;
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  g_autofree char *suggested = NULL;

  g_ptr_array_add (paths, (gpointer) g_variant_get_string (value, NULL));
  suggested = suggest (paths);
  if (window->document)
    culprit_document_import (window->document, paths);
  else
    begin_study (window, suggested, paths);
}

/* Actions that copy and export. */

typedef struct
{
  char *path;
  char *run;
  GArray *captures; /* of gint64 */
} Report;

static void
report_free (gpointer data)
{
  Report *report = data;

  g_free (report->path);
  g_free (report->run);
  g_array_unref (report->captures);
  g_free (report);
}

static gpointer
write_report (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  const Report *report = data;
  gboolean written = culprit_report_write (study, report->run, (const gint64 *) (gpointer) report->captures->data,
                                           report->captures->len, report->path, error);

  return written ? g_strdup (report->path) : NULL;
}

static void
on_written (GObject *owner, gpointer result, const GError *error)
{
  GtkApplication *application = GTK_APPLICATION (g_application_get_default ());

  if (error)
    culprit_application_fail (application, CULPRIT_DOCUMENT (owner), CULPRIT_ABOUT_REPORT, error->message);
  else
    culprit_document_announce_written (CULPRIT_DOCUMENT (owner), CULPRIT_ABOUT_REPORT, result);
  g_free (result);
  g_application_release (G_APPLICATION (application));
  g_object_unref (owner);
}

/* Writes the report of the selected captures, or of all if fewer than two are selected. */
static void
report_write (CulpritStudyWindow *window, const char *path)
{
  Report *report = g_new (Report, 1);

  *report = (Report) { g_strdup (path), g_strdup (culprit_document_run (window->document)),
                       outliers_page_selected (window->outliers) };
  if (report->captures->len < 2)
    g_array_set_size (report->captures, 0);
  /* It is written even if the window is closed meanwhile. */
  g_object_ref (window->document);
  g_application_hold (g_application_get_default ());
  culprit_document_read (window->document, G_OBJECT (window->document), NULL, write_report, report, report_free,
                         on_written, g_free);
}

static void
copy (GSimpleAction *action, GVariant *value, gpointer data)
{
  CulpritStudyWindow *window = data;
  CulpritPage *page = page_of (window);
  g_autoptr (GPtrArray) rows = table_of (window) ? culprit_table_view_selected (table_of (window)) : NULL;

  if (page && culprit_page_copy (page))
    culprit_notices_done (window->notices, "Copied", NULL, NULL);
  else if (rows && rows->len > 0)
    {
      g_autofree char *text = g_strdup_printf ("Copied %u row%s", rows->len, culprit_plural (rows->len));

      culprit_table_view_copy (table_of (window));
      culprit_notices_done (window->notices, text, NULL, NULL);
    }
}

/* Asks for a file to write, in the folder of the study and named after it: "sample-outliers.csv". */
static void
ask_for_file (CulpritStudyWindow *window, const char *title, const char *what, const char *ending, CompatChosen chosen)
{
  const char *path = culprit_document_path (window->document);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *study = g_path_get_basename (path);
  g_autofree char *stem =
      g_strndup (study, strlen (study) - strlen (".culprit") * g_str_has_suffix (study, ".culprit"));
  g_autofree char *name = g_strdup_printf ("%s-%s.%s", stem, what, ending);

  compat_save (GTK_WINDOW (window), title, folder, name, chosen, window, NULL);
}

/* Announces the file at @path, or reports @error. */
static void
finish_writing (CulpritStudyWindow *window, CulpritAbout about, const char *path, const GError *error)
{
  if (error)
    culprit_study_window_fail (window, about, error->message);
  else
    culprit_document_announce_written (window->document, about, path);
}

static void
table_write (CulpritStudyWindow *window, const char *path)
{
  g_autoptr (GError) error = NULL;

  if (!table_of (window))
    return;
  culprit_table_view_export (table_of (window), path, &error);
  finish_writing (window, CULPRIT_ABOUT_TABLE, path, error);
}

static void
picture_write (CulpritStudyWindow *window, const char *path)
{
  g_autoptr (GError) error = NULL;
  CulpritPage *page = page_of (window);

  if (!page || !culprit_page_has_picture (page))
    return;
  culprit_page_export_picture (page, path, &error);
  finish_writing (window, CULPRIT_ABOUT_PICTURE, path, error);
}

/* A remote file has no path. */
static const char *
chosen_path (const GPtrArray *files)
{
  const char *path = g_file_peek_path (g_ptr_array_index (files, 0));

  return path ? path : "";
}

static void
table_chosen (GPtrArray *files, gpointer window)
{
  table_write (window, chosen_path (files));
}

static void
picture_chosen (GPtrArray *files, gpointer window)
{
  picture_write (window, chosen_path (files));
}

static void
report_chosen (GPtrArray *files, gpointer window)
{
  report_write (window, chosen_path (files));
}

static void
export_table_to (GSimpleAction *action, GVariant *value, gpointer data)
{
  table_write (data, g_variant_get_string (value, NULL));
}

static void
export_picture_to (GSimpleAction *action, GVariant *value, gpointer data)
{
  picture_write (data, g_variant_get_string (value, NULL));
}

static void
report_to (GSimpleAction *action, GVariant *value, gpointer data)
{
  report_write (data, g_variant_get_string (value, NULL));
}

static void
export_table (GSimpleAction *action, GVariant *value, gpointer data)
{
  CulpritStudyWindow *window = data;

  if (table_of (window))
    ask_for_file (window, "Export Table as CSV or JSON", gtk_stack_get_visible_child_name (GTK_STACK (window->pages)),
                  "csv", table_chosen);
}

static void
export_picture (GSimpleAction *action, GVariant *value, gpointer data)
{
  CulpritStudyWindow *window = data;
  CulpritPage *page = page_of (window);
  g_autofree char *name = page ? culprit_page_name_picture (page) : NULL;

  if (page && culprit_page_has_picture (page))
    ask_for_file (window, "Export Picture as SVG or PNG",
                  name ? name : gtk_stack_get_visible_child_name (GTK_STACK (window->pages)), "svg", picture_chosen);
}

static void
report (GSimpleAction *action, GVariant *value, gpointer data)
{
  ask_for_file (data, "HTML Report", "report", "html", report_chosen);
}

/* @why_not: why it cannot be done, shown after the label; NULL: it can. */
static void
append_item (GMenu *menu, const char *label, const char *why_not, const char *action)
{
  g_autofree char *text = why_not ? g_strdup_printf ("%s: %s", label, why_not) : g_strconcat (label, "…", NULL);

  g_menu_append (menu, text, action);
}

static void
fill_export_menu (CulpritStudyWindow *window)
{
  CulpritPage *page = page_of (window);

  g_menu_remove_all (window->export_menu);
  g_menu_append (window->export_menu, "Copy Rows", "win.copy");
  append_item (window->export_menu, "Export Table", table_of (window) ? NULL : "none on this page", "win.export-table");
  append_item (window->export_menu, "Export Picture",
               !page                             ? "none on this page"
               : culprit_page_has_picture (page) ? NULL
                                                 : culprit_page_no_picture (page),
               "win.export-picture");
  append_item (window->export_menu, "HTML Report", NULL, "win.report");
}

/* Other actions. */

/* With a parameter: for that text. */
static void
search (GSimpleAction *action, GVariant *value, gpointer data)
{
  CulpritStudyWindow *window = data;

  if (!value && page_of (window) == CULPRIT_PAGE (window->outliers) && outliers_page_search (window->outliers))
    return;
  if (table_of (data))
    culprit_table_view_search (table_of (data), value ? g_variant_get_string (value, NULL) : NULL);
}

static void
next (GSimpleAction *action, GVariant *value, gpointer data)
{
  if (table_of (data))
    culprit_table_view_step (table_of (data), 1);
}

static void
previous (GSimpleAction *action, GVariant *value, gpointer data)
{
  if (table_of (data))
    culprit_table_view_step (table_of (data), -1);
}

static void
choose_capture (GSimpleAction *action, GVariant *value, gpointer data)
{
  culprit_document_choose_capture (CULPRIT_STUDY_WINDOW (data)->document, g_variant_get_int64 (value));
}

static void
show_details (GSimpleAction *action, GVariant *value, gpointer data)
{
  culprit_study_window_show_page (data, "outliers");
  outliers_page_show (CULPRIT_STUDY_WINDOW (data)->outliers, g_variant_get_string (value, NULL));
}

/* Merges the selected late wake-ups alone. */
static void
flame_selected (GSimpleAction *action, GVariant *value, gpointer data)
{
  CulpritStudyWindow *window = data;
  g_autoptr (GArray) captures = outliers_page_selected (window->outliers);

  if (captures->len == 0)
    return;
  flame_page_show_only (window->flame, captures);
  culprit_study_window_show_page (window, "flame");
}

/* Only a file that this window has written: any program can activate actions. */
static void
show_written (GSimpleAction *action, GVariant *value, gpointer data)
{
  const char *path = culprit_document_written (CULPRIT_STUDY_WINDOW (data)->document);

  if (path)
    compat_show (data, path);
}

static void
show_import_report (GSimpleAction *action, GVariant *value, gpointer data)
{
  import_report_show (data, culprit_document_imported (CULPRIT_STUDY_WINDOW (data)->document));
}

static void
dismiss (GSimpleAction *action, GVariant *value, gpointer data)
{
  culprit_notices_dismiss (CULPRIT_STUDY_WINDOW (data)->notices);
}

/* The answer to what closing asks. */
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

static const GActionEntry with_study[] = {
  { .name = "copy", .activate = copy },
  { .name = "export-table", .activate = export_table },
  { .name = "export-table-to", .activate = export_table_to, .parameter_type = "s" },
  { .name = "export-picture", .activate = export_picture },
  { .name = "export-picture-to", .activate = export_picture_to, .parameter_type = "s" },
  { .name = "report", .activate = report },
  { .name = "report-to", .activate = report_to, .parameter_type = "s" },
  { .name = "show-written", .activate = show_written },
  { .name = "import-report", .activate = show_import_report },
  { .name = "details", .activate = show_details, .parameter_type = "s" },
  { .name = "flame-selected", .activate = flame_selected },
  { .name = "search", .activate = search },
  { .name = "search-for", .activate = search, .parameter_type = "s" },
  { .name = "next", .activate = next },
  { .name = "previous", .activate = previous },
  { .name = "capture", .activate = choose_capture, .parameter_type = "x", .state = "int64 0" },
};

static const struct
{
  const char *name;
  void (*act) (CulpritDocument *document);
} document_actions[] = {
  { "reload", culprit_document_reload_asked },
  { "cancel", culprit_document_cancel },
  { "undo", triage_undo },
  { "redo", triage_redo },
  { "kernelshark", kernelshark_open },
  { "show-in-files", file_manager_show },
};

static GSimpleAction *
action_named (gpointer window, const char *name)
{
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (window), name));
}

/* Makes the property of @notices the state of the action @name. */
static void
set_text_state (gpointer window, const char *name, CulpritNotices *notices, GParamSpec *property)
{
  g_autofree char *text = NULL;
  g_autofree char *valid = NULL;

  g_object_get (notices, property->name, &text, NULL);
  valid = g_utf8_make_valid (text, -1);
  g_simple_action_set_state (action_named (window, name), g_variant_new_string (valid));
}

static void
on_message (CulpritNotices *notices, GParamSpec *spec, CulpritStudyWindow *window)
{
  set_text_state (window, "dismiss", notices, spec);
}

static void
on_notice (CulpritNotices *notices, GParamSpec *spec, CulpritStudyWindow *window)
{
  set_text_state (window, "notice", notices, spec);
}

static void
on_imported (CulpritDocument *document, gboolean more, GSimpleAction *action)
{
  g_simple_action_set_enabled (action, TRUE);
}

static void
on_capture (CulpritDocument *document, GParamSpec *spec, GSimpleAction *action)
{
  g_simple_action_set_state (action, g_variant_new_int64 (culprit_document_capture (document)));
}

static void
on_file_manager (GObject *window, gboolean exists)
{
  g_simple_action_set_enabled (action_named (window, "show-in-files"), exists);
}

static void
update_enabled (CulpritStudyWindow *window)
{
  static const char *const need_table[] = { "search", "next", "previous", "export-table" };
  static const char *const need_picture[] = { "export-picture", "export-picture-to" };
  CulpritPage *page = page_of (window);

  for (guint i = 0; i < G_N_ELEMENTS (need_table); i++)
    g_simple_action_set_enabled (action_named (window, need_table[i]), table_of (window) != NULL);
  for (guint i = 0; i < G_N_ELEMENTS (need_picture); i++)
    g_simple_action_set_enabled (action_named (window, need_picture[i]), page && culprit_page_has_picture (page));
  fill_export_menu (window);
}

/* An action whose state is a property of @object. */
static void
add_property_action (CulpritStudyWindow *window, const char *name, gpointer object, const char *property)
{
  g_autoptr (GPropertyAction) action = g_property_action_new (name, object, property);

  g_action_map_add_action (G_ACTION_MAP (window), G_ACTION (action));
}

/* Adds the actions that need the study, which is open now. */
static void
add_study_actions (CulpritStudyWindow *window)
{
  g_action_map_add_action_entries (G_ACTION_MAP (window), with_study, G_N_ELEMENTS (with_study), window);
  for (guint i = 0; i < G_N_ELEMENTS (document_actions); i++)
    {
      g_autoptr (GSimpleAction) action = g_simple_action_new (document_actions[i].name, NULL);

      g_signal_connect_object (action, "activate", G_CALLBACK (document_actions[i].act), window->document,
                               G_CONNECT_SWAPPED);
      g_action_map_add_action (G_ACTION_MAP (window), G_ACTION (action));
    }
  add_property_action (window, "page", window->pages, "visible-child-name");
  add_property_action (window, "verdict", outliers_page_verdict (window->outliers), "expanded");
  add_property_action (window, "timeline-full",
                       gtk_widget_get_template_child (GTK_WIDGET (window->outliers), OUTLIERS_TYPE_PAGE, "details"),
                       "full");
  add_property_action (window, "function", window->document, "function");
  add_property_action (window, "run", window->document, "run");
  add_property_action (window, "traced", window->document, "traced");
  g_simple_action_set_enabled (action_named (window, "import-report"),
                               culprit_document_imported (window->document) != NULL);
  g_signal_connect_object (window->document, "imported", G_CALLBACK (on_imported),
                           action_named (window, "import-report"), 0);
  /* There are no property actions of 64 bits. */
  g_signal_connect_object (window->document, "notify::capture", G_CALLBACK (on_capture),
                           action_named (window, "capture"), 0);
  culprit_rules_button_add_actions (compare_page_rules (window->compare), G_ACTION_MAP (window));
  outliers_actions_add (G_ACTION_MAP (window), window->outliers);
  record_actions_add (G_ACTION_MAP (window), window->record);
  g_signal_connect_object (window->pages, "notify::visible-child", G_CALLBACK (update_enabled), window,
                           G_CONNECT_SWAPPED);
  for (GtkWidget *page = gtk_widget_get_first_child (window->pages); page; page = gtk_widget_get_next_sibling (page))
    g_signal_connect_object (page, "picture-changed", G_CALLBACK (update_enabled), window, G_CONNECT_SWAPPED);
  update_enabled (window);
  on_file_manager (G_OBJECT (window), FALSE);
  file_manager_ask (G_OBJECT (window), on_file_manager);
}

/* Removes those that objects change which may outlive @window and would notify it. */
static void
remove_study_actions (CulpritStudyWindow *window)
{
  static const char *const names[] = { "page", "verdict", "timeline-full", "function",
                                       "run",  "traced",  "capture",       "import-report" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_action_map_remove_action (G_ACTION_MAP (window), names[i]);
}

/* Runs and pages. */

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

/* The titles of the pages: side by side, or in a menu. */

static void
show_titles (CulpritStudyWindow *window)
{
  if (window->document)
    gtk_stack_set_visible_child_name (GTK_STACK (window->title_stack), window->narrow ? "narrow" : "pages");
}

/* Beside the form, which says at its bottom what is wrong with it. A window that is taken down has neither. */
static void
place_notices (CulpritStudyWindow *window)
{
  GtkWidget *page = window->pages ? gtk_stack_get_visible_child (GTK_STACK (window->pages)) : NULL;
  int width = 0;

  if (!page || !window->notices)
    return;
  if (page == GTK_WIDGET (window->record))
    g_object_get (page, "form-width", &width, NULL);
  gtk_widget_set_margin_start (GTK_WIDGET (window->notices), width);
}

static void
on_page (GtkStack *pages, GParamSpec *spec, CulpritStudyWindow *window)
{
  GtkWidget *page = gtk_stack_get_visible_child (pages);

  if (page)
    gtk_menu_button_set_label (GTK_MENU_BUTTON (window->page_choice),
                               gtk_stack_page_get_title (gtk_stack_get_page (pages, page)));
  place_notices (window);
}

/* The Fleet page exists only for studies with many machines. */
static void
on_fleet (FleetPage *fleet, GParamSpec *spec, CulpritStudyWindow *window)
{
  GMenuModel *pages = G_MENU_MODEL (window->pages_menu);
  int last = g_menu_model_get_n_items (pages) - 1;
  g_autofree char *label = NULL;
  gboolean filled;

  g_object_get (fleet, "filled", &filled, NULL);
  g_menu_model_get_item_attribute (pages, last, G_MENU_ATTRIBUTE_LABEL, "s", &label);
  if (g_str_equal (label, "Fleet"))
    g_menu_remove (window->pages_menu, last);
  if (filled)
    g_menu_append (window->pages_menu, "Fleet", "win.page::fleet");
}

/* Sets @property of @object to the remembered value, and remembers its changes; other open windows do not follow. */
static void
remember (const char *key, gpointer object, const char *property)
{
  if (state_settings ())
    g_settings_bind (state_settings (), key, object, property,
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
  g_object_notify (G_OBJECT (window), "document");
  panes_keep (GTK_STACK (window->pages));
  culprit_study_window_show_page (window, "outliers");
  remember ("traced-times", document, "traced");
  gtk_stack_set_visible_child_name (GTK_STACK (window->outer), "pages");
  show_titles (window);
  gtk_widget_set_visible (window->search_button, TRUE);
  add_study_actions (window);
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
    remove_study_actions (window);
  if (window->outer) /* A closed window is disposed of twice. */
    gtk_widget_dispose_template (GTK_WIDGET (object), CULPRIT_TYPE_STUDY_WINDOW);
  g_clear_object (&window->document);
  g_clear_weak_pointer (&window->question);
  G_OBJECT_CLASS (culprit_study_window_parent_class)->dispose (object);
}

static void
culprit_study_window_class_init (CulpritStudyWindowClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = window_dispose;
  G_OBJECT_CLASS (class)->get_property = window_get_property;
  G_OBJECT_CLASS (class)->set_property = window_set_property;
  g_object_class_install_property (
      G_OBJECT_CLASS (class), PROPERTY_DOCUMENT,
      g_param_spec_object ("document", NULL, NULL, CULPRIT_TYPE_DOCUMENT, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (
      G_OBJECT_CLASS (class), PROPERTY_NARROW,
      g_param_spec_boolean ("narrow", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  ensure_types (FLAME_TYPE_PAGE, FLEET_TYPE_PAGE, LATENCY_TYPE_PAGE, OUTLIERS_TYPE_PAGE, FUNCTIONS_TYPE_PAGE,
                STALLS_TYPE_PAGE, COMPARE_TYPE_PAGE, RECORD_TYPE_PAGE, GDK_TYPE_FILE_LIST, CULPRIT_TYPE_NOTICES);
  gtk_widget_class_set_template_from_resource (widget, "/io/github/culprit/desktop/window.ui");
  widget_class_bind_children (class, CulpritStudyWindow, title_stack, study_name, run_choice, search_button,
                              export_menu, notices, page_choice, outer, pages, outliers, flame, compare, record,
                              pages_menu);
  widget_class_bind_callbacks (class, on_message, on_notice, on_fleet, on_drop, on_run_chosen);
}

/* Makes the window at first no larger than the largest monitor, where nobody else may: it would be laid out for a width
 * that it does not have. */
static void
fit_monitor (GtkWindow *window)
{
  GListModel *monitors = gdk_display_get_monitors (gtk_widget_get_display (GTK_WIDGET (window)));
  GdkRectangle room = { 0 };
  int width;
  int height;

  for (guint i = 0; i < g_list_model_get_n_items (monitors); i++)
    {
      g_autoptr (GdkMonitor) monitor = g_list_model_get_item (monitors, i);
      GdkRectangle own;

      gdk_monitor_get_geometry (monitor, &own);
      room.width = MAX (room.width, own.width);
      room.height = MAX (room.height, own.height);
    }
  gtk_window_get_default_size (window, &width, &height);
  if (room.width > 0 && (width > room.width || height > room.height))
    gtk_window_set_default_size (window, MIN (width, room.width), MIN (height, room.height));
}

static void
culprit_study_window_init (CulpritStudyWindow *window)
{
  gtk_widget_init_template (GTK_WIDGET (window));
  narrow_keep (GTK_WINDOW (window));
  g_signal_connect (window->pages, "notify::visible-child", G_CALLBACK (on_page), window);
  edit_keys_add (GTK_WIDGET (window));
  g_action_map_add_action_entries (G_ACTION_MAP (window), without_study, G_N_ELEMENTS (without_study), window);
  focus_guard (GTK_WINDOW (window), GTK_STACK (window->pages));
  g_signal_connect (window, "close-request", G_CALLBACK (on_close), NULL);
  g_signal_connect_object (window->record, "notify::recording", G_CALLBACK (on_recording), window, 0);
  g_signal_connect_object (window->record, "notify::form-width", G_CALLBACK (place_notices), window, G_CONNECT_SWAPPED);
  start_page_add (GTK_STACK (window->outer));
  gtk_stack_set_visible_child_name (GTK_STACK (window->outer), "start");
  remember ("window-width", window, "default-width");
  remember ("window-height", window, "default-height");
  remember ("window-maximized", window, "maximized");
  fit_monitor (GTK_WINDOW (window));
}

CulpritStudyWindow *
culprit_study_window_new (GtkApplication *application)
{
  return g_object_new (CULPRIT_TYPE_STUDY_WINDOW, "application", application, NULL);
}

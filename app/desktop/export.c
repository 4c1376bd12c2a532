/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what a page shows, and reports, and tells so. */
#include "export.h"

#include "compat.h"
#include "document.h"
#include "report/report.h"
#include "units.h"

#include <string.h>

/* Writes the report in a thread. */

typedef struct
{
  char *path;
  char *run;
  GArray *captures; /* of gint64 */
} Wanted;

static void
wanted_free (gpointer data)
{
  Wanted *wanted = data;

  g_free (wanted->path);
  g_free (wanted->run);
  g_array_unref (wanted->captures);
  g_free (wanted);
}

static gpointer
write_report (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  const Wanted *wanted = data;
  gboolean written = culprit_report_write (study, wanted->run, (const gint64 *) (gpointer) wanted->captures->data,
                                           wanted->captures->len, wanted->path, error);

  return written ? g_strdup (wanted->path) : NULL;
}

static void
on_written (GObject *owner, gpointer result, const GError *error)
{
  if (error)
    g_signal_emit_by_name (owner, "failed", error->message);
  else
    culprit_document_tell_written (CULPRIT_DOCUMENT (owner), result);
  g_free (result);
}

/* Writes the report of the captures of @rows (of CulpritRow), of all where there are none, to @path; a failure is told
 * by the document. */
static void
report_write (CulpritDocument *document, const GPtrArray *rows, const char *path)
{
  Wanted *wanted = g_new (Wanted, 1);

  *wanted = (Wanted) { g_strdup (path), g_strdup (culprit_document_run (document)),
                       g_array_new (FALSE, FALSE, sizeof (gint64)) };
  for (guint i = 0; i < rows->len; i++)
    {
      gint64 capture = culprit_row_integer (g_ptr_array_index (rows, i), "capture");

      g_array_append_val (wanted->captures, capture);
    }
  culprit_document_read (document, G_OBJECT (document), NULL, write_report, wanted, wanted_free, on_written, g_free);
}

/* Writes what a page shows, and tells so. */

static void
copy_rows (CulpritStudyWindow *window)
{
  g_autoptr (GPtrArray) rows = culprit_table_view_selected (culprit_study_window_table (window));
  g_autofree char *text = g_strdup_printf ("Copied %u row%s", rows->len, culprit_plural (rows->len));

  culprit_table_view_copy (culprit_study_window_table (window));
  if (rows->len > 0)
    culprit_notices_done (culprit_study_window_notices (window), text, NULL, NULL);
}

static void
copy (GSimpleAction *action, GVariant *value, gpointer data)
{
  CulpritPage *page = culprit_study_window_page (data);

  if (page && culprit_page_copy (page))
    culprit_notices_done (culprit_study_window_notices (data), "Copied", NULL, NULL);
  else if (culprit_study_window_table (data))
    copy_rows (data);
}

/* Files to write. */

/* Asks for a file to write, in the folder of the study and called like it: "sample-outliers.csv". */
static void
ask_for_file (CulpritStudyWindow *window, const char *title, const char *what, const char *ending, CompatChosen chosen)
{
  const char *path = culprit_study_window_path (window);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *study = g_path_get_basename (path);
  g_autofree char *stem =
      g_strndup (study, strlen (study) - strlen (".culprit") * g_str_has_suffix (study, ".culprit"));
  g_autofree char *name = g_strdup_printf ("%s-%s.%s", stem, what, ending);

  compat_save (GTK_WINDOW (window), title, folder, name, chosen, window);
}

static void
tell_written (CulpritStudyWindow *window, const char *path)
{
  culprit_document_tell_written (culprit_study_window_document (window), path);
}

static void
write_table (gpointer data, const char *path)
{
  g_autoptr (GError) error = NULL;

  if (!culprit_study_window_table (data))
    return;
  if (culprit_table_view_export (culprit_study_window_table (data), path, &error))
    tell_written (data, path);
  else
    culprit_study_window_fail (data, error->message);
}

static void
write_picture (gpointer data, const char *path)
{
  g_autoptr (GError) error = NULL;
  CulpritPage *page = culprit_study_window_page (data);

  if (!page || !culprit_page_has_picture (page))
    return;
  if (culprit_page_export_picture (page, path, &error))
    tell_written (data, path);
  else
    culprit_study_window_fail (data, error->message);
}

/* A file that is on no disk here has no path. */
static const char *
chosen_path (const GPtrArray *files)
{
  const char *path = g_file_peek_path (g_ptr_array_index (files, 0));

  return path ? path : "";
}

static void
export_table_to (GSimpleAction *action, GVariant *value, gpointer data)
{
  write_table (data, g_variant_get_string (value, NULL));
}

static void
table_chosen (GPtrArray *files, gpointer data)
{
  write_table (data, chosen_path (files));
}

static void
export_picture_to (GSimpleAction *action, GVariant *value, gpointer data)
{
  write_picture (data, g_variant_get_string (value, NULL));
}

static void
picture_chosen (GPtrArray *files, gpointer data)
{
  write_picture (data, chosen_path (files));
}

static const char *
shown_page (CulpritStudyWindow *window)
{
  return gtk_stack_get_visible_child_name (GTK_STACK (culprit_study_window_pages (window)));
}

static void
export_table (GSimpleAction *action, GVariant *value, gpointer data)
{
  if (culprit_study_window_table (data))
    ask_for_file (data, "Export Table as CSV or JSON", shown_page (data), "csv", table_chosen);
}

static void
export_picture (GSimpleAction *action, GVariant *value, gpointer data)
{
  CulpritPage *page = culprit_study_window_page (data);
  g_autofree char *name = page ? culprit_page_name_picture (page) : NULL;

  if (page && culprit_page_has_picture (page))
    ask_for_file (data, "Export Picture as SVG or PNG", name ? name : shown_page (data), "svg", picture_chosen);
}

/* Of the captures that are selected, where it is more than one; else of all. */
static void
on_write_report (gpointer data, const char *path)
{
  CulpritTableView *table = culprit_page_table (CULPRIT_PAGE (culprit_study_window_outliers (data)));
  g_autoptr (GPtrArray) rows = culprit_table_view_selected (table);

  if (rows->len < 2)
    g_ptr_array_set_size (rows, 0);
  report_write (culprit_study_window_document (data), rows, path);
}

static void
report_to (GSimpleAction *action, GVariant *value, gpointer data)
{
  on_write_report (data, g_variant_get_string (value, NULL));
}

static void
report_chosen (GPtrArray *files, gpointer data)
{
  on_write_report (data, chosen_path (files));
}

static void
report (GSimpleAction *action, GVariant *value, gpointer data)
{
  ask_for_file (data, "HTML Report", "report", "html", report_chosen);
}

/* The menu. */

/* @why_not: the words after the label where it cannot be done; NULL: it can. */
static void
append_item (GMenu *menu, const char *label, const char *why_not, const char *action)
{
  g_autofree char *text = why_not ? g_strdup_printf ("%s: %s", label, why_not) : g_strconcat (label, "…", NULL);

  g_menu_append (menu, text, action);
}

void
export_actions_fill_menu (CulpritStudyWindow *window)
{
  GMenu *menu = culprit_study_window_export_menu (window);
  CulpritPage *page = culprit_study_window_page (window);
  gboolean has_table = page && culprit_page_table (page);
  gboolean has_picture = page && culprit_page_has_picture (page);

  g_menu_remove_all (menu);
  g_menu_append (menu, "Copy Rows", "win.copy");
  append_item (menu, "Export Table", has_table ? NULL : "none on this page", "win.export-table");
  append_item (menu, "Export Picture",
               has_picture ? NULL
               : page      ? culprit_page_no_picture (page)
                           : "none on this page",
               "win.export-picture");
  append_item (menu, "HTML Report", NULL, "win.report");
}

static const GActionEntry actions[] = {
  { .name = "copy", .activate = copy },
  { .name = "export-table", .activate = export_table },
  { .name = "export-table-to", .activate = export_table_to, .parameter_type = "s" },
  { .name = "export-picture", .activate = export_picture },
  { .name = "export-picture-to", .activate = export_picture_to, .parameter_type = "s" },
  { .name = "report", .activate = report },
  { .name = "report-to", .activate = report_to, .parameter_type = "s" },
};

void
export_actions_add (CulpritStudyWindow *window)
{
  g_action_map_add_action_entries (G_ACTION_MAP (window), actions, G_N_ELEMENTS (actions), window);
}

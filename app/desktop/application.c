/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens studies, a thread trying them first. If that takes long, as it does when a study of an older version is
 * migrated, the window is shown before the answer. */
#include "application.h"

#include "clean.h"
#include "compat.h"
#include "files.h"
#include "start/start-page.h"
#include "state.h"

#include <adwaita.h>

#define PATIENCE_MS 500
#define MAX_RECENT 10

typedef struct
{
  GtkApplication *application;
  CulpritDocument *document;
  char *page;          /* NULL: the one that was shown last */
  GPtrArray *captures; /* that are then imported into it; NULL: none */
  guint patience;      /* the source that shows the window when PATIENCE_MS are over; 0: they are */
} Opening;

static void
opening_free (gpointer data)
{
  Opening *opening = data;

  g_clear_handle_id (&opening->patience, g_source_remove);
  g_clear_pointer (&opening->captures, g_ptr_array_unref);
  g_free (opening->page);
  g_free (opening);
}

/* The window of the study at @path, or, if that is NULL, a window without a study. NULL: there is none. */
static CulpritStudyWindow *
find_window (GtkApplication *application, const char *path)
{
  for (GList *list = gtk_application_get_windows (application); list; list = list->next)
    if (CULPRIT_IS_STUDY_WINDOW (list->data) && g_strcmp0 (culprit_study_window_path (list->data), path) == 0)
      return list->data;
  return NULL;
}

/* The study window in front, or a new one. */
static CulpritStudyWindow *
find_front (GtkApplication *application)
{
  for (GList *list = gtk_application_get_windows (application); list; list = list->next)
    if (CULPRIT_IS_STUDY_WINDOW (list->data))
      return list->data;
  return culprit_study_window_new (application);
}

/* The recent studies. */

/* Puts @path first among the recent studies; if it is @gone, removes it from them. */
static void
update_recent (const char *path, gboolean gone)
{
  GSettings *settings = state_settings ();
  g_auto (GStrv) before = settings ? g_settings_get_strv (settings, "recent-studies") : NULL;
  g_autoptr (GStrvBuilder) recent = g_strv_builder_new ();
  g_auto (GStrv) now = NULL;

  if (!settings || !g_utf8_validate (path, -1, NULL)) /* Settings are UTF-8, file names need not be. */
    return;
  if (!gone)
    g_strv_builder_add (recent, path);
  for (guint i = 0, kept = 1; before[i] && kept < MAX_RECENT; i++)
    if (!g_str_equal (before[i], path))
      {
        g_strv_builder_add (recent, before[i]);
        kept++;
      }
  now = g_strv_builder_end (recent);
  g_settings_set_strv (settings, "recent-studies", (const char *const *) now);
}

/* A study is recent once it has been read. */
static void
on_read (CulpritDocument *document, guint part, GtkApplication *application)
{
  const char *path = culprit_document_path (document);
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);

  if (part != CULPRIT_PART_OUTLIERS)
    return;
  g_signal_handlers_disconnect_by_func (document, on_read, application);
  if (uri)
    gtk_recent_manager_add_item (gtk_recent_manager_get_default (), uri);
  update_recent (path, FALSE);
}

/* Opening. */

/* Shows @document in its window, in front. */
static CulpritStudyWindow *
show (GtkApplication *application, CulpritDocument *document, const char *page)
{
  CulpritStudyWindow *window = find_window (application, culprit_document_path (document));

  if (!window)
    {
      window = find_window (application, NULL);
      if (!window)
        window = culprit_study_window_new (application);
      g_signal_connect_object (document, "changed", G_CALLBACK (on_read), application, 0);
      culprit_study_window_open (window, document);
    }
  if (page)
    culprit_study_window_show_page (window, page);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

static gboolean
on_patience_over (gpointer data)
{
  Opening *opening = data;

  opening->patience = 0;
  show (opening->application, opening->document, opening->page);
  return G_SOURCE_REMOVE;
}

static GtkWindow *
say_in_front (GtkApplication *application, CulpritAbout about, const char *message)
{
  CulpritStudyWindow *front = find_front (application);

  culprit_study_window_fail (front, about, message);
  gtk_window_present (GTK_WINDOW (front));
  return GTK_WINDOW (front);
}

void
culprit_application_reload (GtkApplication *application, CulpritDocument *document)
{
  culprit_document_reload (document);
  for (GList *list = gtk_application_get_windows (application); list; list = list->next)
    {
      CulpritDocument *other = CULPRIT_IS_STUDY_WINDOW (list->data) ? culprit_study_window_document (list->data) : NULL;

      if (other && other != document &&
          culprit_is_same_file (culprit_document_path (other), culprit_document_path (document)))
        culprit_document_reload (other);
    }
}

GtkWindow *
culprit_application_fail (GtkApplication *application,
                          CulpritDocument *document,
                          CulpritAbout about,
                          const char *message)
{
  g_autofree char *clean = culprit_clean_line (message);
  g_autoptr (GList) windows = gtk_window_list_toplevels (); /* also those of a program without an application */

  for (GList *list = windows; list; list = list->next)
    if (CULPRIT_IS_STUDY_WINDOW (list->data) && culprit_study_window_document (list->data) == document)
      {
        culprit_document_fail (document, about, message);
        return NULL;
      }
  g_printerr ("culprit-desktop: %s\n", clean);
  return say_in_front (application, about, message);
}

/* Says in the window in front why the study at @path cannot be opened, and that @captures are not imported, if any. A
 * window that already waits for it is closed. */
static void
refuse (GtkApplication *application, const char *path, const char *why, const GPtrArray *captures)
{
  CulpritStudyWindow *waiting = find_window (application, path);
  g_autofree char *both = captures
                              ? g_strdup_printf ("%s; %u file%s given with it %s not imported", why, captures->len,
                                                 culprit_plural (captures->len), captures->len == 1 ? "was" : "were")
                              : g_strdup (why);

  g_autofree char *told = waiting ? culprit_study_window_message (waiting) : g_strdup (""); /* goes on, in front */

  update_recent (path, TRUE);
  if (waiting && !find_window (application, NULL))
    culprit_study_window_new (application);
  if (waiting)
    gtk_window_destroy (GTK_WINDOW (waiting));
  if (*told)
    say_in_front (application, CULPRIT_ABOUT_OPENING, told);
  say_in_front (application, CULPRIT_ABOUT_OPENING, both);
}

/* In a thread: that the study could be opened is all there is to know. */
static gpointer
probe (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  return GINT_TO_POINTER (TRUE);
}

static void
on_probed (GObject *owner, gpointer result, const GError *error)
{
  CulpritDocument *document = CULPRIT_DOCUMENT (owner);
  Opening *opening = g_object_get_data (owner, "opening");
  GtkApplication *application = opening->application;

  if (error)
    refuse (application, culprit_document_path (document), error->message, opening->captures);
  else
    {
      culprit_document_reload (document);
      if (opening->patience != 0)
        show (application, document, opening->page);
      if (opening->captures)
        culprit_document_import (document, opening->captures);
    }
  g_object_set_data (owner, "opening", NULL);
  g_object_unref (document);
  g_application_release (G_APPLICATION (application));
}

/* Opens the study at @path, as culprit_application_open(), and imports @captures into it, which it takes; NULL: none.
 */
static void
open_study (GtkApplication *application, const char *path, const char *page, GPtrArray *captures)
{
  g_autoptr (GPtrArray) given = captures;
  g_autofree char *full = g_canonicalize_filename (path, NULL);
  CulpritStudyWindow *window = find_window (application, full);
  CulpritDocument *document;
  Opening *opening;

  if (window)
    {
      if (page)
        culprit_study_window_show_page (window, page);
      gtk_window_present (GTK_WINDOW (window));
      if (given)
        culprit_study_window_import (window, given);
      return;
    }
  if (!g_file_test (full, G_FILE_TEST_EXISTS))
    {
      g_autofree char *why = g_strdup_printf ("%s: no such study; check the name, or use New Study to create it", full);

      refuse (application, full, why, given);
      return;
    }
  document = culprit_document_new (full);
  opening = g_new (Opening, 1);
  *opening = (Opening) { application, document, g_strdup (page), g_steal_pointer (&given),
                         g_timeout_add (PATIENCE_MS, on_patience_over, opening) };
  g_object_set_data_full (G_OBJECT (document), "opening", opening, opening_free);
  g_application_hold (G_APPLICATION (application));
  culprit_document_read (document, G_OBJECT (document), NULL, probe, NULL, NULL, on_probed, NULL);
}

/* What was refused before is over when more is opened. */
static void
forget_refused (GtkApplication *application)
{
  for (GList *list = gtk_application_get_windows (application); list; list = list->next)
    if (CULPRIT_IS_STUDY_WINDOW (list->data))
      culprit_study_window_fail (list->data, CULPRIT_ABOUT_OPENING, "");
}

void
culprit_application_open (GtkApplication *application, const char *path, const char *page)
{
  forget_refused (application);
  open_study (application, path, page, NULL);
}

CulpritStudyWindow *
culprit_application_begin (GtkApplication *application, const char *path, const char *page)
{
  g_autofree char *named = g_str_has_suffix (path, ".culprit") ? g_strdup (path) : g_strconcat (path, ".culprit", NULL);
  g_autofree char *full = g_canonicalize_filename (named, NULL);
  g_autoptr (CulpritDocument) document = culprit_document_new (full);
  gboolean exists = g_file_test (full, G_FILE_TEST_EXISTS);

  /* A dialog has asked about the name without the suffix only. */
  if (exists && !g_str_equal (named, path))
    {
      g_autofree char *why =
          g_strdup_printf ("%s: exists already, and nothing was begun; choose another name, or open it", full);

      say_in_front (application, CULPRIT_ABOUT_OPENING, why);
      return NULL;
    }
  if (exists)
    culprit_document_reload (document);
  return show (application, document, page);
}

/* Opens studies, and imports captures into the last of them, or else that of the window in front; see
 * WINDOW_NEW_STUDY. */
static void
on_open (GtkApplication *application, GFile **files, int n, const char *hint)
{
  g_autoptr (GPtrArray) captures = g_ptr_array_new_with_free_func (g_free);
  gboolean begins = n > 0 && g_file_peek_path (files[0]) && g_str_equal (hint, WINDOW_NEW_STUDY);
  CulpritStudyWindow *begun = NULL;
  const char *study = NULL;

  forget_refused (application);
  if (begins)
    begun = culprit_application_begin (application, g_file_peek_path (files[0]), n == 1 ? "record" : NULL);
  if (begins && !begun)
    return;
  for (int i = begins ? 1 : 0; i < n; i++)
    {
      const char *path = g_file_peek_path (files[i]);

      if (path && !begins && g_str_has_suffix (path, ".culprit"))
        {
          if (study)
            open_study (application, study, NULL, NULL);
          study = path;
        }
      else
        g_ptr_array_add (captures, path ? g_strdup (path) : g_file_get_uri (files[i]));
    }
  if (study)
    open_study (application, study, NULL, captures->len > 0 ? g_steal_pointer (&captures) : NULL);
  else if (captures->len > 0)
    {
      CulpritStudyWindow *window = begun ? begun : find_front (application);

      gtk_window_present (GTK_WINDOW (window)); /* It stays if no study is chosen for them. */
      culprit_study_window_import (window, captures);
    }
}

static void
on_activate (GtkApplication *application)
{
  CulpritStudyWindow *window = find_window (application, NULL);

  gtk_window_present (GTK_WINDOW (window ? window : culprit_study_window_new (application)));
}

/* Actions. */

static void
open_window (GSimpleAction *action, GVariant *value, gpointer data)
{
  gtk_window_present (GTK_WINDOW (culprit_study_window_new (data)));
}

static void
open_recent (GSimpleAction *action, GVariant *value, gpointer data)
{
  culprit_application_open (data, g_variant_get_string (value, NULL), NULL);
}

static void
open_sample (GSimpleAction *action, GVariant *value, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = sample_copy (&error);

  if (path)
    culprit_application_open (data, path, NULL);
  else
    compat_alert (gtk_application_get_active_window (data), "Cannot open the sample", error->message);
}

static void
quit (GSimpleAction *action, GVariant *value, gpointer data)
{
  GList *windows = g_list_copy (gtk_application_get_windows (data));

  g_list_free_full (windows, (GDestroyNotify) gtk_window_close);
}

static void
show_about (GSimpleAction *action, GVariant *value, gpointer data)
{
  gtk_show_about_dialog (gtk_application_get_active_window (data), "program-name", "Culprit", "version",
                         CULPRIT_VERSION, "comments",
                         "Finds the kernel function that made a real-time task late, and says how certain that is.",
                         "license-type", GTK_LICENSE_GPL_3_0, "logo-icon-name", CULPRIT_APPLICATION_ID, NULL);
}

static void
change_colours (GSimpleAction *action, GVariant *value, gpointer data)
{
  const char *scheme = g_variant_get_string (value, NULL);

  g_simple_action_set_state (action, value);
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      g_str_equal (scheme, "dark")    ? ADW_COLOR_SCHEME_FORCE_DARK
                                      : g_str_equal (scheme, "light") ? ADW_COLOR_SCHEME_FORCE_LIGHT
                                                                      : ADW_COLOR_SCHEME_DEFAULT);
  if (state_settings ())
    g_settings_set_string (state_settings (), "colour-scheme", scheme);
}

static const GActionEntry actions[] = {
  { .name = "new-window", .activate = open_window },
  { .name = "open-recent", .activate = open_recent, .parameter_type = "s" },
  { .name = "open-sample", .activate = open_sample },
  { .name = "about", .activate = show_about },
  { .name = "quit", .activate = quit },
  { .name = "colours", .parameter_type = "s", .state = "'system'", .change_state = change_colours },
};

static const struct
{
  const char *action;
  const char *keys[3];
} keys[] = {
  { "app.new-window", { "<Control>n" } },
  { "app.quit", { "<Control>q" } },
  { "win.open", { "<Control>o" } },
  { "win.import", { "<Control>i" } },
  { "win.reload", { "F5", "<Control>r" } },
  { "win.search", { "<Control>f" } },
  { "win.copy", { "<Control><Shift>c" } },
  { "win.export-table", { "<Control>e" } },
  { "win.export-picture", { "<Control><Shift>e" } },
  { "win.next", { "<Control>Down" } },
  { "win.previous", { "<Control>Up" } },
  { "win.cancel", { "<Control>period" } },
  { "win.triage::new", { "<Alt>n" } },
  { "win.triage::seen", { "<Alt>s" } },
  { "win.triage::explained", { "<Alt>e" } },
  { "win.triage::ignored", { "<Alt>i" } },
  { "win.details::budget", { "<Alt>b" } },
  { "win.details::tree", { "<Alt>r" } },
  { "win.group", { "<Alt>g" } },
  { "win.verdict", { "<Alt>v" } },
  { "win.traced", { "<Alt>u" } },
  { "win.kernelshark", { "<Alt>k" } },
  { "win.details::timeline", { "<Alt>t" } },
  { "win.timeline-full", { "<Control><Shift>t" } },
  { "win.page::latency", { "<Alt>1" } },
  { "win.page::outliers", { "<Alt>2" } },
  { "win.page::functions", { "<Alt>3" } },
  { "win.page::flame", { "<Alt>4", "<Alt>f" } },
  { "win.page::stalls", { "<Alt>5" } },
  { "win.page::compare", { "<Alt>6" } },
  { "win.page::record", { "<Alt>7" } },
  { "win.page::fleet", { "<Alt>8" } },
  { "win.show-help-overlay", { "<Control>question", "F1" } },
  { "window.close", { "<Control>w" } },
};

static void
on_startup (GtkApplication *application)
{
  compat_mend_focus ();
  g_action_map_add_action_entries (G_ACTION_MAP (application), actions, G_N_ELEMENTS (actions), application);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_application_set_accels_for_action (application, keys[i].action, keys[i].keys);
  gtk_window_set_default_icon_name (CULPRIT_APPLICATION_ID);
  if (state_settings ())
    {
      g_autoptr (GVariant) scheme = g_settings_get_value (state_settings (), "colour-scheme");

      g_action_group_change_action_state (G_ACTION_GROUP (application), "colours", scheme);
    }
}

GtkApplication *
culprit_application_new (void)
{
  GtkApplication *application =
      g_object_new (ADW_TYPE_APPLICATION, "application-id", CULPRIT_APPLICATION_ID, "flags", G_APPLICATION_HANDLES_OPEN,
                    "resource-base-path", "/io/github/culprit/desktop", NULL);

  g_signal_connect (application, "startup", G_CALLBACK (on_startup), NULL);
  g_signal_connect (application, "activate", G_CALLBACK (on_activate), NULL);
  g_signal_connect (application, "open", G_CALLBACK (on_open), NULL);
  return application;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study is opened in a thread first. Where that takes long, as for one of an older version that is brought up to
 * date, its window comes before the answer. */
#include "opening.h"

#include "window.h"

#define LONG_MS 500
#define MOST_RECENT 10

typedef struct
{
  CulpritApplication *application;
  CulpritDocument *document;
  char *page; /* NULL: as remembered */
  guint late; /* the source that does not wait any longer; 0: it has not */
} Opening;

static void
opening_free (gpointer data)
{
  Opening *opening = data;

  g_clear_handle_id (&opening->late, g_source_remove);
  g_free (opening->page);
  g_free (opening);
}

static CulpritStudyWindow *
find_window (CulpritApplication *application, const char *path)
{
  for (GList *list = gtk_application_get_windows (GTK_APPLICATION (application)); list; list = list->next)
    if (CULPRIT_IS_STUDY_WINDOW (list->data) && g_strcmp0 (culprit_study_window_path (list->data), path) == 0)
      return list->data;
  return NULL;
}

CulpritStudyWindow *
opening_find_empty (CulpritApplication *application)
{
  return find_window (application, NULL);
}

/* The recent studies. */

/* Puts @path before the other recent studies; where it is @gone, takes it away from them. */
static void
arrange_recent (CulpritApplication *application, const char *path, gboolean gone)
{
  GSettings *settings = culprit_application_settings (application);
  g_auto (GStrv) before = settings ? g_settings_get_strv (settings, "recent-studies") : NULL;
  g_autoptr (GStrvBuilder) recent = g_strv_builder_new ();
  g_auto (GStrv) now = NULL;

  if (!settings || !g_utf8_validate (path, -1, NULL)) /* Settings are UTF-8, file names need not be. */
    return;
  if (!gone)
    g_strv_builder_add (recent, path);
  for (guint i = 0, kept = 1; before[i] && kept < MOST_RECENT; i++)
    if (!g_str_equal (before[i], path))
      {
        g_strv_builder_add (recent, before[i]);
        kept++;
      }
  now = g_strv_builder_end (recent);
  g_settings_set_strv (settings, "recent-studies", (const char *const *) now);
}

/* It was read for the first time. */
static void
on_read (CulpritDocument *document, guint part, CulpritApplication *application)
{
  const char *path = culprit_document_path (document);
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);

  if (part != CULPRIT_PART_OUTLIERS)
    return;
  g_signal_handlers_disconnect_by_func (document, on_read, application);
  if (uri)
    gtk_recent_manager_add_item (gtk_recent_manager_get_default (), uri);
  arrange_recent (application, path, FALSE);
}

/* Windows. */

/* A window that shows @document, in front. */
static CulpritStudyWindow *
show (CulpritApplication *application, CulpritDocument *document, const char *page)
{
  CulpritStudyWindow *window = find_window (application, culprit_document_path (document));

  if (!window)
    {
      window = find_window (application, NULL);
      if (!window)
        window = culprit_study_window_new (application);
      g_signal_connect_object (document, "changed", G_CALLBACK (on_read), application, 0);
      culprit_study_window_fail (window, "");
      culprit_study_window_open (window, document);
    }
  if (page)
    culprit_study_window_show_page (window, page);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

static gboolean
on_late (gpointer data)
{
  Opening *opening = data;

  opening->late = 0;
  show (opening->application, opening->document, opening->page);
  return G_SOURCE_REMOVE;
}

CulpritStudyWindow *
opening_front (CulpritApplication *application)
{
  for (GList *list = gtk_application_get_windows (GTK_APPLICATION (application)); list; list = list->next)
    if (CULPRIT_IS_STUDY_WINDOW (list->data))
      return list->data;
  return culprit_study_window_new (application);
}

/* In the window in front. */
static void
tell (CulpritApplication *application, const char *why)
{
  CulpritStudyWindow *window = opening_front (application);

  culprit_study_window_fail (window, why);
  gtk_window_present (GTK_WINDOW (window));
}

/* Opening. */

/* In a thread, with the study that could be opened. */
static gpointer
probe (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  return GINT_TO_POINTER (TRUE);
}

/* The study at @path cannot be opened, as @why says. A window that was waiting for it goes. */
static void
refuse (CulpritApplication *application, const char *path, const char *why)
{
  CulpritStudyWindow *waiting = find_window (application, path);

  arrange_recent (application, path, TRUE);
  if (waiting && !find_window (application, NULL))
    culprit_study_window_new (application);
  if (waiting)
    gtk_window_destroy (GTK_WINDOW (waiting));
  tell (application, why);
}

static void
on_probed (GObject *owner, gpointer result, const GError *error)
{
  CulpritDocument *document = CULPRIT_DOCUMENT (owner);
  Opening *opening = g_object_get_data (owner, "opening");
  CulpritApplication *application = opening->application;
  gboolean shown = opening->late == 0;

  if (error)
    refuse (application, culprit_document_path (document), error->message);
  else
    {
      culprit_document_reload (document);
      if (!shown)
        show (application, document, opening->page);
    }
  g_object_set_data (owner, "opening", NULL);
  g_object_unref (document);
  g_application_release (G_APPLICATION (application));
}

void
opening_open (CulpritApplication *application, const char *path, const char *page)
{
  g_autofree char *full = g_canonicalize_filename (path, NULL);
  CulpritDocument *document;
  Opening *opening;

  if (find_window (application, full))
    {
      CulpritStudyWindow *window = find_window (application, full);

      if (page)
        culprit_study_window_show_page (window, page);
      gtk_window_present (GTK_WINDOW (window));
      return;
    }
  if (!g_file_test (full, G_FILE_TEST_EXISTS))
    {
      g_autofree char *why = g_strdup_printf ("%s: no such study; check the name, or use New Study to create it", full);

      refuse (application, full, why);
      return;
    }
  document = culprit_document_new (full);
  opening = g_new (Opening, 1);
  *opening = (Opening) { application, document, g_strdup (page), g_timeout_add (LONG_MS, on_late, opening) };
  g_object_set_data_full (G_OBJECT (document), "opening", opening, opening_free);
  g_application_hold (G_APPLICATION (application));
  culprit_document_read (document, G_OBJECT (document), NULL, probe, NULL, NULL, on_probed, NULL);
}

CulpritStudyWindow *
opening_begin (CulpritApplication *application, const char *path, const char *page)
{
  g_autofree char *named = g_str_has_suffix (path, ".culprit") ? g_strdup (path) : g_strconcat (path, ".culprit", NULL);
  g_autofree char *full = g_canonicalize_filename (named, NULL);
  g_autoptr (CulpritDocument) document = culprit_document_new (full);

  if (g_file_test (full, G_FILE_TEST_EXISTS))
    culprit_document_reload (document);
  return show (application, document, page);
}

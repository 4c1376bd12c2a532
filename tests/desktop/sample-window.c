/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sample study in a window of its own, for tests that look at widgets. */
#include "sample-window.h"

#include "application.h"
#include "charts/timeline/view.h"
#include "compat.h"
#include "document.h"
#include "state.h"
#include "study/triage.h"

#include <gdk/x11/gdkx.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#define LONGEST_US 60000000

#define CALM_FRAMES 3        /* in a row, before nothing is taken to go on */
#define LONG_TASK_US 1000000 /* A task that takes longer is a job of its own, e.g. a recording. */

const char *const sample_window_pages[] = {
  "latency", "outliers", "functions", "flame", "stalls", "compare", "record"
};

static const char *study_path;
static char *state_folder; /* of the user, for each test anew */
static guint tasks;        /* in threads */

void
sample_window_wait_us (gint64 us)
{
  for (gint64 end = g_get_monotonic_time () + us; g_get_monotonic_time () < end;)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
}

static void
on_completed (void)
{
  tasks--;
}

/* The linker puts this in place of g_task_run_in_thread(), which it calls. */
void __real_g_task_run_in_thread (GTask *task, GTaskThreadFunc run);
void __wrap_g_task_run_in_thread (GTask *task, GTaskThreadFunc run);

void
__wrap_g_task_run_in_thread (GTask *task, GTaskThreadFunc run)
{
  tasks++;
  g_signal_connect (task, "notify::completed", G_CALLBACK (on_completed), NULL);
  __real_g_task_run_in_thread (task, run);
}

static void
count_frame (GdkFrameClock *clock, guint *frames)
{
  (*frames)++;
}

/* Draws a frame of @window, and all that is ready before it. */
static void
draw_frame (GtkWidget *window)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (window);
  guint frames = 0;
  gulong handler = g_signal_connect (clock, "after-paint", G_CALLBACK (count_frame), &frames);
  gint64 end = g_get_monotonic_time () + LONGEST_US;

  g_object_ref (clock);
  while (frames == 0 && gtk_widget_get_mapped (window) && g_get_monotonic_time () < end)
    {
      gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT);
      g_main_context_iteration (NULL, TRUE);
    }
  g_signal_handler_disconnect (clock, handler);
  g_object_unref (clock);
}

void
sample_window_settle (void)
{
  const gint64 begin = g_get_monotonic_time ();

  for (guint calm = 0; calm < CALM_FRAMES; calm++)
    {
      GList *windows = gtk_window_list_toplevels ();

      gdk_display_sync (gdk_display_get_default ());
      for (GList *one = windows; one; one = one->next)
        if (gtk_widget_get_mapped (one->data))
          draw_frame (one->data);
      g_list_free (windows);
      while (g_main_context_iteration (NULL, FALSE))
        ;
      if (tasks > 0 && g_get_monotonic_time () < begin + LONG_TASK_US)
        {
          calm = 0;
          g_usleep (1000);
        }
    }
}

void
sample_window_wait_until (gboolean (*holds) (SampleWindow *sample, gconstpointer data),
                          SampleWindow *sample,
                          gconstpointer data)
{
  for (gint64 end = g_get_monotonic_time () + LONGEST_US; !holds (sample, data);)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      sample_window_wait_us (10000);
    }
}

static gboolean
is_open (SampleWindow *sample, gconstpointer data)
{
  return gtk_application_get_windows (sample->application) != NULL;
}

static gboolean
is_read (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = culprit_study_window_document (sample->window);

  return !culprit_document_doing (document) && culprit_document_capture (document) != 0 &&
         culprit_document_verdict (document);
}

/* No search waits for more letters. Those inside a GtkDropDown are its own: it searches what it may not have yet. */
static void
hasten_searches (GtkWidget *widget)
{
  if (GTK_IS_SEARCH_ENTRY (widget))
    gtk_search_entry_set_search_delay (GTK_SEARCH_ENTRY (widget), 0);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    if (!GTK_IS_DROP_DOWN (child))
      hasten_searches (child);
}

void
sample_window_set_up (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *folder = g_path_get_dirname (study_path);
  g_autofree char *captures = g_build_filename (folder, "sample.captures", NULL);
  g_autofree char *content = NULL;
  gsize length;

  sample->folder = g_dir_make_tmp ("labels-XXXXXX", NULL);
  sample->study = g_build_filename (sample->folder, "sample.culprit", NULL);
  sample->captures = g_build_filename (sample->folder, "sample.captures", NULL);
  g_assert_true (g_file_get_contents (study_path, &content, &length, NULL));
  g_assert_true (g_file_set_contents (sample->study, content, length, NULL));
  g_assert_no_errno (symlink (captures, sample->captures));
  sample->application = culprit_application_new ();
  g_application_set_flags (G_APPLICATION (sample->application), G_APPLICATION_NON_UNIQUE | G_APPLICATION_HANDLES_OPEN);
  g_assert_true (g_application_register (G_APPLICATION (sample->application), NULL, NULL));
  culprit_application_open (sample->application, sample->study, NULL);
  sample_window_wait_until (is_open, sample, NULL);
  sample->window = CULPRIT_STUDY_WINDOW (gtk_application_get_windows (sample->application)->data);
  gtk_window_set_default_size (GTK_WINDOW (sample->window), SAMPLE_WINDOW_WIDTH, SAMPLE_WINDOW_HEIGHT);
  sample_window_wait_until (is_read, sample, NULL);
  culprit_document_choose_function (culprit_study_window_document (sample->window), "qh_completions [culprit_fault]");
  hasten_searches (GTK_WIDGET (sample->window));
  sample_window_settle ();
}

static void
forget_state (void)
{
  g_autofree char *folder = g_build_filename (state_folder, "culprit", NULL);
  g_autofree char *path = g_build_filename (folder, "desktop.ini", NULL);

  g_unlink (path);
  g_rmdir (folder);
  g_rmdir (state_folder);
}

/* Into a corner without anything. GTK forgets to cancel a tip that is about to be shown when its window is destroyed,
 * and complains. */
static void
move_pointer_away (void)
{
  Display *display = GDK_DISPLAY_XDISPLAY (gdk_display_get_default ());

  XWarpPointer (display, None, DefaultRootWindow (display), 0, 0, 0, 0, SAMPLE_WINDOW_WIDTH - 1,
                SAMPLE_WINDOW_HEIGHT - 1);
}

void
sample_window_tear_down (SampleWindow *sample, gconstpointer data)
{
  move_pointer_away ();
  sample_window_settle ();
  if (sample->window)
    gtk_window_destroy (GTK_WINDOW (sample->window));
  sample_window_settle ();
  g_object_unref (sample->application);
  state_close ();
  forget_state ();
  g_unlink (sample->captures);
  g_unlink (sample->study);
  g_rmdir (sample->folder);
  g_free (sample->captures);
  g_free (sample->study);
  g_free (sample->folder);
}

static void
find (GtkWidget *widget, GType type, GPtrArray *found)
{
  if (gtk_widget_get_mapped (widget) && g_type_is_a (G_OBJECT_TYPE (widget), type))
    g_ptr_array_add (found, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    find (child, type, found);
}

void
sample_window_choose (SampleWindow *sample, gint64 capture)
{
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "capture", g_variant_new_int64 (capture));
  sample_window_settle ();
}

#define PATIENCE_MS 30000

int
sample_window_execute (SampleWindow *sample, const char *sql)
{
  sqlite3 *study;
  int changed;

  g_assert_cmpint (sqlite3_open (sample->study, &study), ==, SQLITE_OK);
  sqlite3_busy_timeout (study, PATIENCE_MS);
  g_assert_cmpint (sqlite3_exec (study, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  changed = sqlite3_changes (study);
  sqlite3_close (study);
  return changed;
}

void
sample_window_replace (SampleWindow *sample, const char *sql)
{
  SampleWindow other = *sample;
  g_autofree char *both = g_strconcat (SAMPLE_WINDOW_OTHERS, sql, NULL);
  g_autofree char *content = NULL;
  gsize length;

  other.study = g_strconcat (sample->study, ".new", NULL);
  g_assert_true (g_file_get_contents (sample->study, &content, &length, NULL));
  g_assert_true (g_file_set_contents (other.study, content, length, NULL));
  sample_window_execute (&other, both);
  g_assert_no_errno (g_rename (other.study, sample->study));
  g_free (other.study);
}

gboolean
sample_window_stores (SampleWindow *sample, gconstpointer data)
{
  const gint64 capture = SAMPLE_WINDOW_CAPTURE;
  g_autoptr (CulpritStudy) study = culprit_study_open (sample->study, CULPRIT_STUDY_READ, NULL);
  g_autoptr (GArray) found = culprit_study_triage (study, &capture, 1, NULL);
  const CulpritTriage *triage = &g_array_index (found, CulpritTriage, 0);
  g_autofree char *text = g_strdup_printf ("%s: %s", triage->state, triage->note);

  return g_str_equal (text, data);
}

GPtrArray *
sample_window_find (SampleWindow *sample, GType type)
{
  GPtrArray *found = g_ptr_array_new ();

  find (GTK_WIDGET (sample->window), type, found);
  return found;
}

gpointer
sample_window_named (SampleWindow *sample, const char *name)
{
  g_autoptr (GPtrArray) all = sample_window_find (sample, GTK_TYPE_WIDGET);

  for (guint i = 0; i < all->len; i++)
    if (g_str_equal (gtk_widget_get_name (g_ptr_array_index (all, i)), name))
      return g_ptr_array_index (all, i);
  return NULL;
}

GtkWidget *
sample_window_of_class (SampleWindow *sample, const char *name)
{
  g_autoptr (GPtrArray) all = sample_window_find (sample, GTK_TYPE_WIDGET);

  for (guint i = 0; i < all->len; i++)
    if (gtk_widget_has_css_class (g_ptr_array_index (all, i), name))
      return g_ptr_array_index (all, i);
  return NULL;
}

gboolean
sample_window_shows (SampleWindow *sample, gconstpointer type)
{
  g_autoptr (GPtrArray) found = sample_window_find (sample, GPOINTER_TO_SIZE (type));

  return found->len > 0;
}

gpointer
sample_window_child (SampleWindow *sample, const char *name)
{
  return gtk_widget_get_template_child (GTK_WIDGET (sample->window), CULPRIT_TYPE_STUDY_WINDOW, name);
}

GtkWidget *
sample_window_show_timeline (SampleWindow *sample)
{
  g_autoptr (GPtrArray) timelines = NULL;

  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "details", g_variant_new_string ("timeline"));
  sample_window_wait_until (sample_window_shows, sample, GSIZE_TO_POINTER (CULPRIT_TYPE_TIMELINE_VIEW));
  sample_window_settle ();
  timelines = sample_window_find (sample, CULPRIT_TYPE_TIMELINE_VIEW);
  g_assert_cmpuint (timelines->len, ==, 1);
  return g_ptr_array_index (timelines, 0);
}

gboolean
sample_window_begin (int *argc, char ***argv)
{
  if (!gtk_init_check ())
    return FALSE;
  g_test_init (argc, argv, NULL);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  compat_mend_focus ();
  state_folder = g_dir_make_tmp ("state-XXXXXX", NULL);
  g_setenv ("XDG_STATE_HOME", state_folder, TRUE);
  study_path = (*argv)[1];
  return TRUE;
}

gboolean
sample_window_shows_label (SampleWindow *sample, gconstpointer text)
{
  g_autoptr (GPtrArray) labels = sample_window_find (sample, GTK_TYPE_LABEL);

  for (guint i = 0; i < labels->len; i++)
    if (g_str_equal (gtk_label_get_text (g_ptr_array_index (labels, i)), text))
      return TRUE;
  return FALSE;
}

GtkWidget *
sample_window_button (SampleWindow *sample, const char *label)
{
  g_autoptr (GPtrArray) buttons = sample_window_find (sample, GTK_TYPE_BUTTON);

  for (guint i = 0; i < buttons->len; i++)
    if (g_strcmp0 (gtk_button_get_label (g_ptr_array_index (buttons, i)), label) == 0)
      return g_ptr_array_index (buttons, i);
  return NULL;
}

guint
sample_window_count_labels (SampleWindow *sample, const char *text)
{
  g_autoptr (GPtrArray) labels = sample_window_find (sample, GTK_TYPE_LABEL);
  guint count = 0;

  for (guint i = 0; i < labels->len; i++)
    count += strstr (gtk_label_get_text (g_ptr_array_index (labels, i)), text) != NULL;
  return count;
}

gboolean
sample_window_tells (SampleWindow *sample, gconstpointer text)
{
  return sample_window_count_labels (sample, text) > 0;
}

gboolean
sample_window_wrote (SampleWindow *sample, gconstpointer path)
{
  return g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

void
sample_window_add (const char *path, void (*test) (SampleWindow *sample, gconstpointer data))
{
  g_test_add (path, SampleWindow, NULL, sample_window_set_up, test, sample_window_tear_down);
}

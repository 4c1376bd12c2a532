/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On a screen of 1366x768 no label of the window is cut unless its tooltip has the whole text, and no widget is smaller
 * than it must be. */
#include "application.h"
#include "document.h"
#include "window-actions.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define WIDTH 1366
#define HEIGHT 768
#define QUIET_US 700000 /* in which a page has been laid out */
#define LONGEST_US 60000000

static const char *study_path;

typedef struct
{
  char *folder;
  char *study;
  char *captures;
  GtkApplication *application;
  CulpritStudyWindow *window;
} Fixture;

static void
wait_us (gint64 us)
{
  for (gint64 end = g_get_monotonic_time () + us; g_get_monotonic_time () < end;)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
}

static gboolean
is_read (CulpritStudyWindow *window)
{
  CulpritDocument *document = culprit_study_window_document (window);

  return !culprit_document_doing (document) && culprit_document_capture (document) != 0;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_path_get_dirname (study_path);
  g_autofree char *captures = g_build_filename (folder, "sample.captures", NULL);
  g_autofree char *content = NULL;
  gsize length;

  fixture->folder = g_dir_make_tmp ("labels-XXXXXX", NULL);
  fixture->study = g_build_filename (fixture->folder, "sample.culprit", NULL);
  fixture->captures = g_build_filename (fixture->folder, "sample.captures", NULL);
  g_assert_true (g_file_get_contents (study_path, &content, &length, NULL));
  g_assert_true (g_file_set_contents (fixture->study, content, length, NULL));
  g_assert_no_errno (symlink (captures, fixture->captures));
  fixture->application = culprit_application_new ();
  g_application_set_flags (G_APPLICATION (fixture->application), G_APPLICATION_NON_UNIQUE | G_APPLICATION_HANDLES_OPEN);
  g_assert_true (g_application_register (G_APPLICATION (fixture->application), NULL, NULL));
  culprit_application_open_study (CULPRIT_APPLICATION (fixture->application), fixture->study);
  fixture->window = CULPRIT_STUDY_WINDOW (gtk_application_get_windows (fixture->application)->data);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), WIDTH, HEIGHT);
  for (gint64 end = g_get_monotonic_time () + LONGEST_US; !is_read (fixture->window);)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      wait_us (10000);
    }
  culprit_document_choose_function (culprit_study_window_document (fixture->window), "qh_completions");
  wait_us (QUIET_US);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  wait_us (QUIET_US);
  g_object_unref (fixture->application);
  g_unlink (fixture->captures);
  g_unlink (fixture->study);
  g_rmdir (fixture->folder);
  g_free (fixture->captures);
  g_free (fixture->study);
  g_free (fixture->folder);
}

/* Whether a tooltip has what is cut: one that is made when it is asked for, as of cells, does. Classes are short. */
static gboolean
is_told_whole (GtkWidget *label)
{
  const char *text = gtk_label_get_text (GTK_LABEL (label));
  const char *tooltip = gtk_widget_get_tooltip_text (label);

  if (g_str_equal (text, "called too often") || g_str_equal (text, "took too long"))
    return FALSE;
  return tooltip ? strstr (tooltip, text) != NULL : gtk_widget_get_has_tooltip (label);
}

static gboolean
is_cut (GtkWidget *widget)
{
  return GTK_IS_LABEL (widget) && pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget))) &&
         !is_told_whole (widget);
}

/* What scrolls may be narrow. */
static gboolean
is_too_narrow (GtkWidget *widget)
{
  int minimum;

  if (GTK_IS_SCROLLABLE (widget))
    return FALSE;
  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  return gtk_widget_get_allocated_width (widget) + gtk_widget_get_margin_start (widget) +
             gtk_widget_get_margin_end (widget) <
         minimum;
}

static guint
count_faults (GtkWidget *widget, const char *page)
{
  guint faults = 0;

  if (!gtk_widget_get_mapped (widget))
    return 0;
  if (is_cut (widget))
    {
      g_test_message ("%s: cut: \"%s\"", page, gtk_label_get_text (GTK_LABEL (widget)));
      faults++;
    }
  if (is_too_narrow (widget))
    {
      g_test_message ("%s: too narrow: %s, %d", page, G_OBJECT_TYPE_NAME (widget),
                      gtk_widget_get_allocated_width (widget));
      faults++;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    faults += count_faults (child, page);
  return faults;
}

static void
test_nothing_is_cut_on_any_page (Fixture *fixture, gconstpointer data)
{
  const char *const pages[] = { "latency", "outliers", "functions", "stalls", "compare", "record" };
  guint faults = 0;

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      culprit_study_window_show_page (fixture->window, pages[i]);
      wait_us (QUIET_US);
      g_assert_cmpint (gtk_widget_get_allocated_width (GTK_WIDGET (fixture->window)), <=, WIDTH);
      g_assert_cmpint (gtk_widget_get_allocated_height (GTK_WIDGET (fixture->window)), <=, HEIGHT);
      faults += count_faults (GTK_WIDGET (fixture->window), pages[i]);
    }
  g_assert_cmpuint (faults, ==, 0);
}

static void
test_nothing_is_cut_beside_the_timeline (Fixture *fixture, gconstpointer data)
{
  culprit_study_window_show_page (fixture->window, "outliers");
  g_action_group_activate_action (G_ACTION_GROUP (fixture->window), "details", g_variant_new_string ("timeline"));
  wait_us (2 * QUIET_US);
  g_assert_cmpuint (count_faults (GTK_WIDGET (fixture->window), "timeline"), ==, 0);
}

int
main (int argc, char **argv)
{
  if (!gtk_init_check ())
    return 77;
  g_test_init (&argc, &argv, NULL);
  study_path = argv[1];
  g_test_add ("/labels/nothing-is-cut-on-any-page", Fixture, NULL, set_up, test_nothing_is_cut_on_any_page, tear_down);
  g_test_add ("/labels/nothing-is-cut-beside-the-timeline", Fixture, NULL, set_up,
              test_nothing_is_cut_beside_the_timeline, tear_down);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exported pictures say what they are of and when that was, and have all of it, in more pixels than the screen. */
#include "sample-window.h"

#include "charts/timeline/view.h"
#include "compat.h"

#include <glib/gstdio.h>
#include <string.h>

static char *
export_picture (SampleWindow *sample, const char *name)
{
  char *path = g_build_filename (sample->folder, name, NULL);

  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "export-picture-to", g_variant_new_string (path));
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  return path;
}

static void
measure (const char *path, int *width, int *height)
{
  g_autoptr (GdkTexture) texture = gdk_texture_new_from_filename (path, NULL);

  g_assert_nonnull (texture);
  *width = gdk_texture_get_width (texture);
  *height = gdk_texture_get_height (texture);
}

static gboolean
has_picture (SampleWindow *sample, gconstpointer data)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (sample->window), "export-picture");
}

static void
assert_titled (const char *path, const char *title)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, title));
  g_unlink (path);
}

static void
test_a_chart_tells_its_study_and_when_it_was_recorded (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *svg = NULL;
  g_autofree char *png = NULL;
  int width;
  int height;

  culprit_study_window_show_page (sample->window, "latency");
  sample_window_settle ();
  svg = export_picture (sample, "chart.svg");
  assert_titled (svg, "<title>sample.culprit, recorded 2026-11-21: ");
  png = export_picture (sample, "chart.png");
  measure (png, &width, &height);
  g_assert_cmpint (width, >, SAMPLE_WINDOW_WIDTH);
  g_unlink (png);
}

static void
test_a_timeline_has_all_its_rows_and_a_title (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GPtrArray) views = NULL;
  g_autofree char *svg = NULL;
  g_autofree char *png = NULL;
  int width;
  int height;

  sample_window_choose (sample, 1);
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "details", g_variant_new_string ("timeline"));
  sample_window_wait_until (has_picture, sample, NULL);
  sample_window_settle ();
  views = sample_window_find (sample, CULPRIT_TYPE_TIMELINE_VIEW);
  g_assert_cmpuint (views->len, ==, 1);
  svg = export_picture (sample, "timeline.svg");
  assert_titled (svg,
                 "<title>sample.culprit: timeline of slides-001.dat (slides/on-1), 3.158 ms late, recorded 2026-11-21 "
                 "11:0");
  png = export_picture (sample, "timeline.png");
  measure (png, &width, &height);
  g_assert_cmpint (width, >=, 1920);
  g_assert_cmpint (height, >, 3 * gtk_widget_get_height (g_ptr_array_index (views, 0)));
  g_unlink (png);
}

/* The name that the dialog for a file to write suggests. The caller owns it. */
static char *
find_suggested (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *one = windows; one; one = one->next)
    if (GTK_IS_FILE_CHOOSER (one->data) && gtk_widget_get_mapped (one->data))
      return gtk_file_chooser_get_current_name (one->data);
  return NULL;
}

static void
test_a_picture_of_a_timeline_is_called_like_its_capture (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *timeline = NULL;

  sample_window_show_timeline (sample);
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "export-picture", NULL);
  sample_window_settle ();
  timeline = find_suggested ();
  g_assert_cmpstr (timeline, ==, "sample-slides-003.svg");
}

static gboolean
is_asked (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *suggested = find_suggested ();

  return suggested && *suggested;
}

static void
test_a_name_that_is_not_utf8_is_suggested_as_a_valid_one (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GList) windows = NULL;
  g_autofree char *suggested = NULL;

  compat_save (GTK_WINDOW (sample->window), "Save", sample->folder, "\xe9.csv", NULL, NULL, NULL);
  sample_window_wait_until (is_asked, sample, NULL);
  suggested = find_suggested ();
  g_assert_true (g_str_has_suffix (suggested, ".csv") && g_utf8_validate (suggested, -1, NULL));
  windows = gtk_window_list_toplevels ();
  for (GList *one = windows; one; one = one->next)
    g_assert_false (GTK_IS_MESSAGE_DIALOG (one->data));
}

static void
test_an_export_does_not_replace_the_study (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (CulpritStudy) study = NULL;

  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_settle ();
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "export-table-to",
                                  g_variant_new_string (sample->study));
  sample_window_wait_until (sample_window_tells, sample, "is a study, or belongs to one");
  study = culprit_study_open (sample->study, CULPRIT_STUDY_READ, NULL);
  g_assert_nonnull (study);
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/pictures/a-chart-tells-its-study-and-when-it-was-recorded",
                     test_a_chart_tells_its_study_and_when_it_was_recorded);
  sample_window_add ("/pictures/a-timeline-has-all-its-rows-and-a-title", test_a_timeline_has_all_its_rows_and_a_title);
  sample_window_add ("/pictures/a-picture-of-a-timeline-is-called-like-its-capture",
                     test_a_picture_of_a_timeline_is_called_like_its_capture);
  sample_window_add ("/pictures/a-name-that-is-not-utf8-is-suggested-as-a-valid-one",
                     test_a_name_that_is_not_utf8_is_suggested_as_a_valid_one);
  sample_window_add ("/pictures/an-export-does-not-replace-the-study", test_an_export_does_not_replace_the_study);
  return g_test_run ();
}

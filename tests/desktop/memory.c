/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was typed for a study, and where dividers were put, is there in the next window. */
#include "sample-window.h"

#include "application.h"

#define POSITION 700 /* which the page has by itself nowhere */

static gboolean
is_judged (SampleWindow *sample, gconstpointer data)
{
  return culprit_document_verdict (culprit_study_window_document (sample->window)) != NULL;
}

static void
open_again (SampleWindow *sample, const char *path)
{
  g_application_hold (G_APPLICATION (sample->application));
  gtk_window_destroy (GTK_WINDOW (sample->window));
  sample->window = culprit_application_begin (sample->application, path, NULL);
  g_application_release (G_APPLICATION (sample->application));
  sample_window_settle ();
}

static void
show (SampleWindow *sample, const char *page)
{
  culprit_study_window_show_page (sample->window, page);
  sample_window_settle ();
}

static const char *
read_entry (SampleWindow *sample, const char *name)
{
  return gtk_editable_get_text (GTK_EDITABLE (sample_window_named (sample, name)));
}

static void
test_a_form_is_as_it_was_left_for_its_study (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *other = g_build_filename (sample->folder, "other.culprit", NULL);

  show (sample, "record");
  gtk_editable_set_text (GTK_EDITABLE (sample_window_named (sample, "period")), "7ms");
  gtk_editable_set_text (GTK_EDITABLE (sample_window_named (sample, "run")), "");
  gtk_drop_down_set_selected (GTK_DROP_DOWN (sample_window_named (sample, "trigger")), 1);
  gtk_editable_set_text (GTK_EDITABLE (sample_window_named (sample, "threshold")), "300us");
  open_again (sample, other);
  show (sample, "record");
  g_assert_cmpstr (read_entry (sample, "period"), ==, "5ms");
  open_again (sample, sample->study);
  sample_window_wait_until (is_judged, sample, NULL);
  show (sample, "record");
  g_assert_cmpstr (read_entry (sample, "period"), ==, "7ms");
  g_assert_cmpstr (read_entry (sample, "run"), ==, "");
  g_assert_cmpstr (read_entry (sample, "threshold"), ==, "300us");
}

static GtkPaned *
find_paned (SampleWindow *sample)
{
  g_autoptr (GPtrArray) found = sample_window_find (sample, GTK_TYPE_PANED);

  return g_ptr_array_index (found, 0);
}

static void
test_a_divider_stays_where_it_was_put (SampleWindow *sample, gconstpointer data)
{
  show (sample, "functions");
  gtk_paned_set_position (find_paned (sample), POSITION);
  sample_window_settle ();
  show (sample, "outliers");
  open_again (sample, sample->study);
  sample_window_wait_until (is_judged, sample, NULL);
  show (sample, "functions");
  g_assert_cmpint (gtk_paned_get_position (find_paned (sample)), ==, POSITION);
}

static void
test_a_divider_is_restored_when_a_narrow_window_is_widened (SampleWindow *sample, gconstpointer data)
{
  show (sample, "functions");
  gtk_paned_set_position (find_paned (sample), POSITION);
  sample_window_settle ();
  g_application_hold (G_APPLICATION (sample->application));
  gtk_window_destroy (GTK_WINDOW (sample->window));
  sample->window = culprit_study_window_new (sample->application);
  gtk_window_set_default_size (GTK_WINDOW (sample->window), 800, 600);
  g_assert_true (culprit_application_begin (sample->application, sample->study, "functions") == sample->window);
  g_application_release (G_APPLICATION (sample->application));
  sample_window_wait_until (is_judged, sample, NULL);
  sample_window_settle ();
  g_assert_cmpint (gtk_orientable_get_orientation (GTK_ORIENTABLE (find_paned (sample))), ==, GTK_ORIENTATION_VERTICAL);
  gtk_window_set_default_size (GTK_WINDOW (sample->window), SAMPLE_WINDOW_WIDTH, SAMPLE_WINDOW_HEIGHT);
  g_assert_cmpint (gtk_paned_get_position (find_paned (sample)), ==, POSITION);
}

static void
test_dividers_side_by_side_and_above_each_other_are_two (SampleWindow *sample, gconstpointer data)
{
  const int above = POSITION / 2;
  GtkOrientable *paned;
  gboolean put;

  show (sample, "functions");
  paned = GTK_ORIENTABLE (find_paned (sample));
  gtk_paned_set_position (GTK_PANED (paned), POSITION);
  gtk_orientable_set_orientation (paned, GTK_ORIENTATION_VERTICAL);
  g_object_get (paned, "position-set", &put, NULL);
  g_assert_false (put);
  gtk_paned_set_position (GTK_PANED (paned), above);
  gtk_orientable_set_orientation (paned, GTK_ORIENTATION_HORIZONTAL);
  g_assert_cmpint (gtk_paned_get_position (GTK_PANED (paned)), ==, POSITION);
  gtk_orientable_set_orientation (paned, GTK_ORIENTATION_VERTICAL);
  g_assert_cmpint (gtk_paned_get_position (GTK_PANED (paned)), ==, above);
}

/* The toggle of the page that is seen. */
static GtkToggleButton *
find_axis (SampleWindow *sample)
{
  g_autoptr (GPtrArray) toggles = sample_window_find (sample, GTK_TYPE_TOGGLE_BUTTON);

  for (guint i = 0; i < toggles->len; i++)
    if (g_strcmp0 (gtk_button_get_label (g_ptr_array_index (toggles, i)), "Log") == 0)
      return g_ptr_array_index (toggles, i);
  g_assert_not_reached ();
}

static void
test_the_latency_axis_is_the_one_that_was_chosen (SampleWindow *sample, gconstpointer data)
{
  show (sample, "latency");
  g_assert_true (gtk_toggle_button_get_active (find_axis (sample)));
  gtk_toggle_button_set_active (find_axis (sample), FALSE);
  open_again (sample, sample->study);
  show (sample, "latency");
  g_assert_false (gtk_toggle_button_get_active (find_axis (sample)));
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/memory/a-form-is-as-it-was-left-for-its-study", test_a_form_is_as_it_was_left_for_its_study);
  sample_window_add ("/memory/a-divider-stays-where-it-was-put", test_a_divider_stays_where_it_was_put);
  sample_window_add ("/memory/a-divider-is-restored-when-a-narrow-window-is-widened",
                     test_a_divider_is_restored_when_a_narrow_window_is_widened);
  sample_window_add ("/memory/dividers-side-by-side-and-above-each-other-are-two",
                     test_dividers_side_by_side_and_above_each_other_are_two);
  sample_window_add ("/memory/the-latency-axis-is-the-one-that-was-chosen",
                     test_the_latency_axis_is_the_one_that_was_chosen);
  return g_test_run ();
}

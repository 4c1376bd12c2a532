/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A capture that is ignored is dimmed in the list of late wake-ups, which says why, and the pages that leave it out say
 * so. */
#include "sample-window.h"

#define NOTE "1 ignored capture is left out"

static gboolean
has_no_label (SampleWindow *sample, gconstpointer text)
{
  return !sample_window_tells (sample, text);
}

static guint
count_dimmed (SampleWindow *sample)
{
  g_autoptr (GPtrArray) all = sample_window_find (sample, GTK_TYPE_WIDGET);
  guint count = 0;

  for (guint i = 0; i < all->len; i++)
    count += gtk_widget_has_css_class (g_ptr_array_index (all, i), "dimmed");
  return count;
}

static gboolean
dims (SampleWindow *sample, gconstpointer rows)
{
  return count_dimmed (sample) == GPOINTER_TO_UINT (rows);
}

static void
triage (SampleWindow *sample, const char *state)
{
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "triage", g_variant_new_string (state));
}

static void
test_the_row_of_an_ignored_capture_is_dimmed_until_it_counts_again (SampleWindow *sample, gconstpointer data)
{
  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_settle ();
  g_assert_cmpuint (count_dimmed (sample), ==, 0);
  triage (sample, "ignored");
  sample_window_wait_until (dims, sample, GUINT_TO_POINTER (1));
  sample_window_settle ();
  g_assert_cmpuint (count_dimmed (sample), ==, 1);
  /* Its badge, its state, and the choice of states beside its note. */
  g_assert_cmpuint (sample_window_count_labels (sample, "ignored"), >=, 3);
  triage (sample, "seen");
  sample_window_wait_until (dims, sample, GUINT_TO_POINTER (0));
}

static GtkWidget *
find_list (SampleWindow *sample)
{
  g_autoptr (GPtrArray) lists = sample_window_find (sample, GTK_TYPE_COLUMN_VIEW);

  return g_ptr_array_index (lists, 0);
}

static gboolean
is_in_list (SampleWindow *sample)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (sample->window));

  return focus && gtk_widget_get_ancestor (focus, GTK_TYPE_COLUMN_VIEW) == find_list (sample);
}

static void
test_who_goes_through_the_list_by_keys_can_go_on (SampleWindow *sample, gconstpointer data)
{
  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_settle ();
  g_assert_true (gtk_widget_grab_focus (find_list (sample)));
  g_assert_true (is_in_list (sample));
  triage (sample, "ignored");
  sample_window_wait_until (dims, sample, GUINT_TO_POINTER (1));
  sample_window_settle ();
  g_assert_true (is_in_list (sample));
}

static void
test_pages_say_what_they_leave_out (SampleWindow *sample, gconstpointer data)
{
  const char *const pages[] = { "functions", "stalls" };

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      culprit_study_window_show_page (sample->window, pages[i]);
      sample_window_wait_until (sample_window_tells, sample, "wake-up");
      g_assert_true (has_no_label (sample, "left out"));
    }
  triage (sample, "ignored");
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      culprit_study_window_show_page (sample->window, pages[i]);
      sample_window_wait_until (sample_window_tells, sample, NOTE);
    }
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "undo", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      culprit_study_window_show_page (sample->window, pages[i]);
      sample_window_wait_until (has_no_label, sample, "left out");
    }
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/ignored/the-row-of-an-ignored-capture-is-dimmed-until-it-counts-again",
                     test_the_row_of_an_ignored_capture_is_dimmed_until_it_counts_again);
  sample_window_add ("/ignored/who-goes-through-the-list-by-keys-can-go-on",
                     test_who_goes_through_the_list_by_keys_can_go_on);
  sample_window_add ("/ignored/pages-say-what-they-leave-out", test_pages_say_what_they_leave_out);
  return g_test_run ();
}

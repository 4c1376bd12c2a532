/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the page Compare answers first, and what it offers to record. */
#include "sample-window.h"

#include <string.h>

static void
show_compare (SampleWindow *sample)
{
  culprit_study_window_show_page (sample->window, "compare");
  sample_window_wait_until (sample_window_tells, sample, "slides/on-1 against slides/off-1");
}

/* Whether an entry that is seen has @text. */
static gboolean
form_has (SampleWindow *sample, gconstpointer text)
{
  g_autoptr (GPtrArray) entries = sample_window_find (sample, GTK_TYPE_ENTRY);

  for (guint i = 0; i < entries->len; i++)
    if (g_str_equal (gtk_editable_get_text (g_ptr_array_index (entries, i)), text))
      return TRUE;
  return FALSE;
}

static gboolean
shows_choice (SampleWindow *sample, gconstpointer text)
{
  g_autoptr (GPtrArray) choices = sample_window_find (sample, GTK_TYPE_DROP_DOWN);

  for (guint i = 0; i < choices->len; i++)
    {
      GtkStringObject *item = gtk_drop_down_get_selected_item (g_ptr_array_index (choices, i));

      if (GTK_IS_STRING_OBJECT (item) && g_str_equal (gtk_string_object_get_string (item), text))
        return TRUE;
    }
  return FALSE;
}

static void
test_one_run_each_says_what_is_plain_first (SampleWindow *sample, gconstpointer data)
{
  show_compare (sample);
  g_assert_true (sample_window_shows_label (sample,
                                            "slides/on-1 against slides/off-1: 286.4 us more at the median; every "
                                            "quantile is larger; they overlap in only 0.27 % of the "
                                            "wake-ups."));
  g_assert_true (sample_window_tells (sample, "which is larger, needs no further runs"));
  g_assert_true (sample_window_tells (sample, "so six or more runs of each are needed"));
  g_assert_false (sample_window_tells (sample, "no verdict"));
  g_assert_false (sample_window_tells (sample, "untested"));
  g_assert_false (sample_window_shows_label (sample, "inconclusive"));
}

static void
test_six_in_turn_are_filled_in (SampleWindow *sample, gconstpointer data)
{
  GtkWidget *button;

  show_compare (sample);
  button = sample_window_button (sample, "Record Six of Each");
  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
  sample_window_wait_until (form_has, sample, "6");
  g_assert_true (shows_choice (sample, "Alternate off and on"));
  g_assert_true (shows_choice (sample, "None: latencies only"));
  g_assert_true (sample_window_tells (sample, "Filled in from “slides/off-1”"));
}

/* Types @text as what is mapped. */
static void
map (SampleWindow *sample, const char *text)
{
  g_autoptr (GPtrArray) entries = NULL;

  show_compare (sample);
  entries = sample_window_find (sample, GTK_TYPE_ENTRY);
  g_assert_cmpuint (entries->len, ==, 1);
  g_assert_false (gtk_widget_get_sensitive (sample_window_button (sample, "Record These")));
  gtk_editable_set_text (g_ptr_array_index (entries, 0), text);
}

static void
test_a_mapped_threshold_is_recorded (SampleWindow *sample, gconstpointer data)
{
  map (sample, "32us");
  g_assert_true (sample_window_tells (sample, "corresponds to 394.3 us"));
  g_assert_true (sample_window_tells (sample, "95.23 % of the wake-ups are not above it"));
  g_signal_emit_by_name (sample_window_button (sample, "Record These"), "clicked");
  sample_window_wait_until (shows_choice, sample, "Later than a threshold");
  g_assert_true (form_has (sample, "394.313us"));
}

static void
test_a_threshold_above_the_ordinary_is_told (SampleWindow *sample, gconstpointer data)
{
  map (sample, "200us");
  g_assert_true (sample_window_tells (sample, "To be recorded: later than "));
  g_assert_true (sample_window_tells (sample, "which ordinary wake-ups with tracing do not reach"));
}

static void
test_a_mapped_band_is_recorded (SampleWindow *sample, gconstpointer data)
{
  map (sample, "19.5us,20.5us");
  g_signal_emit_by_name (sample_window_button (sample, "Record These"), "clicked");
  sample_window_wait_until (shows_choice, sample, "Latency within a band");
  g_assert_true (form_has (sample, "351.287us"));
  g_assert_true (sample_window_tells (sample, "already refers to traced latencies"));
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/answers/one-run-each-says-what-is-plain-first", test_one_run_each_says_what_is_plain_first);
  sample_window_add ("/answers/six-in-turn-are-filled-in", test_six_in_turn_are_filled_in);
  sample_window_add ("/answers/a-mapped-threshold-is-recorded", test_a_mapped_threshold_is_recorded);
  sample_window_add ("/answers/a-threshold-above-the-ordinary-is-told", test_a_threshold_above_the_ordinary_is_told);
  sample_window_add ("/answers/a-mapped-band-is-recorded", test_a_mapped_band_is_recorded);
  return g_test_run ();
}

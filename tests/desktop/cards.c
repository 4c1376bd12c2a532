/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict in cards: what each says of its cause. */
#include "card-window.h"

#include "document.h"
#include "triage.h"

#define WEIGHT "62 % of all excess (35 to 84 %)"

static CulpritDocument *
document_of (SampleWindow *sample)
{
  return culprit_study_window_document (sample->window);
}

static void
test_there_is_a_card_for_each_cause (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GPtrArray) meters = NULL;
  GtkWidget *meter, *count;

  card_window_show (sample);
  g_assert_cmpuint (card_window_count (sample), ==, 2);
  g_assert_nonnull (card_window_label (sample, CARD_WINDOW_FUNCTION, "qh_completions"));
  g_assert_nonnull (card_window_label (sample, CARD_WINDOW_FUNCTION, "(in an interrupt)"));
  g_assert_nonnull (card_window_label (sample, CARD_WINDOW_FUNCTION, "called too often"));
  count = card_window_label (sample, CARD_WINDOW_FUNCTION, "8 of 13 captures");
  g_assert_nonnull (count);
  g_assert_cmpstr (gtk_widget_get_tooltip_text (count), ==, "Carries 35 to 84 % of such wake-ups");
  g_assert_nonnull (card_window_label (sample, CARD_WINDOW_FUNCTION, "512 times on average instead of 4.2"));
  g_assert_nonnull (card_window_label (sample, CARD_WINDOW_STALL, "hypervisor"));
  g_assert_nonnull (card_window_label (sample, CARD_WINDOW_STALL, "blind stall"));
  g_assert_nonnull (card_window_label (sample, CARD_WINDOW_STALL, "5 of 13 captures"));
  g_assert_nonnull (card_window_label (sample, CARD_WINDOW_STALL, "pin the virtual CPUs"));
  g_assert_null (card_window_label (sample, CARD_WINDOW_FUNCTION, "not established"));
  meters = sample_window_find (sample, GTK_TYPE_LEVEL_BAR);
  meter = g_ptr_array_index (meters, 0);
  g_assert_cmpfloat (gtk_level_bar_get_value (GTK_LEVEL_BAR (meter)), ==, CARD_WINDOW_EXPLAINED);
  g_assert_cmpfloat (gtk_level_bar_get_max_value (GTK_LEVEL_BAR (meter)), ==, CARD_WINDOW_CAPTURES);
  g_assert_true (sample_window_tells (sample, "the ranking is not yet stable"));
  /* No shell commands. */
  g_assert_false (sample_window_tells (sample, "culprit record"));
  g_assert_false (sample_window_tells (sample, "culprit stalls"));
}

static void
test_confidence_and_weight_are_words_with_numbers_behind_them (SampleWindow *sample, gconstpointer data)
{
  GtkWidget *confidence;
  GtkWidget *weight;

  card_window_show (sample);
  g_assert_nonnull (card_window_label (sample, CARD_WINDOW_FUNCTION, "Confidence: almost certain"));
  g_assert_nonnull (card_window_label (sample, CARD_WINDOW_FUNCTION, "Weight: most of the excess (estimate)"));
  g_assert_nonnull (card_window_label (sample, CARD_WINDOW_STALL, "Confidence: likely"));
  g_assert_nonnull (card_window_label (sample, CARD_WINDOW_STALL, "Weight: a part of the excess (estimate)"));
  g_assert_false (sample_window_tells (sample, "62 %"));
  confidence = card_window_fact (sample, CARD_WINDOW_FUNCTION, "Confidence over 99 %. How certain it is");
  weight = card_window_fact (sample, CARD_WINDOW_FUNCTION, WEIGHT ". Its share");
  g_assert_nonnull (confidence);
  g_assert_nonnull (weight);
  g_assert_nonnull (card_window_fact (sample, CARD_WINDOW_STALL, "Confidence 94 %"));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (confidence), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Confidence: almost certain");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (weight), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, WEIGHT);
  /* As they are for who has no pointer. */
  gtk_menu_button_popup (GTK_MENU_BUTTON (weight));
  sample_window_wait_until (sample_window_tells, sample, "62 % of all excess");
  gtk_menu_button_popdown (GTK_MENU_BUTTON (weight));
}

static void
test_what_is_not_established_is_a_card_that_says_so (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();

  for (gint64 capture = 2; capture <= CARD_WINDOW_CAPTURES; capture++)
    g_ptr_array_add (rows, culprit_rows_find (culprit_document_outliers (document_of (sample)), "capture", capture));
  triage_set (document_of (sample), rows, "ignored", NULL);
  card_window_show (sample);
  sample_window_wait_until (sample_window_tells, sample, "One capture shows nothing general");
  g_assert_true (sample_window_tells (sample, "This one: "));
  g_assert_cmpuint (card_window_count (sample), ==, 1);
  g_assert_nonnull (card_window_label (sample, CARD_WINDOW_FUNCTION, "not established"));
  g_assert_nonnull (card_window_label (sample, CARD_WINDOW_FUNCTION, "1 of 1 late wake-up"));
  g_assert_nonnull (card_window_button (sample, CARD_WINDOW_FUNCTION, "Take 9 More"));
  g_assert_true (sample_window_tells (sample, "12 ignored captures are left out"));
}

static void
test_without_captures_that_count_it_says_why_in_the_same_height (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  int before;

  card_window_show (sample);
  before = gtk_widget_get_height (card_window_list (sample));
  for (gint64 capture = 1; capture <= CARD_WINDOW_CAPTURES; capture++)
    g_ptr_array_add (rows, culprit_rows_find (culprit_document_outliers (document_of (sample)), "capture", capture));
  triage_set (document_of (sample), rows, "ignored", NULL);
  sample_window_wait_until (sample_window_tells, sample, "All late wake-ups are ignored: there is nothing to analyse.");
  sample_window_settle ();
  g_assert_cmpuint (card_window_count (sample), ==, 0);
  g_assert_cmpuint (sample_window_count_labels (sample, " More"), ==, 0);
  g_assert_cmpint (gtk_widget_get_height (card_window_list (sample)), ==, before);
}

static GtkWidget *
find_expander (SampleWindow *sample)
{
  g_autoptr (GPtrArray) expanders = sample_window_find (sample, GTK_TYPE_EXPANDER);

  return g_ptr_array_index (expanders, 0);
}

static GtkWidget *
find_note (SampleWindow *sample)
{
  g_autoptr (GPtrArray) entries = sample_window_find (sample, GTK_TYPE_ENTRY);

  return g_ptr_array_index (entries, 0);
}

/* Whether the focus comes to @widget by the Tab key, within @most steps from where it is. */
static gboolean
is_reached (SampleWindow *sample, GtkWidget *widget, guint most)
{
  for (guint i = 0; i < most; i++)
    {
      GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (sample->window));

      if (focus && (focus == widget || gtk_widget_is_ancestor (focus, widget)))
        return TRUE;
      g_signal_emit_by_name (sample->window, "move-focus", GTK_DIR_TAB_FORWARD);
    }
  return FALSE;
}

static void
test_all_of_a_card_is_reached_by_keys (SampleWindow *sample, gconstpointer data)
{
  const guint most = 40;

  card_window_show (sample);
  g_assert_true (gtk_widget_grab_focus (find_expander (sample)));
  g_assert_true (is_reached (sample, card_window_label (sample, CARD_WINDOW_FUNCTION, "(in an interrupt)"), most));
  g_assert_true (is_reached (sample, card_window_fact (sample, CARD_WINDOW_FUNCTION, "Confidence over"), most));
  g_assert_true (is_reached (sample, card_window_fact (sample, CARD_WINDOW_FUNCTION, WEIGHT), most));
  g_assert_true (is_reached (sample, card_window_label (sample, CARD_WINDOW_FUNCTION, " › "), most));
  g_assert_true (is_reached (sample, card_window_button (sample, CARD_WINDOW_FUNCTION, "Show Captures"), most));
  g_assert_true (
      is_reached (sample, card_window_button (sample, CARD_WINDOW_FUNCTION, "Trace Only This Function"), most));
  g_assert_true (is_reached (sample, card_window_button (sample, CARD_WINDOW_STALL, "Take 13 More"), most));
  /* And what comes behind it. */
  g_assert_true (is_reached (sample, card_window_list (sample), most));
  g_assert_true (is_reached (sample, find_note (sample), most));
}

static void
test_it_collapses_to_a_line_that_names_the_causes (SampleWindow *sample, gconstpointer data)
{
  int before;

  card_window_show (sample);
  before = gtk_widget_get_height (card_window_list (sample));
  g_assert_false (sample_window_tells (sample, "qh_completions (in an interrupt): 8 of 13 captures"));
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "verdict", NULL);
  sample_window_settle ();
  g_assert_cmpuint (card_window_count (sample), ==, 0);
  g_assert_true (sample_window_tells (sample, "qh_completions (in an interrupt): 8 of 13 captures"));
  g_assert_cmpint (gtk_widget_get_height (card_window_list (sample)), >, before);
  gtk_widget_activate (find_expander (sample));
  sample_window_settle ();
  g_assert_cmpuint (card_window_count (sample), ==, 2);
  g_assert_cmpint (gtk_widget_get_height (card_window_list (sample)), ==, before);
}

static void
test_the_focus_passes_what_is_collapsed (SampleWindow *sample, gconstpointer data)
{
  const char *const pages[] = { "outliers", "record" };
  const guint steps = 60; /* more than a page has places for the focus */

  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "verdict", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      culprit_study_window_show_page (sample->window, pages[i]);
      sample_window_settle ();
      g_assert_true (gtk_widget_grab_focus (find_expander (sample)));
      for (guint step = 0; step < steps; step++)
        g_signal_emit_by_name (sample->window, "move-focus",
                               step < steps / 2 ? GTK_DIR_TAB_FORWARD : GTK_DIR_TAB_BACKWARD);
    }
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/cards/one-for-each-cause", test_there_is_a_card_for_each_cause);
  sample_window_add ("/cards/words-with-numbers-behind-them",
                     test_confidence_and_weight_are_words_with_numbers_behind_them);
  sample_window_add ("/cards/what-is-not-established", test_what_is_not_established_is_a_card_that_says_so);
  sample_window_add ("/cards/without-captures-that-count",
                     test_without_captures_that_count_it_says_why_in_the_same_height);
  sample_window_add ("/cards/keys-reach-all-of-it", test_all_of_a_card_is_reached_by_keys);
  sample_window_add ("/cards/it-collapses-to-a-line", test_it_collapses_to_a_line_that_names_the_causes);
  sample_window_add ("/cards/the-focus-passes-what-is-collapsed", test_the_focus_passes_what_is_collapsed);
  return g_test_run ();
}

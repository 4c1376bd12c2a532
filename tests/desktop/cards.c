/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict in cards: what each says of its cause, and what its links and buttons do. */
#include "sample-window.h"

#include "document.h"
#include "outliers/cause-card.h"

#include <string.h>

#define FUNCTION "qh_completions [culprit_fault]"
#define CALLER "ehci_work [culprit_fault]"
#define WEIGHT "62 % of all excess (35 to 84 %)"
#define STALL 1 /* the place of the card of blind stalls */
#define EXPLAINED 8
#define CAPTURES 13

static CulpritDocument *
document_of (SampleWindow *sample)
{
  return culprit_study_window_document (sample->window);
}

static guint
count_cards (SampleWindow *sample)
{
  g_autoptr (GPtrArray) cards = sample_window_find (sample, CULPRIT_TYPE_CAUSE_CARD);

  return cards->len;
}

static GtkWidget *
find_card (SampleWindow *sample, guint place)
{
  g_autoptr (GPtrArray) cards = sample_window_find (sample, CULPRIT_TYPE_CAUSE_CARD);

  g_assert_cmpuint (place, <, cards->len);
  return g_ptr_array_index (cards, place);
}

/* Of the widgets of @type in @card, the one for which @property reads @text; NULL: none. */
static GtkWidget *
find_in (SampleWindow *sample, GtkWidget *card, GType type, const char *property, const char *text)
{
  g_autoptr (GPtrArray) found = sample_window_find (sample, type);

  for (guint i = 0; i < found->len; i++)
    {
      g_autofree char *own = NULL;

      if (!gtk_widget_is_ancestor (g_ptr_array_index (found, i), card))
        continue;
      g_object_get (g_ptr_array_index (found, i), property, &own, NULL);
      if (own && strstr (own, text))
        return g_ptr_array_index (found, i);
    }
  return NULL;
}

static GtkWidget *
find_label (SampleWindow *sample, guint card, const char *text)
{
  return find_in (sample, find_card (sample, card), GTK_TYPE_LABEL, "label", text);
}

static GtkWidget *
find_button (SampleWindow *sample, guint card, const char *label)
{
  return find_in (sample, find_card (sample, card), GTK_TYPE_BUTTON, "label", label);
}

static void
press (SampleWindow *sample, guint card, const char *label)
{
  GtkWidget *button = find_button (sample, card, label);

  g_assert_nonnull (button);
  g_assert_true (gtk_widget_is_sensitive (button));
  g_signal_emit_by_name (button, "clicked");
  sample_window_wait_us (SAMPLE_WINDOW_QUIET_US);
}

static void
show_outliers (SampleWindow *sample)
{
  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_wait_us (SAMPLE_WINDOW_QUIET_US);
}

static const char *
shown_page (SampleWindow *sample)
{
  return gtk_stack_get_visible_child_name (GTK_STACK (culprit_study_window_pages (sample->window)));
}

static GtkWidget *
find_list (SampleWindow *sample)
{
  g_autoptr (GPtrArray) lists = sample_window_find (sample, GTK_TYPE_COLUMN_VIEW);

  return g_ptr_array_index (lists, 0);
}

static guint
count_rows (SampleWindow *sample)
{
  return g_list_model_get_n_items (G_LIST_MODEL (gtk_column_view_get_model (GTK_COLUMN_VIEW (find_list (sample)))));
}

/* What the entry or choice of the form beside the label @title has. */
static char *
read_field (SampleWindow *sample, const char *title)
{
  g_autoptr (GPtrArray) labels = sample_window_find (sample, GTK_TYPE_LABEL);

  for (guint i = 0; i < labels->len; i++)
    {
      GtkLabel *label = g_ptr_array_index (labels, i);
      GtkWidget *input = gtk_label_get_mnemonic_widget (label);

      if (!input || !g_str_equal (gtk_label_get_text (label), title))
        continue;
      if (GTK_IS_EDITABLE (input))
        return g_strdup (gtk_editable_get_text (GTK_EDITABLE (input)));
      return g_strdup_printf ("choice %u", gtk_drop_down_get_selected (GTK_DROP_DOWN (input)));
    }
  return NULL;
}

static void
assert_field (SampleWindow *sample, const char *title, const char *text)
{
  g_autofree char *own = read_field (sample, title);

  g_assert_cmpstr (own, ==, text);
}

/* What the entry has that would take keys; it has to be in view. */
static const char *
read_focus (SampleWindow *sample)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (sample->window));
  GtkWidget *scrolled = focus ? gtk_widget_get_ancestor (focus, GTK_TYPE_SCROLLED_WINDOW) : NULL;
  graphene_rect_t bounds;

  g_assert_true (focus && scrolled && GTK_IS_EDITABLE (focus));
  g_assert_true (gtk_widget_compute_bounds (focus, scrolled, &bounds));
  g_assert_cmpfloat (bounds.origin.y, >=, 0);
  g_assert_cmpfloat (bounds.origin.y + bounds.size.height, <=, gtk_widget_get_height (scrolled));
  return gtk_editable_get_text (GTK_EDITABLE (focus));
}

static void
test_there_is_a_card_for_each_cause (SampleWindow *sample, gconstpointer data)
{
  GtkWidget *meter;

  show_outliers (sample);
  g_assert_cmpuint (count_cards (sample), ==, 2);
  g_assert_nonnull (find_label (sample, 0, "qh_completions"));
  g_assert_nonnull (find_label (sample, 0, "(in an interrupt)"));
  g_assert_nonnull (find_label (sample, 0, "called too often"));
  g_assert_nonnull (find_label (sample, 0, "8 of 13 captures"));
  g_assert_nonnull (find_label (sample, 0, "Called 512 times instead of 4.2"));
  g_assert_nonnull (find_label (sample, STALL, "hypervisor"));
  g_assert_nonnull (find_label (sample, STALL, "blind stall"));
  g_assert_nonnull (find_label (sample, STALL, "5 of 13 captures"));
  g_assert_nonnull (find_label (sample, STALL, "pin the virtual CPUs"));
  g_assert_null (find_label (sample, 0, "not established"));
  meter = find_in (sample, find_card (sample, 0), GTK_TYPE_LEVEL_BAR, "name", "");
  g_assert_cmpfloat (gtk_level_bar_get_value (GTK_LEVEL_BAR (meter)), ==, EXPLAINED);
  g_assert_cmpfloat (gtk_level_bar_get_max_value (GTK_LEVEL_BAR (meter)), ==, CAPTURES);
  g_assert_true (sample_window_tells (sample, "the ranking is not yet stable"));
  /* No shell commands. */
  g_assert_false (sample_window_tells (sample, "culprit record"));
  g_assert_false (sample_window_tells (sample, "culprit stalls"));
}

/* The menu button in @card whose tooltip has @number. */
static GtkWidget *
find_fact (SampleWindow *sample, guint card, const char *number)
{
  return find_in (sample, find_card (sample, card), GTK_TYPE_MENU_BUTTON, "tooltip-text", number);
}

static void
test_confidence_and_weight_are_words_with_numbers_behind_them (SampleWindow *sample, gconstpointer data)
{
  GtkWidget *confidence;
  GtkWidget *weight;

  show_outliers (sample);
  g_assert_nonnull (find_label (sample, 0, "Confidence: almost certain"));
  g_assert_nonnull (find_label (sample, 0, "Weight: probably most"));
  g_assert_nonnull (find_label (sample, STALL, "Confidence: likely"));
  g_assert_nonnull (find_label (sample, STALL, "Weight: probably some"));
  g_assert_false (sample_window_tells (sample, "62 %"));
  confidence = find_fact (sample, 0, "Confidence over 99 %. How sure it is");
  weight = find_fact (sample, 0, WEIGHT ". Its part");
  g_assert_nonnull (confidence);
  g_assert_nonnull (weight);
  g_assert_nonnull (find_fact (sample, STALL, "Confidence 94 %"));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (confidence), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Confidence: almost certain");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (weight), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, WEIGHT);
  /* As they are for who has no pointer. */
  gtk_menu_button_popup (GTK_MENU_BUTTON (weight));
  sample_window_wait_until (sample_window_tells, sample, "62 % of all excess");
  gtk_menu_button_popdown (GTK_MENU_BUTTON (weight));
}

static void
follow (SampleWindow *sample, const char *in, const char *function)
{
  GtkWidget *label = find_label (sample, 0, in);
  gboolean handled;

  g_assert_nonnull (strstr (gtk_label_get_label (GTK_LABEL (label)), function));
  g_signal_emit_by_name (label, "activate-link", function, &handled);
  g_assert_true (handled);
}

static void
test_links_lead_to_functions (SampleWindow *sample, gconstpointer data)
{
  show_outliers (sample);
  follow (sample, " › ", CALLER);
  g_assert_cmpstr (culprit_document_function (document_of (sample)), ==, CALLER);
  g_assert_cmpstr (shown_page (sample), ==, "functions");
  show_outliers (sample);
  follow (sample, "(in an interrupt)", FUNCTION);
  g_assert_cmpstr (culprit_document_function (document_of (sample)), ==, FUNCTION);
  g_assert_cmpstr (shown_page (sample), ==, "functions");
}

static GtkWidget *
find_chip (SampleWindow *sample)
{
  g_autoptr (GPtrArray) labels = sample_window_find (sample, GTK_TYPE_LABEL);

  for (guint i = 0; i < labels->len; i++)
    if (g_str_has_prefix (gtk_label_get_text (g_ptr_array_index (labels, i)), "Only those of "))
      return gtk_widget_get_ancestor (g_ptr_array_index (labels, i), GTK_TYPE_BUTTON);
  return NULL;
}

static void
test_the_captures_of_a_cause_are_listed_alone (SampleWindow *sample, gconstpointer data)
{
  show_outliers (sample);
  g_assert_cmpuint (count_rows (sample), ==, CAPTURES);
  g_assert_null (find_chip (sample));
  press (sample, STALL, "Show Captures");
  g_assert_cmpuint (count_rows (sample), ==, CAPTURES - EXPLAINED);
  /* What was chosen is not among them. */
  g_assert_cmpint (culprit_document_capture (document_of (sample)), ==, EXPLAINED + 1);
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (find_button (sample, STALL, "Show Captures"))));
  press (sample, 0, "Show Captures");
  g_assert_cmpuint (count_rows (sample), ==, EXPLAINED);
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (find_button (sample, STALL, "Show Captures"))));
  press (sample, 0, "Show Captures");
  g_assert_cmpuint (count_rows (sample), ==, CAPTURES);
  press (sample, 0, "Show Captures");
  g_signal_emit_by_name (find_chip (sample), "clicked");
  sample_window_wait_us (SAMPLE_WINDOW_QUIET_US);
  g_assert_cmpuint (count_rows (sample), ==, CAPTURES);
  g_assert_null (find_chip (sample));
}

static gboolean
has_eight_rows (SampleWindow *sample, gconstpointer data)
{
  return !culprit_document_is_judging (document_of (sample)) && count_rows (sample) == EXPLAINED;
}

static void
test_other_captures_are_not_hidden_by_a_cause_they_do_not_have (SampleWindow *sample, gconstpointer data)
{
  show_outliers (sample);
  press (sample, STALL, "Show Captures");
  culprit_document_choose_run (document_of (sample), "slides/on-1");
  sample_window_wait_until (has_eight_rows, sample, NULL);
  sample_window_wait_us (SAMPLE_WINDOW_QUIET_US);
  g_assert_null (find_chip (sample));
  g_assert_cmpuint (count_cards (sample), ==, 1);
}

static void
test_a_function_is_recorded_alone_with_the_settings_of_its_series (SampleWindow *sample, gconstpointer data)
{
  show_outliers (sample);
  g_assert_null (find_button (sample, STALL, "Record With This Graph"));
  press (sample, 0, "Record With This Graph");
  g_assert_cmpstr (shown_page (sample), ==, "record");
  assert_field (sample, "Trace only", "qh_completions");
  assert_field (sample, "Later than", "700us");
  assert_field (sample, "Period", "5ms");
  assert_field (sample, "Captures", "");
  g_assert_cmpstr (read_focus (sample), ==, "qh_completions");
  g_assert_true (sample_window_tells (sample, "slides/on-1"));
}

static void
test_as_many_more_are_recorded_as_the_verdict_needs (SampleWindow *sample, gconstpointer data)
{
  show_outliers (sample);
  press (sample, STALL, "Take 13 More");
  g_assert_cmpstr (shown_page (sample), ==, "record");
  assert_field (sample, "Captures", "13");
  g_assert_cmpstr (read_focus (sample), ==, "13");
  assert_field (sample, "Later than", "700us");
  g_assert_true (sample_window_tells (sample, "firmware"));
  culprit_document_choose_run (document_of (sample), "firmware");
  show_outliers (sample);
  sample_window_wait_until (sample_window_tells, sample, "5 of 5 captures");
  g_assert_cmpuint (count_cards (sample), ==, 1);
  g_assert_null (find_button (sample, 0, "More"));
}

static void
test_stalls_are_shown_with_their_test (SampleWindow *sample, gconstpointer data)
{
  show_outliers (sample);
  g_assert_null (find_button (sample, 0, "Show Stalls"));
  press (sample, STALL, "Show Stalls");
  g_assert_cmpstr (shown_page (sample), ==, "stalls");
}

static void
test_what_is_not_established_is_a_card_that_says_so (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();

  for (gint64 capture = 2; capture <= CAPTURES; capture++)
    g_ptr_array_add (rows, culprit_rows_find (culprit_document_outliers (document_of (sample)), "capture", capture));
  culprit_document_triage (document_of (sample), rows, "ignored", NULL);
  show_outliers (sample);
  sample_window_wait_until (sample_window_tells, sample, "One capture alone cannot show a cause");
  g_assert_true (sample_window_tells (sample, "No cause: "));
  g_assert_cmpuint (count_cards (sample), ==, 1);
  g_assert_nonnull (find_label (sample, 0, "not established"));
  g_assert_nonnull (find_label (sample, 0, "1 of 1 capture"));
  g_assert_nonnull (find_button (sample, 0, "Take 9 More"));
  g_assert_true (sample_window_tells (sample, "12 ignored captures are left out"));
}

static void
test_without_captures_that_count_it_says_why_in_the_same_height (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  int before;

  show_outliers (sample);
  before = gtk_widget_get_height (find_list (sample));
  for (gint64 capture = 1; capture <= CAPTURES; capture++)
    g_ptr_array_add (rows, culprit_rows_find (culprit_document_outliers (document_of (sample)), "capture", capture));
  culprit_document_triage (document_of (sample), rows, "ignored", NULL);
  sample_window_wait_until (sample_window_tells, sample, "All late wake-ups are ignored; there are none to judge.");
  sample_window_wait_us (SAMPLE_WINDOW_QUIET_US);
  g_assert_cmpuint (count_cards (sample), ==, 0);
  g_assert_cmpuint (sample_window_count_labels (sample, " More"), ==, 0);
  g_assert_cmpint (gtk_widget_get_height (find_list (sample)), ==, before);
}

static void
test_settings_that_are_not_known_are_left_alone (SampleWindow *sample, gconstpointer data)
{
  culprit_study_window_show_page (sample->window, "record");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "record-like",
                                  g_variant_new ("(ssx)", "slides/on-1", "qh_completions", G_GINT64_CONSTANT (4)));
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "record-like",
                                  g_variant_new ("(ssx)", "gone", "", G_GINT64_CONSTANT (0)));
  sample_window_wait_us (SAMPLE_WINDOW_QUIET_US);
  g_assert_true (sample_window_tells (sample, "The settings of “gone” are not known."));
  assert_field (sample, "Later than", "700us");
  assert_field (sample, "Captures", "");
  assert_field (sample, "Trace only", "");
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

  show_outliers (sample);
  g_assert_true (gtk_widget_grab_focus (find_expander (sample)));
  g_assert_true (is_reached (sample, find_label (sample, 0, "(in an interrupt)"), most));
  g_assert_true (is_reached (sample, find_fact (sample, 0, "Confidence over"), most));
  g_assert_true (is_reached (sample, find_fact (sample, 0, WEIGHT), most));
  g_assert_true (is_reached (sample, find_label (sample, 0, " › "), most));
  g_assert_true (is_reached (sample, find_button (sample, 0, "Show Captures"), most));
  g_assert_true (is_reached (sample, find_button (sample, 0, "Record With This Graph"), most));
  g_assert_true (is_reached (sample, find_button (sample, STALL, "Take 13 More"), most));
  /* And what comes behind it. */
  g_assert_true (is_reached (sample, find_list (sample), most));
  g_assert_true (is_reached (sample, find_note (sample), most));
}

static void
test_it_collapses_to_a_line_that_names_the_causes (SampleWindow *sample, gconstpointer data)
{
  int before;

  show_outliers (sample);
  before = gtk_widget_get_height (find_list (sample));
  g_assert_false (sample_window_tells (sample, "qh_completions (in an interrupt): 8 of 13 captures"));
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "verdict", NULL);
  sample_window_wait_us (SAMPLE_WINDOW_QUIET_US);
  g_assert_cmpuint (count_cards (sample), ==, 0);
  g_assert_true (sample_window_tells (sample, "qh_completions (in an interrupt): 8 of 13 captures"));
  g_assert_cmpint (gtk_widget_get_height (find_list (sample)), >, before);
  gtk_widget_activate (find_expander (sample));
  sample_window_wait_us (SAMPLE_WINDOW_QUIET_US);
  g_assert_cmpuint (count_cards (sample), ==, 2);
  g_assert_cmpint (gtk_widget_get_height (find_list (sample)), ==, before);
}

static void
add (const char *path, void (*test) (SampleWindow *sample, gconstpointer data))
{
  g_test_add (path, SampleWindow, NULL, sample_window_set_up, test, sample_window_tear_down);
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  add ("/cards/one-for-each-cause", test_there_is_a_card_for_each_cause);
  add ("/cards/words-with-numbers-behind-them", test_confidence_and_weight_are_words_with_numbers_behind_them);
  add ("/cards/links-lead-to-functions", test_links_lead_to_functions);
  add ("/cards/captures-of-a-cause", test_the_captures_of_a_cause_are_listed_alone);
  add ("/cards/other-captures-are-not-hidden", test_other_captures_are_not_hidden_by_a_cause_they_do_not_have);
  add ("/cards/record-a-function-alone", test_a_function_is_recorded_alone_with_the_settings_of_its_series);
  add ("/cards/record-as-many-more", test_as_many_more_are_recorded_as_the_verdict_needs);
  add ("/cards/stalls", test_stalls_are_shown_with_their_test);
  add ("/cards/what-is-not-established", test_what_is_not_established_is_a_card_that_says_so);
  add ("/cards/without-captures-that-count", test_without_captures_that_count_it_says_why_in_the_same_height);
  add ("/cards/settings-that-are-not-known", test_settings_that_are_not_known_are_left_alone);
  add ("/cards/keys-reach-all-of-it", test_all_of_a_card_is_reached_by_keys);
  add ("/cards/it-collapses-to-a-line", test_it_collapses_to_a_line_that_names_the_causes);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict in cards: what their links and buttons do. */
#include "card-window.h"

#include "charts/timeline/view.h"
#include "document.h"
#include "outliers/verdict-box.h"
#include "sample-input.h"

#include <string.h>

#define FUNCTION "qh_completions [culprit_fault]"
#define CALLER "ehci_work [culprit_fault]"

static CulpritDocument *
document_of (SampleWindow *sample)
{
  return culprit_study_window_document (sample->window);
}

static void
press (SampleWindow *sample, guint card, const char *label)
{
  GtkWidget *button = card_window_button (sample, card, label);

  g_assert_nonnull (button);
  g_assert_true (gtk_widget_is_sensitive (button));
  g_signal_emit_by_name (button, "clicked");
  sample_window_settle ();
}

static const char *
shown_page (SampleWindow *sample)
{
  return gtk_stack_get_visible_child_name (GTK_STACK (sample_window_child (sample, "pages")));
}

static guint
count_rows (SampleWindow *sample)
{
  return g_list_model_get_n_items (
      G_LIST_MODEL (gtk_column_view_get_model (GTK_COLUMN_VIEW (card_window_list (sample)))));
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
follow (SampleWindow *sample, const char *in, const char *function)
{
  GtkWidget *label = card_window_label (sample, CARD_WINDOW_FUNCTION, in);
  gboolean handled;

  g_assert_nonnull (strstr (gtk_label_get_label (GTK_LABEL (label)), function));
  g_signal_emit_by_name (label, "activate-link", function, &handled);
  g_assert_true (handled);
}

static void
test_a_function_can_be_proved (SampleWindow *sample, gconstpointer data)
{
  card_window_show (sample);
  g_assert_null (card_window_button (sample, CARD_WINDOW_STALL, "Prove"));
  g_assert_null (card_window_button (sample, CARD_WINDOW_FUNCTION, "Show Proof"));
  press (sample, CARD_WINDOW_FUNCTION, "Prove");
  g_assert_cmpstr (shown_page (sample), ==, "record");
  assert_field (sample, "Function", "qh_completions");
  assert_field (sample, "Blocks of each", "6");
  assert_field (sample, "Name", "prove");
  assert_field (sample, "Tracing", NULL);
  g_assert_cmpstr (read_focus (sample), ==, "5us,10us,20us");
  sample_input_type (sample, "20us,x");
  g_assert_true (sample_window_tells (sample, "“Delays” must be 1 to 20 ascending times"));
  g_assert_false (gtk_widget_is_sensitive (sample_window_button (sample, "Record")));
}

static void
test_links_lead_to_functions (SampleWindow *sample, gconstpointer data)
{
  card_window_show (sample);
  follow (sample, " › ", CALLER);
  g_assert_cmpstr (culprit_document_function (document_of (sample)), ==, CALLER);
  g_assert_cmpstr (shown_page (sample), ==, "functions");
  card_window_show (sample);
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
  card_window_show (sample);
  g_assert_cmpuint (count_rows (sample), ==, CARD_WINDOW_CAPTURES);
  g_assert_null (find_chip (sample));
  press (sample, CARD_WINDOW_STALL, "Show Captures");
  g_assert_cmpuint (count_rows (sample), ==, CARD_WINDOW_CAPTURES - CARD_WINDOW_EXPLAINED);
  /* What was chosen is not among them. */
  g_assert_cmpint (culprit_document_capture (document_of (sample)), ==, CARD_WINDOW_EXPLAINED + 1);
  g_assert_true (gtk_toggle_button_get_active (
      GTK_TOGGLE_BUTTON (card_window_button (sample, CARD_WINDOW_STALL, "Show Captures"))));
  press (sample, CARD_WINDOW_FUNCTION, "Show Captures");
  g_assert_cmpuint (count_rows (sample), ==, CARD_WINDOW_EXPLAINED);
  g_assert_false (gtk_toggle_button_get_active (
      GTK_TOGGLE_BUTTON (card_window_button (sample, CARD_WINDOW_STALL, "Show Captures"))));
  press (sample, CARD_WINDOW_FUNCTION, "Show Captures");
  g_assert_cmpuint (count_rows (sample), ==, CARD_WINDOW_CAPTURES);
  press (sample, CARD_WINDOW_FUNCTION, "Show Captures");
  g_signal_emit_by_name (find_chip (sample), "clicked");
  sample_window_settle ();
  g_assert_cmpuint (count_rows (sample), ==, CARD_WINDOW_CAPTURES);
  g_assert_null (find_chip (sample));
}

/* The capture in the middle of those of the function, by what is to be explained in them. */
static gint64
find_typical (SampleWindow *sample)
{
  CulpritRows *rows = culprit_document_outliers (document_of (sample));
  g_autoptr (GPtrArray) own = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < CARD_WINDOW_CAPTURES; i++)
    {
      g_autoptr (CulpritRow) row = g_list_model_get_item (G_LIST_MODEL (rows), i);

      if (g_str_equal (culprit_row_text (row, "culprit"), "qh_completions"))
        g_ptr_array_add (own, g_steal_pointer (&row));
    }
  g_assert_cmpuint (own->len, ==, CARD_WINDOW_EXPLAINED);
  for (guint i = 0; i < own->len; i++)
    {
      double excess_ns = culprit_row_real (g_ptr_array_index (own, i), "excess_ns");
      guint less = 0;

      for (guint k = 0; k < own->len; k++)
        less += culprit_row_real (g_ptr_array_index (own, k), "excess_ns") < excess_ns;
      if (less == (own->len - 1) / 2)
        return culprit_row_integer (g_ptr_array_index (own, i), "capture");
    }
  g_assert_not_reached ();
}

/* The typical capture is selected, its row in view, and its window in the middle of the timeline. */
static void
assert_typical (SampleWindow *sample)
{
  g_autoptr (GPtrArray) rows =
      culprit_table_view_selected (culprit_page_table (CULPRIT_PAGE (sample_window_child (sample, "outliers"))));
  g_autoptr (GPtrArray) views = sample_window_find (sample, CULPRIT_TYPE_TIMELINE_VIEW);
  CulpritRow *row = g_ptr_array_index (rows, 0);
  CulpritTimelineView *view;
  guint64 start_ns;
  guint64 end_ns;

  g_assert_cmpuint (rows->len, ==, 1);
  g_assert_cmpint (culprit_row_integer (row, "capture"), ==, find_typical (sample));
  g_assert_cmpstr (culprit_document_function (document_of (sample)), ==, FUNCTION);
  g_assert_cmpuint (views->len, ==, 1);
  view = g_ptr_array_index (views, 0);
  g_assert_true (culprit_timeline_view_get_range (view, &start_ns, &end_ns));
  g_assert_cmpuint (start_ns, <, culprit_row_integer (row, "window.start_ns"));
  g_assert_cmpuint (end_ns, >, culprit_row_integer (row, "window.end_ns"));
  g_assert_cmpuint (end_ns - start_ns, <=, 4 * culprit_row_integer (row, "latency_ns"));
  g_assert_true (culprit_timeline_view_get_highlight (view, 0).is_function);
}

static void
wait_for_timeline (SampleWindow *sample)
{
  sample_window_wait_until (sample_window_shows, sample, GSIZE_TO_POINTER (CULPRIT_TYPE_TIMELINE_VIEW));
  sample_window_settle ();
}

static void
test_a_click_on_a_card_shows_its_typical_capture (SampleWindow *sample, gconstpointer data)
{
  GtkWidget *card;
  g_autoptr (GPtrArray) views = NULL;

  culprit_document_choose_function (document_of (sample), CALLER);
  card_window_show (sample);
  card = gtk_widget_get_ancestor (card_window_label (sample, CARD_WINDOW_FUNCTION, " › "), CULPRIT_TYPE_CAUSE_CARD);
  sample_input_click (sample, card, GDK_BUTTON_PRIMARY);
  wait_for_timeline (sample);
  assert_typical (sample);
  /* With a key, in another view and although it is filtered out. */
  views = sample_window_find (sample, CULPRIT_TYPE_TIMELINE_VIEW);
  culprit_timeline_view_zoom_to_all (g_ptr_array_index (views, 0));
  press (sample, CARD_WINDOW_STALL, "Show Captures");
  g_assert_true (gtk_widget_grab_focus (card));
  sample_input_key (sample, GDK_KEY_Return, 0);
  wait_for_timeline (sample);
  g_assert_null (find_chip (sample));
  assert_typical (sample);
}

static void
test_the_culprit_is_highlighted_unless_another_function_was_chosen (SampleWindow *sample, gconstpointer data)
{
  CulpritDocument *document = document_of (sample);

  culprit_document_choose_function (document, NULL);
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  g_assert_cmpstr (culprit_document_function (document), ==, FUNCTION);
  /* A stall has no function. */
  sample_window_choose (sample, CARD_WINDOW_EXPLAINED + 1);
  g_assert_null (culprit_document_function (document));
  sample_window_choose (sample, 2);
  g_assert_cmpstr (culprit_document_function (document), ==, FUNCTION);
  culprit_document_choose_function (document, CALLER);
  sample_window_choose (sample, CARD_WINDOW_EXPLAINED + 1);
  g_assert_cmpstr (culprit_document_function (document), ==, CALLER);
}

static void
test_the_first_of_those_that_are_listed_is_selected (SampleWindow *sample, gconstpointer data)
{
  card_window_show (sample);
  sample_window_choose (sample, 2);
  press (sample, CARD_WINDOW_FUNCTION, "Show Captures");
  g_assert_cmpint (culprit_document_capture (document_of (sample)), ==, 1);
}

static gboolean
has_eight_rows (SampleWindow *sample, gconstpointer data)
{
  return !culprit_document_is_judging (document_of (sample)) && count_rows (sample) == CARD_WINDOW_EXPLAINED;
}

static void
test_other_captures_are_not_hidden_by_a_cause_they_do_not_have (SampleWindow *sample, gconstpointer data)
{
  card_window_show (sample);
  press (sample, CARD_WINDOW_STALL, "Show Captures");
  culprit_document_choose_run (document_of (sample), "slides/on-1");
  sample_window_wait_until (has_eight_rows, sample, NULL);
  sample_window_settle ();
  g_assert_null (find_chip (sample));
  g_assert_cmpuint (card_window_count (sample), ==, 1);
}

static void
test_a_function_is_recorded_alone_with_the_settings_of_its_series (SampleWindow *sample, gconstpointer data)
{
  card_window_show (sample);
  g_assert_null (card_window_button (sample, CARD_WINDOW_STALL, "Trace Only This Function"));
  press (sample, CARD_WINDOW_FUNCTION, "Trace Only This Function");
  g_assert_cmpstr (shown_page (sample), ==, "record");
  assert_field (sample, "Trace only", "qh_completions");
  assert_field (sample, "Later than", "700us");
  assert_field (sample, "Period", "5ms");
  assert_field (sample, "Captures", "");
  g_assert_cmpstr (read_focus (sample), ==, "qh_completions");
  g_assert_true (sample_window_tells (sample, "slides/on-1"));
  g_assert_true (
      sample_window_tells (sample, "This catches 0.00 % of ordinary wake-ups and 100.00 % of the late ones."));
}

static void
test_as_many_more_are_recorded_as_the_verdict_needs (SampleWindow *sample, gconstpointer data)
{
  card_window_show (sample);
  press (sample, CARD_WINDOW_STALL, "Take 13 More");
  g_assert_cmpstr (shown_page (sample), ==, "record");
  assert_field (sample, "Captures", "13");
  g_assert_cmpstr (read_focus (sample), ==, "13");
  assert_field (sample, "Later than", "700us");
  g_assert_true (sample_window_tells (sample, "firmware"));
  g_assert_true (
      sample_window_tells (sample, "The study does not say which kernel, memory and modules the guest had."));
  culprit_document_choose_run (document_of (sample), "firmware");
  card_window_show (sample);
  sample_window_wait_until (sample_window_tells, sample, "5 of 5 captures");
  g_assert_cmpuint (card_window_count (sample), ==, 1);
  g_assert_null (card_window_button (sample, CARD_WINDOW_FUNCTION, "More"));
}

static void
test_stalls_are_shown_with_their_test (SampleWindow *sample, gconstpointer data)
{
  card_window_show (sample);
  g_assert_null (card_window_button (sample, CARD_WINDOW_FUNCTION, "Show Stalls"));
  press (sample, CARD_WINDOW_STALL, "Show Stalls");
  g_assert_cmpstr (shown_page (sample), ==, "stalls");
}

static void
test_settings_that_are_not_known_are_left_alone (SampleWindow *sample, gconstpointer data)
{
  culprit_study_window_show_page (sample->window, "record");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "record-like",
                                  g_variant_new ("(ssx)", "slides/on-1", "qh_completions", G_GINT64_CONSTANT (4)));
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "record-like",
                                  g_variant_new ("(ssx)", "gone", "", G_GINT64_CONSTANT (0)));
  sample_window_settle ();
  g_assert_true (sample_window_tells (sample, "The settings of “gone” are not known."));
  assert_field (sample, "Later than", "700us");
  assert_field (sample, "Captures", "");
  assert_field (sample, "Trace only", "");
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/cards/a-function-can-be-proved", test_a_function_can_be_proved);
  sample_window_add ("/cards/links-lead-to-functions", test_links_lead_to_functions);
  sample_window_add ("/cards/captures-of-a-cause", test_the_captures_of_a_cause_are_listed_alone);
  sample_window_add ("/cards/other-captures-are-not-hidden",
                     test_other_captures_are_not_hidden_by_a_cause_they_do_not_have);
  sample_window_add ("/cards/record-a-function-alone",
                     test_a_function_is_recorded_alone_with_the_settings_of_its_series);
  sample_window_add ("/cards/record-as-many-more", test_as_many_more_are_recorded_as_the_verdict_needs);
  sample_window_add ("/cards/stalls", test_stalls_are_shown_with_their_test);
  sample_window_add ("/cards/a-click-shows-a-typical-capture", test_a_click_on_a_card_shows_its_typical_capture);
  sample_window_add ("/cards/the-culprit-is-highlighted",
                     test_the_culprit_is_highlighted_unless_another_function_was_chosen);
  sample_window_add ("/cards/the-first-that-is-listed-is-selected",
                     test_the_first_of_those_that_are_listed_is_selected);
  sample_window_add ("/cards/settings-that-are-not-known", test_settings_that_are_not_known_are_left_alone);
  return g_test_run ();
}

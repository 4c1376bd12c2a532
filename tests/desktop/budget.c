/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the details of a late wake-up show of its time: untraced first, the tracer's share as one part at the end; with
 * the tracer's where that is asked for, and so for the next one that is chosen. */
#include "sample-window.h"

#include "charts/budget-bar.h"
#include "outliers/capture-tree.h"

#include <glib/gstdio.h>
#include <string.h>

/* What the bar tells who cannot see it: "qh_completions: 1.375 ms (45.8 %); ...". */
static char *
describe_bar (SampleWindow *sample)
{
  g_autoptr (GPtrArray) bars = sample_window_find (sample, CULPRIT_TYPE_BUDGET_BAR);

  g_assert_cmpuint (bars->len, ==, 1);
  return gtk_test_accessible_check_property (g_ptr_array_index (bars, 0), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "");
}

static gboolean
bar_tells (SampleWindow *sample, gconstpointer part)
{
  g_autofree char *text = describe_bar (sample);

  return text && strstr (text, part);
}

static gboolean
bar_tells_no (SampleWindow *sample, gconstpointer part)
{
  g_autofree char *text = describe_bar (sample);

  return text && *text && !strstr (text, part);
}

static void
choose (SampleWindow *sample, gint64 capture)
{
  culprit_study_window_show_page (sample->window, "outliers");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "capture", g_variant_new_int64 (capture));
}

static void
switch_times (SampleWindow *sample)
{
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "traced", NULL);
}

/* What the firmware struck is not to blame, in the bar and in the table. */
static void
test_a_blind_stall_is_called_one (SampleWindow *sample, gconstpointer data)
{
  choose (sample, 13);
  sample_window_wait_until (bar_tells, sample, "stall (in __sysvec_apic_timer_interrupt): 1.501 ms");
  sample_window_wait_until (sample_window_shows_label, sample, "stall (in __sysvec_apic_timer_interrupt)");
  choose (sample, 3);
  sample_window_wait_until (bar_tells_no, sample, "stall");
}

static void
test_the_tracer_has_the_last_part_and_no_other (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *text = NULL;

  choose (sample, 3);
  sample_window_wait_until (bar_tells, sample, "[tracing]: ");
  g_assert_true (sample_window_tells (sample, "; its CPU had interrupts disabled for 1.256 ms of the latency, "));
  text = describe_bar (sample);
  g_assert_nonnull (strstr (text, "qh_completions: "));
  g_assert_null (strstr (strstr (text, "[tracing]"), ";"));
  g_assert_null (strstr (text, "ehci_work"));
  sample_window_wait_until (sample_window_shows_label, sample, "[tracing]");
  g_assert_false (sample_window_shows_label (sample, "Own"));
}

static gboolean
bar_is_empty (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *text = describe_bar (sample);

  return !text || !*text;
}

/* Below its title would be the parts of another one. */
static void
test_one_that_cannot_be_read_has_no_parts (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *away = g_strconcat (sample->study, ".away", NULL);

  choose (sample, 3);
  sample_window_wait_until (bar_tells, sample, "qh_completions: ");
  g_assert_no_errno (g_rename (sample->study, away));
  choose (sample, 12);
  sample_window_wait_until (bar_is_empty, sample, NULL);
  g_assert_false (sample_window_shows_label (sample, "[tracing]"));
  g_assert_no_errno (g_rename (away, sample->study));
}

static gboolean
is_chosen (SampleWindow *sample, gconstpointer capture)
{
  return culprit_document_capture (culprit_study_window_document (sample->window)) == GPOINTER_TO_INT (capture);
}

/* As where a study is made anew at its path: numbers of captures are then those of others. */
static void
test_another_capture_of_the_same_number_is_not_shown_below_its_name (SampleWindow *sample, gconstpointer data)
{
  choose (sample, 3);
  sample_window_wait_until (bar_tells, sample, "qh_completions: ");
  sample_window_execute (sample, "UPDATE capture SET sha256 = " SAMPLE_WINDOW_OTHER_DIGEST);
  sample_window_execute (sample, "UPDATE capture SET file = 'anew.dat' WHERE capture_id = 12");
  choose (sample, 12);
  sample_window_wait_until (is_chosen, sample, GINT_TO_POINTER (1));
  choose (sample, 12);
  sample_window_wait_until (sample_window_tells, sample, "anew.dat");
  sample_window_wait_until (bar_tells, sample, "stall (in ");
  /* A stranger's digest that goes on after a byte 0 is the same each time. */
  sample_window_execute (sample, "UPDATE capture SET sha256 = sha256 || CHAR (0) || 'x'");
  choose (sample, 3);
  sample_window_wait_until (bar_tells, sample, "qh_completions: ");
}

static void
test_traced_times_stay_for_the_next_wake_up (SampleWindow *sample, gconstpointer data)
{
  choose (sample, 3);
  sample_window_wait_until (bar_tells, sample, "[tracing]");
  switch_times (sample);
  sample_window_wait_until (bar_tells_no, sample, "[tracing]");
  sample_window_wait_until (bar_tells, sample, "ehci_work: ");
  sample_window_wait_until (sample_window_shows_label, sample, "Own");
  choose (sample, 1);
  sample_window_settle ();
  g_assert_true (bar_tells_no (sample, "[tracing]"));
  switch_times (sample);
  sample_window_wait_until (bar_tells, sample, "[tracing]");
}

/* Whether the last row of the call tree, which need not be in view, is called @label. */
static gboolean
tree_ends_with (SampleWindow *sample, gconstpointer label)
{
  g_autoptr (GPtrArray) lists = sample_window_find (sample, GTK_TYPE_COLUMN_VIEW);
  GListModel *rows =
      G_LIST_MODEL (gtk_column_view_get_model (GTK_COLUMN_VIEW (g_ptr_array_index (lists, lists->len - 1))));
  guint n_rows = g_list_model_get_n_items (rows);
  g_autoptr (GObject) last = n_rows > 0 ? g_list_model_get_item (rows, n_rows - 1) : NULL;
  g_autoptr (CulpritTreeRow) row =
      GTK_IS_TREE_LIST_ROW (last) ? gtk_tree_list_row_get_item (GTK_TREE_LIST_ROW (last)) : NULL;

  return row && g_str_equal (culprit_tree_row_label (row), label);
}

static void
test_the_call_tree_has_the_times_of_the_bar (SampleWindow *sample, gconstpointer data)
{
  choose (sample, 3);
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "details", g_variant_new_string ("tree"));
  sample_window_wait_until (sample_window_shows_label, sample, "With Callees");
  sample_window_wait_until (tree_ends_with, sample, "[tracing]");
  switch_times (sample);
  sample_window_wait_until (sample_window_shows_label, sample, "Total");
  g_assert_false (sample_window_shows_label (sample, "With Callees"));
  g_assert_false (tree_ends_with (sample, "[tracing]"));
}

/* The expanded rows, with tabs; "" before there are any. */
static char *
tree_text (SampleWindow *sample)
{
  g_autoptr (GPtrArray) trees = sample_window_find (sample, CULPRIT_TYPE_CAPTURE_TREE);

  return trees->len == 1 ? culprit_capture_tree_text (g_ptr_array_index (trees, 0)) : g_strdup ("");
}

static gboolean
tree_tells (SampleWindow *sample, gconstpointer part)
{
  g_autofree char *text = tree_text (sample);

  return strstr (text, part) != NULL;
}

/* It is below the call it belongs to, without numbers of its own, which would count it twice. */
static void
test_a_stretch_without_events_is_a_row_of_the_call_tree (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *text = NULL;
  char *silence;

  choose (sample, 13);
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "details", g_variant_new_string ("tree"));
  sample_window_wait_until (tree_tells, sample, "nothing traced for 1.502 ms\t\t\t\t\t\n");
  g_assert_true (sample_window_shows_label (sample, "nothing traced for 1.502 ms"));
  text = tree_text (sample);
  silence = strstr (text, "\n    nothing traced");
  g_assert_nonnull (silence);
  *silence = '\0';
  g_assert_true (g_str_has_prefix (strrchr (text, '\n') + 1, "  __sysvec_apic_timer_interrupt\t1\t1.50"));
  switch_times (sample);
  sample_window_wait_until (tree_tells, sample, "nothing traced for 1.502 ms\t\t\t\t\t\t\n");
  choose (sample, 3);
  sample_window_wait_until (tree_tells, sample, "qh_completions");
  g_assert_false (tree_tells (sample, "nothing traced"));
}

static guint
find_row (GListModel *rows, const char *kind)
{
  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (CulpritRow) row = g_list_model_get_item (rows, i);

      if (g_str_equal (culprit_row_text (row, "kind"), kind))
        return i;
    }
  g_assert_not_reached ();
}

/* As double click and Enter do. */
static void
activate (SampleWindow *sample, const char *kind)
{
  g_autoptr (GPtrArray) lists = sample_window_find (sample, GTK_TYPE_COLUMN_VIEW);
  GtkColumnView *list = g_ptr_array_index (lists, lists->len - 1);

  g_assert_true (gtk_widget_activate_action (gtk_widget_get_last_child (GTK_WIDGET (list)), "list.activate-item", "u",
                                             find_row (G_LIST_MODEL (gtk_column_view_get_model (list)), kind)));
}

static void
test_only_a_function_of_the_parts_is_followed (SampleWindow *sample, gconstpointer data)
{
  const char *const kinds[] = { "rest", "tracing" };
  CulpritDocument *document = culprit_study_window_document (sample->window);

  choose (sample, 3);
  sample_window_wait_until (sample_window_shows_label, sample, "[tracing]");
  culprit_document_choose_function (document, "scan_periodic");
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      activate (sample, kinds[i]);
      g_assert_cmpstr (culprit_document_function (document), ==, "scan_periodic");
      g_assert_cmpuint (sample_window_find (sample, CULPRIT_TYPE_BUDGET_BAR)->len, ==, 1);
    }
  activate (sample, "part");
  g_assert_cmpstr (culprit_document_function (document), ==, "qh_completions [culprit_fault]");
}

/* Neither the call tree nor the timeline of the capture that had its number. */
static void
test_a_study_that_replaced_another_shows_nothing_of_it (SampleWindow *sample, gconstpointer data)
{
  choose (sample, 3);
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "details", g_variant_new_string ("tree"));
  sample_window_wait_until (tree_tells, sample, "qh_completions");
  sample_window_show_timeline (sample);
  sample_window_replace (sample, "UPDATE function SET name = 'anew_' || name");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "reload", NULL);
  sample_window_wait_until (sample_window_tells, sample, "anew-1.dat");
  choose (sample, 3);
  sample_window_wait_until (sample_window_tells, sample, "the capture file is missing");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "details", g_variant_new_string ("tree"));
  sample_window_wait_until (tree_tells, sample, "anew_qh_completions");
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/budget/another-capture-of-the-same-number-is-not-shown-below-its-name",
                     test_another_capture_of_the_same_number_is_not_shown_below_its_name);
  sample_window_add ("/budget/a-study-that-replaced-another-shows-nothing-of-it",
                     test_a_study_that_replaced_another_shows_nothing_of_it);
  sample_window_add ("/budget/one-that-cannot-be-read-has-no-parts", test_one_that_cannot_be_read_has_no_parts);
  sample_window_add ("/budget/a-blind-stall-is-called-one", test_a_blind_stall_is_called_one);
  sample_window_add ("/budget/the-tracer-has-the-last-part-and-no-other",
                     test_the_tracer_has_the_last_part_and_no_other);
  sample_window_add ("/budget/traced-times-stay-for-the-next-wake-up", test_traced_times_stay_for_the_next_wake_up);
  sample_window_add ("/budget/the-call-tree-has-the-times-of-the-bar", test_the_call_tree_has_the_times_of_the_bar);
  sample_window_add ("/budget/a-stretch-without-events-is-a-row-of-the-call-tree",
                     test_a_stretch_without_events_is_a_row_of_the_call_tree);
  sample_window_add ("/budget/only-a-function-of-the-parts-is-followed", test_only_a_function_of_the_parts_is_followed);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keyboard always has somewhere to go: the list of a study that was opened, and what had the focus before a menu.
 * What a page cannot do is not offered. */
#include "sample-input.h"

#include "charts/timeline/view.h"
#include "outliers/capture-timeline.h"
#include "outliers/triage-bar.h"

#define MOST_STEPS 60 /* of Tab, from one end of the page to the other */

static GtkWidget *
focus_of (SampleWindow *sample)
{
  return gtk_root_get_focus (GTK_ROOT (sample->window));
}

static gboolean
is_in (GtkWidget *widget, GType type)
{
  return widget && gtk_widget_get_ancestor (widget, type);
}

static void
test_a_study_that_was_opened_has_the_focus_in_its_list (SampleWindow *sample, gconstpointer data)
{
  g_test_message ("%s", focus_of (sample) ? G_OBJECT_TYPE_NAME (focus_of (sample)) : "none");
  g_assert_true (is_in (focus_of (sample), GTK_TYPE_COLUMN_VIEW));
}

/* The button of the main menu. */
static GtkMenuButton *
find_menu (SampleWindow *sample)
{
  g_autoptr (GPtrArray) buttons = sample_window_find (sample, GTK_TYPE_MENU_BUTTON);

  for (guint i = 0; i < buttons->len; i++)
    if (gtk_menu_button_get_primary (g_ptr_array_index (buttons, i)))
      return g_ptr_array_index (buttons, i);
  return NULL;
}

static void
test_a_menu_gives_the_focus_back (SampleWindow *sample, gconstpointer data)
{
  GtkMenuButton *menu = find_menu (sample);
  GtkWidget *before = focus_of (sample);

  gtk_menu_button_popup (menu);
  sample_window_settle ();
  g_action_group_change_action_state (G_ACTION_GROUP (sample->application), "colours", g_variant_new_string ("dark"));
  gtk_menu_button_popdown (menu);
  sample_window_settle ();
  g_test_message ("%s", focus_of (sample) ? G_OBJECT_TYPE_NAME (focus_of (sample)) : "none");
  g_assert_true (focus_of (sample) == before);
}

static void
test_a_page_that_is_shown_has_the_focus (SampleWindow *sample, gconstpointer data)
{
  for (guint i = 0; i < SAMPLE_WINDOW_PAGES; i++)
    {
      culprit_study_window_show_page (sample->window, sample_window_pages[i]);
      sample_window_settle ();
      g_test_message ("%s", sample_window_pages[i]);
      g_assert_nonnull (focus_of (sample));
      g_assert_true (gtk_widget_get_mapped (focus_of (sample)));
    }
}

static void
test_a_page_without_a_table_is_not_searched (SampleWindow *sample, gconstpointer data)
{
  culprit_study_window_show_page (sample->window, "record");
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (sample->window), "search"));
  culprit_study_window_show_page (sample->window, "outliers");
  g_assert_true (g_action_group_get_action_enabled (G_ACTION_GROUP (sample->window), "search"));
}

/* Where Shift+Tab goes until it comes to what is in a widget of @type. */
static void
go_back_to (SampleWindow *sample, GType type)
{
  for (guint i = 0; i < MOST_STEPS && !is_in (focus_of (sample), type); i++)
    {
      g_test_message ("%s", G_OBJECT_TYPE_NAME (focus_of (sample)));
      sample_input_key (sample, GDK_KEY_Tab, GDK_KEY_Shift_L);
    }
  g_assert_true (is_in (focus_of (sample), type));
}

static void
test_who_leaves_the_timeline_backwards_comes_to_the_note_and_the_list (SampleWindow *sample, gconstpointer data)
{
  g_assert_true (gtk_widget_grab_focus (sample_window_show_timeline (sample)));
  go_back_to (sample, GTK_TYPE_SEARCH_ENTRY);
  go_back_to (sample, CULPRIT_TYPE_TRIAGE_BAR);
  go_back_to (sample, GTK_TYPE_COLUMN_VIEW);
}

/* What of @widget was drawn last. */
static GBytes *
read_picture (GtkWidget *widget)
{
  g_autoptr (GdkPaintable) picture = gtk_widget_paintable_new (widget);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;

  gdk_paintable_snapshot (picture, snapshot, gtk_widget_get_width (widget), gtk_widget_get_height (widget));
  node = gtk_snapshot_to_node (snapshot);
  return gsk_render_node_serialize (node);
}

static void
test_the_timeline_has_a_frame_as_long_as_it_has_the_focus (SampleWindow *sample, gconstpointer data)
{
  GtkWidget *timeline = sample_window_show_timeline (sample);
  g_autoptr (GBytes) before = NULL;
  g_autoptr (GBytes) with_focus = NULL;
  g_autoptr (GBytes) after = NULL;

  g_assert_true (gtk_widget_grab_focus (timeline));
  go_back_to (sample, GTK_TYPE_SEARCH_ENTRY);
  before = read_picture (timeline);
  g_assert_true (gtk_widget_grab_focus (timeline));
  sample_window_settle ();
  with_focus = read_picture (timeline);
  g_assert_false (g_bytes_equal (before, with_focus));
  go_back_to (sample, GTK_TYPE_SEARCH_ENTRY);
  after = read_picture (timeline);
  g_assert_true (g_bytes_equal (before, after));
}

static gint64
chosen (SampleWindow *sample)
{
  return culprit_document_capture (culprit_study_window_document (sample->window));
}

static void
test_a_list_is_one_stop_and_its_arrows_select (SampleWindow *sample, gconstpointer data)
{
  g_assert_true (is_in (focus_of (sample), GTK_TYPE_COLUMN_VIEW));
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  sample_input_key (sample, GDK_KEY_Tab, 0);
  g_assert_false (is_in (focus_of (sample), GTK_TYPE_COLUMN_VIEW));
  sample_input_key (sample, GDK_KEY_Tab, GDK_KEY_Shift_L);
  g_assert_true (is_in (focus_of (sample), GTK_TYPE_COLUMN_VIEW));
  sample_input_key (sample, GDK_KEY_Down, 0);
  g_assert_cmpint (chosen (sample), ==, SAMPLE_WINDOW_CAPTURE + 1);
}

static void
test_pages_have_numbers (SampleWindow *sample, gconstpointer data)
{
  GtkStack *stack = GTK_STACK (sample_window_child (sample, "pages"));

  for (guint i = 0; i < SAMPLE_WINDOW_PAGES; i++)
    {
      sample_input_key (sample, GDK_KEY_1 + i, GDK_KEY_Alt_L);
      g_assert_cmpstr (gtk_stack_get_visible_child_name (stack), ==, sample_window_pages[i]);
    }
}

static gboolean
has_timeline_focus (SampleWindow *sample, gconstpointer data)
{
  return CULPRIT_IS_TIMELINE_VIEW (focus_of (sample));
}

static void
test_a_timeline_that_is_asked_for_has_the_focus (SampleWindow *sample, gconstpointer data)
{
  sample_input_key (sample, GDK_KEY_t, GDK_KEY_Alt_L);
  sample_window_wait_until (has_timeline_focus, sample, NULL);
  /* And keeps it, with another capture. */
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  sample_window_wait_until (has_timeline_focus, sample, NULL);
}

static void
test_full_size_has_a_search_and_gives_the_focus_back (SampleWindow *sample, gconstpointer data)
{
  GtkWidget *before = focus_of (sample);

  g_assert_true (is_in (before, GTK_TYPE_COLUMN_VIEW));
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "timeline-full", NULL);
  sample_window_wait_until (has_timeline_focus, sample, NULL);
  sample_window_settle ();
  sample_input_type (sample, "^f");
  g_assert_true (is_in (focus_of (sample), GTK_TYPE_SEARCH_ENTRY));
  g_assert_true (is_in (focus_of (sample), CULPRIT_TYPE_CAPTURE_TIMELINE));
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "timeline-full", NULL);
  sample_window_settle ();
  g_assert_true (focus_of (sample) == before);
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/focus/a-study-that-was-opened-has-the-focus-in-its-list",
                     test_a_study_that_was_opened_has_the_focus_in_its_list);
  sample_window_add ("/focus/a-menu-gives-the-focus-back", test_a_menu_gives_the_focus_back);
  sample_window_add ("/focus/a-page-that-is-shown-has-the-focus", test_a_page_that_is_shown_has_the_focus);
  sample_window_add ("/focus/who-leaves-the-timeline-backwards-comes-to-the-note-and-the-list",
                     test_who_leaves_the_timeline_backwards_comes_to_the_note_and_the_list);
  sample_window_add ("/focus/the-timeline-has-a-frame-as-long-as-it-has-the-focus",
                     test_the_timeline_has_a_frame_as_long_as_it_has_the_focus);
  sample_window_add ("/focus/a-list-is-one-stop", test_a_list_is_one_stop_and_its_arrows_select);
  sample_window_add ("/focus/pages-have-numbers", test_pages_have_numbers);
  sample_window_add ("/focus/a-timeline-that-is-asked-for", test_a_timeline_that_is_asked_for_has_the_focus);
  sample_window_add ("/focus/full-size-gives-the-focus-back", test_full_size_has_a_search_and_gives_the_focus_back);
  sample_window_add ("/focus/a-page-without-a-table-is-not-searched", test_a_page_without_a_table_is_not_searched);
  return g_test_run ();
}

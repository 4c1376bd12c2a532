/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On a screen of 1366x768 no label of the window is cut unless its tooltip has the whole text, and no widget is smaller
 * than it must be. */
#include "sample-window.h"

#include "charts/timeline/view.h"

#include <string.h>

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
  int minimum;

  if (!gtk_widget_get_mapped (widget))
    return 0;
  if (is_cut (widget))
    {
      g_test_message ("%s: cut: \"%s\"", page, gtk_label_get_text (GTK_LABEL (widget)));
      faults++;
    }
  if (is_too_narrow (widget))
    {
      gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
      g_test_message ("%s: too narrow: %s, %d of %d", page, G_OBJECT_TYPE_NAME (widget),
                      gtk_widget_get_allocated_width (widget), minimum);
      faults++;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    faults += count_faults (child, page);
  return faults;
}

/* Of all pages, in a window that shall be of this size. */
static guint
count_all_faults (SampleWindow *sample, int width, int height)
{
  guint faults = 0;

  gtk_window_set_default_size (GTK_WINDOW (sample->window), width, height);
  for (guint i = 0; i < SAMPLE_WINDOW_PAGES; i++)
    {
      int own_width;
      int own_height;

      culprit_study_window_show_page (sample->window, sample_window_pages[i]);
      sample_window_settle ();
      own_width = gtk_widget_get_width (GTK_WIDGET (sample->window));
      own_height = gtk_widget_get_height (GTK_WIDGET (sample->window));
      g_test_message ("%s: %d x %d", sample_window_pages[i], own_width, own_height);
      faults += (own_width > width) + (own_height > height);
      faults += count_faults (GTK_WIDGET (sample->window), sample_window_pages[i]);
    }
  return faults;
}

static void
test_nothing_is_cut_on_any_page (SampleWindow *sample, gconstpointer data)
{
  g_assert_cmpuint (count_all_faults (sample, SAMPLE_WINDOW_WIDTH, SAMPLE_WINDOW_HEIGHT), ==, 0);
}

static void
test_nothing_is_cut_in_a_small_window (SampleWindow *sample, gconstpointer data)
{
  g_assert_cmpuint (count_all_faults (sample, 800, 600), ==, 0);
}

static void
test_nothing_is_cut_where_letters_are_large (SampleWindow *sample, gconstpointer data)
{
  g_object_set (gtk_widget_get_settings (GTK_WIDGET (sample->window)), "gtk-xft-dpi", 144 * 1024, NULL);
  g_assert_cmpuint (count_all_faults (sample, SAMPLE_WINDOW_WIDTH, SAMPLE_WINDOW_HEIGHT), ==, 0);
  gtk_settings_reset_property (gtk_widget_get_settings (GTK_WIDGET (sample->window)), "gtk-xft-dpi");
}

static void
test_nothing_is_cut_beside_the_timeline (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GPtrArray) views = NULL;

  culprit_study_window_show_page (sample->window, "outliers");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "details", g_variant_new_string ("timeline"));
  sample_window_wait_until (sample_window_shows, sample, GSIZE_TO_POINTER (CULPRIT_TYPE_TIMELINE_VIEW));
  sample_window_settle ();
  g_assert_cmpuint (count_faults (GTK_WIDGET (sample->window), "timeline"), ==, 0);
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "timeline-full", NULL);
  sample_window_settle ();
  g_assert_cmpuint (count_faults (GTK_WIDGET (sample->window), "timeline at full size"), ==, 0);
  views = sample_window_find (sample, CULPRIT_TYPE_TIMELINE_VIEW);
  g_assert_cmpuint (views->len, ==, 1);
  g_assert_true (culprit_timeline_view_next_match (g_ptr_array_index (views, 0)));
  sample_window_settle ();
  g_assert_cmpuint (count_faults (GTK_WIDGET (sample->window), "the chosen call"), ==, 0);
}

static void
test_the_shortcuts_fit_a_small_screen (SampleWindow *sample, gconstpointer data)
{
  GtkWidget *shortcuts = GTK_WIDGET (gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (sample->window)));

  g_assert_nonnull (shortcuts);
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (shortcuts)), ==, "Keyboard Shortcuts");
  gtk_window_present (GTK_WINDOW (shortcuts));
  sample_window_settle ();
  g_test_message ("%d x %d", gtk_widget_get_width (shortcuts), gtk_widget_get_height (shortcuts));
  g_assert_cmpint (gtk_widget_get_width (shortcuts), <=, 800);
  g_assert_cmpint (gtk_widget_get_height (shortcuts), <=, 600);
  g_assert_cmpuint (count_faults (shortcuts, "shortcuts"), ==, 0);
  gtk_window_close (GTK_WINDOW (shortcuts));
}

/* Whether a label has @text in it, and those that do are seen whole. */
static gboolean
shows_whole (SampleWindow *sample, const char *text)
{
  g_autoptr (GPtrArray) labels = sample_window_find (sample, GTK_TYPE_LABEL);
  gboolean found = FALSE;

  for (guint i = 0; i < labels->len; i++)
    {
      GtkLabel *label = g_ptr_array_index (labels, i);

      if (!strstr (gtk_label_get_text (label), text))
        continue;
      if (pango_layout_is_ellipsized (gtk_label_get_layout (label)))
        return FALSE;
      found = TRUE;
    }
  return found;
}

static void
test_what_stalls_come_to_is_whole (SampleWindow *sample, gconstpointer data)
{
  culprit_study_window_show_page (sample->window, "stalls");
  sample_window_settle ();
  g_assert_true (shows_whole (sample, "one stretch without any event makes up at least half of the excess"));
}

static void
test_the_study_s_name_is_whole_in_a_narrow_window (SampleWindow *sample, gconstpointer data)
{
  gtk_window_set_default_size (GTK_WINDOW (sample->window), 1200, SAMPLE_WINDOW_HEIGHT);
  sample_window_settle ();
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (sample->window)), <=, 1200);
  g_assert_true (sample_window_shows_label (sample, "sample.culprit"));
  g_assert_true (shows_whole (sample, "sample.culprit"));
}

/* Whether it has a text of its own, or is given a name; what is in a field is no name. */
static gboolean
has_name (GtkWidget *widget)
{
  if (gtk_test_accessible_has_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL) ||
      gtk_test_accessible_has_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY))
    return TRUE;
  if (GTK_IS_EDITABLE (widget))
    return FALSE;
  if (GTK_IS_LABEL (widget))
    return *gtk_label_get_text (GTK_LABEL (widget)) != '\0';
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    if (!GTK_IS_POPOVER (child) && has_name (child))
      return TRUE;
  return FALSE;
}

static gboolean
needs_name (GtkWidget *widget)
{
  return GTK_IS_BUTTON (widget) || GTK_IS_ENTRY (widget) || GTK_IS_SEARCH_ENTRY (widget) || GTK_IS_COLUMN_VIEW (widget);
}

/* The button inside a menu button or a choice speaks for it. */
static gboolean
is_part_of_named (GtkWidget *widget)
{
  GtkWidget *parent = gtk_widget_get_parent (widget);

  return GTK_IS_MENU_BUTTON (parent) && has_name (parent);
}

static guint
count_nameless (GtkWidget *widget, const char *page)
{
  guint nameless = 0;

  if (!gtk_widget_get_mapped (widget) || GTK_IS_WINDOW_CONTROLS (widget))
    return 0;
  if (needs_name (widget) && !has_name (widget) && !is_part_of_named (widget))
    {
      g_test_message ("%s: no name: %s, %s", page, G_OBJECT_TYPE_NAME (widget), gtk_widget_get_tooltip_text (widget));
      nameless++;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    nameless += count_nameless (child, page);
  return nameless;
}

static void
test_controls_have_names (SampleWindow *sample, gconstpointer data)
{
  guint nameless = 0;

  for (guint i = 0; i < SAMPLE_WINDOW_PAGES; i++)
    {
      culprit_study_window_show_page (sample->window, sample_window_pages[i]);
      sample_window_settle ();
      nameless += count_nameless (GTK_WIDGET (sample->window), sample_window_pages[i]);
    }
  g_assert_cmpuint (nameless, ==, 0);
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/labels/nothing-is-cut-on-any-page", test_nothing_is_cut_on_any_page);
  sample_window_add ("/labels/nothing-is-cut-in-a-small-window", test_nothing_is_cut_in_a_small_window);
  sample_window_add ("/labels/nothing-is-cut-where-letters-are-large", test_nothing_is_cut_where_letters_are_large);
  sample_window_add ("/labels/nothing-is-cut-beside-the-timeline", test_nothing_is_cut_beside_the_timeline);
  sample_window_add ("/labels/the-shortcuts-fit-a-small-screen", test_the_shortcuts_fit_a_small_screen);
  sample_window_add ("/labels/what-stalls-come-to-is-whole", test_what_stalls_come_to_is_whole);
  sample_window_add ("/labels/the-study-s-name-is-whole-in-a-narrow-window",
                     test_the_study_s_name_is_whole_in_a_narrow_window);
  sample_window_add ("/labels/controls-have-names", test_controls_have_names);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page Fleet: there where the study has populations, with hosts by causes, which lead to the captures. The sample's
 * runs stand for the captures of two hosts of three. */
#include "card-window.h"
#include "sample-input.h"

#include "charts/chart-view.h"
#include "document.h"
#include "fleet/heat-map.h"
#include "pages.h"

#include <string.h>

#define SELECTION "This study contains 13 of 1,240 captures from 3 hosts"

static const char populations[] =
    "PRAGMA foreign_keys = ON;"
    "INSERT INTO fleet_population SELECT 1, run_id, 'arm', '6.1', 'x', 1000, 30, 60000000, '{}' FROM run"
    " WHERE name = 'slides/on-1';"
    "INSERT INTO fleet_population SELECT 2, run_id, 'bar', '6.1', 'x', 200, 20, 40000000, '{}' FROM run"
    " WHERE name = 'firmware';"
    "INSERT INTO fleet_population VALUES (3, NULL, 'car', '6.2', 'x', 40, 7, 9000000, '{}');"
    "INSERT INTO fleet_cause VALUES (1, 'qh_completions', 'called-too-often', 24, 2000000, 0.8, 0.7, 0.9, 1);"
    "INSERT INTO fleet_cause VALUES (2, 'blind stall', 'blind-stall', 18, 2000000, 0.9, 0.8, 1, 1);"
    "INSERT INTO fleet_cause VALUES (3, 'blind stall', 'blind-stall', 7, 1000000, 0.78, 0.5, 1, 1);"
    "INSERT INTO fleet_day VALUES (1, '2026-02-27', 'qh_completions', 'called-too-often', 24, 48000000),"
    " (1, '2026-03-02', '', 'unexplained', 6, 12000000), (2, '2026-03-02', 'blind stall', 'blind-stall', 20, 40000000),"
    " (3, '2026-03-02', 'blind stall', 'blind-stall', 7, 9000000);"
    "INSERT INTO fleet_new VALUES ('6.2', '6.1', 'blind stall', 'blind-stall', 2, 25, 40, 1, 50, 0.0001);";

static GtkWidget *
pages_of (SampleWindow *sample)
{
  return sample_window_child (sample, "pages");
}

static gboolean
is_offered (SampleWindow *sample, gconstpointer data)
{
  GtkStack *pages = GTK_STACK (pages_of (sample));

  return gtk_stack_page_get_visible (gtk_stack_get_page (pages, gtk_stack_get_child_by_name (pages, "fleet")));
}

static gboolean
tells_both (SampleWindow *sample, gconstpointer data)
{
  return sample_window_tells (sample, SELECTION "; this page covers all of them.") &&
         sample_window_tells (sample, "blind stall since 6.2: in 25 of 40 late wake-ups, with 6.1 in 1 of 50");
}

static void
show_fleet (SampleWindow *sample)
{
  sample_window_execute (sample, populations);
  culprit_document_reload (culprit_study_window_document (sample->window));
  sample_window_wait_until (is_offered, sample, NULL);
  culprit_study_window_show_page (sample->window, "fleet");
  sample_window_wait_until (tells_both, sample, NULL);
}

static gpointer
the_only (SampleWindow *sample, GType type)
{
  g_autoptr (GPtrArray) found = sample_window_find (sample, type);

  g_assert_cmpuint (found->len, ==, 1);
  return g_ptr_array_index (found, 0);
}

static gboolean
has_rows (SampleWindow *sample, gconstpointer rows)
{
  g_autoptr (GPtrArray) lists = sample_window_find (sample, GTK_TYPE_COLUMN_VIEW);

  for (guint i = 0; i < lists->len; i++)
    if (g_list_model_get_n_items (G_LIST_MODEL (
            gtk_column_view_get_model (GTK_COLUMN_VIEW (g_ptr_array_index (lists, i))))) == GPOINTER_TO_UINT (rows))
      return TRUE;
  return FALSE;
}

static void
assert_page (SampleWindow *sample, const char *name)
{
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (pages_of (sample))), ==, name);
}

static void
test_it_is_there_only_where_the_study_has_populations (SampleWindow *sample, gconstpointer data)
{
  g_assert_false (is_offered (sample, NULL));
  assert_page (sample, "outliers");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "page", g_variant_new_string ("fleet"));
  assert_page (sample, "outliers");
  show_fleet (sample);
  g_assert_true (is_offered (sample, NULL));
}

static void
test_a_cell_leads_to_its_captures_and_the_chip_back_to_all (SampleWindow *sample, gconstpointer data)
{
  show_fleet (sample);
  gtk_widget_grab_focus (the_only (sample, CULPRIT_TYPE_HEAT_MAP));
  /* The first host; then its most frequent cause on all hosts, of which it has none; then the other one. */
  sample_input_key (sample, GDK_KEY_Right, 0);
  sample_input_key (sample, GDK_KEY_Right, 0);
  sample_input_key (sample, GDK_KEY_Return, 0);
  assert_page (sample, "outliers");
  sample_window_wait_until (sample_window_shows_label, sample, "Only those of arm, qh_completions");
  sample_window_wait_until (has_rows, sample, GUINT_TO_POINTER (8));
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "cause", g_variant_new_string (""));
  sample_window_wait_until (has_rows, sample, GUINT_TO_POINTER (13));
  g_assert_cmpuint (sample_window_count_labels (sample, "Only those of"), ==, 0);
}

static void
test_a_host_leads_to_all_of_its_captures (SampleWindow *sample, gconstpointer data)
{
  show_fleet (sample);
  gtk_widget_grab_focus (the_only (sample, CULPRIT_TYPE_HEAT_MAP));
  sample_input_key (sample, GDK_KEY_Down, 0);
  sample_input_key (sample, GDK_KEY_space, 0);
  assert_page (sample, "outliers");
  sample_window_wait_until (sample_window_shows_label, sample, "Only those of bar");
  sample_window_wait_until (has_rows, sample, GUINT_TO_POINTER (5));
  g_assert_true (sample_window_tells (sample, "ordinary ones. " SELECTION));
  /* Another verdict does not show the others again. */
  culprit_document_reload (culprit_study_window_document (sample->window));
  sample_window_settle ();
  g_assert_true (has_rows (sample, GUINT_TO_POINTER (5)));
}

static void
test_a_click_does_the_same (SampleWindow *sample, gconstpointer data)
{
  show_fleet (sample);
  /* In its middle there is the first host's cell of the second cause. */
  gtk_widget_set_valign (the_only (sample, CULPRIT_TYPE_HEAT_MAP), GTK_ALIGN_START);
  sample_window_settle ();
  sample_input_click (sample, the_only (sample, CULPRIT_TYPE_HEAT_MAP), 1);
  assert_page (sample, "outliers");
  sample_window_wait_until (sample_window_shows_label, sample, "Only those of arm, qh_completions");
}

static void
test_it_is_told_in_words (SampleWindow *sample, gconstpointer data)
{
  GtkAccessible *map;
  g_autofree char *wrong = NULL;

  show_fleet (sample);
  map = the_only (sample, CULPRIT_TYPE_HEAT_MAP);
  gtk_test_accessible_assert_property (map, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       "arm: qh_completions 24. bar: blind stall 18. car: blind stall 7. ");
  gtk_test_accessible_assert_property (map, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                       "arm: 30 late wake-ups in 1000 captures, 8 of them in this study; 6.1");
  gtk_widget_grab_focus (GTK_WIDGET (map));
  sample_input_key (sample, GDK_KEY_Down, 0);
  sample_input_key (sample, GDK_KEY_Right, 0);
  wrong = gtk_test_accessible_check_property (map, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                              "bar, blind stall: 18 of 20 late wake-ups, 90.0 % of the excess");
  g_assert_cmpstr (wrong, ==, NULL);
}

/* Whether @node draws @glyph. */
static gboolean
draws_glyph (const GskRenderNode *node, PangoGlyph glyph)
{
  const PangoGlyphInfo *glyphs;

  switch (gsk_render_node_get_node_type (node))
    {
    case GSK_CONTAINER_NODE:
      for (guint i = 0; i < gsk_container_node_get_n_children (node); i++)
        if (draws_glyph (gsk_container_node_get_child (node, i), glyph))
          return TRUE;
      return FALSE;
    case GSK_CLIP_NODE:
      return draws_glyph (gsk_clip_node_get_child (node), glyph);
    case GSK_TRANSFORM_NODE:
      return draws_glyph (gsk_transform_node_get_child (node), glyph);
    case GSK_TEXT_NODE:
      glyphs = gsk_text_node_get_glyphs (node, NULL);
      for (guint i = 0; i < gsk_text_node_get_num_glyphs (node); i++)
        if (glyphs[i].glyph == glyph)
          return TRUE;
      return FALSE;
    default:
      return FALSE;
    }
}

/* The glyph of @character in the font of @widget. */
static PangoGlyph
glyph_of (GtkWidget *widget, const char *character)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, character);
  const PangoLayoutLine *line = pango_layout_get_line_readonly (layout, 0);
  const PangoLayoutRun *run = line->runs->data;

  return run->glyphs->glyphs[0].glyph;
}

static void
test_names_are_drawn_as_they_are (SampleWindow *sample, gconstpointer data)
{
  GtkWidget *map;
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;

  show_fleet (sample);
  map = the_only (sample, CULPRIT_TYPE_HEAT_MAP);
  sample_window_settle ();
  GTK_WIDGET_GET_CLASS (map)->snapshot (map, snapshot);
  node = gtk_snapshot_to_node (snapshot);
  g_assert_true (draws_glyph (node, glyph_of (map, "q")));
  g_assert_true (draws_glyph (node, glyph_of (map, "_")));
  g_assert_false (draws_glyph (node, glyph_of (map, "?")));
}

static void
test_the_trend_counts_every_late_wake_up_by_day_without_gaps (SampleWindow *sample, gconstpointer data)
{
  const Chart *chart;
  g_autofree char *all = NULL;
  g_autofree char *gap = NULL;
  g_autofree char *last = NULL;

  show_fleet (sample);
  chart = culprit_chart_view_chart (the_only (sample, CULPRIT_TYPE_CHART_VIEW));
  all = chart_describe (chart);
  g_assert_nonnull (strstr (all, "3 culprits: blind stall 27; qh_completions 24; no culprit 6."));
  gap = chart_values_in_words (chart, 1.5);
  g_assert_cmpstr (gap, ==, "2026-02-28\nblind stall: 0\nqh_completions: 0\nno culprit: 0");
  last = chart_values_in_words (chart, 3.5);
  g_assert_cmpstr (last, ==, "2026-03-02\nblind stall: 27\nqh_completions: 0\nno culprit: 6");
}

static void
test_a_row_of_the_table_selects_its_run (SampleWindow *sample, gconstpointer data)
{
  GtkWidget *list;

  show_fleet (sample);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (sample->window), "search"));
  gtk_stack_set_visible_child_name (
      GTK_STACK (gtk_widget_get_template_child (gtk_stack_get_child_by_name (GTK_STACK (pages_of (sample)), "fleet"),
                                                FLEET_TYPE_PAGE, "views")),
      "table");
  sample_window_wait_until (has_rows, sample, GUINT_TO_POINTER (3));
  g_assert_true (g_action_group_get_action_enabled (G_ACTION_GROUP (sample->window), "search"));
  list = the_only (sample, GTK_TYPE_COLUMN_VIEW);
  g_signal_emit_by_name (list, "activate", 1);
  assert_page (sample, "outliers");
  g_assert_cmpstr (culprit_document_run (culprit_study_window_document (sample->window)), ==, "firmware");
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/fleet/offered", test_it_is_there_only_where_the_study_has_populations);
  sample_window_add ("/fleet/cell", test_a_cell_leads_to_its_captures_and_the_chip_back_to_all);
  sample_window_add ("/fleet/host", test_a_host_leads_to_all_of_its_captures);
  sample_window_add ("/fleet/click", test_a_click_does_the_same);
  sample_window_add ("/fleet/words", test_it_is_told_in_words);
  sample_window_add ("/fleet/names", test_names_are_drawn_as_they_are);
  sample_window_add ("/fleet/trend", test_the_trend_counts_every_late_wake_up_by_day_without_gaps);
  sample_window_add ("/fleet/table", test_a_row_of_the_table_selects_its_run);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page Flame: late wake-ups merged by call path, met with keys and pointer, as a picture, in words and as a table.
 */
#include "card-window.h"
#include "sample-input.h"

#include "document.h"
#include "flame/flame-view.h"
#include "pages.h"

static gpointer
the_only (SampleWindow *sample, GType type)
{
  g_autoptr (GPtrArray) found = sample_window_find (sample, type);

  g_assert_cmpuint (found->len, ==, 1);
  return g_ptr_array_index (found, 0);
}

static GtkWidget *
page_child (SampleWindow *sample, const char *name)
{
  return GTK_WIDGET (gtk_widget_get_template_child (the_only (sample, FLAME_TYPE_PAGE), FLAME_TYPE_PAGE, name));
}

static gboolean
has_rows (SampleWindow *sample, gconstpointer n)
{
  g_autoptr (GPtrArray) lists = sample_window_find (sample, GTK_TYPE_COLUMN_VIEW);

  return lists->len > 0 &&
         g_list_model_get_n_items (G_LIST_MODEL (gtk_column_view_get_model (g_ptr_array_index (lists, 0)))) ==
             GPOINTER_TO_UINT (n);
}

static gboolean
is_described_as (SampleWindow *sample, gconstpointer text)
{
  g_autofree char *other = gtk_test_accessible_check_property (the_only (sample, CULPRIT_TYPE_FLAME_VIEW),
                                                               GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text);

  return !other;
}

#define ALL                                                                                                            \
  "all late wake-ups: 1.565 ms in a late wake-up, 16.5 us in ordinary wake-ups: +1.548 ms; in 13 of 13 late wake-ups"
#define CAUSE                                                                                                          \
  "qh_completions: 964.2 us in a late wake-up (964.2 us its own), 3.0 us in ordinary wake-ups: +961.14 us; "           \
  "315.6 calls, there 1.0; in 11 of 13 late wake-ups; cause 1 of the verdict"

static void
show_flame (SampleWindow *sample)
{
  culprit_study_window_show_page (sample->window, "flame");
  sample_window_wait_until (is_described_as, sample, ALL);
  sample_window_settle ();
  gtk_widget_grab_focus (the_only (sample, CULPRIT_TYPE_FLAME_VIEW));
  sample_window_settle ();
}

static void
press (SampleWindow *sample, guint key, guint times)
{
  for (guint i = 0; i < times; i++)
    sample_input_key (sample, key, 0);
}

static guint
zoomed (SampleWindow *sample)
{
  return culprit_flame_view_zoomed (the_only (sample, CULPRIT_TYPE_FLAME_VIEW));
}

static void
test_arrows_go_to_callees_callers_and_siblings (SampleWindow *sample, gconstpointer data)
{
  show_flame (sample);
  press (sample, GDK_KEY_Down, 6);
  g_assert_true (is_described_as (sample, CAUSE));
  g_assert_true (sample_window_shows_label (sample, CAUSE));
  press (sample, GDK_KEY_Up, 1);
  press (sample, GDK_KEY_Right, 1);
  g_assert_true (sample_window_tells (sample, "hrtimer_wakeup: "));
  press (sample, GDK_KEY_Left, 1);
  g_assert_true (sample_window_tells (sample, "ehci_work: "));
  /* Upwards, callees are above. */
  g_object_set (the_only (sample, CULPRIT_TYPE_FLAME_VIEW), "upwards", TRUE, NULL);
  press (sample, GDK_KEY_Up, 1);
  g_assert_true (is_described_as (sample, CAUSE));
}

static void
test_enter_zooms_and_escape_returns (SampleWindow *sample, gconstpointer data)
{
  show_flame (sample);
  press (sample, GDK_KEY_Down, 5);
  press (sample, GDK_KEY_Return, 1);
  g_assert_cmpuint (zoomed (sample), ==, 5);
  press (sample, GDK_KEY_Down, 1);
  press (sample, GDK_KEY_Return, 1);
  g_assert_cmpuint (zoomed (sample), ==, 6);
  g_assert_nonnull (sample_window_button (sample, "List 11 Captures"));
  press (sample, GDK_KEY_Escape, 1);
  g_assert_cmpuint (zoomed (sample), ==, 5);
  press (sample, GDK_KEY_Escape, 1);
  g_assert_cmpuint (zoomed (sample), ==, 0);
  press (sample, GDK_KEY_Escape, 1);
  g_assert_cmpuint (zoomed (sample), ==, 0);
}

static void
test_a_click_zooms_and_the_path_above_leads_back (SampleWindow *sample, gconstpointer data)
{
  GtkWidget *crumbs;

  show_flame (sample);
  /* In its middle there are the widest nodes, once it is only as high as they are. */
  gtk_widget_set_valign (the_only (sample, CULPRIT_TYPE_FLAME_VIEW), GTK_ALIGN_START);
  sample_window_settle ();
  sample_input_click (sample, the_only (sample, CULPRIT_TYPE_FLAME_VIEW), 1);
  g_assert_cmpuint (zoomed (sample), >, 0);
  crumbs = page_child (sample, "crumbs");
  g_signal_emit_by_name (gtk_widget_get_first_child (crumbs), "clicked");
  sample_window_settle ();
  g_assert_cmpuint (zoomed (sample), ==, 0);
  g_assert_false (gtk_widget_get_sensitive (gtk_widget_get_first_child (page_child (sample, "crumbs"))));
}

static void
test_a_search_says_how_many_match_and_their_share (SampleWindow *sample, gconstpointer data)
{
  show_flame (sample);
  sample_input_type (sample, "^f");
  sample_input_type (sample, "qh");
  sample_window_wait_until (sample_window_shows_label, sample, "1 match, 61.6 % of the time");
  sample_input_key (sample, GDK_KEY_Escape, 0);
  sample_window_wait_until (sample_window_shows_label, sample, "");
  g_assert_true (gtk_widget_has_focus (the_only (sample, CULPRIT_TYPE_FLAME_VIEW)));
}

static void
test_a_search_says_what_the_zoom_hides (SampleWindow *sample, gconstpointer data)
{
  show_flame (sample);
  sample_input_type (sample, "^f");
  sample_input_type (sample, "qh");
  sample_window_wait_until (sample_window_shows_label, sample, "1 match, 61.6 % of the time");
  culprit_flame_view_zoom (the_only (sample, CULPRIT_TYPE_FLAME_VIEW), 5);
  sample_window_settle ();
  g_assert_true (sample_window_shows_label (sample, "1 match, 61.6 % of the time"));
  culprit_flame_view_zoom (the_only (sample, CULPRIT_TYPE_FLAME_VIEW), 12);
  sample_window_wait_until (sample_window_shows_label, sample, "1 match, 61.6 % of the time; 1 outside of the zoom");
}

static void
test_a_source_is_named_apart_from_its_first_call (SampleWindow *sample, gconstpointer data)
{
  show_flame (sample);
  culprit_flame_view_zoom (the_only (sample, CULPRIT_TYPE_FLAME_VIEW), 2);
  sample_window_wait_until (sample_window_shows_label, sample, "interrupt __sysvec_apic_timer_interrupt");
  g_assert_true (sample_window_shows_label (sample, "__sysvec_apic_timer_interrupt"));
}

static void
test_a_node_leads_to_its_captures (SampleWindow *sample, gconstpointer data)
{
  CulpritFlameView *view;

  show_flame (sample);
  view = the_only (sample, CULPRIT_TYPE_FLAME_VIEW);
  press (sample, GDK_KEY_Down, 6);
  g_assert_cmpuint (culprit_flame_view_current (view), ==, 6);
  press (sample, GDK_KEY_space, 1);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (sample_window_child (sample, "pages"))), ==,
                   "outliers");
  sample_window_wait_until (sample_window_shows_label, sample, "Only those of qh_completions");
  sample_window_wait_until (has_rows, sample, GUINT_TO_POINTER (11));
}

/* As by a click and another with Shift in the list. */
static void
select_two (SampleWindow *sample)
{
  g_autoptr (GPtrArray) lists = NULL;

  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  lists = sample_window_find (sample, GTK_TYPE_COLUMN_VIEW);
  gtk_selection_model_select_range (gtk_column_view_get_model (g_ptr_array_index (lists, 0)), SAMPLE_WINDOW_CAPTURE - 1,
                                    2, TRUE);
  sample_window_settle ();
}

static void
test_the_selection_alone_is_merged_until_all_are_asked_for (SampleWindow *sample, gconstpointer data)
{
  select_two (sample);
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "flame-selected", NULL);
  sample_window_wait_until (sample_window_tells, sample, "2 late wake-ups, ");
  g_assert_true (sample_window_shows_label (sample, "Only the 2 selected"));
  g_assert_true (sample_window_tells (sample, "in 2 of 2 late wake-ups"));
  sample_window_settle ();
  sample_input_click (sample, page_child (sample, "chip"), 1);
  sample_window_wait_until (sample_window_tells, sample, "13 late wake-ups, ");
  g_assert_false (sample_window_tells (sample, "selected"));
  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_choose (sample, 1);
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "flame-selected", NULL);
  sample_window_wait_until (sample_window_shows_label, sample, "Only capture 1");
  g_assert_true (sample_window_tells (sample, "1 late wake-up, "));
}

static gboolean
tells_no (SampleWindow *sample, gconstpointer text)
{
  return !sample_window_tells (sample, text);
}

/* Captures of another study may have their numbers, whether it was read yet or not. */
static void
test_a_selection_ends_with_its_study (SampleWindow *sample, gconstpointer data)
{
  const gint64 captures[] = { 1, 2 };
  GVariant *list = g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, captures, 2, sizeof *captures);

  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "captures",
                                  g_variant_new ("(s@ax)", "somebody", list));
  select_two (sample);
  g_assert_true (sample_window_tells (sample, "Only those of somebody"));
  sample_window_replace (sample, "");
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "flame-selected", NULL);
  sample_window_wait_until (sample_window_tells, sample, "13 late wake-ups, ");
  sample_window_wait_until (tells_no, sample, "Only the 2 selected");
  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_wait_until (sample_window_tells, sample, "anew-1.dat");
  g_assert_false (sample_window_tells (sample, "Only those of somebody"));
}

static void
test_a_run_is_compared_with_another (SampleWindow *sample, gconstpointer data)
{
  GtkDropDown *base;

  show_flame (sample);
  base = GTK_DROP_DOWN (page_child (sample, "base"));
  g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (base)), ==, 3);
  culprit_document_choose_run (culprit_study_window_document (sample->window), "slides/on-1");
  sample_window_wait_until (sample_window_tells, sample, "8 late wake-ups, ");
  gtk_drop_down_set_selected (base, 1);
  sample_window_wait_until (sample_window_tells, sample, " of 5 late wake-ups of ");
  gtk_drop_down_set_selected (base, 0);
  sample_window_wait_until (sample_window_tells, sample, " ordinary wake-ups");
}

static void
test_the_table_has_every_node_and_a_row_leads_to_its_box (SampleWindow *sample, gconstpointer data)
{
  show_flame (sample);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (sample->window), "search"));
  gtk_stack_set_visible_child_name (GTK_STACK (page_child (sample, "views")), "table");
  sample_window_settle ();
  g_assert_true (g_action_group_get_action_enabled (G_ACTION_GROUP (sample->window), "search"));
  g_signal_emit_by_name (the_only (sample, GTK_TYPE_COLUMN_VIEW), "activate", 6);
  sample_window_settle ();
  g_assert_cmpuint (zoomed (sample), ==, 6);
}

static void
test_the_picture_is_saved (SampleWindow *sample, gconstpointer data)
{
  GActionGroup *actions = G_ACTION_GROUP (sample->window);
  g_autofree char *svg = g_build_filename (sample->folder, "flame.svg", NULL);
  g_autofree char *png = g_build_filename (sample->folder, "flame.png", NULL);
  g_autofree char *text = NULL;
  g_autofree char *pixels = NULL;

  show_flame (sample);
  g_assert_true (g_action_group_get_action_enabled (actions, "export-picture"));
  g_action_group_activate_action (actions, "export-picture-to", g_variant_new_string (svg));
  g_action_group_activate_action (actions, "export-picture-to", g_variant_new_string (png));
  sample_window_settle ();
  g_assert_true (g_file_get_contents (svg, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "13 late wake-ups, 1.565 ms on average"));
  g_assert_nonnull (strstr (text, "1.548 ms more (orange)"));
  g_assert_true (g_file_get_contents (png, &pixels, NULL, NULL));
  g_assert_true (g_str_has_prefix (pixels, "\x89PNG"));
  gtk_stack_set_visible_child_name (GTK_STACK (page_child (sample, "views")), "table");
  sample_window_settle ();
  g_assert_false (g_action_group_get_action_enabled (actions, "export-picture"));
  g_assert_no_errno (remove (svg));
  g_assert_no_errno (remove (png));
}

static void
export_at_once (GActionGroup *actions, const char *name, gboolean can, const char *path)
{
  if (can)
    g_action_group_activate_action (actions, name, g_variant_new_string (path));
}

static void
test_the_picture_can_be_saved_before_it_was_drawn (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *svg = g_build_filename (sample->folder, "flame.svg", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) colours = NULL;

  g_signal_connect (sample->window, "action-enabled-changed::export-picture-to", G_CALLBACK (export_at_once), svg);
  show_flame (sample);
  g_signal_handlers_disconnect_by_func (sample->window, export_at_once, svg);
  g_assert_true (g_file_get_contents (svg, &text, NULL, NULL));
  colours = g_strsplit (text, "rgb(", -1); /* Before cairo 1.18, in a style. */
  g_assert_cmpuint (g_strv_length (colours), >, 20);
  g_assert_no_errno (remove (svg));
}

#define EVIL "=<b>&amp;\x1b[31m\xe2\x80\xae;%s"

/* A study of a stranger: a path as deep as no capture's, many siblings with odd names, and the largest numbers. */
static const char hostile[] =
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
    " INSERT INTO function SELECT 1000000 + i, '" EVIL "' || i, '', 0 FROM n;"
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
    " INSERT INTO node SELECT 1000000 + i, (SELECT MIN (node_id) FROM node), 1000000 + i, 'task', 'x', 1, 0 FROM n;"
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)"
    " INSERT INTO node SELECT 2000000 + i, IIF (i = 1, 1000001, 1999999 + i), 1000000 + i, 'task', 'x', i + 1, 1 FROM "
    "n;"
    "INSERT INTO outlier_node SELECT (SELECT MIN (window_id) FROM window WHERE kind = 'outlier'), node_id,"
    " 9223372036854775807, 9223372036854775807, 0, 0, 0, 0, NULL FROM node WHERE node_id > 1000000;"
    "INSERT INTO ordinary_node SELECT 1, node_id, -1, -1, -1, 9223372036854775807, 0, 0 FROM node"
    " WHERE node_id > 2000000;";

static void
test_a_strangers_study_is_drawn_within_bounds (SampleWindow *sample, gconstpointer data)
{
  const CulpritFilter filter = { .counted = TRUE };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (CulpritFlame) flame = NULL;
  g_autoptr (GArray) boxes = NULL;

  sample_window_execute (sample, hostile);
  culprit_document_reload (culprit_study_window_document (sample->window));
  sample_window_settle ();
  culprit_study_window_show_page (sample->window, "flame");
  sample_window_wait_until (sample_window_tells, sample, "13 late wake-ups, ");
  gtk_widget_grab_focus (the_only (sample, CULPRIT_TYPE_FLAME_VIEW));
  press (sample, GDK_KEY_Down, 3);
  press (sample, GDK_KEY_Return, 1);
  press (sample, GDK_KEY_Escape, 1);
  study = culprit_study_open (sample->study, CULPRIT_STUDY_READ, NULL);
  flame = culprit_flame_read (study, &filter, NULL, NULL);
  g_assert_cmpuint (flame->nodes->len, >, 20000);
  boxes = culprit_flame_layout (flame, 0, SAMPLE_WINDOW_WIDTH, 1);
  g_assert_cmpuint (boxes->len, <, SAMPLE_WINDOW_WIDTH * (CULPRIT_NODES_DEEPEST + 2));
  for (guint i = 0; i < boxes->len; i++)
    {
      const CulpritFlameBox *box = &g_array_index (boxes, CulpritFlameBox, i);

      g_assert_cmpfloat (box->x, >=, 0);
      g_assert_cmpfloat (box->x + box->width, <=, SAMPLE_WINDOW_WIDTH + 1e-6);
      g_assert_cmpuint (culprit_flame_node (flame, box->node)->depth, <=, CULPRIT_NODES_DEEPEST + 1);
    }
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/flame/arrows", test_arrows_go_to_callees_callers_and_siblings);
  sample_window_add ("/flame/zoom", test_enter_zooms_and_escape_returns);
  sample_window_add ("/flame/click", test_a_click_zooms_and_the_path_above_leads_back);
  sample_window_add ("/flame/search", test_a_search_says_how_many_match_and_their_share);
  sample_window_add ("/flame/search-while-zoomed", test_a_search_says_what_the_zoom_hides);
  sample_window_add ("/flame/sources", test_a_source_is_named_apart_from_its_first_call);
  sample_window_add ("/flame/captures", test_a_node_leads_to_its_captures);
  sample_window_add ("/flame/selection", test_the_selection_alone_is_merged_until_all_are_asked_for);
  sample_window_add ("/flame/selection-ends", test_a_selection_ends_with_its_study);
  sample_window_add ("/flame/base", test_a_run_is_compared_with_another);
  sample_window_add ("/flame/table", test_the_table_has_every_node_and_a_row_leads_to_its_box);
  sample_window_add ("/flame/picture", test_the_picture_is_saved);
  sample_window_add ("/flame/picture-at-once", test_the_picture_can_be_saved_before_it_was_drawn);
  sample_window_add ("/flame/stranger", test_a_strangers_study_is_drawn_within_bounds);
  return g_test_run ();
}

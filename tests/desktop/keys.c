/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A text field keeps the keys that it uses itself, and what was typed into it is not lost. Keys come from the display's
 * keyboard, as a user's do. */
#include "sample-input.h"

#define OTHER 1
#define STEPS 150       /* more than a page has places for the focus */
#define MOST_AT_ONCE 12 /* steps inside one widget, as a label's links */

/* The entry that is seen. */
static GtkEditable *
find_note (SampleWindow *sample)
{
  g_autoptr (GPtrArray) entries = sample_window_find (sample, GTK_TYPE_ENTRY);

  g_assert_cmpuint (entries->len, ==, 1);
  return g_ptr_array_index (entries, 0);
}

static void
act (SampleWindow *sample, const char *action, const char *value)
{
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), action, value ? g_variant_new_string (value) : NULL);
}

/* Gives the capture a state that can be taken back, and goes into its note. */
static GtkEditable *
begin_note (SampleWindow *sample)
{
  GtkEditable *note;

  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  act (sample, "triage", "seen");
  sample_window_wait_until (sample_window_stores, sample, "seen: ");
  note = find_note (sample);
  g_assert_true (gtk_widget_grab_focus (GTK_WIDGET (note)));
  return note;
}

static void
test_undo_in_a_text_field_is_the_field_s (SampleWindow *sample, gconstpointer data)
{
  GtkEditable *note = begin_note (sample);

  sample_input_type (sample, "hello");
  g_assert_cmpstr (gtk_editable_get_text (note), ==, "hello");
  sample_input_type (sample, "^z");
  g_assert_cmpstr (gtk_editable_get_text (note), ==, "");
  /* Nothing is left to take back in it. */
  sample_input_type (sample, "^z^z");
  g_assert_true (sample_window_stores (sample, "seen: "));
}

static void
test_undo_elsewhere_is_the_study_s (SampleWindow *sample, gconstpointer data)
{
  g_autoptr (GPtrArray) lists = NULL;

  begin_note (sample);
  lists = sample_window_find (sample, GTK_TYPE_COLUMN_VIEW);
  g_assert_true (gtk_widget_grab_focus (g_ptr_array_index (lists, 0)));
  sample_input_type (sample, "^z");
  sample_window_wait_until (sample_window_stores, sample, "new: ");
}

static void
on_text (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  char **text = data;

  *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

static char *
read_clipboard (SampleWindow *sample)
{
  char *text = NULL;

  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (sample->window)), NULL, on_text, &text);
  sample_window_settle ();
  return text;
}

static void
test_copy_is_of_what_has_the_focus (SampleWindow *sample, gconstpointer data)
{
  GtkEditable *note = begin_note (sample);
  g_autoptr (GPtrArray) lists = sample_window_find (sample, GTK_TYPE_COLUMN_VIEW);
  g_autofree char *typed = NULL;
  g_autofree char *rows = NULL;

  sample_input_type (sample, "hello^a^c");
  typed = read_clipboard (sample);
  g_assert_cmpstr (typed, ==, "hello");
  g_assert_cmpstr (gtk_editable_get_text (note), ==, "hello");
  g_assert_true (gtk_widget_grab_focus (g_ptr_array_index (lists, 0)));
  sample_input_type (sample, "^c");
  rows = read_clipboard (sample);
  g_assert_true (g_str_has_prefix (rows, "3\t"));
}

static void
test_what_is_copied_is_no_formula (SampleWindow *sample, gconstpointer data)
{
  GtkEditable *note = begin_note (sample);
  g_autoptr (GPtrArray) lists = sample_window_find (sample, GTK_TYPE_COLUMN_VIEW);
  g_autofree char *rows = NULL;

  gtk_editable_set_text (note, "=1+1");
  g_assert_true (gtk_widget_grab_focus (g_ptr_array_index (lists, 0)));
  sample_window_wait_until (sample_window_stores, sample, "seen: =1+1");
  g_assert_true (gtk_widget_activate_action (g_ptr_array_index (lists, 0), "columns.show-note", NULL));
  sample_input_type (sample, "^c");
  rows = read_clipboard (sample);
  g_assert_nonnull (strstr (rows, "\t'=1+1"));
}

static void
test_a_note_is_stored_when_another_row_is_chosen (SampleWindow *sample, gconstpointer data)
{
  GtkEditable *note = begin_note (sample);

  sample_input_type (sample, "hello");
  sample_window_choose (sample, OTHER);
  g_assert_cmpstr (gtk_editable_get_text (note), ==, "");
  sample_window_wait_until (sample_window_stores, sample, "seen: hello");
  sample_window_choose (sample, SAMPLE_WINDOW_CAPTURE);
  g_assert_cmpstr (gtk_editable_get_text (note), ==, "hello");
}

static void
test_a_note_is_stored_when_its_field_is_left (SampleWindow *sample, gconstpointer data)
{
  begin_note (sample);
  sample_input_type (sample, "hello");
  culprit_study_window_show_page (sample->window, "functions");
  sample_window_wait_until (sample_window_stores, sample, "seen: hello");
}

static void
test_a_note_is_stored_when_the_window_is_closed (SampleWindow *sample, gconstpointer data)
{
  begin_note (sample);
  sample_input_type (sample, "hello");
  gtk_window_close (GTK_WINDOW (sample->window));
  sample->window = NULL;
  sample_window_wait_until (sample_window_stores, sample, "seen: hello");
}

/* How often the Tab key changed nothing, at most in a row. */
static guint
count_steps_in_one (SampleWindow *sample)
{
  GtkWidget *before = NULL;
  guint most = 0;
  guint same = 0;

  for (guint i = 0; i < STEPS; i++)
    {
      GtkWidget *focus;

      g_signal_emit_by_name (sample->window, "move-focus", GTK_DIR_TAB_FORWARD);
      focus = gtk_root_get_focus (GTK_ROOT (sample->window));
      same = focus == before ? same + 1 : 0;
      most = MAX (most, same);
      before = focus;
    }
  gtk_root_set_focus (GTK_ROOT (sample->window), NULL);
  if (most > MOST_AT_ONCE)
    g_test_message ("kept by a %s", before ? G_OBJECT_TYPE_NAME (before) : "window");
  return most;
}

static void
test_nothing_keeps_the_tab_key (SampleWindow *sample, gconstpointer data)
{
  for (guint i = 0; i < SAMPLE_WINDOW_PAGES; i++)
    {
      g_test_message ("%s", sample_window_pages[i]);
      culprit_study_window_show_page (sample->window, sample_window_pages[i]);
      sample_window_settle ();
      g_assert_cmpuint (count_steps_in_one (sample), <=, MOST_AT_ONCE);
    }
}

/* What the window of shortcuts lists, such as "<alt>4 <alt>f ...". */
static char *
list_shortcuts (void)
{
  g_autoptr (GBytes) ui =
      g_resources_lookup_data ("/io/github/culprit/desktop/gtk/help-overlay.ui", G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_auto (GStrv) parts = NULL;
  GString *all = g_string_new (" ");

  g_assert_nonnull (ui);
  parts = g_strsplit (g_bytes_get_data (ui, NULL), "name=\"accelerator\">", -1);
  for (guint i = 1; parts[i]; i++)
    {
      g_auto (GStrv) keys = g_strsplit (parts[i], "</property>", 2);

      g_string_append_printf (all, "%s ", keys[0]);
    }
  g_string_replace (all, "&lt;", "<", 0);
  g_string_replace (all, "&gt;", ">", 0);
  g_string_replace (all, "<ctrl>", "<Control>", 0);
  g_string_replace (all, "<alt>", "<Alt>", 0);
  g_string_replace (all, "<shift>", "<Shift>", 0);
  return g_string_free (all, FALSE);
}

static gboolean
lists (const char *all, const char *wanted)
{
  g_auto (GStrv) keys = g_strsplit (all, " ", -1);
  guint wanted_key;
  GdkModifierType wanted_modifiers;

  g_assert_true (gtk_accelerator_parse (wanted, &wanted_key, &wanted_modifiers));
  for (guint i = 0; keys[i]; i++)
    {
      guint key;
      GdkModifierType modifiers;

      if (*keys[i] && gtk_accelerator_parse (keys[i], &key, &modifiers) && key == wanted_key &&
          modifiers == wanted_modifiers)
        return TRUE;
    }
  return FALSE;
}

static void
test_all_keys_of_actions_are_listed (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *all = list_shortcuts ();
  g_auto (GStrv) actions = gtk_application_list_action_descriptions (sample->application);
  guint count = 0;

  for (guint i = 0; actions[i]; i++)
    {
      g_auto (GStrv) keys = gtk_application_get_accels_for_action (sample->application, actions[i]);

      for (guint k = 0; keys[k]; k++, count++)
        {
          g_test_message ("%s: %s", actions[i], keys[k]);
          g_assert_true (lists (all, keys[k]));
        }
    }
  g_assert_cmpuint (count, >, 30);
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/keys/undo-in-a-text-field-is-the-field-s", test_undo_in_a_text_field_is_the_field_s);
  sample_window_add ("/keys/undo-elsewhere-is-the-study-s", test_undo_elsewhere_is_the_study_s);
  sample_window_add ("/keys/copy-is-of-what-has-the-focus", test_copy_is_of_what_has_the_focus);
  sample_window_add ("/keys/what-is-copied-is-no-formula", test_what_is_copied_is_no_formula);
  sample_window_add ("/keys/a-note-is-stored-when-another-row-is-chosen",
                     test_a_note_is_stored_when_another_row_is_chosen);
  sample_window_add ("/keys/a-note-is-stored-when-its-field-is-left", test_a_note_is_stored_when_its_field_is_left);
  sample_window_add ("/keys/a-note-is-stored-when-the-window-is-closed",
                     test_a_note_is_stored_when_the_window_is_closed);
  sample_window_add ("/keys/nothing-keeps-tab", test_nothing_keeps_the_tab_key);
  sample_window_add ("/keys/all-keys-of-actions-are-listed", test_all_keys_of_actions_are_listed);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks in random order. A function that was delayed on purpose: its card says what that proved, and the page that
 * records draws the line. A remedy is tried, and the page says what it changes. */
#include "card-window.h"
#include "stand-in.h"

#include "charts/chart-view.h"
#include "outliers/verdict-box.h"

#include <glib/gstdio.h>
#include <string.h>

#define ROUNDS 3
#define SHORT_US 10
#define LONG_US 100
#define CALLS 7 /* in the wake-ups that take so long */

static const guint delays_us[] = { 0, 2, 4 };

static gboolean
has_blocks (SampleWindow *sample, gconstpointer data)
{
  const GPtrArray *latencies = culprit_document_latencies (culprit_study_window_document (sample->window));

  return latencies && latencies->len == 3 + ROUNDS * G_N_ELEMENTS (delays_us); /* The sample has three. */
}

/* A block with the delay @place: of four wake-ups one calls the function. */
static char *
write_block (SampleWindow *sample, guint turn, guint place)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *name = g_strdup_printf ("moved-%u.txt", turn);
  char *path = g_build_filename (sample->folder, name, NULL);

  for (guint i = 0; i < 400; i++)
    g_string_append_printf (text, "%.3f\n",
                            i % 4 == 0 ? LONG_US + delays_us[place] * CALLS + (i / 4 % 10) * 0.1
                                       : SHORT_US + (i / 4 % 10) * 0.1);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  return path;
}

/* Makes the study say that these runs were measured with delays. */
static void
configure (SampleWindow *sample)
{
  g_autoptr (GString) delays = g_string_new (NULL);
  g_autoptr (GString) delayed = g_string_new (NULL);
  g_autofree char *statement = NULL;

  for (guint turn = 1; turn <= ROUNDS * G_N_ELEMENTS (delays_us); turn++)
    {
      guint delay_ns = delays_us[(turn - 1) % G_N_ELEMENTS (delays_us)] * 1000;

      g_string_append_printf (delays, "%s%u", turn > 1 ? "," : "", delay_ns);
      g_string_append_printf (delayed, "%s{\"turn\":%u,\"calls\":1000,\"spun_ns\":%u}", turn > 1 ? "," : "", turn,
                              delay_ns * 1000);
    }
  statement =
      g_strdup_printf ("UPDATE series SET configuration = "
                       "'{\"delay_at\":\"qh_completions\",\"delays\":[%s],\"delayed\":[%s]}' WHERE name = 'moved'",
                       delays->str, delayed->str);
  g_assert_cmpint (sample_window_execute (sample, statement), ==, 1);
}

static void
add_proof (SampleWindow *sample)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  for (guint turn = 1; turn <= ROUNDS * G_N_ELEMENTS (delays_us); turn++)
    g_ptr_array_add (paths, write_block (sample, turn, (turn - 1) % G_N_ELEMENTS (delays_us)));
  culprit_document_import (culprit_study_window_document (sample->window), paths);
  sample_window_wait_until (has_blocks, sample, NULL);
  for (guint i = 0; i < paths->len; i++)
    g_unlink (g_ptr_array_index (paths, i));
  configure (sample);
  culprit_document_reload (culprit_study_window_document (sample->window));
}

static gboolean
has_chart (SampleWindow *sample, gconstpointer text)
{
  g_autoptr (GPtrArray) charts = sample_window_find (sample, CULPRIT_TYPE_CHART_VIEW);
  const Chart *chart = charts->len == 1 ? culprit_chart_view_chart (g_ptr_array_index (charts, 0)) : NULL;
  g_autofree char *description = chart ? chart_describe (chart) : NULL;

  return description && strstr (description, text);
}

static void
test_a_card_says_what_was_proved_and_shows_it (SampleWindow *sample, gconstpointer data)
{
  g_autofree char *path = g_build_filename (sample->folder, "proof.svg", NULL);
  g_autofree char *picture = NULL;
  GtkWidget *button;

  add_proof (sample);
  card_window_show (sample);
  sample_window_wait_until (
      sample_window_tells, sample,
      "Proved by delays: qh_completions is on the path of peak 2: 7.0 (7.0 to 7.0) calls in a wake-up; not of peak 1.");
  g_assert_null (card_window_button (sample, CARD_WINDOW_FUNCTION, "Prove"));
  button = card_window_button (sample, CARD_WINDOW_FUNCTION, "Show Proof");
  g_signal_emit_by_name (button, "clicked");
  sample_window_wait_until (sample_window_tells, sample,
                            "moved: qh_completions delayed at its entry, 3 rounds of 3 blocks in random order");
  sample_window_wait_until (has_chart, sample, ": 7.0 calls (7.0 to 7.0)");
  g_assert_true (sample_window_tells (sample, "By the captures of this study it ran in 11 of 13 late wake-ups"));
  g_action_group_activate_action (G_ACTION_GROUP (sample->window), "export-picture-to", g_variant_new_string (path));
  g_assert_true (g_file_get_contents (path, &picture, NULL, NULL));
  g_assert_nonnull (strstr (picture, "How much later each peak is"));
  g_unlink (path);
}

/* A target whose wake-ups are 20 us earlier with the treatment. */
static const char treated[] =
    "#!/usr/bin/python3\n"
    "import base64, json, sys\n"
    "def say(**line): print(json.dumps(line), flush=True)\n"
    "def packed(value):\n"
    "    value *= 2\n"
    "    while value > 127:\n"
    "        yield value & 127 | 128\n"
    "        value >>= 7\n"
    "    yield value\n"
    "say(type='hello', protocol=1, version='x')\n"
    "request = json.loads(sys.stdin.readline())\n"
    "assert (request['do'], request['treat'], request['undo'], request['limit_ns']) == ('trial', 'a', 'b', 10 ** 10)\n"
    "say(type='facts', host='h', kernel='k', machine='x86_64', cpus=[{'cpu': 0}])\n"
    "for run, treated in enumerate(request['treatments'], 1):\n"
    "    say(type='run', run=run, tracing='off', started_ns=1, treated=treated)\n"
    "    late = [(10000 if treated else 30000) + 13 * (i * 7 % 97) + run for i in range(400)]\n"
    "    samples = bytes(byte for value in late for byte in (0, *packed(value)))\n"
    "    say(type='samples', run=run, cpu=0, first_cycle=0, cycles=len(late), first_expected_ns=0,\n"
    "        base64=base64.b64encode(samples).decode())\n"
    "    say(type='run-end', run=run, cycles=len(late))\n"
    "say(type='end', reason='cycles')\n";

static void
fill (SampleWindow *sample, const char *name, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (sample_window_named (sample, name)), text);
  sample_window_settle ();
}

static void
choose (SampleWindow *sample, const char *name, guint choice)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (sample_window_named (sample, name)), choice);
  sample_window_settle ();
}

static void
test_a_remedy_is_tried (SampleWindow *sample, gconstpointer data)
{
  stand_in_write (sample, treated);
  culprit_study_window_show_page (sample->window, "record");
  sample_window_settle ();
  choose (sample, "target", 1);
  fill (sample, "host", "board");
  choose (sample, "trigger", 4);
  g_assert_true (sample_window_tells (sample, "“Treat by” is needed."));
  g_assert_cmpstr (gtk_entry_get_placeholder_text (GTK_ENTRY (sample_window_named (sample, "limit"))), ==,
                   "10s a block");
  fill (sample, "treat", "a");
  fill (sample, "undo", "b");
  fill (sample, "blocks", "14");
  g_assert_true (sample_window_tells (sample, "“Blocks” must be a multiple of 4."));
  fill (sample, "blocks", "12");
  g_signal_emit_by_name (sample_window_button (sample, "Record"), "clicked");
  sample_window_wait_until (sample_window_tells, sample,
                            "run: treated by “a”, undone by “b”, 3 rounds of 4 blocks in random order");
  g_assert_true (sample_window_tells (sample, "20.0 us"));
  sample_window_wait_until (has_chart, sample, "with the treatment (n = 2,400, ");
}

static void
test_no_other_program_may_bring_a_treatment (SampleWindow *sample, gconstpointer data)
{
  g_action_group_activate_action (
      G_ACTION_GROUP (sample->window), "record-start",
      g_variant_new_string ("{\"target\": \"ssh:board\", \"trigger\": \"treat\", \"treat\": \"a\", \"undo\": \"b\"}"));
  sample_window_wait_until (sample_window_tells, sample,
                            "“treat” runs a command; it can only be entered in the window");
}

int
main (int argc, char **argv)
{
  if (!sample_window_begin (&argc, &argv))
    return 77;
  sample_window_add ("/proof/a-card-says-what-was-proved-and-shows-it", test_a_card_says_what_was_proved_and_shows_it);
  stand_in_add ("/proof/a-remedy-is-tried", test_a_remedy_is_tried);
  stand_in_add ("/proof/no-other-program-may-bring-a-treatment", test_no_other_program_may_bring_a_treatment);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creates the captures of one study whose truth is known, and writes the truth: truth-captures SCENE base|wide SEED
 * FOLDER writes FOLDER/captures and FOLDER/truth.json; without the folder, prints what carries thousands of further
 * late wake-ups of that study; without arguments, lists the scenes. All as JSON. */
#include "truth-file.h"
#include "truth-replicas.h"
#include "truth-study.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define MOST_OTHER 4000 /* events of the other CPU in a capture */
#define REST_NS 60000   /* between two wake-ups, at least */
#define BOOT_NS 1000000000000ul
#define BETWEEN_NS 30000000000ul /* from one capture to the next, in addition to the cycles */

/* Adds the events of @wake, expected at @expected_ns; returns the time of the last one. */
static guint64
place (Recorded *recorded, Wake *wake, guint64 expected_ns)
{
  guint64 now_ns = expected_ns - llround (wake->lead_ns);
  Observed observed = { expected_ns, 0 };

  for (guint i = 0; i < wake->events->len; i++)
    {
      Event *event = &g_array_index (wake->events, Event, i);

      now_ns += i > 0 ? llround (event->gap_ns) : 0;
      event->at_ns = now_ns;
      if (i + 1 == wake->inside)
        observed.observed_ns = now_ns + llround (wake->user_ns);
    }
  g_array_append_vals (recorded->cpus[0], wake->events->data, wake->events->len);
  g_array_append_val (recorded->observed, observed);
  return now_ns;
}

static guint64
next_expected (const World *world, guint64 expected_ns, guint64 now_ns)
{
  do
    expected_ns += world->period_ns;
  while (expected_ns < now_ns + REST_NS);
  return expected_ns;
}

/* How long all CPUs stand still at @at_ns, if @wake is struck. */
static double
stall_at (const Study *study, const Wake *wake, guint64 at_ns)
{
  for (guint i = wake->inside; study->world->others_stop && i > 0; i--)
    {
      const Event *event = &g_array_index (wake->events, Event, i - 1);

      if (event->at_ns < at_ns)
        return 0;
      if (event->stall_ns > 0 && event->at_ns - event->stall_ns <= at_ns)
        return event->stall_ns;
    }
  return 0;
}

/* The other CPU calls one function after another. */
static void
add_other_cpu (const Study *study, const Wake *wake, Recorded *recorded)
{
  const World *world = study->world;
  const GArray *events = recorded->cpus[0];
  guint64 now_ns = g_array_index (events, Event, 0).at_ns;
  guint64 end_ns = g_array_index (events, Event, events->len - 1).at_ns;
  double gap_ns = MAX (world->other_cpu_ns, (double) (end_ns - now_ns) / MOST_OTHER);

  for (guint i = 0; world->other_cpu_ns > 0 && now_ns < end_ns; i++)
    {
      Event event = { .kind = i % 2 == 0 ? EVENT_ENTRY : EVENT_EXIT,
                      .function = FUNCTION_ELSEWHERE (world),
                      .pid = PID_ELSEWHERE };

      now_ns += world_draw (world, (Range) { .2, 1.8 }) * gap_ns;
      now_ns += stall_at (study, wake, now_ns);
      event.at_ns = now_ns;
      g_array_append_val (recorded->cpus[1], event);
    }
}

static gboolean
find_elsewhere (const Study *study, Elsewhere *elsewhere)
{
  return lateness_elsewhere (&study->late[0], study->world, elsewhere) ||
         lateness_elsewhere (&study->late[1], study->world, elsewhere);
}

static void
play_capture (const Study *study, guint capture, Recorded *recorded)
{
  World *world = study->world;
  double threshold_ns = study_threshold_ns (study, capture);
  guint64 expected_ns =
      BOOT_NS + capture * BETWEEN_NS + (study->hits[capture] + 1 - world->ordinary) * world->period_ns;
  Elsewhere elsewhere;
  const Elsewhere *meanwhile = find_elsewhere (study, &elsewhere) ? &elsewhere : NULL;

  for (guint i = 0; i < world->ordinary; i++)
    {
      g_autoptr (Wake) wake = study_draw_ordinary (study, capture * world->ordinary + i, threshold_ns);

      wake_finish (world, wake, meanwhile, FALSE);
      expected_ns = next_expected (world, expected_ns, place (recorded, wake, expected_ns));
    }
  wake_finish (world, study->wakes[capture], NULL, study->scene->foreign);
  place (recorded, study->wakes[capture], expected_ns);
  add_other_cpu (study, study->wakes[capture], recorded);
  recorded->threshold_ns = threshold_ns;
  recorded->hit_cycle = study->hits[capture];
  recorded->capture = capture + 1;
}

static void
write_capture (const Study *study, guint capture, const char *folder)
{
  g_autofree char *path = g_strdup_printf ("%s/captures/c%02u", folder, capture);
  Recorded recorded = { .world = study->world,
                        .cpus = { g_array_new (FALSE, FALSE, sizeof (Event)),
                                  g_array_new (FALSE, FALSE, sizeof (Event)) },
                        .observed = g_array_new (FALSE, FALSE, sizeof (Observed)),
                        .foreign = study->scene->foreign };

  play_capture (study, capture, &recorded);
  recorded_write (&recorded, path);
  g_array_unref (recorded.cpus[0]);
  g_array_unref (recorded.cpus[1]);
  g_array_unref (recorded.observed);
}

static void
add_causes (const Study *study, GString *truth)
{
  const char *separator = "";

  g_string_append (truth, "\"causes\": [");
  for (guint i = 0; i < MOST_CAUSES; i++)
    {
      guint n = study_count (study, i);
      g_autofree char *culprit = lateness_culprit (&study->late[i], study->world);
      const char *other = lateness_other_class (&study->late[i], study->world);

      if (n == 0 || !culprit)
        continue;
      g_string_append_printf (truth, "%s{\"culprit\": \"%s\", \"classes\": [\"%s\"", separator, culprit,
                              lateness_class (&study->late[i]));
      if (other)
        g_string_append_printf (truth, ", \"%s\"", other);
      g_string_append_printf (truth, "], \"captures\": %u}", n);
      separator = ", ";
    }
  g_string_append (truth, "]");
}

static void
add_captures (const Study *study, GString *truth)
{
  g_string_append (truth, ", \"captures\": [");
  for (guint i = 0; i < study->world->captures; i++)
    {
      g_autofree char *culprit = lateness_culprit (&study->late[study->causes[i]], study->world);

      g_string_append_printf (
          truth, "%s{\"file\": \"c%02u.dat\", \"culprit\": \"%s\", \"latency_ns\": %.0f, \"own_ns\": %.0f}",
          i > 0 ? ",\n  " : "\n  ", i, culprit ? culprit : "", wake_latency_ns (study->wakes[i]),
          wake_own_ns (study->wakes[i]));
    }
  g_string_append (truth, "]");
}

static int
write_truth (const Study *study, gulong seed, const char *folder)
{
  g_autoptr (GString) truth = g_string_new (NULL);
  g_autofree char *path = g_build_filename (folder, "truth.json", NULL);

  g_string_append_printf (
      truth, "{\"scene\": \"%s\", \"wide\": %s, \"seed\": %lu, \"ordinary\": %u, \"slowest_of\": %u,\n ",
      study->scene->name, study->wide ? "true" : "false", seed, study->world->ordinary, study->slowest_of);
  add_causes (study, truth);
  add_captures (study, truth);
  g_string_append (truth, "}\n");
  return g_file_set_contents (path, truth->str, truth->len, NULL) ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int
list_scenes (void)
{
  for (guint i = 0; i < truth_scenes (); i++)
    {
      const Scene *scene = truth_scene (i);

      g_print ("%s{\"name\": \"%s\", \"right\": %g, \"listed\": %g, \"slowest_of\": %u, \"drawn\": %s, "
               "\"noisy\": %s}",
               i > 0 ? ",\n " : "[", scene->name, scene->right, scene->listed, scene->slowest_of,
               scene->drawn || scene->causes[1].captures == 0 ? "true" : "false",
               scene->causes[0].others.high > 0 ? "true" : "false");
    }
  g_print ("]\n");
  return EXIT_SUCCESS;
}

static int
write_study (const Study *study, gulong seed, const char *folder)
{
  g_autofree char *captures = g_build_filename (folder, "captures", NULL);

  if (g_mkdir_with_parents (captures, 0755) != 0)
    {
      g_printerr ("%s: %s\n", captures, g_strerror (errno));
      return EXIT_FAILURE;
    }
  for (guint i = 0; i < study->world->captures; i++)
    write_capture (study, i, folder);
  return write_truth (study, seed, folder);
}

static int
print_replicas (const Study *study, gulong seed)
{
  g_autofree char *shares = replicas_as_json (study, seed);

  g_print ("%s", shares);
  return EXIT_SUCCESS;
}

int
main (int argc, char **argv)
{
  const Scene *scene = argc == 4 || argc == 5 ? truth_scene_find (argv[1]) : NULL;
  gulong seed = scene ? strtoul (argv[3], NULL, 10) : 0;
  Study *study;
  int status;

  if (argc == 1)
    return list_scenes ();
  if (!scene)
    {
      g_printerr ("usage: truth-captures [SCENE base|wide SEED [FOLDER]]\n");
      return 2;
    }
  study = study_new (scene, g_str_equal (argv[2], "wide"), seed);
  status = argc == 5 ? write_study (study, seed, argv[4]) : print_replicas (study, seed);
  study_free (study);
  return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows a capture's timeline, pans and zooms it, and prints how long frames took: tests/bench/timeline runs it. With
 * --export it writes a picture of the first frame instead. */
#include "charts/timeline/view.h"
#include "frames.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#define WIDTH 1600
#define HEIGHT 900
#define FRAMES 120 /* of each kind of movement */

static char *export_path;
static char *search;
static char *function;
static gboolean dark;
static gboolean all;

static const GOptionEntry entries[] = { { "export", 0, 0, G_OPTION_ARG_FILENAME, &export_path, NULL, NULL },
                                        { "search", 0, 0, G_OPTION_ARG_STRING, &search, NULL, NULL },
                                        { "function", 0, 0, G_OPTION_ARG_STRING, &function, NULL, NULL },
                                        { "dark", 0, 0, G_OPTION_ARG_NONE, &dark, NULL, NULL },
                                        { "all", 0, 0, G_OPTION_ARG_NONE, &all, NULL, NULL },
                                        { NULL } };

typedef struct
{
  gint64 begun_us;   /* of the program */
  gint64 painted_us; /* when the current frame began */
  gint64 cpu_us;     /* processor time of this thread then */
  guint frame;
  GArray *times;     /* of double: ms a frame */
  GArray *cpu_times; /* likewise, of processor time */
  CulpritTimeline *timeline;
  CulpritTimelineView *view;
  GMainLoop *loop;
  int status;
} Bench;

static const struct
{
  const char *name;
  double first_length; /* of all */
  double last_length;
  double first_place;
  double last_place;
} movements[] = {
  { "zoom from all to a millionth", 1, 1e-6, 0.5, 0.5 },
  { "pan over half of all", 0.5, 0.5, 0.25, 0.75 },
  { "pan over a tenth", 0.1, 0.1, 0.3, 0.4 },
  { "pan over a thousandth", 1e-3, 1e-3, 0.5, 0.501 },
  { "zoom back", 1e-6, 1, 0.5, 0.5 },
};

static double
memory_mb (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024.0;
}

static gint64
cpu_us (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static void
report (Bench *bench, const char *name)
{
  GArray *const both[] = { bench->times, bench->cpu_times };

  printf ("  %-30s", name);
  for (guint i = 0; i < G_N_ELEMENTS (both); i++)
    {
      const double *times = (const double *) (gpointer) both[i]->data;
      guint n = both[i]->len;

      g_array_sort (both[i], frames_compare);
      printf ("%s median %6.2f   95th %6.2f   worst %6.2f ms", i == 0 ? "" : "   processor:", times[n / 2],
              times[n * 95 / 100], times[n - 1]);
      g_array_set_size (both[i], 0);
    }
  printf ("\n");
}

/* The range to show in frame @bench->frame; FALSE: finished. */
static gboolean
move (Bench *bench)
{
  guint movement = bench->frame / FRAMES;
  double done = (double) (bench->frame % FRAMES) / FRAMES;
  double total_ns = bench->timeline->last_ns - bench->timeline->first_ns;
  double length_ns;
  double start_ns;

  if (movement >= G_N_ELEMENTS (movements))
    return FALSE;
  length_ns = total_ns * movements[movement].first_length *
              pow (movements[movement].last_length / movements[movement].first_length, done);
  start_ns = total_ns * (movements[movement].first_place +
                         done * (movements[movement].last_place - movements[movement].first_place)) -
             length_ns / 2;
  start_ns = MAX (start_ns, 0);
  culprit_timeline_view_zoom_to (bench->view, bench->timeline->first_ns + start_ns,
                                 bench->timeline->first_ns + start_ns + length_ns);
  return TRUE;
}

static void
on_before_paint (GdkFrameClock *clock, Bench *bench)
{
  bench->painted_us = g_get_monotonic_time ();
  bench->cpu_us = cpu_us ();
}

static void
export_now (Bench *bench)
{
  g_autoptr (GError) error = NULL;

  if (!culprit_timeline_view_export (bench->view, NULL, 1, export_path, &error))
    {
      fprintf (stderr, "%s\n", error->message);
      bench->status = 1;
    }
  g_main_loop_quit (bench->loop);
}

static void
on_after_paint (GdkFrameClock *clock, Bench *bench)
{
  double took_ms = (g_get_monotonic_time () - bench->painted_us) / 1e3;
  double cpu_ms = (cpu_us () - bench->cpu_us) / 1e3;

  if (bench->frame == 0)
    {
      printf ("  first frame after %.0f ms, of it %.1f ms to draw; peak memory %.0f MB\n",
              (g_get_monotonic_time () - bench->begun_us) / 1e3, took_ms, memory_mb ());
      if (export_path)
        {
          export_now (bench);
          return;
        }
    }
  else
    {
      g_array_append_val (bench->times, took_ms);
      g_array_append_val (bench->cpu_times, cpu_ms);
    }
  if (bench->frame % FRAMES == 0 && bench->frame > 0)
    report (bench, movements[bench->frame / FRAMES - 1].name);
  if (!move (bench))
    {
      printf ("  peak memory %.0f MB\n", memory_mb ());
      g_main_loop_quit (bench->loop);
      return;
    }
  bench->frame++;
  gtk_widget_queue_draw (GTK_WIDGET (bench->view));
}

static void
show (Bench *bench)
{
  GtkWidget *view = culprit_timeline_view_new ();

  g_object_set (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", dark, NULL);
  bench->view = CULPRIT_TIMELINE_VIEW (view);
  culprit_timeline_view_set_timeline (bench->view, bench->timeline);
  culprit_timeline_view_set_search (bench->view, search);
  culprit_timeline_view_set_function (bench->view, function);
  if (all)
    culprit_timeline_view_zoom_to_all (bench->view);
  frames_show (view, WIDTH, HEIGHT, G_CALLBACK (on_before_paint), G_CALLBACK (on_after_paint), bench);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GOptionContext) options = g_option_context_new ("CAPTURE");
  Bench bench = { .begun_us = g_get_monotonic_time () };

  g_option_context_add_main_entries (options, entries, NULL);
  if (!g_option_context_parse (options, &argc, &argv, &error) || argc != 2 || !gtk_init_check ())
    {
      fprintf (stderr, "%s\n", error ? error->message : "needs a capture and a display");
      return 2;
    }
  bench.timeline = culprit_timeline_read (argv[1], NULL, 0, NULL, &error);
  if (!bench.timeline)
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  printf ("%s: %" G_GUINT64_FORMAT " calls in %u lanes\n  read and indexed in %.0f ms\n", argv[1],
          bench.timeline->calls, bench.timeline->lanes->len, (g_get_monotonic_time () - bench.begun_us) / 1e3);
  bench.times = g_array_new (FALSE, FALSE, sizeof (double));
  bench.cpu_times = g_array_new (FALSE, FALSE, sizeof (double));
  bench.loop = g_main_loop_new (NULL, FALSE);
  show (&bench);
  g_main_loop_run (bench.loop);
  g_main_loop_unref (bench.loop);
  g_array_unref (bench.times);
  g_array_unref (bench.cpu_times);
  culprit_timeline_unref (bench.timeline);
  return bench.status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the merged late wake-ups of a study, zooms to nodes all over it, and prints how long reading and frames took:
 * tests/bench/window runs it. */
#include "flame/flame-view.h"
#include "frames.h"

#include <stdio.h>

#define WIDTH 1600
#define HEIGHT 900
#define FRAMES 120

typedef struct
{
  CulpritFlame *flame;
  CulpritFlameView *view;
  gint64 begun_us; /* of reading, then of the current frame */
  GArray *times;   /* of double: ms a frame */
  GMainLoop *loop;
} Bench;

static void
on_before_paint (GdkFrameClock *clock, Bench *bench)
{
  bench->begun_us = g_get_monotonic_time ();
}

static void
report (const Bench *bench)
{
  const double *times = (const double *) (gpointer) bench->times->data;
  double first = times[0];
  guint n;

  g_array_remove_index (bench->times, 0);
  n = bench->times->len;
  g_array_sort (bench->times, frames_compare);
  printf ("  first frame %.2f ms\n  zoomed: median %.2f   95th %.2f   worst %.2f ms\n", first, times[n / 2],
          times[n * 95 / 100], times[n - 1]);
}

static void
on_after_paint (GdkFrameClock *clock, Bench *bench)
{
  double took_ms = (g_get_monotonic_time () - bench->begun_us) / 1e3;

  g_array_append_val (bench->times, took_ms);
  if (bench->times->len > FRAMES)
    {
      report (bench);
      g_main_loop_quit (bench->loop);
      return;
    }
  /* Back to the first node every other time, which has the most boxes. */
  culprit_flame_view_zoom (bench->view, bench->times->len % 2 == 0
                                            ? 0
                                            : (guint64) bench->times->len * bench->flame->nodes->len / (FRAMES + 1));
  gtk_widget_queue_draw (GTK_WIDGET (bench->view));
}

static void
show (Bench *bench)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  bench->view = g_object_new (CULPRIT_TYPE_FLAME_VIEW, NULL);
  culprit_flame_view_set_flame (bench->view, bench->flame);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (bench->view));
  frames_show (scrolled, WIDTH, HEIGHT, G_CALLBACK (on_before_paint), G_CALLBACK (on_after_paint), bench);
}

int
main (int argc, char *argv[])
{
  const CulpritFilter filter = { .counted = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (CulpritStudy) study = NULL;
  Bench bench = { .begun_us = g_get_monotonic_time () };

  if (argc != 2 || !gtk_init_check ())
    {
      fprintf (stderr, "needs a study and a display\n");
      return 2;
    }
  study = culprit_study_open (argv[1], CULPRIT_STUDY_READ, &error);
  bench.flame = study ? culprit_flame_read (study, &filter, NULL, &error) : NULL;
  if (!bench.flame)
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  printf ("flame of %u late wake-ups, %u nodes: read in %.0f ms\n", bench.flame->captures->len, bench.flame->nodes->len,
          (g_get_monotonic_time () - bench.begun_us) / 1e3);
  bench.times = g_array_new (FALSE, FALSE, sizeof (double));
  bench.loop = g_main_loop_new (NULL, FALSE);
  show (&bench);
  g_main_loop_run (bench.loop);
  culprit_flame_view_set_flame (bench.view, NULL);
  g_main_loop_unref (bench.loop);
  g_array_unref (bench.times);
  culprit_flame_free (bench.flame);
  return 0;
}

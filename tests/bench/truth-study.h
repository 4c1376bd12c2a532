/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan of a study: its world, what makes its captures late, and the late wake-up of each. */
#pragma once

#include "truth-late.h"

typedef struct
{
  const Scene *scene;
  gboolean wide;
  World *world;
  Lateness late[MOST_CAUSES];
  guint *causes;           /* for each capture, the index of its cause */
  Wake **wakes;            /* the late one of each */
  guint64 *hits;           /* the number of each one's late cycle in the run, which continues from capture to capture */
  guint slowest_of;        /* number of cycles of which a late one without a cause is the slowest */
  gboolean own_thresholds; /* Each capture has its own threshold, as its hit is the slowest of its cycles. */
} Study;

/* Everything random is derived from @seed. */
Study *study_new (const Scene *scene, gboolean wide, gulong seed);

void study_free (Study *study);

/* The number of captures with the cause of this index. */
guint study_count (const Study *study, guint cause);

/* The index of the cause of one more late wake-up. */
guint study_draw_cause (const Study *study);

/* One more late wake-up that the cause of this index makes. */
Wake *study_draw_late (const Study *study, guint cause);

/* The latency above which a wake-up of this capture is late. */
double study_threshold_ns (const Study *study, guint capture);

/* The ordinary wake-up @number of the study, below the threshold. */
Wake *study_draw_ordinary (const Study *study, guint number, double threshold_ns);

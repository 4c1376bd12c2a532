/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study to be: its world, what makes its captures late, and the late wake-up of each. */
#pragma once

#include "truth-late.h"

typedef struct
{
  const Scene *scene;
  gboolean wide;
  World *world;
  Lateness late[MOST_CAUSES];
  guint *causes;           /* of each capture, which of these */
  Wake **wakes;            /* the late one of each */
  guint64 *hits;           /* the number of each one's late cycle in the run, which goes on from capture to capture */
  guint slowest_of;        /* cycles, of which a late one without a cause is the slowest */
  gboolean own_thresholds; /* A capture's threshold is its own, as its hit is the slowest of its cycles. */
} Study;

/* All that is drawn for it follows from @seed. */
Study *study_new (const Scene *scene, gboolean wide, gulong seed);

void study_free (Study *study);

/* How many captures have the cause at this place. */
guint study_count (const Study *study, guint cause);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What makes the wake-ups of a study late: the causes of its scene, as they are in its world. */
#pragma once

#include "truth-wake.h"

#define STORM_FUNCTIONS 8

typedef struct
{
  const Cause *cause;
  guint site;     /* CAUSE_FUNCTION: the guilty one; else the root of the region */
  double late_ns; /* how much later it makes a wake-up, about */
  Range varies;   /* of that, in one */
  guint times;    /* CAUSE_STORM: in a late wake-up */
  guint place;    /* CAUSE_STALLS: the function that is struck more easily */
  guint first;    /* of the sites below @site, which is a root, or CAUSE_PATH's */
  guint n_sites;
  guint leaves;     /* Where each of these calls further ones: how many. Each is followed by them. */
  guint in_windows; /* The function runs in this many ordinary wake-ups of the study. */
} Lateness;

/* Adds to @world what @cause needs. */
void lateness_prepare (Lateness *lateness, const Cause *cause, gboolean wide, World *world);

/* Adds to an ordinary @cycle what the cause ordinarily does in addition to being a site of the world. */
void lateness_usual (const Lateness *lateness, gboolean wide, const World *world, Cycle *cycle);

/* A wake-up that it made late. */
Wake *lateness_wake (const Lateness *lateness, const World *world, Cycle *cycle);

/* What is called between wake-ups; FALSE: nothing. */
gboolean lateness_elsewhere (const Lateness *lateness, const World *world, Elsewhere *elsewhere);

/* As the verdict calls it; NULL: nobody is to blame. */
const char *lateness_class (const Lateness *lateness);

/* Another class that is as right; NULL: there is none. */
const char *lateness_other_class (const Lateness *lateness, const World *world);

/* A function, an interrupt's, or a task; NULL: there is none. */
char *lateness_culprit (const Lateness *lateness, const World *world);

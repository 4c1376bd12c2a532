/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Captures that may be compared with each other: from one host, one kernel and one series of runs. Other recordings do
 * not affect what is said about them. */
#pragma once

#include "case.h"

/* From this confidence on, a cause is claimed; below, it is a suspicion. */
#define CULPRIT_SURE 0.95

/* The minimum share of a case's excess that a part or holder must have to be its cause. */
#define CULPRIT_LEAST_SHARE 0.25

/* The minimum share of it that a stretch must have to matter as a stall. */
#define CULPRIT_LEAST_STRETCH 0.1

/* A part or holder of some case that may be a cause. */
typedef struct
{
  gboolean is_holder;
  gint64 function; /* 0 for a holder */
  const char *name;
  CulpritContext context;
  gboolean rest;      /* The idle task waits there: one call takes longer than in anything else that it runs. */
  double time_share;  /* share of ordinary time spent there */
  double longest_ns;  /* the longest stretch there in ordinary wake-ups */
  guint64 ran;        /* ordinary wake-ups in which it occurs */
  double confidence;  /* that it is a cause, from what it ordinarily costs and how many captures agree */
  gboolean by_stalls; /* It is abnormal mostly by single stretches, which may be blind stalls. */
  gboolean guilty;    /* It is struck more often than blind stalls would strike it. */
  gboolean undecided; /* It is struck in half of the captures, but stalls that prefer it might do so as well. */
} CulpritSuspect;

typedef struct
{
  const char *host;
  const char *kernel;
  const char *series;       /* the name of the recording, or of the run */
  gboolean virtual_machine; /* The recorder detected a hypervisor. */
  guint captures;           /* that count */
  guint ordinary;           /* wake-ups of all of them */
  guint spread_windows;     /* of these, those for which the spread of costs is known */
  GArray *suspects;         /* of CulpritSuspect */
} CulpritPopulation;

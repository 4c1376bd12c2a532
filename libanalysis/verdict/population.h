/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Captures that may be compared with each other: of one host, one kernel and one series of runs. Other recordings do
 * not affect what is said of them. */
#pragma once

#include "case.h"

/* From this confidence on a cause is claimed; below it is a suspicion. */
#define CULPRIT_SURE 0.95

/* So much of a case's excess must be with a part or holder before it can be its cause. */
#define CULPRIT_LEAST_SHARE 0.25

/* So much of it must be one stretch before that is a stall that matters. */
#define CULPRIT_LEAST_STRETCH 0.1

/* A part or a holder of some case that may be a cause. */
typedef struct
{
  gboolean is_holder;
  gint64 function; /* 0 of a holder */
  const char *name;
  CulpritContext context;
  gboolean rest;      /* The idle task waits there: one call takes longer than in all else that it runs. */
  double time_share;  /* of ordinary time that is spent there */
  double longest_ns;  /* the longest stretch there in ordinary wake-ups */
  guint64 ran;        /* ordinary wake-ups in which it occurs */
  double confidence;  /* that it is a cause, by what it costs ordinarily and how many captures agree */
  gboolean by_stalls; /* It is abnormal mostly by single stretches, so that blind stalls may have struck it. */
  gboolean guilty;    /* It is struck more often than blind stalls would. */
  gboolean undecided; /* It is struck in half of the captures, which stalls that prefer it might as well. */
} CulpritSuspect;

typedef struct
{
  const char *host;
  const char *kernel;
  const char *series;       /* the name of the recording, or of the run */
  gboolean virtual_machine; /* The recorder saw a hypervisor below. */
  guint captures;           /* that count */
  guint ordinary;           /* wake-ups of all of them */
  guint spread_windows;     /* of these, those of which it is known how costs are spread */
  GArray *suspects;         /* of CulpritSuspect */
} CulpritPopulation;

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaps that no function explains. Firmware (an SMI) or a hypervisor that takes the CPU is blind: it strikes functions
 * in proportion to the time that they run, so in many captures it never strikes one place again and again. */
#pragma once

#include "case.h"

#define CULPRIT_STALL_CAPTURES 5 /* With fewer, a blind stall is likely at most. */

/* A place that was struck: in a function, between two events. */
typedef struct
{
  gint64 function;
  const char *name;
  CulpritContext context;
  gboolean rest;      /* The idle task waits there. */
  const char *before; /* NULL: not known, as the next */
  const char *after;
  guint hits;
  double share;       /* of ordinary time that is spent there */
  double p;           /* how probable so many hits are by chance, corrected for the number of places */
  double ordinary_ns; /* mean length of the longest stretch there in ordinary wake-ups */
  gboolean guilty;    /* It is the place and not chance: the function took too long. */
} CulpritPlace;

typedef enum
{
  CULPRIT_PROOF_UNVERIFIABLE, /* Nothing that was recorded could tell. */
  CULPRIT_PROOF_CONSISTENT,   /* The other CPUs stood still as well. */
  CULPRIT_PROOF_CONFIRMED,    /* The SMI counter or the hypervisor's steal time told so. */
} CulpritProof;

typedef struct
{
  guint captures;   /* that stand out */
  guint candidates; /* of which the longest stretch is half of the excess or more */
  guint struck;     /* of these, those that no guilty place explains */
  gboolean spread;  /* Those lie at different places: they are blind stalls. */
  gboolean blind;   /* Those are blind stalls, and half of the captures at least. */
  gboolean likely;  /* Only likely: there are too few. */
  double length_ns; /* their mean length and its standard deviation */
  double length_sd_ns;
  double least_p; /* of the places that are not guilty: how much it speaks against blindness */
  CulpritProof proof;
  GArray *places; /* of CulpritPlace, most hits first */
} CulpritStalls;

/* Tests the stretches of @cases (of CulpritCase), which were judged, and gives those that are blind stalls, or late
 * timers where nothing but the idle task was struck, their class. */
CulpritStalls *culprit_stalls_test (GArray *cases);

void culprit_stalls_free (CulpritStalls *stalls);

/* "unverifiable", "consistent", "confirmed". */
const char *culprit_proof_name (CulpritProof proof);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritStalls, culprit_stalls_free)

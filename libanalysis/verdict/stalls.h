/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaps that no function explains. Firmware (an SMI) or a hypervisor that takes the CPU is blind: it strikes functions
 * in proportion to the time that they run, once or several times in a wake-up, so that in many captures it never
 * strikes one place again and again. */
#pragma once

#include "case.h"
#include "population.h"

#define CULPRIT_STALL_CAPTURES 5 /* With fewer, and nothing that proves it, a blind stall is likely at most. */

/* A part that was struck. */
typedef struct
{
  gint64 function;
  const char *name;
  CulpritContext context;
  const char *before; /* the events that the longest stretch there lies between, where these are always the same; NULL:
                         they are not, or not known, as the next */
  const char *after;
  guint hits;         /* captures in which it was struck */
  double share;       /* of ordinary time that is spent there */
  double p;           /* how probable so many hits are by chance */
  double ordinary_ns; /* the longest stretch there in ordinary wake-ups */
  gboolean guilty;    /* It is the place and not chance: the function took too long. */
  const char *reason; /* why it is guilty, or not, as the end of a sentence */
} CulpritPlace;

typedef enum
{
  CULPRIT_PROOF_UNVERIFIABLE, /* Nothing that was recorded could tell. */
  CULPRIT_PROOF_CONSISTENT,   /* The other CPUs stood still as well. */
  CULPRIT_PROOF_CONFIRMED,    /* The SMI counter or the hypervisor's steal time told so. */
} CulpritProof;

typedef struct
{
  guint captures;    /* that stand out */
  guint candidates;  /* of which abnormal stretches together are half of the excess or more */
  guint struck;      /* of these, those that no guilty place explains */
  gboolean spread;   /* They are blind stalls. */
  gboolean blind;    /* They are, and half of the captures at least. */
  gboolean likely;   /* Only likely: there are too few. */
  double confidence; /* that they are blind: that a slow function would not have left so many places */
  double length_ns;  /* the mean of what they took in a capture, and its standard deviation */
  double length_sd_ns;
  double several; /* the mean number of stretches in a capture */
  double least_p; /* of the places that are not guilty: how much it speaks against blindness */
  CulpritProof proof;
  gboolean virtual_machine; /* They are a hypervisor's, and not firmware's. */
  GArray *places;           /* of CulpritPlace, most hits first */
} CulpritStalls;

/* Tests the stretches of @cases (of CulpritCase *, all of @population), which were judged; gives those that are blind
 * stalls, or late timers where nothing but the idle task was struck, their class; tells the suspects that may be no
 * more than a place that was struck whether they are guilty. */
CulpritStalls *culprit_stalls_test (GPtrArray *cases, CulpritPopulation *population);

/* Adds up what was found in several populations. */
void culprit_stalls_add (CulpritStalls *sum, const CulpritStalls *stalls);

CulpritStalls *culprit_stalls_new (void);
void culprit_stalls_free (CulpritStalls *stalls);

/* "unverifiable", "consistent", "confirmed". */
const char *culprit_proof_name (CulpritProof proof);

/* "hypervisor" where the target is a virtual machine, else "blind stall". */
const char *culprit_stalls_culprit (const CulpritStalls *stalls);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritStalls, culprit_stalls_free)

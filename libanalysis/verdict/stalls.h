/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaps that no function explains. Firmware (an SMI) or a hypervisor takes the CPU blindly: it strikes functions in
 * proportion to the time that they run, once or several times in a wake-up, so that over many captures it does not keep
 * striking the same place. */
#pragma once

#include "case.h"
#include "population.h"

#define CULPRIT_STALL_CAPTURES 5 /* With fewer, and no proof, a blind stall is only likely. */

/* A part that was struck. */
typedef struct
{
  gint64 function;
  const char *name;
  CulpritContext context;
  const char *before; /* the events before and after the longest stretch there if they are always the same; NULL: they
                         vary or are not known, also below */
  const char *after;
  guint hits;         /* captures in which it was struck */
  double share;       /* share of ordinary time spent there */
  double p;           /* probability of as many hits by chance, had only this place been looked at */
  double any_p;       /* probability that any of all places is hit as often for its share: this one decides */
  double ordinary_ns; /* the longest stretch there in ordinary wake-ups */
  gboolean guilty;    /* It is the place, not chance: the function took too long. */
  const char *reason; /* why it is guilty or not, as the end of a sentence */
} CulpritPlace;

typedef enum
{
  CULPRIT_PROOF_UNVERIFIABLE, /* Nothing that was recorded could show it. */
  CULPRIT_PROOF_CONSISTENT,   /* The other CPUs stood still as well. */
  CULPRIT_PROOF_CONFIRMED,    /* The SMI counter or the hypervisor's steal time showed it. */
} CulpritProof;

typedef struct
{
  guint captures;    /* that stand out */
  guint candidates;  /* whose abnormal stretches together are half of the excess or more */
  guint struck;      /* of these, those that no guilty place explains */
  gboolean spread;   /* They are blind stalls. */
  gboolean blind;    /* They are, and in at least half of the captures. */
  gboolean likely;   /* Only likely: there are too few. */
  double confidence; /* that they are blind: that a slow function would not have left so many places */
  double length_ns;  /* the mean of what they took in a capture, and its standard deviation */
  double length_sd_ns;
  double several; /* the mean number of stretches in a capture */
  double least_p; /* of the places that are not guilty: how much it speaks against blind stalls */
  CulpritProof proof;
  gboolean virtual_machine; /* They are due to a hypervisor, not firmware. */
  GArray *places;           /* of CulpritPlace, most hits first */
} CulpritStalls;

/* Tests the stretches of @cases (of CulpritCase *, all of @population), which have been judged. Sets the class of those
 * that are blind stalls, or late timers if only the idle task was struck, and marks the guilty among the suspects. */
CulpritStalls *culprit_stalls_test (GPtrArray *cases, CulpritPopulation *population);

/* Adds up the results of several populations; to be finished after all of them. */
void culprit_stalls_add (CulpritStalls *sum, const CulpritStalls *stalls);
void culprit_stalls_finish (CulpritStalls *sum);

CulpritStalls *culprit_stalls_new (void);
void culprit_stalls_free (CulpritStalls *stalls);

/* "unverifiable", "consistent", "confirmed". */
const char *culprit_proof_name (CulpritProof proof);

/* "hypervisor" if the target is a virtual machine, else "blind stall". */
const char *culprit_stalls_culprit (const CulpritStalls *stalls);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritStalls, culprit_stalls_free)

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaps that no function explains. Firmware (an SMI) or a hypervisor takes the CPU blindly: it strikes functions in
 * proportion to the time that they run, so that over many captures it does not keep striking the same place. */
#pragma once

#include "evidence.h"

#define CULPRIT_STALL_CAPTURES 5 /* With fewer, and no proof, a blind stall is only likely. */
#define CULPRIT_STALLS_SURE_OF_ONE 0.9
#define CULPRIT_STALL_FAR 10 /* times the longest ordinary stretch: then the machine may have stood still */

/* A part in which one stretch carries late wake-ups. */
typedef struct
{
  guint part; /* its index among the evidence's functions */
  gint64 function;
  const char *name;
  CulpritContext context;
  const char *before; /* the events before and after the longest stretch there if they are always the same; NULL: they
                         vary or are not known, also below */
  const char *after;
  guint hits;         /* captures that such a stretch carries */
  double share;       /* share of ordinary time spent there */
  double p;           /* how likely it is that stalls strike there as often */
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
  guint captures;      /* that stand out */
  guint candidates;    /* of these, those that one stretch carries, far longer than ordinary ones at its place */
  guint struck;        /* of these, those that are blind stalls */
  guint struck_places; /* at so many places */
  gboolean same_place; /* Several are at one of these. */
  gboolean uncounted;  /* The counter of SMIs stood still in each of them. */
  gboolean blind;      /* They are half of the captures or more. */
  gboolean likely;     /* Only likely: there are too few. */
  double confidence;   /* that they are blind: that a slow function would not have left so many places */
  double length_ns;    /* the mean of these stretches, and their standard deviation; NaN: there is one */
  double length_sd_ns;
  double least_p; /* of the places that are not guilty: how much it speaks against blind stalls */
  CulpritProof proof;
  gboolean virtual_machine; /* They are due to a hypervisor, not firmware. */
  GArray *places;           /* of CulpritPlace, most hits first */
} CulpritStalls;

/* Whether a single stretch carries @one, far longer than ordinary ones at its place: the machine may have stood still.
 */
gboolean culprit_case_is_candidate (const CulpritCase *one);

/* Where the stretch of @one is: the index of a function; all functions in which the idle CPU waits are one place. */
guint culprit_case_place (const CulpritEvidence *evidence, const CulpritCase *one);

CulpritStalls *culprit_stalls_new (void);
void culprit_stalls_free (CulpritStalls *stalls);

/* Tells @stalls, whose confidence and proof are known, how long those of @cases (indices, of guint) are. */
void culprit_stalls_measure (CulpritStalls *stalls, const CulpritEvidence *evidence, const GArray *cases);

/* Lists the places where a stretch carries some of @cases (indices), of one population; @causes (of CulpritCause): what
 * was found there. */
void culprit_stalls_list (CulpritStalls *stalls,
                          const CulpritEvidence *evidence,
                          const GArray *cases,
                          const GArray *causes);

/* Adds up the results of several populations; to be finished after all of them. */
void culprit_stalls_add (CulpritStalls *sum, const CulpritStalls *stalls);
void culprit_stalls_finish (CulpritStalls *sum);

/* "unverifiable", "consistent", "confirmed"; and what that means, as a clause. */
const char *culprit_proof_name (CulpritProof proof);
const char *culprit_proof_in_words (CulpritProof proof);

/* "hypervisor" if the target is a virtual machine, else "blind stall". */
const char *culprit_stalls_culprit (const CulpritStalls *stalls);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritStalls, culprit_stalls_free)

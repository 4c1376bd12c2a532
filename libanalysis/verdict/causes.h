/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What carries many late wake-ups of a population, and whether that is coincidence. */
#pragma once

#include "evidence.h"
#include "stalls.h"

/* From this confidence on, a cause is claimed; below, it is a suspicion. */
#define CULPRIT_SURE 0.95

typedef enum
{
  CULPRIT_CAUSE_TASK,     /* another task, whatever it did */
  CULPRIT_CAUSE_FUNCTION, /* over all its paths */
  CULPRIT_CAUSE_NODE,     /* of the tree of calls, with what is below it */
  CULPRIT_CAUSE_STALLS,   /* blind ones */
  CULPRIT_CAUSE_TIMER,    /* The idle CPU was woken late. */
} CulpritCauseKind;

typedef struct
{
  CulpritCauseKind kind;
  guint node; /* of a function that which most of its time came by; CULPRIT_NOTHING for blind stalls and late timers */
  guint function;    /* CULPRIT_NOTHING: it is not a function */
  GArray *cases;     /* of guint: indices of the cases that it carries */
  GArray *ignored;   /* likewise: of cases that do not count, but have it too; empty at first */
  double confidence; /* that it is not coincidence; CULPRIT_SURE or more: it is established */
  guint more; /* captures that would make it certain, if it carries all of them; 0: it is, or that is not known */
} CulpritCause;

/* Whether it is established; else it is a suspect. */
static inline gboolean
culprit_cause_is_sure (const CulpritCause *cause)
{
  return cause->confidence >= CULPRIT_SURE || cause->kind == CULPRIT_CAUSE_STALLS;
}

/* Finds the causes and suspects among the judged cases (indices, of guint) of @population. Gives those that blind
 * stalls delayed their class, and tells @stalls of all single stretches. Each case that has a carrier is in one of the
 * result, an array of CulpritCause that the caller owns; those that do not count are in none. */
GArray *culprit_causes_find (const CulpritEvidence *evidence,
                             guint population,
                             const GArray *cases,
                             CulpritStalls *stalls);

/* The deepest node that at least nine tenths of @nodes (of guint) are, or are below. CULPRIT_NOTHING: there is none. */
guint culprit_causes_shared_node (const CulpritEvidence *evidence, const GArray *nodes);

/* The same of at least half of @of wake-ups, of which @nodes carry some. */
guint culprit_causes_common_node (const CulpritEvidence *evidence, const GArray *nodes, guint of);

/* The node directly below @at on the way to @node; @at may be CULPRIT_NOTHING, the root. CULPRIT_NOTHING: it is not
 * below. */
guint culprit_causes_step (const CulpritEvidence *evidence, guint node, guint at);

/* How certain it is that something carries @k of @of wake-ups that no other cause explains: it has @share of all
 * ordinary time; @single: by single stretches. */
double culprit_causes_agreement (CulpritCauseKind kind, double share, gboolean single, guint k, guint of);

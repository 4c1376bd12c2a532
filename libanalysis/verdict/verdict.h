/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict over many captures: the causes, ranked, how certain each is, and how much of the excess it explains.
 * Captures are judged population by population; the same cause in several of them counts as one. */
#pragma once

#include "causes.h"
#include "evidence.h"
#include "stalls.h"
#include "study/blocks.h"

#define CULPRIT_CULPRITS_MOST 5 /* that are described in sentences, and as many suspects */

/* Where a cause occurs. */
typedef struct
{
  guint population; /* its index in the evidence */
  guint captures;   /* those of it that the cause explains */
} CulpritOccurrence;

/* A part of the breakdown of a cause: the node directly below its own. */
typedef struct
{
  guint node;
  guint captures;   /* whose carriers are that node, or below it */
  const char *leaf; /* the last call of the carrier of the earliest of them */
} CulpritBranch;

/* What captures are attributed to: a cause if it is certain, else a suspect. */
typedef struct
{
  CulpritCauseKind kind;
  CulpritClass class;
  const char
      *name; /* the function, or the last one of the node; a task, an interrupt; "hypervisor", "blind stall", "idle" */
  gint64 function; /* 0 if it is not a function */
  guint node;      /* its index in the evidence; CULPRIT_NOTHING: blind stalls and late timers have none */
  CulpritContext context;
  guint captures; /* that it explains */
  double low;     /* the share of late wake-ups that it carries is between these, with 95 % certainty */
  double high;
  guint inverted;         /* of these, those in which it is a task of lower priority than the measured one */
  guint single;           /* of these, those in which one stretch is half of the excess or more */
  double excess_ns;       /* what it explains in one of them, on average, as are the next three */
  double all_ns;          /* their whole excess */
  double calls;           /* NaN if it is neither a function nor a node with calls, as are the next */
  double reference_calls; /* when it ordinarily runs; 0: it does not */
  double per_call_ns;
  double reference_per_call_ns; /* likewise, or elsewhere in the captures; NaN: it never ran there */
  double count_share;           /* the share of its excess due to more calls than when it ordinarily runs */
  double least_ns;              /* the least and the most time that it took in one of them */
  double most_ns;
  double share;      /* excess_ns of all_ns */
  double confidence; /* how certain it is that this is a cause at all, whatever else also is */
  guint more;        /* captures that would make it certain, if it carries them too; 0: it is, or that is not known */
  double weight;     /* its share of the total excess of all captures that stand out */
  double weight_low; /* its 95 % interval */
  double weight_high;
  double leads;             /* how often it is the largest when captures are resampled */
  CulpritOrdinary ordinary; /* what it costs in ordinary wake-ups; 0 if it has no node */
  double ordinary_of;       /* of how many */
  const char *path;         /* the calls to it, in the capture that it explains most; may be NULL */
  double path_ns;           /* of the excess there */
  GArray *where;            /* of CulpritOccurrence */
  GArray *explains;         /* of gint64: the captures that it explains, in ascending order */
  GArray *breakdown;        /* of CulpritBranch, most captures first; empty for a function */
} CulpritCulprit;

typedef struct
{
  CulpritEvidence *evidence;
  guint captures; /* that count, also below */
  guint ignored;  /* that do not count */
  guint stands_out;
  guint tracing;        /* that are late only because of tracing */
  guint spread;         /* that nothing carries */
  double spread_factor; /* how much longer than ordinary ones these took, on average */
  guint explained;      /* by causes */
  double excess_ns;     /* mean over those that stand out */
  guint ordinary;       /* wake-ups to compare with, over all captures */
  guint borrowed;       /* captures that had too few of their own */
  guint incomplete;     /* captures of which something was lost or not captured */
  guint hiding;         /* captures that do not show everything that ran */
  char *selection;      /* of how many captures the study contains some, in words; NULL: it is not one of a fleet */
  GArray *culprits;     /* of CulpritCulprit: the causes, the one that explains most first */
  GArray *suspects;     /* of CulpritCulprit: what may be causes, without certainty */
  guint common;         /* the deepest node that carries half of those that stand out; CULPRIT_NOTHING: there is none */
  guint common_captures; /* that it carries */
  CulpritStalls *stalls;
  GPtrArray *without_windows; /* of char *: sentences on captures that have no late wake-up */
} CulpritVerdict;

/* Judges all late wake-ups that @options select. */
CulpritVerdict *culprit_verdict_new (CulpritStudy *study, const CulpritEvidenceOptions *options, GError **error);
void culprit_verdict_free (CulpritVerdict *verdict);

/* The case of @capture; NULL if it has none. */
const CulpritCase *culprit_verdict_case (const CulpritVerdict *verdict, gint64 capture);

/* What identifies the function of @culprit, from culprit_function_key(); NULL: it is not a function. */
const char *culprit_verdict_key (const CulpritVerdict *verdict, const CulpritCulprit *culprit);

/* The same for the culprit of @one, or the last function of the node that carries it; NULL: there is none, or it struck
 * whatever ran. */
const char *culprit_verdict_case_key (const CulpritVerdict *verdict, const CulpritCase *one);

/* Of the captures that @culprit explains, the first one whose excess is their median (the lower one of two). */
gint64 culprit_verdict_typical (const CulpritVerdict *verdict, const CulpritCulprit *culprit);

/* The function of @culprit, or the last one of its node; NULL: it has none. It belongs to @verdict. */
const char *culprit_verdict_function (const CulpritVerdict *verdict, const CulpritCulprit *culprit);

/* The names of @node of the evidence and of those above it (const char *), its source first; empty if it is
 * CULPRIT_NOTHING. An array that the caller owns. */
GPtrArray *culprit_verdict_node (const CulpritVerdict *verdict, guint node);

/* At most CULPRIT_CULPRITS_MOST sentences each on causes and suspects, and what to do next. An array of char * that the
 * caller owns. */
GPtrArray *culprit_verdict_in_words (const CulpritVerdict *verdict);
GPtrArray *culprit_verdict_next_steps (const CulpritVerdict *verdict);

/* Those of the next steps that are only information: what the verdict could not take into account. Likewise. */
GPtrArray *culprit_verdict_notes (const CulpritVerdict *verdict);

/* How many more captures the verdict needs; 0: none. @why: in a sentence that the caller owns; NULL if it is 0. */
guint culprit_verdict_more (const CulpritVerdict *verdict, char **why);

/* What delays on purpose told about the functions of causes and suspects: the last proof of each that has one. An array
 * of CulpritStoredProof * that the caller owns; NULL with an error. */
GPtrArray *culprit_verdict_proofs (const CulpritVerdict *verdict, CulpritStudy *study, GError **error);

/* What @n of its cases are called: "late wake-ups", "long response". The caller owns it. */
char *culprit_verdict_windows (const CulpritVerdict *verdict, guint n);

/* How many wake-ups it is based on, as a sentence without its full stop. The caller owns it. */
char *culprit_verdict_basis (const CulpritVerdict *verdict);

/* What one case is attributed to, in a sentence. The caller owns it. */
char *culprit_case_in_words (const CulpritCase *one);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritVerdict, culprit_verdict_free)

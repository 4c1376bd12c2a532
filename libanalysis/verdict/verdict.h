/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict over many captures: the causes, ranked, how sure each is, and how much of the excess it carries. Captures
 * are judged population by population; what is the same cause in several is one. */
#pragma once

#include "evidence.h"
#include "stalls.h"

#define CULPRIT_CULPRITS_MOST 5 /* that are told in sentences, and as many suspects */

/* Where a cause occurs. */
typedef struct
{
  guint population; /* its index among the evidence's */
  guint captures;   /* of it that the cause explains */
} CulpritOccurrence;

/* What captures are due to: a cause where it is sure, else a suspect. */
typedef struct
{
  CulpritClass class;
  const char *name;
  gint64 function; /* 0 where it is none */
  CulpritContext context;
  guint captures;   /* that it explains */
  guint inverted;   /* of these, those in which it is a task of lower priority than the measured one */
  double excess_ns; /* what it explains in one of them, on average, as the next three */
  double all_ns;    /* their whole excess */
  double calls;     /* NaN where it is no function, as the next four */
  double base_calls;
  double reference_calls; /* when it ordinarily runs; 0: it does not */
  double per_call_ns;
  double reference_per_call_ns; /* likewise, or elsewhere in the captures; NaN: it never ran there */
  double by_count;              /* the part that is by more calls, as of the cases */
  double count_ns;              /* of excess_ns; 0 where it is no function, as the next */
  double cost_ns;
  double share;      /* excess_ns of all_ns */
  double confidence; /* how sure it is that this is a cause at all, whatever else also is */
  double weight;     /* its part of the whole excess of all captures that stand out, as the next two */
  double weight_low; /* its 95 % interval */
  double weight_high;
  double leads;     /* how often it is the greatest when captures are drawn anew */
  const char *path; /* of the capture that it explains most; may be NULL */
  double most_ns;   /* of the excess there */
  GArray *where;    /* of CulpritOccurrence */
  GArray *explains; /* of gint64: the captures that it explains, in ascending order */
} CulpritCulprit;

typedef struct
{
  CulpritEvidence *evidence;
  guint captures; /* that count, as all below */
  guint ignored;  /* that do not */
  guint stands_out;
  guint explained;      /* by causes */
  double excess_ns;     /* mean over those that stand out */
  guint ordinary;       /* wake-ups to compare with, over all captures */
  guint borrowed;       /* captures that had too few of their own */
  guint incomplete;     /* captures of which something was lost or not captured */
  guint hiding;         /* captures that do not show all that ran */
  guint cycles_unknown; /* captures of which nothing tells how many cycles were measured for them */
  GArray *culprits;     /* of CulpritCulprit: the causes, what explains most first */
  GArray *suspects;     /* of CulpritCulprit: what single captures are due to as far as they tell, but not surely */
  CulpritStalls *stalls;
} CulpritVerdict;

/* Judges all late wake-ups that @options mean. */
CulpritVerdict *culprit_verdict_new (CulpritStudy *study, const CulpritEvidenceOptions *options, GError **error);

void culprit_verdict_free (CulpritVerdict *verdict);

/* The case of @capture; NULL where it has none. */
const CulpritCase *culprit_verdict_case (const CulpritVerdict *verdict, gint64 capture);

/* What the function of @culprit is known by, as of culprit_function_key(); NULL: it is no function. */
const char *culprit_verdict_key (const CulpritVerdict *verdict, const CulpritCulprit *culprit);

/* At most CULPRIT_CULPRITS_MOST sentences on causes and suspects each, and what to do next. An array of char * that the
 * caller owns. */
GPtrArray *culprit_verdict_in_words (const CulpritVerdict *verdict);
GPtrArray *culprit_verdict_next_steps (const CulpritVerdict *verdict);

/* Of these steps those that are only to be known: what the verdict could not take into account. Likewise. */
GPtrArray *culprit_verdict_notes (const CulpritVerdict *verdict);

/* How many captures more the verdict needs; 0: none. @why: in a sentence that the caller owns; NULL where it is 0. */
guint culprit_verdict_more (const CulpritVerdict *verdict, char **why);

/* What one case is due to, in a sentence. The caller owns it. */
char *culprit_case_in_words (const CulpritCase *one);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritVerdict, culprit_verdict_free)

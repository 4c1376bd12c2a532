/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict over many captures: the culprits, ranked, and how sure that is. */
#pragma once

#include "evidence.h"
#include "stalls.h"

#define CULPRIT_CULPRITS_MOST 5 /* that are told in sentences */

/* Captures with the same culprit. */
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
  double calls;     /* NaN where it is no function, as the next three */
  double base_calls;
  double base_calls_ran; /* in those ordinary wake-ups in which it ran */
  double per_call_ns;
  double base_per_call_ns;
  double by_count; /* the part that is by more calls, as of the cases */
  double count_ns; /* of excess_ns; 0 where it is no function, as the next */
  double cost_ns;
  double share;       /* excess_ns of all_ns */
  double confidence;  /* how often it leads when captures are drawn anew */
  double p;           /* of its excess over all captures that stand out, Wilcoxon's signed rank; NaN where it is no
                         function */
  gboolean supported; /* by that, corrected for the number of culprits (Benjamini and Hochberg, 5 %) */
  const char *path;   /* of the capture that it explains most; may be NULL */
  double most_ns;     /* of the excess there */
} CulpritCulprit;

typedef struct
{
  CulpritEvidence *evidence;
  guint captures;
  guint stands_out;
  guint explained;
  double excess_ns; /* mean over those that stand out */
  guint ordinary;   /* wake-ups to compare with, over all captures */
  guint borrowed;   /* captures that had too few of their own */
  guint incomplete; /* captures of which something was lost or not captured */
  GArray *culprits; /* of CulpritCulprit, what explains most first */
  CulpritStalls *stalls;
} CulpritVerdict;

/* Judges all late wake-ups that @options mean. */
CulpritVerdict *culprit_verdict_new (CulpritStudy *study, const CulpritEvidenceOptions *options, GError **error);

void culprit_verdict_free (CulpritVerdict *verdict);

/* The case of @capture; NULL where it has none. */
const CulpritCase *culprit_verdict_case (const CulpritVerdict *verdict, gint64 capture);

/* At most CULPRIT_CULPRITS_MOST sentences, and what to do next. An array of char * that the caller owns. */
GPtrArray *culprit_verdict_in_words (const CulpritVerdict *verdict);
GPtrArray *culprit_verdict_next_steps (const CulpritVerdict *verdict);

/* What one case is due to, in a sentence. The caller owns it. */
char *culprit_case_in_words (const CulpritCase *one);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritVerdict, culprit_verdict_free)

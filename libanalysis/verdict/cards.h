/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict in cards: for each cause and suspect what is to be shown of it, in texts that need no further arithmetic.
 * culprit_verdict_in_words() has the same in sentences. */
#pragma once

#include "verdict.h"

/* A call on the way to a culprit. */
typedef struct
{
  char *name;
  const char *key; /* what the function is known by; NULL: several functions have that name */
} CulpritPathCall;

typedef struct
{
  const CulpritCulprit *culprit;
  gboolean established;   /* It is a cause, not a suspect. */
  char *id;               /* by which it is found again in a verdict on more captures */
  char *aside;            /* what is said behind its name: " (in an interrupt)", ", likely"; may be empty */
  char *captures;         /* "8 of 13 captures" */
  const char *confidence; /* in a word: "very likely" */
  char *confidence_number;
  char *weight; /* in a word: "most", "probably most" where the interval is wider */
  char *weight_number;
  char *finding;   /* what it did, in sentences, without what is said above */
  GArray *path;    /* of CulpritPathCall, the outermost first; may be empty */
  char *advice;    /* what to do about it, in a sentence; NULL: look closer at it */
  char *where;     /* on which hosts and kernels it occurs; empty where there is one only */
  gboolean graph;  /* It is a function whose calls can be traced alone. */
  const char *run; /* of a capture that it explains */
} CulpritCard;

/* At most CULPRIT_CULPRITS_MOST causes, what explains most first, then as many suspects. An array of CulpritCard * that
 * the caller owns; it needs @verdict. */
GPtrArray *culprit_verdict_cards (const CulpritVerdict *verdict);

/* The cause or suspect @id of a card; NULL: @verdict knows no such. Belongs to it. */
const CulpritCulprit *culprit_verdict_find (const CulpritVerdict *verdict, const char *id);

/* The causes in a line: "qh_completions (in an interrupt): 8 of 13 captures". Where there are none, why. The caller
 * owns it. */
char *culprit_verdict_summary (const CulpritVerdict *verdict);

/* What confidence and weight are, each in a sentence or two. */
extern const char *const culprit_confidence_meaning;
extern const char *const culprit_weight_meaning;

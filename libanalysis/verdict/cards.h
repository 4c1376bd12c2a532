/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict as cards: for each cause and suspect what to show, in texts that need no further arithmetic.
 * culprit_verdict_in_words() has the same in sentences. */
#pragma once

#include "verdict.h"

/* A call on the path to a culprit. */
typedef struct
{
  char *name;
  const char *key; /* identifies the function; NULL: several functions have that name */
} CulpritPathCall;

typedef struct
{
  const CulpritCulprit *culprit;
  gboolean established;   /* It is a cause, not a suspect. */
  char *id;               /* identifies it in a later verdict on more captures */
  char *aside;            /* what follows its name: " (in an interrupt)", ", likely"; may be empty */
  char *captures;         /* "8 of 13 captures" */
  char *interval;         /* "Carries 36 to 83 % of such wake-ups" */
  const char *confidence; /* in words: "very likely" */
  char *confidence_number;
  char *weight; /* in words: "most of the excess", with "(estimate)" if the interval is wider */
  char *weight_number;
  char *finding;   /* what it did, in sentences, without what the rest of the card says */
  GArray *path;    /* of CulpritPathCall, the outermost first; may be empty */
  char *advice;    /* what to do about it, in a sentence; NULL: look at it more closely */
  char *where;     /* on which hosts and kernels it occurs; empty if there is only one */
  gboolean graph;  /* It is a function that can be traced alone with its callees. */
  const char *run; /* of a capture that it explains */
} CulpritCard;

/* At most CULPRIT_CULPRITS_MOST causes, the one that explains most first, then as many suspects. An array of
 * CulpritCard * that the caller owns; @verdict must outlive it. */
GPtrArray *culprit_verdict_cards (const CulpritVerdict *verdict);

/* The cause or suspect with the @id of a card; NULL: @verdict has none. It belongs to @verdict. */
const CulpritCulprit *culprit_verdict_find (const CulpritVerdict *verdict, const char *id);

/* The causes in a line: "qh_completions (in an interrupt): 8 of 13 captures". If there are none, why. The caller owns
 * it. */
char *culprit_verdict_summary (const CulpritVerdict *verdict);

/* What confidence and weight mean, in a sentence or two each. */
extern const char *const culprit_confidence_meaning;
extern const char *const culprit_weight_meaning;

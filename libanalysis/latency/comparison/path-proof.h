/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a function is on the path of the wake-ups of a peak, by delaying it on purpose.
 *
 * Blocks of wake-ups are measured with several delays at the entry of the function, each delay once in every round, in
 * random order. What is longer by d at its entry makes a wake-up later by d for each call in it: the slope of a peak's
 * latency over the delay is the number of calls in its wake-ups. The base are blocks with the probe and a delay of 0,
 * never without the probe, which costs time of its own; the delay is what calls were really held up, on average.
 *
 * A peak is a part of the distribution, from valley to valley, and its place the median there. Peaks are found in all
 * blocks of a delay together, in bins of the width that suits those of the base, or half of the longest delay if that
 * is less; those closer to each other than the longest delay are one. They are matched with those of the base: they
 * have a like share of all wake-ups, and lie on a line over the delay. Where some are lost, others that could be them,
 * or contain them, count as lost too; what is too many or too much alike is refused. The slope is that of least squares
 * over blocks, with an offset of its own for each round, so that drift does not count; its interval is by Student's t.
 */
#pragma once

#include "latency/profile.h"

#define CULPRIT_PROOF_ROUNDS 3 /* at least */
#define CULPRIT_PROOF_MOST_ROUNDS 100
#define CULPRIT_PROOF_MOST_DELAYS 20 /* besides none */

/* Wake-ups measured with one delay. */
typedef struct
{
  gint64 delay_ns; /* as requested */
  gint64 calls;    /* of the function, at any time */
  gint64 spun_ns;  /* that they were really held up, all together */
  gint64 withheld; /* calls that were not delayed */
  CulpritProfile *latencies;
} CulpritDelayBlock;

/* All blocks of one delay. */
typedef struct
{
  gint64 delay_ns;
  gint64 calls;
  gint64 withheld;
  double spun_ns; /* per call; NaN if there was none */
} CulpritDose;

typedef enum
{
  CULPRIT_PATH_UNKNOWN,
  CULPRIT_PATH_ON,   /* the interval of the calls is above half a call */
  CULPRIT_PATH_OFF,  /* it is within half a call of 0 */
  CULPRIT_PATH_LOST, /* the peak is not found again with every delay */
} CulpritPathAnswer;

typedef struct
{
  guint number; /* from 1, by latency */
  double at_ns; /* with the probe and no delay */
  double share; /* of all wake-ups */
  CulpritPathAnswer answer;
  gboolean edge;    /* It does not move as a whole: what follows is that of its upper edge. */
  GArray *moved_ns; /* of double, for each dose: how much later it is than without delay, NaN if it is not to be seen
                       there; empty if it is lost */
  double calls;     /* the slope, and its interval; NaN if it is lost */
  double calls_low;
  double calls_high;
} CulpritProvedPeak;

typedef struct
{
  guint rounds;  /* that are complete; others do not count */
  GArray *doses; /* of CulpritDose, ascending; the first is 0 */
  GArray *peaks; /* of CulpritProvedPeak */
  char *refusal; /* a sentence: why nothing can be concluded; NULL: there is an answer */
} CulpritPathProof;

/* Judges @blocks (of CulpritDelayBlock), in the order in which they were measured. The sums over all of them, and those
 * of their latencies, must be at most MAX_SUM. */
CulpritPathProof *culprit_path_proof_new (const GArray *blocks);
void culprit_path_proof_free (CulpritPathProof *proof);

/* The answer in sentences, for @function. The caller owns it. */
char *culprit_path_proof_in_words (const CulpritPathProof *proof, const char *function);

/* Calls in a wake-up as shown: "1.0", "500". The caller owns it. */
char *culprit_calls_format (double calls);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritPathProof, culprit_path_proof_free)

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a treatment changes latencies: unloading a driver, moving an interrupt, another setting of the kernel.
 *
 * Blocks of wake-ups are measured, half of them with the treatment, in rounds of four: each round has two with it and
 * two without, in random order, so that drift does not count. The latencies of a block depend on each other, blocks do
 * not: a block is one value. There are two for each: the mean of its latest hundredth, the tail, and of all others, the
 * body.
 *
 * If the treatment changes nothing, any order of the blocks of a round was as likely as that drawn, whatever else went
 * on. The test counts those whose ranks are as far apart: values from which the mean of their round is taken, ranked
 * over all rounds. The effect is the median of all differences between blocks with and without, from which those means
 * are taken too (Hodges and Lehmann); its interval has the effects that this test does not reject. Body and tail are
 * each tested at half of five per cent (Bonferroni), so that both intervals hold together at 95 per cent. */
#pragma once

#include "latency/profile.h"

#define CULPRIT_TRIAL_ROUND 4         /* blocks; half of them with the treatment */
#define CULPRIT_TRIAL_LEAST_BLOCKS 12 /* fewer can show nothing: with two rounds, one order in 18 is as extreme */
#define CULPRIT_TRIAL_MOST_BLOCKS 400
#define CULPRIT_TRIAL_LEAST_LATENCIES 100 /* of a block, with those missed, so that it has a latest hundredth */

typedef enum
{
  CULPRIT_TRIAL_TAIL,
  CULPRIT_TRIAL_BODY,
  CULPRIT_TRIAL_PARTS,
} CulpritTrialPart;

/* Wake-ups measured with or without the treatment. */
typedef struct
{
  gint64 turn; /* its number among the runs of the trial, from 1 */
  gboolean treated;
  gint64 missed; /* wake-ups that did not come, as the previous one was too late */
  CulpritProfile *latencies;
} CulpritTreatedBlock;

/* A block that counts, in the order of measuring. */
typedef struct
{
  gint64 turn;
  gboolean treated;
  gint64 n;
  double tail_ns;
  double body_ns;
} CulpritTrialBlock;

typedef struct
{
  CulpritTrialPart part;
  double without_ns; /* the median of the blocks */
  double with_ns;
  double effect_ns; /* later by so much with the treatment, and its interval */
  double low_ns;
  double high_ns;
  double p; /* that chance makes blocks differ this much; it differs if that is below 0.025 */
  gboolean differs;
  guint more_blocks; /* unless it differs: so many more would show the following, in four of five trials; 0: all blocks
                        are the same */
  double shown_ns;   /* a difference: that seen, or half of what the interval reaches to each side if that is more */
} CulpritTrialEffect;

typedef struct
{
  guint rounds;            /* that are complete; others do not count */
  guint left_out;          /* the others, of which blocks were measured */
  guint not_measured;      /* the blocks that these lack */
  guint too_short[2];      /* blocks without and with the treatment that do not count */
  GArray *blocks;          /* of CulpritTrialBlock, of these rounds */
  CulpritProfile *arms[2]; /* all their wake-ups without and with the treatment; NULL: there are none */
  GArray *effects;         /* of CulpritTrialEffect: of tail and body; empty with a refusal */
  char *refusal;           /* a sentence: why nothing can be concluded; NULL: there is an answer */
} CulpritTrial;

/* Judges @blocks (of CulpritTreatedBlock), in the order in which they were measured; the sum of their latencies must be
 * at most MAX_SUM. A block was cut short if what it measured and missed is less than half of the wake-ups of that with
 * most: then its round is left out. It concludes nothing if by more than one it is rather those of one kind, as the
 * treatment itself may keep the task from running at all. */
CulpritTrial *culprit_trial_new (const GArray *blocks);
void culprit_trial_free (CulpritTrial *trial);

/* "tail", "body". */
const char *culprit_trial_part_name (guint part);

/* The answer in sentences. The caller owns it. */
char *culprit_trial_in_words (const CulpritTrial *trial);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritTrial, culprit_trial_free)

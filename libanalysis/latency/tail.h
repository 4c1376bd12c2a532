/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the worst wake-ups tell about worse ones: peaks over a threshold, with a generalised Pareto distribution.
 *
 * A latency is only known to lie in its bin, so that the likelihood is that of bins; that of a hundred latencies in ns
 * and of a billion in us is the same. Thresholds are above the last peak, each with half as many wake-ups above it as
 * the one before. The fit from the lowest stable one is inside the 99 % region of the fits from all higher ones; the
 * next one is taken, since the lowest may just not contradict them yet. Intervals are those of the profile likelihood,
 * at 95 %. Where the order of wake-ups is known, they are widened by as much as blocks of consecutive wake-ups vary
 * more than independent wake-ups would: wake-ups are late in bursts. */
#pragma once

#include "profile.h"

#define CULPRIT_TAIL_LEAST 400       /* wake-ups above the lowest possible threshold; a burst counts as one */
#define CULPRIT_TAIL_LEAST_HIGHER 50 /* above the highest that it is compared with, or above one that was asked for */
#define CULPRIT_TAIL_BLOCKS 50       /* into which consecutive wake-ups are divided */

/* One of the CULPRIT_TAIL_BLOCKS blocks. */
typedef struct
{
  guint64 n;            /* wake-ups in it */
  CulpritProfile *late; /* those of them above culprit_tail_floor() */
} CulpritTailBlock;

/* Blocks without wake-ups. An array of CulpritTailBlock, which the caller owns, as its profiles. */
GArray *culprit_tail_blocks_new (void);

/* Thresholds are above it, whether @threshold_ns is asked for or, if it is 0, searched for. @profile must not be empty.
 */
gint64 culprit_tail_floor (const CulpritProfile *profile, gint64 threshold_ns);

typedef enum
{
  CULPRIT_TAIL_FITTED,
  CULPRIT_TAIL_FEW,      /* Too few wake-ups exceed the threshold; a burst counts as one. */
  CULPRIT_TAIL_COARSE,   /* They are in too few bins. */
  CULPRIT_TAIL_GROUP,    /* The worst are too few, and a peak of their own. */
  CULPRIT_TAIL_FAR,      /* The maximum is far beyond what the fit of the others leads to expect. */
  CULPRIT_TAIL_UNSTABLE, /* The fit depends on the threshold. */
  CULPRIT_TAIL_CUT,      /* The worst are above the end of a histogram. */
} CulpritTailOutcome;

typedef struct
{
  double low;
  double value;
  double high; /* infinite: not bounded */
} CulpritEstimate;

typedef struct
{
  double once_in;      /* wake-ups */
  CulpritEstimate ns;  /* the latency that one in so many exceeds */
  double worst_low_ns; /* the worst of so many lies between these in 95 of 100 cases, or more */
  double worst_high_ns;
} CulpritTailLevel;

extern const double culprit_tail_levels_usual[];
extern const double culprit_tail_levels_drawn[]; /* closer to each other, and including these */

/* What is asked. */
typedef struct
{
  gint64 threshold_ns;  /* 0: the lowest that is stable */
  gint64 deadline_ns;   /* 0: none */
  double once_in;       /* wake-ups in which it may be missed once; 0: not asked */
  const double *levels; /* the latencies that one in so many wake-ups exceeds; ends with 0; NULL: none */
} CulpritTailAsked;

typedef struct
{
  CulpritTailOutcome outcome;
  CulpritTailAsked asked;
  guint64 n;
  guint64 beyond;    /* of them: above the end of a histogram; older studies do not know the number */
  guint64 exceeding; /* the threshold; or the lowest one that was possible */
  double threshold_ns;
  double effective; /* as many independent ones tell as much; NaN: the order of wake-ups is not known, as the next */
  double extremal;  /* extremal index: the inverse of the mean length of bursts among the worst */
  double max_ns;
  gint64 peak_ns;        /* the last peak, if it is not the highest one */
  guint64 peak_count;    /* its wake-ups, up to the end of its band; 0: there is no such peak */
  CulpritEstimate shape; /* of a fit, as what follows */
  CulpritEstimate scale_ns;
  GArray *levels; /* of CulpritTailLevel */

  /* For a deadline. */
  guint64 late;              /* wake-ups at it or later, as culprit_profile_count_late() */
  gboolean divided;          /* Some of these may be earlier: see culprit_profile_divides(). */
  gboolean hidden;           /* There may be more: see culprit_profile_hides(). */
  guint64 surely_late;       /* the others */
  CulpritEstimate counted;   /* their part, by counting alone, if they are independent */
  CulpritEstimate late_part; /* by the fit; NaN: there is none */
  double more;               /* wake-ups until the upper end is one in what was asked; infinite: never, as the part is
                                larger; without a fit, by counting; NaN: not asked */
} CulpritTail;

/* @blocks: of @profile, of CulpritTailBlock; NULL: the order of wake-ups is not known. @profile must not be empty. */
CulpritTail *culprit_tail_new (const CulpritProfile *profile, const GArray *blocks, const CulpritTailAsked *asked);
void culprit_tail_free (CulpritTail *tail);

/* How many late wake-ups are needed for a fit, which is more if its threshold is searched for. */
static inline guint
culprit_tail_needed (const CulpritTail *tail)
{
  return tail->asked.threshold_ns > 0 ? CULPRIT_TAIL_LEAST_HIGHER : CULPRIT_TAIL_LEAST;
}

/* "fitted", "few", "coarse", "group" for a group and for a maximum far away, "unstable", "cut". */
const char *culprit_tail_outcome_name (guint outcome);

/* What was fitted and how reliable it is, or why there is no fit, in sentences that the caller owns. */
char *culprit_tail_in_words (const CulpritTail *tail);

/* Takes a number of wake-ups in which a deadline may be missed once, e.g. "1e8". FALSE if @text is none. */
gboolean culprit_tail_once_in_parse (const char *text, double *once_in);

/* What a level is as text: its columns, in the order of their heads. */
enum
{
  CULPRIT_TAIL_ONCE_IN,
  CULPRIT_TAIL_TIME,
  CULPRIT_TAIL_LATENCY,
  CULPRIT_TAIL_INTERVAL,
  CULPRIT_TAIL_WORST,
  CULPRIT_TAIL_COLUMNS,
};

extern const char *const culprit_tail_heads[CULPRIT_TAIL_COLUMNS];

/* The columns of @level, which the caller owns. @period_ns: 0 if it is not known. */
char **culprit_tail_level_texts (const CulpritTailLevel *level, gint64 period_ns);

/* Whether @level is one of those that people are shown, as culprit_tail_levels_usual. */
gboolean culprit_tail_level_is_usual (const CulpritTailLevel *level);

/* How often the deadline is missed, and whether that was tested long enough, likewise; NULL if there is none.
 * @period_ns: 0 if it is not known. */
char *culprit_tail_deadline_in_words (const CulpritTail *tail, gint64 period_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritTail, culprit_tail_free)

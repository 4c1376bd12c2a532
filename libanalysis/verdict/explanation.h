/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What makes each peak of a run's histogram: each code path that a wake-up can take is a peak of it.
 *
 * The peaks are the significant ones of the run, over all runs of its series without tracing; a peak has the wake-ups
 * from valley to valley, the last one those below the first gap, and with tracing those below the first gap there.
 * Instead, bands may be given; the lowest peak then is what is below the first one. Each is mapped to latencies with
 * tracing by its rank. A peak whose wake-ups tracing mixes with those below it, so that neither a gap nor a peak of the
 * traced latencies separates them, or with those of the next one, so that both begin at the same latency, is not looked
 * into.
 *
 * The captures of a peak are those recorded for it, and those of the run's own series with a traced latency in its
 * band; none that is above the band. They are judged by the rules of the verdict, but for what they are compared with:
 * the late wake-ups in the captures of the next lower peak, each a wake-up of that peak. For the peak above the lowest
 * one, these are the ordinary wake-ups in its own captures if there are CULPRIT_LEAST_OWN_BASE of them: a capture keeps
 * all wake-ups below its trigger, and those are of the lowest peak. (Of higher peaks they are a mixture, of which
 * studies only have the sums.) As peaks are apart, a wake-up need not be half longer to stand out, and what has half of
 * the excess by more calls carries it, even if it had nearly all of the time in the lower peak, too. */
#pragma once

#include "cards.h"
#include "latency/comparison/mapping.h"

#define CULPRIT_EXPLAIN_LEAST 3 /* captures: fewer are too few to be compared with, and to have nothing in common */
#define CULPRIT_EXPLAIN_MOST 20 /* peaks */

typedef struct
{
  gint64 low_ns;
  gint64 high_ns; /* both included */
} CulpritBand;

typedef enum
{
  CULPRIT_PEAK_LOWEST,  /* The others are compared with it. */
  CULPRIT_PEAK_HIDDEN,  /* Tracing mixes its wake-ups with others. */
  CULPRIT_PEAK_OPEN,    /* There are too few captures of it, or of the one below. */
  CULPRIT_PEAK_NOTHING, /* Its wake-ups have nothing in common that those of the one below have not. */
  CULPRIT_PEAK_EXPLAINED,
} CulpritPeakAnswer;

typedef struct
{
  guint number; /* from 1, by latency */
  gint64 at_ns; /* where to say that it is */
  CulpritBand band;
  double share;                /* of all wake-ups, in the band */
  gboolean mapped;             /* FALSE: no latencies with tracing are known */
  CulpritMappedTrigger traced; /* how to record it; if it was mapped */
  double traced_share;         /* of all wake-ups with tracing, of what is recorded; likewise */
  guint lower;     /* the peak whose late wake-ups it is compared with, by its number; 0: its captures' ordinary ones */
  gboolean wanted; /* Captures of it are of use. */
  CulpritPeakAnswer answer;
  GArray *captures;        /* of gint64, ascending: those with a late wake-up that count */
  char *recording;         /* the series recorded for it; NULL: none yet */
  guint recorded;          /* its runs */
  CulpritVerdict *verdict; /* on its captures; NULL: it was not judged */
  GPtrArray *cards;        /* of CulpritCard: of that verdict; NULL likewise */
  const CulpritCard *card; /* of these, the cause that explains most; NULL: it is not explained */
  char *label;             /* for a histogram: "qh_completions × 500", "nothing in common"; NULL: nothing to say */
  char *words;             /* the answer in a sentence or a few */
} CulpritExplainedPeak;

typedef struct
{
  char *run;           /* the run, without tracing */
  char *series;        /* that it belongs to */
  gint64 period_ns;    /* 0: not known */
  char *target;        /* where it was recorded, as the user gave it; NULL: not known */
  char *configuration; /* how it was recorded, as JSON; NULL likewise */
  guint64 n;           /* wake-ups without tracing */
  guint64 beyond;      /* of them, above the end of a histogram, where no peak can be told */
  guint64 traced_n;    /* and with it; 0: nothing could be mapped */
  guint64 traced_beyond;
  CulpritLate apart;        /* far above the last peak, and of none; count 0: nothing is, or bands were given */
  CulpritLate traced_apart; /* likewise, of the wake-ups with tracing */
  GPtrArray *peaks;         /* of CulpritExplainedPeak, by latency */
} CulpritExplanation;

/* Explains the latencies of @run, which names a run without tracing or a series with such runs; NULL: the last one
 * recorded. @bands (of CulpritBand), ascending, which do not overlap; NULL: the peaks. NULL with an error, which is
 * CULPRIT_STUDY_ERROR_NOT_FOUND if the study has no such run. */
CulpritExplanation *culprit_study_explanation (CulpritStudy *study,
                                               const char *run,
                                               const GArray *bands,
                                               GError **error);
void culprit_explanation_free (CulpritExplanation *explanation);

/* "lowest", "hidden", "open", "nothing-in-common", "explained". */
const char *culprit_peak_answer_name (CulpritPeakAnswer answer);

static inline CulpritExplainedPeak *
culprit_explanation_peak (const CulpritExplanation *explanation, guint place)
{
  return g_ptr_array_index (explanation->peaks, place);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritExplanation, culprit_explanation_free)

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The latency profiles of a study: those of recorded runs, and those measured by other tools.
 *
 * A label means the run of that name, else those with a number appended (LABEL-1, LABEL-2...), which belong
 * together. */
#pragma once

#include "latency/comparison/comparison-words.h"
#include "latency/profile.h"
#include "latency/tail.h"
#include "latency/tools/read.h"
#include "study.h"

/* Adds latencies measured by other tools to a study. */

/* The name of the run of @profile from a file named @name: the same, or with "-irq" appended. The caller owns it. */
char *culprit_study_profile_name (const char *name, const CulpritNamedProfile *profile);

/* How many runs came of a file. */
typedef struct
{
  guint added;
  guint known;        /* were there already */
  guint apart;        /* of those added: would be in the series of their name, if it were not that of something else */
  GPtrArray *renamed; /* of char *: the names of those added whose own was taken */
} CulpritStoredProfiles;

void culprit_stored_profiles_clear (CulpritStoredProfiles *stored);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CulpritStoredProfiles, culprit_stored_profiles_clear)

/* Stores the content of @file as runs: its latencies under the name from culprit_study_profile_name(), each of its
 * summaries under its own name, or @name if it has none. If a name is taken, a number is appended; equal latencies
 * already stored under that name are left unchanged. */
gboolean culprit_study_add_profiles (CulpritStudy *study,
                                     const char *name,
                                     const CulpritLatencyFile *file,
                                     CulpritStoredProfiles *stored,
                                     GError **error);

#define CULPRIT_ALL_CPUS (-1)

/* What is known about a run's latencies. */
typedef struct
{
  gboolean whole;         /* all of them; else only their summary is */
  CulpritSummary summary; /* if that is all that is known */
  gint64 period_ns;       /* 0: not known, as the next */
  gint64 deadline_ns;
} CulpritProfileFacts;

/* The profile of the run or runs that @label means, on @cpu or CULPRIT_ALL_CPUS. NULL with an error if there are none,
 * or no latencies. */
CulpritProfile *culprit_study_profile (CulpritStudy *study, const char *label, gint64 cpu, GError **error);

/* The profile of the captured wake-ups of the runs of @label, without the tracer's own time; those of @ignored captures
 * (see triage.h) are left out. Captured wake-ups are not a random sample: too many of them are hits. NULL with an error
 * if there are none. @ignored may be NULL. */
CulpritProfile *culprit_study_profile_untraced (CulpritStudy *study, const char *label, guint *ignored, GError **error);

/* What is known about the run @name. */
gboolean culprit_study_profile_facts (CulpritStudy *study,
                                      const char *name,
                                      CulpritProfileFacts *facts,
                                      GError **error);

/* What the worst wake-ups of a run tell about worse ones. */
typedef struct
{
  CulpritProfileFacts facts;
  CulpritProfile *profile;
  CulpritTail *tail; /* NULL, like the profile: only a summary of its latencies is known */
} CulpritRunTail;

/* The tail of the run @name, for its own deadline if @asked has none. NULL with an error. */
CulpritRunTail *culprit_study_tail (CulpritStudy *study,
                                    const char *name,
                                    const CulpritTailAsked *asked,
                                    GError **error);
void culprit_run_tail_free (CulpritRunTail *tail);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritRunTail, culprit_run_tail_free)

/* The number of the run @label in its study, or of the first run of that arm, from 0: it does not change when others
 * are added, and determines the run's colour. FALSE with an error. */
gboolean culprit_study_run_number (CulpritStudy *study, const char *label, guint *number, GError **error);

/* The CPUs on which the run @name was measured, ascending; none: they are not known, as those of other tools' results.
 * An array of gint64 that the caller owns; NULL with an error. */
GArray *culprit_study_profile_cpus (CulpritStudy *study, const char *name, GError **error);

/* The names of the runs that have latencies, in order: of those that @name means, of all runs of the recording @name,
 * or of all (NULL). Runs with and without tracing are never combined. Those whose latencies are too large to be shown
 * are left out. An array of char * that the caller owns; NULL with an error. */
GPtrArray *culprit_study_profile_names (CulpritStudy *study, const char *name, GError **error);

/* Which of those runs are left out, as a sentence without its full stop; NULL: none. No reader stores such runs, but
 * older versions did, and strangers may. FALSE with an error. */
gboolean culprit_study_left_out (CulpritStudy *study, const char *name, char **left_out, GError **error);

/* The sides of a comparison: the first is the base. */

typedef enum
{
  CULPRIT_SIDE_MEANT,    /* the run or runs that the label means, or only its summary */
  CULPRIT_SIDE_RUNS,     /* the run of that name and all runs of that arm */
  CULPRIT_SIDE_CAPTURED, /* their captured wake-ups, without the tracer's time */
} CulpritSideKind;

typedef struct
{
  char *name;
  char *run;                /* the run, or the first of them; NULL: not known, as is the number */
  guint number;             /* of that run in the study */
  CulpritAsked asked;       /* of it and the base */
  CulpritCompared compared; /* several runs are added up; what is not known is NULL */
  CulpritComparison result; /* of all but the base */
} CulpritSide;

/* Reads @label as a side, named @name. */
CulpritSide *culprit_side_read (
    CulpritStudy *study, const char *label, CulpritSideKind kind, const char *name, GError **error);

/* One of which only @summary is known. */
CulpritSide *culprit_side_new (const char *name, const CulpritSummary *summary);
void culprit_side_free (CulpritSide *side);

/* Whether @side has spread: else it cannot be compared. FALSE with an error. */
gboolean culprit_side_check (const CulpritSide *side, GError **error);

/* Compares all others of @sides (CulpritSide) with the first. */
void culprit_sides_compare (const GPtrArray *sides, const CulpritRules *rules);

/* Compares the shapes of @side and @base, which takes seconds. NULL: they are not known of both. */
CulpritShape *culprit_sides_shape (const CulpritSide *base, const CulpritSide *side);

static inline CulpritSide *
culprit_side_at (const GPtrArray *sides, guint place)
{
  return g_ptr_array_index (sides, place);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritSide, culprit_side_free)

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores recorded runs in a study: their configuration, all samples in order, and how they ended. A run whose recording
 * was aborted is kept as far as it came, without an end. */
#pragma once

#include "latency/profile.h"
#include "study.h"

#include <json-glib/json-glib.h>

/* What is known about a run when it begins. Texts may be NULL, numbers 0 if not known. */
typedef struct
{
  const char *series; /* the recording that it belongs to */
  gboolean begins;    /* The recording is a new one: where its name is taken, it gets the next that is free. */
  gboolean traced;
  gint64 turn;         /* its number among the runs with the same tracing; 0: runs do not alternate */
  JsonObject *request; /* as sent to the recorder */
  const char *window;  /* the definition of its windows; NULL: those of cycles */
  const char *host;    /* NULL if the recorder did not report it, as are the next */
  const char *kernel;
  const char *machine;
  const char *facts; /* everything it reported about its machine, as JSON */
} CulpritRecordedRun;

/* Samples of a run on one CPU, in order. */
typedef struct
{
  gint64 cpu;
  gint64 first_cycle; /* its number in the run on that CPU */
  gint64 cycles;
  gint64 first_expected_ns;
  guint8 *packed; /* as for culprit_samples_unpack() */
  gsize size;
  CulpritProfile *latencies; /* unpacked */
} CulpritRecordedSamples;

/* The current state of a run, or its end. */
typedef struct
{
  gint64 cycles;
  gint64 min_ns;
  gint64 mean_ns;
  gint64 max_ns;
  gint64 hits;
  gint64 missed; /* -1: of windows that are no cycles, as the next */
  gint64 late;
  gint64 page_faults;
  gint64 smi_count; /* -1: not known, as the next */
  gint64 steal_ns;
  gint64 delay_calls; /* of the function that is delayed on purpose; -1: none is */
  gint64 delay_spun_ns;
  gint64 delay_withheld;
  char *delays; /* the measuring threads' delay accounting, as JSON; NULL: not known */
} CulpritRunTotals;

/* The first of NAME, NAME-2, NAME-3... that is free in @study, or, if there are gaps, another one of them: neither it
 * nor an arm that a recording of that name would have is the name of a run, a series or an arm. All that is new is
 * called so. The caller owns it. NULL with an error. */
char *culprit_study_new_run_name (CulpritStudy *study, const char *name, GError **error);

/* What a run that was stored is called. Its number: in the study. */
typedef struct
{
  gint64 run;
  char *name;
  char *series;
} CulpritBegunRun;

/* Stores a run that begins. Its name and that of a new recording are chosen in the same step, so that nothing that
 * comes into the study meanwhile becomes a part of it. @begun: to be cleared, also with an error. */
gboolean culprit_study_begin_run (CulpritStudy *study,
                                  const CulpritRecordedRun *recorded,
                                  CulpritBegunRun *begun,
                                  GError **error);
void culprit_begun_run_clear (CulpritBegunRun *begun);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CulpritBegunRun, culprit_begun_run_clear)

/* Stores samples of a run. */
gboolean culprit_study_add_samples (CulpritStudy *study,
                                    gint64 run,
                                    const CulpritRecordedSamples *samples,
                                    GError **error);

/* Stores all latencies of a run that has no samples, in whole microseconds. */
gboolean culprit_study_add_latencies (CulpritStudy *study, gint64 run, const CulpritProfile *latencies, GError **error);

/* Stores how a run ended. */
gboolean culprit_study_end_run (CulpritStudy *study, gint64 run, const CulpritRunTotals *totals, GError **error);

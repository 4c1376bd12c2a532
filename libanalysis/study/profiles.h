/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The latency profiles of a study: those of recorded runs, and those that other tools measured. */
#pragma once

#include "latency/profile.h"
#include "study.h"

/* The profile of the run @name. NULL with an error where there is no such run, or
 * it has no latencies. */
CulpritProfile *culprit_study_profile (CulpritStudy *study, const char *name, GError **error);

/* The names of the runs that have latencies, in their order: of the run @name, of all runs of the recording @name, or
 * of all (NULL). Runs with tracing and without are never taken together. An array of char * that the caller owns; NULL
 * with an error. */
GPtrArray *culprit_study_profile_names (CulpritStudy *study, const char *name, GError **error);

/* Stores @profile as a new run of that name (a number is put behind it where it is taken). @stored: its name in the
 * study, which the caller owns. */
gboolean culprit_study_add_profile (
    CulpritStudy *study, const char *name, const CulpritProfile *profile, char **stored, GError **error);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Brings latencies that another tool measured into a study. */
#pragma once

#include "latency/read.h"
#include "study.h"

/* What the run of @profile is called in a file whose own is @name: the same, or with "-irq" behind it. The caller owns
 * it. */
char *culprit_study_profile_name (const char *name, const CulpritNamedProfile *profile);

/* Stores what @file holds as runs: its latencies as those that culprit_study_profile_name() tells, each of its
 * summaries as one of its own name, or
 * @name where it has none. A number is put behind a name that is taken; what is there already by that name is left as
 * it is. @stored, @known: how many runs came, and how many were there. */
gboolean culprit_study_add_profiles (
    CulpritStudy *study, const char *name, const CulpritLatencyFile *file, guint *stored, guint *known, GError **error);

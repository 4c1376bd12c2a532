/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds latencies measured by other tools to a study. */
#pragma once

#include "latency/read.h"
#include "study.h"

/* The name of the run of @profile from a file named @name: the same, or with "-irq" appended. The caller owns it. */
char *culprit_study_profile_name (const char *name, const CulpritNamedProfile *profile);

/* Stores the content of @file as runs: its latencies under the name from culprit_study_profile_name(), each of its
 * summaries under its own name, or @name if it has none. If a name is taken, a number is appended; equal latencies
 * already stored under that name are left unchanged. @stored, @known: how many runs were added, and how many were there
 * already. */
gboolean culprit_study_add_profiles (
    CulpritStudy *study, const char *name, const CulpritLatencyFile *file, guint *stored, guint *known, GError **error);

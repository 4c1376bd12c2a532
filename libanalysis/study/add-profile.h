/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Brings latencies that another tool measured into a study. */
#pragma once

#include "latency/read.h"
#include "study.h"

/* Stores what @file holds as runs: its latencies as one called @name, each of its summaries as one of its own name, or
 * @name where it has none. A number is put behind a name that is taken; what is there already by that name is left as
 * it is. @stored, @known: how many runs came, and how many were there. */
gboolean culprit_study_add_profiles (
    CulpritStudy *study, const char *name, const CulpritLatencyFile *file, guint *stored, guint *known, GError **error);

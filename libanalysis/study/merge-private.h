/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges runs; different runs may have the same name. */
#pragma once

#include "study.h"

/* Creates temp.run_map: for each run of the attached study `other` its number (old), that in this study (new; null
 * until it is copied), and the name and the recording that it gets here. Runs of imported captures are identified by
 * name; recorded runs and imported latencies by their content, so that a run that is already here is recognised, and a
 * different one with the same name gets a number appended. */
gboolean merge_map_runs (CulpritStudy *study, GError **error);

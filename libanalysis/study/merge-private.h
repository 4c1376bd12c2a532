/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merging runs, of which two different ones may bear the same name. */
#pragma once

#include "study.h"

/* Makes temp.run_map: for each run of the attached study `other` its number (old), that in this study (new; null until
 * it is copied), and the name and the recording that it gets here. Runs of other tools' captures are told by their
 * names; recorded and imported latencies by what they are, so that a run that is here already is found again, and
 * another one of its name gets a number behind it. */
gboolean merge_map_runs (CulpritStudy *study, GError **error);

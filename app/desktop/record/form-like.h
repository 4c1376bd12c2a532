/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills in the form with the settings of a run that was recorded before. */
#pragma once

#include "record/record-form.h"
#include "tables/rows.h"

/* Sets what of @form is known of @run, of @runs as of culprit_query_runs(): target, trigger, period, and how the task
 * waits and runs. All else, as the load, stays as people entered it; a load is a command, and may be somebody else's.
 * @graph: functions to trace alone; may be empty. @captures: how many to take; 0: as many as usual. */
void form_like (RecordForm *form, CulpritRows *runs, const char *run, const char *graph, gint64 captures);

/* Sets only the target, where @run tells it. */
void form_like_target (RecordForm *form, CulpritRows *runs, const char *run);

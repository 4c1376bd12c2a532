/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts the form to a target and a request, and fills the form from a script's JSON. */
#pragma once

#include "record/record-form.h"
#include "record/target.h"
#include "tables/rows.h"

/* Fills in the form with the settings of a run that was recorded before. */

/* Sets what of @form is known of @run, of @runs as of culprit_query_runs(): target, trigger, period, and how the task
 * waits and runs. All else, as the load, stays as people entered it; a load is a command, and may be somebody else's.
 * @graph: functions to trace alone; may be empty. @captures: how many to take; 0: as many as usual. */
void form_like (RecordForm *form, CulpritRows *runs, const char *run, const char *graph, gint64 captures);

/* Sets only the target, where @run tells it. */
void form_like_target (RecordForm *form, CulpritRows *runs, const char *run);

/* The target that @form names. NULL with an error. */
CulpritTarget *form_target (RecordForm *form, GError **error);

/* What people call @target. Belongs to it. */
const char *form_target_title (const CulpritTarget *target);

/* What recording on @target begins with. Belongs to it. */
const char *form_target_step (const CulpritTarget *target);

/* The request, as "culprit record" would build it. NULL with an error. */
JsonObject *form_request (RecordForm *form, GError **error);

/* Sets @form to what @text says, a JSON object, and all else but the load to its first value. Its members are fields by
 * their keys; "target" may be "ssh:HOST" as well, "band" "LOW,HIGH". Times are texts, lists are arrays. The load stays
 * as people entered it: @text comes from the session bus, where any program may ask, and must not bring a command
 * along. FALSE with an error that names what is not understood, or means nothing beside the rest. */
gboolean form_fill (RecordForm *form, const char *text, GError **error);

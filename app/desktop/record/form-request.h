/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts the form to a target and a request, and fills the form from a script's JSON, or with what a run of the study
 * was recorded with. */
#pragma once

#include "document.h"
#include "record/record-form.h"
#include "record/target.h"

/* The target that @form names. NULL with an error. */
CulpritTarget *form_target (RecordForm *form, GError **error);

/* What people call @target. Belongs to it. */
const char *form_target_title (const CulpritTarget *target);

/* What recording on @target begins with. */
const char *form_target_step (const CulpritTarget *target);

/* What is measured, to be shown: "period 5ms", or whose windows. The caller owns it. */
char *form_measured (RecordForm *form);

/* The request, as "culprit record" would build it. There must be no record_form_problem(). */
JsonObject *form_request (RecordForm *form);

/* How many blocks in random order @request asks for; 0: it is no such. */
guint form_blocks (JsonObject *request);

/* Sets @form to what @text says, a JSON object, and all else but the load to its first value. Its members are fields by
 * their names; "target" may be "ssh:HOST" as well, "band" "LOW,HIGH". Times are texts, lists are arrays. The load stays
 * as people entered it: @text comes from the session bus, where any program may ask, and must not bring a command
 * along. FALSE with an error that names what is not understood, or means nothing beside the rest. */
gboolean form_fill (RecordForm *form, const char *text, GError **error);

/* What follows fills in the form for the next recording, says so in a remark, and shows the field that matters. */

/* What is known of @run, of the table of runs: target with its virtual machine, trigger, load and settings; the remark
 * names what is not. A load that is not built in is only named: it is a command, and may be somebody else's. @graph:
 * functions to trace alone; if empty, those of @run. @captures: how many to take; 0: as many as usual. */
void form_like (RecordForm *form, CulpritDocument *document, const char *run, const char *graph, gint64 captures);

/* The settings of @run with the trigger for the band from @low_ns to @high_ns, which was chosen among its latencies, as
 * of band_map(). */
void form_next_band (RecordForm *form, CulpritDocument *document, const char *run, gint64 low_ns, gint64 high_ns);

/* The settings of @run with the threshold @threshold_ns. */
void form_next_threshold (RecordForm *form, CulpritDocument *document, const char *run, gint64 threshold_ns);

/* The settings of @run to delay @function, as often and for as long as usual. */
void form_next_delay (RecordForm *form, CulpritDocument *document, const char *run, const char *function);

/* The settings of @run to measure latencies once more without tracing and with it. FALSE: not all is known of @run that
 * it takes to record captures of its peaks; that can be done of what is measured then. */
gboolean form_next_explanation (RecordForm *form, CulpritDocument *document, const char *run);

/* What is given to explain peaks, beside what is known of their run: a load that is not built in, and the events that
 * begin and end windows. The caller owns it. */
JsonObject *form_explaining (RecordForm *form);

/* The settings of @run to record latencies without tracing and with it in turn, often enough to compare shapes. */
void form_next_in_turn (RecordForm *form, CulpritDocument *document, const char *run);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the doctor finds on a target, the worst first, each with the command that fixes it; and its real-time tasks. It
 * emits "checked" when an examination is over, and "measure" with the name of a task that is chosen. */
#pragma once

#include "record/target.h"

#include <adwaita.h>

#define RECORD_TYPE_FINDINGS (record_findings_get_type ())
G_DECLARE_FINAL_TYPE (RecordFindings, record_findings, RECORD, FINDINGS, AdwBin)

/* Examines @target, which it takes, in a thread and shows what is found, or why nothing can be. */
void record_findings_examine (RecordFindings *findings, CulpritTarget *target);

/* Whether an examination is going on. */
gboolean record_findings_busy (RecordFindings *findings);

/* What the last examination of @target found that a recording there with @request (see app/recorder/PROTOCOL.md) would
 * fail of. The caller owns it; NULL: nothing, or @target was not examined. */
char *record_findings_blocker (RecordFindings *findings, const CulpritTarget *target, JsonObject *request);

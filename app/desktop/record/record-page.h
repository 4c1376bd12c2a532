/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page that records: a form, what the doctor finds on the target, and the recording as it goes on. Its properties
 * "recording" and "progress" say whether there is one, and how far it is. */
#pragma once

#include "page.h"

#define RECORD_TYPE_PAGE (record_page_get_type ())

G_DECLARE_FINAL_TYPE (RecordPage, record_page, RECORD, PAGE, CulpritPage)

gboolean record_page_recording (RecordPage *page);

/* The actions of the Record page, for keys, other pages and other programs. */

/* Adds to @map the actions of @page, which is in that window:
 * "record-start" (s, as of form_fill()), "record-stop", "record-check", "record-vm" (which makes the virtual machine
 * the target), "record-explain" (s, a run: asks whether to record what is missing to explain its peaks),
 * "record-explain-start" (as the answer does; state s: what that is, once it is known), "record-band" ((sxx): the run
 * it was chosen in, from and to in ns), "recording" (state b, whether something is being recorded; to change it starts
 * and stops). */
void record_actions_add (GActionMap *map, RecordPage *page);

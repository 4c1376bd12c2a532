/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be done with the page that records, by keys, other pages and other programs. */
#pragma once

#include "record/record-page.h"

/* Adds to @map the actions of @page, which is in that window:
 * "record-start" (s, as of form_fill()), "record-stop", "record-check",
 * "record-band" ((xx), from and to in ns),
 * "recording" (state b, whether something is being recorded; to change it starts and stops). */
void record_actions_add (GActionMap *map, RecordPage *page);

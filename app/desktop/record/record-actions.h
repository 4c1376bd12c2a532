/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The actions of the Record page, for keys, other pages and other programs. */
#pragma once

#include "record/record-page.h"

/* Adds to @map the actions of @page, which is in that window:
 * "record-start" (s, as of form_fill()), "record-stop", "record-check", "record-vm" (which makes the virtual machine
 * the target), "record-band" ((sxx): the run it was chosen in, from and to in ns), "recording" (state b, whether
 * something is being recorded; to change it starts and stops). */
void record_actions_add (GActionMap *map, RecordPage *page);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of a recording for people. */
#pragma once

#include "message.h"
#include "recording.h"

/* @message as a sentence. NULL: not for people. The caller owns it. */
char *culprit_message_words (const CulpritMessage *message, CulpritSurface surface);

/* Whether that is a warning. */
gboolean culprit_message_warns (const CulpritMessage *message);

/* "1170 cycles, min 17.4 us, mean 24.8 us, max 364.2 us, 35 hits, 2 overruns". The caller owns it. */
char *culprit_totals_words (const CulpritRunTotals *totals);

/* The result of a recording, as a sentence. The caller owns it. */
char *culprit_recording_words (const CulpritRecordingResult *result);

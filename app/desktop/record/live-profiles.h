/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The latencies of a running recording, with and without tracing, as far as the recorder has sent them. */
#pragma once

#include "chart/chart.h"
#include "record/message.h"

typedef struct _LiveProfiles LiveProfiles;

LiveProfiles *live_profiles_new (void);
void live_profiles_free (LiveProfiles *live);

/* Takes in a message of the recorder. TRUE: there are more latencies. */
gboolean live_profiles_take (LiveProfiles *live, const CulpritMessage *message);

/* A histogram of them. NULL: there are none yet. */
Chart *live_profiles_chart (const LiveProfiles *live);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LiveProfiles, live_profiles_free)

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples as packed by a recorder: see app/recorder/PROTOCOL.md. */
#pragma once

#include "profile.h"

/* The latencies of the @cycles samples packed in @size bytes at @packed. NULL if these are not such samples, or no
 * latencies. The caller owns it. */
CulpritProfile *culprit_samples_unpack (const guint8 *packed, gsize size, gint64 cycles);

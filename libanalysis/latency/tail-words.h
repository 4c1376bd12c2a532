/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tail of latencies in sentences. The caller owns the texts. */
#pragma once

#include "tail.h"

/* What was fitted and how reliable it is, or why there is no fit. */
char *culprit_tail_in_words (const CulpritTail *tail);

/* How often the deadline is missed, and whether that was tested long enough; NULL if there is none. @period_ns: 0 if it
 * is not known. */
char *culprit_tail_deadline_in_words (const CulpritTail *tail, gint64 period_ns);

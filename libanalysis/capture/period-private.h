/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The period of a cyclic task, inferred from the times of its cycles. */
#pragma once

#include <glib.h>

#define PERIOD_MIN_TIMES 4

/* The maximum number of times that are used. */
#define PERIOD_MAX_TIMES 128

typedef struct
{
  guint64 period_ns; /* 0: cannot be inferred from the times */
  guint64 error_ns;  /* The period may be off by this much. */
} Period;

/* The period of @n @times_ns, in ascending order. Each is somewhat later than a multiple of the period; up to half of
 * them may be anywhere, and multiples may be missing. */
Period period_infer (const guint64 *times_ns, guint n);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The period of a cyclic task, from the times at which its cycles were seen. */
#pragma once

#include <glib.h>

#define PERIOD_MIN_TIMES 4

/* How many times are used at most. */
#define PERIOD_MAX_TIMES 128

typedef struct
{
  guint64 period_ns; /* 0: the times do not say */
  guint64 error_ns;  /* It may be off by so much. */
} Period;

/* The period of @n @times_ns, in order. Each lies somewhat after a multiple of the period; up to half of them may lie
 * anywhere, and multiples may be left out. */
Period period_infer (const guint64 *times_ns, guint n);

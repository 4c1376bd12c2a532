/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a function's time in a late wake-up compares with that in the ordinary wake-ups of the same capture. */
#pragma once

#include "capture/capture.h"
#include "study.h"

typedef struct
{
  gint64 calls;         /* in the late wake-up */
  gint64 untraced_ns;   /* its untraced own time there; 0: it did not run */
  gint64 ordinary;      /* the number of ordinary wake-ups */
  gint64 ordinary_less; /* the number of those in which it certainly took less; -1: not known */
  double mean_ns;       /* of its time over all of them; 0 if there are none */
} CulpritStanding;

/* For the function with the culprit_function_key() @key, in @context, in @capture. Times of ordinary wake-ups are known
 * to an eighth: those that may be as long do not count as less. FALSE with an error; a capture that is not in the study
 * has no wake-ups. */
gboolean culprit_query_standing (CulpritStudy *study,
                                 gint64 capture,
                                 const char *key,
                                 CulpritContext context,
                                 CulpritStanding *standing,
                                 GError **error);

/* The same in a sentence: "405 calls in this late wake-up, 1.238 ms without the tracer: more than in 25 of 25 ordinary
 * ones (mean 3.1 us)". The caller owns it. */
char *culprit_standing_in_words (const CulpritStanding *standing);

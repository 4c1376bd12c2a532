/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is told of one call of a timeline beside its own times: when it was, who called it, and what it called. */
#pragma once

#include "timeline.h"

/* All calls of one function that a call made. */
typedef struct
{
  const CulpritFunction *function;
  guint64 calls;
  guint64 total_ns; /* from entry to exit, while the span was on the CPU */
  CulpritTimelinePlace longest;
} CulpritTimelineCallee;

typedef struct
{
  CulpritTimelineCall call;
  guint64 length_ns;           /* of the whole call */
  guint64 untraced_ns;         /* its own time without the tracer's */
  gboolean has_expected;       /* There is a late wake-up, so that the next is known. */
  gint64 from_expected_ns;     /* from when that was expected to the call's start */
  CulpritTimelinePlace caller; /* of a call's first level the task */
  GArray *callees;             /* of CulpritTimelineCallee, most time first */
  guint64 other_ns;            /* what is left of the time of all that it called */
} CulpritTimelineFacts;

/* Of the call or the task at @place; at most @most functions that it called are told. */
CulpritTimelineFacts *culprit_timeline_facts (const CulpritTimeline *timeline,
                                              const CulpritTimelinePlace *place,
                                              guint most);

void culprit_timeline_facts_free (CulpritTimelineFacts *facts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritTimelineFacts, culprit_timeline_facts_free)

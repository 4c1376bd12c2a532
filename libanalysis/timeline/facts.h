/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts about one call of a timeline besides its own times: when it was, who called it, and what it called. */
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
  guint64 untraced_ns;         /* its untraced own time */
  gboolean has_expected;       /* There is a late wake-up, so that the next is known. */
  gint64 from_expected_ns;     /* from the expected time of that to the call's start */
  CulpritTimelinePlace caller; /* for a call at depth 0 the task */
  GArray *callees;             /* of CulpritTimelineCallee, most time first */
  guint64 other_ns;            /* the rest of the time of everything that it called */
} CulpritTimelineFacts;

/* For the call or the task at @place, with at most @most called functions. */
CulpritTimelineFacts *culprit_timeline_facts (const CulpritTimeline *timeline,
                                              const CulpritTimelinePlace *place,
                                              guint most);

void culprit_timeline_facts_free (CulpritTimelineFacts *facts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritTimelineFacts, culprit_timeline_facts_free)

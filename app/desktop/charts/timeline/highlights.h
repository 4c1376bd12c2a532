/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a timeline highlights: the chosen function, searches that are kept, and the present search, each with a colour
 * of its own. One of them is current: the one that is gone through. */
#pragma once

#include "timeline/timeline.h"

#define HIGHLIGHTS_COLOURS 5 /* the first is the chosen function's; no more searches than the others are kept */

typedef enum
{
  HIGHLIGHT_FUNCTION,
  HIGHLIGHT_KEPT,
  HIGHLIGHT_SEARCH,
} HighlightRole;

typedef struct
{
  HighlightRole role;
  guint colour; /* below HIGHLIGHTS_COLOURS */
  char *text;   /* of the function culprit_function_key(), of others what names contain */
  CulpritTimelineMatches *matches;
} Highlight;

typedef struct
{
  GArray *all; /* of Highlight, in the order of their roles */
  guint current;
} Highlights;

Highlights *highlights_new (void);

void highlights_free (Highlights *highlights);

static inline Highlight *
highlights_at (const Highlights *highlights, guint index)
{
  return &g_array_index (highlights->all, Highlight, index);
}

/* The one that is gone through; NULL: there is none. */
const Highlight *highlights_current (const Highlights *highlights);

/* Highlights @text as the function or the search, instead of what was; NULL or empty: nothing. A search becomes the
 * current one. @timeline may be NULL here and below: nothing matches then. */
void highlights_set (Highlights *highlights, HighlightRole role, const char *text, const CulpritTimeline *timeline);

/* Which of them is the function or the search; -1: none is. */
int highlights_find (const Highlights *highlights, HighlightRole role);

/* Whether there is a search, and room to keep it beside another. */
gboolean highlights_can_keep (const Highlights *highlights);

void highlights_remove (Highlights *highlights, guint index);

/* Finds what matches in another timeline. */
void highlights_match (Highlights *highlights, const CulpritTimeline *timeline);

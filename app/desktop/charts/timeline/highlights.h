/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a timeline highlights: the chosen function, kept searches and the current search, each in a colour of its own.
 * Next and previous follow one of them, the current highlight. */
#pragma once

#include "timeline/timeline.h"

#define HIGHLIGHTS_COLOURS 5 /* the first is the chosen function's, the others are for searches */

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
  char *text;   /* culprit_function_key() of the function, or what names must contain */
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

/* The current highlight, or NULL. */
const Highlight *highlights_current (const Highlights *highlights);

/* Replaces the function or the search with @text; NULL or empty: removes it. A search becomes current. @timeline may be
 * NULL, here and below: nothing matches then. */
void highlights_set (Highlights *highlights, HighlightRole role, const char *text, const CulpritTimeline *timeline);

/* The index of the function or the search; -1: there is none. */
int highlights_find (const Highlights *highlights, HighlightRole role);

/* Whether there is a search, and a colour left to keep it beside another. */
gboolean highlights_can_keep (const Highlights *highlights);

void highlights_remove (Highlights *highlights, guint index);

/* Matches all highlights against another timeline. */
void highlights_match (Highlights *highlights, const CulpritTimeline *timeline);

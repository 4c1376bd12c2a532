/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Highlights sorted by role. Each keeps its colour until it is removed. */
#include "charts/timeline/highlights.h"

static void
clear (gpointer data)
{
  Highlight *highlight = data;

  g_free (highlight->text);
  g_clear_pointer (&highlight->matches, culprit_timeline_matches_free);
}

Highlights *
highlights_new (void)
{
  Highlights *highlights = g_new0 (Highlights, 1);

  highlights->all = g_array_new (FALSE, FALSE, sizeof (Highlight));
  g_array_set_clear_func (highlights->all, clear);
  return highlights;
}

void
highlights_free (Highlights *highlights)
{
  g_array_unref (highlights->all);
  g_free (highlights);
}

const Highlight *
highlights_current (const Highlights *highlights)
{
  return highlights->all->len > 0 ? highlights_at (highlights, highlights->current) : NULL;
}

int
highlights_find (const Highlights *highlights, HighlightRole role)
{
  for (guint i = 0; i < highlights->all->len; i++)
    if (highlights_at (highlights, i)->role == role)
      return i;
  return -1;
}

static gboolean
has_colour (const Highlights *highlights, guint colour)
{
  for (guint i = 0; i < highlights->all->len; i++)
    if (highlights_at (highlights, i)->colour == colour)
      return TRUE;
  return FALSE;
}

/* The first free colour for @role. */
static guint
find_colour (const Highlights *highlights, HighlightRole role)
{
  guint colour = role == HIGHLIGHT_FUNCTION ? 0 : 1;

  while (role != HIGHLIGHT_FUNCTION && has_colour (highlights, colour) && colour < HIGHLIGHTS_COLOURS - 1)
    colour++;
  return colour;
}

static void
match (Highlight *highlight, const CulpritTimeline *timeline)
{
  g_clear_pointer (&highlight->matches, culprit_timeline_matches_free);
  if (timeline)
    highlight->matches = highlight->role == HIGHLIGHT_FUNCTION ? culprit_timeline_match (timeline, highlight->text)
                                                               : culprit_timeline_search (timeline, highlight->text);
}

/* Inserts a highlight by its role. Returns its index. */
static guint
add (Highlights *highlights, HighlightRole role, const char *text)
{
  Highlight added = { .role = role, .colour = find_colour (highlights, role), .text = g_strdup (text) };
  guint place = role == HIGHLIGHT_FUNCTION ? 0 : highlights->all->len;

  if (place <= highlights->current && highlights->all->len > 0)
    highlights->current++;
  g_array_insert_val (highlights->all, place, added);
  return place;
}

void
highlights_set (Highlights *highlights, HighlightRole role, const char *text, const CulpritTimeline *timeline)
{
  int place = highlights_find (highlights, role);

  if (!text || !*text)
    {
      if (place >= 0)
        highlights_remove (highlights, place);
      return;
    }
  if (place < 0)
    place = add (highlights, role, text);
  else
    {
      g_free (highlights_at (highlights, place)->text);
      highlights_at (highlights, place)->text = g_strdup (text);
    }
  if (role == HIGHLIGHT_SEARCH)
    highlights->current = place;
  match (highlights_at (highlights, place), timeline);
}

gboolean
highlights_can_keep (const Highlights *highlights)
{
  gboolean has_function = highlights_find (highlights, HIGHLIGHT_FUNCTION) >= 0;

  return highlights_find (highlights, HIGHLIGHT_SEARCH) >= 0 &&
         highlights->all->len - (has_function ? 1 : 0) < HIGHLIGHTS_COLOURS - 1;
}

void
highlights_remove (Highlights *highlights, guint index)
{
  g_array_remove_index (highlights->all, index);
  if (index < highlights->current)
    highlights->current--;
  else if (index == highlights->current)
    highlights->current = MAX (highlights->all->len, 1) - 1;
}

void
highlights_match (Highlights *highlights, const CulpritTimeline *timeline)
{
  for (guint i = 0; i < highlights->all->len; i++)
    match (highlights_at (highlights, i), timeline);
}

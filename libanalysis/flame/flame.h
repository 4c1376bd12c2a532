/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Late wake-ups merged by call path, each path compared with what it ordinarily costs: what a flame graph shows, to be
 * drawn, listed, or handed to other programs. All times are ns without the tracer's part.
 *
 * A node's total is its own time and the totals of the nodes directly below it, to the nanosecond; that of the first
 * node, which is all of it, is the sum of the untraced latencies. */
#pragma once

#include "study/query.h"
#include "tables/column.h"
#include "verdict/verdict.h"

#define CULPRIT_FLAME_NONE G_MAXUINT

/* The calls of one function by one path, a source, or all of it. */
typedef struct
{
  guint parent; /* CULPRIT_FLAME_NONE: all of it */
  guint end;    /* The nodes between it and this one are below it. */
  guint depth;  /* 0: all of it; 1: a source */
  gint64 function;
  CulpritContext context; /* CULPRIT_CONTEXTS: all of it */
  const char *name;       /* of the source, or the function's label */
  const char *key;        /* culprit_function_key(); NULL: it is not a function */
  guint64 calls;          /* in all late wake-ups together, as are the next */
  guint64 own_ns;
  guint64 total_ns;  /* including what is below it */
  double base_calls; /* in one wake-up of the base, on average, as are the next */
  double base_own_ns;
  double base_ns; /* including what is below it */
  guint late;     /* wake-ups that have it, or something below it */
  guint cause;    /* the place of the verdict's cause that it is, from 1; 0: it is none */
} CulpritFlameNode;

typedef struct
{
  GArray *nodes;         /* of CulpritFlameNode: each before those below it, siblings by descending total */
  GArray *captures;      /* of gint64: those of the late wake-ups, in ascending order */
  GArray *rows;          /* which node has own time or calls in which late wake-up */
  char *base;            /* what it is compared with: "ordinary wake-ups", "late wake-ups of RUN" */
  guint64 base_wake_ups; /* how many of these; 0: there is nothing to compare with */
  guint without_base;    /* late wake-ups that have none to be compared with */
  double most_ns;        /* the largest difference of a node, without its sign */
  GStringChunk *texts;
} CulpritFlame;

/* Merges the late wake-ups that @filter selects. Each is compared as in the verdict: with the ordinary ones of its
 * capture or, if these are fewer than CULPRIT_LEAST_OWN_BASE, with those of its population. @base: the run, or
 * recording, with whose late wake-ups to compare instead, which are left out if all runs are merged; may be NULL. NULL
 * with an error. */
CulpritFlame *culprit_flame_read (CulpritStudy *study, const CulpritFilter *filter, const char *base, GError **error);
void culprit_flame_free (CulpritFlame *flame);

static inline const CulpritFlameNode *
culprit_flame_node (const CulpritFlame *flame, guint index)
{
  return &g_array_index (flame->nodes, CulpritFlameNode, index);
}

/* How much more time @node takes in one late wake-up, on average, than in one of the base; 0 if there is nothing to
 * compare with. */
double culprit_flame_difference_ns (const CulpritFlame *flame, guint node);

/* Marks the nodes that are causes of @verdict, and those only: of a function the outermost ones. NULL: there are
 * none. */
void culprit_flame_mark (CulpritFlame *flame, const CulpritVerdict *verdict);

/* Whether the name of each node (a byte for each, which the caller owns) contains @text, in any case. @found: how many
 * do; @ns: their time in all late wake-ups, each nanosecond counted once. */
guint8 *culprit_flame_find (const CulpritFlame *flame, const char *text, guint *found, guint64 *ns);

/* The captures (of gint64, in ascending order) whose late wake-ups have @node. The caller owns the array. */
GArray *culprit_flame_captures (const CulpritFlame *flame, guint node);

/* A node as a box of a picture. Its row is the node's depth. */
typedef struct
{
  guint node;
  double x;
  double width;
} CulpritFlameBox;

/* The boxes of a picture that is @width wide in which @zoom, and those that it is below, are as wide as the picture,
 * without boxes narrower than @least: an array of CulpritFlameBox, in the order of nodes, that the caller owns. It
 * takes time in proportion to its result. */
GArray *culprit_flame_layout (const CulpritFlame *flame, guint zoom, double width, double least);

/* Words, which the caller owns: what is merged and what it is compared with; what @node is called; what is known of it,
 * in a sentence; what the colour at the end of less, or of more, stands for. */
char *culprit_flame_in_words (const CulpritFlame *flame);
char *culprit_flame_title (const CulpritFlame *flame, guint node);
char *culprit_flame_describe (const CulpritFlame *flame, guint node);
char *culprit_flame_legend (const CulpritFlame *flame, gboolean more);

/* The nodes as a table of culprit_flame_calls, which the caller owns; without rows if there are no late wake-ups. */
extern const CulpritDefinition culprit_flame_calls;
CulpritTable *culprit_flame_table (const CulpritFlame *flame);

/* The names from the source of @node to its own, as in folded stacks: "source;function;function". The caller owns it.
 */
char *culprit_flame_path (const CulpritFlame *flame, guint node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritFlame, culprit_flame_free)

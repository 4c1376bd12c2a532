/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ordinary wake-ups: how long they are, and what several captures' cost together. */
#pragma once

#include "case.h"
#include "spread.h"

/* The key of a function in a context. */
#define BASE_KEY(function, context) ((function) *CULPRIT_CONTEXTS + (context))

/* How long wake-ups are. */
typedef struct
{
  guint n;
  double mean_ns;
  double median_ns;
  double mad_ns;
} Usual;

typedef struct
{
  gint64 key; /* of a part, or a function */
  double calls;
  double self_ns;
  double windows;            /* in which it occurs */
  CulpritSpread untraced_ns; /* over those, as the next; empty if they are not known */
  CulpritSpread calls_made;
  CulpritSpread stretch_ns;
} BaseSums;

/* The ordinary wake-ups of a population or of a run, added up. */
typedef struct
{
  GArray *latencies_ns;      /* of double: of each of them */
  guint spread_windows;      /* of these, those of which the spreads are known */
  GHashTable *parts;         /* of BaseSums, by function and context */
  GHashTable *holders;       /* likewise, by context and name */
  GHashTable *elsewhere;     /* of BaseSums, by function: calls outside of the outliers; only of those in outliers */
  Usual usual;               /* known once they are finished, as the next */
  GArray *sorted;            /* of gint64: the keys of parts, rising */
  GPtrArray *sorted_holders; /* of char *: those of holders, likewise */
} Base;

/* How far the parts of a case, which come in the order of their functions, were looked through. */
typedef struct
{
  guint own; /* parts that it has itself */
  guint at;
} PartCursor;

Base *base_new (void);

void base_free (Base *base);

/* The sums of @function in @context, of who is called @name, and of @function anywhere else; new ones where there are
 * none yet. */
BaseSums *base_part (Base *base, gint64 function, CulpritContext context);
BaseSums *base_holder (Base *base, const char *name, CulpritContext context);
BaseSums *base_elsewhere (Base *base, gint64 function);

/* The same, but NULL if there are none. */
BaseSums *base_find_part (const Base *base, gint64 function, CulpritContext context);
BaseSums *base_find_holder (const Base *base, const char *name, CulpritContext context);
const BaseSums *base_find_elsewhere (const Base *base, gint64 function);

/* Adds all of @other, of which nothing can be asked afterwards. */
void base_take (Base *base, Base *other);

/* All is added that will be. */
void base_finish (Base *base);

/* The latencies @latencies_ns (of double) as a whole. */
Usual usual_of (const GArray *latencies_ns);

/* Fills in how long the wake-ups are that @one is compared with. */
void usual_apply (const Usual *usual, CulpritCase *one);

/* Fills in what @like does in all of these together: @calls and @self_ns. A part that @one does not have itself is
 * added to it, so that the excesses add up. They are to come in the order of their functions. Returns the part. */
CulpritPart *usual_apply_part (
    CulpritCase *one, PartCursor *cursor, const CulpritPart *like, double calls, double self_ns);

/* Likewise of the holder @name, which is kept as long as @one; @own: how many @one has itself. */
void usual_apply_holder (CulpritCase *one, guint own, const char *name, CulpritContext context, double self_ns);

/* Fills in all of this for @one, which is compared with @base. @names: of functions, by their number; @texts keeps
 * other names. */
void base_apply (const Base *base, CulpritCase *one, GHashTable *names, GStringChunk *texts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Base, base_free)

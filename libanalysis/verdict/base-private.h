/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ordinary wake-ups: their latencies, and the sums of their costs over several captures. */
#pragma once

#include "case.h"
#include "spread.h"

/* The key of a function in a context. */
#define BASE_KEY(function, context) ((function) *CULPRIT_CONTEXTS + (context))

/* The latencies of wake-ups in summary. */
typedef struct
{
  guint n;
  double mean_ns;
  double median_ns;
  double mad_ns;
} Usual;

/* The quantities whose spreads are known. */
enum
{
  BASE_UNTRACED_NS,
  BASE_CALLS,
  BASE_STRETCH_NS,
  BASE_SPREADS,
};

/* A spread as culprit_spread_pack() made it. */
typedef struct
{
  const guint8 *bytes;
  guint n_bytes;
  guint64 max;
} Packed;

typedef struct
{
  gint64 key;       /* of a part, or a function */
  const char *name; /* of a holder */
  double calls;
  double self_ns;
  double windows;                      /* in which it occurs */
  CulpritSpread spreads[BASE_SPREADS]; /* over those; empty if not known. Before base_settle() only the maxima count. */
  guint8 *kept;                        /* packed spreads that are not counted yet: the row added last; may be NULL */
  guint8 *kept_first;
} BaseSums;

/* The ordinary wake-ups of a population or of a run, added up. */
typedef struct
{
  GArray *latencies_ns; /* of double: of each of them */
  guint spread_windows; /* of these, those with known spreads */
  GHashTable *parts;    /* of BaseSums, by function and context */
  GHashTable *holders;  /* likewise, by context and name */
  GHashTable
      *elsewhere; /* of BaseSums, by function: calls outside of outliers; only for functions that occur in outliers */
  Usual usual;    /* known after base_finish(), as are the next */
  GArray *sorted; /* of gint64: the keys of parts, ascending */
  GPtrArray *sorted_holders; /* of char *: those of holders, likewise */
} Base;

/* How many of a case's parts, which are in the order of their functions, were processed. */
typedef struct
{
  guint own; /* parts that it has itself */
  guint at;
} PartCursor;

Base *base_new (void);

void base_free (Base *base);

/* The sums of @function in @context, of the holder called @name, which must live as long as @base and the cases, and of
 * @function elsewhere; created if needed. */
BaseSums *base_part (Base *base, gint64 function, CulpritContext context);
BaseSums *base_holder (Base *base, const char *name, CulpritContext context);
BaseSums *base_elsewhere (Base *base, gint64 function);

/* The same, but NULL if there are none. */
BaseSums *base_find_part (const Base *base, gint64 function, CulpritContext context);
BaseSums *base_find_holder (const Base *base, const char *name, CulpritContext context);
const BaseSums *base_find_elsewhere (const Base *base, gint64 function);

/* Adds the spreads @packed of one capture to @sums. Most are never needed: they are only copied into @room until
 * base_settle() counts them. */
void base_keep (BaseSums *sums, const Packed packed[BASE_SPREADS], GStringChunk *room);
void base_settle (BaseSums *sums);

/* Adds all of @other, which must not be used afterwards. */
void base_take (Base *base, Base *other);

/* To be called after everything was added. */
void base_finish (Base *base);

/* Summarises the latencies @latencies_ns (of double). */
Usual usual_of (const GArray *latencies_ns);

/* Sets the summary of the wake-ups that @one is compared with. */
void usual_apply (const Usual *usual, CulpritCase *one);

/* Sets what @like does in all of these together: @calls and @self_ns. If @one does not have the part itself, it is
 * added, so that the excesses add up. To be called in the order of functions. Returns the part. */
CulpritPart *usual_apply_part (
    CulpritCase *one, PartCursor *cursor, const CulpritPart *like, double calls, double self_ns);

/* The same for the holder @name, which must live as long as @one; @own: how many @one has itself. */
void usual_apply_holder (CulpritCase *one, guint own, const char *name, CulpritContext context, double self_ns);

/* Sets all of this for @one, which is compared with @base. @names: of functions, by their number. */
void base_apply (const Base *base, CulpritCase *one, GHashTable *names);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Base, base_free)

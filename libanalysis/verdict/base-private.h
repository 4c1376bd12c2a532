/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ordinary wake-ups, of a capture or of several together, added up. */
#pragma once

#include "case.h"
#include "spread.h"

typedef struct
{
  double calls;
  double self_ns;
  double windows;            /* in which it occurs */
  CulpritSpread untraced_ns; /* over those, as the next; empty where they were not asked for or are not known */
  CulpritSpread calls_made;
  CulpritSpread stretch_ns;
} BaseSums;

typedef struct
{
  GArray *latencies_ns; /* of double: of each of them */
  guint spread_windows; /* of these, those of which the spreads are known */
  GHashTable *parts;    /* of BaseSums, by function and context */
  GHashTable *holders;  /* likewise, by context and name */
  GHashTable
      *elsewhere; /* of BaseSums, by function: calls outside of the outliers' windows; only of those in outliers */
  double mean_ns; /* of the latencies, as the next; known once they are finished */
  double median_ns;
  double mad_ns;
} Base;

Base *base_new (void);

void base_free (Base *base);

/* The sums of @function in @context, of who is called @name, and of @function anywhere else; new ones where there are
 * none yet. */
BaseSums *base_part (Base *base, gint64 function, CulpritContext context);
BaseSums *base_holder (Base *base, const char *name, CulpritContext context);
BaseSums *base_elsewhere (Base *base, gint64 function);

/* The same, but NULL where there are none. */
const BaseSums *base_find_part (const Base *base, gint64 function, CulpritContext context);
const BaseSums *base_find_holder (const Base *base, const char *name, CulpritContext context);
const BaseSums *base_find_elsewhere (const Base *base, gint64 function);

/* All is added that will be: fills in what is known of the latencies together. */
void base_finish (Base *base);

/* Fills in what @one is compared with: number, mean, median and deviation, and the means of its parts and holders.
 * Those of which it has none itself are added to it, so that the excesses add up. @names: of functions, by their
 * number;
 * @texts keeps other names. */
void base_apply (const Base *base, CulpritCase *one, GHashTable *names, GStringChunk *texts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Base, base_free)

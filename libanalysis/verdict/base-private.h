/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ordinary wake-ups, of a capture or of several together, added up. */
#pragma once

#include "case.h"

typedef struct
{
  GArray *latencies_ns; /* of double: of each of them */
  GHashTable *parts;    /* of BaseSums, by function and context */
  GHashTable *holders;  /* likewise, by context and name */
} Base;

typedef struct
{
  double calls;
  double self_ns;
  double stretch_ns; /* its longest stretch */
  double windows;    /* in which it occurs */
} BaseSums;

Base *base_new (void);

void base_free (Base *base);

/* The sums of @function in @context, and of who is called @name; new ones where there are none yet. */
BaseSums *base_part (Base *base, gint64 function, CulpritContext context);
BaseSums *base_holder (Base *base, const char *name, CulpritContext context);

/* Adds all of @other. */
void base_add (Base *base, const Base *other);

/* Fills in what @one is compared with: number, mean, median and deviation, and the means of its parts and holders.
 * Those of which it has none itself are added to it, so that the excesses add up. @texts keeps names. */
void base_apply (const Base *base, CulpritCase *one, GHashTable *names, GStringChunk *texts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Base, base_free)

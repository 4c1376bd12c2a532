/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What culprit compare compares, and the functions that print the result. */
#pragma once

#include "latency/comparison.h"
#include "latency/mapping.h"
#include "latency/shape.h"
#include "print.h"

#define COMPARE_MAPPED 2 /* a threshold, or both ends of a band */

/* One side of a comparison; the first is the base. */
typedef struct
{
  char *name;
  CulpritShape *shape; /* compared with the base, if shapes are compared */
  CulpritMapped mapped[COMPARE_MAPPED];
} Side;

typedef struct
{
  GArray *sides;       /* of Side */
  GArray *compared;    /* of CulpritCompared, in the same order */
  GArray *comparisons; /* of CulpritComparison, for all but the base */
  CulpritRules rules;
  guint64 mapped_ns[COMPARE_MAPPED];
  guint n_mapped;
} Comparing;

static inline const Side *
compare_side (const Comparing *comparing, guint index)
{
  return &g_array_index (comparing->sides, Side, index);
}

static inline const CulpritComparison *
compare_result (const Comparing *comparing, guint index)
{
  return &g_array_index (comparing->comparisons, CulpritComparison, index - 1);
}

void compare_print_json (const Comparing *comparing);

void compare_print_text (const Comparing *comparing);

/* One row for each side except the base. */
void compare_print_csv (const Comparing *comparing);

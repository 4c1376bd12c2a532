/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits an excess exactly: the difference of two products is the difference of each factor times the mean of the
 * other. */
#include "excess.h"

#include <math.h>

#define SD_OF_MAD 1.4826
#define ALONE 0.1 /* of the whole excess: calls that each have less than this are many small ones */
#define HALF 0.5  /* of a function's excess: a single call with this much took too long, whatever others did */

void
culprit_part_explain (CulpritPart *part)
{
  double own = part->calls > 0 ? part->self_ns / part->calls : NAN;
  double base = part->base_calls > 0 ? part->base_self_ns / part->base_calls : part->reference_per_call_ns;

  part->excess_ns = part->self_ns - part->base_self_ns;
  own = isnan (own) ? base : own;
  base = isnan (base) ? own : base;
  part->count_ns = isnan (own) ? 0 : (part->calls - part->base_calls) * (own + base) / 2;
  part->cost_ns = part->excess_ns - part->count_ns;
}

double
culprit_part_by_count (const CulpritPart *part, double excess_ns)
{
  double own = part->calls > 0 ? part->self_ns / part->calls : 0;
  double base = part->reference_per_call_ns;
  double base_calls = part->reference_calls > 0 ? part->reference_calls : 1;
  double count_ns = (part->calls - base_calls) * (own + base) / 2;
  double more_ns = part->self_ns - base_calls * base;

  if (part->calls < 2 || part->longest_ns >= HALF * part->excess_ns)
    return 0;
  if (isnan (base))
    return MAX (own, part->longest_ns) < ALONE * excess_ns ? 1 : 0;
  return more_ns > 0 ? CLAMP (count_ns / more_ns, 0, 1) : 0;
}

void
culprit_case_explain (CulpritCase *one)
{
  one->excess_ns = one->own_ns - one->base_ns;
  one->stands_out = one->ordinary >= CULPRIT_GATE_ORDINARY && one->excess_ns > 0 &&
                    one->own_ns - one->median_ns >= CULPRIT_GATE * SD_OF_MAD * one->mad_ns;
  for (guint i = 0; i < one->parts->len; i++)
    culprit_part_explain (&g_array_index (one->parts, CulpritPart, i));
  for (guint i = 0; i < one->holders->len; i++)
    {
      CulpritHolder *holder = &g_array_index (one->holders, CulpritHolder, i);

      holder->excess_ns = holder->self_ns - holder->base_self_ns;
    }
}

const CulpritPart *
culprit_case_find (const CulpritCase *one, gint64 function, CulpritContext context)
{
  for (guint i = 0; i < one->parts->len; i++)
    if (culprit_case_part (one, i)->function == function && culprit_case_part (one, i)->context == context)
      return culprit_case_part (one, i);
  return NULL;
}

/* Whether @other counts together with @holder. */
static gboolean
is_one_with (const CulpritHolder *holder, const CulpritHolder *other)
{
  return holder == other || (holder->context != CULPRIT_CONTEXT_TASK && holder->context == other->context);
}

double
culprit_case_held_ns (const CulpritCase *one, const CulpritHolder *holder)
{
  double held_ns = 0;

  for (guint i = 0; i < one->holders->len; i++)
    if (is_one_with (holder, culprit_case_holder (one, i)))
      held_ns += culprit_case_holder (one, i)->excess_ns;
  return held_ns;
}

typedef struct
{
  double factor; /* by which a part is slower */
  double base_ns;
} Slowness;

static int
compare_slowness (gconstpointer a, gconstpointer b)
{
  const Slowness *left = a;
  const Slowness *right = b;

  return (left->factor > right->factor) - (left->factor < right->factor);
}

/* The factor by which everything outside of @context is slower, as a median weighted by ordinary time: a single part
 * that is repeatedly delayed by an interrupt does not affect it. */
static double
find_slowness (const CulpritCase *one, CulpritContext context)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Slowness));
  double base_ns = 0;
  double below_ns = 0;

  for (guint i = 0; i < one->parts->len; i++)
    {
      const CulpritPart *part = culprit_case_part (one, i);
      Slowness slowness = { part->excess_ns / part->base_self_ns, part->base_self_ns };

      if (part->context == context || !(part->base_self_ns > 0))
        continue;
      g_array_append_val (all, slowness);
      base_ns += part->base_self_ns;
    }
  g_array_sort (all, compare_slowness);
  for (guint i = 0; i < all->len; i++)
    {
      below_ns += g_array_index (all, Slowness, i).base_ns;
      if (below_ns >= base_ns / 2)
        return MAX (g_array_index (all, Slowness, i).factor, 0);
    }
  return 0;
}

double
culprit_case_held_alone_ns (const CulpritCase *one, const CulpritHolder *holder)
{
  double base_ns = 0;

  for (guint i = 0; i < one->holders->len; i++)
    if (is_one_with (holder, culprit_case_holder (one, i)))
      base_ns += culprit_case_holder (one, i)->base_self_ns;
  return culprit_case_held_ns (one, holder) - base_ns * find_slowness (one, holder->context);
}

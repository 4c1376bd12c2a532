/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts an excess exactly: the difference of two products is the difference of either factor times the mean of the
 * other. */
#include "excess.h"

#include <math.h>

#define SD_OF_MAD 1.4826

void
culprit_part_explain (CulpritPart *part)
{
  double own = part->calls > 0 ? part->self_ns / part->calls : NAN;
  double base = part->base_calls > 0 ? part->base_self_ns / part->base_calls : part->rest_per_call_ns;

  part->excess_ns = part->self_ns - part->base_self_ns;
  own = isnan (own) ? base : own;
  base = isnan (base) ? own : base;
  part->count_ns = isnan (own) ? 0 : (part->calls - part->base_calls) * (own + base) / 2;
  part->cost_ns = part->excess_ns - part->count_ns;
}

double
culprit_part_by_count (const CulpritPart *part)
{
  double own = part->calls > 0 ? part->self_ns / part->calls : 0;
  double base = part->base_calls > 0 ? part->base_self_ns / part->base_calls : part->rest_per_call_ns;
  double count_ns;
  double excess_ns;

  if (part->calls == 0)
    return 0;
  base = isnan (base) ? own : base;
  count_ns = (part->calls - part->base_calls_ran) * (own + base) / 2;
  excess_ns = part->self_ns - part->base_calls_ran * base;
  return excess_ns > 0 ? CLAMP (count_ns / excess_ns, 0, 1) : 0;
}

/* Where the idle task waits, one call takes longer than in all else that it runs on its way in and out. */
static gboolean
is_rest (const CulpritCase *one)
{
  const CulpritPart *struck = culprit_case_find (one, one->stretch.function, one->stretch.context);

  if (one->stretch.context != CULPRIT_CONTEXT_IDLE)
    return FALSE;
  for (guint i = 0; i < one->parts->len && struck; i++)
    if (culprit_case_part (one, i)->context == CULPRIT_CONTEXT_IDLE &&
        culprit_case_part (one, i)->rest_per_call_ns > struck->rest_per_call_ns)
      return FALSE;
  return TRUE;
}

void
culprit_case_explain (CulpritCase *one)
{
  one->excess_ns = one->own_ns - one->base_ns;
  one->stands_out = one->ordinary >= CULPRIT_GATE_ORDINARY && one->excess_ns > 0 &&
                    one->own_ns - one->median_ns >= CULPRIT_GATE * SD_OF_MAD * one->mad_ns;
  one->stretch.rest = is_rest (one);
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

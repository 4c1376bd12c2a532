/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a late wake-up is compared with: the parts of both are in the order of their functions, so that they can be
 * matched in one pass. */
#include "base-private.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

Usual
usual_of (const GArray *latencies_ns)
{
  guint n = latencies_ns->len;
  const double *values = (const double *) (gpointer) latencies_ns->data;
  g_autofree double *sorted = g_memdup2 (values, n * sizeof (double));
  Usual usual = { .n = n };

  if (n == 0)
    return usual;
  usual.mean_ns = gsl_stats_mean (values, 1, n);
  gsl_sort (sorted, 1, n);
  usual.median_ns = gsl_stats_median_from_sorted_data (sorted, 1, n);
  for (guint i = 0; i < n; i++)
    sorted[i] = fabs (values[i] - usual.median_ns);
  gsl_sort (sorted, 1, n);
  usual.mad_ns = gsl_stats_median_from_sorted_data (sorted, 1, n);
  return usual;
}

void
usual_apply (const Usual *usual, CulpritCase *one)
{
  one->ordinary = usual->n;
  one->base_ns = usual->mean_ns;
  one->median_ns = usual->median_ns;
  one->mad_ns = usual->mad_ns;
}

static CulpritPart *
find_own_part (CulpritCase *one, PartCursor *cursor, gint64 function, CulpritContext context)
{
  while (cursor->at < cursor->own && culprit_case_part (one, cursor->at)->function < function)
    cursor->at++;
  for (guint i = cursor->at; i < cursor->own && culprit_case_part (one, i)->function == function; i++)
    if (culprit_case_part (one, i)->context == context)
      return &g_array_index (one->parts, CulpritPart, i);
  return NULL;
}

CulpritPart *
usual_apply_part (CulpritCase *one, PartCursor *cursor, const CulpritPart *like, double calls, double self_ns)
{
  CulpritPart *part = find_own_part (one, cursor, like->function, like->context);
  double n = MAX (one->ordinary, 1);

  if (!part)
    {
      g_array_append_vals (one->parts, like, 1);
      part = &g_array_index (one->parts, CulpritPart, one->parts->len - 1);
    }
  part->base_calls = calls / n;
  part->base_self_ns = self_ns / n;
  return part;
}

void
usual_apply_holder (CulpritCase *one, guint own, const char *name, CulpritContext context, double self_ns)
{
  CulpritHolder added = { .name = name, .context = context, .base_self_ns = self_ns / MAX (one->ordinary, 1) };

  for (guint i = 0; i < own; i++)
    {
      CulpritHolder *holder = &g_array_index (one->holders, CulpritHolder, i);

      if (holder->context != context || !g_str_equal (holder->name, name))
        continue;
      holder->base_self_ns = added.base_self_ns;
      return;
    }
  g_array_append_val (one->holders, added);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums over windows, and squares and products of what is in one, which are enough for variances and correlations. */
#include "ordinary-private.h"

void
ordinary_init (Ordinary *ordinary, CulpritCapture *capture)
{
  *ordinary = (Ordinary) { capture->ordinary, g_new0 (guint32, (gsize) capture->functions->len * CULPRIT_CONTEXTS) };
}

void
ordinary_clear (Ordinary *ordinary)
{
  g_clear_pointer (&ordinary->indices, g_free);
}

static CulpritOrdinaryCost *
find (Ordinary *ordinary, guint function, CulpritContext context)
{
  guint32 *index = &ordinary->indices[cell_key (function, context)];

  if (*index == 0)
    {
      CulpritOrdinaryCost cost = { .function = function, .context = context };

      g_array_append_val (ordinary->sums, cost);
      *index = ordinary->sums->len;
    }
  return &g_array_index (ordinary->sums, CulpritOrdinaryCost, *index - 1);
}

void
ordinary_add (Ordinary *ordinary, const CulpritCost *cell, const CulpritWindow *window)
{
  CulpritOrdinaryCost *sum = find (ordinary, cell->function, cell->context);
  double latency_ns = culprit_window_latency_ns (window);
  double self_ns = cell->self_ns;
  double intrinsic_ns = self_ns - cell->tracing_ns;

  sum->windows++;
  sum->calls += cell->calls;
  sum->calls_squared += (double) cell->calls * cell->calls;
  sum->self_ns += cell->self_ns;
  sum->self_squared += self_ns * self_ns;
  sum->self_latency += self_ns * latency_ns;
  sum->tracing_ns += cell->tracing_ns;
  sum->intrinsic_squared += intrinsic_ns * intrinsic_ns;
  sum->intrinsic_untraced += intrinsic_ns * (latency_ns - window->tracing_ns);
  culprit_spread_add (&sum->untraced_ns, cell->self_ns - cell->tracing_ns);
  culprit_spread_add (&sum->calls_made, cell->calls);
  culprit_spread_add (&sum->stretch_ns, cell->longest_stretch_ns);
}

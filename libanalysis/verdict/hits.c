/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries of equal probability are binomial: computed from the most probable number of hits outwards, until nothing is
 * left. */
#include "hits-private.h"

#include <gsl/gsl_randist.h>

static double
p_of (const Hits *hits, guint index)
{
  return g_array_index (hits->p, double, index);
}

Hits *
hits_new (void)
{
  Hits *hits = g_new0 (Hits, 1);
  double sure = 1;

  hits->p = g_array_new (FALSE, TRUE, sizeof (double));
  g_array_append_val (hits->p, sure);
  return hits;
}

void
hits_free (Hits *hits)
{
  g_array_unref (hits->p);
  g_free (hits);
}

/* The probability of @to hits in @n tries, from the @known one of its neighbour @from. */
static double
step (guint n, double p, guint from, guint to, double known)
{
  return to > from ? known * (n - from) / to * p / (1 - p) : known * from / (n - to) * (1 - p) / p;
}

static Hits *
binomial (guint n, double p)
{
  guint mode = n * p;
  double most = gsl_ran_binomial_pdf (mode, p, n);
  Hits *hits = g_new0 (Hits, 1);
  guint first = mode;

  for (double one = most; first > 0 && one > 0; first--)
    one = step (n, p, first, first - 1, one);
  hits->first = first;
  hits->p = g_array_new (FALSE, TRUE, sizeof (double));
  g_array_set_size (hits->p, mode - first + 1);
  g_array_index (hits->p, double, mode - first) = most;
  for (guint k = mode; k > first; k--)
    g_array_index (hits->p, double, k - 1 - first) = step (n, p, k, k - 1, p_of (hits, k - first));
  for (guint k = mode; k < n && p_of (hits, k - first) > 0; k++)
    {
      double next = step (n, p, k, k + 1, p_of (hits, k - first));

      g_array_append_val (hits->p, next);
    }
  return hits;
}

void
hits_try (Hits *hits, guint n, double p)
{
  g_autoptr (Hits) added = p > 0 && n > 0 ? binomial (n, p) : NULL;
  GArray *sums;

  if (!added)
    return;
  sums = g_array_new (FALSE, TRUE, sizeof (double));
  g_array_set_size (sums, hits->p->len + added->p->len - 1);
  for (guint i = 0; i < hits->p->len; i++)
    for (guint k = 0; k < added->p->len; k++)
      g_array_index (sums, double, i + k) += p_of (hits, i) * p_of (added, k);
  g_array_unref (hits->p);
  hits->p = sums;
  hits->first += added->first;
}

double
hits_at_least (const Hits *hits, guint least)
{
  double sum = 0;

  for (guint i = least > hits->first ? least - hits->first : 0; i < hits->p->len; i++)
    sum += p_of (hits, i);
  return MIN (sum, 1);
}

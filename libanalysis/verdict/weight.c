/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cause's share of the total excess, with an interval like that of a proportion: for as many captures of equal excess
 * as carry the same information as these of unequal excess. */
#include "weight-private.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>

#define RESAMPLES 1000
#define LOW 0.025
#define HIGH 0.975

static const CulpritCase *
case_at (const GArray *cases, guint index)
{
  return &g_array_index (cases, CulpritCase, index);
}

static gboolean
counts (const CulpritCase *one)
{
  return one->stands_out && !one->ignored;
}

static void
find_weights (GArray *culprits, const GArray *cases, const GArray *all)
{
  double sum_ns = 0;
  double squares = 0;
  double captures;

  for (guint i = 0; i < cases->len; i++)
    if (counts (case_at (cases, i)))
      {
        sum_ns += case_at (cases, i)->excess_ns;
        squares += case_at (cases, i)->excess_ns * case_at (cases, i)->excess_ns;
      }
  captures = squares > 0 ? sum_ns * sum_ns / squares : 0;
  for (guint i = 0; i < all->len; i++)
    {
      const Explained *explained = &g_array_index (all, Explained, i);

      g_array_index (culprits, CulpritCulprit, explained->culprit).weight += explained->ns / sum_ns;
    }
  for (guint i = 0; i < culprits->len; i++)
    {
      CulpritCulprit *culprit = &g_array_index (culprits, CulpritCulprit, i);
      double with = CLAMP (culprit->weight, 0, 1) * captures;

      culprit->weight_low = gsl_cdf_beta_Pinv (LOW, with + 0.5, captures - with + 0.5);
      culprit->weight_high = gsl_cdf_beta_Pinv (HIGH, with + 0.5, captures - with + 0.5);
    }
}

/* The one that explains most of the cases when each counts as often as it was @drawn; @explained_ns has room for
 * each. */
static void
find_leader (const Weighed *one, const guint *drawn, double *explained_ns)
{
  guint leader = 0;

  memset (explained_ns, 0, one->culprits->len * sizeof *explained_ns);
  for (guint i = 0; i < one->explained->len; i++)
    {
      const Explained *explained = &g_array_index (one->explained, Explained, i);

      explained_ns[explained->culprit] += drawn[explained->index] * explained->ns;
    }
  for (guint i = 1; i < one->culprits->len; i++)
    leader = explained_ns[i] > explained_ns[leader] ? i : leader;
  if (one->culprits->len > 0 && explained_ns[leader] > 0)
    g_array_index (one->culprits, CulpritCulprit, leader).leads += 1;
}

/* How often each explains most when as many captures are resampled, with replacement. */
static void
find_leads (const Weighed *all, guint n_all, const GArray *cases)
{
  g_autofree guint *counting = g_new (guint, cases->len + 1);
  g_autofree guint *drawn = g_new (guint, cases->len + 1);
  g_autofree double *explained_ns = NULL;
  gsl_rng *random = gsl_rng_alloc (gsl_rng_mt19937);
  guint most = 0;
  guint n = 0;

  for (guint i = 0; i < n_all; i++)
    most = MAX (most, all[i].culprits->len);
  explained_ns = g_new (double, most + 1);
  for (guint i = 0; i < cases->len; i++)
    if (!case_at (cases, i)->ignored)
      counting[n++] = i;
  for (guint round = 0; most > 0 && round < RESAMPLES; round++)
    {
      memset (drawn, 0, cases->len * sizeof *drawn);
      for (guint i = 0; i < n; i++)
        drawn[counting[gsl_rng_uniform_int (random, n)]]++;
      for (guint i = 0; i < n_all; i++)
        find_leader (&all[i], drawn, explained_ns);
    }
  gsl_rng_free (random);
}

void
weigh (const Weighed *all, guint n, const GArray *cases)
{
  for (guint i = 0; i < n; i++)
    find_weights (all[i].culprits, cases, all[i].explained);
  find_leads (all, n, cases);
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < all[i].culprits->len; k++)
      g_array_index (all[i].culprits, CulpritCulprit, k).leads /= RESAMPLES;
}

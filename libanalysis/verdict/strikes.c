/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blind stretches strike a place in proportion to its share of time. If a capture has several, the probability that at
 * least one strikes a place is such that the expected number of places is the observed one. */
#include "strikes-private.h"

#include "hits-private.h"
#include "suspects-private.h"

#include <math.h>
#include <string.h>

#define MOST_ODDS 0.98        /* maximum probability that a place is struck in one capture, */
#define MOST_ODDS_OF_ONE 0.95 /* and if there is a single stretch */

struct _Strikes
{
  GPtrArray *cases;  /* of CulpritCase */
  GPtrArray *struck; /* of GArray of guint, for each case: the suspects at which it was struck */
  CulpritPopulation *population;
  GHashTable *odds; /* by the number of stretches in a capture: the double that gives this expected number of places */
};

static CulpritCase *
case_at (const Strikes *strikes, guint index)
{
  return g_ptr_array_index (strikes->cases, index);
}

gboolean
strikes_hit (const Strikes *strikes, guint index, guint suspect)
{
  const GArray *struck = g_ptr_array_index (strikes->struck, index);

  for (guint i = 0; i < struck->len; i++)
    if (g_array_index (struck, guint, i) == suspect)
      return TRUE;
  return FALSE;
}

static GPtrArray *
find_struck (GPtrArray *cases)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint i = 0; i < cases->len; i++)
    {
      const CulpritCase *one = g_ptr_array_index (cases, i);
      GArray *struck = g_array_new (FALSE, FALSE, sizeof (guint));

      for (guint k = 0; k < one->parts->len; k++)
        if (culprit_case_part (one, k)->struck_ns > 0)
          g_array_append_val (struck, culprit_case_part (one, k)->suspect);
      g_ptr_array_add (all, struck);
    }
  return all;
}

/* Each suspect's share of ordinary time; late wake-ups are included, except for what made them late. */
static void
find_time_shares (const Strikes *strikes)
{
  double all_ns = 0;

  for (guint i = 0; i < strikes->cases->len; i++)
    {
      const CulpritCase *one = case_at (strikes, i);

      for (guint k = 0; k < one->parts->len && !one->ignored; k++)
        {
          const CulpritPart *part = culprit_case_part (one, k);
          gboolean late = one->stands_out && part->excess_ns >= CULPRIT_LEAST_STRETCH * one->excess_ns;
          double there_ns = part->base_self_ns + (late ? part->base_self_ns : part->self_ns);

          suspect_at (strikes->population, part->suspect)->time_share += there_ns;
          all_ns += there_ns;
        }
    }
  for (guint i = 0; i < strikes->population->suspects->len; i++)
    suspect_at (strikes->population, i)->time_share /= all_ns;
}

/* The expected number of places struck in one capture, for @odds. */
static double
expected_places (const Strikes *strikes, double odds)
{
  double expected = 0;

  for (guint i = 0; i < strikes->population->suspects->len; i++)
    expected += 1 - exp (-odds * suspect_at (strikes->population, i)->time_share);
  return expected;
}

/* The odds for which a capture is expected to be struck at @struck places: searched over all x, as odds of x to 1 -
 * x. */
static double
odds_of (const Strikes *strikes, guint struck)
{
  double *known = g_hash_table_lookup (strikes->odds, GUINT_TO_POINTER (struck));
  double low = 0;
  double high = 1;
  double odds;

  if (known)
    return *known;
  for (double x = 0.5; x > low && x < high; x = (low + high) / 2)
    if (expected_places (strikes, x / (1 - x)) < struck)
      low = x;
    else
      high = x;
  odds = low / (1 - low);
  g_hash_table_insert (strikes->odds, GUINT_TO_POINTER (struck), g_memdup2 (&odds, sizeof odds));
  return odds;
}

/* The probability that one of @struck blind stretches of a capture is at a place with @share of the time. */
static double
probability_at (const Strikes *strikes, guint struck, double share)
{
  return struck == 1 ? MIN (share, MOST_ODDS_OF_ONE) : MIN (1 - exp (-odds_of (strikes, struck) * share), MOST_ODDS);
}

StrikeSet *
strike_set_new (const Strikes *strikes)
{
  StrikeSet *set = g_new0 (StrikeSet, 1);

  set->in = g_new0 (gboolean, strikes->cases->len + 1);
  set->hits = g_new0 (guint, strikes->population->suspects->len + 1);
  set->same = g_array_new (FALSE, TRUE, sizeof (guint));
  return set;
}

void
strike_set_free (StrikeSet *set)
{
  g_free (set->in);
  g_free (set->hits);
  g_array_unref (set->same);
  g_free (set);
}

void
strike_set_count (const Strikes *strikes, StrikeSet *set)
{
  set->n = 0;
  memset (set->hits, 0, strikes->population->suspects->len * sizeof *set->hits);
  g_array_set_size (set->same, 0);
  for (guint i = 0; i < strikes->cases->len; i++)
    {
      const GArray *struck = strikes_of (strikes, i);
      guint stretches = case_at (strikes, i)->struck;

      if (!set->in[i])
        continue;
      set->n++;
      g_array_set_size (set->same, MAX (set->same->len, stretches + 1));
      g_array_index (set->same, guint, stretches)++;
      for (guint k = 0; k < struck->len; k++)
        set->hits[g_array_index (struck, guint, k)]++;
    }
}

double
strikes_probability (const Strikes *strikes, const StrikeSet *set, guint suspect, double share)
{
  g_autoptr (Hits) hits = hits_new ();

  for (guint struck = 0; struck < set->same->len; struck++)
    {
      guint n = g_array_index (set->same, guint, struck);

      if (n > 0)
        hits_try (hits, n, probability_at (strikes, struck, share));
    }
  return hits_at_least (hits, set->hits[suspect]);
}

const GArray *
strikes_of (const Strikes *strikes, guint index)
{
  return g_ptr_array_index (strikes->struck, index);
}

Strikes *
strikes_new (GPtrArray *cases, CulpritPopulation *population)
{
  Strikes *strikes = g_new (Strikes, 1);

  *strikes = (Strikes) { cases, find_struck (cases), population, g_hash_table_new_full (NULL, NULL, NULL, g_free) };
  find_time_shares (strikes);
  return strikes;
}

void
strikes_free (Strikes *strikes)
{
  g_ptr_array_unref (strikes->struck);
  g_hash_table_unref (strikes->odds);
  g_free (strikes);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds guilty places: those that are struck too often to be chance. There a function took too long. */
#include "guilt-private.h"

#include "latency/rank-tests.h"
#include "names.h"
#include "suspects-private.h"

#include <math.h>
#include <string.h>

#define LEAST_SHARE 1e-3   /* minimum share of time of a place, for places that ordinary wake-ups hardly reach */
#define PREFERRED 4        /* times the odds of a place that stalls prefer, e.g. where the CPU leaves its guest */
#define FEW_PLACES 8       /* that stalls may strike equally often, however little time is spent there */
#define UNDECIDED_P 0.01   /* p of a place that chance hardly strikes so often, which two captures never reach */
#define OTHER_LENGTHS 0.01 /* p of the lengths at a place, below which they differ from those elsewhere */

/* Whether @suspect can be guilty at all: not if its time belongs to no function, nor if it is where the CPU waits
 * before each wake-up. */
static gboolean
can_be_guilty (const CulpritSuspect *suspect)
{
  return !suspect->rest && !culprit_name_is_pseudo (suspect->name);
}

static void
leave_to (const StallTest *test, guint suspect)
{
  for (guint i = 0; i < test->cases->len; i++)
    test->left->in[i] = test->left->in[i] && !strikes_hit (test->strikes, i, suspect);
  strike_set_count (test->strikes, test->left);
}

/* Removes the captures that @suspect explains from the remaining ones. */
static void
convict (const StallTest *test, guint suspect)
{
  suspect_at (test->population, suspect)->guilty = TRUE;
  leave_to (test, suspect);
}

/* Whether all remaining captures were struck at @suspect, and blind stalls would hardly coincide like this at any
 * place. */
static gboolean
is_only_place (const StallTest *test, guint suspect)
{
  guint n = test->left->n;
  double meet = 0;

  if (test->left->hits[suspect] < n)
    return FALSE;
  for (guint i = 0; i < test->population->suspects->len; i++)
    meet += pow (suspect_at (test->population, i)->time_share, n);
  return meet < STALL_SIGNIFICANT;
}

double
guilt_chance (const StallTest *test, const StrikeSet *in, guint suspect)
{
  return strikes_probability (test->strikes, in, suspect, suspect_at (test->population, suspect)->time_share);
}

double
guilt_chance_of_any (const StallTest *test, const StrikeSet *in, guint suspect)
{
  return guilt_chance (test, in, suspect) / MAX (suspect_at (test->population, suspect)->time_share, LEAST_SHARE);
}

/* The probability that blind stalls strike @suspect in as many cases of @in as observed, if they strike a few places
 * equally often. */
static double
chance_of_few (const StallTest *test, const StrikeSet *in, guint suspect)
{
  double share = suspect_at (test->population, suspect)->time_share;

  return strikes_probability (test->strikes, in, suspect, MAX (share, 1.0 / FEW_PLACES));
}

/* Which of two equally probable places counts must not depend on how a study numbers its functions. */
static gboolean
comes_before (const StallTest *test, guint a, guint b)
{
  const CulpritSuspect *one = suspect_at (test->population, a);
  const CulpritSuspect *other = suspect_at (test->population, b);
  int order = strcmp (one->name, other->name);

  return order < 0 || (order == 0 && one->context < other->context);
}

/* The place that is struck most beyond chance. */
static guint
find_most_guilty (const StallTest *test)
{
  guint found = CULPRIT_NO_SUSPECT;
  double least = STALL_SIGNIFICANT;

  for (guint i = 0; i < test->population->suspects->len; i++)
    {
      const CulpritSuspect *suspect = suspect_at (test->population, i);
      double p;

      if (!can_be_guilty (suspect) || test->left->hits[i] < 2)
        continue;
      p = guilt_chance_of_any (test, test->left, i);
      p = is_only_place (test, i) ? MIN (p, STALL_SIGNIFICANT / 2) : p;
      if (p > least || (p == least && (found == CULPRIT_NO_SUSPECT || !comes_before (test, i, found))))
        continue;
      least = p;
      found = i;
    }
  return found;
}

guint
guilt_count_places (const StallTest *test, const StrikeSet *in)
{
  guint places = 0;

  for (guint i = 0; i < test->population->suspects->len; i++)
    places += in->hits[i] > 0;
  return places;
}

guint
guilt_count_carried (const StallTest *test, guint suspect)
{
  guint carried = 0;

  for (guint i = 0; i < test->cases->len; i++)
    {
      const CulpritCase *one = stall_case_at (test, i);

      for (guint k = 0; k < one->parts->len && test->left->in[i] && strikes_hit (test->strikes, i, suspect); k++)
        carried += culprit_case_part (one, k)->suspect == suspect &&
                   culprit_case_part (one, k)->struck_ns >= STALL_HALF * one->excess_ns;
    }
  return carried;
}

/* Whether the stretches at @suspect differ in length from those of captures that were struck elsewhere: stalls that
 * merely prefer a place take as long there as elsewhere. */
static gboolean
has_lengths_of_its_own (const StallTest *test, guint suspect)
{
  g_autoptr (GArray) here = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) elsewhere = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < test->cases->len; i++)
    {
      const CulpritCase *one = stall_case_at (test, i);
      gboolean hit = strikes_hit (test->strikes, i, suspect);
      double longest_ns = 0;

      for (guint k = 0; k < one->parts->len && test->candidates->in[i]; k++)
        if (!hit || culprit_case_part (one, k)->suspect == suspect)
          longest_ns = MAX (longest_ns, culprit_case_part (one, k)->struck_ns);
      if (test->candidates->in[i])
        g_array_append_val (hit ? here : elsewhere, longest_ns);
    }
  return here->len > 0 && elsewhere->len > 0 &&
         culprit_rank_sum_p ((const double *) (gpointer) here->data, here->len,
                             (const double *) (gpointer) elsewhere->data, elsewhere->len) < OTHER_LENGTHS;
}

/* Whether blind stalls would strike @suspect this often if they preferred it, or if they struck a few places equally
 * often: then any of these might have been the one. */
static gboolean
may_be_preferred (const StallTest *test, guint suspect)
{
  double share = suspect_at (test->population, suspect)->time_share;
  double preferred = PREFERRED * share / (1 + (PREFERRED - 1) * share);

  return strikes_probability (test->strikes, test->candidates, suspect, preferred) >= STALL_SIGNIFICANT ||
         chance_of_few (test, test->candidates, suspect) *
                 MAX (guilt_count_places (test, test->candidates), FEW_PLACES) >=
             STALL_SIGNIFICANT;
}

/* If there are blind stalls, a place that is struck no more often than one that they prefer is acquitted. */
static void
acquit (const StallTest *test)
{
  if (test->left->n < 2 || guilt_count_places (test, test->left) < 2)
    return;
  memcpy (test->left->in, test->candidates->in, test->cases->len * sizeof *test->left->in);
  strike_set_count (test->strikes, test->left);
  for (guint i = 0; i < test->population->suspects->len; i++)
    {
      CulpritSuspect *suspect = suspect_at (test->population, i);

      if (suspect->guilty && may_be_preferred (test, i) && !has_lengths_of_its_own (test, i))
        suspect->guilty = FALSE;
      if (suspect->guilty)
        convict (test, i);
    }
}

/* Finds suspects that are abnormal mostly where a single stretch is. */
static void
find_by_stalls (const StallTest *test)
{
  guint n = test->population->suspects->len;
  g_autofree guint *abnormal = g_new0 (guint, n + 1);
  g_autofree guint *struck = g_new0 (guint, n + 1);

  for (guint i = 0; i < test->cases->len; i++)
    {
      const CulpritCase *one = stall_case_at (test, i);

      for (guint k = 0; k < one->parts->len && !one->ignored; k++)
        {
          const CulpritPart *part = culprit_case_part (one, k);

          abnormal[part->suspect] += part->p < CULPRIT_ABNORMAL;
          struck[part->suspect] += part->p < CULPRIT_ABNORMAL && part->struck_ns > 0 && test->candidates->in[i];
        }
    }
  for (guint i = 0; i < n; i++)
    suspect_at (test->population, i)->by_stalls = struck[i] > STALL_HALF * abnormal[i];
}

/* A place with half of the remaining stalls, beyond chance, that is not guilty, leaves open what they are: its captures
 * are attributed to the function, as a suspect. */
static void
set_aside (const StallTest *test)
{
  guint n = test->left->n;

  for (guint i = 0; i < test->population->suspects->len; i++)
    {
      CulpritSuspect *suspect = suspect_at (test->population, i);

      if (!can_be_guilty (suspect) || guilt_count_carried (test, i) < STALL_HALF * n ||
          chance_of_few (test, test->left, i) >= UNDECIDED_P)
        continue;
      suspect->undecided = TRUE;
      leave_to (test, i);
      return;
    }
}

void
guilt_find (const StallTest *test)
{
  for (guint guilty = find_most_guilty (test); guilty != CULPRIT_NO_SUSPECT; guilty = find_most_guilty (test))
    convict (test, guilty);
  acquit (test);
  set_aside (test);
  find_by_stalls (test);
}

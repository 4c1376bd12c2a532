/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The late wake-up is the worst of very many, and in the worst, something is always slow: a part is abnormal only if
 * the worst of that many ordinary wake-ups would not have as much of it. One such capture says little; two that agree
 * say much. */
#include "suspects-private.h"

#include "excess.h"
#include "names.h"
#include "seeded-hash.h"
#include "tail-private.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>

#define SHAPE_OF_TIMES 0.1  /* Costs have tails somewhat heavier than exponential. */
#define SHAPE_OF_CALLS 0.05 /* Calls have lighter tails. */
#define SHAPE_OF_FEW 0.25   /* If there are too few values to see how heavy. */
#define SHAPE_MISSED                                                                                                   \
  0.2 /* Measured from buckets, Pareto tails of shape 0.33 appear as 0.17, exponential ones as -0.04. */
#define MOST_SHAPE 0.36
#define LEAST_TO_MATTER 0.01 /* of ordinary time: tails of parts with less are not visible in buckets */
#define LEAST_TIME_NS 1
#define LEAST_CALLS 1
#define TESTS_OF_A_PART 2       /* its time and its calls */
#define OFTEN 0.5               /* of the ordinary wake-ups */
#define FAR_IN_GUEST 10         /* times the beginning of the tail */
#define MISJUDGED 30            /* times as probable as its tail says, at most: shapes differ from part to part */
#define FAR_BEYOND 3            /* times the maximum: too rare for a tail, but beyond doubt */
#define SURE_OF_ONE_AT_MOST 0.9 /* A single capture is never more than likely. */

/* A suspect's cases. */
typedef struct
{
  GArray *p; /* of double: of the cases that count in which it is material; NULL: there are none */
  guint material;
} Finding;

/* Facts about a suspect's ordinary wake-ups; most are never needed. */
typedef struct
{
  gboolean fitted;
  Tail times;
  Tail calls;
  Tail stretches;
} Tails;

typedef struct
{
  CulpritPopulation *population;
  GPtrArray *cases;
  const Base *base;
  GHashTable *parts;   /* the indices of suspects, by function and context */
  GHashTable *holders; /* likewise, by context and name */
  double shape;        /* of the tails of times */
  Tails *tails;        /* indexed like suspects, once all are named */
  Finding *findings;   /* likewise */
  guint counting;      /* cases that are not ignored */
  guint tested;        /* number of suspects that occur in these */
} Search;

/* Adds a suspect and returns its index. */
static gpointer
add_suspect (Search *search, const CulpritSuspect *like)
{
  g_array_append_val (search->population->suspects, *like);
  return GUINT_TO_POINTER (search->population->suspects->len);
}

static guint
find_suspect_part (Search *search, const CulpritPart *part)
{
  gint64 key = BASE_KEY (part->function, part->context);
  gpointer index = g_hash_table_lookup (search->parts, &key);

  if (!index)
    {
      index = add_suspect (
          search, &(CulpritSuspect) { .function = part->function, .name = part->name, .context = part->context });
      g_hash_table_insert (search->parts, g_memdup2 (&key, sizeof key), index);
    }
  return GPOINTER_TO_UINT (index) - 1;
}

static guint
find_suspect_holder (Search *search, const CulpritHolder *holder)
{
  g_autofree char *key = g_strdup_printf ("%u %s", holder->context, holder->name);
  gpointer index = g_hash_table_lookup (search->holders, key);

  if (!index)
    {
      index = add_suspect (search,
                           &(CulpritSuspect) { .is_holder = TRUE, .name = holder->name, .context = holder->context });
      g_hash_table_insert (search->holders, g_steal_pointer (&key), index);
    }
  return GPOINTER_TO_UINT (index) - 1;
}

static void
name_suspects (Search *search, CulpritCase *one)
{
  for (guint i = 0; i < one->parts->len; i++)
    {
      CulpritPart *part = &g_array_index (one->parts, CulpritPart, i);

      part->suspect = find_suspect_part (search, part);
      part->p = 1;
    }
  for (guint i = 0; i < one->holders->len; i++)
    {
      CulpritHolder *holder = &g_array_index (one->holders, CulpritHolder, i);

      holder->suspect = find_suspect_holder (search, holder);
      holder->p = 1;
    }
}

/* Makes suspects of the cases that are ignored, or of those that are not. */
static void
name_all (Search *search, gboolean ignored)
{
  for (guint i = 0; i < search->cases->len; i++)
    {
      CulpritCase *one = g_ptr_array_index (search->cases, i);

      if (one->ignored != ignored)
        continue;
      name_suspects (search, one);
      search->counting += !ignored;
    }
}

static BaseSums *
base_of (const Search *search, const CulpritSuspect *suspect)
{
  return suspect->is_holder ? base_find_holder (search->base, suspect->name, suspect->context)
                            : base_find_part (search->base, suspect->function, suspect->context);
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a;
  double right = *(const double *) b;

  return (left > right) - (left < right);
}

/* How heavy the tails of this population are: the median over the parts that matter, on the heavy side. In a system in
 * which single wake-ups are often extreme, fewer are abnormal. */
static double
find_shape (const Search *search)
{
  g_autoptr (GArray) shapes = g_array_new (FALSE, FALSE, sizeof (double));
  double least_ns = LEAST_TO_MATTER * search->base->usual.mean_ns * search->base->usual.n;

  for (guint i = 0; i < search->population->suspects->len; i++)
    {
      const CulpritSuspect *suspect = suspect_at (search->population, i);
      BaseSums *sums = suspect->is_holder ? NULL : base_of (search, suspect);
      double shape;

      if (!sums || !(sums->self_ns >= least_ns))
        continue;
      base_settle (sums);
      shape = tail_shape (&sums->spreads[BASE_UNTRACED_NS]);
      if (!isnan (shape))
        g_array_append_val (shapes, shape);
    }
  if (shapes->len == 0)
    return SHAPE_OF_FEW;
  g_array_sort (shapes, compare_doubles);
  return CLAMP (g_array_index (shapes, double, shapes->len / 2) + SHAPE_MISSED, SHAPE_OF_TIMES, MOST_SHAPE);
}

static void
fit_tails (const Search *search, guint index, Tails *tails)
{
  CulpritSuspect *suspect = suspect_at (search->population, index);
  guint windows = search->base->spread_windows;
  BaseSums *sums = base_of (search, suspect);

  tails->fitted = TRUE;
  if (!sums)
    return;
  base_settle (sums);
  tails->times = tail_fit (&sums->spreads[BASE_UNTRACED_NS], windows, search->shape, LEAST_TIME_NS);
  tails->calls = tail_fit (&sums->spreads[BASE_CALLS], windows, SHAPE_OF_CALLS, LEAST_CALLS);
  tails->stretches = tail_fit (&sums->spreads[BASE_STRETCH_NS], windows, search->shape, LEAST_TIME_NS);
  suspect->ran = tails->times.ran;
}

static const Tails *
tails_of (const Search *search, guint index)
{
  Tails *tails = &search->tails[index];

  if (!tails->fitted)
    fit_tails (search, index, tails);
  return tails;
}

static void
find_longest (const Search *search)
{
  for (guint i = 0; i < search->population->suspects->len; i++)
    {
      const BaseSums *sums = base_of (search, suspect_at (search->population, i));

      suspect_at (search->population, i)->longest_ns = sums ? sums->spreads[BASE_STRETCH_NS].max : 0;
    }
}

/* The probability that the worst of the cycles measured for @one has as much if nothing is wrong. */
static double
probability (const Tails *tails, const CulpritCase *one, double untraced_ns, double calls)
{
  double times = tail_probability (&tails->times, untraced_ns);
  double by_calls = calls > 0 ? tail_probability (&tails->calls, calls) : 1;

  return MIN (one->cycles * MIN (times, by_calls) * (calls > 0 ? TESTS_OF_A_PART : 1), 1);
}

/* If something is too rare for a tail, it can only be said whether a value is far beyond all that were seen. */
static gboolean
is_far_beyond (const Tail *tail, double value)
{
  return value >= FAR_BEYOND * MAX (tail->max, 1);
}

/* Whether the longest stretch of @part is far longer than its ordinary ones. A task in user mode is not a gap: it was
 * running, unless the whole machine stood still. A hypervisor also takes the CPU in ordinary wake-ups, for shorter
 * times, and several times at one place: there it is enough that most of them have nothing like it. */
static gboolean
is_struck (const Search *search, const CulpritCase *one, const CulpritPart *part)
{
  const Tail *stretches;

  if (part->longest_ns < CULPRIT_LEAST_STRETCH * one->excess_ns ||
      (part->context == CULPRIT_CONTEXT_TASK && culprit_name_is_pseudo (part->name) && !culprit_case_stood_still (one)))
    return FALSE;
  stretches = &tails_of (search, part->suspect)->stretches;
  if (search->population->virtual_machine && part->longest_ns >= FAR_IN_GUEST * MAX (stretches->from, 1))
    return TRUE;
  return stretches->ran >= TAIL_LEAST_RAN
             ? one->cycles * search->tested * tail_probability (stretches, part->longest_ns) < CULPRIT_ABNORMAL
             : is_far_beyond (stretches, part->longest_ns);
}

static double
take_probability (Search *search, const CulpritCase *one, guint suspect, double untraced_ns, double calls)
{
  const Tails *tails = tails_of (search, suspect);
  Finding *finding = &search->findings[suspect];
  double p = tails->times.ran >= TAIL_LEAST_RAN           ? probability (tails, one, untraced_ns, calls)
             : is_far_beyond (&tails->times, untraced_ns) ? 0
                                                          : 1;

  if (!one->ignored)
    {
      if (!finding->p)
        finding->p = g_array_new (FALSE, FALSE, sizeof (double));
      g_array_append_val (finding->p, p);
      finding->material++;
    }
  return p;
}

/* Which suspects have the excess of @one, and how abnormal that is. */
static void
judge_case (Search *search, CulpritCase *one)
{
  double least_ns = CULPRIT_LEAST_SHARE * one->excess_ns;

  if (!one->stands_out || search->base->spread_windows == 0)
    return;
  for (guint i = 0; i < one->parts->len; i++)
    {
      CulpritPart *part = &g_array_index (one->parts, CulpritPart, i);

      if (is_struck (search, one, part))
        {
          part->struck_ns =
              search->population->virtual_machine ? MAX (part->longest_ns, part->excess_ns) : part->longest_ns;
          one->struck_ns += part->struck_ns;
          one->struck++;
        }
      if (part->excess_ns >= least_ns)
        part->p = take_probability (search, one, part->suspect, part->untraced_ns, part->calls);
    }
  for (guint i = 0; i < one->holders->len; i++)
    {
      CulpritHolder *holder = &g_array_index (one->holders, CulpritHolder, i);

      if (holder->excess_ns > 0 && culprit_case_held_ns (one, holder) >= least_ns &&
          culprit_case_held_alone_ns (one, holder) >= least_ns)
        holder->p = take_probability (search, one, holder->suspect, holder->untraced_ns, 0);
    }
}

/* Among @all captures and all ordinary wake-ups, the suspect occurs in some; is it chance that so many of these are
 * captures? */
static double
confidence_of_rare (const Search *search, const CulpritSuspect *suspect, guint material)
{
  guint n = search->counting;
  guint occurs = material + suspect->ran;

  if (material < 2)
    return 0;
  return 1 - MIN (search->tested *
                      gsl_cdf_hypergeometric_Q (material - 1, occurs, n + search->base->spread_windows - occurs, n),
                  1);
}

/* The probability that captures agree as their @p do (ascending, of those in which the suspect is material) if nothing
 * is wrong: two of them, or more of which each says less. The latter depends on the tails being right, so each p is
 * first made larger. */
static double
probability_of_agreement (const double *p, guint n_p, guint captures)
{
  double least = p[1];

  for (guint k = 2; k <= n_p; k++)
    least = MIN (least, gsl_cdf_binomial_Q (k - 1, MIN (MISJUDGED * p[k - 1], 1), captures));
  return MIN ((captures - 1) * least, 1);
}

static void
conclude (Search *search, CulpritSuspect *suspect, const Finding *finding)
{
  double tested = search->tested;
  const double *p = (const double *) (gpointer) finding->p->data;

  g_array_sort (finding->p, compare_doubles);
  if (finding->p->len == 1)
    suspect->confidence = MIN (1 - MIN (tested * p[0], 1), SURE_OF_ONE_AT_MOST);
  else if (suspect->ran < TAIL_LEAST_RAN)
    suspect->confidence = MAX (confidence_of_rare (search, suspect, finding->material), 0);
  else if (finding->p->len >= 2)
    suspect->confidence = 1 - MIN (tested * probability_of_agreement (p, finding->p->len, search->counting), 1);
}

/* Finds where the idle task waits: one call takes longer than any other that it runs before most wake-ups. */
static void
find_rest (Search *search)
{
  CulpritSuspect *rest = NULL;
  double longest_ns = 0;

  for (guint i = 0; i < search->population->suspects->len; i++)
    {
      CulpritSuspect *suspect = suspect_at (search->population, i);
      const BaseSums *sums = suspect->is_holder ? NULL : base_find_elsewhere (search->base, suspect->function);

      if (suspect->is_holder || suspect->context != CULPRIT_CONTEXT_IDLE)
        continue;
      suspect->rest = culprit_name_is_pseudo (suspect->name);
      if (!sums || sums->calls <= 0 || sums->self_ns / sums->calls <= longest_ns ||
          tails_of (search, i)->times.ran < OFTEN * search->base->spread_windows)
        continue;
      longest_ns = sums->self_ns / sums->calls;
      rest = suspect;
    }
  if (rest)
    rest->rest = TRUE;
}

void
suspects_find (CulpritPopulation *population, GPtrArray *cases, const Base *base)
{
  Search search = { .population = population, .cases = cases, .base = base };

  search.parts = g_hash_table_new_full (culprit_hash_number, g_int64_equal, g_free, NULL);
  search.holders = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);
  name_all (&search, FALSE);
  search.tested = population->suspects->len;
  name_all (&search, TRUE);
  search.tails = g_new0 (Tails, population->suspects->len);
  search.findings = g_new0 (Finding, population->suspects->len);
  search.shape = find_shape (&search);
  find_longest (&search);
  find_rest (&search);
  for (guint i = 0; i < cases->len; i++)
    judge_case (&search, g_ptr_array_index (cases, i));
  for (guint i = 0; i < population->suspects->len; i++)
    {
      Finding *finding = &search.findings[i];

      if (finding->p)
        conclude (&search, suspect_at (population, i), finding);
      g_clear_pointer (&finding->p, g_array_unref);
    }
  g_hash_table_unref (search.parts);
  g_hash_table_unref (search.holders);
  g_free (search.tails);
  g_free (search.findings);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the peaks of each dose, matches them with those of the base, and fits a line through each. */
#include "path-proof.h"

#include "latency/description.h"
#include "latency/peaks.h"
#include "units.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define MOST_PEAKS 32       /* with any dose */
#define MOST_TRIED 10000000 /* peaks for others, while they are matched: all there are for any eight */
#define LEAST_SHARE 0.002   /* of a peak */
#define MOST_UNLIKE 0.22    /* in the logarithm of shares, beyond what chance explains: a fourth more */
#define CHANCE 3            /* standard deviations */
#define MOST_BENT 0.15      /* distance from the line, relative to how far the peak moved */
#define MISSING G_MAXUINT   /* no part of that dose */
#define COST_OF_MISSING 1   /* more than that of any match */
#define WHOLE_CALL 0.5      /* fewer calls in a wake-up are none */
#define UNEVEN 0.1          /* of the upper edge's slope, by which that of the lower one must differ for a ramp */
#define EDGE_PART 20        /* Below the lower edge is one in so many of a peak's latencies... */
#define EDGE_COUNT 10       /* ...above the upper one as many, but not more than this in a block. */

typedef enum
{
  PLACE_LOWER,
  PLACE_MIDDLE,
  PLACE_UPPER,
} Place;

/* A part of the distribution of one dose. */
typedef struct
{
  gint64 from_ns;
  gint64 to_ns; /* excluded */
  gint64 peak_ns;
  double prominence;
  double at_ns;
  guint64 n;
  double share;
} Part;

/* The blocks of one dose, by round. */
typedef struct
{
  CulpritDose told;
  double x_ns;       /* the delay that counts */
  GPtrArray *blocks; /* of CulpritDelayBlock *, borrowed */
  CulpritProfile *all;
  GArray *parts; /* of Part */
} Dose;

typedef struct
{
  GPtrArray *doses; /* of Dose */
  guint rounds;
} Trial;

typedef struct
{
  double slope;
  double low;
  double high;
} Line;

static Dose *
dose_at (const Trial *trial, guint place)
{
  return g_ptr_array_index (trial->doses, place);
}

static const CulpritDelayBlock *
block_at (const Dose *dose, guint round)
{
  return g_ptr_array_index (dose->blocks, round);
}

static Part *
part_at (const Dose *dose, guint place)
{
  return &g_array_index (dose->parts, Part, place);
}

static void
dose_free (gpointer data)
{
  Dose *dose = data;

  g_ptr_array_unref (dose->blocks);
  g_clear_pointer (&dose->all, culprit_profile_free);
  g_clear_pointer (&dose->parts, g_array_unref);
  g_free (dose);
}

static int
compare_doses (gconstpointer a, gconstpointer b)
{
  const Dose *left = *(Dose *const *) a;
  const Dose *right = *(Dose *const *) b;

  return (left->told.delay_ns > right->told.delay_ns) - (left->told.delay_ns < right->told.delay_ns);
}

static Dose *
find_dose (Trial *trial, gint64 delay_ns)
{
  Dose *dose;

  for (guint i = 0; i < trial->doses->len; i++)
    if (dose_at (trial, i)->told.delay_ns == delay_ns)
      return dose_at (trial, i);
  dose = g_new0 (Dose, 1);
  dose->told.delay_ns = delay_ns;
  dose->blocks = g_ptr_array_new ();
  g_ptr_array_add (trial->doses, dose);
  return dose;
}

/* Adds up the blocks of complete rounds. Calls that are seen only with some doses count as asked there. */
static void
sum_up (Trial *trial, Dose *dose)
{
  double spun_ns = 0;
  g_autoptr (GPtrArray) profiles = g_ptr_array_new ();

  g_ptr_array_set_size (dose->blocks, trial->rounds);
  for (guint i = 0; i < trial->rounds; i++)
    {
      const CulpritDelayBlock *block = block_at (dose, i);

      dose->told.calls += block->calls;
      dose->told.withheld += MIN (block->withheld, block->calls);
      spun_ns += block->spun_ns;
      g_ptr_array_add (profiles, block->latencies);
    }
  dose->told.spun_ns = dose->told.calls > 0 ? spun_ns / dose->told.calls : NAN;
  dose->x_ns = dose->told.calls > 0 ? dose->told.spun_ns : dose->told.delay_ns;
  if (trial->rounds > 0)
    dose->all = culprit_profile_sum (profiles);
}

static void
gather (Trial *trial, const GArray *blocks)
{
  trial->rounds = G_MAXUINT;
  for (guint i = 0; i < blocks->len; i++)
    {
      const CulpritDelayBlock *block = &g_array_index (blocks, CulpritDelayBlock, i);

      if (block->latencies->n > 0)
        g_ptr_array_add (find_dose (trial, block->delay_ns)->blocks, (gpointer) block);
    }
  for (guint i = 0; i < trial->doses->len; i++)
    trial->rounds = MIN (trial->rounds, dose_at (trial, i)->blocks->len);
  g_ptr_array_sort (trial->doses, compare_doses);
  for (guint i = 0; i < trial->doses->len; i++)
    sum_up (trial, dose_at (trial, i));
}

/* Why the blocks tell nothing; NULL: they do. */
static char *
refuse (const Trial *trial)
{
  gint64 calls = 0;
  gint64 withheld = 0;

  if (trial->doses->len < 2 || dose_at (trial, 0)->told.delay_ns != 0 || trial->rounds < CULPRIT_PROOF_ROUNDS)
    return g_strdup_printf ("Too little was measured to tell anything: it takes at least %d rounds without and with a "
                            "delay, and %u %s complete.",
                            CULPRIT_PROOF_ROUNDS, trial->doses->len < 2 ? 0 : trial->rounds,
                            trial->doses->len >= 2 && trial->rounds == 1 ? "is" : "are");
  for (guint i = 0; i < trial->doses->len; i++)
    {
      calls += dose_at (trial, i)->told.calls;
      withheld += dose_at (trial, i)->told.withheld;
    }
  if (calls == 0)
    return g_strdup ("The function was not called once: it is not on the path of any of these wake-ups.");
  if (withheld > 0)
    return g_strdup_printf ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " calls were not delayed, as delays would have "
                            "taken too much of a CPU in that second: use smaller delays.",
                            withheld, calls);
  for (guint i = 1; i < trial->doses->len; i++)
    if (dose_at (trial, i)->x_ns <= dose_at (trial, i - 1)->x_ns)
      return g_strdup ("Calls were not held up longer with a longer delay: use delays that differ more.");
  return NULL;
}

/* Peaks. */

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Part *left = a;
  const Part *right = b;

  return (left->peak_ns > right->peak_ns) - (left->peak_ns < right->peak_ns);
}

/* The latency at @place among those from @from_ns to below @to_ns: the median, or an edge. NaN: there are none. A fixed
 * number above the upper edge lets that of a ramp move as far as the ramp does, since it becomes longer, not denser. */
static double
place_within (const CulpritProfile *profile, gint64 from_ns, gint64 to_ns, Place place)
{
  guint64 before = culprit_profile_count_to (profile, from_ns - 1);
  guint64 n = culprit_profile_count_to (profile, to_ns - 1) - before;

  if (n == 0)
    return NAN;
  if (place == PLACE_LOWER)
    return culprit_profile_rank (profile, before + n / EDGE_PART);
  if (place == PLACE_UPPER)
    return culprit_profile_rank (profile, before + n - 1 - MIN (n / EDGE_PART, EDGE_COUNT));
  return (culprit_profile_rank (profile, before + (n - 1) / 2) + culprit_profile_rank (profile, before + n / 2)) / 2.0;
}

/* Joins what is closer to each other than @least_ns, and lets each part reach to the next. */
static void
join_parts (Dose *dose, gint64 least_ns)
{
  GArray *parts = dose->parts;

  g_array_sort (parts, compare_places);
  for (guint i = 1; i < parts->len;)
    {
      Part *left = part_at (dose, i - 1);
      const Part *right = part_at (dose, i);

      if (right->peak_ns - left->peak_ns >= least_ns)
        {
          i++;
          continue;
        }
      if (right->prominence > left->prominence)
        {
          left->peak_ns = right->peak_ns;
          left->prominence = right->prominence;
        }
      g_array_remove_index (parts, i);
    }
  for (guint i = 0; i < parts->len; i++)
    {
      Part *part = part_at (dose, i);

      if (i == 0)
        part->from_ns = G_MININT64 + 1;
      part->to_ns = i + 1 < parts->len ? part_at (dose, i + 1)->from_ns : G_MAXINT64;
      part->n = culprit_profile_count_to (dose->all, part->to_ns - 1) -
                culprit_profile_count_to (dose->all, part->from_ns - 1);
      part->share = part->n / (double) dose->all->n;
      part->at_ns = place_within (dose->all, part->from_ns, part->to_ns, PLACE_MIDDLE);
    }
}

/* The peaks of @dose, at least @least_ns from each other. */
static void
find_parts (Dose *dose, gint64 width_ns, gint64 least_ns)
{
  g_autoptr (GArray) peaks = culprit_peaks_find_all (dose->all, width_ns);

  dose->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  for (guint i = 0; i < peaks->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (peaks, CulpritPeak, i);
      Part part = { .from_ns = peak->from_ns, .peak_ns = peak->at_ns, .prominence = peak->prominence };

      if (!peak->weak && peak->share >= LEAST_SHARE)
        g_array_append_val (dose->parts, part);
    }
  join_parts (dose, least_ns);
}

/* Matching: every peak of the largest dose could be that of the base, and tells where it must lie with the others. */

typedef struct
{
  double cost;    /* infinite: it is not this one */
  guint places[]; /* of the part, for each dose */
} Chain;

typedef struct
{
  const Trial *trial;
  Chain **chains;                               /* of each peak of the base with each of the largest dose */
  guint n;                                      /* peaks of the base */
  guint m;                                      /* of the largest dose */
  double lost;                                  /* the cost of a peak that is lost: more than that of any match */
  double rest[MOST_PEAKS + 1];                  /* the least that each peak of the base and those after it can cost */
  guint32 taken[CULPRIT_PROOF_MOST_DELAYS + 1]; /* the parts of each dose that a chosen chain has */
  guint chosen[MOST_PEAKS];
  guint best[MOST_PEAKS]; /* m: it is lost */
  double best_cost;
  guint tried;
} Matching;

G_STATIC_ASSERT (MOST_PEAKS <= 32);

/* MISSING: it has none. */
static guint
nearest_part (const Dose *dose, double ns)
{
  guint nearest = dose->parts->len > 0 ? 0 : MISSING;

  for (guint i = 1; i < dose->parts->len; i++)
    if (fabs (part_at (dose, i)->at_ns - ns) < fabs (part_at (dose, nearest)->at_ns - ns))
      nearest = i;
  return nearest;
}

/* How unlike @part of a later dose is to @first of the base, 0 to below COST_OF_MISSING; infinite: it is another. */
static double
compare_parts (const Part *first, const Part *part, double expected_ns, double moved_ns)
{
  double unlike = fabs (log (part->share / first->share));
  double chance = CHANCE * sqrt (1.0 / part->n + 1.0 / first->n);
  double bent = fabs (part->at_ns - expected_ns) / moved_ns;

  if (!(unlike <= MOST_UNLIKE + chance) || bent > MOST_BENT)
    return INFINITY;
  return MAX (unlike - chance, 0) + bent;
}

/* A peak may be missing with a dose between, as where another one moves over it. */
static Chain *
make_chain (const Trial *trial, guint from, guint to, gint64 width_ns)
{
  guint n = trial->doses->len;
  const Dose *base = dose_at (trial, 0);
  const Dose *largest = dose_at (trial, n - 1);
  const Part *first = part_at (base, from);
  double moved_ns = part_at (largest, to)->at_ns - first->at_ns;
  double slope = moved_ns / (largest->x_ns - base->x_ns);
  Chain *chain = g_malloc0 (sizeof *chain + n * sizeof (guint));

  chain->cost = moved_ns < -width_ns ? INFINITY : 0;
  chain->places[0] = from;
  for (guint i = 1; i < n; i++)
    {
      const Dose *dose = dose_at (trial, i);
      double expected_ns = first->at_ns + slope * (dose->x_ns - base->x_ns);
      guint place = i + 1 < n ? nearest_part (dose, expected_ns) : to;
      double cost = place == MISSING
                        ? INFINITY
                        : compare_parts (first, part_at (dose, place), expected_ns, fabs (moved_ns) + width_ns);

      chain->places[i] = isfinite (cost) ? place : MISSING;
      chain->cost += isfinite (cost) ? cost : i + 1 < n ? COST_OF_MISSING : INFINITY;
    }
  return chain;
}

/* Whether no chosen chain has a part of @chain. */
static gboolean
is_free (const Matching *matching, const Chain *chain)
{
  for (guint dose = 1; dose < matching->trial->doses->len; dose++)
    if (chain->places[dose] != MISSING && matching->taken[dose] & 1U << chain->places[dose])
      return FALSE;
  return TRUE;
}

/* Takes the parts of @chain, or gives them back. */
static void
toggle (Matching *matching, const Chain *chain)
{
  for (guint dose = 1; dose < matching->trial->doses->len; dose++)
    if (chain->places[dose] != MISSING)
      matching->taken[dose] ^= 1U << chain->places[dose];
}

/* Tries every peak of the largest dose for the peak @next of the base and those after it. */
static void
assign (Matching *matching, guint next, double cost)
{
  if (cost + matching->rest[next] >= matching->best_cost)
    return;
  if (next == matching->n)
    {
      matching->best_cost = cost;
      memcpy (matching->best, matching->chosen, sizeof matching->best);
      return;
    }
  for (guint i = 0; i < matching->m && matching->tried < MOST_TRIED; i++)
    {
      const Chain *chain = matching->chains[next * matching->m + i];

      matching->tried++;
      if (!isfinite (chain->cost) || !is_free (matching, chain))
        continue;
      matching->chosen[next] = i;
      toggle (matching, chain);
      assign (matching, next + 1, cost + chain->cost);
      toggle (matching, chain);
    }
  matching->chosen[next] = matching->m;
  assign (matching, next + 1, cost + matching->lost);
}

/* Slopes. */

/* Least squares over blocks with an offset for each round. @ys: for each dose and round; NaN for those of a dose that
 * is left out. */
static Line
fit_line (const Trial *trial, const double *ys)
{
  guint rounds = trial->rounds;
  guint doses = 0;
  double x_mean = 0;
  double xx = 0;
  double xy = 0;
  double squares = 0;
  double freedom;
  double error;
  Line line;

  for (guint i = 0; i < trial->doses->len; i++)
    if (!isnan (ys[i * rounds]))
      {
        x_mean += dose_at (trial, i)->x_ns;
        doses++;
      }
  if (doses < 2)
    return (Line) { NAN, NAN, NAN };
  x_mean /= doses;
  for (guint round = 0; round < rounds; round++)
    {
      double y_mean = 0;

      for (guint i = 0; i < trial->doses->len; i++)
        y_mean += isnan (ys[i * rounds]) ? 0 : ys[i * rounds + round] / doses;
      for (guint i = 0; i < trial->doses->len; i++)
        {
          double x = dose_at (trial, i)->x_ns - x_mean;
          double y = ys[i * rounds + round] - y_mean;

          if (isnan (ys[i * rounds]))
            continue;
          xx += x * x;
          xy += x * y;
          squares += y * y;
        }
    }
  freedom = doses * rounds - rounds - 1;
  line.slope = xy / xx;
  error =
      sqrt (MAX (squares - xy * xy / xx, 0) / freedom / xx) * gsl_cdf_tdist_Pinv (1 - (1 - CULPRIT_LEVEL) / 2, freedom);
  line.low = line.slope - error;
  line.high = line.slope + error;
  return line;
}

/* The line through @place of a peak in each block. @ys: its latencies, for each dose and round. */
static Line
follow (const Trial *trial, const Chain *chain, Place place, double *ys)
{
  guint rounds = trial->rounds;

  for (guint i = 0; i < trial->doses->len; i++)
    {
      const Dose *dose = dose_at (trial, i);
      const Part *part = chain->places[i] == MISSING ? NULL : part_at (dose, chain->places[i]);
      gboolean whole = part != NULL;

      for (guint round = 0; round < rounds; round++)
        {
          double ns = whole ? place_within (block_at (dose, round)->latencies, part->from_ns, part->to_ns, place) : NAN;

          ys[i * rounds + round] = ns;
          whole = whole && !isnan (ns);
        }
      if (!whole)
        ys[i * rounds] = NAN;
    }
  return isnan (ys[0]) ? (Line) { NAN, NAN, NAN } : fit_line (trial, ys);
}

static CulpritPathAnswer
answer (const Line *line)
{
  if (isnan (line->slope))
    return CULPRIT_PATH_LOST;
  if (line->low > -WHOLE_CALL && line->high < WHOLE_CALL)
    return CULPRIT_PATH_OFF;
  return line->low > WHOLE_CALL ? CULPRIT_PATH_ON : CULPRIT_PATH_UNKNOWN;
}

/* Whether a peak does not move as a whole: its edges move differently, by more than a call and than chance explains. */
static gboolean
is_uneven (const Line *lower, const Line *upper)
{
  return upper->low > lower->high && upper->slope - lower->slope > MAX (WHOLE_CALL, UNEVEN * upper->slope);
}

/* Nothing is told about a peak with @others_lost that does not move as a whole: it may contain one of them. */
static void
prove_peak (const Trial *trial, const Chain *chain, gboolean others_lost, CulpritProvedPeak *peak)
{
  g_autofree double *ys = g_new (double, trial->doses->len * trial->rounds);
  Line lower = follow (trial, chain, PLACE_LOWER, ys);
  Line upper = follow (trial, chain, PLACE_UPPER, ys);
  Line line = follow (trial, chain, PLACE_MIDDLE, ys);

  peak->edge = is_uneven (&lower, &upper);
  if (peak->edge && others_lost)
    {
      peak->edge = FALSE;
      return;
    }
  if (peak->edge)
    line = follow (trial, chain, PLACE_UPPER, ys);
  peak->answer = answer (&line);
  peak->calls = line.slope;
  peak->calls_low = line.low;
  peak->calls_high = line.high;
  for (guint i = 0; i < trial->doses->len; i++)
    {
      double moved_ns = isnan (ys[i * trial->rounds]) ? NAN : 0;

      for (guint round = 0; round < trial->rounds; round++)
        moved_ns += (ys[i * trial->rounds + round] - ys[round]) / trial->rounds;
      g_array_append_val (peak->moved_ns, moved_ns);
    }
}

static void
clear_peak (gpointer data)
{
  g_array_unref (((CulpritProvedPeak *) data)->moved_ns);
}

/* Whether what was taken for the peak @of of the base may be a lost one, which fits at least as well, or be mixed with
 * it, as it is not seen with every dose or is far off the line. */
static gboolean
is_contested (const Matching *matching, guint of)
{
  Chain *const *chains = matching->chains + matching->best[of];
  double cost = chains[of * matching->m]->cost;

  for (guint i = 0; i < matching->n; i++)
    if (matching->best[i] == matching->m && (cost >= COST_OF_MISSING || chains[i * matching->m]->cost <= cost))
      return TRUE;
  return FALSE;
}

/* Finds which peak of the largest dose is which of the base. Returns why it cannot be told; NULL: it is. */
static char *
match (Matching *matching)
{
  matching->lost = COST_OF_MISSING * matching->trial->doses->len;
  matching->best_cost = INFINITY;
  for (guint i = matching->n; i-- > 0;)
    {
      double least = matching->lost;

      for (guint j = 0; j < matching->m; j++)
        least = MIN (least, matching->chains[i * matching->m + j]->cost);
      matching->rest[i] = matching->rest[i + 1] + least;
    }
  assign (matching, 0, 0);
  return matching->tried < MOST_TRIED ? NULL
                                      : g_strdup_printf ("The %u peaks are too much alike to tell which of them moved "
                                                         "where: use more different delays.",
                                                         matching->n);
}

static void
prove (CulpritPathProof *proof, const Trial *trial)
{
  const Dose *base = dose_at (trial, 0);
  const Dose *largest = dose_at (trial, trial->doses->len - 1);
  gint64 longest_ns = largest->told.delay_ns;
  gint64 width_ns = MIN (culprit_profile_nice_width (base->all), MAX (longest_ns / 2, base->all->width_ns));
  Matching matching = { .trial = trial };
  gboolean lost = FALSE;

  for (guint i = 0; i < trial->doses->len; i++)
    {
      Dose *dose = dose_at (trial, i);

      find_parts (dose, width_ns, longest_ns);
      if (dose->parts->len > MOST_PEAKS)
        {
          proof->refusal = g_strdup_printf ("The latencies have %u peaks, more than the %d that can be told apart.",
                                            dose->parts->len, MOST_PEAKS);
          return;
        }
    }
  matching.n = base->parts->len;
  matching.m = largest->parts->len;
  matching.chains = g_new0 (Chain *, matching.n * matching.m + 1);
  for (guint i = 0; i < matching.n * matching.m; i++)
    matching.chains[i] = make_chain (trial, i / matching.m, i % matching.m, width_ns);
  proof->refusal = match (&matching);
  for (guint i = 0; i < matching.n; i++)
    lost = lost || matching.best[i] == matching.m;
  for (guint i = 0; i < matching.n && !proof->refusal; i++)
    {
      CulpritProvedPeak peak = { .number = i + 1,
                                 .at_ns = part_at (base, i)->at_ns,
                                 .share = part_at (base, i)->share,
                                 .answer = CULPRIT_PATH_LOST,
                                 .moved_ns = g_array_new (FALSE, FALSE, sizeof (double)),
                                 .calls = NAN,
                                 .calls_low = NAN,
                                 .calls_high = NAN };

      if (matching.best[i] < matching.m && !is_contested (&matching, i))
        prove_peak (trial, matching.chains[i * matching.m + matching.best[i]], lost, &peak);
      g_array_append_val (proof->peaks, peak);
    }
  for (guint i = 0; i < matching.n * matching.m; i++)
    g_free (matching.chains[i]);
  g_free (matching.chains);
  if (matching.n == 0)
    proof->refusal = g_strdup ("There is no peak to be seen without delay: measure longer.");
}

CulpritPathProof *
culprit_path_proof_new (const GArray *blocks)
{
  CulpritPathProof *proof = g_new0 (CulpritPathProof, 1);
  Trial trial = { .doses = g_ptr_array_new_with_free_func (dose_free) };

  proof->doses = g_array_new (FALSE, FALSE, sizeof (CulpritDose));
  proof->peaks = g_array_new (FALSE, FALSE, sizeof (CulpritProvedPeak));
  g_array_set_clear_func (proof->peaks, clear_peak);
  if (blocks->len > 0)
    gather (&trial, blocks);
  proof->rounds = trial.rounds;
  for (guint i = 0; i < trial.doses->len; i++)
    g_array_append_val (proof->doses, dose_at (&trial, i)->told);
  proof->refusal = refuse (&trial);
  if (!proof->refusal)
    prove (proof, &trial);
  g_ptr_array_unref (trial.doses);
  return proof;
}

void
culprit_path_proof_free (CulpritPathProof *proof)
{
  g_array_unref (proof->doses);
  g_array_unref (proof->peaks);
  g_free (proof->refusal);
  g_free (proof);
}

char *
culprit_calls_format (double calls)
{
  return g_strdup_printf ("%.*f", fabs (calls) < 99.95 ? 1 : 0, culprit_shown_number (calls, 1));
}

/* The peaks with @answer, "peaks 1, 2 and 4"; NULL: there are none. */
static char *
list_peaks (const CulpritPathProof *proof, CulpritPathAnswer wanted)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint left = 0;
  guint n;

  for (guint i = 0; i < proof->peaks->len; i++)
    left += g_array_index (proof->peaks, CulpritProvedPeak, i).answer == wanted;
  n = left;
  for (guint i = 0; i < proof->peaks->len; i++)
    if (g_array_index (proof->peaks, CulpritProvedPeak, i).answer == wanted)
      {
        left--;
        g_string_append_printf (list, "%u%s", i + 1, left > 1 ? ", " : left == 1 ? " and " : "");
      }
  return n > 0 ? g_strdup_printf ("peak%s %s", culprit_plural (n), list->str) : NULL;
}

static char *
say_calls (const CulpritPathProof *proof)
{
  g_autoptr (GPtrArray) each = g_ptr_array_new_with_free_func (g_free);
  GString *words = g_string_new (NULL);

  for (guint i = 0; i < proof->peaks->len; i++)
    {
      const CulpritProvedPeak *peak = &g_array_index (proof->peaks, CulpritProvedPeak, i);
      g_autofree char *calls = culprit_calls_format (peak->calls);
      g_autofree char *low = culprit_calls_format (peak->calls_low);
      g_autofree char *high = culprit_calls_format (peak->calls_high);

      if (peak->answer == CULPRIT_PATH_ON)
        g_ptr_array_add (each, g_strdup_printf ("%s (%s to %s)", calls, low, high));
    }
  for (guint i = 0; i < each->len; i++)
    g_string_append_printf (words, "%s%s",
                            i == 0              ? ""
                            : i + 1 < each->len ? ", "
                                                : " and ",
                            (char *) g_ptr_array_index (each, i));
  return g_string_free (words, FALSE);
}

static void
say_edges (const CulpritPathProof *proof, GString *words)
{
  for (guint i = 0; i < proof->peaks->len; i++)
    {
      const CulpritProvedPeak *peak = &g_array_index (proof->peaks, CulpritProvedPeak, i);

      if (peak->edge)
        g_string_append_printf (
            words,
            " Peak %u does not move as a whole: the function runs at any phase of these wake-ups, or "
            "only in some of them. The calls are those that its upper edge moved by.",
            peak->number);
    }
}

char *
culprit_path_proof_in_words (const CulpritPathProof *proof, const char *function)
{
  GString *words = g_string_new (NULL);
  g_autofree char *on = list_peaks (proof, CULPRIT_PATH_ON);
  g_autofree char *off = list_peaks (proof, CULPRIT_PATH_OFF);
  g_autofree char *unknown = list_peaks (proof, CULPRIT_PATH_UNKNOWN);
  g_autofree char *lost = list_peaks (proof, CULPRIT_PATH_LOST);
  g_autofree char *calls = say_calls (proof);

  if (proof->refusal)
    g_string_append (words, proof->refusal);
  else if (on)
    g_string_append_printf (words, "%s is on the path of %s: %s calls in a wake-up%s%s.", function, on, calls,
                            off ? "; not of " : "", off ? off : "");
  else if (off)
    g_string_append_printf (words, "%s is not on the path of %s.", function, off);
  if (!proof->refusal && unknown)
    g_string_append_printf (words, "%sWhether %s is on the path of %s is unclear: use more blocks or larger delays.",
                            words->len > 0 ? " " : "", function, unknown);
  if (!proof->refusal && lost)
    g_string_append_printf (words,
                            "%s%c%s cannot be found again with every delay: use delays that move no peak over another.",
                            words->len > 0 ? " " : "", g_ascii_toupper (*lost), lost + 1);
  say_edges (proof, words);
  return g_string_free (words, FALSE);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes two values of each block, tests the rounds, and inverts the test. */
#include "trial.h"

#include "comparison.h"
#include "tests.h"
#include "units.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

#define ROUND CULPRIT_TRIAL_ROUND
#define HALF (ROUND / 2)
#define TAIL_PART 100 /* One in so many wake-ups of a block is in its tail. */
#define SHORT 2       /* A block with so many times fewer wake-ups, missed ones too, than the longest was cut short. */
#define POWER 0.8     /* the chance to show a difference with the blocks recommended */

/* A part of all blocks: of each round those with the treatment first. */
typedef struct
{
  double values[CULPRIT_TRIAL_MOST_BLOCKS];
  guint n;
} Sample;

/* The mean of the @n latencies from rank @from on. */
static double
mean_of_ranks (const CulpritProfile *profile, guint64 from, guint64 n)
{
  gint64 origin_ns = culprit_profile_rank (profile, from);
  guint64 before = 0;
  double sum = 0;

  for (guint i = 0; i < profile->bins->len && before < from + n; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);
      guint64 begin = MAX (before, from);
      guint64 end = MIN (before + bin->count, from + n);

      before += bin->count;
      if (end > begin)
        sum += (double) (end - begin) * ((double) bin->latency_ns - origin_ns);
    }
  return origin_ns + sum / n;
}

static CulpritTrialBlock
measure (const CulpritTreatedBlock *block)
{
  guint64 n = block->latencies->n;
  guint64 late = (n + TAIL_PART - 1) / TAIL_PART;

  return (CulpritTrialBlock) { .turn = block->turn,
                               .treated = block->treated,
                               .n = n,
                               .tail_ns = mean_of_ranks (block->latencies, n - late, late),
                               .body_ns = mean_of_ranks (block->latencies, 0, MAX (n - late, 1)) };
}

static gboolean
is_whole (const CulpritTreatedBlock *block, guint64 least)
{
  return block->latencies->n > 0 && block->latencies->n + block->missed >= least;
}

/* The blocks of the round that begins with the turn @first, if it is complete. @measured: how many there are. */
static gboolean
find_round (const GArray *blocks, gint64 first, guint64 least, const CulpritTreatedBlock *round[ROUND], guint *measured)
{
  guint found = 0;
  guint treated = 0;

  *measured = 0;
  for (guint i = 0; i < blocks->len; i++)
    {
      const CulpritTreatedBlock *block = &g_array_index (blocks, CulpritTreatedBlock, i);

      if (block->turn < first || block->turn >= first + ROUND)
        continue;
      ++*measured;
      if (!is_whole (block, least) || found == ROUND)
        continue;
      treated += block->treated;
      round[found++] = block;
    }
  return found == ROUND && treated == HALF;
}

/* Takes what is in complete rounds. */
static void
gather (CulpritTrial *trial, const GArray *blocks)
{
  g_autoptr (GPtrArray) without = g_ptr_array_new ();
  g_autoptr (GPtrArray) with = g_ptr_array_new ();
  const CulpritTreatedBlock *round[ROUND];
  guint64 longest = 0;
  guint64 least;
  guint measured;

  for (guint i = 0; i < blocks->len; i++)
    longest = MAX (longest, g_array_index (blocks, CulpritTreatedBlock, i).latencies->n);
  least = MAX (longest / SHORT, CULPRIT_TRIAL_LEAST_LATENCIES);
  for (guint i = 0; i < blocks->len; i++)
    {
      const CulpritTreatedBlock *block = &g_array_index (blocks, CulpritTreatedBlock, i);

      trial->too_short[block->treated ? 1 : 0] += !is_whole (block, least);
    }
  for (gint64 first = 1; first <= CULPRIT_TRIAL_MOST_BLOCKS; first += ROUND)
    {
      if (!find_round (blocks, first, least, round, &measured))
        {
          trial->left_out += measured > 0;
          trial->not_measured += measured > 0 ? ROUND - MIN (measured, ROUND) : 0;
          continue;
        }
      trial->rounds++;
      for (guint i = 0; i < ROUND; i++)
        {
          CulpritTrialBlock block = measure (round[i]);

          g_array_append_val (trial->blocks, block);
          g_ptr_array_add (block.treated ? with : without, round[i]->latencies);
        }
    }
  if (trial->rounds == 0)
    return;
  trial->arms[0] = culprit_profile_sum (without);
  trial->arms[1] = culprit_profile_sum (with);
}

static double
value_of (const CulpritTrialBlock *block, CulpritTrialPart part)
{
  return part == CULPRIT_TRIAL_BODY ? block->body_ns : block->tail_ns;
}

static Sample
take (const CulpritTrial *trial, CulpritTrialPart part)
{
  Sample sample = { .n = trial->blocks->len };

  for (guint first = 0; first < sample.n; first += ROUND)
    {
      guint places[2] = { first + HALF, first };

      for (guint i = first; i < first + ROUND; i++)
        {
          const CulpritTrialBlock *block = &g_array_index (trial->blocks, CulpritTrialBlock, i);

          sample.values[places[block->treated ? 1 : 0]++] = value_of (block, part);
        }
    }
  return sample;
}

/* The sample if the treatment had changed all of its blocks by @effect_ns less, each value without the mean of its
 * round. Equal rounds stay equal to the last digit, whatever their order: each sum has two terms. */
static Sample
align (const Sample *sample, double effect_ns)
{
  Sample aligned = { .n = sample->n };

  for (guint first = 0; first < sample->n; first += ROUND)
    {
      const double *values = sample->values + first;
      double with_ns = (values[0] + values[1]) / 2;
      double without_ns = (values[2] + values[3]) / 2;
      double mean_ns = (with_ns + without_ns) / 2;

      for (guint i = 0; i < ROUND; i++)
        aligned.values[first + i] = values[i] - mean_ns + (i < HALF ? -effect_ns / 2 : effect_ns / 2);
    }
  return aligned;
}

static double
find_p (const Sample *sample, double effect_ns)
{
  Sample aligned = align (sample, effect_ns);

  return culprit_rank_sum_of_rounds_p (aligned.values, aligned.n, ROUND, HALF);
}

/* All differences between a block with the treatment and one without, ascending. The caller owns them. */
static double *
list_differences (const Sample *sample, guint *n)
{
  Sample aligned = align (sample, 0);
  double *differences = g_new (double, sample->n / 2 * (sample->n / 2));

  *n = 0;
  for (guint i = 0; i < aligned.n; i++)
    for (guint j = 0; j < aligned.n && i % ROUND < HALF; j++)
      if (j % ROUND >= HALF)
        differences[(*n)++] = aligned.values[i] - aligned.values[j];
  gsl_sort (differences, 1, *n);
  return differences;
}

/* How many of the ascending @differences lie below all effects that are not rejected. Ranks change only at differences,
 * so an effect between two of them stands for all others there. */
static guint
count_rejected (const Sample *sample, const double *differences, guint n, double alpha)
{
  guint low = 0; /* rejected: with the least p of at least 12 blocks */
  guint high = n / 2;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (find_p (sample, (differences[middle - 1] + differences[middle]) / 2) > alpha)
        high = middle;
      else
        low = middle;
    }
  return low;
}

static double
median_of (const CulpritTrial *trial, CulpritTrialPart part, gboolean treated)
{
  g_autofree double *values = g_new (double, trial->blocks->len);
  guint n = 0;

  for (guint i = 0; i < trial->blocks->len; i++)
    {
      const CulpritTrialBlock *block = &g_array_index (trial->blocks, CulpritTrialBlock, i);

      if (!block->treated == !treated)
        values[n++] = value_of (block, part);
    }
  return gsl_stats_median (values, 1, n);
}

/* An interval becomes narrower with the root of the number of blocks. */
static void
plan (CulpritTrialEffect *effect, guint blocks, double alpha)
{
  double reach_ns = (effect->high_ns - effect->low_ns) / 2;
  double errors = 1 + gsl_cdf_ugaussian_Pinv (POWER) / gsl_cdf_ugaussian_Qinv (alpha / 2);
  double needed;

  effect->shown_ns = MAX (fabs (effect->effect_ns), reach_ns / 2);
  if (effect->shown_ns == 0)
    return;
  needed = blocks * pow (reach_ns / effect->shown_ns * errors, 2);
  effect->more_blocks = MAX (ceil ((needed - blocks) / ROUND), 1) * ROUND;
}

static CulpritTrialEffect
judge (const CulpritTrial *trial, CulpritTrialPart part)
{
  double alpha = 1 - culprit_level_of_each (CULPRIT_TRIAL_PARTS);
  Sample sample = take (trial, part);
  Sample mirrored = { .n = sample.n };
  guint n;
  g_autofree double *differences = list_differences (&sample, &n);
  g_autofree double *opposite = g_new (double, n);
  CulpritTrialEffect effect = { .part = part,
                                .without_ns = median_of (trial, part, FALSE),
                                .with_ns = median_of (trial, part, TRUE),
                                .effect_ns = gsl_stats_median_from_sorted_data (differences, 1, n),
                                .p = find_p (&sample, 0) };

  for (guint i = 0; i < sample.n; i++)
    mirrored.values[i] = -sample.values[i];
  for (guint i = 0; i < n; i++)
    opposite[i] = -differences[n - 1 - i];
  effect.low_ns = differences[count_rejected (&sample, differences, n, alpha)];
  effect.high_ns = -opposite[count_rejected (&mirrored, opposite, n, alpha)];
  effect.differs = effect.p < alpha;
  if (!effect.differs)
    plan (&effect, sample.n, alpha);
  return effect;
}

#define TOO_SHORT "had fewer than %d wake-ups or less than half of those of the longest, missed ones included"

/* A sentence; NULL: none was left out. The caller owns it. */
static char *
say_left_out (const CulpritTrial *trial)
{
  gboolean short_ones = trial->too_short[0] + trial->too_short[1] > 0;
  gboolean lacks = trial->not_measured > 0;
  g_autofree char *too_short = g_strdup_printf ("%u with the treatment and %u without " TOO_SHORT, trial->too_short[1],
                                                trial->too_short[0], CULPRIT_TRIAL_LEAST_LATENCIES);
  g_autofree char *lacking =
      g_strdup_printf ("%u %s not measured", trial->not_measured, trial->not_measured == 1 ? "was" : "were");

  if (trial->left_out == 0)
    return NULL;
  return g_strdup_printf ("%u round%s left out: of %s blocks, %s%s%s.", trial->left_out,
                          trial->left_out == 1 ? " was" : "s were", trial->left_out == 1 ? "its" : "their",
                          short_ones || !lacks ? too_short : "", short_ones && lacks ? ", and " : "",
                          lacks ? lacking : "");
}

/* A sentence, or more: why nothing can be concluded. NULL: there is an answer. The caller owns it. */
static char *
say_refusal (const CulpritTrial *trial)
{
  const guint *too_short = trial->too_short;
  g_autofree char *left_out = say_left_out (trial);

  if (MAX (too_short[0], too_short[1]) - MIN (too_short[0], too_short[1]) > 1)
    return g_strdup_printf ("Nothing can be concluded: %u block%s with the treatment and %u without " TOO_SHORT
                            ", and to leave them out could hide what the treatment does.",
                            too_short[1], culprit_plural (too_short[1]), too_short[0], CULPRIT_TRIAL_LEAST_LATENCIES);
  if (trial->blocks->len >= CULPRIT_TRIAL_LEAST_BLOCKS)
    return NULL;
  return g_strdup_printf (
      "Too little was measured to tell anything: it takes at least %d rounds of %d blocks, and %u %s complete.%s%s",
      CULPRIT_TRIAL_LEAST_BLOCKS / ROUND, ROUND, trial->rounds, trial->rounds == 1 ? "is" : "are", left_out ? " " : "",
      left_out ? left_out : "");
}

CulpritTrial *
culprit_trial_new (const GArray *blocks)
{
  CulpritTrial *trial = g_new0 (CulpritTrial, 1);

  trial->blocks = g_array_new (FALSE, FALSE, sizeof (CulpritTrialBlock));
  trial->effects = g_array_new (FALSE, FALSE, sizeof (CulpritTrialEffect));
  gather (trial, blocks);
  trial->refusal = say_refusal (trial);
  for (CulpritTrialPart part = 0; part < CULPRIT_TRIAL_PARTS && !trial->refusal; part++)
    {
      CulpritTrialEffect effect = judge (trial, part);

      g_array_append_val (trial->effects, effect);
    }
  return trial;
}

void
culprit_trial_free (CulpritTrial *trial)
{
  for (guint i = 0; i < G_N_ELEMENTS (trial->arms); i++)
    g_clear_pointer (&trial->arms[i], culprit_profile_free);
  g_array_unref (trial->blocks);
  g_array_unref (trial->effects);
  g_free (trial->refusal);
  g_free (trial);
}

const char *
culprit_trial_part_name (guint part)
{
  static const char *const names[] = { "tail", "body" };

  return names[part];
}

static char *
say_length (double ns)
{
  return culprit_time_format (llround (fabs (ns)));
}

static const char *
say_direction (double ns)
{
  return ns < 0 ? "sooner" : "later";
}

static void
say_effect (GString *words, const CulpritTrialEffect *effect)
{
  static const struct
  {
    const char *name;
    const char *which_differs;
    const char *which_is;
  } parts[] = { { "the latest per cent of the wake-ups", "The latest per cent of the wake-ups differs", "it is" },
                { "the other 99 per cent", "The other 99 per cent differ", "they are" } };
  gboolean sooner = effect->effect_ns < 0;
  g_autofree char *length = say_length (effect->effect_ns);
  g_autofree char *low = say_length (effect->low_ns);
  g_autofree char *high = say_length (effect->high_ns);
  g_autofree char *shown = say_length (effect->shown_ns);

  g_string_append (words, words->len > 0 ? " " : "");
  if (effect->differs)
    g_string_append_printf (words, "%s: with the treatment %s %s %s on average (%s to %s).",
                            parts[effect->part].which_differs, parts[effect->part].which_is, length,
                            say_direction (effect->effect_ns), sooner ? high : low, sooner ? low : high);
  else if (effect->more_blocks == 0)
    g_string_append_printf (words, "No difference was found in %s: all blocks are the same.", parts[effect->part].name);
  else
    g_string_append_printf (words,
                            "No difference was found in %s: with the treatment %s between %s %s and %s %s on average. "
                            "%u more blocks would probably show a difference of %s.",
                            parts[effect->part].name, parts[effect->part].which_is, low, say_direction (effect->low_ns),
                            high, say_direction (effect->high_ns), effect->more_blocks, shown);
}

char *
culprit_trial_in_words (const CulpritTrial *trial)
{
  GString *words = g_string_new (trial->refusal);
  g_autofree char *left_out = say_left_out (trial);

  for (guint i = 0; i < trial->effects->len; i++)
    say_effect (words, &g_array_index (trial->effects, CulpritTrialEffect, i));
  if (left_out && !trial->refusal)
    g_string_append_printf (words, " %s", left_out);
  return g_string_free (words, FALSE);
}

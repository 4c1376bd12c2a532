/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold whatever the numbers: the parts of an excess add up to it, a thousand random cases long, to a part in
 * 10^9; spreads count each value in its bucket and survive being packed; and the exact tests by ranks against counting
 * all outcomes. */
#include "latency/rank-tests.h"
#include "spread.h"
#include "verdict/excess.h"
#include "verdict/hits-private.h"
#include "verdict/judge.h"
#include "verdict/tail-private.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define CASES 1000
#define CLOSE 1e-9

static double
draw (GRand *random, double most)
{
  return g_rand_int_range (random, 0, 4) == 0 ? 0 : floor (g_rand_double_range (random, 0, most));
}

static CulpritPart
draw_part (GRand *random)
{
  CulpritPart part = { .calls = draw (random, 600),
                       .base_calls = draw (random, 4000) / 100,
                       .reference_per_call_ns = g_rand_boolean (random) ? NAN : draw (random, 5000) };

  part.self_ns = draw (random, 3e6);
  part.base_self_ns = part.base_calls > 0 ? draw (random, 1e5) : 0;
  return part;
}

static void
test_parts_add_up (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint i = 0; i < CASES; i++)
    {
      g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (CulpritPart));
      g_autoptr (GArray) holders = g_array_new (FALSE, FALSE, sizeof (CulpritHolder));
      CulpritCase one = { .parts = parts, .holders = holders, .ordinary = 10 };
      double sum_ns = 0;

      for (guint k = g_rand_int_range (random, 0, 120); k > 0; k--)
        {
          CulpritPart part = draw_part (random);

          one.own_ns += part.self_ns;
          one.base_ns += part.base_self_ns;
          g_array_append_val (parts, part);
        }
      culprit_case_explain (&one);
      for (guint k = 0; k < parts->len; k++)
        {
          const CulpritPart *part = culprit_case_part (&one, k);
          double by_count = culprit_part_by_count (part, one.excess_ns);

          g_assert_cmpfloat_with_epsilon (part->count_ns + part->cost_ns, part->excess_ns, 1e-6);
          g_assert_cmpfloat (part->excess_ns, ==, part->self_ns - part->base_self_ns);
          g_assert_true (by_count >= 0 && by_count <= 1);
          sum_ns += part->excess_ns;
        }
      g_assert_cmpfloat (fabs (sum_ns - one.excess_ns), <=, CLOSE * MAX (one.own_ns, 1));
    }
}

/* What is by calls: the difference of their numbers times the mean of what one costs there and here; all of it, where
 * one of both has none. */
static void
test_parts_by_calls (void)
{
  CulpritPart more = { .calls = 10, .self_ns = 2000, .base_calls = 4, .base_self_ns = 400, .reference_per_call_ns = 7 };
  CulpritPart gone = { .base_calls = 4, .base_self_ns = 400, .reference_per_call_ns = 7 };
  CulpritPart new = { .calls = 10, .self_ns = 2000, .reference_per_call_ns = NAN };
  CulpritPart elsewhere = { .calls = 10, .self_ns = 2000, .reference_per_call_ns = 100 };
  CulpritPart no_calls = { .self_ns = 2000, .reference_per_call_ns = NAN };

  culprit_part_explain (&more);
  g_assert_cmpfloat (more.count_ns, ==, 6 * 150);
  culprit_part_explain (&gone);
  g_assert_cmpfloat (gone.count_ns, ==, -400);
  culprit_part_explain (&new);
  g_assert_cmpfloat (new.count_ns, ==, 2000);
  culprit_part_explain (&elsewhere);
  g_assert_cmpfloat (elsewhere.count_ns, ==, 10 * 150);
  culprit_part_explain (&no_calls);
  g_assert_cmpfloat (no_calls.count_ns, ==, 0);
}

/* Fewer than two calls are not too often; nor are calls of a function that runs nowhere else, of which each has much of
 * the excess, be it in several stretches. */
static void
test_few_calls (void)
{
  CulpritPart begun = { .self_ns = 1000, .longest_ns = 50, .excess_ns = 1000, .reference_per_call_ns = NAN };
  CulpritPart once = { .calls = 1,
                       .self_ns = 1000,
                       .longest_ns = 50,
                       .excess_ns = 900,
                       .reference_calls = .25,
                       .reference_per_call_ns = 400 };
  CulpritPart in_stretches = {
    .calls = 3, .self_ns = 1000, .longest_ns = 50, .excess_ns = 1000, .reference_per_call_ns = NAN
  };

  g_assert_cmpfloat (culprit_part_by_count (&begun, 1000), ==, 0);
  g_assert_cmpfloat (culprit_part_by_count (&once, 1000), ==, 0);
  g_assert_cmpfloat (culprit_part_by_count (&in_stretches, 1000), ==, 0);
  g_assert_cmpfloat (culprit_part_by_count (&in_stretches, 4000), ==, 1);
}

/* The gate: at five scaled deviations and not below. */
static void
test_gate (void)
{
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (CulpritPart));
  CulpritCase one = { .parts = none, .holders = none, .ordinary = 10, .base_ns = 100, .median_ns = 100, .mad_ns = 10 };

  one.own_ns = 100 + 74.13;
  culprit_case_explain (&one);
  g_assert_true (one.stands_out);
  one.own_ns = 100 + 74.12;
  culprit_case_explain (&one);
  g_assert_false (one.stands_out);
  one.own_ns = 1e9;
  one.ordinary = CULPRIT_GATE_ORDINARY - 1;
  culprit_case_explain (&one);
  g_assert_false (one.stands_out);
}

static void
check_bucket (guint64 value)
{
  guint bucket = culprit_bucket_of (value);
  guint octave = 0;
  guint64 width;

  while (value >> octave > 15)
    octave++;
  width = G_GUINT64_CONSTANT (1) << octave;
  g_assert_cmpuint (bucket, ==, 8 * octave + (value >> octave));
  g_assert_cmpfloat (culprit_bucket_end (bucket), ==, octave == 0 ? value : (double) (value / width) * width + width);
  g_assert_cmpfloat (culprit_bucket_middle (bucket), ==,
                     octave == 0 ? value : (double) (value / width) * width + width / 2.);
}

static void
test_buckets (void)
{
  for (guint64 value = 0; value < 5000; value++)
    check_bucket (value);
  for (guint bit = 12; bit < 64; bit++)
    for (gint64 beside = -1; beside <= 1; beside++)
      check_bucket ((G_GUINT64_CONSTANT (1) << bit) + beside);
  check_bucket (G_MAXUINT64);
}

static void
assert_same (const CulpritSpread *a, const CulpritSpread *b)
{
  g_assert_cmpuint (a->buckets->len, ==, b->buckets->len);
  for (guint i = 0; i < a->buckets->len; i++)
    {
      const CulpritBucket *left = &g_array_index (a->buckets, CulpritBucket, i);
      const CulpritBucket *right = &g_array_index (b->buckets, CulpritBucket, i);

      g_assert_true (left->bucket == right->bucket && left->count == right->count);
      g_assert_true (i == 0 || left->bucket > left[-1].bucket);
    }
}

/* Values counted one by one, in two spreads that are merged, or twice as bytes: they are the
 * same counts. */
static void
test_spreads (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (2);

  for (guint i = 0; i < CASES; i++)
    {
      CulpritSpread whole = { 0 };
      CulpritSpread halves[2] = { 0 };
      CulpritSpread packed = { 0 };
      guint n = g_rand_int_range (random, 2, 400);
      guint64 most = 0;

      for (guint k = 0; k < n; k++)
        {
          guint64 value =
              ((guint64) g_rand_int (random) << 32 | g_rand_int (random)) >> g_rand_int_range (random, 0, 64);

          most = MAX (most, value);
          culprit_spread_add (&whole, value);
          culprit_spread_add (&halves[k % 2], value);
        }
      for (guint k = 0; k < 2; k++)
        {
          g_autoptr (GByteArray) bytes = culprit_spread_pack (&halves[k]);

          culprit_spread_add_packed (&packed, bytes->data, bytes->len);
        }
      g_assert_cmpuint (culprit_spread_total (&whole), ==, n);
      assert_same (&packed, &whole);
      culprit_spread_merge (&halves[0], &halves[1]);
      assert_same (&halves[0], &whole);
      g_assert_true (halves[0].max == most && whole.max == most);
      culprit_spread_clear (&whole);
      culprit_spread_clear (&packed);
      culprit_spread_clear (&halves[0]);
      culprit_spread_clear (&halves[1]);
    }
}

/* What some packed bytes count. */
static guint64
count_packed (const guint8 *bytes, gsize n_bytes)
{
  CulpritSpread spread = { 0 };
  guint64 total;

  culprit_spread_add_packed (&spread, bytes, n_bytes);
  total = culprit_spread_total (&spread);
  culprit_spread_clear (&spread);
  return total;
}

#define COUNT_PACKED(...) count_packed ((const guint8[]) { __VA_ARGS__ }, sizeof (const guint8[]) { __VA_ARGS__ })

/* Damaged bytes count as far as they are whole. */
static void
test_damaged_spreads (void)
{
  g_assert_cmpuint (COUNT_PACKED (3, 5), ==, 5);
  g_assert_cmpuint (COUNT_PACKED (3, 5, 1), ==, 5);
  g_assert_cmpuint (COUNT_PACKED (3, 5, 1, 0x80), ==, 5);
  g_assert_cmpuint (COUNT_PACKED (0xef, 0x03, 9), ==, 9); /* bucket 495 is the last of 64 bits, */
  g_assert_cmpuint (COUNT_PACKED (0xf0, 0x03, 9), ==, 0); /* and 496 is none, */
  g_assert_cmpuint (COUNT_PACKED (0xee, 0x03, 2, 1, 9), ==, 11);
  g_assert_cmpuint (COUNT_PACKED (0xee, 0x03, 2, 2, 9), ==, 2); /* nor by two steps. */
  g_assert_cmpuint (COUNT_PACKED (1, 0xff, 0xff, 0xff, 0xff, 0x0f), ==, G_MAXUINT32);
  g_assert_cmpuint (COUNT_PACKED (1, 0x80, 0x80, 0x80, 0x80, 0x10), ==, 0);
  g_assert_cmpuint (COUNT_PACKED (1, 0x81, 0x80, 0x80, 0x80, 0x80, 0x00), ==, 0); /* A number has five bytes at most. */
}

/* Up to where a tail begins, and if there is none, all is probable; beyond it the more the less. */
static void
test_tails (void)
{
  CulpritSpread spread = { 0 };
  Tail tail = tail_fit (&spread, 100, .2, 1);

  g_assert_cmpfloat (tail_probability (&tail, 5), ==, 1);
  for (guint value = 0; value < 20; value++)
    culprit_spread_add (&spread, 1000 + 100 * value);
  tail = tail_fit (&spread, 1000, .2, 1);
  for (double value = 0; value <= tail.from; value += tail.from / 8)
    g_assert_cmpfloat (tail_probability (&tail, value), ==, 1);
  for (double value = tail.from + 1; value < 1e6; value *= 2)
    g_assert_cmpfloat (tail_probability (&tail, 2 * value), <, tail_probability (&tail, value));
  culprit_spread_clear (&spread);
}

/* What a capture does not show may be the culprit, where the class is one that it could hide. */
static void
test_hidden (void)
{
  static const struct
  {
    CulpritHidden hidden;
    guint classes; /* that are not told, as bits */
  } rules[] = {
    { CULPRIT_HIDDEN_DEEP, 1 << CULPRIT_CLASS_TOO_LONG | 1 << CULPRIT_CLASS_MIXED | 1 << CULPRIT_CLASS_LATE_TIMER |
                               1 << CULPRIT_CLASS_BLIND_STALL },
    { CULPRIT_HIDDEN_INTERRUPTS, 1 << CULPRIT_CLASS_TOO_LONG | 1 << CULPRIT_CLASS_MIXED |
                                     1 << CULPRIT_CLASS_LATE_TIMER | 1 << CULPRIT_CLASS_BLIND_STALL },
    { CULPRIT_HIDDEN_FUNCTIONS,
      1 << CULPRIT_CLASS_LATE_TIMER | 1 << CULPRIT_CLASS_BLIND_STALL | 1 << CULPRIT_CLASS_INTERFERENCE },
  };

  for (CulpritClass class = CULPRIT_CLASS_TOO_OFTEN; class < CULPRIT_CLASSES; class ++)
    for (guint i = 0; i <= G_N_ELEMENTS (rules); i++)
      {
        CulpritCase one = { .class = class,
                            .culprit = "somebody",
                            .excess_ns = 1,
                            .hidden = i < G_N_ELEMENTS (rules) ? rules[i].hidden : 0 };
        gboolean told = i == G_N_ELEMENTS (rules) || !(rules[i].classes >> class & 1);

        culprit_judge_hidden (&one);
        g_assert_cmpuint (one.class, ==, told ? class : CULPRIT_CLASS_UNEXPLAINED);
        g_assert_true ((one.reason == NULL) == told && (one.culprit != NULL) == told);
      }
}

/* Tries in two goes are as those in one: a binomial distribution, be it so wide that its ends have no probability. */
static void
test_hits (void)
{
  static const double p[] = { 0.001, 0.1, 0.5, 0.9, 0.98 };

  for (guint n = 1; n < 5000; n += n / 2 + 1)
    for (guint i = 0; i < G_N_ELEMENTS (p); i++)
      {
        g_autoptr (Hits) hits = hits_new ();

        hits_try (hits, n, p[i]);
        hits_try (hits, n / 3, p[i]);
        hits_try (hits, 7, 0);
        for (guint least = 0; least <= n + n / 3 + 1; least++)
          {
            double expected = least > 0 ? gsl_cdf_binomial_Q (least - 1, p[i], n + n / 3) : 1;
            double found = hits_at_least (hits, least);

            g_assert_cmpfloat (fabs (found - expected), <=, CLOSE * expected + 1e-200);
            g_assert_cmpfloat (found, <=, 1);
          }
      }
}

static void
test_ranks (void)
{
  const double a[] = { 1, 2, 3, 4, 5, 6 };
  const double b[] = { 7, 8, 9, 10, 11, 12 };
  const double same[] = { 3, 3, 3 };

  g_assert_cmpfloat_with_epsilon (culprit_rank_sum_p (a, 6, b, 6), 2.0 / 924, 1e-12);
  g_assert_cmpfloat_with_epsilon (culprit_rank_sum_p (a, 6, a, 6), 1, 1e-12);
  g_assert_cmpfloat_with_epsilon (culprit_rank_sum_p (same, 3, same, 3), 1, 1e-12);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/verdict/parts-add-up", test_parts_add_up);
  g_test_add_func ("/verdict/parts-by-calls", test_parts_by_calls);
  g_test_add_func ("/verdict/few-calls", test_few_calls);
  g_test_add_func ("/verdict/gate", test_gate);
  g_test_add_func ("/verdict/buckets", test_buckets);
  g_test_add_func ("/verdict/spreads", test_spreads);
  g_test_add_func ("/verdict/damaged-spreads", test_damaged_spreads);
  g_test_add_func ("/verdict/tails", test_tails);
  g_test_add_func ("/verdict/hidden", test_hidden);
  g_test_add_func ("/verdict/hits", test_hits);
  g_test_add_func ("/verdict/ranks", test_ranks);
  return g_test_run ();
}

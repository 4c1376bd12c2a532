/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold whatever the numbers: spreads count each value in its bucket and survive being packed; the more
 * captures agree, the more certain is a cause; and the exact tests by ranks against counting all outcomes. */
#include "latency/comparison/tests.h"
#include "spread.h"
#include "verdict/carry.h"
#include "verdict/causes.h"

#define CASES 1000
#define CLOSE 1e-12

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

static int
compare_values (gconstpointer a, gconstpointer b)
{
  guint64 left = *(const guint64 *) a;
  guint64 right = *(const guint64 *) b;

  return (left > right) - (left < right);
}

/* The sum of the @n largest of @values, sorted here, is that of their buckets' middles. */
static void
check_largest (const CulpritSpread *spread, GArray *values, guint n)
{
  double sum = 0;

  g_array_sort (values, compare_values);
  for (guint i = values->len; i > 0 && i + n > values->len; i--)
    sum += culprit_bucket_middle (culprit_bucket_of (g_array_index (values, guint64, i - 1)));
  g_assert_true (ABS (culprit_spread_largest (spread, n) - sum) <= CLOSE * sum);
}

/* Values counted one by one, or in two halves as bytes: they are the same counts. */
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
      g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (guint64));

      for (guint k = 0; k < n; k++)
        {
          guint64 value =
              ((guint64) g_rand_int (random) << 32 | g_rand_int (random)) >> g_rand_int_range (random, 0, 64);

          most = MAX (most, value);
          g_array_append_val (values, value);
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
      g_assert_true (whole.max == most);
      check_largest (&whole, values, g_rand_int_range (random, 0, 2 * n));
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

static const CulpritCauseKind KINDS[] = { CULPRIT_CAUSE_TASK, CULPRIT_CAUSE_FUNCTION, CULPRIT_CAUSE_NODE };

/* The more captures agree, and the fewer there are, the more certain it is; never above 1 nor below 0. */
static void
test_agreement (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (KINDS); i++)
    for (guint single = 0; single <= 1; single++)
      for (guint of = 1; of < 60; of += 3)
        for (guint k = 1; k <= of; k++)
          for (double share = 0; share < 1; share += 0.2)
            {
              double confidence = culprit_causes_agreement (KINDS[i], share, single, k, of);

              g_assert_true (confidence >= 0 && confidence <= 1);
              g_assert_cmpfloat (confidence, >=, culprit_causes_agreement (KINDS[i], share, single, k - 1, of) - CLOSE);
              g_assert_cmpfloat (confidence, >=, culprit_causes_agreement (KINDS[i], share, single, k, of + 1) - CLOSE);
              if (k == 1)
                g_assert_cmpfloat (confidence, <, CLOSE);
            }
}

/* As the manual has it, computed by hand. */
static void
test_few_that_agree (void)
{
  const struct
  {
    CulpritCauseKind kind;
    double share;
    gboolean single;
    guint k, of;
    double confidence;
  } known[] = {
    { CULPRIT_CAUSE_FUNCTION, 0, FALSE, 2, 2, 0.95 },
    { CULPRIT_CAUSE_FUNCTION, 0.5, FALSE, 2, 2, 0.95 },
    { CULPRIT_CAUSE_FUNCTION, 0, TRUE, 2, 2, 1 - 1. / 8 },
    { CULPRIT_CAUSE_FUNCTION, 0.5, TRUE, 4, 4, 1 - 1. / 8 },
    { CULPRIT_CAUSE_NODE, 0, FALSE, 2, 3, 1 - (3 * 0.0025 * 0.95 + 0.000125) / 0.05 },
    { CULPRIT_CAUSE_NODE, 0.25, FALSE, 3, 3, 1 - 1. / 16 },
    { CULPRIT_CAUSE_TASK, 0.5, FALSE, 3, 90, 1 - 0.0025 },
    { CULPRIT_CAUSE_TASK, 0.25, TRUE, 3, 3, 1 - 1. / 16 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    g_assert_cmpfloat_with_epsilon (
        culprit_causes_agreement (known[i].kind, known[i].share, known[i].single, known[i].k, known[i].of),
        known[i].confidence, CLOSE);
}

static void
test_classes (void)
{
  g_assert_cmpint (culprit_class_of_count_share (0.7), ==, CULPRIT_CLASS_TOO_OFTEN);
  g_assert_cmpint (culprit_class_of_count_share (0.69), ==, CULPRIT_CLASS_MIXED);
  g_assert_cmpint (culprit_class_of_count_share (0.31), ==, CULPRIT_CLASS_MIXED);
  g_assert_cmpint (culprit_class_of_count_share (0.3), ==, CULPRIT_CLASS_TOO_LONG);
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
  g_test_add_func ("/verdict/buckets", test_buckets);
  g_test_add_func ("/verdict/spreads", test_spreads);
  g_test_add_func ("/verdict/damaged-spreads", test_damaged_spreads);
  g_test_add_func ("/verdict/agreement", test_agreement);
  g_test_add_func ("/verdict/few-that-agree", test_few_that_agree);
  g_test_add_func ("/verdict/classes", test_classes);
  g_test_add_func ("/verdict/ranks", test_ranks);
  return g_test_run ();
}

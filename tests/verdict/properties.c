/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums that must hold whatever the numbers: the parts of an excess add up to it, a thousand random cases long, to a
 * part in 10^9; and the exact tests by ranks against counting all outcomes. */
#include "latency/rank-tests.h"
#include "verdict/excess.h"

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

/* The part of all 2^n signs that give as great a sum of ranks. */
static double
count_signs (const double *differences, guint n)
{
  guint as_great = 0;
  double seen = 0;

  for (guint i = 0; i < n; i++)
    seen += differences[i] > 0 ? i + 1 : 0;
  for (guint signs = 0; signs < 1u << n; signs++)
    {
      double sum = 0;

      for (guint i = 0; i < n; i++)
        sum += signs >> i & 1 ? i + 1 : 0;
      as_great += sum >= seen;
    }
  return as_great / pow (2, n);
}

static void
test_ranks (void)
{
  const double rising[] = { 1, -2, 3, 4, 5, -6, 7, 8, 9, 10 }; /* in the order of their sizes */
  const double a[] = { 1, 2, 3, 4, 5, 6 };
  const double b[] = { 7, 8, 9, 10, 11, 12 };
  const double same[] = { 3, 3, 3 };

  for (guint n = 1; n <= G_N_ELEMENTS (rising); n++)
    g_assert_cmpfloat_with_epsilon (culprit_signed_rank_p (rising, n), count_signs (rising, n), 1e-12);
  g_assert_cmpfloat_with_epsilon (culprit_rank_sum_p (a, 6, b, 6), 2.0 / 924, 1e-12);
  g_assert_cmpfloat_with_epsilon (culprit_rank_sum_p (a, 6, a, 6), 1, 1e-12);
  g_assert_cmpfloat_with_epsilon (culprit_rank_sum_p (same, 3, same, 3), 1, 1e-12);
  g_assert_cmpfloat (culprit_signed_rank_p (same, 0), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/verdict/parts-add-up", test_parts_add_up);
  g_test_add_func ("/verdict/gate", test_gate);
  g_test_add_func ("/verdict/ranks", test_ranks);
  return g_test_run ();
}

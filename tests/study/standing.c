/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where functions stand among ordinary wake-ups, against the spreads in the sample study read byte by byte. */
#include "study/standing.h"
#include "spread.h"
#include "study/query.h"

#include <string.h>

#define CAPTURE 3

static CulpritStudy *study;

/* The next unsigned LEB128 number of a text in hexadecimal. */
static guint64
next_number (const char **hex)
{
  guint64 number = 0;
  guint byte = 0x80;

  for (guint shift = 0; byte & 0x80; shift += 7, *hex += 2)
    {
      byte = g_ascii_xdigit_value ((*hex)[0]) * 16 + g_ascii_xdigit_value ((*hex)[1]);
      number |= (guint64) (byte & 0x7f) << shift;
    }
  return number;
}

/* The largest value of @bucket: eight of them divide an octave. */
static gint64
end_of (guint bucket)
{
  return bucket < 16 ? bucket : (gint64) (bucket % 8 + 9) << (bucket / 8 - 1);
}

/* How many of the windows in @spread may be as long as @time_ns. */
static gint64
count_others (const char *spread, gint64 time_ns, gint64 max_ns)
{
  gint64 others = 0;
  guint bucket = 0;

  while (*spread && time_ns <= max_ns)
    {
      guint64 count;

      bucket += next_number (&spread);
      count = next_number (&spread);
      if (bucket >= time_ns || end_of (bucket) > time_ns)
        others += count;
    }
  return others;
}

static CulpritStanding
ask (const char *key, CulpritContext context)
{
  CulpritStanding standing;
  GError *error = NULL;

  culprit_query_standing (study, CAPTURE, key, context, &standing, &error);
  g_assert_no_error (error);
  return standing;
}

static void
test_every_function_of_an_interrupt_stands_where_its_spread_says (void)
{
  g_autoptr (CulpritTable) rows = culprit_query_sql (
      study,
      "SELECT name || IIF (module <> '', ' [' || module || ']', '') AS key, SUM (o.calls) AS calls,"
      " SUM (o.self_ns - o.tracing_ns) AS own, ordinary_windows, b.untraced_max_ns AS max, b.untraced_spread AS spread"
      " FROM outlier_node AS o JOIN node USING (node_id) JOIN window USING (window_id)"
      " JOIN capture USING (capture_id) JOIN function USING (function_id)"
      " JOIN ordinary_part AS b ON b.capture_id = capture.capture_id AND b.function_id = node.function_id"
      " AND b.context = node.context WHERE capture.capture_id = 3 AND node.context = 'hardirq' AND ordinal = 0"
      " GROUP BY node.function_id",
      NULL);

  g_assert_cmpuint (culprit_table_rows (rows), >, 10);
  for (guint i = 0; i < culprit_table_rows (rows); i++)
    {
      CulpritStanding standing = ask (culprit_table_text (rows, i, "key"), CULPRIT_CONTEXT_HARDIRQ);
      gint64 own_ns = culprit_table_integer (rows, i, "own");

      g_assert_cmpint (standing.calls, ==, culprit_table_integer (rows, i, "calls"));
      g_assert_cmpint (standing.untraced_ns, ==, own_ns);
      g_assert_cmpint (standing.ordinary, ==, culprit_table_integer (rows, i, "ordinary_windows"));
      if (own_ns > 0)
        g_assert_cmpint (
            standing.ordinary - standing.ordinary_less, ==,
            count_others (culprit_table_text (rows, i, "spread"), own_ns, culprit_table_integer (rows, i, "max")));
    }
}

static void
test_the_guilty_function_took_more_than_ever (void)
{
  CulpritStanding standing = ask ("qh_completions [culprit_fault]", CULPRIT_CONTEXT_HARDIRQ);
  g_autofree char *words = culprit_standing_in_words (&standing);

  g_assert_cmpint (standing.ordinary, >, 10);
  g_assert_cmpint (standing.ordinary_less, ==, standing.ordinary);
  g_assert_true (
      g_str_has_prefix (words, "405 calls in this late wake-up, 1.238 ms without the tracer: more than in any of 25 "));
}

static void
test_less_than_ever_is_not_counted_as_none (void)
{
  CulpritStanding standing = { .calls = 1, .untraced_ns = 20, .mean_ns = 31, .ordinary = 24 };
  g_autofree char *words = culprit_standing_in_words (&standing);

  g_assert_cmpstr (
      words, ==,
      "1 call in this late wake-up, 20 ns without the tracer: not more than in any of 24 ordinary ones (mean 31 ns)");
}

static void
test_what_did_not_run_has_no_place (void)
{
  CulpritStanding never = ask ("no such function", CULPRIT_CONTEXT_HARDIRQ);
  CulpritStanding elsewhere = ask ("qh_completions [culprit_fault]", CULPRIT_CONTEXT_NMI);
  g_autofree char *words = culprit_standing_in_words (&never);
  CulpritStanding standing;

  g_assert_cmpint (never.calls + elsewhere.calls, ==, 0);
  g_assert_cmpint (never.ordinary_less + elsewhere.ordinary_less, ==, 0);
  g_assert_true (g_str_has_prefix (words, "Did not run in this late wake-up"));
  g_assert_true (culprit_query_standing (study, 999, "schedule", CULPRIT_CONTEXT_IDLE, &standing, NULL));
  g_assert_cmpint (standing.ordinary, ==, 0);
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  study = culprit_study_open (argv[1], CULPRIT_STUDY_READ, NULL);
  if (!study)
    return 2;
  g_test_add_func ("/standing/spreads", test_every_function_of_an_interrupt_stands_where_its_spread_says);
  g_test_add_func ("/standing/guilty", test_the_guilty_function_took_more_than_ever);
  g_test_add_func ("/standing/less-than-ever-is-not-counted-as-none", test_less_than_ever_is_not_counted_as_none);
  g_test_add_func ("/standing/none", test_what_did_not_run_has_no_place);
  status = g_test_run ();
  culprit_study_close (study);
  return status;
}

# SPDX-License-Identifier: GPL-3.0-or-later
# Precision and claims of comparisons: p values against exact ones computed by scipy, series that hardly vary, what is
# tested and what is not, and that a sentence agrees with its table.

import json
import math
import os
import random
import re
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402

RUNS = 6


def load(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return json.load(file)


def bursty(generator, n, rho=0.99, scale=1.0):
    """Log-normal latencies in ns whose logarithms depend on each other (AR(1))."""
    level = generator.gauss(0, 1)
    for _ in range(n):
        yield round(scale * 10000 * math.exp(0.3 * level))
        level = rho * level + math.sqrt(1 - rho * rho) * generator.gauss(0, 1)


class Comparing(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")

    def add(self, name, lines, unit="1ns"):
        path = os.path.join(self.folder, f"{name}.txt")
        with open(path, "w", encoding="ascii") as file:
            file.writelines(f"{line}\n" for line in lines)
        result = culprit.run("import", "--study", self.study, "--unit", unit, path)
        self.assertEqual(result.status, 0, result.stderr)

    def against(self, *arguments):
        result = culprit.run("compare", "--study", self.study, "--json", *arguments)
        self.assertEqual((result.status, result.stderr), (0, ""))
        return json.loads(result.stdout)["against"]

    def add_arm(self, name, generator, runs=RUNS, n=4000, **rule):
        for number in range(1, runs + 1):
            self.add(f"{name}-{number}", bursty(generator, n, **rule))


class Exact(Comparing):
    def test_p_values_are_those_of_scipy(self):
        for number, (name, case) in enumerate(load("digits.json")["cases"].items()):
            sides = []
            for side in ("base", "run"):
                sides.append(f"{side}{number}")
                self.add(sides[-1], (f"{latency} {count}" for first, last, count in case[side]
                                     for latency in range(first, last + 1)), "1us")
            with self.subTest(name):
                found, = self.against("--independent", *sides)
                self.assertAlmostEqual(found["ks"]["d"], case["ks_d"], delta=1e-12)
                if case["ks_method"] == "exact":
                    self.assertTrue(math.isclose(found["ks"]["p"], case["ks_p"], rel_tol=1e-9), found["ks"])
                else:
                    self.assertAlmostEqual(found["ks"]["p"], case["ks_p"], delta=5e-6)
                if case["u_p"] is not None:
                    self.assertTrue(math.isclose(found["mannwhitney"]["p"], case["u_p"], rel_tol=1e-6), found["mannwhitney"])
                self.assertAlmostEqual(found["t"], case["t"], delta=1e-6 * abs(case["t"]))
                self.assertTrue(math.isclose(found["p"], case["p"], rel_tol=1e-6), found["p"])
                for value, end in zip(found["ci95_ns"], (case["low"], case["high"])):
                    self.assertAlmostEqual(value / 1000, end, delta=1e-6 * abs(end) + 1e-9)

    def test_series_that_hardly_vary_are_described(self):
        """Shapes by scipy.special and scipy.optimize in 40 digits' arithmetic of mpmath's digamma."""
        for name, values, unit, shape in (("us", (500, 501), "1us", 1002000.6666665), ("ns", (10000000, 10000001), "1ns", 4.0000004e14)):
            self.add(name, (f"{value} 100" for value in values), unit)
            result = culprit.run("latency", "--study", self.study, "--json", name)
            self.assertEqual((result.status, result.stderr), (0, ""))
            gamma = json.loads(result.stdout)[0]["fits"]["gamma"]
            self.assertTrue(math.isclose(gamma["shape"], shape, rel_tol=1e-7), gamma)
            # Two values in equal parts: all that varies little looks alike in a probability plot.
            normal = json.loads(result.stdout)[0]["fits"]["normal"]
            self.assertAlmostEqual(gamma["ppcc"], normal["ppcc"], delta=1e-6)
            plot = os.path.join(self.folder, "p.svg")
            result = culprit.run("latency", "--study", self.study, name, "--plot", f"probability={plot}", "--fit", "gamma")
            self.assertEqual((result.status, result.stderr), (0, ""))

    def test_a_bound_that_exists_is_shown(self):
        self.add("two", (7000, 9000))
        told = json.loads(culprit.run("latency", "--study", self.study, "--json", "two").stdout)[0]["quantiles"]
        bounds = {quantile["p"]: (quantile["low_ns"], quantile["high_ns"]) for quantile in told}
        self.assertEqual(bounds[0.99], (9000, None))
        self.assertEqual(bounds[0.5], (None, None))
        text = culprit.run("latency", "--study", self.study, "two").stdout
        self.assertRegex(text, r"99 % +9\.0 us +at least 9\.0 us; too few latencies for an upper bound")


class Claims(Comparing):
    def test_single_runs_have_no_p_and_say_why(self):
        generator = random.Random(3)
        self.add("a", bursty(generator, 3000))
        self.add("b", bursty(generator, 3000))
        found, = self.against("a", "b")
        tests = [found, found["mannwhitney"], found["ks"], found["tail"]]
        self.assertEqual([test["p"] for test in tests], [None] * 4)
        for test in tests:
            self.assertIn("six or more runs", test["p_reason"])
        self.assertEqual((found["significant"], found["ci95_ns"], found["units"]), (False, [None, None], None))
        self.assertTrue(all(quantile["low_ns"] is None for quantile in found["quantiles"]))
        self.assertIsNotNone(found["cliffs_delta"])
        self.assertNotRegex(found["in_words"], "distinguishable|differ|heavier|lighter")
        result = culprit.run("compare", "--study", self.study, "--fail-if-worse", "p50=5%", "a", "b")
        self.assertEqual((result.status, len(result.error_lines())), (2, 1))

    def test_what_is_plain_needs_no_further_runs(self):
        self.add("low", [8000 + i for i in range(1000)])
        self.add("high", [300000 + 5 * i for i in range(1000)])
        self.add("crossed", [7000 + 3 * i for i in range(1000)])
        high, crossed = self.against("low", "high", "crossed")
        self.assertEqual(high["answer"], "high against low: 294.0 us more at the median; every quantile is larger; they do not overlap.")
        self.assertIn("needs no further runs", high["in_words"])
        self.assertIn("six or more runs", high["in_words"])
        self.assertNotRegex(crossed["answer"] + crossed["in_words"], "every quantile|overlap|no further runs")

    def test_a_few_latencies_are_not_plain(self):
        self.add("low", [5000, 6000])
        self.add("high", [7000, 8000])
        self.assertNotIn("no further runs", self.against("low", "high")[0]["in_words"])

    def test_six_runs_of_each_are_tested_by_run(self):
        generator = random.Random(8)
        self.add_arm("a", generator)
        self.add_arm("b", generator)
        self.add_arm("c", generator, scale=1.5)
        for run, differs in (("b", False), ("c", True)):
            found, = self.against("a", run)
            self.assertEqual((found["units"], found["base_runs"], found["runs"], found["p_reason"]), ("runs", 6, 6, None))
            self.assertEqual((found["significant"], found["ks"]["significant"]), (differs, differs), run)
        self.assertIn("the distributions differ", found["in_words"])
        # All 924 exchanges of six runs: no p is below two of them.
        self.assertAlmostEqual(found["ks"]["p"], 2 / 924, delta=1e-12)
        for run, status in (("b", 0), ("c", 1)):
            result = culprit.run("compare", "--study", self.study, "--fail-if-worse", "p50=5%", "a", run)
            self.assertEqual(result.status, status, run)

    def test_of_runs_of_unlike_lengths_only_means_are_tested(self):
        generator = random.Random(12)
        self.add_arm("long", generator, n=4000)
        self.add_arm("short", generator, n=1900)
        self.add_arm("alike", generator, n=2000)
        found, alike = self.against("long", "short", "alike")
        self.assertIsNotNone(found["p"])
        for test in (found["ks"], found["mannwhitney"], found["tail"]):
            self.assertIsNone(test["p"])
        self.assertIn("twice as long", found["ks"]["p_reason"])
        self.assertEqual({quantile["p_value"] for quantile in found["quantiles"]}, {None})
        self.assertIn("twice as long", found["in_words"])
        self.assertNotRegex(found["in_words"], "distributions|tail")
        self.assertIsNotNone(alike["ks"]["p"])
        result = culprit.run("compare", "--study", self.study, "--fail-if-worse", "p50=5%", "long", "short")
        self.assertEqual((result.status, len(result.error_lines())), (2, 1))
        self.assertIn("similar length", result.stderr)

    def test_all_that_a_sentence_claims_is_corrected_together(self):
        generator = random.Random(5)
        self.add_arm("a", generator)
        self.add_arm("b", generator)
        self.add_arm("c", generator, scale=1.5)
        both = self.against("a", "b", "c")
        claims = [claim for found in both
                  for claim in [(found["p"], found["corrected_p"]), (found["ks"]["p"], found["ks"]["corrected_p"]),
                                (found["tail"]["p"], found["tail"]["corrected_p"]),
                                *((quantile["p_value"], quantile["corrected_p"]) for quantile in found["quantiles"])]
                  if claim[0] is not None]
        self.assertEqual([found["tests"] for found in both], [len(claims)] * 2)
        most = 0
        for place, (p, corrected) in enumerate(sorted(claims)):
            most = max(most, min(1, p * (len(claims) - place)))
            self.assertAlmostEqual(corrected, most, delta=1e-12)

    def test_a_difference_within_the_margin_is_not_significant(self):
        for run, mean in (("near", 10020), ("far", 10200)):
            found, = self.against("10,2,100000", f"{mean / 1000},2,100000")
            self.assertLess(found["p"], 0.05)
            self.assertEqual((found["relevant"], found["significant"], found["margin_ns"]), (run == "far", run == "far", 100))
        found, = self.against("--margin", "0.1%", "10,2,100000", "10.02,2,100000")
        self.assertEqual((found["significant"], found["margin_ns"]), (True, 10))
        found, = self.against("--margin", "1us", "10,2,100000", "10.2,2,100000")
        self.assertEqual((found["significant"], found["margin_ns"]), (False, 1000))
        for text in ("x", "1", "-1%", "nan%", "%"):
            result = culprit.run("compare", "--study", self.study, "--margin", text, "10,2,10", "11,2,10")
            self.assertEqual((result.status, result.stdout, len(result.error_lines())), (2, "", 1), text)

    def test_intervals_of_quantiles_only_where_both_are_estimable(self):
        generator = random.Random(6)
        for name, n in (("fewest", 19), ("tens", 40), ("few", 300), ("some", 1000), ("many", 5000)):
            self.add(name, (round(generator.lognormvariate(9, 0.4)) for _ in range(n)))
        for base, other, known in (("fewest", "many", []), ("tens", "many", [0.5]), ("few", "many", [0.5, 0.9]), ("some", "many", [0.5, 0.9, 0.99]),
                                   ("many", "many", [0.5, 0.9, 0.99, 0.999])):
            found, = self.against("--independent", base, other)
            self.assertEqual([quantile["p"] for quantile in found["quantiles"] if quantile["low_ns"] is not None], known)
            for quantile in found["quantiles"]:
                self.assertEqual(quantile["p_reason"] is None, quantile["low_ns"] is not None)

    def test_a_sentence_says_of_the_tail_what_its_table_says(self):
        generator = random.Random(7)
        self.add_arm("a", generator, n=8000, rho=0)
        for number in range(1, RUNS + 1):  # of one in 400 the tail is longer, no more of them
            latencies = sorted(bursty(generator, 8000, rho=0))
            self.add(f"b-{number}", (latency + 30000 * (place >= 7980) for place, latency in enumerate(latencies)))
        found, = self.against("a", "b")
        quantile, = [quantile for quantile in found["quantiles"] if quantile["p"] == 0.999]
        self.assertTrue(quantile["significant"])
        self.assertGreater(quantile["low_ns"], 0)
        self.assertIn("the 99.9 % quantile is", found["in_words"])
        self.assertNotIn("tails are not distinguishable", found["in_words"])
        text = culprit.run("compare", "--study", self.study, "a", "b").stdout
        self.assertRegex(text, r"(?m)^  99\.9 % quantile .* yes$")

    def test_too_few_latencies_for_a_tail_have_none(self):
        self.add("a", range(1000, 1090))
        self.add("b", range(1001, 1091))
        found, = self.against("--independent", "a", "b")
        self.assertIsNone(found["tail"]["p"])
        self.assertIn("too few latencies to compare the tails", found["in_words"])
        self.assertNotIn("tail is", found["in_words"])


    def test_a_side_that_is_too_small_has_no_tail(self):
        """Of 12 latencies none is among the highest in 200: that says nothing."""
        generator = random.Random(4)
        self.add("a", (round(generator.lognormvariate(9, 0.4)) for _ in range(5000)))
        self.add("few", (round(generator.lognormvariate(9, 0.4)) for _ in range(12)))
        self.add("enough", (round(generator.lognormvariate(9, 0.4)) for _ in range(400)))
        for base, run, known in (("a", "few", False), ("few", "a", False), ("a", "enough", True)):
            found, = self.against("--independent", base, run)
            self.assertEqual((found["tail"]["p"] is not None, found["tail"]["p_reason"] is None), (known, known), run)
            self.assertEqual("too few latencies to compare the tails" in found["in_words"], not known)

    def test_a_line_that_its_interval_alone_would_call_significant_is_explained(self):
        """An interval without 0 beside "no": the tests are corrected for each other, and what is small is not relevant."""
        result = culprit.run("compare", "--study", self.study, "10,2,100000", "10.02,2,100000")
        self.assertRegex(result.stdout, r"(?m)^  mean +\+0\.020 +\+0\.002 to \+0\.038 .* no$")
        self.assertIn("Intervals and p are for each line by itself", result.stdout)
        result = culprit.run("compare", "--study", self.study, "10,2,100", "10.02,2,100")
        self.assertIn(" no\n", result.stdout)


class Peaks(Comparing):
    def peaks(self, name, counts):
        self.add(name, (f"{latency} {count}" for latency, count in sorted(counts.items())))
        told, = json.loads(culprit.run("latency", "--study", self.study, "--json", name).stdout)
        return told

    def sample(self, generator, n, step, phase):
        counts = {}
        for _ in range(n):
            tick = round(generator.gammavariate(9, 450) / step)
            latency = math.floor(tick * step + phase)
            counts[latency] = counts.get(latency, 0) + 1
        return counts

    def test_a_clock_s_ticks_are_no_peaks(self):
        generator = random.Random(19)
        for number, step in enumerate((52.0833333, 41.6666667, 69.8412698, 18.5185185)):
            told = self.peaks(f"x{number}", self.sample(generator, 400000, step, 0.3 * number))
            with self.subTest(step):
                self.assertEqual(len(told["peaks"]), 1, told["peaks"])
                self.assertAlmostEqual(told["peaks"][0]["ns"], 3600, delta=400)

    def dense_sample(self, generator, n, step, phase, mean, sd):
        """How many of @n latencies each tick of @step has: of a normal distribution, as chance makes them."""
        counts = {}
        for tick in range(round((mean - 6 * sd) / step), round((mean + 6 * sd) / step)):
            expected = n * step / sd / math.sqrt(2 * math.pi) * math.exp(-((tick * step - mean) / sd) ** 2 / 2)
            count = round(generator.gauss(expected, math.sqrt(expected)))
            if count > 0:
                counts[math.floor(tick * step + phase)] = count
        return counts

    def test_a_fast_clock_s_ticks_are_no_peaks(self):
        generator = random.Random(21)
        for number, step in enumerate((2, 1.25, 2.7, 2.5, 3.3333333, 1.6666667, 2.0833333, 4.1666667)):
            told = self.peaks(f"f{number}", self.dense_sample(generator, 2000000, step, 0.3 * number, 5000, 180))
            with self.subTest(step):
                places = [peak["ns"] for peak in told["peaks"] if not peak["weak"]]
                self.assertEqual(len(places), 1, places)
                self.assertAlmostEqual(places[0], 5000, delta=40)

    def test_real_peaks_on_a_fast_clock_s_ticks_are_found(self):
        generator = random.Random(22)
        counts = self.dense_sample(generator, 2000000, 2.5, 0, 5000, 180)
        for latency, count in self.dense_sample(generator, 100000, 2.5, 0, 6500, 40).items():
            counts[latency] = counts.get(latency, 0) + count
        places = [peak["ns"] for peak in self.peaks("x", counts)["peaks"] if not peak["weak"]]
        self.assertEqual(len(places), 2, places)
        self.assertAlmostEqual(places[1], 6500, delta=30)

    def test_real_peaks_on_ticks_are_found(self):
        generator = random.Random(20)
        counts = self.sample(generator, 100000, 52.0833333, 0)
        for _ in range(5000):
            latency = math.floor(round(generator.gauss(20000, 150) / 52.0833333) * 52.0833333)
            counts[latency] = counts.get(latency, 0) + 1
        places = [peak["ns"] for peak in self.peaks("x", counts)["peaks"]]
        self.assertEqual(len(places), 2, places)
        self.assertAlmostEqual(places[1], 20000, delta=200)

    def test_the_only_peak_has_no_other_in_its_tail(self):
        for seed in range(6):
            generator = random.Random(seed)
            counts = {}
            for _ in range(100000):
                latency = round(generator.gammavariate(9, 450))
                counts[latency] = counts.get(latency, 0) + 1
            self.assertEqual(len(self.peaks(f"x{seed}", counts)["peaks"]), 1, seed)


if __name__ == "__main__":
    unittest.main()

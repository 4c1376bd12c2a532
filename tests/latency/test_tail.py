# SPDX-License-Identifier: GPL-3.0-or-later
# The tail: published losses against values of scipy and R's evd, what must not change it, when it is refused, and what
# is said about a deadline.

import json
import math
import os
import random
import re
import sqlite3
import sys
import tempfile
import unittest
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402


def exponential(draw, n, begin_ns=20000, scale_ns=15000):
    return [math.floor(begin_ns + draw.expovariate(1 / scale_ns)) for _ in range(n)]


def poisson(most, mean):
    """The probability of at most @most where @mean are expected."""
    return math.fsum(math.exp(-mean + number * math.log(mean) - math.lgamma(number + 1)) for number in range(most + 1))


def packed(latencies):
    """As the recorder packs them: the gap, always none, and the latency, zigzag and LEB128."""
    out = bytearray()
    for latency in latencies:
        out.append(0)
        number = latency << 1
        while number > 0x7f:
            out.append(number & 0x7f | 0x80)
            number >>= 7
        out.append(number)
    return bytes(out)


class Tail(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")

    def add(self, name, latencies, unit="1ns"):
        path = os.path.join(self.folder, f"{name}.txt")
        with open(path, "w", encoding="ascii") as file:
            file.writelines(f"{latency}\n" for latency in latencies)
        result = culprit.run("import", "--study", self.study, "--unit", unit, path)
        self.assertEqual(result.status, 0, result.stderr)

    def tail(self, name, *options):
        result = culprit.run("tail", "--study", self.study, "--json", name, *options)
        self.assertEqual((result.status, result.stderr), (0, ""))
        found, = json.loads(result.stdout)
        return found

    def tail_of(self, latencies, *options, unit="1ns"):
        self.add("x", latencies, unit)
        return self.tail("x", *options)

    def add_order(self, name, latencies):
        """Stores the order of the wake-ups of the run @name, as that of a recorded one is."""
        with sqlite3.connect(self.study) as study:
            run, = study.execute("SELECT run_id FROM run WHERE name = ?", (name,)).fetchone()
            study.execute("INSERT INTO run_sample VALUES (?, 0, 0, ?, 0, ?)", (run, len(latencies), packed(latencies)))
        study.close()


class Published(Tail):
    def setUp(self):
        super().setUp()
        with open(os.path.join(HERE, "tails.json"), encoding="utf-8") as file:
            self.published = json.load(file)
        self.add("losses", self.published["losses"])

    def assert_close(self, found, expected, tolerance=5e-5):
        self.assertTrue(math.isclose(found, expected, rel_tol=tolerance), f"{found}, not {expected}")

    def assert_estimate(self, found, expected, tolerance=5e-5):
        for key, value in zip(("value", "low", "high"), expected):
            with self.subTest(key=key):
                self.assert_close(found[key], value, tolerance)

    def test_fits_and_profile_likelihood_intervals_are_those_of_scipy(self):
        for threshold, expected in self.published["thresholds"].items():
            for deadline, late in expected["late"].items():
                found = self.tail("losses", "--threshold", threshold, "--deadline", deadline)
                self.assertEqual((found["outcome"], found["exceeding"]), ("fitted", expected["exceeding"]))
                self.assert_estimate(found["shape"], expected["shape"])
                self.assert_estimate(found["scale_ns"], expected["scale_ns"])
                self.assert_estimate(found["late_part"], late)
                levels = {f"{level['once_in']:.0f}": level for level in found["levels"]}
                for once_in, value in expected["levels"].items():
                    level = levels[f"{float(once_in):.0f}"]
                    self.assert_estimate({"value": level["ns"], "low": level["low_ns"], "high": level["high_ns"]}, value)

    def test_fits_are_those_of_evd(self):
        for threshold, expected in self.published["evd_thresholds"].items():
            found = self.tail("losses", "--threshold", threshold)
            self.assert_close(found["shape"]["value"], expected["shape"])
            self.assert_close(found["scale_ns"]["value"], expected["scale_ns"])
            # Its intervals are interpolated.
            self.assert_estimate(found["shape"], (expected["shape"], *expected["shape_interval"]), 2e-4)
            self.assert_estimate(found["scale_ns"], (expected["scale_ns"], *expected["scale_interval_ns"]), 2e-4)


class Unchanged(Tail):
    def assert_similar(self, found, expected, factor, tolerance):
        self.assertEqual((found["outcome"], expected["outcome"]), ("fitted", "fitted"))
        self.assertAlmostEqual(found["shape"]["value"], expected["shape"]["value"], delta=tolerance)
        for one, other in zip(found["levels"], expected["levels"]):
            for key in ("ns", "low_ns", "high_ns", "worst_low_ns", "worst_high_ns"):
                self.assertTrue(math.isclose(one[key], other[key] * factor, rel_tol=tolerance),
                                f"{one['once_in']}: {key} {one[key]}, not {other[key] * factor}")

    def test_latencies_a_thousand_times_as_long_have_a_tail_a_thousand_times_as_long(self):
        latencies = exponential(random.Random(1), 30000, begin_ns=20000000, scale_ns=15000000)
        expected = self.tail_of(latencies)
        self.add("longer", [1000 * latency for latency in latencies])
        self.assert_similar(self.tail("longer"), expected, 1000, 1e-4)

    def test_coarser_bins_change_little(self):
        latencies = exponential(random.Random(2), 30000)
        threshold = "--threshold", "60us"
        expected = self.tail_of(latencies, *threshold)
        self.add("coarser", [latency // 1000 for latency in latencies], unit="1us")
        found = self.tail("coarser", *threshold)
        self.assertEqual(found["exceeding"], expected["exceeding"])
        self.assert_similar(found, expected, 1, 0.02)

    def test_an_exponential_tail_is_told_from_heavy_and_bounded_ones(self):
        draw = random.Random(15)
        for name, shape in (("exponential", 0), ("heavy", 0.5), ("bounded", -0.5)):
            self.add(name, [math.floor(20000 + 15000 * (math.expm1(shape * value) / shape if shape else value))
                            for value in (draw.expovariate(1) for _ in range(50000))])
            found = self.tail(name)["shape"]
            self.assertLess(found["low"], shape)
            self.assertGreater(found["high"], shape)
            self.assertEqual((found["low"] > 0, found["high"] < 0), (shape > 0, shape < 0))


class Refused(Tail):
    def refused(self, latencies, outcome, words, **options):
        found = self.tail_of(latencies, **options)
        self.assertEqual(found["outcome"], outcome)
        self.assertIn(words, found["in_words"])
        self.assertEqual((found["levels"], found["shape"]["value"]), ([], None))
        shown = culprit.run("tail", "--study", self.study).stdout
        self.assertIn("Not predicted", shown)
        return found

    def test_too_few(self):
        self.refused(exponential(random.Random(4), 1500), "few", "only 150 wake-ups are above the last peak and among the latest tenth, and 400")

    def test_equal_latencies(self):
        self.refused([7000] * 50000, "few", "no wake-up is")

    def test_bins_that_are_too_coarse(self):
        draw = random.Random(5)
        self.refused([min(draw.choice((1, 1, 1, 1, 1, 2, 2, 3)) + (draw.random() < 0.12), 4) for _ in range(50000)],
                     "coarse", "finer", unit="1us")

    def test_the_worst_are_a_group_of_their_own(self):
        draw = random.Random(6)
        found = self.refused(exponential(draw, 50000, scale_ns=2000) + [round(draw.gauss(3e6, 2e4)) for _ in range(40)],
                             "group", "the worst 40 wake-ups, at about ")
        self.assertLess(found["exceeding"], 400)

    def test_a_group_has_none_of_those_above_it(self):
        """Of the 150 latest of the sample 123 are in its last peak, eight are 1.3 ms late or more."""
        sample = os.path.join(culprit.ROOT, "data", "sample", "sample.culprit")
        shown = " ".join(culprit.run("tail", "--study", sample, "slides/off-1").stdout.split())
        self.assertIn("Not predicted: 123 wake-ups, at about 32.3 us, are a group of their own", shown)
        self.assertIn("Only 27 lie above that group", shown)

    def test_a_single_one_far_beyond_all_others(self):
        found = self.tail_of(exponential(random.Random(7), 50000, scale_ns=2000) + [30000000])
        self.assertIn(found["outcome"], ("group", "unstable"))

    def test_one_far_beyond_the_few_above_a_threshold(self):
        latencies = sorted(exponential(random.Random(7), 50000, scale_ns=2000))
        found = self.tail_of(latencies + [30000000], "--threshold", f"{latencies[-100]}ns")
        self.assertEqual((found["outcome"], found["exceeding"]), ("group", 101))
        self.assertIn("the worst wake-up, 30.000 ms, is far beyond", found["in_words"])

    def test_a_rare_cause_that_only_the_highest_thresholds_show(self):
        draw = random.Random(8)
        self.refused(exponential(draw, 100000, scale_ns=2000) + exponential(draw, 150, scale_ns=60000), "unstable",
                     "not stable")


class Deadline(Tail):
    def test_longer_tests_are_enough_after_what_was_asked_for(self):
        """As many wake-ups more of the same kind as are said to be needed."""
        draw = random.Random(9)
        latencies = exponential(draw, 20000)
        options = "--threshold", "50us", "--deadline", "300us", "--once-in", "1e6"
        found = self.tail_of(latencies, *options)
        self.assertIn("Not tested long enough for one in 1,000,000", found["deadline_in_words"])
        self.assertGreater(found["late_part"]["high"], 1e-6)
        times = math.ceil(1 + found["more_wakeups"] / len(latencies))
        self.add("longer", latencies * times)
        after = self.tail("longer", *options)
        self.assertLess(after["late_part"]["high"], 1e-6)
        self.assertEqual(after["more_wakeups"], 0)
        self.assertIn("tested long enough", after["deadline_in_words"])
        if times > 2:
            self.add("shorter", latencies * (times - 2))
            self.assertGreater(self.tail("shorter", *options)["late_part"]["high"], 1e-6)

    def test_a_deadline_that_is_missed_more_often(self):
        found = self.tail_of(exponential(random.Random(10), 20000), "--deadline", "150us", "--once-in", "1e6")
        self.assertIsNone(found["more_wakeups"])
        self.assertIn("longer tests will not help", found["deadline_in_words"])

    def test_a_deadline_below_what_is_fitted_that_is_missed_more_often(self):
        found = self.tail_of(exponential(random.Random(10), 20000), "--threshold", "60us", "--deadline", "30us",
                             "--once-in", "10")
        self.assertEqual((found["late_part"]["value"], found["more_wakeups"]), (None, None))
        self.assertIn("longer tests will not help", found["deadline_in_words"])

    def test_how_rare_needs_a_deadline(self):
        self.add("x", [1000, 2000, 3000])
        result = culprit.run("tail", "--study", self.study, "--once-in", "1e8")
        self.assertEqual((result.status, result.stdout), (2, ""))
        self.assertEqual(result.stderr, "culprit: --once-in needs a deadline, and no run has one; give --deadline\n")

    def test_the_end_of_a_bounded_tail(self):
        draw = random.Random(11)
        latencies = [math.floor(20000 + 30000 * (1 - draw.random() ** 0.3)) for _ in range(100000)]
        found = self.tail_of(latencies, "--deadline", "500us", "--once-in", "1e8")
        self.assertEqual((found["late_part"]["value"], found["late_part"]["low"], found["more_wakeups"]), (0, 0, 0))

    def test_without_a_fit_counting_remains(self):
        found = self.tail_of([1000, 2000, 3000], "--deadline", "500us", "--once-in", "1000")
        self.assertEqual((found["outcome"], found["late"]), ("few", 0))
        self.assertAlmostEqual(found["late_counted"]["high"], 1 - 0.025 ** (1 / 3), places=9)
        self.assertAlmostEqual(found["more_wakeups"], math.log(0.025) / math.log1p(-1e-3) - 3, places=3)

    def test_counting_answers_for_a_deadline_that_was_missed(self):
        """By Poisson's distribution: after as many more wake-ups, of which as large a part is late."""
        group = exponential(random.Random(16), 20000, scale_ns=2000) + [3000000] * 10
        told = {}
        for once_in in (100, 1500, 1900, 3000):
            found = told[once_in] = self.tail_of(group, "--deadline", "1ms", "--once-in", str(once_in))
            self.assertEqual((found["outcome"], found["late"], found["late_part"]["value"]), ("group", 10, None))
        self.assertEqual(told[100]["more_wakeups"], 0)
        self.assertRegex(told[100]["deadline_in_words"], r", at most one in [\d,]+ \(95 % interval\)\. That is at most one in 100: tested long "
                                                         r"enough\.")
        self.assertIsNone(told[3000]["more_wakeups"])
        for once_in in (1500, 1900):
            more = told[once_in]["more_wakeups"]
            late = 10 * (1 + more / 20010)
            self.assertLessEqual(poisson(math.floor(late), (20010 + more) / once_in), 0.025)
            self.assertGreaterEqual(poisson(math.ceil(late), (20010 + more) / once_in), 0.025)
            self.assertIn("are needed, if what is measured stays the same.", told[once_in]["deadline_in_words"])
        self.assertGreater(told[1900]["more_wakeups"], told[1500]["more_wakeups"])

    def test_a_histogram_tells_of_no_bursts(self):
        """It has many bins, but too few of them are late."""
        draw = random.Random(3)
        wakeups = Counter(int(draw.lognormvariate(3, 0.45)) // 10 * 10 for _ in range(120_000))
        self.add("x", ["latency_us,count", *(f"{us},{wakeups[us]}" for us in range(0, max(wakeups) + 1, 10))], unit="1us")
        for asked in ((), ("--threshold", "80us")):
            found = self.tail("x", *asked)
            self.assertEqual(found["outcome"], "coarse", found["in_words"])

    def test_what_no_test_can_show_is_not_named(self):
        latencies = exponential(random.Random(17), 50000, scale_ns=2000)
        for deadline, said in (("30us", "predicted is one in "), ("90us", "predicted is less than one in 10^12, which no test can "
                                                                          "show; at most one in "),
                               ("1s", "predicted is, even at most, less than one in 10^12, which no test can show.")):
            words = self.tail_of(latencies, "--deadline", deadline)["deadline_in_words"]
            self.assertIn(said, words)
            self.assertEqual("(95 % interval)" in words, deadline != "1s")
            self.assertFalse(re.search(r"none|10\^(?!12)", words), words)

    def test_what_is_no_time_or_number(self):
        self.add("x", [1, 2])
        for options in (("--deadline", "soon"), ("--threshold", "-1us"), ("--once-in", "1.5"), ("--once-in", "nan"),
                        ("--once-in", "1e300"), ("--csv",)):
            result = culprit.run("tail", "--study", self.study, *options)
            self.assertEqual((result.status, len(result.error_lines())), (2, 1), options)


class Order(Tail):
    def test_bursts_widen_the_intervals(self):
        draw = random.Random(12)
        height, latencies = 1.0, []
        for _ in range(60000):  # the largest of those before, which fade away, and a new one
            height = max(0.8 * height, -0.2 / math.log(draw.random()))
            latencies.append(math.floor(20000 - 15000 * math.log(-math.expm1(-1 / height))))
        self.add("bursts", latencies)
        threshold = "--threshold", "60us"
        unknown = self.tail("bursts", *threshold)
        self.assertIsNone(unknown["extremal_index"])
        self.assertIn("Only a histogram is known", unknown["in_words"])
        self.add_order("bursts", latencies)
        known = self.tail("bursts", *threshold)
        self.assertAlmostEqual(known["extremal_index"], 0.2, delta=0.08)
        self.assertIn("in bursts of about", known["in_words"])
        self.assertLess(known["effective"], known["exceeding"] / 3)
        self.assertEqual(known["shape"]["value"], unknown["shape"]["value"])
        width = [tail["levels"][0]["high_ns"] - tail["levels"][0]["low_ns"] for tail in (unknown, known)]
        self.assertGreater(width[1], 1.7 * width[0])

    def test_independent_ones_are_not_taken_for_bursts(self):
        latencies = exponential(random.Random(13), 60000)
        self.add("x", latencies)
        self.add_order("x", latencies)
        found = self.tail("x")
        self.assertGreater(found["extremal_index"], 0.7)
        self.assertGreater(found["effective"], found["exceeding"] / 3)

    def test_samples_that_are_not_those_of_the_run_are_not_used(self):
        latencies = exponential(random.Random(14), 10000)
        self.add("x", latencies)
        self.add_order("x", latencies[:-1])
        self.assertIsNone(self.tail("x")["extremal_index"])


if __name__ == "__main__":
    unittest.main()

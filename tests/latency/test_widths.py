# SPDX-License-Identifier: GPL-3.0-or-later
# The same latencies as single ones in ns, in cyclictest's microseconds, and in wider bins of rtla: only what is known of
# all of them is said, and no difference between them is found.

import json
import os
import random
import sys
import tempfile
import unittest
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import turns  # noqa: E402

RUNS = 6
WIDTHS = {"ns": None, "us": 1, "ten": 10, "twenty": 20, "fifty": 50}


def latencies(seed, n=8000):
    chance = random.Random(seed)
    return [max(1000, int(chance.gauss(50_000, 9000))) for _ in range(n)]


def saved(samples_ns, width_us):
    if width_us is None:
        return "latency_ns\n" + "".join(f"{ns}\n" for ns in samples_ns)
    counts = Counter(ns // 1000 // width_us * width_us for ns in samples_ns)
    us = [ns // 1000 for ns in samples_ns]
    told = (min(us), sum(us) // len(us), max(us))
    if width_us == 1:
        rows = "".join(f"{us:06} {counts[us]:06}\n" for us in range(max(counts) + 10))
        return (f"# Histogram\n{rows}# Total: {len(us):09}\n# Min Latencies: {told[0]:05}\n# Avg Latencies: {told[1]:05}\n"
                f"# Max Latencies: {told[2]:05}\n# Histogram Overflows: 00000\n")
    rows = "".join(f"{us:<9} {counts[us]:>9}\n" for us in sorted(counts))
    return ("# RTLA timerlat histogram\n# Time unit is microseconds (us)\n# Duration:   0 00:00:01\nIndex   Thr-000\n"
            f"{rows}over: 0\ncount: {len(us)}\nmin: {told[0]}\navg: {told[1]}\nmax: {told[2]}\n")


class Widths(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.study = os.path.join(cls.folder, "s.culprit")
        cls.samples = [latencies(seed) for seed in range(RUNS)]
        paths = []
        for name, width in WIDTHS.items():
            for i, samples in enumerate(cls.samples):
                paths.append(os.path.join(cls.folder, f"{name}-{i + 1}.txt"))
                with open(paths[-1], "w", encoding="ascii") as file:
                    file.write(saved(samples, width))
        result = culprit.run("import", "--study", cls.study, *paths)
        assert result.status == 0, result.stderr

    def asked(self, *arguments, status=0):
        result = culprit.run(*arguments, "--study", self.study, "--json")
        self.assertEqual(result.status, status, result.stderr)
        return json.loads(result.stdout)

    def test_no_claim_tells_the_widths_apart(self):
        """The mean alone is that of cut off microseconds, within their width."""
        for base, other in turns.some([("ns", "us"), ("us", "ns"), ("ns", "ten"), ("us", "ten"), ("us", "fifty"), ("ten", "twenty"),
                                       ("twenty", "fifty")], 4):
            with self.subTest(base=base, other=other):
                told, = self.asked("compare", base, other)["against"]
                self.assertEqual(told["ks"]["d"], 0)
                self.assertEqual(told["tail"]["run"], told["tail"]["base"])
                self.assertNotIn(True, [told[part]["significant"] for part in ("ks", "tail")] + [told["significant"]])
                self.assertEqual({shift["significant"] for shift in told["quantiles"]}, {False})

    def test_no_sentence_tells_single_runs_apart(self):
        names = ("rtla-timerlat-b5", "rtla-timerlat")
        study = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "s.culprit")
        culprit.run("import", "--study", study, *(os.path.join(HERE, "..", "data", "tools", f"{name}.txt") for name in names))
        told = " ".join(culprit.run("compare", "--study", study, *names).stdout.split())
        self.assertIn("rtla-timerlat against rtla-timerlat-b5: no difference at the median beyond the widths of their bins.", told)
        self.assertIn("the means are within the widths of the bins", told)

    def test_bins_of_one_width_tell_no_more_than_these_know(self):
        near, beside = [19_790] * 999 + [90_000], [20_090] * 999 + [91_000]
        study = self.study_of(x=(near, 10), y=(beside, 10))
        told, = json.loads(culprit.run("compare", "--json", "--study", study, "x", "y").stdout)["against"]
        self.assertEqual(told["answer"], "y against x: no difference at the median beyond the widths of their bins.")

    def test_every_quantile_is_larger_only_if_the_lowest_are_too(self):
        floor, fast, slow = [7_000] * 35, [20_000 + 10 * i for i in range(65)], [30_000 + 10 * i for i in range(65)]
        for name, base, other, every in (("equal", floor + fast, floor + slow, None), ("unequal", [5_000] * 35 + fast, floor + slow, "larger"),
                                         ("smaller", floor + slow, [5_000] * 35 + fast, "smaller"), ("mirrored", floor + slow, floor + fast, None),
                                         ("top", fast + [90_000], slow + [90_000], None)):
            for width in (None, 1):
                with self.subTest(name=name, width=width):
                    told, = json.loads(culprit.run("compare", "--json", "--study", self.study_of(x=(base, width), y=(other, width)), "x", "y").stdout)["against"]
                    self.assertEqual("every" in told["answer"], every is not None, told["answer"])
                    self.assertIn(f"every quantile is {every}" if every else "0 us", told["answer"])
        beside = [4_900] * 35 + slow
        told, = json.loads(culprit.run("compare", "--json", "--study", self.study_of(x=([4_100] * 35 + fast, 1), y=(beside, 1)), "x", "y").stdout)["against"]
        self.assertNotIn("every", told["answer"])

    def test_spreads_within_the_widths_are_not_told_apart(self):
        for base, other in (("us", "ten"), ("ten", "fifty")):
            with self.subTest(base=base, other=other):
                self.assertNotIn("middle half", self.asked("compare", base, other)["against"][0]["in_words"])

    def test_quantiles_beyond_the_widths_are_named_where_the_medians_are_alike(self):
        tail = [[ns + 300_000 * (i % 7 == 0) for i, ns in enumerate(samples)] for samples in self.samples]
        runs = {f"few_{i}": (samples, 10) for i, samples in enumerate(tail)}
        study = self.study_of(one=(tail[0], 10), usual=(self.samples[0], 1), **runs,
                              **{f"many_{i}": (samples, 1) for i, samples in enumerate(self.samples)})
        for base, other, verb in (("usual", "one", "one against usual:"), ("many", "few", "few differs from many:")):
            with self.subTest(base=base, other=other):
                told = json.loads(culprit.run("compare", "--json", "--study", study, base, other).stdout)
                self.assertEqual(told["against"][0]["answer"], f"{verb} no difference at the median beyond the widths of their bins; the 90, 99, "
                                                               "99.9 % quantiles are larger.")

    def test_no_limit_finds_one_worse(self):
        for limit in ("p50=0%", "p90=1%", "p99=0%"):
            for base, other in (("ns", "ten"), ("us", "fifty"), ("fifty", "us")):
                with self.subTest(limit=limit, base=base, other=other):
                    self.asked("compare", "--fail-if-worse", limit, base, other)

    def test_a_difference_of_less_than_a_bin_is_none(self):
        """All of one run are in a bin, and a nanosecond later in the next."""
        study = os.path.join(self.folder, "edge.culprit")
        for name, us in (("early", 39), ("late", 41)):
            for i in range(RUNS):
                path = os.path.join(self.folder, f"{name}-{i}.txt")
                with open(path, "w", encoding="ascii") as file:
                    file.write(saved([1000 * us] * 900 + [1000 * (5 + i)] * 100, 10))
                self.assertEqual(culprit.run("import", "--study", study, path).status, 0)
        result = culprit.run("compare", "--fail-if-worse", "p90=5%", "--study", study, "early", "late")
        self.assertEqual(result.status, 0, result.stderr)

    def study_of(self, **runs):
        """Named runs, each of which has samples and a width."""
        study = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "s.culprit")
        for name, (samples, width) in runs.items():
            path = os.path.join(os.path.dirname(study), f"{name.replace('_', '-')}.txt")
            with open(path, "w", encoding="ascii") as file:
                file.write(saved(samples, width))
            self.assertEqual(culprit.run("import", "--study", study, path).status, 0)
        return study

    def test_a_difference_of_more_than_both_bins_is_found(self):
        study = self.study_of(**{f"old_{i}": ([25_000 + i] * 500 + [61_000], 20) for i in range(RUNS)}, **{f"new_{i}": ([75_000 + i] * 500 + [101_000], 50) for i in range(RUNS)})
        result = culprit.run("compare", "--fail-if-worse", "p50=10%", "--study", study, "old", "new")
        self.assertEqual(result.status, 1, result.stderr)

    def test_a_histogram_that_ends_within_the_first_coarse_bin(self):
        """What is below its end tells them apart; of bins as wide as the other's, nothing is below it."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        texts = {"a": "# Histogram\n" + "".join(f"{us:06} 000100\n" for us in range(30)) + "# Total: 000003000\n# Min Latencies: 00000\n"
                      "# Avg Latencies: 00014\n# Max Latencies: 00050\n# Histogram Overflows: 00003\n",
                 "b": "latency_us,count\n" + "".join(f"{us},100\n" for us in range(50, 1501, 50))}
        study = os.path.join(folder, "s.culprit")
        for name, text in texts.items():
            with open(os.path.join(folder, f"{name}.txt"), "w", encoding="ascii") as file:
                file.write(text)
            self.assertEqual(culprit.run("import", "--study", study, os.path.join(folder, f"{name}.txt")).status, 0)
        told, = json.loads(culprit.run("compare", "--json", "--independent", "--study", study, "a", "b").stdout)["against"]
        self.assertGreater(told["ks"]["d"], 0.9)

    def test_widths_within_one_group_are_kept_apart(self):
        mixed = {f"mixed_{i}": (samples, 50 if i == 0 else 1) for i, samples in enumerate(self.samples)}
        study = self.study_of(**mixed, **{f"fine_{i}": (samples, 1) for i, samples in enumerate(self.samples)})
        told, = json.loads(culprit.run("compare", "--json", "--study", study, "fine", "mixed").stdout)["against"]
        self.assertEqual((told["ks"]["d"], told["ks"]["significant"]), (0, False))

    def test_the_shape_is_the_same_in_all_widths(self):
        for base, other in (("us", "ten"), ("ns", "twenty"), ("ten", "us"), ("twenty", "ten")):
            with self.subTest(base=base, other=other):
                told, = self.asked("compare", "--same-shape", base, other)["against"]
                self.assertNotEqual(told["same_shape"]["verdict"], "different")

    def shape_of_peaks(self, places, base, other, scale=1.0, shift=0.0, width=1, drift=0):
        """Of runs with peaks at @places in us, of which the last has the share @base, in the other's @other; the first has
        another share of the rest in each run, and all before the last are elsewhere."""
        chance = random.Random(1)
        runs = {}
        for arm, last in (("a", base), ("b", other)):
            for number in range(10):
                first = chance.gauss(0.5, 0.1)
                moved = chance.gauss(0, drift)
                drawn = [places[-1] if chance.random() < last else places[0] if chance.random() < first else places[1] for _ in range(4000)]
                samples = [chance.gauss(1000 * place, 200) if place == places[-1] else chance.gauss(1000 * (place + moved), 300) for place in drawn]
                runs[f"{arm}_{number}"] = ([int(ns if arm == "a" else ns * scale + 1000 * shift) for ns in samples], width)
        told, = json.loads(culprit.run("compare", "--json", "--same-shape", "--study", self.study_of(**runs), "a", "b").stdout)["against"]
        return told["same_shape"]

    def test_a_peak_beside_another_that_becomes_rarer_is_another_system_in_microseconds_too(self):
        for places, scale, shift in (((3.5, 5.5, 8.5), 1, 0), ((3.5, 6.5, 9.5), 1, 0), ((3.5, 6.5, 9.5), 1.15, 4.3)):
            for width in (None, 1):
                with self.subTest(places=places, scale=scale, width=width):
                    shape = self.shape_of_peaks(places, 0.08, 0.03, scale, shift, width)
                    self.assertEqual(shape["verdict"], "different", shape)
                    self.assertLess(shape["peaks"][-1]["p"], 0.001)

    def test_peaks_of_equal_runs_are_alike_in_microseconds(self):
        shape = self.shape_of_peaks((3.5, 5.5, 8.5), 0.08, 0.08)
        self.assertEqual(shape["verdict"], "same", shape)

    def test_equal_runs_on_another_scale_are_not_different_in_microseconds(self):
        """Their bins are elsewhere once the line is removed."""
        for width, verdict, p_is_known in ((None, "same", True), (1, "inconclusive", False)):
            with self.subTest(width=width):
                shape = self.shape_of_peaks((7.5, 7.5, 17.5), 0.3, 0.3, 1.15, 4.3, width)
                self.assertEqual((shape["verdict"], shape["aligned_ks_p"] is not None), (verdict, p_is_known), shape)
        self.assertIn("where within bins latencies are may account for that: measure with finer bins", shape["in_words"])

    def test_narrow_peaks_are_found_again_a_part_of_a_bin_further_on_or_on_another_scale(self):
        for places, share, scale, shift in (((8, 8, 208), 0.1, 1, 0.5), ((8, 8, 30), 0.1, 1, 0.3), ((8, 8, 208), 0.03, 1, 0.4), ((8, 8, 208), 0.1, 1.1, 3.4)):
            for width, verdict in ((None, "same"), (1, "inconclusive")):
                with self.subTest(places=places, share=share, scale=scale, width=width):
                    shape = self.shape_of_peaks(places, share, share, scale, shift, width)
                    self.assertEqual(shape["verdict"], verdict, shape)
                    self.assertAlmostEqual(shape["scale"], scale, delta=0.01)
        self.assertEqual(self.shape_of_peaks((8, 8, 208), 0.1, 0.13, 1, 0.5)["verdict"], "different")

    def test_distributions_further_apart_than_bins_account_for_are_different(self):
        chance = random.Random(1)
        runs = {f"other_{i}": ([20_000 + int(chance.expovariate(1 / 12_000)) for _ in range(8000)], 2) for i in range(RUNS)}
        study = self.study_of(**{f"base_{i}": (samples, 1) for i, samples in enumerate(self.samples)}, **runs)
        told, = json.loads(culprit.run("compare", "--json", "--same-shape", "--study", study, "base", "other").stdout)["against"]
        self.assertEqual(told["same_shape"]["verdict"], "different")
        self.assertLess(told["same_shape"]["aligned_ks_p"], 0.025)

    def test_a_peak_whose_edge_is_not_known_within_a_bin_is_not_judged(self):
        """Runs of the peak before it differ by as much in the bin between as it has lost."""
        shape = self.shape_of_peaks((2.4, 2.4, 4.5), 0.2, 0.16, drift=0.15)
        self.assertEqual((shape["verdict"], shape["peaks"][-1]["p"]), ("inconclusive", None), shape)
        self.assertIn("depends on where within a bin it begins and ends: measure with finer bins", shape["in_words"])
        self.assertEqual(self.shape_of_peaks((2.4, 2.4, 4.5), 0.2, 0.16, width=None, drift=0.15)["verdict"], "different")

    def test_a_single_bin_is_as_wide_as_what_is_in_it(self):
        study = self.study_of(one=([21_000, 49_000, 97_000] * 100, 100))
        told, = json.loads(culprit.run("latency", "--json", "--study", study, "--deadline", "50us", "--period", "1ms", "one").stdout)
        self.assertEqual((told["lateness"]["late"], told["max_ns"], told["min_ns"]), (300, 97_000, 21_000))

    def test_the_mean_is_one_number(self):
        """The tool's, wherever it is shown."""
        told, = self.asked("compare", "twenty", "ten")["against"]
        mean = sum(sum(ns // 1000 for ns in samples) // len(samples) for samples in self.samples) / RUNS
        self.assertEqual(told["mean_difference_ns"], 0)
        for row in culprit.run("compare", "--study", self.study, "twenty", "ten").stdout.splitlines()[1:3]:
            self.assertEqual(row.split()[1], f"{mean:.3f}")

    def test_what_may_be_late_is_counted(self):
        for deadline_us in (40, 60, 72, 75, 83):
            for name, width in WIDTHS.items():
                with self.subTest(deadline_us=deadline_us, name=name):
                    first_us = deadline_us // width * width if width else deadline_us
                    runs = self.asked("latency", "--deadline", f"{deadline_us}us", "--period", "1ms", name)
                    possible = [sum(ns >= 1000 * first_us for ns in samples) if max(samples) >= 1000 * deadline_us else 0
                                for samples in self.samples]
                    self.assertEqual([run["lateness"]["late"] for run in runs], possible)
        for deadline, told in (("70us", ""), ("76us", ", or may have been, as that is within a bin of the histogram")):
            tail, = self.asked("tail", "--deadline", deadline, "ten-1")
            self.assertGreater(tail["late"], 0)
            self.assertIn(f"wake-ups were{told};", tail["deadline_in_words"])
            latency, = self.asked("latency", "--deadline", deadline, "--period", "1ms", "ten-1")
            self.assertEqual((tail["within_bin"], latency["lateness"]["within_bin"]), (told != "", told != ""))
            text = culprit.run("latency", "--study", self.study, "--deadline", deadline, "--period", "1ms", "ten-1").stdout
            self.assertEqual("(that is within a bin, or above the end)" in text, told != "")

    def test_none_is_late_beyond_the_maximum_that_the_tool_told(self):
        told, = self.asked("latency", "--deadline", "98us", "--period", "1ms", "fifty-1")
        self.assertEqual(told["lateness"]["late"], 0)


if __name__ == "__main__":
    unittest.main()

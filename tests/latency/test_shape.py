# SPDX-License-Identifier: GPL-3.0-or-later
# Whether two systems are one but for a shift and a scale: runs made by known rules, with what the verdict must be; and
# latencies carried from one profile to another, against ranks counted here.

import csv
import io
import json
import math
import os
import random
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402


def make_run(generator, second=16, small=0.03, scale=1.0, shift=0.0, samples=3000):
    """Latencies in us with peaks at 6.5, @second and 27."""
    latencies = []
    for _ in range(samples):
        drawn = generator.random()
        latency = (generator.gauss(27, 0.7) if drawn < small else generator.gauss(second, 0.9) if drawn < small + 0.27
                   else 5.5 + generator.gammavariate(4, 0.4))
        latencies.append(round(latency * scale + shift, 3))
    return latencies


class Shapes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.study = os.path.join(cls.folder, "s.culprit")
        generator = random.Random(1)
        cls.runs = {}
        for arm, count, rule in (("off", 7, {}), ("on", 7, {"scale": 1.1, "shift": 3}),
                                 ("moved", 7, {"second": 19}), ("lost", 7, {"small": 0}), ("few", 3, {}), ("short", 7, {"samples": 1400})):
            for number in range(1, count + 1):
                latencies = make_run(generator, **rule)
                cls.runs.setdefault(arm, []).extend(latencies)
                with open(os.path.join(cls.folder, f"{arm}-{number}.txt"), "w", encoding="ascii") as file:
                    file.writelines(f"{latency:.3f}\n" for latency in latencies)
        files = sorted(name for name in os.listdir(cls.folder) if name.endswith(".txt"))
        result = culprit.run("import", "--study", cls.study, *(os.path.join(cls.folder, name) for name in files))
        assert result.status == 0, result.stderr

    def compare(self, *arguments):
        result = culprit.run("compare", "--study", self.study, "--json", *arguments)
        self.assertEqual(result.status, 0, result.stderr)
        return json.loads(result.stdout)["against"]

    def shape(self, base, other):
        against, = self.compare("--same-shape", base, other)
        return against["same_shape"]

    def test_a_shift_and_a_scale_are_the_same_system_and_the_line_is_told(self):
        shape = self.shape("off", "on")
        self.assertEqual((shape["verdict"], shape["base_runs"], shape["runs"]), ("same", 7, 7))
        self.assertAlmostEqual(shape["scale"], 1.1, delta=0.01)
        self.assertAlmostEqual(shape["shift_ns"], 3000, delta=150)
        self.assertGreater(shape["correlation"], 0.999)
        self.assertLess(shape["aligned_ks_upper"], shape["margin"])
        self.assertEqual(len(shape["peaks"]), 3)
        for peak, (place, share) in zip(shape["peaks"], ((6600, 0.70), (16000, 0.27), (27000, 0.03))):
            self.assertAlmostEqual(peak["base_ns"], place, delta=1000)
            self.assertAlmostEqual(peak["run_ns"], place * 1.1 + 3000, delta=1200)
            self.assertAlmostEqual(peak["base_share"], share, delta=0.01)
            self.assertAlmostEqual(peak["run_share"], share, delta=0.01)

    def test_a_peak_that_moved_is_another_system(self):
        shape = self.shape("off", "moved")
        self.assertEqual(shape["verdict"], "different")
        self.assertLess(shape["aligned_ks_p"], 0.025)

    def test_a_small_peak_that_vanished_is_another_system_and_is_named(self):
        shape = self.shape("off", "lost")
        self.assertEqual(shape["verdict"], "different")
        self.assertLess(shape["peaks"][2]["run_share"], 0.001)
        self.assertIn("holds 0.00 % instead of 3.", shape["in_words"])

    def test_too_few_runs_give_the_line_and_no_verdict(self):
        shape = self.shape("off", "few")
        self.assertEqual((shape["verdict"], shape["runs"], shape["aligned_ks_p"]), ("inconclusive", 3, None))
        self.assertAlmostEqual(shape["scale"], 1, delta=0.02)
        self.assertIn("at least 6 of each", shape["in_words"])

    def test_runs_of_unlike_lengths_give_the_line_and_no_verdict(self):
        shape = self.shape("off", "short")
        self.assertEqual((shape["verdict"], shape["aligned_ks_p"], shape["peaks"]), ("inconclusive", None, []))
        self.assertAlmostEqual(shape["scale"], 1, delta=0.02)
        self.assertIn("twice as long", shape["in_words"])

    def test_the_same_study_gives_the_same_numbers(self):
        self.assertEqual(self.shape("off", "on"), self.shape("off", "on"))

    def test_the_table_has_a_row_for_each_run(self):
        result = culprit.run("compare", "--study", self.study, "--csv", "--same-shape", "off", "on", "lost")
        rows = list(csv.DictReader(io.StringIO(result.stdout)))
        self.assertEqual([(row["base"], row["run"], row["same_shape"]) for row in rows],
                         [("off", "on", "same"), ("off", "lost", "different")])
        self.assertEqual([int(row["n"].split(".")[0]) for row in rows], [21000, 21000])

    def test_a_threshold_is_carried_over_by_its_rank(self):
        off, on = sorted(self.runs["off"]), sorted(self.runs["on"])
        mapped = self.compare("--map", "20us,27us", "off", "on")[0]["mapped"]
        for found, threshold in zip(mapped, (20, 27)):
            p = sum(latency <= threshold for latency in off) / len(off)
            self.assertAlmostEqual(found["p"], p, places=12)
            self.assertAlmostEqual(found["ns"] / 1000, on[round(p * (len(on) - 1))], delta=0.05)
            self.assertLess(found["low_ns"], found["ns"])
            self.assertGreater(found["high_ns"], found["ns"])
        # The band holds what it shall hold, on the other side too.
        share = sum(20 < latency <= 27 for latency in off) / len(off)
        there = sum(mapped[0]["low_ns"] < latency * 1000 <= mapped[1]["high_ns"] for latency in on) / len(on)
        self.assertGreater(there, share - 0.005)

    def test_every_threshold_is_carried_over_however_many_samples_there_are(self):
        study = os.path.join(self.folder, "many.culprit")
        for name in ("base", "other"):
            path = os.path.join(self.folder, f"{name}.txt")
            with open(path, "w", encoding="ascii") as file:
                file.writelines(f"{latency} {1000 + 37 * latency}\n" for latency in range(5, 65))
            culprit.run("import", "--study", study, path)
        for threshold in range(5, 64):
            result = culprit.run("compare", "--study", study, "--json", "--map", f"{threshold}us", "base", "other")
            self.assertEqual(result.status, 0, f"{threshold}: {result.stderr}")
            mapped, = json.loads(result.stdout)["against"][0]["mapped"]
            self.assertAlmostEqual(mapped["ns"], threshold * 1000, delta=1000)
            self.assertLessEqual(mapped["low_ns"], mapped["ns"])
            self.assertLessEqual(mapped["ns"], mapped["high_ns"])

    def test_ticks_of_a_clock_make_no_difference(self):
        """Of a clock of 19.2 MHz, stored in ns: another scale puts its ticks elsewhere."""
        study = os.path.join(self.folder, "ticks.culprit")
        generator = random.Random(1)
        for arm, scale, shift in (("off", 1, 0), ("on", 1.1, 2000)):
            for number in range(1, 7):
                path = os.path.join(self.folder, f"{arm}-{number}.txt")
                with open(path, "w", encoding="ascii") as file:
                    for _ in range(30000):
                        ticks = math.floor((generator.gammavariate(9, 450) * scale + shift) / 52.0833333)
                        file.write(f"{math.floor(ticks * 52.0833333)}\n")
                culprit.run("import", "--study", study, "--unit", "1ns", path)
        result = culprit.run("compare", "--study", study, "--json", "--same-shape", "off", "on")
        against, = json.loads(result.stdout)["against"]
        self.assertEqual((against["same_shape"]["verdict"], len(against["same_shape"]["peaks"])), ("same", 1))
        self.assertAlmostEqual(against["margin_ns"], 52.0833, delta=0.002)

    def test_what_is_no_latency_to_carry_over_is_refused(self):
        for text in ("20", "20us,", "a,b", "20us,30us,40us"):
            result = culprit.run("compare", "--study", self.study, "--map", text, "off", "on")
            self.assertEqual((result.status, len(result.error_lines())), (2, 1), text)


class WithoutTheTracer(unittest.TestCase):
    def test_the_captured_wake_ups_are_a_profile_of_their_own(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        study = os.path.join(folder, "s.culprit")
        data = os.path.join(HERE, "..", "data")
        culprit.import_captures(study, [os.path.join(data, f"count-{number}.dat") for number in (1, 2, 3)], run_name="on")
        latencies = [row["ns"] for row in culprit.rows(study, "SELECT latency_ns - tracing_ns AS ns FROM window")]
        table = os.path.join(folder, "off.txt")
        with open(table, "w", encoding="ascii") as file:
            file.write("10 500\n11 400\n12 10\n")
        culprit.run("import", "--study", study, table)
        result = culprit.run("compare", "--study", study, "--json", "--untraced", "off", "on")
        self.assertEqual(result.status, 2, "the run has captures, but no latencies of its own")
        culprit.run("import", "--study", study, "--run", "later", table)
        result = culprit.run("latency", "--study", study, "--untraced", "--json", "on")
        profile, = json.loads(result.stdout)
        self.assertEqual(profile["n"], len(latencies))
        self.assertEqual((profile["min_ns"], profile["max_ns"]), (min(latencies), max(latencies)))


if __name__ == "__main__":
    unittest.main()

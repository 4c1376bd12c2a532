# SPDX-License-Identifier: GPL-3.0-or-later
# What Culprit says about the lab's captures against what the fault module counted and what cyclictest measured without
# tracing.

import glob
import os
import statistics
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import study_rows  # noqa: E402

DATA = os.path.join(HERE, "..", "data")


def is_coarse(true):
    """Whether the clock ticks every 16 ns only: the floors of the tracer's cost are low by so much, event by event."""
    return true["kernel"].endswith("-arm64")


def truth(name):
    with open(os.path.join(DATA, name[:-len(".dat")] + ".truth"), encoding="ascii") as file:
        return dict(line.rstrip("\n").split(": ", 1) for line in file)


class Truth(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            study = os.path.join(folder, "s.culprit")
            result = culprit.run("import", "--study", study, *sorted(glob.glob(os.path.join(DATA, "*.dat"))))
            assert result.status == 0, result.stderr
            cls.rows = study_rows.by_file(study)
            cls.functions = {name: culprit.run("functions", "--study", study, "--csv", "--capture", name).stdout
                             for name in cls.rows if name.startswith("count")}

    def check_each(self, prefixes, check):
        for name, rows in self.rows.items():
            if name.startswith(prefixes):
                with self.subTest(name):
                    check(truth(name), rows, name)

    @staticmethod
    def windows(rows, kind):
        return [row for row in rows["window"] if row["kind"] == kind]

    def test_the_marker_is_the_latency(self):
        def check(true, rows, _):
            self.assertEqual([row["latency_ns"] for row in self.windows(rows, "outlier")],
                             [int(true["marker_latency_us"]) * 1000])
        self.check_each(("count", "switch", "cost", "blind", "none", "wall"), check)

    def test_the_window_begins_when_the_wake_up_was_expected(self):
        def check(true, rows, _):
            start, = (row["start_ns"] for row in self.windows(rows, "outlier"))
            self.assertLess(abs(start - int(true["fault_expected_ns"])), 2000)
        self.check_each(("count", "switch", "cost", "blind"), check)

    def test_the_guilty_function_was_called_as_often_as_it_counted(self):
        def check(true, rows, _):
            calls = sum(row["calls"] for row in rows["outlier_node"] if row["depth"] and row["path"][2][-1][0] == true["fault"])
            self.assertEqual(calls, int(true["fault_calls_in_window"]))
        self.check_each(("count", "switch", "cost", "wall"), check)

    def test_the_guilty_function_stands_first(self):
        for name, table in self.functions.items():
            with self.subTest(name):
                self.assertEqual(table.splitlines()[1].split(",")[0], "qh_completions")

    def test_without_tracing_an_outlier_is_as_late_as_its_fault(self):
        """Within 5 % of the fault's own time and an ordinary wake-up; 6 % by a coarse clock."""
        def check(true, rows, _):
            outlier, = self.windows(rows, "outlier")
            untraced_us = (outlier["latency_ns"] - outlier["tracing_ns"]) / 1000
            expected_us = int(true["fault_in_window_ns"]) / 1000 + int(true["untraced_median_us"])
            self.assertLess(abs(untraced_us - expected_us) / expected_us, 0.06 if is_coarse(true) else 0.05)
        self.check_each(("count", "switch", "cost", "blind"), check)

    def test_without_tracing_ordinary_wake_ups_are_as_late_as_untraced_ones(self):
        """Within 6 us, by the median, 12 us by a coarse clock. Not where sched_switch events were recorded too: their cost has no floor."""
        def check(true, rows, name):
            untraced = [row["latency_ns"] - row["tracing_ns"] for row in self.windows(rows, "ordinary")]
            if untraced or name != "blind-1.dat":  # its hit was the first cycle
                off_us = abs(statistics.median(untraced) / 1000 - int(true["untraced_median_us"]))
                self.assertLess(off_us, 12 if is_coarse(true) else 6)
        self.check_each(("count", "cost", "blind", "none"), check)

    def test_a_blind_stall_lies_in_its_window(self):
        def check(true, rows, _):
            stall, = rows["stall"]
            self.assertLess(abs(stall["length_ns"] - int(true["fault_ns"])), 5000)
        self.check_each(("blind",), check)

    def test_a_given_period_and_an_inferred_one_give_the_same_windows(self):
        with tempfile.TemporaryDirectory() as folder:
            study = os.path.join(folder, "s.culprit")
            names = [name for name in self.rows if name.startswith(("count", "cost", "wall"))]
            culprit.import_captures(study, [os.path.join(DATA, name) for name in names], "5ms")
            given = study_rows.by_file(study)
        for name in names:
            self.assertEqual([(row["start_ns"], row["end_ns"]) for row in given[name]["window"]],
                             [(row["start_ns"], row["end_ns"]) for row in self.rows[name]["window"]], name)

    def test_without_a_marker_there_are_functions_but_no_windows(self):
        rows = self.rows["no-marker-1.dat"]
        self.assertEqual(rows["window"], [])
        self.assertIn("marker", rows["capture"][0]["no_windows"])
        self.assertGreater(len(rows["capture_function"]), 100)


if __name__ == "__main__":
    unittest.main()

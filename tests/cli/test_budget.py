# SPDX-License-Identifier: GPL-3.0-or-later
# Where the time of a late wake-up went: untraced times first, the tracer's share as a separate part, and whatever is
# shown adds up to the latency, to the nanosecond.

import json
import os
import re
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

from culprit import import_captures, rows, run  # noqa: E402

DATA = os.path.join(HERE, "..", "data")
SMALLEST = 0.005  # of the latency, that a part has for itself
TREE_ROUNDING_US = 0.1  # of a number with one decimal, and of the one that it is compared with


def first_table(text):
    """The rows of the budget: function -> the number in each column of a title, "-" as None."""
    lines = text.partition("Where the time went")[2].split("\n\n")[1].splitlines()
    titles = re.split(r"\s{2,}", lines[0].strip())[2:]
    found = []
    for line in lines[1:]:
        cells = re.split(r"\s{2,}", line.strip())
        numbers = [None if cell == "-" else float(cell) for cell in cells[-len(titles):]]
        found.append((cells[-len(titles) - 1], dict(zip(titles, numbers))))
    return found


def tree_lines(text):
    """The rows of the call tree: depth, name, the first column of times in us."""
    lines = text.partition("Call tree")[2].split("\n\n")[1].splitlines()
    for line in lines[1:]:
        indent, name, time = re.match(r"( *)(\S.*?) {2,}(\S+)", line).groups()
        yield len(indent) // 2, name, 0 if time == "-" else float(time)


def time_of(row, title):
    """What stands in the column of times with this title, in ns."""
    unit, ns = next((unit, ns) for unit, ns in (("us", 1e3), ("ms", 1e6)) if f"{title} {unit}" in row)
    return round(row[f"{title} {unit}"] * ns)


class Budget(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        home = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.study = os.path.join(home, "s.culprit")
        names = sorted(os.path.join(DATA, name) for name in os.listdir(DATA) if name.endswith(".dat"))
        result = import_captures(cls.study, names)
        assert result.status == 0, result.stderr
        cls.outliers = json.loads(run("outliers", "--study", cls.study, "--json").stdout)
        assert len(cls.outliers) > 10

    def show(self, capture, *options):
        result = run("show", "--study", self.study, str(capture), *options)
        self.assertEqual((result.status, result.stderr), (0, ""))
        return result.stdout

    def window(self, capture):
        return rows(self.study, f"SELECT * FROM window WHERE kind = 'outlier' AND capture_id = {capture}")[0]


class Json(Budget):
    def test_untraced_parts_and_tracing_add_up_to_the_latency(self):
        for outlier in self.outliers:
            parts = outlier["budget"]
            self.assertEqual(outlier["tracing_ns"], self.window(outlier["capture"])["tracing_ns"])
            self.assertEqual(sum(part["untraced_ns"] for part in parts) + outlier["tracing_ns"], outlier["latency_ns"])
            self.assertEqual(sum(part["tracing_ns"] for part in parts), outlier["tracing_ns"])
            self.assertEqual([part["untraced_ns"] for part in parts],
                             [part["self_ns"] - part["tracing_ns"] for part in parts])

    def test_what_took_most_without_the_tracer_comes_first(self):
        for outlier in self.outliers:
            times = [part["untraced_ns"] for part in outlier["budget"]]
            self.assertEqual(times, sorted(times, reverse=True))


class Text(Budget):
    def test_the_cost_of_tracing_its_callees_does_not_make_a_caller_look_guilty(self):
        shown = first_table(self.show("count-2.dat"))
        self.assertEqual(shown[0][0], "qh_completions")
        self.assertNotIn("ehci_work", [name for name, _ in shown])
        own, = (part for outlier in self.outliers if outlier["file"].endswith("count-2.dat")
                for part in outlier["budget"] if part["function"] == "ehci_work")
        self.assertLess(own["untraced_ns"], 20000)
        self.assertGreater(own["self_ns"], 500000)

    def test_the_parts_shown_add_up_to_the_latency(self):
        for outlier in self.outliers:
            for options in ((), ("--all",)):
                with self.subTest(capture=outlier["file"], options=options):
                    shown = first_table(self.show(outlier["capture"], *options))
                    times = [time_of(row, "untraced") for _, row in shown]
                    self.assertEqual(sum(times), outlier["latency_ns"])
                    self.assertEqual((shown[-1][0], times[-1]), ("[tracing]", outlier["tracing_ns"]))

    def test_traced_times_are_one_option_away_and_add_up_too(self):
        for outlier in self.outliers:
            with self.subTest(capture=outlier["file"]):
                shown = first_table(self.show(outlier["capture"], "--traced"))
                self.assertNotIn("[tracing]", [name for name, _ in shown])
                self.assertEqual(sum(time_of(row, "own") for _, row in shown), outlier["latency_ns"])
        self.assertEqual([name for name, _ in first_table(self.show("count-2.dat", "--traced"))][:2],
                         ["qh_completions", "ehci_work"])

    def test_small_parts_are_taken_together_and_no_other(self):
        for outlier in self.outliers:
            for options, title in (((), "untraced"), (("--traced",), "own")):
                shown = first_table(self.show(outlier["capture"], *options))
                parts = [time_of(row, title) for name, row in shown if name[0] != "(" and name != "[tracing]"]
                key = "self_ns" if options else "untraced_ns"
                large = sum(part[key] >= outlier["latency_ns"] * SMALLEST for part in outlier["budget"])
                self.assertEqual(len(parts), large)
                self.assertEqual(parts, sorted(parts, reverse=True))
                together = [re.fullmatch(r"\((\d+) smaller parts?\)", name)[1] for name, _ in shown if name[0] == "("]
                self.assertEqual(sum(map(int, together)), len(outlier["budget"]) - large)

    def test_the_call_tree_is_ordered_by_untraced_time_with_tracing_at_its_end(self):
        for outlier in self.outliers:
            with self.subTest(capture=outlier["file"]):
                lines = list(tree_lines(self.show(outlier["capture"])))
                tasks = [time for depth, _, time in lines if depth == 0]
                self.assertEqual(lines[-1][1], "[tracing]")
                self.assertEqual(tasks[:-1], sorted(tasks[:-1], reverse=True))
                self.assertAlmostEqual(tasks[-1], outlier["tracing_ns"] / 1e3, delta=TREE_ROUNDING_US)
                self.assertAlmostEqual(sum(tasks), (outlier["latency_ns"] - outlier["not_captured_ns"]) / 1e3,
                                       delta=len(tasks) * TREE_ROUNDING_US)

    def test_csv_and_json_are_the_whole_budget_whatever_is_shown(self):
        plain, traced = (self.show("count-2.dat", "--csv", *options).splitlines() for options in ((), ("--traced",)))
        self.assertEqual(plain, traced)
        self.assertEqual(len(plain) - 1, next(len(outlier["budget"]) for outlier in self.outliers
                                              if outlier["file"].endswith("count-2.dat")))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# Late wake-ups merged by call path, against sums of the rows of the study that share no code with the program: the
# sample, captures of every kind, and random studies of several populations with ignored captures.

import collections
import json
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import unittest
from contextlib import closing
from fractions import Fraction

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), HERE]

import culprit  # noqa: E402
import many  # noqa: E402
import random_study  # noqa: E402

SAMPLE = os.path.join(culprit.ROOT, "data", "sample", "sample.culprit")
SEEDS = int(os.environ.get("CULPRIT_SEEDS", "60"))
OWN_BASE = 30  # ordinary wake-ups, from which on a capture is compared with its own
EVIL = "a;bc 7 <b>\u202e"


class Naive:
    """What each path costs, in exact numbers. A path is its (context, source) and then its functions."""

    def __init__(self, study, run=None, captures=None, base=None):
        with closing(sqlite3.connect(study)) as database:
            self.database = database
            self.paths = self.read_paths()
            late = self.select(run, captures)
            if base and not run and not captures:  # None is compared with itself, if there are others.
                others = self.select(base)
                late = {key: value for key, value in late.items() if key not in others} or late
            weights = dict.fromkeys(self.select(base), Fraction(1)) if base else self.weigh(late)
            based = len(weights) if base else self.based_on
            self.late, self.base_wake_ups = len(late), based
            self.own, self.calls, self.captures = collections.Counter(), collections.Counter(), collections.defaultdict(set)
            self.base_own, self.base_calls = collections.Counter(), collections.Counter()
            for capture, node, calls, own in self.rows("outlier_node JOIN window USING (window_id)"):
                if capture in late:
                    self.own[self.paths[node]] += own
                    self.calls[self.paths[node]] += calls
                    for path in self.above(self.paths[node]):
                        self.captures[path].add(capture)
            for capture, node, calls, own in self.rows("outlier_node JOIN window USING (window_id)" if base else "ordinary_node"):
                if weight := weights.get(capture):
                    self.base_own[self.paths[node]] += own * weight / based
                    self.base_calls[self.paths[node]] += calls * weight / based

    @staticmethod
    def above(path):
        return [path[:length] for length in range(len(path) + 1)]

    def read_paths(self):
        paths = {}
        for node, parent, context, source, name, ordinal in self.database.execute(
                "SELECT node_id, parent_id, context, source, name, ordinal FROM node LEFT JOIN function USING (function_id) ORDER BY depth"):
            own = (context, source) if parent is None else name + (f"#{ordinal + 1}" if ordinal else "")
            paths[node] = (own,) if parent is None else (*paths[parent], own)
        return paths

    def rows(self, table):
        return self.database.execute(f"SELECT capture_id, node_id, calls, self_ns - {table.split()[0]}.tracing_ns FROM {table}").fetchall()

    def select(self, run=None, captures=None):
        """capture -> (its ordinary wake-ups, its population, whether it counts there)."""
        return {capture: (ordinary, (host, kernel, series), triage != "ignored")
                for capture, ordinary, name, series, host, kernel, triage in self.database.execute(
                    "SELECT capture_id, ordinary_windows, run.name, series.name, host.name, host.kernel, triage FROM window "
                    "JOIN capture USING (capture_id) JOIN run USING (run_id) JOIN series USING (series_id) "
                    "JOIN host ON host.host_id = capture.host_id WHERE kind = 'outlier'")
                if (run in (None, name, series)) and (capture in captures if captures else triage != "ignored")}

    def weigh(self, late):
        """Each late wake-up weighs as much as any other; it is compared with the mean of its capture's or its population's."""
        self.based_on = 0
        weights = collections.Counter()
        for capture, (ordinary, population, _) in late.items():
            base = {capture: ordinary} if ordinary >= OWN_BASE else {
                other: n for other, (n, its, counts) in late.items() if its == population and counts}
            if total := sum(base.values()):
                self.based_on += 1
                for other in base:
                    weights[other] += Fraction(1, total)
        return weights

    def expected(self):
        """path -> (late wake-ups, calls, own, total, calls, own and total of the base)."""
        total, base_total = collections.Counter(), collections.Counter()
        for counter, own in ((total, self.own), (base_total, self.base_own)):
            for path, ns in own.items():
                for above in self.above(path):
                    counter[above] += ns
        paths = {above for path in (*self.captures, *self.base_own) for above in self.above(path)}
        return {path: (len(self.captures.get(path, ())), self.calls[path], self.own[path], total[path], self.base_calls[path],
                       self.base_own[path], base_total[path]) for path in paths}


class Flame(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")

    def use_sample(self, *statements):
        shutil.copy(SAMPLE, self.study)
        with closing(sqlite3.connect(self.study)) as database, database:
            for statement, *values in statements:
                database.execute(statement, values)

    def ask(self, *arguments):
        result = culprit.run("flame", "--study", self.study, *arguments)
        self.assertEqual((result.status, result.stderr), (0, ""))
        return result.stdout

    def nodes(self, *arguments):
        """path -> its row."""
        paths, found = {None: None}, {}
        for row in json.loads(self.ask(*arguments, "--json")):
            paths[row["node"]] = () if row["parent"] is None else (
                *paths[row["parent"]], (row["context"], row["name"]) if row["depth"] == 1 else row["name"])
            self.assertNotIn(paths[row["node"]], found)
            found[paths[row["node"]]] = row
        return found

    def assert_same(self, naive, *arguments):
        found, expected = self.nodes(*arguments), naive.expected()
        self.assertEqual(set(found), set(expected) if naive.late else set())
        for path, row in found.items():
            late, calls, own, total, base_calls, base_own, base = expected[path]
            with self.subTest(path=path):
                self.assertEqual((row["late"], row["calls"], row["own_ns"], row["total_ns"]), (late, calls, own, total))
                self.assertAlmostEqual(row["calls_mean"], calls / naive.late)
                self.assertLess(abs(row["mean_ns"] - Fraction(total, naive.late)), 1)
                if not naive.base_wake_ups:
                    self.assertEqual((row["base"], row["difference_ns"]),
                                     ({"calls_mean": None, "own_mean_ns": None, "mean_ns": None}, None))
                    continue
                self.assertAlmostEqual(row["base"]["calls_mean"], float(base_calls))
                self.assertLess(abs(row["base"]["own_mean_ns"] - base_own), 1)
                self.assertLess(abs(row["base"]["mean_ns"] - base), 1)
                self.assertLess(abs(row["difference_ns"] - (Fraction(total, naive.late) - base)), 1)
        return found

    def assert_adds_up(self, found):
        below = collections.Counter()
        for path, row in found.items():
            if path:
                below[path[:-1]] += row["total_ns"]
        for path, row in found.items():
            self.assertEqual(row["total_ns"], row["own_ns"] + below[path], path)

    def test_the_sample(self):
        self.use_sample()
        found = self.assert_same(Naive(self.study))
        self.assert_adds_up(found)
        latencies = culprit.rows(self.study, "SELECT SUM (latency_ns - tracing_ns) AS ns FROM window WHERE kind = 'outlier'")
        self.assertEqual(found[()]["total_ns"], latencies[0]["ns"])

    def test_some_of_it(self):
        self.use_sample()
        self.assert_same(Naive(self.study, run="slides/on-1"), "--run", "slides/on-1")
        self.assert_same(Naive(self.study, captures={3}), "--capture", "3")
        late = {row["capture_id"] for row in culprit.rows(
            self.study, "SELECT capture_id FROM window WHERE kind = 'outlier' AND latency_ns > 1000000")}
        self.assert_same(Naive(self.study, captures=late), "--where", "latency_ns > 1000000")

    def test_a_run_against_another(self):
        self.use_sample()
        for base, late in (("firmware", 8), ("slides/on-1", 5)):
            found = self.assert_same(Naive(self.study, base=base), "--base", base)
            self.assertEqual(found[()]["late"], late)
        found = self.assert_same(Naive(self.study, run="slides/on-1", base="firmware"), "--run", "slides/on-1", "--base", "firmware")
        self.assertTrue(any(row["late"] == 0 for row in found.values()), "what only the base has is there too")

    def test_ignored_captures_are_left_out_unless_named(self):
        self.use_sample(("UPDATE capture SET triage = 'ignored' WHERE capture_id IN (2, 3)",))
        self.assertEqual(self.assert_same(Naive(self.study))[()]["late"], 11)
        self.assert_same(Naive(self.study, captures={3}), "--capture", "3")

    def test_captures_of_every_kind(self):
        shutil.copy(many.make_base(self.folder), self.study)
        self.assert_adds_up(self.assert_same(Naive(self.study)))

    def test_random_studies(self):
        empty = random_study.make_empty(self.folder)
        for seed in range(SEEDS):
            with self.subTest(seed=seed):
                random_study.fill(random.Random(seed), empty, self.study)
                self.assert_adds_up(self.assert_same(Naive(self.study)))
                base = culprit.rows(self.study, "SELECT MAX (name) AS run FROM run")[0]["run"]
                self.assert_same(Naive(self.study, run="run1", base=base), "--run", "run1", "--base", base)

    def test_folded_stacks_are_the_own_times(self):
        self.use_sample()
        lines = [line.rpartition(" ") for line in self.ask().splitlines()]
        expected = collections.Counter()
        for path, row in self.nodes().items():
            if row["own_ns"]:
                expected[";".join((path[0][1], *path[1:]))] += row["own_ns"]
        found = collections.Counter()
        for path, _, ns in lines:
            found[path] += int(ns)
        self.assertEqual(found, expected)

    def test_names_cannot_break_lines_or_paths(self):
        self.use_sample(("UPDATE function SET name = name || ?", EVIL), ("UPDATE node SET source = source || ? WHERE depth = 0", EVIL))
        lines = self.ask().splitlines()
        self.use_sample()
        plain = self.ask().splitlines()
        self.assertEqual([line.rpartition(" ")[2] for line in sorted(lines, key=lambda line: int(line.rpartition(" ")[2]))],
                         [line.rpartition(" ")[2] for line in sorted(plain, key=lambda line: int(line.rpartition(" ")[2]))])
        self.assertEqual(sorted(line.count(";") for line in lines), sorted(line.count(";") for line in plain))
        self.assertFalse(any("\u202e" in line for line in lines))

    def test_a_run_that_is_not_there_is_named(self):
        self.use_sample()
        for option in ("--run", "--base"):
            result = culprit.run("flame", "--study", self.study, option, "nobody's")
            self.assertEqual((result.status, len(result.error_lines())), (2, 1))
            self.assertIn("nobody's", result.stderr)

    def test_without_late_wake_ups_there_is_nothing(self):
        self.use_sample(("UPDATE capture SET triage = 'ignored'",))
        self.assertEqual(self.ask(), "")
        self.assertEqual(json.loads(self.ask("--json")), [])


if __name__ == "__main__":
    unittest.main()

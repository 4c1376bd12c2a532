# SPDX-License-Identifier: GPL-3.0-or-later
# Real captures of the lab, judged again from the study's rows by a naive version of the definitions: excesses, shares,
# classes; sums that must come out; and the truth that the lab wrote down.

import contextlib
import json
import os
import shutil
import sqlite3
import statistics
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402

DATA = os.path.join(HERE, "..", "data")
OWN_BASE = 30
TRUTH = {"count": ("qh_completions", "called-too-often"), "cost": ("scan_periodic", "took-too-long"),
         "blind": ("blind stall", "blind-stall"), "none": (None, "tracing"), "switch": ("qh_completions", "called-too-often"),
         "wall-1": ("qh_completions", "called-too-often"), "wall-rt": ("scan_periodic", "took-too-long")}


class Naive(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.study = os.path.join(cls.enterClassContext(tempfile.TemporaryDirectory()), "s.culprit")
        # Each of the lab's faults was a series of its own.
        for scene in TRUTH:
            files = sorted(name for name in os.listdir(DATA) if name.endswith(".dat") and name.startswith(scene))
            result = culprit.import_captures(cls.study, [os.path.join(DATA, name) for name in files], run_name=scene)
            assert result.status == 0, result.stderr
        cls.outliers = json.loads(culprit.run("outliers", "--study", cls.study, "--json").stdout)
        cls.windows = culprit.rows(cls.study, "SELECT capture_id AS capture, kind, latency_ns - tracing_ns AS own FROM window")

    def own(self, capture, kind):
        return [window["own"] for window in self.windows if (window["capture"], window["kind"]) == (capture, kind)]

    def test_the_excess_is_what_the_outlier_has_more_than_its_ordinary_wake_ups(self):
        compared = 0
        for outlier in self.outliers:
            ordinary = self.own(outlier["capture"], "ordinary")
            if len(ordinary) < OWN_BASE:
                continue
            excess = self.own(outlier["capture"], "outlier")[0] - statistics.fmean(ordinary)
            self.assertAlmostEqual(outlier["excess_ns"], excess, delta=0.51)
            compared += 1
        self.assertGreaterEqual(compared, 8)

    def test_the_culprit_s_share_is_its_part_of_the_excess(self):
        for outlier in self.outliers:
            if outlier["class"] not in ("called-too-often", "took-too-long"):
                continue
            capture = outlier["capture"]
            name = outlier["culprit"]
            own = sum(row["own"] for row in culprit.rows(self.study, (
                "SELECT SUM (self_ns - outlier_node.tracing_ns) AS own FROM outlier_node JOIN window USING (window_id) "
                f"JOIN node USING (node_id) JOIN function USING (function_id) WHERE capture_id = {capture} AND name = '{name}'")))
            base = culprit.rows(self.study, "SELECT IFNULL (SUM (self_ns - tracing_ns), 0) AS own FROM ordinary_node "
                                            "JOIN node USING (node_id) JOIN function USING (function_id) "
                                            f"WHERE capture_id = {capture} AND name = '{name}'")[0]["own"]
            windows = len(self.own(capture, "ordinary"))
            if windows >= OWN_BASE:
                self.assertAlmostEqual(outlier["share"], (own - base / windows) / outlier["excess_ns"], places=6)

    def test_each_capture_has_the_class_and_the_culprit_that_the_lab_made(self):
        for outlier in self.outliers:
            name = os.path.basename(outlier["file"])
            truth, = [TRUTH[key] for key in TRUTH if name.startswith(key)]
            self.assertEqual((outlier["culprit"], outlier["class"]), truth, name)

    def test_the_table_of_functions_adds_up(self):
        rows = json.loads(culprit.run("functions", "--study", self.study, "--json").stdout)
        self.assertAlmostEqual(sum(row["variance_share"] for row in rows), 1, places=9)
        own = {kind: [window["own"] for window in self.windows if window["kind"] == kind] for kind in ("outlier", "ordinary")}
        difference = statistics.fmean(own["outlier"]) - statistics.fmean(own["ordinary"])
        # Each is rounded to a nanosecond.
        self.assertAlmostEqual(sum(row["excess_ns"] for row in rows), difference, delta=len(rows))
        for row in rows:
            self.assertAlmostEqual(row["count_part_ns"] + row["cost_part_ns"], row["excess_ns"], delta=1.01)
        shares = [row["variance_share"] for row in rows]
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertEqual({rows[0]["function"], rows[1]["function"]}, {"qh_completions", "scan_periodic"})

    def test_the_share_of_variance_is_a_covariance(self):
        """Window by window, of what the study still knows so: the outliers'."""
        name = "qh_completions"
        row, = [row for row in json.loads(culprit.run("functions", "--study", self.study, "--json").stdout)
                if row["function"] == name]
        sums = culprit.rows(self.study, "SELECT SUM (self_ns - tracing_ns) AS s, (SELECT SUM (intrinsic_untraced) FROM ordinary_part "
                                        f"JOIN function USING (function_id) WHERE name = '{name}') AS p FROM ordinary_node "
                                        f"JOIN node USING (node_id) JOIN function USING (function_id) WHERE name = '{name}'")[0]
        late = culprit.rows(self.study, "SELECT SUM (self_ns - outlier_node.tracing_ns) AS s, latency_ns - window.tracing_ns AS l "
                                        "FROM outlier_node JOIN window USING (window_id) JOIN node USING (node_id) "
                                        f"JOIN function USING (function_id) WHERE name = '{name}' GROUP BY window_id")
        n = len(self.windows)
        mean = statistics.fmean(window["own"] for window in self.windows)
        product = (sums["p"] + sum(one["s"] * one["l"] for one in late)) / n
        self_mean = (sums["s"] + sum(one["s"] for one in late)) / n
        variance = statistics.pvariance([window["own"] for window in self.windows])
        self.assertAlmostEqual(row["variance_share"], (product - self_mean * mean) / variance, places=9)

    def test_the_parts_of_sources_are_those_of_the_budget(self):
        parts, sources = (culprit.rows(self.study, "SELECT capture_id, context, SUM (self_ns) AS s, SUM (tracing_ns) AS t "
                                                   f"FROM {view} GROUP BY 1, 2 ORDER BY 1, 2") for view in ("budget", "source"))
        self.assertEqual(parts, sources)
        self.assertEqual(len({row["capture_id"] for row in sources}), len(self.outliers))

    def test_each_path_leads_to_its_node(self):
        paths = culprit.rows(self.study, "SELECT path, source, depth, name FROM path JOIN node USING (node_id) "
                                         "LEFT JOIN function USING (function_id)")
        self.assertEqual(len(paths), culprit.rows(self.study, "SELECT COUNT (*) AS n FROM node")[0]["n"])
        for row in paths:
            calls = row["path"].split(" > ")
            self.assertEqual((calls[0], len(calls), calls[-1]), (row["source"], row["depth"] + 1, row["name"] or row["source"]))

    def test_a_study_that_lost_functions_is_judged_as_far_as_it_goes(self):
        damaged = self.study + ".damaged.culprit"
        shutil.copy(self.study, damaged)
        with contextlib.closing(sqlite3.connect(damaged)) as database:
            database.execute("DELETE FROM function WHERE name LIKE '%_completions' OR name LIKE '%trace%'")
            database.commit()
        for command in ("verdict", "stalls", "outliers", "functions"):
            result = culprit.run(command, "--study", damaged, "--json")
            self.assertEqual((result.status, result.stderr), (0, ""))
            json.loads(result.stdout)


if __name__ == "__main__":
    unittest.main()

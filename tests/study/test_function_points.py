# SPDX-License-Identifier: GPL-3.0-or-later
# The dots of the functions' strip plots, compared with sums by SQL.

import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402

DATA = os.path.join(HERE, "..", "data")
PROGRAM = os.environ.get("FUNCTION_POINTS") or os.path.join(culprit.ROOT, "build", "tests", "study", "function-points")
MOST = 200


class FunctionPoints(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.study = os.path.join(cls.folder, "s.culprit")
        for run, names in (("count", ("count-1", "count-2", "count-3")), ("cost", ("cost-1", "cost-2", "none-1"))):
            culprit.import_captures(cls.study, [os.path.join(DATA, f"{name}.dat") for name in names], run_name=run)
        cls.functions = [f"{row['name']}/{row['module']}/{row['ordinal']}" for row in
                         culprit.rows(cls.study, "SELECT name, module, ordinal FROM function")]

    def points(self, most=MOST, run="", study=None):
        told = subprocess.run([PROGRAM, study or self.study, str(most), run, *self.functions], capture_output=True, check=True)
        return json.loads(told.stdout)

    def expected(self, run):
        """name/module/ordinal -> own time in each late wake-up of the run, sorted."""
        windows = culprit.rows(self.study, f"SELECT window_id FROM outlier WHERE run LIKE '{run}'")
        found = {}
        for row in culprit.rows(self.study, f"""
            SELECT name || '/' || module || '/' || ordinal AS function, window_id, SUM (self_ns - c.tracing_ns) AS own
            FROM outlier_node AS c JOIN node USING (node_id) JOIN function USING (function_id) JOIN outlier USING (window_id)
            WHERE run LIKE '{run}' GROUP BY function_id, window_id"""):
            found.setdefault(row["function"], []).append(row["own"])
        return {function: sorted(own + [0] * (len(windows) - len(own))) for function, own in found.items()}

    def test_they_are_the_sums_over_the_contexts_of_each_late_wake_up(self):
        for run in ("", "count", "cost"):
            expected = self.expected(run or "%")
            self.assertGreater(len(expected), 20)
            for function, own in self.points(run=run).items():
                self.assertEqual(own, expected.get(function), function)

    def test_their_mean_is_that_of_the_table(self):
        points = self.points()
        table = json.loads(culprit.run("functions", "--study", self.study, "--json").stdout)
        for row in table:
            own = points[f"{row['function']}/{row['module']}/{row['ordinal']}"]
            self.assertAlmostEqual(sum(own) / len(own) if own else 0, row["outlier"]["untraced_mean_ns"], delta=1)

    def test_too_many_are_thinned_evenly(self):
        whole = self.points()
        for function, own in self.points(most=3).items():
            every = whole[function]
            self.assertEqual(own, every and [every[0], every[(len(every) - 1) // 2], every[-1]])

    def test_a_study_without_captures_has_none(self):
        path = os.path.join(self.folder, "x.txt")
        with open(path, "w", encoding="ascii") as file:
            file.write("10 5\n11 7\n")
        study = os.path.join(self.folder, "empty.culprit")
        culprit.run("import", "--study", study, path)
        self.assertEqual(set(self.points(study=study).values()), {None})


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# The study that comes with Culprit: small, complete, with the verdict that its README describes, wherever it is put.

import json
import os
import shutil
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

from culprit import ROOT, rows, run  # noqa: E402

FOLDER = os.path.join(ROOT, "data", "sample")
MOST_BYTES = 4000000
BLIND = "blind-stall"


class Sample(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.study = os.path.join(shutil.copytree(FOLDER, os.path.join(cls.folder, "moved")), "sample.culprit")

    def json(self, *arguments):
        result = run(*arguments, "--study", self.study, "--json")
        self.assertEqual((result.status, result.stderr), (0, ""))
        return json.loads(result.stdout)

    def test_it_is_small(self):
        size = sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(FOLDER) for name in names)
        self.assertLessEqual(size, MOST_BYTES)

    def test_it_is_one_file_that_may_lie_where_nothing_can_be_written(self):
        with open(os.path.join(FOLDER, "sample.culprit"), "rb") as file:
            header = file.read(20)
        self.assertEqual(header[18:20], b"\x01\x01", "the journal is not a file of its own")

    def test_everything_adds_up(self):
        result = run("check", "--study", self.study)
        self.assertEqual((result.status, result.stderr), (0, ""))

    def test_the_verdict_is_the_truth(self):
        first, second = self.json("verdict")["culprits"]
        self.assertEqual((first["function"], first["class"], first["captures"]), ("qh_completions", "called-too-often", 8))
        self.assertGreater(first["share"], 0.9)
        self.assertGreater(first["calls_mean"], 50 * first["ordinary_calls_when_run"])
        self.assertEqual((second["class"], second["captures"]), (BLIND, 5))

    def test_many_latencies_are_counted_in_thousands(self):
        shown = run("latency", "--study", self.study, "slides/off-1").stdout
        self.assertEqual(shown.splitlines()[0], "slides/off-1: 3,000 latencies")

    def test_every_capture_is_told_right(self):
        found = [(outlier["run"], outlier["class"]) for outlier in self.json("outliers")]
        self.assertEqual(found, [("slides/on-1", "called-too-often")] * 8 + [("firmware", BLIND)] * 5)

    def test_every_capture_is_found_though_the_study_moved(self):
        for capture in rows(self.study, "SELECT capture_id, file FROM capture"):
            self.assertFalse(os.path.isabs(capture["file"]))
            result = run("show", "--study", self.study, capture["capture_id"])
            self.assertEqual((result.status, result.stderr), (0, ""))
            self.assertIn("\nCall tree of the window", result.stdout)

    def test_latencies_without_tracing_and_with_it_can_be_compared(self):
        profiles = {profile["run"]: profile for profile in self.json("latency")}
        off, on = profiles["slides/off-1"], profiles["slides/on-1"]
        self.assertEqual((off["n"], on["n"]), (3000, 3000))
        self.assertLess(off["median_ns"] * 5, on["median_ns"])
        found, = self.json("compare", "slides/off-1", "slides/on-1")["against"]
        self.assertGreater(found["cliffs_delta"], 0.9)
        self.assertIn("six or more runs", found["p_reason"])


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# Cycle logs: their windows are in the study, to the nanosecond; damaged logs are reported, other files are ignored.

import json
import os
import resource
import shutil
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
from fleet_python import CONFINED  # noqa: E402

CAPTURE = os.path.join(culprit.ROOT, "tests", "data", "count-1.dat")
WINDOWS = "SELECT kind, cpu, pid, start_ns, end_ns FROM window ORDER BY start_ns"


class Cycles(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")
        self.capture = shutil.copy(CAPTURE, self.folder)
        plain = os.path.join(self.folder, "plain.culprit")
        self.assertEqual(culprit.run("import", "--study", plain, CAPTURE).status, 0)
        self.windows = culprit.rows(plain, WINDOWS)
        hit = self.windows[-1]
        self.assertEqual(hit["kind"], "outlier")
        # A nanosecond off what is inferred, so that one cannot pass for the other.
        self.cycles = [[window["start_ns"] + 1, window["end_ns"] + 1] for window in self.windows]
        self.log = {"type": "capture", "culprit_cycles": 1, "period_ns": 5000000, "threshold_ns": 700000,
                    "hit": {"cpu": hit["cpu"], "pid": hit["pid"], "cycle": 77, "expected_ns": self.cycles[-1][0],
                            "observed_ns": self.cycles[-1][1]},
                    "cycles": self.cycles, "needed_kb": 0, "smi": 3, "steal_ns": None, "delays": {"cpu": {"count": 1, "ns": 2}}}

    def run_import(self, log):
        with open(os.path.join(self.folder, "count-1.json"), "w", encoding="ascii") as file:
            file.write(log if isinstance(log, str) else json.dumps(log))
        return culprit.run("import", "--study", self.study, self.capture)

    def test_tells_the_windows_to_the_nanosecond(self):
        result = self.run_import(self.log)
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assertEqual([[row["start_ns"], row["end_ns"]] for row in culprit.rows(self.study, WINDOWS)], self.cycles)
        self.assertEqual(culprit.run("check", "--study", self.study).status, 0)
        found, = culprit.rows(self.study, "SELECT period_source, hit_cycle, smi_count, steal_ns, trigger_ns FROM capture")
        self.assertEqual(found, {"period_source": "recorded", "hit_cycle": 77, "smi_count": 3, "steal_ns": None,
                                 "trigger_ns": 700000})

    def test_may_come_after_its_capture(self):
        self.capture = shutil.copy(os.path.join(culprit.ROOT, "tests", "data", "no-marker-1.dat"), os.path.join(self.folder, "count-1.dat"))
        self.assertEqual(culprit.run("import", "--study", self.study, self.capture).status, 0)
        begun, ended = culprit.rows(self.study, "SELECT first_ns, last_ns FROM capture")[0].values()
        cycle = [ended - 1000000, ended - 10000]
        self.log |= {"threshold_ns": 500000, "cycles": [[begun + 1000, begun + 2000], cycle],
                     "hit": {"cpu": 0, "pid": 134, "cycle": 7, "expected_ns": cycle[0], "observed_ns": cycle[1]}}
        for outcome in ("1 read again", "1 already in the study"):
            result = self.run_import(self.log)
            self.assertEqual(result.status, 0, result.stderr)
            self.assertIn(outcome, result.stdout)
            self.assertEqual(culprit.rows(self.study, "SELECT start_ns, end_ns FROM window WHERE kind = 'outlier'"),
                             [{"start_ns": cycle[0], "end_ns": cycle[1]}])
        self.assertEqual(culprit.rows(self.study, "SELECT smi_count FROM capture"), [{"smi_count": 3}])

    def test_tells_what_was_traced(self):
        for settings, expected in (({"max_depth": 0, "graph_functions": [], "graph_notrace": []}, (None, None)),
                                   ({"max_depth": 30, "graph_functions": ["schedule", "vfs_write"]},
                                    (30, "schedule,vfs_write")),
                                   ({"max_depth": 0, "graph_notrace": ["ktime_get"]}, (None, "all but ktime_get")),
                                   ({}, (None, None))):
            with self.subTest(settings=settings):
                result = self.run_import({**self.log, **settings})
                self.assertEqual((result.status, "not traced" in result.stderr), (0, expected != (None, None)))
                found, = culprit.rows(self.study, "SELECT graph_depth, graph_functions, interrupts_traced FROM capture")
                self.assertEqual(tuple(found.values()), (*expected, 1))
                self.assertEqual("not traced: " in culprit.run("show", "--study", self.study, "1").stdout,
                                 expected != (None, None))
                os.unlink(self.study)

    def test_cycles_that_are_no_ordinary_ones_are_left_out(self):
        first, second = self.cycles[0], self.cycles[1]
        late = [first[0] - 10000000, first[0] - 10000000 + 900000]  # above the threshold
        before = [1000, 2000]                                       # older than the ring buffer
        early = [second[0] - 1000000, second[0] - 1000001]          # woke up before it was expected
        self.log["cycles"] = sorted([*self.cycles, late, before, early])
        self.assertEqual(self.run_import(self.log).status, 0)
        self.assertEqual([[row["start_ns"], row["end_ns"]] for row in culprit.rows(self.study, WINDOWS)], self.cycles)

    def test_a_window_that_began_before_the_ring_buffer_says_so(self):
        self.log["hit"]["expected_ns"] = self.cycles[-1][0] = 1000
        self.log["cycles"], self.log["needed_kb"] = [self.cycles[-1]], 12345
        result = self.run_import(self.log)
        self.assertEqual(result.status, 0)
        self.assertIn("--buffer 12345", result.stderr)
        self.assertEqual(culprit.run("check", "--study", self.study).status, 0)

    def test_cycles_on_a_cpu_without_events_tell_of_no_window(self):
        """Nothing was recorded there: what the time went to is not known, and no outlier without parts is stored."""
        self.log["hit"]["cpu"] = 7
        result = self.run_import(self.log)
        self.assertEqual(result.status, 0, result.stderr)
        found, = culprit.rows(self.study, "SELECT no_windows, no_windows_number AS cpu, (SELECT COUNT (*) FROM window) AS windows "
                                          "FROM capture")
        self.assertEqual(found, {"no_windows": "cpu-not-traced", "cpu": 7, "windows": 0})
        self.assertEqual(culprit.run("check", "--study", self.study).status, 0)
        self.assertIn("CPU 7", culprit.run("show", "--study", self.study, "1").stdout)

    def test_damage_is_named_and_nothing_is_stored(self):
        def changed(**members):
            return {**self.log, **members}

        hit = self.log["hit"]
        for log in (changed(cycles=[]), changed(cycles=[[1]]), changed(cycles=[[2, 3], [1, 2], self.cycles[-1]]),
                    changed(cycles=["x"]), changed(cycles={"a": 1}), changed(hit=7), changed(hit={**hit, "cpu": -1}),
                    changed(hit={**hit, "observed_ns": hit["expected_ns"]}), changed(hit={**hit, "pid": 1 << 40}),
                    changed(period_ns=0), changed(period_ns="5ms"), changed(threshold_ns=-1), changed(needed_kb=None),
                    changed(cycles=[[1 << 62, (1 << 62) + 5]]), changed(cycles=self.cycles[:-1])):
            with self.subTest(log=str(log)[:200]):
                result = self.run_import(log)
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                self.assertIn("count-1.json", result.stderr)
                self.assertFalse(os.path.exists(self.study))

    def test_a_log_that_is_cut_short_is_told(self):
        whole = json.dumps(self.log)
        for length in (len(whole) - 1, len(whole) // 2, whole.index("period_ns")):
            with self.subTest(length=length):
                result = self.run_import(whole[:length])
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                self.assertIn("count-1.json: damaged (it is cut short, or not JSON)", result.stderr)
                self.assertFalse(os.path.exists(self.study))

    def test_a_log_that_may_not_be_read_is_told(self):
        self.assertEqual(self.run_import(self.log).status, 0)
        os.unlink(self.study)
        os.chmod(os.path.join(self.folder, "count-1.json"), 0)
        result = culprit.run("import", "--study", self.study, self.capture, before=CONFINED)
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        self.assertIn("count-1.json: cannot be read (Permission denied)", result.stderr)

    def test_a_file_that_is_something_else_is_left_alone(self):
        for log in ("", "no json", "[]", "{}", '{"cycles": 3}', "\0\1\2"):
            with self.subTest(log=log):
                self.assertEqual(self.run_import(log).status, 0)
        self.assertEqual([row["start_ns"] + 1 for row in culprit.rows(self.study, WINDOWS)],
                         [start for start, _ in self.cycles])

    def test_what_no_recorder_writes_is_left_alone(self):
        nest = 300000
        for log in ('{"culprit_cycles":1,"x":' + "[" * nest + "]" * nest + "}",
                    '{"culprit_cycles":1,' + '"x":{' * nest + "}" * (nest + 1),
                    json.dumps({**self.log, "padding": "x" * (1 << 20)}), json.dumps({**self.log, "delays": {"cpu": {"count": 1, "ns": 1e308}}})):
            with self.subTest(log=log[:40]):
                result = self.run_import(log)
                self.assertEqual((result.status, result.stderr), (0, ""))

    def test_a_file_of_a_gigabyte_is_not_loaded(self):
        with open(os.path.join(self.folder, "count-1.json"), "wb") as file:
            file.truncate(1 << 30)
        result = culprit.run("import", "--study", self.study, self.capture)
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 500000)

    def test_a_half_written_capture_is_no_capture(self):
        os.rename(self.capture, self.capture + ".part")
        result = culprit.run("import", "--study", self.study, self.folder)
        self.assertEqual(result.status, 2)
        self.assertIn("no captures in this folder", result.stderr)


if __name__ == "__main__":
    unittest.main()

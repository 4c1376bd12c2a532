# SPDX-License-Identifier: GPL-3.0-or-later
# Recording from the window, in the virtual machine of the lab: what comes is what the command line would have brought,
# it can be stopped and the window closed in the middle, and what cannot be recorded is told of.

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import closing

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import stand_in  # noqa: E402
from desktop import Desktop  # noqa: E402

VM = culprit.LAB
FAULT = os.path.join(VM, "standard", "fault", "culprit_fault.ko")
MACHINE = {"target": "vm", "aligned": True, "buffer_kb": 1200, "run": "x"}
FAULTY = {**MACHINE, "vm_modules": [f"{FAULT} mode=count"]}
CAPTURE = os.path.join(culprit.ROOT, "tests", "data", "count-1.dat")
PATIENCE = 240  # A virtual machine boots, on a machine that may be busy.


def setUpModule():
    subprocess.run([os.path.join(HERE, "..", "lab", "prepare")], check=True, stdout=subprocess.DEVNULL)
    os.environ["CULPRIT_VM_DIR"] = VM


class Recording(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")
        self.window = Desktop()
        self.addCleanup(self.window.close)
        self.window.begin_study(self.study)
        self.window.wait(lambda: self.window.state("recording") == "false", "the window")

    def use_stand_in(self, *body):
        """For recordings of ssh:board, by a window that was started with it. @body: see stand_in.write_ssh()."""
        self.window.close()
        stand_in.use_ssh_of(self, self.folder)
        stand_in.write_ssh(self.folder, *body)
        self.window = Desktop()
        self.addCleanup(self.window.close)
        self.window.begin_study(self.study)

    def start(self, **request):
        self.window.act("record-start", "'" + json.dumps(request) + "'")

    def recording(self):
        return self.window.state("recording") == "true"

    def wait(self, condition, what):
        end = time.monotonic() + PATIENCE
        while not condition():
            self.assertFalse(self.window.program_ended(), self.window.text())
            self.assertLess(time.monotonic(), end, f"{what} did not happen: {self.window.state('dismiss')}")
            time.sleep(1)  # Asking the window costs what the virtual machine beside it needs.

    def captures(self):
        # While it is being created it is empty.
        if not os.path.exists(self.study) or "it is empty" in culprit.run("runs", "--study", self.study).stderr:
            return []
        return culprit.rows(self.study, "SELECT capture_id, latency_ns, run.name AS run FROM capture"
                                        " JOIN window USING (capture_id) JOIN run USING (run_id)"
                                        " WHERE kind = 'outlier'")

    def exported(self, path):
        """The rows of the table that is shown; none where it is not there yet."""
        self.window.act("export-table-to", f"'{path}'")
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def assert_sound(self):
        self.assertEqual(culprit.run("check", "--study", self.study).status, 0)
        left = [name for name in os.listdir(os.path.join(self.folder, "s.captures")) if name.endswith(".part")]
        self.assertEqual(left, [])

    def test_captures_come_into_the_study_and_the_pages(self):
        self.start(**FAULTY, threshold="700us", captures=2)
        self.assertEqual((self.window.state("page"), self.recording()), ("'record'", True))
        self.start(**MACHINE)
        self.assertIn("Already recording", self.window.state("dismiss"))
        self.wait(lambda: not self.recording(), "the end of the recording")
        found = self.captures()
        self.assertEqual([capture["run"] for capture in found], ["x", "x"])
        self.assertTrue(all(capture["latency_ns"] > 700000 for capture in found))
        self.assert_sound()
        run = culprit.rows(self.study, "SELECT period_ns, policy, priority, method, threshold_ns, tracing, page_faults,"
                                       " hits FROM run")
        self.assertEqual(run, [{"period_ns": 5000000, "policy": "fifo", "priority": 80, "method": "clock_nanosleep",
                                "threshold_ns": 700000, "tracing": "on", "page_faults": 0, "hits": 2}])
        table = os.path.join(self.folder, "t.json")
        self.window.act("page", "'outliers'")
        self.wait(lambda: len(self.exported(table)) == 2, "the captures in the table")
        picture = os.path.join(self.folder, "p.svg")
        self.window.act("page", "'record'")
        self.wait(lambda: (self.window.act("export-picture-to", f"'{picture}'"), os.path.exists(picture))[1],
                  "the histogram")
        self.assertEqual(self.window.close(), 0)

    def test_stopped_in_the_middle_it_keeps_what_came(self):
        """From a stand-in for a target; that of the next test is real."""
        self.use_stand_in("begin()", "progress(hits=1)", "say(type='samples', run=1, cpu=0, first_cycle=0, cycles=1,"
                          " first_expected_ns=1, base64='AMgB')", *stand_in.lines_of_capture(CAPTURE, 1),
                          "line = asked()", "run_end(1)", "end('stopped' if 'stop' in line else 'asked ' + line)")
        self.start(target="ssh:board", threshold="1ms", captures=500, buffer_kb=10000, run="x")
        self.wait(lambda: len(self.captures()) >= 1, "the first capture")
        self.assertTrue(self.recording())
        self.window.act("record-stop")
        self.wait(lambda: not self.recording(), "the end of the recording")
        self.assertEqual(len(self.captures()), 1)
        self.assertEqual(self.window.state("dismiss"), "''")
        self.assert_sound()
        self.assertEqual(culprit.rows(self.study, "SELECT cycles > 0 AS whole FROM run"), [{"whole": 1}])
        self.assertEqual(self.window.close(), 0)

    def test_closed_in_the_middle_it_ends_in_order(self):
        self.start(**FAULTY, threshold="700us", captures=500)
        self.wait(lambda: len(self.captures()) >= 1, "the first capture")
        self.window.act_on_application("quit")
        self.assertTrue(self.recording())
        self.window.act("stop-and-close")
        self.assertEqual(self.window.program.wait(timeout=PATIENCE), 0, self.window.text())
        self.assertGreaterEqual(len(self.captures()), 1)
        self.assert_sound()
        self.assertEqual(culprit.rows(self.study, "SELECT cycles > 0 AS whole FROM run"), [{"whole": 1}])

    def assert_ended_in_order_by(self, number):
        self.use_stand_in("begin()", "asked()", "run_end()", "end('stopped')")
        self.start(target="ssh:board", threshold="1ms", captures=500)
        self.wait(lambda: os.path.exists(self.study) and culprit.rows(self.study, "SELECT name FROM run"), "the run")
        self.window.program.send_signal(number)
        self.assertEqual(self.window.program.wait(timeout=PATIENCE), 0, self.window.text())
        self.assertEqual(culprit.rows(self.study, "SELECT cycles FROM run"), [{"cycles": 0}])

    def test_a_logout_ends_it_in_order(self):
        self.assert_ended_in_order_by(signal.SIGTERM)

    def test_a_closed_terminal_ends_it_in_order(self):
        self.assert_ended_in_order_by(signal.SIGHUP)

    def test_a_logout_waits_for_what_is_to_be_stored(self):
        self.window.close()
        self.assertEqual(culprit.run("import", "--study", self.study, CAPTURE).status, 0)
        self.window = Desktop(self.study)
        self.addCleanup(self.window.close)
        self.wait(lambda: self.window.state("page"), "the window")
        self.window.act("page", "'outliers'")
        self.window.act("capture", "int64 1")
        self.wait(lambda: self.window.state("capture") == "1", "the capture")
        with closing(sqlite3.connect(self.study, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            self.window.act("note", "'my note'")
            self.window.act("triage", "'explained'")
            self.window.program.send_signal(signal.SIGTERM)
            self.wait(lambda: not self.window.state("page"), "the end of the window")
            other.execute("ROLLBACK")
        self.assertEqual(self.window.program.wait(timeout=PATIENCE), 0, self.window.text())
        self.assertEqual(culprit.rows(self.study, "SELECT triage, note FROM capture"), [{"triage": "explained", "note": "my note"}])

    def test_stopped_before_it_began_it_leaves_nothing(self):
        self.start(**MACHINE, cycles=100000)
        self.window.act("record-stop")
        self.wait(lambda: not self.recording(), "the end of the recording")
        self.assertEqual((self.window.state("dismiss"), self.captures()), ("''", []))

    def test_a_new_study_begins_with_its_recording(self):
        path = os.path.join(self.folder, "new")
        self.window.act("new-study-at", f"'{path}'")
        self.wait(lambda: self.window.state("page", window=2) == "'record'", "the other window")
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_bad_target_is_told_of(self):
        for target, problem in (("ssh:nohost.invalid", "cannot be reached"), ("ssh:-x", "unknown target"),
                                ("moon", "cannot be set to moon")):
            with self.subTest(target=target):
                self.window.act("dismiss")
                self.start(target=target)
                self.wait(lambda: self.window.state("dismiss") != "''", "the message")
                self.assertIn(problem, self.window.state("dismiss"))
                self.wait(lambda: not self.recording(), "the end of the recording")
        self.window.act("record-check")
        self.assertEqual(os.listdir(self.folder), [])
        self.assertEqual(self.window.close(), 0)

    def test_what_makes_no_sense_is_refused(self):
        for request in ({"threshold": "5"}, {"threshold": "-1ms"}, {"band": "3ms,2ms"}, {"band": "3ms"},
                        {"cpus": "x"}, {"priority": 100}, {"policy": "other", "priority": 1}, {"captures": 2},
                        {"threshold": "1ms", "captures": "many"}, {"load": "own"}, {"target": "ssh"}, {"nonsense": 1},
                        {"threshold": None}, {"cycles": {}}, {"vm_time": "wall"}):
            with self.subTest(request=request):
                self.window.act("dismiss")
                self.start(**{"target": "ssh:nohost.invalid", **request})
                self.assertNotEqual(self.window.state("dismiss"), "''")
                self.assertFalse(self.recording())
        for text in ("[]", "x", "", "1"):
            with self.subTest(text=text):
                self.window.act("dismiss")
                self.window.act("record-start", f"'{text}'")
                self.assertNotEqual(self.window.state("dismiss"), "''")
        self.assertEqual(os.listdir(self.folder), [])

    def test_no_other_program_starts_a_load(self):
        ran = os.path.join(self.folder, "ran")
        for load in ({"load": f"touch {ran}"}, {"load": "own", "load_command": f"touch {ran}"}, {"load": "cpu"}):
            with self.subTest(load=load):
                self.window.act("dismiss")
                self.start(target="local", cycles=20, **load)
                self.assertIn("only be entered in the window", self.window.state("dismiss"))
                self.assertFalse(self.recording())
        self.start(target="local", cycles=20, period="2ms")
        self.wait(lambda: not self.recording() and os.path.exists(self.study), "a recording")
        self.assertEqual((culprit.rows(self.study, "SELECT load FROM run"), os.path.exists(ran)), ([{"load": None}], False))

    def latencies(self, tracing):
        """In order, of the runs with tracing "on" or "off"."""
        rows = culprit.rows(self.study, "SELECT latency_ns AS ns, count FROM run_latency JOIN run USING (run_id)"
                                        f" WHERE tracing = '{tracing}' ORDER BY ns")
        return [row["ns"] for row in rows for _ in range(row["count"])]

    def test_the_latest_band_becomes_a_threshold_above_ordinary_traced_wake_ups(self):
        """From a stand-in for a target: a virtual machine would take a minute to be late as often."""
        off = [8000 + 3 * step for step in range(399)] + [1200000]
        on = [231000 + 500 * step for step in range(395)] + [1200000, 1600000, 2100000, 2500000, 2900000]
        self.use_stand_in("request = greet()", "if request['tracing'] == 'both':", f"    run(1, 'off', {off})",
                          f"    run(2, 'on', {on})", "    end('cycles')", "else:", "    say(type='run', run=1, tracing='on', started_ns=1)",
                          "    progress(hits=1)", *(f"    {line}" for line in stand_in.lines_of_capture(CAPTURE, 1)),
                          "    asked()", "    run_end()", "    end('stopped')")
        self.start(target="ssh:board", aligned=True, buffer_kb=10000, run="x", tracing="both", cycles=400)
        self.wait(lambda: not self.recording(), "the end of the recording")
        self.assertEqual((self.latencies("off"), self.latencies("on")), (off, on))
        table = os.path.join(self.folder, "t.json")
        self.window.act("page", "'latency'")
        self.wait(lambda: {row["run"] for row in self.exported(table)} >= {"x/off-1", "x/on-1"}, "the latencies")
        low = off[-1] // 2
        self.window.act("record-band", f"('x/off-1', int64 {low}, int64 {off[-1] + 1})")
        self.window.set_state("recording", "true")
        self.wait(lambda: self.recording() or self.window.state("dismiss") != "''", "the recording")
        self.wait(lambda: self.captures() or not self.recording(), "a capture of the band")
        self.window.act("record-stop")
        self.wait(lambda: not self.recording(), "the end of the recording")
        run, = culprit.rows(self.study, "SELECT run.name, threshold_ns, band_low_ns, period_ns, tracing,"
                                        " json_extract (configuration, '$.buffer_kb') AS buffer_kb"
                                        " FROM run JOIN series USING (series_id) WHERE threshold_ns > 0")
        self.assertEqual((run["name"], run["period_ns"], run["tracing"]), ("x-2", 5000000, "on"))
        self.assertTrue(on[394] < run["threshold_ns"] < on[395], (run, on[-9:]))
        self.assertEqual((run["band_low_ns"], run["buffer_kb"]), (None, 10000))
        self.assertEqual(self.window.close(), 0)


if __name__ == "__main__":
    unittest.main()

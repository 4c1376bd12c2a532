# SPDX-License-Identifier: GPL-3.0-or-later
# What the window makes of runs that belong together: a band is carried to latencies with tracing if the run that it was
# chosen in is one without, whatever it is called, and Compare adds up runs of one series only. The target is a stand-in.

import json
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import stand_in  # noqa: E402
from desktop import Desktop  # noqa: E402

OFF = [1000 + step for step in range(190)] + [6000 + step for step in range(10)]
ON = [5000 + 3 * step for step in range(200)]


class Window(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")
        stand_in.use_ssh_of(self, self.folder)
        stand_in.write_ssh(self.folder, "request = greet()", "tracing = request['tracing']",
                           "if tracing == 'both':",
                           *(f"    run({number + 1}, {('off', 'on')[number % 2]!r}, {(OFF, ON)[number % 2]})" for number in range(4)),
                           "elif tracing == 'off':", f"    run(1, 'off', {OFF})", "end('cycles')")

    def open(self):
        self.window = Desktop(self.study)
        self.addCleanup(self.window.close)
        self.window.wait(lambda: self.window.state("recording") == "false", "the window")

    def requests(self):
        path = os.path.join(self.folder, "requests")
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file if line.endswith("\n")]

    def record(self, name, tracing):
        result = culprit.run("record", "--study", self.study, "--target", "ssh:x", "--run", name, "--cycles", "200", "--tracing", tracing,
                             *(("--runs", "2") if tracing == "both" else ()))
        self.assertEqual(result.status, 0, result.stderr)

    def wait_for_recording(self, before):
        self.window.wait(lambda: len(self.requests()) > before and self.window.state("recording") == "false", "the recording")

    def choose_target(self):
        """The form keeps the target of the recording before."""
        before = len(self.requests())
        self.window.act("record-start", "'" + json.dumps({"target": "ssh:x", "cycles": 200, "tracing": "off", "run": "before"}) + "'")
        self.wait_for_recording(before)

    def recorded_band(self, run, low_ns, high_ns):
        """The band that is asked for when one that was chosen in @run is recorded."""
        before = len(self.requests())
        self.window.act("record-band", f"('{run}', int64 {low_ns}, int64 {high_ns})")
        self.window.set_state("recording", "true")
        self.wait_for_recording(before)
        request = self.requests()[-1]
        return request["band_low_ns"], request["band_high_ns"]

    def wait_for_latencies(self, runs):
        path = os.path.join(self.folder, "latency.json")
        self.window.act("page", "'latency'")

        def read():
            self.window.act("export-table-to", f"'{path}'")
            with open(path, encoding="utf-8") as file:
                return {row["run"] for row in json.load(file)} >= runs
        self.window.wait(lambda: os.path.exists(path) and read() or self.window.act("export-table-to", f"'{path}'"), "the latencies")

    def test_a_band_is_carried_to_latencies_with_tracing_once(self):
        self.record("lab/on-site", "both")
        self.open()
        self.choose_target()
        self.wait_for_latencies({"lab/on-site/on-2", "before"})
        low, high = self.recorded_band("lab/on-site/off-1", OFF[50], OFF[60])
        self.assertTrue(ON[0] <= low <= ON[50] and ON[60] <= high <= ON[-1], (low, high))
        self.assertEqual(self.recorded_band("lab/on-site/on-1", low, high), (low, high))
        self.assertEqual(self.window.close(), 0)

    def test_a_run_of_another_series_is_not_taken_for_one(self):
        self.record("lab", "both")
        self.record("lab/off-site", "off")
        self.record("lab/on-site", "off")
        self.open()
        self.choose_target()
        self.wait_for_latencies({"lab/on-site", "lab/off-site", "before"})
        for run in ("lab/off-site", "lab/on-site", "gone"):
            self.assertEqual(self.recorded_band(run, OFF[50], OFF[60]), (OFF[50], OFF[60]))
        self.assertNotEqual(self.recorded_band("lab/off-2", OFF[50], OFF[60]), (OFF[50], OFF[60]))

    def compared(self):
        path = os.path.join(self.folder, "compare.json")
        self.window.act("page", "'compare'")

        def rows():
            self.window.act("export-table-to", f"'{path}'")
            if not os.path.exists(path):
                return None
            with open(path, encoding="utf-8") as file:
                return json.load(file)
        return self.window.wait(rows, "the comparison")

    def test_recordings_of_one_name_are_not_added_up(self):
        for name in ("x", "x", "y"):
            self.record(name, "off")
        self.open()
        self.assertEqual([(row["run"], row["n"]) for row in self.compared()], [("x", 200), ("x-2", 200), ("y", 200)])

    def test_runs_that_took_turns_are_added_up(self):
        self.record("lab/on-site", "both")
        self.record("lab/on-site", "both")
        self.open()
        self.assertEqual([(row["run"], row["n"]) for row in self.compared()],
                         [(f"lab/on-site{number}/{tracing}", 400) for number in ("", "-2") for tracing in ("off", "on")])


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# Delays on purpose in a kernel whose faults are known: one timer in two meets the wake-up, and of those one in eight calls
# qh_completions() 500 times, the others 40 times. So there are three peaks.

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from contextlib import closing

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import recorder  # noqa: E402

FAULT = (f"{culprit.LAB}/standard/fault/culprit_fault.ko mode=count grid_us=5000 period_us=10000 calls_min=40 calls_max=40 "
         "burst_min=500 burst_max=500 every_min=8 every_max=8 spin_ns=2000")


def setUpModule():
    subprocess.run([os.path.join(HERE, "prepare")], check=True, stdout=subprocess.DEVNULL)
    os.environ["CULPRIT_VM_DIR"] = culprit.LAB


@unittest.skipUnless(os.path.exists(recorder.DELAYER), "built without culprit-delayer")
class Prove(unittest.TestCase):
    def setUp(self):
        self.study = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "s.culprit")

    def command(self, function, *options):
        return ["prove", function, "--study", self.study, "--json", "--target", "vm", "--vm-module", FAULT, "--cycles", "400",
                *options]

    def peaks(self, said):
        told = json.loads(said)["proof"]
        self.assertIsNone(told["refusal"])
        self.assertEqual([round(peak["share"], 3) for peak in told["peaks"]], [0.5, 0.438, 0.062])
        return told["peaks"]

    def assert_calls(self, peaks, expected):
        for peak, calls in zip(peaks, expected):
            self.assertEqual(peak["path"], "on" if calls else "off", peak)
            self.assertAlmostEqual(peak["calls"], calls, delta=max(0.05 * calls, 0.1))
            self.assertLess(peak["calls_high"] - peak["calls_low"], max(0.1 * calls, 0.2))

    def test_the_calls_of_each_peak_are_those_of_the_fault(self):
        result = culprit.run(*self.command("qh_completions", "--delay", "1us,2us,4us", "--blocks", "3"), timeout=300)
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assert_calls(self.peaks(result.stdout), (0, 40, 500))
        again = culprit.run("prove", "--study", self.study, "--json")
        self.assertEqual(again.stdout, result.stdout)
        self.assertIn("on the path of peaks 2 and 3: 40.0 (", " ".join(culprit.run("prove", "--study", self.study).stdout.split()))
        self.assertEqual(culprit.run("check", "--study", self.study).status, 0)

    def test_what_runs_between_the_windows_is_on_no_path(self):
        result = culprit.run(*self.command("tick_nohz_idle_enter", "--delay", "10us", "--blocks", "3"), timeout=300)
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assert_calls(self.peaks(result.stdout), (0, 0, 0))
        self.assertGreater(min(dose["calls"] for dose in json.loads(result.stdout)["proof"]["delays"]), 1000)

    def ended(self):
        if not os.path.exists(self.study):
            return 0
        with closing(sqlite3.connect(f"file:{self.study}?mode=ro", uri=True)) as database:
            try:
                return database.execute("SELECT COUNT (cycles) FROM run").fetchone()[0]
            except sqlite3.OperationalError:  # It is being created.
                return 0

    def test_what_was_measured_before_an_interrupt_counts(self):
        process = subprocess.Popen([culprit.PROGRAM, *self.command("hrtimer_wakeup", "--delay", "5us,10us", "--blocks", "40")],
                                   stdout=subprocess.PIPE, text=True)
        recorder.wait_until(lambda: self.ended() >= 10, 200)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 130)
        self.assert_calls(self.peaks(said), (1, 1, 1))
        self.assertLess(json.loads(said)["proof"]["rounds"], 40)


if __name__ == "__main__":
    unittest.main()

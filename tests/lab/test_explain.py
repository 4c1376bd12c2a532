# SPDX-License-Identifier: GPL-3.0-or-later
# Peaks of a kernel whose faults are known: one timer in two meets the wake-up, and of those one in eight calls qh_completions()
# 500 times, the others 40 times. So there are three peaks, of which the upper two have a cause. With few wake-ups the lower
# two are one. By turns, as each peak that is recorded takes half a minute of a processor.

import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import turns  # noqa: E402

FAULT = (f"{culprit.LAB}/standard/fault/culprit_fault.ko mode=count grid_us=5000 period_us=10000 calls_min=40 calls_max=40 "
         "burst_min=500 burst_max=500 every_min=8 every_max=8 spin_ns=2000")


def setUpModule():
    subprocess.run([os.path.join(HERE, "prepare")], check=True, stdout=subprocess.DEVNULL)
    os.environ["CULPRIT_VM_DIR"] = culprit.LAB


@turns.tests(1, "test_both_upper_peaks_are_labelled_with_the_fault_and_its_calls", "test_the_upper_peak_is_labelled_beside_one_of_two_kinds")
class Explain(unittest.TestCase):
    def explain(self, cycles):
        study = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "s.culprit")
        result = culprit.run("explain", "--study", study, "--json", "--target", "vm", "--vm-module", FAULT, "--cycles", str(cycles),
                             "--captures", "3", "--buffer", "2048", timeout=600)
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assertEqual(culprit.run("check", "--study", study).status, 0)
        return json.loads(result.stdout)["peaks"]

    def assert_labelled(self, peaks, shares, calls_of):
        self.assertEqual([round(peak["share"], 2) for peak in peaks], shares)
        self.assertEqual([peak["label"] for peak in peaks], [None, *(f"qh_completions × {calls}" for calls in calls_of)])
        for peak, calls in zip(peaks[1:], calls_of):
            cause = peak["cause"]
            self.assertEqual((cause["function"], cause["context"], cause["class"]), ("qh_completions", "hardirq", "called-too-often"))
            self.assertEqual((cause["captures"], cause["of"]), (3, 3))
            self.assertAlmostEqual(cause["calls_mean"], calls, delta=1)
            self.assertAlmostEqual(cause["per_call_ns"], 2000, delta=100)
            self.assertGreater(cause["weight"], 0.9)
            self.assertTrue(cause["path"].endswith("ehci_work > qh_completions"))
        self.assertEqual(peaks[-1]["cause"]["ordinary_calls_when_run"], 40)

    def test_both_upper_peaks_are_labelled_with_the_fault_and_its_calls(self):
        self.assert_labelled(self.explain(1500), [0.5, 0.44, 0.06], (40, 500))

    def test_the_upper_peak_is_labelled_beside_one_of_two_kinds(self):
        self.assert_labelled(self.explain(500), [0.94, 0.06], (500,))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# Remedies in a kernel whose fault is known: 40 calls of 2 us meet every other wake-up, and 500 calls one in eight of these.

import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402

OPTIONS = ("mode=count grid_us=5000 period_us=10000 calls_min=40 calls_max=40 burst_min=500 burst_max=500 every_min=8 every_max=8 "
           "spin_ns=2000")
LOAD = f"insmod /modules/culprit_fault.ko {OPTIONS}"


def setUpModule():
    subprocess.run([os.path.join(HERE, "prepare")], check=True, stdout=subprocess.DEVNULL)
    os.environ["CULPRIT_VM_DIR"] = culprit.LAB


class Remedies(unittest.TestCase):
    def trial(self, treat, undo):
        study = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "s.culprit")
        return culprit.run("trial", "--study", study, "--json", "--target", "vm", "--vm-module",
                           f"{culprit.LAB}/standard/fault/culprit_fault.ko {OPTIONS}", "--cycles", "200", "--treat", treat, "--undo", undo,
                           timeout=200)

    def test_to_unload_the_fault_helps_by_what_it_costs(self):
        result = self.trial("rmmod culprit_fault", LOAD)
        self.assertEqual((result.status, result.stderr), (0, ""))
        tail, body = json.loads(result.stdout)["trial"]["effects"]
        self.assertTrue(body["differs"] and tail["differs"])
        self.assertAlmostEqual(tail["difference_ns"], -(500 * 2000 + 45000), delta=30000)
        self.assertTrue(tail["low_ns"] <= tail["difference_ns"] <= tail["high_ns"] < -1000000, tail)
        self.assertLess(body["with_ns"], 20000)
        self.assertTrue(-110000 < body["low_ns"] <= body["high_ns"] < -80000, body)

    def test_a_remedy_that_cannot_be_tried_is_told(self):
        result = self.trial("rmmod no_such_module", "true")
        self.assertEqual((result.status, len(result.error_lines())), (2, 1))
        self.assertIn("the treatment failed", result.stderr)
        self.assertIn("no_such_module", result.stderr)


if __name__ == "__main__":
    unittest.main()

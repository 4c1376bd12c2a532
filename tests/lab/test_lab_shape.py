# SPDX-License-Identifier: GPL-3.0-or-later
# Recorded alternately without and with tracing, a fault of the lab keeps its shape apart from shift and scale, and its
# peak is found in both and paired; another fault of about the same length has a different shape.

import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402

LAB = os.path.join(culprit.ROOT, "build", "lab")
FAULT = os.path.join(LAB, "standard", "fault", "culprit_fault.ko")
TICKS = "grid_us=20000 period_us=20000 calls_min=200 calls_max=260 every_min=10 every_max=20"


class Shape(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        subprocess.run([os.path.join(HERE, "prepare")], check=True, stdout=subprocess.DEVNULL)
        os.environ["CULPRIT_VM_DIR"] = LAB
        cls.study = os.path.join(cls.enterClassContext(tempfile.TemporaryDirectory()), "s.culprit")
        for run, fault in (("count", "mode=count burst_min=1000 burst_max=1060"), ("cost", "mode=cost cost_ns=5000000")):
            result = culprit.run("record", "--study", cls.study, "--target", "vm", "--vm-module", f"{FAULT} {TICKS} {fault}",
                                 "--aligned", "--period", "20ms", "--cycles", "400", "--tracing", "both", "--runs", "6",
                                 "--buffer", "20000", "--run", run, timeout=300)
            assert result.status == 0, result.stderr

    def test_what_drifts_meets_runs_with_and_without_tracing_alike(self):
        runs = culprit.rows(self.study, "SELECT tracing FROM run JOIN series USING (series_id) WHERE series.name = 'count'"
                                        " ORDER BY run_id")
        self.assertEqual([run["tracing"] for run in runs], ["off", "on", "on", "off"] * 3)

    def shape(self, other):
        result = culprit.run("compare", "--study", self.study, "--json", "--same-shape", "count/off", other)
        self.assertEqual(result.status, 0, result.stderr)
        return json.loads(result.stdout)["against"][0]["same_shape"]

    def test_the_same_fault_with_tracing_has_the_same_shape_and_its_peak_is_paired(self):
        shape = self.shape("count/on")
        self.assertEqual(shape["verdict"], "same", shape)
        self.assertGreater(shape["scale"], 1.2)
        ordinary, fault = shape["peaks"]
        self.assertAlmostEqual(fault["base_ns"], 3200000, delta=100000)
        self.assertAlmostEqual(fault["base_share"], 1 / 15, delta=0.01)
        self.assertAlmostEqual(fault["run_share"], fault["base_share"], delta=0.01)
        self.assertAlmostEqual(ordinary["base_share"], 14 / 15, delta=0.01)

    def test_another_fault_has_another_shape(self):
        self.assertEqual(self.shape("cost/on")["verdict"], "different")


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# Recorded alternately without and with tracing (tests/lab/make-shape), a fault of the lab keeps its shape apart from shift
# and scale, and its peak is found in both and paired; another fault of about the same length has a different shape.

import json
import os
import shutil
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402


class Shape(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.study = os.path.join(cls.enterClassContext(tempfile.TemporaryDirectory()), "s.culprit")
        shutil.copy(os.path.join(HERE, "..", "data", "shape.culprit"), cls.study)

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

# SPDX-License-Identifier: GPL-3.0-or-later
# The causes in a population's verdict as culprit fleet takes them: by culprit and class.

import json
import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import fleet_python  # noqa: E402


def cause(culprit, kind, captures, excess_mean_ns, weight):
    return {"function": None, "culprit": culprit, "class": kind, "captures": captures, "excess_mean_ns": excess_mean_ns,
            "weight": weight, "weight_low": weight / 2, "weight_high": weight * 1.5, "confidence": 0.96 + captures / 1000}


def verdict(stand_out, excess_mean_ns, *causes):
    return {"captures": stand_out + 2, "stand_out": stand_out, "excess_mean_ns": excess_mean_ns, "culprits": causes}


class Causes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        fleet_python.require()
        told = [("a", "6.1", "x", verdict(9, 100, cause("irq", "mixed", 3, 100, 0.25), cause("irq", "mixed", 5, 204, 0.5),
                                          cause("irq", "took-too-long", 1, 70, 0.125))),
                ("b", "6.1", "x", verdict(0, None)), ("c", "6.1", "x", {})]
        done = subprocess.run([fleet_python.PROGRAM, os.path.join(HERE, "causes_of.py")], input=json.dumps(told), capture_output=True, text=True,
                              timeout=120, check=False, env=fleet_python.environment())
        assert done.returncode == 0, done.stderr[-2000:]
        cls.rows = json.loads(done.stdout)

    def test_those_with_the_same_culprit_and_class_count_as_one(self):
        found = {(row["function"], row["class"]): row for row in self.rows if row["host"] == "a"}
        self.assertEqual(len(found), len(self.rows) - 2)
        both = found["irq", "mixed"]
        self.assertEqual((both["captures"], both["excess_mean_ns"]), (8, 165))
        self.assertEqual((both["weight"], both["weight_low"], both["weight_high"], both["confidence"]), (0.75, 0.375, 1.0, 0.965))
        self.assertEqual(found["irq", "took-too-long"]["captures"], 1)

    def test_the_whole_excess_is_that_of_those_that_stand_out(self):
        self.assertEqual({row["whole_ns"] for row in self.rows if row["host"] == "a"}, {900})

    def test_a_population_without_causes_has_one_row_without(self):
        self.assertEqual([(row["host"], row["function"], row["captures"]) for row in self.rows if row["host"] != "a"],
                         [("b", None, None), ("c", None, None)])


if __name__ == "__main__":
    unittest.main()

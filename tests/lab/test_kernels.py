# SPDX-License-Identifier: GPL-3.0-or-later
# From threshold to verdict on kernels that the lab prepares only on request: newer ones, and those of another
# architecture.

import json
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402

LAB = culprit.LAB
KERNELS = {"standard-6.12": ["--vm-kernel", "standard-6.12"],
           "rt-6.12": ["--vm-kernel", "rt-6.12"],
           "arm64/standard": ["--vm-arch", "arm64"]}


def fault(kernel):
    return os.path.join(LAB, kernel, "fault", "culprit_fault.ko")


class Kernels(unittest.TestCase):
    def setUp(self):
        os.environ["CULPRIT_VM_DIR"] = LAB
        self.study = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "s.culprit")

    def check_fault_is_found(self, kernel, release):
        if not os.path.exists(fault(kernel)):
            self.skipTest(f"not prepared; run tests/lab/prepare {kernel}")
        result = culprit.run("record", "--study", self.study, "--target", "vm", *KERNELS[kernel], "--aligned", "--vm-module",
                             f"{fault(kernel)} mode=count", "--threshold", "1200us", "--captures", "2", "--buffer", "1500",
                             timeout=550)
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assertEqual(culprit.run("check", "--study", self.study).status, 0)
        self.assertRegex(culprit.rows(self.study, "SELECT kernel FROM host")[0]["kernel"], release)
        outliers = json.loads(culprit.run("outliers", "--study", self.study, "--json").stdout)
        self.assertEqual([(outlier["culprit"], outlier["class"]) for outlier in outliers],
                         [("qh_completions", "called-too-often")] * 2)
        verdict = json.loads(culprit.run("verdict", "--study", self.study, "--json").stdout)
        self.assertEqual(verdict["culprits"][0]["culprit"], "qh_completions")

    def test_linux_6_12(self):
        self.check_fault_is_found("standard-6.12", r"^6\.12")

    def test_real_time_linux_6_12(self):
        self.check_fault_is_found("rt-6.12", r"^6\.12.*-rt")

    def test_arm64(self):
        self.check_fault_is_found("arm64/standard", r"-arm64$")


if __name__ == "__main__":
    if not any(os.path.exists(fault(kernel)) for kernel in KERNELS):
        print(f"skipped: none of these kernels is prepared; run tests/lab/prepare {' '.join(KERNELS)}", file=sys.stderr)
        sys.exit(77)
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# A module disables interrupts and preemption for 100 and 500 us: each is found with the function that did it, and its
# length within the gap that is given.

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import turns  # noqa: E402

KERNEL = turns.DICE.choice(("standard", "rt"))  # By turns: each takes a quarter of a minute of a processor.
FUNCTIONS = {f"{kind}_{length}us": kind for kind in ("interrupts", "preemption") for length in (100, 500)}
JOB = """
set -e
trace-cmd start -p function_graph -C mono -b 8000 >/dev/null
insmod /out/culprit_hold.ko
sleep 0.2
trace-cmd stop
for name in /sys/module/culprit_hold/parameters/*; do echo "$(basename $name) $(cat $name)"; done >/out/truth
trace-cmd extract -o /out/1.dat >/dev/null
"""


class Sections(unittest.TestCase):
    def check_kernel(self, kernel):
        module = os.path.join(culprit.LAB, kernel, "fault", "culprit_hold.ko")
        if not os.path.exists(module):
            self.skipTest(f"not prepared; run tests/lab/prepare {kernel}")
        out = self.enterContext(tempfile.TemporaryDirectory())
        shutil.copy(module, out)
        with open(os.path.join(out, "hold-job"), "w", encoding="ascii") as file:
            file.write(JOB)
        subprocess.run([os.path.join(HERE, "guest"), "--kernel", kernel, "--out", out, os.path.join(out, "hold-job")],
                       check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(out, "truth"), encoding="ascii") as file:
            truth = {name.removesuffix("_ns"): int(ns) for name, ns in map(str.split, file)}
        study = os.path.join(out, "s.culprit")
        result = culprit.run("import", "--study", study, os.path.join(out, "1.dat"))
        self.assertEqual(result.status, 0, result.stderr)
        self.assertEqual(culprit.run("check", "--study", study).status, 0)
        found = json.loads(culprit.run("sections", "--study", study, "--json").stdout)
        for function, kind in FUNCTIONS.items():
            with self.subTest(kernel=kernel, function=function):
                row, = [row for row in found if row["opened_by"] == row["closed_by"] == f"{function} [culprit_hold]"
                        and row["kind"] == kind and row["context"] == "task"]
                longest = row["longest"]
                least = longest["untraced_ns"] + longest["tracing_ns"]
                self.assertGreaterEqual(truth[function], least)
                if kind == "interrupts":
                    self.assertLessEqual(truth[function], least + longest["gap_ns"])
                else:  # Interrupts strike in between: the one that took longest with the tracer may be another one without.
                    self.assertGreaterEqual(least + longest["gap_ns"], int(re.search(r"(\d+)us", function)[1]) * 1000)
                self.assertGreater(row["count"], 1)

    def test_a_kernel(self):
        subprocess.run([os.path.join(HERE, "prepare"), KERNEL], check=True, stdout=subprocess.DEVNULL)
        self.check_kernel(KERNEL)

    def test_linux_6_12(self):
        self.check_kernel("standard-6.12")

    def test_real_time_linux_6_12(self):
        self.check_kernel("rt-6.12")


if __name__ == "__main__":
    unittest.main()

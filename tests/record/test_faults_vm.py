# SPDX-License-Identifier: GPL-3.0-or-later
# Kills or blocks a recorder that traces, in a virtual machine that can: the tracing settings are restored each time.
# CULPRIT_FAULTS is how often each of seven faults is repeated (default: 1; under emulation each takes seconds). With
# CULPRIT_FAULT_CPUS=2 the CPUs' buffers differ in size; that takes three times as long.

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import recorder  # noqa: E402

FAULTS = int(os.environ.get("CULPRIT_FAULTS", "1"))
SECONDS_PER_FAULT = 170  # of seven kinds
CPUS = os.environ.get("CULPRIT_FAULT_CPUS")
TIME = ["--time", "wall", "--cpus", CPUS] if CPUS else []


def setUpModule():
    subprocess.run([os.path.join(HERE, "..", "lab", "prepare")], check=True, stdout=subprocess.DEVNULL)
    os.environ["CULPRIT_VM_DIR"] = culprit.LAB


class Faults(unittest.TestCase):
    def test_tracing_is_as_it_was_each_time(self):
        said, errors = recorder.in_guest("faults.sh", FAULTS, seconds=SECONDS_PER_FAULT * FAULTS * int(CPUS or 1) ** 2, options=TIME)
        told = dict(line.split(": ", 1) for line in said.splitlines() if ": " in line)
        every = f"{FAULTS} of {FAULTS}"
        self.assertEqual(told, {**dict.fromkeys(("supervisor", "front", "restored", "next", "garbage", "blocked", "clock"), every),
                                "told": "yes"}, said + errors)
        self.assertEqual(said.splitlines()[-1], "tracing is restored to what it was before the recording")

    def test_the_function_that_the_kernel_rejects_is_named(self):
        """Of several, not the first."""
        with tempfile.TemporaryDirectory() as folder:
            result = culprit.run("record", "--study", os.path.join(folder, "s.culprit"), "--target", "vm", "--threshold", "1ms",
                                 "--graph", "hrtimer_interrupt", "--graph", "no_such_function", "--graph", "schedule")
        self.assertEqual(result.status, 2)
        self.assertIn('set_graph_function rejects "no_such_function"', result.stderr)


if __name__ == "__main__":
    unittest.main()

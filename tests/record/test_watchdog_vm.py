# SPDX-License-Identifier: GPL-3.0-or-later
# A caller that is stopped, frozen or killed in the middle of a recording that traces, or killed while that begins, in a
# virtual machine that can: the tracing settings are restored each time, and the recorder is not in the caller's control
# group.

import json
import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import recorder  # noqa: E402
import turns  # noqa: E402


def setUpModule():
    subprocess.run([os.path.join(HERE, "..", "lab", "prepare")], check=True, stdout=subprocess.DEVNULL)
    os.environ["CULPRIT_VM_DIR"] = culprit.LAB


@turns.tests(1, "test_tracing_is_as_it_was_whatever_happens_to_the_caller", "test_a_thread_that_leaves_nobody_a_cpu_ends_by_itself")
class Watchdog(unittest.TestCase):
    def test_tracing_is_as_it_was_whatever_happens_to_the_caller(self):
        said, errors = recorder.in_guest("watchdog.sh", seconds=500)
        cases = dict(line.split(": ", 1) for line in said.splitlines() if ": " in line)
        self.assertEqual(cases, dict.fromkeys(("traced", "apart", "killed", "stopped", "frozen", "group-killed", "named",
                                               "filtered", "front-stopped", "left"), "same"), said + errors)

    def test_a_thread_that_leaves_nobody_a_cpu_ends_by_itself(self):
        said, errors = recorder.in_guest("starve.sh", seconds=500, options=["--time", "wall"])
        cases = {case: json.loads(line) for case, line in (line.split(": ", 1) for line in said.splitlines())}
        self.assertEqual(list(cases), ["fair", "refused", "limit", "starved"], said + errors)
        self.assertIn("method poll on all CPUs", cases["refused"]["text"])
        self.assertEqual(cases["limit"], {"type": "end", "reason": "limit"})
        if cases["fair"]:
            self.assertEqual(cases["starved"], {"type": "end", "reason": "cycles"})
        else:
            self.assertIn("the supervisor is starved of CPU", cases["starved"]["text"])


if __name__ == "__main__":
    unittest.main()

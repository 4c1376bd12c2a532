# SPDX-License-Identifier: GPL-3.0-or-later
# A function of the kernel delayed on purpose, in a virtual machine: what cannot be done is refused with its reason, and
# whatever is killed, neither a probe nor a program is left in the kernel.

import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import recorder  # noqa: E402


def setUpModule():
    subprocess.run([os.path.join(HERE, "..", "lab", "prepare")], check=True, stdout=subprocess.DEVNULL)
    os.environ["CULPRIT_VM_DIR"] = culprit.LAB


@unittest.skipUnless(os.path.exists(recorder.DELAYER), "built without culprit-delayer")
class Delays(unittest.TestCase):
    def test_what_cannot_be_delayed_is_refused_and_nothing_is_left_whatever_is_killed(self):
        said, errors = recorder.in_guest("delays.sh", seconds=280,
                                         options=("--program", recorder.DELAYER, "--program", "/usr/sbin/bpftool"))
        lines = said.splitlines()
        reasons = [line for line in lines if line.startswith('"error"')]
        self.assertEqual(len(reasons), 4, said + errors)
        for reason, told in zip(reasons, ("no function no_such_function", "asm_sysvec_irq_work cannot be probed",
                                          "hrtimer_interrupt is called ", "culprit-delayer")):
            self.assertIn(told, reason)
        self.assertRegex(reasons[2], "times a second here.* and 10 % are allowed; use delays of at most")
        self.assertEqual(len([line for line in lines if line.startswith('"delay_calls"')]), 2, said)
        cases = dict(line.split(": ", 1) for line in lines if ": " in line and not line.startswith('"'))
        self.assertEqual(cases, dict.fromkeys(("probed", "killed", "without-recorder", "end-of-input", "stop",
                                               "without-delayer"), "none"), said + errors)


if __name__ == "__main__":
    unittest.main()

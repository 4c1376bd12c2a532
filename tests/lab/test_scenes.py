# SPDX-License-Identifier: GPL-3.0-or-later
# A part of the matrix of tests/lab/scenes: the verdict names what was injected, nothing where nothing was, and of a real
# program, where nothing was injected, the task that had the CPU. A function called too often is recorded live in test_vm.
# Each scene takes half a minute of a processor, so there is one at a time, by turns; tests/lab/scenes has all of them.

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import turns  # noqa: E402


class Scenes(unittest.TestCase):
    def test_the_verdict_is_the_truth(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, os.path.join(HERE, "scenes"), folder, "--kernel", "standard", "--captures",
                                   "5", *turns.some(["blind", "nothing", "queue", "fork"], 1)], capture_output=True,
                                  text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()

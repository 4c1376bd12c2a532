# SPDX-License-Identifier: GPL-3.0-or-later
# A capture that takes too long, too much memory or crashes the program, that has absurd times or is not spoken of, is
# listed with the reason, and those read together with it are read all the same.

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "capture")]

import absurd  # noqa: E402
import culprit  # noqa: E402
import fleet_captures  # noqa: E402
import fleet_python  # noqa: E402

SECONDS, BYTES = 10, 4 << 30
# The program, except for files with certain names.
PROGRAM = """#!/usr/bin/env python3
import os, signal, sys
names = " ".join(sys.argv)
if "slow" in names:
    signal.pause()
if "large" in names:
    bytearray(5 << 30)
if "bad" in names:
    os.kill(os.getpid(), signal.SIGSEGV)
for name in sys.argv:
    if "swapped" in name and os.path.isfile(name):
        os.rename(name, name + ".kept")
        os.mkdir(name)
        os.rename(name + ".kept", os.path.join(name, "inner.dat"))
os.execv(os.environ["CULPRIT"], [name for name in sys.argv if "forgotten" not in name])
"""


class Limits(unittest.TestCase):
    def setUp(self):
        fleet_python.require()
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.program = os.path.join(self.folder, "program")
        with open(self.program, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        os.chmod(self.program, os.stat(self.program).st_mode | stat.S_IXUSR)
        captures = os.path.join(self.folder, "captures")
        planned = fleet_captures.make_all(captures, 3, 1)
        self.good = [os.path.join(captures, one.path) for one in planned]

    def emitted(self, seconds, *files, latencies=()):
        done = subprocess.run([*fleet_python.CONFINED, fleet_python.PROGRAM, os.path.join(HERE, "emitted.py"), self.program, str(seconds), str(BYTES), *(f"unknown={file}" for file in files), *(f"latencies={file}" for file in latencies)],
                              capture_output=True, text=True, check=False, timeout=300, env=fleet_python.environment(CULPRIT=culprit.PROGRAM))
        self.assertEqual(done.returncode, 0, done.stderr)
        return {file: (outcome, reason) for file, outcome, reason in json.loads(done.stdout)}

    def named(self, name):
        path = os.path.join(self.folder, f"{name}.dat")
        os.link(self.good[1], path)
        return path

    def test_a_capture_that_takes_too_long(self):
        slow = self.named("slow")
        found = self.emitted(SECONDS, self.good[0], slow, self.good[2])
        self.assertEqual(found.pop(slow), ("stopped", f"could not be read within {SECONDS} seconds"))
        self.assert_good(found)

    def test_a_capture_that_takes_too_much_memory(self):
        large = self.named("large")
        found = self.emitted(300, self.good[0], large, self.good[2])
        outcome, reason = found.pop(large)
        self.assertEqual((outcome, reason.split()[0]), ("stopped", "MemoryError"))
        self.assert_good(found)

    def test_captures_with_absurd_times(self):
        """The first of two fitted into 64 bits, and the second no longer."""
        bad = [os.path.join(os.path.dirname(self.good[0]), name) for name in ("0.dat", "00.dat")]
        for i, path in enumerate(bad):
            absurd.write(path, 9 * 10**18, 1 + 2 * i)
        again = self.named("again")
        found = self.emitted(300, *bad, *self.good[::2], self.good[1], again)
        for path in bad:
            outcome, reason = found.pop(path)
            self.assertEqual(outcome, "failed")
            self.assertIn("days apart", reason)
        self.assertEqual((found.pop(self.good[1]), found.pop(again)), (("capture", None), ("duplicate", None)))
        self.assert_good(found)

    def test_a_capture_of_which_the_program_says_nothing(self):
        forgotten = self.named("forgotten")
        found = self.emitted(300, self.good[0], forgotten, self.good[2])
        self.assertEqual(found.pop(forgotten)[0], "stopped")
        self.assert_good(found)

    def test_a_capture_that_is_called_like_a_latency_result_and_one_of_which_the_program_says_nothing(self):
        results, forgotten = (os.path.join(self.folder, name) for name in ("results.json", "forgotten.hist"))
        os.link(self.good[2], results)
        with open(forgotten, "w", encoding="ascii") as file:
            file.write("1 2\n")
        found = self.emitted(300, self.good[0], latencies=(results, forgotten))
        self.assertEqual(found.pop(forgotten)[0], "stopped")
        self.assertEqual(found, {self.good[0]: ("capture", None), results: ("capture", None)})

    def test_a_folder_in_place_of_a_capture(self):
        folders = [os.path.join(self.folder, name) for name in ("whole.dat", "empty")]
        for path in folders:
            os.mkdir(path)
        os.link(self.good[1], os.path.join(folders[0], "inner.dat"))
        found = self.emitted(300, self.good[0], *folders, self.good[2])
        for path in folders:
            outcome, reason = found.pop(path)
            self.assertEqual((outcome, reason.split(";")[0]), ("failed", "became a folder while the job ran"))
        self.assert_good(found)

    def test_a_capture_that_becomes_a_folder_while_it_is_read(self):
        swapped = self.named("swapped")
        found = self.emitted(300, self.good[0], swapped, self.good[2])
        self.assertEqual(found.pop(swapped), ("stopped", "a file became a folder while it was read"))
        self.assert_good(found)

    def test_a_file_that_cannot_be_opened_is_listed_whatever_its_name(self):
        closed = shutil.copy(self.good[1], os.path.join(self.folder, "closed"))
        os.chmod(closed, 0)
        logged = shutil.copy(self.good[1], os.path.join(self.folder, "logged.dat"))
        with open(os.path.join(self.folder, "logged.json"), "w", encoding="ascii"):
            os.chmod(os.path.join(self.folder, "logged.json"), 0)
        found = self.emitted(300, self.good[0], closed, logged, self.good[2])
        # Both are read again by the next job: their size and time stay the same when that is permitted.
        self.assertEqual(found.pop(closed), ("stopped", "cannot be opened: Permission denied"))
        outcome, reason = found.pop(logged)
        self.assertEqual(outcome, "stopped")
        self.assertIn("logged.json: cannot be read", reason)
        self.assert_good(found)

    def test_a_capture_that_crashes_the_program(self):
        bad = self.named("bad")
        found = self.emitted(300, self.good[0], bad, self.good[2])
        self.assertEqual(found.pop(bad), ("stopped", "culprit was killed by SIGSEGV"))
        self.assert_good(found)

    def assert_good(self, found):
        self.assertEqual(found, {self.good[0]: ("capture", None), self.good[2]: ("capture", None)})


if __name__ == "__main__":
    unittest.main()

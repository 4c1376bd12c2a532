# SPDX-License-Identifier: GPL-3.0-or-later
# Parts can be built separately: a board's recorder with libc and libtracefs, a server's command without GTK.

import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Parts(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def set_up(self, *options):
        return subprocess.run(["meson", "setup", *options, self.folder, ROOT], capture_output=True, text=True, check=False)

    def build(self, target):
        subprocess.run(["ninja", "-C", self.folder, target], capture_output=True, check=True)
        return os.path.join(self.folder, target)

    def targets(self):
        listed = subprocess.run(["ninja", "-C", self.folder, "-t", "targets", "all"], capture_output=True, text=True, check=True)
        return {os.path.basename(line.split(":")[0]) for line in listed.stdout.splitlines()}

    def test_a_board_builds_the_recorder_with_libtracefs_alone(self):
        self.assertEqual(self.set_up("-Dcli=disabled").returncode, 0)
        self.assertTrue({"culprit", "culprit-desktop"}.isdisjoint(self.targets()))
        needed = subprocess.run(["readelf", "-d", self.build("app/recorder/culprit-recorder")], capture_output=True, text=True, check=True)
        libraries = {line.split("[")[1].split(".so")[0] for line in needed.stdout.splitlines() if "NEEDED" in line}
        self.assertLessEqual({"libtracefs", "libc"}, libraries)
        self.assertLessEqual(libraries, {"libtracefs", "libtraceevent", "libc", "libm", "libseccomp"})

    def test_a_server_builds_the_command_without_the_window(self):
        self.assertEqual(self.set_up("-Ddesktop=disabled").returncode, 0)
        self.assertIn("culprit", self.targets())
        self.assertNotIn("culprit-desktop", self.targets())
        self.assertIn("timeline-spans", self.targets(), "tests that need no window are there")

    def test_what_cannot_go_together_is_refused(self):
        for options, told in ((("-Dcli=disabled", "-Ddesktop=enabled"), "the window needs the command"),
                              (("-Drecorder=disabled", "-Dtests=enabled"), "the tests need the command and the recorder")):
            refused = self.set_up(*options)
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn(told, refused.stdout)


if __name__ == "__main__":
    unittest.main()

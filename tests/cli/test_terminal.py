# SPDX-License-Identifier: GPL-3.0-or-later
# Names from outside cannot control the terminal, neither in the output of a command nor in its progress; programs get
# them unchanged.

import json
import os
import pty
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402

CAPTURE = os.path.join(culprit.ROOT, "tests", "data", "count-1.dat")
# A title, a colour, C1's sequence introducer, overrides of direction, separators of lines, a carriage return, DEL.
HOSTILE = "a\x1b]0;owned\x07b\x1b[31mc\x9b2Jd\u202ee\u2066f\u200fg\u2028h\u2029i\rj\x7fk"
CLEAN = "a?]0;owned?b?[31mc?2Jd?e?f?g?h?i?j?k"


class Names(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")
        self.capture = shutil.copy(CAPTURE, os.path.join(self.folder, HOSTILE + ".dat"))

    def run_on_terminal(self, *arguments):
        """What the command writes to a terminal."""
        ours, its = pty.openpty()
        process = subprocess.Popen(arguments, stdin=its, stdout=its, stderr=its)
        os.close(its)
        written = b""
        try:
            while more := os.read(ours, 65536):
                written += more
        except OSError:  # The other end was closed.
            pass
        os.close(ours)
        self.assertEqual(process.wait(timeout=60), 0, written)
        return written.decode().replace("\r\n", "\n")

    def test_a_wide_terminal_shows_whole_names(self):
        self.assertEqual(culprit.run("import", "--study", self.study, self.capture).status, 0)
        script = f"stty cols 250; '{culprit.PROGRAM}' functions --study '{self.study}'"
        shown = self.run_on_terminal("sh", "-c", script)
        self.assertNotIn("…", shown)
        names = {row["function"] for row in json.loads(culprit.run("functions", "--study", self.study, "--json").stdout)}
        self.assertEqual({name for name in names if name not in shown}, set())
        self.assertIn("…", culprit.run("functions", "--study", self.study).stdout)

    def assert_plain(self, text):
        self.assertEqual([character for character in text if not character.isprintable() and character != "\n"], [])

    def test_progress_shows_a_clean_name(self):
        os.rename(self.capture, capture := self.capture.replace(".dat", "\nnext.dat"))
        written = self.run_on_terminal(culprit.PROGRAM, "import", "--study", self.study, capture)
        progress = written.replace("\r\x1b[K", "")  # This is ours.
        self.assertIn(f"1 of 1: {CLEAN} next.dat", progress)
        self.assert_plain(progress)

    def test_every_command_shows_clean_names(self):
        self.assertEqual(culprit.run("import", "--study", self.study, "--run", HOSTILE, self.capture).status, 0)
        for command in (["runs"], ["outliers"], ["verdict"], ["show", "1"], ["functions"], ["stalls"], ["check"],
                        ["sql", "SELECT file, name FROM capture JOIN run USING (run_id)"]):
            for options in ([], ["--json"], ["--csv"]):
                with self.subTest(command=command, options=options):
                    result = culprit.run(*command, "--study", self.study, *options)
                    if result.status != 2:  # Some have no CSV.
                        self.assert_plain(result.stdout.replace("\r\n", "\n"))
                    self.assert_plain(result.stderr)

    def test_programs_get_names_as_they_are(self):
        other = HOSTILE + "\u200d\u00ad\U000e0041\U0001f600" + "e" + "\u0301" * 20  # Of other planes, too, and heaped.
        self.assertEqual(culprit.run("import", "--study", self.study, "--run", other, self.capture).status, 0)
        for command in (["runs"], ["sql", "SELECT name AS run FROM run"]):
            result = culprit.run(*command, "--study", self.study, "--json")
            self.assertIn(other, json.loads(result.stdout)[0].values())
            self.assert_plain(result.stdout)


if __name__ == "__main__":
    unittest.main()

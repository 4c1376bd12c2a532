# SPDX-License-Identifier: GPL-3.0-or-later
# Names from outside cannot control the terminal, neither in the output of a command nor in its progress; programs get
# them unchanged.

import json
import os
import shutil
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

    def test_only_a_narrow_terminal_shortens_names(self):
        self.assertEqual(culprit.run("import", "--study", self.study, self.capture).status, 0)
        names = {row["function"] for row in json.loads(culprit.run("functions", "--study", self.study, "--json").stdout)}
        self.assertIn("…", culprit.run_on_terminal("functions", "--study", self.study).stdout)
        shown = culprit.run("functions", "--study", self.study).stdout
        self.assertEqual(culprit.run_on_terminal("functions", "--study", self.study, columns=250).stdout, shown)
        self.assertEqual({name for name in names if name not in shown}, set())

    def assert_plain(self, text):
        self.assertEqual([character for character in text if not character.isprintable() and character != "\n"], [])

    def test_progress_shows_a_clean_name(self):
        os.rename(self.capture, capture := self.capture.replace(".dat", "\nnext.dat"))
        written = culprit.run_on_terminal("import", "--study", self.study, capture)
        self.assertEqual(written.status, 0, written)
        progress = written.stdout.replace("\r\x1b[K", "")  # This is ours.
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

# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by tests of a study in trouble: a folder of their own, and what must hold whatever went wrong.

import os
import tempfile
import unittest

from content import content, differences, plain_captures

from culprit import import_captures, run


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


class Robust(unittest.TestCase):
    def setUp(self):
        self.assertGreaterEqual(len(plain_captures()), 6, "tests/data holds the captures these tests need")
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.name = os.path.join(self.folder, "s.culprit")

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def assert_refused(self, result, *words):
        self.assertEqual(result.status, 2, result.stderr)
        self.assertEqual(len(result.error_lines()), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def assert_whole(self, study):
        result = run("check", "--study", study)
        self.assertEqual((result.status, result.stderr), (0, ""), result.stdout)

    def assert_same_content(self, study, other):
        self.assertEqual(differences(content(study), content(other)), [])

    def undisturbed(self, paths, name="undisturbed.culprit"):
        result = import_captures(self.path(name), paths, run_name="r")
        self.assertEqual(result.status, 0, result.stderr)
        return self.path(name)

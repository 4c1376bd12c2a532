#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# What is said of many captures does not depend on how the work on them is parted.

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import culprit  # noqa: E402
import many  # noqa: E402

CAPTURES = 1100  # parted among as many as four processors
ONE_PROCESSOR = ("taskset", "-c", str(min(os.sched_getaffinity(0))))


class ManyCaptures(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.base = many.make_base(self.folder)

    def make(self, runs):
        study = os.path.join(self.folder, "many.culprit")
        many.repeat(self.base, study, CAPTURES, runs)
        self.assertEqual(culprit.run("check", "--study", study).status, 0)
        return study

    def say(self, study, *command, before=()):
        result = culprit.run(*command, "--study", study, before=before)
        self.assertEqual(result.status, 0, result.stderr)
        return result.stdout

    def assert_the_same_on_one_processor(self, study):
        for command in (("verdict", "--json"), ("verdict", "--json", "--raw"), ("verdict", "--json", "--base", "few"),
                        ("stalls", "--json")):
            self.assertEqual(self.say(study, *command), self.say(study, *command, before=ONE_PROCESSOR), command)

    def test_one_processor_and_several_say_the_same_of_one_run(self):
        self.assert_the_same_on_one_processor(self.make(runs=False))

    def test_one_processor_and_several_say_the_same_of_many_runs(self):
        self.assert_the_same_on_one_processor(self.make(runs=True))


if __name__ == "__main__":
    unittest.main()

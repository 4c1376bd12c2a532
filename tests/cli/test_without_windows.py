# SPDX-License-Identifier: GPL-3.0-or-later
# Captures without windows are in no table of late wake-ups; wherever these are shown or judged, it is said which captures
# are missing, and why.

import json
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

from culprit import import_captures, run  # noqa: E402
from events import Event, entry, leave  # noqa: E402
from tracefile import TraceFile  # noqa: E402

LATE = os.path.join(HERE, "..", "data", "count-1.dat")
NO_MARKER = "has no windows: it has no latency marker"
STRANGE = "has no windows: its latency marker is not in cyclictest's format"


class WithoutWindows(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")

    def make(self, name, text=None):
        """A capture without a latency marker, or with this one."""
        start = 10 ** 9 + len(name)
        events = [entry(start, 50, 0x1000, 0), leave(start + 500, 50, 0x1000, 0)]
        events += [Event(start + 1000, "print", 50, text=text)] if text else []
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(TraceFile({"": {0: events}}, symbols=[(0x1000, "f", "")]).to_bytes())
        return path

    def import_(self, *paths, name="r"):
        result = import_captures(self.study, list(paths), run_name=name)
        self.assertEqual(result.status, 0, result.stderr)
        return result

    def words(self, *arguments):
        result = run(*arguments, "--study", self.study)
        self.assertEqual((result.status, result.stderr), (0, ""))
        return " ".join(result.stdout.split())

    def report(self):
        out = os.path.join(self.folder, "r.html")
        self.words("report", "--out", out)
        with open(out, encoding="utf-8") as file:
            return file.read()

    def test_one_beside_a_late_wake_up(self):
        self.import_(LATE, self.make("a.dat"))
        self.assertIn(f"Capture 2 {NO_MARKER}", self.words("outliers"))
        for text in (self.words("verdict"), self.report()):
            self.assertIn(f"1 capture {NO_MARKER}", text)

    def test_nothing_but_such_captures(self):
        self.import_(self.make("a.dat"))
        self.assertIn(f"No outliers. Capture 1 {NO_MARKER}", self.words("outliers"))
        self.assertIn(f"1 capture {NO_MARKER}", self.words("verdict"))

    def test_one_sentence_for_each_reason(self):
        self.import_(*(self.make(f"{'a' * i}.dat") for i in range(1, 6)), self.make("b.dat", "hit latency threshold (much)\n"))
        text = self.words("outliers")
        self.assertIn("Captures 1, 2, 3 and 2 more have no windows: it has no latency marker", text)
        self.assertIn(f"Capture 6 {STRANGE}.", text)
        self.assertIn("5 captures have no windows: it has no latency marker", self.words("verdict"))

    def test_only_of_what_was_asked_for(self):
        self.import_(LATE, name="late")
        self.import_(self.make("a.dat"), name="other")
        self.assertIn(NO_MARKER, self.words("outliers", "--run", "other"))
        for asked in (("--run", "late"), ("--capture", "1"), ("--where", "latency_ns > 0")):
            for command in ("outliers", "verdict"):
                self.assertNotIn("no windows", self.words(command, *asked), (command, asked))

    def test_nothing_is_added_to_what_programs_read(self):
        self.import_(LATE, self.make("a.dat"))
        self.assertEqual(len(json.loads(run("outliers", "--study", self.study, "--json").stdout)), 1)
        self.assertEqual(len(run("outliers", "--study", self.study, "--csv").stdout.splitlines()), 2)

    def test_an_import_says_so_at_once(self):
        result = self.import_(self.make("a.dat"))
        self.assertIn("a.dat: stored without windows: it has no latency marker", result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# An ignored capture is left out of functions and report as if it had never been imported, and the output says so; it
# stays in the list of outliers, and is shown if it is named.

import json
import os
import re
import shutil
import sqlite3
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from contextlib import closing

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

from culprit import import_captures, run, run_on_terminal  # noqa: E402

DATA = os.path.join(HERE, "..", "data")
IGNORED = ("blind-2.dat", "count-1.dat")
NOTE = "2 ignored captures are left out"


def paths(names):
    return [os.path.join(DATA, name) for name in names]


class Ignored(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        home = cls.enterClassContext(tempfile.TemporaryDirectory())
        names = sorted(name for name in os.listdir(DATA) if name.endswith(".dat"))
        cls.whole, cls.without = (os.path.join(home, name) for name in ("whole.culprit", "without.culprit"))
        for name, chosen in (("count", lambda name: name.startswith("count")), ("rest", lambda name: name[:5] != "count")):
            run_names = list(filter(chosen, names))
            for study, taken in ((cls.whole, run_names), (cls.without, [one for one in run_names if one not in IGNORED])):
                assert import_captures(study, paths(taken), run_name=name).status == 0

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = shutil.copy(self.whole, os.path.join(self.folder, "s.culprit"))

    def ignore(self, *names):
        with closing(sqlite3.connect(self.study)) as database, database:
            for name in names:
                changed = database.execute("UPDATE capture SET triage = 'ignored' WHERE file LIKE ?", (f"%/{name}",))
                assert changed.rowcount == 1

    def text(self, *arguments, study=None):
        result = run(*arguments, "--study", study or self.study)
        self.assertEqual((result.status, result.stderr), (0, ""))
        return result.stdout

    def json(self, *arguments, study=None):
        return json.loads(self.text(*arguments, "--json", study=study))

    def report(self, *arguments):
        out = os.path.join(self.folder, "r.html")
        self.text("report", "--out", out, *arguments)
        return xml.etree.ElementTree.parse(out).getroot()

    def assert_same(self, found, expected):
        """The same but for the order in which reals were added up."""
        self.assertEqual(type(found), type(expected))
        if isinstance(expected, dict):
            self.assertEqual(list(found), list(expected))
            for key, value in expected.items():
                self.assert_same(found[key], value)
        elif isinstance(expected, list):
            self.assertEqual(len(found), len(expected))
            for one, other in zip(found, expected):
                self.assert_same(one, other)
        elif isinstance(expected, float):
            self.assertAlmostEqual(found, expected, 9)
        else:
            self.assertEqual(found, expected)


def by_name(functions):
    return sorted(functions, key=lambda row: (row["function"], row["module"], row["ordinal"]))


class Functions(Ignored):
    def test_they_are_those_of_a_study_without_the_ignored_captures(self):
        self.ignore(*IGNORED)
        for arguments in ((), ("--run", "count"), ("--run", "rest")):
            found, expected = (by_name(self.json("functions", *arguments, study=study)) for study in (self.study, self.without))
            self.assertGreater(len(expected), 100)
            self.assert_same(found, expected)

    def first_line(self, *arguments):
        return self.text("functions", *arguments).partition("\n")[0]

    def test_it_is_said_how_many_are_left_out(self):
        self.assertNotIn("left out", self.first_line())
        self.ignore(IGNORED[0])
        self.assertEqual("1 ignored capture is left out.", self.first_line())
        self.ignore(IGNORED[1])
        self.assertEqual(f"{NOTE}.", self.first_line())
        self.assertEqual("1 ignored capture is left out.", self.first_line("--run", "count"))

    def test_a_run_in_which_none_is_ignored_stays_as_it_is(self):
        before = self.text("functions", "--run", "count")
        self.ignore(IGNORED[0])
        self.assertEqual(self.text("functions", "--run", "count"), before)

    def test_a_capture_that_is_named_is_shown(self):
        before = self.text("functions", "--capture", IGNORED[0])
        self.ignore(*IGNORED)
        self.assertEqual(self.text("functions", "--capture", IGNORED[0]), before)

    def test_all_may_be_ignored(self):
        self.ignore(*(name for name in os.listdir(DATA) if name.endswith(".dat")))
        self.assertEqual(self.json("functions"), [])
        self.assertEqual("17 ignored captures are left out.", self.first_line())


class Outliers(Ignored):
    def test_an_ignored_capture_is_listed_with_its_state(self):
        before = [row["capture"] for row in self.json("outliers")]
        self.ignore(*IGNORED)
        rows = self.json("outliers")
        self.assertEqual([row["capture"] for row in rows], before)
        self.assertEqual({os.path.basename(row["file"]) for row in rows if row["triage"] == "ignored"}, set(IGNORED))
        lines = run_on_terminal("outliers", "--study", self.study).stdout.splitlines()
        self.assertEqual(sum(" ignored" in line for line in lines), 2)
        self.assertLessEqual(max(map(len, lines)), 100)

    def test_one_that_is_shown_alone_says_why_it_is_not_explained(self):
        self.ignore(*(name for name in os.listdir(DATA) if re.match(r"count.*\.dat$", name)))
        shown = self.text("show", "count-1.dat")
        self.assertIn("unexplained: all captures of its series are ignored", " ".join(shown.split()))

    def test_runs_count_them_apart(self):
        self.ignore(*IGNORED)
        self.assertEqual([(row["captures"], row["ignored"]) for row in self.json("runs")], [(6, 1), (11, 1)])


class Stalls(Ignored):
    def test_their_stretches_are_left_out(self):
        before = self.json("stalls")
        self.ignore(*IGNORED)
        self.assertEqual([row["capture"] for row in self.json("stalls")],
                         [row["capture"] for row in before if os.path.basename(row["file"]) not in IGNORED])
        self.assertLess(len(self.json("stalls")), len(before))


class Base(Ignored):
    def test_ordinary_wake_ups_of_ignored_captures_are_no_base(self):
        self.ignore(*IGNORED)
        for base in ("count", "rest"):
            found, expected = (self.json("verdict", "--base", base, study=study) for study in (self.study, self.without))
            self.assertGreater(len(expected["culprits"]), 0)
            for key in ("base_captures", "culprits", "suspects", "excess_mean_ns", "stand_out"):
                self.assert_same(found[key], expected[key])


class Latency(Ignored):
    def test_untraced_wake_ups_are_those_of_captures_that_count(self):
        before, = self.json("latency", "--untraced", "rest")
        self.ignore(*IGNORED)
        for name in ("count", "rest"):
            found, expected = (self.json("latency", "--untraced", name, study=study) for study in (self.study, self.without))
            self.assert_same(found, expected)
            self.assertIn("1 ignored capture is left out", self.text("latency", "--untraced", name))
        self.assertLess(found[0]["n"], before["n"])


class Report(Ignored):
    def captures(self, tree):
        table = tree.find(".//section[@id='captures']//tbody")
        return [int(row.find("td/data").get("value")) for row in table]

    def functions(self, tree):
        return ["".join(row.find("td").itertext()) for row in tree.find(".//section[@id='functions']//tbody")]

    def test_it_is_of_the_others_and_says_so(self):
        self.assertNotIn("left out", "".join(self.report().itertext()))
        self.ignore(*IGNORED)
        tree = self.report()
        shown = [row["capture"] for row in self.json("outliers") if row["triage"] != "ignored"]
        self.assertEqual(self.captures(tree), shown)
        self.assertEqual({article.get("id") for article in tree.iter("article")}, {f"capture-{one}" for one in shown})
        self.assertEqual(self.functions(tree), [row["function"] for row in self.json("functions")[:20]])
        self.assertIn(NOTE, "".join(tree.find(".//header").itertext()))
        recorded = ["".join(row.itertext()) for row in tree.find(".//section[@id='recorded']//tbody")]
        self.assertEqual(["1 ignored" in row for row in recorded], [True, True])

    def test_captures_that_are_named_are_in_it(self):
        self.ignore(*IGNORED)
        tree = self.report(*IGNORED)
        named = [row["capture"] for row in self.json("outliers") if row["triage"] == "ignored"]
        self.assertEqual(self.captures(tree), named)
        self.assertNotIn("left out", "".join(tree.find(".//header").itertext()))


if __name__ == "__main__":
    unittest.main()

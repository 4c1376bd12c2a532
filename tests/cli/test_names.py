# SPDX-License-Identifier: GPL-3.0-or-later
# Functions that share a name: each has a row of its own wherever functions are shown, and can be distinguished from the
# others.

import json
import os
import re
import sqlite3
import sys
import tempfile
import unittest
from contextlib import closing

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "capture")]

import culprit  # noqa: E402
from events import entry, leave  # noqa: E402
from streams import symbol_table  # noqa: E402
from tracefile import TraceFile  # noqa: E402

DATA = os.path.join(HERE, "..", "data")


class SameName(unittest.TestCase):
    """What calls the function that is called too often is given its name."""

    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(folder, "s.culprit")
        result = culprit.import_captures(self.study, [os.path.join(DATA, f"count-{i}.dat") for i in (1, 2, 3)])
        self.assertEqual(result.status, 0, result.stderr)
        self.before = self.json("functions")
        self.rename("ehci_work", 1)

    def rename(self, name, ordinal):
        with closing(sqlite3.connect(self.study)) as database, database:
            changed = database.execute("UPDATE function SET (name, module, ordinal) = (SELECT name, module, ? FROM function "
                                       "WHERE name = 'qh_completions') WHERE name = ?", (ordinal, name))
            self.assertEqual(changed.rowcount, 1)

    def json(self, *arguments):
        return json.loads(self.text(*arguments, "--json"))

    def text(self, *arguments):
        result = culprit.run(*arguments, "--study", self.study)
        self.assertEqual((result.status, result.stderr), (0, ""))
        return result.stdout

    def test_each_has_a_row_of_its_own(self):
        rows = {(row["function"], row["ordinal"]): row for row in self.json("functions")}
        for old in self.before:
            now = rows["qh_completions", 1] if old["function"] == "ehci_work" else rows[old["function"], old["ordinal"]]
            self.assertEqual((now["calls"], now["excess_ns"]), (old["calls"], old["excess_ns"]))
        parts = {(part["function"], part["ordinal"]): part for part in self.json("show", "1")[0]["budget"]}
        self.assertNotEqual(parts["qh_completions", 0]["calls"], parts["qh_completions", 1]["calls"])

    def test_texts_number_the_second_and_later_ones(self):
        for arguments in (("functions",), ("show", "--all", "1")):
            names = re.findall(r"(?m)completions(?:#\d)?(?= )", self.text(*arguments).partition("Call tree")[0])
            self.assertEqual({"completions", "completions#2"}, set(names), arguments)

    def test_the_verdict_says_which_one_it_is(self):
        self.assertTrue(self.json("verdict")["in_words"][0].startswith("qh_completions (in an interrupt) was called"))
        with closing(sqlite3.connect(self.study)) as database, database:
            database.execute("UPDATE function SET ordinal = 7 WHERE name = 'qh_completions' AND ordinal = 0")
        self.assertTrue(self.json("verdict")["in_words"][0].startswith("qh_completions#8 (in an interrupt) was called"))


class CallTree(unittest.TestCase):
    def test_the_tree_tells_them_apart(self):
        first, second = (address for address, name, _ in symbol_table() if name == "smaller_helper")
        start = 5_000_000_000
        events = [event for i in range(40) for event in
                  (entry(start + i * 5000, 128, first, 0), leave(start + i * 5000 + 1000, 128, first, 0, 1000),
                   entry(start + i * 5000 + 2000, 128, second, 0), leave(start + i * 5000 + 4000, 128, second, 0, 2000))]
        with tempfile.TemporaryDirectory() as folder:
            path, study = os.path.join(folder, "a.dat"), os.path.join(folder, "s.culprit")
            TraceFile({"": {0: events}}, symbols=symbol_table(), cmdlines={128: "cyclictest"}).write(path)
            with open(os.path.join(folder, "a.json"), "w", encoding="ascii") as file:
                late = [start + 1, start + 190_000]
                json.dump({"type": "capture", "culprit_cycles": 1, "period_ns": 5000000, "threshold_ns": 1000, "needed_kb": 0,
                           "hit": {"cpu": 0, "pid": 128, "cycle": 7, "expected_ns": late[0], "observed_ns": late[1]},
                           "cycles": [late]}, file)
            self.assertEqual(culprit.run("import", "--study", study, path).status, 0)
            shown = culprit.run("show", "--all", "--study", study, "1").stdout
        tree = shown.partition("Call tree")[2]
        for name in ("smaller_helper x ", "smaller_helper#2 x "):
            self.assertIn(name, tree)

    def test_a_long_one_is_cut_between_characters(self):
        """And one by which nothing is looked up stops no study that has it."""
        address, start = 0xffffffff81000000, 5_000_000_000
        events = [entry(start, 128, address, 0), leave(start + 1000, 128, address, 0, 1000)]
        with tempfile.TemporaryDirectory() as folder:
            path, study = os.path.join(folder, "a.dat"), os.path.join(folder, "s.culprit")
            TraceFile({"": {0: events}}, symbols=[(address, "n" * 510 + "\u00e9\u00e9", "m" * 509 + "\u00e9\u00e9")],
                      cmdlines={128: "cyclictest"}).write(path)
            self.assertEqual(culprit.run("import", "--study", study, path).status, 0)
            found, = culprit.rows(study, "SELECT name, module FROM function WHERE name LIKE 'n%'")
            self.assertEqual(tuple(found.values()), ("n" * 510, "m" * 509 + "\u00e9"))
            self.assertEqual(culprit.run("check", "--study", study).status, 0)
            with closing(sqlite3.connect(study)) as database, database:
                database.execute("UPDATE function SET name = CAST (x'ff' AS TEXT) || function_id")
            for command in ("functions", "runs", "check", "verdict"):
                result = culprit.run(command, "--study", study)
                self.assertNotEqual(result.status, 2, result.stderr)

    def test_a_function_that_is_called_like_none_is_named_by_its_address(self):
        """As those of the kernel are that are not in its table: [user] and the like are no calls."""
        address, start = 0xffffffff81000000, 5_000_000_000
        events = [event for i in range(40) for event in
                  (entry(start + i * 5000, 128, address, 0), leave(start + i * 5000 + 1000, 128, address, 0, 1000))]
        for name, module in (("[user]", ""), ("[idle]", ""), ("[not captured]", ""), ("[blocked]", "m"), ("[", "")):
            with self.subTest(name=name), tempfile.TemporaryDirectory() as folder:
                path, study = os.path.join(folder, "a.dat"), os.path.join(folder, "s.culprit")
                TraceFile({"": {0: events}}, symbols=[(address, name, module)], cmdlines={128: "cyclictest"}).write(path)
                with open(os.path.join(folder, "a.json"), "w", encoding="ascii") as file:
                    late = [start + 1, start + 190_000]
                    json.dump({"type": "capture", "culprit_cycles": 1, "period_ns": 5000000, "threshold_ns": 1000, "needed_kb": 0,
                               "hit": {"cpu": 0, "pid": 128, "cycle": 7, "expected_ns": late[0], "observed_ns": late[1]},
                               "cycles": [late]}, file)
                result = culprit.run("import", "--study", study, path)
                self.assertEqual(result.status, 0, result.stderr)
                shown = json.loads(culprit.run("show", "--study", study, "--json", "1").stdout)
                self.assertEqual({part["function"] for part in shown[0]["budget"]}, {"[user]", f"0x{address:x}"})
                self.assertEqual(culprit.run("check", "--study", study).status, 0)


if __name__ == "__main__":
    unittest.main()

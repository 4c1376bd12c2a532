#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Every query in the library fits the study's schema, and is used.

import contextlib
import os
import re
import sqlite3
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import culprit  # noqa: E402

LIBRARY = os.path.join(culprit.ROOT, "libanalysis")
FOLDER = os.path.join(LIBRARY, "study", "sql")
BEGIN = "profile-begin"  # the script for what other queries need
SCRIPTS = ("merge/map", "merge/runs", "merge/copy", "merge/drop")  # in the order in which a merge runs them
STEPS = {"merge/add-nodes": 1, "merge/map-nodes": 1, "merge/notes": 1, "merge/otherwise": 1, "merge/labels": 2, "merge/rename": 2, "merge/numbered": 2}  # queries that need the tables of as many of these


class Anything(dict):
    """A value for every parameter."""

    def __missing__(self, name):
        return None


def read(name):
    with open(os.path.join(FOLDER, name + ".sql"), encoding="utf-8") as file:
        return file.read()


def names():
    for folder, _, files in os.walk(FOLDER):
        for file in files:
            yield os.path.relpath(os.path.join(folder, file), FOLDER)[:-len(".sql")]


def text(name):
    """As the library puts it together."""
    return re.sub(r"\{([^}]*)\}", lambda part: "1" if part[1] == "where" else text("parts/" + part[1]), read(name))


def sources():
    for folder, _, files in os.walk(LIBRARY):
        for file in files:
            if file.endswith(".c"):
                with open(os.path.join(folder, file), encoding="utf-8") as source:
                    yield source.read()


def open_study(folder, name):
    """An empty study that the program made, with what the library adds to SQL."""
    study = os.path.join(folder, name)
    profile = os.path.join(culprit.ROOT, "tests", "data", "tools", "jitterdebugger-ns", "results.json")
    result = culprit.run("import", "--study", study, profile)
    assert result.status == 0, result.stderr
    return study


class Queries(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.database = sqlite3.connect(open_study(folder.name, "one.culprit"))
        self.addCleanup(self.database.close)
        for function in ("file_from_other", "is_utf8", "no_windows_words", "product_sum", "window_kind_words"):
            self.database.create_function(function, -1, lambda *values: values[0])
        self.database.executescript(text(BEGIN))
        self.database.execute("ATTACH ? AS other", (open_study(folder.name, "two.culprit"),))

    def prepare(self, name):
        try:
            self.database.execute("EXPLAIN " + text(name), Anything())
        except sqlite3.Error as problem:
            self.fail(f"{name}.sql: {problem}")

    def test_each_query_fits_the_schema(self):
        queries = [name for name in names() if not name.startswith("parts/") and name not in (BEGIN, *SCRIPTS, *STEPS)]
        self.assertGreater(len(queries), 20)
        for name in queries:
            self.prepare(name)

    def test_each_script_of_a_merge_runs(self):
        for step, script in enumerate(SCRIPTS):
            for name, needed in STEPS.items():
                if needed == step:
                    self.prepare(name)
            try:
                self.database.executescript(text(script))
            except sqlite3.Error as problem:
                self.fail(f"{script}.sql: {problem}")

    def test_what_profiles_tell_is_kept_until_somebody_else_changes_the_study(self):
        def told():
            self.database.executescript(text(BEGIN))
            return [run for run, in self.database.execute("SELECT run_id FROM told")]
        run, = self.database.execute("SELECT MIN (run_id) FROM main.run WHERE source = 'profile'").fetchone()
        self.database.executescript(text(BEGIN))
        self.database.execute(text("profile-contents"), {"run": run})
        self.database.commit()
        self.assertIn(run, told())
        path, = self.database.execute("SELECT file FROM pragma_database_list WHERE name = 'main'").fetchone()
        with contextlib.closing(sqlite3.connect(path)) as other, other:
            other.execute("DELETE FROM run WHERE run_id = ?", (run,))
        self.assertEqual(told(), [])

    def test_none_is_unused(self):
        code = "".join(sources())
        included = {"parts/" + part for name in names() for part in re.findall(r"\{([^}]*)\}", read(name))}
        unused = [name for name in names() if name not in included and f'"{name}"' not in code]
        self.assertEqual(unused, [])

    def test_each_is_in_the_program(self):
        with open(os.path.join(culprit.ROOT, "data", "study.gresource.xml"), encoding="utf-8") as file:
            carried = re.findall(r"<file>(.*)\.sql</file>", file.read())
        self.assertEqual(sorted(names()), sorted(name for name in carried if os.path.exists(os.path.join(FOLDER, name + ".sql"))))


if __name__ == "__main__":
    unittest.main()

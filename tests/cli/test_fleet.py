# SPDX-License-Identifier: GPL-3.0-or-later
# culprit fleet up to where Python begins, and what the other commands say of a study that it made: that it contains a
# selection.

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from contextlib import closing

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TESTS, "support")]
from culprit import PROGRAM, ROOT, run  # noqa: E402
import fleet_study  # noqa: E402

SELECTION = "This study contains 55 of 1,032 captures from 20 hosts"


def text(result):
    assert result.status == 0, result.stderr
    return " ".join(result.stdout.split())


class Starting(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.python = os.path.join(folder.name, "python")

    def fleet(self, *arguments, **environment):
        given = {"CULPRIT_FLEET_PYTHON": self.python, **environment}
        return run("fleet", *arguments, before=("env", *(f"{name}={value}" for name, value in given.items())))

    def assert_bad(self, result, *words):
        self.assertEqual((result.status, result.stdout, len(result.error_lines())), (2, "", 1), result)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_without_captures_or_a_folder_or_with_an_unknown_option_nothing_is_started(self):
        self.assert_bad(self.fleet("--out", "x"), "CAPTURES... is missing")
        self.assert_bad(self.fleet("captures"), "--out is missing")
        self.assert_bad(self.fleet("captures", "--out", "x", "--cores", "9"), "--cores")
        self.assert_bad(self.fleet("captures", "--out", "x", "--worst", "many"), "many")

    def test_its_help_is_printed_from_a_checkout_before_anything_is_fetched(self):
        checkout = tempfile.mkdtemp(dir=os.path.dirname(self.python))
        for path in ("app", "data", "build/app/cli"):
            os.makedirs(os.path.join(checkout, path))
        for path, target in (("app/run", os.path.join(ROOT, "app", "run")), ("build/app/cli/culprit", PROGRAM),
                             ("app/fleet", os.path.join(ROOT, "app", "fleet")), ("data/setup", shutil.which("true")), ("data/build", shutil.which("true"))):
            os.symlink(target, os.path.join(checkout, path))
        environment = {**os.environ, "CULPRIT_FLEET_ENVIRONMENT": self.python, "PIP_NO_INDEX": "1"}
        for arguments in (["--help"], ["captures", "-h"]):
            done = subprocess.run([os.path.join(checkout, "app", "run"), "fleet", *arguments], env=environment, capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("--master=URL", done.stdout)
        self.assertFalse(os.path.exists(self.python))

    def test_its_environment_is_made_in_no_folder_of_the_users(self):
        folder = os.path.dirname(self.python)
        with open(os.path.join(folder, "python3"), "w", encoding="utf-8") as script:
            script.write('#!/bin/sh\necho "$PWD" "$@"\nexit 7\n')
        for path, target in (("app/fleet", os.path.join(ROOT, "app", "fleet")), ("data/setup", shutil.which("true")), ("bin/java", shutil.which("true"))):
            os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
            os.symlink(target, os.path.join(folder, path))
        os.chmod(os.path.join(folder, "python3"), 0o755)
        done = subprocess.run(["app/fleet/setup"], cwd=folder, capture_output=True, text=True, check=False,
                              env={**os.environ, "PATH": f"{folder}:{folder}/bin:{os.environ['PATH']}", "CULPRIT_FLEET_ENVIRONMENT": "mine"})
        self.assertEqual((done.returncode, done.stdout), (7, f"/ -m venv {os.path.join(os.path.realpath(folder), 'mine')}\n"), done.stderr)

    @unittest.skipUnless(os.path.isdir(os.path.join(ROOT, "app", "fleet", "culprit_fleet")), "the Python package is not there")
    def test_without_its_environment_it_says_how_to_get_it(self):
        self.assert_bad(self.fleet("captures", "--out", "x"), self.python, "app/fleet/setup")

    @unittest.skipUnless(os.path.isdir(os.path.join(ROOT, "app", "fleet", "culprit_fleet")), "the Python package is not there")
    def test_python_gets_the_arguments_the_package_and_this_program(self):
        with open(self.python, "w", encoding="utf-8") as script:
            script.write('#!/bin/sh\nprintf "%s|" "$PWD" "$LC_ALL" "$@" "$CULPRIT" "$PYTHONPATH"\nexit 7\n')
        os.chmod(self.python, 0o755)
        # In no folder of the user's, whose modules it would take for its own.
        result = self.fleet("a b", "--out=x", "--compact", "hdfs:///c", PYTHONPATH="/mine", LC_ALL="C", CULPRIT_FLEET_PYTHON=os.path.relpath(self.python))
        self.assertEqual(result.status, 7, result.stderr)
        package, _, others = result.stdout.split("|")[-2].partition(":")
        self.assertEqual(result.stdout.split("|")[:-3], ["/", "C.UTF-8", "-m", "culprit_fleet", "--from", os.getcwd(), "a b", "--out=x", "--compact", "hdfs:///c"])
        self.assertTrue(os.path.samefile(result.stdout.split("|")[-3], PROGRAM))
        self.assertEqual((os.path.isdir(os.path.join(package, "culprit_fleet")), others), (True, "/mine"))


class Selection(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.study = fleet_study.make(os.path.join(cls.folder, "fleet.culprit"))

    def copy(self):
        folder = tempfile.mkdtemp(dir=self.folder)
        return shutil.copy(self.study, os.path.join(folder, "fleet.culprit"))

    def change(self, study, sql):
        with closing(sqlite3.connect(study)) as database:
            database.execute(sql)
            database.commit()

    def test_the_verdict_and_the_outliers_say_that_they_are_about_a_selection(self):
        self.assertIn(f"{SELECTION}; this verdict is about these.", text(run("verdict", "--study", self.study)))
        self.assertTrue(text(run("outliers", "--study", self.study)).endswith(f"{SELECTION}."))
        steps = json.loads(run("verdict", "--study", self.study, "--json").stdout)["next_steps"]
        self.assertIn(f"{SELECTION}; this verdict is about these.", steps)

    def test_tables_for_programs_do_not_say_it(self):
        for form in ("--json", "--csv"):
            self.assertNotIn(SELECTION, run("outliers", "--study", self.study, form).stdout)

    def test_the_report_says_it(self):
        page = os.path.join(self.folder, "page.html")
        self.assertEqual(run("report", "--study", self.study, "--out", page).status, 0)
        with open(page, encoding="utf-8") as file:
            self.assertIn(SELECTION, file.read())

    def test_another_study_says_nothing_of_it(self):
        study = os.path.join(ROOT, "data", "sample", "sample.culprit")
        for command in ("verdict", "outliers"):
            self.assertNotIn("This study contains", text(run(command, "--study", study)))

    def test_check_finds_what_does_not_add_up(self):
        self.assertEqual(run("check", "--study", self.study).status, 0)
        for sql, fault in (("UPDATE fleet_population SET outliers = outliers + 1 WHERE population_id = 3", "outliers, not"),
                           ("UPDATE fleet_population SET captures = 1 WHERE population_id = 3", "2 of its 1 captures are here")):
            study = self.copy()
            self.change(study, sql)
            result = run("check", "--study", study)
            self.assertEqual(result.status, 1)
            self.assertIn(fault, result.stdout)

    def test_removing_a_run_keeps_its_population(self):
        study = self.copy()
        with closing(sqlite3.connect(study)) as database:
            database.execute("PRAGMA foreign_keys = ON")
            before = database.execute("SELECT COUNT (*) FROM fleet_population WHERE run_id IS NULL").fetchone()[0]
            database.execute("DELETE FROM run WHERE run_id = 1")
            database.commit()
            after = database.execute("SELECT COUNT (*) FROM fleet_population WHERE run_id IS NULL").fetchone()[0]
        self.assertEqual(after, before + 1)
        self.assertEqual(run("check", "--study", study).status, 0)

    def test_a_merge_takes_the_captures_and_says_that_it_leaves_the_rest(self):
        into = os.path.join(self.folder, "merged.culprit")
        self.assertIn("what culprit fleet found in all captures is not added", text(run("merge", "--study", into, self.study)))
        self.assertNotIn("This study contains", text(run("verdict", "--study", into)))
        result = run("merge", "--study", os.path.join(self.folder, "json.culprit"), self.study, "--json")
        self.assertEqual(json.loads(result.stdout)["populations_left_out"], 30)

    def test_a_damaged_fleet_is_refused_in_one_line(self):
        study = self.copy()
        with closing(sqlite3.connect(study)) as database:
            database.execute("DROP TABLE fleet_new")
            database.commit()
        result = run("verdict", "--study", study)
        self.assertEqual((result.status, len(result.error_lines())), (2, 1))
        self.assertIn("fleet_new", result.stderr)


if __name__ == "__main__":
    unittest.main()

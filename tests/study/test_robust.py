# SPDX-License-Identifier: GPL-3.0-or-later
# Problems with a study or its surroundings: a file that is not a study, missing permissions, two programs at once. Each
# gives a clear one-line error with status 2, and nothing that was stored is lost.

import os
import random
import shutil
import sqlite3
import subprocess
import unittest
from contextlib import closing

from content import content, differences, plain_captures, query
from robust import Robust, bytes_of

import culprit
from culprit import import_captures, run

SEED = 1
NOBODY = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")


class NoStudy(Robust):
    def commands(self, study):
        good = self.undisturbed(plain_captures()[:1])
        return {
            "runs": ("runs", "--study", study), "outliers": ("outliers", "--study", study),
            "functions": ("functions", "--study", study), "show": ("show", "--study", study, "1"),
            "sql": ("sql", "--study", study, "SELECT 1"), "check": ("check", "--study", study),
            "import": ("import", "--study", study, plain_captures()[0]), "merge": ("merge", "--study", study, good),
            "merge from it": ("merge", "--study", good, study),
        }

    def assert_every_command_refuses(self, study, *words):
        before = bytes_of(study)
        for name, arguments in self.commands(study).items():
            with self.subTest(name):
                self.assert_refused(run(*arguments), study, *words)
                self.assertEqual(bytes_of(study), before, "the file was changed")

    def database(self, *statements):
        with closing(sqlite3.connect(self.name, isolation_level=None)) as database:
            for statement in ("CREATE TABLE bookmarks (url)", *statements):
                database.execute(statement)
        return self.name

    def test_a_text_is_no_study(self):
        for length in (5, 100, 5000):
            with open(self.name, "w", encoding="utf-8") as file:
                file.write("a letter to a friend\n"[:length] * (length // 21 + 1))
            self.assert_every_command_refuses(self.name)

    def test_the_database_of_another_program_is_no_study(self):
        self.assert_every_command_refuses(self.database("PRAGMA application_id = 252006673"), "another program")

    def test_a_database_without_application_id_is_no_study(self):
        self.assert_every_command_refuses(self.database(), "another program")

    def test_a_study_of_a_newer_version_is_left_alone(self):
        self.undisturbed(plain_captures()[:1], "s.culprit")
        with closing(sqlite3.connect(self.name)) as database:
            version = database.execute("PRAGMA user_version").fetchone()[0]
            database.execute(f"PRAGMA user_version = {version + 1}")
            database.execute("PRAGMA journal_mode = DELETE")
        self.assert_every_command_refuses(self.name, "newer")

    def test_a_folder_is_no_study(self):
        os.mkdir(self.name)
        for name, arguments in self.commands(self.name).items():
            with self.subTest(name):
                self.assert_refused(run(*arguments), self.name)

    def test_a_study_in_a_folder_that_is_not_there(self):
        self.assert_refused(import_captures(self.path("no/where.culprit"), plain_captures()[:1]), "no/where.culprit")

    def test_an_empty_file_is_filled_by_import_and_refused_by_others(self):
        open(self.name, "wb").close()
        self.assert_refused(run("outliers", "--study", self.name), self.name)
        self.assertEqual(import_captures(self.name, plain_captures()[:1]).status, 0)
        self.assert_whole(self.name)

    def test_a_study_cut_short_or_overwritten_never_crashes(self):
        good = bytes_of(self.undisturbed(plain_captures()[:3]))
        dice = random.Random(SEED)
        for turn in range(12):
            damaged = bytearray(good[:dice.randrange(len(good))] if turn % 3 == 0 else good)
            for _ in range(2 * turn):
                place = dice.randrange(100, len(damaged) + 101) % max(1, len(damaged))
                damaged[place:place + 20] = dice.randbytes(len(damaged[place:place + 20]))
            with open(self.name, "wb") as file:
                file.write(damaged)
            for name, arguments in self.commands(self.name).items():
                with self.subTest(command=name, turn=turn):
                    result = run(*arguments)
                    self.assertIn(result.status, (0, 1, 2), result.stderr)
                    if result.status == 2:
                        self.assertEqual(len(result.error_lines()), 1, result.stderr)
            for name in os.listdir(self.folder):
                os.unlink(self.path(name))


class Permissions(Robust):
    """Root is stopped by no permission: the program runs as nobody."""

    def setUp(self):
        super().setUp()
        if os.geteuid() == 0:
            probe = subprocess.run([*NOBODY, "true"], capture_output=True, check=False) if shutil.which(NOBODY[0]) else None
            if not probe or probe.returncode != 0:
                self.skipTest("root cannot become nobody here: setpriv is missing or not allowed")
        self.before = NOBODY if os.geteuid() == 0 else ()
        os.chmod(self.folder, 0o755)
        os.mkdir(self.path("d"))
        self.files = [shutil.copy(path, self.folder) for path in plain_captures()[:2]]
        for path in self.files:
            os.chmod(path, 0o644)
        self.name = self.path("d", "s.culprit")
        self.undisturbed(self.files[:1], "d/s.culprit")
        self.addCleanup(self.permit)

    def permit(self):
        os.chmod(self.path("d"), 0o777)

    def forbid(self, study=0o444, folder=0o777):
        if os.geteuid() == 0:
            for name in os.listdir(self.path("d")):
                os.chown(self.path("d", name), 65534, 65534)
        os.chmod(self.name, study)
        os.chmod(self.path("d"), folder)

    def assert_readable(self):
        for arguments in (("runs",), ("outliers", "--json"), ("functions",), ("show", "1"), ("check",),
                          ("sql", "SELECT COUNT (*) FROM capture")):
            with self.subTest(arguments[0]):
                result = run(arguments[0], "--study", self.name, *arguments[1:], before=self.before)
                self.assertEqual((result.status, result.stderr), (0, ""))

    def assert_import_refused(self):
        before = content(self.name)
        result = import_captures(self.name, self.files, before=self.before)
        self.assert_refused(result, self.name, "not stored")
        self.assertEqual(differences(content(self.name), before), [])

    def test_a_read_only_study_can_be_read(self):
        self.forbid()
        self.assert_readable()

    def test_a_read_only_study_in_a_read_only_folder_can_be_read(self):
        self.forbid(folder=0o555)
        self.assert_readable()

    def test_a_study_in_a_read_only_folder_can_be_read(self):
        self.forbid(study=0o644, folder=0o555)
        self.assert_readable()

    def test_a_study_in_a_read_only_folder_can_be_read_with_its_log_beside_it(self):
        """As after a reader, or after a copy while a writer had it open: SQLite's -wal and -shm lie there."""
        with closing(sqlite3.connect(self.name)) as database:
            database.execute("UPDATE capture SET note = 'in the log'")
            database.commit()
            for suffix in ("", "-wal", "-shm"):
                shutil.copy(self.name + suffix, self.path("copy" + suffix))
        for suffix in ("", "-wal", "-shm"):
            os.rename(self.path("copy" + suffix), self.name + suffix)
        self.assertGreater(os.path.getsize(self.name + "-wal"), 0)
        self.forbid(folder=0o555)
        self.assert_readable()
        result = run("sql", "--study", self.name, "SELECT note FROM capture", before=self.before)
        self.assertIn("in the log", result.stdout)

    def test_importing_into_a_read_only_study_is_refused(self):
        self.forbid()
        self.assert_import_refused()

    def test_importing_in_a_read_only_folder_is_refused(self):
        self.forbid(study=0o644, folder=0o555)
        self.assert_import_refused()

    def test_a_new_study_in_a_read_only_folder_is_refused(self):
        self.forbid(folder=0o555)
        result = import_captures(self.path("d", "new.culprit"), self.files, before=self.before)
        self.assert_refused(result, "new.culprit")
        self.assertFalse(os.path.exists(self.path("d", "new.culprit")))

    def test_a_study_that_may_not_be_read_is_refused(self):
        self.forbid(study=0o000)
        for command in ("outliers", "check"):
            self.assert_refused(run(command, "--study", self.name, before=self.before), self.name)

    def test_a_capture_that_may_not_be_read_is_passed_over(self):
        self.forbid(study=0o644)
        os.chmod(self.files[1], 0o000)
        if os.geteuid() == 0:
            os.chown(self.files[1], 65534, 65534)
        result = import_captures(self.name, self.files, before=self.before)
        self.assert_refused(result, self.files[1])
        self.assertIn("1 already in the study", result.stdout)

    def test_what_may_not_be_looked_at_in_a_folder_is_named(self):
        """Captures need not be called so, and folders are closed in two ways: to be listed, and to be entered."""
        folder = self.path("field")
        closed = {os.path.join(folder, name): mode for name, mode in (("plain", 0o000), ("listed", 0o744), ("shut", 0o700))}
        os.mkdir(folder)
        for path, mode in closed.items():
            if mode:
                os.mkdir(path)
            shutil.copy(self.files[1], os.path.join(path, "capture") if mode else path)
            os.chmod(path, mode)
        os.symlink("nowhere", os.path.join(folder, "link"))
        named = [path for path in closed if "listed" not in path] + [os.path.join(folder, "listed", "capture")]
        self.forbid(study=0o644)
        result = import_captures(self.name, [folder], before=self.before)
        self.assertEqual((result.status, sorted(line.split(": ")[1] for line in result.error_lines())), (2, sorted(named)), result.stderr)
        for line in result.error_lines():
            self.assertIn("Permission denied", line)
        shutil.copy(self.files[0], folder)
        os.chmod(os.path.join(folder, os.path.basename(self.files[0])), 0o644)
        result = import_captures(self.name, [folder], before=self.before)
        self.assertEqual((result.status, len(result.error_lines())), (2, 3), result.stderr)
        self.assertIn("1 already in the study, 3 skipped", result.stdout)


class Deep(Robust):
    def test_folders_that_are_too_deep_are_named(self):
        """Their paths are longer than the system takes."""
        shutil.copy(plain_captures()[0], self.folder)
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(self.folder)
        for _ in range(21):
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
        shutil.copy(plain_captures()[1], "capture")
        os.chdir(here)
        result = import_captures(self.name, [self.folder])
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        self.assertIn("File name too long", result.stderr)
        self.assertIn("1 capture stored, 1 skipped", result.stdout)


class AtOnce(Robust):
    """Captures of one kernel: a run is ascribed to the host of its first capture, here any may be first."""

    def setUp(self):
        super().setUp()
        self.files = [path for path in plain_captures() if "-rt-" not in path]

    def start(self, files):
        return subprocess.Popen([culprit.PROGRAM, "import", "--study", self.name, "--period", "5ms", "--run", "r", *files],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def assert_all_succeed(self, *sets, there=()):
        whole = self.undisturbed(sorted(set().union(there, *sets)))
        for turn in range(4):
            with self.subTest(turn=turn):
                if there:
                    self.undisturbed(there, "s.culprit")
                for process in [self.start(files) for files in sets]:
                    out, err = process.communicate(timeout=120)
                    self.assertEqual((process.returncode, err), (0, ""), out)
                counts = query(self.name, "SELECT COUNT (*), COUNT (DISTINCT sha256) FROM capture")
                self.assertEqual(counts, [(len(set().union(there, *sets)),) * 2])
                self.assert_whole(self.name)
                self.assert_same_content(self.name, whole)
                for name in os.listdir(self.folder):
                    if name.startswith("s.culprit"):
                        os.unlink(self.path(name))

    def test_two_imports_of_different_captures_into_a_new_study_both_succeed(self):
        self.assert_all_succeed(self.files[::2], self.files[1::2])

    def test_two_imports_of_different_captures_into_one_study_both_succeed(self):
        self.assert_all_succeed(self.files[1::2], self.files[2::2], there=self.files[:1])

    def test_two_imports_of_overlapping_captures_both_succeed(self):
        self.assert_all_succeed(self.files[1:-2], self.files[2:], there=self.files[:1])

    def test_four_imports_of_the_same_captures_all_succeed(self):
        self.assert_all_succeed(*[self.files, self.files[::-1]] * 2, there=self.files[-1:])

    def test_reading_goes_on_while_another_program_writes(self):
        files = plain_captures()
        study = self.undisturbed(files[:1], "s.culprit")
        with closing(sqlite3.connect(study, isolation_level=None)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            writer.execute("DELETE FROM capture")
            result = run("outliers", "--study", study)
            self.assertEqual((result.status, result.stderr), (0, ""))
            self.assertIn(os.path.basename(files[0]), result.stdout)
            writer.execute("ROLLBACK")

    def test_the_file_alone_has_what_was_imported_while_another_program_had_it_open(self):
        """Of which the last that closes it does not bring in what is in the log, as it only reads."""
        files = plain_captures()
        study = self.undisturbed(files[:1], "s.culprit")
        with closing(sqlite3.connect(f"file:{study}?mode=ro", uri=True)) as reader:
            reader.execute("SELECT COUNT (*) FROM capture").fetchone()
            self.assertEqual(import_captures(study, files[1:3]).status, 0)
        copy = shutil.copy(study, self.path("copy.culprit"))
        self.assertEqual(query(copy, "SELECT COUNT (*) FROM capture"), [(3,)])


if __name__ == "__main__":
    unittest.main()

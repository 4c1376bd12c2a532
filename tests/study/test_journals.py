# SPDX-License-Identifier: GPL-3.0-or-later
# What lies beside a study from a stranger: SQLite deletes what a journal names, writes through links and waits for pipes.
# Nothing of it is touched before the study was checked; what our own programs left when they were killed is rolled back.

import fcntl
import itertools
import os
import shutil
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import unittest
from contextlib import closing

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import culprit  # noqa: E402
from older import make_older  # noqa: E402

SAMPLE = os.path.join(culprit.ROOT, "data", "sample", "sample.culprit")
CAPTURE = os.path.join(culprit.ROOT, "tests", "data", "count-1.dat")
MAGIC = bytes.fromhex("d9d505f920a163d7")
BESIDE = ("-journal", "-wal", "-shm")
VERSIONS = (1, 2, 3, 4, 5)
NOBODY = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")


def content(path):
    with open(path, "rb") as file:
        return file.read()


def journal_head(study, n_pages=None):
    """The head of a rollback journal without pages."""
    data = content(study)
    page = struct.unpack(">H", data[16:18])[0]
    return (MAGIC + struct.pack(">IIIII", 0, 0x1234, len(data) // page if n_pages is None else n_pages, 512, page)).ljust(512, b"\0")


def super_journal(name, page):
    name = os.fsencode(name)
    sum_of = sum(c if c < 128 else c - 256 for c in name) & 0xffffffff
    return struct.pack(">I", 0x40000000 // page + 1) + name + struct.pack(">II", len(name), sum_of) + MAGIC


class Beside(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "theirs", "s.culprit")
        self.mine = os.path.join(self.folder, "mine.culprit")
        self.victim = os.path.join(self.folder, "victim")
        os.mkdir(os.path.dirname(self.study))
        with open(self.victim, "w", encoding="utf-8") as file:
            file.write("precious")
        self.begin()

    def begin(self, version=None, mode="DELETE"):
        for name in os.listdir(os.path.dirname(self.study)):
            path = os.path.join(os.path.dirname(self.study), name)
            (shutil.rmtree if os.path.isdir(path) and not os.path.islink(path) else os.unlink)(path)
        shutil.copy(SAMPLE, self.study)
        os.chmod(self.study, 0o644)
        with closing(sqlite3.connect(self.study, isolation_level=None)) as database:
            database.execute(f"PRAGMA journal_mode = {mode}")
            if version:
                database.execute(f"PRAGMA user_version = {version}")

    def commands(self):
        yield "runs", "--study", self.study
        yield "verdict", "--study", self.study
        yield "check", "--study", self.study
        yield "merge", "--study", self.mine, self.study
        yield "import", "--study", self.study, CAPTURE

    def assert_refused(self, *words):
        before = content(self.study)
        for arguments in self.commands():
            with self.subTest(arguments[0]):
                result = culprit.run(*arguments, timeout=20)
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                for word in words:
                    self.assertIn(word, result.stderr)
                self.assertEqual(content(self.victim), b"precious")
                self.assertEqual(content(self.study), before)

    def put_journal(self, journal):
        with open(self.study + "-journal", "wb") as file:
            file.write(journal)


class Hostile(Beside):
    def test_a_journal_that_names_a_file_to_be_deleted(self):
        for version in VERSIONS:
            with self.subTest(version=version):
                self.begin(version)
                self.put_journal(journal_head(self.study) + super_journal(self.victim, 4096))
                self.assert_refused(self.study + "-journal", "remove it")

    def test_a_journal_that_comes_while_a_program_looks(self):
        come = 0
        for version, number in itertools.product((None, 5), range(5)):
            for at in range(1, 20):
                self.begin()
                if version:
                    make_older(self.study, version)
                prepared = os.path.join(self.folder, "prepared")
                with open(prepared, "wb") as file:
                    file.write(journal_head(self.study) + super_journal(self.victim, 4096))
                command = list(self.commands())[number]
                result = culprit.run(*command, timeout=20, before=(
                    "env", f"LD_PRELOAD={os.environ['PLACED']}", f"PLACED_FOR={self.study}", f"PLACED_AT={at}",
                    f"PLACED_FROM={prepared}", f"PLACED_TO={self.study}-journal"))
                self.assertIn(result.status, (0, 2), result.stderr)
                self.assertTrue(os.path.exists(self.victim), (version, command[0], at))
                if os.path.exists(prepared):
                    break
                come += 1
        self.assertGreater(come, 10)

    def test_by_a_link_to_the_study_too(self):
        self.put_journal(journal_head(self.study) + super_journal(self.victim, 4096))
        link = os.path.join(self.folder, "link.culprit")
        os.symlink(self.study, link)
        result = culprit.run("runs", "--study", link, timeout=20)
        self.assertEqual((result.status, content(self.victim)), (2, b"precious"), result.stderr)

    def test_what_is_no_file_in_the_place_of_one_of_sqlite_s(self):
        def make_socket(path):
            self.enterContext(socket.socket(socket.AF_UNIX)).bind(path)
        kinds = {"pipe": os.mkfifo, "folder": os.mkdir, "socket": make_socket, "link": lambda path: os.symlink(self.victim, path),
                 "second name": lambda path: os.link(self.victim, path), "endless link": lambda path: os.symlink(path, path)}
        for mode in ("DELETE", "WAL"):
            for suffix in BESIDE:
                for kind, make in kinds.items():
                    with self.subTest(mode=mode, suffix=suffix, kind=kind):
                        self.begin(mode=mode)
                        make(self.study + suffix)
                        self.assert_refused(self.study + suffix, "elsewhere" if kind in ("link", "second name", "endless link") else "remove it")

    def test_a_journal_that_makes_another_database_of_it(self):
        """Its first page is restored to that of another program: the study stays as it is."""
        other = os.path.join(self.folder, "other")
        shutil.copy(self.study, other)
        with closing(sqlite3.connect(other, isolation_level=None)) as database:
            database.execute("PRAGMA application_id = 7")
        first_page = content(other)[:4096]
        seed, size = 0x1234, os.path.getsize(self.study) // 4096
        checksum = seed + sum(first_page[at] for at in range(4096 - 200, 0, -200))
        self.put_journal(journal_head(self.study, size)[:8] + struct.pack(">I", 1) + journal_head(self.study, size)[12:] +
                         struct.pack(">I", 1) + first_page + struct.pack(">I", checksum & 0xffffffff))
        self.assert_refused(self.study, "another program")

    def test_a_journal_that_makes_a_study_huge(self):
        self.put_journal(journal_head(self.study, 100_000_000))
        self.assert_refused(self.study + "-journal", "remove it")

    def test_a_journal_without_a_size_of_pages(self):
        head = bytearray(journal_head(self.study, 100_000_000))
        head[24:28] = bytes(4)
        self.put_journal(bytes(head))
        self.assert_refused(self.study + "-journal", "remove it")

    def test_a_journal_that_is_mostly_a_hole(self):
        self.put_journal(journal_head(self.study))
        os.truncate(self.study + "-journal", 100 << 30)
        self.assert_refused(self.study + "-journal", "would make more of the study")

    def test_a_journal_of_a_study_that_is_mostly_holes(self):
        self.put_journal(journal_head(self.study, 1_000_000))
        os.truncate(self.study, 1_000_000 * 4096)
        result = culprit.run("runs", "--study", self.study, timeout=20)
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)

    def test_a_journal_that_may_not_be_read_is_not_passed_over(self):
        self.put_journal(journal_head(self.study))
        os.chmod(self.folder, 0o755)
        os.chmod(self.study + "-journal", 0o600)
        result = culprit.run("runs", "--study", self.study, before=NOBODY, timeout=20)
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        self.assertIn("-journal", result.stderr)

    def test_a_link_to_nothing_is_no_study(self):
        link = os.path.join(self.folder, "link.culprit")
        gone = os.path.join(os.path.dirname(self.study), "gone")
        os.symlink(gone, link)
        for suffix in BESIDE:
            shutil.copy(self.victim, gone + suffix)
        result = culprit.run("import", "--study", link, CAPTURE, timeout=20)
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        for suffix in BESIDE:
            self.assertEqual(content(gone + suffix), b"precious")

    def test_a_log_that_makes_another_database_of_it(self):
        self.begin(mode="WAL")
        log = os.path.join(self.folder, "log")
        with closing(sqlite3.connect(self.study, isolation_level=None)) as database:
            database.execute("CREATE VIEW stranger AS SELECT 1")
            shutil.copy(self.study + "-wal", log)
            plain = content(self.study)
        with open(self.study, "wb") as file:
            file.write(plain)
        shutil.copy(log, self.study + "-wal")
        self.assert_refused(self.study)

    def test_locks_of_the_log_that_another_keeps_end_an_import_once(self):
        """Who may only read a study can hold them."""
        self.begin(mode="WAL")
        with closing(sqlite3.connect(self.study)) as database:
            database.execute("SELECT COUNT (*) FROM run").fetchone()
            code = "import fcntl, sys; file = open (sys.argv[1], 'rb'); fcntl.lockf (file, fcntl.LOCK_SH, 5, 123); print (flush=True); sys.stdin.read ()"
            with subprocess.Popen([sys.executable, "-c", code, self.study + "-shm"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
                other.stdout.readline()
                result = culprit.run("import", "--study", self.study, CAPTURE, shutil.copy(CAPTURE, os.path.join(self.folder, "again.dat")))
                other.stdin.close()
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        self.assertIn("another program is writing to the study", result.stderr)

    def test_an_old_study_that_can_only_be_read_is_not_updated(self):
        self.begin(version=4, mode="WAL")
        os.chmod(self.folder, 0o755)
        os.chmod(os.path.dirname(self.study), 0o555)
        self.addCleanup(os.chmod, os.path.dirname(self.study), 0o755)
        before = content(self.study)
        result = culprit.run("runs", "--study", self.study, before=NOBODY if os.geteuid() == 0 else (), timeout=20)
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        self.assertIn("older culprit", result.stderr)
        self.assertEqual(content(self.study), before)


class Honest(Beside):
    def leave_journal(self):
        """A copy of a study in the middle of a change, of which part is in the file already: what a kill leaves."""
        with closing(sqlite3.connect(self.study, isolation_level=None)) as database:
            database.execute("PRAGMA cache_size = 5")
            database.execute("BEGIN")
            database.execute("UPDATE capture SET note = printf ('%.3000c', 'x')")
            database.execute("DELETE FROM outlier_node")
            database.execute("PRAGMA cache_spill = 1")
            for suffix in ("", "-journal"):
                shutil.copy(self.study + suffix, os.path.join(self.folder, "left" + suffix))
            database.execute("ROLLBACK")
        for suffix in ("", "-journal"):
            shutil.move(os.path.join(self.folder, "left" + suffix), self.study + suffix)

    def test_what_a_killed_program_left_is_rolled_back(self):
        expected = culprit.run("verdict", "--study", self.study, "--json").stdout
        for command in ("verdict", "import"):
            with self.subTest(command):
                self.begin()
                before = content(self.study)
                self.leave_journal()
                self.assertNotEqual(content(self.study), before, "nothing was spilt")
                if command == "import":
                    result = culprit.run("import", "--study", self.study, CAPTURE)
                    self.assertEqual(result.status, 0, result.stderr)
                else:
                    result = culprit.run("verdict", "--study", self.study, "--json")
                    self.assertEqual((result.status, result.stdout), (0, expected), result.stderr)
                    self.assertEqual(content(self.study), before)
                self.assertFalse(os.path.exists(self.study + "-journal"))
                self.assertEqual(culprit.run("check", "--study", self.study).status, 0)

    def test_what_killed_programs_left_of_their_copies_is_removed(self):
        temporary = os.path.join(self.folder, "tmp")
        for name, files in (("left", ("study", "study-journal")), ("used", ("study",)), ("foreign", ("precious",))):
            os.makedirs(os.path.join(temporary, "culprit-journal-" + name))
            for file in files:
                shutil.copy(SAMPLE, os.path.join(temporary, "culprit-journal-" + name, file))
        os.symlink("culprit-journal-foreign", os.path.join(temporary, "culprit-journal-link"))
        used = os.open(os.path.join(temporary, "culprit-journal-used"), os.O_RDONLY)
        self.addCleanup(os.close, used)
        fcntl.flock(used, fcntl.LOCK_EX)
        self.leave_journal()
        result = culprit.run("runs", "--study", self.study, before=("env", f"TMPDIR={temporary}"))
        self.assertEqual(result.status, 0, result.stderr)
        left = {name.removeprefix("culprit-journal-"): os.listdir(os.path.join(temporary, name)) for name in os.listdir(temporary)}
        self.assertEqual(left, {"used": ["study"], "foreign": ["precious"], "link": ["precious"]})

    def test_a_journal_of_a_program_that_is_writing_is_its_own(self):
        expected = culprit.run("runs", "--study", self.study).stdout
        with closing(sqlite3.connect(self.study, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            database.execute("UPDATE capture SET note = 'x'")
            self.assertTrue(os.path.exists(self.study + "-journal"))
            result = culprit.run("runs", "--study", self.study)
            self.assertEqual((result.status, result.stdout), (0, expected), result.stderr)
            database.execute("COMMIT")
        with closing(sqlite3.connect(self.study)) as database:
            self.assertEqual(database.execute("SELECT DISTINCT note FROM capture").fetchall(), [("x",)])

    def test_a_link_shows_what_the_log_says(self):
        """Where no log can be used, it is not left out."""
        self.begin(mode="WAL")
        with closing(sqlite3.connect(self.study, isolation_level=None)) as database:
            database.execute("UPDATE capture SET note = 'in the log'")
            for suffix in ("", "-wal"):
                shutil.copy(self.study + suffix, os.path.join(self.folder, "copy" + suffix))
        self.begin()
        for suffix in ("", "-wal"):
            shutil.move(os.path.join(self.folder, "copy" + suffix), self.study + suffix)
        os.chmod(self.folder, 0o755)
        os.chmod(os.path.dirname(self.study), 0o555)
        self.addCleanup(os.chmod, os.path.dirname(self.study), 0o755)
        link = os.path.join(self.folder, "link.culprit")
        os.symlink(self.study, link)
        told = [culprit.run("sql", "--study", path, "SELECT note FROM capture", before=NOBODY) for path in (self.study, link)]
        self.assertEqual(told[0].status, told[1].status)
        self.assertEqual("in the log" in told[0].stdout, "in the log" in told[1].stdout)
        self.assertTrue(told[1].status == 2 or "in the log" in told[1].stdout, told[1].stdout)

    def test_a_journal_without_its_study_is_nobody_s(self):
        new = os.path.join(self.folder, "new.culprit")
        with open(new + "-journal", "wb") as file:
            file.write(journal_head(self.study))
        result = culprit.run("import", "--study", new, CAPTURE, timeout=20)
        self.assertEqual(result.status, 0, result.stderr)

    def test_a_path_may_begin_with_two_slashes(self):
        self.assertEqual(culprit.run("runs", "--study", "/" + self.study).status, 0)

    def test_an_empty_or_finished_journal_is_none(self):
        for journal in (b"", b"\0" * 512):
            self.begin()
            self.put_journal(journal)
            self.assertEqual(culprit.run("runs", "--study", self.study).status, 0)


if __name__ == "__main__":
    unittest.main()

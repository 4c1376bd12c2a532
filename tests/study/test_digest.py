# SPDX-License-Identifier: GPL-3.0-or-later
# What identifies a capture: a digest of its file, compared with libxxhash itself; the SHA-256 of older versions; files
# that change while being read; and that what is cached of one capture does not affect another.

import contextlib
import ctypes
import hashlib
import os
import shutil
import sqlite3
import subprocess
import tempfile
import threading
import time
import unittest

from content import alter, captures, content, differences, plain_captures, query

from culprit import import_captures, run
from recorder import wait_until

BLOCK = 128 * 1024
KIND = "-xxh3-128-over-blocks-of-128-KiB"


class Hash(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


def xxh3(data):
    library = ctypes.CDLL("libxxhash.so.0")
    library.XXH3_128bits.restype = Hash
    library.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    found = library.XXH3_128bits(data, len(data))
    return found.high.to_bytes(8, "big") + found.low.to_bytes(8, "big")


def digest(path):
    with open(path, "rb") as file:
        data = file.read()
    return xxh3(b"".join(xxh3(data[i:i + BLOCK]) for i in range(0, len(data), BLOCK))).hex() + KIND


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Digest(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def study(self, name, *files):
        result = import_captures(self.path(name), files, run_name="r")
        self.assertEqual((result.status, result.stderr), (0, ""), result.stdout)
        return self.path(name)

    def older(self, name, *files):
        """A study that knows the captures by their SHA-256."""
        study = self.study(name, *files)
        alter(study, *[f"UPDATE capture SET sha256 = '{sha256(path)}' WHERE sha256 = '{digest(path)}'" for path in files])
        self.assertEqual(sorted(query(study, "SELECT sha256 FROM capture")), sorted((sha256(path),) for path in files))
        return study

    def test_a_capture_is_known_by_the_xxh3_of_its_file(self):
        path = next(path for path in plain_captures() if "wall-1" in path)
        plain = self.path("plain.dat")
        subprocess.run(["trace-cmd", "convert", "--file-version", "6", "-i", path, "-o", plain], check=True,
                       capture_output=True)
        self.assertGreater(os.path.getsize(plain), 10 * BLOCK)
        study = self.study("s.culprit", path, plain)
        self.assertEqual(query(study, "SELECT sha256 FROM capture ORDER BY capture_id"), [(digest(path),), (digest(plain),)])

    def test_captures_that_an_older_version_knew_by_their_sha256_are_known(self):
        files = [shutil.copy(path, self.folder) for path in plain_captures()[:3]]
        study = self.older("s.culprit", *files[:2])
        before = content(study, without=())
        self.assertIn("0 captures stored, 2 already in the study", import_captures(study, files[:2], run_name="r").stdout)
        self.assertEqual(differences(content(study, without=()), before), [])
        self.assertIn("1 capture stored, 2 already in the study", import_captures(study, files, run_name="r").stdout)

    def test_another_capture_of_the_same_size_is_not_taken_for_it(self):
        file = shutil.copy(plain_captures()[0], self.folder)
        study = self.older("s.culprit", file)
        with open(file, "r+b") as changed:
            changed.truncate(os.path.getsize(file) - 1)
            changed.seek(0, os.SEEK_END)
            changed.write(b"?")
        self.assertIn("1 capture stored", import_captures(study, [file], run_name="r").stdout)

    def test_a_moved_file_is_found_by_either_digest(self):
        for name, make in (("old.culprit", self.older), ("new.culprit", self.study)):
            with self.subTest(name):
                file = shutil.copy(next(path for path in plain_captures() if "count-" in path), self.path("c.dat"))
                study = make(name, file)
                os.rename(file, self.path("moved.dat"))
                self.assertIn("Call tree of the window", run("show", "--study", study, "1").stdout)
                os.unlink(self.path("moved.dat"))

    def test_a_capture_that_studies_know_by_different_digests_is_merged_once(self):
        files = plain_captures()[:3]
        for into, other in ((self.older, self.study), (self.study, self.older)):
            with self.subTest(into=into.__name__):
                study = into("into.culprit", *files[:2])
                self.assertEqual(run("merge", "--study", study, other("other.culprit", *files[1:])).status, 0)
                self.assertEqual(query(study, "SELECT COUNT (*) FROM capture"), [(3,)])
                for name in ("into.culprit", "other.culprit"):
                    os.unlink(self.path(name))

    @contextlib.contextmanager
    def meanwhile(self, change):
        """Calls change (0), change (1)... all the time."""
        stop = threading.Event()

        def change_all_the_time():
            turn = 0
            while not stop.is_set():
                change(turn)
                turn += 1

        thread = threading.Thread(target=change_all_the_time)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()

    def test_a_file_that_is_swapped_while_it_is_read_does_not_get_the_other_one_s_digest(self):
        files = plain_captures()[:2]
        told = dict(query(self.study(f"{i}.culprit", path), "SELECT sha256, last_ns FROM capture")[0]
                    for i, path in enumerate(files))

        def swap(turn):
            os.symlink(self.path(f"{turn % 2}.dat"), self.path("next"))
            os.replace(self.path("next"), self.path("c.dat"))

        for i, path in enumerate(files):
            shutil.copy(path, self.path(f"{i}.dat"))
        swap(0)
        with self.meanwhile(swap):
            for turn in range(25):
                study = self.study(f"swapped-{turn}.culprit", self.path("c.dat"))
                (found, last_ns), = query(study, "SELECT sha256, last_ns FROM capture")
                self.assertEqual(last_ns, told[found])

    def test_a_file_that_is_changed_while_it_is_read_is_refused(self):
        file = shutil.copy(plain_captures()[0], self.folder)
        with self.meanwhile(lambda turn: os.utime(file, ns=(turn, turn))):
            for turn in range(200):
                result = import_captures(self.path(f"{turn}.culprit"), [file], run_name="r")
                if result.status != 0:
                    break
        self.assertEqual((result.status, result.stderr.count("\n")), (2, 1), result.stderr)
        self.assertIn("changed while being read", result.stderr)


class Kept(unittest.TestCase):
    def test_captures_imported_together_are_stored_as_if_each_came_alone(self):
        files = captures()
        with tempfile.TemporaryDirectory() as folder:
            together, alone = os.path.join(folder, "together.culprit"), os.path.join(folder, "alone.culprit")
            import_captures(together, files, run_name="r")
            for path in files:
                import_captures(alone, [path], run_name="r")
            self.assertEqual(differences(content(together), content(alone)), [])
            order = "SELECT capture_id, file FROM capture ORDER BY capture_id"
            self.assertEqual([os.path.basename(file) for _, file in query(together, order)],
                             [os.path.basename(path) for path in files])


class Seen(unittest.TestCase):
    """Files that were read before and are in the study are not read again, whatever else is."""

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.name = self.path("s.culprit")
        self.old_cache = os.environ.get("XDG_CACHE_HOME")
        self.addCleanup(self.restore)
        os.environ["XDG_CACHE_HOME"] = self.path("cache")

    def restore(self):
        os.environ.pop("XDG_CACHE_HOME")
        if self.old_cache is not None:
            os.environ["XDG_CACHE_HOME"] = self.old_cache

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def import_(self, *files, name="s.culprit"):
        """What is said, and how many bytes were read."""
        counted = ("sh", "-c", '"$@"; status=$?; grep rchar /proc/$$/io >&2; exit $status', "sh")
        result = import_captures(self.path(name), files, run_name="r", before=counted)
        self.assertEqual(result.status, 0, result.stderr)
        return result.stdout.strip(), int(result.stderr.split("rchar: ")[1])

    def settled(self, *paths):
        """Only files that nobody wrote to for a while are remembered."""
        for path in paths:
            wait_until(lambda path=path: time.time() > os.stat(path).st_ctime + 2.1)

    def copied(self, *folders):
        """In each folder another capture of the same size."""
        data = bytearray()
        for number, folder in enumerate(folders):
            os.mkdir(self.path(folder))
            with open(plain_captures()[0], "rb") as file:
                data = bytearray(file.read())
            data += bytes([number]) * 8
            with open(self.path(folder, "x.dat"), "wb") as file:
                file.write(data)
            os.utime(self.path(folder, "x.dat"), (10 ** 9, 10 ** 9))
        self.settled(*(self.path(folder, "x.dat") for folder in folders))
        return [self.path(folder, "x.dat") for folder in folders]

    def test_known_captures_are_not_read_again(self):
        size = sum(map(os.path.getsize, plain_captures()))
        first, read = self.import_(*plain_captures())
        self.assertGreater(read, size)
        again, read = self.import_(*plain_captures())
        self.assertIn(f"{len(plain_captures())} already in the study", again)
        self.assertLess(read, size / 4)

    def test_another_study_gets_them_all(self):
        self.import_(*plain_captures()[:2])
        said, _ = self.import_(*plain_captures()[:2], name="t.culprit")
        self.assertIn("2 captures stored", said)

    def test_a_file_that_was_written_to_is_read(self):
        path, = self.copied("a")
        self.import_(path)
        with open(path, "r+b") as file:
            file.seek(-4, os.SEEK_END)
            file.write(b"new!")
        os.utime(path, (10 ** 9, 10 ** 9))
        self.assertIn("1 capture stored", self.import_(path)[0])

    def test_a_file_that_took_the_place_of_another_is_read(self):
        path, other = self.copied("a", "b")
        self.import_(path)
        os.rename(other, path)
        self.assertIn("1 capture stored", self.import_(path)[0])

    def test_folders_that_were_exchanged_are_read(self):
        path, _ = self.copied("a", "b")
        self.import_(path)
        os.rename(self.path("a"), self.path("c"))
        os.rename(self.path("b"), self.path("a"))
        self.assertIn("1 capture stored", self.import_(path)[0])

    def test_without_a_cache_everything_is_read(self):
        with open(self.path("cache"), "wb"):
            pass
        self.import_(*plain_captures()[:2])
        self.assertIn("2 already in the study", self.import_(*plain_captures()[:2])[0])

    def test_a_cache_of_millions_of_files_is_emptied(self):
        self.import_(*plain_captures()[:2])
        cache = self.path("cache", "culprit", "seen.sqlite")
        for files, left in ((1000, 1004), (1_300_000, 2)):
            with contextlib.closing(sqlite3.connect(cache)) as database, database:
                database.execute("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT OR REPLACE "
                                 "INTO seen_for SELECT x'', 1, i, 2, 3, printf ('%0100d', i) FROM n", (files,))
            self.import_(*plain_captures()[:2], name=f"{files}.culprit")
            with contextlib.closing(sqlite3.connect(cache)) as database:
                self.assertEqual(database.execute("SELECT COUNT (*) FROM seen_for").fetchone(), (left,))

    def test_a_damaged_cache_harms_nothing(self):
        os.makedirs(self.path("cache", "culprit"))
        with open(self.path("cache", "culprit", "seen.sqlite"), "wb") as file:
            file.write(b"no database at all" * 100)
        self.import_(*plain_captures()[:2])
        self.assertIn("2 already in the study", self.import_(*plain_captures()[:2])[0])


if __name__ == "__main__":
    unittest.main()

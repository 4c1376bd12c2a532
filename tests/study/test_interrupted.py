# SPDX-License-Identifier: GPL-3.0-or-later
# Faults during an import: a full disk, out of memory, a clock that is set, a kill. Each gives a clear one-line error
# with status 2, and nothing that was stored is lost. CULPRIT_FAULTS sets how often an import is killed at a random
# moment; the default is a fifth of CULPRIT_SEEDS (60).

import os
import random
import shutil
import signal
import subprocess
import time
import unittest

from content import DATA, alter, captures, content, differences, plain_captures, query
from robust import Robust, bytes_of

import culprit
import mounts
from culprit import import_captures, run

SEED = 1
KILLS = int(os.environ.get("CULPRIT_FAULTS") or int(os.environ.get("CULPRIT_SEEDS", "60")) // 5)
MOST_KILLS = 200  # until one strikes in the middle
SET_CLOCK = os.environ.get("SET_CLOCK") or os.path.join(culprit.ROOT, "build", "tests", "study", "libset-clock.so")
YEAR_S = 365 * 86400


class FullDisk(Robust):
    def setUp(self):
        super().setUp()
        if not mounts.own_mounts():
            self.skipTest("a small file system of its own can only be mounted by root")
        os.mkdir(self.path("disk"))
        self.name = self.path("disk", "s.culprit")

    def test_an_import_onto_a_full_disk_keeps_what_is_stored_and_goes_on_when_there_is_room(self):
        whole = self.undisturbed(plain_captures())
        filled = False
        for kilobytes in (32, 96, 160, 256, 320, 400):
            with self.subTest(kilobytes=kilobytes):
                mounts.mount_small(self, self.path("disk"), kilobytes)
                # On the smallest there is no room for the index of SQLite's log: a disk error, not a full disk.
                words = ("the disk is full",) if kilobytes > 32 else ()
                try:
                    filled |= self.fill(whole, *words)
                finally:
                    mounts.unmount(self.path("disk"))
        self.assertTrue(filled, "none of the disks was full with captures stored: choose other sizes")

    def fill(self, whole, *words):
        """Whether some captures were stored when the disk was full."""
        result = import_captures(self.name, plain_captures(), run_name="r")
        refused = [line for line in result.error_lines() if "keep both together" not in line]
        self.assertEqual((result.status, len(refused)), (2, 1), result.stderr)
        for word in (self.name, *words):
            self.assertIn(word, refused[0])
        in_log = os.path.exists(f"{self.name}-wal")
        self.assert_sound_alone()
        mounts.remount(self.path("disk"), "size=16m")
        stored = query(self.name, "SELECT COUNT (*) FROM sqlite_schema WHERE name = 'capture'")[0][0]
        if stored:
            self.assert_whole(self.name)
            stored = query(self.name, "SELECT COUNT (*) FROM capture")[0][0]
            self.assertIn(f"{stored} capture{'s' * (stored != 1)} stored", result.stdout)
            self.assertEqual("keep both together" in result.stderr, in_log and stored > 0, result.stderr)
        again = import_captures(self.name, plain_captures(), run_name="r")
        self.assertEqual((again.status, again.stderr), (0, ""))
        self.assert_whole(self.name)
        self.assert_same_content(self.name, whole)
        return 0 < stored < len(plain_captures())

    def assert_sound_alone(self):
        """Whoever moves the study without its log has what it was before."""
        alone = shutil.copyfile(self.name, self.path("alone.culprit"))
        if query(alone, "SELECT COUNT (*) FROM sqlite_schema")[0][0]:
            self.assert_whole(alone)

    def test_a_study_on_a_disk_that_is_just_full_enough_is_sound_without_its_log(self):
        told = 0
        for kilobytes in range(400, 620, 20):
            with self.subTest(kilobytes=kilobytes):
                mounts.mount_small(self, self.path("disk"), kilobytes)
                try:
                    result = import_captures(self.name, plain_captures()[:1], run_name="r")
                    self.assert_sound_alone()
                    if result.status == 0:
                        self.assertEqual(os.path.exists(f"{self.name}-wal"), "keep both together" in result.stderr)
                        told += "keep both together" in result.stderr
                    import_captures(self.name, plain_captures()[:1], run_name="r")
                    self.assert_sound_alone()
                    mounts.remount(self.path("disk"), "size=16m")
                    self.assertEqual(import_captures(self.name, plain_captures()[:2], run_name="r").status, 0)
                    self.assertFalse(os.path.exists(f"{self.name}-wal"))
                    self.assertEqual(len(query(self.name, "SELECT 1 FROM capture")), 2, result)
                    self.assert_sound_alone()
                finally:
                    mounts.unmount(self.path("disk"))

        self.assertGreater(told, 0, "each disk had room, or no study at all: choose other sizes")

    def test_a_disk_that_tells_no_size_has_room(self):
        mounts.mount_small(self, self.path("disk"), 0)
        try:
            self.assertEqual(import_captures(self.name, plain_captures()[:1], run_name="r").stderr, "")
            self.assertFalse(os.path.exists(f"{self.name}-wal"))
            self.assert_sound_alone()
        finally:
            mounts.unmount(self.path("disk"))

    def test_a_merge_onto_a_full_disk_adds_all_or_nothing(self):
        other = self.undisturbed(plain_captures()[1:])
        mounts.mount_small(self, self.path("disk"), 480)
        try:
            self.assertEqual(import_captures(self.name, plain_captures()[:1], run_name="r").status, 0)
            room = os.statvfs(self.path("disk"))
            with open(self.path("disk", "filler"), "wb") as filler:
                filler.write(bytes(max(0, room.f_bavail * room.f_frsize - 40_000)))
            before = content(self.name)
            self.assert_refused(run("merge", "--study", self.name, other), self.name, "the disk is full; nothing was changed")
            os.unlink(self.path("disk", "filler"))
            self.assertEqual(differences(content(self.name), before), [])
            mounts.remount(self.path("disk"), "size=16m")
            self.assertEqual(run("merge", "--study", self.name, other).status, 0)
            self.assert_same_content(self.name, self.undisturbed(plain_captures(), "all.culprit"))
        finally:
            mounts.unmount(self.path("disk"))


class NoMemory(Robust):
    def test_a_merge_without_memory_blames_neither_study(self):
        """What did not fit was "damaged" for the other study."""
        other = self.undisturbed(plain_captures()[:1])
        table = self.path("large.txt")
        with open(table, "w", encoding="ascii") as file:
            file.write("latency_ns count\n" + "".join(f"{i} 1\n" for i in range(600_000)))
        self.assertEqual(run("import", "--study", self.name, table).status, 0)
        told = set()
        for megabytes in range(48, 80, 4):
            result = run("merge", "--study", self.name, other, before=self.limited(1000 * megabytes))
            told |= {line.split(": ", 2)[-1] for line in result.error_lines() if line.startswith("culprit: ")}
            self.assertNotIn("damaged", result.stderr)
        self.assertIn("there is not enough memory; end other programs, or raise the limit, and try again", told)

    def limited(self, kilobytes):
        return ("sh", "-c", f'ulimit -v {kilobytes} && exec "$0" "$@"')

    def test_with_any_limit_an_import_ends_well_or_is_refused_and_loses_nothing(self):
        study = self.undisturbed(plain_captures()[:1], "s.culprit")
        before = bytes_of(study)
        whole = content(self.undisturbed(plain_captures()[:4]))
        ends = set()
        for megabytes in (50, 60, 65, 70, 90, 140, 200, 300, 450, 700, 1200, 3000, 8000):
            with self.subTest(megabytes=megabytes):
                with open(study, "wb") as file:
                    file.write(before)
                result = import_captures(study, plain_captures()[:4], run_name="r", before=self.limited(1000 * megabytes))
                ends.add(result.status)
                if result.status == 0:
                    self.assertEqual(differences(content(study), whole), [])
                else:
                    self.assert_refused(result, "memory")
                    self.assert_whole(study)
        self.assertEqual(ends, {0, 2})

    def test_a_file_that_takes_more_than_there_is_is_refused_in_one_line(self):
        path = self.path("x.json")
        with open(path, "w", encoding="ascii") as file:
            file.write('{"thread":{"0":{"histogram":{' + ",".join(f'"{i}":1' for i in range(2_500_000)) + "}}}}")
        study = self.undisturbed(plain_captures()[:1], "s.culprit")
        limit = 300 + 100 * os.cpu_count()
        self.assert_refused(import_captures(study, [path], before=self.limited(1000 * limit)), "memory")
        self.assert_whole(study)


class Clock(Robust):
    """The time of day is set, between imports and in the middle of them."""

    def test_that_is_set_changes_nothing_but_the_time_of_import(self):
        files = plain_captures()[:6]
        whole = content(self.undisturbed(files))
        kept = os.path.join(self.folder, "cache")
        for first, second in (((YEAR_S, 0), (-YEAR_S, 0)), ((-YEAR_S, 0), (YEAR_S, 0)), ((0, -100), (-YEAR_S, -100)),
                              ((0, 100), (0, -3))):
            with self.subTest(first=first, second=second):
                for (shift, step), count, stored in ((first, 3, 3), (second, 3, 0), (second, 6, 3), (first, 6, 0)):
                    before = ("env", f"LD_PRELOAD={SET_CLOCK}", f"CLOCK_SHIFT_S={shift}", f"CLOCK_STEP_S={step}",
                              f"XDG_CACHE_HOME={kept}")
                    result = import_captures(self.name, files[:count], run_name="r", before=before)
                    self.assertEqual((result.status, result.stderr), (0, ""))
                    self.assertIn(f": {stored} captures stored", result.stdout)
                self.assert_whole(self.name)
                self.assertEqual(differences(content(self.name), whole), [])
                years = [int(time[:4]) for time, in query(self.name, "SELECT imported_utc FROM capture ORDER BY capture_id")]
                if first[0]:
                    self.assertEqual(years[-1] - years[0], 2 if second[0] > 0 else -2)
                os.unlink(self.name)


class Remembered(Robust):
    """What was read is remembered in the user's cache, so that known captures need not be read again. It is not synced."""

    def test_a_damaged_memory_is_made_anew(self):
        files = plain_captures()[:3]
        memory = self.path("cache", "culprit", "seen.sqlite")
        before = ("env", f"XDG_CACHE_HOME={self.path('cache')}")
        self.assertEqual(import_captures(self.name, files[:2], before=before).status, 0)
        self.assertEqual(query(memory, "SELECT COUNT (*) FROM seen_for"), [(2,)])
        good = bytes_of(memory)
        for damage in (b"x" * len(good), good[:100] + b"x" * (len(good) - 100), good[:len(good) // 2],
                       good[:4096] + bytes(len(good) - 4096)):
            with self.subTest(damage=damage[:20], length=len(damage)):
                with open(memory, "wb") as file:
                    file.write(damage)
                for _ in range(2):
                    result = import_captures(self.name, files, before=before)
                    self.assertEqual((result.status, result.stderr), (0, ""))
                self.assertEqual(query(memory, "PRAGMA integrity_check"), [("ok",)])
                self.assertEqual(query(memory, "SELECT COUNT (*) FROM seen_for"), [(3,)])


class Killed(Robust):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("captures"))
        self.files = [shutil.copy(path, self.path("captures")) for path in captures()]

    def study_import(self, name, paths=None):
        return [culprit.PROGRAM, "import", "--study", self.path(name), "--period", "5ms", "--run", "r",
                *(paths or [self.path("captures")])]

    def undisturbed_import(self, paths=None, start=None):
        """What the study holds, and how long it took: the range of the moments."""
        if start:
            shutil.copy(start, self.path("undisturbed.culprit"))
        begin = time.monotonic()
        subprocess.run(self.study_import("undisturbed.culprit", paths), check=True, capture_output=True)
        duration = time.monotonic() - begin
        whole = content(self.path("undisturbed.culprit"))
        os.unlink(self.path("undisturbed.culprit"))
        return whole, duration

    def scenes(self):
        """By name: what is imported, into which study (None: a new one), which of the captures it has already."""
        few = self.files[::6]
        self.undisturbed(self.files[:4], "four.culprit")
        shutil.copy(self.path("four.culprit"), self.path("older.culprit"))
        alter(self.path("older.culprit"), "UPDATE capture SET read_version = 1")
        results = [os.path.join(DATA, "tools", name) for name in ("cyclictest-h.txt", "rtla-timerlat-hist.txt", "oslat.json")]
        return {"a folder into a new study": ([self.path("captures")], None, 0), "few into a new study": (few, None, 0),
                "a folder into a study that has some": ([self.path("captures")], self.path("four.culprit"), 4),
                "the other way round": (self.files[::-1], self.path("four.culprit"), 4),
                "what an older version read": (self.files[:6], self.path("older.culprit"), 0),
                "other tools' results": ([*few, *results], None, 0)}

    def test_an_import_killed_at_any_moment_can_be_completed(self):
        scenes = list(self.scenes().items())
        undisturbed = {name: self.undisturbed_import(paths, start) for name, (paths, start, _) in scenes}
        dice = random.Random(SEED)
        middle = 0
        turn = 0
        while turn < KILLS or (middle == 0 and turn < MOST_KILLS):
            name, (paths, start, has) = scenes[turn % len(scenes)]
            whole, duration = undisturbed[name]
            with self.subTest(turn=turn, scene=name):
                if start:
                    shutil.copy(start, self.name)
                before = {table: {repr(row) for row in rows} for table, rows in content(start).items()} if start else {}
                self.kill(paths, dice.uniform(0, 1.1 * duration))
                middle += self.complete(paths, whole, before if has else {})
                for file in os.listdir(self.folder):
                    if file.startswith("s.culprit"):
                        os.unlink(self.path(file))
            turn += 1
        self.assertGreater(middle, 0, "no kill struck in the middle")

    def kill(self, paths, delay):
        process = subprocess.Popen(self.study_import("s.culprit", paths), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        self.assertIn(process.wait(), (0, -signal.SIGKILL))

    def complete(self, paths, whole, before):
        """Whether some captures had been stored, and some not; @before: what must be in the study."""
        stored = captures_to_come = 0
        if os.path.exists(self.name) and query(self.name, "SELECT 1 FROM sqlite_schema WHERE name = 'capture'"):
            self.assert_whole(self.name)
            stored = query(self.name, "SELECT COUNT (*) FROM capture")[0][0]
            left = {table: {repr(row) for row in rows} for table, rows in content(self.name).items()}
            for table in ("capture", "window", "capture_function", "outlier_node", "ordinary_node", "ordinary_part", "stall"):
                self.assertLessEqual(before.get(table, set()), left[table], table)
        captures_to_come = len(whole["capture"]) - stored
        again = subprocess.run(self.study_import("s.culprit", paths), capture_output=True, text=True, check=False)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn(f": {captures_to_come} capture", again.stdout)
        self.assert_whole(self.name)
        self.assertEqual(differences(content(self.name), whole), [])
        return 0 < captures_to_come < len(whole["capture"])

    def test_an_interrupted_import_says_so_and_keeps_what_it_stored(self):
        whole, duration = self.undisturbed_import()
        dice = random.Random(SEED)
        seen = set()
        for _ in range(6):
            process = subprocess.Popen(self.study_import("s.culprit"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            try:
                process.wait(dice.uniform(0.2, 1) * duration)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
            seen.add(process.returncode)
            self.complete([self.path("captures")], whole, {})
            os.unlink(self.name)
        self.assertLessEqual(seen, {0, 130, -signal.SIGINT})
        self.assertIn(130, seen)

    def test_an_import_of_very_many_lines_ends_at_a_signal(self):
        for signum in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(signal=signum):
                with open(self.path("lines.txt"), "wb") as file:
                    file.write(b"O\n" * 4_000_000 + b"1\n2\n")
                process = subprocess.Popen(self.study_import("s.culprit", [self.path("lines.txt")]),
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                while self.bytes_read(process) < os.path.getsize(self.path("lines.txt")):
                    self.assertIsNone(process.poll())
                process.send_signal(signum)
                _, error = process.communicate(timeout=120)
                self.assertEqual(process.returncode, 130, error)
                self.assertIn("cancelled; 1 file was not stored", error)
                self.assertFalse(os.path.exists(self.name))

    def bytes_read(self, process):
        """All of a text is read before any of its lines is looked at."""
        with open(f"/proc/{process.pid}/io", encoding="ascii") as file:
            return int(file.readline().split()[1])


if __name__ == "__main__":
    unittest.main()

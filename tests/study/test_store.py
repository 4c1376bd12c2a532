# SPDX-License-Identifier: GPL-3.0-or-later
# What a study guarantees: a capture is stored once, studies merge, sums stay consistent, damage is found, moved files
# are found. All on the real captures of tests/data.

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from collections import Counter
from contextlib import closing

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "capture"))

import absurd  # noqa: E402
from content import alter, content, differences, plain_captures, query, run_sums, stored_run_sums
from older import SENTENCES, make_older

import culprit
from culprit import import_captures, run


class Store(unittest.TestCase):
    def setUp(self):
        self.assertGreaterEqual(len(plain_captures()), 8, "tests/data holds the captures these tests need")
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def copies(self, count=4, folder="captures"):
        """@count real captures in a folder of their own."""
        os.makedirs(self.path(folder), exist_ok=True)
        return [shutil.copy(path, self.path(folder)) for path in plain_captures()[:count]]

    def study(self, paths, name="s.culprit", run_name="r"):
        result = import_captures(self.path(name), paths, run_name=run_name)
        self.assertEqual(result.status, 0, result.stderr)
        return self.path(name)

    def assert_same(self, one, two):
        self.assertEqual(differences(one, two), [])

    def assert_whole(self, study):
        result = run("check", "--study", study)
        self.assertEqual((result.status, result.stderr), (0, ""), result.stdout)


class Importing(Store):
    def test_a_second_import_changes_nothing_and_says_known(self):
        files = self.copies()
        study = self.study(files)
        before = content(study, without=())
        again = import_captures(study, files, run_name="r")
        self.assertEqual(again.status, 0, again.stderr)
        self.assertIn("0 captures stored", again.stdout)
        self.assertIn(f"{len(files)} already in the study", again.stdout)
        self.assert_same(content(study, without=()), before)

    def test_a_capture_is_known_under_another_name_and_in_another_run(self):
        files = self.copies(2)
        study = self.study(files)
        before = content(study, without=())
        other = shutil.copy(files[0], self.path("other.dat"))
        self.assertIn("1 already in the study", import_captures(study, [other], run_name="another").stdout)
        self.assert_same(content(study, without=()), before)

    def test_what_only_reads_leaves_nothing_beside_the_study(self):
        study = self.study(self.copies(2))
        before = sorted(os.listdir(self.folder)), os.stat(study).st_mtime_ns
        for command in ("runs", "outliers", "verdict", "check", "latency"):
            self.assertEqual(run(command, "--study", study).status, 0)
            self.assertEqual((sorted(os.listdir(self.folder)), os.stat(study).st_mtime_ns), before, command)

    def test_a_file_given_twice_is_stored_once(self):
        files = self.copies(1)
        study = self.study([files[0], files[0]])
        self.assertEqual(query(study, "SELECT COUNT (*) FROM capture"), [(1,)])

    def test_a_folder_means_all_captures_below_it(self):
        files = self.copies(2, "all/one") + self.copies(4, "all/two/deep")[2:]
        for name in ("notes.txt", "empty"):
            with open(self.path("all", name), "w", encoding="utf-8") as file:
                file.write("no capture\n" if name != "empty" else "")
        study = self.path("s.culprit")
        result = import_captures(study, [self.path("all")])
        self.assertEqual((result.status, result.stderr), (0, ""))
        found = [os.path.join(self.folder, file) for (file,) in query(study, "SELECT file FROM capture ORDER BY file")]
        self.assertEqual(found, sorted(files))

    def test_a_run_is_called_like_the_folder_unless_named(self):
        self.copies(2, "monday")
        study = self.path("s.culprit")
        import_captures(study, [self.path("monday")])
        import_captures(study, self.copies(3, "tuesday")[2:], run_name="given")
        self.assertEqual(sorted(query(study, "SELECT name FROM run")), [("given",), ("monday",)])

    def test_a_bad_file_among_good_ones_is_named_and_the_good_are_stored(self):
        good = self.copies(3)
        bad = self.path("bad.dat")
        with open(good[0], "rb") as file:
            half = file.read()[:20000]
        with open(bad, "wb") as file:
            file.write(half)
        result = import_captures(self.path("s.culprit"), [good[0], bad, good[1], good[2]])
        self.assertEqual(result.status, 2)
        self.assertEqual(len(result.error_lines()), 1, result.stderr)
        self.assertIn(bad, result.stderr)
        self.assertEqual(query(self.path("s.culprit"), "SELECT COUNT (*) FROM capture"), [(3,)])
        self.assert_whole(self.path("s.culprit"))

    def test_what_is_no_capture_is_said_in_a_line_each(self):
        good = self.copies(1)
        text = self.path("text.dat")
        with open(text, "w", encoding="utf-8") as file:
            file.write("PK and so on\n")
        os.mkdir(self.path("nothing"))
        bad = [text, self.path("missing.dat"), self.path("nothing")]
        result = import_captures(self.path("s.culprit"), good + bad)
        self.assertEqual(result.status, 2)
        self.assertEqual(len(result.error_lines()), 3, result.stderr)
        for path in bad:
            self.assertIn(path, result.stderr)

    def test_what_is_called_like_a_capture_in_a_folder_is_told(self):
        self.copies(1)
        for name, text in (("empty.dat", b""), ("cut.dat", b"\x17\x08\x44tra"), ("notes.txt", b"x")):
            with open(self.path("captures", name), "wb") as file:
                file.write(text)
        os.symlink("nowhere", self.path("captures", "gone.dat"))
        result = run("import", "--json", "--period", "5ms", "--study", self.path("s.culprit"), self.path("captures"))
        told = json.loads(result.stdout)
        self.assertEqual((result.status, told["stored"], len(told["passed_over"])), (2, 1, 3), result.stderr)
        for name in ("empty.dat", "cut.dat", "gone.dat"):
            self.assertTrue(any(name in line for line in told["passed_over"]), told)

    def test_what_is_no_plain_file_in_a_folder_is_not_read(self):
        self.copies(1)
        os.mkfifo(self.path("pipe"))
        pipe = os.open(self.path("pipe"), os.O_RDWR | os.O_NONBLOCK)
        self.addCleanup(os.close, pipe)
        os.write(pipe, b"\x17\x08\x44tracing")
        for name in ("notes", "link.dat"):
            os.symlink(self.path("pipe"), self.path("captures", name))
        result = run("import", "--json", "--period", "5ms", "--study", self.path("s.culprit"), self.path("captures"))
        self.assertEqual((result.status, json.loads(result.stdout)["stored"]), (2, 1), result.stderr)
        self.assertIn("link.dat: not a regular file", result.stderr)
        self.assertEqual(os.read(pipe, 100), b"\x17\x08\x44tracing")

    def test_a_study_with_numbers_too_large_to_add_up_is_not_merged(self):
        mine = self.study(self.copies(1))
        for change in ("UPDATE run SET hits = 9223372036854775807", "UPDATE run_function SET calls = 9223372036854775807",
                       "UPDATE window SET latency_ns = 4611686018427387904", "UPDATE capture SET lost_events = 9223372036854775807"):
            with self.subTest(change):
                theirs = self.study(self.copies(3, "theirs")[1:], name="theirs.culprit", run_name="theirs")
                alter(theirs, change)
                before = content(mine)
                result = run("merge", "--study", mine, theirs)
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                self.assertIn("too large to add up", result.stderr)
                self.assertEqual(differences(content(mine), before), [])
                os.unlink(theirs)

    def test_studies_that_fill_64_bits_together_are_not_merged(self):
        mine, honest, theirs = (self.study(self.copies(3, name)[i:i + 1], name=f"{name}.culprit", run_name=name)
                                for i, name in enumerate(("mine", "honest", "theirs")))
        alter(mine, "UPDATE run_function SET self_ns = 4611686018427387904")
        alter(theirs, "UPDATE capture_function SET self_ns = 9007199254740992")
        self.assertEqual(run("merge", "--study", mine, honest).status, 0)
        before = content(mine)
        result = run("merge", "--study", mine, theirs)
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        self.assertIn("too large to add up", result.stderr)
        self.assert_same(content(mine), before)
        self.assertEqual(run("functions", "--study", mine).status, 0)

    def test_a_study_that_is_full_of_absurd_captures_takes_honest_ones(self):
        study = self.study(self.copies(1))
        alter(study, "UPDATE run_function SET self_ns = 4611686018427387904")
        long, honest = self.path("long.dat"), self.copies(2)[1]
        absurd.write(long, 1 << 49, cpus=1)
        result = run("import", "--json", "--period", "5ms", "--study", study, long, honest)
        told = json.loads(result.stdout)
        self.assertEqual((result.status, told["stored"]), (2, 1), result.stderr)
        self.assertEqual([line.partition(":")[0] for line in told["passed_over"]], [long])
        self.assertEqual(run("functions", "--study", study).status, 0)

    def test_a_study_is_made_with_the_first_file_that_can_be_read(self):
        good, text, study = *self.copies(1), self.path("text.dat"), self.path("s.culprit")
        with open(text, "w", encoding="utf-8") as file:
            file.write("PK and so on\n")
        result = import_captures(study, [text])
        self.assertEqual((result.status, os.path.exists(study)), (2, False))
        self.assertIn(text, result.stderr)
        result = import_captures(study, [text, good])
        self.assertEqual((result.status, query(study, "SELECT COUNT (*) FROM capture")), (2, [(1,)]))
        self.assert_whole(study)

    def test_import_tells_programs_what_it_did(self):
        files = self.copies(2)
        study = self.study(files[:1])
        result = run("import", "--json", "--period", "5ms", "--study", study, *files, self.path("missing.dat"))
        told = json.loads(result.stdout)
        self.assertEqual((told["stored"], told["known"], len(told["passed_over"])), (1, 1, 1))
        self.assertIn("missing.dat", told["passed_over"][0])
        self.assertEqual((told["known_files"], told["not_read"]), (files[:1], []))
        self.assertEqual(result.status, 2)

    def test_a_capture_that_cannot_be_stored_is_named_and_the_others_are_read(self):
        """Sums near the end of 64 bits, as older versions stored them, take no more."""
        study = self.study(self.copies(1), run_name="full")
        alter(study, "UPDATE run_function SET self_ns = 9223372036854775807")
        first, second = self.copies(2, "full")[1:] + self.copies(3, "other")[2:]
        before = run_sums(study)
        result = run("import", "--json", "--period", "5ms", "--study", study, first, second)
        told = json.loads(result.stdout)
        self.assertEqual((result.status, told["stored"], told["not_read"]), (2, 1, []), result.stderr)
        self.assertEqual(len(told["passed_over"]), 1)
        self.assertIn(first, told["passed_over"][0])
        self.assertEqual(query(study, "SELECT COUNT (*) FROM capture"), [(2,)])
        self.assertEqual({key: value for key, value in run_sums(study).items() if key in before}, before)

    def test_files_that_are_not_read_are_named(self):
        files = self.copies(3)
        study = self.study(files[:1])
        result = run("import", "--json", "--period", "5ms", "--study", study, *files,
                     before=("prlimit", "--fsize=65536"))
        told = json.loads(result.stdout)
        self.assertEqual((result.status, told["known_files"], told["not_read"]), (2, files[:1], files[1:]), result.stderr)
        self.assertIn(f"2 files were not stored, the first is {files[1]}", result.stderr)

    def test_the_sums_of_a_run_are_those_of_its_captures(self):
        files = self.copies()
        study = self.study(files[:2], run_name="a")
        self.study(files[2:], run_name="b")
        sums = run_sums(study)
        self.assertGreater(len(sums), 100)
        self.assertEqual(stored_run_sums(study), sums)

    def test_a_new_study_is_whole(self):
        self.assert_whole(self.study(self.copies()))


class Merging(Store):
    def halves(self):
        files = self.copies(8)
        return (self.study(files[:4], "a.culprit"), self.study(files[4:], "b.culprit"),
                self.study(files, "all.culprit"))

    def merge(self, into, *others):
        result = run("merge", "--study", into, *others)
        self.assertEqual((result.status, result.stderr), (0, ""))
        return result.stdout

    def test_two_halves_merged_are_the_whole(self):
        a, b, whole = self.halves()
        self.merge(a, b)
        self.assert_same(content(a), content(whole))
        self.assertEqual(stored_run_sums(a), run_sums(a))
        self.assert_whole(a)

    def test_merging_into_a_new_study_is_the_whole_too(self):
        a, b, whole = self.halves()
        self.merge(self.path("new.culprit"), b, a)
        self.assert_same(content(self.path("new.culprit")), content(whole))

    def test_merging_twice_changes_nothing(self):
        a, b, _ = self.halves()
        self.merge(a, b)
        before = content(a, without=())
        told = self.merge(a, b)
        self.assertIn("0 captures", told)
        self.assertIn("4 captures already in the study", told)
        self.assert_same(content(a, without=()), before)

    def test_captures_that_both_have_are_merged_once(self):
        files = self.copies(6)
        a, b = self.study(files[:4], "a.culprit"), self.study(files[2:], "b.culprit")
        self.merge(a, b)
        self.assert_same(content(a), content(self.study(files, "all.culprit")))

    def test_merging_leaves_the_other_study_as_it_is(self):
        a, b, _ = self.halves()
        before = content(b, without=())
        self.merge(a, b)
        self.assert_same(content(b, without=()), before)

    def test_equal_results_under_another_name_that_begins_alike_are_kept(self):
        for name in ("x1", "x10", "x10-a"):
            with open(self.path(f"{name}.txt"), "w", encoding="ascii") as file:
                file.write("5\n6\n7\n")
            self.assertEqual(run("import", "--study", self.path(f"{name}.culprit"), self.path(f"{name}.txt")).status, 0)
        for name, added in (("x10-a", "1 run added"), ("x1", "1 run added"), ("x10", "1 run added"), ("x1", "0 runs added")):
            self.assertIn(f" {added}", self.merge(self.path("all.culprit"), self.path(f"{name}.culprit")))

    def test_a_study_merged_into_itself_stays_as_it_is(self):
        a = self.study(self.copies())
        before = content(a, without=())
        self.merge(a, a)
        self.assert_same(content(a, without=()), before)

    def test_different_runs_stay_apart(self):
        files = self.copies()
        a = self.study(files[:2], "a.culprit", "one")
        b = self.study(files[2:], "b.culprit", "two")
        self.merge(a, b)
        self.assertEqual(stored_run_sums(a), run_sums(a))
        self.assertEqual(query(a, "SELECT name, COUNT (*) FROM run JOIN capture USING (run_id) GROUP BY name"),
                         [("one", 2), ("two", 2)])

    def latencies(self, name, *samples):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.writelines(f"{sample}\n" for sample in samples)
        return path

    def test_other_latencies_of_the_same_name_stay_apart_and_come_once(self):
        a, b = self.path("a.culprit"), self.path("b.culprit")
        run("import", "--study", a, self.latencies("1/x", 1, 2, 3), self.latencies("1/y", 5, 6))
        run("import", "--study", b, self.latencies("2/x", 4, 5), self.latencies("1/y", 5, 6), self.latencies("2/x-2", 9))
        self.merge(a, b)
        expected = [("x", 3), ("x-2", 1), ("x-3", 2), ("y", 2)]
        self.assertEqual(query(a, "SELECT name, SUM (count) FROM run JOIN run_latency USING (run_id) "
                                  "GROUP BY name ORDER BY name"), expected)
        before = content(a, without=())
        self.assertIn("0 captures", self.merge(a, b))
        self.assert_same(content(a, without=()), before)

    def test_there_and_back_and_there_again_adds_nothing(self):
        recorded = "UPDATE run SET source = 'record', tracing = 'off', turn = 1, name = name || '/off-1', started_utc = '2026-01-0{}'"
        for turned in (False, True):
            for make in (None, recorded):
                with self.subTest(turned=turned, recorded=make is not None), tempfile.TemporaryDirectory() as folder:
                    studies = [os.path.join(folder, f"{number}.culprit") for number in range(3)]
                    for number, study in enumerate(studies):
                        run("import", "--study", study, self.latencies(f"{folder}/{number}/x", number + 1, 9))
                        if make:
                            alter(study, make.format(number + 1))
                    order = studies[::-1] if turned else studies
                    for into, others in ((0, (1, 2)), (1, (2, 0)), (2, (1, 0)), (0, (2, 1)), (1, (0, 2)), (2, (0, 1))):
                        self.merge(order[into], *(order[other] for other in others))
                        rows = query(order[into], "SELECT SUM (latency_ns) FROM run_latency GROUP BY run_id ORDER BY 1")
                        self.assertEqual(rows, [(10000,), (11000,), (12000,)])

    def test_equal_results_that_the_user_numbered_are_kept(self):
        alone = [self.path(f"{name}.culprit") for name in ("x-2", "x-3", "x")]
        for study in alone:
            run("import", "--study", study, self.latencies(os.path.basename(study).removesuffix(".culprit"), 1, 2))
        both = self.path("both.culprit")
        run("import", "--study", both, self.path("x"), self.path("x-2"))
        for into, other, names in ((0, alone[1], ["x-2", "x-3"]), (2, both, ["x", "x-2"])):
            for _ in range(2):
                self.merge(alone[into], other)
                self.assertEqual([name for name, in query(alone[into], "SELECT name FROM run ORDER BY name")], names)

    def test_of_two_equal_results_one_is_the_same_as_one_that_was_renamed(self):
        a, b = self.path("a.culprit"), self.path("b.culprit")
        run("import", "--study", a, self.latencies("1/x", 1, 2))
        run("import", "--study", b, self.latencies("2/x", 5))
        self.merge(b, a)
        run("import", "--study", b, self.latencies("2/x-3", 1, 2))
        for _ in range(2):
            self.merge(a, b)
            self.assertEqual(query(a, "SELECT SUM (latency_ns) FROM run_latency GROUP BY run_id ORDER BY 1"), [(3000,), (3000,), (5000,)])

    def test_another_recording_of_the_same_name_gets_another(self):
        a, b = self.study(self.copies(1), "a.culprit"), self.path("b.culprit")
        run("import", "--study", b, self.latencies("1/x", 1))
        shutil.copy(b, a)
        for study, start in ((a, "2026-01-01"), (b, "2026-01-02")):
            alter(study, f"UPDATE run SET source = 'record', tracing = 'off', turn = 1, name = 'x/off-1', started_utc = '{start}'")
        for _ in range(2):
            self.merge(a, b)
            self.assertEqual(query(a, "SELECT run.name, series.name, started_utc FROM run JOIN series USING (series_id) ORDER BY run.name"),
                             [("x-2/off-1", "x-2", "2026-01-02"), ("x/off-1", "x", "2026-01-01")])

    def test_what_was_noted_comes_along_and_own_notes_stay(self):
        files = self.copies()
        a, b = self.study(files[:3], "a.culprit"), self.study(files[2:], "b.culprit")
        alter(a, "UPDATE capture SET note = 'mine', triage = 'seen'")
        alter(b, "UPDATE capture SET note = 'theirs', triage = 'ignored'")
        self.merge(a, b)
        self.assertEqual(query(a, "SELECT note, triage, COUNT (*) FROM capture GROUP BY note ORDER BY note"),
                         [("mine", "seen", 3), ("theirs", "ignored", 1)])

    def test_a_missing_or_foreign_study_is_refused_and_nothing_is_changed(self):
        a = self.study(self.copies(2))
        before = content(a, without=())
        with open(self.path("text.culprit"), "w", encoding="utf-8") as file:
            file.write("no database, but long enough to be looked at " * 50)
        for other in ("missing.culprit", "text.culprit"):
            result = run("merge", "--study", a, self.path(other))
            self.assertEqual(result.status, 2)
            self.assertEqual(len(result.error_lines()), 1, result.stderr)
            self.assertIn(other, result.stderr)
        self.assert_same(content(a, without=()), before)
        self.assertFalse(os.path.exists(self.path("missing.culprit")))


class Beside(Store):
    """Somebody else uses the study, or its name, at once."""

    def start(self, *arguments):
        process = subprocess.Popen([culprit.PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        return process

    def wait_for(self, process, condition):
        while not condition():
            self.assertIsNone(process.poll(), "it ended before")
            time.sleep(0.01)

    def test_an_import_that_is_given_the_study_itself_keeps_its_locks(self):
        """Closing a file, a process loses all locks that it has on it; without them, the next who closes the study removes its log."""
        first, *others = self.copies(6)
        for beside in ("", "-shm"):
            with self.subTest(beside=beside):
                study = self.study([first], f"s{beside}.culprit")
                sample = os.path.join(culprit.ROOT, "data", "sample", "sample.captures")
                process = self.start("import", "--study", study, "--run", "many", f"{study}{beside}", sample)
                told = [import_captures(study, [path], run_name="few") for path in others]
                output = process.communicate()[0]
                self.assertEqual([(result.status, result.stderr) for result in told], [(0, "")] * len(others))
                self.assertEqual(process.returncode, 2)
                self.assertIn(f"{study}{beside}: not a trace-cmd file", output)
                self.assertEqual(dict(query(study, "SELECT run.name, COUNT (*) FROM capture JOIN run USING (run_id) GROUP BY 1")),
                                 {"r": 1, "few": len(others), "many": 13})
                self.assert_whole(study)

    def test_what_a_reader_keeps_in_the_log_is_told(self):
        """Whoever moves the study without its log would leave that behind."""
        study, other = self.study(self.copies(1)), self.study(self.copies(2), "b.culprit")
        os.symlink(study, self.path("link.culprit"))
        told = f"link.culprit: what was stored is in {study}-wal for now, as another program has the study open; keep both together"
        with closing(sqlite3.connect(study, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT COUNT (*) FROM run").fetchall()
            for arguments in (("import", self.copies(3)[-1]), ("merge", other)):
                with self.subTest(arguments[0]):
                    result = run(*arguments, "--study", self.path("link.culprit"))
                    self.assertEqual((result.status, len(result.error_lines())), (0, 1), result.stderr)
                    self.assertIn(told, result.stderr)
            reader.execute("ROLLBACK")
        result = import_captures(study, self.copies(4))
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assertFalse(os.path.exists(f"{study}-wal"))

    def test_what_waits_to_be_stored_is_not_stored_under_another_name(self):
        a, b = self.study(self.copies(2), "a.culprit"), self.study(self.copies(4), "b.culprit")
        before = content(a, without=())
        with closing(sqlite3.connect(a, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            process = self.start("merge", "--study", a, b)
            self.wait_for(process, lambda: {a, b} <= {os.path.realpath(f"/proc/{process.pid}/fd/{name}")
                                                      for name in os.listdir(f"/proc/{process.pid}/fd")})
            time.sleep(0.2)  # until it waits; if not, it is refused before
            os.rename(a, self.path("moved.culprit"))
            other.execute("ROLLBACK")
        self.assertIn("moved or replaced", process.communicate()[0])
        self.assertEqual(process.returncode, 2)
        self.assert_same(content(self.path("moved.culprit"), without=()), before)

    def test_a_log_does_not_go_into_a_study_that_is_moved_beside_a_reader(self):
        study, moved = self.study(self.copies(1)), self.path("moved.culprit")
        with closing(sqlite3.connect(study, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT * FROM capture").fetchall()
            process = self.start("import", "--study", study, *self.copies(2))
            self.wait_for(process, lambda: len(query(study, "SELECT 1 FROM capture")) == 2)
            os.rename(study, moved)
            with open(moved, "rb") as file:
                before = file.read()
        process.communicate()
        with open(moved, "rb") as file:
            self.assertEqual(file.read(), before)

    def test_a_study_with_two_names_is_not_written_to(self):
        study = self.study(self.copies(2))
        os.link(study, self.path("other.culprit"))
        for name in (study, self.path("other.culprit")):
            result = import_captures(name, self.copies(3), run_name="r")
            self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
            self.assertIn(f"{name}: has another name", result.stderr)
            self.assertEqual(len(query(name, "SELECT 1 FROM capture")), 2)
        os.unlink(self.path("other.culprit"))
        self.study(self.copies(3))


class Deleting(Store):
    def test_deleting_a_capture_takes_its_part_out_of_every_sum(self):
        files = self.copies()
        study = self.study(files)
        for _ in files:
            alter(study, "DELETE FROM capture WHERE capture_id = (SELECT MIN (capture_id) FROM capture)")
            self.assertEqual(stored_run_sums(study), run_sums(study))
            self.assert_whole(study)
        self.assertEqual(stored_run_sums(study), {})

    def test_what_is_left_is_a_study_that_never_had_the_capture(self):
        files = self.copies()
        study = self.study(files)
        alter(study, f"DELETE FROM capture WHERE file LIKE '%{os.path.basename(files[1])}'")
        left, never = content(study), content(self.study(files[:1] + files[2:], "never.culprit"))
        for table in ("function", "host", "run_function"):
            del left[table], never[table]
        self.assert_same(left, never)

    def test_a_deleted_capture_can_be_imported_again(self):
        files = self.copies()
        study = self.study(files)
        before = content(study)
        alter(study, "DELETE FROM capture WHERE capture_id = 2")
        self.study(files)
        self.assert_same(content(study), before)

    def test_deleting_a_run_deletes_its_captures(self):
        study = self.study(self.copies())
        alter(study, "DELETE FROM run")
        for table in ("capture", "window", "outlier_node", "ordinary_node", "ordinary_part", "capture_function", "stall", "run_function"):
            self.assertEqual(query(study, f"SELECT COUNT (*) FROM {table}"), [(0,)], table)
        self.assert_whole(study)


class Older(Store):
    """Version 1 had no recorded runs, 2 neither summaries nor sources, 3 no spreads, 4 no tree of calls, 5 sentences in place
    of codes: what is not in them is read from the captures' files where these are there."""
    def test_an_older_study_is_brought_up_to_date_when_it_is_read_or_written(self):
        files = self.copies(3)
        study = self.study(files)
        alter(study, "UPDATE capture SET triage = 'explained', note = 'seen' WHERE capture_id = 2")
        before = content(study, without=())
        for version, bring in ((1, ("outliers",)), (1, ("import", *files)), (4, ("outliers",)), (4, ("import", *files)),
                               (5, ("outliers",)), (5, ("import", *files))):
            with self.subTest(version=version, bring=bring[0]):
                make_older(study, version)
                result = run(bring[0], "--study", study, *bring[1:])
                self.assertEqual((result.status, result.stderr), (0, ""))
                self.assert_whole(study)
                self.assert_same(content(study, without=()), before)

    def test_reasons_for_having_no_windows_become_codes_that_say_the_same(self):
        files = self.copies(6)
        study = self.study(files)
        for path in files:
            os.unlink(path)  # so that they are not read again
        for capture, reason in enumerate([*SENTENCES, "cpu-not-traced", "because it rained"], 1):
            alter(study, f"UPDATE capture SET no_windows = '{reason}' WHERE capture_id = {capture}")
        alter(study, "UPDATE capture SET no_windows_number = 12 WHERE no_windows = 'cpu-not-traced'")
        codes = "SELECT no_windows, no_windows_number FROM capture ORDER BY capture_id"
        before = query(study, codes)
        make_older(study, 5)
        sentences = [sentence for (sentence,) in query(study, "SELECT no_windows FROM capture ORDER BY capture_id")]
        self.assertIn("CPU 12,", sentences[4])
        sentences[4] = "no functions were read of CPU 12, on which its late wake-up was"  # what is said of it today
        for capture, sentence in enumerate(sentences, 1):
            shown = run("show", "--study", study, str(capture))
            self.assertIn(f"no windows: {sentence}\n", shown.stdout, shown.stderr)
        self.assertEqual(query(study, codes), before)

    def test_a_source_of_which_only_functions_are_known_took_no_more_than_all_of_them(self):
        files = self.copies(3)
        study = self.study(files)
        for path in files:
            os.unlink(path)  # so that they are not read again
        for version in (4, 3):
            make_older(study, version)
            self.assertEqual(run("verdict", "--study", study).status, 0)
            bounds = query(study, "SELECT MAX (IIF (depth = 0, with_callees_max_ns, 0)) AS source, COUNT (*) AS nodes, "
                                  "SUM (IIF (depth = 0, 0, with_callees_max_ns)) AS functions "
                                  "FROM ordinary_node JOIN node USING (node_id) GROUP BY capture_id, context")
            self.assertGreater(max(nodes for _, nodes, _ in bounds), 2)
            for source, _, functions in bounds:
                self.assertEqual(source, functions)

    def test_what_a_log_told_stays_if_the_log_is_gone_when_the_capture_is_read_again(self):
        sample = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "sample", "sample.captures")
        logs = [name for name in sorted(os.listdir(sample)) if name.endswith(".json")][:2]
        files = [shutil.copy(os.path.join(sample, name[:-len("json")] + kind), self.folder) for name in logs for kind in ("dat", "json")]
        study = self.study(files[::2])
        told = ("SELECT read_version, hit_cycle, needed_kb, smi_count, steal_ns, period_source, start_ns, latency_ns, uncertain_ns "
                "FROM capture JOIN window USING (capture_id) WHERE kind = 'outlier' ORDER BY capture_id")
        before = query(study, told)
        self.assertNotIn(None, [row[1] for row in before])
        make_older(study, 6)
        old = query(study, told)
        self.assertLess(max(row[0] for row in old), before[0][0])
        os.rename(files[1], files[1] + ".gone")
        for command in (("verdict",), ("import", *files[::2])):
            with self.subTest(command=command[0]):
                self.assertEqual(run(command[0], "--study", study, *command[1:]).status, 0)
                self.assertEqual(query(study, told), [old[0], before[1]])
        os.rename(files[1] + ".gone", files[1])
        self.assertEqual(run("import", "--study", study, *files[::2]).status, 0)
        self.assertEqual(query(study, told), before)

    def test_a_capture_whose_file_is_gone_stays_as_it_was_until_it_is_imported_again(self):
        files = self.copies(3)
        study = self.study(files)
        before = content(study)
        make_older(study, 1)
        os.rename(files[1], files[1] + ".gone")
        with open(files[2], "ab") as file:
            file.write(b"changed")
        versions = "SELECT read_version FROM capture ORDER BY capture_id"
        self.assertEqual(run("check", "--study", study).status, 0)
        self.assertEqual(query(study, versions), [(7,), (3,), (3,)])
        verdict = run("verdict", "--study", study, "--json")
        self.assertEqual((verdict.status, verdict.stderr), (0, ""))
        os.rename(files[1] + ".gone", files[1])
        with open(files[2], "rb+") as file:
            file.truncate(os.path.getsize(files[2]) - len(b"changed"))
        result = run("import", "--study", study, "--period", "5ms", *files)
        self.assertEqual((result.status, result.stderr, result.stdout),
                         (0, "", f"{study}: 0 captures stored, 2 read again, 1 already in the study.\n"))
        self.assert_same(content(study), before)


class Checking(Store):
    """Each statement changes one number in one row of capture 2 or of its windows."""
    OF_CAPTURE = {
        "a part of the outlier": "UPDATE outlier_node SET self_ns = self_ns + 1 WHERE window_id = {window} AND "
                                 "node_id = (SELECT MAX (node_id) FROM outlier_node WHERE window_id = {window})",
        "a part that is gone": "DELETE FROM outlier_node WHERE window_id = {window} AND self_ns > 0 AND node_id = "
                               "(SELECT MAX (node_id) FROM outlier_node WHERE window_id = {window} AND self_ns > 0)",
        "the latency": "UPDATE window SET latency_ns = latency_ns - 1 WHERE window_id = {window}",
        "the end of a window": "UPDATE window SET end_ns = end_ns + 1 WHERE window_id = {window}",
        "an ordinary window that is gone": "DELETE FROM window WHERE window_id = (SELECT MAX (window_id) FROM window "
                                           "WHERE capture_id = 2 AND kind = 'ordinary')",
        "the number of ordinary windows": "UPDATE capture SET ordinary_windows = ordinary_windows + 1 "
                                          "WHERE capture_id = 2",
        "a section": "UPDATE section SET outlier_ns = held_ns + 1 WHERE capture_id = 2",
        "an ordinary sum": "UPDATE ordinary_node SET self_ns = self_ns + 1 WHERE capture_id = 2 AND node_id = "
                           "(SELECT MAX (node_id) FROM ordinary_node WHERE capture_id = 2)",
        "the windows of a node": "UPDATE ordinary_node SET windows = windows + 1000 WHERE capture_id = 2 AND node_id = "
                                 "(SELECT MAX (node_id) FROM ordinary_node WHERE capture_id = 2)",
        "the number of events": "UPDATE capture SET events = events + 1 WHERE capture_id = 2",
        "the lost events": "UPDATE capture SET lost_events = lost_events + 77 WHERE capture_id = 2",
        "the truncated calls": "UPDATE capture SET truncated_calls = truncated_calls + 9 WHERE capture_id = 2",
        "the tracing in a window": "UPDATE window SET tracing_ns = tracing_ns - 1 WHERE window_id = {window}",
        "what was not captured": "UPDATE window SET not_captured_ns = 5 WHERE window_id = {window}",
        "a stall that is gone": "DELETE FROM stall WHERE window_id = {window}",
        "CPUs that are gone": "DELETE FROM capture_cpu WHERE capture_id = 2",
        "event counts that are gone": "DELETE FROM capture_event WHERE capture_id = 2",
        "the number of events of a CPU": "UPDATE capture_cpu SET events = events - 1 WHERE capture_id = 2 AND cpu = 0",
        "the number of events of a type": "UPDATE capture_event SET count = count + 1 WHERE capture_id = 2 "
                                          "AND event = 'ftrace:funcgraph_exit'",
    }
    OF_RUN = {
        "the calls of a function in a capture": "UPDATE capture_function SET calls = calls + 1 WHERE capture_id = 2 "
                                                "AND function_id = (SELECT MIN (function_id) FROM capture_function)",
        "a sum of the run": "UPDATE run_function SET self_ns = self_ns + 1 WHERE function_id = "
                            "(SELECT MIN (function_id) FROM run_function)",
        "an outlier sum of the run": "UPDATE run_function SET outlier_self_ns = outlier_self_ns - 1 "
                                     "WHERE function_id = (SELECT MIN (function_id) FROM run_function)",
        "an ordinary sum of the run": "UPDATE run_function SET ordinary_calls = ordinary_calls + 1 "
                                      "WHERE function_id = (SELECT MIN (function_id) FROM run_function)",
    }

    def setUp(self):
        super().setUp()
        self.good = self.study([path for path in plain_captures() if "count-" in path][:3], run_name="tuesday")
        self.window = query(self.good, "SELECT window_id FROM window WHERE capture_id = 2 AND kind = 'outlier'")[0][0]

    def assert_found(self, what, statement, name):
        study = shutil.copy(self.good, self.path("damaged.culprit"))
        before = content(study)
        alter(study, statement.format(window=self.window))
        self.assertNotEqual(content(study), before, f"{what}: the test itself changed nothing")
        result = run("check", "--study", study)
        self.assertEqual(result.status, 1, what)
        self.assertIn(name, result.stdout, what)
        self.assertFalse(json.loads(run("check", "--json", "--study", study).stdout)["complete"])

    def test_a_changed_number_is_found_and_its_capture_named(self):
        for what, statement in self.OF_CAPTURE.items():
            with self.subTest(what):
                self.assert_found(what, statement, "capture 2")

    def test_a_changed_sum_is_found_and_its_run_named(self):
        for what, statement in self.OF_RUN.items():
            with self.subTest(what):
                self.assert_found(what, statement, "tuesday")

    def test_a_sum_of_tracing_or_totals_that_is_wrong_is_found_too(self):
        for column in ("captures", "tracing_ns", "total_ns", "off_cpu_ns", "truncated", "outlier_tracing_ns",
                       "ordinary_tracing_ns"):
            with self.subTest(column):
                self.assert_found(column, f"UPDATE run_function SET {column} = {column} + 1 WHERE function_id = "
                                          "(SELECT MIN (function_id) FROM run_function)", "tuesday")

    def test_two_changes_that_cancel_in_the_sum_are_found(self):
        self.assert_found("two functions of a run", "UPDATE run_function SET self_ns = self_ns + CASE function_id "
                          "WHEN (SELECT MIN (function_id) FROM run_function) THEN 1 ELSE -1 END "
                          "WHERE function_id IN (SELECT function_id FROM run_function ORDER BY function_id LIMIT 2)",
                          "tuesday")

    def test_a_row_that_refers_to_nothing_is_found(self):
        study = self.good
        alter(study, "PRAGMA foreign_keys = OFF", "UPDATE stall SET function_id = 999999 WHERE window_id = "
                     f"{self.window}")
        result = run("check", "--study", study)
        self.assertEqual(result.status, 1)
        self.assertIn("stall", result.stdout)

    def test_every_fault_is_a_sentence(self):
        """Where a window has lost all its costs there is no sum, and rows without a number are not rows without a name."""
        for what, *statements in (("capture 2", f"DELETE FROM outlier_node WHERE window_id = {self.window}"),
                                  ("capture_function", "PRAGMA foreign_keys = OFF", "UPDATE capture_function SET function_id = 999999 "
                                   "WHERE function_id = (SELECT MIN (function_id) FROM capture_function WHERE capture_id = 2)")):
            study = shutil.copy(self.good, self.path("damaged.culprit"))
            alter(study, *statements)
            result = run("check", "--study", study)
            self.assertEqual(result.status, 1)
            for line in result.stdout.splitlines():
                self.assertRegex(line, r"^\S+: [a-z]+ \S", what)
            self.assertIn(what, result.stdout)
            self.assertNotIn("", json.loads(run("check", "--json", "--study", study).stdout)["faults"])

    def test_a_whole_study_is_called_whole(self):
        self.assert_whole(self.good)
        self.assertEqual(json.loads(run("check", "--json", "--study", self.good).stdout), {"complete": True, "faults": []})


class Files(Store):
    def setUp(self):
        super().setUp()
        self.file = shutil.copy(next(path for path in plain_captures() if "count-" in path), self.path("c.dat"))
        self.name = self.study([self.file], "monday.culprit")

    def is_found(self):
        """A study of an older version has its captures read again, where they are found."""
        make_older(self.name, 4)
        result = run("outliers", "--study", self.name)
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assertIn("qh_completions", result.stdout)
        return query(self.name, "SELECT read_version FROM capture") == [(7,)]

    def test_a_file_moved_beside_the_study_is_found_again(self):
        for place in ("monday.captures/renamed.dat", "elsewhere.dat"):
            with self.subTest(place):
                os.makedirs(os.path.dirname(self.path(place)), exist_ok=True)
                os.rename(self.file, self.path(place))
                self.file = self.path(place)
                self.assertTrue(self.is_found())

    @unittest.skipUnless(shutil.which("strace"), "needs strace")
    def test_moved_files_are_each_read_once_for_all_captures(self):
        """All have the same size, and none is where it was."""
        with open(self.file, "rb") as file:
            data = file.read()
        names = [f"monday.captures/{i}.dat" for i in range(12)]
        os.mkdir(self.path("monday.captures"))
        for i, name in enumerate(names):
            with open(self.path(name), "wb") as file:
                file.write(data + bytes([i]))
        self.assertEqual(import_captures(self.name, map(self.path, names)).status, 0)
        make_older(self.name, 4)
        os.rename(self.path("monday.captures"), self.path("kept"))
        os.mkdir(self.path("monday.captures"))
        for i, name in enumerate(names):
            os.rename(self.path("kept", f"{i}.dat"), self.path("monday.captures", f"moved-{i}.dat"))
        # A program that is traced cannot be searched for leaks by the address sanitizer.
        result = run("runs", "--study", self.name, before=("env", "ASAN_OPTIONS=detect_leaks=0", "strace", "-f", "-e", "trace=openat",
                                                           "-o", self.path("trace")))
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assertEqual(query(self.name, "SELECT DISTINCT read_version FROM capture"), [(7,)])
        with open(self.path("trace"), encoding="utf-8", errors="replace") as file:
            opened = Counter(re.findall(r'moved-[0-9]+\.dat(?=")', file.read()))
        self.assertEqual(len(opened), len(names))
        self.assertLessEqual(max(opened.values()), 2, "to find it, and to import it")

    def test_links_beside_the_study_are_not_followed(self):
        elsewhere = self.enterContext(tempfile.TemporaryDirectory())
        os.rename(self.file, os.path.join(elsewhere, "c.dat"))
        os.symlink(os.path.join(elsewhere, "c.dat"), self.path("link.dat"))
        os.symlink(elsewhere, self.path("monday.captures"))
        self.assertFalse(self.is_found())

    def test_an_update_opens_no_file_elsewhere(self):
        elsewhere = shutil.copy(self.file, self.enterContext(tempfile.TemporaryDirectory()))
        alter(self.name, f"UPDATE capture SET file = '{elsewhere}'")
        os.unlink(self.file)
        self.assertFalse(self.is_found())

    def test_study_and_file_moved_together_stay_together(self):
        os.mkdir(self.path("moved"))
        for name in ("c.dat", "monday.culprit"):
            os.rename(self.path(name), self.path("moved", name))
        self.name = self.path("moved/monday.culprit")
        self.assertTrue(self.is_found())

    def test_without_the_file_the_study_has_the_budget_and_the_call_tree(self):
        os.unlink(self.file)
        result = run("show", "--study", self.name, "1")
        self.assertEqual((result.status, result.stderr), (0, ""))
        for words in ("Where the time went", "Call tree of the window", "qh_completions x 513"):
            self.assertIn(words, result.stdout)
        self.assertFalse(self.is_found())

    def test_another_file_in_its_place_is_not_taken_for_it(self):
        with open(self.file, "r+b") as file:
            file.seek(-1, os.SEEK_END)
            last = file.read(1)
            file.seek(-1, os.SEEK_END)
            file.write(bytes([last[0] ^ 1]))
        self.assertFalse(self.is_found())


if __name__ == "__main__":
    unittest.main()

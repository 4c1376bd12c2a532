# SPDX-License-Identifier: GPL-3.0-or-later
# What culprit fleet does to the folder of its facts: it removes only what is its own, says what is damaged instead of
# beginning anew, does not let two jobs write at once, and reads again what could not be read.

import dataclasses
import fcntl
import functools
import itertools
import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
import unittest
from contextlib import closing

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import fleet_captures  # noqa: E402
import fleet_python  # noqa: E402
import turns  # noqa: E402

STOPPED = """#!/bin/sh
case "$*" in *stopped*) kill -SEGV $$;; esac
exec '{program}' "$@"
"""

# A writer that is killed while some of what it writes is in the study, and its journal beside it.
KILLED = """
import os, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA cache_size = 2")
database.execute("BEGIN IMMEDIATE")
database.execute("UPDATE capture SET note = 'half ' || hex (randomblob (9000))")
database.execute("UPDATE function SET name = name || 'x'")
os._exit(9)
"""
GIVEN = "SELECT sha256, triage, note FROM capture WHERE triage <> 'new' OR note <> '' ORDER BY sha256"

# Of rtla timerlat hist -u, which also measures until the task is back in user mode.
WITH_USER = """# RTLA timerlat histogram
# Time unit is microseconds (us)
# Duration:   0 00:00:10
Index   IRQ-000   Thr-000   Usr-000
1       900       0         0
5       100       1000      0
9       0         0         1000
over:   0         0         0
count:  1000      1000      1000
min:    1         5         9
avg:    1         5         9
max:    5         5         9
"""


@turns.tests(4, "test_a_cycle_log_too_large_to_be_read_from_another_file_system_is_left_out",
             "test_a_file_at_which_the_program_was_stopped_is_read_again", "test_a_file_has_failed_if_it_cannot_be_read_as_it_is_now",
             "test_a_latency_result_that_is_measured_again_replaces_what_it_said", "test_facts_that_are_damaged_are_left_as_they_are",
             "test_latencies_of_other_tools_are_those_that_a_study_of_them_has", "test_names_are_taken_literally",
             "test_states_and_notes_are_taken_over_with_their_captures", "test_what_another_file_system_refuses_stops_nobody",
             "test_what_others_made_is_not_replaced")
class OutputFolder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        fleet_python.require()
        cls.classes, cls.boards = (cls.enterClassContext(tempfile.TemporaryDirectory()) for _ in range(2))
        jars = subprocess.run([fleet_python.PROGRAM, "-c", "import pyspark; print(pyspark.__path__[0])"], capture_output=True, text=True, check=True).stdout.strip()
        if shutil.which("javac"):
            subprocess.run(["javac", "-cp", os.path.join(jars, "jars", "*"), "-d", cls.classes, os.path.join(HERE, "Refusing.java")], check=True, timeout=120)
        cls.jobs = subprocess.Popen([*fleet_python.CONFINED, fleet_python.PROGRAM, os.path.join(HERE, "jobs.py")], stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, text=True,
                                    # The Java machine logs to standard output, as it does when it warns.
                                    env=fleet_python.environment(CULPRIT=culprit.PROGRAM, REFUSING=cls.classes, BOARDS=cls.boards, JDK_JAVA_OPTIONS="-Xlog:gc+init"))
        cls.addClassCleanup(cls.end)
        cls.made = cls.enterClassContext(tempfile.TemporaryDirectory())
        plans = [fleet_captures.plan(number, 1, 1) for number in range(3)]
        # Colons are escaped in the names of folders.
        for planned in (dataclasses.replace(one, host="board:01[%20]") for one in plans):
            fleet_captures.make(cls.made, planned)

    @classmethod
    def end(cls):
        cls.jobs.stdin.close()
        cls.jobs.wait(timeout=60)
        cls.jobs.stdout.close()

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.captures = shutil.copytree(self.made, os.path.join(self.folder, "captures"))
        self.files = sorted(os.path.join(path, name) for path, _, names in os.walk(self.captures) for name in names)
        self.out = os.path.join(self.folder, "out [1] %20x")
        self.manifest = os.path.join(self.out, "facts", "_manifest.json")

    def job(self, *arguments):
        self.jobs.stdin.write(json.dumps(arguments) + "\n")
        self.jobs.stdin.flush()
        return json.loads(self.jobs.stdout.readline())

    def run_job(self, *arguments):
        return self.job(self.captures, "--out", self.out, *arguments)

    def assert_refused(self, told, *words):
        self.assertEqual(list(told), ["error"])
        self.assertEqual(len(told["error"].splitlines()), 1)
        for word in words:
            self.assertIn(word, told["error"])

    def content(self):
        return sorted((path, sorted(names)) for path, _, names in os.walk(self.out))

    def test_names_are_taken_literally(self):
        expected = {"captures": 3, "added": 3, "failed": [], "hosts": ["board:01[%20]"]}
        self.assertEqual(self.run_job(), expected)
        shutil.copy(self.files[0], self.files[0].replace("000000", "twice"))
        self.assertEqual(self.run_job("--compact"), {**expected, "added": 0})
        self.assertEqual(self.run_job(), {**expected, "added": 0})

    def test_wrong_input_leaves_nothing(self):
        nowhere = os.path.join(self.folder, "nowhere")
        self.assert_refused(self.job(nowhere, "--out", self.out), nowhere + ": no such folder")
        os.mkdir(nowhere)
        self.assert_refused(self.job(nowhere, "--out", self.out), "no captures")
        self.assertFalse(os.path.exists(self.out))
        self.assert_refused(self.job(self.captures, "--out", self.files[0]), self.files[0], "is a file")

    def test_folders_that_cannot_be_searched_are_listed(self):
        """They are closed in three ways: to be listed, to be entered, and by their depth, alone and among others."""
        closed = {os.path.join(self.captures, name): mode for name, mode in (("shut", 0o300), ("listed", 0o600))}
        deep = os.path.join(self.captures, *["d"] * 101)
        for path in (*closed, deep):
            os.makedirs(path)
            shutil.copy(self.files[0], os.path.join(path, "x.dat"))
        for path, mode in closed.items():
            os.chmod(path, mode)
            self.addCleanup(os.chmod, path, 0o700)
        told = self.run_job()
        self.assertEqual((told["captures"], sorted(one["file"] for one in told["failed"])), (3, sorted([*closed, deep])))
        self.assert_refused(self.job(*closed, "--out", self.out + "2"), "cannot be searched", "others could not be read either")
        for path in closed:
            os.chmod(path, 0o700)
        self.assertEqual([one["file"] for one in self.run_job()["failed"]], [deep])

    def test_what_is_not_its_own_stays(self):
        kept = ("staging-boards/x", "facts/mine/y", "facts/commit=mine/z", "notes.part")
        died = ("staging-" + 32 * "a" + "/commit=read/x", "facts/commit=000009-0123abcd-read/x", "report.html." + 32 * "b" + ".part")
        for name in (*kept, *died[::2]):
            path = os.path.join(self.out, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="ascii") as file:
                file.write("x")
        self.assertEqual(self.run_job()["captures"], 3)
        os.makedirs(os.path.join(self.out, os.path.dirname(died[1])))
        self.assertEqual(self.run_job()["captures"], 3)
        self.assertEqual([name for name in kept if not os.path.exists(os.path.join(self.out, name))], [])
        self.assertEqual([name for name in died if os.path.exists(os.path.join(self.out, os.path.dirname(name) or name))], [])

    def test_states_and_notes_are_taken_over_with_their_captures(self):
        """Beyond the selection too, on other file systems too, and whatever a killed writer left beside the study."""
        study = os.path.join(self.out, "fleet.culprit")
        few = ("--worst", "1", "--sample", "0")
        self.run_job()
        longest, *others = (row["sha256"] for row in culprit.rows(
            study, "SELECT sha256 FROM outlier JOIN capture USING (capture_id) ORDER BY latency_ns DESC, sha256"))
        with closing(sqlite3.connect(study)) as database, database:
            database.execute("UPDATE capture SET triage = 'ignored', note = 'it''s\nUSB \u00e4' WHERE sha256 = ?", (others[0],))
        os.chmod(study, 0o600)
        given = [{"sha256": others[0], "triage": "ignored", "note": "it's\nUSB \u00e4"}]
        subprocess.run([sys.executable, "-c", KILLED, study], check=False, timeout=60)
        self.assertTrue(os.path.getsize(study + "-journal"))
        for out in (self.out, "viewfs://other" + self.out):
            with self.subTest(out):
                self.assertEqual(self.job(self.captures, "--out", out, *few)["captures"], 3)
                self.assertEqual(culprit.rows(study, GIVEN), given)
                self.assertTrue(out != self.out or stat.S_IMODE(os.stat(study).st_mode) == 0o600)
                self.assertEqual([row["sha256"] for row in culprit.rows(study, "SELECT sha256 FROM capture ORDER BY 1")], sorted([longest, others[0]]))
                self.assertFalse(os.path.exists(study + "-journal"))
        self.assertEqual(culprit.run("check", "--study", study).status, 0)

    def test_what_others_made_is_not_replaced(self):
        results = {name: os.path.join(self.out, name) for name in ("fleet.culprit", "report.html", "verdict.json", "fleet.culprit-wal")}
        os.mkdir(self.out)
        for path in list(results.values())[:3]:
            with open(path, "w", encoding="ascii") as file:
                file.write("x")
            self.assert_refused(self.run_job(), path, "another --out")
            self.assertEqual(os.listdir(self.out), [os.path.basename(path)])
            os.unlink(path)
        self.run_job()
        study = results["fleet.culprit"]
        for name, make in itertools.product(("report.html", "verdict.json"), (self.replace_by_text, self.replace_by_folder, self.replace_by_pipe)):
            with self.subTest(name, make=make):
                os.rename(results[name], results[name] + ".kept")
                make(results[name])
                self.assert_refused(self.run_job(), results[name], "another --out")
                os.rename(results[name], os.path.join(self.folder, f"{name}.{make.__name__}"))
                os.rename(results[name] + ".kept", results[name])
        with open(results["fleet.culprit-wal"], "w", encoding="ascii") as file:
            file.write("x")
        self.assert_refused(self.run_job(), results["fleet.culprit-wal"], "move both")
        os.unlink(results["fleet.culprit-wal"])
        self.assertEqual(culprit.import_captures(study, [os.path.join(culprit.ROOT, "tests", "data", "blind-1.dat")]).status, 0)
        self.assert_refused(self.run_job(), study, "1 captures", "another --out")
        with open(study, "r+b") as file:
            file.write(b"x")
        self.assert_refused(self.run_job(), study, "its notes cannot be read")

    @staticmethod
    def replace_by_text(path):
        with open(path, "w", encoding="ascii") as file:
            file.write("my own notes\n")

    replace_by_folder = staticmethod(os.mkdir)
    replace_by_pipe = staticmethod(os.mkfifo)

    def test_facts_that_are_damaged_are_left_as_they_are(self):
        self.run_job()
        with open(self.manifest, encoding="ascii") as file:
            told = json.load(file)
        commit = os.path.join(self.out, "facts", f"commit={told['commits'][0]}")
        changes = {"another version": json.dumps({**told, "version": 1, "commits": 7}), "damaged": json.dumps(told)[:20],
                   "is damaged": json.dumps({**told, "commits": ["../x"]}), "is missing": json.dumps({**told, "commits": ["000000-00000000-read"]})}
        for word, text in changes.items():
            with self.subTest(text):
                with open(self.manifest, "w", encoding="ascii") as file:
                    file.write(text)
                before = self.content()
                self.assert_refused(self.run_job(), self.manifest, word, "another --out")
                self.assertEqual(self.content(), before)
        with open(self.manifest, "w", encoding="ascii") as file:
            json.dump(told, file)
        lost = next(os.path.join(path, name) for path, _, names in os.walk(commit) for name in names if name.endswith(".parquet"))
        os.rename(lost, os.path.join(self.folder, "lost"))
        self.assert_refused(self.run_job("--compact"), self.manifest, "files", "another --out")
        os.rename(os.path.join(self.folder, "lost"), lost)
        self.assertEqual(self.run_job("--compact")["added"], 0)
        self.assertEqual(self.run_job()["captures"], 3)
        os.unlink(self.manifest)
        self.assert_refused(self.run_job(), self.manifest, "is missing")

    def test_facts_among_which_is_a_pipe_or_a_link_are_left_as_they_are(self):
        """Java would wait at a pipe for ever."""
        self.run_job()
        checksum = next(os.path.join(path, name) for path, _, names in os.walk(os.path.join(self.out, "facts"))
                        for name in names if name.endswith(".parquet.crc"))
        for path in (checksum, self.manifest):
            for make in (os.mkfifo, functools.partial(os.symlink, "/dev/zero")):
                with self.subTest(path, make=make):
                    os.rename(path, path + ".kept")
                    make(path)
                    self.assert_refused(self.run_job(), self.manifest, os.path.relpath(path, self.out), "another --out")
                    os.rename(path + ".kept", path)
        facts = os.path.join(self.out, "facts")
        os.rename(facts, facts + ".kept")
        os.symlink(facts + ".kept", facts)
        self.assert_refused(self.run_job(), "facts", "another --out")
        os.unlink(facts)
        os.rename(facts + ".kept", facts)
        self.assertEqual(self.run_job()["added"], 0)

    def test_a_cycle_log_too_large_to_be_read_from_another_file_system_is_left_out(self):
        captures, planned = os.path.join(self.folder, "few"), fleet_captures.plan(0, 1, 1)
        fleet_captures.make(captures, planned)
        with open(os.path.join(captures, planned.path).replace(".dat", ".json"), "wb") as file:
            file.truncate(2 << 30)
        told = self.job("viewfs://other" + captures, "--out", self.out)
        self.assertEqual(told, {"captures": 1, "added": 1, "failed": [], "hosts": [planned.host]})

    def test_files_of_this_machine_are_read_in_place_beside_those_of_another_file_system(self):
        """Hadoop can open no name with a colon, and believes a stranger's checksums."""
        few, far = (os.path.join(self.folder, name) for name in ("few", "far"))
        plans = [fleet_captures.plan(number, 1, 1) for number in range(3)]
        for planned, folder in zip(plans, (few, few, far)):
            fleet_captures.make(folder, planned)
        colon, summed = (os.path.join(few, planned.path) for planned in plans[:2])
        os.rename(colon, os.path.join(os.path.dirname(colon), "a:b.dat"))
        with open(os.path.join(os.path.dirname(summed), f".{os.path.basename(summed)}.crc"), "wb") as file:
            file.write(b"crc\0" + bytes([0, 0, 2, 0]) + b"stranger" * (os.path.getsize(summed) // 512))
        told = self.job(few, "viewfs://other" + far, "--out", self.out)
        self.assertEqual((told.get("error"), told.get("added"), told.get("failed")), (None, 3, []))

    def test_what_another_file_system_refuses_stops_nobody(self):
        if not os.listdir(self.classes):
            self.skipTest("javac is missing")
        far = os.path.dirname(self.files[0])
        uri = f"refusing://{far}"
        denied, broken, absurd, empty, shut, inner = ("denied.dat", "broken.dat", "absurd", "empty.dat", "shut", os.path.join("shut", "x.dat"))
        strange, logged, dated = "strange", "log.dat", "dated.dat"
        for name in (shut, strange):
            os.mkdir(os.path.join(far, name))
        plans = [dataclasses.replace(fleet_captures.plan(number, 1, 2), host="refused") for number in range(4)]
        for planned, name in zip(plans, (denied, broken, inner, dated)):
            fleet_captures.make(self.folder, planned)
            os.rename(os.path.join(self.folder, planned.path), os.path.join(far, name))
        shutil.copy(self.files[0], os.path.join(far, absurd))
        for name in (empty, "empty.txt", "_hidden.dat", "half.dat.part"):
            with open(os.path.join(far, name), "wb"):
                pass
        # A capture is not read without its cycle log.
        os.rename(self.files[2], os.path.join(far, logged))
        for name in ("log.json", "dated.json"):
            with open(os.path.join(far, name), "w", encoding="ascii") as file:
                file.write("{}")
        with self.subTest("refused"):
            told = self.job(uri, "--out", self.out)
            self.assertEqual((told.get("error"), told.get("captures")), (None, 2))
            reasons = {os.path.relpath(one["file"], uri): one["reason"].split(";")[0] for one in told["failed"]}
            self.assertEqual(reasons, {**{name: "cannot be read from its file system" for name in (denied, broken, logged, dated)},
                                       **{name: "the time of its last change is absurd" for name in (absurd, "dated.json")}, empty: "empty",
                                       **{name: "this folder cannot be searched" for name in (shut, strange)}})
        with self.subTest("permitted"):
            with open(os.path.join(far, ".permitted"), "wb"), open(os.path.join(far, shut, ".permitted"), "wb"):
                told = self.job(uri, "--out", self.out)
            self.assertEqual((told.get("error"), told.get("added"), sorted(os.path.relpath(one["file"], uri) for one in told["failed"])),
                             (None, 5, [absurd, empty, strange]))
        with self.subTest("alone"):
            self.assert_refused(self.job(f"{uri}/{shut}", f"{uri}/nowhere", "--out", self.out + "2"), "nowhere: no such folder")

    def test_mount_points_are_followed_and_no_links_below_them(self):
        """Hadoop follows all links; with two to their own folder, it would never end."""
        folder = os.path.join(self.boards, "a")
        os.mkdir(folder)
        shutil.copy(self.files[0], folder)
        shutil.copy(self.files[1], os.path.join(self.boards, "b.dat"))
        for name, place in (("self", "."), ("again", "."), ("linked", self.captures)):
            os.symlink(place, os.path.join(folder, name))
        told = self.job("viewfs://other/boards", "--out", self.out)
        self.assertEqual((told.get("error"), told.get("added"), [os.path.basename(one["file"]) for one in told["failed"]]), (None, 2, ["gone"]))

    def test_a_strangers_checksum_on_another_file_system_fails_its_file_alone(self):
        name = os.path.basename(self.files[0])
        with open(os.path.join(os.path.dirname(self.files[0]), f".{name}.crc"), "wb") as file:
            file.write(b"crc\0" + bytes([0, 0, 2, 0]) + b"stranger" * (os.path.getsize(self.files[0]) // 512))
        told = self.job("viewfs://other" + self.captures, "--out", self.out)
        self.assertEqual((told.get("error"), told.get("captures"), [os.path.basename(one["file"]) for one in told.get("failed", [])]), (None, 2, [name]))

    def test_a_file_that_is_gone_when_it_is_read_fails_alone(self):
        """It lacks a period, so that it is read again, by when it is gone."""
        program, captures = os.path.join(self.folder, "program"), os.path.join(self.folder, "few")
        plans = [dataclasses.replace(fleet_captures.plan(0, 1, 1), number=number, template=f"blind-{2 - number}") for number in range(2)]
        for planned in plans:
            fleet_captures.make(captures, planned)
        lacking = os.path.join(captures, plans[1].path)
        with open(program, "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\ncase \"$*\" in *--alone*) rm -f '{lacking}';; esac\nexec '{culprit.PROGRAM}' \"$@\"\n")
        os.chmod(program, os.stat(program).st_mode | stat.S_IXUSR)
        told = self.job("viewfs://other" + captures, "--out", self.out, "--program", program)
        self.assertEqual((told.get("error"), told.get("captures"), [os.path.basename(one["file"]) for one in told.get("failed", [])]),
                         (None, 1, [os.path.basename(lacking)]))

    def latencies(self, *arguments):
        """What a job finds of each host, and that it is in the study as well."""
        told = self.job(self.few, "--out", self.out, "--latencies", "*.txt", *arguments)
        self.assertEqual((told.get("error"), told.get("failed")), (None, []))
        with open(os.path.join(self.out, "verdict.json"), encoding="utf-8") as file:
            found = {one["host"]: {name: one[name] for name in ("n", "beyond", "min_ns", "mean_ns", "median_ns", "max_ns")}
                     for one in json.load(file)["latencies"]}
        stored, = culprit.rows(os.path.join(self.out, "fleet.culprit"), "SELECT SUM (count) AS n FROM run_latency JOIN run USING (run_id) "
                               "WHERE name NOT LIKE '%-irq' AND name NOT LIKE '%-user'")
        self.assertEqual(found[None]["n"], stored["n"])
        return found

    def alone(self, path):
        """What a study says of a result."""
        study = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "s.culprit")
        self.assertEqual(culprit.run("import", "--study", study, path).status, 0)
        run = json.loads(culprit.run("latency", "--json", "--study", study).stdout)[0]
        return {"n": run["n"], "beyond": run["beyond"], **{name: round(run[name]) for name in ("min_ns", "mean_ns", "median_ns", "max_ns")}}

    def test_latencies_of_other_tools_are_those_that_a_study_of_them_has(self):
        self.few = os.path.join(self.folder, "few")
        texts = {}
        for name in ("rtla-timerlat-nano", "rtla-timerlat-hist", "rtla-timerlat-b5", "rtla-osnoise-b5", "stress-ng-cyclic-dist-10000",
                     "cyclictest-h-overflows", "cyclictest-histfile"):
            with open(os.path.join(culprit.ROOT, "tests", "data", "tools", f"{name}.txt"), encoding="utf-8") as file:
                texts[name] = file.read()
        texts["rtla-timerlat-u"] = WITH_USER
        texts["table"] = "begin_us,end_us,count\n" + "".join(f"{us},{us + 100},{count}\n" for us, count in ((0, 80), (100, 15), (900, 1)))
        expected = {}
        for number, (name, text) in enumerate(texts.items()):
            planned = dataclasses.replace(fleet_captures.plan(number, 1, 1), host=name)
            fleet_captures.make(self.few, planned)
            result = os.path.join(os.path.dirname(os.path.join(self.few, planned.path)), f"{name}.txt")
            with open(result, "w", encoding="utf-8") as file:
                file.write(text)
            expected[name] = self.alone(result)
        # Of which of its kernels they are nobody knows.
        fleet_captures.make(self.few, dataclasses.replace(fleet_captures.plan(90, 1, 1), host="table", kernel="6.2.0", series=planned.series))
        # Several together have no median that a tool told: there it is the middle of its bin, but not below the minimum.
        expected["stress-ng-cyclic-dist-10000"]["median_ns"] = expected["stress-ng-cyclic-dist-10000"]["min_ns"]
        found = self.latencies()
        for name, one in expected.items():
            with self.subTest(name):
                self.assertEqual(found[name], one)
        with open(os.path.join(self.out, "verdict.json"), encoding="utf-8") as file:
            kernels = {one["host"]: one["kernel"] for one in json.load(file)["latencies"]}
        self.assertEqual((kernels["table"], kernels["rtla-timerlat-u"]), ("", planned.kernel))

    def test_a_latency_result_that_is_measured_again_replaces_what_it_said(self):
        self.few = os.path.join(self.folder, "few")
        planned = fleet_captures.plan(0, 1, 1)
        fleet_captures.make(self.few, planned)
        result = os.path.join(os.path.dirname(os.path.join(self.few, planned.path)), "x.txt")
        with open(result, "w", encoding="ascii") as file:
            file.write("10 4\n")
        os.utime(result, (3, 3))
        self.assertEqual(self.job(self.few, "--out", self.out)["added"], 1)
        self.assertEqual(self.latencies()[None]["n"], 4, "it was not named as a latency result before")
        for samples, changed_s, options in ((10, 3, ()), (25, 4, ()), (10, 3, ()), (25, 2, ()), (25, 2, ("--compact",)), (12, 1, ())):
            with self.subTest(samples=samples, changed_s=changed_s, options=options):
                with open(result, "w", encoding="ascii") as file:
                    file.write(f"10 {samples - 1}\n20 1\n")
                os.utime(result, (changed_s, changed_s))
                self.assertEqual(self.latencies(*options)[None]["n"], samples)

    def test_two_jobs_do_not_write_at_once(self):
        os.mkdir(self.out)
        other = os.open(self.out, os.O_RDONLY)
        fcntl.flock(other, fcntl.LOCK_EX)
        self.assert_refused(self.run_job(), self.out, "another job is writing there")
        self.assertEqual(os.listdir(self.out), [])
        os.close(other)
        self.assertEqual(self.run_job()["added"], 3)

    def test_a_period_is_taken_from_a_capture_that_is_gone(self):
        planned = dataclasses.replace(fleet_captures.plan(0, 1, 1), template="blind-2")
        lacking = dataclasses.replace(planned, number=1, template="blind-1")
        captures = os.path.join(self.folder, "few")
        giving = os.path.join(captures, planned.path)
        fleet_captures.make(captures, planned)
        self.assertEqual(self.job(captures, "--out", self.out)["added"], 1)
        fleet_captures.make(captures, lacking)
        with open(os.path.join(captures, "notes.txt"), "w", encoding="ascii"):
            pass  # An empty file beside them made captures look empty that take something from another.
        study = os.path.join(self.folder, "one.culprit")
        self.assertEqual(culprit.run("import", "--study", study, os.path.dirname(giving)).status, 0)
        os.unlink(giving)
        self.assertEqual(self.job(captures, "--out", self.out)["added"], 1)
        asked = "SELECT sha256, period_ns, period_source, period_error_ns FROM capture ORDER BY sha256"
        self.assertEqual(culprit.rows(os.path.join(self.out, "fleet.culprit"), asked), culprit.rows(study, asked))

    def test_a_file_has_failed_if_it_cannot_be_read_as_it_is_now(self):
        """Whatever its time: it may have been copied again with its own."""
        with open(self.files[1], "rb") as file:
            whole = file.read()
        os.mkdir(os.path.join(self.folder, "other"))
        for data, changed_s, added, failed in ((whole[:20000], 3, 2, self.files[1:2]), (whole, 2, 1, []), (whole[:20000], 1, 0, self.files[1:2])):
            with open(self.files[1], "wb") as file:
                file.write(data)
            os.utime(self.files[1], (changed_s, changed_s))
            told = self.run_job("--compact")
            self.assertEqual((told["added"], [one["file"] for one in told["failed"]]), (added, failed))
            self.assertEqual([one["file"] for one in self.job(os.path.dirname(self.captures) + "/other", "--out", self.out)["failed"]], failed)

    def test_a_file_at_which_the_program_was_stopped_is_read_again(self):
        program, stopped = os.path.join(self.folder, "program"), os.path.join(os.path.dirname(self.files[2]), "stopped.dat")
        os.rename(self.files[2], stopped)
        with open(program, "w", encoding="ascii") as file:
            file.write(STOPPED.format(program=culprit.PROGRAM))
        os.chmod(program, os.stat(program).st_mode | stat.S_IXUSR)
        told = self.run_job("--program", program)
        self.assertEqual(told["failed"], [{"file": stopped, "reason": "culprit was killed by SIGSEGV"}])
        for options, added in (((), 1), (("--compact",), 0), ((), 0)):
            self.assertEqual({**self.run_job(*options), "hosts": []}, {"captures": 3, "added": added, "failed": [], "hosts": []})


if __name__ == "__main__":
    unittest.main()

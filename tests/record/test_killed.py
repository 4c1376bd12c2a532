# SPDX-License-Identifier: GPL-3.0-or-later
# A recording that is killed, blocked or loses its disk, folder, study or target while captures come: what it reported
# is stored, what it received completely is imported by the next recording, and the study is intact. The target is a
# stand-in for ssh, a real process on real pipes. CULPRIT_FAULTS is how often it is killed at a random moment (default:
# 6).

import fcntl
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import closing

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "study")]

import culprit  # noqa: E402
import mounts  # noqa: E402
import recorder  # noqa: E402
import stand_in  # noqa: E402
from content import content, plain_captures, query  # noqa: E402

FAULTS = int(os.environ.get("CULPRIT_FAULTS", "6"))
ENOUGH = 30  # kills for one of them to strike in the middle
SEED = int(os.environ.get("CULPRIT_SEED", "1"))
SAMPLES = bytes([0, 200, 1, 3, 200, 1, 0, 9])  # of three cycles


class Recording(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.disk = os.path.join(self.folder, "disk")
        os.mkdir(self.disk)
        self.study = os.path.join(self.disk, "s.culprit")
        self.captures = os.path.join(self.disk, "s.captures")
        stand_in.use_ssh_of(self, self.folder)

    def target(self, files, wait_for=None):
        """One that sends @files as captures, the second not before the file @wait_for is there."""
        lines = [line for number, path in enumerate(files, 1) for line in
                 ([f"while not os.path.exists({wait_for!r}): time.sleep(0.01)"] if wait_for and number == 2 else [])
                 + list(stand_in.lines_of_capture(path, number))]
        samples = f"base64=base64.b64encode({SAMPLES!r}).decode()"
        stand_in.write_ssh(self.folder, "begin()", "say(type='samples', run=1, cpu=0, first_cycle=0, cycles=3, "
                           f"first_expected_ns=1, {samples})", *lines, "say(type='run-end', run=1, cycles=3)", "end()")
        self.count = len(files)

    def command(self, *arguments):
        return [culprit.PROGRAM, "record", "--study", self.study, "--target", "ssh:x", "--threshold", "1ms", "--captures",
                str(max(1, self.count)), "--buffer", "10000", *arguments]

    def start(self, *arguments):
        process = subprocess.Popen(self.command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   start_new_session=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        return process

    def record(self, *arguments):
        done = subprocess.run(self.command(*arguments), capture_output=True, text=True, check=False, timeout=120)
        return culprit.Result(done.returncode, done.stdout, done.stderr)

    def assert_one_line(self, result, *words):
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def assert_target_gone(self):
        with open(os.path.join(self.folder, "pids"), encoding="ascii") as file:
            pids = [int(line) for line in file]
        recorder.wait_until(lambda: not any("bin/ssh" in recorder.command_line(pid) for pid in pids))

    def stored(self):
        """The files of the captures that are stored; the study is whole, and so are they."""
        if not os.path.exists(self.study) or not query(self.study, "SELECT 1 FROM sqlite_schema WHERE name = 'capture'"):
            return []
        result = culprit.run("check", "--study", self.study)
        self.assertEqual((result.status, result.stderr), (0, ""), result.stdout)
        rows = query(self.study, "SELECT file, size_bytes FROM capture ORDER BY capture_id")
        for file, size in rows:
            self.assertEqual(os.path.getsize(os.path.join(self.disk, file)), size)
        return [file for file, _ in rows]

    def received(self):
        """The captures that came whole."""
        names = os.listdir(self.captures) if os.path.exists(self.captures) else []
        return sorted(os.path.join("s.captures", name) for name in names if name.endswith(".dat"))

    def rows(self):
        """What is stored, as text."""
        return {table: {repr(row) for row in rows} for table, rows in content(self.study).items()} if self.stored() else {}

    def assert_kept(self, before):
        now = self.rows()
        for table in ("capture", "window", "outlier_node", "ordinary_node", "ordinary_part", "stall", "run_sample"):
            self.assertLessEqual(before.get(table, set()), now.get(table, set()), table)


class Replaced(Recording):
    def test_nothing_more_is_stored_in_a_study_that_is_gone_or_another(self):
        """The log of a study goes by its name, so that another would get what was meant for the one before."""
        for replaced in (False, True):
            with self.subTest(replaced=replaced):
                shutil.rmtree(self.disk)
                os.mkdir(self.disk)
                moved, gone = (os.path.join(self.folder, name) for name in ("moved", "gone"))
                for path in (moved, gone):
                    if os.path.exists(path):
                        os.unlink(path)
                self.target(plain_captures()[:2], wait_for=moved)
                process = self.start()
                recorder.wait_until(lambda: self.received() and self.stored() and not os.path.getsize(f"{self.study}-wal"))
                os.rename(self.study, gone)
                if replaced:
                    shutil.copyfile(os.path.join(culprit.ROOT, "data", "sample", "sample.culprit"), self.study)
                self.assertEqual(culprit.run("import", "--study", gone, plain_captures()[2]).status, 0)
                with open(moved, "w", encoding="ascii"):
                    pass
                errors = process.communicate(timeout=120)[1]
                self.assert_one_line(culprit.Result(process.returncode, "", errors), self.study, "replaced while it was open")
                self.assertEqual(len(self.received()), 2)
                self.assertEqual(culprit.run("check", "--study", gone).status, 0)
                self.assertEqual(len(query(gone, "SELECT 1 FROM capture")), 2)
                if replaced:
                    self.assertEqual(len(query(self.study, "SELECT 1 FROM capture")), 13)


    def test_all_is_stored_in_a_study_whose_folder_is_renamed(self):
        stopped, renamed = (os.path.join(self.folder, name) for name in ("stopped", "renamed"))
        stand_in.write_ssh(self.folder, "begin(tracing='off')", "say(type='samples', run=1, cpu=0, first_cycle=0, cycles=3, first_expected_ns=1, "
                           f"base64=base64.b64encode({SAMPLES!r}).decode())", f"while not os.path.exists({stopped!r}): time.sleep(0.01)",
                           "run_end(3)", "end('limit')")
        self.count = 0
        process = self.start("--limit", "10s")
        recorder.wait_until(lambda: os.path.exists(self.study) and query(self.study, "SELECT 1 FROM sqlite_schema WHERE name = 'run'")
                            and query(self.study, "SELECT 1 FROM run"))
        os.rename(self.disk, renamed)
        with open(stopped, "w", encoding="ascii"):
            pass
        errors = process.communicate(timeout=120)[1]
        self.assertEqual((process.returncode, errors), (0, ""))
        self.assertEqual(query(os.path.join(renamed, os.path.basename(self.study)), "SELECT cycles FROM run"), [(3,)])


class Killed(Recording):
    def numbered(self, path):
        """A copy of @path with a digest of its own."""
        copy = os.path.join(self.folder, f"{self.copies}.dat")
        self.copies += 1
        shutil.copyfile(path, copy)
        with open(copy, "ab") as file:
            file.write(self.copies.to_bytes(4, "little"))
        return copy

    def test_at_any_moment_loses_nothing(self):
        dice = random.Random(SEED)
        self.copies = middle = 0
        self.target([self.numbered(path) for path in plain_captures()[:3]])
        start = time.monotonic()
        self.assertEqual(self.record().status, 0)
        duration = time.monotonic() - start
        for strike in range(FAULTS):
            with self.subTest(strike=strike):
                if strike % 10 == 9:
                    shutil.rmtree(self.disk)
                    os.mkdir(self.disk)
                self.target([self.numbered(path) for path in dice.sample(plain_captures(), dice.randint(1, 3))])
                before = self.rows()
                told = self.kill(dice, duration)
                self.assert_target_gone()
                self.assert_kept(before)
                had, sent = len(before.get("capture", ())), self.count
                self.assertGreaterEqual(len(self.stored()), had + told)
                self.complete()
                middle += had < len(self.stored()) < had + sent
        self.assertTrue(middle or FAULTS < ENOUGH, "no kill struck in the middle")

    def kill(self, dice, duration):
        """Kills the recording, the target or both at a moment drawn; how many captures it told of."""
        process = self.start("--json")
        time.sleep(dice.uniform(0, duration))
        which = dice.choice(("session", "target", "both"))
        front = [pid for pid in recorder.children(process.pid) if "bin/ssh" in recorder.command_line(pid)]
        for pid in (front if which == "target" else [process.pid, *(front if which == "both" else [])]):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        output, errors = process.communicate(timeout=60)
        self.assertIn((process.returncode, len(errors.splitlines())), ((0, 0), (2, 1), (-signal.SIGKILL, 0)), errors)
        return sum('"type":"imported"' in line and line.endswith("}") for line in output.splitlines())

    def complete(self):
        self.target([])
        result = self.record()
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assertEqual(sorted(self.stored()), self.received())
        self.assertEqual(query(self.study, "SELECT COUNT (*) FROM run WHERE source <> 'record'"), [(0,)])

    def test_between_a_capture_and_its_import_leaves_it_to_the_next_recording(self):
        """It is killed while another program keeps it from the study."""
        go = os.path.join(self.folder, "go")
        self.target(plain_captures()[:2], wait_for=go)
        process = self.start("--run", "a/b-1", "--json")
        self.assertTrue(any('"imported"' in line for line in process.stdout))
        with closing(sqlite3.connect(self.study, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            open(go, "wb").close()
            recorder.wait_until(lambda: len(self.received()) == 2)
            process.kill()
            process.wait()
        self.assertEqual(len(self.stored()), 1)
        shutil.copy(plain_captures()[2], os.path.join(self.captures, "mine.dat"))
        shutil.copy(plain_captures()[2], os.path.join(self.captures, "a-b-1-mine.dat"))
        self.target([])
        result = self.record("--run", "a", "--json")
        self.assertEqual((result.status, result.stderr), (0, ""))
        told, = [line for line in map(json.loads, result.stdout.splitlines()) if line["type"] == "imported"]
        self.assertTrue(told["file"].endswith("a-b-1-002.dat"), told)
        self.assertEqual(len(self.stored()), 2)
        self.assertEqual(query(self.study, "SELECT DISTINCT run.name FROM capture JOIN run USING (run_id)"), [("a/b-1",)])

    def test_what_cannot_be_brought_in_is_said(self):
        self.target(plain_captures()[:1])
        self.assertEqual(self.record().status, 0)
        with open(os.path.join(self.captures, "run-002.dat"), "wb") as file:
            file.write(b"five!")
        os.symlink(plain_captures()[1], os.path.join(self.captures, "run-003.dat"))
        self.target([])
        result = self.record()
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assertIn("run-002.dat: not a trace-cmd file", result.stdout)
        self.assertEqual(len(self.stored()), 1)


class FullDisk(Recording):
    def setUp(self):
        super().setUp()
        if not mounts.own_mounts():
            self.skipTest("a small file system of its own can only be mounted by root")

    def test_is_said_and_loses_nothing(self):
        filled = False
        for kilobytes in (32, 200, 400, 600, 800, 1100, 1400):
            with self.subTest(kilobytes=kilobytes):
                mounts.mount_small(self, self.disk, kilobytes)
                try:
                    filled |= self.fill()
                finally:
                    mounts.unmount(self.disk)
        self.assertTrue(filled, "none of the disks was full with captures stored: choose other sizes")

    def fill(self):
        """Whether some captures were stored when the disk was full."""
        self.target(plain_captures()[:4])
        result = self.record("--json")
        self.assert_one_line(result, self.disk)
        self.assert_target_gone()
        told = result.stdout.count('"imported"')
        mounts.remount(self.disk, "size=16m")
        stored = len(self.stored())
        self.assertGreaterEqual(stored, told)
        self.target([])
        self.assertEqual(self.record().status, 0)
        self.assertEqual(sorted(self.stored()), self.received())
        self.target(plain_captures()[:4])
        self.assertEqual(self.record().status, 0)
        self.assertEqual(len(self.stored()), 4)
        return 0 < stored < 4


class ReadOnly(Recording):
    def setUp(self):
        super().setUp()
        if not mounts.own_mounts():
            self.skipTest("a file system of its own can only be mounted by root")
        mounts.mount_small(self, self.disk, 16384)
        self.addCleanup(mounts.unmount, self.disk)

    def test_a_medium_that_turns_read_only_is_said_and_loses_nothing(self):
        self.target(plain_captures()[:1])
        self.assertEqual(self.record().status, 0)
        before = self.rows()
        mounts.remount(self.disk, "ro")
        self.assert_one_line(self.record(), self.study)
        mounts.remount(self.disk, "rw")
        self.assert_kept(before)

    def test_a_new_study_on_it_is_refused(self):
        mounts.remount(self.disk, "ro")
        self.target(plain_captures()[:1])
        self.assert_one_line(self.record(), self.study)
        self.assert_target_gone()

    def test_a_folder_for_captures_that_may_not_be_written_is_said(self):
        os.mkdir(self.captures)
        mounts.mount_small(self, self.captures, 4096)
        mounts.remount(self.captures, "ro")
        self.addCleanup(mounts.unmount, self.captures)
        self.target(plain_captures()[:1])
        self.assert_one_line(self.record(), self.captures)
        self.assert_target_gone()
        self.assertEqual(self.stored(), [])

    def test_a_file_in_place_of_the_folder_is_said(self):
        open(self.captures, "wb").close()
        self.target(plain_captures()[:1])
        self.assert_one_line(self.record(), self.captures)
        self.assertEqual(self.stored(), [])


class Hindered(Recording):
    def test_another_program_that_holds_the_study_is_waited_for(self):
        self.target(plain_captures()[:1])
        self.assertEqual(self.record().status, 0)
        go = os.path.join(self.folder, "go")
        self.target(plain_captures()[1:3], wait_for=go)
        process = self.start("--json")
        self.assertTrue(any('"imported"' in line for line in process.stdout))
        with closing(sqlite3.connect(self.study, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            open(go, "wb").close()
            recorder.wait_until(lambda: len(self.received()) == 3)
            database.execute("ROLLBACK")
        _, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, errors), (0, ""))
        self.assertEqual(len(self.stored()), 3)

    def test_a_recording_that_is_stopped_for_a_while_goes_on(self):
        go = os.path.join(self.folder, "go")
        self.target(plain_captures()[:3], wait_for=go)
        process = self.start("--json")
        self.assertTrue(any('"imported"' in line for line in process.stdout))
        process.send_signal(signal.SIGSTOP)
        open(go, "wb").close()
        recorder.wait_until(lambda: "pipe" in self.target_waits())
        process.send_signal(signal.SIGCONT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, errors), (0, ""))
        self.assertEqual(len(self.stored()), 3)

    def target_waits(self):
        with open(os.path.join(self.folder, "pids"), encoding="ascii") as file:
            return self.waits(file.read().split()[-1])

    def waits(self, pid):
        """What the process waits for in the kernel."""
        with open(f"/proc/{pid}/wchan", encoding="ascii") as file:
            return file.read()

    def test_a_reader_that_reads_nothing_and_goes_loses_nothing(self):
        """With room for some lines in the pipe."""
        for room, end in ((64, self.close), (500, self.close), (1000, self.close), (700, self.interrupt)):
            with self.subTest(room=room, end=end.__name__):
                self.target(plain_captures()[:4])
                readable, writable = os.pipe()
                fcntl.fcntl(writable, fcntl.F_SETPIPE_SZ, 4096)
                os.write(writable, bytes(4096 - room))
                process = subprocess.Popen(self.command("--json"), stdout=writable, stderr=subprocess.PIPE, text=True)
                self.addCleanup(process.stderr.close)
                os.close(writable)
                recorder.wait_until(lambda: "pipe" in self.waits(process.pid))
                end(process, readable)
                _, errors = process.communicate(timeout=60)
                os.close(readable)
                self.assertLessEqual(len(errors.splitlines()), 1)
                self.assert_target_gone()
                self.target([])
                self.assertEqual(self.record().status, 0)
                self.assertEqual(sorted(self.stored()), self.received())
                shutil.rmtree(self.disk)
                os.mkdir(self.disk)

    def close(self, process, readable):
        os.dup2(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC), readable)

    def interrupt(self, process, readable):
        process.send_signal(signal.SIGINT)
        recorder.wait_until(lambda: not recorder.status(process.pid)["ShdPnd"].strip("0"))
        process.send_signal(signal.SIGINT)


if __name__ == "__main__":
    unittest.main()

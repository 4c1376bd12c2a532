# SPDX-License-Identifier: GPL-3.0-or-later
# A caller that is stopped, frozen or killed in the middle of a recording: the recorder notices, undoes everything and
# ends. Without tracing, on this machine. Needs root.

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import closing

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import recorder  # noqa: E402

PATIENCE_S = 4  # of both sides with each other
CYCLES_PER_S = 500


class Caller(unittest.TestCase):
    def setUp(self):
        self.mark = f"culprit-watchdog-{os.getpid()}-{time.monotonic_ns()}"
        self.study = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "s.culprit")

    def record(self, until=b'"progress"', **options):
        """A recording that measures and said @until, with a load; its processes in self.front, self.supervisor and self.loop."""
        caller = subprocess.Popen(
            [culprit.PROGRAM, "record", "--study", self.study, "--period", "2ms", "--policy", "other", "--limit", "1000s",
             "--load", f"sleep 1000; : {self.mark}", "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, "CULPRIT_PATIENCE": str(PATIENCE_S)}, **options)
        self.addCleanup(caller.stdout.close)
        self.addCleanup(caller.wait)
        self.addCleanup(caller.kill)
        self.wait_for(caller, until)
        self.front, = recorder.children(caller.pid)
        self.supervisor, = recorder.children(self.front)
        recorder.wait_until(lambda: any("culprit-cycle" in recorder.threads(pid)
                                        for pid in recorder.children(self.supervisor)))
        self.loop = recorder.measuring_process(caller.pid)
        return caller

    def cycles(self):
        """How often the measuring thread has slept so far."""
        return sum(int(recorder.status(self.loop, thread)["voluntary_ctxt_switches"])
                   for thread in os.listdir(f"/proc/{self.loop}/task"))

    def wait_for(self, caller, words):
        for line in caller.stdout:
            if words in line:
                return line
        return self.fail(f"no {words}")

    def assert_it_ends(self, *but):
        """Everything of the recording but the processes @but."""
        everyone = [pid for pid in (self.supervisor, self.loop, self.front) if pid not in but]
        recorder.wait_until(lambda: not any(map(recorder.command_line, everyone)) and not recorder.processes(self.mark))


class Faults(Caller):
    def test_one_that_is_killed(self):
        self.record().kill()
        self.assert_it_ends()

    def test_one_that_is_stopped(self):
        """When it goes on, it says what happened."""
        caller = self.record()
        caller.send_signal(signal.SIGSTOP)
        self.assert_it_ends()
        caller.send_signal(signal.SIGCONT)
        self.assertIn(b"nothing was heard", self.wait_for(caller, b'"note"'))
        self.wait_for(caller, b'"end"')
        caller.stdout.read()
        self.assertEqual(caller.wait(), 0)
        self.assertEqual(culprit.run("check", "--study", self.study).status, 0)

    def test_one_that_is_busy_is_not_taken_for_dead(self):
        """It cannot begin to store, since another program writes to the study."""
        self.assertEqual(culprit.run("record", "--study", self.study, "--period", "2ms", "--policy", "other", "--cycles",
                                     "10").status, 0)
        with closing(sqlite3.connect(self.study, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            caller = self.record(until=b'"run"')
            began = self.cycles()
            recorder.wait_until(lambda: self.cycles() - began > 2 * PATIENCE_S * CYCLES_PER_S, seconds=60)
            self.assertEqual(recorder.unread(caller.stdout), 0)
        self.wait_for(caller, b'"progress"')
        self.assertTrue(recorder.command_line(self.supervisor))
        caller.send_signal(signal.SIGINT)
        self.wait_for(caller, b'"end"')

    def test_a_front_that_is_stopped_as_by_a_terminal(self):
        """Its caller is then killed."""
        caller = self.record()
        os.kill(self.front, signal.SIGSTOP)
        self.addCleanup(os.kill, self.front, signal.SIGCONT)
        caller.kill()
        self.assert_it_ends(self.front)


if __name__ == "__main__":
    unittest.main()

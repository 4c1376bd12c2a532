# SPDX-License-Identifier: GPL-3.0-or-later
# A virtual machine in wall time that is stopped for some milliseconds, as by firmware or a hypervisor: a wake-up during
# that time is a hit, and its capture comes. And one whose recording is killed: it ends with it.

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import recorder  # noqa: E402
import turns  # noqa: E402


def setUpModule():
    subprocess.run([os.path.join(HERE, "..", "lab", "prepare")], check=True, stdout=subprocess.DEVNULL)
    os.environ["CULPRIT_VM_DIR"] = culprit.LAB


@turns.tests(3, "test_a_machine_that_is_stopped_for_some_milliseconds_is_a_hit", "test_a_machine_that_hangs_at_its_start_is_replaced",
             "test_a_machine_that_is_killed_is_told_of", "test_a_machine_waits_for_a_recording_that_is_held_up",
             "test_a_machine_goes_with_the_recording_however_that_ends")
class StoppedMachine(unittest.TestCase):
    def setUp(self):
        self.study = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "s.culprit")

    def record_a_machine_that_is_stopped(self):
        """Returns the exit status and the errors of a recording whose machine is stopped until there is a hit. Little is
        traced, since an emulated machine on a busy host hardly gets beyond its ticks when each function of theirs is. It
        has five times the patience, since virtual machines are slow."""
        errors = self.enterContext(tempfile.TemporaryFile())
        process = subprocess.Popen([culprit.PROGRAM, "record", "--study", self.study, "--target", "vm", "--vm-time", "wall",
                                    "--vm-cpus", "2", "--cpus", "1", "--period", "100ms", "--threshold", "300ms", "--skip",
                                    "2", "--graph", "hrtimer_interrupt", "--calibrate", "skip", "--captures", "1", "--buffer",
                                    "2000", "--limit", "100s", "--json"], stdout=subprocess.PIPE, stderr=errors,
                                   env={**os.environ, "CULPRIT_PATIENCE": "18"})
        done = threading.Event()

        def stop_now_and_then():
            while not done.wait(1.5):
                for machine in recorder.virtual_machines(process.pid):
                    os.kill(machine, signal.SIGSTOP)
                    time.sleep(0.6)
                    os.kill(machine, signal.SIGCONT)

        stopper = threading.Thread(target=stop_now_and_then)
        for line in process.stdout:
            if b'"type":"run"' in line and not stopper.is_alive():
                stopper.start()
            if b'"type":"hit"' in line:
                done.set()
        done.set()
        if stopper.ident:
            stopper.join()
        process.stdout.close()
        status = process.wait(timeout=60)
        errors.seek(0)
        return status, errors.read().decode()

    def test_a_machine_that_is_stopped_for_some_milliseconds_is_a_hit(self):
        """In wall time, with two CPUs: all of them are away at once."""
        status, errors = self.record_a_machine_that_is_stopped()
        self.assertEqual(status, 0, errors)
        outlier, = culprit.rows(self.study, "SELECT cpu, latency_ns FROM window WHERE kind = 'outlier'")
        self.assertEqual(outlier["cpu"], 1)
        self.assertGreater(outlier["latency_ns"], 300000000)

    def test_a_machine_that_hangs_at_its_start_is_replaced(self):
        pids = os.path.join(os.path.dirname(self.study), "pids")
        os.mkfifo(pids)
        boot = subprocess.Popen([os.path.join(culprit.ROOT, "app", "record", "vm", "boot"), "--pid-file", pids, "sh", "-c",
                                 "read word; echo the $word"], env={**os.environ, "CULPRIT_VM_START_S": "0.2"},
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        started = []
        for _ in range(3):
            with open(pids) as told:
                started.append(int(told.read()))
            if len(started) == 1:
                os.kill(started[0], signal.SIGSTOP)
        self.assertEqual(boot.communicate(b"guest\n"), (b"the guest\n", b""))
        self.assertEqual(boot.returncode, 0)
        self.assertFalse([machine for machine in started if os.path.exists(f"/proc/{machine}")])

    def begin(self, *options, until):
        """A recording that has come to the type @until, and its machine."""
        process = subprocess.Popen([culprit.PROGRAM, "record", "--study", self.study, "--target", "vm", "--period", "5ms",
                                    "--limit", "100s", "--json", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        for line in process.stdout:
            if f'"type":"{until}"'.encode() in line:
                break
        machine, = recorder.virtual_machines(process.pid)
        return process, machine

    def test_a_machine_that_is_killed_is_told_of(self):
        process, machine = self.begin("--vm-time", "wall", until="run")
        os.kill(machine, signal.SIGKILL)
        _, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, errors.count(b"\n")), (2, 1), errors)
        self.assertIn(b"the virtual machine was killed (signal 9)", errors)

    def test_a_machine_waits_for_a_recording_that_is_held_up(self):
        """For longer than it would take its clock, which skips meanwhile, to come to the end of a recorder's patience."""
        process, _ = self.begin("--aligned", "--buffer", "3000", "--threshold", "410us", "--captures", "2", until="hit")
        process.send_signal(signal.SIGSTOP)
        time.sleep(5)
        process.send_signal(signal.SIGCONT)
        said, errors = process.communicate(timeout=120)
        self.assertEqual((process.returncode, errors), (0, b""))
        self.assertEqual((said.count(b'"type":"imported"'), json.loads(said.splitlines()[-1])["reason"]), (2, "captures"))

    def test_a_machine_goes_with_the_recording_however_that_ends(self):
        process, machine = self.begin("--vm-time", "wall", until="run")
        process.kill()
        process.wait()
        process.stdout.close()
        recorder.wait_until(lambda: not os.path.exists(f"/proc/{machine}"))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# A caller that is stopped, frozen or killed in the middle of a recording: the recorder notices, undoes everything and
# ends, and who may freeze or kill the caller's control group cannot keep it from that. Without tracing, on this machine;
# watchdog.sh has the rest. Needs root.

import functools
import os
import pwd
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
OWN_GROUP = "culprit-recorder"


def groups_folder():
    """Where version 2 of the control groups is mounted, if we may make some; else None."""
    with open("/proc/mounts", encoding="utf-8") as mounts:
        places = [line.split()[1] for line in mounts if line.split()[2] == "cgroup2"]
    return next((place for place in places if os.access(place, os.W_OK)), None)


def freezer_folder():
    """The freezer of version 1, in whose frozen groups nobody can even end, if we may make some; else None."""
    with open("/proc/mounts", encoding="utf-8") as mounts:
        places = [line.split()[1] for line in mounts if line.split()[2] == "cgroup" and "freezer" in line.split()[3].split(",")]
    return next((place for place in places if os.access(place, os.W_OK)), None)


def group(pid):
    with open(f"/proc/{pid}/cgroup", encoding="utf-8") as file:
        return next(line.rstrip("\n")[3:] for line in file if line.startswith("0::"))


class Caller(unittest.TestCase):
    def setUp(self):
        self.mark = f"culprit-watchdog-{os.getpid()}-{time.monotonic_ns()}"
        self.study = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "s.culprit")

    def record(self, until=b'"progress"', **options):
        """A recording that measures and said @until, with a load; its processes in self.front, self.supervisor and self.loop."""
        caller = subprocess.Popen(
            [culprit.PROGRAM, "record", "--study", self.study, "--period", "2ms", "--policy", "other", "--limit", "1000s",
             "--load", f"sleep 1000; : {self.mark}", "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={"PATH": os.environ["PATH"], "CULPRIT_PATIENCE": str(PATIENCE_S)}, **options)
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


def claims(pid):
    """How soon a process runs, and whether the kernel ends it when memory is short."""
    with open(f"/proc/{pid}/oom_score_adj", encoding="ascii") as file:
        return os.sched_getscheduler(pid), os.getpriority(os.PRIO_PROCESS, pid), int(file.read())


def make_few_claims():
    os.setpriority(os.PRIO_PROCESS, 0, 19)
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")


class Faults(Caller):
    def test_one_that_makes_few_claims_on_the_machine(self):
        """What restores is not held up or killed for that, and the load makes no more."""
        caller = self.record(preexec_fn=make_few_claims)
        for pid in (self.front, self.supervisor):
            policy, nice, badness = claims(pid)
            self.assertEqual((policy, nice), (os.SCHED_OTHER, -10))
            self.assertLessEqual(badness, 0)
        self.assertEqual({claims(pid) for pid in (caller.pid, *recorder.processes(self.mark))}, {(os.SCHED_IDLE, 19, 1000)})

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

    def freeze_measuring(self):
        """A trial, its treatment in place, whose measuring process cannot end: the recorder and the file of its state.

        It is in the caller's group, who may also let it have no processor."""
        folder = os.path.join(freezer_folder(), self.mark)
        state = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "treated")

        def write(name, value):
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write(str(value))

        os.mkdir(folder)
        self.addCleanup(os.rmdir, folder)
        process = recorder.start({"culprit": 1, "do": "trial", "period_ns": 1000000, "cycles": 100000, "treat": f"touch {state}",
                                  "undo": f"rm {state}", "treatments": [True]})
        supervisor = recorder.measuring_supervisor(process.pid)
        self.measuring, = [pid for pid in recorder.children(supervisor) if "culprit-cycle" in recorder.threads(pid)]
        write("cgroup.procs", self.measuring)
        write("freezer.state", "FROZEN")
        self.addCleanup(recorder.wait_until, lambda: not recorder.threads(self.measuring))
        self.addCleanup(write, "freezer.state", "THAWED")
        return process, state

    @unittest.skipUnless(freezer_folder(), "there is no freezer of version 1 whose groups may be made")
    def test_a_measuring_process_that_cannot_end_holds_nothing_up(self):
        process, state = self.freeze_measuring()
        process.stdin.write(b'{"do":"stop"}\n')
        process.stdin.flush()
        recorder.wait_until(lambda: not os.path.exists(state))
        process.communicate(timeout=20)
        self.assertFalse(os.path.exists("/run/culprit/treatment"))
        self.assertTrue(recorder.threads(self.measuring))

    @unittest.skipUnless(freezer_folder(), "there is no freezer of version 1 whose groups may be made")
    def test_a_measuring_process_that_cannot_end_has_no_lock_once_the_others_are_killed(self):
        process, state = self.freeze_measuring()
        recorder.kill([pid for pid in recorder.tree(process.pid) if "culprit-recorder" in recorder.executable(pid) and pid != self.measuring])
        process.communicate(timeout=20)
        recorder.wait_until(lambda: not os.path.exists(state))  # The shell has waited for it.
        self.assertEqual(subprocess.run([recorder.PROGRAM, "restore"], capture_output=True, timeout=60, check=False).returncode, 0)
        self.assertTrue(recorder.threads(self.measuring))

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


@unittest.skipUnless(groups_folder(), "there are no control groups of version 2 that may be made")
class Groups(Caller):
    def setUp(self):
        super().setUp()
        self.enter(f"culprit-test-{os.getpid()}")

    def enter(self, name):
        """Makes the group @name, which callers will be in."""
        self.name = name
        self.folder = os.path.join(groups_folder(), name)
        os.mkdir(self.folder)
        self.addCleanup(self.remove, self.folder)

    def remove(self, folder):
        self.folder = folder
        self.write("cgroup.freeze", 0)
        self.write("cgroup.kill", 1)
        recorder.wait_until(self.is_empty)
        os.rmdir(folder)

    def is_empty(self):
        """Whether it can be removed, which it cannot yet where the last process listed is ending."""
        with open(os.path.join(self.folder, "cgroup.events"), encoding="ascii") as file:
            return "populated 0" in file.read()

    def write(self, name, value):
        with open(os.path.join(self.folder, name), "w", encoding="ascii") as file:
            file.write(str(value))

    def record(self, **options):
        return super().record(preexec_fn=lambda: self.write("cgroup.procs", 0), **options)

    def assert_nothing_is_left(self):
        self.assert_nobody_is_in(OWN_GROUP)

    def assert_nobody_is_in(self, name):
        with open(os.path.join(groups_folder(), name, "cgroup.events"), encoding="ascii") as file:
            recorder.wait_until(lambda: file.seek(0) or "populated 0" in file.read())

    def test_what_restores_is_out_of_the_callers_reach_and_what_is_measured_is_not(self):
        caller = self.record()
        self.assertEqual({group(pid) for pid in (self.front, self.supervisor)}, {f"/{OWN_GROUP}"})
        of_load = recorder.processes(self.mark)
        self.assertTrue(of_load)
        self.assertEqual({group(pid) for pid in (caller.pid, self.loop, *of_load)}, {f"/{self.name}"})
        caller.send_signal(signal.SIGINT)
        self.wait_for(caller, b'"end"')
        self.assert_it_ends()
        self.assert_nothing_is_left()

    def test_one_whose_group_cannot_be_left_is_told(self):
        lines = recorder.speak({"culprit": 1, "do": "examine"}, preexec_fn=lambda: self.write("cgroup.procs", 0), before=[
            "unshare", "-m", "sh", "-c", f'mount -o remount,bind,ro {groups_folder()} && exec "$0"'])
        self.assertEqual([line["type"] for line in lines], ["hello", "note", "facts", "end"])
        self.assertIn("Read-only file system", lines[1]["text"])

    def deepen(self, length):
        """Makes groups inside ours until the path has @length characters. The innermost one's folder, opened."""
        folder = os.open(self.folder, os.O_RDONLY)
        self.addCleanup(os.close, folder)
        left = length - len(f"/{self.name}")
        while left > 0:
            step = left if left <= 251 else min(251, left - 2)
            left -= step
            name = "g" * (step - 1)
            os.mkdir(name, dir_fd=folder)
            self.addCleanup(recorder.wait_until, functools.partial(self.is_removed, name, folder))
            folder = os.open(name, os.O_RDONLY, dir_fd=folder)
            self.addCleanup(os.close, folder)
        return folder

    def is_removed(self, name, folder):
        try:
            os.rmdir(name, dir_fd=folder)
        except OSError:
            return False
        return True

    def speak_in(self, folder, request):
        """What a recorder says whose caller is in the group of @folder."""
        procs = os.open("cgroup.procs", os.O_WRONLY, dir_fd=folder)
        try:
            return recorder.speak(request, preexec_fn=lambda: os.write(procs, b"0"))
        finally:
            os.close(procs)

    def test_one_whose_group_has_a_long_path(self):
        with tempfile.NamedTemporaryFile("r") as told:
            request = {"culprit": 1, "do": "record", "period_ns": 1000000, "cycles": 20,
                       "load": f"grep ^0: /proc/self/cgroup >{told.name}; sleep 1000"}
            types = [line["type"] for line in self.speak_in(self.deepen(4090), request)]
            self.assertEqual((types[-1], "note" in types), ("end", False))
            self.assertEqual(len(told.read()), len("0::\n") + 4090)
        self.assert_nothing_is_left()

    def test_one_whose_group_has_a_path_that_the_kernel_does_not_tell(self):
        lines = self.speak_in(self.deepen(4300), {"culprit": 1, "do": "examine"})
        self.assertEqual([line["type"] for line in lines], ["hello", "error"])
        self.assertRegex(lines[1]["text"], "^the caller's control group cannot be used: (File name too long|No such file)")
        self.assert_nothing_is_left()

    def test_programs_are_read_for_one_in_a_group(self):
        lines = recorder.speak({"culprit": 1, "do": "watch", "limit_ns": 1000000, "between": "sched:sched_waking..uprobe:/no/such:f"},
                               preexec_fn=lambda: self.write("cgroup.procs", 0))
        self.assertIn('"/no/such" cannot be read: No such file', lines[-1]["text"])

    def test_one_whose_user_only_its_group_tells(self):
        with open("/proc/self/loginuid", encoding="ascii") as file:
            if file.read() != str(2**32 - 1):
                self.skipTest("the kernel tells who logged in")
        user = pwd.getpwnam("games").pw_uid
        self.enter(f"{self.name}/user-{user}.slice")
        self.record()
        self.assertEqual({recorder.status(pid)["Uid"].split()[0] for pid in recorder.processes(self.mark)}, {str(user)})

    def test_what_a_killed_one_left_is_undone_in_its_callers_group_and_never_in_ours(self):
        state = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "treated")
        for is_gone, expected in ((False, self.name), (True, "culprit-undo")):
            with self.subTest(is_gone=is_gone):
                process = recorder.start({"culprit": 1, "do": "trial", "period_ns": 1000000, "cycles": 100000, "treat": f"touch {state}",
                                          "undo": f"grep ^0: /proc/self/cgroup >{state}", "treatments": [True]},
                                         preexec_fn=lambda: self.write("cgroup.procs", 0))
                recorder.wait_until(lambda: os.path.exists(state))
                recorder.kill(recorder.tree(process.pid))
                process.communicate()
                if is_gone:
                    recorder.wait_until(self.is_empty)
                    os.rmdir(self.folder)
                subprocess.run([recorder.PROGRAM, "restore"], check=True, capture_output=True, timeout=60)
                if is_gone:
                    os.mkdir(self.folder)
                with open(state, encoding="ascii") as file:
                    self.assertEqual(file.read(), f"0::/{expected}\n")
                os.remove(state)
                self.assert_nobody_is_in("culprit-undo")

    def test_a_treatment_is_undone_if_its_callers_group_is_gone(self):
        state = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "treated")
        process = recorder.start({"culprit": 1, "do": "trial", "period_ns": 1000000, "cycles": 100000, "treat": f"touch {state}",
                                  "undo": f"grep ^0: /proc/self/cgroup >{state}", "treatments": [True]},
                                 preexec_fn=lambda: self.write("cgroup.procs", 0))
        supervisor = recorder.measuring_supervisor(process.pid)
        os.kill(supervisor, signal.SIGSTOP)
        self.write("cgroup.kill", 1)
        recorder.wait_until(self.is_empty)
        os.rmdir(self.folder)
        os.kill(supervisor, signal.SIGCONT)
        said, _ = process.communicate(timeout=60)
        os.mkdir(self.folder)
        self.assertNotIn(b"may still be in place", said)
        with open(state, encoding="ascii") as file:
            self.assertEqual(file.read(), "0::/culprit-undo\n")
        self.assertFalse(os.path.exists("/run/culprit/treatment"))

    def test_one_that_is_frozen(self):
        caller = self.record()
        self.write("cgroup.freeze", 1)
        self.assert_it_ends()
        self.assert_nothing_is_left()
        self.write("cgroup.freeze", 0)
        self.assertIn(b"nothing was heard", self.wait_for(caller, b'"note"'))

    def test_one_that_is_killed_with_all_its_group(self):
        self.record()
        self.write("cgroup.kill", 1)
        self.assert_it_ends()
        self.assert_nothing_is_left()


if __name__ == "__main__":
    unittest.main()

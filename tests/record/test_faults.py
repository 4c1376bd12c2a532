# SPDX-License-Identifier: GPL-3.0-or-later
# The recorder in hostile or broken surroundings: it ends, its load is gone with everything that it started, and it has
# no more privileges than it needs. Without tracing, on this machine; faults.sh has the rest. Needs root. CULPRIT_FAULTS
# is how often each kill is repeated (default: 5).

import errno
import fcntl
import json
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from xml.etree import ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import inject  # noqa: E402
import recorder  # noqa: E402

FAULTS = int(os.environ.get("CULPRIT_FAULTS", "5"))
ENDLESS = {"culprit": 1, "do": "record", "period_ns": 2000000, "limit_ns": 10**11, "policy": "other"}
PIPE_SIZE = 4096
LINE_SIZE = 200  # of the progress, which goes into the pipe as a whole
CAPABILITIES = {"kill": 5, "net_admin": 12, "ipc_lock": 14, "sys_rawio": 17, "sys_nice": 23, "syslog": 34}


class Fault(unittest.TestCase):
    def setUp(self):
        self.mark = f"culprit-fault-{os.getpid()}-{time.monotonic_ns()}"

    def tearDown(self):
        recorder.wait_until(lambda: not recorder.processes(self.mark))

    def load(self):
        """One that tries to stay: sessions of its own, orphans, deaf to SIGTERM."""
        return (f"trap '' TERM; setsid sh -c 'trap \"\" TERM HUP; sleep 1000; : {self.mark}' & "
                f"(setsid setsid sh -c 'sleep 1000; : {self.mark}' &) ; sleep 1000; : {self.mark}")

    def begin(self, request=None, **options):
        """A recorder that measures, with its load."""
        process = recorder.start({**ENDLESS, "load": self.load(), **(request or {})}, **options)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdin.close)
        if process.stdout:
            self.addCleanup(process.stdout.close)
        return process

    def measure(self, *arguments, **options):
        process = self.begin(*arguments, **options)
        for line in process.stdout:
            if b'"progress"' in line:
                return process
        self.fail("it did not measure")

    def supervisor(self, process):
        child, = recorder.children(process.pid)
        return child

    def last_line(self, process):
        return json.loads(process.stdout.read().splitlines()[-1])


class Lines(Fault):
    def test_garbage_after_the_request_ends_the_recording_in_order(self):
        for garbage in (b"\0\n", b"hello\n", b"{\n", b'{"do":"stop","do":\0}\n', b"[" * 5000 + b"\n", b'{"a":[[1]]}\n',
                        b"\0\n" * 1000, b'{"do"\n', b"\xff\xfe\n", b"x" * 300000, b'{"do":"x"}\n{"do":"\\ud800"}\n'):
            with self.subTest(garbage=garbage[:20]):
                process = self.measure()
                process.stdin.write(garbage)
                process.stdin.flush()
                self.assertEqual(self.last_line(process), {"type": "end", "reason": "stopped"})
                self.assertEqual(process.wait(timeout=20), 0)

    def test_lines_that_it_does_not_know_are_passed_over(self):
        process = self.measure({"cycles": 600})
        process.stdin.write(b'{"do":"sing"}\n{}\n{"stop":true,"list":[1,null,"x"]}\n')
        process.stdin.flush()
        self.assertEqual(self.last_line(process), {"type": "end", "reason": "cycles"})

    def test_a_request_costs_memory_in_proportion(self):
        """A list of many texts, each of which would take room for all that follows."""
        text = b'{"culprit":1,"period_ns":2000000,"events":[' + b'"",' * 4000 + b'""' + b" " * 240000 + b'],"do":"record"}\n'
        done = subprocess.run(["sh", "-c", 'ulimit -v 60000; exec "$0"', recorder.PROGRAM], input=text, check=False,
                              capture_output=True, timeout=20)
        self.assertIn(b"at most 500 names", done.stdout.splitlines()[-1])

    def test_a_name_has_no_byte_that_the_kernel_takes_for_a_space(self):
        request = {"culprit": 1, "do": "record", "period_ns": 2000000, "events": ["sched:sched_switch\u00a0x"]}
        done = subprocess.run([recorder.PROGRAM], input=json.dumps(request, ensure_ascii=False).encode() + b"\n", check=False,
                              capture_output=True, timeout=20)
        self.assertIn(b"names without spaces", done.stdout.splitlines()[-1])


class Blocked(Fault):
    """Nobody reads what it says."""

    def fill(self):
        """All of what the caller shares with it waits for whoever reads or writes there."""
        readable, writable = os.pipe()
        self.addCleanup(os.close, readable)
        self.addCleanup(os.close, writable)
        fcntl.fcntl(writable, fcntl.F_SETPIPE_SZ, PIPE_SIZE)
        process = self.begin(stdout=writable)
        recorder.wait_until(lambda: recorder.unread(readable) > PIPE_SIZE - LINE_SIZE)
        os.set_blocking(writable, True)
        return process

    def test_a_signal_ends_it(self):
        process = self.fill()
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=20)

    def test_the_end_of_its_input_ends_it(self):
        process = self.fill()
        process.stdin.close()
        process.wait(timeout=20)

    def test_it_ends_by_itself(self):
        process = self.fill()
        process.wait(timeout=60)

    def test_input_at_which_readers_wait_keeps_no_process_of_it(self):
        """A socket that tells of each byte and lets nobody read fewer than a thousand."""
        ours, its = socket.socketpair()
        its.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 1000)
        self.addCleanup(ours.close)
        process = subprocess.Popen([recorder.PROGRAM, json.dumps({**ENDLESS, "load": self.load()})], stdin=its,
                                   stdout=subprocess.PIPE)
        its.close()
        self.addCleanup(process.stdout.close)
        recorder.wait_until(lambda: recorder.processes(self.mark))
        ours.send(b"\n")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.last_line(process), {"type": "end", "reason": "stopped"})
        process.wait(timeout=20)
        recorder.wait_until(lambda: not recorder.by_command(self.mark))

    def test_all_is_said_when_it_has_ended(self):
        with tempfile.TemporaryFile() as file:
            process = self.begin({"cycles": 100}, stdout=file)
            process.wait(timeout=60)
            file.seek(0)
            self.assertEqual(json.loads(file.read().splitlines()[-1]), {"type": "end", "reason": "cycles"})

    def test_a_session_that_is_stopped_is_not_waited_for(self):
        with tempfile.TemporaryDirectory() as folder:
            session = subprocess.Popen([culprit.PROGRAM, "record", "--study", f"{folder}/s.culprit", "--period", "50us",
                                        "--policy", "other", "--limit", "100s", "--load", self.load()],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            recorder.wait_until(lambda: recorder.processes(self.mark))
            front, = recorder.children(session.pid)
            session.send_signal(signal.SIGSTOP)
            os.kill(front, signal.SIGTERM)
            recorder.wait_until(lambda: not recorder.children(front))
            session.send_signal(signal.SIGCONT)
            session.wait(timeout=30)


class Inherited(Fault):
    def test_an_ignored_sigchld_does_not_keep_it(self):
        process = self.begin({"cycles": 100}, preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.assertEqual(self.last_line(process), {"type": "end", "reason": "cycles"})
        self.assertEqual(process.wait(timeout=10), 0)

    def test_blocked_signals_still_end_it(self):
        process = self.measure(preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32)))
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.last_line(process), {"type": "end", "reason": "stopped"})

    def test_small_limits_do_not_hinder_it(self):
        lines = recorder.speak({**ENDLESS, "cycles": 1500, "method": "poll"},
                               before=["sh", "-c", 'ulimit -S -f 0; ulimit -S -t 1; ulimit -S -n 8; exec "$0"'])
        self.assertEqual(lines[-1], {"type": "end", "reason": "cycles"})

    def test_the_load_has_the_limits_of_whoever_asked(self):
        with tempfile.TemporaryDirectory() as folder:
            request = {**ENDLESS, "cycles": 100, "load": f"ulimit -S -n >{folder}/limit; sleep 1000"}
            recorder.speak(request, before=["sh", "-c", 'ulimit -S -n 77; exec "$0"'])
            with open(f"{folder}/limit", encoding="ascii") as file:
                self.assertEqual(file.read(), "77\n")

    def test_it_leaves_no_core_in_its_callers_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            process = self.measure({"load": f"ulimit -c >{folder}/limit; grep SigIgn /proc/self/status >>{folder}/limit; {self.load()}"},
                                   before=["sh", "-c", 'ulimit -S -c 8; exec "$0"'])
            for pid in (process.pid, self.supervisor(process)):
                os.kill(pid, signal.SIGQUIT)
                with open(f"/proc/{pid}/limits", encoding="ascii") as file:
                    self.assertRegex(file.read(), "Max core file size +0 ")
            process.stdin.close()
            self.assertEqual(self.last_line(process), {"type": "end", "reason": "stopped"})
            with open(f"{folder}/limit", encoding="ascii") as file:
                self.assertEqual(file.read(), "8\nSigIgn:\t0000000000000000\n")


class Rights(Fault):
    def test_it_keeps_only_what_it_needs(self):
        process = self.measure({"policy": "fifo"})
        supervisor = self.supervisor(process)
        kept = sum(1 << number for number in CAPABILITIES.values())
        told = recorder.status(supervisor)
        for name in ("CapEff", "CapPrm", "CapBnd"):
            self.assertEqual(int(told[name], 16) & ~kept, 0, name)
        self.assertEqual((int(told["CapInh"], 16), told["NoNewPrivs"]), (0, "1"))
        self.assertEqual(told["Seccomp"], "2" if recorder.is_filtered() else "0")
        loop, = [pid for pid in recorder.children(supervisor) if "culprit-cycle" in recorder.threads(pid)]
        for thread in os.listdir(f"/proc/{loop}/task"):
            told = recorder.status(loop, thread)
            if told["Name"] == "culprit-cycle":
                self.assertEqual(int(told["CapPrm"], 16) & ~(1 << CAPABILITIES["ipc_lock"]), 0)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.last_line(process)["type"], "end")


@unittest.skipUnless(inject.SUPPORTED and recorder.is_filtered(), "only x86-64 has so many ways into the kernel, and only "
                     "recorders with libseccomp have a filter")
class Filter(Fault):
    """What the running recorder may ask of the kernel, by whichever of its interfaces. The calls are made in its process,
    and before that in another one, to see what the kernel itself says. The filter is asked before the kernel looks a call
    up, so it must also refuse those by an interface that this kernel lacks."""

    NEEDED, OTHER = "getpid", "personality"  # the second with an argument that only asks
    NUMBERS = {"x86-64": (inject.SYSCALL, {NEEDED: 39, OTHER: 135}),
               "i386": (inject.INT_80, {NEEDED: 20, OTHER: 136}),
               "x32": (inject.SYSCALL, {NEEDED: inject.X32 | 39, OTHER: inject.X32 | 135})}

    def call(self, pid, interface, name):
        way, numbers = self.NUMBERS[interface]
        return inject.call(pid, way, numbers[name], 0xFFFFFFFF)

    def call_elsewhere(self, interface, name):
        """What the kernel says to a process without a filter: its number as that of a sleep, -ENOSYS if there is no such
        interface; None if even to ask is fatal."""
        with subprocess.Popen(["sleep", "1000"]) as sleeper:
            try:
                said = self.call(sleeper.pid, interface, name)
            except inject.Killed:
                return None
            sleeper.kill()
        return "done" if said in (sleeper.pid, 0) else said

    def test_is_on_every_thread_that_measures_or_conducts(self):
        cpus = os.sched_getaffinity(0)
        process = self.measure({"cpus": list(cpus)})
        supervisor = self.supervisor(process)
        recorder.wait_until(lambda: len(cpus) == sum(recorder.threads(pid).count("culprit-cycle") for pid in recorder.children(supervisor)))
        loop, = [pid for pid in recorder.children(supervisor) if "culprit-cycle" in recorder.threads(pid)]
        filtered = {(pid, thread): recorder.status(pid, thread)["Seccomp"] for pid in (supervisor, loop)
                    for thread in os.listdir(f"/proc/{pid}/task")}
        self.assertGreaterEqual(len(filtered), 2 + len(cpus))
        self.assertEqual(set(filtered.values()), {"2"}, filtered)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.last_line(process)["type"], "end")

    def test_refuses_what_it_does_not_need(self):
        self.assertEqual(self.call_elsewhere("x86-64", self.OTHER), "done")
        process = self.measure()
        supervisor = self.supervisor(process)
        self.assertEqual(self.call(supervisor, "x86-64", self.OTHER), -errno.ENOSYS)
        self.assertEqual(self.call(supervisor, "x86-64", self.NEEDED), supervisor)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.last_line(process), {"type": "end", "reason": "stopped"})

    def test_lets_nothing_through_by_another_interface(self):
        """Not even what it needs; the front cleans up."""
        for interface in ("i386", "x32"):
            for name in (self.NEEDED, self.OTHER):
                with self.subTest(interface=interface, name=name):
                    elsewhere = self.call_elsewhere(interface, name)
                    self.assertIn(elsewhere, ("done", -errno.ENOSYS, None))
                    process = self.measure()
                    with self.assertRaises(inject.Killed) as killed:
                        self.call(self.supervisor(process), interface, name)
                    if elsewhere is not None:
                        self.assertEqual(killed.exception.args, (signal.SIGSYS,))
                    self.assertIn(f"killed (signal {killed.exception.args[0]})", self.last_line(process)["text"])
                    self.assertEqual(process.wait(timeout=20), 2)


class Asking(unittest.TestCase):
    """What an administrator is asked before the recorder becomes root."""

    def test_shows_the_request(self):
        if not recorder.others_may_run(culprit.PROGRAM):
            self.skipTest(f"{culprit.PROGRAM} lies where only root can go")
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            with open(f"{folder}/pkexec", "w", encoding="ascii") as file:
                file.write(f'#!/bin/sh\nprintf "%s\\n" "$@" >{folder}/asked\nexit 126\n')
            os.chmod(f"{folder}/pkexec", 0o755)
            subprocess.run(["setpriv", "--reuid", "65534", "--clear-groups", culprit.PROGRAM, "record", "--study",
                            f"{folder}/s.culprit", "--period", "5ms", "--cycles", "10", "--load", "sleep 1000"],
                           env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}, capture_output=True, check=False)
            with open(f"{folder}/asked", encoding="utf-8") as file:
                program, request = file.read().splitlines()
        self.assertTrue(program.endswith("culprit-recorder"))
        told = json.loads(request)
        self.assertEqual((told["do"], told["period_ns"], told["load"]), ("record", 5000000, "sleep 1000"))

    def test_is_asked_each_time_and_in_words(self):
        policy = ElementTree.parse(os.path.join(os.path.dirname(culprit.PROGRAM), "..", "..", "io.github.culprit.policy"))
        action = policy.find("action")
        self.assertEqual({entry.text for entry in action.find("defaults")}, {"auth_admin"})
        self.assertIn("$(command_line)", action.find("message").text)


class Loads(Fault):
    """A load runs as the requesting user, and ends with the recording."""

    def who(self, environment, before=""):
        """The identity and the home of a load that was asked for in @environment."""
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            request = {**ENDLESS, "cycles": 50, "load": f'echo "$(id -u) $(id -g) $HOME" >{folder}/who; sleep 1000'}
            recorder.speak(request, before=["sh", "-c", f'{before} exec "$0"'],
                           env={"PATH": os.environ["PATH"], "HOME": "/root", **environment})
            with open(f"{folder}/who", encoding="utf-8") as file:
                return file.read().split()

    def test_it_runs_as_the_user_who_asked_at_home_there(self):
        user = pwd.getpwnam("games")
        expected = [str(user.pw_uid), str(user.pw_gid), user.pw_dir]
        for environment in ({"PKEXEC_UID": str(user.pw_uid)}, {"SUDO_UID": str(user.pw_uid)}, {"DOAS_USER": "games"}):
            with self.subTest(environment=environment):
                self.assertEqual(self.who(environment), expected)

    def refused(self, environment, before=""):
        lines = recorder.speak({"culprit": 1, "do": "examine"}, before=["sh", "-c", f'{before} exec "$0"'],
                               env={"PATH": os.environ["PATH"], **environment})
        self.assertEqual([line["type"] for line in lines], ["hello", "error"], lines)
        return lines[1]["text"]

    def test_of_one_whom_not_all_name_is_refused(self):
        user = str(pwd.getpwnam("games").pw_uid)
        self.assertEqual(self.who({"SUDO_UID": user, "DOAS_USER": "games"})[0], user)
        for environment, names in (({"PKEXEC_UID": "0", "SUDO_UID": user}, "PKEXEC_UID and SUDO_UID"),
                                   ({"SUDO_UID": "0", "DOAS_USER": "games"}, "SUDO_UID and DOAS_USER"),
                                   ({"PKEXEC_UID": user, "DOAS_USER": "no-such-user"}, "PKEXEC_UID and DOAS_USER")):
            with self.subTest(environment=environment):
                self.assertIn(f"not clear: {names} name different ones", self.refused(environment))

    def login(self, user):
        """What makes the kernel remember the login of @user."""
        login = f"echo {user} >/proc/self/loginuid;"
        if subprocess.run(["sh", "-c", f"{login} grep -qx {user} /proc/self/loginuid"], capture_output=True, check=False).returncode != 0:
            self.skipTest("this kernel keeps no logins, or this one is kept for good")
        return login

    def test_of_root_is_refused_where_another_logged_in(self):
        user = pwd.getpwnam("games").pw_uid
        text = self.refused({"SUDO_UID": "0"}, self.login(user))
        self.assertIn(f"SUDO_UID names root, but user {user} logged in", text)

    def test_it_runs_as_the_user_who_logged_in_before_su(self):
        user = pwd.getpwnam("games")
        found = self.who({}, self.login(user.pw_uid))
        self.assertEqual(found, [str(user.pw_uid), str(user.pw_gid), user.pw_dir])

    def test_it_runs_as_root_where_root_asked(self):
        self.assertEqual(self.who({}), ["0", "0", pwd.getpwuid(0).pw_dir])

    def test_of_a_user_who_is_not_known_is_refused(self):
        for environment in ({"SUDO_UID": "77777"}, {"SUDO_UID": "0x0"}, {"PKEXEC_UID": ""}, {"DOAS_USER": "no-such-user"},
                            {"SUDO_UID": "4294967295"}):
            with self.subTest(environment=environment):
                lines = recorder.speak({**ENDLESS, "cycles": 100, "load": "sleep 1000"},
                                       env={"PATH": os.environ["PATH"], **environment})
                self.assertIn("requesting user", lines[-1].get("text", ""))

    def test_the_remains_of_one_that_ended_are_part_of_it(self):
        process = self.measure({"load": f"setsid sh -c 'sleep 1000; : {self.mark}' &"})
        self.assertTrue(recorder.processes(self.mark))
        process.send_signal(signal.SIGTERM)
        output = process.stdout.read()
        self.assertNotIn(b"ended before the measurement", output)


class Killed(Fault):
    """However many of its processes are killed, and whenever: nothing is left, and the next recording begins."""

    def kill(self, choose):
        for strike in range(FAULTS):
            with self.subTest(strike=strike):
                process = self.begin()
                if strike % 2:
                    recorder.wait_until(lambda: recorder.processes(self.mark))
                time.sleep(random.uniform(0, 0.4))
                for pid in choose(process):
                    try:
                        os.kill(pid, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
                process.stdout.read()  # until nobody is left who could write
                process.wait(timeout=20)
                recorder.wait_until(lambda: not recorder.processes(self.mark))

    def test_the_supervisor(self):
        def begun(process):
            recorder.wait_until(lambda: recorder.children(process.pid))
            return recorder.children(process.pid)

        self.kill(begun)

    def test_the_front(self):
        self.kill(lambda process: [process.pid])

    def test_both_at_once(self):
        self.kill(lambda process: [*recorder.children(process.pid), process.pid])

    def test_both_before_a_child_has_arranged_to_end_with_them(self):
        for number, child in enumerate(("supervisor", "keeper of the load", "load", "measuring process")):
            with self.subTest(child=child), tempfile.TemporaryDirectory() as folder:
                process = self.begin(env={**os.environ, "LD_PRELOAD": os.environ["ORPHAN"], "ORPHAN_FOLDER": folder})

                def wait_for_one():
                    recorder.wait_until(lambda: os.listdir(folder))
                    return min((os.path.join(folder, name) for name in os.listdir(folder)), key=os.path.getmtime)

                for _ in range(number):
                    os.unlink(wait_for_one())
                wait_for_one()
                everyone = self.descendants(process.pid)
                for pid in [process.pid, *recorder.children(process.pid)][:2 if number else 1]:
                    os.kill(pid, signal.SIGKILL)
                process.wait(timeout=20)
                for name in os.listdir(folder):
                    os.unlink(os.path.join(folder, name))
                recorder.wait_until(lambda: not any(recorder.command_line(pid) for pid in everyone))

    def descendants(self, pid):
        found = recorder.children(pid)
        return [*found, *(below for child in found for below in self.descendants(child))]


class Journal(Fault):
    """The place where tracing's settings are kept."""

    def speak(self, set_up):
        """The last line of a recorder asked to trace, with a /run of its own that @set_up prepares."""
        request = json.dumps({**ENDLESS, "tracing": "on", "load": "sleep 1000"})
        done = subprocess.run(["unshare", "-m", "sh", "-c", f"mount -t tmpfs none /run && {set_up}\n"
                               f"echo '{request}' | {recorder.PROGRAM}"], capture_output=True, check=False, timeout=60)
        return json.loads(done.stdout.splitlines()[-1])["text"]

    def test_is_nobody_elses(self):
        for set_up in ("mkdir -m 777 /run/culprit", "mkdir /tmp/x; ln -s /tmp /run/culprit", "echo >/run/culprit",
                       "mkdir -m 700 /run/culprit; chown 1000 /run/culprit"):
            with self.subTest(set_up=set_up):
                self.assertIn("/run/culprit", self.speak(set_up))

    def test_is_locked_by_one_recording(self):
        text = self.speak("mkdir -m 700 /run/culprit; exec 9</run/culprit; flock -x 9")
        self.assertIn("another recording", text)

    def test_what_a_killed_recording_left_is_told_and_restored(self):
        """With files over the kernel's, and the lock held for a moment by what is left of that recording."""
        for ask in (f"{recorder.PROGRAM} restore", f"""echo '{{"culprit":1,"do":"restore"}}' | {recorder.PROGRAM}"""):
            with self.subTest(ask):
                self.assert_restored(f"{ask} | grep -Eo '(tracing is|nothing to) restore[^\"]*'")

    def assert_restored(self, ask):
        journal = r"culprit-recorder journal 1\0" + r"\0" * 64 + r"trace_clock\0local\0not_a_setting\0x\0max_graph_depth\0007\n\0"
        script = f"""mount -t tracefs none /sys/kernel/tracing 2>/dev/null # unless it is already
            mount -t tmpfs none /run && mount -t tmpfs none /sys/kernel/tracing && cd /sys/kernel/tracing || exit
            echo mono >trace_clock; echo 0 >max_graph_depth; echo kept >not_a_setting
            mkdir -m 700 /run/culprit; printf '{journal}' >/run/culprit/journal
            exec 9</run/culprit; flock -x 9; sleep 0.5 & exec 9<&-
            echo '{{"culprit":1,"do":"examine"}}' | {recorder.PROGRAM} | grep -o '"unrestored":[a-z]*'
            {ask}; {ask}
            tail -qn 1 trace_clock max_graph_depth not_a_setting; ls -A /run/culprit"""
        done = subprocess.run(["unshare", "-m", "sh", "-c", script], capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(done.stdout.split("\n"), [
            '"unrestored":true', "tracing is restored to what it was before the recording", "nothing to restore",
            "local7", "kept", ""], done.stderr)

    def restore(self, journal):
        """Two restores with @journal, a command that writes it; what is left of it, and of a folder of root's."""
        script = f"""mount -t tmpfs none /run && mount -t tmpfs none /sys/kernel/tracing && mount -t tmpfs none /mnt || exit
            mkdir -m 700 /run/culprit /mnt/root; echo kept >/mnt/root/file; mkdir -m 700 /mnt/empty; cd /run/culprit
            {journal}; cd /; timeout 20 {recorder.PROGRAM} restore; timeout 20 {recorder.PROGRAM} restore
            cat /mnt/root/file; ls -A /mnt /run/culprit"""
        done = subprocess.run(["unshare", "-m", "sh", "-c", script], capture_output=True, text=True, check=False, timeout=60)
        return done.stdout.split("\n")

    def test_a_damaged_one_is_told_and_stands_in_nobodys_way(self):
        for journal in ("echo x >journal", ": >journal", "mkfifo journal", "ln -s /mnt/root/file journal"):
            with self.subTest(journal):
                told, again, kept, *left = self.restore(journal)
                self.assertIn("damaged journal", told)
                self.assertEqual((again, kept, left),
                                 ("nothing to restore", "kept", ["/mnt:", "empty", "root", "", "/run/culprit:", ""]))

    def test_one_that_names_other_folders_removes_none(self):
        for name in ("/mnt/root", "/mnt/empty", "/mnt/root/../empty"):
            with self.subTest(name):
                padding = "\\0" * (64 - len(name))
                _, again, kept, *left = self.restore(f"printf 'culprit-recorder journal 1\\0{name}{padding}' >journal")
                self.assertEqual((again, kept, left),
                                 ("nothing to restore", "kept", ["/mnt:", "empty", "root", "", "/run/culprit:", ""]))

    def test_one_whose_triggers_are_elsewhere_changes_no_other_file(self):
        outside = "instances/culprit_1/../../../../../mnt/"
        for file, text in (("../../../mnt/root/trigger", "!culprit_ x"), (f"{outside}root/file", "x"), (f"{outside}empty", ""),
                           ("dynamic_events", "-:culprit_/../../../../../mnt/root")):
            with self.subTest(file=file):
                padding = "\\0" * 64
                _, again, kept, *left = self.restore(f"ln /mnt/root/file /mnt/root/trigger; ln /mnt/root/file /mnt/root/enable;"
                                                     "mkdir -p /sys/kernel/tracing/instances/culprit_1 /sys/kernel/tracing/events;"
                                                     f"printf 'culprit-recorder journal 1\\0{padding}{file}\\0{text}\\0' >journal")
                self.assertEqual((again, kept, left),
                                 ("nothing to restore", "kept", ["/mnt:", "empty", "root", "", "/run/culprit:", ""]))

    def trace(self, set_up, before=":", **members):
        """What a recorder said last that is to trace, and what is left of set_event; @set_up prepares its folders, @before what
        is mounted before tracefs. Its tracefs is a fake without the tracer, which ends it once all is set up."""
        if not shutil.which("trace-cmd"):
            self.skipTest("there is no trace-cmd")
        request = json.dumps({**ENDLESS, "tracing": "on", "calibrate": "skip", "take_over": True, **members})
        script = f"""{before}; mount -t tracefs none /sys/kernel/tracing 2>/dev/null # unless it is already
            mount -t tmpfs -o size=1m none /run && mount -t tmpfs none /var/lib && mount -t tmpfs none /sys/kernel/tracing || exit
            cd /sys/kernel/tracing; mkdir options
            touch buffer_size_kb max_graph_depth options/overwrite set_event_pid set_ftrace_filter set_ftrace_notrace set_ftrace_pid \\
              set_graph_function set_graph_notrace trace trace_clock tracing_on
            echo function_graph >available_tracers; echo nop >current_tracer
            echo '*:*:mod:not_loaded' >set_event; echo 'kvm*:mod:nor_this' >>set_event; echo sched:called >>set_event
            {set_up}
            echo '{request}' | {recorder.PROGRAM} | tail -n 1; cat set_event; ls -A /run/culprit /var/lib/culprit"""
        done = subprocess.run(["unshare", "-m", "sh", "-c", script], capture_output=True, text=True, check=False, timeout=60)
        said, *left = done.stdout.splitlines()
        return json.loads(said)["text"], left

    def test_events_of_modules_that_are_not_loaded_are_restored(self):
        said, left = self.trace(":")
        self.assertIn("another program changed this machine's tracer", said)
        self.assertEqual(left[:2], ["*:*:mod:not_loaded", "kvm*:mod:nor_this"])
        self.assertNotIn("sched:called", left)

    @unittest.skipUnless(os.path.exists("/dev/fuse"), "there is no FUSE")
    def test_trace_cmd_is_not_started_where_a_users_mount_is_listed_before_tracefs(self):
        """Who mounts it can rename the folder above it at any time, to what trace-cmd takes for a tracefs, or so that it sees
        none."""
        fuse = ("import ctypes, os, sys; sys.exit(ctypes.CDLL(None).mount(b'x', b'/mnt', b'fuse.x', 0, b'fd=%d,rootmode=40000,"
                "user_id=0,group_id=0' % os.open('/dev/fuse', os.O_RDWR)))")
        for name, mount in (("/mnt", f'{sys.executable} -c "{fuse}"'),
                            ("debugfs", r"""mount -t tmpfs none /mnt; name=$(printf '/mnt/evil\vdebugfs')
                                            mkdir "$name"; mount -t tmpfs none "$name" """)):
            with self.subTest(name=name):
                said, _ = self.trace(":", f"while umount -l /sys/kernel/tracing || umount -l /sys/kernel/debug/tracing; do :; done; {mount} || exit", **self.CAPTURES)
                self.assertIn("for tracefs, by what /proc/mounts says", said)

    CAPTURES = {"captures": 1, "threshold_ns": 10**9, "buffer_kb": 64}

    def test_captures_of_a_killed_recording_are_removed_by_the_next(self):
        """From where only root may list, and nothing else."""
        said, left = self.trace("mkdir -m 700 /run/culprit /run/culprit/culprit-ghijkl /var/lib/culprit;"
                                "cd /var/lib/culprit; mkdir -m 700 culprit-abcdef culprit-other;"
                                "touch culprit-abcdef/capture.dat; cd /sys/kernel/tracing", **self.CAPTURES)
        self.assertIn("another program changed this machine's tracer", said)
        self.assertEqual(left[2:], ["/run/culprit:", "", "/var/lib/culprit:", "culprit-other"])

    def test_captures_go_where_only_root_may_list(self):
        for set_up in ("mkdir -m 755 /var/lib/culprit", "ln -s /tmp /var/lib/culprit", "echo >/var/lib/culprit",
                       "mkdir -m 700 /var/lib/culprit; chown 1000 /var/lib/culprit"):
            with self.subTest(set_up=set_up):
                said, _ = self.trace(set_up, **self.CAPTURES)
                self.assertIn("/var/lib/culprit cannot be used for captures", said)

    def test_nothing_to_restore_is_said(self):
        alone = ("unshare", "-m", "sh", "-c", 'mount -t tmpfs none /run && exec "$0" "$@"')  # A recorder of another test has the lock of /run.
        done = subprocess.run([*alone, recorder.PROGRAM, "restore"], capture_output=True, text=True, check=False, timeout=20)
        self.assertEqual((done.returncode, done.stdout), (0, "nothing to restore\n"), done.stderr)
        self.assertEqual(recorder.speak({"culprit": 1, "do": "restore"}, alone)[1:], [
            {"type": "note", "text": "nothing to restore"}, {"type": "end", "reason": "restored"}])


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# A treatment of this machine, which is a file that is there while it lasts: it is begun and undone around the blocks that
# are treated, by commands with the rights of whoever requested it; and whatever is killed, it is undone, once. Needs root,
# as the recorder does.

import json
import os
import pwd
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import mounts  # noqa: E402
import recorder  # noqa: E402

UNDOING = "/run/culprit/treatment"
ORDER = [True, False, False, True]


class Treatment(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        os.chmod(self.folder, 0o777)
        self.state = os.path.join(self.folder, "treated")
        self.log = os.path.join(self.folder, "log")
        self.study = os.path.join(self.folder, "s.culprit")
        self.treat = f"touch {self.state} && echo treat >>{self.log}"
        self.undo = f"rm {self.state} && echo undo >>{self.log}"

    def request(self, **members):
        return {"culprit": 1, "do": "trial", "period_ns": 1000000, "cycles": 20, "treat": self.treat, "undo": self.undo,
                "treatments": ORDER, **members}

    def logged(self):
        if not os.path.exists(self.log):
            return []
        with open(self.log, encoding="ascii") as file:
            return file.read().split()

    def assert_undone(self):
        """Once for each time that it was begun, with nothing left."""
        recorder.wait_until(lambda: not os.path.exists(self.state) and not os.path.exists(UNDOING))
        recorder.wait_until(lambda: not [pid for pid in recorder.processes("culprit-recorder") if recorder.executable(pid)])
        logged = self.logged()
        self.assertEqual(logged, ["treat", "undo"] * (len(logged) // 2))

    def command(self, *arguments):
        return [culprit.PROGRAM, "trial", "--study", self.study, "--treat", self.treat, "--undo", self.undo, "--period", "1ms",
                *arguments]


class Blocks(Treatment):
    def test_each_treated_one_is_between_its_commands(self):
        for run in range(2):
            said = recorder.speak(self.request())
            self.assertEqual(said[-1], {"type": "end", "reason": "cycles"})
            self.assertEqual([line["treated"] for line in said if line["type"] == "run"], ORDER)
            self.assertEqual(self.logged(), ["treat", "undo"] * 2 * (run + 1))
        self.assert_undone()

    def test_a_trial_is_stored_and_shown_again(self):
        done = culprit.run(*self.command("--cycles", "100", "--json")[1:])
        self.assertEqual((done.status, done.stderr), (0, ""))
        told = json.loads(done.stdout)
        self.assertEqual((told["run"], told["treat"], told["undo"], told["trial"]["rounds"]), ("trial", self.treat, self.undo, 3))
        self.assertEqual(self.logged(), ["treat", "undo"] * 6)
        again = culprit.run(*self.command("--cycles", "100")[1:])
        self.assertIn("trial-2: treated by", again.stdout)
        for arguments, name in (((), "trial-2"), (("--run", "trial"), "trial")):
            shown = culprit.run("trial", "--study", self.study, "--json", *arguments)
            self.assertEqual(json.loads(shown.stdout)["run"], name)
        self.assertEqual(culprit.run("trial", "--study", self.study, "--run", "trial", "--json").stdout, done.stdout)
        treated = [block["treated"] for block in told["trial"]["blocks"]]
        self.assertEqual([sum(treated[i:i + 4]) for i in (0, 4, 8)], [2, 2, 2])
        self.assertEqual(culprit.run("check", "--study", self.study).status, 0)

    def test_ctrl_c_undoes_and_shows_what_was_measured(self):
        process = subprocess.Popen(self.command("--limit", "1s"), stdout=subprocess.PIPE, text=True)
        recorder.wait_until(lambda: self.logged() and os.path.exists(self.study))
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("Too little was measured", " ".join(said.split()))
        self.assert_undone()


class Stopped(Treatment):
    def test_who_presses_ctrl_z_does_not_stop_what_undoes_it(self):
        process = recorder.start(self.request(cycles=100000, watchdog_ns=1000000000), process_group=0)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        recorder.wait_until(self.logged)
        for number in (signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU):
            os.killpg(process.pid, number)
        self.assert_undone()
        process.wait()

    def test_a_first_process_that_is_stopped_goes_on(self):
        process = recorder.start(self.request(cycles=500, treatments=[True]))
        self.addCleanup(process.stdin.close)
        recorder.wait_until(lambda: os.path.exists(self.state))
        os.kill(process.pid, signal.SIGSTOP)
        recorder.wait_until(lambda: recorder.status(process.pid)["State"].startswith("T"))
        said = [json.loads(line) for line in process.stdout]
        process.stdout.close()
        self.assertEqual(said[-1], {"type": "end", "reason": "cycles"})
        self.assertEqual(process.wait(), 0)
        self.assertEqual(self.logged(), ["treat", "undo"])
        self.assert_undone()

    def test_commands_can_be_stopped(self):
        status = os.path.join(self.folder, "status")
        self.assertEqual(recorder.speak(self.request(treat=f"grep SigIgn /proc/self/status >{status}; {self.treat}"))[-1]["type"], "end")
        with open(status, encoding="ascii") as file:
            self.assertEqual(int(file.read().split()[1], 16), 0)


class Rights(Treatment):
    def test_commands_have_those_of_the_requesting_user_and_no_others(self):
        nobody = pwd.getpwnam("nobody")
        status = os.path.join(self.folder, "status")
        for environment, uid in (({"SUDO_UID": str(nobody.pw_uid)}, nobody.pw_uid), ({}, None)):
            self.treat = f"grep -E 'Uid|NoNewPrivs|CapEff' /proc/self/status >{status}.$USER; id -u >>{status}.$USER"
            self.undo = "true"
            said = recorder.speak(self.request(), env={**os.environ, **environment})
            self.assertEqual(said[-1]["type"], "end", said[-1])
            if uid is None:
                continue
            with open(f"{status}.nobody", encoding="ascii") as file:
                told = dict(line.rstrip("\n").partition(":\t")[::2] for line in file)
            self.assertEqual(told["Uid"].split(), [str(uid)] * 4)
            self.assertEqual(int(told["CapEff"], 16), 0)
            self.assertEqual(told["NoNewPrivs"], "0", "sudo works for those who may use it")

    def test_a_user_who_is_not_known_begins_no_treatment(self):
        said = recorder.speak(self.request(treat=f"touch {self.state}"), env={**os.environ, "SUDO_UID": "54321"})
        self.assertEqual(said[-1], {"type": "error", "text": "the treatment failed: the requesting user is not known here"})
        self.assert_undone()

    def test_commands_have_the_mode_mask_of_who_started_the_recorder(self):
        said = recorder.speak(self.request(treat=f"umask >{self.log}; touch {self.state}"), umask=0o027)
        self.assertEqual((said[-1]["type"], self.logged()[:1]), ("end", ["0027"]))

    def test_what_a_killed_recording_left_is_undone_with_the_rights_it_had(self):
        nobody = pwd.getpwnam("nobody")
        self.undo = f"rm {self.state} && id -u >>{self.log}"
        self.treat = f"touch {self.state}"
        process = recorder.start(self.request(cycles=100000), env={**os.environ, "SUDO_UID": str(nobody.pw_uid)})
        self.addCleanup(process.stdout.close)
        recorder.wait_until(lambda: os.path.exists(self.state))
        recorder.kill(recorder.tree(process.pid))
        process.stdin.close()
        process.wait()
        self.assertTrue(os.path.exists(UNDOING))
        facts = recorder.speak({"culprit": 1, "do": "examine"})
        self.assertTrue(facts[1]["unrestored"])
        done = subprocess.run([recorder.PROGRAM, "restore"], capture_output=True, text=True, check=False, timeout=20,
                              env={**os.environ, "SUDO_UID": "0"})
        self.assertEqual((done.returncode, done.stdout), (0, "the treatment of a killed recording is undone\n"))
        self.assertEqual(self.logged(), [str(nobody.pw_uid)])
        self.assertFalse(os.path.exists(UNDOING))


class Left(Treatment):
    """What a killed recording of one user's left is undone as if that user did it, whoever restores."""

    def setUp(self):
        super().setUp()
        self.others = self.enterContext(tempfile.TemporaryDirectory())
        os.chmod(self.others, 0o777)

    def leave(self, **options):
        user = pwd.getpwnam("daemon")
        process = recorder.start(self.request(treat=f"touch {self.state}", cycles=100000),
                                 env={**os.environ, "SUDO_UID": str(user.pw_uid)}, **options)
        self.addCleanup(process.stdout.close)
        recorder.wait_until(lambda: os.path.exists(self.state))
        recorder.kill(recorder.tree(process.pid))
        process.stdin.close()
        process.wait()

    def restore(self, before=(), **options):
        return subprocess.run([*before, recorder.PROGRAM, "restore"], capture_output=True, text=True, check=False, timeout=20,
                              cwd=self.others, env={**os.environ, "SUDO_UID": str(pwd.getpwnam("nobody").pw_uid)}, **options)

    def script(self, folder, text):
        path = os.path.join(folder, "undo.sh")
        with open(path, "w", encoding="ascii") as file:
            file.write(f"echo {text} >>{self.log}; rm {self.state}\n")
        os.chmod(path, 0o755)

    def test_it_is_done_in_the_folder_of_that_user(self):
        self.undo = "sh undo.sh"
        self.script(self.folder, "own")
        self.script(self.others, "other")
        self.leave(cwd=self.folder)
        self.restore()
        self.assertEqual(self.logged(), ["own"])

    def test_in_no_folder_of_somebody_else(self):
        self.undo = f"sh undo.sh; rm -f {self.state}"
        here = os.path.join(self.folder, "here")
        for is_made_anew in (False, True):
            with self.subTest(is_made_anew=is_made_anew):
                os.mkdir(here)
                self.leave(cwd=here)
                os.rmdir(here)
                self.script(self.others, "other")
                if is_made_anew:
                    os.mkdir(here)
                    self.script(here, "anew")
                    os.chown(here, pwd.getpwnam("nobody").pw_uid, -1)
                self.restore()
                self.assertEqual((self.logged(), os.path.exists(self.state)), ([], False))

    def test_with_the_limits_it_had(self):
        self.undo = f"ulimit -t >{self.log}; rm {self.state}"
        self.leave(before=["prlimit", "--cpu=1000"])
        self.restore()
        self.assertEqual((self.logged(), os.path.exists(self.state)), (["1000"], False))

    def test_with_no_limits_and_no_mask_of_who_restores(self):
        made = os.path.join(self.folder, "made")
        self.undo = f"echo text >{made} && rm {self.state}"
        self.leave(umask=0o027)
        done = self.restore(["prlimit", "--fsize=0:"], umask=0)
        self.assertEqual((done.returncode, done.stdout), (0, "the treatment of a killed recording is undone\n"))
        self.assertEqual(os.stat(made).st_mode & 0o777, 0o640)
        self.assertFalse(os.path.exists(self.state))

    def test_as_that_user_also_if_the_supervisor_of_who_restores_is_killed(self):
        go = os.path.join(self.folder, "go")
        self.undo = f"id -un >>{self.log}; while [ ! -e {go} ]; do sleep 0.05; done; rm {self.state}"
        self.leave()
        process = recorder.start({"culprit": 1, "do": "restore"})
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.stdout.close)
        recorder.wait_until(lambda: self.logged() == ["daemon"])
        recorder.kill(recorder.children(process.pid))
        recorder.wait_until(lambda: len(self.logged()) == 2)
        with open(go, "x", encoding="ascii"):
            pass
        process.wait()
        self.assertEqual((self.logged(), os.path.exists(self.state)), (["daemon"] * 2, False))

    def test_without_keys_and_further_limits_of_who_restores(self):
        session = "import ctypes, os, sys; c = ctypes.CDLL(None, use_errno=True); c.syscall (250, 1, None)"  # joins a new one
        mine = f"{session}; c.syscall (248, b'user', b'culprit-test', b'secret', 6, -3); os.execvp (sys.argv[1], sys.argv[1:])"
        asked = f"{session.partition('; c.sys')[0]}; print (c.syscall (249, b'user', b'culprit-test', None, -3))"
        finds = subprocess.run([sys.executable, "-c", mine, sys.executable, "-c", asked], capture_output=True, text=True, check=True)
        if finds.stdout == "-1\n":
            self.skipTest("the kernel keeps no keys here")
        script = os.path.join(self.folder, "asked.py")
        with open(script, "w", encoding="ascii") as file:
            file.write(asked)
        self.undo = f"python3 {script} >>{self.log}; ulimit -l >>{self.log}; rm {self.state}"
        self.leave(before=["prlimit", "--memlock=65536:65536"])
        self.restore([sys.executable, "-c", mine, "prlimit", "--memlock=131072:131072"])
        self.assertEqual((self.logged(), os.path.exists(self.state)), (["-1", "64"], False))

    def test_what_it_says_is_text_to_the_terminal_of_who_restores(self):
        self.undo = f"echo '\x1b]0;owned\x07\u009b2J\u202e' >&2; rm {self.state}; false"
        self.leave()
        done = subprocess.run([recorder.PROGRAM, "restore"], capture_output=True, check=False, timeout=20)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stdout, rb"^the treatment may still be in place: \"echo '\?]0;owned[ -~]*: \?]0;owned[ -~]*\n$")

    def test_also_if_its_shell_could_not_be_started_before(self):
        """As when the user had as many processes as may be: then it has not begun."""
        user = pwd.getpwnam("games")
        process = recorder.start(self.request(treat=f"touch {self.state}", cycles=100000), before=["prlimit", "--nproc=20:20"],
                                 env={**os.environ, "SUDO_UID": str(user.pw_uid)})
        self.addCleanup(process.stdout.close)
        recorder.wait_until(lambda: os.path.exists(self.state))
        others = [subprocess.Popen(["setpriv", "--reuid", str(user.pw_uid), "--regid", str(user.pw_gid), "--clear-groups", "sleep", "1000"])
                  for _ in range(25)]
        recorder.wait_until(lambda: all(recorder.command_line(other.pid) == "sleep 1000 " for other in others))
        process.stdin.close()
        said = json.loads(process.stdout.read().splitlines()[-1])["text"]
        process.wait()
        for other in others:
            other.kill()
            other.wait()
        self.assertIn("(its shell cannot be started)", said)
        self.assertEqual((os.path.exists(self.state), self.logged()), (True, []))
        self.restore()
        self.assertEqual((os.path.exists(self.state), self.logged()), (False, ["undo"]))

    def interrupt(self, times):
        """Kills who restores, while the undo runs, which it has then begun @times."""
        process = subprocess.Popen([recorder.PROGRAM, "restore"], stdout=subprocess.DEVNULL)
        recorder.wait_until(lambda: self.logged() == ["undo"] * times)
        recorder.kill(recorder.tree(process.pid))
        process.wait()

    def test_an_undo_is_repeated_if_who_restores_is_killed(self):
        go = os.path.join(self.folder, "go")
        self.undo = f"echo undo >>{self.log}; [ -e {go} ] || sleep 1000; rm {self.state}"
        self.leave()
        self.interrupt(1)
        with open(go, "x", encoding="ascii"):
            pass
        self.assertEqual(self.restore().returncode, 0)
        self.assertEqual((self.logged(), os.path.exists(self.state)), (["undo"] * 2, False))

    def test_it_is_not_repeated_for_ever(self):
        self.undo = f"echo undo >>{self.log}; sleep 1000"
        self.leave()
        self.interrupt(1)
        self.interrupt(2)
        said = [self.restore() for _ in range(2)]
        self.assertEqual([done.returncode for done in said], [2, 0])
        self.assertRegex(said[0].stdout, "^the treatment of a killed recording may still be in place: .*interrupted each time$")
        self.assertEqual(said[1].stdout, "nothing to restore\n")
        self.assertEqual(self.logged(), ["undo"] * 2)

    def test_it_is_not_repeated_if_it_kills_itself(self):
        self.undo = f"echo undo >>{self.log}; kill -9 $$"
        self.leave()
        said = [self.restore() for _ in range(2)]
        self.assertEqual([done.returncode for done in said], [2, 0])
        self.assertRegex(said[0].stdout, "^the treatment may still be in place: .* was killed$")
        self.assertEqual(self.logged(), ["undo"])


class Hanging(Treatment):
    """A process of the user's that its folder keeps in the kernel for good has nothing of the recorder's."""

    def setUp(self):
        super().setUp()
        if not mounts.own_mounts():
            self.skipTest("only root has mounts of its own")
        self.mute = os.path.join(self.folder, "mute")
        os.mkdir(self.mute)
        mounts.mount_mute(self, self.mute, only_root_enters=True)

    def start(self, **members):
        process = recorder.start(self.request(**members), cwd=self.mute,
                                 env={**os.environ, "SUDO_UID": str(pwd.getpwnam("nobody").pw_uid)})
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        return process

    def test_the_recording_ends_and_so_does_its_lock(self):
        process = self.start(treatments=[False], load="true")
        self.assertEqual(json.loads(process.stdout.read().splitlines()[-1]), {"type": "end", "reason": "cycles"})
        process.wait()
        self.assertEqual(recorder.speak(self.request(treatments=[False]))[-1], {"type": "end", "reason": "cycles"})

    def test_who_is_killed_is_missed(self):
        process = self.start(treatments=[True])
        recorder.wait_until(lambda: any(map(self.is_the_users, recorder.tree(process.pid))))
        recorder.kill([pid for pid in recorder.tree(process.pid) if not self.is_the_users(pid)])
        process.wait()
        self.assertTrue(recorder.speak({"culprit": 1, "do": "examine"})[1]["unrestored"])
        os.remove(UNDOING)

    def test_an_undo_that_hangs_is_not_tried_again_at_once(self):
        """That takes so long that what runs it would be killed for it."""
        process = self.start(treatments=[True])
        recorder.wait_until(lambda: any(map(self.is_the_users, recorder.tree(process.pid))))
        process.stdin.close()
        self.assertRegex(json.loads(process.stdout.read().splitlines()[-1])["text"], "may still be in place: .* within 30 s$")
        self.assertEqual(process.wait(), 2)
        self.assertTrue(recorder.speak({"culprit": 1, "do": "examine"})[1]["unrestored"])
        os.remove(UNDOING)

    def is_the_users(self, pid):
        try:
            return not recorder.status(pid)["Uid"].startswith("0")
        except OSError:
            return False


class Killed(Treatment):
    def processes(self, culprit_pid):
        """By what they are; without the shell that waits."""
        front, = [pid for pid in recorder.children(culprit_pid) if "culprit-recorder" in recorder.executable(pid)]
        return {"culprit": culprit_pid, "front": front, "supervisor": recorder.supervisor(culprit_pid),
                "measuring": recorder.measuring_process(culprit_pid)}

    def start(self):
        """A trial in a block that is treated."""
        process = subprocess.Popen(self.command("--limit", "2s"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   start_new_session=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.terminate)
        recorder.wait_until(lambda: os.path.exists(self.state) and self.is_measuring(process.pid))
        return process

    def is_measuring(self, pid):
        try:
            return recorder.measuring_process(pid) > 0
        except ValueError:
            return False

    def test_whatever_is_killed_it_is_undone_once(self):
        for names in (["culprit"], ["front"], ["supervisor"], ["measuring"], ["front", "supervisor"], ["supervisor", "measuring"],
                      ["culprit", "front", "supervisor", "measuring"]):
            with self.subTest(names=names):
                process = self.start()
                found = self.processes(process.pid)
                recorder.kill([found[name] for name in names])
                _, errors = process.communicate(timeout=60)
                self.assert_undone()
                self.assertLessEqual(errors.count(b"may still be in place"), 1)
                if names == ["supervisor"]:
                    self.assertIn(b"the treatment is undone", errors)
                next_one = recorder.speak(self.request(treatments=[False]))
                self.assertEqual([line["type"] for line in next_one if line["type"] in ("note", "error", "end")], ["end"])

    def test_the_shell_that_waits_goes_with_the_trial_and_is_no_process_of_the_recorder_by_its_name(self):
        process = self.start()
        front = self.processes(process.pid)["front"]
        # What has ended, and is not reaped yet, has no program.
        shell, = [pid for pid in recorder.children(front) if "culprit-recorder" not in (recorder.executable(pid) or "culprit-recorder")]
        with open(f"/proc/{shell}/comm", encoding="ascii") as file:
            self.assertEqual(file.read(), "sh\n")
        self.assertEqual(os.readlink(f"/proc/{shell}/cwd"), "/")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertFalse(os.path.exists(f"/proc/{shell}"))
        self.assert_undone()

    def test_what_is_killed_with_the_shell_is_undone_by_the_next_recording(self):
        process = self.start()
        recorder.kill(recorder.tree(process.pid))
        process.communicate(timeout=60)
        self.assertTrue(os.path.exists(self.state))
        said = recorder.speak({"culprit": 1, "do": "record", "period_ns": 1000000, "cycles": 20})
        self.assertEqual(said[1], {"type": "note", "text": "the treatment of a killed recording is undone"})
        self.assertEqual(said[-1]["type"], "end")
        self.assert_undone()

    def service(self, pid):
        """Begins one in the background, and writes its number into the file @pid."""
        return f"sleep 1000 >/dev/null 2>&1 & echo $! >{pid}"

    def end_service(self, pid):
        with open(pid, encoding="ascii") as file:
            number = int(file.read())
        self.assertEqual(recorder.command_line(number), "sleep 1000 ")
        os.kill(number, signal.SIGKILL)

    def services(self, parent):
        return [child for child in recorder.children(parent) if recorder.command_line(child) == "sleep 1000 "]

    def test_what_an_undo_leaves_in_the_background_stays(self):
        pid = os.path.join(self.folder, "pid")
        self.undo = f"{self.undo}; {self.service(pid)}"
        for is_all in (False, True):
            with self.subTest(is_all=is_all):
                process = recorder.start(self.request(cycles=100000, treatments=[True], load="sleep 1000"))
                recorder.wait_until(self.logged)
                supervisor = recorder.measuring_supervisor(process.pid)
                recorder.kill(recorder.tree(process.pid) if is_all else [supervisor])
                process.communicate(timeout=60)
                if is_all:
                    said = recorder.speak({"culprit": 1, "do": "record", "period_ns": 1000000, "cycles": 20})
                    self.assertIn("is undone", said[1]["text"])
                self.assert_undone()
                self.end_service(pid)

    def test_what_a_command_leaves_in_the_background_is_reaped_when_it_ends(self):
        pid = os.path.join(self.folder, "pid")
        self.treat = f"{self.service(pid)}; {self.treat}"
        process = recorder.start(self.request(cycles=100000, treatments=[True]))
        recorder.wait_until(lambda: self.services(process.pid))
        left, = self.services(process.pid)
        self.end_service(pid)
        recorder.wait_until(lambda: left not in recorder.children(process.pid))
        process.communicate(timeout=60)
        self.assert_undone()

    def test_killed_while_a_command_runs(self):
        go = os.path.join(self.folder, "go")
        self.treat = f"{self.treat}; while [ ! -e {go} ]; do sleep 0.05; done"
        process = subprocess.Popen([recorder.PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        process.stdin.write(json.dumps(self.request()).encode() + b"\n")
        process.stdin.flush()
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.stdout.close)
        recorder.wait_until(lambda: self.logged() == ["treat"])
        recorder.kill([pid for pid in recorder.tree(process.pid) if "culprit-recorder" in recorder.executable(pid)])
        process.wait()
        self.assert_undone()


class Failing(Treatment):
    def trial(self, **members):
        return recorder.speak(self.request(**members))

    def test_a_treatment_that_fails_ends_the_trial_and_is_undone(self):
        for ending, told in (("echo one; echo two >&2; exit 3", "ended with status 3: two"), ("kill -9 $$", "was killed"),
                             ("/no/such/command", "(no such command)")):
            with self.subTest(ending=ending):
                said = self.trial(treat=f"{self.treat}; {ending}")
                self.assertEqual((said[-1]["type"], [line for line in said if line["type"] == "run"]), ("error", []))
                self.assertIn("the treatment failed: ", said[-1]["text"])
                self.assertIn(told, said[-1]["text"])
                self.assert_undone()

    def test_an_undo_that_fails_is_told_with_its_reason_and_ends_the_trial(self):
        said = self.trial(undo=f"{self.undo}; echo it is stuck; exit 1")
        self.assertEqual(len([line for line in said if line["type"] == "run-end"]), 1)
        self.assertEqual(said[-1]["type"], "error")
        self.assertRegex(said[-1]["text"], "^the treatment may still be in place: .* ended with status 1: it is stuck$")
        self.assert_undone()

    def test_both_are_told(self):
        text = self.trial(treat=f"{self.treat}; false", undo=f"{self.undo}; exit 4")[-1]["text"]
        self.assertRegex(text, "^the treatment failed: .* status 1; the treatment may still be in place: .* status 4$")
        self.assert_undone()

    def test_a_folder_whose_file_system_does_not_answer_holds_up_nobody(self):
        if not mounts.own_mounts():
            self.skipTest("only root has mounts of its own")
        mute = os.path.join(self.folder, "mute")
        os.mkdir(mute)
        mounts.mount_mute(self, mute)
        process = recorder.start(self.request(), cwd=mute)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.stdout.close)
        recorder.wait_until(lambda: self.logged() == ["treat", "undo"] * 2, seconds=60)
        self.assertEqual(json.loads(process.stdout.read().splitlines()[-1]), {"type": "end", "reason": "cycles"})
        process.wait()
        self.assert_undone()

    def test_the_exit_status_shows_it(self):
        for command in ("treat", "undo"):
            with self.subTest(command=command):
                broken = {"treat": self.treat, "undo": self.undo, command: f"{getattr(self, command)}; false"}
                done = culprit.run("trial", "--study", self.study, "--period", "1ms", "--cycles", "100", "--treat", broken["treat"],
                                   "--undo", broken["undo"])
                self.assertEqual((done.status, len(done.error_lines())), (2, 1), done.stderr)
                self.assertIn("the treatment failed" if command == "treat" else "may still be in place", done.stderr)
                self.assert_undone()

    def test_one_that_hangs_is_broken_off_by_a_stop(self):
        process = recorder.start(self.request(treat=f"{self.treat}; sleep 1000"))
        self.addCleanup(process.stdout.close)
        recorder.wait_until(lambda: self.logged() == ["treat"])
        process.stdin.close()
        self.assertEqual(json.loads(process.stdout.read().splitlines()[-1]), {"type": "end", "reason": "stopped"})
        self.assertEqual(process.wait(), 0)
        self.assert_undone()

    def test_one_that_hangs_is_ended(self):
        """Not by an alarm that the caller left."""
        said = recorder.speak(self.request(treat=f"{self.treat}; sleep 1000"), preexec_fn=lambda: signal.alarm(20))
        self.assertIn("did not end within 30 s", said[-1]["text"])
        self.assert_undone()

    def test_no_more_than_the_end_of_what_a_command_says_is_kept(self):
        size = os.path.join(self.folder, "size")
        speaking = f"echo begin >/dev/stderr && seq 1000000 && echo the end >&2 && stat -L -c %s /dev/stderr >{size}; false"
        said = self.trial(treat=f"{self.treat}; {speaking}")
        self.assertRegex(said[-1]["text"], "ended with status 1: the end$")
        with open(size, encoding="ascii") as file:
            self.assertLess(int(file.read()), 100000)
        self.assert_undone()

    def test_what_it_leaves_in_the_background_may_go_on_writing(self):
        finished = os.path.join(self.folder, "finished")
        writing = f"while [ -e {self.state} ]; do sleep 0.05; done; for i in $(seq 30); do head -c 10000 /dev/zero; done; touch {finished}"
        said = self.trial(treatments=[True], treat=f"{self.treat}; ({writing}) &")
        self.assertEqual(said[-1]["type"], "end", said[-1])
        recorder.wait_until(lambda: os.path.exists(finished))
        self.assert_undone()

    def test_what_a_command_leaves_in_the_background_holds_up_nothing(self):
        pid = os.path.join(self.folder, "pid")
        said = self.trial(treat=f"{self.treat}; sleep 1000 & echo $! >{pid}", undo=f"kill $(cat {pid}); {self.undo}")
        self.assertEqual(said[-1]["type"], "end", said[-1])
        self.assert_undone()

    def test_a_request_that_makes_no_sense_is_refused(self):
        for members in ({"treat": None}, {"undo": None}, {"undo": ""}, {"treat": "x" * 4096}, {"treat": 5}, {"treatments": None},
                        {"treatments": [1, 0]}, {"treatments": "x"}, {"treatments": []}, {"tracing": "on"}, {"do": "record"},
                        {"do": "prove"}, {"delay_at": "f", "delays": [0]}):
            with self.subTest(members=str(members)[:60]):
                said = self.trial(**members)
                self.assertEqual([line["type"] for line in said if line["type"] != "facts"], ["hello", "error"])
        self.assertEqual(self.logged(), [])

    def test_a_damaged_file_of_a_killed_recording_is_told_and_stands_in_nobodys_way(self):
        for content in (b"", b"x" * 10000, b"culprit-recorder treatment 3\0" + b"x" * 20000,
                        b"culprit-recorder treatment 3\0" + b"\xff" * 4 + bytes(20000)):
            with self.subTest(content=content[:20]):
                os.makedirs(os.path.dirname(UNDOING), 0o700, exist_ok=True)
                with open(UNDOING, "wb") as file:
                    file.write(content)
                done = subprocess.run([recorder.PROGRAM, "restore"], capture_output=True, text=True, check=False, timeout=20)
                self.assertEqual(done.returncode, 2)
                self.assertIn("may still be in place", done.stdout)
                self.assertEqual(self.trial()[-1]["type"], "end")


if __name__ == "__main__":
    unittest.main()

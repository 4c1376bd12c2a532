# SPDX-License-Identifier: GPL-3.0-or-later
# Recording over ssh, with a real sshd: on loopback without tracing, and in a guest that can trace, by port forwarding.
# A connection that breaks leaves nothing incomplete, and the target's settings restored.

import glob
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import recorder  # noqa: E402

VM = culprit.LAB
SSHD = "/usr/sbin/sshd"
SESSION = glob.glob("/usr/lib/openssh/sshd-*")  # Since OpenSSH 9.8, it starts these for each connection.
SERVER = """Port {port}
ListenAddress {address}
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
PermitRootLogin yes
StrictModes no
UsePAM no
PidFile none
SetEnv PATH={path}
"""
CLIENT = """Host target
  HostName 127.0.0.1
  Port {port}
  User root
  IdentityFile {folder}/user
  IdentitiesOnly yes
  StrictHostKeyChecking no
  UserKnownHostsFile /dev/null
  LogLevel ERROR
"""
GUEST_JOB = """
mkdir -p /run/sshd /root /var/empty /etc
echo 'root:x:0:0:root:/root:/bin/sh' >/etc/passwd
echo 'sshd:x:100:65534::/run/sshd:/bin/false' >>/etc/passwd
echo 'root:x:0:' >/etc/group
chmod 600 /keys/host
chmod 755 /run/sshd /var/empty
/usr/sbin/sshd -f /keys/server -E /dev/console
echo ready
cat >/dev/null
for i in $(seq 100); do pidof culprit-recorder >/dev/null || break; usleep 300000; done
cat /sys/kernel/tracing/current_tracer /sys/kernel/tracing/trace_clock
pidof culprit-recorder && echo still there
ls -d /run/culprit/culprit-* /var/lib/culprit/culprit-*
exit 0
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


class Ssh(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")
        self.port = free_port()
        for key in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", os.path.join(self.folder, key)], check=True)
        write(os.path.join(self.folder, "client"), CLIENT.format(port=self.port, folder=self.folder))
        self.bin = os.path.join(self.folder, "bin")
        os.mkdir(self.bin)
        # The user's own ssh with a configuration of the test's.
        write(os.path.join(self.bin, "ssh"), f'#!/bin/sh\nexec /usr/bin/ssh -F {self.folder}/client "$@"\n')
        os.chmod(os.path.join(self.bin, "ssh"), 0o755)
        before = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", before)
        os.environ["PATH"] = f"{self.bin}:{before}"

    def record(self, *arguments):
        return culprit.run("record", "--study", self.study, "--target", "ssh:target", *arguments, timeout=200)

    def begin(self, *arguments, until):
        """A recording that goes on until after a line of the type @until."""
        process = subprocess.Popen([culprit.PROGRAM, "record", "--study", self.study, "--target", "ssh:target", "--json",
                                    *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        for line in process.stdout:
            if json.loads(line)["type"] == until:
                return process
        raise AssertionError(process.stderr.read())

    def assert_nothing_half_kept(self):
        captures = os.path.join(self.folder, "s.captures")
        kept = sorted(os.listdir(captures)) if os.path.exists(captures) else []
        stored = [os.path.basename(row["file"]) for row in culprit.rows(self.study, "SELECT file FROM capture")]
        self.assertEqual([name for name in kept if not name.endswith(".json")], sorted(stored))
        self.assertEqual(len(kept), 2 * len(stored))
        self.assertEqual(culprit.run("check", "--study", self.study).status, 0)


class Loopback(Ssh):
    def setUp(self):
        super().setUp()
        self.there = os.path.join(self.folder, "there")
        os.mkdir(self.there)
        os.makedirs("/run/sshd", exist_ok=True)
        path = f"{self.there}:/usr/bin:/bin"
        write(os.path.join(self.folder, "server"),
              SERVER.format(port=self.port, address="127.0.0.1", folder=self.folder, path=path))
        self.sshd = subprocess.Popen([SSHD, "-D", "-f", os.path.join(self.folder, "server")], stderr=subprocess.DEVNULL)
        self.addCleanup(self.sshd.wait)
        self.addCleanup(self.sshd.terminate)
        recorder.wait_until(self.is_up)

    def is_up(self):
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    def install(self):
        shutil.copy(recorder.PROGRAM, os.path.join(self.there, "culprit-recorder"))

    def test_a_run_without_tracing_comes_into_the_study(self):
        self.install()
        result = self.record("--period", "2ms", "--cycles", "200", "--run", "x")
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assertEqual(culprit.rows(self.study, "SELECT name, cycles FROM run"), [{"name": "x", "cycles": 200}])

    def test_the_doctor_looks_there(self):
        self.install()
        result = culprit.run("doctor", "--target", "ssh:target", "--json")
        self.assertEqual(json.loads(result.stdout)["facts"]["host"], os.uname().nodename)

    def test_a_missing_recorder_is_named_with_the_remedy(self):
        result = self.record("--cycles", "10")
        self.assertEqual((result.status, len(result.error_lines())), (2, 1))
        self.assertIn("scp ", result.stderr)
        self.assertIn("apt-get install trace-cmd", result.stderr)
        self.assertFalse(os.path.exists(self.study))

    def test_a_recorder_of_another_protocol_is_named_with_the_remedy(self):
        path = os.path.join(self.there, "culprit-recorder")
        write(path, '#!/bin/sh\necho \'{"type":"hello","protocol":7,"version":"9.1"}\'\ncat >/dev/null\n')
        os.chmod(path, 0o755)
        result = self.record("--cycles", "10")
        self.assertEqual((result.status, len(result.error_lines())), (2, 1))
        self.assertIn("same version", result.stderr)
        self.assertIn("9.1", result.stderr)

    def test_something_that_is_no_recorder_is_refused(self):
        path = os.path.join(self.there, "culprit-recorder")
        write(path, "#!/bin/sh\necho Welcome\ncat >/dev/null\n")
        os.chmod(path, 0o755)
        result = self.record("--cycles", "10")
        self.assertEqual((result.status, len(result.error_lines())), (2, 1))
        self.assertIn("Welcome", result.stderr)

    def test_a_host_that_cannot_be_reached_is_named(self):
        self.sshd.terminate()
        self.sshd.wait()
        result = self.record("--cycles", "10")
        self.assertEqual((result.status, len(result.error_lines())), (2, 1))
        self.assertIn("target: cannot be reached", result.stderr)

    def test_a_connection_that_breaks_leaves_no_recorder_behind(self):
        self.install()
        process = self.begin("--period", "2ms", "--limit", "100s", until="progress")
        there = [pid for pid in recorder.by_command("culprit-recorder") if recorder.executable(pid).startswith(self.there)]
        self.assertGreaterEqual(len(there), 2)
        connections = recorder.children(self.sshd.pid)
        sessions = [session for connection in connections for session in recorder.children(connection)]
        for pid in connections + [session for session in sessions if "sshd" in recorder.executable(session)]:
            os.kill(pid, signal.SIGKILL)
        _, errors = process.communicate(timeout=30)
        self.assertEqual((process.returncode, len(errors.splitlines())), (2, 1), errors)
        self.assertIn("was lost", errors)
        recorder.wait_until(lambda: not any(recorder.executable(pid).startswith(self.there) for pid in there))
        self.assert_nothing_half_kept()

    def test_a_connection_that_is_open_and_silent_leaves_no_recorder_behind(self):
        """The client is stopped, as by a laptop that is closed; sshd there does not notice."""
        self.install()
        with mock.patch.dict(os.environ, CULPRIT_PATIENCE="10"):
            process = self.begin("--period", "2ms", "--limit", "1000s", until="progress")
        there = [pid for pid in recorder.by_command("culprit-recorder") if recorder.executable(pid).startswith(self.there)]
        stopped = [process.pid, *recorder.children(process.pid)]
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        recorder.wait_until(lambda: not any(recorder.executable(pid).startswith(self.there) for pid in there))
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
        said, _ = process.communicate(timeout=30)
        self.assertIn("nothing was heard", said)
        self.assert_nothing_half_kept()


class Guest(Ssh):
    def setUp(self):
        super().setUp()
        subprocess.run([os.path.join(HERE, "..", "lab", "prepare")], check=True, stdout=subprocess.DEVNULL)
        os.environ["CULPRIT_VM_DIR"] = VM
        write(os.path.join(self.folder, "server"),
              SERVER.format(port=22, address="0.0.0.0", folder="/keys", path="/usr/bin:/bin")
              + "SetEnv LD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu:/lib/x86_64-linux-gnu\n")
        write(os.path.join(self.folder, "job"), GUEST_JOB)
        files = [f"{self.folder}/{name}:/keys/{name}" for name in ("host", "user.pub", "server", "job")]
        files += [f"{program}:{program}" for program in (SSHD, *SESSION)]
        self.machine = subprocess.Popen(
            [recorder.BOOT, "--forward", f"{self.port}:22", "--program", recorder.PROGRAM, "--module",
             f"{VM}/standard/fault/culprit_fault.ko mode=count", *[option for file in files for option in ("--file", file)],
             *[option for program in (SSHD, *SESSION) for option in ("--program", program)], "sh", "/keys/job"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.machine.wait)
        self.addCleanup(self.machine.kill)
        self.addCleanup(self.machine.stdout.close)
        self.assertEqual(self.machine.stdout.readline(), "ready\n")

    def end_machine(self):
        """What the guest says of its tracing at the end."""
        self.machine.stdin.close()
        return self.machine.stdout.read().split()

    def test_captures_come_and_a_broken_connection_leaves_the_guest_in_order(self):
        arguments = ["--aligned", "--threshold", "700us", "--captures", "20", "--buffer", "600", "--calibrate", "skip"]
        process = self.begin(*arguments, until="imported")
        for client in recorder.children(process.pid):
            os.kill(client, signal.SIGKILL)
        _, errors = process.communicate(timeout=30)
        self.assertEqual((process.returncode, len(errors.splitlines())), (2, 1), errors)
        self.assert_nothing_half_kept()
        outlier, = culprit.rows(self.study, "SELECT latency_ns, kernel FROM window JOIN capture USING (capture_id)"
                                            " JOIN host USING (host_id) WHERE kind = 'outlier'")
        self.assertGreater(outlier["latency_ns"], 700000)
        said = self.end_machine()
        self.assertEqual(said[0], "nop")
        self.assertEqual(said[1], "[local]")
        self.assertNotIn("still", said)
        self.assertFalse([word for word in said if word.startswith(("/run/", "/var/lib/"))])


if __name__ == "__main__":
    unittest.main()

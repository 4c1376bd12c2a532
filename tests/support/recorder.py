# SPDX-License-Identifier: GPL-3.0-or-later
# Talks to a recorder as a session does, finds its processes, and unpacks the samples that it sent.

import array
import fcntl
import json
import os
import signal
import sqlite3
import subprocess
import tempfile
import termios
import time
from contextlib import suppress

import culprit

PROGRAM = os.path.join(os.path.dirname(os.path.dirname(culprit.PROGRAM)), "recorder", "culprit-recorder")
DELAYER = os.path.join(os.path.dirname(os.path.dirname(culprit.PROGRAM)), "delayer", "culprit-delayer")
BOOT = os.path.join(culprit.ROOT, "app", "record", "vm", "boot")


def start(request, before=(), stdout=subprocess.PIPE, **options):
    """A recorder that was asked; its standard input stays open."""
    process = subprocess.Popen([*before, PROGRAM], stdin=subprocess.PIPE, stdout=stdout, **options)
    with suppress(BrokenPipeError):  # It may refuse before it reads.
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
    return process


def speak(request, before=(), **options):
    """All that a recorder says to @request."""
    process = start(request, before, **options)
    lines = [json.loads(line) for line in process.stdout]
    with suppress(BrokenPipeError):
        process.stdin.close()
    process.stdout.close()
    process.wait()
    return lines


def in_guest(script, *arguments, seconds, options=()):
    """What @script of tests/record, which sources guest.sh, says in a virtual machine: output and errors, also if it does
    not come to its end in time."""
    tests = os.path.join(culprit.ROOT, "tests", "record")
    with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as errors:
        try:
            subprocess.run([BOOT, *options, "--program", PROGRAM, "--file", f"{tests}/guest.sh:/guest.sh", "--file",
                            f"{tests}/{script}:/{script}", "sh", f"/{script}", *map(str, arguments)], stdin=subprocess.DEVNULL,
                           stdout=said, stderr=errors, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            errors.write(f"it did not end within {seconds} s\n")
        said.seek(0)
        errors.seek(0)
        return said.read(), errors.read()


def is_filtered():
    """Whether it was built with a filter of system calls."""
    return b"libseccomp" in subprocess.run(["ldd", PROGRAM], capture_output=True, check=True).stdout


def others_may_run(program):
    """Whether users other than root can come to @program."""
    while program != "/":
        if not os.stat(program).st_mode & 0o001:
            return False
        program = os.path.dirname(program)
    return True


def read_varint(data, at):
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return (number >> 1) ^ -(number & 1), at


def unpack(row, period_ns):
    """The (expected, latency) of a row of run_sample."""
    found, at, expected = [], 0, row["first_expected_ns"] - period_ns
    for number in range(row["cycles"]):
        gap, at = read_varint(row["samples"], at)
        latency, at = read_varint(row["samples"], at)
        expected += period_ns + gap
        found.append((expected, latency))
    assert at == len(row["samples"])
    return found


def blobs(study, run):
    database = sqlite3.connect(study)
    database.row_factory = sqlite3.Row
    try:
        return database.execute("SELECT run_sample.* FROM run_sample JOIN run USING (run_id) WHERE name = ?"
                                " ORDER BY cpu, first_cycle", (run,)).fetchall()
    finally:
        database.close()


def command_line(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def processes(mark):
    """The processes, zombies aside, whose command line holds @mark, those of culprit aside."""
    return [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and mark in command_line(pid)
            and "record" not in command_line(pid)]


def status(pid, thread=None):
    """The lines of a process's status, by name."""
    path = f"/proc/{pid}/task/{thread}/status" if thread else f"/proc/{pid}/status"
    with open(path, encoding="ascii", errors="replace") as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)


def children(pid):
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat", encoding="ascii", errors="replace") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if parent == pid:
            found.append(int(entry))
    return found


def tree(pid):
    """@pid and all its descendants."""
    return [pid] + [other for child in children(pid) for other in tree(child)]


def kill(pids):
    """All at once: none sees another end before it ends itself."""
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in pids:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass


def supervisor(culprit_pid):
    front, = [pid for pid in children(culprit_pid) if "culprit-recorder" in command_line(pid)]
    child, = [pid for pid in children(front) if "culprit-recorder" in executable(pid)]
    return child


def threads(pid):
    names = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/comm", encoding="ascii") as file:
                names.append(file.read().strip())
    except OSError:
        pass
    return names


def measuring_process(culprit_pid):
    measuring, = [pid for pid in children(supervisor(culprit_pid)) if "culprit-cycle" in threads(pid)]
    return measuring


def wait_until(condition, seconds=20):
    give_up = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > give_up:
            raise AssertionError("it did not come to pass")
        time.sleep(0.02)


def measuring_supervisor(front):
    """The supervisor below @front, as soon as it measures; what copies the words of a command may be there as well."""
    found = []

    def measures():
        found[:] = [pid for pid in children(front) if any("culprit-cycle" in threads(child) for child in children(pid))]
        return found

    wait_until(measures)
    return found[0]


def virtual_machines(culprit_pid):
    """The qemu processes below @culprit_pid."""
    found = []
    for child in children(culprit_pid):
        found += [child] if "qemu-system" in command_line(child) else virtual_machines(child)
    return found


def by_command(name):
    return [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and name in command_line(pid)]


def executable(pid):
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


def unread(pipe):
    """The bytes that wait in @pipe."""
    count = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return count[0]

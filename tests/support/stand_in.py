# SPDX-License-Identifier: GPL-3.0-or-later
# A stand-in for ssh or QEMU: a real process on real pipes that sends a recording whatever a test wants a target to send.

import os
import platform

SSH = """#!/usr/bin/python3
import base64, json, os, signal, subprocess, sys, time
out = sys.stdout.buffer
with open({folder!r} + "/pids", "a") as pids:
    print(os.getpid(), file=pids)
def say(**line):
    out.write(json.dumps(line).encode() + b"\\n")
    out.flush()
def hello():
    say(type="hello", protocol=1, version="x")
def begin(cpus=1, tracing="on"):
    greet(cpus)
    say(type="run", run=1, tracing=tracing, started_ns=1)
def greet(cpus=1):
    hello()
    request = sys.stdin.readline()
    with open({folder!r} + "/requests", "a") as requests:
        requests.write(request)
    say(type="facts", host="h", kernel="k", machine="x86_64", cpus=[{{"cpu": cpu}} for cpu in range(cpus)])
    return json.loads(request)
def asked():
    while "go on" in (line := sys.stdin.readline()):
        pass
    return line
def run(number, tracing, latencies_ns):
    say(type="run", run=number, tracing=tracing, started_ns=1)
    packed = bytes(byte for latency_ns in latencies_ns for byte in (0, *leb128(2 * latency_ns)))
    say(type="samples", run=number, cpu=0, first_cycle=0, cycles=len(latencies_ns), first_expected_ns=0,
        base64=base64.b64encode(packed).decode())
    say(type="run-end", run=number, cycles=len(latencies_ns))
def leb128(value):
    while value > 127:
        yield value & 127 | 128
        value >>= 7
    yield value
def progress(**other):
    say(**dict(type="progress", run=1, cycles=1, **other))
def capture(number=1):
    say(type="capture", culprit_cycles=1, run=1, capture=number, period_ns=1, threshold_ns=1)
def data(bytes):
    say(type="data", base64=base64.b64encode(bytes).decode())
def run_end(cycles=0):
    say(type="run-end", run=1, cycles=cycles)
def end(reason="captures"):
    say(type="end", reason=reason)
def deaf():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
try:
{body}
except BrokenPipeError:
    os._exit(1)
"""


def use_ssh_of(test, folder):
    """For the time of @test, ssh is what write_ssh() makes in @folder, and nobody is waited for long."""
    os.mkdir(os.path.join(folder, "bin"))
    for name, value in (("PATH", f"{folder}/bin:{os.environ['PATH']}"), ("CULPRIT_PATIENCE", "2")):
        before = os.environ.get(name)
        test.addCleanup(lambda name=name, before=before:
                        os.environ.pop(name) if before is None else os.environ.__setitem__(name, before))
        os.environ[name] = value


def write_ssh(folder, *body):
    """@body: lines of Python, with the functions above. What it is asked for is added to the file "requests"."""
    write_program(folder, "ssh", *body)


def write_machine(folder, *body):
    """The same for the program that a virtual machine runs in."""
    write_program(folder, f"qemu-system-{platform.machine()}", *body)


def write_program(folder, name, *body):
    path = os.path.join(folder, "bin", name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(SSH.format(folder=folder, body="".join(f"    {line}\n" for line in body)))
    os.chmod(path, 0o755)


def lines_of_capture(path, number):
    """Sends the file @path as the capture @number."""
    return (f"say(type='capture', run=1, capture={number})", f"content = open({path!r}, 'rb').read()",
            "for at in range(0, len(content), 49152): data(content[at:at + 49152])",
            f"say(type='capture-end', capture={number}, size_bytes=len(content))")

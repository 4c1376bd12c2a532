# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the program under test: CULPRIT names it, else the one built in build/.

import json
import os
import pty
import subprocess
import termios
from dataclasses import dataclass

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LAB = os.environ.get("CULPRIT_LAB_DIR") or os.path.join(ROOT, "build", "lab")  # kernels and images of the virtual machine
PROGRAM = os.environ.get("CULPRIT") or os.path.join(ROOT, "build", "app", "cli", "culprit")


@dataclass
class Result:
    status: int
    stdout: str
    stderr: str

    def error_lines(self):
        return self.stderr.splitlines()


def run(*arguments, before=(), timeout=120):
    """@before: a command that runs the program, as ("setpriv", ...)."""
    done = subprocess.run([*before, PROGRAM, *map(str, arguments)], capture_output=True, timeout=timeout, check=False)
    return Result(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


def run_on_terminal(*arguments, columns=100):
    """stdout: what the program shows on a terminal, without colours."""
    ours, its = pty.openpty()
    termios.tcsetwinsize(its, (24, columns))
    process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdin=its, stdout=its, stderr=its, env={**os.environ, "NO_COLOR": "1"})
    os.close(its)
    written = b""
    try:
        while more := os.read(ours, 65536):
            written += more
    except OSError:  # The other end was closed.
        pass
    os.close(ours)
    return Result(process.wait(timeout=60), written.decode().replace("\r\n", "\n"), "")


def import_captures(study, paths, period="5ms", run_name=None, before=()):
    options = [*(["--period", period] if period else []), *(["--run", run_name] if run_name else [])]
    return run("import", "--study", study, *options, *paths, before=before)


def rows(study, sql):
    result = run("sql", "--study", study, "--json", sql)
    if result.status != 0:
        raise AssertionError(f"culprit sql: status {result.status}: {result.stderr.strip()}")
    return json.loads(result.stdout)

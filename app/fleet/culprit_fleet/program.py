# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the culprit program, which alone reads captures and computes verdicts, within limits of time and memory."""

import json
import os
import resource
import shutil
import signal
import subprocess
from dataclasses import dataclass
from typing import Any, Optional

from .errors import FleetError

CUT = 2000  # characters of an error message


class ProgramFailed(Exception):
    """The program did not get through its files."""


@dataclass(frozen=True)
class Limits:
    """For one start of the program. Address space, since a damaged capture may ask for any amount of it."""
    seconds: float = 300
    address_space: int = 8 << 30


@dataclass(frozen=True)
class Program:
    """@path: where it is on every node; None: it is shipped with the job."""
    path: Optional[str] = None
    limits: Limits = Limits()

    def file(self) -> str:
        if self.path:
            return self.path
        from pyspark import SparkFiles
        shipped = SparkFiles.get("culprit")
        os.chmod(shipped, 0o755)
        return shipped

    def run(self, folder: str, *arguments: str) -> subprocess.CompletedProcess:
        """Its cache of digests is put into @folder: it would grow in the home folder of every node. Raises
        subprocess.TimeoutExpired."""
        size = self.limits.address_space
        child = subprocess.Popen([self.file(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, start_new_session=True,
                                 env={**os.environ, "XDG_CACHE_HOME": os.path.join(folder, "cache"), "LC_ALL": "C.UTF-8"},
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)))
        try:
            out, err = child.communicate(timeout=self.limits.seconds)
        except BaseException:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            raise
        return subprocess.CompletedProcess(child.args, child.returncode, out, err.decode(errors="replace"))

    def json(self, folder: str, *arguments: str) -> Any:
        """What a command prints with --json. Raises FleetError if it fails."""
        done = self.run(folder, *arguments, "--json")
        if done.returncode != 0:
            raise FleetError(f"{' '.join(arguments)}: {reason_of(done)}")
        return json.loads(done.stdout)


def reason_of(done: subprocess.CompletedProcess) -> str:
    if done.returncode < 0:
        return f"culprit was killed by {signal.Signals(-done.returncode).name}"
    lines = [line for line in done.stderr.splitlines() if line]
    return lines[-1].removeprefix("culprit: ")[:CUT] if lines else f"culprit failed with status {done.returncode}"


def find_here() -> str:
    """The program on this machine: the one that started this package, else the one in PATH."""
    found = os.environ.get("CULPRIT") or shutil.which("culprit")
    if not found or not os.access(found, os.X_OK):
        raise FleetError(f"{found or 'culprit'}: no such program; install culprit, or set CULPRIT to it")
    return os.path.abspath(found)

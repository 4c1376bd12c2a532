# SPDX-License-Identifier: GPL-3.0-or-later
# What libtracecmd reads from a capture, through the program records (ORACLE_RECORDS, else the one in build/).

import collections
import os
import re
import subprocess

import culprit
from events import Event

RECORDS = os.environ.get("ORACLE_RECORDS") or os.path.join(culprit.ROOT, "build", "tests", "oracle", "records")
CPU = re.compile(r"^cpu (\d+) first (\d+) last (\d+) events (\d+) losses (\d+) lost (\d+) checksum (\w+)$", re.MULTILINE)
TYPE = re.compile(r"^cpu \d+ type (\d+) count (\d+)$", re.MULTILINE)


def read(path):
    """cpu -> (first, last, events, losses, lost), the sorted counts of the event types, and cpu -> checksum."""
    done = subprocess.run([RECORDS, path], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"libtracecmd cannot read {path}: {done.stderr}")
    cpus, checksums, types = {}, {}, collections.Counter()
    for match in CPU.finditer(done.stdout):
        cpus[int(match[1])] = tuple(map(int, match.groups()[1:6]))
        checksums[int(match[1])] = match[7]
    for match in TYPE.finditer(done.stdout):
        types[match[1]] += int(match[2])
    return cpus, sorted(types.values()), checksums


def of_study(rows):
    """The same of the study's capture_cpu."""
    return {row["cpu"]: (row["first_ns"], row["last_ns"], row["events"], row["losses"], row["lost_events"])
            for row in rows if row["events"] > 0}


def events(path):
    """cpu -> the capture's events as in support/events.py; the name of a function in place of its address."""
    done = subprocess.run([RECORDS, path, "events"], capture_output=True, text=True, check=True)
    found = collections.defaultdict(list)
    for line in done.stdout.splitlines():
        _, cpu, ts, pid, flags, preempt, lost, name, function, depth = line.split(" ")
        kind = {"funcgraph_entry": "entry", "funcgraph_exit": "exit"}.get(name, name)
        first = int(cpu) not in found  # what was lost before it was overwritten
        found[int(cpu)].append(Event(int(ts), kind, int(pid), int(flags), function, int(depth), preempt=int(preempt),
                                     lost=None if int(lost) < 0 or first else int(lost)))
    return found

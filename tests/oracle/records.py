# SPDX-License-Identifier: GPL-3.0-or-later
# What libtracecmd reads from a capture, through the program records (ORACLE_RECORDS, else the one in build/).

import collections
import os
import re
import subprocess

import culprit

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

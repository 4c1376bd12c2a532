# SPDX-License-Identifier: GPL-3.0-or-later
# The number of calls of every function against trace-cmd's own profile, exactly: what the profile leaves out, and why,
# is computed from the raw events that trace-cmd prints, and explains every difference.

import collections
import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), HERE]

import culprit  # noqa: E402
import study_rows  # noqa: E402

CAPTURES = sorted(glob.glob(os.path.join(HERE, "..", "data", "*.dat")))
PROFILE = re.compile(r"^ *Event: func: (\S+?)\(\) \((\d+)\)", re.MULTILINE)
# trace-cmd 3.3 adds flags behind the CPU, and the function's address.
EVENT = re.compile(r"^ *.+-(\d+) +\[(\d+)\]\S* +\d+\.\d+: +(\w+): +(?:func=(\S+)(?: \(0x\w+\))? depth=(\d+))?", re.MULTILINE)
OVERWRITTEN = re.compile(r"^CPU:(\d+) \[.*EVENTS DROPPED\]", re.MULTILINE)


def trace_cmd(*arguments):
    return subprocess.run(["trace-cmd", "report", *arguments], check=True, capture_output=True, text=True,
                          errors="replace").stdout


class Calls:
    """Entries and exits matched by task, function and depth, in the order of time; the idle task is one on each CPU.
    Counted by the function's name, as trace-cmd knows no module and no ordinal.

    `peer` counts as the profile does, which leaves out, or adds:
    - calls without an entry or an exit in the capture: it needs both;
    - calls that are open on one CPU at the first event of another: it takes what was overwritten before that for a
      loss, and forgets all that is open on all CPUs. Nothing is missing there between two events, so we do not;
    - the idle tasks of all CPUs are one to it, so that an exit on one may end a call on another, and it matches by task
      and function alone, so that an exit may end a call of another depth."""

    def __init__(self, path):
        self.whole, self.halves, self.peer = (collections.Counter() for _ in range(3))
        self.frames, self.open, self.seen = collections.Counter(), collections.Counter(), set()
        text = trace_cmd("-R", "-t", path)
        self.overwritten = {int(match[1]) for match in OVERWRITTEN.finditer(text)}
        for match in EVENT.finditer(text):
            self.add(int(match[1]), int(match[2]), match[3], match[4], match[5])
        for (_, _, function, _), frames in self.frames.items():
            self.halves[function] += frames

    def add(self, pid, cpu, event, function, depth):
        if cpu not in self.seen and cpu in self.overwritten:
            self.open.clear()
        self.seen.add(cpu)
        frame, task = (pid, cpu if pid == 0 else None, function, depth), (pid, function)
        if event in ("funcgraph_entry", "fgraph_retaddr_entry"):
            self.frames[frame] += 1
            self.open[task] += 1
        elif event == "funcgraph_exit":
            (self.whole if self.frames[frame] else self.halves)[function] += 1
            self.peer[function] += self.open[task] > 0
            self.frames[frame] -= self.frames[frame] > 0
            self.open[task] -= self.open[task] > 0


class Profile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            study = os.path.join(folder, "s.culprit")
            result = culprit.import_captures(study, CAPTURES)
            assert result.status == 0, result.stderr
            cls.rows = study_rows.by_file(study)
        cls.calls = {path: Calls(path) for path in CAPTURES}

    def stored(self, path, column):
        sums = collections.Counter()
        for row in self.rows[os.path.basename(path)]["capture_function"]:
            sums[row["function"]] += row[column]
        return sums

    def check_each(self, check):
        self.assertGreater(len(CAPTURES), 5)
        for path in CAPTURES:
            with self.subTest(os.path.basename(path)):
                check(path, self.calls[path])

    def test_every_entry_and_every_exit_without_one_is_a_call(self):
        def check(path, calls):
            self.assertGreater(len(calls.whole), 100)
            self.assertEqual(self.stored(path, "calls"), calls.whole + calls.halves)
        self.check_each(check)

    def test_calls_that_miss_their_entry_or_exit_are_marked(self):
        def check(path, calls):
            self.assertEqual(+self.stored(path, "truncated"), +calls.halves)
        self.check_each(check)

    def test_the_profile_counts_the_calls_that_are_whole_but_for_what_it_forgets(self):
        def check(path, calls):
            profile = collections.Counter()
            for match in PROFILE.finditer(trace_cmd("--profile", path)):
                profile[match[1]] += int(match[2])
            self.assertEqual(profile, +calls.peer)
            if len(calls.seen) == 1:
                self.assertEqual(profile, self.stored(path, "calls") - self.stored(path, "truncated"))
        self.check_each(check)


if __name__ == "__main__":
    unittest.main()

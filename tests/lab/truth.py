# SPDX-License-Identifier: GPL-3.0-or-later
# What is true of a capture, without Culprit: who had the CPU while the measured task waited, from the raw events as
# trace-cmd prints them, the recorder's log of cycles, and the log of the lab's module.
# Usage: python3 truth.py CAPTURE.dat...

import json
import os
import re
import subprocess
import sys
from bisect import bisect_right
from collections import Counter, defaultdict

EVENT = re.compile(r"\s*.{8}-(\d+)\s+(\d+)(.{3})\S*\s+(\d+)\.(\d{9}): funcgraph_(entry|exit): +(?:-->|<--) (\S+) \((\d+)\)")
NAME = re.compile(r"\s*(.+)-(\d+)\s+\[")
FAULT = re.compile(r"fault: (\S+) (\d+) \d+ \d+ (\d+) \d+ (\d+) (\d+) ([01])")
INTERRUPTS = {"h": "hardirq", "H": "hardirq", "s": "softirq", "z": "nmi", "Z": "nmi"}
# Between user mode and what was called for.
DISPATCHERS = {"x64_sys_call", "do_syscall_64", "invoke_syscall", "el0_svc_common.constprop.0", "do_el0_svc", "el0_svc",
               "el0t_64_sync_handler"}


def report(path, *options):
    done = subprocess.run(["trace-cmd", "report", "-N", "-t", *options, path], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def names(path):
    """Each task's name, whole: with flags, trace-cmd prints eight characters of it."""
    found = {0: "idle"}
    for line in report(path):
        match = NAME.match(line)
        if match:
            found.setdefault(int(match[2]), match[1].strip())
    return found


def events(path, cpu):
    """(time, pid, kind of interrupt or None, is an entry, function, depth) of a CPU"""
    for line in report(path, "-l"):
        match = EVENT.match(line)
        if match and int(match[2]) == cpu:
            pid, _, flags, seconds, rest, what, function, depth = match.groups()
            yield (int(seconds) * 10**9 + int(rest), int(pid), INTERRUPTS.get(flags[2]), what == "entry", function,
                   int(depth))


class Stack:
    """The calls of a task: at each depth its function, and the source to which its time belongs."""

    def __init__(self, task):
        self.task = task
        self.calls = {}

    def enter(self, function, depth, interrupt):
        self.leave(depth)
        source = self.calls[depth - 1][1] if depth - 1 in self.calls else self.task
        if interrupt and source[0] != interrupt:
            source = (interrupt, function if interrupt == "hardirq" else interrupt)
        self.calls[depth] = (function, source)

    def leave(self, depth):
        for deeper in [other for other in self.calls if other >= depth]:
            del self.calls[deeper]

    def now(self):
        """The source, and what it does: the system call, exception or other function that it began with."""
        source = self.calls[max(self.calls)][1] if self.calls else self.task
        mine = [function for _, (function, owner) in sorted(self.calls.items()) if owner == source]
        return source, next((function for function in mine if function not in DISPATCHERS), "user mode")


def begun_before(read):
    """The calls of which the events show only the end: by task, the function at each depth."""
    entered, found = defaultdict(set), defaultdict(dict)
    for _, pid, interrupt, is_entry, function, depth in read:
        if is_entry:
            entered[pid].add(depth)
        elif depth not in entered[pid] and depth not in found[pid] and not interrupt:
            found[pid][depth] = function
    return found


def stretches(path, cpu, measured):
    """(start, source, what it does, whether it begins with an entry) from each event of the CPU on, until the next"""
    comms = names(path)
    stacks = {}
    read = list(events(path, cpu))
    before = begun_before(read)
    for time, pid, interrupt, is_entry, function, depth in read:
        if pid not in stacks:
            kind = "idle" if pid == 0 else "measured" if pid == measured else "task"
            stacks[pid] = Stack((kind, comms.get(pid, str(pid))))
            for start, caller in sorted(before[pid].items()):
                stacks[pid].enter(caller, start, None)
        if is_entry:
            stacks[pid].enter(function, depth, interrupt)
        else:
            stacks[pid].leave(depth)
        yield time, *stacks[pid].now(), is_entry


def recording_ns(found):
    """How long recording an event takes, by what it is and what follows: the first percentile of such stretches."""
    lengths = defaultdict(list)
    for earlier, later in zip(found, found[1:]):
        lengths[earlier[3], later[3]].append(later[0] - earlier[0])
    return {kind: sorted(of_kind)[len(of_kind) // 100] for kind, of_kind in lengths.items() if len(of_kind) >= 100}


def shares(found, start_ns, end_ns, event_ns):
    """Time by source, and by source and what it did, between two instants, without @event_ns for each event."""
    by_source, by_doing = Counter(), Counter()
    first = max(0, bisect_right(found, start_ns, key=lambda stretch: stretch[0]) - 1)
    for (time, source, doing, is_entry), (until, _, _, then_entry) in zip(found[first:], found[first + 1:]):
        if time >= end_ns:
            break
        length = max(0, min(until, end_ns) - max(time, start_ns) - event_ns.get((is_entry, then_entry), 0))
        by_source[source] += length
        by_doing[source, doing] += length
    return by_source, by_doing


def beyond_usual(found, log, event_ns):
    """By source, the part of what the late wake-up has beyond ordinary ones, and its part of these; the number of these;
    and what was done."""
    hit = log["hit"]
    ordinary = [shares(found, *cycle, event_ns)[0] for cycle in log["cycles"][:-1] if cycle[0] >= found[0][0]]
    late, doing = shares(found, hit["expected_ns"], hit["observed_ns"], event_ns)
    mean = {source: sum(usual[source] for usual in ordinary) / max(1, len(ordinary)) for source in late}
    all_ns = sum(sum(usual.values()) for usual in ordinary) / max(1, len(ordinary))
    more = sum(late.values()) - all_ns
    parts = {source: (ns - mean[source]) / more for source, ns in late.items()}
    return parts, {source: ns / max(1, all_ns) for source, ns in mean.items()}, len(ordinary), doing


def alone(parts, usual):
    """The only source with more than half; there may be two, where others have less than usual. If everything took
    longer, a source with much of what is usual has much of the rest too: it needs more than half besides."""
    most = [source for source, part in parts.items() if part > 0.5]
    return most[0] if len(most) == 1 and parts[most[0]] - usual[most[0]] > 0.5 * (1 - usual[most[0]]) else None


def who_had_the_cpu(path, log):
    """Which source had most of the CPU beyond what it has in ordinary wake-ups, and what it did. It is clear if it alone had
    more than half of it, with the time that recording events takes and without."""
    hit = log["hit"]
    found = list(stretches(path, hit["cpu"], hit["pid"]))
    parts, usual, ordinary, doing = beyond_usual(found, log, {})
    untraced, untraced_usual, _, _ = beyond_usual(found, log, recording_ns(found))
    source = max(parts, key=parts.get)
    clear = alone(parts, usual) == alone(untraced, untraced_usual) == source
    all_ns = sum(ns for (owner, _), ns in doing.items() if owner == source)
    did = {what: ns for (owner, what), ns in doing.most_common() if owner == source and ns >= 0.05 * all_ns}
    return {"kind": source[0], "source": source[1], "clear": clear, "share": round(parts[source], 3),
            "untraced_share": round(untraced[source], 3), "late_ns": hit["observed_ns"] - hit["expected_ns"],
            "ordinary": ordinary, "doing": did}


def faults(console):
    """What the module logged as the machine was switched off: by expected time."""
    if not os.path.exists(console):
        return {}
    with open(console, encoding="utf-8", errors="replace") as file:
        logged = [match for match in map(FAULT.search, file) if match]
    return {int(match[2]): {"function": match[1], "calls": int(match[3]), "spun_ns": int(match[4]),
                            "in_window_ns": int(match[5])} for match in logged}


def of_capture(path, injected):
    with open(path.removesuffix(".dat") + ".json", encoding="utf-8") as file:
        log = json.load(file)
    return {"file": path.rsplit("/", 1)[-1], **who_had_the_cpu(path, log),
            "injected": injected.get(log["hit"]["expected_ns"])}


def of_captures(paths, console=None):
    """The truth of each capture, and which source had the CPU in most of them."""
    injected = faults(console) if console else {}
    captures = [of_capture(path, injected) for path in sorted(paths)]
    sources = Counter(capture["source"] for capture in captures if capture["clear"])
    most = max(sources.values(), default=0)
    return {"leading": sorted(source for source, count in sources.items() if count == most), "in": most,
            "of": len(captures), "captures": captures}


if __name__ == "__main__":
    print(json.dumps(of_captures(sys.argv[1:]), indent=1))

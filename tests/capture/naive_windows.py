# SPDX-License-Identifier: GPL-3.0-or-later
# The naive reference, second part: the marker, the sleeps of the measured task, and the windows.

import re
from dataclasses import dataclass

from naive import is_function, task_of
from naive_placement import Placement, is_way_back

MARKER = re.compile(r"hit latency threshold \((\d+) > (\d+)\)")


@dataclass
class Marker:
    ts: int
    pid: int
    cpu: int
    latency_ns: int
    threshold_ns: int
    text: str


@dataclass
class Sleep:
    start: int
    end: int
    cpu: int
    timer: int = 0
    wake: int = 0


@dataclass
class Window:
    kind: str
    cpu: int
    start: int
    end: int
    uncertain: int = 0

    def latency(self):
        return self.end - self.start

    def clip(self, start, end):
        return max(0, min(end, self.end) - max(start, self.start))


def find_marker(cpus):
    found = []
    for cpu, events in cpus.items():
        for position, event in enumerate(events):
            match = MARKER.search(event.text) if event.kind == "print" else None
            if match:
                found.append((event.ts, cpu, position, event, match))
    if not found:
        return None
    ts, cpu, _, event, match = min(found, key=lambda item: item[:3])
    return Marker(ts, event.pid, cpu, int(match[1]) * 1000, int(match[2]) * 1000, event.text)


def sleeps(capture, task):
    """In the order in which they end."""
    found = []
    for epoch in capture.epochs.get(task, []):
        cpu_of = {id(event): visit.cpu for visit in epoch.visits for event in visit.events}
        calls = [call for call in capture.calls if call.epoch is epoch and call.depth == 0]
        for i, call in enumerate(calls):
            if not call.absences or call.exit_event is None or call.without_entry:
                continue
            last = call
            for following in calls[i + 1:]:
                if following.exit_event is None or not is_way_back(capture.functions(following.func)[0]):
                    break
                last = following
            found.append(Sleep(call.start, last.exit_event.ts, cpu_of[id(last.exit_event)]))
    return sorted(found, key=lambda sleep: (sleep.end, sleep.start))


def find_windows(capture, marker, period):
    """The outlier window first, then the ordinary ones in order of time; none if its CPU or its place is not known."""
    if not any(map(is_function, capture.cpus.get(marker.cpu, ()))):
        return []
    all_sleeps = sleeps(capture, task_of(marker, marker.cpu))
    before = [sleep for sleep in all_sleeps if sleep.end <= marker.ts]
    long_enough = [sleep for sleep in before if marker.ts - sleep.start >= marker.latency_ns]
    if not before:
        return []
    hit = (long_enough or before)[-1]
    placement = Placement(capture, marker, period, all_sleeps, hit, Window)
    start, uncertain = placement.place(task_of(marker, marker.cpu))
    if uncertain >= marker.latency_ns:
        return []
    outlier = Window("outlier", hit.cpu, start, start + marker.latency_ns, uncertain)
    return [outlier] + [window for window, _ in placement.ordinary(start, all_sleeps)]

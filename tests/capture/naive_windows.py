# SPDX-License-Identifier: GPL-3.0-or-later
# The naive reference, second part: the marker, the sleeps of the measured task, the windows, and what they cost.

import re
from collections import Counter, defaultdict
from dataclasses import dataclass

from naive import Frame, task_of
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


@dataclass
class Cost:
    calls: int = 0
    self_ns: int = 0
    tracing: int = 0
    total: int = 0
    longest: int = 0
    truncated: int = 0


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
    """The outlier window first, then the ordinary ones in order of time."""
    all_sleeps = sleeps(capture, task_of(marker, marker.cpu))
    before = [sleep for sleep in all_sleeps if sleep.end <= marker.ts]
    long_enough = [sleep for sleep in before if marker.ts - sleep.start >= marker.latency_ns]
    if not before:
        return []
    hit = (long_enough or before)[-1]
    placement = Placement(capture, marker, period, all_sleeps, hit, Window)
    start, uncertain = placement.place(task_of(marker, marker.cpu))
    outlier = Window("outlier", hit.cpu, start, start + marker.latency_ns, uncertain)
    return [outlier] + [window for window, _ in placement.ordinary(start, all_sleeps)]


def clipped(capture, window):
    """(stretch, its length in the window, its tracing there)"""
    for stretch in capture.stretches.get(window.cpu, []):
        length = window.clip(stretch.start, stretch.end)
        if length > 0:
            yield stretch, length, min(length, stretch.floor)


def identity(capture, owner):
    return capture.functions(owner.func) if isinstance(owner, Frame) else (owner, "", 0)


def frames_in(capture, window):
    """The frames open in a stretch of the window, and those entered in it."""
    frames = {id(frame): frame for stretch, _, _ in clipped(capture, window) for frame in stretch.open_frames}
    entered = {id(event) for event in capture.cpus.get(window.cpu, ())
               if window.start <= event.ts < window.end}
    frames.update((id(call), call) for call in capture.calls if id(call.entry_event) in entered)
    return frames.values()


def window_costs(capture, window):
    """(context, function) -> Cost"""
    costs = defaultdict(Cost)
    for stretch, length, tracing in clipped(capture, window):
        cost = costs[stretch.context, identity(capture, stretch.owner)]
        cost.self_ns += length
        cost.tracing += tracing
        if not isinstance(stretch.owner, Frame):
            cost.total += length
        if stretch.owner != "[not captured]":
            cost.longest = max(cost.longest, length)
    for frame in frames_in(capture, window):
        cost = costs[frame.context, identity(capture, frame)]
        cost.calls += 1
        cost.truncated += frame.truncated
        if frame.outermost:
            cost.total += window.clip(frame.start, frame.end)
    return dict(costs)


def window_tracing(capture, window):
    return sum(tracing for _, _, tracing in clipped(capture, window))


def stall(capture, window):
    """(start, length, context, function) of the longest stretch in which something known ran, or None."""
    found = [(length, max(stretch.start, window.start), stretch) for stretch, length, _ in clipped(capture, window)
             if stretch.owner != "[not captured]"]
    if not found:
        return None
    length, start, stretch = max(found, key=lambda item: (item[0], -item[1]))
    return start, length, stretch.context, identity(capture, stretch.owner)


def ordinary_costs(capture, windows):
    """(context, function) -> the sums over the ordinary windows, by column."""
    sums = defaultdict(lambda: defaultdict(int))
    spreads = defaultdict(lambda: defaultdict(list))
    for window in windows:
        latency = window.latency()
        untraced = latency - window_tracing(capture, window)
        for key, cost in window_costs(capture, window).items():
            intrinsic = cost.self_ns - cost.tracing
            for column, value in (("windows", 1), ("calls", cost.calls), ("calls_squared", cost.calls ** 2),
                                  ("self_ns", cost.self_ns), ("self_squared", cost.self_ns ** 2),
                                  ("self_latency", cost.self_ns * latency), ("tracing_ns", cost.tracing),
                                  ("intrinsic_squared", intrinsic ** 2),
                                  ("intrinsic_untraced", intrinsic * untraced)):
                sums[key][column] += value
            for name, value in (("untraced", intrinsic), ("calls", cost.calls), ("stretch", cost.longest)):
                column = f"{name}_max" if name == "calls" else f"{name}_max_ns"
                sums[key][column] = max(sums[key][column], value)
                spreads[key][f"{name}_spread"].append(value)
    for key, values in spreads.items():
        sums[key].update((column, packed_spread(found)) for column, found in values.items())
    return sums


def packed_spread(values):
    """The manual's description of spreads as code."""
    counts = Counter(value if value < 16 else 8 * shift_of(value) + (value >> shift_of(value)) for value in values)
    packed, before = bytearray(), 0
    for bucket in sorted(counts):
        for number in (bucket - before, counts[bucket]):
            while number > 127:
                packed.append(number & 127 | 128)
                number >>= 7
            packed.append(number)
        before = bucket
    return packed.hex()


def shift_of(value):
    return value.bit_length() - 4

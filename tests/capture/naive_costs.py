# SPDX-License-Identifier: GPL-3.0-or-later
# The naive reference, third part: what ran in windows, by its path in the tree of calls. A path is (context, source,
# functions from the source on); that of a source has no functions.

from collections import Counter, defaultdict
from dataclasses import dataclass

from naive import Frame

LEVELS = 64
NO_NAME = "unnamed task"


@dataclass
class Cost:
    calls: int = 0
    self_ns: int = 0
    tracing: int = 0
    total: int = 0
    longest: int = 0
    truncated: int = 0


def clipped(capture, window):
    """(stretch, its length in the window, its tracing there)"""
    for stretch in capture.stretches.get(window.cpu, []):
        length = window.clip(stretch.start, stretch.end)
        if length > 0:
            yield stretch, length, min(length, stretch.floor)


def identity(capture, owner):
    return capture.functions(owner.func) if isinstance(owner, Frame) else (owner, "", 0)


def label(function):
    """As the manual shows functions: the second of a name is NAME#2, and its module follows."""
    name, module, ordinal = function
    return name + (f"#{ordinal + 1}" if ordinal else "") + (f" [{module}]" if module else "")


# Paths

def command(capture, pid):
    return "idle" if pid == 0 else capture.comms.get(pid, NO_NAME)


def chain(frame):
    """The calls from its source on: @frame and those that it was made by, as far as they have its context."""
    found = [frame]
    while found[0].caller is not None and found[0].caller.context == frame.context:
        found.insert(0, found[0].caller)
    return found


def path_of(capture, frame):
    calls = chain(frame)
    functions = tuple(identity(capture, call) for call in calls)
    source = command(capture, frame.pid)
    if frame.context != capture.own_context(frame.pid):
        known_by = calls[0].known_by
        source = frame.context
        if source == "hardirq":
            source = label(functions[0] if known_by is None else capture.functions(known_by))
    if len(functions) > LEVELS:
        functions = functions[:LEVELS - 1] + functions[-1:]
    return frame.context, source, functions


def owner_path(capture, stretch):
    if isinstance(stretch.owner, Frame):
        return path_of(capture, stretch.owner)
    source = stretch.owner if stretch.owner == "[not captured]" else command(capture, stretch.pid)
    return stretch.context, source, (identity(capture, stretch.owner),)


def above(path):
    """The paths of all nodes above, that of the source first."""
    context, source, functions = path
    return [(context, source, functions[:depth]) for depth in range(len(functions))]


def is_recursive(path):
    return bool(path[2]) and path[2][-1] in path[2][:-1]


# Windows

def frames_in(capture, window):
    """The frames open in a stretch of the window, and those entered in it."""
    frames = {id(frame): frame for stretch, _, _ in clipped(capture, window) for frame in stretch.open_frames}
    entered = {id(event) for event in capture.cpus.get(window.cpu, ())
               if window.start <= event.ts < window.end}
    frames.update((id(call), call) for call in capture.calls if id(call.entry_event) in entered)
    return frames.values()


def window_costs(capture, window):
    """path -> Cost, without what is below it"""
    costs = defaultdict(Cost)
    for stretch, length, tracing in clipped(capture, window):
        cost = costs[owner_path(capture, stretch)]
        cost.self_ns += length
        cost.tracing += tracing
        if not isinstance(stretch.owner, Frame):
            cost.total += length
        if stretch.owner != "[not captured]":
            cost.longest = max(cost.longest, length)
    for frame in frames_in(capture, window):
        cost = costs[path_of(capture, frame)]
        cost.calls += 1
        cost.truncated += frame.truncated
        cost.total += window.clip(frame.start, frame.end)
    for path in list(costs):
        for other in above(path):
            costs[other].calls += 0
    return dict(costs)


def part_costs(costs):
    """(context, function) -> Cost, of the costs by path"""
    parts = defaultdict(Cost)
    for path, cost in costs.items():
        if path[2]:
            part = parts[path[0], path[2][-1]]
            for column in ("calls", "self_ns", "tracing", "truncated"):
                setattr(part, column, getattr(part, column) + getattr(cost, column))
            part.total += 0 if is_recursive(path) else cost.total
            part.longest = max(part.longest, cost.longest)
    return dict(parts)


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


# Ordinary windows

def ordinary_nodes(capture, windows):
    """path -> the sums over the ordinary windows, by column"""
    sums = defaultdict(Counter)
    for costs in (window_costs(capture, window) for window in windows):
        with_callees = Counter()
        for path, cost in costs.items():
            with_callees.update({there: cost.self_ns - cost.tracing for there in (path, *above(path))})
        for path, cost in costs.items():
            row = sums[path]
            row.update({"windows": 1, "calls": cost.calls, "self_ns": cost.self_ns, "tracing_ns": cost.tracing})
            row["calls_max"] = max(row["calls_max"], cost.calls)
            row["with_callees_max_ns"] = max(row["with_callees_max_ns"], with_callees[path])
    return sums


def ordinary_parts(capture, windows):
    """(context, function) -> what is known of it besides, by column"""
    sums, untraced = defaultdict(Counter), defaultdict(list)
    for window in windows:
        window_untraced = window.latency() - window_tracing(capture, window)
        for key, cost in part_costs(window_costs(capture, window)).items():
            own, row = cost.self_ns - cost.tracing, sums[key]
            untraced[key].append(own)
            row.update({"windows": 1, "intrinsic_squared": own ** 2, "intrinsic_untraced": own * window_untraced})
            row["calls_max"] = max(row["calls_max"], cost.calls)
            row["stretch_max_ns"] = max(row["stretch_max_ns"], cost.longest)
    return {key: {**row, "untraced_max_ns": max(untraced[key]), "untraced_spread": packed_spread(untraced[key])}
            for key, row in sums.items()}


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

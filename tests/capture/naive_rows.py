# SPDX-License-Identifier: GPL-3.0-or-later
# The naive reference, last part: the rows that the study must have for a capture, by table, as dicts of column values.
# Functions are given as function, module and ordinal instead of the study's numbers, nodes as their path.

from collections import Counter, defaultdict

from naive import KINDS, Capture, is_function
from naive_costs import is_recursive, ordinary_nodes, ordinary_parts, part_costs, stall, window_costs, window_tracing
from naive_sections import sections
from naive_windows import find_marker, find_windows


class Symbols:
    """Names of addresses: the nearest symbol at or below. Ordinal: which of the equally named ones, by address."""

    def __init__(self, symbols):
        self.names, self.found, seen = [], {}, Counter()
        for address, name, module in sorted(symbols):
            self.names.append((address, (name, module, seen[name, module])))
            seen[name, module] += 1

    def __call__(self, address):
        if address not in self.found:
            self.found[address] = max((item for item in self.names if item[0] <= address), key=lambda item: item[0])[1]
        return self.found[address]


def function_columns(identity):
    return dict(zip(("function", "module", "ordinal"), identity))


def node_columns(path):
    return {"path": path, "depth": len(path[2]), "recursive": int(is_recursive(path))}


def event_name(event, layout):
    name = layout.event_name(event)
    if name == "unknown":
        return "unknown:1999"
    return ("sched:" if name.startswith("sched_") else "ftrace:") + name


def losses(events):
    """What was lost before a CPU's first event is its overwritten head, not a loss within the capture."""
    return [max(1, event.lost) for event in events[1:] if event.lost is not None]


def rows(trace, period, instance=""):
    """What the study must contain for @trace (a TraceFile), by table."""
    cpus = {cpu: events for cpu, events in trace.instances[instance].items() if events}
    overruns = trace.overruns if instance == trace.overruns_of else {}
    marker = find_marker(cpus)
    capture = Capture(cpus, Symbols(trace.symbols), marker and marker.pid, trace.cmdlines)
    windows = find_windows(capture, marker, period) if marker else []
    tables = {"capture": [capture_row(capture, trace, marker, windows, overruns)],
              "capture_cpu": cpu_rows(capture, overruns),
              "capture_event": event_rows(capture, trace), "capture_function": function_rows(capture),
              "window": [window_row(capture, trace, marker, window) for window in windows],
              "outlier_node": [], "ordinary_node": [], "ordinary_part": [], "stall": [],
              "section": sections(capture, windows[0] if windows else None)}
    if windows:
        tables["outlier_node"] = outlier_rows(capture, windows[0])
        tables["ordinary_node"] = [{**node_columns(path), **sums} for path, sums in
                                   ordinary_nodes(capture, windows[1:]).items()]
        tables["ordinary_part"] = [{"context": context, **function_columns(function), **sums} for
                                   (context, function), sums in ordinary_parts(capture, windows[1:]).items()]
        tables["stall"] = stall_rows(capture, windows[0])
    return tables


def capture_row(capture, trace, marker, windows, overruns):
    events = [event for cpu in capture.events.values() for event in cpu]
    return {"first_ns": min(event.ts for event in events), "last_ns": max(event.ts for event in events),
            "events": len(events), "function_events": sum(map(is_function, events)),
            "lost_events": sum(sum(losses(cpu)) for cpu in capture.events.values()),
            "overwritten_events": sum(overruns.values()),
            "truncated_calls": sum(call.truncated for call in capture.calls),
            "ordinary_windows": max(0, len(windows) - 1), "trigger_ns": marker and marker.threshold_ns,
            "clock": trace.clock, "file_version": trace.version, "folded_calls": 0, "complete": 1}


def cpu_rows(capture, overruns):
    return [{"cpu": cpu, "events": len(events), "first_ns": events[0].ts, "last_ns": events[-1].ts,
             "losses": len(losses(events)), "lost_events": sum(losses(events)),
             "overwritten_events": overruns.get(cpu, 0),
             **{f"{kind}_floor_ns": capture.floors[cpu][kind] for kind in KINDS}}
            for cpu, events in capture.events.items()]


def event_rows(capture, trace):
    counts = Counter(event_name(event, trace.layout) for events in capture.events.values() for event in events)
    return [{"event": name, "count": count} for name, count in counts.items()]


def function_rows(capture):
    sums = defaultdict(Counter)
    for call in capture.calls:
        sums[capture.functions(call.func)].update(
            {"calls": 1, "self_ns": call.self_ns, "tracing_ns": call.tracing, "total_ns": call.total(),
             "off_cpu_ns": call.off_cpu if call.outermost else 0, "truncated": call.truncated})
    columns = ("calls", "self_ns", "tracing_ns", "total_ns", "off_cpu_ns", "truncated")
    return [{**function_columns(function), **{column: sum_[column] for column in columns}}
            for function, sum_ in sums.items()]


def window_row(capture, trace, marker, window):
    parts = part_costs(window_costs(capture, window))
    not_captured = sum(cost.self_ns for (_, function), cost in parts.items() if function[0] == "[not captured]")
    return {"kind": window.kind, "cpu": window.cpu, "pid": marker.pid, "comm": trace.cmdlines.get(marker.pid, ""),
            "start_ns": window.start, "end_ns": window.end, "latency_ns": window.latency(),
            "tracing_ns": window_tracing(capture, window), "not_captured_ns": not_captured,
            "uncertain_ns": window.uncertain}


def outlier_rows(capture, window):
    return [{**node_columns(path), "calls": cost.calls, "self_ns": cost.self_ns, "tracing_ns": cost.tracing,
             "total_ns": cost.total, "longest_stretch_ns": cost.longest, "truncated": cost.truncated}
            for path, cost in window_costs(capture, window).items()]


def stall_rows(capture, window):
    found = stall(capture, window)
    if not found:
        return []
    start, length, context, function = found
    return [{"cpu": window.cpu, "start_ns": start, "length_ns": length, "context": context,
             **function_columns(function)}]

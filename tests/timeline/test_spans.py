# SPDX-License-Identifier: GPL-3.0-or-later
# The spans of a timeline against the naive reference: of random captures, well-formed and damaged, and of real ones as
# trace-cmd reads them. CULPRIT_SEEDS says how many random ones (30).

import glob
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "capture")]

import culprit  # noqa: E402
from damage import damaged  # noqa: E402
from events import Event, entry, switch  # noqa: E402
from layouts import LAYOUTS  # noqa: E402
from naive import Capture  # noqa: E402
from naive_rows import Symbols  # noqa: E402
from naive_windows import find_marker  # noqa: E402
from streams import well_formed  # noqa: E402
from tracefile import TraceFile  # noqa: E402

SPANS = os.environ.get("TIMELINE_SPANS") or os.path.join(culprit.ROOT, "build", "tests", "timeline", "timeline-spans")
FUNCTION = 0x1000
SHAPES = [("6.1", 6, "none"), ("6.1", 7, "zstd"), ("5.10", 7, "none"), ("6.13-retaddr", 7, "zstd")]
HEAD, CUT, CONTINUED, CONTINUES = 1, 2, 4, 8
REAL = ("count-1", "switch-1", "wall-1", "wall-rt-1", "no-marker-1")


@dataclass
class Found:
    """What the program under test told of a capture. spans: with the task's lanes, whose depth is -1."""
    calls: int = 0
    error: str = ""
    spans: list = None
    gaps: list = None
    windows: list = None
    silences: list = None
    totals: dict = None
    events: list = None


@dataclass(frozen=True)
class Span:
    cpu: int
    depth: int
    start: int
    end: int
    name: str
    module: str
    context: str
    pid: int
    marks: int
    call_start: int
    call_end: int
    self_ns: int
    tracing: int
    off_cpu: int
    caller: str
    span_self: int


def read(paths):
    """path -> Found"""
    done = subprocess.run([SPANS, *paths], capture_output=True, text=True, check=True)
    found, present = {}, None
    for line in done.stdout.splitlines():
        kind, *fields = line.split("\t")
        if kind == "capture":
            present = found[fields[0]] = Found(spans=[], gaps=[], windows=[], silences=[], totals={}, events=[])
        elif kind == "calls":
            present.calls = int(fields[0])
        elif kind == "error":
            present.error = fields[0]
        elif kind == "span":
            present.spans.append(Span(*(int(field) if annotation is int else field for field, annotation in
                                        zip(fields, Span.__annotations__.values()))))
        elif kind == "silence":
            present.silences.append((*map(int, fields[:3]), fields[3]))
        elif kind == "total":
            present.totals.setdefault((int(fields[0]), int(fields[1])), {})[fields[2]] = tuple(map(int, fields[3:]))
        elif kind == "event":
            present.events.append((int(fields[0]), int(fields[1]), fields[2], fields[3], int(fields[4])))
        else:
            (present.gaps if kind == "gap" else present.windows).append(tuple(map(int, fields)))
    return found


def expected_spans(capture):
    """(cpu, depth, start, end, name, context): where a call was open while its task had the CPU, merged."""
    spans = []
    for cpu, stretches in capture.stretches.items():
        open_at = {}
        for stretch in stretches:
            present = {frame.depth: frame for frame in stretch.open_frames} if stretch.end > stretch.start else None
            if present is None:
                continue
            for depth in set(open_at) - {depth for depth, frame in present.items()
                                         if depth in open_at and open_at[depth][0] is frame}:
                frame, start = open_at.pop(depth)
                spans.append((cpu, depth, start, stretch.start, capture.functions(frame.func)[0], frame.context))
            for depth, frame in present.items():
                open_at.setdefault(depth, (frame, stretch.start))
    return Counter(spans)


def found_spans(found):
    """The same as told. A task that was away for no time at all was not away."""
    merged, last = [], None
    for span in found.spans:
        if span.depth < 0 or span.end == span.start:
            continue
        same = last and (last.cpu, last.depth, last.end, last.pid, last.call_start, last.name) == (
            span.cpu, span.depth, span.start, span.pid, span.call_start, span.name)
        if same and span.marks & CONTINUED:
            merged[-1][3] = span.end
        else:
            merged.append([span.cpu, span.depth, span.start, span.end, span.name, span.context])
        last = span
    return Counter(map(tuple, merged))


def expected_calls(capture):
    return Counter((capture.functions(call.func)[0], call.start, call.end, call.self_ns, call.tracing, call.off_cpu)
                   for call in capture.calls)


def found_calls(found):
    return Counter((span.name, span.call_start, span.call_end, span.self_ns, span.tracing, span.off_cpu)
                   for span in found.spans if span.depth >= 0 and not span.marks & CONTINUED)


def truncated_calls(found):
    """Each has its mark once: at its first span, or at its last."""
    return sum(1 for span in found.spans if span.depth >= 0 and
               (span.marks & HEAD and not span.marks & CONTINUED or span.marks & CUT and not span.marks & HEAD))


def first_difference(expected, found):
    missing, extra = expected - found, found - expected
    return f"{sum(missing.values())} missing as {sorted(missing)[:2]}, {sum(extra.values())} too many as " \
           f"{sorted(extra)[:2]}" if missing or extra else ""


def lane_problems(found):
    """Spans of a lane follow each other and stand below their caller."""
    before = {}
    for span in found.spans:
        key = span.cpu, span.depth
        if span.start < before.get(key, 0) or span.end < span.start:
            yield f"overlap at {span}"
        before[key] = span.end


def caller_problems(found):
    """Whose span a caller's is, it lies within; looked for the slow way."""
    rows = {}
    for span in found.spans:
        rows.setdefault((span.cpu, span.depth), []).append(span)
    for span in found.spans[::7]:
        above = [other for other in rows.get((span.cpu, span.depth - 1), []) if
                 other.start <= span.start and span.end <= other.end and other.end > span.start]
        if above and span.caller not in {other.name for other in above} or not above and span.caller:
            yield f"caller of {span} is not in {above}"


def expected_gaps(capture):
    gaps = Counter()
    for cpu, events in capture.cpus.items():
        for a, b in zip(events, events[1:]):
            if b.lost is not None:
                gaps[cpu, a.ts, b.ts, 1] += 1
    return gaps


def name_of(capture, owner):
    return owner if isinstance(owner, str) else capture.functions(owner.func)[0]


def expected_totals(capture, start, end):
    """name -> [calls, own time, total]: what each stretch has in the range."""
    totals, seen = {}, set()
    for stretches in capture.stretches.values():
        for stretch in stretches:
            length = min(stretch.end, end) - max(stretch.start, start)
            if length <= 0 or stretch.lost:
                continue
            if stretch.owner != "[not captured]":
                totals.setdefault(name_of(capture, stretch.owner), [0, 0, 0])[1] += length
            for name in {name_of(capture, frame) for frame in stretch.open_frames}:
                totals.setdefault(name, [0, 0, 0])[2] += length
            for frame in stretch.open_frames:
                totals[name_of(capture, frame)][0] += id(frame) not in seen
                seen.add(id(frame))
    return totals


def totals_problems(capture, found):
    """Calls of no time at all have no stretch: the reference passes them over. Names that stand at several addresses
    are several functions. Of a call at the range's edge it is not known which of its time belongs to missing ones."""
    names = Counter(name for (name, _, _) in {capture.functions(call.func) for call in capture.calls})
    for (start, end), totals in found.totals.items():
        whole = start <= min(events[0].ts for events in capture.cpus.values())
        unknown = any(stretch.owner == "[not captured]" and stretch.open_frames for stretches in
                      capture.stretches.values() for stretch in stretches)
        for name, (calls, own, total) in expected_totals(capture, start, end).items():
            if names[name] > 1 or (unknown and not whole):
                continue
            found_calls, found_own, tracing, found_total = totals.get(name, (0, 0, 0, 0))
            if found_own != own or tracing > own:
                yield f"{name} has {found_own} ns of its own ({tracing} tracing) instead of {own} in {start}..{end}"
            if not name.startswith("[") and (found_calls < calls or found_total != total):
                yield f"{name} has {found_calls} calls, {found_total} ns instead of {calls}, {total} in {start}..{end}"


def expected_events(capture):
    """Entries and exits of calls as they are in the capture, where both belong to a call that is shown."""
    events = Counter()
    for call in capture.calls:
        name = name_of(capture, call)
        for event, kind in ((call.entry_event, "entry"), (call.exit_event, "exit")):
            if event is not None:
                events[event.ts, kind, name, call.depth] += 1
    return events


def events_problems(capture, found):
    times = [event[0] for event in found.events]
    if times != sorted(times):
        yield "the events are not in order"
    yield first_difference(expected_events(capture), Counter((at, kind, name, depth) for at, _, kind, name, depth in
                                                             found.events if kind != "switch"))
    switches = Counter((visit.cpu, visit.events[0].ts) for visit in capture.visits())
    yield first_difference(switches, Counter((cpu, at) for at, cpu, kind, _, _ in found.events if kind == "switch"))

def expected_silences(capture, found):
    late = next((window for window in found.windows if window[3]), None)
    least = max((late[2] - late[1]) // 10, 10_000) if late else 100_000
    silences = []
    for cpu, stretches in capture.stretches.items():
        for stretch in stretches:
            start, end = stretch.start, stretch.end
            if stretch.lost or stretch.owner == "[not captured]":
                continue
            if stretch.context == "idle" or stretch.owner == "[user]":
                if not late or late[0] != cpu:
                    continue
                start, end = max(start, late[1]), min(end, late[2])
            if end - start >= least:
                silences.append((cpu, start, end))
    return Counter(silences)


def problems(capture, found):
    if found.error:
        yield found.error
        return
    if found.calls != len(capture.calls):
        yield f"{found.calls} calls instead of {len(capture.calls)}"
    yield from lane_problems(found)
    yield first_difference(expected_spans(capture), found_spans(found))
    yield first_difference(expected_calls(capture), found_calls(found))
    yield first_difference(expected_gaps(capture), Counter(gap for gap in found.gaps if gap[3]))
    truncated = sum(call.truncated for call in capture.calls)
    if truncated_calls(found) != truncated:
        yield f"{truncated_calls(found)} calls marked as truncated, {truncated} are"
    yield from caller_problems(found)
    yield first_difference(expected_silences(capture, found), Counter(silence[:3] for silence in found.silences))
    yield from totals_problems(capture, found)
    yield from events_problems(capture, found)


def trace_of(seed, make):
    stream = make(random.Random(seed))
    layout, version, compression = SHAPES[seed % len(SHAPES)]
    return TraceFile({"": stream.cpus}, layout=LAYOUTS[layout], version=version, compression=compression,
                     symbols=stream.symbols, cmdlines=stream.cmdlines, overruns=stream.overruns,
                     noise_seed=seed if seed % 3 else None)


class RandomTimelines(unittest.TestCase):
    def compare_all(self, make):
        different = []
        with tempfile.TemporaryDirectory() as folder:
            paths = {}
            for seed in range(int(os.environ.get("CULPRIT_SEEDS", "30"))):
                paths[seed] = os.path.join(folder, f"{seed}.dat"), trace_of(seed, make)
                paths[seed][1].write(paths[seed][0])
            found = read([path for path, _ in paths.values()])
        for seed, (path, trace) in paths.items():
            cpus = {cpu: events for cpu, events in trace.instances[""].items() if events}
            marker = find_marker(cpus)
            capture = Capture(cpus, Symbols(trace.symbols), marker and marker.pid)
            different += [f"seed {seed}: {problem}" for problem in problems(capture, found[path]) if problem]
        self.assertEqual(len(different), 0, "\n".join(different[:12]))

    def test_the_spans_of_well_formed_captures_are_the_reference_s(self):
        self.compare_all(well_formed)

    def test_the_spans_of_damaged_captures_are_the_reference_s(self):
        self.compare_all(damaged)


class Interrupted(unittest.TestCase):
    def test_calls_in_too_many_parts_are_refused(self):
        """500 open calls of a task that leaves and comes back: a hundred million spans, of a file that unpacks to a few MB."""
        events = [entry(10 ** 9 + depth, 50, FUNCTION, depth) for depth in range(500)]
        for at in range(2 * 10 ** 9, 2 * 10 ** 9 + 8_000_000, 200):
            events += [switch(at, 50, 120, 51, 120), switch(at + 100, 51, 120, 50, 120)]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.dat")
            TraceFile({"": {0: events}}, symbols=[(FUNCTION, "f", ""), (FUNCTION + 64, "end", "")]).write(path)
            found = read([path])[path]
        self.assertIn("interrupted too often to be shown", found.error)


LINE = re.compile(r"^.{8}-(\d+) +(\d+)[^x]*0x([0-9a-f]+) +(\d+)\.(\d{9}): (\w+): +(.*)$")


def number(text, field, base):
    match = re.search(rf"\b{field}=([0-9a-f]+)", text)
    return int(match[1], base) if match else 0


def of_line(match, lost):
    pid, _, flags, seconds, nanoseconds, name, text = match.groups()
    kinds = {"funcgraph_entry": "entry", "funcgraph_exit": "exit", "print": "print"}
    func = re.search(r"func=(\S+)", text)
    return Event(int(seconds) * 10**9 + int(nanoseconds), kinds.get(name, "other"), int(pid), int(flags, 16),
                 func and func[1], number(text, "depth", 10), number(text, "calltime", 16),
                 number(text, "rettime", 16), text, lost=lost)


def real_events(path):
    """CPU -> events, by trace-cmd. Functions are names; those without one are addresses."""
    done = subprocess.run(["trace-cmd", "report", "-t", "-R", "-l", "-i", path], capture_output=True, text=True,
                          errors="replace", check=True)
    cpus = {}
    for line in done.stdout.splitlines():
        match = LINE.match(line)
        if match:
            cpus.setdefault(int(match[2]), []).append(of_line(match, None))
    return cpus


def by_name(name):
    return name, "", 0


class RealTimelines(unittest.TestCase):
    def test_the_spans_of_real_captures_are_those_of_what_trace_cmd_reads(self):
        paths = {name: os.path.join(HERE, "..", "data", f"{name}.dat") for name in REAL}
        found = read(list(paths.values()))
        for name, path in paths.items():
            with self.subTest(name):
                cpus = real_events(path)
                marker = find_marker(cpus)
                capture = Capture(cpus, by_name, marker and marker.pid)
                self.assertGreater(len(capture.calls), 1000)
                self.assertEqual([problem for problem in problems(capture, found[path]) if problem], [])


class Hostile(unittest.TestCase):
    def test_a_damaged_file_is_refused_with_the_reader_s_words(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "short.dat")
            with open(os.path.join(HERE, "..", "data", "count-1.dat"), "rb") as file:
                data = file.read()
            with open(path, "wb") as file:
                file.write(data[:len(data) // 2])
            self.assertIn("short.dat", read([path])[path].error)


if __name__ == "__main__":
    unittest.main()

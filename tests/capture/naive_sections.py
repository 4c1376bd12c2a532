# SPDX-License-Identifier: GPL-3.0-or-later
# The naive reference of the times without interrupts or preemption (SECTIONS in semantics.md), from plain events: flags of
# which bit 0 says that interrupts were off, and preempt, the depth that was read.

from collections import namedtuple
from dataclasses import dataclass

from naive import CONTEXT_BITS, is_function

KINDS = ("interrupts", "preemption")
LEAST_NS = 20000
DEEPEST_PREEMPT = 15
HARD, NEED_RESCHED = 0x08, 0x04
LOCKS = ("_raw_spin_", "_raw_read_", "_raw_write_")
NOT_CAPTURED, USER = ("[not captured]", "", 0), ("[user]", "", 0)
Top = namedtuple("Top", "known depth calls")  # what a visit shows of its task's stack


@dataclass
class Section:
    """first, last: positions of its events on the CPU. opened, closed: an address and its caller's, None or "user"."""
    kind: str
    cpu: int
    first: int
    gap: int
    opened: tuple
    context: str
    last: int = -1
    closed: tuple = (None, None)


def depth_read(event):
    return event.preempt - (event.pid == 0 and event.preempt > 0)


def context_of(event):
    return next((name for bit, name in ((0x40, "nmi"), (HARD, "hardirq"), (0x10, "softirq")) if event.flags & bit), "task")


class Cpu:
    def __init__(self, cpu, events):
        self.cpu, self.events = cpu, events
        self.places = [i for i, event in enumerate(events) if is_function(event)]
        self.find_lowest()
        self.find_tops()

    def find_lowest(self):
        """What the tracer adds to the depth of entries and of exits, and from where on that is known."""
        self.lowest, self.known_from = {"entry": DEEPEST_PREEMPT, "exit": DEEPEST_PREEMPT}, 0
        for place in self.places:
            event = self.events[place]
            if depth_read(event) < self.lowest[event.kind]:
                self.lowest[event.kind], self.known_from = depth_read(event), place

    def begins_visit(self, place):
        return place == 0 or self.events[place].lost is not None or self.events[place].pid != self.events[place - 1].pid

    def find_tops(self):
        """tops[i]: after event i."""
        self.tops, top = [], Top(False, -1, {})
        for place, event in enumerate(self.events):
            if self.begins_visit(place):
                top = Top(False, -1, {})
            if is_function(event):
                calls = {depth: call for depth, call in top.calls.items() if depth <= top.depth and depth <= event.depth}
                entry = event.kind == "entry"
                if entry:
                    calls[event.depth] = event.func
                top = Top(True, event.depth - (not entry), calls)
            self.tops.append(top)

    def lost(self, before, place):
        return before is None or any(event.lost is not None for event in self.events[before + 1:place + 1])

    def held(self, place, kind):
        event = self.events[place]
        if event.pid == 0 and not event.flags & CONTEXT_BITS:
            return False
        if kind == "interrupts":
            return bool(event.flags & 1)
        return place >= self.known_from and depth_read(event) > self.lowest[event.kind]

    def hard(self, place):
        return bool(self.events[place].flags & HARD)

    @staticmethod
    def call_at(top, depth):
        if not top.known:
            return None, None
        return ("user" if depth < 0 else top.calls.get(depth)), top.calls.get(depth - 1) if depth > 0 else None

    def on_top_before(self, place):
        top = self.tops[place - 1]
        call, caller = self.call_at(top, top.depth)
        if call is None and self.events[place].kind == "exit":
            return self.events[place].func, caller
        return call, caller

    def sections(self):
        found, lasting, before = [], {}, None
        self.unnamed = None
        for place in self.places:
            event = self.events[place]
            lost = self.lost(before, place)
            interrupt = not lost and self.hard(place) and not self.hard(before)
            on_top = (None, None) if lost else self.on_top_before(place)
            gap = 0 if lost else event.ts - self.events[before].ts
            opened = (event.func, None) if interrupt else on_top
            self.name(place, lost, lasting)
            for kind in KINDS:
                goes_on, begun = self.held(place, kind), None
                if kind == "preemption" and kind in lasting and before < self.known_from <= place:
                    del lasting[kind]
                divides = interrupt and kind == "interrupts" and kind in lasting and goes_on
                if divides and self.divide_at_entry(place, before, lasting, found, opened):
                    continue
                if kind in lasting and (lost or divides or not goes_on):
                    section = lasting.pop(kind)
                    section.last, section.closed, section.gap = before, on_top, section.gap + gap
                    found.append(section)
                if goes_on and kind not in lasting:
                    begun = Section(kind, self.cpu, place, gap, opened, context_of(event))
                    lasting[kind] = begun
            if interrupt and self.held(place, "interrupts"):
                top = self.tops[place - 1]
                if event.kind == "exit" or (event.pid == 0 and top.known):
                    self.unnamed = ("next" if event.kind == "exit" else top.depth + 1)
            before = place
        for section in lasting.values():
            section.last = before
            found.append(section)
        return [section for section in found if self.length(section) >= LEAST_NS]

    def name(self, place, lost, lasting):
        """An interrupt is named after its handler."""
        if self.unnamed is None:
            return
        event, top = self.events[place], self.tops[place - 1]
        if lost or not self.hard(place) or not self.held(place, "interrupts"):
            self.unnamed = None
        elif event.kind == "exit":
            if self.unnamed != "next" and top.depth < self.unnamed:
                self.unnamed = "next"
        elif self.unnamed == "next":
            lasting["interrupts"].opened = event.func, None if lasting["interrupts"].opened[1] is None else \
                lasting["interrupts"].opened[1]
            self.unnamed = None
        elif top.depth < self.unnamed:
            self.unnamed = None

    def divide_at_entry(self, place, before, lasting, found, opened):
        """Whether the interrupt began with the entry just before its first event."""
        section, event = lasting["interrupts"], self.events[place]
        if event.kind != "exit" or before != place - 1 or self.events[before].kind != "entry" or self.begins_visit(place):
            return False
        if section.first != before:
            if self.begins_visit(before) or not is_function(self.events[before - 1]):
                return False
            gap = self.events[before].ts - self.events[before - 1].ts
            top = self.tops[before]
            section.last, section.gap, section.closed = before - 1, section.gap + gap, self.call_at(top, top.depth - 1)
            found.append(section)
            section = lasting["interrupts"] = Section("interrupts", self.cpu, before, gap, opened, "")
        section.opened, section.context = opened, context_of(event)
        return True

    def length(self, section):
        return self.events[section.last].ts - self.events[section.first].ts

    def stretches(self, section):
        return [(self.events[i], self.events[i + 1]) for i in range(section.first, section.last)]


def sections(capture, outlier):
    """The rows of table section; @outlier may be None, a window on its CPU, or one of pieces."""
    inside = getattr(outlier, "pieces", None) or ([outlier] if outlier else [])
    cpus = [Cpu(cpu, events) for cpu, events in sorted(capture.events.items())]
    lowest = {kind: min(cpu.lowest[kind] for cpu in cpus) for kind in ("entry", "exit")}

    def function(call):
        address, caller = call
        if address is None:
            return NOT_CAPTURED
        if address == "user":
            return USER
        named = capture.functions(address)
        return capture.functions(caller) if caller is not None and named[0].startswith(LOCKS) else named

    sums = {}
    for cpu in cpus:
        for section in cpu.sections():
            if section.kind == "preemption" and cpu.lowest != lowest:
                continue
            key = section.kind, section.context, function(section.opened), function(section.closed)
            sum_ = sums.setdefault(key, {column: 0 for column in (
                "count", "held_ns", "tracing_ns", "longest_ns", "longest_tracing_ns", "outlier_ns", "outlier_tracing_ns",
                "waits", "longest_wait_ns", "longest_wait_tracing_ns")})
            add(sum_, capture, cpu, section, inside)
    return [{"kind": kind, "context": context, "opened": opened, "closed": closed, **sum_}
            for (kind, context, opened, closed), sum_ in sums.items()]


def add(sum_, capture, cpu, section, pieces):
    length, tracing = cpu.length(section), 0
    wanted = next((i for i in range(section.first, section.last) if is_function(cpu.events[i]) and
                   cpu.events[i].flags & NEED_RESCHED), section.last)
    wait, wait_tracing = cpu.events[section.last].ts - cpu.events[wanted].ts, 0
    for place, (one, two) in enumerate(cpu.stretches(section), section.first):
        floor = capture.floors[cpu.cpu][f"{one.kind}_{two.kind}"] if is_function(one) and is_function(two) else 0
        tracing += floor
        wait_tracing += floor if place >= wanted else 0
        for piece in pieces:
            inside = max(0, min(two.ts, piece.end) - max(one.ts, piece.start)) if piece.cpu == cpu.cpu else 0
            sum_["outlier_ns"] += inside
            sum_["outlier_tracing_ns"] += min(inside, floor)
    tracing = min(tracing, length)
    wait_tracing = min(wait_tracing, wait)
    sum_["waits"] += wait > 0
    if wait - wait_tracing > sum_["longest_wait_ns"] - sum_["longest_wait_tracing_ns"] or (wait and sum_["waits"] == 1):
        sum_.update(longest_wait_ns=wait, longest_wait_tracing_ns=wait_tracing)
    sum_["count"] += 1
    sum_["held_ns"] += length
    sum_["tracing_ns"] += tracing
    if sum_["count"] == 1 or length - tracing > sum_["longest_ns"] - sum_["longest_tracing_ns"]:
        sum_.update(longest_ns=length, longest_tracing_ns=tracing, longest_gap_ns=section.gap,
                    longest_start_ns=cpu.events[section.first].ts, longest_cpu=cpu.cpu)

# SPDX-License-Identifier: GPL-3.0-or-later
# The naive reference: from plain events to calls, stretches and floors, in the most obvious way, as described in
# semantics.md. Slow on purpose. Windows are in naive_windows.py, their costs in naive_costs.py, the rows of the study
# in naive_rows.py.

from dataclasses import dataclass, field

from events import Event

CONTEXT_BITS = 0x40 | 0x08 | 0x10
DEEPEST = 511
FLOOR_LIMIT = 65536
MOST_AHEAD = 200
BEGINNINGS = ("irq_enter", "irq_enter_rcu", "tick_irq_enter")
ENDINGS = ("irq_exit", "irq_exit_rcu")
KINDS = ("entry_entry", "entry_exit", "exit_entry", "exit_exit")


@dataclass(eq=False)
class Frame:
    """A call of either sort. outermost: no other frame of its function is below it. caller: the nearest known frame
    below it."""
    func: object
    start: int
    context: str
    depth: int
    epoch: object
    pid: int = 0
    caller: object = None
    head: bool = False
    outermost: bool = True
    truncated: bool = False
    end: int = None
    off_cpu: int = 0
    self_ns: int = 0
    tracing: int = 0
    absences: int = 0
    known_by: object = None  # the first call of a hard interrupt: the function that this is known by
    entry_event: object = None
    exit_event: object = None
    without_entry: bool = False

    def total(self):
        return self.end - self.start if self.outermost else 0


@dataclass(eq=False)
class Visit:
    cpu: int
    events: list
    after: object = None
    lost_before: bool = False
    before: object = None

    def left_ns(self):
        """When its task left the CPU: when another task shows, else at its last event there."""
        if self.after is not None and self.after.lost is None:
            return self.after.ts
        return self.events[-1].ts


@dataclass(eq=False)
class Epoch:
    """A part of a task's life during which the depth is known. frames: open now, by depth."""
    visits: list = field(default_factory=list)
    frames: dict = field(default_factory=dict)
    top: int = -1
    handler: object = None  # the function that the last interrupt is known by
    initial_outermost: object = None


@dataclass(eq=False)
class Stretch:
    """owner is a Frame or the name of a pseudo function; open_frames the known frames of its task."""
    cpu: int
    start: float
    end: float
    context: str
    pid: int
    owner: object
    open_frames: list
    floor: int = 0
    lost: bool = False


def is_function(event):
    return event.kind in ("entry", "exit") and 0 <= event.depth <= DEEPEST


def task_of(event, cpu):
    return (0, cpu) if event.pid == 0 else event.pid


def with_arrivals(events):
    """The events of a CPU, and the arrivals of tasks that came unseen."""
    found, next_pid, depth = [], None, -1
    for event in events:
        if found and event.lost is None and event.pid != found[-1].pid:
            pid = None
            outside = not event.flags & CONTEXT_BITS
            if next_pid is not None:
                inside = is_function(event) and (event.kind == "exit" or event.depth > 0)
                pid = None if inside and outside and event.pid == next_pid else next_pid
            elif not outside and depth >= 0:
                pid = event.pid
            if pid is not None:
                found.append(Event(found[-1].ts, "arrival", pid))
        if not found or event.lost is not None or event.pid != found[-1].pid or found[-1].kind == "arrival":
            next_pid, depth = None, -1
        if is_function(event):
            depth = event.depth - (event.kind == "exit")
        if event.kind == "switch" and event.priorities[1] != event.pid:
            next_pid = event.priorities[1]
        found.append(event)
    return found


class Capture:
    """The meaning of one buffer instance's events. @functions maps an address to an identity (name, module,
    ordinal), @comms a task's number to its command."""

    def __init__(self, cpus, functions, measured=None, comms=None):
        self.events = {cpu: events for cpu, events in cpus.items() if events}
        self.cpus = {cpu: with_arrivals(events) for cpu, events in self.events.items()}
        self.functions, self.measured, self.comms = functions, measured, comms or {}
        self.calls, self.after, self.epochs = [], {}, {}
        self.find_epochs()
        self.walk()
        self.floors = {cpu: self.cpu_floors(events) for cpu, events in self.cpus.items()}
        self.stretches = {cpu: self.cpu_stretches(cpu, events) for cpu, events in self.cpus.items()}
        self.share_out_stretches()

    # Contexts

    def own_context(self, pid):
        return "idle" if pid == 0 else "measured" if pid == self.measured else "task"

    def context(self, event):
        for bit, name in ((0x40, "nmi"), (0x08, "hardirq"), (0x10, "softirq")):
            if event.flags & bit:
                return name
        return self.own_context(event.pid)

    # Visits and epochs

    def visits(self):
        found = []
        for cpu, events in sorted(self.cpus.items()):
            last = None
            for event in events:
                if last is None or event.pid != last.events[0].pid or event.lost is not None:
                    if last is not None:
                        last.after = event
                    last = Visit(cpu, [event], before=last and last.events[-1],
                                 lost_before=last is not None and event.lost is not None)
                    found.append(last)
                else:
                    last.events.append(event)
        return sorted(found, key=lambda visit: visit.events[0].ts)

    def find_epochs(self):
        """self.steps: what happens, in order: ("loss", epochs it ends, ts) and ("visit", visit, its epoch)."""
        self.steps, current, seen_on = [], {}, {}
        for visit in self.visits():
            if visit.lost_before:
                ended = [task for task, cpu in seen_on.items() if cpu == visit.cpu and task in current]
                self.steps.append(("loss", [current.pop(task) for task in ended], visit.before.ts))
            task = task_of(visit.events[0], visit.cpu)
            if task not in current:
                current[task] = Epoch()
                self.epochs.setdefault(task, []).append(current[task])
            current[task].visits.append(visit)
            seen_on[task] = visit.cpu
            self.steps.append(("visit", visit, current[task]))
        self.last_epochs = current

    # The stacks

    def place_heads(self, epoch):
        """The calls that were running when the epoch began, and the depth it began at."""
        events = [event for visit in epoch.visits for event in visit.events if is_function(event)]
        if not events:
            return
        epoch.top = events[0].depth - (events[0].kind == "entry")
        lowest = DEEPEST + 1
        for event in events:
            if event.kind == "exit" and event.depth < lowest:
                epoch.frames[event.depth] = Frame(event.func, self.dated_start(event), self.context(event),
                                                  event.depth, epoch, event.pid, head=True, truncated=True)
            lowest = min(lowest, event.depth)
        first = epoch.visits[0]
        for frame in epoch.frames.values():
            frame.outermost = self.is_outermost(epoch, frame.func, frame.depth)
            frame.caller = self.caller(epoch, frame.depth)
            frame.absences = int(first.before is not None and not first.lost_before)
        epoch.initial_outermost = epoch.frames.get(0)

    @staticmethod
    def dated_start(event):
        return max(0, event.ts - max(0, event.rettime - event.calltime))

    def is_outermost(self, epoch, func, depth):
        return not any(frame.depth < depth and self.functions(frame.func) == self.functions(func)
                       for frame in epoch.frames.values())

    @staticmethod
    def caller(epoch, depth):
        below = [frame for frame in epoch.frames.values() if frame.depth < depth]
        return max(below, key=lambda frame: frame.depth, default=None)

    def close(self, epoch, lowest_depth, ts, truncated):
        for depth in [depth for depth in epoch.frames if depth >= lowest_depth]:
            frame = epoch.frames.pop(depth)
            frame.end = max(ts, frame.start)
            frame.truncated = frame.truncated or truncated
            self.calls.append(frame)

    def enter(self, epoch, event):
        self.close(epoch, event.depth, event.ts, truncated=True)
        outermost = self.is_outermost(epoch, event.func, event.depth)
        epoch.frames[event.depth] = Frame(event.func, event.ts, self.context(event), event.depth, epoch, event.pid,
                                          self.caller(epoch, event.depth), outermost=outermost, entry_event=event)
        epoch.top = event.depth

    def exit(self, epoch, event):
        frame = epoch.frames.get(event.depth)
        if event.depth <= epoch.top and frame is not None and frame.func == event.func:
            self.close(epoch, event.depth + 1, event.ts, truncated=True)
            self.close(epoch, event.depth, event.ts, truncated=False)
            frame.exit_event = event
        else:
            self.close(epoch, event.depth, event.ts, truncated=True)
            outermost = self.is_outermost(epoch, event.func, event.depth)
            self.calls.append(Frame(event.func, self.dated_start(event), self.context(event), event.depth,
                                    epoch, event.pid, outermost=outermost, truncated=True, end=event.ts, exit_event=event,
                                    without_entry=True))
        epoch.top = event.depth - 1

    @staticmethod
    def be_away(epoch, left, back):
        for frame in epoch.frames.values():
            frame.off_cpu += max(0, back - left)

    def walk(self):
        """after[id of an event]: the depth and the open frames of its task just after it."""
        last_visit = {}
        for epoch in (epoch for epochs in self.epochs.values() for epoch in epochs):
            self.place_heads(epoch)
        for step, subject, detail in self.steps:
            if step == "loss":
                for epoch in subject:
                    self.finish(epoch, last_visit[epoch], detail)
                continue
            visit, epoch = subject, detail
            before = last_visit.get(epoch)
            if before is not None:
                self.be_away(epoch, before.left_ns(), visit.events[0].ts)
                for frame in epoch.frames.values():
                    frame.absences += 1
            last_visit[epoch] = visit
            for i, event in enumerate(visit.events):
                if is_function(event):
                    (self.enter if event.kind == "entry" else self.exit)(epoch, event)
                if is_function(event) and event.kind == "entry":
                    self.attribute(epoch, epoch.frames[event.depth], visit.events[i + 1:i + 1 + MOST_AHEAD])
                self.after[id(event)] = (epoch.top, dict(epoch.frames))
        for epoch in self.last_epochs.values():
            visit = last_visit[epoch]
            self.finish(epoch, visit, self.cpus[visit.cpu][-1].ts)

    def attribute(self, epoch, frame, ahead):
        """Finds which interrupt a call belongs to that nothing of one has called."""
        if frame.context != "hardirq" or (frame.caller is not None and frame.caller.context == "hardirq"):
            return
        name = self.functions(frame.func)[0]
        work = next((event for event in ahead if is_function(event) and event.kind == "entry" and event.depth <= frame.depth), None)
        if name in BEGINNINGS and work is not None and work.flags & 0x08:
            epoch.handler = work.func
        elif name not in ENDINGS or epoch.handler is None:
            epoch.handler = frame.func
        frame.known_by = epoch.handler
        if name in ENDINGS:
            epoch.handler = None

    def finish(self, epoch, visit, ts):
        """The epoch ends at @ts, while its task may be off the CPU."""
        self.be_away(epoch, visit.left_ns(), ts)
        self.close(epoch, 0, ts, truncated=True)

    # Stretches and the tracer's cost

    @staticmethod
    def kind(first, second):
        if second.lost is not None or not is_function(first) or not is_function(second):
            return None
        return f"{first.kind}_{second.kind}"

    def cpu_floors(self, events):
        floors = {}
        for kind in KINDS:
            lengths = sorted(b.ts - a.ts for a, b in zip(events, events[1:])
                             if self.kind(a, b) == kind and a.pid == b.pid
                             and a.flags & CONTEXT_BITS == b.flags & CONTEXT_BITS)
            value = lengths[len(lengths) // 100] if len(lengths) >= 100 else 0
            floors[kind] = value if value < FLOOR_LIMIT else 0
        return floors

    def owner(self, first, second):
        """(owner, context, open frames) of the time between two events of a CPU."""
        own = self.own_context(first.pid)
        top, frames = self.after[id(first)]
        if second.lost is not None:
            return "[not captured]", own, []
        if top in frames:
            return frames[top], frames[top].context, list(frames.values())
        if top >= 0:
            return "[not captured]", own, list(frames.values())
        return ("[idle]" if first.pid == 0 else "[user]"), own, list(frames.values())

    def cpu_stretches(self, cpu, events):
        """All time of a CPU, from minus to plus infinity."""
        first, last = events[0], events[-1]
        found = [Stretch(cpu, float("-inf"), first.ts, self.own_context(first.pid), first.pid, "[not captured]", [])]
        for a, b in zip(events, events[1:]):
            owner, context, frames = self.owner(a, b)
            floor = self.floors[cpu].get(self.kind(a, b), 0)
            found.append(Stretch(cpu, a.ts, b.ts, context, a.pid, owner, frames, floor, b.lost is not None))
        found.append(Stretch(cpu, last.ts, float("inf"), self.own_context(last.pid), last.pid, "[not captured]", []))
        return found

    def following(self, visit):
        """The events of the visit, each with the stretch that it begins; None after the CPU's last."""
        events, stretches = self.cpus[visit.cpu], self.stretches[visit.cpu]
        place = next(i for i, event in enumerate(events) if event is visit.events[0])
        for i in range(place, place + len(visit.events)):
            yield events[i], stretches[i + 1] if i + 1 < len(events) else None

    def share_out_stretches(self):
        for stretches in self.stretches.values():
            for stretch in stretches:
                if isinstance(stretch.owner, Frame):
                    length = stretch.end - stretch.start
                    stretch.owner.self_ns += length
                    stretch.owner.tracing += min(length, stretch.floor)

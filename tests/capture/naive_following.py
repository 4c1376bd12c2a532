# SPDX-License-Identifier: GPL-3.0-or-later
# The naive reference for windows of tasks: where a thread is at any time, by looking at all events again for each
# question, and wake-ups and responses from that; then what ran in each window's pieces. The definitions are those of
# culprit-study(5).

from collections import defaultdict
from dataclasses import dataclass

from naive import CONTEXT_BITS, Capture
from naive_costs import clipped, command, identity, owner_path

STATES, ASLEEP = 0xff, 1  # of prev_state: what is not runnable, and S


@dataclass
class Window:
    start: int
    end: int
    pid: int
    cpu: int = 0
    pieces: list = None  # of Piece

    def latency(self):
        return self.end - self.start


@dataclass
class Piece:
    cpu: object  # None: blocked
    start: int
    end: int
    waker: str = ""
    path: tuple = ()

    def clip(self, start, end):
        return max(0, min(end, self.end) - max(start, self.start))


class Thread:
    def __init__(self, trace, pid, functions):
        self.pid = pid
        self.cpus = trace.instances[""]
        self.capture = Capture(self.cpus, functions, pid, trace.cmdlines)
        self.all = sorted(((event.ts, cpu, event) for cpu, events in self.cpus.items() for event in events),
                          key=lambda item: item[0])
        self.about = [item for item in self.all if self.what(item[2])]
        self.wakings = [item[0] for item in self.about if self.what(item[2]) == "woken"]
        self.about = [item for item in self.about if self.what(item[2]) != "woken" or self.sleeps(item[0])]
        self.timers = [item for item in self.all if item[2].kind in ("timer", "cancel") and item[2].pid == pid and
                       not item[2].flags & CONTEXT_BITS]
        self.all_wakes = list(self.wakes())

    def what(self, event):
        if event.kind == "switch" and event.pid == self.pid:
            return "left" if event.values.get("prev_state", 0) & STATES == 0 else "slept"
        if event.kind == "switch" and event.priorities[1] == self.pid:
            return "came"
        if event.kind in ("waking", "migrate") and event.values["pid"] == self.pid:
            return {"waking": "woken", "migrate": "moved"}[event.kind]
        return None

    def before(self, ts, *whats):
        """The last of these before @ts."""
        return next((item for item in reversed(self.about) if item[0] < ts and self.what(item[2]) in whats), None)

    def since(self, ts, *whats):
        return next((item for item in self.about if item[0] > ts and self.what(item[2]) in whats), None)

    def sleeps(self, ts):
        """Whether it does then, so that it can be woken; where the capture begins, what follows shows it."""
        last, following = self.before(ts, "left", "slept", "came"), self.since(ts, "left", "slept", "came")
        return self.what(last[2]) == "slept" if last else following is None or self.what(following[2]) == "came"

    def wakes(self):
        for ts, cpu, event in self.about:
            if self.what(event) == "woken":
                yield ts, cpu, event

    def own_timers(self, start, end):
        return [item for item in self.timers if start < item[0] < end and item[2].kind == "timer" and
                self.capture.functions(item[2].values["function"])[0] == "hrtimer_wakeup"]

    def timer(self, ts):
        """When the timer expired that it was started last before @ts, if that is before @ts and it woke nobody, nor anything
        else woke the thread from its sleep, since."""
        started = self.own_timers(0, ts)
        if not started:
            return None
        at, _, event = started[-1]
        expires = event.values["expires"]
        cancelled = any(at < item[0] < min(ts, expires) and item[2].kind == "cancel" and
                        item[2].values["hrtimer"] == event.values["hrtimer"] for item in self.timers)
        used = any(at < other < ts and (expires <= other or self.sleeps(other)) for other in self.wakings)
        return expires if expires <= ts and not cancelled and not used else None

    def path_after(self, event):
        """The calls that it sleeps in, from the switch on."""
        _, frames = self.capture.after[id(event)]
        return tuple(frames[depth].func for depth in sorted(frames) if frames[depth].context == "measured")

    def asleep_again(self, came, from_waking):
        """In the state S; from the timer, after it has started one since it was so."""
        since = 0
        for ts, _, event in self.about:
            if self.what(event) == "slept" and event.values["prev_state"] & STATES == ASLEEP:
                if ts > came and (from_waking or self.own_timers(since, ts)):
                    return ts
                since = ts
        return None

    def windows(self, response, from_waking):
        found, free = [], 0
        for ts, cpu, _ in self.all_wakes:
            start = ts if from_waking else self.timer(ts)
            came = self.since(ts, "came")
            slept = self.before(ts, "left", "slept", "came")
            if ts < free or start is None:
                continue
            if response and slept and slept[2].values["prev_state"] & STATES != ASLEEP:
                continue
            if came is None:
                break
            end = came[0]
            if response:
                end = self.asleep_again(came[0], from_waking)
            if end is None:
                break
            free = end
            window = Window(start, end, self.pid)
            window.pieces = [Piece(cpu, start, ts)] + list(self.places(ts, end))
            window.cpu = [piece for piece in window.pieces if piece.cpu is not None][-1].cpu
            found.append(window)
        return found

    def places(self, start, end):
        cuts = [item for item in self.about if start <= item[0] < end]
        for i, (ts, cpu, event) in enumerate(cuts):
            until = cuts[i + 1][0] if i + 1 < len(cuts) else end
            what = self.what(event)
            if what == "moved" and self.what(self.before(ts, "left", "slept", "came", "woken")[2]) not in ("left", "woken"):
                yield self.same_place(ts, until)
            elif what == "slept":
                yield self.blocked(ts, until, event)
            else:
                yield Piece(self.cpu_from(ts, cpu, event), ts, until)

    def same_place(self, ts, until):
        last = self.before(ts, "left", "slept", "came", "woken")
        return self.blocked(ts, until, last[2]) if self.what(last[2]) == "slept" else Piece(last[1], ts, until)

    def cpu_from(self, ts, cpu, event):
        """Where it waits until it moves or comes to a CPU: on that one; else where the event says, or it was before."""
        following = self.since(ts, "moved", "came")
        if self.what(event) == "came":
            return cpu
        if following and self.what(following[2]) == "came":
            return following[1]
        if self.what(event) == "moved":
            return event.values["dest_cpu"]
        last = self.before(ts, "left", "slept", "came")
        return cpu if self.what(event) == "left" or last is None else last[1]

    def blocked(self, ts, until, event):
        woken = self.since(ts, "woken")
        waker = ("hardirq" if woken[2].flags & 0x08 else "softirq" if woken[2].flags & 0x10
                 else command(self.capture, woken[2].pid))
        return Piece(None, ts, until, waker, tuple(self.capture.functions(func) for func in self.path_after(event)))

    def costs(self, window):
        """path -> (self, tracing)"""
        sums = defaultdict(lambda: [0, 0])
        for piece in window.pieces:
            if piece.cpu is None:
                path = "blocked", piece.waker, (*piece.path, identity(self.capture, "[blocked]"))
                sums[path][0] += piece.end - piece.start
                continue
            for stretch, length, tracing in clipped(self.capture, piece):
                path = owner_path(self.capture, stretch)
                sums[path][0] += length
                sums[path][1] += tracing
        return {path: tuple(cost) for path, cost in sums.items() if cost[0]}

# SPDX-License-Identifier: GPL-3.0-or-later
# The naive reference: where the late cycle's window is, as described in semantics.md, for a given period.

from dataclasses import dataclass

WAKE_UPS = ("hrtimer_wakeup", "posix_timer_fn", "it_real_fn", "timerfd_tmrproc")
BEGINNINGS = ("irq_enter", "irqentry_enter")
WAY_BACK = ("exit_to_user", "syscall_exit", "return_slowpath", "notify_resume", "handle_over_high",
            "maybe_throttle_current", "fpregs_assert", "switch_fpu_return")
INTERRUPTS = 0x58
SLACK, PROMPT, MIN_DELAYS = 2000, 20000, 3


@dataclass
class Candidate:
    """expected and length: the task may have read its clock late enough to be expected up to length later."""
    expected: int
    length: int
    possible: bool
    by_timer: bool = False
    windows: int = 0
    delays: tuple = ()

    def delay(self):
        return min(self.delays, default=0)


def is_way_back(name):
    return any(part in name for part in WAY_BACK)


def sleep_timer(capture, sleep):
    """(when the last interrupt began in which a timer woke somebody during the sleep, when it did), or (0, 0)."""
    visits = [visit for visit in capture.visits() if visit.cpu == sleep.cpu]
    visits = [visit for visit in visits if visit.events[0].ts <= sleep.end][::-1]
    for visit in visits[:64]:
        if visit.events[-1].ts < sleep.start:
            break
        found = last_wake_up(capture, visit, sleep)
        if found or visit.lost_before:
            return found or (0, 0)
    return 0, 0


def last_wake_up(capture, visit, sleep):
    found, interrupt, beginning, level = None, 0, 0, 0
    for event in visit.events:
        if event.ts > sleep.end:
            break
        entry, leaving = event.kind == "entry" and event.depth < 512, event.kind == "exit" and event.depth < 512
        name = capture.functions(event.func)[0] if entry else ""
        if not event.flags & INTERRUPTS:
            interrupt = 0
            if level <= 0:
                beginning = event.ts if any(part in name for part in BEGINNINGS) else 0
            level = level + entry - leaving if beginning else 0
        elif not interrupt:
            interrupt, beginning, level = beginning or event.ts, 0, 0
        if name in WAKE_UPS and interrupt >= sleep.start:
            found = interrupt, event.ts
    return found


def leaves_at(capture, task):
    """id of an event -> the calls at depth 0 that it ends."""
    found = {}
    for epoch in capture.epochs.get(task, []):
        open_call = epoch.initial_outermost
        for event in (event for visit in epoch.visits for event in visit.events):
            now = capture.after[id(event)][1].get(0)
            ended = [open_call] if open_call is not None and now is not open_call else []
            ended += [call for call in capture.calls if call.without_entry and call.depth == 0
                      and call.exit_event is event]
            found[id(event)] = ended
            open_call = now
    return found


def user_times(capture, task):
    """[start, end] of each time in which the task was in user mode, not interrupted."""
    leaves, found = leaves_at(capture, task), []
    on_way = arrived = returned = in_user = False
    seen, returning = None, None
    for epoch in capture.epochs.get(task, []):
        for event, stretch in ((event, stretch) for visit in epoch.visits
                               for event, stretch in capture.following(visit)):
            for call in leaves[id(event)]:
                cut = call.exit_event is None
                way_back = not cut and is_way_back(capture.functions(call.func)[0])
                if returning is epoch and way_back:
                    on_way = returned = True
                    continue
                slept = not cut and not call.without_entry and call.absences > 0
                returning = epoch if slept else None
                arrived = arrived or (on_way and not way_back)
                on_way = on_way or slept or way_back
                returned = slept or (way_back and not arrived)
            if stretch is None:
                continue
            lost = stretch.owner == "[not captured]" and stretch.lost
            if stretch.start != seen or lost or stretch.context in ("hardirq", "softirq", "nmi"):
                in_user = on_way = arrived = False
            seen = stretch.end
            if stretch.owner != "[user]":
                continue
            if not in_user:
                found.append([stretch.start, stretch.end])
            elif returned:
                found[-1][0] = stretch.start
            found[-1][1] = stretch.end
            in_user, returned = True, False
    return sorted(found)


class Placement:
    """@sleeps in the order in which they end; each has its timer and wake then. @hit is one of them."""

    def __init__(self, capture, marker, period, sleeps, hit, window_of):
        self.capture, self.marker, self.period, self.window_of = capture, marker, period, window_of
        self.sleeps, self.hit = sleeps, hit
        self.before = sleeps[:sleeps.index(hit)]
        for sleep in [*self.before[-255:], hit]:
            sleep.timer, sleep.wake = sleep_timer(capture, sleep)

    def ordinary(self, expected, sleeps):
        """(window, sleep) of each ordinary cycle among @sleeps, whole periods before @expected."""
        last_end = 0
        for sleep in sleeps:
            if sleep.end >= expected:
                continue
            before = -(-(expected - sleep.end) // self.period) * self.period
            start = expected - before
            latency = sleep.end - start
            if (start >= max(last_end, sleep.start, self.capture.cpus[sleep.cpu][0].ts, 0)
                    and 0 < latency < self.marker.threshold_ns
                    and (not sleep.wake or sleep.wake + SLACK + before // 10000 >= start)):
                window = self.window_of("ordinary", sleep.cpu, start, sleep.end)
                if self.accept(window, sleep, expected):
                    yield window, sleep
                    last_end = sleep.end

    accept = staticmethod(lambda window, sleep, expected: True)

    def try_cycles(self, candidate):
        def is_prompted(start, sleep):
            return not sleep.timer or sleep.timer + SLACK + (candidate.expected - start) // 10000 >= start

        self.accept = lambda window, sleep, expected: is_prompted(window.start, sleep)
        cycles = [(window.start, sleep) for window, sleep in self.ordinary(candidate.expected, self.before[-1024:])]
        del self.accept
        if is_prompted(candidate.expected, self.hit):
            cycles.append((candidate.expected, self.hit))
        candidate.windows = len(cycles)
        candidate.delays = tuple(sleep.timer - start for start, sleep in cycles if sleep.timer)

    def candidates(self, task):
        hit, latency = self.hit, self.marker.latency_ns
        found = []
        times = [[call.start, call.end] for call in self.capture.calls if call.epoch in self.capture.epochs[task]
                 and hit.end <= call.start <= self.marker.ts
                 and self.capture.functions(call.func)[0].endswith("sys_clock_gettime")]
        for start, end in sorted(times)[:1] or user_times(self.capture, task):
            end = min(end, self.marker.ts)
            if not hit.end <= start <= self.marker.ts or end < latency:
                continue
            first = max(start, min(hit.start + latency, end))
            expected = first - latency
            possible = expected >= hit.start and (not hit.wake or expected <= hit.wake + SLACK)
            found.append(Candidate(expected, end - first, possible))
        found = found[-64:]
        for candidate in list(found):
            self.try_cycles(candidate)
            confirmed = (len(candidate.delays) >= MIN_DELAYS and len(candidate.delays) * 2 >= min(len(self.before), 1024)
                         and candidate.delay() <= PROMPT)
            if candidate.length > PROMPT and not confirmed:
                found += self.by_timers(candidate)
        return found

    def by_timers(self, candidate):
        last = candidate.expected + candidate.length
        if self.hit.wake:
            last = min(last, self.hit.wake)
        for sleep in [*self.before[-16:], self.hit]:
            if sleep.timer and sleep.timer <= last + PROMPT:
                expected = min(last, last + PROMPT - (last + PROMPT - sleep.timer) % self.period)
                if expected > candidate.expected:
                    added = Candidate(expected, 0, candidate.possible, by_timer=True)
                    self.try_cycles(added)
                    yield added

    def place(self, task):
        """(start of the window, by how much it is uncertain)"""
        candidates = self.candidates(task)
        most = max((candidate.windows for candidate in candidates if candidate.possible), default=0)
        possible = [candidate for candidate in candidates if candidate.possible and candidate.windows * 4 >= most * 3]
        if not possible:
            return self.hit.end - self.marker.latency_ns, self.marker.ts - self.hit.end
        chosen = max(possible, key=lambda candidate: candidate.expected)
        uncertain = chosen.length
        if chosen.by_timer:
            uncertain = PROMPT
        elif len(chosen.delays) >= MIN_DELAYS:
            uncertain = min(uncertain, max(chosen.delay(), 0) + SLACK)
        for other in possible:
            too_slow = len(other.delays) >= MIN_DELAYS and other.delay() > max(PROMPT, 2 * chosen.delay())
            if other.expected < chosen.expected and not too_slow:
                uncertain = max(uncertain, chosen.expected - other.expected)
        return chosen.expected, uncertain

# SPDX-License-Identifier: GPL-3.0-or-later
# Windows of tasks, in random captures of a small machine that schedules: every window, where it lies and what it cost
# equals the naive reference's. CULPRIT_SEEDS as in test_random.py.

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), HERE]

import culprit  # noqa: E402
import study_rows  # noqa: E402
from events import HARDIRQ, SOFTIRQ, Event, entry, leave  # noqa: E402
from layouts import LAYOUTS, Layout  # noqa: E402
from naive_following import Thread  # noqa: E402
from naive_rows import Symbols  # noqa: E402
from naive_sections import sections  # noqa: E402
from streams import disable  # noqa: E402
from test_random import seeds  # noqa: E402
from tracefile import TraceFile  # noqa: E402

NAMES = ["do_nanosleep", "schedule", "futex_wait", "work", "more_work", "tick", "hrtimer_wakeup", "other_timer"]
ADDRESS = {name: 0xffffffff81000000 + 64 * i for i, name in enumerate(NAMES)}
LAYOUT_NAMES = ["6.1", "5.10", "6.1-s390", "6.1-i386"]
LOOPS, OTHERS = (31, 32, 33), (41, 42)
COMMS = {**dict.fromkeys(LOOPS, "myloop"), 41: "holder", 42: "worker"}
SPANS = os.environ.get("TIMELINE_SPANS") or os.path.join(culprit.ROOT, "build", "tests", "timeline", "timeline-spans")
DEFINITIONS = {  # options: response, from waking
    ("--wakeup-of", "myloop"): (False, False), ("--wakeup-of", "myloop", "--from-waking"): (False, True),
    ("--response-of", "myloop"): (True, False), ("--response-of", "myloop", "--from-waking"): (True, True)}


class Task:
    def __init__(self, pid, cpu):
        self.pid, self.cpu, self.stack = pid, cpu, []
        self.asleep, self.queued = pid not in OTHERS and pid != 0, pid in OTHERS


class Board:
    """The CPU that is furthest behind does the next step; the clock of each is behind none of its own events."""

    def __init__(self, rng, mask):
        self.rng, self.mask = rng, mask
        self.cpus = list(range(rng.choice([1, 2, 3])))
        self.events = {cpu: [] for cpu in self.cpus}
        self.now = {cpu: 10 ** 9 + rng.randrange(1000) for cpu in self.cpus}
        self.idle = {cpu: Task(0, cpu) for cpu in self.cpus}
        self.tasks = [Task(pid, rng.choice(self.cpus)) for pid in LOOPS[:rng.choice([1, 2, 3])] + OTHERS]
        self.on = dict(self.idle)
        self.fifo = 0

    def put(self, cpu, kind, flags=0, **values):
        """Times differ on all CPUs, so that the order of events is known."""
        self.now[cpu] = max(self.now[cpu], self.fifo) + self.rng.choice([1, 300, 1500, 9000])
        self.fifo = self.now[cpu]
        event = Event(self.now[cpu], kind, self.on[cpu].pid, flags, values=values)
        self.events[cpu].append(event)
        return event

    def call(self, cpu, name, flags=0):
        task, at = self.on[cpu], self.put(cpu, "unknown", flags)
        self.events[cpu][-1] = entry(at.ts, task.pid, ADDRESS[name] & self.mask, len(task.stack), flags)
        task.stack.append(name)

    def back(self, cpu, flags=0):
        task, at = self.on[cpu], self.put(cpu, "unknown", flags)
        name = task.stack.pop()
        self.events[cpu][-1] = leave(at.ts, task.pid, ADDRESS[name] & self.mask, len(task.stack), 777, flags)

    def interrupt(self, cpu):
        flags = self.rng.choice([HARDIRQ, HARDIRQ, SOFTIRQ])
        self.call(cpu, "tick", flags)
        if self.rng.random() < 0.3:
            self.put(cpu, "timer", flags, hrtimer=0x99, function=ADDRESS["hrtimer_wakeup"] & self.mask, expires=self.now[cpu])
        for task in self.rng.sample(self.tasks, 2):
            self.wake(cpu, task, flags)
        self.back(cpu, flags)

    def wake(self, cpu, task, flags=0):
        if not task.asleep:
            return
        self.put(cpu, "waking", flags, pid=task.pid, target_cpu=task.cpu)
        task.asleep, task.queued = False, True
        self.move(cpu, task, flags)

    def move(self, cpu, task, flags=0):
        if self.rng.random() < 0.4:
            task.cpu = self.rng.choice(self.cpus)
            self.put(cpu, "migrate", flags, pid=task.pid, dest_cpu=task.cpu)

    def sleep(self, cpu):
        task = self.on[cpu]
        place = self.rng.choice(["do_nanosleep", "do_nanosleep", "futex_wait"])
        self.call(cpu, place)
        timer = task.pid * 16 + 1
        if place == "do_nanosleep":
            function = self.rng.choice(["hrtimer_wakeup"] * 4 + ["other_timer"])
            self.put(cpu, "timer", hrtimer=timer, function=ADDRESS[function] & self.mask,
                     expires=self.now[cpu] + self.rng.choice([2000, 20000, 90000]))
            if self.rng.random() < 0.2:
                self.put(cpu, "cancel", hrtimer=timer)
            if self.rng.random() < 0.15:  # It expires, or something else comes, before it sleeps.
                self.call(cpu, "tick", HARDIRQ)
                self.put(cpu, "waking", HARDIRQ, pid=task.pid, target_cpu=cpu)
                self.back(cpu, HARDIRQ)
                return
        self.call(cpu, "schedule")
        task.asleep = True
        self.switch(cpu, self.rng.choice([1, 2, 0x80]))

    def switch(self, cpu, state):
        left = self.on[cpu]
        waiting = [task for task in self.tasks if task.queued and task.cpu == cpu]
        comes = self.rng.choice(waiting) if waiting else self.idle[cpu]
        if comes is left:
            return
        event = self.put(cpu, "switch", prev_state=state)
        event.priorities = (120, comes.pid, 120)
        left.queued = left.pid != 0 and not left.asleep
        comes.queued = False
        self.on[cpu] = comes
        if left.queued:
            self.move(cpu, left)

    def step(self, cpu):
        task, chance = self.on[cpu], self.rng.random()
        if chance < 0.2:
            self.interrupt(cpu)
        elif chance < 0.3 and any(other.queued and other.cpu == cpu for other in self.tasks):
            self.switch(cpu, self.rng.choice([0, 0x100]))
        elif task.stack[-2:-1] and task.stack[-1] == "schedule":
            self.back(cpu)
            self.back(cpu)
        elif task.pid in LOOPS and chance < 0.5:
            self.sleep(cpu)
        elif task.stack and chance < 0.7:
            self.back(cpu)
        elif task.pid and chance < 0.75:
            self.wake(cpu, self.rng.choice(self.tasks))
        elif len(task.stack) < 5:
            self.call(cpu, self.rng.choice(["work", "more_work"]))


def trace_of(seed, steps=None):
    rng = random.Random(seed)
    layout = LAYOUTS[rng.choice(LAYOUT_NAMES)]
    mask = (1 << 8 * layout.long_size) - 1
    board = Board(rng, mask)
    for _ in range(steps or rng.choice([60, 300, 500])):
        board.step(min(board.cpus, key=board.now.get))
    head = rng.choice([0, 0, 15])
    for cpu, events in board.events.items():
        board.events[cpu] = events[head:]
        disable(rng, board.events[cpu])
    return TraceFile({"": {cpu: events for cpu, events in board.events.items() if events}}, layout=layout,
                     version=rng.choice([6, 7]), symbols=[(ADDRESS[name] & mask, name, "") for name in NAMES],
                     cmdlines=COMMS, followed=True, cpus=len(board.cpus))


def expected(trace, options):
    """The windows, the outlier's costs, the sums of the others', by path, and the outlier's parts of sections."""
    response, from_waking = DEFINITIONS[options]
    functions = Symbols(trace.symbols)
    threads = [Thread(trace, pid, functions) for pid in LOOPS]
    found = sorted(((window, thread) for thread in threads for window in thread.windows(response, from_waking)),
                   key=lambda item: (item[0].start, item[0].end, item[0].pid))
    if not found:
        return [], {}, {}, []
    outlier = max(found, key=lambda item: item[0].latency())
    sums = Counter()
    for window, thread in found:
        if window is not outlier[0]:
            sums.update(Counter({(path, i): ns for path, cost in thread.costs(window).items() for i, ns in enumerate(cost)}))
    rows = [("outlier" if window is outlier[0] else "ordinary", window.pid, window.cpu, window.start, window.end)
            for window, _ in found]
    return rows, outlier[1].costs(outlier[0]), sums, held(sections(outlier[1].capture, outlier[0]))


def held(rows):
    return sorted(tuple(row[name] for name in ("kind", "context", "opened", "closed", "outlier_ns", "outlier_tracing_ns"))
                  for row in rows if row["outlier_ns"])


def there(study):
    found = study_rows.by_file(study)["c.dat"]
    windows = sorted(((row["kind"], row["pid"], row["cpu"], row["start_ns"], row["end_ns"]) for row in found["window"]),
                     key=lambda row: (row[3], row[4], row[1]))
    outlier = {row["path"]: (row["self_ns"], row["tracing_ns"]) for row in found["outlier_node"] if row["self_ns"]}
    ordinary = {(row["path"], i): row[name] for row in found["ordinary_node"]
                for i, name in enumerate(("self_ns", "tracing_ns"))}
    return windows, outlier, ordinary, held(found["section"])


def stays(path, options):
    """What the timeline says of the outlier's task: (start, end, what, who, where it waited)."""
    response, from_waking = DEFINITIONS[options]
    text = f"{'response' if response else 'wakeup'}-of/{'waking' if from_waking else 'timer'}:myloop"
    done = subprocess.run([SPANS, f"--windows={text}", path], capture_output=True, text=True, check=True)
    lines = [line.split("\t") for line in done.stdout.splitlines() if line.startswith("stay\t")]
    return [(int(start), int(end), what, who.rsplit("-", 1)[0], where) for _, start, end, what, _, who, where in lines]


def expected_stays(trace, options):
    """(when it is blocked, by whom and where; when it runs)"""
    response, from_waking = DEFINITIONS[options]
    functions = Symbols(trace.symbols)
    found = [(window, thread) for pid in LOOPS for thread in [Thread(trace, pid, functions)]
             for window in thread.windows(response, from_waking)]
    window, thread = max(found, key=lambda item: item[0].latency(), default=(None, None))
    if window is None:
        return []
    waker = {"hardirq": "an interrupt", "softirq": "a soft interrupt"}
    return [(piece.start, piece.end, "blocked", waker.get(piece.waker, piece.waker),
             next((name for name, *_ in reversed(piece.path) if name not in ("schedule", "[blocked]")), ""))
            for piece in window.pieces if piece.cpu is None]


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.path, self.study = os.path.join(self.folder, "c.dat"), os.path.join(self.folder, "s.culprit")

    def import_it(self, *options):
        for name in os.listdir(self.folder):
            if name.startswith("s.culprit"):
                os.remove(os.path.join(self.folder, name))
        result = culprit.run("import", "--study", self.study, *options, self.path)
        self.assertEqual(result.status, 0, result.stderr)


class Following(Case):
    def test_windows_of_tasks_equal_the_reference(self):
        some = 0
        for seed in seeds():
            trace = trace_of(seed)
            if not any(event.kind == "entry" for events in trace.instances[""].values() for event in events):
                continue
            trace.write(self.path)
            options = list(DEFINITIONS)[seed % len(DEFINITIONS)]
            self.import_it(*options)
            windows, outlier, ordinary, parts = expected(trace, options)
            found = there(self.study)
            with self.subTest(seed=seed, options=options):
                self.assertEqual(found[0], windows)
                self.assertEqual(found[1], outlier)
                self.assertEqual(found[3], parts)
                said = stays(self.path, options)
                self.assertEqual([stay for stay in said if stay[2] == "blocked"], expected_stays(trace, options))
                self.assertLessEqual(sum(end - start for start, end, *_ in said), sum(ns for ns, _ in outlier.values()))
                self.assertEqual({key: ns for key, ns in found[2].items() if ns}, {key: ns for key, ns in ordinary.items() if ns})
                self.assertEqual(sum(self_ns for self_ns, _ in found[1].values()),
                                 sum(row[4] - row[3] for row in found[0] if row[0] == "outlier"))
            some += len(windows) > 2
        self.assertGreater(some, len(seeds()) // 5)

    def test_between_waking_and_switch_is_a_wakeup_from_waking(self):
        trace = trace_of(3, 1500)
        for events in trace.instances[""].values():  # It does not run anew where it was woken while it ran.
            events[:] = [event for event in events if event.kind != "waking" or event.pid != event.values["pid"]]
        trace.write(self.path)
        self.import_it("--wakeup-of", "31", "--from-waking")
        as_wakeup = there(self.study)
        self.import_it("--between", "sched:sched_waking/pid == 31/..sched:sched_switch/next_pid == 31/", "--key", "pid=next_pid")
        self.assertEqual(there(self.study), as_wakeup)
        self.assertGreater(len(as_wakeup[0]), 2)

    def test_a_mark_is_the_whole_text(self):
        """As for the recorder, whose filter in the kernel compares it, with a newline or without."""
        trace = trace_of(3, 1500)
        events = max(trace.instances[""].values(), key=len)
        places = [i for i, event in enumerate(events) if event.pid == 31][::7][:9]
        texts = ["begin", "to begin", "begin\n\n", "the end", "end of it", "end\n", "begin\n", "begin to end", "end"]
        at = [events[i].ts for i in places]
        for i, text in reversed(list(zip(places, texts, strict=True))):
            events.insert(i + 1, Event(events[i].ts, "print", 31, text=text))
        trace.write(self.path)
        self.import_it("--marks", "begin..end")
        self.assertEqual([row[1:2] + row[3:] for row in there(self.study)[0]], [(31, at[0], at[5]), (31, at[6], at[8])])

    def test_the_budget_adds_up_to_the_latency(self):
        trace_of(2, 1500).write(self.path)
        self.import_it("--response-of", "myloop")
        outlier = json.loads(culprit.run("outliers", "--study", self.study, "--json").stdout)[0]
        self.assertEqual(outlier["budget_sum_ns"], outlier["latency_ns"])
        self.assertEqual(culprit.run("check", "--study", self.study).status, 0)


class Missing(Case):
    """Work between two marks, 30 us long and once 45, on one CPU and then on the other, or between them. The end of one and
    the beginning of a later one are among the events that a CPU does not have."""
    def marked(self, moves, switches=False):
        """@moves: number -> CPUs of the beginning and the end."""
        cpus, now = {0: [], 1: []}, 0
        for i in range(40):
            begun, ended = moves.get(i, (now, now))
            now, at = ended, 10 ** 9 + i * 10 ** 6
            took = 45_000 if i == 30 else 30_000
            if switches:
                cpus[begun].append(Event(at - 500, "switch", 0, priorities=(120, 50, 1)))
            cpus[begun] += [Event(at, "print", 50, text="begin\n"), entry(at + 100, 50, ADDRESS["work"], 0), leave(at + 5000, 50, ADDRESS["work"], 0)]
            if switches and begun != ended:
                cpus[begun].append(Event(at + 6000, "switch", 50, priorities=(1, 0, 120), values={"prev_state": 1}))
                cpus[ended].append(Event(at + 7000, "switch", 0, priorities=(120, 50, 1)))
            cpus[ended] += [entry(at + 10_000, 50, ADDRESS["work"], 0), leave(at + 11_000, 50, ADDRESS["work"], 0), Event(at + took, "print", 50, text="end\n")]
            if switches:
                cpus[ended].append(Event(at + took + 500, "switch", 50, priorities=(1, 0, 120), values={"prev_state": 1}))
            for events in cpus.values():
                events += [entry(at + 200_000, 60, ADDRESS["tick"], 0), leave(at + 250_000, 60, ADDRESS["tick"], 0)]
        return cpus

    def import_marks(self, cpus, overruns):
        TraceFile({"": cpus}, overruns=overruns, symbols=[(address, name, "") for name, address in ADDRESS.items()], cmdlines={50: "worker"}).write(self.path)
        result = culprit.run("import", "--study", self.study, "--marks", "begin..end", self.path)
        self.assertEqual(result.status, 0, result.stderr)
        windows = culprit.rows(self.study, "SELECT kind, latency_ns FROM window")
        self.assertEqual([row["latency_ns"] for row in windows if row["kind"] == "outlier"], [45_000])
        self.assertEqual({row["latency_ns"] for row in windows if row["kind"] != "outlier"}, {30_000})
        self.assertIn("left out, in which events are missing that may have ended", result.stderr)
        os.unlink(self.study)

    def test_a_ring_buffer_that_begins_later(self):
        for switches in (False, True):
            cpus = self.marked({9: (0, 1), 20: (1, 0)}, switches)
            cpus[1] = [event for event in cpus[1] if event.ts > 10 ** 9 + 20 * 10 ** 6 + 50_000]
            self.import_marks(cpus, {1: 5000})

    def test_events_that_were_lost(self):
        cpus = self.marked({15: (0, 1)})
        cpus[0] = [event for event in cpus[0] if not 10 ** 9 + 14 * 10 ** 6 + 20_000 < event.ts < 10 ** 9 + 15 * 10 ** 6 + 100]
        lost = next(event for event in cpus[0] if event.ts > 10 ** 9 + 15 * 10 ** 6)
        lost.lost = 300
        self.import_marks(cpus, {})

    def test_events_that_were_lost_while_it_slept(self):
        """It is seen to sleep on one CPU, and later to wake up there; on the other, it was awake in between."""
        cpus = self.marked({4: (0, 1), 5: (1, 0), 14: (0, 1), 15: (1, 0)}, switches=True)
        cpus[1] = [event for event in cpus[1] if not 10 ** 9 + 14 * 10 ** 6 < event.ts < 10 ** 9 + 15 * 10 ** 6 + 100_000]
        lost = next(event for event in cpus[1] if event.ts > 10 ** 9 + 15 * 10 ** 6)
        lost.lost = 300
        self.import_marks(cpus, {})

    def test_a_task_whose_wakings_were_not_recorded_is_left_out_nowhere(self):
        """It comes although it was asleep; but nothing is missing."""
        TraceFile({"": self.marked({9: (0, 1), 20: (1, 0)}, switches=True)}, symbols=[(address, name, "") for name, address in ADDRESS.items()]).write(self.path)
        result = culprit.run("import", "--study", self.study, "--marks", "begin..end", self.path)
        self.assertNotIn("left out", result.stderr)
        self.assertEqual(culprit.rows(self.study, "SELECT COUNT (*) AS n FROM window"), [{"n": 40}])

    def test_nothing_is_left_out_where_nothing_is_missing(self):
        TraceFile({"": self.marked({9: (0, 1), 20: (1, 0)})}, symbols=[(address, name, "") for name, address in ADDRESS.items()]).write(self.path)
        result = culprit.run("import", "--study", self.study, "--marks", "begin..end", self.path)
        self.assertNotIn("left out", result.stderr)
        self.assertEqual(culprit.rows(self.study, "SELECT COUNT (*) AS n FROM window"), [{"n": 40}])


class Sleeping(Case):
    """A task that works 10 us of each millisecond and sleeps until its timer expires: each wake-up takes 2.5 to 3.5 us. What it
    did meanwhile is among the events that a CPU does not have."""
    ON = 10 ** 9

    def cyclic(self, cpus, works=None):
        """@cpus: where each cycle is worked in; @works: number -> what happens in that cycle instead of its sleep."""
        events = {cpu: [] for cpu in sorted({*cpus, 0, 1})}
        for i, cpu in enumerate(cpus):
            at, there = self.ON + i * 10 ** 6, events[cpu]
            then = events[cpus[min(i + 1, len(cpus) - 1)]]
            there += [entry(at + 100, 31, ADDRESS["work"], 0), leave(at + 3000, 31, ADDRESS["work"], 0, 2900)]
            (works or {}).get(i, self.sleep)(there, at, 10 ** 6)
            there += [entry(at + 1_000_400, 0, ADDRESS["tick"], 0, HARDIRQ), Event(at + 1_000_800, "waking", 0, HARDIRQ, values={"pid": 31, "target_cpu": cpu}),
                      leave(at + 1_001_200, 0, ADDRESS["tick"], 0, 700, HARDIRQ)]
            then.append(Event(at + 1_002_500 + i % 3 * 500, "switch", 0, priorities=(120, 31, 1)))
            for number, of_cpu in events.items():
                of_cpu += [entry(at + 300_000 + number, 0, ADDRESS["tick"], 0, HARDIRQ), leave(at + 302_000 + number, 0, ADDRESS["tick"], 0, 1700, HARDIRQ)]
        for of_cpu in events.values():
            of_cpu.sort(key=lambda event: event.ts)
        return events

    @staticmethod
    def timer(at, expires):
        return Event(at, "timer", 31, values={"hrtimer": 0x1f1, "function": ADDRESS["hrtimer_wakeup"], "expires": expires})

    def sleep(self, events, at, until, state=1):
        events += [self.timer(at + 5000, at + until), Event(at + 6000, "switch", 31, priorities=(1, 0, 120), values={"prev_state": state})]

    def latencies(self, events, *options, offset=None, symbols=True, **lost):
        trace = TraceFile({"": events}, symbols=[(address if symbols else 0, name, "") for name, address in ADDRESS.items()], cmdlines={31: "myloop"},
                          followed=True, **lost)
        trace.offset = offset
        trace.write(self.path)
        if os.path.exists(self.study):
            os.unlink(self.study)
        result = culprit.run("import", "--study", self.study, *options, self.path)
        self.assertEqual(result.status, 0, result.stderr)
        self.said = result.stderr
        return [row["latency_ns"] for row in culprit.rows(self.study, "SELECT latency_ns FROM window")]

    def assert_honest(self, events, least, longest=3500, options=("--wakeup-of", "myloop"), **lost):
        latencies = self.latencies(events, *options, **lost)
        self.assertLessEqual(max(latencies), longest)
        self.assertGreaterEqual(len(latencies), least)
        self.assertLess(len(latencies), 40)
        self.assertRegex(self.said, "left out, in which events are missing that may have ended (it|them); record with a larger buffer")

    def test_a_timer_that_was_started_anew_among_lost_events(self):
        """Its first one would have expired 800 us before."""
        for cpu in (0, 1):
            events = self.cyclic([1, *[0] * 39], {20: lambda events, at, _: self.sleep(events, at, 200_000)})
            next(event for event in events[cpu] if event.ts > self.ON + 20 * 10 ** 6 + 100_000).lost = 40
            with self.subTest(cpu=cpu):
                self.assert_honest(events, 35)

    def test_a_timer_whose_cancelling_was_not_recorded(self):
        def woken(events, at, until):
            self.sleep(events, at, 200_000)
            events += [Event(at + 50_000, "waking", 0, values={"pid": 31, "target_cpu": 0}), Event(at + 51_000, "switch", 0, priorities=(120, 31, 1)),
                       Event(at + 60_000, "switch", 31, priorities=(1, 0, 120), values={"prev_state": 1})]

        latencies = self.latencies(self.cyclic([0] * 40, {20: woken}), "--wakeup-of", "myloop")
        self.assertEqual((len(latencies), max(latencies)), (39, 3500))

    def test_a_ring_that_begins_later_than_the_task_went_there(self):
        events = self.cyclic([0] * 10 + [1] * 20 + [0] * 10)
        events[1] = [event for event in events[1] if event.ts > self.ON + 25 * 10 ** 6 + 500_000]
        for options in (("--wakeup-of", "myloop"), ("--wakeup-of", "myloop", "--from-waking")):
            with self.subTest(options=options):
                self.assert_honest(events, 10, options=options, overruns={1: 5000})

    def test_a_response_in_which_it_slept_while_its_cpu_lost_events(self):
        """On the only one where it was ever seen."""
        events = self.cyclic([0] * 40, {i: lambda events, at, until: self.sleep(events, at, until, state=2) for i in range(0, 40, 2)})
        lost = self.ON + 20 * 10 ** 6 + 10_000, self.ON + 22 * 10 ** 6 + 100_000
        events[0] = [event for event in events[0] if not lost[0] < event.ts < lost[1]]
        next(event for event in events[0] if event.ts > lost[0]).lost = 40
        self.assert_honest(events, 15, longest=1_010_000, options=("--response-of", "myloop"))

    def test_losses_where_the_task_never_is_leave_nothing_out(self):
        """Bound to a CPU or not, whoever wakes it first, and if its timer starts in the very moment when it leaves."""
        tick = ADDRESS["tick"]
        for name, cpus in (("bound", [0] * 40), ("migrates", [0, 1] * 20)):
            events = self.cyclic(cpus)
            events[0].insert(0, Event(self.ON - 10_000, "switch", 0, priorities=(120, 31, 1)))
            if name == "bound":
                events[1].insert(0, Event(self.ON - 20_000, "waking", 0, values={"pid": 31, "target_cpu": 0}))
            events[2] = [event for i in range(41) for event in (
                entry(self.ON + i * 10 ** 6 - 500_000, 0, tick, 0, HARDIRQ), leave(self.ON + i * 10 ** 6 - 498_000, 0, tick, 0, 1700, HARDIRQ))]
            for event in events[2][2::2]:
                event.lost = 40
            for moment in ("before", "then"):
                for event in events[0] + events[1]:
                    if event.kind == "timer" and moment == "then":
                        event.ts += 1000
                for options, n in ((("--wakeup-of", "myloop"), 40), (("--response-of", "myloop"), 39)):
                    with self.subTest(name=name, moment=moment, options=options):
                        self.assertEqual(len(self.latencies(events, *options, cpus=3)), n)

    def test_a_timer_that_fires_elsewhere_while_the_task_s_cpu_loses_events(self):
        events = self.cyclic([0] * 40)
        wakings = [event for event in events[0] if event.kind == "waking"]
        lost = self.ON + 21 * 10 ** 6 + 500, self.ON + 22 * 10 ** 6 - 500_000
        events[0] = [event for event in events[0] if event not in wakings and not lost[0] < event.ts < lost[1]]
        events[0].append(entry(self.ON + 21 * 10 ** 6 + 100, 0, ADDRESS["tick"], 0, HARDIRQ))
        events[1] += [event for event in wakings if not lost[0] < event.ts < lost[1]]
        for of_cpu in events.values():
            of_cpu.sort(key=lambda event: event.ts)
        next(event for event in events[0] if event.ts > lost[1]).lost = 40
        self.assert_honest(events, 35)

    def test_a_timer_whose_cancelling_was_lost_where_the_task_ran(self):
        """It seems to run all the while, and sleeps without a timer later."""
        def woken(events, at, until):
            events += [self.timer(at + 5000, at + 200_000), entry(at + 110_000, 31, ADDRESS["work"], 0), leave(at + 112_000, 31, ADDRESS["work"], 0, 1000),
                       Event(at + 120_000, "switch", 31, priorities=(1, 0, 120), values={"prev_state": 1})]

        events = self.cyclic([0] * 40, {20: woken})
        next(event for event in events[0] if event.ts == self.ON + 20 * 10 ** 6 + 110_000).lost = 4
        self.assert_honest(events, 38)

    def test_a_waking_that_comes_just_before_the_task_is_asleep(self):
        """By another CPU, which waits until it is; it comes late. That may also be seen where another waking is missing, unless the
        kernel measured it."""
        events = self.cyclic([0] * 40)
        at = self.ON + 20 * 10 ** 6
        waking = next(event for event in events[0] if event.kind == "waking" and event.ts > at + 10_000)
        events[0].remove(waking)
        waking.ts = at + 5900
        events[1] = sorted([*events[1], waking], key=lambda event: event.ts)
        late = 1_002_500 + 20 % 3 * 500 - 5900
        self.assert_honest(events, 39, options=("--wakeup-of", "myloop", "--from-waking"))
        with open(os.path.join(self.folder, "c.json"), "w", encoding="ascii") as log:
            json.dump({"type": "capture", "culprit_cycles": 1, "threshold_ns": 500_000, "window": "wakeup-of/waking:myloop",
                       "hit": {"latency_ns": late, "pid": 31}}, log)
        self.assertEqual(sorted(self.latencies(events))[-2:], [2700, late])

    def test_a_run_that_was_lost_where_the_task_never_is_otherwise(self):
        """It is woken twice, and where it ran last is not where it was seen last."""
        events = self.cyclic([0] * 20 + [2] + [0] * 19)
        lost = self.ON + 20 * 10 ** 6, self.ON + 21 * 10 ** 6
        events[2] = [event for event in events[2] if not lost[0] < event.ts < lost[1]]
        next(event for event in events[2] if event.ts > lost[1]).lost = 40
        self.assert_honest(events, 35, options=("--wakeup-of", "myloop", "--from-waking"), cpus=3)

    def move(self, events, cpus):
        for i, (cpu, then) in enumerate(zip(cpus, cpus[1:])):
            if cpu != then:
                events[cpu].append(Event(self.ON + (i + 1) * 10 ** 6 + 900, "migrate", 0, HARDIRQ, values={"pid": 31, "dest_cpu": then}))
                events[cpu].sort(key=lambda event: event.ts)

    def test_a_cpu_that_was_not_recorded(self):
        """Or has nothing to record, where the task only waited."""
        cpus = [0] * 10 + [1] * 20 + [0] * 10
        events = self.cyclic(cpus)
        self.move(events, cpus)
        del events[1]
        idle = self.cyclic([0] * 40)
        idle[0] = sorted(idle[0] + [Event(self.ON + 20 * 10 ** 6 + ns, "migrate", 0, HARDIRQ, values={"pid": 31, "dest_cpu": cpu})
                                    for ns, cpu in ((1_000_900, 3), (1_001_000, 0))], key=lambda event: event.ts)
        for options in (("--wakeup-of", "myloop"), ("--wakeup-of", "myloop", "--from-waking")):
            with self.subTest(options=options):
                self.assert_honest(events, 15, options=options, cpus=2)
                self.assertGreaterEqual(len(self.latencies(idle, *options)), 39)
                self.assertNotIn("left out", self.said)

    def test_a_ring_whose_beginning_was_dropped_without_a_word(self):
        """As trace-cmd record -m does; but the task had gone there."""
        cpus = [0] * 10 + [1] * 10 + [0] * 20
        events = self.cyclic(cpus)
        self.move(events, cpus)
        events[1] = [event for event in events[1] if event.ts > self.ON + 25 * 10 ** 6 + 500_000]
        for options in (("--wakeup-of", "myloop"), ("--wakeup-of", "myloop", "--from-waking")):
            with self.subTest(options=options):
                self.assert_honest(events, 25, options=options)

    def test_a_wake_up_in_which_events_are_missing_is_told(self):
        """Where it left the CPU is not recorded."""
        events = self.cyclic([0] * 40)
        events[0].remove(next(event for event in events[0] if event.kind == "switch" and event.ts == self.ON + 20 * 10 ** 6 + 6000))
        self.assert_honest(events, 38)

    def test_ends_that_others_lose(self):
        """The task 41 wakes another one, on a CPU that loses an end and a beginning; without a key, those of others are lost anywhere."""
        for cpu, options in ((1, ("--key", "pid=pid")), (2, ())):
            events = self.cyclic([0] * 40)
            events[0] = [event for event in events[0] if event.kind != "waking"]
            lost = 20 * 10 ** 6 + 400_001, 21 * 10 ** 6 + 400_001
            events[1] += [Event(self.ON + ns, kind, 41, values={"pid": 31, "dest_cpu": 0}) for i in range(40)
                          for ns, kind in ((i * 10 ** 6 + 400_000, "waking"), (i * 10 ** 6 + 402_500, "migrate")) if not lost[0] < ns < lost[1]]
            events[1].sort(key=lambda event: event.ts)
            events[2] = [entry(self.ON + i * 10 ** 6, 0, ADDRESS["tick"], 0, HARDIRQ) for i in range(41)]
            next(event for event in events[cpu] if event.ts > self.ON + lost[0]).lost = 40
            with self.subTest(cpu=cpu):
                self.assert_honest(events, 35, options=("--between", "sched:sched_waking..sched:sched_migrate_task", *options), cpus=3)

    def test_timers_alone_do_not_tell_where_a_task_is(self):
        """Nor that it stays there: it works between marks on CPU 1, which loses an end and a beginning, and ends on CPU 0 once."""
        events = {0: [], 1: []}
        for i in range(40):
            at, there = self.ON + i * 10 ** 6, events[int(i > 2)]
            if i != 21:
                there.append(Event(at, "print", 31, text="begin\n"))
            there += [entry(at + 100, 31, ADDRESS["work"], 0), leave(at + 2000, 31, ADDRESS["work"], 0, 1900)]
            if i < 3:
                there.append(self.timer(at + 3000, at + 10 ** 6))
            if i != 20:
                events[0 if i == 21 else int(i > 2)].append(Event(at + 3500, "print", 31, text="end\n"))
        next(event for event in events[1] if event.ts > self.ON + 21 * 10 ** 6).lost = 2
        self.assert_honest(events, 35, options=("--marks", "begin..end"))

    def test_times_that_were_shifted(self):
        events = self.cyclic([0] * 40)
        expected = self.latencies(events, "--wakeup-of", "myloop")
        for offset in ("500000", "-2000", "86400000000000"):
            self.assertEqual(self.latencies(events, "--wakeup-of", "myloop", offset=offset), expected)

    def test_all_that_is_to_be_known_is_told(self):
        """Of windows that are left out, and of hidden symbols."""
        events = self.cyclic([0] * 10 + [1] * 20 + [0] * 10)
        events[1] = [event for event in events[1] if event.ts > self.ON + 25 * 10 ** 6 + 500_000]
        self.latencies(events, "--wakeup-of", "myloop", "--from-waking", symbols=False, overruns={1: 5000})
        for words in ("its kernel symbols are hidden", "windows are left out"):
            self.assertIn(words, self.said)


class Reasons(Case):
    def reason(self, *options):
        self.import_it(*options)
        return self.stored()

    def again(self, *options):
        return culprit.run("import", "--study", self.study, *options, self.path)

    def stored(self):
        return culprit.rows(self.study, "SELECT no_windows, window_kind FROM capture JOIN run USING (run_id) JOIN series"
                                        " USING (series_id)")[0]

    def write(self, *without):
        trace = trace_of(2, 1500)
        for events in trace.instances[""].values():
            events[:] = [event for event in events if event.kind not in without]
        trace.write(self.path)

    def test_what_must_be_recorded_is_named(self):
        for kind, code in (("switch", "no-switch-events"), ("waking", "no-waking-events"), ("timer", "no-timer-events")):
            self.write(kind)
            self.assertEqual(self.reason("--wakeup-of", "myloop")["no_windows"], code)

    def test_a_response_is_long_and_a_wakeup_late(self):
        self.write()
        page = os.path.join(self.folder, "report.html")
        for kind, words, windows in (("--wakeup-of", "late", "late wake-up"), ("--response-of", "long", "long response")):
            self.import_it(kind, "myloop")
            for command, n in (("verdict", "1"), ("stalls", "[01]")):
                self.assertRegex(culprit.run(command, "--study", self.study).stdout, rf"\b{n} {windows}s?\b")
            self.assertEqual(culprit.run("report", "--study", self.study, "--out", page).status, 0)
            with open(page, encoding="utf-8") as file:
                said = file.read()
            self.assertRegex(said, rf"<h3>Capture 1: [0-9.]+ .?s {words}</h3>")
            self.assertIn(f"<h2>{windows.capitalize()}s</h2>", said)

    def test_a_task_that_is_not_there(self):
        self.write()
        self.assertEqual(self.reason("--wakeup-of", "nobody")["no_windows"], "no-task")

    def test_no_window_is_late(self):
        self.write()
        self.assertEqual(self.reason("--response-of", "myloop", "--threshold", "10s"),
                         {"no_windows": "none-late", "window_kind": "response-of/timer:myloop"})

    def test_the_log_of_a_capture_states_its_band_whoever_repeats_its_threshold(self):
        """As where captures of older studies are read again."""
        self.write()
        self.state(window="wakeup-of/timer:myloop", band_low_ns=30_000, band_high_ns=60_000)
        for options in ((), ("--wakeup-of", "myloop", "--threshold", "30us")):
            self.import_it(*options)
            (latency,), = (row.values() for row in culprit.rows(self.study, "SELECT latency_ns FROM outlier"))
            self.assertTrue(30_000 <= latency <= 60_000, (options, latency))

    def test_an_address_in_a_filter_has_all_its_bits(self):
        self.write()
        last = ADDRESS["other_timer"]
        for condition, reason in ((f"== {ADDRESS['hrtimer_wakeup']:#x}", None), (f"== {ADDRESS['tick']:#x}", "no-begin"),
                                  (f"> {last:#x}", "no-begin"), (f"<= {last:#x}", None), ("> 42", None), ("< 42", "no-begin")):
            found = self.reason("--between", f"timer:hrtimer_start/function {condition}/..sched:sched_switch")
            self.assertEqual(found["no_windows"], reason)

    def test_an_event_that_is_not_recorded(self):
        self.write()
        self.assertEqual(self.reason("--between", "irq:irq_handler_entry..sched:sched_switch")["no_windows"], "no-begin")

    def test_a_name_that_is_no_text_is_compared_byte_by_byte(self):
        """Tasks may be called anything."""
        class Named(Layout):
            def encode(self, event):
                data = super().encode(event)
                if event.kind != "waking":
                    return data
                start, = (offset for _, name, offset, *_ in self.fields("sched_waking") if name.startswith("comm["))
                return data[:start] + b"ab\xfd".ljust(16, b"\0") + data[start + 16:]

        events = []
        for cycle in range(40):
            start = 10**9 + 10_000 * cycle
            events += [Event(start, "waking", 50), Event(start + 500, "switch", 0, text="R", priorities=(1, 50, 1)),
                       entry(start + 600, 50, 0x1000, 0), leave(start + 700, 50, 0x1000, 0),
                       Event(start + 800, "switch", 50, text="R", priorities=(1, 0, 1))]
        TraceFile({"": {0: events}}, layout=Named(), symbols=[(0x1000, "f", "")], cmdlines={50: "a"}).write(self.path)
        for pattern, reason in (("*?", None), ("a*b?", None), ("?b*", None), ("ab", "no-begin"), ("*c*", "no-begin"),
                                ("*a*b*", None), ("**?" * 3, None), ("????", "no-begin"), ("*" * 90 + "ab*", None)):
            with self.subTest(pattern):
                found = self.reason("--between", f'sched:sched_waking/comm ~ "{pattern}"/..sched:sched_switch')
                self.assertEqual(found["no_windows"], reason)

    def state(self, **log):
        with open(self.path.replace(".dat", ".json"), "w", encoding="utf-8") as file:
            json.dump({"type": "capture", "culprit_cycles": 1, "hit": {"pid": 31}} | log, file)

    def test_one_that_measures_something_else_keeps_no_other_of_its_folder_out(self):
        self.write()
        self.state(window="wakeup-of/timer:myloop", threshold_ns=30_000)
        mixed = os.path.join(self.folder, "mixed")
        os.mkdir(mixed)
        for name in ("count-1.dat", "count-2.dat"):
            shutil.copy(os.path.join(culprit.ROOT, "tests", "data", name), mixed)
        for end in ("dat", "json"):
            shutil.copy(os.path.join(self.folder, f"c.{end}"), os.path.join(mixed, f"a.{end}"))
        result = culprit.run("import", "--study", self.study, mixed)
        self.assertEqual(result.status, 0, result.stderr)
        self.assertEqual(culprit.rows(self.study, "SELECT run.name, COUNT (*) AS n FROM capture JOIN run USING (run_id) GROUP BY 1 ORDER BY 1"),
                         [{"name": "mixed", "n": 1}, {"name": "mixed-2", "n": 2}])

    def test_a_capture_that_is_there_with_other_windows_is_not_passed_over(self):
        self.write()
        self.import_it("--wakeup-of", "no-such-task")
        self.assertIn("already in the study", self.again("--wakeup-of", "no-such-task").stdout)
        self.assertEqual(self.again("--wakeup-of", "myloop", "--threshold", "30us").status, 0)
        self.assertEqual(self.stored(), {"no_windows": None, "window_kind": "wakeup-of/timer:myloop"})
        self.assertIn("already in the study", self.again("--wakeup-of", "myloop", "--threshold", "30us").stdout)
        for options, told in ((("--response-of", "myloop"), ""), (("--wakeup-of", "myloop", "--threshold", "40us"), ", with another threshold")):
            with self.subTest(options=options):
                result = self.again(*options)
                self.assertEqual(result.status, 2)
                self.assertIn(f"capture 1 there, measured from the expiry of its timer until myloop runs{told}; import it into another",
                              result.error_lines()[0])

    def test_what_a_log_states_that_came_later(self):
        self.write()
        self.import_it()
        self.state(window="wakeup-of/timer:myloop", threshold_ns=30_000)
        self.assertEqual(self.again().status, 0)
        self.assertIsNone(self.stored()["no_windows"])
        self.state(window="response-of/timer:myloop", threshold_ns=30_000)
        os.utime(self.path)
        self.assertIn("measured from the expiry", self.again().stderr)

    def test_a_log_that_came_later_into_a_run_of_other_windows(self):
        """The capture is in that run, and no name of a run would let it out."""
        cycles = os.path.join(culprit.ROOT, "data", "sample", "sample.captures", "slides-001.dat")
        self.write()
        for path in (cycles, self.path):
            self.assertEqual(culprit.run("import", "--study", self.study, "--run", "both", path).status, 0)
        self.state(window="wakeup-of/timer:myloop", threshold_ns=30_000)
        for options in ((), ("--run", "other")):
            told = self.again(*options).error_lines()
            self.assertEqual(len(told), 1)
            self.assertIn('those of run "both" from expected to observed time', told[0])
            self.assertIn("import it into another study", told[0])

    def test_a_log_of_cycles_that_becomes_one_of_other_windows(self):
        """What is stored stays, and what must be read again from the capture has no window."""
        for end in ("dat", "json"):
            shutil.copy(os.path.join(culprit.ROOT, "data", "sample", "sample.captures", f"slides-001.{end}"), os.path.join(self.folder, f"c.{end}"))
        self.import_it()
        stored = self.stored()
        self.assertEqual(stored["window_kind"], "cyclic")
        self.state(window="wakeup-of/timer:myloop", threshold_ns=30_000)
        for command in (("show", "1"), ("report", "--out", os.path.join(self.folder, "report.html")), ("check",)):
            result = culprit.run(command[0], "--study", self.study, *command[1:])
            self.assertIn(result.status, (0, 1, 2), result.stderr)
        self.assertEqual(self.stored(), stored)

    def test_the_late_window_is_the_one_that_the_kernel_measured(self):
        """As the log states it, or else there is none: it is not whole in the capture."""
        self.write()
        self.import_it("--wakeup-of", "myloop", "--from-waking")
        windows = culprit.rows(self.study, "SELECT pid, end_ns, latency_ns FROM window ORDER BY end_ns")
        longest = max(window["latency_ns"] for window in windows)
        stated = {"window": "wakeup-of/waking:myloop", "threshold_ns": 1000}
        for window in [window for window in windows if window["latency_ns"] > 1000][::9]:
            for off, later, code in ((0, 0, None), (-window["latency_ns"] // 20, 0, None), (longest + 100_000, 0, "other-late"),
                                     (0, 10**10, "other-late"), (window["latency_ns"] // 2, 0, "other-late")):
                latency = max(1000, window["latency_ns"] + off)
                self.state(**stated, hit={"pid": window["pid"], "latency_ns": latency, "observed_ns": window["end_ns"] // 1000 * 1000 + later})
                self.import_it()
                self.assertEqual(self.stored()["no_windows"], code)
                if not code:
                    self.assertEqual(culprit.rows(self.study, "SELECT pid, end_ns, latency_ns FROM outlier"), [window])
        self.state(**stated, hit={"pid": 31, "latency_ns": 999})
        self.assertIn("not consistent", self.again().stderr)

    def test_a_log_with_a_text_that_ends_early_is_refused(self):
        self.write()
        self.import_it("--wakeup-of", "myloop")
        self.state(window="wakeup-of/waking:myloop\0 and more", threshold_ns=1000)
        self.assertIn("c.json: damaged (", self.again().stderr)

    def test_windows_that_a_merge_leaves_out_are_told(self):
        self.write()
        self.import_it("--wakeup-of", "myloop", "--threshold", "30us")
        other = os.path.join(self.folder, "other.culprit")
        culprit.run("import", "--study", other, "--response-of", "myloop", "--run", "responses", self.path)
        for study, told in ((other, True), (self.study, False)):
            again = os.path.join(self.folder, "copy.culprit")
            shutil.copy(study, again)
            result = culprit.run("merge", "--study", self.study, again)
            self.assertEqual(result.status, 0, result.stderr)
            self.assertIn("0 captures and 0 runs added", result.stdout)
            self.assertEqual("1 of these captures has other windows there, which are not added" in result.stdout, told)
        self.assertEqual(json.loads(culprit.run("merge", "--json", "--study", self.study, other).stdout)["windows_left_out"], 1)

    def test_windows_that_the_recorder_refuses_too(self):
        self.write()
        for options, told in ((("sched:sched_switch..sched:sched_switch",), "the same event ends the window as begins it"),
                              (("sched:sched_waking..sched:sched_switch", "--key", ""), '--key: "" is no key'),
                              (("//..sched:sched_switch",), '--between: before "//..sched:sched_switch" an event is missing'),
                              (("sched:sched_waking..",), "--between: at its end an event is missing"),
                              (("sched:sched_waking",), 'after "sched:sched_waking" two dots and a second event are expected'),
                              (("uprobe:./x..uprobe:./y:f",), "does not begin with a complete probe"),
                              (("a:b//..c:d",), "the filter of a:b is empty"),
                              (("a:b/" + "x" * 600 + "/..c:d",), "--between: longer than 500 bytes")):
            with self.subTest(options=options):
                result = self.again("--between", *options)
                self.assertEqual(result.status, 2)
                self.assertIn(told, result.error_lines()[0])
                self.assertFalse(os.path.exists(self.study))

    def test_filters_that_would_take_long(self):
        self.write()
        for text, told in (('comm ~ "' + "?" * 64 + '"', "more than 63 bytes"), ("||".join(["pid==1"] * 17), "no more comparisons")):
            with self.subTest(text=text):
                result = culprit.run("import", "--study", self.study, "--between", f"sched:sched_waking/{text}/..sched:sched_switch", self.path)
                self.assertIn(told, result.stderr)


if __name__ == "__main__":
    unittest.main()

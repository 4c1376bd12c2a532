# SPDX-License-Identifier: GPL-3.0-or-later
# Plays a cyclic task through a timer interrupt and writes what the tracer would have seen, with the cycle log beside it:
# each wake-up is a list of what the interrupt calls, with the self-time of each.

import json
import os

from events import HARDIRQ, entry, leave, switch
from tracefile import TraceFile

PERIOD = 5_000_000
TASK = 100
OTHER, THIRD = 200, 300
EVENT = 150  # ns between two events that do nothing: the tracer's own time
NAMES = ["do_idle", "timer_interrupt", "scan_async", "qh_completions", "activate_task", "update_curr_rt", "pick_next_task",
         "enqueue_task_rt", "check_preempt_curr", "ttwu_do_wakeup", "hrtimer_forward", "syscall_exit", "tiny", "slow_path", "do_syscall", "page_fault", "acpi_safe_halt"]
ADDRESS = {name: 0xffffffff81000000 + 0x1000 * number for number, name in enumerate(NAMES)}


class Play:
    def __init__(self):
        self.now = 1_000_000_000
        self.events = []
        self.elsewhere = []  # on CPU 1
        self.settings = {}  # that the recorder tells in its log
        self.cycles = []

    def event(self, make, name, depth, pid, flags=0):
        self.events.append(make(self.now, pid, ADDRESS[name], depth, flags=flags))

    def call(self, name, self_ns, depth, pid=0, flags=HARDIRQ, inner=()):
        """@inner: calls in the middle of it, as (name, self_ns)."""
        self.event(entry, name, depth, pid, flags)
        self.now += EVENT + self_ns
        for inner_name, inner_ns in inner:
            self.call(inner_name, inner_ns, depth + 1, pid, flags)
            self.now += EVENT
        self.event(leave, name, depth, pid, flags)

    def wake(self, calls, leaving=(), late_ns=0, idle="do_idle", users=()):
        """@calls: (name, self_ns) or (name, self_ns, inner) in the timer interrupt. @leaving: what the idle task itself calls
        behind it, before it makes way. @late_ns: by how much the interrupt is late, or the pieces of that, between which
        another interrupt comes. @idle: the function in which the idle CPU waits; None: another task is in user mode.
        @users: (task, ns) that have the CPU in user mode before ours."""
        expected = 1_000_000_000 + PERIOD * (len(self.cycles) + 1)
        self.now = expected - 20_000
        struck, depth = (0, 1) if idle else (OTHER, 0)
        if idle:
            self.event(entry, idle, 0, 0)
        else:
            self.call("do_syscall", 300, 0, OTHER, 0)
        pieces_ns = late_ns if isinstance(late_ns, list) else [late_ns]
        self.now = expected + 2_000 + pieces_ns[0]
        for piece_ns in pieces_ns[1:]:
            self.call("scan_async", 300, depth, struck, inner=[("hrtimer_forward", 300), ("update_curr_rt", 300)])
            self.now += piece_ns
        self.event(entry, "timer_interrupt", depth, struck, HARDIRQ)
        for call in calls:
            self.now += EVENT
            self.call(call[0], call[1], depth + 1, struck, inner=call[2] if len(call) > 2 else ())
        self.now += EVENT
        self.event(leave, "timer_interrupt", depth, struck, HARDIRQ)
        self.now += EVENT
        for name, self_ns in leaving:
            self.call(name, self_ns, depth, struck, 0)
            self.now += EVENT
        if idle:
            self.event(leave, idle, 0, 0)
            self.now += EVENT
        for task, ns in users:
            self.call("tiny", 0, 0, task, 0)
            self.now += ns
            self.call("do_syscall", 300, 0, task, 0)
            self.now += EVENT
        self.call("syscall_exit", 2_000, 0, pid=TASK, flags=0)
        self.cycles.append([expected, self.now])
        for _ in range(12):
            self.now += EVENT
            self.call("tiny", 0, 0, pid=TASK, flags=0)
        self.now += EVENT

    def wake_behind(self, calls, priorities, outermost="do_idle"):
        """Another task has the CPU and makes @calls in @outermost before ours comes. @priorities: of both, or None."""
        expected = 1_000_000_000 + PERIOD * (len(self.cycles) + 1)
        self.now = expected - 10_000
        self.event(entry, outermost, 0, OTHER)
        self.now = expected + 2_000
        for call in calls:
            self.now += EVENT
            self.call(call[0], call[1], 1, pid=OTHER, flags=0, inner=call[2] if len(call) > 2 else ())
        self.now += EVENT
        self.event(leave, outermost, 0, OTHER)
        self.now += EVENT
        if priorities:
            self.events.append(switch(self.now, OTHER, priorities[0], TASK, priorities[1]))
            self.now += EVENT
        self.call("syscall_exit", 2_000, 0, pid=TASK, flags=0)
        self.cycles.append([expected, self.now])
        self.now += EVENT
        self.call("tiny", 0, 0, pid=TASK, flags=0)

    def trace_only(self, name):
        """As with that function chosen, which also runs on another CPU, and the event sched_switch."""
        kept = []
        for event in self.events:
            if event.func == ADDRESS[name]:
                event.depth = 0
                kept.append(event)
            elif event.kind == "entry" and event.func in (ADDRESS["do_idle"], ADDRESS["syscall_exit"]):
                idle = event.func == ADDRESS["do_idle"]
                kept.append(switch(event.ts, *((TASK, 50, 0, 120) if idle else (0, 120, TASK, 50))))
        self.elsewhere = [make(kept[0].ts + i * 1_000_000 + 300 * (make is leave), OTHER, ADDRESS[name], 0)
                          for i in range(100) for make in (entry, leave)]
        self.events = kept
        self.settings = {"max_depth": 0, "graph_functions": [name]}

    def write(self, folder, name, serial, cycle=None):
        """The last wake-up is the hit, and the trigger such that none is above it. @serial makes the file differ. @cycle: its
        number in the run, where there were more than the capture holds."""
        uname = f"Linux testhost 6.1.0-test-amd64 #{serial} SMP x86_64"
        symbols = [(address, function, "") for function, address in ADDRESS.items()]
        path = os.path.join(folder, f"{name}.dat")
        cpus = {0: self.events, 1: self.elsewhere} if self.elsewhere else {0: self.events}
        TraceFile({"": cpus}, symbols=symbols, cmdlines={TASK: "cyclic", OTHER: "worker", THIRD: "logger"}, uname=uname).write(path)
        hit = self.cycles[-1]
        log = {"type": "capture", "culprit_cycles": 1, "period_ns": PERIOD, "threshold_ns": max(observed - expected for expected, observed in self.cycles),
               "hit": {"cpu": 0, "pid": TASK, "cycle": cycle or len(self.cycles), "expected_ns": hit[0], "observed_ns": hit[1]},
               "cycles": self.cycles, "needed_kb": 0, "smi": None, "steal_ns": None, "delays": None, **self.settings}
        with open(os.path.join(folder, f"{name}.json"), "w", encoding="ascii") as file:
            json.dump(log, file)
        return path


def ordinary(number):
    """What the interrupt calls in an ordinary wake-up; a little different each time."""
    return [("hrtimer_forward", 1_000 + 37 * (number * 7 % 11)), ("activate_task", 700), ("enqueue_task_rt", 800),
            ("update_curr_rt", 600), ("check_preempt_curr", 500), ("ttwu_do_wakeup", 400), ("pick_next_task", 300)]


def capture(folder, name, serial, outlier, wakes=20, usual=ordinary, cycle=None):
    play = Play()
    for number in range(wakes):
        play.wake(usual(number + serial))
    play.wake(outlier)
    return play.write(folder, name, serial, cycle)

# SPDX-License-Identifier: GPL-3.0-or-later
# Generates captures like those of cyclictest -b --tracemark, seeded, with the truth: one CPU, an idle task, a cyclic
# task, other sleepers, interrupts. In the late cycle, interrupts may occur anywhere from the timer's expiry to the
# marker's write, including after the return to user mode and before the task reads its clock.

import os
import random
import sys
from dataclasses import dataclass, field

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

from events import HARDIRQ, entry, leave, marker, switch  # noqa: E402
from tracefile import TraceFile  # interrupts at these places make the cycle late

MEASURED, OTHER = 128, 300
BASE = 0xffffffff81000000
NAMES = ["do_idle", "default_idle_call", "mwait_idle", "irq_enter_rcu", "tick_irq_enter", "irq_exit_rcu",
         "__sysvec_apic_timer_interrupt", "hrtimer_interrupt", "__hrtimer_run_queues", "hrtimer_wakeup",
         "try_to_wake_up", "tick_sched_timer", "settle_phy", "__common_interrupt", "handle_irq_event", "schedule",
         "__schedule", "finish_task_switch", "x64_sys_call", "__x64_sys_clock_nanosleep", "do_nanosleep",
         "syscall_exit_to_user_mode_prepare", "exit_to_user_mode_prepare", "switch_fpu_return", "__x64_sys_write",
         "vfs_write", "__x64_sys_futex", "futex_wait", "local_irq_disable_section", "worker_thread", "process_one_work",
         "hidden_wakeup"]
FUNCTION = {name: BASE + 0x40 * i for i, name in enumerate(NAMES)}
ROUND_US = [500, 1000, 2000, 2500, 5000, 10000]
ODD_US = [777, 1234, 1337, 3330, 4710, 7919]
CYCLES = [0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 10, 14, 20, 30, 45, 70]
PLACES = ["expiry", "timer", "woken", "switched", "way-back", "user", "read", "write"]
EARLY = PLACES[:6]  # what strikes there makes the cycle late


@dataclass
class Foreign:
    """expected: of the late cycle, on the trace's clock; ordinary: (expected, returned) of the others."""
    events: list
    period_ns: float
    expected: float = 0
    observed: float = 0
    latency_us: int = 0
    ordinary: list = field(default_factory=list)
    sleeps: int = 0
    place: str = ""
    struck: list = field(default_factory=list)
    blind: bool = False  # the machine stood still in user mode, instead of an interrupt

    def trace(self):
        return TraceFile({"": {0: self.events}}, symbols=[(address, name, "") for name, address in FUNCTION.items()],
                         cmdlines={MEASURED: "cyclictest", OTHER: "worker"})


class Machine:
    """Plays events one after another, on one clock. Each traced event costs tracing_ns."""

    def __init__(self, rng):
        self.rng, self.now, self.events, self.pid = rng, float(rng.randrange(10 ** 9, 10 ** 12)), [], 0
        self.stacks = {}
        self.tracing_ns = rng.choice([200, 700, 1300])
        self.entry_ns = rng.choice([800, 2500, 4000])  # from an interrupt's cause to its first event
        self.wakes = "hrtimer_wakeup"
        self.old = rng.random() < 0.2  # a kernel that does not trace the return to user mode
        self.flat = int(self.now) % 3 == 0  # one whose way back is not traced as a call of its own, but for its parts

    def tick(self, ns=0.0):
        self.now += self.tracing_ns * self.rng.uniform(1, 1.1) + ns
        return int(self.now)

    def call(self, name, ns=0.0, flags=0):
        stack = self.stacks.setdefault(self.pid, [])
        ts = self.tick()
        self.events.append(entry(ts, self.pid, FUNCTION[name], len(stack), flags))
        stack.append((name, ts))
        self.now += ns

    def ret(self, flags=0):
        name, start = self.stacks[self.pid].pop()
        ts = self.tick()
        self.events.append(leave(ts, self.pid, FUNCTION[name], len(self.stacks[self.pid]), ts - start, flags))

    def leaf(self, name, ns=0.0, flags=0):
        self.call(name, ns, flags)
        self.ret(flags)

    def switch(self, pid):
        if self.rng.random() < 0.1:
            self.events.append(switch(self.tick(), self.pid, 0, pid, 0))
        self.pid = pid
        self.tick()

    def interrupt(self, body, from_user=False):
        self.now += self.entry_ns * self.rng.uniform(1, 1.5)
        self.call("irq_enter_rcu")
        self.leaf("tick_irq_enter")
        self.ret()
        body()
        self.leaf("irq_exit_rcu")
        if from_user and not self.old:
            self.way_back(lambda: None, 0.0)

    def way_back(self, struck, work_ns):
        """The last part of a task's return to user mode, where an interrupt may occur."""
        if not self.flat:
            self.call("exit_to_user_mode_prepare")
        struck()
        self.leaf("switch_fpu_return", work_ns)
        if not self.flat:
            self.ret()

    def timer(self, wakes, fault_ns=0.0, after_ns=0.0):
        """The timer's interrupt; @fault_ns before it wakes a task, @after_ns after."""
        def body():
            self.call("__sysvec_apic_timer_interrupt", flags=HARDIRQ)
            self.call("hrtimer_interrupt", flags=HARDIRQ)
            self.call("__hrtimer_run_queues", flags=HARDIRQ)
            if fault_ns:
                self.leaf("settle_phy", fault_ns, HARDIRQ)
            if wakes:
                self.call(self.wakes, flags=HARDIRQ)
                self.leaf("try_to_wake_up", self.rng.uniform(500, 3000), HARDIRQ)
                self.ret(HARDIRQ)
            else:
                self.leaf("tick_sched_timer", self.rng.uniform(500, 9000), HARDIRQ)
            if after_ns:
                self.leaf("settle_phy", after_ns, HARDIRQ)
            for _ in range(3):
                self.ret(HARDIRQ)
        return body

    def device(self, ns):
        def body():
            self.call("__common_interrupt", flags=HARDIRQ)
            self.leaf("handle_irq_event", ns, HARDIRQ)
            self.ret(HARDIRQ)
        return body

    def strike(self, ns, from_user=False):
        if ns:
            self.interrupt(self.rng.choice([self.device(ns), self.timer(False, ns)]), from_user)

    def idle_until(self, until):
        """The CPU is idle, with occasional interrupts; ends well before @until."""
        self.call("default_idle_call")
        self.call("mwait_idle")
        while self.rng.random() < 0.4:
            at = self.now + self.rng.uniform(0, max(1, until - self.now))
            if at + 300_000 > until:
                break
            self.now = at
            if self.rng.random() < 0.3:
                self.interrupt(self.timer(True))  # wakes somebody, who runs a while
                self.ret()
                self.ret()
                self.other_runs(self.rng.uniform(1000, 30_000))
                self.call("default_idle_call")
                self.call("mwait_idle")
            else:
                self.interrupt(self.rng.choice([self.device(5000), self.timer(False)]))
        return until

    def other_runs(self, ns):
        self.call("schedule")
        self.switch(OTHER)
        self.leaf("process_one_work", ns)
        self.switch(0)
        self.ret()


class Cyclictest:
    def __init__(self, rng, timers=True):
        self.rng, self.machine = rng, Machine(rng)
        machine = self.machine
        if not timers:
            machine.wakes = "hidden_wakeup"
        self.period_us = rng.choice(ROUND_US if rng.random() < 0.6 else ODD_US)
        self.drift = 1 + rng.choice([0, 0, rng.uniform(-60e-6, 60e-6)])
        self.period = self.period_us * 1000 * self.drift
        self.cycles = rng.choice(CYCLES)
        self.work_ns = rng.choice([0, 2000, 20_000])
        self.blind = rng.random() < 0.1
        self.other_sleeps = rng.random() < 0.2
        self.found = Foreign(machine.events, self.period, sleeps=self.cycles)

    def sleep(self, name="__x64_sys_clock_nanosleep", inner="do_nanosleep"):
        machine = self.machine
        if not machine.old:
            machine.call("x64_sys_call")
        for call in (name, inner, "schedule", "__schedule"):
            machine.call(call)
        machine.switch(0)

    def come_back(self, way_back_ns=0.0):
        machine = self.machine
        machine.leaf("finish_task_switch")
        while machine.stacks[MEASURED]:
            machine.ret()
        if machine.old:
            machine.strike(way_back_ns)
            return
        machine.leaf("syscall_exit_to_user_mode_prepare")
        machine.way_back(lambda: machine.strike(way_back_ns), self.rng.uniform(0, self.work_ns))

    def wake(self, expected, struck):
        """From the timer's expiry to the return to user mode; @struck: place -> ns of interrupts there."""
        machine = self.machine
        machine.idle_until(expected)
        machine.now = max(machine.now, expected)
        if struck.get("expiry"):
            machine.leaf("local_irq_disable_section", struck["expiry"])
        machine.interrupt(machine.timer(True, struck.get("timer", 0)))
        machine.strike(struck.get("woken", 0))
        while machine.stacks.get(0):
            machine.ret()
        machine.call("schedule")
        machine.switch(MEASURED)
        machine.ret_idle = True
        machine.strike(struck.get("switched", 0))
        self.come_back(struck.get("way-back", 0))
        machine.stacks[0] = []

    def other_sleep(self, until):
        """The task waits for a lock: a sleep unrelated to the period."""
        machine = self.machine
        machine.now += 2000
        self.sleep("__x64_sys_futex", "futex_wait")
        machine.now += self.rng.uniform(10_000, max(10_001, until - machine.now))
        machine.call("schedule")
        machine.switch(MEASURED)
        self.come_back()
        machine.stacks[0] = []

    def ordinary_cycle(self, expected):
        rng, machine = self.rng, self.machine
        struck = {}
        limit = 0.25 * self.period
        if rng.random() < 0.15:
            struck[rng.choice(PLACES[:5])] = rng.uniform(0.1, 1) * limit
        start = machine.now
        self.sleep()
        slept = machine.now
        self.wake(expected, struck)
        returned = int(machine.now)
        machine.now += rng.uniform(200, 1500)
        if start < expected and slept <= expected:
            self.found.ordinary.append((expected, returned))
        self.longest = max(self.longest, machine.now - expected)
        if self.other_sleeps and rng.random() < 0.5:
            self.other_sleep(expected + 0.7 * self.period)
        machine.now += rng.uniform(200, 2000)

    def hit(self, expected):
        rng, machine, found = self.rng, self.machine, self.found
        struck = {place: rng.uniform(2_000, 0.2 * self.period) for place in PLACES if rng.random() < 0.2}
        found.blind = self.blind
        found.place = rng.choice(EARLY + ["user"])
        struck[found.place] = self.longest + rng.uniform(0.05, 0.6) * self.period
        self.sleep()
        self.wake(expected, struck)
        before = rng.uniform(100, 1200)
        machine.now += before
        if self.blind and struck.get("user"):
            machine.now += struck["user"]  # the whole machine stood still
        elif struck.get("user"):
            machine.strike(struck["user"], True)
        machine.now += rng.uniform(100, 800)
        found.expected, found.observed = expected, machine.now
        found.latency_us = int((machine.now - expected) / self.drift // 1000)
        if self.blind and struck.get("read"):
            machine.now += struck["read"]
        elif struck.get("read"):
            machine.now += rng.uniform(100, 1500)
            machine.strike(struck["read"], True)
        machine.now += rng.uniform(1000, 3500)
        for call in ("x64_sys_call", "__x64_sys_write", "vfs_write"):
            machine.call(call)
        machine.strike(struck.get("write", 0))
        threshold = int(self.longest * 1.02 / 1000) + 5
        machine.events.append(marker(machine.tick(), MEASURED, found.latency_us, threshold))
        found.struck = sorted(struck)
        found.good = found.latency_us > threshold
        while machine.stacks[MEASURED]:
            machine.ret()
        if not machine.old:
            machine.leaf("syscall_exit_to_user_mode_prepare")
            machine.leaf("switch_fpu_return" if machine.flat else "exit_to_user_mode_prepare")
        machine.now += rng.uniform(500, 3000)
        machine.leaf("__x64_sys_write" if machine.old else "x64_sys_call", 3000)

    def play(self):
        rng, machine, self.longest = self.rng, self.machine, 0.0
        machine.call("do_idle")
        machine.ret()
        machine.pid = MEASURED
        expected = machine.now + self.period / 2
        for _ in range(self.cycles):
            self.ordinary_cycle(expected)
            expected += self.period
            if rng.random() < 0.03:
                expected += self.period  # a cycle that was left out
            while expected < machine.now + 0.15 * self.period:
                expected += self.period
        self.longest = max(self.longest, 30_000)
        self.hit(expected)
        return self.found


def foreign(seed, timers=True):
    for attempt in range(100):
        found = Cyclictest(random.Random(f"{seed}/{attempt}"), timers).play()
        if found.good:
            return found
    raise AssertionError(f"seed {seed} makes no late cycle")

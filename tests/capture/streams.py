# SPDX-License-Identifier: GPL-3.0-or-later
# Random captures, seeded: a small machine whose CPUs run tasks that call, sleep, migrate and are interrupted, and one
# cyclic task whose late wake-up ends the trace. damage.py damages them.

import os
import sys
from dataclasses import dataclass, field

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

from events import HARDIRQ, IRQS_OFF, NEED_RESCHED, NMI, SOFTIRQ, Event, entry, leave, marker, other  # noqa: E402

MEASURED = 128
BASE = 0xffffffff81000000
MODULE_BASE = 0xffffffffc0400000
STEP = 0x40
PLAIN = [f"kernel_function_{i}" for i in range(22)] + ["_raw_spin_lock_irqsave", "_raw_spin_unlock_irqrestore"]
SPECIAL = ["__x64_sys_clock_nanosleep", "do_nanosleep", "schedule", "exit_to_user_mode_prepare",
           "syscall_exit_to_user_mode", "__x64_sys_write", "asm_interrupt", "do_idle", "irq_enter_rcu",
           "tick_irq_enter", "irq_exit_rcu",
           "hrtimer_wakeup", "__x64_sys_clock_gettime",
           "mem_cgroup_handle_over_high", "switch_fpu_return", "smaller_helper", "smaller_helper"]


def symbol_table(long_size=8):
    """(address, name, module): some names stand at two addresses, some functions are in modules."""
    base, module = (BASE, MODULE_BASE) if long_size == 8 else (BASE & 0xffffffff, MODULE_BASE & 0xffffffff)
    symbols = [(base + STEP * i, name, "") for i, name in enumerate(PLAIN + SPECIAL)]
    return symbols + [(module + STEP * i, name, owner) for i, (name, owner) in enumerate(
        [("helper", "alpha"), ("helper", "beta"), ("work", "alpha"), ("kernel_function_3", "beta")])]


@dataclass
class Task:
    pid: int
    stack: list = field(default_factory=list)
    wake_ns: int = 0
    cpu: int = -1


class Machine:
    """Keeps one clock per CPU and always lets the CPU that is furthest behind do its next step, so that a task is
    never in two places. An interrupt is played out in one step, on top of the task it strikes."""

    def __init__(self, rng, cpus, long_size=8):
        self.rng = rng
        self.symbols = symbol_table(long_size)
        self.address = {}
        for address, name, _ in self.symbols:
            self.address.setdefault(name, address)
        self.funcs = [address for address, name, _ in self.symbols if name not in SPECIAL[:-2]]
        self.funcs = rng.sample(self.funcs, rng.randint(2, len(self.funcs)))
        self.events = {cpu: [] for cpu in range(cpus)}
        self.now = {cpu: 5_000_000_000 + rng.randrange(100_000) for cpu in range(cpus)}
        self.idle = [Task(0) for _ in range(cpus)]
        self.on_cpu = list(self.idle)
        self.tasks = [Task(pid) for pid in range(200, 200 + rng.randint(1, 5))]
        self.floor = rng.choice([1, 90, 400, 1500])
        self.timers = rng.random() < 0.6

    def tick(self, cpu):
        """Time goes on by one event's worth of tracing and, often, some work."""
        extra = self.rng.choice([0, 1, self.rng.randrange(50), self.rng.randrange(2000)])
        if self.rng.random() < 0.01:
            extra += self.rng.randrange(200_000)
        self.now[cpu] += self.floor + extra
        return self.now[cpu]

    def call(self, cpu, func, flags=0):
        task = self.on_cpu[cpu]
        ts = self.tick(cpu)
        self.events[cpu].append(entry(ts, task.pid, func, len(task.stack), flags))
        task.stack.append((func, ts))

    def ret(self, cpu, flags=0):
        task = self.on_cpu[cpu]
        func, start = task.stack.pop()
        ts = self.tick(cpu)
        duration = max(0, ts - start + self.rng.randrange(-20, 20))
        self.events[cpu].append(leave(ts, task.pid, func, len(task.stack), duration, flags))

    def tree(self, cpu, calls, flags=0):
        """A random tree of about @calls calls, back to where it began."""
        bottom = len(self.on_cpu[cpu].stack)
        for _ in range(2 * calls):
            depth = len(self.on_cpu[cpu].stack) - bottom
            if depth and (depth > 8 or self.rng.random() < 0.5):
                self.ret(cpu, flags)
            else:
                self.call(cpu, self.rng.choice(self.funcs), flags)
        while len(self.on_cpu[cpu].stack) > bottom:
            self.ret(cpu, flags)

    def interrupt(self, cpu, calls=None, wakes=False):
        flags = self.rng.choice([HARDIRQ, HARDIRQ, SOFTIRQ, NMI, HARDIRQ | SOFTIRQ])
        if self.rng.random() < 0.3:
            self.call(cpu, self.address["irq_enter_rcu"])
            if self.rng.random() < 0.5:
                self.around(cpu, "tick_irq_enter", flags)
            self.ret(cpu)
        elif self.rng.random() < 0.3:
            self.around(cpu, "tick_irq_enter", flags)
        self.call(cpu, self.rng.choice([self.address["asm_interrupt"], *self.funcs]), flags)
        self.tree(cpu, self.rng.randint(0, 6) if calls is None else calls, flags)
        if wakes:
            self.call(cpu, self.address["hrtimer_wakeup"], flags)
            self.ret(cpu, flags)
        if flags == HARDIRQ and self.rng.random() < 0.3:
            self.tree(cpu, 2, SOFTIRQ)
        self.ret(cpu, flags)
        if self.rng.random() < 0.4:
            self.around(cpu, "irq_exit_rcu", flags)

    def around(self, cpu, name, flags):
        """What the kernel does before or after the work of an interrupt."""
        self.call(cpu, self.address[name], flags)
        self.tree(cpu, self.rng.randint(0, 3), self.rng.choice([flags, SOFTIRQ, 0]))
        self.ret(cpu, flags)

    def switch(self, cpu, task):
        if self.rng.random() < 0.7:
            self.events[cpu].append(other(self.tick(cpu), self.on_cpu[cpu].pid, "switch", NEED_RESCHED))
        gone = self.on_cpu[cpu]
        gone.cpu, gone.wake_ns = -1, max(gone.wake_ns, self.now[cpu] + 1)
        self.on_cpu[cpu] = task
        task.cpu = cpu

    def runnable(self, cpu):
        return [task for task in self.tasks if task.cpu < 0 and task.wake_ns <= self.now[cpu]]

    def step(self, cpu):
        task, chance = self.on_cpu[cpu], self.rng.random()
        if chance < 0.05:
            self.interrupt(cpu)
        elif chance < 0.08:
            self.events[cpu].append(other(self.tick(cpu), task.pid, self.rng.choice(["unknown", "print", "switch", "waking"])))
        elif chance < 0.20:
            candidates = self.runnable(cpu)
            if task.pid:
                task.wake_ns = self.now[cpu] + self.rng.choice([0, 30_000, 300_000])
            if candidates or task.pid:
                self.switch(cpu, self.rng.choice(candidates) if candidates else self.idle[cpu])
        elif task.pid == 0 and chance < 0.30:
            self.now[cpu] += self.rng.randrange(40_000)
        elif task.stack and (len(task.stack) > 12 or self.rng.random() < 0.5):
            self.ret(cpu)
        else:
            self.call(cpu, self.rng.choice(self.funcs))

    def run(self, until, but=-1):
        """Every CPU but one, up to an instant."""
        while True:
            behind = [cpu for cpu in self.now if cpu != but and self.now[cpu] < until]
            if not behind:
                return
            self.step(min(behind, key=self.now.get))


@dataclass
class Cyclic:
    """The measured task's way through its cycles; latency_ns of the last one goes into the marker."""
    machine: Machine
    period: int
    task: Task = field(default_factory=lambda: Task(MEASURED))
    cpu: int = 0
    expected: int = 0

    def go_to_sleep(self):
        machine = self.machine
        machine.switch(self.cpu, self.task)
        for name in ("__x64_sys_clock_nanosleep", "do_nanosleep", "schedule"):
            machine.call(self.cpu, machine.address[name])
        runnable = machine.runnable(self.cpu)
        machine.switch(self.cpu, machine.rng.choice(runnable) if runnable else machine.idle[self.cpu])

    def wake_up(self, work):
        machine = self.machine
        self.cpu = machine.rng.choice([self.cpu] * 6 + list(machine.now))
        machine.run(self.expected)
        machine.run(self.expected + 20_000, but=self.cpu)
        if machine.timers:
            machine.interrupt(self.cpu, 1, wakes=True)
        for _ in range(work):
            machine.interrupt(self.cpu, 4)
        machine.now[self.cpu] = max(machine.now[self.cpu], self.task.wake_ns)
        machine.switch(self.cpu, self.task)
        while self.task.stack:
            if machine.rng.random() < 0.3:
                machine.tree(self.cpu, 3)
            machine.ret(self.cpu)
        for name in machine.rng.choice([(), SPECIAL[3:4], SPECIAL[3:5], SPECIAL[11:13]]):
            machine.call(self.cpu, machine.address[name])
            if machine.rng.random() < 0.2:
                machine.tree(self.cpu, 2)
            machine.ret(self.cpu)

    def run(self, first_expected, cycles):
        machine, self.expected = self.machine, first_expected
        machine.run(self.expected - self.period // 2)
        for cycle in range(cycles):
            self.go_to_sleep()
            late = machine.rng.randint(3, 12) if cycle == cycles - 1 else machine.rng.choice([0, 0, 1])
            self.wake_up(late)
            observed = machine.now[self.cpu]
            if cycle < cycles - 1:
                self.to_the_next_cycle()
        observed = self.read_the_clock(observed)
        machine.call(self.cpu, machine.address["__x64_sys_write"])
        latency = (observed - self.expected) // 1000
        threshold = max(1, latency // machine.rng.choice([1, 2, 3]) - 1)
        machine.events[self.cpu].append(marker(machine.tick(self.cpu), MEASURED, latency, threshold))

    def read_the_clock(self, observed):
        """Interrupts may strike before and after, or it takes a system call."""
        machine = self.machine
        for _ in range(machine.rng.choice([0, 0, 1, 2])):
            machine.interrupt(self.cpu, 5)
            for name in machine.rng.choice([(), ("irq_enter_rcu",), SPECIAL[3:4]]):
                machine.call(self.cpu, machine.address[name])
                machine.ret(self.cpu)
            if machine.rng.random() < 0.5:
                observed = machine.now[self.cpu]
        if machine.rng.random() < 0.1:
            machine.call(self.cpu, machine.address["__x64_sys_clock_gettime"])
            observed = machine.now[self.cpu]
            machine.ret(self.cpu)
        return observed

    def to_the_next_cycle(self):
        """The other CPUs catch up while the task runs in user mode."""
        self.expected += self.period
        while self.expected <= self.machine.now[self.cpu] + self.period // 4:
            self.expected += self.period
        self.machine.run(self.machine.now[self.cpu], but=self.cpu)


@dataclass
class Stream:
    """cpus: CPU -> events."""
    cpus: dict
    symbols: list
    cmdlines: dict
    overruns: dict
    period: int


def disable(rng, events):
    """Interrupts and preemption are disabled now and then, and another task is to run; a tracer adds to the depth that its events read."""
    chance, tracers, most = rng.choice([0.01, 0.03, 0.2]), rng.choice([(0, 0), (1, 0), (1, 0), (2, 1)]), rng.choice([1, 3, 16])
    off, depth, wanted = rng.random() < 0.2, int(rng.random() < 0.2), False
    for event in events:
        if rng.random() < chance:
            off = not off
        if rng.random() < chance:
            depth = max(0, min(most, depth + rng.choice([-2, -1, 1])))
        if rng.random() < 0.05:
            wanted = not wanted
        if wanted:
            event.flags |= NEED_RESCHED
        if off or (event.flags & HARDIRQ and rng.random() < 0.98):
            event.flags |= IRQS_OFF
        event.preempt = min(15, depth + (event.pid == 0) + (tracers[event.kind == "exit"] if event.kind in ("entry", "exit") else 0))


def well_formed(rng, long_size=8):
    machine = Machine(rng, rng.randint(1, 4), long_size)
    period = rng.choice([150_000, 400_000, 1_000_000])
    cyclic = Cyclic(machine, period, cpu=rng.randrange(len(machine.now)))
    first = max(machine.now.values()) + period
    if rng.random() < 0.95:
        cyclic.run(first, rng.randint(1, 9))
    else:
        machine.run(first + 3 * period)
    overruns = {}
    if rng.random() < 0.7:
        for cpu, events in machine.events.items():
            overruns[cpu] = rng.randrange(1 + len(events) // 3)
            del events[:overruns[cpu]]
    cpus = {cpu: events for cpu, events in machine.events.items() if events}
    for events in cpus.values():
        disable(rng, events)
    cmdlines = {task.pid: f"task{task.pid}" for task in machine.tasks}
    return Stream(cpus, machine.symbols, {**cmdlines, MEASURED: "cyclictest"}, overruns, period)

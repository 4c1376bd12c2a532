# SPDX-License-Identifier: GPL-3.0-or-later
# Worlds in which a single rule of the verdict decides, that hardly ever does in those that are drawn at large.

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from worlds import World, log_uniform  # noqa: E402


class Rare(World):
    captures = (3, 5, 8, 12, 20, 40)
    wakes = (5, 10, 15)
    extra = (2, 10)

    def __init__(self, random):
        super().__init__(random)
        self.hidden = {}

    def trunk(self):
        """Some sources that always run; the last of them has most of the time. They are left as they are."""
        for context, name in (("measured", "cyclic"), ("idle", "idle"), ("softirq", "run_timers")):
            source = self.source(context, name)
            source.runs = 1
            self.add(source, "do_syscall" if context == "measured" else "do_idle" if context == "idle" else name,
                     call_ns=self.random.uniform(2000, 9000), spread=0.05)

    def chain(self, context, source, *names, call_ns=1500, runs=1):
        """The nodes of a path, the source first."""
        nodes = [self.source(context, source)]
        nodes[0].runs = 1
        for name in names:
            nodes.append(self.add(nodes[-1], name, call_ns=call_ns, spread=0.1, runs=runs))
        return nodes

    def pick(self, nodes, shares):
        return self.random.choices(nodes, shares)[0]


class Meeting(Rare):
    """One capture each in many functions below a node: three quarters or so below one of its two."""
    several_faults = (1,)

    def draw_nodes(self):
        self.trunk()
        *_, self.top = self.chain("hardirq", "disk_interrupt", "disk_interrupt", "function_0")
        self.sides = [self.add(self.top, name, call_ns=900) for name in ("function_1", "function_2")]
        self.leaves = [[self.add(side, f"leaf_{number}_{place}", call_ns=700, runs=0.5) for number in range(30)]
                       for place, side in enumerate(self.sides)]

    def draw_fault(self):
        part = self.random.choice([0.5, 0.75, 0.8, 1])

        def meet(costs, ns):
            leaves = self.pick(self.leaves, [part, 1 - part])
            several = self.random.sample(leaves, self.random.choice([1, 2, 3]))
            self.part_out(costs, several, ns, 4)
        return meet


class Prone(Rare):
    """Stalls anywhere, and beside them a function with long stretches that may have much of all time."""

    def draw_nodes(self):
        self.trunk()
        *_, self.prone = self.chain("hardirq", "timer_interrupt", "timer_interrupt", "slow", call_ns=log_uniform(self.random, 10, 60_000))
        for number in range(6):
            self.chain("nmi" if number % 2 else "softirq", f"source_{number}", f"source_{number}", call_ns=self.random.uniform(1000, 4000))

    def draw_fault(self):
        part = self.random.choice([0.1, 0.3, 0.5, 0.8, 1])
        return lambda costs, ns: (self.at_one_stretch(self.prone) if self.random.random() < part else self.anywhere_one_stretch(None))(costs, ns)


class Tasks(Rare):
    """Tasks that do many things, some of them in single stretches, and functions that others have, too."""

    def draw_nodes(self):
        self.trunk()
        self.inside = []
        for name in ("worker", "logger"):
            source, *rest = self.chain("task", name, "x64_sys_call", "function_0", runs=self.random.choice([1, 0.2, 0]))
            self.inside += [*rest, self.add(source, "[user]", runs=0.3, call_ns=2000), self.add(source, "page_fault", runs=0.3, call_ns=2000)]
            self.inside += [self.add(rest[0], f"call_{number}", runs=0.2, call_ns=3000) for number in range(5)]

    def draw_fault(self):
        part = self.random.choice([0, 0.4, 0.9])

        def hold(costs, ns):
            node = self.random.choice(self.inside)
            (self.at_one_stretch if self.random.random() < part else self.often)(node)(costs, ns)
        return hold


class Timers(Rare):
    """Timers that come late beside stalls, often in a virtual machine."""

    def __init__(self, random):
        super().__init__(random)
        self.machine = random.choice([True, False, None])

    def draw_nodes(self):
        self.trunk()
        idle = self.nodes[2]
        self.waits = [self.add(idle, "[idle]", call_ns=20_000, spread=0.5, runs=0.9)]
        rings = self.random.choice([["function_0"], ["hrtimer_interrupt", "hrtimer_wakeup"], ["hrtimer_interrupt", "tick_sched_timer", "wake_up_q"],
                                    ["tick_sched_timer", "wake_up_q"], ["hrtimer_interrupt", "function_0"]])
        *_, rest = self.chain("hardirq", "timer_interrupt", "timer_interrupt", *rings)
        self.waits += [self.nodes[3], self.add(self.nodes[3], "leave_idle", call_ns=600), rest]
        self.out = [self.add(self.waits[2], f"out_{number}", call_ns=300) for number in range(4)]

    def draw_fault(self):
        part = self.random.choice([0, 0.5, 0.9, 1])
        return lambda costs, ns: (self.at_one_stretch(self.random.choice(self.waits[:2])) if self.random.random() < part else
                                  self.random.choice([self.anywhere_one_stretch, self.often, self.leave_late])(self.waits[3]))(costs, ns)

    def leave_late(self, _):
        """The idle task waits for a part of it only, and is on its way out for the rest."""
        def leave(costs, ns):
            waits = self.random.uniform(0.3, 0.7)
            self.more(costs, self.waits[0], ns * waits, 1)
            self.part_out(costs, [self.waits[1], *self.out], ns * (1 - waits), 3)
        return leave


class Recursive(Rare):
    """A function that calls itself, at several places and in two contexts."""

    def draw_nodes(self):
        self.trunk()
        self.chain("hardirq", "timer_interrupt", "timer_interrupt", "walk", "walk", "step", "walk")
        self.chain("softirq", "run_more", "run_more", "walk", "walk")

    def draw_fault(self):
        return self.random.choice([self.at_several_places, self.often, self.in_subtree])(
            self.random.choice([node for node in self.nodes if node.name == "walk"]))


class Degrees(Rare):
    """A function that has much of the time ordinarily has more: near the half of what is not mere slowness."""
    extra = (0.4, 2)

    def draw_nodes(self):
        self.trunk()
        *_, self.much = self.chain("hardirq", "timer_interrupt", "timer_interrupt", "much", call_ns=log_uniform(self.random, 3000, 80_000),
                                   runs=self.random.choice([1, 0.5, 0.1]))

    def draw_fault(self):
        def grow(costs, ns):
            part = self.random.uniform(0.3, 1)
            self.slow_down(None)(costs, ns * (1 - part) + 1)
            self.more(costs, self.much, ns * part, self.random.choice([1, 3, 12]))
        return grow


class Lost(Rare):
    """What was not captured has half of it, in two contexts."""

    def draw_nodes(self):
        self.trunk()
        self.missing = [self.chain(context, "[not captured]", "[not captured]", runs=0.3)[1] for context in ("task", "measured")]
        *_, self.beside = self.chain("hardirq", "timer_interrupt", "timer_interrupt", "function_0")

    def draw_fault(self):
        def lose(costs, ns):
            part = self.random.uniform(0.3, 0.8)
            self.part_out(costs, self.missing, ns * part)
            self.more(costs, self.beside, ns * (1 - part), 3)
        return lose


class Pairs(Rare):
    """Two captures each of functions that hardly count for anything, among many others."""
    captures = (4, 12, 30)

    def draw_nodes(self):
        self.trunk()
        for number in range(10):
            self.chain("hardirq", f"source_{number % 3}_{number}", f"source_{number % 3}_{number}", "common", f"own_{number}", runs=0.6)
        self.late_ones = 0

    def draw_fault(self):
        def pair(costs, ns):
            self.late_ones += 1
            node = next(node for node in self.nodes if node.name == f"own_{self.late_ones // 2 % 10}")
            (self.at_one_stretch if self.late_ones % 3 == 0 else self.often)(node)(costs, ns)
        return pair


WORLDS = (Meeting, Prone, Tasks, Timers, Recursive, Degrees, Lost, Pairs)

# SPDX-License-Identifier: GPL-3.0-or-later
# What runs in wake-ups that are drawn at random, as a tree of calls, and how some of them come to be late: functions at one
# place or at several, whatever a task or an interrupt does, single stretches, timers, everything at once, or only tracing.

import math
from dataclasses import dataclass

SOURCES = [("hardirq", "timer_interrupt"), ("hardirq", "disk_interrupt"), ("softirq", "run_timers"), ("nmi", "watch"),
           ("task", "worker"), ("task", "logger"), ("idle", "idle"), ("measured", "cyclic")]
FIRST = {"task": ["do_syscall", "page_fault", "[user]"], "idle": ["[idle]", "do_idle"], "measured": ["do_syscall", "[user]"]}
FUNCTIONS = [f"function_{number}" for number in range(12)]
ORDINALS = {"function_1": 1, "function_7": 2}
CALL_NS = ((300, 20_000), (300, 20_000), (300, 20_000), (2, 50))
NOT_CAPTURED = "[not captured]"


@dataclass(eq=False)
class Node:
    """place: its number in the world. name is None for a source."""
    place: int
    context: str
    source: str
    parent: object = None
    name: str = None
    runs: float = 1
    calls: int = 1
    call_ns: float = 0
    spread: float = 0.1
    tracing_ns: int = 60

    def is_bracket(self):
        return self.name is not None and self.name.startswith("[")

    def names(self):
        return () if self.parent is None else (*self.parent.names(), self.name)


@dataclass
class Cost:
    calls: int = 0
    self_ns: int = 0
    tracing_ns: int = 0
    longest_ns: int = 0

    def add(self, calls, self_ns, tracing_ns, longest_ns):
        self.calls += calls
        self.self_ns += int(self_ns) + tracing_ns
        self.tracing_ns += tracing_ns
        self.longest_ns = max(self.longest_ns, int(longest_ns))


def log_uniform(random, low, high):
    return math.exp(random.uniform(math.log(low), math.log(high)))


class World:
    """What runs in a population, and how its captures come to be late."""
    captures = (1, 2, 3, 4, 5, 8, 12, 20)
    wakes = (0, 3, 4, 6, 6, 10, 15, 25)
    extra = (0.5, 30)  # of the usual latency
    elsewhere = (0, 0, 1, 5)  # calls outside of windows
    several_faults = (1, 1, 2, 3)

    def __init__(self, random):
        self.random = random
        self.nodes = []
        self.spread = random.choice([0.003, 0.03, 0.1, 0.1, 0.3])
        self.machine = random.choice([None, None, True, False])
        self.silent = random.choice([None, 0, 0.5, 1])
        self.witness = random.choice([None, None, "smi", "steal"])
        self.hidden = random.choice([{}] * 6 + [{"graph_depth": 4}, {"interrupts_traced": 0}, {"graph_functions": "f"}])
        self.draw_nodes()
        self.faults = [self.draw_fault() for _ in range(random.choice(self.several_faults))]

    # What runs

    def add(self, parent, name, **more):
        node = Node(len(self.nodes), parent.context, parent.source, parent, name, **more)
        if node.is_bracket():
            node.calls = node.tracing_ns = 0
        self.nodes.append(node)
        return node

    def source(self, context, name):
        self.nodes.append(Node(len(self.nodes), context, name, runs=self.random.choice([1, 1, 0.7, 0.2])))
        return self.nodes[-1]

    def draw_nodes(self):
        random = self.random
        for context, name in random.sample(SOURCES, random.randint(2, len(SOURCES))):
            source = self.source(context, name)
            first = random.sample(FIRST[context], random.randint(1, len(FIRST[context]))) if context in FIRST else [name]
            for below in first:
                self.grow(self.draw_node(source, below), random.choice([0, 1, 3, 6]))
        for context in random.sample(["idle", "task", "measured"], random.choice([0, 0, 1, 2])):
            self.draw_node(self.source(context, NOT_CAPTURED), NOT_CAPTURED)

    def draw_node(self, parent, name):
        random = self.random
        return self.add(parent, name, runs=random.choice([1, 1, 1, 0.7, 0.3, 0.05]), calls=random.choice([1, 1, 2, 8]),
                        call_ns=log_uniform(random, *random.choice(CALL_NS)), spread=self.spread)

    def grow(self, root, count):
        """@count more nodes somewhere below, now and then a chain of them; recursion may happen."""
        below = [root] if not root.is_bracket() else []
        for _ in range(count if below else 0):
            parent = below[-1] if self.random.random() < 0.6 else self.random.choice(below)
            name = self.random.choice(FUNCTIONS)
            if all(node.parent is not parent or node.name != name for node in self.nodes):
                below.append(self.draw_node(parent, name))

    def below(self, node):
        """With the node itself."""
        found = [node]
        for other in self.nodes[node.place:]:
            if other.parent in found:
                found.append(other)
        return found

    # Wake-ups: node's place -> Cost

    def ordinary(self):
        costs = {}
        for place, node in enumerate(self.nodes):
            if node.parent is not None and node.parent.place not in costs:
                continue
            if self.random.random() < node.runs:
                costs[place] = self.cost(node)
        if not any(cost.self_ns for cost in costs.values()):
            self.more(costs, next(node for node in self.nodes if node.name), 500, 1)
        return costs

    def cost(self, node):
        cost = Cost()
        if node.name:
            calls = max(1, node.calls + (self.random.randint(-1, 2) if node.calls > 1 else 0)) if node.calls else 0
            self.spend(cost, node, [node.call_ns * self.random.lognormvariate(0, node.spread) for _ in range(max(calls, 1))])
        return cost

    def spend(self, cost, node, parts):
        calls = len(parts) if node.calls else 0
        longest = 0 if node.name == NOT_CAPTURED else max(parts) * self.random.choice([1, 1, 0.6])
        cost.add(calls, sum(parts), calls * node.tracing_ns, longest)

    def more(self, costs, node, extra_ns, calls):
        """@extra_ns more of a node in so many calls; what is above it is there, too."""
        above = node.parent
        while above is not None:
            costs.setdefault(above.place, Cost(int(above.name is not None)))
            above = above.parent
        cost = costs.setdefault(node.place, Cost())
        self.spend(cost, node, [extra_ns / calls] * calls)

    # How they come to be late

    def proper(self):
        return [node for node in self.nodes if node.name and not node.is_bracket()]

    def draw_fault(self):
        """A function of costs and the time by which they grow."""
        random = self.random
        node = random.choice(self.proper() or [node for node in self.nodes if node.name])
        return random.choice([self.often, self.long, self.both, self.at_several_places, self.in_subtree, self.in_source, self.in_source,
                              self.at_one_stretch, self.anywhere_one_stretch, self.anywhere_one_stretch, self.wait, self.lose,
                              self.slow_down, self.trace, self.share_out])(node)

    def often(self, node):
        return lambda costs, ns: self.more(costs, node, ns, min(max(2, round(ns / max(node.call_ns, 1))), 2000))

    def long(self, node):
        return lambda costs, ns: self.more(costs, node, ns, 1) if self.random.random() < 0.5 else self.more(costs, node, ns, 3)

    def both(self, node):
        return lambda costs, ns: self.more(costs, node, ns, max(2, node.calls * 3))

    def part_out(self, costs, nodes, ns, calls=4):
        """Not the same to any two of them, as nothing is said of which comes first."""
        shares = [self.random.uniform(0.8, 1.2) for _ in nodes]
        for node, share in zip(nodes, shares):
            self.more(costs, node, ns * share / sum(shares), calls)

    def at_several_places(self, node):
        places = [other for other in self.nodes if (other.name, other.context) == (node.name, node.context)]
        return lambda costs, ns: self.part_out(costs, places, ns)

    def in_subtree(self, node):
        return lambda costs, ns: self.part_out(costs, [other for other in self.below(node) if not other.is_bracket()] or [node], ns)

    def in_source(self, node):
        """Whatever it does, another thing each time."""
        while node.parent is not None:
            node = node.parent
        inside = [other for other in self.below(node) if other.name]
        return lambda costs, ns: self.part_out(costs, self.random.sample(inside, self.random.randint(1, len(inside))), ns,
                                               self.random.choice([1, 4]))

    def at_one_stretch(self, node):
        return lambda costs, ns: self.more(costs, node, ns, 1)

    def anywhere_one_stretch(self, _):
        def strike(costs, ns):
            places = [place for place in costs if self.nodes[place].name]
            self.more(costs, self.nodes[self.random.choices(places, [costs[place].self_ns + 1 for place in places])[0]], ns, 1)
        return strike

    def wait(self, node):
        idle = [other for other in self.nodes if other.context == "idle" and other.name in ("[idle]", "do_idle")]
        return self.at_one_stretch(idle[0]) if idle else self.often(node)

    def lose(self, node):
        lost = [other for other in self.nodes if other.name == NOT_CAPTURED]
        return lambda costs, ns: self.part_out(costs, lost or [node], ns)

    def slow_down(self, _):
        def slow(costs, ns):
            whole_ns = sum(cost.self_ns for cost in costs.values())
            for cost in costs.values():
                cost.self_ns += int(cost.self_ns * ns / whole_ns)
        return slow

    def trace(self, node):
        return lambda costs, ns: costs.setdefault(node.place, Cost(1)).add(0, 0, int(ns), 0) or self.more(costs, node, 1, 1)

    def share_out(self, node):
        """About half of it, where the rules part."""
        other = self.random.choice([other for other in self.nodes if other.name])

        def share(costs, ns):
            part = self.random.uniform(0.4, 0.7)
            self.more(costs, node, ns * part, 3)
            self.more(costs, other, ns * (1 - part), 3)
        return share

    def late(self, usual_ns):
        costs = self.ordinary()
        self.random.choice(self.faults)(costs, usual_ns * log_uniform(self.random, *self.extra))
        return costs

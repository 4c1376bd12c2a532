# SPDX-License-Identifier: GPL-3.0-or-later
# What runs in wake-ups that are drawn at random, and how some of them come to be late: moderate excesses, functions that
# seldom run, causes that share a capture, stalls here and there.

import math
from dataclasses import dataclass

SOURCES = {"hardirq": ["timer_interrupt", "disk_interrupt"], "softirq": ["run_timers"], "task": ["worker", "logger"],
           "idle": ["idle"], "measured": ["cyclic"]}


@dataclass
class Function:
    number: int
    name: str
    context: str
    source: str
    runs: float
    calls: int  # 0: it is none of the functions proper
    call_ns: float
    spread: float
    stepped: bool = False  # It costs one of two values, in neighbouring buckets.


@dataclass
class Cost:
    calls: int = 0
    self_ns: int = 0
    tracing_ns: int = 0
    longest_ns: int = 0

    def untraced_ns(self):
        return self.self_ns - self.tracing_ns


def log_uniform(random, low, high):
    return math.exp(random.uniform(math.log(low), math.log(high)))


class World:
    """What runs in a population, and how its captures come to be late."""
    captures = (1, 2, 3, 4, 5, 6)
    wakes = (2, 4, 6, 10, 15, 25)
    extra = (0.8, 25)  # of the usual latency
    strikes = (1, 1, 2, 3)
    stalled = 0.8  # of the captures of a world that has stalls
    elsewhere = (0, 0, 1, 5)  # calls outside of windows
    mixed = (1, 3)  # functions that are late together
    recorded_together = False  # with the other worlds of the study: one series of several runs

    def __init__(self, random, functions=None):
        self.random = random
        self.heavy = random.choice([0.003, 0.03, 0.1, 0.25, 0.5, 0.9])
        self.stalls = random.random() < 0.35
        self.functions = functions or self.draw_functions()
        self.guilty = random.choice([one for one in self.functions if one.calls])
        self.prone = random.choice(self.functions) if random.random() < 0.6 else None
        self.faithful = random.choice([0.3, 0.8, 1, 1])
        self.rate = log_uniform(random, 2, 400)
        self.silent = random.choice([0, 0, 0.5, 1])
        self.witness = random.choice([None, "smi", "steal"])

    def draw_functions(self):
        random = self.random
        functions = []
        for number in range(random.randint(3, 9)):
            context = random.choices(list(SOURCES), [5, 2, 3, 2, 1])[0]
            source = random.choice(SOURCES[context])
            name = source if random.random() < 0.2 and context in ("hardirq", "softirq") else f"function_{number}"
            if any((one.name, one.context) == (name, context) for one in functions):
                continue
            functions.append(Function(0, name, context, source, random.choice([1, 1, 1, 0.7, 0.3, 0.1, 0.02]),
                                      random.choice([1, 1, 2, 8]), log_uniform(random, *random.choice([(300, 20_000)] * 5 + [(2, 50)])),
                                      self.heavy * random.uniform(0.5, 1.5)))
        shared = random.choice(functions)
        if random.random() < 0.3 and shared.context != "measured":
            functions.append(Function(0, shared.name, "measured", "cyclic", 0.8, 1, 900, self.heavy))
        for name, context, source in (("[idle]", "idle", "idle"), ("[user]", "measured", "cyclic"), ("[user]", "task", "worker"),
                                      ("[not captured]", "measured", "cyclic"), ("do_idle", "idle", "idle")):
            if random.random() < 0.5:
                functions.append(Function(0, name, context, source, random.choice([1, 0.4]), int(name == "do_idle"),
                                          log_uniform(random, 300, 8000), self.heavy))
        return functions

    def cost(self, function, calls=None, each=1.0):
        """What some calls of @function cost; @each: times what one usually does."""
        random = self.random
        calls = calls or max(1, function.calls + (random.randint(-1, 2) if function.calls > 1 else 0))
        parts = [function.call_ns * each * random.lognormvariate(0, function.spread) for _ in range(calls)]
        if function.stepped:
            parts = [function.call_ns * (1 if random.random() < 0.85 else 15.5 / 14.8) * each]
        tracing = calls * 60 if function.calls else 0
        longest = 0 if function.name == "[not captured]" else int(max(parts) * random.choice([1, 1, 0.6]))
        return Cost(calls if function.calls else 0, int(sum(parts)) + tracing, tracing, longest)

    def ordinary(self):
        costs = {}
        for place, function in enumerate(self.functions):
            if self.random.random() < function.runs:
                costs[place] = self.cost(function)
        return costs or {0: self.cost(self.functions[0])}

    def add(self, costs, function, extra_ns):
        """@extra_ns more of @function: by more calls, longer ones, both, or just a stretch."""
        random = self.random
        place = self.functions.index(function)
        cost = costs.setdefault(place, Cost())
        kind = random.choice(["often", "long", "both"]) if function.calls else "stretch"
        each = 1 if kind == "often" else random.uniform(1, 5)
        if kind in ("often", "both"):
            calls = max(1, round(extra_ns / function.call_ns / each))
            more = self.cost(function, min(calls, 3000), each)
        else:
            more = Cost(1 if function.calls else 0, int(extra_ns), 0, int(extra_ns * random.choice([1, 0.7, 0.3, 0.04])))
        cost.calls += more.calls
        cost.self_ns += more.self_ns
        cost.tracing_ns += more.tracing_ns
        cost.longest_ns = 0 if function.name == "[not captured]" else max(cost.longest_ns, more.longest_ns)

    def stall_at(self, costs):
        if self.prone and self.random.random() < 0.7:
            return self.functions.index(self.prone)
        return self.random.choices(list(costs), [cost.self_ns + 1 for cost in costs.values()])[0]

    def late(self, usual_ns):
        random = self.random
        costs = self.ordinary()
        extra_ns = usual_ns * log_uniform(random, *self.extra)
        if self.stalls and random.random() < self.stalled:
            for _ in range(random.choice(self.strikes)):
                place = self.stall_at(costs)
                stretch = int(extra_ns * random.uniform(0.3, 1))
                cost = costs.setdefault(place, Cost(int(self.functions[place].calls > 0)))
                cost.self_ns += stretch
                if self.functions[place].name != "[not captured]":
                    cost.longest_ns = max(cost.longest_ns, stretch)
            return costs
        shares = [random.random() for _ in range(random.randint(*self.mixed))]
        for number, share in enumerate(shares):
            function = self.guilty if number == 0 and random.random() < self.faithful else random.choice(self.functions)
            self.add(costs, function, extra_ns * share / sum(shares))
        return costs


def plain(number, call_ns, spread, context="hardirq", runs=1, **more):
    return Function(0, f"function_{number}", context, SOURCES[context][0], runs, 1, call_ns, spread, **more)


class Dominated(World):
    """One function has nearly all of the time, in one of two neighbouring sizes, and beside it are heavy tails."""
    captures = (4, 5, 6)
    wakes = (25, 40)
    extra = (0.1, 2)

    def draw_functions(self):
        return [plain(0, 14.8 * 2048, 0, stepped=True), plain(1, 1200, 0.9), plain(2, 900, 0.9, "softirq"), plain(5, 180, 0.9), plain(3, 700, 0.05, "task"),
                plain(4, 9000, 0.3, runs=self.random.choice([0.1, 0.15]))]

    def __init__(self, random):
        super().__init__(random)
        self.guilty = self.prone = self.functions[0]


class Prone(World):
    """Many captures with stalls, of which some prefer one place."""
    captures = (8, 12)
    wakes = (10, 15)
    extra = (3, 25)
    strikes = (1,)

    def draw_functions(self):
        return [plain(number, self.random.uniform(1500, 5000), 0.2, context)
                for number, context in enumerate(("hardirq", "softirq", "task", "hardirq", "hardirq"))]

    def __init__(self, random):
        super().__init__(random)
        self.stalls = True
        self.prone = self.functions[0]
        self.rate = 5


class Rare(Prone):
    """Several stalls each, and often one where hardly any time is spent."""
    captures = (3, 4, 5)
    strikes = (3, 4, 5)

    def draw_functions(self):
        return [plain(number, call_ns, 0.2) for number, call_ns in enumerate((self.random.uniform(4, 40), 3000, 4000, 5000, 3000, 2000))]


class Seldom(Rare):
    """Twice, of many single stalls, one is where hardly any time is spent."""
    captures = (19, 22, 27, 31)
    wakes = (10,)
    strikes = (1,)
    stalled = 1

    def __init__(self, random):
        super().__init__(random)
        self.lates = 0

    def draw_functions(self):
        return [plain(number, call_ns, 0.1) for number, call_ns in enumerate((self.random.uniform(6, 9), 3000, 4000, 5000, 3000, 2000))]

    def stall_at(self, costs):
        self.lates += 1
        return 0 if self.lates in (3, 9) else self.random.choice([place for place in costs if place != 0])


class Strange(World):
    """A function that never runs ordinarily, and maybe nowhere else, is called some times."""
    extra = (3, 15)
    elsewhere = (0,)

    def draw_functions(self):
        return [plain(0, 2000, 0.2), plain(1, 1000, 0.2, "task"), plain(2, 3000, 0.1, runs=0)]

    def __init__(self, random):
        super().__init__(random)
        self.guilty = self.functions[2]


class Interrupted(World):
    """Several interrupts and the idle task in between, some by one name."""
    mixed = (2, 5)

    def draw_functions(self):
        own = self.random.choice(["idle", "task", "softirq"])
        return [Function(0, name, context, source, runs, calls, log_uniform(self.random, 1000, 8000), 0.3)
                for name, context, source, runs, calls in (
                    ("[idle]", "idle", "idle", 1, 0), ("do_idle", "idle", "idle", 1, 1), ("leave_idle", "idle", "idle", 0.7, 2),
                    ("timer_interrupt", "hardirq", "timer_interrupt", 1, 2), ("function_1", "hardirq", "disk_interrupt", 0.8, 1),
                    ("function_2", "hardirq", "disk_interrupt", 0.8, 8), ("run_timers", "softirq", "run_timers", 1, 2),
                    ("timer_interrupt", own, SOURCES[own][0], 1, 2))]


class Tiny(World):
    """Times of some nanoseconds, some of nothing."""
    captures = (2, 3)
    extra = (0.5, 4)

    def draw_functions(self):
        return [Function(0, f"function_{number}", context, SOURCES[context][0], self.random.choice([1, 0.3, 0.02]), 1,
                         self.random.uniform(0.2, 3), self.heavy)
                for number, context in enumerate(("hardirq", "softirq", "task", "hardirq"))]

# SPDX-License-Identifier: GPL-3.0-or-later
# Worlds in which a single rule of the verdict decides, that hardly ever does in those that are drawn at large.

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from worlds import SOURCES, Cost, Function, Prone, World, plain  # noqa: E402


STEADY = plain(9, 60_000, 0.01, "measured")


def function(name, context, call_ns, source=None, runs=1, calls=1, spread=0.1):
    return Function(0, name, context, source or SOURCES[context][0], runs, calls, call_ns, spread)


class Shared(World):
    """What is late is so in given parts, without stalls, beside much that is as ever."""
    captures = (1, 2, 4)
    wakes = (10, 15)
    extra = (0.3, 1)  # of the usual latency

    def __init__(self, random):
        super().__init__(random)
        self.stalls = False
        self.silent = 0
        self.witness = None
        self.rate = 5

    def late(self, usual_ns):
        costs = self.ordinary()
        extra_ns = usual_ns * self.random.uniform(*self.extra)
        for name, share in self.shares().items():
            self.add(costs, next(one for one in self.functions if one.name == name), extra_ns * share)
        return costs


class Rivals(Shared):
    """Two interrupts of one context have more together than one of another, which has more than either."""

    def draw_functions(self):
        return [*(function(f"{source}_{part}", context, self.random.uniform(1000, 3000), source)
                  for context in ("hardirq", "softirq") for source in SOURCES[context] for part in range(3)), STEADY]

    def shares(self):
        one, other = self.random.uniform(0.25, 0.35), self.random.uniform(0.35, 0.45)
        return {f"{source}_{part}": share / 3 for source, share in (("timer_interrupt", one), ("disk_interrupt", one - 0.02), ("run_timers", other))
                for part in range(3)}


class Awake(Shared):
    """The CPU idles before each ordinary wake-up, and not at all before a late one, which an interrupt has about half of."""
    extra = (0.5, 0.9)

    def draw_functions(self):
        return [function("[idle]", "idle", 20_000, runs=0.95, calls=0), *(function(f"timer_{part}", "hardirq", 1000) for part in range(3)),
                *(function(f"{source}_{part}", "task", 1000, source) for source in SOURCES["task"] for part in range(3)), STEADY]

    def shares(self):
        held = self.random.uniform(0.35, 0.5)
        return {f"timer_{part}": held / 3 for part in range(3)} | {f"{source}_{part}": (1 - held) / 6 for source in SOURCES["task"] for part in range(3)}

    def late(self, usual_ns):
        costs = super().late(usual_ns)
        costs.pop(0, None)
        return costs


class Resting(Shared):
    """An interrupt is late beside an idle CPU that waits for long, in one stretch or in several."""
    captures = (1,)

    def draw_functions(self):
        return [function("[idle]", "idle", 3000, calls=0), *(function(f"timer_{part}", "hardirq", 1000) for part in range(3)), STEADY]

    def shares(self):
        rest = self.random.uniform(0.5, 0.75)
        return {"[idle]": rest} | {f"timer_{part}": (1 - rest) / 3 for part in range(3)}


class Begun(Shared):
    """A function that ordinarily began before the window, so that none of its calls is in it, is called."""
    elsewhere = (0,)

    def draw_functions(self):
        return [plain(0, 2000, 0.1), plain(1, 1000, 0.1, "task"), plain(2, 1500, 0.1, runs=0.8)]

    def shares(self):
        return {"function_2": 1}

    def ordinary(self):
        return {place: Cost(0, cost.untraced_ns(), 0, cost.longest_ns) if place == 2 else cost for place, cost in super().ordinary().items()}


class Nanoseconds(Shared):
    """One or two of what hardly ever runs."""
    extra = (0.005, 0.03)
    elsewhere = (0,)

    def draw_functions(self):
        return [plain(0, 1, 0.4, runs=self.random.choice([0, 0.1])), plain(1, 2, 0, "task")]

    def shares(self):
        return {"function_0": 1}


class Namesake(Shared):
    """An interrupt is late now by the function that it begins with and is called after, now by many others; some are hit in
    cycle 0."""
    captures = (6, 8)

    def draw_functions(self):
        return [function("timer_interrupt", "hardirq", 2000), *(function(f"timer_{part}", "hardirq", 1000) for part in range(4)), STEADY]

    def __init__(self, random):
        super().__init__(random)
        self.rate = random.choice([0.9, 5])

    def shares(self):
        return self.random.choice([{"timer_interrupt": 1}, {f"timer_{part}": 1 / 4 for part in range(4)}])


class Overtaken(Shared):
    """A task, now and then of lower priority, is to blame, and a function in an interrupt beside it."""
    captures = (4, 6)

    def draw_functions(self):
        return [plain(0, 1000, 0.1), *(function(f"work_{part}", "task", 1000) for part in range(3)), STEADY]

    def shares(self):
        return {"function_0": 0.4} | {f"work_{part}": 0.2 for part in range(3)}


class Alone(Prone):
    """Nearly all of the time is spent at one place, which is where most stalls strike too."""
    captures = (3, 5)

    def draw_functions(self):
        return [plain(0, 60_000, 0.05), plain(1, 500, 0.1, "task"), plain(2, 500, 0.1, "softirq")]


class Waiting(Prone):
    """Stalls prefer a place that is never guilty."""
    captures = (5, 6)
    elsewhere = (5,)

    def draw_functions(self):
        return [self.random.choice([function("[user]", "measured", 800, calls=0), function("do_idle", "idle", 800)]),
                *(plain(number, 2000, 0.1, context) for number, context in enumerate(("hardirq", "softirq", "task", "hardirq")))]


class Met(Prone):
    """All stalls meet at one place, or at the same two."""
    captures = (3, 6)
    stalled = 1

    def __init__(self, random):
        super().__init__(random)
        self.met = random.choice([1, 2])
        self.strikes = (self.met,)
        self.struck = 0

    def draw_functions(self):
        return [plain(0, 2800, 0.1), plain(1, 2000, 0.1), *(plain(number, 1000, 0.1, "task") for number in range(2, 9))]

    def stall_at(self, costs):
        self.struck += 1
        return self.struck % self.met


class Outlasted(Prone):
    """The longest stretch is often an ordinary one, beside a stall that is shorter."""
    captures = (4, 6)
    extra = (0.4, 0.8)

    def draw_functions(self):
        return [plain(0, 60_000, 0.02), plain(1, 3000, 0.1, "task"), plain(2, 2000, 0.1, "softirq"), plain(3, 1000, 0.1)]

    def late(self, usual_ns):
        self.place = self.random.choice([0, 0, 0, 1, 2, 3])
        return super().late(usual_ns * (4 if self.place == 0 else 1))

    def stall_at(self, costs):
        return self.place


class Left(Prone):
    """Of four captures three are struck at one place, and the last at two others."""
    captures = (4,)
    stalled = 1

    def __init__(self, random):
        super().__init__(random)
        self.lates = 0

    def draw_functions(self):
        return [plain(0, 750, 0.1), *(plain(number, 1000, 0.1, "task") for number in range(1, 10))]

    def late(self, usual_ns):
        self.lates += 1
        self.places = [0] if self.lates % 4 else [1, 2]
        self.strikes = (len(self.places),)
        return super().late(usual_ns)

    def stall_at(self, costs):
        return self.places.pop()


class Beside(Prone):
    """Half of the stalls are at a place where hardly any time is spent, the others at two others."""
    captures = (7, 8)
    stalled = 1

    def __init__(self, random):
        super().__init__(random)
        self.struck = 0

    def draw_functions(self):
        return [plain(0, 60, 0.1), *(plain(number, 3000, 0.1, "task") for number in range(1, 5))]

    def stall_at(self, costs):
        self.struck += 1
        return 0 if self.struck % 2 else self.struck % 4 // 2 + 1


class Twofold(Prone):
    """A function is called too often, and where it is not it is struck a little, beside others."""
    captures = (6,)

    def __init__(self, random):
        super().__init__(random)
        self.lates = 0

    def draw_functions(self):
        return [plain(0, 6000, 0.1), *(plain(number, 1500, 0.1, "task") for number in range(1, 5))]

    def late(self, usual_ns):
        self.lates += 1
        costs = self.ordinary()
        more = {0: self.cost(self.functions[0], 400)} if self.lates % 2 else {
            place: Cost(0, stretch_ns, 0, stretch_ns) for place, stretch_ns in enumerate((100_000, 300_000, 300_000))}
        for place, cost in more.items():
            old = costs[place]
            costs[place] = Cost(old.calls + cost.calls, old.self_ns + cost.self_ns, old.tracing_ns + cost.tracing_ns, max(old.longest_ns, cost.longest_ns))
        return costs


class Undecided(Prone):
    """Of four stalls three, or of eleven five, are at one place, which has an eighth of the time."""
    captures = (4, 11)
    stalled = 1

    def __init__(self, random):
        super().__init__(random)
        self.struck = iter((0, 0, 0, 1, 0, 0, 2, 3, 4, 5, 6))

    def draw_functions(self):
        return [plain(0, 1300, 0.1), *(plain(number, 1250, 0.1, "task") for number in range(1, 8))]

    def stall_at(self, costs):
        return next(self.struck)


WORLDS = (Rivals, Awake, Resting, Begun, Nanoseconds, Namesake, Overtaken, Alone, Waiting, Met, Outlasted, Left, Beside, Twofold, Undecided)

# SPDX-License-Identifier: GPL-3.0-or-later
# Fills studies at random, row by row, so that what the verdict computes of them is in the middle of its range: moderate
# excesses, few ordinary windows, functions that seldom run, causes that share a capture, stalls here and there.

import collections
import math
import os
import shutil
import sys
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "study"), HERE]

import content  # noqa: E402
import culprit  # noqa: E402
import play  # noqa: E402
from naive_maths import bucket_of, pack_spread  # noqa: E402

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


def make_empty(folder):
    """A study that the program made, of which nothing is left."""
    study = os.path.join(folder, "empty.culprit")
    result = culprit.import_captures(study, [play.capture(folder, "any", 1, play.ordinary(1), wakes=3)])
    assert result.status == 0, result.stderr
    content.alter(study, "DELETE FROM capture", "DELETE FROM run_function", "DELETE FROM run", "DELETE FROM host",
                  "DELETE FROM function", "PRAGMA wal_checkpoint (TRUNCATE)")
    return study


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


class Study:
    def __init__(self, random, path):
        self.random = random
        self.path = path
        self.captures = 0
        self.windows = 0
        self.numbers = {}

    def draw_worlds(self):
        worlds = [self.random.choices([World, Interrupted, Dominated, Prone, Rare, Tiny, Seldom, Strange],
                                      [14, 4, 2, 2, 1, 1, 0.7, 1])[0](self.random)]
        if type(worlds[0]) is World and self.random.random() < 0.25:
            worlds.append(World(self.random, worlds[0].functions if self.random.random() < 0.7 else None))
        return worlds

    def fill(self, empty, worlds):
        shutil.copyfile(empty, self.path)
        with content.connect(self.path) as database:
            self.database = database
            database.execute("PRAGMA synchronous = OFF")
            database.execute("BEGIN")
            self.insert("host", name="testhost", kernel="6.1", machine="x86_64", host_id=1)
            for number, world in enumerate(worlds):
                self.add_run(number + 1, world)
            database.execute("COMMIT")

    def insert(self, table, **values):
        self.database.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})", list(values.values()))

    def number_of(self, name):
        if name not in self.numbers:
            self.numbers[name] = len(self.numbers) + 1
            self.insert("function", function_id=self.numbers[name], name=name, module="", ordinal=0)
        return self.numbers[name]

    def add_run(self, number, world):
        random = self.random
        for function in world.functions:
            function.number = self.number_of(function.name)
        self.insert("run", run_id=number, name=f"run{number}", source="record",
                    facts=random.choice([None, '{"virtual_machine": true}', '{"virtual_machine": false}']))
        wakes = random.choice(world.wakes)
        usual = [sum(cost.self_ns for cost in world.ordinary().values()) for _ in range(20)]
        cycle = 0
        cycles_known = random.random() < 0.9
        for _ in range(random.choice(world.captures)):
            cycle += int(log_uniform(random, 1, world.rate))
            self.add_capture(number, world, max(wakes + random.choice([0, 0, -2, 5]), 0), sum(usual) / len(usual), cycle if cycles_known else None)

    def add_capture(self, run, world, wakes, usual_ns, cycle):
        random = self.random
        self.captures += 1
        capture = self.captures
        ordinary = [world.ordinary() for _ in range(wakes)]
        late = world.late(usual_ns)
        extra_ns = sum(cost.self_ns for cost in late.values())
        known = random.random() < 0.95
        self.insert("capture", capture_id=capture, run_id=run, host_id=1, file=f"c{capture}.dat", sha256=f"{capture:064x}", size_bytes=1,
                    imported_utc="2026-01-01", file_version=7, instance="", clock="local", cpus=2, first_ns=0, last_ns=1, events=0,
                    function_events=0, lost_events=int(capture % 4 == 3), overwritten_events=0, truncated_calls=0, ordinary_windows=wakes,
                    triage="ignored" if random.random() < 0.08 else "new", hit_cycle=cycle,
                    smi_count=random.randint(0, 2) if world.witness == "smi" else None,
                    steal_ns=int(extra_ns * random.random()) if world.witness == "steal" else None, read_version=4 if known else 3)
        for costs in ordinary:
            self.add_window(capture, "ordinary", world, costs)
        window = self.add_window(capture, "outlier", world, late)
        for place, cost in late.items():
            function = world.functions[place]
            self.insert("outlier_cost", window_id=window, function_id=function.number, context=function.context, calls=cost.calls,
                        self_ns=cost.self_ns, tracing_ns=cost.tracing_ns, total_ns=cost.self_ns, longest_stretch_ns=cost.longest_ns, truncated=0)
        for (context, source), (self_ns, tracing_ns) in self.sources(world, late).items():
            self.insert("outlier_source", window_id=window, context=context, source=source, self_ns=self_ns, tracing_ns=tracing_ns, path="",
                        priority=random.choice([None, 19, 80, 120]) if context in ("task", "measured", "idle") else None)
        self.add_ordinary_costs(capture, world, ordinary, known)
        self.add_functions(capture, world, [late, *ordinary])
        longest = max(late, key=lambda place: late[place].longest_ns)
        silent = random.random() < world.silent
        self.insert("stall", window_id=window, cpu=0, start_ns=0, length_ns=late[longest].longest_ns, context=world.functions[longest].context,
                    function_id=world.functions[longest].number, other_cpus=3 if world.silent else None,
                    silent_cpus=None if not world.silent else 3 if silent else random.randint(0, 2),
                    before_event=random.choice(["entry of here", "entry of here", "exit of there", None]), after_event=random.choice(["exit of here", ""]))

    def add_window(self, capture, kind, world, costs):
        self.windows += 1
        latency_ns = sum(cost.self_ns for cost in costs.values())
        missing_ns = sum(cost.self_ns for place, cost in costs.items() if world.functions[place].name == "[not captured]")
        self.insert("window", window_id=self.windows, capture_id=capture, kind=kind, cpu=0, pid=1, comm="cyclic", start_ns=0, end_ns=latency_ns,
                    latency_ns=latency_ns, tracing_ns=sum(cost.tracing_ns for cost in costs.values()), not_captured_ns=missing_ns)
        return self.windows

    @staticmethod
    def sources(world, costs):
        """(context, source) -> its time, and the tracer's part."""
        sums = collections.defaultdict(lambda: (0, 0))
        for place, cost in costs.items():
            function = world.functions[place]
            self_ns, tracing_ns = sums[function.context, function.source]
            sums[function.context, function.source] = (self_ns + cost.self_ns, tracing_ns + cost.tracing_ns)
        return sums

    def add_ordinary_costs(self, capture, world, ordinary, known):
        def spread(values):
            return pack_spread(collections.Counter(map(bucket_of, values))) if known else None

        def most(values):
            return max(values) if known else None
        for place, function in enumerate(world.functions):
            costs = [window[place] for window in ordinary if place in window]
            own, calls, longest = ([cost.untraced_ns() for cost in costs], [cost.calls for cost in costs], [cost.longest_ns for cost in costs])
            if costs:
                self.insert("ordinary_cost", capture_id=capture, function_id=function.number, context=function.context, windows=len(costs),
                            calls=sum(calls), calls_squared=0.0, self_ns=sum(cost.self_ns for cost in costs), self_squared=0.0, self_latency=0.0,
                            tracing_ns=sum(cost.tracing_ns for cost in costs), intrinsic_squared=0.0, intrinsic_untraced=0.0,
                            untraced_max_ns=most(own), calls_max=most(calls), stretch_max_ns=most(longest), untraced_spread=spread(own),
                            calls_spread=spread(calls), stretch_spread=spread(longest))
        windows = [self.sources(world, costs) for costs in ordinary]
        for key in sorted({key for sums in windows for key in sums}):
            times = [sums[key] for sums in windows if key in sums]
            own = [self_ns - tracing_ns for self_ns, tracing_ns in times]
            self.insert("ordinary_source", capture_id=capture, context=key[0], source=key[1], windows=len(times),
                        self_ns=sum(self_ns for self_ns, _ in times), tracing_ns=sum(tracing_ns for _, tracing_ns in times),
                        untraced_max_ns=most(own), untraced_spread=spread(own))

    def add_functions(self, capture, world, windows):
        """Whole captures: what is in the windows, and now and then more."""
        for name in {function.name for function in world.functions if function.calls}:
            costs = [window[place] for window in windows for place, function in enumerate(world.functions) if function.name == name and place in window]
            more = self.random.choice(world.elsewhere)
            calls = sum(cost.calls for cost in costs) + more
            self_ns = sum(cost.self_ns for cost in costs) + int(more * log_uniform(self.random, 300, 30_000))
            if calls:
                self.insert("capture_function", capture_id=capture, function_id=self.numbers[name], calls=calls, self_ns=self_ns,
                            tracing_ns=sum(cost.tracing_ns for cost in costs), total_ns=self_ns, off_cpu_ns=0, truncated=0)


def fill(random, empty, path, kind=None):
    """@kind: the only world in it, as Prone."""
    study = Study(random, path)
    study.fill(empty, [kind(random)] if kind else study.draw_worlds())

# SPDX-License-Identifier: GPL-3.0-or-later
# Fills studies at random, row by row, so that what the verdict computes of them is in the middle of its range: few
# ordinary windows, and worlds of which single captures tell little.

import collections
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "study"), HERE]

import content  # noqa: E402
import culprit  # noqa: E402
import play  # noqa: E402
from naive_maths import bucket_of, pack_spread  # noqa: E402
from worlds import Dominated, Interrupted, Prone, Rare, Seldom, Strange, Tiny, World, log_uniform  # noqa: E402


def make_empty(folder):
    """A study that the program made, of which nothing is left."""
    study = os.path.join(folder, "empty.culprit")
    result = culprit.import_captures(study, [play.capture(folder, "any", 1, play.ordinary(1), wakes=3)])
    assert result.status == 0, result.stderr
    content.alter(study, "DELETE FROM capture", "DELETE FROM run_function", "DELETE FROM run", "DELETE FROM host",
                  "DELETE FROM function", "PRAGMA wal_checkpoint (TRUNCATE)")
    return study


class Study:
    def __init__(self, random, path):
        self.random = random
        self.path = path
        self.captures = 0
        self.windows = 0
        self.numbers = {}
        self.all_series = set()

    def draw_worlds(self):
        worlds = [self.random.choices([World, Interrupted, Dominated, Prone, Rare, Tiny, Seldom, Strange],
                                      [14, 4, 2, 2, 1, 1, 0.7, 1])[0](self.random)]
        if type(worlds[0]) is World and self.random.random() < 0.25:
            worlds.append(World(self.random, worlds[0].functions if self.random.random() < 0.7 else None))
            for world in worlds:
                world.recorded_together = worlds[0].faithful == 1
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

    def series(self, number, world):
        """One for those that were recorded together, else one for each run."""
        series, name = (1, "together") if world.recorded_together else (1 + number, f"run{number}")
        if series not in self.all_series:
            self.all_series.add(series)
            self.insert("series", series_id=series, name=name)
        return series

    def add_run(self, number, world):
        random = self.random
        for function in world.functions:
            function.number = self.number_of(function.name)
        self.insert("run", run_id=number, name=f"run{number}", source="record", series_id=self.series(number, world),
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

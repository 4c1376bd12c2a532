# SPDX-License-Identifier: GPL-3.0-or-later
# Fills studies at random, row by row: populations of few or many captures, with few ordinary windows or many, of which
# single captures tell little.

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
from worlds import NOT_CAPTURED, ORDINALS, World, log_uniform  # noqa: E402


def make_empty(folder):
    """A study that the program made, of which nothing is left."""
    study = os.path.join(folder, "empty.culprit")
    result = culprit.import_captures(study, [play.capture(folder, "any", 1, play.ordinary(1), wakes=3)])
    assert result.status == 0, result.stderr
    content.alter(study, "DELETE FROM capture", "DELETE FROM run_function", "DELETE FROM run", "DELETE FROM host",
                  *["DELETE FROM node WHERE depth = (SELECT MAX (depth) FROM node)"] * 20, "DELETE FROM function",
                  "PRAGMA wal_checkpoint (TRUNCATE)")
    return study


class Study:
    def __init__(self, random, path):
        self.random = random
        self.path = path
        self.captures = self.windows = 0
        self.functions, self.nodes, self.series, self.hosts = {}, {}, {}, {}

    def draw_worlds(self):
        return [World(self.random) for _ in range(self.random.choice([1, 1, 1, 2]))]

    def fill(self, empty, worlds):
        shutil.copyfile(empty, self.path)
        with content.connect(self.path) as database:
            self.database = database
            database.execute("PRAGMA synchronous = OFF")
            database.execute("PRAGMA foreign_keys = ON")
            database.execute("BEGIN")
            for number, world in enumerate(worlds):
                self.add_population(number + 1, world)
            database.execute("COMMIT")

    def insert(self, table, **values):
        self.database.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})", list(values.values()))

    def number_in(self, known, key, table, **values):
        """The number of something, which is added when it is asked for first."""
        if key not in known:
            known[key] = len(known) + 1
            self.insert(table, **{f"{table}_id": known[key]}, **values)
        return known[key]

    def function_of(self, name):
        return self.number_in(self.functions, name, "function", name=name, module="", ordinal=ORDINALS.get(name, 0))

    def node_of(self, node):
        names = node.names()
        if not names:
            return self.number_in(self.nodes, (node.context, node.source, ()), "node", context=node.context, source=node.source, depth=0, recursive=0)
        return self.number_in(self.nodes, (node.context, node.source, names), "node", parent_id=self.node_of(node.parent),
                              function_id=self.function_of(node.name), context=node.context, source=node.source, depth=len(names),
                              recursive=int(names[-1] in names[:-1]))

    # Captures

    def add_population(self, number, world):
        """Its captures are of one run or of two, as are those of what was recorded together."""
        random = self.random
        name = random.choice(["together", f"series{number}"])
        series = self.number_in(self.series, name, "series", name=name)
        machine = {None: None, True: '{"virtual_machine": true}', False: '{"virtual_machine": false}'}[world.machine]
        runs = [f"run{number}", f"more{number}"][:random.choice([1, 1, 2])]
        numbers = []
        for run in runs:
            self.insert("run", name=run, source="record", series_id=series, facts=machine)
            numbers.append(self.database.execute("SELECT MAX (run_id) FROM run").fetchone()[0])
        host = random.choice(["one", "one", "other"])
        host = self.number_in(self.hosts, host, "host", name=host, kernel="6.1", machine="x86_64")
        usual = [sum(cost.self_ns for cost in world.ordinary().values()) for _ in range(20)]
        wakes = random.choice(world.wakes)
        for _ in range(random.choice(world.captures)):
            self.add_capture(random.choice(numbers), host, world, max(wakes + random.choice([0, 0, -2, 5]), 0), sum(usual) / len(usual))

    def add_capture(self, run, host, world, wakes, usual_ns):
        random = self.random
        self.captures += 1
        capture = self.captures
        ordinary = [world.ordinary() for _ in range(wakes)]
        late = world.late(usual_ns)
        extra_ns = sum(cost.self_ns for cost in late.values())
        lost = int(capture % 4 == 3)
        self.insert("capture", capture_id=capture, run_id=run, host_id=host, file=f"c{capture}.dat", sha256=f"{capture:064x}", size_bytes=1,
                    imported_utc="2026-01-01", file_version=7, instance="", clock="local", cpus=2, first_ns=0, last_ns=1, events=0,
                    function_events=0, lost_events=lost, overwritten_events=0, truncated_calls=0, ordinary_windows=wakes,
                    triage="ignored" if random.random() < 0.08 else "new", smi_count=random.randint(0, 2) if world.witness == "smi" else None,
                    steal_ns=int(extra_ns * random.random()) if world.witness == "steal" else None,
                    **(world.hidden if random.random() < 0.7 else {}))
        self.insert("capture_cpu", capture_id=capture, cpu=0, events=0, first_ns=0, last_ns=1, losses=lost, lost_events=lost, overwritten_events=0,
                    entry_entry_floor_ns=0, entry_exit_floor_ns=0, exit_entry_floor_ns=0, exit_exit_floor_ns=0)
        for costs in ordinary:
            self.add_window(capture, "ordinary", world, costs)
        self.add_late(self.add_window(capture, "outlier", world, late), world, late)
        self.add_ordinary_nodes(capture, world, ordinary)
        self.add_ordinary_parts(capture, world, ordinary)
        self.add_functions(capture, world, [late, *ordinary])
        self.database.execute("UPDATE capture SET complete = 1 WHERE capture_id = ?", (capture,))

    def add_window(self, capture, kind, world, costs):
        self.windows += 1
        latency_ns = sum(cost.self_ns for cost in costs.values())
        missing_ns = sum(cost.self_ns for place, cost in costs.items() if world.nodes[place].name == NOT_CAPTURED)
        self.insert("window", window_id=self.windows, capture_id=capture, kind=kind, cpu=0, pid=1, comm="cyclic", start_ns=0, end_ns=latency_ns,
                    latency_ns=latency_ns, tracing_ns=sum(cost.tracing_ns for cost in costs.values()), not_captured_ns=missing_ns)
        return self.windows

    def add_late(self, window, world, late):
        random = self.random
        priority = random.choice([None, 19, 80, 120])
        for place, cost in late.items():
            node = world.nodes[place]
            total_ns = sum(late[other.place].self_ns for other in world.below(node) if other.place in late) if node.name else 0
            self.insert("outlier_node", window_id=window, node_id=self.node_of(node), calls=cost.calls, self_ns=cost.self_ns,
                        tracing_ns=cost.tracing_ns, total_ns=total_ns, longest_stretch_ns=cost.longest_ns, truncated=0,
                        priority=priority if node.context == "task" else 80 if node.context == "measured" else None)
        longest = max(late, key=lambda place: late[place].longest_ns)
        if late[longest].longest_ns > 0:
            silent = random.random() < (world.silent or 0)
            self.insert("stall", window_id=window, cpu=0, start_ns=0, length_ns=late[longest].longest_ns, context=world.nodes[longest].context,
                        function_id=self.function_of(world.nodes[longest].name), other_cpus=None if world.silent is None else 3,
                        silent_cpus=None if world.silent is None else 3 if silent else random.randint(0, 2),
                        before_event=random.choice(["entry of here", "exit of there", ""]), after_event=random.choice(["exit of here", ""]))

    def add_ordinary_nodes(self, capture, world, ordinary):
        for place, node in enumerate(world.nodes):
            costs = [window[place] for window in ordinary if place in window]
            inside = [other.place for other in world.below(node)]
            if costs:
                whole = [sum(window[other].self_ns - window[other].tracing_ns for other in inside if other in window)
                         for window in ordinary if place in window]
                self.insert("ordinary_node", capture_id=capture, node_id=self.node_of(node), windows=len(costs), calls=sum(cost.calls for cost in costs),
                            self_ns=sum(cost.self_ns for cost in costs), tracing_ns=sum(cost.tracing_ns for cost in costs),
                            calls_max=max(cost.calls for cost in costs), with_callees_max_ns=max(whole))

    def add_ordinary_parts(self, capture, world, ordinary):
        parts = collections.defaultdict(lambda: ([], [], [], []))
        for window in ordinary:
            untraced_ns = sum(cost.self_ns - cost.tracing_ns for cost in window.values())
            of_window = collections.defaultdict(list)
            for place, cost in window.items():
                if world.nodes[place].name:
                    of_window[world.nodes[place].context, world.nodes[place].name].append(cost)
            for key, costs in of_window.items():
                values = (sum(cost.self_ns - cost.tracing_ns for cost in costs), sum(cost.calls for cost in costs),
                          max(cost.longest_ns for cost in costs), untraced_ns)
                for found, value in zip(parts[key], values):
                    found.append(value)
        for (context, name), (own, calls, longest, untraced) in parts.items():
            self.insert("ordinary_part", capture_id=capture, function_id=self.function_of(name), context=context, windows=len(own), calls_max=max(calls),
                        stretch_max_ns=max(longest), untraced_max_ns=max(own), untraced_spread=pack_spread(collections.Counter(map(bucket_of, own))),
                        intrinsic_squared=float(sum(value**2 for value in own)),
                        intrinsic_untraced=float(sum(value * whole for value, whole in zip(own, untraced))))

    def add_functions(self, capture, world, windows):
        """Whole captures: what is in the windows, and now and then more."""
        by_name = collections.defaultdict(list)
        for window in windows:
            for place, cost in window.items():
                by_name[world.nodes[place].name].append(cost)
        for name in sorted({node.name for node in world.proper()}):
            costs = by_name[name]
            more = self.random.choice(world.elsewhere)
            calls = sum(cost.calls for cost in costs) + more
            self_ns = sum(cost.self_ns for cost in costs) + int(more * log_uniform(self.random, 300, 30_000))
            if calls:
                self.insert("capture_function", capture_id=capture, function_id=self.function_of(name), calls=calls, self_ns=self_ns,
                            tracing_ns=sum(cost.tracing_ns for cost in costs), total_ns=self_ns, off_cpu_ns=0, truncated=0)


def fill(random, empty, path, kind=None):
    """@kind: the only world in it, as Prone."""
    study = Study(random, path)
    study.fill(empty, [kind(random)] if kind else study.draw_worlds())

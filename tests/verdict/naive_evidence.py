# SPDX-License-Identifier: GPL-3.0-or-later
# Reads from a study's tables what culprit-study(5) compares under Causes: late wake-ups, and what ordinary ones cost. A
# thing is what may carry a wake-up: ("function", context, task or None, function_id), ("node", node_id), or MISSING, which
# is what was not captured, in whatever context.

import collections
import json
import os
import statistics
import sys
from types import SimpleNamespace

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "study"), HERE]

import content  # noqa: E402
from naive_maths import bucket_of, unpack_spread  # noqa: E402

OWN_BASE_FROM = 30
STANDS_OUT_FROM = 3
HALF = 1 / 2
DEVIATIONS = 5 * 1.4826
MISSING = ("missing",)
NOT_CAPTURED = "[not captured]"


def select(study, sql):
    with content.connect(study) as database:
        cursor = database.execute(sql)
        return [dict(zip([column[0] for column in cursor.description], row)) for row in cursor]


class Tree:
    """The nodes of a study. name: what is shown of a node."""
    def __init__(self, study):
        self.nodes = {}
        for row in select(study, "SELECT node_id, parent_id, node.function_id, context, source, depth, name, ordinal "
                                 "FROM node LEFT JOIN function USING (function_id) ORDER BY depth"):
            label = row["source"] if row["depth"] == 0 else label_of(row["name"], row["ordinal"])
            above = self.nodes[row["parent_id"]].path if row["depth"] else ()
            self.nodes[row["node_id"]] = SimpleNamespace(**{**row, "name": label}, path=(*above, row["node_id"]))
        self.function_names = {node.function_id: node.name for node in self.nodes.values() if node.depth}

    def names(self, node_id):
        return [self.nodes[other].name for other in self.nodes[node_id].path]

    def function_thing(self, node):
        return ("function", node.context, node.source if node.context == "task" else None, node.function_id)

    def things(self, node_id):
        """What the own time of a node belongs to: its function, itself, all above it."""
        node = self.nodes[node_id]
        found = [("node", other) for other in node.path]
        if node.source == NOT_CAPTURED:
            found[0] = MISSING
        return found + ([self.function_thing(node)] if node.depth else [])


def label_of(name, ordinal):
    return f"{name}#{ordinal + 1}" if ordinal else name


class Ordinary:
    """Ordinary windows together."""
    def __init__(self):
        self.latencies, self.tracing, self.whole = [], [], []
        self.ns, self.calls, self.windows = (collections.Counter() for _ in range(3))  # by node
        self.ns_in = collections.defaultdict(collections.Counter)  # capture_id -> by node
        self.all_ns = collections.Counter()                        # by capture_id
        self.max_ns, self.max_calls = collections.Counter(), collections.Counter()     # by node
        self.part_windows = collections.Counter()  # by (context, function), as the next
        self.part_max_ns, self.part_max_calls, self.part_stretch = (collections.Counter() for _ in range(3))
        self.part_spread = collections.defaultdict(collections.Counter)

    def mean_ns(self):
        return statistics.fmean(self.latencies) if self.latencies else 0

    def count(self):
        return len(self.latencies)


def read_late(study, run):
    """capture_id -> its late wake-up, of all or those of one run."""
    late = {}
    for row in select(study, "SELECT capture_id, run_id, run.name AS run, host.name AS host, host.kernel, series.name AS series, triage, "
                             "capture.smi_count, capture.steal_ns, lost_events, not_captured_ns, latency_ns AS whole_ns, tracing_ns, "
                             "graph_depth, graph_functions, interrupts_traced, facts, other_cpus, silent_cpus, "
                             "before_event, length_ns, stall.context AS stalled_context, stall.function_id AS stalled_function "
                             "FROM window JOIN capture USING (capture_id) JOIN run USING (run_id) JOIN series USING (series_id) "
                             "JOIN host ON host.host_id = capture.host_id LEFT JOIN stall USING (window_id) "
                             "WHERE kind = 'outlier' ORDER BY capture_id"):
        if run in (None, row["run"]):
            late[row["capture_id"]] = SimpleNamespace(
                **row, population=(row["host"], row["kernel"], row["series"]), ignored=row["triage"] == "ignored", own=Ordinary(),
                machine=bool(json.loads(row["facts"] or "{}").get("virtual_machine")),
                silent=bool(row["other_cpus"]) and row["other_cpus"] == row["silent_cpus"],
                ns=collections.Counter(), calls=collections.Counter(), longest=collections.Counter(), priority={})
    return late


def read_ordinary(study, raw, targets):
    """Adds the ordinary windows of each capture to what @targets says: a list of Ordinary."""
    def own(row, name):
        return row[name] - (0 if raw else row["tracing_ns"])
    for row in select(study, "SELECT capture_id, latency_ns, tracing_ns FROM window WHERE kind = 'ordinary' ORDER BY window_id"):
        for base in targets(row["capture_id"]):
            base.latencies.append(own(row, "latency_ns"))
            base.all_ns[row["capture_id"]] += own(row, "latency_ns")
            base.whole.append(row["latency_ns"])
            base.tracing.append(row["tracing_ns"])
    for row in select(study, "SELECT * FROM ordinary_node"):
        node = row["node_id"]
        for base in targets(row["capture_id"]):
            base.ns[node] += own(row, "self_ns")
            base.ns_in[row["capture_id"]][node] += own(row, "self_ns")
            base.calls[node] += row["calls"]
            base.windows[node] += row["windows"]
            base.max_ns[node] = max(base.max_ns[node], row["with_callees_max_ns"])
            base.max_calls[node] = max(base.max_calls[node], row["calls_max"])
    for row in select(study, "SELECT * FROM ordinary_part"):
        part = (row["context"], row["function_id"])
        for base in targets(row["capture_id"]):
            base.part_windows[part] += row["windows"]
            base.part_spread[part].update(unpack_spread(row["untraced_spread"]))
            for most, column in ((base.part_max_ns, "untraced_max_ns"), (base.part_max_calls, "calls_max"), (base.part_stretch, "stretch_max_ns")):
                most[part] = max(most[part], row[column])


def read_lower(study, captures, base):
    """Adds the late windows of @captures, each of which is a wake-up of a lower peak, to @base as ordinary ones."""
    tree = Tree(study)
    late = {row["window_id"]: row for row in select(study, "SELECT * FROM window WHERE kind = 'outlier'") if row["capture_id"] in captures}
    windows = collections.defaultdict(dict)
    for row in select(study, "SELECT * FROM outlier_node"):
        if row["window_id"] in late:
            windows[row["window_id"]][row["node_id"]] = row
    for window_id, window in late.items():
        base.latencies.append(window["latency_ns"] - window["tracing_ns"])
        base.all_ns[window["capture_id"]] += window["latency_ns"] - window["tracing_ns"]
        base.whole.append(window["latency_ns"])
        base.tracing.append(window["tracing_ns"])
        whole, own, calls, longest = (collections.Counter() for _ in range(4))
        for node_id, row in windows[window_id].items():
            ns, part = row["self_ns"] - row["tracing_ns"], (tree.nodes[node_id].context, tree.nodes[node_id].function_id)
            base.ns[node_id] += ns
            base.ns_in[window["capture_id"]][node_id] += ns
            base.calls[node_id] += row["calls"]
            base.max_calls[node_id] = max(base.max_calls[node_id], row["calls"])
            for above in tree.nodes[node_id].path:
                whole[above] += ns
            if tree.nodes[node_id].depth:
                own[part] += ns
                calls[part] += row["calls"]
                longest[part] = max(longest[part], row["longest_stretch_ns"])
        for node_id, ns in whole.items():
            base.windows[node_id] += 1
            base.max_ns[node_id] = max(base.max_ns[node_id], ns)
        for part, ns in own.items():
            base.part_windows[part] += 1
            base.part_spread[part][bucket_of(max(ns, 0))] += 1
            base.part_max_ns[part] = max(base.part_max_ns[part], ns)
            base.part_max_calls[part] = max(base.part_max_calls[part], calls[part])
            base.part_stretch[part] = max(base.part_stretch[part], longest[part])


def compare(one, base, raw, apart=False):
    """How late it is, beside its base."""
    one.base, one.ordinary = base, base.count()
    one.own_ns = one.whole_ns - (0 if raw else one.tracing_ns)
    one.excess_ns = one.own_ns - base.mean_ns()
    one.stands_out = one.by_tracing = False
    if not base.latencies:
        return
    median = statistics.median(base.latencies)
    deviation = statistics.median(abs(value - median) for value in base.latencies)
    one.stands_out = (one.ordinary >= STANDS_OUT_FROM and one.excess_ns >= (0 if apart else HALF * base.mean_ns()) and
                      one.own_ns >= median + DEVIATIONS * deviation and
                      100 * sum(value < one.own_ns for value in base.latencies) >= 95 * one.ordinary)
    later_ns = one.whole_ns - statistics.fmean(base.whole)
    more_ns = one.tracing_ns - statistics.fmean(base.tracing)
    one.by_tracing = not one.stands_out and later_ns > 0 and more_ns > 0 and more_ns >= HALF * later_ns


def read_populations(study, run=None, base=None, raw=False, only=None, lower=None):
    """The late wake-ups of each population, compared with ordinary ones, and the ordinary ones of those that count. @only: if not
    None, these captures, of a peak of the latencies, compared with their ordinary wake-ups or the late ones of @lower."""
    late = {capture: one for capture, one in read_late(study, run).items() if only is None or capture in only}
    tree = Tree(study)
    pools = collections.defaultdict(Ordinary)
    of_base = {row["capture_id"] for row in select(study, "SELECT capture_id, run.name, triage FROM capture JOIN run USING (run_id)")
               if row["name"] == base and row["triage"] != "ignored"}

    def targets(capture):
        if lower:
            return []
        if base:
            return [pools[base]] if capture in of_base else []
        one = late.get(capture)
        return [] if not one else [one.own] if one.ignored else [one.own, pools[one.population]]
    read_ordinary(study, raw, targets)
    if lower:
        base = "lower"
        read_lower(study, lower, pools[base])
    for row in select(study, "SELECT capture_id, outlier_node.* FROM outlier_node JOIN window USING (window_id)"):
        one = late.get(row["capture_id"])
        if one:
            one.ns[row["node_id"]] = row["self_ns"] - (0 if raw else row["tracing_ns"])
            one.calls[row["node_id"]] = row["calls"]
            one.longest[row["node_id"]] = row["longest_stretch_ns"]
            one.priority[row["node_id"]] = row["priority"]
    populations = collections.defaultdict(list)
    for one in late.values():
        pool = pools[base or one.population]
        compare(one, pool if base or one.own.count() < OWN_BASE_FROM else one.own, raw, only is not None)
        populations[one.population].append(one)
    return [SimpleNamespace(name=name, late=cases, pool=pools[base or name], tree=tree, apart=only is not None, elsewhere=read_elsewhere(study, cases, raw))
            for name, cases in populations.items()]


def read_elsewhere(study, cases, raw):
    """function_id -> the mean time of a call outside of the late wake-ups, in the runs of @cases."""
    runs = {one.run_id for one in cases}
    calls, ns = collections.Counter(), collections.Counter()
    for row in select(study, "SELECT * FROM run_function"):
        if row["run_id"] in runs:
            calls[row["function_id"]] += row["calls"] - row["outlier_calls"]
            ns[row["function_id"]] += row["self_ns"] - row["outlier_self_ns"] - (0 if raw else row["tracing_ns"] - row["outlier_tracing_ns"])
    return {function: ns[function] / count for function, count in calls.items() if count > 0}

# SPDX-License-Identifier: GPL-3.0-or-later
# Reads from a study's tables what culprit-study(5) compares under Causes: late wake-ups, and what ordinary ones cost.

import collections
import json
import math
import os
import statistics
import sys
from types import SimpleNamespace

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "study"), HERE]

import content  # noqa: E402
from naive_maths import unpack_spread  # noqa: E402

CYCLES_NOT_KNOWN = 10000
OWN_BASE_FROM = 5
STANDS_OUT_FROM = 3
DEVIATIONS = 5 * 1.4826
READ_FROM = 4
KINDS = ("untraced", "calls", "stretch")


class Costs:
    """What something costs in ordinary windows, added up; @spreads: of each kind the counts and the greatest."""
    def __init__(self):
        self.calls = self.self_ns = self.windows = 0
        self.spreads = {kind: (collections.Counter(), 0) for kind in KINDS}

    def add(self, row):
        self.calls += row.get("calls", 0)
        self.self_ns += row["self_ns"] - row["tracing_ns"]
        self.windows += row["windows"]
        for kind, greatest in zip(KINDS, ("untraced_max_ns", "calls_max", "stretch_max_ns")):
            counts, most = self.spreads[kind]
            counts.update(unpack_spread(row.get(f"{kind}_spread")))
            self.spreads[kind] = (counts, max(most, row.get(greatest) or 0))


class Base:
    """Ordinary windows together; @costs: by what they are of."""
    def __init__(self):
        self.latencies = []
        self.spread_windows = 0
        self.costs = collections.defaultdict(Costs)

    def mean_ns(self):
        return statistics.fmean(self.latencies) if self.latencies else 0


def select(study, sql):
    with content.connect(study) as database:
        cursor = database.execute(sql)
        return [dict(zip([column[0] for column in cursor.description], row)) for row in cursor]


def part_key(row):
    return ("part", row["context"], row["function_id"])


def holder_key(row):
    return ("holder", row["context"], row["source"])


def read_late(study):
    """capture_id -> its late wake-up."""
    late = {}
    for row in select(study, "SELECT capture_id, run_id, host.name, host.kernel, series.name AS series, hit_cycle, triage, "
                             "capture.smi_count, capture.steal_ns, lost_events, not_captured_ns, latency_ns - tracing_ns AS own_ns, read_version, "
                             "facts FROM window JOIN capture USING (capture_id) "
                             "JOIN run USING (run_id) JOIN series USING (series_id) JOIN host ON host.host_id = capture.host_id "
                             "WHERE kind = 'outlier' ORDER BY capture_id"):
        late[row["capture_id"]] = SimpleNamespace(
            **row, population=(row["name"], row["kernel"], row["series"]), ignored=row["triage"] == "ignored",
            machine=bool(json.loads(row["facts"] or "{}").get("virtual_machine")), own=Base(), items={}, stood_still=False)
    for one in late.values():
        before = [other.hit_cycle for other in late.values() if other.run_id == one.run_id and
                  None not in (one.hit_cycle, other.hit_cycle) and other.hit_cycle < one.hit_cycle]
        one.cycles = CYCLES_NOT_KNOWN if one.hit_cycle is None else max(one.hit_cycle - max(before, default=0), 1)
    return late


def item(key, name, row=None):
    """A part or holder of a late wake-up; all 0 where it is in ordinary windows only."""
    row = row or {}
    return SimpleNamespace(key=key, is_holder=key[0] == "holder", context=key[1], name=name, calls=row.get("calls", 0),
                           own_ns=row.get("self_ns", 0) - row.get("tracing_ns", 0), longest_ns=row.get("longest_stretch_ns", 0),
                           rest_calls=row.get("rest_calls") or 0, rest_ns=row.get("rest_ns") or 0, priority=row.get("priority"), p=1, struck=False)


def compare(one, base):
    """Gives @one its excess over @base, and each part of it too."""
    count = max(len(base.latencies), 1)
    one.ordinary = len(base.latencies)
    one.excess_ns = one.own_ns - base.mean_ns()
    median = statistics.median(base.latencies) if base.latencies else 0
    deviation = statistics.median(abs(value - median) for value in base.latencies) if base.latencies else 0
    one.stands_out = (one.ordinary >= STANDS_OUT_FROM and one.excess_ns > 0 and
                      one.own_ns - median >= DEVIATIONS * deviation)
    for thing in one.items.values():
        thing.base_ns = base.costs[thing.key].self_ns / count if thing.key in base.costs else 0
        thing.base_calls = base.costs[thing.key].calls / count if thing.key in base.costs else 0
        thing.excess_ns = thing.own_ns - thing.base_ns


def read_populations(study):
    """The late wake-ups of each population, compared with ordinary ones, and the sum of the ordinary ones that count."""
    late = read_late(study)
    names = {row["function_id"]: row["name"] for row in select(study, "SELECT function_id, name FROM function")}
    pools = collections.defaultdict(Base)
    for row in select(study, "SELECT capture_id, latency_ns - tracing_ns AS own_ns FROM window WHERE kind = 'ordinary'"):
        one = late.get(row["capture_id"])
        for base in ([one.own] if one else []) + ([pools[one.population]] if one and not one.ignored else []):
            base.latencies.append(row["own_ns"])
            base.spread_windows += one.read_version >= READ_FROM
    for table, key in (("ordinary_cost", part_key), ("ordinary_source", holder_key)):
        for row in select(study, f"SELECT * FROM {table}"):
            one = late.get(row["capture_id"])
            for base in ([one.own] if one else []) + ([pools[one.population]] if one and not one.ignored else []):
                base.costs[key(row)].add(row)
    for row in select(study, "SELECT window.capture_id, cost.*, whole.calls - SUM (cost.calls) OVER alike AS rest_calls, whole.self_ns - "
                             "whole.tracing_ns - SUM (cost.self_ns - cost.tracing_ns) OVER alike AS rest_ns FROM outlier_cost AS cost JOIN window USING (window_id) LEFT JOIN "
                             "capture_function AS whole ON whole.capture_id = window.capture_id AND whole.function_id = cost.function_id "
                             "WINDOW alike AS (PARTITION BY window_id, cost.function_id)"):
        late[row["capture_id"]].items[part_key(row)] = item(part_key(row), names[row["function_id"]], row)
    for row in select(study, "SELECT window.capture_id, outlier_source.* FROM outlier_source JOIN window USING (window_id)"):
        late[row["capture_id"]].items[holder_key(row)] = item(holder_key(row), row["source"], row)
    for row in select(study, "SELECT * FROM stall JOIN window USING (window_id)"):
        late[row["capture_id"]].stretch = (part_key(row), row["before_event"], row["after_event"])
        late[row["capture_id"]].stood_still = bool(row["other_cpus"]) and row["other_cpus"] == row["silent_cpus"]
    populations = collections.defaultdict(list)
    for one in late.values():
        base = one.own if len(one.own.latencies) >= OWN_BASE_FROM else pools[one.population]
        for key in base.costs:
            if key not in one.items:
                one.items[key] = item(key, names[key[2]] if key[0] == "part" else key[2])
        compare(one, base)
        populations[one.population].append(one)
    return [SimpleNamespace(late=cases, pool=pools[name]) for name, cases in populations.items()]


def calls_elsewhere(population, function):
    """The calls of @function outside of outliers, and their mean time; none where it ran nowhere."""
    calls = time_ns = 0
    for one in population.late:
        thing = next((thing for thing in one.items.values() if thing.key[2] == function and thing.rest_calls > 0), None)
        if thing and not one.ignored:
            calls += thing.rest_calls
            time_ns += max(thing.rest_ns, 0)
    return calls, time_ns / calls if calls else math.nan

# SPDX-License-Identifier: GPL-3.0-or-later
"""What the verdicts of all populations have in common, and where they differ."""

import re
from collections import defaultdict
from functools import lru_cache
from typing import Dict, List, Optional, Tuple

from . import exact

SIGNIFICANT = 0.05
MOST_TESTED = 100  # causes
Cause = Tuple[str, str]  # the culprit, and its class


def whole_excess_ns(verdict: dict) -> int:
    """Of the late wake-ups of a population that stand out, according to its verdict."""
    return (verdict.get("excess_mean_ns") or 0) * verdict.get("stand_out", 0)


def find_causes(rows: List[dict]) -> List[dict]:
    """Over all populations. The weight of a cause is its part of the excess of all late wake-ups that stand out."""
    whole: Dict[str, float] = defaultdict(float)
    seen = set()
    by_cause: Dict[Cause, List[dict]] = defaultdict(list)
    for row in rows:
        population = (row["host"], row["kernel"], row["series"])
        if population not in seen:
            seen.add(population)
            whole[row["host"]] += row["whole_ns"] or 0
        if row["function"] is not None:
            by_cause[row["function"], row["class"]].append(row)
    causes = []
    for (function, kind), found in sorted(by_cause.items()):
        explained: Dict[str, float] = defaultdict(float)
        for row in found:
            explained[row["host"]] += (row["weight"] or 0) * row["whole_ns"]
        captures = sum(row["captures"] for row in found)
        low, high = exact.share_interval({host: (explained[host], whole[host]) for host in whole}, f"{function} {kind}")
        everything = sum(whole.values())
        causes.append({"function": function, "class": kind, "hosts": len({row["host"] for row in found}),
                       "kernels": sorted({row["kernel"] for row in found}, key=version), "captures": captures,
                       "excess_mean_ns": round(sum(row["excess_mean_ns"] * row["captures"] for row in found) / max(captures, 1)),
                       "weight": sum(explained.values()) / everything if everything > 0 else 0.0,
                       "weight_low": low, "weight_high": high})
    return sorted(causes, key=lambda cause: (-cause["weight"], cause["function"], cause["class"]))


def version(kernel: str) -> List[Tuple[int, int, str]]:
    """Sorts releases by their numbers, which are of ASCII digits: others are digits too, but no numbers to Python. Candidates
    (-rc7, ~rc7) come before what ends where they begin, and before all that goes on otherwise."""
    parts = [(1, int(number), "") if number else (-1 if re.match(r"~|[-.+_]?rc[-.]?$", other) else 2, 0, other)
             for number, other in re.findall(r"([0-9]+)|([^0-9]+)", kernel)]
    return [*parts, (0, 0, "")]


@lru_cache(maxsize=None)  # A host may have had any number of kernels, each of which is compared with all before.
def flavour(kernel: str) -> List[str]:
    """What is not of its version, such as rt and amd."""
    return re.findall(r"[a-z]+", re.sub(r"[-~.+_]*rc[-.]?[0-9]+|[-+._]?g(it)?[.]?[0-9a-f]{7,}", "", kernel))


def release_before(kernel: str, older: List[str]) -> Optional[str]:
    """Of releases that are @older, in their order, the latest of the same flavour, else the latest."""
    own = flavour(kernel)
    return next((one for one in reversed(older) if flavour(one) == own), older[-1] if older else None)


class Counts:
    """How many late wake-ups of a host with a kernel have a cause, according to culprit outliers."""

    def __init__(self, days: List[dict]):
        self.of: Dict[Tuple[str, str], int] = defaultdict(int)
        self.having: Dict[Tuple[str, str, Cause], int] = defaultdict(int)
        self.first: Dict[Tuple[str, Cause], str] = {}
        self.effects: Dict[Cause, float] = {}
        self.days: Dict[Tuple[str, str], Dict[str, int]] = defaultdict(lambda: defaultdict(int))
        self.on_day: Dict[Tuple[str, str, Cause, str], int] = defaultdict(int)
        for row in days:
            cause = (row["function"], row["class"])
            self.days[row["host"], row["kernel"]][row["day"]] += row["captures"]
            self.on_day[row["host"], row["kernel"], cause, row["day"]] += row["captures"]
            self.of[row["host"], row["kernel"]] += row["captures"]
            self.having[row["host"], row["kernel"], cause] += row["captures"]
            self.first[row["kernel"], cause] = min(row["day"], self.first.get((row["kernel"], cause), row["day"]))
        self.kernels: Dict[str, set] = defaultdict(set)  # hosts by kernel
        self.of_kernel: Dict[str, int] = defaultdict(int)
        self.having_of_kernel: Dict[Tuple[str, Cause], int] = defaultdict(int)
        for (host, kernel), count in self.of.items():
            self.kernels[kernel].add(host)
            self.of_kernel[kernel] += count
        for (_, kernel, cause), count in self.having.items():
            self.having_of_kernel[kernel, cause] += count
        self.releases = sorted(self.kernels, key=version)

    def independent(self, tables: List[exact.Table], cause: Cause) -> List[exact.Table]:
        """The same of as many captures as would be independent: on a bad day, many have the same cause."""
        if cause not in self.effects:
            self.effects[cause] = exact.design_effect([[(self.on_day.get((*machine, cause, day), 0), of) for day, of in days.items()]
                                                       for machine, days in self.days.items()])
        return [exact.shrunk(table, self.effects[cause]) for table in tables]

    def table(self, cause: Cause, host: str, kernel: str, before: str) -> exact.Table:
        return (self.having.get((host, kernel, cause), 0), self.of[host, kernel],
                self.having.get((host, before, cause), 0), self.of[host, before])

    def others(self, cause: Cause, host: str, kernel: str) -> exact.Table:
        """The same, compared with all other hosts that have the kernel."""
        captures, outliers = self.having.get((host, kernel, cause), 0), self.of[host, kernel]
        return (captures, outliers, self.having_of_kernel.get((kernel, cause), 0) - captures, self.of_kernel[kernel] - outliers)


def tested_of(causes: List[dict]) -> List[Cause]:
    """The heaviest: a fleet has a few, and each is tested for each host."""
    return [(cause["function"], cause["class"]) for cause in causes[:MOST_TESTED]]


def find_new(counts: Counts, causes: List[dict]) -> List[dict]:
    """Causes that are more frequent with a kernel than with the one before, on hosts that have run both: of the
    older releases that share a host with it, the nearest of its flavour, else the nearest."""
    found = []
    for i, kernel in enumerate(counts.releases):
        before = release_before(kernel, [one for one in counts.releases[:i] if counts.kernels[one] & counts.kernels[kernel]])
        if before is None:
            continue
        hosts = sorted(counts.kernels[before] & counts.kernels[kernel])
        for function, kind in tested_of(causes):
            tables = [counts.table((function, kind), host, kernel, before) for host in hosts]
            captures, outliers, captures_before, outliers_before = (sum(column) for column in zip(*tables))
            if captures + captures_before == 0:
                continue
            tested = counts.independent(tables, (function, kind))
            found.append({"kernel": kernel, "kernel_before": before, "function": function, "class": kind,
                          "hosts": len(hosts), "captures": captures, "outliers": outliers,
                          "captures_before": captures_before, "outliers_before": outliers_before,
                          "first_day": counts.first.get((kernel, (function, kind))), "p_value": exact.more_often(tested)[0]})
    return significant(found)


def find_unlike(counts: Counts, causes: List[dict]) -> List[dict]:
    """Hosts on which a cause is more or less frequent than on the others with the same kernels."""
    found = []
    for host in sorted({host for host, _ in counts.of}):
        kernels = [kernel for kernel in counts.releases if host in counts.kernels[kernel] and len(counts.kernels[kernel]) > 1]
        for function, kind in (tested_of(causes) if kernels else ()):
            tables = [counts.others((function, kind), host, kernel) for kernel in kernels]
            captures, outliers, captures_others, outliers_others = (sum(column) for column in zip(*tables))
            if captures + captures_others == 0:
                continue
            tested = counts.independent(tables, (function, kind))
            found.append({"host": host, "function": function, "class": kind, "captures": captures, "outliers": outliers,
                          "captures_others": captures_others, "outliers_others": outliers_others,
                          "p_value": min(1.0, 2 * min(exact.more_often(tested)))})
    return significant(found)


def significant(found: List[dict]) -> List[dict]:
    """Those whose p-value, corrected for all that were computed, is small, the smallest first."""
    for one, p_value in zip(found, exact.holm([one["p_value"] for one in found])):
        one["p_value"] = p_value
    return sorted((one for one in found if one["p_value"] <= SIGNIFICANT), key=lambda one: one["p_value"])

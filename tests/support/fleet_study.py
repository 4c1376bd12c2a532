# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a study as culprit fleet does, quickly and without Spark: a few made captures of twenty hosts stand for the
# selection, and what was found in all of them is written by SQL.

import json
import os
import sqlite3
import sys
import tempfile
from contextlib import closing

import culprit
import fleet_captures

HOSTS = 20
OLD, NEW = "6.1.0-40-amd64", "6.1.0-41-amd64"
COUNT, COST, BLIND = ("qh_completions", "called-too-often"), ("scan_periodic", "took-too-long"), ("blind stall", "blind-stall")
NOISE = ("__do_softirq", "interference")
NONE = ("", "unexplained")
TEMPLATES = {COUNT: "count-1", COST: "cost-1", BLIND: "blind-1", NONE: "none-1"}


def found_on(host, kernel):
    """What the late wake-ups of a host are, and how many of each."""
    found = {COUNT: (7 * host) % 31, NONE: 3 + host % 5}
    if host % 3 == 1:
        found[BLIND] = 12 + host
    if host == 17:
        found[NOISE] = 25
    if kernel == NEW:
        found[COST] = 9 + host % 7
    return {cause: captures for cause, captures in found.items() if captures}


def populations():
    for host in range(HOSTS):
        for kernel in (OLD, NEW)[host % 4 == 1:2 - (host % 4 == 0)]:
            yield f"board-{host + 1:02d}", kernel, found_on(host, kernel)


def excess_ns(cause):
    return {COUNT: 1_600_000, COST: 2_400_000, BLIND: 1_500_000, NOISE: 700_000, NONE: 40_000}[cause]


def add_days(database, population, found):
    kernel_day = 30 if database.execute("SELECT kernel FROM fleet_population WHERE population_id = ?",
                                        (population,)).fetchone()[0] == NEW else 0
    for number, (cause, captures) in enumerate(found.items()):
        for capture in range(captures):
            day = kernel_day + (7 * population + 11 * capture + 5 * number) % 30
            database.execute("""INSERT INTO fleet_day VALUES (?, date ('2026-09-01', ? || ' days'), ?, ?, 1, ?)
                                ON CONFLICT DO UPDATE SET captures = captures + 1, excess_ns = excess_ns + excluded.excess_ns""",
                             (population, day, *cause, excess_ns(cause)))


def add_population(database, run, host, kernel, found):
    outliers, excess = sum(found.values()), sum(excess_ns(cause) * captures for cause, captures in found.items())
    population = database.execute("INSERT INTO fleet_population VALUES (NULL, ?, ?, ?, 'load', ?, ?, ?, ?)",
                                  (run, host, kernel, outliers + 2, outliers, excess,
                                   json.dumps({"captures": outliers}))).lastrowid
    for cause, captures in found.items():
        if cause != NONE:
            weight = captures * excess_ns(cause) / excess
            database.execute("INSERT INTO fleet_cause VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0.99)",
                             (population, *cause, captures, excess_ns(cause), weight, weight * 0.8, min(weight * 1.1, 1)))
    add_days(database, population, found)


def take(folder, host, kernel, found):
    """Two captures of the population, of its most frequent causes; none of some."""
    causes = [cause for cause in sorted(found, key=found.get, reverse=True) if cause in TEMPLATES][:2]
    for number, cause in enumerate(causes if host != "board-20" else []):
        template = TEMPLATES[cause]
        path = os.path.join(folder, f"{host} {kernel}")
        os.makedirs(path, exist_ok=True)
        with open(os.path.join(path, f"{number}.dat"), "wb") as file:
            file.write(fleet_captures.templates()[template].to_bytes(host, kernel, bytes(8), number * 10 ** 9))


def make(study):
    """Two captures of each population but those of the last host are in the study."""
    with tempfile.TemporaryDirectory() as folder:
        for host, kernel, found in populations():
            take(folder, host, kernel, found)
        for name in sorted(os.listdir(folder)):
            host, _, kernel = name.partition(" ")
            result = culprit.import_captures(study, [os.path.join(folder, name)], run_name=f"{host}/load {kernel}")
            assert result.status == 0, result.stderr
    with closing(sqlite3.connect(study)) as database:
        runs = dict(database.execute("SELECT name, run_id FROM run"))
        for host, kernel, found in populations():
            add_population(database, runs.get(f"{host}/load {kernel}"), host, kernel, found)
        both = [host for host in range(HOSTS) if host % 4 > 1]
        outliers = {kernel: sum(sum(found_on(host, kernel).values()) for host in both) for kernel in (OLD, NEW)}
        database.execute("INSERT INTO fleet_new VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, 1.7e-12)",
                         (NEW, OLD, *COST, len(both), sum(found_on(host, NEW)[COST] for host in both), outliers[NEW],
                          outliers[OLD]))
        database.commit()
    return study


if __name__ == "__main__":
    make(sys.argv[1])

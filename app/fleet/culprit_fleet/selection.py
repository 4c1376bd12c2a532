# SPDX-License-Identifier: GPL-3.0-or-later
"""fleet.culprit: a study that every command opens, of the longest late wake-ups and a sample of the others, with what was
found in all captures."""

from collections import defaultdict
from typing import Dict, List, Sequence, Tuple

import pyarrow as pa

from .facts import Facts, sql_text
from .schema import OF_CAPTURES
from .store import decoded
from .study import StudyWriter

Population = Tuple[str, str, str]

# Columns of the study's tables.
POPULATION = ("population_id", "run_id", "host", "kernel", "series", "captures", "outliers", "excess_ns", "verdict")
CAUSE = ("function", "class", "captures", "excess_mean_ns", "weight", "weight_low", "weight_high", "confidence")
DAY = ("day", "function", "class", "captures", "excess_ns")
SUMS = ("function_id", "captures", "calls", "self_ns", "tracing_ns", "total_ns")
NEW = ("kernel", "kernel_before", "function", "class", "hosts", "captures", "outliers", "captures_before", "outliers_before",
       "p_value")


def key_of(row: dict) -> Population:
    return row["host"], row["kernel"], row["series"]


def run_names(populations: Sequence[dict]) -> Dict[Population, str]:
    """HOST/SERIES, and the kernel if there are several."""
    kernels: Dict[Tuple[str, str], int] = defaultdict(int)
    for one in populations:
        kernels[one["host"], one["series"]] += 1
    names: Dict[str, Population] = {}  # Two may come out alike: a host, a series and a kernel are any text.
    for one in populations:
        several = kernels[one["host"], one["series"]] > 1
        names[unused(f"{one['host']}/{one['series']}" + (f" {one['kernel']}" if several else ""), names)] = key_of(one)
    return {key: name for name, key in names.items()}


def write_study(path: str, empty_study: bytes, facts: Facts, found: dict) -> None:
    """@found: rows of the queries populations, causes, days, functions, new, selected, and runs if there are any."""
    study = StudyWriter(path, empty_study, facts.schema)
    names = run_names(found["populations"])
    write_captures(study, facts, found["selected"], names)
    if "runs" in found:
        write_runs(study, facts, found["runs"])
    ids = {key_of(one): i + 1 for i, one in enumerate(found["populations"])}
    study.insert("fleet_population", POPULATION,
                 ((ids[key_of(one)], study.runs.get(names[key_of(one)]), *key_of(one), one["captures"], one["outliers"],
                   one["excess_ns"], one["verdict"]) for one in found["populations"]))
    write_of_populations(study, "fleet_cause", ids, found["causes"], CAUSE)
    write_of_populations(study, "fleet_day", ids, found["days"], DAY)
    functions = [{**row, "function_id": study.function(row["function"], row["module"], row["ordinal"])} for row in found["functions"]]
    study.complete()
    write_of_populations(study, "fleet_function", ids, functions, SUMS)
    study.insert("fleet_new", NEW, ([row[name] for name in NEW] for row in found["new"]))
    study.close()


def write_of_populations(study: StudyWriter, table: str, ids: Dict[Population, int], rows: List[dict], columns: Sequence[str]) -> None:
    study.insert(table, ("population_id", *columns), ((ids[key_of(row)], *(row[name] for name in columns)) for row in rows))


def write_captures(study: StudyWriter, facts: Facts, selected: List[dict], names: Dict[Population, str]) -> None:
    if not selected:
        return
    facts.view("selected", facts.spark.createDataFrame(pa.Table.from_pylist(selected)))
    facts.view("fact_file", facts.places())
    written = [decoded(row["written"]) for row in facts.query("written")]
    facts.view("chosen", facts.load("facts", written).fillna("", ["kernel", "host"]))
    captures = facts.spark.sql(sql_text("selected")).toArrow()
    for rows in captures.to_batches():
        keys = zip(*(rows.column(name).to_pylist() for name in ("host", "kernel", "series")))
        study.add_captures(rows, [names[key] for key in keys], OF_CAPTURES)


def write_runs(study: StudyWriter, facts: Facts, runs: List[dict]) -> None:
    """Other tools' latency results, named after the host and series beside whose captures they lie."""
    own = [name for name in facts.schema.lists["run"].own if name not in ("name", "source", "turn")]
    numbers: Dict[Tuple[str, str], int] = {}
    for row in runs:
        place = "/".join(filter(None, (row["host"], row["series"])))
        number = study.run(unused(f"{place}/{row['name']}", study.runs), row["source"])
        numbers[row["file"], row["name"]] = number
        study.describe_run(number, {name: row[name] for name in own if row[name] is not None})
    latencies = facts.spark.table("run_latency").select("file", "run", "cpu", "latency_ns", "count").toArrow()
    files, names, *columns = (column.to_pylist() for column in latencies.columns)
    study.insert("run_latency", ("run_id", "cpu", "latency_ns", "count"), zip((numbers[key] for key in zip(files, names)), *columns))


def unused(name: str, taken) -> str:
    number, found = 2, name
    while found in taken:
        found, number = f"{name} {number}", number + 1
    return found

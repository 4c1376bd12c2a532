# SPDX-License-Identifier: GPL-3.0-or-later
"""The verdict on each population, a host with one kernel and one series. The facts of a host with a kernel become a study
again, on which culprit verdict and culprit outliers run: there is no second implementation of statistics."""

import json
import os
import tempfile
from dataclasses import dataclass
from typing import Dict, Iterator, List, Optional, Tuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame

from .facts import Facts
from .program import Program
from .schema import FUNCTION, Schema, spark_type
from .study import StudyWriter, parts_of

# What the verdict reads, and sums of functions.
LISTS = ("capture_function", "window", "node", "outlier_node", "ordinary_node", "ordinary_part", "stall")
JUDGED = pa.struct([("capture", pa.string()), ("day", pa.string()), ("function", pa.string()), ("class", pa.string()),
                    ("excess_ns", pa.int64()), ("latency_ns", pa.int64())])
SUMMED = ("capture_function", "outlier_node", "ordinary_node")  # what the study adds up of each function
SUMS = ("captures", "calls", "self_ns", "tracing_ns", "total_ns")
FUNCTIONS = pa.struct([*FUNCTION, *((name, pa.int64()) for name in SUMS)])
SCHEMA = pa.schema([("host", pa.string()), ("kernel", pa.string()), ("series", pa.string()), ("captures", pa.int64()),
                    ("outliers", pa.int64()), ("verdict", pa.string()), ("judged", pa.list_(JUDGED)), ("functions", pa.list_(FUNCTIONS)),
                    ("left_out", pa.list_(pa.string()))])
LARGEST_SUM = 1 << 62  # of a function's times in all captures of a population, as of culprit import


def judge(facts: Facts, program: Program, empty_study: bytes) -> DataFrame:
    """A row for each population: see SCHEMA."""
    columns = ("host", "kernel", *(name for name, _ in facts.schema.file.columns), *LISTS)
    # Captures have numbers in the order of their files, as in a study that was imported at once.
    ordered = facts.captures().select(*columns).repartition("host", "kernel") \
        .selectExpr("*", "split (file, '/') AS place").sortWithinPartitions("host", "kernel", "place", "capture").drop("place")
    told = ", ".join(f"`{field.name}` {spark_type(field.type)}" for field in SCHEMA)
    return ordered.mapInArrow(Judge(program, facts.schema, empty_study), told)


@dataclass(frozen=True)
class Judge:
    program: Program
    schema: Schema
    empty_study: bytes

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with tempfile.TemporaryDirectory(prefix="culprit-fleet-") as folder:
            machine: Optional[Machine] = None
            for batch in batches:
                for key, rows in by_machine(batch):
                    if machine is None or machine.key != key:
                        if machine:
                            yield machine.judge()
                        machine = Machine(self, key, folder)
                    machine.add(rows)
            if machine:
                yield machine.judge()


def by_machine(batch: pa.RecordBatch):
    """The parts of a sorted batch that have one host and kernel."""
    keys = list(zip(batch.column(0).to_pylist(), batch.column(1).to_pylist()))
    start = 0
    for i in range(1, len(keys) + 1):
        if i == len(keys) or keys[i] != keys[start]:
            yield keys[start], batch.slice(start, i - start)
            start = i


class Machine:
    """The study of a host with one kernel, each series as one run."""

    def __init__(self, judge: Judge, key: Tuple[str, str], folder: str):
        self.key, self.folder, self.program = key, folder, judge.program
        self.path = os.path.join(folder, "machine.culprit")
        self.study = StudyWriter(self.path, judge.empty_study, judge.schema)
        self.days: Dict[str, str] = {}
        self.captures: Dict[str, int] = {}  # by series
        self.sums: Dict[str, int] = {}
        self.left_out: Dict[str, List[str]] = {}

    def fitting(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """Those whose times fit into the sums of their population; others are left out by name."""
        largest = np.zeros(rows.num_rows)
        for table in SUMMED:
            captures, parts = pc.list_parent_indices(rows.column(table)).to_numpy(), parts_of(rows.column(table))
            for name in parts.keys() & SUMS[1:]:
                np.maximum(largest, np.bincount(captures, parts[name].to_numpy(), rows.num_rows), out=largest)
        fits = []
        for series, file, most in zip(rows.column("series").to_pylist(), rows.column("file").to_pylist(), largest.tolist()):
            fits.append(self.sums.get(series, 0) + most < LARGEST_SUM)
            if fits[-1]:
                self.sums[series] = self.sums.get(series, 0) + most
            else:
                self.left_out.setdefault(series, []).append(file)
        return rows if all(fits) else rows.filter(pa.array(fits))

    def add(self, rows: pa.RecordBatch) -> None:
        rows = self.fitting(rows)
        series = rows.column("series").to_pylist()
        for name in series:
            self.captures[name] = self.captures.get(name, 0) + 1
        self.days.update((capture, modified[:10]) for capture, modified in
                         zip(rows.column("capture").to_pylist(), rows.column("modified_utc").to_pylist()))
        self.study.add_captures(rows, series, LISTS)

    def judge(self) -> pa.RecordBatch:
        self.study.complete()
        functions = self.study.sums_by_run()
        self.study.close()
        populations = [{**self.population(series), "functions": functions.get(series, []), "left_out": self.left_out.get(series, [])}
                       for series in sorted(self.captures.keys() | self.left_out.keys())]
        os.unlink(self.path)
        return pa.RecordBatch.from_pylist(populations, SCHEMA)

    def population(self, series: str) -> dict:
        digests = {number: capture for capture, number in self.study.captures.items()}
        judged: List[dict] = []
        outliers = self.program.json(self.folder, "outliers", "--study", self.path, "--run", series, "--brief") if series in self.captures else []
        for row in outliers:
            capture = digests[row["capture"]]
            judged.append({"capture": capture, "day": self.days[capture], "function": row["culprit"] or "", "class": row["class"],
                           "excess_ns": row["excess_ns"] or 0, "latency_ns": row["latency_ns"]})
        # Without outliers there is nothing to judge.
        verdict = self.program.json(self.folder, "verdict", "--study", self.path, "--run", series) if judged else {}
        return {"host": self.key[0], "kernel": self.key[1], "series": series, "captures": self.captures.get(series, 0),
                "outliers": len(judged), "verdict": json.dumps(verdict, sort_keys=True), "judged": judged}

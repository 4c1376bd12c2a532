# SPDX-License-Identifier: GPL-3.0-or-later
"""A job from the captures to the results."""

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from functools import reduce
from itertools import groupby
from typing import List, Optional, Tuple

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from . import across, files, listing, output, session, triage, verdicts
from .errors import FleetError
from .facts import Facts
from .map import Importer
from .program import Limits, Program
from .report import as_html
from .schema import read_schema
from .selection import key_of, write_study
from .store import Store
from .study import empty_study

POPULATION_SECONDS = 3600  # for the verdict on one population
COMMITS = 50  # after so many, the facts are compacted
TOO_LARGE = "its times are too large to be added to those of the other captures of its host; it was not judged"
NO_CAPTURES = FleetError("no captures in these folders; expected files saved by trace-cmd or culprit")


def note(part: str) -> None:
    """For measuring: says when a part of the job has ended."""
    if os.environ.get("CULPRIT_FLEET_TIMES"):
        print(f"culprit fleet: {part}", file=sys.stderr, flush=True)


def run(spark: SparkSession, options: argparse.Namespace) -> dict:
    """Adds new captures to the facts, and computes all results from the facts. Returns what verdict.json has."""
    here = Program(session.program_here(spark, options.program))
    empty = empty_study(here)
    schema = read_schema(empty)
    facts = Facts(spark, Store(spark, options.out), schema)
    found = listing.list_files(spark, options.captures, options.latencies)
    listed = [file for file in found if file["kind"] not in listing.UNSEARCHED]
    unsearched = [{"file": file["file"], "reason": listing.UNSEARCHED[file["kind"]]} for file in found if file["kind"] in listing.UNSEARCHED]
    if not found and not facts.commits:
        raise NO_CAPTURES
    triage.check_folder(facts.store)
    program = session.ship(spark, options.program)
    try:
        facts.begin()
        triage.check_study(facts, here)
        return add_and_conclude(spark, facts, here, program, empty, listed, unsearched, options)
    finally:
        facts.store.release()


def add_and_conclude(spark: SparkSession, facts: Facts, here: Program, program: Program, empty: bytes, listed: List[listing.File],
                     unsearched: List[dict], options: argparse.Namespace) -> dict:
    """@here: the program on this machine; @program: on the nodes."""
    note("started")
    period = ("--period", options.period) if options.period else ()
    limited = replace(program, limits=Limits(seconds=options.capture_limit))
    before = add_captures(spark, facts, Importer(limited, facts.schema, empty, period, key=facts.key), listed)
    if options.compact or len(facts.commits) > COMMITS:
        facts.compact()
    note("facts")
    failed = files.list_failed(facts.files, listed) + unsearched
    return conclude(facts, here, replace(program, limits=Limits(seconds=POPULATION_SECONDS)), empty, options, before, failed)


def add_captures(spark: SparkSession, facts: Facts, importer: Importer, listed: List[listing.File]) -> Counter:
    """Reads what is new of @listed and adds it to the facts. Returns how many files were known before, by outcome."""
    before = files.outcomes(facts.files)
    new = listing.new_files(listed, files.known_files(facts.files))
    if not new:
        return before

    def read(batches: List[List[listing.File]], alone: bool) -> DataFrame:
        by_name = {file["file"]: file for file in listed}
        here = [batch for batch in batches if listing.is_here(batch[0])]
        elsewhere = [batch for batch in batches if not listing.is_here(batch[0])]
        described = [*([listing.in_place(spark, here)] if here else []), *([listing.with_content(spark, elsewhere, by_name)] if elsewhere else [])]
        return reduce(DataFrame.union, (one.mapInArrow(replace(importer, alone=alone), importer.schema.spark()) for one in described))

    while True:
        try:
            facts.add(read(listing.batches_of(new), True), lambda periods: read(with_periods(periods, listed), False), len(new))
            return before
        except listing.REFUSED as error:
            unread = listing.find_unread(spark, new + [file for file in listed if file["kind"] == "log"], error)
            if not unread:
                raise
            for file in unread:
                file["kind"] = "unread"


def with_periods(periods: List[Tuple[Optional[dict], str]], listed: List[listing.File]) -> List[List[listing.File]]:
    """Batches of captures without a period of their own; those of a batch take the same."""
    by_name = {file["file"]: file for file in listed}
    batches: List[List[listing.File]] = []
    for giving, pairs in groupby(periods, lambda pair: pair[0]):
        taken = {name: giving[name] for name in listing.PERIOD} if giving else {}
        for _, captures in groupby(({**by_name[file], **taken} for _, file in pairs), listing.is_here):
            captures = list(captures)
            batches += [captures[i:i + listing.BATCH_FILES] for i in range(0, len(captures), listing.BATCH_FILES)]
    return batches


def conclude(facts: Facts, here: Program, program: Program, empty: bytes, options: argparse.Namespace, before: Counter,
             failed: List[dict]) -> dict:
    """Verdicts and all results, from the facts alone."""
    outcomes = files.outcomes(facts.files)
    if outcomes["capture"] == 0:
        if not failed:
            raise NO_CAPTURES
        others = f"; {len(failed) - 1} others could not be read either" if failed[1:] else ""
        raise FleetError(f"{failed[0]['file']}: {failed[0]['reason']}{others}")
    facts.view("facts", facts.read())
    judged = verdicts.judge(facts, program, empty).persist()
    facts.view("population", judged.drop("judged", "functions", "left_out"))
    facts.view("judged", judged.selectExpr("host", "kernel", "series", "inline (judged)"))
    found = {"populations": facts.query("populations")}
    failed += [{"file": row["file"], "reason": TOO_LARGE} for row in judged.selectExpr("explode (left_out) AS file").toArrow().to_pylist()]
    note("verdicts")
    found.update({name: facts.query(name) for name in ("causes", "days")})
    found["functions"] = judged.selectExpr("host", "kernel", "series", "inline (functions)").toArrow().to_pylist()
    decided = list(triage.given(triage.read(facts.store, here)))
    facts.view("decided", facts.spark.createDataFrame(pa.table({"capture": pa.array(decided, pa.string())})))
    found["selected"] = facts.query("selection", worst=options.worst, limit=options.worst + options.sample)
    if outcomes["latencies"]:
        facts.define_tables()
        found["runs"], found["latencies"] = facts.query("runs"), facts.query("latencies")
    for one in found["populations"]:
        one["excess_ns"] = across.whole_excess_ns(json.loads(one["verdict"]))
    counts = across.Counts(found["days"])
    causes = across.find_causes(found["causes"])
    found["new"] = across.find_new(counts, causes)
    found["causes"] = [row for row in found["causes"] if row["function"] is not None]
    verdict = {"captures": outcomes["capture"], "added": outcomes["capture"] - before["capture"], "failed": failed,
               "populations": [{**dict(zip(("host", "kernel", "series"), key_of(one))), "captures": one["captures"],
                                "verdict": json.loads(one["verdict"])} for one in found["populations"]],
               "causes": causes, "new": found["new"], "unlike": across.find_unlike(counts, causes),
               "latencies": found.get("latencies", [])}
    write(facts, here, empty, found, verdict)
    note("results")
    return verdict


def write(facts: Facts, here: Program, empty: bytes, found: dict, verdict: dict) -> None:
    """The study last: it may be kept for notes that could not be taken over."""
    facts.store.write_text("report.html", as_html(verdict, found["days"]))
    facts.store.write_text("verdict.json", output.as_json(verdict))
    with tempfile.TemporaryDirectory(prefix="culprit-fleet-") as folder:
        study = os.path.join(folder, triage.STUDY)
        write_study(study, empty, facts, found)
        triage.carry_over(study, facts.store, here)
        facts.store.put_file(study, triage.STUDY)

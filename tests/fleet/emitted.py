# SPDX-License-Identifier: GPL-3.0-or-later
# Prints what a task of culprit fleet emits for files, without Spark, as JSON: [file, outcome, reason] for each row.
# Run by the Python of culprit fleet.
#
# emitted.py PROGRAM SECONDS BYTES KIND=FILE...      SECONDS, BYTES: limits for one start of PROGRAM

import json
import os
import sys

import pyarrow

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "app", "fleet"))

from culprit_fleet.map import Importer  # noqa: E402
from culprit_fleet.program import Limits, Program, find_here  # noqa: E402
from culprit_fleet.schema import read_schema  # noqa: E402
from culprit_fleet.study import empty_study  # noqa: E402


def main():
    program, seconds, size, *files = sys.argv[1:]
    empty = empty_study(Program(find_here()))
    importer = Importer(Program(program, Limits(float(seconds), int(size))), read_schema(empty), empty)
    batch = pyarrow.RecordBatch.from_pylist([
        {"batch": 0, "place": place, "file": file, "size_bytes": os.path.getsize(file), "modified_utc": "2026-09-01 12:00:00.000",
         "series": "load", "kind": kind, "period_ns": None, "period_error_ns": None}
        for place, (kind, file) in enumerate(file.split("=", 1) for file in files)])
    rows = [row for emitted in importer(iter([batch])) for row in emitted.select(["file", "outcome", "reason"]).to_pylist()]
    json.dump([list(row.values()) for row in rows], sys.stdout)


main()

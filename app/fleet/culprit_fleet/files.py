# SPDX-License-Identifier: GPL-3.0-or-later
"""What the driver knows of every file: a few columns of the facts. What has to be compared between files is found here, as
each query of Spark over rows as wide as these costs as much as the import of a hundred captures."""

import os
from collections import Counter
from typing import Dict, Iterable, List, Optional, Set, Tuple

import pyarrow as pa
import pyarrow.compute as pc

from .listing import PERIOD, File, order_of

FAILED = ("failed", "stopped")
COLUMNS = ("file", "size_bytes", "modified_utc", "outcome", "reason", "capture", *PERIOD, "commit")


def of_outcome(files: pa.Table, outcome: str) -> pa.Table:
    return files.filter(pc.equal(files.column("outcome"), outcome))


def without_outcome(files: pa.Table, outcome: str) -> pa.Table:
    return files.filter(pc.not_equal(files.column("outcome"), outcome))


def known_files(files: pa.Table) -> Dict[Tuple[str, int, str], str]:
    """The outcome of those that need not be read again. Where the program did not get through, it may have been the machine's fault;
    and only the last version of a latency result counts."""
    found = without_outcome(files, "stopped").select(["file", "size_bytes", "modified_utc", "outcome", "commit"]).to_pylist()
    rows = sorted(found, key=lambda row: (row["commit"], row["modified_utc"]))
    last = {row["file"]: row for row in rows if row["outcome"] == "latencies"}
    return {(row["file"], row["size_bytes"], row["modified_utc"]): row["outcome"] for row in rows
            if row["outcome"] != "latencies" or row is last[row["file"]]}


def outcomes(files: pa.Table) -> Counter:
    return Counter(files.column("outcome").to_pylist())


def list_failed(files: pa.Table, listed: Iterable[File]) -> List[dict]:
    """The files that could not be read as they are @listed now, or, those that are not, as they were last; by name."""
    now = {file["file"]: (file["size_bytes"], file["modified_utc"]) for file in listed}
    rows = files.select(["file", "size_bytes", "modified_utc", "outcome", "reason", "commit"]).to_pylist()
    bad = {row["file"] for row in rows if row["outcome"] in FAILED}
    rows = [row for row in rows if row["file"] in bad and now.get(row["file"]) in (None, (row["size_bytes"], row["modified_utc"]))]
    # One that was stopped may have been read later. Commits that were compacted are one.
    order = sorted(rows, key=lambda row: (row["file"], row["commit"], row["modified_utc"], row["outcome"] != "stopped"))
    last = {row["file"]: row for row in order}
    return [{"file": file, "reason": row["reason"]} for file, row in last.items() if row["outcome"] in FAILED]


def find_periods(fresh: pa.Table, known: pa.Table) -> List[Tuple[Optional[dict], str]]:
    """Each capture that lacks a period, after what is known of the capture of its run whose period it takes, as culprit import
    does that reads a run in order: the one with the smallest error of those before it. None: there is none."""
    lacking = [row["file"] for row in of_outcome(fresh, "lacking").select(["file"]).to_pylist()]
    folders = {os.path.dirname(file) for file in lacking}
    giving: Dict[str, List[dict]] = {folder: [] for folder in folders}
    for table in (known, fresh):
        inferred = pc.and_(pc.greater(table.column("period_ns"), 0), pc.greater_equal(table.column("period_error_ns"), 0))
        for row in of_outcome(table.filter(inferred), "capture").select(["file", *PERIOD]).to_pylist():
            if os.path.dirname(row["file"]) in folders:
                giving[os.path.dirname(row["file"])].append(row)
    found: List[Tuple[Optional[dict], str]] = []
    for file in lacking:
        before = [row for row in giving[os.path.dirname(file)] if order_of(row["file"]) < order_of(file)]
        best = min(before, key=lambda row: (row["period_error_ns"], order_of(row["file"])), default=None)
        found.append((best, file))
    return sorted(found, key=lambda pair: (order_of(pair[0]["file"] if pair[0] else ""), order_of(pair[1])))


def find_duplicates(fresh: pa.Table, known: pa.Table) -> Set[str]:
    """Files with captures that are known, or that occur twice: the first in the order of names stays, so that neither
    batches nor processors matter."""
    seen = set(of_outcome(known, "capture").column("capture").to_pylist())
    duplicates = set()
    rows = of_outcome(fresh, "capture").select(["file", "capture"]).to_pylist()
    for row in sorted(rows, key=lambda row: order_of(row["file"])):
        if row["capture"] in seen:
            duplicates.add(row["file"])
        seen.add(row["capture"])
    return duplicates


def mark_duplicates(fresh: pa.Table, duplicates: Set[str]) -> pa.Table:
    marked = ["duplicate" if file in duplicates else outcome
              for file, outcome in zip(fresh.column("file").to_pylist(), fresh.column("outcome").to_pylist())]
    return fresh.set_column(fresh.schema.get_field_index("outcome"), "outcome", pa.array(marked, pa.string()))

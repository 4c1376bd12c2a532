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
COMPACTED = {"stopped": 0, "capture": 1}  # The order in one commit: earlier versions kept a file at which the program was stopped.
COLUMNS = ("file", "size_bytes", "modified_utc", "outcome", "reason", "capture", *PERIOD, "commit")


def of_outcome(files: pa.Table, outcome: str) -> pa.Table:
    return files.filter(pc.equal(files.column("outcome"), outcome))


def without_outcome(files: pa.Table, outcome: str) -> pa.Table:
    return files.filter(pc.not_equal(files.column("outcome"), outcome))


def in_order(files: pa.Table) -> List[dict]:
    """Their rows in the order in which they were read. Compacted, all are of one commit: then what is no capture came last."""
    rows = files.select(["file", "size_bytes", "modified_utc", "outcome", "reason", "commit"]).to_pylist()
    return sorted(rows, key=lambda row: (row["commit"], COMPACTED.get(row["outcome"], len(COMPACTED)), row["modified_utc"]))


def known_files(files: pa.Table) -> Dict[Tuple[str, int, str], str]:
    """The outcome of those that need not be read again. Where the program did not get through, it may have been the machine's fault;
    and only the last version of a latency result counts."""
    rows = in_order(without_outcome(files, "stopped"))
    last = {row["file"]: row for row in rows if row["outcome"] == "latencies"}
    return {(row["file"], row["size_bytes"], row["modified_utc"]): row["outcome"] for row in rows
            if row["outcome"] != "latencies" or row is last[row["file"]]}


def find_superseded(files: pa.Table) -> List[dict]:
    """Which rows say nothing that counts: a capture stays whatever became of its file, of latency results the last, and what else a
    file is only if it is that still."""
    rows = in_order(files)
    last = {row["file"]: row for row in rows}
    results = {row["file"]: row for row in rows if row["outcome"] == "latencies"}
    return [{name: row[name] for name in ("file", "size_bytes", "modified_utc", "outcome", "commit")} for row in rows
            if row["outcome"] != "capture" and row is not last[row["file"]] and row is not results.get(row["file"])]


def outcomes(files: pa.Table) -> Counter:
    return Counter(files.column("outcome").to_pylist())


def list_failed(files: pa.Table, listed: Iterable[File]) -> List[dict]:
    """The files that could not be read as they are @listed now, or, those that are not, as they were last; by name."""
    now = {file["file"]: (file["size_bytes"], file["modified_utc"]) for file in listed}
    rows = in_order(files)
    bad = {row["file"] for row in rows if row["outcome"] in FAILED}
    last = {row["file"]: row for row in rows if row["file"] in bad and now.get(row["file"]) in (None, (row["size_bytes"], row["modified_utc"]))}
    return [{"file": file, "reason": row["reason"]} for file, row in sorted(last.items()) if row["outcome"] in FAILED]


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

# SPDX-License-Identifier: GPL-3.0-or-later
"""The columns of facts: a row for each file, with the rows of a capture in the study's tables as lists. Their columns are
those of the study's tables, so data/schema.sql remains the only place that defines them; only keys differ, since numbers
of a scratch study mean nothing elsewhere: a capture is its digest, a function its name, module and ordinal, and a node of the
tree of calls has a number in its capture and that of its path, which is the same in all captures."""

import sqlite3
import tempfile
from dataclasses import dataclass
from typing import Dict, List, Tuple

import pyarrow as pa

Columns = Tuple[Tuple[str, pa.DataType], ...]

ARROW = {"INTEGER": pa.int64(), "REAL": pa.float64(), "TEXT": pa.string(), "BLOB": pa.binary()}
SPARK = {pa.int64(): "bigint", pa.float64(): "double", pa.string(): "string", pa.binary(): "binary"}

PARTITIONS: Columns = (("outcome", pa.string()), ("kernel", pa.string()), ("host", pa.string()))  # folders

# What is known of a file apart from its row in the study's table of captures.
OF_FILE: Columns = (("file", pa.string()), ("size_bytes", pa.int64()), ("modified_utc", pa.string()), ("series", pa.string()),
                    ("reason", pa.string()), ("capture", pa.string()), ("machine", pa.string()))
NOT_OF_CAPTURE = ("capture_id", "run_id", "host_id", "sha256", "imported_utc", "triage", "note", "complete")

# Tables with rows of a capture. The study's others are derived from these, or are about runs.
OF_CAPTURES = ("capture_cpu", "capture_event", "capture_function", "window", "node", "outlier_node", "ordinary_node",
               "ordinary_part", "stall")
OF_NODES = ("outlier_node", "ordinary_node")
KEYS = ("capture_id", "window_id", "node_id", "parent_id", "function_id", "run_id", "host_id", "series_id")
FUNCTION: Columns = (("function", pa.string()), ("module", pa.string()), ("ordinal", pa.int64()))
NUMBER: Columns = (("number", pa.int64()),)  # of a window or node in its capture
NUMBERS: Dict[str, Columns] = {
    "window": NUMBER, "outlier_node": NUMBER, "ordinary_node": NUMBER,
    "node": (*NUMBER, ("parent", pa.int64()), ("last", pa.int64()), ("path", pa.int64())),
}

# Runs whose latencies come from files beside the captures.
NOT_OF_RUN = ("run_id", "host_id", "series_id")


@dataclass(frozen=True)
class Table:
    """A table of the study. @keys, @own: its keys, and the other columns that facts have; columns: those of facts."""
    name: str
    keys: Tuple[str, ...]
    own: Tuple[str, ...]
    columns: Columns

    def has_functions(self) -> bool:
        return "function_id" in self.keys


@dataclass(frozen=True)
class Schema:
    """@file: of a row's own columns; lists: the tables whose rows are in lists, by name, in the order of columns."""
    file: Table
    lists: Dict[str, Table]

    def arrow(self) -> pa.Schema:
        lists = ((name, pa.list_(pa.struct(list(table.columns)))) for name, table in self.lists.items())
        return pa.schema([*PARTITIONS, *self.file.columns, *lists])

    def spark(self) -> str:
        return ", ".join(f"`{field.name}` {spark_type(field.type)}" for field in self.arrow())


def spark_type(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return f"array<{spark_type(kind.value_type)}>"
    if pa.types.is_struct(kind):
        return "struct<" + ", ".join(f"`{field.name}`: {spark_type(field.type)}" for field in kind) + ">"
    return SPARK[kind]


def study_columns(database: sqlite3.Connection, table: str) -> Columns:
    return tuple((row[1], ARROW[row[2]]) for row in database.execute(f"PRAGMA table_info ({table})"))


def describe(database: sqlite3.Connection, name: str, left_out: Tuple[str, ...], more: Columns = ()) -> Table:
    """@more: columns that take the place of those that are left out."""
    columns = study_columns(database, name)
    keys = tuple(column for column, _ in columns if column in KEYS)
    own = tuple(column for column in columns if column[0] not in left_out)
    return Table(name, keys, tuple(column for column, _ in own), (*more, *(column for column in own if column not in more)))


def describe_list(database: sqlite3.Connection, name: str) -> Table:
    functions = FUNCTION if ("function_id", pa.int64()) in study_columns(database, name) else ()
    return describe(database, name, KEYS, (*NUMBERS.get(name, ()), *functions))


def read_schema(empty_study: bytes) -> Schema:
    with tempfile.NamedTemporaryFile(suffix=".culprit") as file:
        file.write(empty_study)
        file.flush()
        database = sqlite3.connect(f"file:{file.name}?immutable=1", uri=True)
        lists: List[Table] = [describe_list(database, name) for name in OF_CAPTURES]
        lists.append(describe(database, "run", NOT_OF_RUN))
        lists.append(describe(database, "run_latency", NOT_OF_RUN, (("run", pa.string()),)))
        schema = Schema(describe(database, "capture", NOT_OF_CAPTURE, OF_FILE), {table.name: table for table in lists})
        database.close()
    return schema

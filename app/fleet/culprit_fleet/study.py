# SPDX-License-Identifier: GPL-3.0-or-later
"""What the fleet writes into studies: facts, the reverse of rows.py; and the studies into which captures are imported."""

import os
import sqlite3
import tempfile
from contextlib import closing
from typing import Dict, Iterable, List, Optional, Sequence, Tuple

import adbc_driver_sqlite.dbapi as adbc
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .errors import FleetError
from .program import Program, reason_of
from .schema import FUNCTION, OF_NODES, Schema, Table

Function = Tuple[str, str, int]
WINDOWS = 20  # bits of a window's number, below the number of its capture
SUMS = ("SELECT run.name, function.name, module, ordinal, captures, calls, self_ns, tracing_ns, total_ns "
        "FROM run_function JOIN run USING (run_id) JOIN function USING (function_id) "
        "WHERE captures > 0 ORDER BY run.name, function.name, module, ordinal")


def empty_study(program: Program) -> bytes:
    """A study without rows, as this version of the program creates it. It creates none without something in it."""
    with tempfile.TemporaryDirectory(prefix="culprit-fleet-") as folder:
        study, numbers = os.path.join(folder, "empty.culprit"), os.path.join(folder, "numbers.txt")
        with open(numbers, "w", encoding="ascii") as file:
            file.write("10\n20\n30\n")
        done = program.run(folder, "import", "--study", study, "--unit", "1ns", numbers)
        if done.returncode != 0:
            raise FleetError(f"culprit cannot create a study: {reason_of(done)}")
        if not os.path.exists(study):
            raise FleetError(f"{program.file()}: is not culprit; it wrote no study")
        with closing(sqlite3.connect(study)) as database:
            with database:
                database.execute("DELETE FROM run_latency")
                database.execute("DELETE FROM run")
            database.execute("VACUUM")
        with open(study, "rb") as file:
            return file.read()


def parts_of(column: pa.ListArray) -> Dict[str, pa.Array]:
    """The columns of the rows in a list."""
    return dict(zip((field.name for field in column.type.value_type), column.flatten().flatten()))


class StudyWriter:
    """Captures get numbers in the order in which they are added: culprit's commands go by it."""

    def __init__(self, path: str, empty_study: bytes, schema: Schema):
        with open(path, "wb") as file:
            file.write(empty_study)
        self.schema = schema
        self.functions: Dict[Function, int] = {}
        self.nodes: Dict[int, int] = {}  # by path
        self.hosts: Dict[Tuple[str, str, str], int] = {}
        self.runs: Dict[str, int] = {}
        self.captures: Dict[str, int] = {}
        self.database = adbc.connect(path, autocommit=True)
        for statement in ("PRAGMA synchronous = OFF", "PRAGMA journal_mode = OFF", "BEGIN"):
            self.rows(statement)

    def complete(self) -> None:
        """To be called when all rows have been added: the study then makes the sums by run."""
        self.insert("function", ("function_id", "name", "module", "ordinal"),
                    ((number, *function) for function, number in self.functions.items()))
        self.rows("UPDATE capture SET complete = 1")

    def close(self) -> None:
        self.rows("COMMIT")
        self.database.close()

    def rows(self, sql: str, values: Sequence = ()) -> List[Tuple]:
        with self.database.cursor() as cursor:
            cursor.execute(sql, values or None)
            return cursor.fetchall() if cursor.description else []

    def ingest(self, table: str, columns: Dict[str, object]) -> None:
        with self.database.cursor() as cursor:
            cursor.adbc_ingest(table, pa.table(columns), mode="append")

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence]) -> None:
        listed = list(rows)
        if listed:
            self.ingest(table, dict(zip(columns, zip(*listed))))

    def run(self, name: str, source: str = "captures") -> int:
        """The number of a run, which is created when it is first asked for."""
        if name not in self.runs:
            self.runs[name] = len(self.runs) + 1
            self.insert("run", ("run_id", "name", "source", "tracing"),
                        [(self.runs[name], name, source, "on" if source == "captures" else None)])
        return self.runs[name]

    def describe_run(self, number: int, told: Dict[str, object]) -> None:
        for name, value in told.items():
            self.rows(f"UPDATE run SET {name} = ? WHERE run_id = ?", (value, number))

    def host(self, *key: str) -> int:
        if key not in self.hosts:
            self.hosts[key] = len(self.hosts) + 1
            self.insert("host", ("host_id", "name", "kernel", "machine"), [(self.hosts[key], *key)])
        return self.hosts[key]

    def function(self, *key) -> int:
        return self.functions.setdefault(key, len(self.functions) + 1)

    def add_captures(self, rows: pa.RecordBatch, runs: Sequence[str], lists: Iterable[str]) -> None:
        """@rows: of facts; @runs: the name of each one's run; @lists: the tables of which they have the rows."""
        first = len(self.captures) + 1
        numbers = np.arange(first, first + rows.num_rows)
        self.captures.update(zip(rows.column("capture").to_pylist(), numbers.tolist()))
        hosts = zip(*(rows.column(name).to_pylist() for name in ("host", "kernel", "machine")))
        self.ingest("capture", {
            "capture_id": numbers, "run_id": [self.run(name) for name in runs], "host_id": [self.host(*key) for key in hosts],
            "sha256": rows.column("capture"), "imported_utc": pc.utf8_slice_codeunits(rows.column("modified_utc"), 0, 19),
            **{name: rows.column(name) for name in self.schema.file.own}})
        lengths = pc.list_value_length(rows.column("node")).to_numpy()
        starts = np.cumsum(lengths) - lengths
        nodes = self.node_numbers(rows.column("node"), starts)
        for name in lists:
            column = rows.column(name)
            capture, parts = pc.list_parent_indices(column).to_numpy(), parts_of(column)
            if name != "node" and len(capture):
                node = nodes[starts[capture] + parts["number"].to_numpy()] if name in OF_NODES else None
                self.add_list(self.schema.lists[name], numbers[capture], node, parts)

    def node_numbers(self, column: pa.ListArray, starts: np.ndarray) -> np.ndarray:
        """Those of the nodes of all captures in a column, one after the other; a path that is new gets a number. @starts: where
        the nodes of each capture begin."""
        parts, capture = parts_of(column), pc.list_parent_indices(column).to_numpy()
        encoded = parts["path"].dictionary_encode()
        paths, places = encoded.dictionary.to_pylist(), encoded.indices.to_numpy()
        first = np.empty(len(paths), np.int64)
        first[places[::-1]] = np.arange(len(places))[::-1]
        new = [i for i, path in enumerate(paths) if path not in self.nodes]
        for i in new:
            self.nodes[paths[i]] = len(self.nodes) + 1
        numbers = np.array([self.nodes[path] for path in paths], np.int64)[places]
        if new:
            at = first[new]
            above = parts["parent"].take(pa.array(at)).fill_null(0).to_numpy() + starts[capture[at]]
            self.add_nodes(numbers[at], numbers[above], {name: part.take(pa.array(at)) for name, part in parts.items()})
        return numbers

    def add_nodes(self, numbers: np.ndarray, above: np.ndarray, parts: Dict[str, pa.Array]) -> None:
        """@above: the numbers of those above, of which sources have none."""
        sources = parts["parent"].is_null().to_numpy(zero_copy_only=False)
        functions = np.zeros(len(numbers), np.int64)
        functions[~sources] = self.function_numbers([parts[name].filter(pa.array(~sources)) for name, _ in FUNCTION])
        self.ingest("node", {
            "node_id": numbers, "parent_id": pa.array(above, mask=sources), "function_id": pa.array(functions, mask=sources),
            **{name: parts[name] for name in self.schema.lists["node"].own}})

    def add_list(self, table: Table, numbers: np.ndarray, node: Optional[np.ndarray], parts: Dict[str, pa.Array]) -> None:
        """@numbers, @node: those of each row's capture and node."""
        keys: Dict[str, object] = {}
        if "window_id" in table.keys:  # All but windows themselves belong to outliers, which have number 0.
            keys["window_id"] = (numbers << WINDOWS) + (parts["number"].to_numpy() if table.name == "window" else 0)
        if "capture_id" in table.keys:
            keys["capture_id"] = numbers
        if node is not None:
            keys["node_id"] = node
        if table.has_functions():
            keys["function_id"] = self.function_numbers([parts[name] for name, _ in FUNCTION])
        self.ingest(table.name, {**keys, **{name: parts[name] for name in table.own}})

    def function_numbers(self, columns: List[pa.Array]) -> np.ndarray:
        """Each function is looked up once."""
        joined = pc.binary_join_element_wise(*(column.cast(pa.string()) for column in columns), "\n").dictionary_encode()
        names = (text.rsplit("\n", 2) for text in joined.dictionary.to_pylist())
        numbers = np.array([self.function(name, module, int(ordinal)) for name, module, ordinal in names])
        return numbers[joined.indices.to_numpy()]

    def sums_by_run(self) -> Dict[str, List[dict]]:
        """Sums over whole captures of each function, by the run's name; of a complete study."""
        found: Dict[str, List[dict]] = {}
        names = (*(name for name, _ in FUNCTION), "captures", "calls", "self_ns", "tracing_ns", "total_ns")
        for run, *values in self.rows(SUMS):
            found.setdefault(run, []).append(dict(zip(names, values)))
        return found

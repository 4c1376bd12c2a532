# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows of facts: one for each file, with all that a scratch study has of its capture, so that a capture is one row from
the map to its verdict. Rows go from the study to Arrow by ADBC: through Python's own module for SQLite they took four times
as long, a third of the time of their import."""

from typing import Dict, List

import adbc_driver_sqlite.dbapi as adbc
import numpy as np
import pyarrow as pa

from .program import ProgramFailed
from .schema import FUNCTION, OF_CAPTURES, OF_FILE, OF_NODES, PARTITIONS, Schema, Table
from .tree import NODES, Parts, Tree

# Types are taken from the values of one batch of rows.
ALL_ROWS = {adbc.adbc_driver_sqlite.StatementOptions.BATCH_ROWS.value: str(1 << 24)}

# The outlier has number 0, whatever its number in the study; ordinary windows follow in order.
WINDOW_NUMBER = ("SUM (kind = 'ordinary') OVER (PARTITION BY capture_id ORDER BY kind = 'ordinary', window_id "
                 "ROWS UNBOUNDED PRECEDING) AS number")


def read(study: adbc.Connection, sql: str) -> pa.Table:
    with study.cursor() as cursor:
        cursor.adbc_statement.set_options(**ALL_ROWS)
        cursor.execute(sql)
        return cursor.fetch_arrow_table()


def column(table: pa.Table, name: str, kind: pa.DataType) -> pa.Array:
    found = table.column(name)
    return pa.nulls(len(found), kind) if found.null_count == len(found) else found.combine_chunks().cast(kind)


def struct(arrays: List[pa.Array], table: Table) -> pa.StructArray:
    return pa.StructArray.from_arrays(arrays, names=[name for name, _ in table.columns])


class Functions:
    """Function numbers of a scratch study as names."""

    def __init__(self, study: adbc.Connection):
        found = read(study, "SELECT function_id, name AS function, module, ordinal FROM function ORDER BY function_id")
        self.numbers = found.column("function_id").to_numpy()
        self.columns = [column(found, name, kind) for name, kind in FUNCTION]

    def of(self, numbers: np.ndarray) -> List[pa.Array]:
        """Number 0 is none."""
        places = pa.array(np.searchsorted(self.numbers, numbers), mask=numbers == 0)
        return [one.take(places) for one in self.columns]

    def texts(self) -> Dict[int, str]:
        parts = zip(*(one.to_pylist() for one in self.columns))
        return {number: "\n".join(map(str, part)) for number, part in zip(self.numbers.tolist(), parts)}


def rows_of(study: adbc.Connection, table: Table) -> pa.Table:
    """The rows of @table, with the numbers of what they refer to, by capture."""
    source = f'"{table.name}"'
    if table.name != "window" and "window_id" in table.keys:
        source += " JOIN window USING (window_id)"
    wanted = ["capture_id", *(name for name in ("node_id", "function_id") if name in table.keys),
              *([WINDOW_NUMBER] if table.name == "window" else []), *(f'"{table.name}"."{name}"' for name in table.own)]
    return read(study, f"SELECT {', '.join(wanted)} FROM {source} ORDER BY capture_id")


def tables_of(study: adbc.Connection, schema: Schema, captures: np.ndarray, functions: Functions, key: bytes) -> Dict[str, pa.Table]:
    """The rows of all tables by capture, with numbers of nodes that mean something in their capture."""
    found = {name: rows_of(study, schema.lists[name]) for name in OF_CAPTURES if name != "node"}
    parts = Parts(Tree(read(study, NODES), functions.texts(), key), captures, [found[name] for name in OF_NODES])
    return {**found, **{name: parts.numbered(found[name]) for name in OF_NODES}, "node": parts.rows()}


def list_of(table: Table, found: pa.Table, captures: np.ndarray, functions: Functions) -> pa.ListArray:
    """Rows of @table as a list for each capture. @captures: the numbers of all captures, in order."""
    offsets = np.searchsorted(found.column("capture_id").to_numpy(), captures)
    names: Dict[str, pa.Array] = {}
    if table.has_functions():
        names = dict(zip((name for name, _ in FUNCTION), functions.of(found.column("function_id").to_numpy())))
    arrays = [names[name] if name in names else column(found, name, kind) for name, kind in table.columns]
    return pa.ListArray.from_arrays(pa.array([*offsets, found.num_rows], pa.int32()), struct(arrays, table))


def of_captures(path: str, schema: Schema, files: Dict[str, dict], key: bytes) -> pa.RecordBatch:
    """A row for each capture of a scratch study, which are of these files alone. @files: what is known of a file, by its name in the
    study; key: of the paths of calls."""
    with adbc.connect(path) as study:
        own = ", ".join(f"capture.{name}" for name in schema.file.own if name != "file")
        # They become names of folders, of which one means that there is none.
        found = read(study, "SELECT capture_id, NULLIF (host.kernel, '__HIVE_DEFAULT_PARTITION__') AS kernel, "
                            f"NULLIF (host.name, '__HIVE_DEFAULT_PARTITION__') AS host, sha256 AS capture, machine, capture.file, "
                            f"NULLIF (window_kind, 'cyclic') AS windows, {own} FROM capture JOIN run USING (run_id) "
                            "JOIN series USING (series_id) JOIN host ON host.host_id = capture.host_id ORDER BY capture_id")
        columns = {name: column(found, name, kind) for name, kind in (*PARTITIONS, *schema.file.columns) if name in found.column_names}
        names = found.column("file").to_pylist()
        if not files.keys() >= set(names):
            raise ProgramFailed("a file became a folder while it was read")
        told = [files[name] for name in names]
        columns.update({name: pa.array([file[name] for file in told], pa.string()) for name in ("file", "modified_utc")})
        # What is measured differently is not compared.
        columns["series"] = pa.array([": ".join(filter(None, (file["series"], windows))) for file, windows in zip(told, found.column("windows").to_pylist())], pa.string())
        columns["outcome"] = pa.array(["capture"] * len(told), pa.string())
        functions, captures = Functions(study), found.column("capture_id").to_numpy()
        for name, listed in tables_of(study, schema, captures, functions, key).items():
            columns[name] = list_of(schema.lists[name], listed, captures, functions)
    return batch_of(schema, columns, len(told))


def of_runs(path: str, schema: Schema, file: dict) -> pa.RecordBatch:
    """The row of a file of latencies, which was imported alone into the study."""
    wanted = {"run": "SELECT * FROM run ORDER BY name",
              "run_latency": "SELECT run.name AS run, run_latency.* FROM run_latency JOIN run USING (run_id) ORDER BY run.name, cpu, latency_ns"}
    columns = of_file(file, "latencies")
    with adbc.connect(path) as study:
        for name, sql in wanted.items():
            found = read(study, sql)
            rows = struct([column(found, own, kind) for own, kind in schema.lists[name].columns], schema.lists[name])
            columns[name] = pa.ListArray.from_arrays(pa.array([0, len(rows)], pa.int32()), rows)
    return batch_of(schema, columns, 1)


def of_file(file: dict, outcome: str, reason: str = None) -> Dict[str, pa.Array]:
    told = {**file, "outcome": outcome, "reason": reason}
    return {name: pa.array([told.get(name)], kind) for name, kind in (*PARTITIONS[:1], *OF_FILE)}


def of_other(schema: Schema, file: dict, outcome: str, reason: str = None) -> pa.RecordBatch:
    """The row of a file that is not a capture of its own."""
    return batch_of(schema, of_file(file, outcome, reason), 1)


def batch_of(schema: Schema, columns: Dict[str, pa.Array], length: int) -> pa.RecordBatch:
    """Columns that are not given are NULL."""
    described = schema.arrow()
    arrays = [columns[field.name].cast(field.type) if field.name in columns else pa.nulls(length, field.type) for field in described]
    return pa.RecordBatch.from_arrays(arrays, schema=described)

# SPDX-License-Identifier: GPL-3.0-or-later
# Everything in a study, independent of its row numbers: every reference is replaced by what it refers to, so that
# studies filled in a different order, or merged, can be compared for equality. Reads the file with SQLite, not with
# culprit.

import os
import sqlite3
import sys
from contextlib import closing

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TESTS, "support")]
DATA = os.path.join(TESTS, "data")

NAMES = {
    "host_id": "SELECT host_id, name, kernel, machine FROM host",
    "series_id": "SELECT series_id, name FROM series",
    "run_id": "SELECT run_id, name FROM run",
    "capture_id": "SELECT capture_id, sha256 FROM capture",
    "function_id": "SELECT function_id, name, module, ordinal FROM function",
    "window_id": "SELECT window_id, sha256, kind, start_ns FROM window JOIN capture USING (capture_id)",
    "node_id": """WITH RECURSIVE below (node_id, context, path) AS (
                    SELECT node_id, context, source FROM node WHERE depth = 0
                    UNION ALL
                    SELECT node.node_id, node.context, path || ' > ' || name || '#' || ordinal || ' [' || module || ']'
                    FROM below JOIN node ON node.parent_id = below.node_id JOIN function USING (function_id))
                  SELECT * FROM below""",
}
NAMES["parent_id"] = NAMES["node_id"]
NAMES["opened_id"] = NAMES["closed_id"] = NAMES["function_id"]
# Nodes that nothing refers to may be left when captures are deleted or read again.
ROWS = {"node": """node WHERE node_id IN (
                     WITH RECURSIVE used (node_id) AS (
                       SELECT node_id FROM outlier_node UNION SELECT node_id FROM ordinary_node
                       UNION SELECT parent_id FROM node JOIN used USING (node_id) WHERE depth > 0)
                     SELECT node_id FROM used)"""}
SUMS = ("calls", "self_ns", "tracing_ns", "total_ns", "off_cpu_ns", "truncated")
PARTS = ("calls", "self_ns", "tracing_ns")


def captures():
    """The real captures that come with the sources."""
    return sorted(os.path.join(DATA, name) for name in os.listdir(DATA) if name.endswith(".dat"))


def plain_captures():
    """Those of them that import without a word: with a fault in a function, and ordinary windows beside it."""
    return [path for path in captures() if os.path.basename(path).startswith(("count", "cost", "switch", "wall"))]


def connect(study):
    """Reads a study, and changes it where a test wants that; nothing is there that was not made by culprit."""
    if not os.path.exists(study):
        raise AssertionError(f"{study} was not made")
    return closing(sqlite3.connect(study, isolation_level=None))


def alter(study, *statements):
    with connect(study) as database:
        for statement in ("PRAGMA foreign_keys = ON", *statements):
            database.execute(statement)


def query(study, sql):
    with connect(study) as database:
        return database.execute(sql).fetchall()


def content(study, without=("imported_utc",)):
    """Table -> sorted rows, each a list of (column, value)."""
    folder = os.path.dirname(os.path.abspath(study))
    with connect(study) as database:
        names = {column: {row[0]: row[1:] for row in database.execute(sql)} for column, sql in NAMES.items()}
        found = {}
        for (table,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            columns = [row[1] for row in database.execute(f"PRAGMA table_info ({table})") if row[1] not in without]
            rows = plain_rows(database.execute(f"SELECT {', '.join(columns)} FROM {ROWS.get(table, table)}"), columns, names, folder)
            found[table] = [list(zip(columns, row)) for row in sorted(rows, key=repr)]
    return found


def plain_rows(cursor, columns, names, folder):
    references = [(place, names[column]) for place, column in enumerate(columns) if column in names]
    files = [place for place, column in enumerate(columns) if column == "file"]
    for row in map(list, cursor):
        for place, known in references:
            if row[place] is not None:
                row[place] = known[row[place]]
        for place in files:
            row[place] = os.path.normpath(os.path.join(folder, row[place]))
        yield row


def differences(a, b):
    """What two contents differ in, in words; empty where they are equal."""
    found = []
    for table in sorted(set(a) | set(b)):
        one, two = a.get(table, []), b.get(table, [])
        if one != two:
            odd = next((pair for pair in zip(one, two) if pair[0] != pair[1]), ("a row more", "or less"))
            found.append(f"{table}: {len(one)} and {len(two)} rows, first difference: {odd[0]} / {odd[1]}")
    return found


def run_sums(study):
    """run_function as it must be: (run, function_id) -> sums, from the rows of the captures. Only what is not all 0."""
    sources = [
        ("", ("captures", *SUMS), "SELECT run_id, function_id, 1, calls, self_ns, tracing_ns, total_ns, off_cpu_ns, "
         "truncated FROM capture_function JOIN capture USING (capture_id)"),
        ("outlier_", PARTS, "SELECT run_id, function_id, c.calls, c.self_ns, c.tracing_ns FROM outlier_node AS c "
         "JOIN node USING (node_id) JOIN window USING (window_id) JOIN capture USING (capture_id) WHERE depth > 0"),
        ("ordinary_", PARTS, "SELECT run_id, function_id, calls, self_ns, tracing_ns FROM ordinary_node "
         "JOIN node USING (node_id) JOIN capture USING (capture_id) WHERE depth > 0"),
    ]
    found = {}
    for prefix, columns, sql in sources:
        for run, function, *values in query(study, sql):
            sums = found.setdefault((run, function), {})
            for column, value in zip(columns, values):
                sums[prefix + column] = sums.get(prefix + column, 0) + value
    return without_zeros(found)


def stored_run_sums(study):
    columns = ["captures", *SUMS, *("outlier_" + part for part in PARTS), *("ordinary_" + part for part in PARTS)]
    found = {}
    for run, function, *values in query(study, f"SELECT run_id, function_id, {', '.join(columns)} FROM run_function"):
        found[run, function] = dict(zip(columns, values))
    return without_zeros(found)


def without_zeros(sums):
    kept = {key: {column: value for column, value in row.items() if value} for key, row in sums.items()}
    return {key: row for key, row in kept.items() if row}

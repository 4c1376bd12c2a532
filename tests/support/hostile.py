# SPDX-License-Identifier: GPL-3.0-or-later
# Studies of strangers: the schema is ours, and every column holds what it should not.

import json
import os
import shutil
import sqlite3
from contextlib import closing

import loosely

# In a name: all that could end a line, colour a terminal, turn text round, or be taken for markup.
EVIL = "=<b>&amp; <span size='99999'>a\r\x1b[31m\x07\u202egnp.exe\u2028\u2066x</u>\"'%s"
LINES = EVIL + "\nSECOND LINE"  # a study whose names have line breaks is refused
LARGEST = 2 ** 63 - 1
MARKS = "x" + "\u0301" * 100_000
LONG = "long " * 200_000
LONGEST_NAME = 2000  # bytes
REFERRED = ("run.name", "series.name", "series.window_kind", "capture.no_windows", "host.name", "host.kernel",
            "host.machine", "function.name", "function.module", "fleet_population.host", "fleet_population.kernel",
            "fleet_population.series", "fleet_cause.function", "node.source", "window.comm")
ODD = (None, -1, LARGEST, -2 ** 63, 1.5e308, float("inf"), "x", "", b"\x00\xff", "\x1b[31m\u202e\n<b>", "[1, {}]")
BELONGING = ("run.host_id", "run.series_id", "capture.run_id", "capture.host_id")  # of rows that are gone: refused
TARGET = {"target": "ssh", "host": "-oProxyCommand=touch stolen", "vm_kernel": "../../../../../tmp", "vm_modules": ["/etc/passwd"],
          "load_command": "touch stolen"}


def columns(study):
    """(table, column, type) of all columns that are no part of a key."""
    with closing(sqlite3.connect(study)) as database:
        return [(table, row[1], row[2]) for table in loosely.schema(study) if not table.startswith("sqlite_")
                for row in database.execute(f"PRAGMA table_info ({table})") if not row[5]]


def rows(study, table):
    """What numbers the rows of @table."""
    return "rowid" if "WITHOUT ROWID" not in loosely.schema(study)[table] else "1"


def texts(study):
    kept = ("source", "tracing", "triage", "kind", "period_source", "sha256")  # words of ours
    with_json = ("configuration", "facts", "delays", "told", "verdict")
    return [(table, column) for table, column, kind in columns(study) if kind == "TEXT" and column not in kept + with_json]


def fill_texts(study, text, but=()):
    """Puts @text into every column of text @but these; JSON is not touched."""
    loosely.write(study, *((f"UPDATE OR IGNORE {table} SET {column} = CAST (?1 AS TEXT) || {rows(study, table)}",
                            (text,)) for table, column in texts(study) if f"{table}.{column}" not in but))


def names(study):
    fill_texts(study, EVIL)
    loosely.write(study, ("UPDATE run SET facts = ?1, told = ?1", (json.dumps({EVIL: LINES, "a": [LINES]}),)),
                  ("UPDATE capture SET note = ?", (LINES,)))


def bytes_(study):
    """But for names by which rows are looked up: these are refused."""
    fill_texts(study, b"a\xff\xc3(\xed\xa0\x80\xf5", but=("run.name", "series.name"))


def empty(study):
    loosely.write(study, *((f"UPDATE OR IGNORE {table} SET {column} = ''", ()) for table, column in texts(study)))


def absent(study):
    loosely.write(study, *((f"UPDATE OR IGNORE {table} SET {column} = NULL", ()) for table, column, _ in columns(study)
                           if f"{table}.{column}" not in BELONGING))


def long_(study):
    """One row of each column, so that the study stays small enough to be made."""
    loosely.write(study, *((f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {rows(study, table)} = (SELECT MIN ({rows(study, table)}) "
                            f"FROM {table})", (text.encode()[:LONGEST_NAME].decode(errors="ignore") if f"{table}.{column}" in REFERRED else text,))
                           for number, (table, column) in enumerate(texts(study)) if rows(study, table) == "rowid"
                           for text in [LONG if number % 2 else MARKS]))


def numbers(study):
    loosely.write(study, *((f"UPDATE OR IGNORE {table} SET {column} = ?", (LARGEST if kind == "INTEGER" else float("inf"),))
                           for table, column, kind in columns(study)
                           if kind in ("INTEGER", "REAL") and not column.endswith("_id")))


def negative(study):
    loosely.write(study, *((f"UPDATE OR IGNORE {table} SET {column} = ?", (-LARGEST if kind == "INTEGER" else -1e308,))
                           for table, column, kind in columns(study)
                           if kind in ("INTEGER", "REAL") and not column.endswith("_id") and column != "complete"))


def types(study):
    loosely.write(study, *((f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {rows(study, table)} % 2",
                            (ODD[number % len(ODD)],)) for number, (table, column, _) in enumerate(columns(study))
                           if not column.endswith("_id")))


def orphans(study):
    """Whatever another row names is not there, but for what runs and captures belong to."""
    loosely.write(study, *((f"UPDATE OR IGNORE {table} SET {column} = {column} + 1000000", ())
                           for table, column, _ in columns(study) if column.endswith("_id") and f"{table}.{column}" not in BELONGING))


def cycles(study):
    """Calls that are their own callers."""
    loosely.write(study, ("UPDATE OR IGNORE node SET parent_id = node_id WHERE depth > 0 AND node_id % 3 = 0", ()),
                  ("UPDATE OR IGNORE node SET parent_id = (SELECT MAX (node_id) FROM node), depth = 1 WHERE depth > 0 AND node_id % 3", ()))


COUNT = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
# Runs, each of another host and on another CPU, and a fleet of as many.
MANY = (
    (f"{COUNT}INSERT INTO host (name, kernel, machine) SELECT 'h' || i, 'k' || i, 'm' FROM n", ()),
    (f"{COUNT}INSERT INTO series (name) SELECT 'x' || i FROM n", ()),
    ("INSERT INTO run (name, source, cycles, series_id, started_utc, host_id) SELECT series.name, 'record', 2, series_id, '2026', "
     "host_id FROM series JOIN host ON host.name = 'h' || SUBSTR (series.name, 2) WHERE series.name LIKE 'x%'", ()),
    ("INSERT INTO run_latency (run_id, cpu, latency_ns, count) SELECT run_id, run_id, 1000, 2 FROM run WHERE name LIKE 'x%'",
     ()),
    (f"{COUNT}INSERT OR IGNORE INTO run_latency SELECT 1, i, 1000, 1 FROM n", ()),
    (f"{COUNT}INSERT INTO fleet_population (host, kernel, series, captures, outliers, excess_ns, verdict) "
     "SELECT 'h' || i, 'k' || i, 's' || i, 1, 1, 1, '{}' FROM n", ()),
    ("INSERT INTO fleet_cause SELECT population_id, 'f' || population_id, 'slow', 1, 1, 1, 1, 1, 1 FROM fleet_population", ()),
)


def many(study):
    loosely.write(study, *MANY)


def fleet(study):
    """What a fleet's study tells, in the same names."""
    loosely.write(study, ("INSERT INTO fleet_population VALUES (7, NULL, ?1, ?1, ?1, 3, 2, 100, json_object (?1, ?1))", (EVIL,)),
                  ("INSERT INTO fleet_population VALUES (8, 1, ?1 || 2, ?1, ?1, 5, 2, 100, '[]')", (EVIL,)),
                  ("INSERT INTO fleet_cause SELECT population_id, ?1, ?1, 2, 3, 1, 1, 1, 1 FROM fleet_population", (EVIL,)),
                  ("INSERT INTO fleet_day SELECT population_id, ?1, ?1, ?1, 2, 3 FROM fleet_population", (EVIL,)),
                  ("INSERT INTO fleet_new VALUES (?1, ?1, ?1, ?1, 2, 3, 3, 3, 1, 0.01)", (EVIL,)),
                  ("INSERT INTO fleet_function SELECT population_id, 1, 1, 1, 1, 1, 1 FROM fleet_population", ()))


def target(study):
    configuration = json.dumps(TARGET)
    loosely.write(study, ("UPDATE series SET configuration = ?", (configuration,)),
                  ("UPDATE run SET source = 'record', load = '-touch stolen', cpus = '/../..', method = '../x', policy = '<b>'", ()),
                  ("UPDATE host SET name = '-oProxyCommand=touch stolen', kernel = '../..', machine = '/'", ()),
                  ("UPDATE capture SET file = '../../../../../../etc/passwd' WHERE capture_id % 2", ()),
                  ("UPDATE capture SET file = '/dev/zero' WHERE capture_id % 3 = 0", ()))


KINDS = {"names": (names, fleet), "bytes": (bytes_,), "empty": (empty,), "absent": (absent,), "long": (long_,), "numbers": (numbers,),
         "negative": (negative,), "types": (types,), "orphans": (orphans,), "cycles": (cycles,), "many": (many,), "target": (target,)}


def make(kind, sample, study):
    """Makes the @study of a @kind from @sample."""
    shutil.copy(sample, study)
    os.chmod(study, 0o644)
    for change in KINDS[kind]:
        change(study)

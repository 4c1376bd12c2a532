# SPDX-License-Identifier: GPL-3.0-or-later
# Creates studies of many captures in seconds: the rows of those of tests/data, repeated under changed digests.

import os
import shutil
import sqlite3

import culprit

DATA = os.path.join(culprit.ROOT, "tests", "data")
TABLES = ("series", "run", "run_latency", "run_sample", "capture", "capture_cpu", "capture_event", "capture_function", "window",
          "outlier_node", "ordinary_node", "ordinary_part", "stall")


def make_base(folder):
    study = os.path.join(folder, "base.culprit")
    captures = sorted(os.path.join(DATA, name) for name in os.listdir(DATA) if name.endswith(".dat"))
    result = culprit.import_captures(study, captures, run_name="few")
    assert result.status == 0, result.stderr
    for name in ("jitterdebugger-ns", "jitterdebugger-us"):
        result = culprit.run("import", "--study", study, "--run", name, os.path.join(DATA, "tools", name, "results.json"))
        assert result.status == 0, result.stderr
    return study


def copied(column, table, runs, step):
    """How @column differs in the copy k; @step: by how much its number rises."""
    if column == "sha256":
        return "substr (sha256, 1, 56) || printf ('%08x', k)"
    if column == "name" and table in ("series", "run"):
        return "name || '-' || k"
    if column in step and (column not in ("series_id", "run_id") or runs):
        return f"{column} + k * {step[column]}"
    return column


def repeat(base, study, captures, runs):
    """Fills @study with @captures captures or somewhat more: as many runs as @base has, or as many more."""
    shutil.copy(base, study)
    with sqlite3.connect(study) as database:
        triggers = database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            database.execute(f"DROP TRIGGER {name}")
        step = {column: database.execute(f"SELECT MAX ({column}) FROM {table}").fetchone()[0]
                for column, table in (("series_id", "series"), ("run_id", "run"), ("capture_id", "capture"), ("window_id", "window"))}
        few = database.execute("SELECT COUNT (*) FROM capture").fetchone()[0]
        copies = -(-captures // few) - 1
        for table in TABLES if runs else TABLES[4:]:
            columns = [row[1] for row in database.execute(f"PRAGMA table_info ({table})")]
            values = ", ".join(copied(column, table, runs, step) for column in columns)
            database.execute("WITH RECURSIVE copy (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM copy WHERE k < ?) "
                             f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM copy CROSS JOIN "
                             f"(SELECT * FROM {table})", (copies,))
        sums = [row[1] for row in database.execute("PRAGMA table_info (run_function)")][2:]
        if runs:
            database.execute("WITH RECURSIVE copy (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM copy WHERE k < ?) "
                             f"INSERT INTO run_function SELECT run_id + k * ?, function_id, {', '.join(sums)} FROM copy "
                             "CROSS JOIN (SELECT * FROM run_function)", (copies, step["run_id"]))
        else:
            database.execute("UPDATE run_function SET " + ", ".join(f"{name} = {name} * {copies + 1}" for name in sums))
        for _, sql in triggers:
            database.execute(sql)
    database.close()

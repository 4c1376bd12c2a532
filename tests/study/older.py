# SPDX-License-Identifier: GPL-3.0-or-later
# Turns a study into one that an older version might have made, by removing what came with later versions.

import contextlib
import os
import re
import sqlite3

VERSION_4 = os.path.join(os.path.dirname(os.path.abspath(__file__)), "version-4.sql")

# Version -> table -> columns that it brought.
ADDED = {
    2: {"run": ("deadline_ns", "facts", "cycles", "hits", "missed", "late", "page_faults", "smi_count", "steal_ns", "delays",
                "resolution_ns"),
        "capture": ("hit_cycle", "needed_kb", "smi_count", "steal_ns", "delays")},
    3: {"run": ("summary_mean_ns", "summary_sd_ns", "summary_samples"),
        "outlier_cost": ("path",), "stall": ("other_cpus", "silent_cpus", "before_event", "after_event")},
    4: {"run": ("told", "series_id", "turn"),
        "capture": ("read_version", "period_error_ns", "graph_depth", "graph_functions", "interrupts_traced"),
        "window": ("uncertain_ns",),
        "ordinary_cost": ("untraced_max_ns", "calls_max", "stretch_max_ns", "untraced_spread", "calls_spread", "stretch_spread"),
        "ordinary_source": ("untraced_max_ns", "untraced_spread")},
}
# Version -> what else it changed.
CHANGED = {
    2: "ALTER TABLE run DROP COLUMN recording;"
       "DROP TABLE run_sample; CREATE TABLE run_sample (run_id INTEGER, latencies_ns BLOB);",
    3: "DROP TABLE outlier_source; DROP TABLE ordinary_source;",
    4: "ALTER TABLE ordinary_cost ADD COLUMN longest_stretch_ns INTEGER NOT NULL DEFAULT 0;"
       "DROP TABLE fleet_function; DROP TABLE fleet_new; DROP TABLE fleet_day; DROP TABLE fleet_cause;"
       "DROP TABLE fleet_population;",
}


# What version 5 stored as reasons why a capture has no windows.
SENTENCES = {
    "no-marker": "it has no latency marker; cyclictest writes one with -b and --tracemark",
    "marker-format": "its latency marker is not in cyclictest's format",
    "no-return": "the measured task's return from its sleep was not captured",
    "not-mono": "its trace clock is not mono, so its cycle log cannot be used",
}


def drop_files(database):
    """Nothing tells which series are of files, and where interrupts and preemption were disabled."""
    database.executescript("""
        DROP TABLE section;
        UPDATE capture SET read_version = 5;
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace (sql, 'DEFAULT 7', 'DEFAULT 5') WHERE name = 'capture';
        PRAGMA writable_schema = RESET;
        DROP INDEX run_by_result;
        ALTER TABLE series DROP COLUMN of_files;
        PRAGMA user_version = 6;""")


def drop_windows(database):
    """Windows are of one kind, and reasons are sentences."""
    database.executemany("UPDATE capture SET no_windows = ? WHERE no_windows = ?",
                         [(sentence, code) for code, sentence in SENTENCES.items()])
    for view, more in (("capture_sum", ""), ("outlier", " WHERE window.kind = 'outlier'"), ("budget", ""), ("source", "")):
        text, = database.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (view,)).fetchone()
        database.executescript(f"DROP VIEW {view}; {re.sub('hit', 'window', text)}{more};")
    database.executescript("""
        UPDATE capture SET no_windows = 'its cycle log is for CPU ' || no_windows_number || ', on which nothing was traced'
        WHERE no_windows = 'cpu-not-traced';
        DROP VIEW hit;
        ALTER TABLE capture DROP COLUMN no_windows_number;
        ALTER TABLE series DROP COLUMN window_kind;
        PRAGMA user_version = 5;""")


def drop_series(database):
    """Names alone tell what belongs together."""
    database.executescript("""
        DROP TRIGGER run_added; DROP TRIGGER run_removed; DROP INDEX run_by_series;
        ALTER TABLE run ADD COLUMN recording TEXT;
        ALTER TABLE run ADD COLUMN configuration TEXT;
        UPDATE run SET recording = series.name, configuration = series.configuration
        FROM series
        WHERE series.series_id = run.series_id AND source = 'record';
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace (sql, ' REFERENCES series', '') WHERE name = 'run';
        PRAGMA writable_schema = RESET;
        DROP TABLE series;""")


def drop_tree(database):
    """The costs of functions alone are known, and of sources; the views and triggers are those of version 4."""
    with open(VERSION_4, encoding="ascii") as file:
        database.executescript(file.read())
    database.executescript("""
        ALTER TABLE capture DROP COLUMN complete;
        ALTER TABLE capture DROP COLUMN folded_calls;
        UPDATE capture SET read_version = 4;
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace (sql, 'DEFAULT 5', 'DEFAULT 4') WHERE name = 'capture';
        PRAGMA writable_schema = RESET;
        PRAGMA user_version = 4;""")


def make_older(study, version):
    with contextlib.closing(sqlite3.connect(study)) as database:
        drop_files(database)
        if version == 6:
            return
        drop_windows(database)
        if version == 5:
            return
        drop_tree(database)
        if version == 4:
            return
        view, = database.execute("SELECT sql FROM sqlite_schema WHERE name = 'outlier'").fetchone()
        database.executescript(f"DROP VIEW outlier; {view.replace(', window.uncertain_ns', '')}")
        drop_series(database)
        for newer in range(4, version, -1):
            for table, columns in ADDED[newer].items():
                for column in columns:
                    database.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
            database.executescript(CHANGED[newer])
        database.execute(f"PRAGMA user_version = {version}")

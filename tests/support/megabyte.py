# SPDX-License-Identifier: GPL-3.0-or-later
# A megabyte of each table and list that a file from outside can fill: what that costs is measured by tests/bench/cost and
# limited by tests/study/test_cost.py. Where the file is compressed, it is PACKED megabytes: text of that kind has a tenth left.

import itertools
import json
import multiprocessing
import os
import shutil
import sqlite3
import struct
from contextlib import closing
from functools import partial

import hostile
from events import entry, leave, marker, other, switch
from tracefile import BUFFER, CPUSTAT, DONE, OPTIONS_SECTION, TraceFile, zstd

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SAMPLE = os.path.join(ROOT, "data", "sample", "sample.culprit")
MEGABYTE = 1_000_000
PACKED = 10
FUNC = 0x1000


def calls(n, func=lambda i: FUNC, pid=lambda i: 50, depth=0):
    for i in range(n):
        yield entry(10 ** 9 + 1000 * i, pid(i), func(i), depth)
        yield leave(10 ** 9 + 1000 * i + 500, pid(i), func(i), depth)


class Listed(TraceFile):
    """Its tables as the caller wants them: a list of texts or bytes for each, instead of those of the layout."""
    symbol_text, names, formatted, systems, described, more_options = b"", b"", b"", [], [], []
    pageless_cpus, pageless_buffers, repeated = 0, 0, 0

    def kallsyms(self, out):
        out.sized("", self.symbol_text or b"%x t f\n%x t end\n" % (FUNC, FUNC + 16), 4)

    def saved_cmdlines(self, out):
        out.sized("", self.names or b"50 cyclictest\n", 8)

    def printk(self, out):
        out.sized("", self.formatted, 4)

    def ftrace_formats(self, out):
        texts = [*(self.layout.description(name).encode() for name in self.layout.names()), *self.described]
        out.length("", len(texts), 4)
        for text in texts:
            out.sized("", text, 8)

    def event_formats(self, out):
        systems = [(b"sched", [self.layout.description("sched_switch").encode()]), *self.systems]
        out.length("", len(systems), 4)
        for name, events in systems:
            out.put(name + b"\0")
            out.length("", len(events), 4)
            for text in events:
                out.sized("", text, 8)

    def common_options(self, out):
        super().common_options(out)
        for kind, data in self.more_options:
            self.option(out, kind, data)

    def v7_instance(self, out, options, name):
        super().v7_instance(out, options, name)
        for i in range(self.pageless_buffers):
            at = len(out)
            out.put(struct.pack("<HHIQ", BUFFER, 0, 0, 0))
            self.option(options, BUFFER, struct.pack("<Q", at) + b"b%d\0mono\0" % i + struct.pack("<II", self.page_size, 0))
        at, most = len(out), 8192
        out.put(bytes(self.pageless_cpus))
        for first in range(0, self.pageless_cpus, most):
            cpus = range(first, min(first + most, self.pageless_cpus))
            self.option(options, BUFFER, struct.pack("<Q", at) + b"\0mono\0" + struct.pack("<II", self.page_size, len(cpus))
                        + b"".join(struct.pack("<IQQ", cpu - first, at + cpu, 1) for cpu in cpus))

    def v7_cpu(self, out, name, cpu):
        """With @repeated: that many chunks of events of twelve bytes, each of another task, and a megabyte behind them."""
        if self.compression == "none" or not self.repeated:
            return super().v7_cpu(out, name, cpu)
        start, size = len(out), 65536
        events = b"".join(struct.pack("<IHBBi", 2, 9999, 0, 0, pid) for pid in (50, 51)) * ((size - 16) // 24)
        packed = zstd((struct.pack("<QQ", 10 ** 9, len(events)) + events).ljust(size, b"\0") * 256)
        out.number(self.repeated, 4)
        out.put((struct.pack("<II", len(packed), 256 * size) + packed) * self.repeated)
        out.put(bytes(MEGABYTE))
        return start, len(out) - start

    def last_options(self, out, body):
        if self.compression == "none":
            super().last_options(out, body)
            return
        self.option(body, DONE, bytes(8))
        self.section(out, OPTIONS_SECTION, 0, body)


def event(name, number, fields=b""):
    return b"name: %s\nID: %d\nformat:\n%s\n" % (name, number, fields)


def listed(row, times=1, each=8):
    """Texts of a megabyte, @row by number; each takes @each bytes more."""
    out, size = [], 0
    while size < times * MEGABYTE:
        out.append(row(len(out)))
        size += len(out[-1]) + each
    return out


def rows(row, times=1):
    return b"".join(listed(row, times, 0))


def one_cpu(events, page_size=4096):
    return {"instances": {"": {0: list(events)}}, "page_size": page_size}


FIELD = b"\tfield:int f%d;\toffset:8;\tsize:4;\tsigned:1;\n"

# What a capture has, by its name: the attributes of Listed, for a number of megabytes.
CAPTURES = {
    "kernel symbols": lambda n: {"symbol_text": rows(lambda i: b"%x t f%d\n" % (FUNC + 16 * i, i), n)},
    "kernel symbols at one address": lambda n: {"symbol_text": rows(lambda i: b"%x t f%d\n" % (FUNC, i), n)},
    "kernel symbols, last ones first": lambda n: {"symbol_text": rows(lambda i: b"%x t f%d\n" % (FUNC + (1 << 28) - 16 * i, i), n)},
    "modules": lambda n: {"symbol_text": rows(lambda i: b"%x t f\t[m%d]\n" % (FUNC + 16 * i, i), n)},
    "one long symbol": lambda n: {"symbol_text": b"%x t %s\n" % (FUNC, b"f" * n * MEGABYTE)},
    "names of tasks": lambda n: {"names": rows(lambda i: b"%d t%d\n" % (100 + i, i), n)},
    "line ends in place of names": lambda n: {"names": b"\n" * n * MEGABYTE + b"50 t\n"},
    "names of one task": lambda n: {"names": rows(lambda i: b"50 t%d\n" % i, n)},
    "one long name": lambda n: {"names": b"50 " + b"t" * n * MEGABYTE + b"\n"},
    "formats of printk": lambda n: {"formatted": rows(lambda i: b'0x%x : "%%d"\n' % i, n)},
    "events of ftrace": lambda n: {"described": listed(lambda i: event(b"e%d" % i, 1000 + i), n)},
    "events of a system": lambda n: {"systems": [(b"s", listed(lambda i: event(b"e%d" % i, 1000 + i), n))]},
    "events of one number": lambda n: {"systems": [(b"s", listed(lambda i: event(b"e%d" % i, 1000), n))]},
    "systems": lambda n: {"systems": [(b"s%d" % i, [event(b"e", 1000 + i)]) for i in range(n * 20_000)]},
    "fields of an event": lambda n: {"systems": [(b"s", [event(b"e", 1000, rows(lambda i: FIELD % i, n))])]},
    "fields of function calls": lambda n: {"described": [event(b"funcgraph_entry", 99, rows(lambda i: FIELD % i, n))]},
    "options of an unknown kind": lambda n: {"more_options": [(9999, b"x" * 10)] * 60_000},
    "spaces in the description of the host": lambda n: {"more_options": [(5, b"Linux h k" + b" " * n * MEGABYTE + b"x86\0")]},
    "one long option": lambda n: {"more_options": [(9999, b"x" * MEGABYTE)]},
    "facts of CPUs": lambda n: {"more_options": [(CPUSTAT, b"CPU: %d\noverrun: 1\n\0" % (i % 8)) for i in range(n * 35_000)]},
    "facts of CPUs and buffers": lambda n: {"pageless_buffers": 900,
                                            "more_options": [(CPUSTAT, b"CPU: %d\noverrun: 1\n\0" % (i % 8)) for i in range(n * 35_000)]},
    "calls of one function": lambda n: one_cpu(calls(n * 26_000)),
    "calls of many functions": lambda n: one_cpu(calls(n * 26_000, func=lambda i: FUNC + 16 * i)),
    "calls of many tasks": lambda n: one_cpu(calls(n * 26_000, pid=lambda i: 50 + i)),
    "calls that do not end": lambda n: one_cpu(entry(10 ** 9 + i, 50, FUNC, i % 50) for i in range(n * 45_000)),
    "returns without calls": lambda n: one_cpu(leave(10 ** 9 + i, 50, FUNC, i % 50) for i in range(n * 25_000)),
    "switches between tasks": lambda n: one_cpu(switch(10 ** 9 + i, 50 + i % 2, 120, 51 - i % 2, 120) for i in range(n * 14_000)),
    "events that are packed to nothing": lambda n: {"repeated": 15, "page_size": 65536},
    "markers": lambda n: one_cpu(marker(10 ** 9 + 10 ** 6 * i, 50, 900, 100) for i in range(n * 16_000)),
    "other events": lambda n: one_cpu(other(10 ** 9 + i, 50) for i in range(n * 14_000)),
    "lost events": lambda n: one_cpu((entry(10 ** 9 + i, 50, FUNC, 0, lost=1) for i in range(n * 4000)), 256),
    "CPUs": lambda n: {"instances": {"": {cpu: list(calls(5)) for cpu in range(1900)}}, "page_size": 512},
    "CPUs without a page": lambda n: {"pageless_cpus": 700_000 if n > 1 else 45_000},
    "buffers": lambda n: {"instances": {name: {0: list(calls(5))} for name in ("", *(f"b{i}" for i in range(900)))}, "page_size": 1024},
}


def write_capture(path, name, version, compression):
    parts = {"instances": {"": {0: list(calls(40))}}, "page_size": 4096, **CAPTURES[name](PACKED if compression == "zstd" else 1)}
    made = Listed(parts.pop("instances"), version=version, compression=compression)
    for key, value in parts.items():
        setattr(made, key, value)
    made.write(path)


SUMMARIES = b"# kernel mean sd n\n"
MOST_SUMMARIES = 10_000

LATENCIES = {
    "latencies": lambda: rows(lambda i: b"%d\n" % i),
    "latencies and counts": lambda: rows(lambda i: b"%d %d\n" % (i, i)),
    "a histogram": lambda: b"# Histogram\n" + rows(lambda i: b"%06d 000001\n" % i) + b"# Histogram Overflows: 00000\n",
    "threads of a histogram": lambda: b"# Histogram\n" + b"000001" + b"\t000001" * (MEGABYTE // 7) + b"\n",
    "summaries": lambda: SUMMARIES + rows(lambda i: b"s%d 1 1 10\n" % i),
    "summaries of different names": lambda: SUMMARIES + b"".join(b"s%d 1 1 10\n" % i for i in range(MOST_SUMMARIES)),
    "summaries of one name": lambda: SUMMARIES + b"".join(b"s %d 1 10\n" % (i + 1) for i in range(MOST_SUMMARIES)),
    "equal summaries of one name": lambda: SUMMARIES + b"s 1 1 10\n" * MOST_SUMMARIES,
    "threads in JSON": lambda: json.dumps({"thread": {str(i): {"histogram": {"7": 2}, "count": 2, "min": 7, "avg": 7, "max": 7}
                                                      for i in range(13_000)}}).encode(),
    "latencies in JSON": lambda: json.dumps({"thread": {"0": {"histogram": {str(i): 1 for i in range(85_000)}}}}).encode(),
    "nested JSON": lambda: b'{"thread":' + b"[" * MEGABYTE,
    "unknown keys in JSON": lambda: json.dumps({"thread": {"0": {"histogram": {"7": 2}, **{f"k{i}": i for i in range(60_000)}}}}).encode(),
    "members below a long key in JSON": lambda: b'{"thread":{"0":{"histogram":{"7":2},"%s":{%s}}}}' % (
        b"k" * (MEGABYTE // 2), b",".join([b'"a":0'] * (MEGABYTE // 12))),
    "latencies below a long key in JSON": lambda: b'{"thread":{"0":{"histogram":{"7":2,"%s":{%s}}}}}' % (
        b"k" * (MEGABYTE // 2), b",".join([b'"a":0'] * (MEGABYTE // 12))),
    "threads below a long key in JSON": lambda: b'{"%s":{%s},"thread":{"0":{"histogram":{"7":2}}}}' % (
        b"k" * (MEGABYTE // 2), b",".join([b'"a":0'] * (MEGABYTE // 12))),
    "words of stress-ng on one line": lambda: b"1\n" + b"cyclic:" * (MEGABYTE // 7) + b"\n e\n",
    "words of rtla on one line": lambda: b"1\nover: " + b"over: \ncount:" * (MEGABYTE // 14) + b"\n e\n",
    "words of cyclictest on one line": lambda: b"x y\n" + b"T: 0 " + b"Min:" * (MEGABYTE // 4) + b"\n",
    "one long line": lambda: b"1" * MEGABYTE,
    "empty lines": lambda: b"\n" * MEGABYTE,
    "nothing that is known": lambda: rows(lambda i: b"x y z %d\n" % i),
    "lines of one letter above latencies": lambda: b"O\n" * (MEGABYTE // 2) + b"1\n2\n",
    "comments of one letter": lambda: b"# o\n" * (MEGABYTE // 4) + b"1\n2\n",
    "latencies with a comment of one letter": lambda: b"1#o\n" * (MEGABYTE // 4),
    "names of two columns of one letter": lambda: b"o i\n" * (MEGABYTE // 4) + b"1 1\n2 1\n",
}


def write_latencies(path, name):
    with open(path, "wb") as file:
        file.write(LATENCIES[name]())


# Which columns make each row of a table another one: what other rows refer to, and what refers to them, stays.
KEYS = {
    "host": ["host_id", "name"], "run": ["run_id", "name"], "run_latency": ["latency_ns"], "run_sample": ["first_cycle"],
    "capture": ["capture_id", "sha256"], "capture_cpu": ["cpu"], "capture_event": ["event"], "function": ["function_id", "name"],
    "window": ["window_id"], "capture_function": ["function_id"], "stall": ["window_id"], "run_function": ["function_id"],
    "series": ["series_id", "name"], "fleet_population": ["population_id", "host"], "fleet_cause": ["function"], "fleet_day": ["function"],
    "fleet_new": ["function"], "section": ["opened_id"], "fleet_function": ["function_id"], "node": ["node_id", "function_id"], "outlier_node": ["node_id"],
    "ordinary_node": ["node_id"], "ordinary_part": ["function_id"],
}


def columns_of(database, table):
    return {column[1]: column[2] for column in database.execute(f"PRAGMA table_info ({table})")}


def fill(database, table):
    """A megabyte more of rows like the last one."""
    columns = columns_of(database, table)
    last = database.execute(f"SELECT * FROM {table} ORDER BY {'kind' if table == 'window' else '1 DESC, 2 DESC'} LIMIT 1").fetchone()
    last = last or ["{}" if name == "verdict" else "x" if kind == "TEXT" else 1 for name, kind in columns.items()]
    before = database.execute("PRAGMA page_count").fetchone()
    numbers = iter(range(1_000_000, 2_000_000))
    while (database.execute("PRAGMA page_count").fetchone()[0] - before[0]) * 4096 < MEGABYTE:
        for i in itertools.islice(numbers, 1000):
            row = dict(zip(columns, last))
            for key in KEYS[table]:
                row[key] = i if columns[key] == "INTEGER" else f"{i:064x}" if key == "sha256" else f"n{i}"
            database.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", list(row.values()))


def fill_runs(database):
    for statement in hostile.MANY:
        database.execute(*statement)


def fill_latencies(database, series, runs, latencies, count):
    """Runs of some series, the first of which is the one that all others are compared with."""
    database.execute("UPDATE run SET tracing = NULL")
    database.execute("CREATE TEMPORARY VIEW n AS WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999) SELECT i FROM n")
    database.execute("INSERT INTO series (series_id, name) SELECT 1000 + i, 'x' || i FROM n WHERE i < ?", (series,))
    database.execute("INSERT INTO run (run_id, name, source, tracing, series_id) SELECT 1000 + i, 'x' || i, 'profile', 'off', 1000 + i / ? FROM n WHERE i < ?",
                     (runs, series * runs))
    database.execute("INSERT INTO run_latency SELECT run_id, 0, 10000 + i * 100 + run_id * (? > 1), ? FROM run, n WHERE run_id >= 1000 AND i < ?",
                     (latencies, count, latencies))


def fill_configuration(database):
    """What was requested of the recorder, for many runs of latencies that do not vary."""
    fill_latencies(database, 1, 2500, 1, 3)
    database.execute("UPDATE series SET configuration = ? WHERE name = 'x0'", (json.dumps({"k": [1] * 150_000}),))


def fill_path(database):
    """One path of calls, each below the one before."""
    columns = columns_of(database, "node")
    node = dict(zip(columns, database.execute("SELECT * FROM node WHERE depth = 1 LIMIT 1").fetchone()))
    window, = database.execute("SELECT window_id FROM outlier_node LIMIT 1").fetchone()
    for i in range(1_000_000, 1_010_000):
        node.update(parent_id=node["node_id"], node_id=i, depth=node["depth"] + 1)
        insert_row(database, "node", node.values())
        database.execute("INSERT INTO outlier_node VALUES (?, ?, 1, 1, 0, 1, 1, 0, NULL)", (window, i))


def insert_row(database, table, row):
    database.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", list(row))


LONGEST = "\U0001f600" * 512  # name that a study may have


def fill_repeated(database):
    """Runs that repeat the long names of their host and series, and what was requested."""
    database.execute("INSERT INTO host (host_id, name, kernel, machine) VALUES (900, ?, ?, 'x')", (LONGEST, LONGEST))
    database.execute("INSERT INTO series (series_id, name, configuration) VALUES (900, ?, ?)",
                     (LONGEST, json.dumps({"target": "t" * 8000, "vm": "v" * 8000})))
    for i in range(7500):
        database.execute("INSERT INTO run (run_id, name, source, tracing, series_id, host_id, cycles) VALUES (?, ?, 'record', 'off', 900, 900, 5)",
                         (1000 + i, f"x{i}"))
        database.execute("INSERT INTO run_latency VALUES (?, 0, ?, 5)", (1000 + i, 5000 + i))


def fill_sections(database):
    """Sections of one function of long names, in contexts that there are not."""
    capture, = database.execute("SELECT capture_id FROM capture LIMIT 1").fetchone()
    database.execute("INSERT INTO function VALUES (9001, ?, ?, 0)", (LONGEST, LONGEST))
    database.executemany("INSERT INTO section VALUES (?, 'interrupts', ?, 9001, 9001, 1, 1000000, 0, 1000000, 0, 0, 1, 0, 0, 0, 0, 0, 0)",
                         [(capture, f"c{i}") for i in range(18_000)])


def fill_carried(database):
    """Late wake-ups that the deepest call of a path of long names carries."""
    def first(query):
        cursor = database.execute(query)
        return dict(zip([column[0] for column in cursor.description], cursor.fetchone()))

    insert = partial(insert_row, database)
    window = first("SELECT * FROM window WHERE kind = 'outlier' LIMIT 1")
    capture = first(f"SELECT * FROM capture WHERE capture_id = {window['capture_id']}")
    node = 1_000_000
    insert("function", (node, LONGEST, "", 0))
    insert("node", (node, None, None, "task", "s", 0, 0))
    for depth in range(1, 63):
        insert("node", (node + depth, node + depth - 1, node, "task", "", depth, 1))
    for i in range(2400):
        capture.update(capture_id=2_000_000 + i, file=f"f{i}", sha256=f"{i:064x}", ordinary_windows=0, graph_functions=None, delays=None, marker=None)
        insert("capture", capture.values())
        window.update(window_id=3_000_000 + i, capture_id=2_000_000 + i, tracing_ns=0, not_captured_ns=0)
        insert("window", window.values())
        insert("outlier_node", (3_000_000 + i, node + 62, 100, window["latency_ns"], 0, window["latency_ns"], 100, 0, None))


def fill_below(database, source, function, deep, context="task"):
    """Calls below @deep calls of one long name, which each of them has in its path."""
    insert = partial(insert_row, database)
    window, = database.execute("SELECT window_id FROM outlier_node LIMIT 1").fetchone()
    first = 1_000_000
    insert("function", (first, function, "", 0))
    insert("node", (first, None, None, context, source, 0, 0))
    for depth in range(1, deep + 1):
        insert("node", (first + depth, first + depth - 1, first, context, "", depth, 1))
    for i in range(9000):
        node = first + deep + 1 + i
        insert("function", (first + 1 + i, f"f{i}", "", 0))
        insert("node", (node, first + deep, first + 1 + i, context, "", deep + 1, 0))
        insert("outlier_node", (window, node, 1, 1, 0, 1, 1, 0, None))


def lengthen(database, table, column):
    """One text of a megabyte; JSON stays JSON."""
    rowid, text = database.execute(f"SELECT rowid, {column} FROM {table} WHERE {column} IS NOT NULL LIMIT 1").fetchone() or (None, "")
    long = json.dumps({"k": [1] * (MEGABYTE // 3)}) if text.startswith("{") else "x" * MEGABYTE
    database.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ifnull (?, (SELECT MIN (rowid) FROM {table}))", (long, rowid))


def study_changes():
    """What is changed in the sample -> how."""
    with closing(sqlite3.connect(SAMPLE)) as database:
        for table in KEYS:
            yield f"rows of {table}", lambda database, table=table: fill(database, table)
        yield "rows of all that a run has", fill_runs
        yield "rows of runs that had many wake-ups", lambda database: fill_latencies(database, 700, 1, 60, 10 ** 9)
        yield "rows of many short runs", lambda database: fill_latencies(database, 2500, 1, 4, 10 ** 9)
        yield "rows of series of many runs", lambda database: fill_latencies(database, 10, 300, 10, 3)
        yield "rows of runs that are requested at length", fill_configuration
        yield "calls below calls", fill_path
        yield "calls below a long source", lambda database: fill_below(database, LONGEST, "f", 0)
        yield "calls below long names", lambda database: fill_below(database, "s", LONGEST, 63)
        yield "blocked calls below long names", lambda database: fill_below(database, "s", LONGEST, 63, "blocked")
        yield "wake-ups that a path of long names carries", fill_carried
        yield "rows of runs of long names", fill_repeated
        yield "rows of sections of long names", fill_sections
        for table in ("host", "run", "series", "capture", "window", "function", "node", "stall"):
            for column, kind in columns_of(database, table).items():
                if kind == "TEXT":
                    yield f"a text: {table}.{column}", lambda database, table=table, column=column: lengthen(database, table, column)


def write_study(path, name):
    shutil.copy(SAMPLE, path)
    os.chmod(path, 0o644)
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
        database.execute("PRAGMA ignore_check_constraints = ON")
        database.execute("BEGIN")
        dict(study_changes())[name](database)
        database.execute("COMMIT")


def all_kinds():
    """(what there is a megabyte of, in what, file name, how it is written to a path)"""
    for name in CAPTURES:
        for version, compression in ((6, "none"), (7, "none"), (7, "zstd")):
            if version == 7 or name != "buffers":  # in version 6, each has a table of all CPUs
                yield (name, f"capture {version}{' compressed' if compression == 'zstd' else ''}", "capture.dat",
                       write_capture, (name, version, compression))
    for name in LATENCIES:
        yield name, "latency result", "result.json" if "JSON" in name else "result.txt", write_latencies, (name,)
    for name, _ in study_changes():
        yield name, "study", "theirs.culprit", write_study, (name,)


def write_all(folder, wanted=(), kinds=()):
    """(what there is a megabyte of, in what, path) for names with one of @wanted; each is there until the next one. Another process makes it: the
    memory of this one would be taken for that of the programs it starts."""
    for name, where, file, write, what in all_kinds():
        if (wanted and not any(word in name for word in wanted)) or (kinds and where not in kinds):
            continue
        path = os.path.join(folder, file)
        maker = multiprocessing.get_context("fork").Process(target=write, args=(path, *what))
        maker.start()
        maker.join()
        if maker.exitcode != 0:
            raise RuntimeError(f"{name} was not made")
        yield name, where, path
        os.unlink(path)


def commands(where, path, folder):
    """What a user would do with it."""
    mine = os.path.join(folder, "mine.culprit")
    for name in (mine, mine + "-wal", mine + "-shm"):
        if os.path.exists(name):
            os.unlink(name)
    if where == "study":
        for command in ("runs", "outliers", "functions", "sections", "flame", "stalls", "verdict", "check", "latency", "tail", "prove", "trial"):
            yield command, "--study", path
        yield "latency", "--study", path, "--json"
        yield "explain", "--study", path, "--no-record"
        yield "compare", "--study", path, "--same-shape", "x0", "x1"
        yield "show", "--study", path, "1"
        yield "report", "--study", path, "--out", os.path.join(folder, "report.html")
        yield "merge", "--study", mine, path
        return
    yield "import", "--study", mine, path
    if os.path.exists(mine):
        for command in ("runs", "latency", "tail", "functions", "verdict"):
            yield command, "--study", mine

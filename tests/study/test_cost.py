# SPDX-License-Identifier: GPL-3.0-or-later
# A megabyte of anything that a file from outside can fill costs no more than seconds and some hundred megabytes of memory,
# whatever a user does with it. tests/bench/cost measures what it does cost.

import itertools
import json
import os
import shutil
import sqlite3
import sys
import tempfile
import unittest
from contextlib import closing

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import culprit  # noqa: E402
import megabyte  # noqa: E402
import turns  # noqa: E402
from events import entry, leave, marker  # noqa: E402

SECONDS = 20  # of processor time; the dearest takes five, and twice that where others use the processor's memory
MEMORY = 500 << 20
megabyte.PACKED = 3  # of ten megabytes, which take the generator half a minute


class Cost(unittest.TestCase):
    def assert_cheap(self, wanted, *kinds, each=1):
        """With one of @each of the commands, by turns, which begin anywhere: each kind meets each command now and then."""
        tried = 0
        begin = turns.DICE.randrange(each)
        with tempfile.TemporaryDirectory() as folder:
            for name, where, path in megabyte.write_all(folder, wanted, kinds):
                first, step = (0, 1) if turns.ALL else ((begin + tried) % each, each)
                for arguments in itertools.islice(megabyte.commands(where, path, folder), first, None, step):
                    with self.subTest(name=name, where=where, command=arguments[0]):
                        result = culprit.run(*arguments, before=("prlimit", f"--cpu={SECONDS}", f"--data={MEMORY}"))
                        self.assertIn(result.status, (0, 1, 2), result.stderr)
                        self.assertNotIn("memory", result.stderr)
                        if result.status == 2:
                            self.assertEqual(len(result.error_lines()), 1, result.stderr)
                tried += 1
        self.assertGreater(tried, 5)

    def test_captures(self):
        self.assert_cheap(turns.one_in(2, megabyte.CAPTURES), "capture 7 compressed")

    def test_the_name_of_a_task_is_not_repeated_at_length(self):
        """200,000 bytes that are the source of each node, and that each of 2,000 wake-ups has."""
        calls, windows = [], []
        for i in range(2001):
            start, func = 10 ** 9 + 10 ** 6 * i, megabyte.FUNC + 16 * i
            end = start + (800_000 if i == 2000 else 1000)
            calls += [entry(start + 10, 50, func, 0), leave(end - 100, 50, func, 0)]
            windows.append((start, end))
        log = {"type": "capture", "culprit_cycles": 1, "period_ns": 10 ** 6, "threshold_ns": 700_000, "needed_kb": 0, "smi": 0, "steal_ns": None,
               "hit": {"cpu": 0, "pid": 50, "cycle": 2007, "expected_ns": start, "observed_ns": end}, "cycles": windows, "delays": {}, "max_depth": 0,
               "graph_functions": [f"f{i}" for i in range(10_000)]}
        with tempfile.TemporaryDirectory() as folder:
            capture, study = (os.path.join(folder, name) for name in ("x.dat", "s.culprit"))
            made = megabyte.Listed({"": {0: [*calls, marker(end, 50, 900, 100)]}}, version=7, compression="zstd",
                                   symbols=[(megabyte.FUNC, "f", ""), (megabyte.FUNC + 16 * 2002, "end", "")])
            made.symbol_text = b"".join(b"%x t f%d\n" % (megabyte.FUNC + 16 * i, i) for i in range(2002))
            made.names = b"50 " + "\u00e9".encode() * 100_000 + b"\n"
            made.write(capture)
            with open(os.path.join(folder, "x.json"), "w", encoding="ascii") as file:
                json.dump(log, file)
            result = culprit.run("import", "--study", study, capture, before=("prlimit", f"--cpu={SECONDS}", f"--data={MEMORY}"))
            self.assertEqual(result.status, 0, result.stderr)
            self.assertIn("not traced: calls outside of f0,f1,", result.stderr)
            self.assertLess(len(result.stderr), 1000)
            self.assertLess(os.path.getsize(study), 4 << 20)
            with closing(sqlite3.connect(study)) as database:
                self.assertEqual(database.execute("SELECT DISTINCT comm FROM window").fetchall(), [("\u00e9" * 32,)])
                self.assertEqual(database.execute("SELECT source FROM node WHERE depth = 0").fetchall(), [("\u00e9" * 32,)])

    def test_results_of_other_tools(self):
        self.assert_cheap(turns.one_in(2, megabyte.LATENCIES), "latency result")

    def test_results_of_one_name(self):
        """Each of which is compared with all before it, in their last line."""
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, str(i), "results.txt") for i in range(2000)]
            for i, path in enumerate(paths):
                os.mkdir(os.path.dirname(path))
                with open(path, "w", encoding="ascii") as file:
                    file.write("# Histogram\n" + "".join(f"{us:06} 000001\n" for us in (*range(29), 100000 + i)) + "# Histogram Overflows: 00000\n")
            result = culprit.run("import", "--study", os.path.join(folder, "s.culprit"), *paths, before=("prlimit", f"--cpu={SECONDS}"))
            self.assertEqual((result.status, "2000 latency profiles stored" in result.stdout), (0, True), result.stderr[-300:])

    def test_a_run_on_very_many_cpus(self):
        """Each of which is described by itself."""
        with tempfile.TemporaryDirectory() as folder:
            study = os.path.join(folder, "s.culprit")
            shutil.copy(megabyte.SAMPLE, study)
            with closing(sqlite3.connect(study)) as database, database:
                run, = database.execute("SELECT MIN (run_id) FROM run_latency").fetchone()
                database.execute("DELETE FROM run_latency WHERE run_id = ?", (run,))
                database.executemany("INSERT INTO run_latency VALUES (?, ?, ?, 1)", ((run, i // 2, 7000 + i % 2 * 1000) for i in range(20000)))
                name, = database.execute("SELECT name FROM run WHERE run_id = ?", (run,)).fetchone()
            for options in ((), ("--json", "--density")):
                result = culprit.run("latency", "--study", study, "--per-cpu", *options, name, before=("prlimit", f"--cpu={SECONDS}", f"--data={MEMORY}"))
                self.assertEqual((result.status, result.stdout.count("CPU")), (0, 10000), result.stderr[-300:])

    def test_runs_that_differ_in_one_thing(self):
        """Which is not their latencies."""
        with tempfile.TemporaryDirectory() as folder:
            studies = [os.path.join(folder, f"{name}.culprit") for name in ("all", "one", "two")]
            for first, path in zip((0, 10 ** 6), studies[1:]):
                shutil.copy(megabyte.SAMPLE, path)
                with closing(sqlite3.connect(path)) as database, database:
                    database.execute("PRAGMA foreign_keys = ON")
                    for table in ("capture", "run", "series"):
                        database.execute(f"DELETE FROM {table}")
                    database.execute("INSERT INTO series (series_id, name) VALUES (1, 's')")
                    database.executemany("INSERT INTO run (name, source, cycles, series_id, turn) VALUES (?1, 'record', 1, 1, ?2)",
                                         ((f"s/{turn:x}", turn) for turn in range(first, first + 6500)))
                result = culprit.run("merge", "--study", studies[0], path, before=("prlimit", f"--cpu={SECONDS}"))
                self.assertEqual((result.status, "6500 runs added" in result.stdout), (0, True), result.stderr[-300:])

    def test_rows_of_studies(self):
        self.assert_cheap(["rows of", "calls below", "wake-ups that"], each=8)

    def test_texts_of_studies(self):
        self.assert_cheap(["a text"], each=12)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# Studies from outside: a different schema is rejected before anything in it is used; in our own schema, values that are
# not set are shown as missing. No command crashes, hangs or takes memory out of proportion. CULPRIT_SEEDS (50) says
# how many in a hundred cases of those that are made one by one are tried.

import csv
import io
import itertools
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from contextlib import closing, suppress

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import culprit  # noqa: E402
import endless  # noqa: E402
import hostile  # noqa: E402
import loosely  # noqa: E402
import turns  # noqa: E402
from older import make_older  # noqa: E402

SAMPLE = os.path.join(culprit.ROOT, "data", "sample", "sample.culprit")
ENDLESS = "WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c)"
CAPTURE = os.path.join(culprit.ROOT, "tests", "data", "count-1.dat")
SEED = 7
SEEDS = int(os.environ.get("CULPRIT_SEEDS", "50"))
EACH = max(1, 100 // SEEDS)  # of what is tried one by one
SLOW = 6  # of what takes most of a second, one in so many, by turns
ODD = (None, -1, 2 ** 63 - 1, -2 ** 63, 1.5e308, float("inf"), "x", "", b"\x00\xff", "=1+1", "\x1b[31m\u202e\n", "[1, {}]")


class Stranger(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")
        self.begin_anew()
        self.html = os.path.join(self.folder, "s.html")

    def begin_anew(self):
        for beside in ("-wal", "-shm", "-journal"):
            with suppress(FileNotFoundError):
                os.unlink(self.study + beside)
        shutil.copy(SAMPLE, self.study)
        os.chmod(self.study, 0o644)

    def content(self):
        with open(self.study, "rb") as file:
            return file.read()

    def reading(self):
        study = ("--study", self.study)
        return [("runs", *study), ("runs", *study, "--csv"), ("outliers", *study), ("outliers", *study, "--json"),
                ("functions", *study), ("functions", *study, "--json"), ("flame", *study), ("flame", *study, "--json"), ("stalls", *study), ("stalls", *study, "--json"),
                ("verdict", *study), ("verdict", *study, "--json"), ("show", *study, "1"), ("show", *study, "8", "--json"),
                ("latency", *study), ("latency", *study, "--json"), ("tail", *study), ("tail", *study, "--json"), ("compare", *study, "slides/off-1", "slides/on-1"),
                ("prove", *study), ("trial", *study), ("explain", "--no-record", *study), ("check", *study), ("report", *study, "--out", self.html)]

    def run_(self, arguments):
        try:
            return culprit.run(*arguments, before=("prlimit", "--cpu=20", f"--as={2 << 30}"), timeout=60)
        except subprocess.TimeoutExpired:
            self.fail(f"culprit {arguments[0]} does not end")

    def assert_refused(self, *words):
        before = self.content()
        writing = [("import", "--study", self.study, os.path.join(culprit.ROOT, "tests", "data", "count-1.dat")),
                   ("merge", "--study", os.path.join(self.folder, "mine.culprit"), self.study)]
        for arguments in self.reading() + writing:
            with self.subTest(arguments[0]):
                result = self.run_(arguments)
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                for word in (self.study, *words):
                    self.assertIn(word, result.stderr)
        self.assertEqual(self.content(), before)

    def assert_survives(self, commands=None):
        """Every command says what it can, or in a line why it cannot."""
        for arguments in commands or self.reading():
            with self.subTest(arguments[0]):
                result = self.run_(arguments)
                self.assertIn(result.status, (0, 1, 2), result.stderr)
                self.assertLessEqual(len(result.error_lines()), 1, result.stderr)
                self.assertNotIn("\x1b", result.stdout + result.stderr)
                if "--json" in arguments and result.status == 0:
                    json.loads(result.stdout)


class Schema(Stranger):
    def execute(self, *statements):
        with closing(sqlite3.connect(self.study, isolation_level=None)) as database:
            database.execute("PRAGMA journal_mode = DELETE")
            database.execute("PRAGMA legacy_alter_table = ON")
            for statement in statements:
                database.execute(statement)

    def columns(self, table):
        with closing(sqlite3.connect(self.study)) as database:
            return [row[1] for row in database.execute(f"PRAGMA table_info ({table})")]

    def test_a_view_that_does_not_end_in_the_place_of_a_table(self):
        columns = ", ".join(f"{'i' if name == 'run_id' else f'run0.{name}'} AS {name}" for name in self.columns("run"))
        self.execute("ALTER TABLE run RENAME TO run0", f"CREATE VIEW run AS {ENDLESS} SELECT {columns} FROM c, run0")
        self.assert_refused("schema")

    def test_views_called_as_what_sqlite_itself_answers(self):
        days = "1 + instr (zeroblob (60000000), CAST (zeroblob (30000000) AS BLOB) || x'01')"  # of one step, which nothing ends
        for name in ("page_count", "table_info"):
            with self.subTest(name):
                self.begin_anew()
                self.execute(f"CREATE VIEW pragma_{name} AS SELECT {days} AS {name}, {days} AS dflt_value")
                self.assert_refused("schema")

    def test_such_a_view_in_a_database_of_another_program(self):
        os.unlink(self.study)
        self.execute("CREATE TABLE t (x)", "CREATE VIEW pragma_page_count AS SELECT instr (zeroblob (60000000), "
                     "CAST (zeroblob (30000000) AS BLOB) || x'01') AS page_count")
        self.assert_refused("the database of another program")

    def test_a_schema_whose_parts_are_each_compared_with_all_others(self):
        pairs = [f"UNIQUE (c{i}, c{j})" for i in range(60) for j in range(i)]
        for table in (f"CREATE TABLE mine ({', '.join(f'c{i}' for i in range(60))}, {', '.join(pairs)})",
                      f"CREATE TABLE mine ({', '.join(f'c{i}' for i in range(300))})"):
            with self.subTest(table[:80]):
                self.begin_anew()
                self.execute("CREATE TABLE mine (x)", "PRAGMA writable_schema = ON",
                             f"UPDATE sqlite_schema SET sql = '{table}' WHERE name = 'mine'")
                self.assert_refused("malformed database schema (mine)")

    def test_a_view_of_large_values(self):
        columns = ", ".join(f"{'zeroblob (900000000)' if name == 'load' else f'run0.{name}'} AS {name}"
                            for name in self.columns("run"))
        self.execute("ALTER TABLE run RENAME TO run0", f"CREATE VIEW run AS SELECT {columns} FROM run0")
        self.assert_refused("schema")

    def test_one_of_our_views_with_other_words(self):
        self.execute("DROP VIEW outlier", f"CREATE VIEW outlier AS {ENDLESS} SELECT i AS capture_id FROM c")
        self.assert_refused("view outlier")

    def test_a_trigger(self):
        self.execute("CREATE TRIGGER evil AFTER UPDATE ON capture BEGIN DELETE FROM run; END")
        self.assert_refused("trigger evil")

    def test_one_of_our_triggers_with_other_words(self):
        self.execute("DROP TRIGGER capture_removed",
                     "CREATE TRIGGER capture_removed BEFORE DELETE ON capture BEGIN DELETE FROM run; END")
        self.assert_refused("trigger capture_removed")

    def test_a_trigger_that_hides(self):
        self.execute("CREATE TRIGGER evil AFTER INSERT ON host BEGIN DELETE FROM run; END", "PRAGMA writable_schema = ON",
                     "UPDATE sqlite_schema SET name = 'sqlite_autoindex_evil' WHERE name = 'evil'")
        self.assert_refused("sqlite_autoindex_evil")

    def test_another_table_column_or_index(self):
        for statement in ("CREATE TABLE mine (x)", "ALTER TABLE stall ADD COLUMN mine TEXT",
                          "ALTER TABLE stall DROP COLUMN after_event",
                          "ALTER TABLE stall ADD COLUMN mine BLOB AS (zeroblob (length_ns))",
                          "CREATE INDEX mine ON run (abs (period_ns))", "CREATE VIRTUAL TABLE mine USING fts5 (x)",
                          "DROP INDEX capture_by_run", "DROP TABLE run_sample"):
            with self.subTest(statement):
                shutil.copy(SAMPLE, self.study)
                os.chmod(self.study, 0o644)
                self.execute(statement)
                self.assert_refused("schema")

    def test_tables_that_ask_for_less(self):
        tables = loosely.schema(self.study)
        for asked in loosely.ASKS:
            with self.subTest(asked):
                loosely.change_schema(self.study, {name: sql.replace(asked, "") for name, sql in tables.items()})
                self.assert_refused("table")
                loosely.change_schema(self.study, tables)

    def test_statistics_that_make_queries_slow(self):
        self.execute("ANALYZE", "UPDATE sqlite_stat1 SET stat = '100000000 100000000 unordered noskipscan'")
        self.assert_refused("drop its table sqlite_stat1")
        self.execute("DROP TABLE IF EXISTS sqlite_stat4", "DROP TABLE sqlite_stat1")
        self.assertEqual(self.run_(("runs", "--study", self.study)).status, 0)

    def ask_for_ever(self):
        """A column asks for what no processor can tell soon."""
        sql = loosely.schema(self.study)["run"]
        end = sql.rindex(")")
        asked = ", CHECK (instr (hex (zeroblob (30000000)), hex (zeroblob (15000000)) || '1') = 0)"
        loosely.change_schema(self.study, {"run": sql[:end] + asked + sql[end:]})

    def test_columns_that_ask_for_ever(self):
        self.ask_for_ever()
        self.assert_refused("table run")

    def test_an_old_study_whose_columns_or_indices_ask_for_ever(self):
        index = "CREATE INDEX evil ON run (run_id) WHERE instr (hex (zeroblob (30000000)), name || '1') = 0"
        for version in (1, 2, 3, 4):
            for name, change in (("run", self.ask_for_ever), ("evil", lambda: self.execute(index))):
                with self.subTest(version=version, name=name):
                    shutil.copy(SAMPLE, self.study)
                    os.chmod(self.study, 0o644)
                    make_older(self.study, version)
                    change()
                    before = self.content()
                    result = self.run_(("runs", "--study", self.study))
                    self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                    self.assertIn(name, result.stderr)
                    self.assertEqual(self.content(), before)

    def test_an_old_study_with_any_number_of_views(self):
        for version in (1, 5):
            with self.subTest(version=version):
                shutil.copy(SAMPLE, self.study)
                os.chmod(self.study, 0o644)
                make_older(self.study, version)
                self.execute(*(f"CREATE VIEW evil_{i} AS SELECT 1" for i in range(200)))
                self.assert_refused(f"its schema is not that of version {version}")

    def test_a_text_that_any_number_of_short_rows_would_have(self):
        for version in (1, 4, None):
            with self.subTest(version=version):
                shutil.copy(SAMPLE, self.study)
                os.chmod(self.study, 0o644)
                if version:
                    make_older(self.study, version)
                table = loosely.schema(self.study)["capture"].replace("DEFAULT ''", f"DEFAULT '{'x' * 17}'")
                loosely.change_schema(self.study, {"capture": table})
                self.assert_refused("table capture")

    def test_an_old_study_with_a_trigger_is_left_as_it_was(self):
        self.execute("PRAGMA user_version = 4",
                     f"CREATE TRIGGER evil AFTER UPDATE ON capture BEGIN SELECT count (*) FROM ({ENDLESS} SELECT i FROM c); END")
        before = self.content()
        result = self.run_(("runs", "--study", self.study))
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        with closing(sqlite3.connect(self.study)) as database:
            self.assertEqual(database.execute("PRAGMA user_version").fetchone(), (4,))
        self.assertEqual(self.content(), before)

    def test_an_old_study_whose_upgrade_would_not_end(self):
        """A view in the place of a table, one that calls itself a table, texts that are equal though they differ."""
        view = (f"CREATE VIEW outlier_cost AS {ENDLESS} SELECT 1 AS window_id, 1 AS function_id, 'c' AS context, 1 AS calls, "
                "1 AS self_ns, 1 AS tracing_ns, 1 AS total_ns, 1 AS longest_stretch_ns, 1 AS truncated FROM c")
        place = ("DROP TABLE outlier_cost", view)
        hide = (*place, "PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET type = 'table' WHERE name = 'outlier_cost'")
        alike = ("PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET sql = replace (sql, 'context TEXT', 'context TEXT COLLATE NOCASE') "
                 "WHERE name = 'ordinary_cost'")
        for name, changes in (("place", place), ("hide", hide), ("alike", alike)):
            with self.subTest(name):
                shutil.copy(SAMPLE, self.study)
                os.chmod(self.study, 0o644)
                make_older(self.study, 4)
                self.execute(*changes)
                before = self.content()
                result = self.run_(("runs", "--study", self.study))
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                self.assertEqual(self.content(), before)

    def test_an_old_study_with_a_long_name_is_left_as_it_was(self):
        make_older(self.study, 5)
        loosely.write(self.study, ("UPDATE run SET name = ? WHERE run_id = 1", ("n" * 8193,)))
        self.assert_refused("damaged (a name is longer than")

    def test_an_old_study_that_is_not_what_its_version_was(self):
        for version in (1, 2, 3, 4, 5):
            for change in (f"ALTER TABLE {'run ADD COLUMN told' if version < 4 else 'series ADD COLUMN window_kind'} TEXT",
                           "DROP TABLE stall", "DROP TABLE window"):
                with self.subTest(version=version, change=change):
                    shutil.copy(SAMPLE, self.study)
                    os.chmod(self.study, 0o644)
                    make_older(self.study, version)
                    self.execute(change)
                    result = self.run_(("runs", "--study", self.study))
                    self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                    self.assertRegex(result.stderr, r"s\.culprit: .*(import its captures|expected a file made by culprit)")
                    self.assertNotIn("column", result.stderr)

    def test_a_merge_says_that_the_other_study_is_damaged(self):
        mine = os.path.join(self.folder, "mine.culprit")
        for gone in ("host", "run", "function", "window"):
            with self.subTest(gone):
                shutil.copy(SAMPLE, self.study)
                os.chmod(self.study, 0o644)
                loosely.write(self.study, (f"DELETE FROM {gone}", ()))
                result = self.run_(("merge", "--study", mine, self.study))
                self.assertNotIn("constraint", result.stderr)
                if result.status != 0:
                    self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                    self.assertIn("s.culprit: damaged", result.stderr)


class Endless(Stranger):
    """Tables with more rows than can ever be read."""

    def test_tables_whose_pages_are_named_many_times(self):
        names = [*endless.roots(self.study), "sqlite_schema"]
        for name, write in turns.one_in(SLOW, itertools.product(names, (endless.write, endless.write_log))):
            with self.subTest(name, write=write.__name__):
                self.begin_anew()
                write(self.study, name)
                result = self.run_(("check", "--study", self.study))
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                self.assertIn("damaged", result.stderr)

    def test_pages_far_below_others(self):
        endless.write_deep(self.study, "stall", 200_000)
        result = self.run_(("check", "--study", self.study))
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        self.assertIn("damaged", result.stderr)

    def test_a_log_that_claims_pages(self):
        for pages in (1000, 10 ** 6, 2 ** 32 - 2):
            with self.subTest(pages):
                self.begin_anew()
                endless.write_claim(self.study, pages)
                self.assert_refused("more pages than there are")

    def test_every_command_ends(self):
        """Some do not read what has no end."""
        endless.write_log(self.study, "function")
        self.assert_survives(turns.one_in(SLOW, self.reading()))

    def test_a_study_that_is_mostly_a_hole(self):
        endless.write_log(self.study, "function")
        os.truncate(self.study, 100 << 30)
        result = self.run_(("runs", "--study", self.study))
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        self.assertIn("damaged", result.stderr)

    def test_what_writes_ends(self):
        mine = os.path.join(self.folder, "mine.culprit")
        for name in ("run_latency", "capture_by_run"):
            self.begin_anew()
            endless.write(self.study, name)
            for arguments in (("merge", "--study", mine, self.study), ("merge", "--study", self.study, SAMPLE),
                              ("merge", "--study", self.study, self.study), ("import", "--study", self.study, CAPTURE)):
                result = self.run_(arguments)
                self.assertIn(result.status, (0, 2), result.stderr)
                self.assertLessEqual(len(result.error_lines()), 1, result.stderr)

    def test_texts_that_all_rows_share(self):
        """More than a thousand rows that name the same 5 MB."""
        endless.write_shared(self.study, "series", "configuration", 5_000_000)
        for arguments in (("runs", "--study", self.study), ("merge", "--study", os.path.join(self.folder, "mine.culprit"), self.study)):
            result = self.run_(arguments)
            self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
            self.assertIn("damaged", result.stderr)

    def test_an_old_study_without_end_is_left_as_it_was(self):
        for name in ("run", "function", "window_by_capture", "sqlite_autoindex_run_1"):
            with self.subTest(name):
                self.begin_anew()
                make_older(self.study, 5)
                endless.write(self.study, name)
                self.assert_refused()


class NoFile(Stranger):
    def test_a_pipe_is_no_study(self):
        os.unlink(self.study)
        os.mkfifo(self.study)
        for arguments in (("runs", "--study", self.study), ("import", "--study", self.study, SAMPLE)):
            result = culprit.run(*arguments, timeout=20)
            self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
            self.assertIn("regular file", result.stderr)


class Values(Stranger):
    def test_a_function_without_a_name(self):
        loosely.write(self.study, ("UPDATE function SET name = NULL, module = NULL", ()))
        self.assert_survives()
        result = self.run_(("verdict", "--study", self.study, "--json"))
        self.assertEqual(result.status, 0, result.stderr)

    def test_a_capture_without_a_file_is_merged_quietly(self):
        loosely.write(self.study, ("UPDATE capture SET file = NULL", ()))
        result = self.run_(("merge", "--study", os.path.join(self.folder, "mine.culprit"), self.study))
        self.assertIn(result.status, (0, 2))
        self.assertNotIn("CRITICAL", result.stderr)

    def test_names_that_spreadsheets_would_run(self):
        """Also where a comma separates nothing, so that quotes are part of a cell."""
        shown = {'=HYPERLINK("http://x/?"&A1)': '\'=HYPERLINK("http://x/?"&A1)', "+1+cmd": "'+1+cmd", "-2+3": "'-2+3", "@SUM(A1)": "'@SUM(A1)",
                 "\t=1": "'\t'=1", "\uff1d1+1": "'\uff1d1+1", "f;=1+1": "f;'=1+1", 'f;"=1+1;': 'f;"\'=1+1;', "f;;\uff0b1": "f;;'\uff0b1",
                 "f\t-1": "f\t'-1", "f;g-1;h=2": "f;g-1;h=2", "f\n@1": "f\n'@1"}
        names = list(shown)
        for first in range(0, len(names), 6):
            chosen = names[first:first + 6]
            loosely.write(self.study, *(("UPDATE run SET name = ?, load = ? WHERE run_id = ?", (*chosen[2 * i:2 * i + 2], i + 1)) for i in range(3)))
            text = self.run_(("runs", "--study", self.study, "--csv")).stdout
            cells = {separator: {cell for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) for cell in row} for separator in ",;\t"}
            self.assertEqual({shown[name].replace("\t", "?") for name in chosen} - cells[","], set())
            self.assertEqual([cell for cell in set().union(*cells.values()) if cell.startswith(tuple("=+-@\t\r\uff1d\uff0b"))], [])

    def assert_many_functions_are_read(self, functions):
        with closing(sqlite3.connect(self.study, isolation_level=None)) as database:
            window, = database.execute("SELECT window_id FROM window WHERE kind = 'outlier' LIMIT 1").fetchone()
            database.execute("BEGIN")
            source = database.execute("INSERT INTO node (context, source, depth, recursive) VALUES ('task', 'task', 0, 0)").lastrowid
            database.execute("INSERT INTO outlier_node VALUES (?, ?, 0, 0, 0, 0, 0, 0, NULL)", (window, source))
            for number, name in functions:
                database.execute("INSERT INTO function VALUES (?, ?, '', 0)", (number, name))
                node = database.execute("INSERT INTO node (parent_id, function_id, context, source, depth, recursive) "
                                        "VALUES (?, ?, 'task', 'task', 1, 0)", (source, number)).lastrowid
                database.execute("INSERT INTO outlier_node VALUES (?, ?, 1, 0, 0, 0, 0, 0, NULL)", (window, node))
            database.execute("COMMIT")
        for command in ("outliers", "verdict", "functions"):
            result = self.run_((command, "--study", self.study))
            self.assertEqual(result.status, 0, result.stderr)

    def test_names_that_are_alike_to_a_simple_hash(self):
        self.assert_many_functions_are_read(enumerate(map("".join, itertools.product(("bB", "ac"), repeat=16)), 10 ** 6))

    def test_numbers_that_are_alike_to_a_simple_hash(self):
        self.assert_many_functions_are_read(((1 + number) << 32, f"f{number}") for number in range(2 ** 16))

    def test_what_tools_told_in_names_that_are_alike_to_a_simple_hash(self):
        alike = map("".join, itertools.product(("bB", "ac"), repeat=15))
        told = json.dumps(dict.fromkeys(itertools.islice(alike, 28000), 1), separators=(",", ":"))
        self.assertLess(len(told), 1 << 20)
        loosely.write(self.study, ("UPDATE run SET told = ?", (told,)))
        result = self.run_(("latency", "--study", self.study))
        self.assertEqual(result.status, 0, result.stderr)

    def test_numbers_too_large_to_add_up(self):
        loosely.write(self.study, ("UPDATE window SET latency_ns = ?1, end_ns = ?1, start_ns = -?1", (2 ** 63 - 1,)),
                      ("UPDATE outlier_node SET self_ns = ?1, calls = ?1", (2 ** 63 - 1,)))
        self.assert_survives()
        result = self.run_(("check", "--study", self.study))
        self.assertEqual(result.status, 1)
        self.assertIn("capture 1: its numbers are too large to add up", result.stdout)

    def test_calls_without_end_below_each_other(self):
        with closing(sqlite3.connect(self.study)) as database:
            window, latest = database.execute("SELECT window_id, (SELECT MAX (node_id) FROM node) FROM window "
                                              "WHERE kind = 'outlier'").fetchone()
            above, source = database.execute("SELECT node_id, source FROM node WHERE depth = 0 AND context = 'measured'").fetchone()
            function = database.execute("SELECT MAX (function_id) FROM function WHERE function_id NOT IN (SELECT function_id "
                                        "FROM node WHERE parent_id = ?)", (above,)).fetchone()[0]
        loosely.write(self.study, (
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) INSERT INTO node "
            "SELECT ?1 + i, CASE i WHEN 1 THEN ?2 ELSE ?1 + i - 1 END, ?4, 'measured', ?3, i, 0 FROM n", (latest, above, source, function)),
            ("INSERT INTO outlier_node SELECT ?1, node_id, 1, 9, 0, 9, 9, 0, NULL FROM node WHERE node_id > ?2", (window, latest)))
        self.assert_survives()
        result = self.run_(("check", "--study", self.study))
        self.assertEqual(result.status, 1)
        self.assertIn("does not fit below", result.stdout + result.stderr)

    def test_many_runs_with_latencies(self):
        loosely.write(self.study, ("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000) "
                                   "INSERT INTO series (name) SELECT 'x' || i FROM n", ()),
                      ("INSERT INTO run (name, source, cycles, series_id, resolution_ns, started_utc) SELECT name, 'record', 2, series_id, 1, '2026' "
                       "FROM series WHERE name LIKE 'x%'", ()),
                      ("INSERT INTO run_latency (run_id, cpu, latency_ns, count) SELECT run_id, 0, 1000, 2 FROM run WHERE name LIKE 'x%'", ()))
        result = self.run_(("latency", "--study", self.study))
        self.assertEqual(result.status, 0, result.stderr)

    def test_many_runs_that_differ_in_latencies_only(self):
        names = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) "
        loosely.write(self.study, ("INSERT INTO series (series_id, name) VALUES (777, 'x')", ()),
                      (f"{names}INSERT INTO run (name, source, cycles, series_id, tracing, turn) "
                       "SELECT 'x/off-' || i, 'record', 2, 777, 'off', i FROM n", ()),
                      ("INSERT INTO run_latency SELECT run_id, 0, 1000 + run_id, 2 FROM run WHERE name LIKE 'x/%'", ()))
        mine = os.path.join(self.folder, "mine.culprit")
        for known in (False, True):
            result = self.run_(("merge", "--study", mine, self.study))
            self.assertEqual(result.status, 0, result.stderr)
            self.assertEqual("and 0 runs added" in result.stdout, known, result.stdout)

    def test_a_long_configuration_of_many_runs_is_stored_once(self):
        names = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
        mine = os.path.join(self.folder, "mine.culprit")
        for study, source in ((mine, "record"), (self.study, "profile")):
            shutil.copy(SAMPLE, study)
            os.chmod(study, 0o644)
            loosely.write(study, ("INSERT INTO series (series_id, name, configuration) VALUES (777, 'x', json_quote (?))", ("y" * 100_000,)),
                          (f"{names}INSERT INTO run (name, source, series_id) SELECT ? || i, ?, 777 FROM n", (source, source)))
        result = self.run_(("merge", "--study", mine, self.study))
        self.assertEqual(result.status, 0, result.stderr)
        self.assertIn("2000 runs added", result.stdout)
        self.assertLess(os.path.getsize(mine), 10 << 20)

    def test_long_names_that_many_rows_refer_to(self):
        long = "\U0001f600" * 2049  # of four bytes each
        for table, column in (("run", "name"), ("series", "name"), ("host", "kernel"), ("function", "name"), ("function", "module"),
                              ("node", "source"), ("window", "comm")):
            with self.subTest(table=table, column=column):
                which = "WHERE kind = 'outlier'" if table == "window" else ""
                shutil.copy(SAMPLE, self.study)
                os.chmod(self.study, 0o644)
                loosely.write(self.study, (f"UPDATE {table} SET {column} = ? WHERE rowid = (SELECT MIN (rowid) FROM {table} {which})", (long,)))
                self.assert_refused("damaged (a name is longer than")

    def test_names_that_are_shown_as_others(self):
        named = (("run", "name"), ("series", "name"), ("host", "name"), ("function", "name"), ("node", "source"))
        for (table, column), more in (*itertools.product(named, (b"\nx",)), *itertools.product(named[:2], (b"\xff", b"\xed\xa0\x80"))):
            with self.subTest(table=table, more=more):
                self.begin_anew()
                loosely.write(self.study, (f"UPDATE {table} SET {column} = CAST (CAST ({column} AS BLOB) || ? AS TEXT) "
                                           f"WHERE rowid = (SELECT MIN (rowid) FROM {table})", (more,)))
                self.assert_refused("or has a byte 0 or a line break, or is a run's and not UTF-8")

    def test_texts_with_line_breaks_are_one_line(self):
        loosely.write(self.study, ("UPDATE run SET load = 'a' || char (10) || 'FORGED'", ()),
                      ("UPDATE capture SET file = 'f' || char (10) || 'FORGED', note = 'n' || char (10) || 'FORGED'", ()))
        for arguments in self.reading():
            if "--json" not in arguments and "--csv" not in arguments:
                lines = self.run_(arguments).stdout.splitlines()
                self.assertEqual([line for line in lines if line.lstrip().startswith("FORGED")], [], arguments[0])

    def test_a_run_with_a_line_break_in_its_name_is_not_stored(self):
        mine = os.path.join(self.folder, "mine.culprit")
        result = self.run_(("import", "--study", mine, "--run", "x\ny", CAPTURE))
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        self.assertIn("has a line break", result.stderr)

    def test_files_with_line_breaks_in_their_names_stop_no_import(self):
        mine = os.path.join(self.folder, "mine.culprit")
        odd = os.path.join(self.folder, "a\nb")
        os.mkdir(odd)
        shutil.copy(CAPTURE, odd)
        with open(os.path.join(odd, "x\ny.txt"), "w", encoding="utf-8") as file:
            file.write("10\n11\n12\n")
        result = self.run_(("import", "--study", mine, odd, os.path.join(odd, "x\ny.txt")))
        self.assertEqual(result.status, 0, result.stderr)
        self.assertEqual([run["name"] for run in culprit.rows(mine, "SELECT name FROM run ORDER BY name")], ["a b", "x y"])

    def test_a_run_with_a_long_name_is_not_stored(self):
        capture = os.path.join(culprit.ROOT, "tests", "data", "count-1.dat")
        mine = os.path.join(self.folder, "mine.culprit")
        result = self.run_(("import", "--study", mine, "--run", "x" * 5000, capture))
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        self.assertIn("is longer than 1024 bytes", result.stderr)
        self.assertEqual(self.run_(("import", "--study", mine, "--run", "x" * 1024, capture)).status, 0)
        self.assertEqual(self.run_(("verdict", "--study", mine)).status, 0)

    def test_many_runs_whose_names_are_taken(self):
        names = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000) "
        studies = [os.path.join(self.folder, name) for name in ("one.culprit", "other.culprit")]
        for cycles, study in enumerate(studies):
            shutil.copy(SAMPLE, study)
            os.chmod(study, 0o644)
            loosely.write(study, (f"{names}INSERT INTO series (name) SELECT 'x' || i FROM n", ()),
                          ("INSERT INTO run (name, source, cycles, series_id) SELECT name, 'record', ?, series_id FROM series "
                           "WHERE name LIKE 'x%'", (cycles,)))
        result = self.run_(("merge", "--study", *studies))
        self.assertEqual(result.status, 0, result.stderr)
        with closing(sqlite3.connect(studies[0])) as database:
            self.assertEqual(database.execute("SELECT COUNT (*) FROM run WHERE name LIKE 'x%-2'").fetchone(), (6000,))

    def write_latencies(self, study, seed, *names):
        """A new study of runs with these names, which all have other latencies than those of another seed."""
        file = os.path.join(self.folder, "latencies.txt")
        for number, name in enumerate(names):
            with open(file, "w", encoding="ascii") as text:
                text.writelines(f"{latency} {latency * seed}\n" for latency in range(1, 30 + number))
            self.assertEqual(self.run_(("import", "--study", study, file)).status, 0)
            loosely.write(study, ("UPDATE run SET name = ? WHERE name = 'latencies'", (name,)),
                          ("UPDATE series SET name = ? WHERE name = 'latencies'", (name,)))

    def test_runs_with_one_long_name(self):
        for names in (["n" * 2048], ["\U0001f600" * 512], ["n" * 2000 + end for end in "abc"]):
            with self.subTest(names[0][:9]):
                studies = [os.path.join(self.folder, f"{seed}{names[0][0]}{len(names)}.culprit") for seed in (1, 2)]
                for seed, study in enumerate(studies, 1):
                    self.write_latencies(study, seed, *names)
                for known in (False, True):
                    result = self.run_(("merge", "--study", *studies))
                    self.assertEqual(result.status, 0, result.stderr)
                    self.assertIn(f"and {0 if known else len(names)} run", result.stdout)
                result = self.run_(("runs", "--study", studies[0], "--json"))
                self.assertEqual(result.status, 0, result.stderr)
                self.assertEqual(len({run["run"] for run in json.loads(result.stdout)}), 2 * len(names))

    def test_a_merge_that_would_make_a_name_too_long(self):
        """A run whose name does not begin with that of its series, which is taken."""
        mine = os.path.join(self.folder, "mine.culprit")
        shutil.copy(SAMPLE, mine)
        os.chmod(mine, 0o644)
        for study, cycles in ((mine, 1), (self.study, 2)):
            loosely.write(study, ("INSERT INTO series (series_id, name) VALUES (777, 'x')", ()),
                          ("INSERT INTO run (name, source, cycles, series_id) VALUES (?, 'record', ?, 777)", ("n" * 2048, cycles)))
        result = self.run_(("merge", "--study", mine, self.study))
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        self.assertIn("s.culprit: damaged (a name is longer than", result.stderr)
        runs = self.run_(("runs", "--study", mine, "--json"))
        self.assertEqual(runs.status, 0, runs.stderr)
        self.assertIn("n" * 2048, [run["run"] for run in json.loads(runs.stdout)])

    def test_latencies_of_more_wake_ups_than_there_can_be(self):
        for count in (1 << 30, 1 << 42):
            files = []
            for name, lines in (("one", 1000), ("other", 1100)):
                files.append(os.path.join(self.folder, f"{name}-{count}.txt"))
                with open(files[-1], "w", encoding="ascii") as file:
                    file.writelines(f"{i} {count}\n" for i in range(1, lines))
            self.assertEqual(self.run_(("import", "--study", self.study, *files)).status, 0)
            result = self.run_(("compare", "--study", self.study, f"one-{count}", f"other-{count}", "--independent"))
            self.assertEqual(result.status, 0, result.stderr)

    def test_a_mean_that_no_clock_tells(self):
        for mean in (1e17, 1e300, 1e308):
            with self.subTest(mean):
                loosely.write(self.study, ("DELETE FROM run_latency", ()), ("DELETE FROM run_sample", ()),
                              ("UPDATE run SET summary_mean_ns = ?1, summary_sd_ns = ?1, summary_samples = 5", (mean,)))
                self.assert_survives()
                text = self.run_(("latency", "--study", self.study)).stdout
                self.assertNotIn("nan", text)

    def test_rows_that_others_name_are_gone(self):
        tables = [name for name in loosely.schema(self.study) if not name.startswith("sqlite_")]
        for gone in ["DELETE FROM series WHERE series_id % 2", *(f"DELETE FROM {table}" for table in tables)][::EACH]:
            shutil.copy(SAMPLE, self.study)
            os.chmod(self.study, 0o644)
            with self.subTest(gone):
                loosely.write(self.study, (gone, ()))
                self.assert_survives()

    def test_runs_and_captures_of_rows_that_are_gone_are_not_left_out_silently(self):
        for gone, words in (("UPDATE run SET series_id = 77 WHERE run_id = 3", "row 3 of run refers to a row that is not in series"),
                            ("UPDATE run SET series_id = NULL WHERE run_id = 3", "row 3 of run refers to no series"),
                            ("UPDATE capture SET host_id = 77 WHERE capture_id = 9", "row 9 of capture refers to a row that is not in host"),
                            ("UPDATE capture SET run_id = 77 WHERE capture_id = 9", "row 9 of capture refers to a row that is not in run"),
                            ("UPDATE capture SET run_id = NULL WHERE capture_id = 9", "row 9 of capture refers to no run or no host")):
            with self.subTest(gone):
                self.begin_anew()
                loosely.write(self.study, (gone, ()))
                for arguments in [("import", "--study", self.study, CAPTURE), ("merge", "--study", os.path.join(self.folder, "mine.culprit"), self.study),
                                  *(one for one in self.reading() if one[0] != "check")]:
                    result = self.run_(arguments)
                    self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                    self.assertIn(f"{self.study}: damaged ({words}); see culprit check", result.stderr)
                self.assertIn(self.run_(("check", "--study", self.study)).status, (1, 2))
                asked = self.run_(("sql", "--study", self.study, "--json", "SELECT COUNT (*) AS n FROM capture"))
                self.assertEqual(json.loads(asked.stdout), [{"n": 13}])

    def test_an_older_study_with_a_run_of_no_host_can_be_examined(self):
        make_older(self.study, 5)
        loosely.write(self.study, ("UPDATE run SET host_id = 999 WHERE run_id = 3", ()))
        self.assertIn(self.run_(("check", "--study", self.study)).status, (1, 2))
        self.assertEqual(self.run_(("sql", "--study", self.study, "SELECT 1")).status, 0)
        self.assertIn("row 3 of run refers to a row that is not in host", self.run_(("runs", "--study", self.study)).stderr)

    def test_values_of_every_kind_everywhere(self):
        dice = random.Random(SEED)
        tables = [name for name in loosely.schema(self.study) if not name.startswith("sqlite_")]
        with closing(sqlite3.connect(self.study)) as database:
            columns = [(table, row[1]) for table in tables for row in database.execute(f"PRAGMA table_info ({table})")
                       if not row[5]]
        rowids = {table: "WITHOUT ROWID" not in sql for table, sql in loosely.schema(self.study).items()}
        for turn in range(9 // EACH):
            chosen = dice.sample(columns, (1, 3, 30)[turn % 3])
            shutil.copy(SAMPLE, self.study)
            os.chmod(self.study, 0o644)
            with self.subTest(turn=turn, chosen=chosen):
                loosely.write(self.study, *(
                    (f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {'rowid % 2' if rowids[table] else '1'}",
                     (dice.choice(ODD),)) for table, column in chosen))
                self.assert_survives()


class Poison(Stranger):
    """What is merged, or was stored by an older version, spoils nothing that was there."""
    FLEET = (("INSERT INTO fleet_population (host, kernel, series, captures, outliers, excess_ns, verdict) VALUES ('h', 'k', 's', 1, 1, 1, '{}'), "
              "('i', 'k', 's', 1, 1, 1, '{}')", ()),
             ("INSERT INTO fleet_cause SELECT population_id, 'f', 'slow', 1, 1, 1, 1, 1, 1 FROM fleet_population", ()),
             ("INSERT INTO fleet_day SELECT population_id, '2026-01-01', 'f', 'slow', 1, 1 FROM fleet_population", ()),
             ("INSERT INTO fleet_new VALUES ('k', 'j', 'f', 'slow', 1, 1, 1, 1, 1, 0.5)", ()),
             ("INSERT INTO fleet_function SELECT population_id, 1, 1, 1, 1, 1, 1 FROM fleet_population", ()))

    def setUp(self):
        super().setUp()
        self.mine = os.path.join(self.folder, "mine.culprit")
        honest = os.path.join(self.folder, "honest.txt")
        with open(honest, "w", encoding="ascii") as file:
            file.writelines(f"{i}\n" for i in range(10, 60))
        self.assertEqual(self.run_(("import", "--study", self.mine, honest, CAPTURE)).status, 0)

    def reading_mine(self):
        study = ("--study", self.mine)
        return [("latency", *study), ("runs", *study), ("functions", *study), ("outliers", *study), ("verdict", *study),
                ("check", *study), ("report", *study, "--out", self.html)]

    def test_numbers_of_another_study_are_refused_by_name_or_harmless(self):
        """Each number in turn is far too large, and at one of the limits."""
        before = self.mine + ".before"
        shutil.copy(self.mine, before)
        numbers = [(table, column) for table, column, kind in hostile.columns(SAMPLE)
                   if kind in ("INTEGER", "REAL") and not column.endswith("_id")]
        limits = [number + more for number in (2 ** 42, 2 ** 53, 10 ** 9, 10 ** 18, 2 ** 60, 2 ** 62) for more in (0, 1)]
        tried = [(*column, value) for i, column in enumerate(numbers) for value in (2 ** 62, -2 ** 63, limits[i % len(limits)])]
        tried += [("run", "resolution_ns", 10 ** 9 + 1), ("run_latency", "count", 2 ** 53 + 1), ("capture", "ordinary_windows", 2 ** 42)]
        for table, column, value in tried[::max(1, 700 // SEEDS)]:  # all of them take minutes
            with self.subTest(table=table, column=column, value=value):
                for path, original in ((self.study, SAMPLE), (self.mine, before)):
                    shutil.copy(original, path)
                    os.chmod(path, 0o644)
                loosely.write(self.study, *self.FLEET, (f"UPDATE OR IGNORE {table} SET {column} = ?", (value,)))
                merged = self.run_(("merge", "--study", self.mine, self.study))
                if merged.status != 0:
                    self.assertEqual((merged.status, len(merged.error_lines())), (2, 1), merged.stderr)
                    self.assertIn(self.study, merged.stderr)
                    continue
                for arguments in self.reading_mine():
                    result = self.run_(arguments)
                    self.assertIn(result.status, (0, 1) if arguments[0] in ("check", "verdict") else (0,), (arguments[0], result.stderr))

    def test_the_longest_latency_that_is_merged_is_shown(self):
        longest = "SELECT MAX (latency_ns) FROM run_latency"
        for value, taken in ((10 ** 18, True), (10 ** 18 + 1, False), (-10 ** 18, True), (-10 ** 18 - 1, False), (-2 ** 63, False)):
            with self.subTest(value):
                shutil.copy(SAMPLE, self.study)
                os.chmod(self.study, 0o644)
                loosely.write(self.study, (f"UPDATE run_latency SET latency_ns = ? WHERE latency_ns = ({longest})", (value,)))
                merged = self.run_(("merge", "--study", self.mine, self.study))
                self.assertEqual(merged.status, 0 if taken else 2, merged.stderr)
                self.assertEqual(self.run_(("latency", "--study", self.mine)).status, 0)

    def test_latencies_of_many_years_are_drawn(self):
        """Floating-point numbers cannot tell one from the next of these."""
        loosely.write(self.mine, ("DELETE FROM run_latency WHERE latency_ns > 11000", ()),
                      ("UPDATE run_latency SET latency_ns = latency_ns / 1000 + ?", (10 ** 18 - 21,)))
        for arguments in (("latency", "--plot", f"histogram={self.html}.svg", "--scale", "linear"), ("latency", "--plot", f"histogram={self.html}.svg"),
                          ("report", "--out", self.html)):
            self.assertEqual(self.run_((*arguments, "--study", self.mine)).status, 0, arguments)

    def test_a_run_that_cannot_be_shown_is_left_out_by_name(self):
        for column, value in (("run.resolution_ns", 2 ** 63 - 1), ("run_latency.latency_ns", 2 ** 60), ("run_latency.count", 2 ** 60)):
            table, name = column.split(".")
            with self.subTest(column):
                shutil.copy(SAMPLE, self.study)
                os.chmod(self.study, 0o644)
                loosely.write(self.study, (f"UPDATE OR IGNORE {table} SET {name} = ? WHERE run_id = (SELECT run_id FROM run "
                                           "WHERE name = 'slides/off-1')", (value,)))
                shown = self.run_(("latency", "--study", self.study, "--json"))
                self.assertEqual((shown.status, len(shown.error_lines())), (0, 1), shown.stderr)
                self.assertIn("slides/off-1", shown.stderr)
                names = [run["run"] for run in json.loads(shown.stdout)]
                self.assertIn("slides/on-1", names)
                self.assertNotIn("slides/off-1", names)
                tails = self.run_(("tail", "--study", self.study, "--json"))
                self.assertEqual((tails.status, tails.stderr), (0, shown.stderr))
                report = self.run_(("report", "--study", self.study, "--out", self.html))
                self.assertEqual(report.status, 0, report.stderr)
                with open(self.html, encoding="utf-8") as file:
                    self.assertIn("too large to be shown: slides/off-1.", file.read())
                for arguments in (("latency", "--study", self.study, "slides/off-1"), ("compare", "--study", self.study, "slides/off-1", "slides/on-1")):
                    named = self.run_(arguments)
                    self.assertEqual((named.status, len(named.error_lines())), (2, 1), named.stderr)
                    self.assertIn("slides/off-1", named.stderr)
                self.assertIn("slides/off-1", self.run_(("check", "--study", self.study)).stdout)

    def forge_calls(self, change):
        """The study of another capture, whose calls are those of an honest one but for @change."""
        self.assertEqual(self.run_(("import", "--study", self.study, "--run", "theirs", CAPTURE)).status, 0)
        loosely.write(self.study, ("UPDATE capture SET sha256 = '0' || substr (sha256, 2), size_bytes = size_bytes + 1, "
                                   "file = 'theirs.dat'", ()), (change, ()))

    def shown_of(self, study):
        """What an import of the honest capture tells."""
        self.assertEqual(self.run_(("import", "--study", study, "--run", "ours", CAPTURE)).status, 0)
        with closing(sqlite3.connect(study)) as database:
            capture, = database.execute("SELECT capture_id FROM capture JOIN run USING (run_id) WHERE run.name = 'ours'").fetchone()
            nodes = database.execute("SELECT context, source, depth, recursive, name, self_ns, total_ns FROM node "
                                     "LEFT JOIN function USING (function_id) JOIN outlier_node USING (node_id) "
                                     "JOIN window USING (window_id) WHERE capture_id = ?", (capture,)).fetchall()
        verdict = self.run_(("verdict", "--study", study, "--run", "ours", "--json"))
        shown = self.run_(("show", "--study", study, str(capture), "--json"))
        self.assertEqual((verdict.stderr, shown.status), ("", 0), shown.stderr)
        return sorted(map(repr, nodes)), verdict.stdout, shown.stdout

    def test_calls_of_another_study_do_not_become_those_of_captures_that_are_imported_later(self):
        honest = os.path.join(self.folder, "honest.culprit")
        expected = self.shown_of(honest)
        for change in ("UPDATE node SET context = CASE context WHEN 'hardirq' THEN 'task' ELSE 'hardirq' END, "
                       "source = 'innocent', recursive = 1 WHERE depth > 0",
                       "UPDATE node SET recursive = 1 WHERE depth > 0",
                       "UPDATE node SET recursive = 1 - recursive WHERE node_id = (SELECT MAX (node_id) FROM node)"):
            with self.subTest(change):
                os.unlink(self.study)
                mine = os.path.join(self.folder, "later.culprit")
                if os.path.exists(mine):
                    os.unlink(mine)
                self.forge_calls(change)
                checked = self.run_(("check", "--study", self.study))
                self.assertEqual(checked.status, 1, checked.stdout)
                self.assertRegex(checked.stdout, r"node \d+: ")
                merged = self.run_(("merge", "--study", mine, self.study))
                self.assertEqual((merged.status, len(merged.error_lines())), (2, 1), merged.stderr)
                self.assertIn(f"{self.study}: nothing was merged: node ", merged.stderr)
                self.assertEqual(self.shown_of(mine), expected)

    def test_calls_that_no_capture_of_another_study_uses_are_not_merged(self):
        mine = os.path.join(self.folder, "later.culprit")
        os.unlink(self.study)
        self.forge_calls("DELETE FROM ordinary_node")
        unused = "SELECT COUNT (*) FROM node WHERE node_id NOT IN (SELECT node_id FROM outlier_node UNION SELECT node_id FROM ordinary_node)"
        with closing(sqlite3.connect(self.study)) as database:
            self.assertGreater(database.execute(unused).fetchone()[0], 0)
        merged = self.run_(("merge", "--study", mine, self.study))
        self.assertEqual(merged.status, 0, merged.stderr)
        with closing(sqlite3.connect(mine)) as database:
            self.assertEqual(database.execute(unused).fetchone(), (0,))


if __name__ == "__main__":
    unittest.main()

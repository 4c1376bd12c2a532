# SPDX-License-Identifier: GPL-3.0-or-later
# The command line as users see it: what each command writes as text, JSON and CSV, its errors when used wrongly, and
# its exit status.

import csv
import functools
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from contextlib import closing

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

from culprit import PROGRAM, import_captures, run, run_on_terminal  # noqa: E402

DATA = os.path.join(HERE, "..", "data")
COMMANDS = ("import", "runs", "outliers", "functions", "show", "merge", "sql", "check")
TABLES = ("runs", "outliers", "functions")
WIDTH = 100
OUTLIER = {"capture": int, "file": str, "run": str, "latency_ns": int, "untraced_ns": int, "cpu": int, "pid": int,
           "comm": str, "kernel": str, "window": dict, "ordinary_windows": int, "lost_events": int, "budget": list,
           "budget_sum_ns": int}
PART = {"context": str, "function": str, "calls": int, "self_ns": int, "tracing_ns": int}
FUNCTION = {"function": str, "module": str, "captures": int, "calls": int, "self_ns": int, "total_ns": int,
            "outlier": dict, "ordinary": dict}


def times(value, name=""):
    """Every value called ..._ns in parsed JSON."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from times(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from times(inner)
    elif name.endswith("_ns") and value is not None:
        yield value


def strict(text):
    def refuse(constant):
        raise ValueError(f"{constant} is no JSON")
    return json.loads(text, parse_constant=refuse)


def gutters(lines):
    """How many stretches of two blanks or more run through all lines: the spaces between aligned columns."""
    width = max(map(len, lines))
    blank = "".join(" " if all(line.ljust(width)[i] == " " for line in lines) else "x" for i in range(width))
    return len(re.findall(r"x {2,}(?=x)", blank))


NAMES = sorted(name for name in os.listdir(DATA) if name.endswith(".dat"))
ONE = [os.path.join(DATA, name) for name in NAMES if name.startswith("count")]
REST = [os.path.join(DATA, name) for name in NAMES if not name.startswith("count")]


@functools.cache
def imported():
    """A study of all captures, to be copied: sanitizers take their time to import."""
    study = os.path.join(unittest.enterModuleContext(tempfile.TemporaryDirectory()), "s.culprit")
    for run_name, paths in (("one", ONE), ("two", REST)):
        result = import_captures(study, paths, run_name=run_name)
        assert result.status == 0, result.stderr
    return study


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.study = shutil.copy(imported(), cls.home)
        cls.one, cls.rest = ONE, REST

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def good(self, command, *arguments, before=()):
        result = run(command, "--study", self.study, *arguments, before=before)
        self.assertEqual((result.status, result.stderr), (0, ""))
        return result.stdout

    def bad(self, *arguments, names=(), before=()):
        """Status 2, and one line on standard error that contains @names."""
        result = run(*arguments, before=before)
        self.assertEqual(result.status, 2, result.stderr)
        self.assertEqual(len(result.error_lines()), 1, result.stderr)
        self.assertEqual(result.stdout, "")
        for name in names:
            self.assertIn(name, result.stderr)
        return result.stderr

    def assert_has(self, row, keys):
        for key, kind in keys.items():
            self.assertIn(key, row)
            self.assertIsInstance(row[key], kind, key)


class Json(Commands):
    def test_outliers_have_the_promised_keys(self):
        found = strict(self.good("outliers", "--json"))
        self.assertGreater(len(found), 10)
        for row in found:
            self.assert_has(row, OUTLIER)
            self.assert_has(row["window"], {"start_ns": int, "end_ns": int})
            for part in row["budget"]:
                self.assert_has(part, PART)

    def test_the_budget_of_every_outlier_sums_to_its_latency(self):
        for row in strict(self.good("outliers", "--json")):
            self.assertGreater(row["latency_ns"], 0)
            self.assertEqual(row["budget_sum_ns"], row["latency_ns"])
            self.assertEqual(sum(part["self_ns"] for part in row["budget"]), row["latency_ns"])
            self.assertEqual(row["window"]["end_ns"] - row["window"]["start_ns"], row["latency_ns"])
            self.assertEqual(row["latency_ns"] - sum(part["tracing_ns"] for part in row["budget"]), row["untraced_ns"])

    def test_functions_have_the_promised_keys(self):
        found = strict(self.good("functions", "--json"))
        self.assertGreater(len(found), 100)
        for row in found:
            self.assert_has(row, FUNCTION)
            self.assert_has(row["outlier"], {"calls_mean": (int, float), "self_mean_ns": int})
            self.assert_has(row["ordinary"], {"windows": int, "calls_mean": (int, float), "self_mean_ns": int})

    def test_times_are_whole_nanoseconds(self):
        for command in ("runs", "outliers", "functions"):
            found = list(times(strict(self.good(command, "--json"))))
            self.assertGreater(len(found), 0, command)
            self.assertEqual({type(value) for value in found}, {int}, command)

    def test_the_means_of_the_functions_add_up_to_the_mean_latency(self):
        outliers = strict(self.good("outliers", "--json", "--run", "one"))
        functions = strict(self.good("functions", "--json", "--run", "one"))
        mean = sum(row["latency_ns"] for row in outliers) / len(outliers)
        total = sum(row["outlier"]["self_mean_ns"] for row in functions)
        self.assertLessEqual(abs(total - mean), len(functions), "each mean is rounded to a nanosecond")

    def test_runs_count_their_captures(self):
        found = {row["run"]: row["captures"] for row in strict(self.good("runs", "--json"))}
        self.assertEqual(found, {"one": len(self.one), "two": len(self.rest)})

    def test_show_is_the_same_object_as_in_outliers(self):
        row = strict(self.good("outliers", "--json", "--run", "one"))[0]
        self.assertEqual(strict(self.good("show", str(row["capture"]), "--json")), [row])

    def test_a_capture_without_an_outlier_is_an_empty_list(self):
        self.assertEqual(strict(self.good("show", "no-marker-1.dat", "--json")), [])
        self.assertEqual(strict(self.good("outliers", "--json", "--capture", "no-marker-1.dat")), [])

    def test_what_sql_gives_is_json_whatever_it_is(self):
        self.assertEqual(strict(self.good("sql", "--json", "SELECT 1 AS a, 2.5 AS b, NULL AS c, 'x\"y\n' AS d")),
                         [{"a": 1, "b": 2.5, "c": None, "d": 'x"y\n'}])
        for query in ("SELECT 9e999 AS a", "SELECT -9e999 AS a", "SELECT x'00ff' AS a", "SELECT char (1, 0x2028) AS a",
                      "SELECT 1 AS \"\"", "SELECT 9223372036854775807 AS a", "SELECT CAST (x'ff41' AS TEXT) AS a"):
            with self.subTest(query):
                self.assertEqual(len(strict(self.good("sql", "--json", query))), 1)

    def test_two_columns_of_one_name_do_not_hide_each_other(self):
        query = "SELECT 1 AS x, 2 AS x"
        self.assertEqual(self.good("sql", "--csv", query).splitlines()[1], "1,2")
        self.assertEqual(self.good("sql", query).splitlines()[1].split(), ["1", "2"])
        row = strict(self.good("sql", "--json", query))[0]
        self.assertEqual(sorted(row.values()), [1, 2])

    def test_sql_keeps_six_digits_of_a_number(self):
        for value, shown in (("0.00266666", "0.00266666"), ("0.996", "0.996"), ("2.5", "2.5"), ("-1.0 / 3", "-0.333333"),
                             ("123456.78", "123456.8"), ("12345678.9", "12345678.9"), ("7.0", "7"), ("7", "7"),
                             ("1e20", "1e+20")):
            with self.subTest(value):
                self.assertEqual(self.good("sql", f"SELECT {value} AS a").split(), ["a", shown])

    def test_columns_with_dots_keep_all_their_values(self):
        for query in ('SELECT 1 AS "a.b", 2 AS c, 3 AS "a.d"', 'SELECT 1 AS a, 2 AS "a.b"'):
            with self.subTest(query):
                text = self.good("sql", "--json", query)
                self.assertEqual(sorted(map(int, re.findall(r"\d+", text))), list(range(1, query.count(",") + 2)))

    def test_check_and_merge_answer_programs(self):
        self.assertEqual(strict(self.good("check", "--json")), {"complete": True, "faults": []})
        result = run("merge", "--json", "--study", self.path("new.culprit"), self.study)
        told = strict(result.stdout)
        self.assertEqual((told["captures"], told["runs"], told["known"], told["notes_left_out"]), (len(self.one + self.rest), 2, 0, 0))

    def test_a_merge_says_how_many_states_and_notes_it_does_not_take(self):
        mine, theirs = (shutil.copy(self.study, self.path(name)) for name in ("mine.culprit", "theirs.culprit"))
        given = "UPDATE capture SET triage = 'seen', note = 'the camera' WHERE capture_id <= ?"
        for study, captures in ((mine, 1), (theirs, 3)):
            with closing(sqlite3.connect(study)) as database, database:
                database.execute(given, (captures,))
        told = run("merge", "--study", mine, theirs)
        self.assertIn("2 of these captures have another state or note there, which are not taken", told.stdout)
        self.assertEqual(strict(run("merge", "--json", "--study", mine, theirs).stdout)["notes_left_out"], 2)
        self.assertEqual(strict(run("merge", "--json", "--study", theirs, mine).stdout)["notes_left_out"], 0)


class Csv(Commands):
    def read(self, *arguments):
        rows = list(csv.reader(io.StringIO(self.good(*arguments, "--csv")), strict=True))
        self.assertGreater(len(rows), 1)
        self.assertEqual({len(row) for row in rows}, {len(rows[0])}, "all rows are as long as the header")
        return [dict(zip(rows[0], row)) for row in rows[1:]]

    def test_every_table_is_csv_with_the_numbers_of_its_json(self):
        for command in TABLES:
            with self.subTest(command):
                table, objects = self.read(command), strict(self.good(command, "--json"))
                self.assertEqual(len(table), len(objects))
                for row, object_ in zip(table, objects):
                    for column, text in row.items():
                        outer, _, inner = column.partition(".")
                        value = object_[outer][inner] if inner else object_[outer]
                        self.assertEqual(text, "" if value is None else str(value) if not isinstance(value, float)
                                         else text, column)
                        if isinstance(value, float):
                            self.assertAlmostEqual(float(text), value, places=9)

    def test_show_gives_the_whole_budget(self):
        row = strict(self.good("outliers", "--json"))[0]
        table = self.read("show", str(row["capture"]))
        self.assertEqual(sum(int(part["self_ns"]) for part in table), row["latency_ns"])

    def test_separators_in_texts_are_quoted(self):
        row = self.read("sql", "SELECT 'a,b' AS x, 'say \"no\"' AS y, 'two' || char (10) || 'lines' AS z, '' AS e, 1 AS n")
        self.assertEqual(row, [{"x": "a,b", "y": 'say "no"', "z": "two\nlines", "e": "", "n": "1"}])

    def test_a_separator_in_a_column_is_quoted(self):
        self.assertEqual(self.read("sql", 'SELECT 1 AS "a,b"'), [{"a,b": "1"}])

    def test_without_rows_the_header_is_left(self):
        for command in ("outliers", "functions"):
            lines = self.good(command, "--csv", "--where", "0").splitlines()
            self.assertEqual(len(lines), 1)
            self.assertIn("run" if command == "outliers" else "function", lines[0].split(","))


class Text(Commands):
    def empty_study(self):
        """What is left where all was deleted."""
        study = self.path("s.culprit")
        run("import", "--study", study, os.path.join(DATA, "blind-1.dat"))
        with sqlite3.connect(study) as database:
            database.execute("PRAGMA foreign_keys = ON")
            database.execute("DELETE FROM run")
        database.close()
        return study

    def test_tables_fit_the_width_and_are_aligned(self):
        for command in TABLES:
            with self.subTest(command):
                lines = run_on_terminal(command, "--study", self.study).stdout.partition("\n\nall: ")[0].splitlines()
                if command == "functions":
                    self.assertRegex(lines[0], r"^Means over \d+ outlier and \d+ ordinary windows; ")
                    lines = lines[2:]
                self.assertLessEqual(max(map(len, lines)), WIDTH)
                self.assertEqual([line for line in lines if line != line.rstrip()], [])
                self.assertGreaterEqual(gutters(lines), len(re.split(r"\s{2,}", lines[0].strip())) - 1)

    def latencies(self, *latencies_ns):
        """A study of a run a with these latencies."""
        study = self.path("latencies.culprit")
        with open(self.path("a.txt"), "w", encoding="ascii") as file:
            file.writelines(f"{latency_ns}\n" for latency_ns in latencies_ns)
        self.assertEqual(run("import", "--study", study, "--unit", "1ns", self.path("a.txt")).status, 0)
        return study

    def test_a_column_has_one_unit_that_suits_its_largest_time(self):
        for largest_ns, column in ((500, "max us 0.5"), (9_999_900, "max us 9999.9"), (10_000_000, "max ms 10.000"),
                                   (20_000_000_000, "max ms 20000.000")):
            with self.subTest(largest_ns=largest_ns), tempfile.TemporaryDirectory() as self.folder:
                lines = run("runs", "--study", self.latencies(largest_ns, 1)).stdout.splitlines()
                headings, values = (re.split(r"\s{2,}", line.strip()) for line in lines)
                heading, = (heading for heading in headings if heading.startswith("max "))
                self.assertEqual(f"{heading} {values[headings.index(heading)]}", column)

    def test_zero_has_no_sign(self):
        self.assertNotRegex(self.good("functions"), r"-0\.0+\b")

    def test_show_fits_the_width(self):
        for capture in strict(self.good("outliers", "--json")):
            for options in ((), ("--all",)):
                lines = run_on_terminal("show", "--study", self.study, capture["capture"], *options).stdout.splitlines()
                self.assertEqual([line for line in lines if len(line) > WIDTH], [])

    def test_a_share_above_the_whole_is_all_of_it(self):
        shares = {row["capture"]: row["share"] for row in strict(self.good("outliers", "--json"))}
        text = self.good("outliers")
        self.assertNotRegex(text, r"1[0-9]{2}\.[1-9] %")
        for line in text.partition("\n\n")[0].splitlines()[1:]:
            share = shares[int(line.split()[0])]
            self.assertTrue(line.endswith("-" if share is None else " all" if round(share, 3) > 1 else f" {100 * share:.1f} %"), line)
        self.assertEqual("\nall: 100 % or more, as others were faster.\n" in text, any(round(share, 3) > 1 for share in
                                                                                             shares.values() if share))
        self.assertGreater(max(share for share in shares.values() if share), 1.001)
        self.assertNotIn("all:", self.good("outliers", "--capture", "count-2.dat"))

    def test_one_of_a_kind_is_not_several(self):
        study = self.path("s.culprit")
        import_captures(study, self.one[:1])
        with closing(sqlite3.connect(study)) as database, database:
            database.execute("UPDATE capture SET lost_events = 1, truncated_calls = 1, ordinary_windows = 1")
        shown = run("show", "--study", study, "1").stdout
        for one in ("1 event lost", "1 call truncated", "1 ordinary wake-up of the same capture"):
            self.assertIn(one, shown)
        self.assertIn("Means over 1 outlier and 1 ordinary window; ", run("functions", "--study", study).stdout)
        merged = run("merge", "--study", self.path("t.culprit"), study).stdout
        self.assertIn("1 capture and 1 run added", merged)

    def test_long_names_do_not_break_the_table(self):
        long = "a_very_long_name_" * 8
        folder = self.path(long)
        os.mkdir(folder)
        file = shutil.copy(self.one[0], os.path.join(folder, "wäre" + long + ".dat"))
        study = self.path("s.culprit")
        self.assertEqual(import_captures(study, [file, self.one[1]], run_name="r" * 120).status, 0)
        for command in ("runs", "outliers"):
            lines = run_on_terminal(command, "--study", study).stdout.splitlines()
            self.assertLessEqual(max(map(len, lines)), WIDTH, command)
            self.assertGreaterEqual(gutters(lines), 4)

    def test_there_is_no_colour_in_a_pipe(self):
        for command in TABLES:
            self.assertNotIn("\033", self.good(command))

    def test_an_indented_name_is_never_cut_at_its_indent(self):
        tree = self.good("show", "blind-1.dat", "--all").partition("Call tree")[2]
        self.assertEqual([line for line in tree.splitlines() if line.startswith("… ")], [])

    def test_a_capture_without_windows_says_why(self):
        text = self.good("show", "no-marker-1.dat")
        self.assertIn("no windows", text)
        self.assertIn("marker", text)
        functions = self.good("functions", "--capture", "no-marker-1.dat")
        self.assertIn("sums over whole captures", functions)
        self.assertRegex(functions, r"\n\w+ .* \d+  +\d+\.\d")

    def test_what_is_unknown_is_not_shown_as_a_number(self):
        """The hit of this capture was the first cycle: without a period given there is none."""
        study = self.path("s.culprit")
        run("import", "--study", study, os.path.join(DATA, "blind-1.dat"))
        self.assertNotIn("period 0", run("show", "--study", study, "1").stdout)

    def test_empty_tables_say_so(self):
        self.assertIn("No outliers", self.good("outliers", "--where", "0"))
        self.assertIn("No functions", self.good("functions", "--where", "0"))
        study = self.empty_study()
        self.assertIn("No runs yet", run("runs", "--study", study).stdout)
        self.assertIn("There are no captures yet", run("sections", "--study", study).stdout)
        self.assertIn("No sections match the condition", run("sections", "--study", self.study, "--where", "count < 0").stdout)

    def test_sql_without_rows_still_names_its_columns(self):
        self.assertEqual(self.good("sql", "SELECT 1 AS a, 2 AS b WHERE 0").split(), ["a", "b"])

    def test_a_study_without_captures_is_shown_by_every_command(self):
        study = self.empty_study()
        for command in (*TABLES, "check"):
            for form in ((), ("--json",), ("--csv",)) if command in TABLES else ((), ("--json",)):
                result = run(command, "--study", study, *form)
                self.assertEqual((result.status, result.stderr), (0, ""), (command, form))
                if form == ("--json",):
                    strict(result.stdout)


class Help(Commands):
    def test_help_lists_every_command(self):
        for arguments in (("help",), ("--help",), ("-h",)):
            result = run(*arguments)
            self.assertEqual((result.status, result.stderr), (0, ""))
            for command in COMMANDS:
                self.assertRegex(result.stdout, rf"(?m)^  {command} +\S")

    def test_every_command_has_help_that_fits(self):
        for command in COMMANDS:
            for arguments in (("help", command), (command, "--help")):
                with self.subTest(" ".join(arguments)):
                    result = run(*arguments)
                    self.assertEqual((result.status, result.stderr), (0, ""))
                    self.assertIn(f"culprit {command}", result.stdout)
                    self.assertIn("--study", result.stdout)
                    self.assertLessEqual(max(map(len, result.stdout.splitlines())), WIDTH)

    def test_help_needs_no_study(self):
        for command in COMMANDS:
            self.assertEqual(run("help", command, before=("env", "-C", self.folder)).status, 0)

    def test_the_version_is_told(self):
        result = run("--version")
        self.assertEqual(result.status, 0)
        self.assertRegex(result.stdout, r"^culprit \d+\.\d+")

    def test_without_a_command_the_usage_is_an_error(self):
        result = run()
        self.assertEqual((result.status, result.stdout), (2, ""))
        self.assertIn("Usage", result.stderr)


class WrongUse(Commands):
    def test_an_unknown_command(self):
        for arguments in (("blame",), ("help", "blame"), ("",)):
            self.bad(*arguments, names=[f'"{arguments[-1]}"', "help"])

    def test_an_unknown_option(self):
        for command in COMMANDS:
            self.bad(command, "--blame", names=[command, "--blame"])

    def test_an_option_without_its_value(self):
        for command, option in (("outliers", "--where"), ("functions", "--run"), ("import", "--period"),
                                ("check", "--study")):
            self.bad(command, option, names=[command, option])

    def test_an_option_given_twice(self):
        for command, option, value, again in (("record", "--period", "1ms", "2ms"), ("latency", "--period", "1ms", "1ms"),
                                              ("outliers", "--run", "one", "two"), ("fleet", "--worst", "1", "2")):
            for arguments in ((option, value, f"{option}={again}"), (f"{option}={value}", option, again)):
                self.bad(command, *arguments, "surplus", names=[f"{option} is given twice"])
        self.bad("record", "--event", "a:b", "--event", "a:c", "--between", "x", "--period", "", names=["--period"])

    def test_a_program_that_the_virtual_machine_cannot_run(self):
        foreign = self.path("foreign")
        with open("/bin/sh", "rb") as shell, open(foreign, "wb") as copy:
            head = bytearray(shell.read(64))
            head[18:20] = b"\x16\x00"  # the processor: S/390
            copy.write(head)
        os.chmod(foreign, 0o755)
        for program, told in (("/etc/passwd", "not executable"), (foreign, "built for another processor"), ("/nowhere/x", "not found")):
            self.bad("record", "--target", "vm", "--limit", "1s", "--vm-program", program, "--study", self.path("new.culprit"),
                     names=[f"{program}: {told}"])

    def test_a_program_for_the_virtual_machine_does_not_run_here(self):
        """Asking the dynamic linker what it loads would run the library that audits it, and take others from any folder."""
        with tempfile.TemporaryDirectory() as folder:
            def build(name, text, *options):
                source = os.path.join(folder, "x.c")
                with open(source, "w", encoding="ascii") as file:
                    file.write(text)
                subprocess.run(["gcc", "-o", os.path.join(folder, name), source, *options], check=True, cwd=folder)
            ran = os.path.join(folder, "ran")
            build("audit.so", f"""#include <fcntl.h>
                unsigned la_version (unsigned version) {{ open ("{ran}", O_CREAT | O_WRONLY, 0600); return version; }}""", "-shared", "-fPIC")
            build("libown.so", "int own (void) { return 1; }", "-shared", "-fPIC")
            build("program", "int own (void); int main (void) { return own (); }", "libown.so", f"-Wl,-rpath,{folder}",
                  f"-Wl,--audit,{folder}/audit.so")
            subprocess.run([os.path.join(folder, "program")], check=False)
            os.unlink(ran)  # The test can fail.
            self.bad("record", "--target", "vm", "--limit", "1s", "--vm-program", os.path.join(folder, "program"), "--study",
                     self.path("new.culprit"), names=["program: needs 'libown.so', which is no library of this system"])
            self.assertFalse(os.path.exists(ran))

    def test_values_that_are_none(self):
        for arguments, told in ((("record", "--cpus", "5000"), "--cpus \"5000\" must be a list of CPUs from 0 to 1023"),
                                (("outliers", "--study", self.study, "--class", "foo"), "tracing or blocked"),
                                (("report", "--study", self.study, "--out", ""), "--out must not be empty")):
            self.bad(*arguments, names=[told], before=("env", "-C", self.folder))

    def test_an_option_that_is_no_text(self):
        for command, option in (("latency", "--period"), ("record", "--event"), ("outliers", "--run")):
            self.bad(command, option, os.fsdecode(b"a\xff"), names=[f"{option} ", "UTF-8"])
        result = run("outliers", "--study", self.study, "--run", "\u00fc", before=("env", "LC_ALL=C"))
        self.assertIn('"\u00fc"', result.stderr)

    def test_every_error_begins_with_the_program(self):
        for arguments in (("blame",), ("runs", "--blame"), ("runs", "surplus"), ("record", "--period", "x"), ("prove", "a b"),
                          ("import", "missing"), ("import", "--marks", "a", "x"), ("runs", "--study", "missing")):
            self.assertRegex(run(*arguments, before=("env", "-C", self.folder)).stderr, "^culprit: .+\n$", arguments)

    def test_a_missing_or_surplus_argument(self):
        for command in ("import", "show", "merge", "sql"):
            self.bad(command, "--study", self.study, names=[command, "missing"])
        for command in ("runs", "outliers", "functions", "check"):
            self.bad(command, "--study", self.study, "surplus", names=[command, "surplus"])
        self.bad("sql", "--study", self.study, "SELECT", "1", names=["sql"])
        self.bad("show", "--study", self.study, "1", "2", names=["show"])

    def test_json_and_csv_at_once(self):
        for command in COMMANDS:
            arguments = ("1",) if command in ("show", "sql", "import", "merge") else ()
            self.bad(command, "--study", self.study, "--json", "--csv", *arguments, names=["--json", "--csv"])

    def test_a_study_without_a_file_of_its_own(self):
        for name in ("", ":memory:"):
            self.bad("import", "--study", name, self.one[0], names=["not a valid study path"])

    def test_a_device_is_no_capture_and_ends_at_once(self):
        result = run("import", "--study", self.path("new.culprit"), "/dev/zero", timeout=20)
        self.assertEqual((result.status, len(result.error_lines())), (2, 1))

    def test_links_that_lead_round_are_not_followed(self):
        folder = self.path("round")
        os.mkdir(folder)
        shutil.copy(self.one[0], folder)
        for link in ("a", "b"):
            os.symlink(".", os.path.join(folder, link))
        told = strict(run("import", "--study", self.path("round.culprit"), "--json", folder).stdout)
        self.assertEqual((told["stored"], told["known"], told["passed_over"]), (1, 0, []))

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([PROGRAM, "outliers", "--study", self.study, "--json"], stdout=full,
                                  stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1))

    def test_what_would_command_a_terminal_is_not_shown(self):
        for options in ((), ("--csv",), ("--json",)):
            shown = self.good("sql", *options, "SELECT 'a' || char (27) || '[31mb' AS x")
            self.assertNotIn("\x1b", shown)
        self.assertIn("no?[31mfile", run("import", "--study", self.path("t.culprit"), "no\x1b[31mfile").stderr)

    def test_bytes_that_are_no_text(self):
        query = "SELECT CAST (x'61f0' AS TEXT) AS text, x'00fc' AS bytes, CAST (x'41ff42' AS TEXT) AS more"
        for options in ((), ("--csv",)):
            self.assertIn("00fc", self.good("sql", *options, query))
        row, = strict(self.good("sql", "--json", query))
        self.assertEqual(row, {"text": "a\ufffd", "bytes": "00fc", "more": "A\ufffdB"})

    def test_names_are_the_same_in_every_locale(self):
        folder = self.path("\u00fc")
        os.mkdir(folder)
        shutil.copy(self.one[0], folder)
        study = self.path("locale.culprit")
        self.assertEqual(run("import", "--study", study, folder).status, 0)
        for locale in ("C", "C.UTF-8"):
            self.assertIn("\u00fc/", run("outliers", "--study", study, "--json", before=("env", f"LC_ALL={locale}")).stdout)

    def test_a_path_that_is_not_there_makes_no_study(self):
        new = self.path("new.culprit")
        self.bad("import", "--study", new, self.path("missing.dat"), names=["missing.dat"])
        self.bad("merge", "--study", new, self.path("missing.culprit"), names=["missing.culprit"])
        self.assertFalse(os.path.exists(new))

    def test_a_missing_study(self):
        missing = self.path("missing.culprit")
        for arguments in (("runs",), ("outliers",), ("functions",), ("show", "1"), ("sql", "SELECT 1"), ("check",)):
            self.bad(arguments[0], "--study", missing, *arguments[1:], names=[missing])
            self.assertFalse(os.path.exists(missing))

    def test_a_run_or_capture_that_is_not_there(self):
        for command in ("outliers", "functions"):
            self.bad(command, "--study", self.study, "--run", "nine", names=[self.study, '"nine"'])
            self.bad(command, "--study", self.study, "--capture", "999", names=[self.study, '"999"'])
        for name in ("999", "nine.dat", "", "-1", "0"):
            self.bad("show", "--study", self.study, "--", name, names=[self.study, f'"{name}"'])

    def test_a_name_that_two_captures_have(self):
        os.mkdir(self.path("other"))
        second = shutil.copy(self.one[1], self.path("other", os.path.basename(self.one[0])))
        study = self.path("s.culprit")
        import_captures(study, [self.one[0], second])
        self.bad("show", "--study", study, os.path.basename(second), names=[study, os.path.basename(second)])

    def test_a_where_that_is_no_expression(self):
        wrong = ["latency_ns >", "no_such_column = 1", "1) OR (1", "1; DELETE FROM capture", "1 -- ", "/* ", "'",
                 "(1", "", "abs (-9223372036854775808)", "latency_ns > 1 ORDER BY 1", "1 LIMIT 1"]
        for command in ("outliers", "functions"):
            for where in wrong:
                with self.subTest(command=command, where=where):
                    self.bad(command, "--study", self.study, "--where", where, names=[self.study])
        self.assertEqual(strict(self.good("runs", "--json"))[0]["captures"], len(self.one))

    def test_a_period_that_is_no_time(self):
        for period in ("abc", "5", "-5ms", "0ms", "ms", "5xs", "5ms5", "", "nan s", "inf s", "1e400s", "5 m s"):
            with self.subTest(period):
                study = self.path("new.culprit")
                self.bad("import", "--study", study, "--period", period, self.one[0], names=[f'"{period}"'])
                self.assertFalse(os.path.exists(study))

    def test_a_period_may_have_any_unit(self):
        for period in ("5ms", "5000us", "5000000ns", "0.005s", "5e-3s"):
            study = self.path(period + ".culprit")
            self.assertEqual(import_captures(study, self.one[:1], period).status, 0)
            self.assertEqual(run("sql", "--study", study, "--csv", "SELECT period_ns, period_source FROM capture").stdout,
                             "period_ns,period_source\n5000000,given\n")


class Filters(Commands):
    def test_a_run_and_a_capture_and_an_expression_choose(self):
        everything = strict(self.good("outliers", "--json"))
        for arguments, chosen in ((("--run", "one"), lambda row: row["run"] == "one"),
                                  (("--capture", "1"), lambda row: row["capture"] == 1),
                                  (("--where", "latency_ns > 3000000"), lambda row: row["latency_ns"] > 3000000),
                                  (("--run", "two", "--where", "comm = 'cyclictest' AND (cpu = 0 OR cpu = 7)"),
                                   lambda row: row["run"] == "two" and row["cpu"] in (0, 7))):
            with self.subTest(arguments):
                expected = [row for row in everything if chosen(row)]
                self.assertNotIn(len(expected), (0, len(everything)))
                self.assertEqual(strict(self.good("outliers", "--json", *arguments)), expected)

    def test_a_capture_is_found_by_number_name_path_and_digest(self):
        row = strict(self.good("sql", "--json", "SELECT capture_id, file, sha256 FROM capture WHERE capture_id = 2"))[0]
        wanted = self.good("show", "2", "--json")
        for name in (os.path.basename(row["file"]), row["file"], row["sha256"], row["sha256"][:8]):
            self.assertEqual(self.good("show", name, "--json"), wanted)

    def test_functions_of_one_capture_are_its_own(self):
        found = strict(self.good("functions", "--json", "--capture", "1"))
        stored = strict(self.good("sql", "--json", "SELECT COUNT (*) AS n, SUM (calls) AS calls FROM capture_function "
                                  "WHERE capture_id = 1"))[0]
        real = [row for row in found if row["calls"] > 0]
        self.assertEqual((len(real), sum(row["calls"] for row in real)), (stored["n"], stored["calls"]))

    def test_functions_of_the_runs_add_up_to_those_of_the_study(self):
        def calls(*arguments):
            return {(row["function"], row["module"], row["ordinal"]): row["calls"]
                    for row in strict(self.good("functions", "--json", *arguments))}
        one, two, both = calls("--run", "one"), calls("--run", "two"), calls()
        self.assertEqual(both, {key: one.get(key, 0) + two.get(key, 0) for key in one.keys() | two.keys()})

    def test_a_quote_in_an_expression_is_no_end(self):
        self.assertEqual(strict(self.good("outliers", "--json", "--where", "comm = ';--)' OR file LIKE '%(%'")), [])


class ChoosingTheStudy(Commands):
    def here(self, *names):
        for name in names:
            shutil.copy(self.study, self.path(name))
        return ("env", "-C", self.folder)

    def test_the_environment_names_it(self):
        result = run("runs", "--json", before=("env", f"CULPRIT_STUDY={self.study}"))
        self.assertEqual(result.status, 0, result.stderr)
        self.assertEqual(len(strict(result.stdout)), 2)

    def test_the_option_goes_before_the_environment(self):
        result = run("runs", "--study", self.study, before=("env", "CULPRIT_STUDY=/no/such.culprit"))
        self.assertEqual(result.status, 0, result.stderr)

    def test_the_environment_goes_before_the_folder(self):
        self.bad("runs", before=(*self.here("a.culprit"), "CULPRIT_STUDY=/no/such.culprit"), names=["/no/such.culprit"])

    def test_the_only_study_of_the_folder_is_taken(self):
        result = run("runs", "--json", before=self.here("only.culprit"))
        self.assertEqual(result.status, 0, result.stderr)
        self.assertEqual(len(strict(result.stdout)), 2)

    def test_a_link_is_not_the_only_study(self):
        before = self.here()
        os.symlink(self.study, self.path("study.culprit"))
        for command in (("runs",), ("import", os.path.join(DATA, "none-1.dat"))):
            self.bad(*command, before=before, names=["no study", "--study"])

    def test_among_several_none_is_guessed(self):
        self.bad("runs", before=self.here("a.culprit", "b.culprit"), names=["several", "--study"])

    def test_where_there_is_none_it_is_said(self):
        self.bad("runs", before=self.here(), names=["no study", "--study"])

    def test_import_makes_one_where_there_is_none(self):
        result = run("import", self.one[0], before=self.here())
        self.assertEqual(result.status, 0, result.stderr)
        self.assertTrue(os.path.exists(self.path("study.culprit")))

    def test_import_adds_to_the_only_one(self):
        result = run("import", self.one[0], before=self.here("mine.culprit"))
        self.assertIn("mine.culprit", result.stdout)
        self.assertIn("1 already in the study", result.stdout)

    def test_import_does_not_guess_among_several(self):
        names = ("a.culprit", "b.culprit")
        before = self.here(*names)
        self.bad("import", self.one[0], before=before, names=["several", "--study"])
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(names))


class Sql(Commands):
    def test_a_query_is_answered(self):
        self.assertEqual(strict(self.good("sql", "--json", "SELECT COUNT (*) AS n FROM capture;")),
                         [{"n": len(self.one + self.rest)}])
        self.assertEqual(len(strict(self.good("sql", "--json", "WITH a AS (SELECT 1) SELECT * FROM a"))), 1)

    def test_columns_are_called_as_the_query_says_and_stand_by_their_values(self):
        lines = self.good("sql", "SELECT NULL AS Size_KB, NULL AS Why UNION ALL SELECT 1.25, 'so'").splitlines()
        self.assertEqual([line.rstrip() for line in lines], ["Size_KB  Why", "      -  -", "   1.25  so"])

    def test_nothing_can_be_written(self):
        study = shutil.copy(self.study, self.path("s.culprit"))
        with closing(sqlite3.connect(study)) as database:
            before = list(database.iterdump())
        new = self.path("new.db")
        for query in ("DELETE FROM capture", "UPDATE capture SET note = 'x'", "INSERT INTO run (name, source) VALUES "
                      "('x', 'captures')", "DROP TABLE capture", "CREATE TABLE x (y)", "CREATE TEMP TABLE x (y)",
                      f"VACUUM INTO '{new}'", "VACUUM", "PRAGMA user_version = 9", "PRAGMA journal_mode = DELETE",
                      "REINDEX", "BEGIN EXCLUSIVE", "DELETE FROM capture RETURNING *", f"ATTACH '{new}' AS x",
                      "WITH a AS (SELECT 1) DELETE FROM capture"):
            with self.subTest(query):
                self.bad("sql", "--study", study, query, names=[study])
        with closing(sqlite3.connect(study)) as database:
            self.assertEqual(list(database.iterdump()), before)
        self.assertEqual([name for name in os.listdir(self.folder) if not name.startswith("s.culprit")], [])

    def test_two_statements_are_refused(self):
        for query in ("SELECT 1; SELECT 2", "SELECT 1; DELETE FROM capture", "", ";", "   ", "/* nothing */"):
            with self.subTest(query):
                self.bad("sql", "--study", self.study, query, names=[self.study])

    def test_a_mistake_is_explained(self):
        self.bad("sql", "--study", self.study, "SELECT no_such FROM capture", names=[self.study, "no_such"])
        self.bad("sql", "--study", self.study, "SELEKT 1", names=[self.study, "SELEKT"])

    def test_the_views_can_be_read(self):
        for view in ("outlier", "budget", "ordinary", "function_total"):
            self.assertEqual(len(strict(self.good("sql", "--json", f"SELECT * FROM {view} LIMIT 3"))), 3, view)


if __name__ == "__main__":
    unittest.main()

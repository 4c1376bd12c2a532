# SPDX-License-Identifier: GPL-3.0-or-later
# Checks the manual pages: they are valid, the study's page describes the whole schema and nothing else, its example
# queries run, and the program's page has every command and option of the program.

import os
import re
import sqlite3
import subprocess
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("CULPRIT") or os.path.join(ROOT, "build", "app", "cli", "culprit")
PAGES = os.path.join(ROOT, "data", "man")
SAMPLE = os.path.join(ROOT, "data", "sample", "sample.culprit")
TABLES = {"runs": [], "outliers": [], "functions": [], "flame": [], "stalls": [], "sections": [], "show": ["1"], "latency": [],
          "compare": ["slides/off-1", "slides/on-1"]}
STUDY_PAGE = os.path.join(PAGES, "culprit-study.5")
PROGRAM_PAGE = os.path.join(PAGES, "culprit.1")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


def rendered(path):
    """The page as a reader sees it, without bold and underlined letters."""
    status, text, errors = run("mandoc", "-T", "ascii", "-O", "width=200", path)
    assert status == 0, errors
    return re.sub(".\b", "", text)


def parts(text, macro):
    """The parts of a page that begin with @macro, by their title."""
    pieces = re.split(rf"^\.{macro} (.+)$", text, flags=re.MULTILINE)
    return dict(zip([title.strip().strip('"') for title in pieces[1::2]], pieces[2::2]))


def section(path, title):
    return parts(read(path), "Sh")[title]


def items(text):
    """The variables that a list describes, each with its description; items may name several."""
    found = {}
    for name_line, body in re.findall(r"^\.It (Va .+)\n((?:(?!\.It |\.El).*\n)*)", text, flags=re.MULTILINE):
        for name in re.findall(r"\w+", re.sub(r"\bVa\b", " ", name_line)):
            assert name not in found, f"{name} is described twice"
            found[name] = body
    return found


def empty_study():
    database = sqlite3.connect(":memory:")
    database.executescript(read(os.path.join(ROOT, "data", "schema.sql")))
    return database


def objects(database, kind):
    return [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = ?", (kind,))]


def columns(database, name):
    """Each column's name and whether it may be NULL."""
    return {column[1]: not column[3] and not column[5] for column in database.execute(f"PRAGMA table_info ({name})")}


def example_queries():
    """The queries in section EXAMPLES, as they stand in the rendered page."""
    examples = rendered(STUDY_PAGE).split("\nEXAMPLES\n")[1].split("\nSEE ALSO\n")[0]
    return re.findall(r"^ +((?:SELECT|WITH)\b.*?;)$", examples, flags=re.MULTILINE | re.DOTALL)


class Soundness(unittest.TestCase):
    def test_mandoc_finds_nothing_to_warn_of(self):
        for page in (STUDY_PAGE, PROGRAM_PAGE):
            with self.subTest(page=os.path.basename(page)):
                status, text, errors = run("mandoc", "-T", "lint", "-W", "warning", page)
                self.assertEqual((status, text, errors), (0, "", ""))

    def test_every_page_begins_with_its_licence_and_purpose(self):
        for name in os.listdir(PAGES):
            with self.subTest(page=name):
                lines = read(os.path.join(PAGES, name)).splitlines()
                self.assertEqual(lines[0], '.\\" SPDX-License-Identifier: GPL-3.0-or-later')
                self.assertTrue(lines[1].startswith('.\\" ') and lines[2].startswith('.\\" '), lines[1:3])


class Schema(unittest.TestCase):
    def setUp(self):
        self.database = empty_study()
        self.addCleanup(self.database.close)

    def assert_describes(self, title, kind):
        described = parts(section(STUDY_PAGE, title), "Ss")
        self.assertEqual(sorted(described), sorted(objects(self.database, kind)))
        for name, text in described.items():
            with self.subTest(**{kind: name}):
                self.assertEqual(sorted(items(text)), sorted(columns(self.database, name)))

    def test_every_table_is_described_with_all_its_columns_and_no_other(self):
        self.assert_describes("TABLES", "table")

    def test_every_view_is_described_with_all_its_columns_and_no_other(self):
        self.assert_describes("VIEWS", "view")

    def test_what_null_means_is_told_for_the_columns_that_may_be_null_and_for_no_other(self):
        for name, text in parts(section(STUDY_PAGE, "TABLES"), "Ss").items():
            for column, may_be_null in columns(self.database, name).items():
                with self.subTest(table=name, column=column):
                    self.assertEqual("NULL: " in items(text)[column], may_be_null)

    def test_the_version_and_the_application_are_those_of_the_library(self):
        source = read(os.path.join(ROOT, "libanalysis", "study", "study.c"))
        identity = re.search(r"#define APPLICATION_ID (0x[0-9a-f]+)", source)[1]
        version = re.search(r"#define SCHEMA_VERSION (\d+)", source)[1]
        description = section(STUDY_PAGE, "DESCRIPTION")
        self.assertIn(f"is {int(identity, 16)} ({identity},", description)
        self.assertIn(f"This page describes version {version},", description)


class Examples(unittest.TestCase):
    def test_there_are_at_least_eight_and_none_is_overlooked(self):
        queries = example_queries()
        self.assertGreaterEqual(len(queries), 8)
        self.assertEqual(len(queries), section(STUDY_PAGE, "EXAMPLES").count(".Bd "))

    def test_every_query_runs_on_an_empty_study(self):
        database = empty_study()
        self.addCleanup(database.close)
        for query in example_queries():
            with self.subTest(query=query):
                self.assertEqual(database.execute(query).fetchall(), [])

    def test_no_query_names_a_text_where_it_means_a_column(self):
        for query in example_queries():
            with self.subTest(query=query):
                self.assertNotIn('"', query, "SQLite takes an unknown column in double quotes for a text")


class Program(unittest.TestCase):
    def setUp(self):
        status, self.help, errors = run(PROGRAM, "help")
        self.assertEqual((status, errors), (0, ""))
        self.commands = re.findall(r"^  (\w+) +\S", self.help, flags=re.MULTILINE)
        self.described = parts(section(PROGRAM_PAGE, "COMMANDS"), "Ss")
        self.synopsis = section(PROGRAM_PAGE, "SYNOPSIS").split(".Nm\n")

    def options(self, command):
        """Each option that the program's help tells of, with the name of its value or an empty text."""
        status, text, errors = run(PROGRAM, "help", command)
        self.assertEqual((status, errors), (0, ""))
        return re.findall(r"^  (?:-\w, )?--([\w-]+)(?:=(\S+))?", text, flags=re.MULTILINE)

    def test_the_program_tells_its_commands(self):
        self.assertGreaterEqual(len(self.commands), 8, self.help)

    def test_every_command_is_described_and_no_other(self):
        self.assertEqual(sorted(self.described), sorted([*self.commands, "help"]))

    def test_every_command_stands_in_the_synopsis(self):
        for command in self.commands:
            with self.subTest(command=command):
                self.assertEqual(sum(use.startswith(f".Cm {command}\n") for use in self.synopsis), 1)

    def test_every_option_is_described_with_its_value(self):
        shared = section(PROGRAM_PAGE, "OPTIONS")
        for command in self.commands:
            for option, value in self.options(command):
                with self.subTest(command=command, option=option):
                    item = rf"^\.It (?:Fl \w , )?Fl -{option}" + (f" Ar {value}" if value else "") + "$"
                    self.assertRegex(shared + self.described[command], re.compile(item, re.MULTILINE))

    def test_no_option_is_described_that_the_program_has_not(self):
        for command in self.commands:
            with self.subTest(command=command):
                described = re.findall(r"^\.It Fl -([\w-]+)", self.described[command], flags=re.MULTILINE)
                self.assertLessEqual(set(described), {option for option, value in self.options(command)})

    def test_the_synopsis_of_a_command_names_options_that_it_has(self):
        for use in self.synopsis:
            command = re.match(r"\.Cm (\w+)", use)
            if not command or command[1] == "help":
                continue
            with self.subTest(command=command[1]):
                named = re.findall(r"(?:Fl|\|) -([\w-]+)", use)
                own = {option for option, value in self.options(command[1])}
                self.assertLessEqual(set(named), own)
                self.assertLessEqual(own - {"help", "csv"}, set(named))

    def test_the_columns_of_tables_are_those_that_the_help_explains_and_the_manual_names(self):
        for command, arguments in TABLES.items():
            with self.subTest(command=command):
                status, table, errors = run(PROGRAM, command, *arguments, "--study", SAMPLE, "--csv")
                self.assertEqual((status, errors), (0, ""))
                columns = table.splitlines()[0].split(",")
                explained = run(PROGRAM, "help", command)[1].partition("\nColumns of CSV")[2]
                named = re.search(r"^explains:\n(.*?)\.$", self.described[command], flags=re.MULTILINE | re.DOTALL)[1]
                self.assertEqual(re.findall(r"^  ([a-z]\S*) +\S", explained, flags=re.MULTILINE), columns)
                self.assertEqual(re.split(r",\s", named), columns)

    def test_every_exit_status_and_variable_is_named(self):
        statuses = re.findall(r"^\.It (\d+)$", section(PROGRAM_PAGE, "EXIT STATUS"), flags=re.MULTILINE)
        self.assertEqual(statuses, ["0", "1", "2", "130"])
        variables = re.findall(r"^\.It Ev (\w+)$", section(PROGRAM_PAGE, "ENVIRONMENT"), flags=re.MULTILINE)
        self.assertEqual(variables, ["CULPRIT_FLEET_PYTHON", "CULPRIT_PATIENCE", "CULPRIT_STUDY", "NO_COLOR"])


if __name__ == "__main__":
    unittest.main()

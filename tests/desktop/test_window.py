# SPDX-License-Identifier: GPL-3.0-or-later
# The window as its users have it: a study is opened, looked through, triaged, exported, imported into; bad files are
# told of; nothing is lost when it is closed in the middle.

import csv
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

import culprit  # noqa: E402
from desktop import PAGES, Desktop, settings_in  # noqa: E402

DATA = os.path.join(HERE, "..", "data")


class Window(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.captures = os.path.join(cls.made, "captures")
        os.mkdir(cls.captures)
        for name in os.listdir(DATA):
            if name.endswith(".dat"):
                shutil.copy(os.path.join(DATA, name), cls.captures)
        cls.whole = os.path.join(cls.made, "whole.culprit")
        culprit.import_captures(cls.whole, [cls.captures])

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = self.path("s.culprit")
        shutil.copy(self.whole, self.study)

    def path(self, name):
        return os.path.join(self.folder, name)

    def open(self, *arguments, **options):
        window = Desktop(*arguments, **options)
        self.addCleanup(window.close)
        return window

    def open_new(self, path):
        """A window with a study that is still to be made."""
        window = self.open()
        window.begin_study(path)
        return window

    def test_a_study_that_fails_late(self):
        """Its tables would say that they are being read for ever."""
        with closing(sqlite3.connect(self.study, isolation_level=None)) as database:
            database.execute("PRAGMA journal_mode = DELETE")
            database.execute("BEGIN EXCLUSIVE")
            database.execute("DROP TABLE fleet_new")
            window = self.open(self.study)
            window.wait(lambda: window.state("page") == "'outliers'", "the window")
            window.act_on_application("open-recent", f"'{self.path('none.culprit')}'")
            window.wait(lambda: "none.culprit: no such study" in (window.state("dismiss") or ""), "the other's reason")
            database.execute("COMMIT")
        window.wait(lambda: [path[-1] for path in window.window_paths()] == ["2"], "another window")
        window.wait(lambda: all(why in (window.state("dismiss", window=2) or "") for why in ("its schema is not that", "none.culprit: ")), "the reasons")
        self.assertEqual(window.state("page", window=2), None)

    def test_numbers_are_the_same_in_every_locale(self):
        """In most of Europe decimals follow a comma; reports, and times that are read again, have a point."""
        locales = self.path("locales")
        os.mkdir(locales)
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", os.path.join(locales, "de_DE.UTF-8")], check=True)
        window = self.open(self.study, environment={"LOCPATH": locales, "LC_ALL": "de_DE.UTF-8"})
        window.wait(lambda: window.state("capture") not in (None, "0"), "the study being read")
        window.act("report-to", f"'{self.path('window.html')}'")
        window.wait(lambda: os.path.exists(self.path("window.html")), "the report")
        german = ("env", f"LOCPATH={locales}", "LC_ALL=de_DE.UTF-8")
        for before in (german, ("env", "LC_ALL=C.UTF-8")):
            self.assertEqual(culprit.run("report", "--study", self.study, "--out", self.path("command.html"), before=before).status, 0)
            with open(self.path("window.html"), encoding="utf-8") as written, open(self.path("command.html"), encoding="utf-8") as same:
                self.assertEqual(*(re.sub(r"\d\d:\d\d UTC", "", file.read()) for file in (written, same)))  # when it was made
        window.act("record-band", "('', int64 575500, int64 1000250)")
        window.wait(lambda: window.state("page") == "'record'", "the page")
        self.assertTrue(window.can("record-check"))

    def open_study(self):
        window = self.open(self.study)
        window.wait(lambda: window.state("capture") not in (None, "0"), "the study being read")
        window.wait(lambda: all(row["class"] for row in self.export(window)), "the verdict")
        return window

    def export(self, window, name="t.csv"):
        """The rows of the table that is shown."""
        path = self.path(name)
        if os.path.exists(path):
            os.unlink(path)
        window.wait(lambda: (window.act("export-table-to", f"'{path}'"), os.path.exists(path))[1], "the export")
        with open(path, encoding="utf-8", newline="") as file:
            return json.load(file) if name.lower().endswith(".json") else list(csv.DictReader(file))

    def triage(self, capture):
        with sqlite3.connect(self.study) as database:
            found = database.execute("SELECT triage, note FROM capture WHERE capture_id = ?", (capture,)).fetchone()
        database.close()
        return found

    def test_every_page_shows_what_the_commands_tell(self):
        window = self.open_study()
        for page, command in (("outliers", "outliers"), ("functions", "functions")):
            window.act("page", f"'{page}'")
            window.wait(lambda page=page: window.state("page") == f"'{page}'")
            shown = self.export(window, f"{page}.JSON")
            told = json.loads(culprit.run(command, "--study", self.study, "--json").stdout)
            for row in told:
                row.pop("budget", None)
                row.pop("budget_sum_ns", None)
            self.assertEqual(shown, told)
        window.act("page", "'stalls'")
        stretches = json.loads(culprit.run("stalls", "--study", self.study, "--json").stdout)
        self.assertEqual(sorted(int(row["capture"]) for row in self.export(window)), [row["capture"] for row in stretches])
        window.act("page", "'latency'")
        self.assertEqual(self.export(window), [])

    def test_search_leaves_what_matches_and_finds_it_again(self):
        window = self.open_study()
        everything = self.export(window)
        window.act("search-for", "'qh_comp'")
        window.wait(lambda: len(self.export(window)) < len(everything), "the search")
        self.assertEqual({row["culprit"] for row in self.export(window)}, {"qh_completions"})
        window.act("search-for", "''")
        window.wait(lambda: len(self.export(window)) == len(everything), "the end of the search")

    def test_those_of_one_culprit_stand_together_by_their_excess(self):
        window = self.open_study()
        before = self.export(window)
        window.act("group")
        window.wait(lambda: window.state("group") == "true")
        names = [row["culprit"] for row in self.export(window)]
        excess = {}
        for row in before:
            excess[row["culprit"]] = excess.get(row["culprit"], 0) + int(row["excess_ns"])
        order = sorted(filter(None, excess), key=lambda name: -excess[name]) + [name for name in excess if not name]
        self.assertEqual(list(dict.fromkeys(names)), order)
        self.assertEqual(names, sorted(names, key=order.index))
        latest = [int(row["latency_ns"]) for row in self.export(window) if row["culprit"] == order[0]]
        self.assertEqual(latest, sorted(latest, reverse=True))
        window.act("reload")
        window.wait(lambda: [row["culprit"] for row in self.export(window)] == names, "the groups after reading again")
        window.act("group")
        window.wait(lambda: self.export(window) == before, "the order without groups")

    def test_states_and_notes_are_stored_and_taken_back(self):
        window = self.open_study()
        window.act("capture", "int64 7")
        window.wait(lambda: window.state("capture") == "7")
        window.act("triage", "'explained'")
        window.wait(lambda: self.triage(7) == ("explained", ""), "the state")
        window.act("note", "'the camera again'")
        window.wait(lambda: self.triage(7) == ("explained", "the camera again"), "the note")
        window.act("undo")
        window.wait(lambda: self.triage(7) == ("explained", ""), "the first undo")
        window.act("undo")
        window.wait(lambda: self.triage(7) == ("new", ""), "the second undo")
        window.act("redo")
        window.wait(lambda: self.triage(7) == ("explained", ""), "the redo")
        self.assertEqual([row["triage"] for row in self.export(window) if row["capture"] == "7"], ["explained"])
        self.assertEqual(self.triage(8), ("new", ""))

    def test_a_note_that_cannot_be_stored_is_told_of_after_its_window_was_closed(self):
        window = self.open_study()
        window.act("capture", "int64 7")
        window.wait(lambda: window.state("capture") == "7")
        with closing(sqlite3.connect(self.study, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            database.execute("UPDATE capture SET sha256 = 'x' || substr (sha256, 2) WHERE capture_id = 7")
            window.act("note", "'the camera again'")
            window.act_on_application("quit")
            window.wait(lambda: not window.window_paths(), "the window to be closed")
            database.execute("COMMIT")
        window.wait(lambda: "note was not stored" in (window.state("dismiss", window=2) or ""), "the reason")
        self.assertRegex(window.text(), "^culprit-desktop: .*note was not stored: .*s.culprit: capture 7 is another one")
        self.assertEqual(window.close(), 0)

    def test_a_report_that_cannot_be_written_is_told_of_after_its_window_was_closed(self):
        window = self.open_study()
        with closing(sqlite3.connect(self.study, isolation_level=None)) as database:
            database.execute("BEGIN EXCLUSIVE")
            window.act("report-to", f"'{self.path('no/r.html')}'")
            window.act_on_application("quit")
            window.wait(lambda: not window.window_paths(), "the window to be closed")
            database.execute("COMMIT")
        window.wait(lambda: "r.html: " in (window.state("dismiss", window=2) or ""), "the reason")
        self.assertRegex(window.text(), "^culprit-desktop: .*no/r.html: ")
        self.assertEqual(window.close(), 0)

    def see(self, window, page):
        window.act("page", f"'{page}'")
        window.wait(lambda: window.state("page") == f"'{page}'")
        return self.export(window, f"{page}.json")

    def test_an_ignored_capture_is_left_out_of_functions_and_stalls_and_comes_back(self):
        window = self.open_study()
        window.wait(lambda: (order := [row["capture"] for row in self.see(window, "stalls")]) and order != sorted(order), "the stalls by length")
        before = [self.see(window, page) for page in ("functions", "stalls", "outliers")]
        window.act("capture", "int64 7")
        window.wait(lambda: window.state("capture") == "7")
        window.act("triage", "'ignored'")
        others = len(os.listdir(self.captures)) - 2  # one has no window
        window.wait(lambda: {row["outlier"]["windows"] for row in self.see(window, "functions")} == {others},
                    "the functions of others")
        self.assertEqual(self.see(window, "functions"),
                         json.loads(culprit.run("functions", "--study", self.study, "--json").stdout))
        self.assertEqual([row["capture"] for row in self.see(window, "stalls")],
                         [row["capture"] for row in before[1] if row["capture"] != 7])
        self.assertEqual([(row["capture"], row["triage"]) for row in self.see(window, "outliers")],
                         [(row["capture"], "ignored" if row["capture"] == 7 else "new") for row in before[2]])
        self.assertEqual(window.state("capture"), "7")
        window.act("group")
        window.wait(lambda: self.export(window)[-1]["capture"] == "7", "the group of those ignored, the last")
        window.act("group")
        window.act("undo")
        window.wait(lambda: self.see(window, "functions") == before[0], "the functions as before")
        window.wait(lambda: [self.see(window, page) for page in ("stalls", "outliers")] == before[1:], "the rest as before")

    def test_an_undo_right_behind_a_change_takes_back_that_change(self):
        window = self.open_study()
        window.act("capture", "int64 7")
        window.wait(lambda: window.state("capture") == "7")
        window.act("triage", "'explained'")
        window.act("undo")
        window.act("capture", "int64 8")
        window.act("triage", "'seen'")
        window.wait(lambda: self.triage(8)[0] == "seen", "what was stored behind both")
        self.assertEqual(self.triage(7)[0], "new")

    def test_times_are_remembered_but_a_study_opens_on_its_verdict(self):
        environment = {**settings_in(self.folder), "XDG_CONFIG_HOME": self.folder}
        for before, after in (("false", "true"), ("true", "false"), ("false", "true")):
            window = self.open(self.study, environment=environment)
            window.wait(lambda window=window: window.state("capture") not in (None, "0"), "the study being read")
            window.wait(lambda window=window, before=before: window.state("traced") == before)
            self.assertEqual([window.state(action) for action in ("page", "verdict", "cause")], ["'outliers'", "true", "''"])
            for action, value in (("traced", ""), ("verdict", ""), ("page", "'functions'")):
                window.act(action, value)
            window.wait(lambda window=window, after=after: [window.state(action) for action in ("traced", "verdict", "page")] ==
                        [after, "false", "'functions'"])
            self.assertEqual(window.close(), 0)

    def test_the_window_is_no_larger_than_its_display(self):
        for size, scale in (("800x600", 1), ("1920x1080", 2)):
            with self.subTest(size=size, scale=scale):
                window = Desktop(self.study, size=size, environment={"GDK_SCALE": str(scale)})
                self.addCleanup(window.close)
                window.wait(lambda window=window: window.state("capture") not in (None, "0"), "the study being read")
                for page in PAGES:
                    window.act("page", f"'{page}'")
                    window.wait(lambda window=window, page=page: window.state("page") == f"'{page}'")
                    own = max(window.screen.sizes_of_windows())
                    self.assertTrue(all(one <= most for one, most in zip(own, map(int, size.split("x")))), (page, own))
                self.assertEqual(window.close(), 0)

    def test_what_is_chosen_stays_chosen_on_every_page(self):
        window = self.open_study()
        window.act("next")
        chosen = window.wait(lambda: window.state("capture"))
        window.act("function", "'qh_completions'")
        for page in PAGES:
            window.act("page", f"'{page}'")
            window.wait(lambda page=page: window.state("page") == f"'{page}'")
            self.assertEqual((window.state("capture"), window.state("function")), (chosen, "'qh_completions'"))

    def test_captures_are_imported_and_what_is_none_is_told_of(self):
        with open(os.path.join(self.captures, "bad.dat"), "w", encoding="ascii") as file:
            file.write("not a capture\n")
        self.addCleanup(os.unlink, file.name)
        study = self.path("new.culprit")
        window = self.open_new(study)
        window.act("import-from", f"'{file.name}'")
        window.act("import-from", f"'{self.captures}'")
        window.wait(lambda: os.path.exists(study) and window.state("capture") not in (None, "0"), "the import")
        self.assertIn("bad.dat: not a trace-cmd file", window.state("dismiss"))
        count, = culprit.rows(study, "SELECT COUNT (*) AS n FROM capture")
        self.assertEqual(count["n"], len(os.listdir(self.captures)) - 1)  # bad.dat

    def test_a_capture_of_which_nothing_is_shown_is_told_of(self):
        window = self.open_new(self.path("new.culprit"))
        for told in ("no-marker-1.dat: stored without windows: it has no latency marker", "1 file already imported"):
            window.act("import-from", f"'{os.path.join(self.captures, 'no-marker-1.dat')}'")
            window.wait(lambda told=told: told in (window.state("dismiss") or ""), f"“{told}”")
            window.act("dismiss")
            window.wait(lambda: window.state("dismiss") == "''")

    def leave_out_a_run(self):
        """Its name: it has latencies that cannot be shown."""
        with closing(sqlite3.connect(self.study)) as database, database:
            run_id, name = database.execute("SELECT run_id, name FROM run LIMIT 1").fetchone()
            database.execute("INSERT INTO run_latency VALUES (?, 99, ?, 1)", (run_id, 2 ** 62))
        return name

    def bad_file(self):
        with open(self.path("bad.dat"), "w", encoding="ascii") as file:
            file.write("not a capture\n")
        return file.name

    def wait_for_message(self, window, *parts):
        """A line with each of @parts and no other."""
        def told():
            lines = [line for line in (window.state("dismiss") or "''")[1:-1].split("\\n") if line]
            return len(lines) == len(parts) and all(any(part in line for line in lines) for part in parts)
        window.wait(told, f"the message of {parts}")

    def test_runs_that_cannot_be_shown_are_told_of_by_name(self):
        name = self.leave_out_a_run()
        window = self.open(self.study)
        self.wait_for_message(window, "1 run is left out")
        self.assertIn(name, window.state("dismiss"))
        window.act("dismiss")
        self.wait_for_message(window)
        window.act("reload")
        self.wait_for_message(window, "1 run is left out")
        with closing(sqlite3.connect(self.study)) as database, database:
            database.execute("DELETE FROM run_latency WHERE cpu = 99")
        window.act("reload")
        self.wait_for_message(window)

    def test_a_message_stays_until_another_is_about_the_same(self):
        self.leave_out_a_run()
        bad = self.bad_file()
        nowhere, table = self.path("no/t.csv"), self.path("t.csv")
        window = self.open(self.study, bad)
        self.wait_for_message(window, "1 run is left out", "bad.dat: ")
        window.act("page", "'outliers'")
        window.act("export-table-to", f"'{nowhere}'")
        self.wait_for_message(window, "1 run is left out", "bad.dat: ", "t.csv: ")
        window.act_on_application("open-recent", f"'{self.path('none.culprit')}'")
        self.wait_for_message(window, "none.culprit: ", "1 run is left out", "bad.dat: ", "t.csv: ")
        self.assertRegex(window.state("dismiss"), r"none\.culprit.*t\.csv")  # the newest first
        window.act("export-table-to", f"'{table}'")
        self.wait_for_message(window, "none.culprit: ", "1 run is left out", "bad.dat: ")
        window.act_on_application("open-recent", f"'{self.study}'")
        self.wait_for_message(window, "1 run is left out", "bad.dat: ")
        window.act("dismiss")
        self.wait_for_message(window)

    def test_each_given_study_that_cannot_be_opened_is_named(self):
        self.leave_out_a_run()
        bad, none = self.path("bad.culprit"), self.path("none.culprit")
        shutil.copy(self.bad_file(), bad)
        for given in ((none, bad), (none, bad, self.study), (none, self.path("nil.culprit"), self.study)):
            with self.subTest(given=given):
                window = self.open(*given)
                named = [f"{os.path.basename(path)}: " for path in given if path != self.study]
                self.wait_for_message(window, *named, *["1 run is left out"] * (self.study in given))
                self.assertEqual(len(window.window_paths()), 1)
                self.assertEqual(window.close(), 0)
        window = self.open(self.study, none, self.path("bad.dat"))
        self.wait_for_message(window, "; 1 file given with it was not imported", "1 run is left out")

    def test_a_study_that_could_be_read_after_an_import_is_not_said_to_be_none(self):
        study = self.path("empty.culprit")
        with open(study, "w", encoding="ascii"):
            pass
        window = self.open()
        window.act("new-study-at", f"'{study}'")
        self.wait_for_message(window, "not a study (it is empty)")
        window.act("import-from", f"'{os.path.join(self.captures, 'blind-1.dat')}'")
        window.wait(lambda: window.state("notice") == "'Imported 1 capture'", "the import")
        self.wait_for_message(window, "blind-1.dat: no ordinary windows")

    def test_without_a_name_for_a_study_the_start_page_stays(self):
        window = self.open(os.path.join(self.captures, "blind-1.dat"))
        window.wait(lambda: any(width > 1000 for width, _ in window.screen.sizes_of_windows()), "the window below the dialog")
        self.assertEqual(window.close(), 0)

    def test_what_a_latency_file_was_taken_for_is_told(self):
        text = self.path("table.txt")
        with open(text, "w", encoding="ascii") as file:
            file.write("count,latency_ns\n2257,6000\n5,7000\n")
        tools = os.path.join(HERE, "..", "data", "tools")
        window = self.open_new(self.path("latencies.culprit"))
        window.act("import-from", f"'{text}'")
        window.wait(lambda: "table.txt" in (window.state("dismiss") or ""), "the message")
        self.assertRegex(window.state("dismiss"), 'table; "latency_ns" as latency in 1 ns, "count" as count')
        window.act("dismiss")
        window.act("import-from", f"'{os.path.join(tools, 'cyclictest-h-overflows.txt')}'")
        window.wait(lambda: "cyclictest histogram; latencies in 1.0 us" in (window.state("dismiss") or ""), "the message")
        self.assertRegex(window.state("dismiss"), r"[0-9]+ latencies above the histogram's end are left out")

    def test_latencies_of_bins_show_them_and_what_the_tool_told(self):
        name = os.path.join(HERE, "..", "data", "tools", "stress-ng-cyclic-dist-10000.txt")
        with open(name, encoding="ascii") as file:
            bins = [line for line in file if not re.search("mean:|min:|percentiles|%:", line)]
        with open(self.path("bins.txt"), "w", encoding="ascii") as file:
            file.writelines(bins)
        study = self.path("bins.culprit")
        for path in (name, self.path("bins.txt"), os.path.join(HERE, "..", "data", "tools", "cyclictest-h.txt")):
            self.assertEqual(culprit.run("import", "--study", study, path).status, 0)
        window = self.open(study)
        window.act("page", "'latency'")
        table = self.path("latency.json")
        def rows():
            window.act("export-table-to", f"'{table}'")
            if os.path.exists(table):
                with open(table, encoding="utf-8") as file:
                    return {row["run"]: row for row in json.load(file)}
            return None
        found = window.wait(rows, "the latencies")
        self.assertEqual([found["bins"][key] for key in ("median_from_ns", "median_to_ns", "p99_from_ns", "p99_to_ns")],
                         [0, 10000, 40000, 50000])
        self.assertEqual(found["bins"]["read_as"], "bins of 10.0 us")
        told = found["stress-ng-cyclic-dist-10000"]
        self.assertEqual([told[key] for key in ("median_ns", "median_from_ns", "median_to_ns", "min_ns")],
                         [7656, 7656, 7656, 5073])
        self.assertEqual(told["read_as"], "bins of 10.0 us; from the tool: min, mean, mode, max, sd, quantiles")
        self.assertEqual(found["cyclictest-h"]["read_as"], "1.0 us")

    def test_a_failure_is_not_hidden_by_what_is_imported_after_it(self):
        tools = os.path.join(HERE, "..", "data", "tools")
        window = self.open_new(self.path("after.culprit"))
        for name in ("rtla-timerlat-top.txt", "rtla-timerlat.txt"):
            window.act("import-from", f"'{os.path.join(tools, name)}'")
        window.wait(lambda: "rtla timerlat histogram" in (window.state("dismiss") or ""), "the message")
        self.assertIn("save the output of rtla timerlat hist", window.state("dismiss"))

    def test_a_file_that_is_no_study_is_told_of_where_one_was(self):
        bad, cut = self.path("bad.culprit"), self.path("cut.culprit")
        with open(bad, "w", encoding="ascii") as file:
            file.write("this is a text\n")
        with open(self.study, "rb") as whole, open(cut, "wb") as file:
            file.write(whole.read(6000))
        os.mkdir(self.path("schemas"))
        environment = settings_in(self.path("schemas"))
        cases = ((bad, "bad.culprit: not a study"), (cut, "cut.culprit: "),
                 (self.path("none.culprit"), "none.culprit: no such study"))
        window = self.open(bad, environment=environment)
        for path, why in cases:
            with self.subTest(path=path):
                window.act("dismiss")
                window.act_on_application("open-recent", f"'{path}'")
                window.wait(lambda why=why: why in (window.state("dismiss") or ""), "the message")
                self.assertEqual(len(window.window_paths()), 1)
                self.assertIsNone(window.state("page"), "the start page")
        window.act_on_application("open-recent", f"'{self.study}'")
        window.wait(lambda: window.state("capture") not in (None, "0"), "the study")
        self.assertEqual(window.state("dismiss"), "''")
        for path, why in cases:
            with self.subTest(path=path, beside="a study"):
                window.act_on_application("open-recent", f"'{path}'")
                window.wait(lambda why=why: why in (window.state("dismiss") or ""), "the message")
                self.assertEqual(len(window.window_paths()), 1)
        kept = os.path.join(window.home.name, "glib-2.0", "settings", "keyfile")
        window.wait(lambda: os.path.exists(kept), "the settings")
        with open(kept, encoding="utf-8") as file:
            text = file.read()
        self.assertIn(self.study, text)
        for path, _ in cases:
            self.assertNotIn(path, text)
        self.assertEqual(window.close(), 0)
        with open(bad, encoding="ascii") as file:
            self.assertEqual(file.read(), "this is a text\n")

    def test_a_study_is_made_with_its_first_capture(self):
        bad = self.path("bad.dat")
        with open(bad, "w", encoding="ascii") as file:
            file.write("not a capture\n")
        shutil.copy(os.path.join(self.captures, "blind-1.dat"), self.folder)
        study = self.path(os.path.basename(self.folder) + ".culprit")
        window = self.open()
        window.act("import-from", f"'{bad}'")
        window.wait(lambda: "bad.dat: not a trace-cmd file" in (window.state("dismiss") or ""), "the message")
        self.assertFalse(os.path.exists(study))
        window.act("import-from", f"'{self.path('blind-1.dat')}'")
        window.wait(lambda: window.state("capture") not in (None, "0"), "the import")
        self.assertEqual(culprit.rows(study, "SELECT COUNT (*) AS n FROM capture"), [{"n": 1}])

    def test_an_import_whose_window_was_closed_is_seen_in_the_next_window_of_its_study(self):
        study, table, captures = self.path("new.culprit"), self.path("t.csv"), sorted(os.listdir(DATA))
        captures = [os.path.join(DATA, name) for name in captures if name.endswith(".dat")][:3]
        culprit.import_captures(study, captures[:1])
        window = self.open(study)
        window.wait(lambda: window.state("capture") not in (None, "0"), "the study being read")
        with closing(sqlite3.connect(study)) as other:
            other.execute("BEGIN IMMEDIATE")
            for path in captures:
                window.act("import-from", f"'{path}'")
            window.act_on_application("quit")
            window.act_on_application("open-recent", f"'{study}'")
            window.wait(lambda: window.state("capture", window=2) not in (None, "0"), "the other window")

        def rows():
            window.try_to("export-table-to", f"'{table}'", window=2)
            if os.path.exists(table):
                with open(table, encoding="utf-8") as file:
                    return len(file.readlines())
            return None

        window.wait(lambda: rows() == 1 + len(captures), "all captures")
        self.assertEqual(window.close(), 0)

    def test_captures_given_with_a_study_are_imported_into_it(self):
        captures = [os.path.join(DATA, name) for name in sorted(os.listdir(DATA)) if name.endswith(".dat")]
        study = self.path("t.culprit")
        culprit.import_captures(study, captures[:1])
        window = self.open(self.study, study, captures[1])
        window.wait(lambda: culprit.rows(study, "SELECT COUNT (*) AS n FROM capture") == [{"n": 2}], "the import")
        self.assertEqual(window.close(), 0)
        window = self.open(self.path("none.culprit"), captures[1])
        window.wait(lambda: "no such study" in (window.state("dismiss") or ""), "the reason")
        self.assertIn("; 1 file given with it was not imported", window.state("dismiss"))
        self.assertEqual(window.close(), 0)
        window = self.open(self.study, self.path("none.culprit"), captures[1])
        window.wait(lambda: window.state("page") == "'outliers'", "the study")
        self.assertIn("; 1 file given with it was not imported", window.state("dismiss"))

    def test_a_remote_file_for_a_new_study_is_told_of_by_its_address(self):
        window = self.open()
        window.act("import-from", "'smb://host/x.dat'")
        window.wait(lambda: "'smb://host/x.dat: cannot be opened" in (window.state("dismiss") or ""), "the reason")

    def test_a_new_study_whose_suffix_was_left_out_is_not_begun_where_there_is_one(self):
        """A dialog has asked about the name as it was typed."""
        window = self.open()
        window.act("new-study-at", f"'{self.path('s')}'")
        window.wait(lambda: f"{self.study}: exists already" in (window.state("dismiss") or ""), "the reason")
        self.assertIsNone(window.state("page"))
        window.act("new-study-at", f"'{self.path('t')}'")
        window.wait(lambda: window.state("page") == "'record'", "the new study")
        self.assertEqual(window.state("dismiss"), "''")

    def test_closing_while_it_reads_is_safe_and_an_import_goes_on(self):
        study = self.path("new.culprit")
        window = self.open_new(study)
        window.act("import-from", f"'{self.captures}'")
        self.assertEqual(window.close(), 0)
        self.assertEqual(culprit.run("check", "--study", study).status, 0)
        self.assertEqual(culprit.rows(study, "SELECT COUNT (*) AS n FROM capture"), [{"n": len(os.listdir(self.captures))}])
        window = self.open(self.study)
        self.assertEqual(window.close(), 0)

    def test_several_windows_and_the_start_page(self):
        window = self.open()
        self.assertEqual(len(window.window_paths()), 1)
        window.act_on_application("open-recent", f"'{self.study}'")
        window.wait(lambda: window.state("capture") not in (None, "0"), "the study being read")
        window.act_on_application("new-window")
        window.wait(lambda: len(window.window_paths()) == 2)
        window.act_on_application("open-recent", f"'{self.whole}'")
        window.wait(lambda: window.state("capture", window=2) not in (None, "0"), "the second study")

    def test_the_report_of_all_is_that_of_the_command(self):
        window = self.open_study()
        path, told = self.path("r.html"), self.path("told.html")
        window.act("report-to", f"'{path}'")
        window.wait(lambda: os.path.exists(path), "the report")
        self.assertEqual(culprit.run("report", "--study", self.study, "--out", told).status, 0)
        with open(path, encoding="utf-8") as file, open(told, encoding="utf-8") as other:
            self.assertEqual(file.read(), other.read())

    def test_the_timeline_is_exported_as_it_is_seen_once_its_file_is_there(self):
        window = self.open_study()
        path = self.path("t.svg")
        window.act("details", "'timeline'")
        self.assertFalse(window.can("export-picture"))
        os.symlink(self.captures, self.path("captures"))
        window.act("next")
        window.wait(lambda: (window.act("export-picture-to", f"'{path}'"), os.path.exists(path))[1], "the timeline")
        with open(path, encoding="utf-8") as file:
            self.assertIn("<svg", file.read(1000))
        self.assertTrue(window.can("export-picture"))
        window.act("details", "'tree'")
        window.wait(lambda: not window.can("export-picture"), "no picture to be there")
        window.act("page", "'compare'")
        window.wait(lambda: window.can("export-picture"), "a picture to be there")

    def test_the_sample_names_its_culprit_and_is_the_user_s_own(self):
        window = self.open()
        window.act_on_application("open-sample")
        window.wait(lambda: window.state("capture") not in (None, "0"), "the sample being read")
        window.act("page", "'functions'")
        self.assertEqual(self.export(window)[0]["function"], "qh_completions")
        window.act("triage", "'seen'")
        self.study = os.path.join(window.home.name, "culprit", "sample.culprit")
        window.wait(lambda: self.triage(1)[0] == "seen", "the state")
        window.act("details", "'timeline'")
        path = self.path("t.png")
        window.wait(lambda: (window.act("export-picture-to", f"'{path}'"), os.path.exists(path))[1], "the timeline")

    def test_the_call_tree_is_read_when_it_is_looked_at_and_leaves_what_was_chosen(self):
        os.symlink(self.captures, self.path("captures"))
        window = self.open_study()
        window.act("function", "'scan_periodic'")
        for capture in range(4, 8):
            window.act("capture", f"int64 {capture}")
            window.act("details", "'tree'")
            window.wait(lambda capture=capture: window.state("capture") == str(capture))
        self.assertEqual(window.state("function"), "'scan_periodic'")
        self.assertEqual(window.state("page"), "'outliers'")
        self.assertEqual(window.close(), 0)

    def test_what_was_done_is_told_and_what_is_over_is_not(self):
        window = self.open_study()
        window.act("page", "'outliers'")
        nowhere, table, report = self.path("no/t.csv"), self.path("t2.csv"), self.path("r.html")
        window.act("export-table-to", f"'{nowhere}'")
        window.wait(lambda: "t.csv" in (window.state("dismiss") or ""), "the failure")
        window.act("export-table-to", f"'{table}'")
        window.wait(lambda: window.state("notice") == "'Saved t2.csv'", "the notice of the table")
        self.assertEqual(window.state("dismiss"), "''")
        window.act("report-to", f"'{nowhere}'")
        window.wait(lambda: window.state("dismiss") != "''", "the failure")
        window.act("report-to", f"'{report}'")
        window.wait(lambda: window.state("notice") == "'Saved r.html'", "the notice of the report")
        self.assertEqual(window.state("dismiss"), "''")
        window.act("copy")
        window.wait(lambda: window.state("notice") == "'Copied 1 row'", "the notice of what was copied")
        text = self.path("late.txt")
        with open(text, "w", encoding="ascii") as file:
            file.write("count,latency_ns\n2257,6000\n5,7000\n")
        window.act("import-from", f"'{text}'")
        window.wait(lambda: window.state("notice") == "'Imported 1 latency profile'", "the notice of the import")

    def test_a_chart_is_exported_as_it_is_seen(self):
        latencies = self.path("x.txt")
        with open(latencies, "w", encoding="ascii") as file:
            file.writelines(f"{5000 + 7 * (number * number % 401)}\n" for number in range(5000))
        culprit.run("import", "--study", self.study, "--unit", "1ns", latencies)
        window = self.open_study()
        window.act("page", "'latency'")
        window.wait(lambda: len(self.export(window)) == 1, "the latencies")
        for name, begin in (("c.svg", b"<?xml"), ("c.png", b"\x89PNG")):
            path = self.path(name)
            window.act("export-picture-to", f"'{path}'")
            window.wait(lambda path=path: os.path.exists(path), "the picture")
            with open(path, "rb") as file:
                self.assertEqual(file.read(len(begin)), begin)


if __name__ == "__main__":
    unittest.main()

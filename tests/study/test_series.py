# SPDX-License-Identifier: GPL-3.0-or-later
# The study decides which runs belong together, whatever they are called: for recordings, imported files, merged
# studies, and studies of older versions. The target of the recordings is a stand-in.

import json
import os
import shutil
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "capture")]

import culprit  # noqa: E402
import foreign  # noqa: E402
import stand_in  # noqa: E402
from content import alter  # noqa: E402
from older import make_older  # noqa: E402

DATA = os.path.join(HERE, "..", "data")
RUNS = "SELECT run.name AS run, series.name AS series, tracing, turn FROM run JOIN series USING (series_id) ORDER BY run.name"


class Series(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")
        stand_in.use_ssh_of(self, self.folder)

    def record(self, name, *runs, study=None, arguments=("--tracing", "both", "--runs", "2")):
        """A recording of @runs: (tracing, latencies in ns)."""
        stand_in.write_ssh(self.folder, "greet()", *(f"run({number}, {tracing!r}, {latencies!r})" for number, (tracing, latencies)
                                                      in enumerate(runs, 1)), "end('cycles')")
        result = culprit.run("record", "--study", study or self.study, "--target", "ssh:x", "--run", name, "--cycles", "3", *arguments)
        self.assertEqual(result.status, 0, result.stderr)

    def record_both(self, name, start=1000, study=None):
        self.record(name, *((tracing, [start + run * 10 + step * 7 + 500 * (tracing == "on") for step in range(3)])
                            for run in range(2) for tracing in ("off", "on")), study=study)

    def record_once(self, name, start=1000, study=None):
        self.record(name, ("off", [start, start + 7, start + 9]), study=study, arguments=("--tracing", "off"))

    def write(self, name, *latencies):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write("".join(f"{latency}\n" for latency in latencies))
        return path

    def write_results(self, *rows):
        """A table of results that are only a summary: (name, mean, standard deviation, number)."""
        path = self.write("rows.txt")
        with open(path, "w", encoding="ascii") as file:
            file.write("# kernel mean sd n\n" + "".join(f"{' '.join(map(str, row))}\n" for row in rows))
        return path

    def import_files(self, *files, study=None):
        """What was complained about."""
        result = culprit.run("import", "--study", study or self.study, "--unit", "1ns", *files)
        self.assertEqual(result.status, 0, result.stderr)
        return result.error_lines()

    def runs(self, study=None):
        return [tuple(row.values()) for row in culprit.rows(study or self.study, RUNS)]

    def compared(self, *arguments):
        """How many runs the base means, then each of the others."""
        result = culprit.run("compare", "--study", self.study, "--json", *arguments)
        self.assertEqual(result.status, 0, result.stderr)
        against = json.loads(result.stdout)["against"]
        return [int(against[0]["base_runs"]), *(int(one["runs"]) for one in against)]

    def assert_whole(self, study=None):
        result = culprit.run("check", "--study", study or self.study)
        self.assertEqual(result.status, 0, result.stdout)


class Recorded(Series):
    def test_runs_of_a_recording_take_turns_in_one_series(self):
        self.record_both("lab/on-site")
        self.assertEqual(self.runs(), [("lab/on-site/off-1", "lab/on-site", "off", 1), ("lab/on-site/off-2", "lab/on-site", "off", 2),
                                       ("lab/on-site/on-1", "lab/on-site", "on", 1), ("lab/on-site/on-2", "lab/on-site", "on", 2)])
        configuration, = culprit.rows(self.study, "SELECT json_extract (configuration, '$.tracing') AS tracing FROM series")
        self.assertEqual(configuration, {"tracing": "both"})
        self.assertEqual(self.compared("lab/on-site/off", "lab/on-site/on"), [2, 2])
        self.assert_whole()

    def test_a_run_by_itself_is_a_series_without_turns(self):
        self.record_once("lab/on-site")
        self.assertEqual(self.runs(), [("lab/on-site", "lab/on-site", "off", None)])

    def test_another_recording_of_the_same_name_is_another_series(self):
        self.record_once("x")
        self.record_once("x", start=9000)
        self.record_once("y")
        self.assertEqual([row[:2] for row in self.runs()], [("x", "x"), ("x-2", "x-2"), ("y", "y")])
        self.assertEqual(self.compared("--same-shape", "y", "x"), [1, 1])

    def test_the_last_run_of_a_series_takes_it_along(self):
        self.record_both("x")
        for run, left in (("x/off-1", 1), ("x/on-2", 1), ("x/on-1", 1), ("x/off-2", 0)):
            alter(self.study, f"DELETE FROM run WHERE name = '{run}'")
            self.assertEqual(len(culprit.rows(self.study, "SELECT * FROM series")), left, run)


class Imported(Series):
    def test_files_that_differ_in_a_number_are_one_series(self):
        self.import_files(*(self.write(f"a/off-{number}.txt", number, number + 5) for number in (1, 2, 10)))
        self.assertEqual(self.runs(), [("off-1", "off", None, 1), ("off-10", "off", None, 10), ("off-2", "off", None, 2)])
        self.import_files(self.write("a/off-3.txt", 3, 9), self.write("a/on-1.txt", 4, 9))
        self.assertEqual(self.compared("off", "on-1"), [4, 1])
        self.assert_whole()

    def test_namesakes_from_elsewhere_stay_apart(self):
        self.import_files(self.write("a/x.txt", 1, 2), self.write("a/y.txt", 1, 2))
        self.import_files(self.write("b/x.txt", 3, 4, 5))
        self.assertEqual(self.runs(), [("x", "x", None, None), ("x-2", "x-2", None, None), ("y", "y", None, None)])
        self.assertEqual(self.compared("--same-shape", "y", "x"), [1, 1])
        self.import_files(self.write("b/x.txt", 3, 4, 5))
        self.assertEqual(len(self.runs()), 3, "what is known comes once")

    def test_results_called_as_files_are_no_part_of_their_series(self):
        files = [self.write(f"a/off-{number}.txt", number, number + 5) for number in (1, 2, 3)]
        results = self.write_results(("off", 50, 1, 400), ("off-0", 50, 1, 400), ("off-4", 51, 1, 400))
        self.import_files(*files)
        told = culprit.run("latency", "--study", self.study, "--json", "off").stdout
        self.import_files(results)
        self.assertEqual(culprit.run("latency", "--study", self.study, "--json", "off").stdout, told)
        self.assertEqual(sorted(row[:2] for row in self.runs() if row[3] is None),
                         [("off-0", "off-0"), ("off-4", "off-4"), ("off-4-2", "off-4-2")])
        self.assert_whole()

    def test_files_are_no_part_of_results_that_were_there_before(self):
        self.import_files(self.write_results(("off", 50, 1, 400), ("on-0", 50, 1, 400)))
        self.import_files(*(self.write(f"a/{name}-{number}.txt", number, number + 5) for number in (1, 2) for name in ("off", "on")))
        self.assertEqual([row[:2] for row in self.runs()], [("off", "off"), ("off-1", "off-1"), ("off-2", "off-2"), ("on-0", "on-0"),
                                                            ("on-1", "on"), ("on-2", "on")])
        self.assertEqual(self.compared("off-1", "on"), [1, 2])

    def test_a_summary_does_not_stand_for_others(self):
        self.import_files(self.write_results(("on-0", 50, 1, 400)), *(self.write(f"on-{number}.txt", 7, 8, 9) for number in (1, 2)))
        alter(self.study, "UPDATE run SET series_id = (SELECT series_id FROM series WHERE name = 'on'), turn = 0 WHERE name = 'on-0'")
        self.assertEqual(self.compared("on-1", "on"), [1, 2])

    def test_a_file_called_as_a_series_does_not_take_its_place(self):
        self.import_files(*(self.write(f"a/off-{number}.txt", number, number + 5) for number in (1, 2, 3)))
        told = culprit.run("latency", "--study", self.study, "--json", "off").stdout
        for _ in range(2):
            self.import_files(self.write("b/off.txt", 700, 800))
            self.assertEqual(culprit.run("latency", "--study", self.study, "--json", "off").stdout, told)
            self.assertIn(("off-4", "off-4", None, None), self.runs())
            self.assertEqual(len(self.runs()), 4)

    def test_captures_of_the_name_of_a_series_do_not_take_its_place(self):
        self.import_files(*(self.write(f"a/off-{number}.txt", number, number + 5) for number in (1, 2)))
        self.record_both("x")
        for name, run in (("count-1", "off"), ("cost-1", "x"), ("cost-2", "x/on"), ("count-2", "off"), ("blind-1", "x/on-1")):
            self.assertEqual(culprit.import_captures(self.study, [os.path.join(DATA, f"{name}.dat")], run_name=run).status, 0)
        captures = culprit.rows(self.study, "SELECT run.name AS run, COUNT (*) AS n FROM capture JOIN run USING (run_id) GROUP BY 1")
        self.assertEqual({row["run"]: row["n"] for row in captures}, {"off-3": 2, "x-2": 1, "x/on-3": 1, "x/on-1": 1})

    def test_a_result_with_another_printed_maximum_is_another_one(self):
        other = os.path.join(self.folder, "other.culprit")
        for folder, most, over, study in (("a", 2, 0, self.study), ("b", 700, 1, self.study), ("b", 700, 1, other)):
            path = self.write(f"{folder}/x.txt")
            with open(path, "w", encoding="ascii") as file:
                file.write("# /dev/cpu_dma_latency set to 0us\n# Histogram\n000001 000010\n000002 000090\n# Total: 000000100\n"
                           f"# Min Latencies: 00001\n# Avg Latencies: 00002\n# Max Latencies: {most:05d}\n"
                           f"# Histogram Overflows: {over:05d}\n# Histogram Overflow at cycle number:\n# Thread 0:\n\n")
            for _ in range(2):
                self.import_files(path, study=study)
        self.assertEqual([run["latency_max_ns"] for run in json.loads(culprit.run("runs", "--study", self.study, "--json").stdout)],
                         [2, 700])
        self.assertEqual(culprit.run("merge", "--study", self.study, other).status, 0)
        self.assertEqual([row[0] for row in self.runs()], ["x", "x-2"])

    def test_a_name_that_is_no_utf8_is_numbered_as_any_other(self):
        for folder in "abc":
            path = self.write(f"{folder}/x.txt", ord(folder), 1)
            renamed = os.path.join(os.fsencode(os.path.dirname(path)), b"x\xff.txt")
            os.rename(path, renamed)
            for _ in range(2):
                self.import_files(os.fsdecode(renamed))
        self.assertEqual([row[0] for row in self.runs()], ["x\ufffd", "x\ufffd-2", "x\ufffd-3"])

    def test_a_file_called_as_a_recording_is_no_part_of_it(self):
        self.record_both("x")
        self.import_files(self.write("x-7.txt", 1, 2), self.write("x.txt", 3, 4))
        self.assertEqual([row[:2] for row in self.runs() if row[2] is None], [("x-2", "x-2"), ("x-7", "x-7")])
        self.assertEqual(self.compared("x/off", "x-7"), [2, 1])

    def test_captures_of_one_name_are_one_series(self):
        file = os.path.join(culprit.ROOT, "tests", "data", "count-1.dat")
        culprit.import_captures(self.study, [file], run_name="lab/on-site")
        self.assertEqual(self.runs(), [("lab/on-site", "lab/on-site", "on", None)])
        verdict = json.loads(culprit.run("verdict", "--study", self.study, "--json").stdout)
        self.assertEqual(verdict["captures"], 1)
        self.assertEqual(culprit.run("outliers", "--study", self.study, "--run", "lab").status, 2)


class Merged(Series):
    def merge(self, into, *others):
        result = culprit.run("merge", "--study", into, *others)
        self.assertEqual((result.status, result.stderr), (0, ""))

    def test_series_come_along(self):
        other = os.path.join(self.folder, "other.culprit")
        self.record_both("x", study=other)
        self.import_files(self.write("off-1.txt", 1, 2), self.write("off-2.txt", 3, 4), study=other)
        expected = self.runs(other)
        configurations = "SELECT name, configuration FROM series ORDER BY name"
        for _ in range(2):
            self.merge(self.study, other)
            self.assertEqual(self.runs(), expected)
            self.assertEqual(culprit.rows(self.study, configurations), culprit.rows(other, configurations))
        self.assert_whole()

    def test_recordings_of_one_name_stay_apart(self):
        other = os.path.join(self.folder, "other.culprit")
        self.record_both("x", study=other)
        self.record_both("x", start=5000)
        self.merge(self.study, other)
        self.assertEqual({row[:2] for row in self.runs()}, {(f"{series}/{tracing}-{turn}", series) for series in ("x", "x-2")
                                                            for tracing in ("off", "on") for turn in (1, 2)})
        self.assertEqual(self.compared("x/off", "x-2/off"), [2, 2])

    def test_a_recording_of_another_machine_is_another_one(self):
        other = os.path.join(self.folder, "other.culprit")
        self.record_once("x")
        shutil.copy(self.study, other)
        alter(other, "UPDATE host SET name = 'elsewhere'")
        self.merge(self.study, other)
        self.assertEqual([row[:2] for row in self.runs()], [("x", "x"), ("x-2", "x-2")])
        self.merge(self.study, other)
        self.assertEqual(len(self.runs()), 2)

    def test_what_a_killed_recording_left_is_given_to_no_other_one(self):
        theirs = os.path.join(self.folder, "theirs.culprit")
        for name, study in (("my-base", None), ("base", None), ("my/base", theirs)):
            self.record(name, ("on", [1000, 1007]), study=study, arguments=("--tracing", "on"))
        self.merge(self.study, theirs)
        captures = os.path.join(self.folder, "s.captures")
        os.makedirs(captures, exist_ok=True)
        for source, left in (("count-1", "my-base-001"), ("count-2", "base-002-003"), ("cost-1", "base-004")):
            shutil.copy(os.path.join(DATA, f"{source}.dat"), os.path.join(captures, f"{left}.dat"))
        self.record_once("later")
        self.assertEqual(culprit.rows(self.study, "SELECT run.name AS run, file FROM capture JOIN run USING (run_id)"),
                         [{"run": "base", "file": "s.captures/base-004.dat"}])

    def test_files_of_another_study_do_not_come_to_the_series_of_their_name(self):
        other = os.path.join(self.folder, "other.culprit")
        self.import_files(self.write("a/off-1.txt", 1, 2), self.write("a/off-2.txt", 3, 4))
        self.import_files(self.write("b/off-2.txt", 5, 6), self.write("b/off-3.txt", 7, 8), study=other)
        told = culprit.run("latency", "--study", self.study, "--json", "off").stdout
        self.merge(self.study, other)
        self.assertEqual([row[:2] + row[3:] for row in self.runs()], [("off-1", "off", 1), ("off-2", "off", 2),
                                                                      ("off-2-2", "off-2-2", None), ("off-3", "off-3", None)])
        self.assertEqual(culprit.run("latency", "--study", self.study, "--json", "off").stdout, told)

    def test_files_that_are_imported_later_do_not_come_to_a_series_of_another_study(self):
        other = os.path.join(self.folder, "other.culprit")
        self.import_files(self.write("b/off-20.txt", 5, 6), self.write("b/off-21.txt", 7, 8), study=other)
        self.merge(self.study, other)
        told = culprit.run("latency", "--study", self.study, "--json", "off").stdout
        for added in (2, 0):
            files = [self.write("a/off-1.txt", 1, 2), self.write("a/off-2.txt", 3, 4), self.write("a/on-1.txt", 3, 4)]
            self.assertEqual([line.split(":")[1:] for line in self.import_files(*files)],
                             [[f" {file}", " a run by itself, as the series of its name is of something else than files that were imported here"]
                              for file in files[:added]])
            self.assertEqual(self.import_files(self.write("a/on-2.txt", 1, 2)), [])
            self.assertEqual([row[:2] for row in self.runs()], [("off-1", "off-1"), ("off-2", "off-2"), ("off-20", "off"), ("off-21", "off"),
                                                                ("on-1", "on"), ("on-2", "on")])
        self.assertEqual(culprit.run("latency", "--study", self.study, "--json", "off").stdout, told)

    def test_files_do_not_come_to_a_recording_of_their_name(self):
        other = os.path.join(self.folder, "other.culprit")
        self.record_both("x")
        self.import_files(self.write("x-7.txt", 1, 2), study=other)
        self.merge(self.study, other)
        self.assertIn(("x-7", "x-7", None, None), self.runs())
        self.assert_whole()

    def stranger(self, name, series, source, turn=1):
        """A study with a run @name that says of itself that it belongs to the arm @series/off."""
        other = os.path.join(self.folder, "other.culprit")
        if os.path.exists(other):
            os.remove(other)
        self.import_files(self.write("y.txt", 900, 901, 902), study=other)
        alter(other, f"UPDATE run SET name = '{name}', source = '{source}', turn = {turn}, tracing = 'off'",
              f"UPDATE series SET name = '{series}'")
        return other

    def test_what_is_merged_while_a_recording_starts_is_no_part_of_it(self):
        theirs, other = os.path.join(self.folder, "theirs.culprit"), os.path.join(self.folder, "other.culprit")
        self.record_once("y")
        self.record_both("x", start=9000, study=theirs)
        self.record_once("z", study=other)
        alter(other, "UPDATE run SET name = 'x-2/on-2'")
        latencies = [("off", [10, 11, 12]), ("on", [20, 21, 22]), ("off", [30, 31, 32]), ("on", [40, 41, 42])]

        def merge(study):
            return f"subprocess.run({[culprit.PROGRAM, 'merge', '--study', self.study, study]!r}, stdout=2, check=True)"

        stand_in.write_ssh(self.folder, "greet()", merge(theirs), f"run(1, *{latencies[0]!r})", merge(other),
                           *(f"run({number}, *{one!r})" for number, one in enumerate(latencies[1:], 2)), "end('cycles')")
        result = culprit.run("record", "--study", self.study, "--target", "ssh:x", "--run", "x", "--cycles", "3", "--tracing", "both",
                             "--runs", "2")
        self.assertEqual(result.status, 0, result.stderr)
        self.assertLessEqual({("x-2/off-1", "x-2", "off", 1), ("x-2/on-1", "x-2", "on", 1), ("x-2/off-2", "x-2", "off", 2),
                              ("x-2/on-2-2", "x-2", "on", 2), ("x-2/on-2", "z", "off", None)}, set(self.runs()))
        self.assertEqual(self.compared("x/off", "x-2/off"), [2, 2])
        self.assert_whole()

    def test_a_folder_called_as_a_recording_is_no_part_of_it(self):
        self.record_both("x")
        self.record_once("y")
        before = self.runs()
        for name in ("x", "y"):
            os.mkdir(os.path.join(self.folder, name))
        for name, source in (("x", "count-1"), ("y", "cost-1"), ("y", "cost-2")):
            capture = os.path.join(culprit.ROOT, "tests", "data", f"{source}.dat")
            result = culprit.run("import", "--study", self.study, shutil.copy(capture, os.path.join(self.folder, name)))
            self.assertEqual(result.status, 0, result.stderr)
        self.assertEqual(sorted(set(self.runs()) - set(before)), [("x-2", "x-2", "on", None), ("y-2", "y-2", "on", None)])
        self.assert_whole()

    def test_results_that_differ_in_their_spread_only_are_both_kept(self):
        other = os.path.join(self.folder, "other.culprit")
        for study, spread in ((self.study, 1), (other, 9)):
            self.import_files(self.write_results(("base", 50, spread, 400)), study=study)
        self.merge(self.study, other)
        self.assertEqual([row[0] for row in self.runs()], ["base", "base-2"])
        self.merge(self.study, other)
        self.assertEqual(len(self.runs()), 2)

    def test_a_row_of_results_called_as_an_arm_does_not_take_its_place(self):
        self.record_both("x")
        told = culprit.run("latency", "--study", self.study, "--json", "x/off", "x/on").stdout
        self.import_files(self.write_results(("x/off", 5, 1, 100), ("x/on", 5, 1, 100)))
        self.assertLessEqual({"x/off-3", "x/on-3"} | {"x/off-1", "x/on-2"}, {row[0] for row in self.runs()})
        self.assertEqual(culprit.run("latency", "--study", self.study, "--json", "x/off", "x/on").stdout, told)

    def assert_merges_beside(self, other, arms, runs):
        """What @arms mean is what they meant before; @runs come along."""
        before = self.runs()
        told = culprit.run("latency", "--study", self.study, "--json", *arms).stdout
        self.merge(self.study, other)
        self.assertEqual(culprit.run("latency", "--study", self.study, "--json", *arms).stdout, told)
        self.assertEqual(sorted(set(self.runs()) - set(before)), runs)
        self.assertLessEqual(set(before), set(self.runs()))

    def test_nothing_joins_a_series_that_only_has_its_name(self):
        self.record_both("x")
        self.import_files(self.write("off-1.txt", 1, 2), self.write("off-2.txt", 3, 4))
        for source in ("captures", "profile"):
            with self.subTest(source):
                self.assert_merges_beside(self.stranger(f"of {source}", "x", source, turn=9), ["x/off", "x/on"],
                                          [(f"of {source}", f"of {source}", "off", None)])
                self.assert_whole()
        self.assert_merges_beside(self.stranger("z", "off", "captures"), ["off"], [("z", "z", "off", None)])

    def test_a_run_called_as_an_arm_does_not_take_its_place(self):
        self.record_both("x")
        self.import_files(self.write("off-1.txt", 1, 2), self.write("off-2.txt", 3, 4))
        for source, new in (("captures", "x/off-3"), ("profile", "x/off-4")):
            with self.subTest(source):
                self.assert_merges_beside(self.stranger("x/off", "x/off", source), ["x/off", "x/on"], [(new, new, "off", None)])
        self.assert_merges_beside(self.stranger("x/off", "w", "record"), ["x/off", "x/on"], [("w-2/off", "w-2", "off", 1)])
        self.assert_merges_beside(self.stranger("v", "x/off", "captures"), ["x/off", "x/on"], [("v", "v", "off", None)])
        self.assert_merges_beside(self.stranger("off", "off", "profile"), ["off"], [("off-3", "off-3", "off", None)])

    def test_a_recording_with_an_arm_called_as_a_run_gets_another_name(self):
        other = os.path.join(self.folder, "arms.culprit")
        self.record_both("x", start=7000, study=other)
        for name in ("x/off", "x-2/on"):
            self.import_files(self.write("y.txt", len(name), 9))
            alter(self.study, f"UPDATE run SET name = '{name}' WHERE name = 'y'", f"UPDATE series SET name = '{name}' WHERE name = 'y'")
        self.assert_merges_beside(other, ["x/off", "x-2/on"],
                                  [(f"x-3/{tracing}-{turn}", "x-3", tracing, turn) for tracing in ("off", "on") for turn in (1, 2)])

    def test_a_name_that_ends_before_its_end_is_refused(self):
        self.import_files(self.write("off-1.txt", 1, 2), self.write("off-2.txt", 3, 4))
        before = self.runs()
        for table in ("run", "series"):
            other = self.stranger("x", "x", "profile")
            alter(other, f"UPDATE {table} SET name = 'off' || char (0) || 'x'")
            for command in (("merge", "--study", self.study, other), ("check", "--study", other)):
                result = culprit.run(*command)
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                self.assertIn(f"{other}: damaged", result.stderr)
        self.assertEqual(self.runs(), before)

    def test_a_name_that_a_number_makes_that_of_an_arm_is_refused(self):
        self.record_both("x")
        self.record_both("x-2b")
        before = self.runs()
        for name in ("xb/off", "yb/off"):
            other = self.stranger(name, "x", "record")
            result = culprit.run("merge", "--study", self.study, other)
            self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
            self.assertIn(f"{other}: damaged", result.stderr)
            self.assertEqual(self.runs(), before)


    def test_files_are_known_only_if_all_of_their_latencies_are(self):
        """A merged study may state more of an honest file than it has."""
        files = [self.write(f"lat-{number}.txt", *(50_000 + 7 * step for step in range(40))) for number in (1, 2)]
        other = os.path.join(self.folder, "other.culprit")
        self.import_files(*files, study=other)
        alter(other, "INSERT INTO run_latency SELECT run_id, 0, 90000, 40 FROM run")
        self.assertEqual(culprit.run("check", "--study", other).status, 1)
        culprit.run("merge", "--study", self.study, other)
        result = culprit.run("import", "--study", self.study, "--unit", "1ns", *files)
        self.assertIn("2 latency profiles stored", result.stdout)

    def test_a_capture_is_known_only_if_its_late_window_is(self):
        """A merged study may blame another function for what an honest capture has."""
        capture, other = os.path.join(DATA, "count-1.dat"), os.path.join(self.folder, "other.culprit")
        culprit.run("import", "--study", other, "--run", "r", capture)
        alter(other, "UPDATE node SET function_id = (SELECT function_id FROM capture_function WHERE function_id NOT IN"
                     " (SELECT function_id FROM node WHERE function_id IS NOT NULL) LIMIT 1)"
                     " WHERE function_id = (SELECT function_id FROM function WHERE name = 'qh_completions')")
        self.assertEqual(culprit.run("merge", "--study", self.study, other).status, 0)
        result = culprit.run("import", "--study", self.study, "--run", "r", capture)
        self.assertEqual(result.status, 2)
        self.assertIn("but not its content: one of the two was made to pass for the other", result.stderr)

    def test_the_period_of_another_machine_is_not_taken(self):
        short = os.path.join(self.folder, "short.dat")
        next(found for found in map(foreign.foreign, range(300)) if 0 < len(found.ordinary) < 4).trace().write(short)
        other = os.path.join(self.folder, "other.culprit")
        culprit.run("import", "--study", other, "--run", "r", os.path.join(DATA, "count-1.dat"))
        for study in (self.study, other):
            culprit.run("import", "--study", study, "--run", "r", short)
        alone = culprit.rows(self.study, "SELECT period_ns, ordinary_windows FROM capture")
        beside = culprit.rows(other, "SELECT period_ns, ordinary_windows FROM capture WHERE file LIKE '%short.dat'")
        self.assertEqual([dict(row) for row in beside], [dict(row) for row in alone])


class Windows(Series):
    """What is measured is a property of the series: windows of different kinds are not compared."""
    def import_(self, name, run="r", study=None):
        return culprit.import_captures(study or self.study, [os.path.join(DATA, name)], run_name=run)

    def shown(self, *command):
        return json.loads(culprit.run(*command, "--study", self.study, "--json").stdout)

    def test_they_are_told_with_the_run_and_with_the_capture(self):
        self.assertEqual(self.import_("count-1.dat").status, 0)
        self.assertEqual([run["windows"] for run in self.shown("runs")], ["from expected to observed time"])
        self.assertIn("  window: from expected to observed time\n", culprit.run("show", "--study", self.study, "1").stdout)

    def test_captures_with_others_need_a_run_of_their_own(self):
        self.import_("count-1.dat")
        alter(self.study, "UPDATE series SET window_kind = 'from here to there'")
        refused = self.import_("count-2.dat")
        self.assertIn(f"cannot be stored in {self.study}: its windows", refused.stderr)
        self.assertIn('its windows are from expected to observed time, those of run "r" from here to there', refused.stderr)
        self.assertEqual(culprit.rows(self.study, "SELECT COUNT (*) AS n FROM capture"), [{"n": 1}])
        self.assertEqual(self.import_("count-2.dat", run="s").status, 0)
        self.assertEqual([run["windows"] for run in self.shown("runs")],
                         ["from here to there", "from expected to observed time"])

    def test_the_first_capture_that_has_any_decides(self):
        self.import_("no-marker-1.dat")
        alter(self.study, "UPDATE series SET window_kind = 'from here to there'")
        self.assertEqual(self.import_("count-1.dat").status, 0)
        self.assertEqual([run["windows"] for run in self.shown("runs")], ["from expected to observed time"])

    def test_merged_runs_of_one_name_with_different_ones_stay_apart(self):
        other = os.path.join(self.folder, "other.culprit")
        self.import_("count-1.dat")
        self.import_("count-2.dat", study=other)
        alter(other, "UPDATE series SET window_kind = 'from here to there'")
        self.assertEqual(culprit.run("merge", "--study", self.study, other).status, 0)
        self.assertEqual([(run["run"], run["captures"], run["windows"]) for run in self.shown("runs")],
                         [("r", 1, "from expected to observed time"), ("r-2", 1, "from here to there")])
        self.assert_whole()


class Older(Series):
    def test_what_names_told_becomes_series(self):
        self.record_both("lab/on-site")
        self.record_once("x")
        self.record_once("x", start=7000)
        self.import_files(*(self.write(f"off-{number}.txt", number, 9) for number in (1, 2, 10)), self.write("y.txt", 1),
                          self.write("2026.txt", 5))
        expected = self.runs()
        configurations = culprit.rows(self.study, "SELECT name, configuration FROM series ORDER BY name")
        make_older(self.study, 3)
        result = culprit.run("runs", "--study", self.study)
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assertEqual(self.runs(), expected)
        self.assertEqual(culprit.rows(self.study, "SELECT name, configuration FROM series ORDER BY name"), configurations)

    def test_files_do_not_come_to_a_series_of_which_nobody_knows_whose_it_is(self):
        self.import_files(self.write("off-1.txt", 1, 9), self.write("off-2.txt", 2, 9))
        make_older(self.study, 6)
        self.import_files(self.write("off-3.txt", 3, 9), self.write("on-1.txt", 1, 9), self.write("on-2.txt", 2, 9))
        self.assertEqual([row[:2] for row in self.runs()],
                         [("off-1", "off"), ("off-2", "off"), ("off-3", "off-3"), ("on-1", "on"), ("on-2", "on")])

    def test_namesakes_are_not_taken_for_numbered_files(self):
        self.import_files(self.write("a/x.txt", 1, 2))
        self.import_files(self.write("b/x.txt", 3, 4, 5))
        expected = self.runs()
        make_older(self.study, 3)
        culprit.run("runs", "--study", self.study)
        self.assertEqual(self.runs(), expected)


if __name__ == "__main__":
    unittest.main()

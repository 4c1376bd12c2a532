# SPDX-License-Identifier: GPL-3.0-or-later
# culprit report: one well-formed, self-contained file, whose numbers equal those of the other commands, whatever names
# a study contains.

import json
import os
import shutil
import sqlite3
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from contextlib import closing
from html.parser import HTMLParser

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import kept  # noqa: E402
from culprit import ROOT, import_captures, run  # noqa: E402
from fleet_python import CONFINED  # noqa: E402

SAMPLE = os.path.join(ROOT, "data", "sample", "sample.culprit")
with open(os.path.join(ROOT, "app", "report", "flame.js"), encoding="ascii") as script_file:
    SCRIPT = script_file.read().strip()
HOSTILE = "</td><script src='http://evil.example/x.js'>\"&amp;\u202e\x1b[31m\u0007"
VOID = {"meta", "br"}


class Page(HTMLParser):
    """Reads a report: its tags must balance."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.texts = [], [], []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        assert tag not in VOID, f"<{tag}> is not closed"
        self.open.append(tag)
        self.tags.append((tag, dict(attrs)))

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> in {self.open}"
        self.open.pop()

    def handle_data(self, data):
        self.texts.append(data)


def rows(tree, section):
    """The rows of the first table of @section: each cell's number where it has one, else its text."""
    found = []
    for row in tree.find(f".//section[@id='{section}']").iter("tr"):
        cells = [cell.find("data") for cell in row.iter("td")]
        if cells:
            found.append([float(data.get("value")) if data is not None else "".join(cell.itertext())
                          for cell, data in zip(row.iter("td"), cells)])
    return found


def words(tree, section):
    return ["".join(item.itertext()) for item in tree.find(f".//section[@id='{section}']").iter("li")]


class Report(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")
        self.out = os.path.join(self.folder, "report.html")
        shutil.copy(SAMPLE, self.study)

    def report(self, *arguments):
        result = run("report", "--study", self.study, "--out", self.out, *arguments)
        self.assertEqual((result.status, result.stderr), (0, ""))
        with open(self.out, encoding="utf-8") as file:
            return file.read()

    def tree(self, *arguments):
        return xml.etree.ElementTree.fromstring(self.report(*arguments))

    def json(self, *arguments):
        return json.loads(run(*arguments, "--study", self.study, "--json").stdout)

    def change(self, *statements):
        with closing(sqlite3.connect(self.study)) as database, database:
            for statement, *values in statements:
                database.execute(statement, values)

    def assert_sound(self, text):
        page = Page(text)
        xml.etree.ElementTree.fromstring(text)
        scripts = xml.etree.ElementTree.fromstring(text).findall(".//script")
        self.assertEqual({script.text.strip() for script in scripts} - {SCRIPT}, set(), "no script but our own")
        for tag, attributes in page.tags:
            self.assertNotIn(tag, ("link", "img", "iframe", "object"))
            self.assertFalse(tag == "script" and attributes, attributes)
            self.assertFalse({"src", "href", "xlink:href", "onload"} & set(attributes), (tag, attributes))
        return page


class Flame(Report):
    def boxes(self, *arguments):
        return self.tree(*arguments).findall(".//section[@id='flame']//svg[@data-depth]")

    def test_boxes_are_as_wide_as_the_time_of_their_paths(self):
        nodes = self.json("flame")
        whole = nodes[0]["total_ns"]
        expected = [(node["depth"], node["total_ns"]) for node in nodes if node["total_ns"] * 1000 >= whole]
        boxes = self.boxes()
        self.assertEqual([(int(box.get("data-depth")), int(box.get("data-ns"))) for box in boxes], expected)
        for box in boxes:
            self.assertAlmostEqual(float(box.get("width").rstrip("%")), int(box.get("data-ns")) / whole * 100, delta=0.002)
            self.assertAlmostEqual(float(box.get("x").rstrip("%")), int(box.get("data-from")) / whole * 100, delta=0.002)
            above = boxes[int(box.get("data-parent"))] if box.get("data-depth") != "0" else box
            self.assertLessEqual(int(above.get("data-from")), int(box.get("data-from")))
            self.assertLessEqual(int(box.get("data-from")) + int(box.get("data-ns")), int(above.get("data-from")) + int(above.get("data-ns")))

    def test_causes_are_marked_and_described(self):
        causes = [box for box in self.boxes() if "cause" in box.get("class").split()]
        self.assertEqual([box.find("text").text for box in causes], ["Cause 1: qh_completions"])
        self.assertIn("in 11 of 13 late wake-ups; cause 1 of the verdict", causes[0].find("title").text)

    def test_of_some_captures_it_shows_these(self):
        self.assertIn("in 1 of 1 late wake-ups", self.boxes("3")[0].find("title").text)

    def test_without_late_wake_ups_there_is_none(self):
        self.change(("UPDATE capture SET triage = 'ignored'",))
        self.assertIsNone(self.tree().find(".//section[@id='flame']"))


class Kept(Report):
    """A program that another task and a lock kept from running."""

    def setUp(self):
        super().setUp()
        os.remove(self.study)
        result = kept.make(self.study)
        self.assertEqual(result.status, 0, result.stderr)

    def test_who_kept_it_stands_in_the_bar_and_in_the_table_and_is_hatched(self):
        tree = self.tree("1")
        parts = list(tree.find(".//svg[@class='bar']"))[1:]
        told = {"[blocked]": "blocked in futex_wait until holder woke it", "write_back": "preempted by worker"}
        for rect, stripes in zip(parts, parts[1:]):
            name, _, after = (rect.findtext("title") or "").partition(": ")
            if name in told:
                self.assertTrue(after.endswith(", " + told[name]), after)
                self.assertEqual(stripes.get("class"), "stripes over")
                self.assertTrue(stripes.get("d"))
        cells = {cell.findtext("code"): cell for cell in tree.findall(".//section[@id='budgets']//td[@class='whole']")}
        for name, words_ in told.items():
            self.assertEqual(cells[name].findtext("span[@class='aside']"), words_)
        self.assertIn("blocked", cells["[blocked]"].find("span").get("class").split())

    def test_the_timeline_has_a_row_for_the_program(self):
        tree = self.tree("1")
        row = tree.findall(".//svg[@class='timeline']/*")[1:]
        self.assertEqual((row[0].tag, row[0].text), ("text", "myloop-31"))
        told = {"blocked in futex_wait until holder-41 woke it for 402.0 us": "context-blocked",
                "preempted by worker-42 on CPU 0 for 93.0 us": "context-task"}
        for words_, colour in told.items():
            place, = [i for i, part in enumerate(row) if part.findtext("title") == words_]
            self.assertEqual(row[place].get("class"), colour)
            self.assertEqual([part.tag for part in row[place + 1:place + 3]], ["text", "path"])
            self.assertEqual(row[place + 2].get("class"), "stripes over")
            self.assertGreater(row[place + 2].get("d").count("M"), 3)
        self.assertIn("myloop-31: " + "; ".join(told), "".join(tree.find(".//article").itertext()))

    def test_the_call_tree_names_who_woke_it(self):
        said = run("show", "--study", self.study, "1").stdout
        self.assertIn("\nblocked until holder woke it  ", said)


class Soundness(Report):
    def test_it_is_sound_and_needs_nothing_else(self):
        text = self.report()
        self.assert_sound(text)
        for reference in ("http:", "https:", "url(", "@import"):
            self.assertNotIn(reference, text)

    def test_hostile_names_stay_names(self):
        self.change(("UPDATE function SET name = ? || function_id WHERE name IN ('qh_completions', 'ehci_work')", HOSTILE),
                    ("UPDATE function SET module = ? WHERE module <> ''", HOSTILE),
                    ("UPDATE capture SET note = ?, file = ? || capture_id", HOSTILE, HOSTILE),
                    ("UPDATE run SET name = ? || run_id, load = ?", HOSTILE, HOSTILE),
                    ("UPDATE window SET comm = ?", HOSTILE),
                    ("UPDATE node SET source = ? || node_id", HOSTILE),
                    ("UPDATE stall SET before_event = ?", HOSTILE),
                    ("UPDATE host SET name = ?, kernel = ?", HOSTILE, HOSTILE))
        text = self.report()
        page = self.assert_sound(text)
        shown = HOSTILE.replace("\u202e", "?").replace("\x1b", "?").replace("\x07", "?")
        self.assertGreater(sum(shown in data for data in page.texts), 50)
        for character in "\u202e\x1b\x07":
            self.assertNotIn(character, text)

    def test_a_name_that_is_no_text_is_shown(self):
        self.change(("UPDATE capture SET note = CAST (X'41ff42efbfbf' AS TEXT)",))
        self.assert_sound(self.report())

    def test_studies_with_little_in_them_are_reported(self):
        with self.subTest("captures without latencies"):
            self.study = os.path.join(self.folder, "captures.culprit")
            for name in ("none-1.dat", "no-marker-1.dat"):
                self.assertEqual(import_captures(self.study, [os.path.join(ROOT, "tests", "data", name)]).status, 0)
            self.assert_sound(self.report())
        with self.subTest("nothing"):
            self.change(("DELETE FROM capture",), ("DELETE FROM run",))
            self.assert_sound(self.report())


class Numbers(Report):
    def test_captures_are_those_of_outliers(self):
        outliers = self.json("outliers")
        shown = rows(self.tree(), "captures")
        self.assertEqual(len(shown), len(outliers))
        for row, outlier in zip(shown, outliers):
            expected = [outlier[key] for key in ("capture", "run", "latency_ns", "untraced_ns", "excess_ns", "class",
                                                 "culprit", "share", "triage", "note")]
            self.assertAlmostEqual(row.pop(7), expected.pop(7), 9)
            expected[5] = expected[5].replace("-", " ")
            self.assertEqual(row, expected)

    def test_the_verdict_is_that_of_the_command(self):
        verdict = self.json("verdict")
        self.assertEqual(words(self.tree(), "verdict"), verdict["in_words"] + verdict["next_steps"])

    def test_the_tracer_has_one_part_of_a_bar_the_last_and_hatched(self):
        tracing = {f"capture-{outlier['capture']}": outlier["tracing_ns"] for outlier in self.json("outliers")}
        for article in self.tree().findall(".//article"):
            bar = article.find("svg")
            self.assertEqual([(int(part.get("width")), part.get("class")) for part in bar.findall("rect")][-1],
                             (tracing[article.get("id")], "part-tracing"))
            stripes, = bar.findall("path")
            self.assertGreater(stripes.get("d").count("M"), 1)

    def test_the_parts_of_a_bar_add_up_to_the_latency(self):
        latencies = {f"capture-{outlier['capture']}": outlier["latency_ns"] for outlier in self.json("outliers")}
        articles = self.tree().findall(".//article")
        self.assertEqual({article.get("id") for article in articles}, set(latencies))
        for article in articles:
            latency = latencies[article.get("id")]
            bar = article.find("svg")
            parts = bar.findall("rect")
            self.assertEqual(bar.get("viewBox"), f"0 0 {latency} 1")
            self.assertEqual(sum(int(part.get("width")) for part in parts), latency)
            self.assertEqual([int(part.get("x")) for part in parts],
                             [sum(int(before.get("width")) for before in parts[:i]) for i in range(len(parts))])
            for part in parts:
                self.assertTrue(int(part.get("width")) * 200 >= latency - 200 or part.get("class") == "part-other")
            listed = [float(row.findall("td")[2].find("data").get("value")) for row in article.find(".//tbody")]
            self.assertEqual(listed, [int(part.get("width")) for part in parts])

    def test_functions_are_the_first_of_the_command(self):
        shown = rows(self.tree(), "functions")
        functions = self.json("functions")[:20]
        self.assertEqual([row[0] for row in shown], [function["function"] for function in functions])
        self.assertEqual([row[3] for row in shown], [function["excess_ns"] for function in functions])

    def test_sections_are_the_first_of_the_command(self):
        sections = self.json("sections")
        self.assertGreater(len(sections), 5)
        found = [(row[0], row[2], row[3], row[4], row[6]) for row in rows(self.tree(), "sections")]
        self.assertEqual(found, [(section["kind"], section["opened_by"], section["closed_by"], section["count"],
                                  section["longest"]["untraced_ns"]) for section in sections[:20]])

    def test_every_run_with_latencies_has_its_histogram(self):
        captions = ["".join(caption.itertext()) for caption in self.tree().iter("figcaption")]
        named = [run["run"] for run in self.json("latency")]
        self.assertEqual([caption.split(" (")[0] for caption in captions], named)

    def test_a_run_has_one_colour_in_the_table_and_in_its_histogram(self):
        tree = self.tree()
        histograms = {}
        for figure in tree.iter("figure"):
            name = "".join(figure.find("figcaption").itertext()).split(" (")[0]
            histograms[name] = {part.get("class").split()[-1] for part in figure.iter() if "series-" in part.get("class", "")}
        recorded = next(section for section in tree.iter("section") if section.get("id") == "recorded")
        table = {"".join(swatch.itertext()) + (swatch.tail or ""): swatch.get("class") for swatch in recorded.iter("span")
                 if "swatch" in swatch.get("class")}
        self.assertEqual({name: {colour.split()[-1]} for name, colour in table.items()}, histograms)
        self.assertEqual(len(set.union(*histograms.values())), len(histograms))
        for style in tree.iter("style"):
            self.assertIn("--run-0: #0072b2; --run-1: #d55e00; ", style.text)

    def test_every_number_of_a_table_is_defined(self):
        tree = self.tree()
        defined = {term.text for term in tree.iter("dt")}
        shown = {title.text for title in tree.iter("th")}
        self.assertGreater(len(shown), 20)
        self.assertLessEqual(shown, defined)
        self.assertLessEqual({"stands out", "called too often", "confidence", "weight"}, defined)
        self.assertEqual([term.text for term in tree.iter("dd") if not term.text], [])


class Captures(Report):
    """What comes from the captures themselves."""

    def setUp(self):
        super().setUp()
        shutil.copytree(os.path.join(os.path.dirname(SAMPLE), "sample.captures"), os.path.join(self.folder, "s.captures"))
        shutil.copytree(os.path.join(os.path.dirname(SAMPLE), "sample.captures"), os.path.join(self.folder, "sample.captures"))

    def test_each_has_its_timeline_and_its_call_tree(self):
        text = self.report()
        self.assert_sound(text)
        articles = list(xml.etree.ElementTree.fromstring(text).iter("article"))
        self.assertEqual(len(articles), 13)
        for article in articles:
            picture = article.find("div/svg[@class='timeline']")
            names = {title.text.split(":")[0] for title in picture.iter("title")}
            self.assertIn("do_idle", names)
            self.assertTrue(1 < len(list(picture.iter("rect"))) <= 1500)
            tree = ["".join(cell.itertext()) for cell in article.iterfind("details//tbody/tr/td[1]")]
            self.assertTrue(1 < len(tree) <= 60, tree)
            self.assertIn("interrupt", tree)
        self.assertIn("qh_completions", "".join(articles[0].find("details").itertext()))

    def test_without_them_that_is_said(self):
        shutil.rmtree(os.path.join(self.folder, "s.captures"))
        shutil.rmtree(os.path.join(self.folder, "sample.captures"))
        self.assertEqual(self.report().count("The capture itself could not be read"), 13)


class Comparison(Report):
    def test_runs_are_compared_as_by_the_command(self):
        shown = rows(self.tree(), "comparison")
        told = self.json("compare", "slides/off-1", "slides/on-1", "firmware")
        self.assertEqual([row[0] for row in shown], ["slides/off-1", "slides/on-1", "firmware"])
        for row, other in zip(shown[1:], told["against"]):
            self.assertEqual(row[4], round(other["mean_difference_ns"]))
        self.assertEqual(words(self.tree(), "comparison"), [f"{other['answer']} {other['in_words']}" for other in told["against"]])

    def test_what_is_undecided_is_called_that_everywhere(self):
        runs = ("compare", "--study", self.study, "slides/off-1", "slides/on-1")
        self.assertEqual([row[9] for row in rows(self.tree(), "comparison")], ["", "undecided", "undecided"])
        text = run(*runs).stdout
        self.assertIn("undecided\n", text)
        self.assertNotIn("untested", text)
        self.assertIn(",untested,", run(*runs, "--csv").stdout)

    def test_one_run_is_compared_with_nothing(self):
        self.assertIsNone(self.tree("--run", "firmware").find(".//section[@id='comparison']"))


class Selection(Report):
    def test_captures_that_are_named_are_shown_and_no_other(self):
        tree = self.tree("2", "slides-005.dat", "2")
        self.assertEqual([row[0] for row in rows(tree, "captures")], [2, 5])
        self.assertEqual({article.get("id") for article in tree.iter("article")}, {"capture-2", "capture-5"})
        self.assertIn("in 2 of 2 late wake-ups", words(tree, "verdict")[0])
        self.assertEqual({row[-1] for row in rows(tree, "functions")}, {2})

    def test_naming_all_captures_is_naming_none(self):
        whole, named = (self.tree(*names) for names in ((), map(str, range(1, 14))))
        for section in ("captures", "functions", "stalls"):
            self.assertEqual(rows(named, section), rows(whole, section))
        self.assertEqual(words(named, "verdict"), words(whole, "verdict"))

    def test_a_recording_that_is_named_means_its_runs(self):
        tree = self.tree("--run", "slides")
        self.assertEqual([row[0] for row in rows(tree, "recorded")], ["slides/off-1", "slides/on-1"])
        self.assertEqual({row[1] for row in rows(tree, "captures")}, {"slides/on-1"})
        self.assertEqual(len(list(tree.iter("figcaption"))), 2)

    def test_a_run_that_is_named_is_reported_and_no_other(self):
        tree = self.tree("--run", "firmware")
        self.assertEqual({row[1] for row in rows(tree, "captures")}, {"firmware"})
        self.assertEqual([row[0] for row in rows(tree, "recorded")], ["firmware"])
        self.assertEqual(len(list(tree.iter("figcaption"))), 1)
        self.assertIn("Blind stalls", words(tree, "verdict")[0])
        self.assertIsNotNone(tree.find(".//section[@id='stalls']"))


class Faults(Report):
    def assert_refused(self, *arguments, names=()):
        with open(self.out, "w", encoding="utf-8") as file:
            file.write("before")
        result = run("report", "--study", self.study, "--out", self.out, *arguments)
        self.assertEqual((result.status, result.stdout, len(result.error_lines())), (2, "", 1), result)
        for name in names:
            self.assertIn(name, result.stderr)
        with open(self.out, encoding="utf-8") as file:
            self.assertEqual(file.read(), "before")
        self.assertEqual(sorted(os.listdir(self.folder)), ["report.html", "s.culprit"])

    def test_what_is_not_there_leaves_the_file_as_it_was(self):
        self.assert_refused("99", names=["99"])
        self.assert_refused("--run", "nobody", names=["nobody"])
        self.assert_refused("--run", "firmware", "1", names=["firmware"])

    def test_a_run_whose_latencies_no_clock_could_give_is_left_out_by_name(self):
        left_out = "1 run is left out, as the latencies are too large to be shown: slides/off-1"
        for latency in (2**62, -2**63):
            self.change(("INSERT OR REPLACE INTO run_latency VALUES (1, 0, ?, 1)", latency))
            self.assertIn(left_out, self.report())
            result = run("latency", "--study", self.study)
            self.assertEqual(result.status, 0)
            self.assertIn(left_out, result.stderr)
            self.change(("DELETE FROM run_latency WHERE latency_ns = ?", latency))

    def test_what_is_no_file_is_not_replaced_and_links_stay(self):
        os.symlink("/proc/self/fd/1", self.out)
        result = run("report", "--study", self.study, "--out", self.out)
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result)
        self.assertTrue(os.path.islink(self.out))
        os.remove(self.out)
        target = os.path.join(self.folder, "target.html")
        with open(target, "w", encoding="utf-8") as file:
            file.write("before")
        os.symlink(target, self.out)
        self.assertIn("</html>", self.report())
        self.assertTrue(os.path.islink(self.out))

    def test_a_report_does_not_replace_its_study(self):
        os.symlink(self.study, self.out)
        for path in (self.study, self.out, self.study + "-journal", self.study + "-wal"):
            result = run("report", "--study", self.study, "--out", path)
            self.assertEqual((result.status, len(result.error_lines())), (2, 1), result)
            self.assertIn("is a study, or belongs to one", result.stderr)
        self.assertEqual(run("check", "--study", self.study).status, 0)

    def test_a_report_does_not_replace_a_capture(self):
        captures = os.path.splitext(self.study)[0] + ".captures"
        os.mkdir(captures)
        capture = os.path.join(captures, "slides-001.dat")
        with open(capture, "w", encoding="ascii") as file:
            file.write("a capture")
        os.symlink(capture, self.out)
        for path in (capture, self.out):
            result = run("report", "--study", self.study, "--out", path)
            self.assertEqual((result.status, len(result.error_lines())), (2, 1), result)
            self.assertIn("is a study, or belongs to one", result.stderr)
        with open(capture, encoding="ascii") as file:
            self.assertEqual(file.read(), "a capture")

    def test_what_cannot_be_read_is_not_replaced_and_a_closed_folder_is_no_study(self):
        closed, secret = os.path.join(self.folder, "closed"), os.path.join(self.folder, "secret.html")
        os.mkdir(closed)
        with open(secret, "w", encoding="ascii") as file:
            file.write("secret")
        for path in (closed, secret):
            os.chmod(path, 0)
        self.addCleanup(os.chmod, closed, 0o700)
        for path, why in ((secret, "cannot be read, so that it is not known whether it is, or belongs to, a study"),
                          (f"{secret}-wal", "cannot be read, so that it is not known whether it is, or belongs to, a study"),
                          (os.path.join(closed, "r.html"), "Permission denied")):
            with self.subTest(path=path):
                result = run("report", "--study", self.study, "--out", path, before=CONFINED)
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result)
                self.assertIn(why, result.stderr)
        self.assertEqual(os.stat(secret).st_size, len("secret"))

    def test_a_path_that_cannot_be_written_is_named_in_a_line(self):
        for path in (os.path.join(self.folder, "nowhere", "r.html"), self.folder):
            result = run("report", "--study", self.study, "--out", path)
            self.assertEqual((result.status, result.stdout, len(result.error_lines())), (2, "", 1), result)
            self.assertIn(path, result.stderr)

    def test_the_name_is_by_default_the_study_s(self):
        home = os.getcwd()
        self.addCleanup(os.chdir, home)
        os.chdir(self.folder)
        result = run("report", "--study", self.study)
        self.assertEqual((result.status, result.stdout), (0, "s.html: written.\n"))
        self.assertTrue(os.path.exists("s.html"))
        self.assertEqual(run("report", "--study", self.study).status, 0, "a report is replaced")
        with open("s.html", encoding="utf-8") as file:
            marked = file.read()
        with open("s.html", "w", encoding="utf-8") as file:
            file.write(marked.replace('<meta name="generator" content="culprit"/>\n', ""))
        self.assertEqual(run("report", "--study", self.study).status, 0, "so is one of a version that did not mark it")
        with open("s.html", "w", encoding="ascii") as file:
            file.write("mine")
        result = run("report", "--study", self.study)
        self.assertEqual((result.status, result.stdout, len(result.error_lines())), (2, "", 1), result)
        self.assertIn("s.html: exists, and is no report of culprit", result.stderr)
        with open("s.html", encoding="ascii") as file:
            self.assertEqual(file.read(), "mine")


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# What tools printed in the lab (tests/lab/make-tools), as tests/data/tools keeps it: n, least, mean and greatest
# latency are what the tool says itself below or beside its histogram, and every row of the histogram is there.

import csv
import io
import json
import os
import re
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402

TOOLS = os.path.join(HERE, "..", "data", "tools")


def text_of(name):
    with open(os.path.join(TOOLS, name), encoding="utf-8") as file:
        return file.read()


def numbers(line):
    return [float(number) for number in re.findall(r"-?\d+\.?\d*", line)]


def told(n, least, mean, greatest, above=0.):
    return {"n": n, "min": least, "mean": mean, "max": greatest, "above": above}


def per_column(text, titles):
    """What the lines that begin with @titles say of each column."""
    columns = [numbers(re.search(rf"^ *{title}(.*)$", text, re.MULTILINE)[1]) for title in titles]
    return [told(*column) for column in zip(*columns)]


def rows(text, pattern):
    """[(latency, [count of each column])] of the lines that match, which have to be all numbers."""
    return [(values[0], values[1:]) for values in map(numbers, re.findall(pattern, text, re.MULTILINE))]


def cyclictest(text):
    threads = per_column(text, ("# Total:", "# Min Latencies:", "# Avg Latencies:", "# Max Latencies:",
                                "# Histogram Overflows:"))
    for thread in threads:
        thread["n"] += thread["above"]
    return threads, rows(text, r"^\d{6} .*$")


def rtla(text, name):
    heading = re.search(r"^Index +(.*)$", text, re.MULTILINE)[1].split()
    mine = [column for column, title in enumerate(heading) if title.startswith(name)]
    columns = per_column(text, ("count:", "min:", "avg:", "max:", "over:"))
    return ([columns[column] for column in mine],
            [(latency, [counts[column] for column in mine]) for latency, counts in rows(text, r"^\d+ .*$")])


def oslat(text):
    found = rows(text.replace("(us)", ""), r"^ +\d{3} :.*$")
    columns = per_column(text.replace("(us)", ""), ("Minimum:", "Minimum:", "Average:", "Maximum:"))
    for core, column in enumerate(columns):
        column["n"] = sum(counts[core] for _, counts in found)
        longer = column["max"] > found[-1][0]
        column["above"] = found[-1][1][core] if longer else 0
        found[-1][1][core] -= column["above"]
    return columns, found


def of_json(text):
    threads = json.loads(text)["thread"].values()
    found = []
    for thread in threads:
        histogram = {int(latency): count for latency, count in thread["histogram"].items()}
        n = thread.get("cycles", sum(histogram.values()))
        if "freq" in thread and thread["max"] > max(histogram):
            del histogram[max(histogram)]
        found.append((told(n, thread["min"], thread["avg"], thread["max"], n - sum(histogram.values())), histogram))
    latencies = sorted(set().union(*(histogram for _, histogram in found)))
    return [one for one, _ in found], [(latency, [histogram.get(latency, 0) for _, histogram in found])
                                       for latency in latencies]


def verbose(text):
    latencies = [int(latency) for latency in re.findall(r"^ +\d+: +\d+: +(\d+)$", text, re.MULTILINE)]
    return [told(len(latencies), min(latencies), sum(latencies) / len(latencies), max(latencies))], \
        [(latency, [latencies.count(latency)]) for latency in sorted(set(latencies))]


class RealTools(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")

    def bring_in(self, name, *options):
        result = culprit.run("import", "--study", self.study, *options, os.path.join(TOOLS, name))
        self.assertEqual(result.status, 0, result.stderr)
        return result

    def described(self, run):
        return json.loads(culprit.run("latency", "--study", self.study, "--json", run).stdout)[0]

    def stored(self, run):
        return {row["latency_ns"]: row["count"] for row in culprit.rows(
            self.study, f"SELECT latency_ns, count FROM run_latency JOIN run USING (run_id) WHERE name = '{run}'")}

    def check(self, run, columns, histogram, unit_ns=1000, digit=1):
        """@digit: the last one of a mean that the tool prints, in its unit."""
        counts = {latency * unit_ns: sum(of_each) for latency, of_each in histogram if sum(of_each) > 0}
        self.assertEqual(self.stored(run), counts)
        described = self.described(run)
        n = sum(column["n"] for column in columns)
        mean = sum(column["n"] * column["mean"] for column in columns) / n
        above = sum(column["above"] for column in columns)
        self.assertEqual((described["n"], described["beyond"]), (n - above, above))
        self.assertEqual(described["min_ns"], min(column["min"] for column in columns) * unit_ns)
        self.assertEqual(described["max_ns"], max(column["max"] for column in columns) * unit_ns)
        self.assertLess(abs(described["mean_ns"] / unit_ns - mean), digit * 1.001, (described["mean_ns"], mean))
        for quantile in described["quantiles"]:
            unknown = quantile["p"] * (n - 1) > n - above - 1
            if run.startswith("stress-ng"):
                unknown = unknown and quantile["ns"] is None  # It knows better itself, and says some of them.
            self.assertEqual(quantile["ns"] is None, unknown, quantile)
            if unknown:
                continue
            self.assertLessEqual(described["min_ns"], quantile["from_ns"])
            self.assertLessEqual(quantile["from_ns"], quantile["ns"])
            self.assertLessEqual(quantile["ns"], quantile["to_ns"])
            self.assertLessEqual(quantile["to_ns"], described["max_ns"])
        if 2 * above < n - 1:
            self.assertTrue(described["min_ns"] <= described["median_ns"] <= described["max_ns"])

    def check_above(self, result, columns):
        above = sum(column["above"] for column in columns)
        self.assertEqual([int(count) for count in re.findall(r"(\d+) latenc(?:y|ies) above", result.stderr)],
                         [above] if above > 0 else [])

    def run_width(self, run):
        return culprit.rows(self.study, f"SELECT resolution_ns AS r FROM run WHERE name = '{run}'")[0]["r"]

    def test_cyclictest_s_histograms(self):
        for name in ("cyclictest-h", "cyclictest-h-overflows", "cyclictest-h-status", "cyclictest-histofall",
                     "cyclictest-histfile", "cyclictest-two-h"):
            with self.subTest(name=name):
                result = self.bring_in(name + ".txt")
                columns, histogram = cyclictest(text_of(name + ".txt"))
                self.check(name, columns, histogram)
                self.check_above(result, columns)

    def test_cyclictest_s_column_of_all_threads_is_not_counted_again(self):
        self.bring_in("cyclictest-two-histofall.txt")
        columns, histogram = cyclictest(text_of("cyclictest-two-histofall.txt"))
        for latency, counts in histogram:
            self.assertEqual(counts[2], counts[0] + counts[1], latency)
        self.check("cyclictest-two-histofall", columns[:2], [(latency, counts[:2]) for latency, counts in histogram])

    def test_cyclictest_s_streams(self):
        for name, unit in (("cyclictest-verbose", "1us"), ("cyclictest-verbose-nsecs", "1ns"),
                           ("cyclictest-verbose-oscope", "1us"), ("cyclictest-two-verbose", "1us")):
            with self.subTest(name=name):
                self.bring_in(name + ".txt", "--unit", unit)
                self.check(name, *verbose(text_of(name + ".txt")), 1 if unit == "1ns" else 1000, 1e-3)

    def test_json(self):
        for name in ("cyclictest", "cyclictest-two", "oslat", "oslat-two"):
            with self.subTest(name=name):
                result = self.bring_in(name + ".json")
                columns, histogram = of_json(text_of(name + ".json"))
                self.check(name, columns, histogram, digit=.01)
                self.check_above(result, columns)
                self.assertIn(f"{name.split('-')[0]} JSON", result.stdout)

    def test_rtla_s_columns(self):
        for name, width, unit_ns in (
                ("timerlat", 1000, 1000), ("timerlat-b5", 5000, 1000),
                ("timerlat-nano", 500, 1), ("timerlat-no-irq", 1000, 1000), ("timerlat-no-thread", 1000, 1000),
                ("timerlat-with-zeros", 1000, 1000), ("timerlat-two", 5000, 1000)):
            text = text_of(f"rtla-{name}.txt")
            self.bring_in(f"rtla-{name}.txt")
            for title, run in (("Thr", f"rtla-{name}"), ("IRQ", f"rtla-{name}-irq")):
                if title in text:
                    with self.subTest(run=run):
                        self.check(run, *rtla(text, title), unit_ns)
                        self.assertEqual(self.run_width(run), width)

    def test_rtla_without_what_it_says_of_all_latencies(self):
        self.bring_in("rtla-timerlat-no-summary.txt")
        counted = self.stored("rtla-timerlat-no-summary")
        self.assertEqual(counted, {float(latency) * 1000: counts[1] for latency, counts in
                                   rows(text_of("rtla-timerlat-no-summary.txt"), r"^\d+ .*$") if counts[1] > 0})

    def test_osnoise(self):
        for name, width in (("rtla-osnoise", 1000), ("rtla-osnoise-b5", 5000)):
            with self.subTest(name=name):
                result = self.bring_in(name + ".txt")
                columns, histogram = rtla(text_of(name + ".txt"), "CPU")
                self.check(name, columns, histogram)
                self.check_above(result, columns)
                self.assertEqual(self.run_width(name), width)

    def test_oslat(self):
        for name in ("oslat", "oslat-zero-omit", "oslat-bias", "oslat-two"):
            with self.subTest(name=name):
                result = self.bring_in(name + ".txt")
                columns, histogram = oslat(text_of(name + ".txt"))
                self.check(name, columns, histogram, digit=.001)
                self.check_above(result, columns)

    def test_stress_ng(self):
        for name in ("stress-ng-cyclic-dist-1000", "stress-ng-itimer", "stress-ng-two"):
            with self.subTest(name=name):
                result = self.bring_in(name + ".txt")
                text = text_of(name + ".txt")
                n = float(re.search(r"(\d+) samples", text)[1])
                mean, least, greatest = (float(re.search(rf"{title}: +([\d.]+)", text)[1]) for title in ("mean", "min", "max"))
                width, = numbers(re.search(r"\((\d+) ns intervals\)", text)[1])
                histogram = rows(re.sub(r"^.*cyclic:", "", text, flags=re.MULTILINE), r"^ +\d+ +\d+$")
                column = told(n, least, mean, greatest, n - sum(count for _, (count,) in histogram))
                self.check(name, [column], histogram, 1, .01)
                self.check_above(result, [column])
                self.assertEqual(self.run_width(name), width)
                of_run = {quantile["p"]: quantile["ns"] for quantile in self.described(name)["quantiles"]}
                for p, ns in re.findall(r"([\d.]+)%: +(\d+) ns", text):
                    if float(p) / 100 in of_run:
                        self.assertEqual(of_run[float(p) / 100], float(ns))
                row, = [row for row in csv.DictReader(io.StringIO(culprit.run(
                    "latency", "--study", self.study, "--csv", "--summary").stdout)) if row["run"] == name]
                self.assertEqual([float(row["q1_ns"]), float(row["q3_ns"])],
                                 [float(re.search(rf"{p}.00%: +(\d+) ns", text)[1]) for p in (25, 75)])

    def test_stress_ng_without_a_distribution(self):
        self.bring_in("stress-ng-summary.txt")
        row, = culprit.rows(self.study, "SELECT summary_mean_ns AS mean, summary_sd_ns AS sd, summary_samples AS n FROM run")
        text = text_of("stress-ng-summary.txt")
        self.assertEqual([row["n"], row["mean"], row["sd"]],
                         [float(re.search(pattern, text)[1]) for pattern in (r"(\d+) samples", r"mean: ([\d.]+)", r"std\.dev\. ([\d.]+)")])

    def test_what_shows_no_histogram_is_refused_with_what_to_keep_instead(self):
        for name, advice in (("cyclictest-summary.txt", "save a histogram"), ("cyclictest-status.txt", "save a histogram"),
                             ("cyclictest-summary.json", "save a histogram"), ("jitterdebugger.txt", "--output"),
                             ("jitterdebugger-verbose.txt", "--output"), ("rtla-timerlat-top.txt", "rtla timerlat hist"),
                             ("rtla-osnoise-top.txt", "rtla osnoise hist"), ("rtla-timerlat-no-header.txt", "--no-header"),
                             ("rtla-timerlat-no-index.txt", "--no-index"), ("stress-ng-nothing.txt", "no latencies"),
                             ("signaltest.txt", "save a histogram"), ("signaltest.json", "save a histogram"),
                             ("ptsematest.txt", "save a histogram"), ("svsematest.txt", "save a histogram"),
                             ("ptsematest.json", "save a histogram"), ("pmqtest.txt", "save a histogram"), ("sigwaittest.txt", "save a histogram")):
            with self.subTest(name=name):
                result = culprit.run("import", "--study", self.study, os.path.join(TOOLS, name))
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                self.assertIn(name, result.stderr)
                self.assertIn(advice, result.stderr)


if __name__ == "__main__":
    unittest.main()

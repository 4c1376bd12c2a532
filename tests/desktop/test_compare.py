# SPDX-License-Identifier: GPL-3.0-or-later
# The page that compares runs, in a real window: what its table says is what the command says; another base and a study
# with too little to compare.

import json
import os
import random
import shutil
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
from desktop import Desktop  # noqa: E402

# Column of the table -> where culprit compare --json has it.
SAME = {"mean_difference_ns": ("mean_difference_ns",), "overhead_percent": ("overhead_percent",), "t": ("t",),
        "df": ("df",), "p": ("p",), "corrected_p": ("corrected_p",), "low_ns": ("ci95_ns", 0), "high_ns": ("ci95_ns", 1),
        "mannwhitney_u": ("mannwhitney", "u"), "mannwhitney_p": ("mannwhitney", "p"), "ks_d": ("ks", "d"),
        "ks_p": ("ks", "p"), "cliffs_delta": ("cliffs_delta",), "wasserstein_ns": ("wasserstein_ns",),
        "tail_p": ("tail", "p")}


def follow(value, path):
    """What stands there; None where the way ends before."""
    for step in path:
        if isinstance(value, dict) and step not in value:
            return None
        value = value[step]
    return value


class Comparison(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.study = os.path.join(cls.folder, "s.culprit")
        generator = random.Random(1)
        for arm, runs, scale in (("on", 6, 1.1), ("off", 6, 1), ("patched", 1, 1.01)):
            for number in range(1, runs + 1):
                latencies = [round((5500 + generator.gammavariate(4, 400)) * scale) for _ in range(2000)]
                cls.write(f"{arm}-{number}.txt", "".join(f"{latency}\n" for latency in latencies))
        files = sorted(os.path.join(cls.folder, name) for name in os.listdir(cls.folder))
        assert culprit.run("import", "--study", cls.study, "--unit", "1ns", *files).status == 0
        published = cls.write("published.txt", "native 7.2 0.9 100\nguest 9.4 1.2 100\n")
        assert culprit.run("import", "--study", cls.study, "--unit", "1us", published).status == 0

    @classmethod
    def write(cls, name, text):
        path = os.path.join(cls.folder, name)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        return path

    def open(self, study):
        window = Desktop(study)
        self.addCleanup(window.close)
        window.act("page", "'compare'")
        return window

    def export(self, window):
        """The rows of the table; none where it is not filled yet."""
        path = os.path.join(self.folder, "table.json")
        if os.path.exists(path):
            os.unlink(path)
        window.act("export-table-to", f"'{path}'")
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def wait_for_rows(self, window):
        def rows():
            found = self.export(window)
            return found and all(row["same_shape"] != "computing…" for row in found) and found
        return window.wait(rows, "the comparison")

    def compare(self, *arguments, study=None):
        told = json.loads(culprit.run("compare", "--study", study or self.study, "--json", *arguments).stdout)
        return {against["run"]: against for against in told["against"]}

    def assert_same(self, row, told):
        for column, path in SAME.items():
            expected = follow(told, path)
            if expected is None:
                self.assertIsNone(row[column], column)
            else:
                # Times are exported in whole ns.
                allowed = 0.5 if column.endswith("_ns") else 1e-9 * abs(expected)
                self.assertAlmostEqual(row[column], expected, delta=allowed, msg=column)
        self.assertEqual(row["significant"], "untested" if told["p"] is None else "yes" if told["significant"] else "no")

    def test_the_table_says_what_the_command_says(self):
        window = self.open(self.study)
        base, *others = self.wait_for_rows(window)
        self.assertEqual((base["base"], base["run"], base["n"], base["t"]), ("off", "off", 12000, None))
        told = self.compare("off", *(row["run"] for row in others))
        self.assertEqual({row["run"] for row in others}, {"on", "patched-1", "native", "guest"})
        for row in others:
            self.assert_same(row, told[row["run"]])
        shape = self.compare("--same-shape", "off", "on")["on"]["same_shape"]
        verdicts = {row["run"]: row["same_shape"] for row in others}
        self.assertEqual(verdicts, {"on": shape["verdict"], "patched-1": "inconclusive", "native": "", "guest": ""})

    def wait_for_differences(self, window, expected):
        """Until the table says of each run whether its mean differs, as @expected does."""
        def rows():
            found = {row["run"]: row for row in self.export(window)[1:]}
            return {run: row["significant"] for run, row in found.items()} == expected and found
        return window.wait(rows, f"that differences are {expected}")

    def test_margin_and_independence_are_those_of_the_command(self):
        window = self.open(self.study)
        usual = {row["run"]: row["significant"] for row in self.wait_for_rows(window)[1:]}
        self.assertEqual(usual, {"on": "yes", "patched-1": "untested", "native": "no", "guest": "yes"})
        self.assertEqual((window.state("compare-margin"), window.state("compare-independent")), ("''", "false"))

        window.act("compare-margin", "'500ms'")
        self.wait_for_differences(window, {"on": "no", "patched-1": "untested", "native": "no", "guest": "no"})
        self.assertEqual(window.state("compare-margin"), "'500ms'")
        window.act("compare-margin", "'much'")
        self.assertEqual(window.state("compare-margin"), "'500ms'", "what is no margin changes nothing")

        window.act("compare-margin", "'0.5%'")
        self.wait_for_differences(window, usual)
        window.act("compare-independent")
        self.assertEqual(window.state("compare-independent"), "true")
        told = self.compare("--independent", "--margin", "0.5%", "off", "on", "patched-1", "native", "guest")
        rows = self.wait_for_differences(window, {**usual, "patched-1": "yes" if told["patched-1"]["significant"] else "no"})
        for run, row in rows.items():
            self.assert_same(row, told[run])

        window.act("compare-margin", "''")
        window.act("compare-independent")
        self.wait_for_differences(window, usual)
        self.assertEqual(window.close(), 0, "ended badly")

    def test_its_picture_is_what_is_seen(self):
        window = self.open(self.study)
        self.wait_for_rows(window)
        path = os.path.join(self.folder, "picture.svg")
        window.wait(lambda: (window.act("export-picture-to", f"'{path}'"), os.path.exists(path))[1], "the picture")
        with open(path, encoding="utf-8") as file:
            picture = file.read()
        told = picture[picture.index("<desc>"):picture.index("</desc>")]
        self.assertRegex(told, r"off \(n = 12,000.*on \(n = 12,000")
        self.assertNotIn("patched-1", told)

    def test_summaries_alone_are_compared_by_their_means(self):
        study = os.path.join(self.folder, "summaries.culprit")
        culprit.run("import", "--study", study, "--unit", "1us", os.path.join(self.folder, "published.txt"))
        base, other = self.wait_for_rows(self.open(study))
        self.assertEqual((base["run"], other["run"], other["significant"]), ("native", "guest", "yes"))
        self.assertEqual(other["mean_difference_ns"], 2200)
        self.assertAlmostEqual(other["overhead_percent"], 2.2 / 7.2 * 100, places=6)
        self.assertEqual((other["ks_d"], other["same_shape"]), (None, ""))

    def test_a_mean_that_a_tool_printed_is_not_compared(self):
        study = os.path.join(self.folder, "printed.culprit")
        tools = os.path.join(HERE, "..", "data", "tools")
        for name in ("cyclictest-h.txt", "cyclictest-two-h.txt"):  # The second one's mean has what its histogram leaves out.
            culprit.run("import", "--study", study, os.path.join(tools, name))
        base, other = self.wait_for_rows(self.open(study))
        self.assert_same(other, self.compare(base["run"], other["run"], study=study)[other["run"]])

    def test_captured_wake_ups_are_laid_over_those_without_tracing(self):
        study = os.path.join(self.folder, "captured.culprit")
        data = os.path.join(HERE, "..", "data")
        culprit.import_captures(study, [os.path.join(data, f"count-{number}.dat") for number in (1, 2)], run_name="on")
        culprit.run("import", "--study", study, "--unit", "1ns", os.path.join(self.folder, "off-1.txt"))
        base, other = self.wait_for_rows(self.open(study))
        self.assertEqual((base["run"], other["run"], other["same_shape"]), ("off-1", "on without the tracer", ""))
        known, = culprit.rows(study, "SELECT COUNT (*) AS n, AVG (latency_ns - tracing_ns) AS mean_ns FROM window")
        self.assertEqual(other["n"], known["n"])
        self.assertAlmostEqual(other["mean_ns"], known["mean_ns"], delta=1)
        self.assertEqual({other[key] for key in ("mean_difference_ns", "ks_d", "tail_p")}, {None}, "too many are late")
        self.assertIn("only the bulk of the distribution can be compared", other["p_reason"])

    def test_the_base_is_a_whole_run_without_tracing_as_soon_as_there_is_one(self):
        study = os.path.join(self.folder, "later.culprit")
        data = os.path.join(HERE, "..", "data")
        culprit.import_captures(study, [os.path.join(data, f"count-{number}.dat") for number in (1, 2)], run_name="lab")
        window = self.open(study)
        for name in ("on", "off"):
            shutil.copy(os.path.join(self.folder, f"{name}-1.txt"), os.path.join(self.folder, f"{name}.txt"))
            window.act("import-from", f"'{os.path.join(self.folder, name)}.txt'")
            window.wait(lambda name=name: self.is_compared(window, name), f"the comparison of {name}")
        base, *others = self.wait_for_rows(window)
        self.assertEqual(base["run"], "off")
        self.assertEqual([row["run"] for row in others], ["on"])

    def is_compared(self, window, run):
        return run in [row["run"] for row in self.export(window)]

    def test_one_run_is_not_enough(self):
        study = os.path.join(self.folder, "one.culprit")
        culprit.run("import", "--study", study, "--unit", "1ns", os.path.join(self.folder, "patched-1.txt"))
        window = self.open(study)
        window.act("reload")
        window.act("page", "'latency'")
        window.wait(lambda: self.export(window), "the latencies")
        window.act("page", "'compare'")
        self.assertEqual(self.export(window), [])
        self.assertEqual(window.close(), 0, "ended badly")

    def test_closing_while_shapes_are_compared_is_safe(self):
        window = self.open(self.study)
        window.wait(lambda: self.export(window), "the first rows")
        window.act("reload")
        self.assertEqual(window.close(), 0, "ended badly")


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# What peaks are due to is written at them in the histogram: of a run without tracing whose peaks culprit explain has explained, or the window.

import os
import sqlite3
import sys
import unittest
import xml.etree.ElementTree as ElementTree
from contextlib import closing

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "verdict")]

import culprit  # noqa: E402
import test_explain  # noqa: E402
from desktop import Desktop  # noqa: E402


class Explained(unittest.TestCase):
    def setUp(self):
        self.peaks = test_explain.Explain()
        self.peaks.setUp()
        self.addCleanup(self.peaks.doCleanups)
        self.peaks.target(test_explain.more("slow_path", 40), test_explain.more("scan_async", 300))

    def description(self, window):
        """The chart in words; "" while there is none yet."""
        path = os.path.join(self.peaks.folder, "latency.svg")
        window.act("export-picture-to", f"'{path}'")
        if not os.path.exists(path):
            return ""
        return ElementTree.parse(path).getroot().findtext("{http://www.w3.org/2000/svg}desc")

    def test_labels_are_at_the_peaks_of_the_run_without_tracing(self):
        self.assertEqual(self.peaks.labels("--captures", "5"), [None, "slow_path × 40", "scan_async × 300"])
        window = Desktop(self.peaks.study)
        self.addCleanup(window.close)
        window.act("page", "'latency'")
        window.wait(lambda: "slow_path" in self.description(window), "the labels")
        off, on = self.description(window).split(": ", 3)[3].split("; ", 1)
        self.assertRegex(off, r"off-1 \(.*peaks 10\.\d us, 100\.\d us, 1\.000 ms, .*100\.\d us: slow_path × 40, "
                              r"1\.000 ms: scan_async × 300\)$")
        self.assertNotIn("×", on)
        self.assertNotIn("@", on)  # What was recorded to explain a peak is not shown at first.

    def measured(self):
        """A window with a recording of latencies without tracing and with it, once its peaks are known."""
        result = culprit.run("record", "--study", self.peaks.study, "--target", "ssh:box", "--tracing", "both", "--cycles", "3000",
                             "--run", "x", "--period", "3ms")
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.peaks.requests()
        window = Desktop(self.peaks.study)
        self.addCleanup(window.close)
        window.act("page", "'latency'")
        window.wait(lambda: "x/off-1" in self.description(window), "the histogram")
        return window

    def plan(self, window):
        return window.state("record-explain-start")

    def test_what_is_missing_is_told_and_recorded(self):
        window = self.measured()
        window.act("record-explain-start")  # Of nothing that was asked for.
        window.act("record-explain", "'x/off-1'")
        window.wait(lambda: self.plan(window) != "''", "the plan")
        self.assertEqual(self.plan(window), "'Recording captures: 10 of peak 2 at 100.2 us, 10 of peak 3 at 1.000 ms. It takes about"
                                            " 816 ms of measuring, and the time to save each. As that run was measured: --period 3.000 ms.'")
        self.assertEqual((self.peaks.requests(), window.state("recording"), window.state("page")), ([], "false", "'record'"))
        window.act("record-explain-start")
        window.wait(lambda: window.state("recording") == "false" and window.state("notice") != "''", "the end of the recordings")
        self.assertEqual((window.state("notice"), window.state("dismiss"), self.plan(window)),
                         ("'20 captures to explain the peaks of “x/off-1”.'", "''", "''"))
        middle, highest = self.peaks.requests()
        self.assertEqual([(one["tracing"], one["captures"], one["period_ns"]) for one in (middle, highest)], [("on", 10, 3_000_000)] * 2)
        self.assertLess(middle["band_high_ns"], highest["threshold_ns"])
        window.act("page", "'latency'")
        window.wait(lambda: "slow_path" in self.description(window), "the labels")
        self.assertIn("100.2 us: slow_path × 40, 1.000 ms: scan_async × 300", self.description(window))
        window.act("record-explain", "'x/off-1'")
        window.wait(lambda: "There are captures of each peak" in window.state("notice"), "that nothing is missing")
        self.assertEqual((self.peaks.requests(), self.plan(window)), ([], "''"))

    def test_what_came_before_it_was_stopped_is_not_recorded_again(self):
        self.peaks.answer(most=3)
        window = self.measured()
        window.act("record-explain", "'x/off-1'")
        window.wait(lambda: self.plan(window) != "''", "the plan")
        window.act("record-explain-start")
        window.wait(lambda: self.peaks.captures() == 3, "the captures")
        window.act("record-stop")
        window.wait(lambda: window.state("recording") == "false", "the end of the recording")
        self.assertEqual([one["captures"] for one in self.peaks.requests()], [10])
        window.act("record-explain", "'x/off-1'")
        window.wait(lambda: "7 of peak 2" in self.plan(window), "the rest of the plan")
        self.assertIn("7 of peak 2 at 100.2 us, 10 of peak 3 at 1.000 ms", self.plan(window))

    def test_a_target_that_is_none_any_more_when_the_plan_is_known_is_told(self):
        window = self.measured()
        with closing(sqlite3.connect(self.peaks.study, isolation_level=None)) as database:
            database.execute("PRAGMA locking_mode = exclusive")
            database.execute("BEGIN EXCLUSIVE")
            window.act("record-explain", "'x/off-1'")
            window.act("record-start", """'{"target": "ssh:-evil"}'""")
            window.wait(lambda: "-evil" in window.state("dismiss"), "that the target is refused")
            window.act("dismiss")
            database.execute("ROLLBACK")
        window.wait(lambda: "-evil" in window.state("dismiss"), "that it is refused when the plan is known")
        self.assertEqual((self.peaks.requests(), window.close()), ([], 0))

    def test_a_strangers_load_is_not_run(self):
        window = self.measured()
        with closing(sqlite3.connect(self.peaks.study)) as database, database:
            database.execute("UPDATE series SET configuration = json_set (configuration, '$.load', 'rm -rf x')")
        window.close()
        window = Desktop(self.peaks.study)
        self.addCleanup(window.close)
        window.act("page", "'latency'")
        window.wait(lambda: "x/off-1" in self.description(window), "the histogram")
        window.act("record-explain", "'x/off-1'")
        window.wait(lambda: window.state("page") == "'record'", "the form")
        window.act("record-explain-start")
        self.assertEqual((self.plan(window), window.state("recording"), window.state("page")), ("''", "false", "'record'"))
        self.assertEqual(self.peaks.requests(), [])


if __name__ == "__main__":
    unittest.main()

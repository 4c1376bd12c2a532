# SPDX-License-Identifier: GPL-3.0-or-later
# What peaks are due to is written at them in the histogram: of a run without tracing whose peaks culprit explain has explained.

import os
import sys
import unittest
import xml.etree.ElementTree as ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "verdict")]

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


if __name__ == "__main__":
    unittest.main()

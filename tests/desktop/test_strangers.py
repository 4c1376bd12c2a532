# SPDX-License-Identifier: GPL-3.0-or-later
# Studies of strangers, opened on every page: the window neither complains nor ends, whatever their columns hold, and what a
# study says is done by nobody.

import os
import shutil
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import hostile  # noqa: E402
from desktop import PAGES, Desktop  # noqa: E402

SAMPLE = os.path.join(culprit.ROOT, "data", "sample", "sample")
EVIL_FILE = "<b>x<b>&\n\x1b[31m\u202egnp.\xe9"


class Strangers(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def make(self, kind, name="x"):
        """A study of a @kind with its captures."""
        self.kind = kind
        study = os.path.join(self.folder, f"{name}.culprit")
        hostile.make(kind, f"{SAMPLE}.culprit", study)
        shutil.copytree(f"{SAMPLE}.captures", os.path.join(self.folder, f"{name}.captures"))
        return study

    def open(self, study, **options):
        window = Desktop(study, environment={"GTK_A11Y": "test", "G_DEBUG": "fatal-warnings"}, **options)
        self.addCleanup(window.close)
        return window

    def show(self, window, name):
        """For those who look."""
        if os.environ.get("SHOTS"):
            window.screenshot(os.path.join(os.environ["SHOTS"], f"{self.kind}-{name}.png"))

    def written(self, window, action, name):
        """Waits for the file @name, in the folder of this test, that @action writes, or for what prevents it."""
        path = os.path.join(self.folder, name)
        window.wait(lambda: window.try_to(action, f"'{path}'") or not window.can(action), action)
        window.wait(lambda: os.path.exists(path) or not window.can(action) or window.state("dismiss")[1:6] not in ("'", "Saved"), action)

    def visit(self, window):
        """All pages, all captures, whatever opens, and all files that can be written."""
        for page in (*PAGES, "fleet"):
            window.act("page", f"'{page}'")
            if page != "fleet":
                self.assertIn(page, window.state("page"))
            self.show(window, page)
            if window.can("export-table"):
                self.written(window, "export-table-to", f"{page}.json")
            if window.can("export-picture"):
                self.written(window, "export-picture-to", f"{page}.svg")
        window.act("page", "'outliers'")
        for capture in range(1, 11):
            window.act("capture", f"int64 {capture}")
            window.act("timeline-full")
            self.show(window, capture)
        window.act("group")
        window.act("search-for", "'b'")
        window.act("search-for", "''")
        self.written(window, "report-to", "report.html")
        window.act("record-like", "('sample', 'sample', int64 1)")
        window.act("show-help-overlay")
        window.act_on_application("about")

    def assert_calm(self, window):
        """Nothing was complained of, and the program ends by itself."""
        self.assertEqual(window.close(), 0)

    def assert_visited(self, kind, name="x"):
        window = self.open(self.make(kind, name))
        self.visit(window)
        self.assert_calm(window)

    def refused(self, kind, name):
        """The window, in which one line says what is wrong."""
        study = self.make(kind, name)
        window = self.open(study)
        window.wait(lambda: window.state("dismiss") != "''", "a refusal")
        self.assertIn(f"{study}: damaged (", window.state("dismiss"))
        self.assertNotIn("\\n", window.state("dismiss"))
        return window

    def test_names(self):
        self.assert_visited("names", EVIL_FILE)

    def test_texts(self):
        for kind in ("bytes", "empty", "absent", "long"):
            with self.subTest(kind):
                self.assert_visited(kind, kind)

    def test_rows(self):
        for kind in ("orphans", "cycles", "many"):
            with self.subTest(kind):
                self.assert_visited(kind, kind)

    def test_quitting_while_a_report_is_written(self):
        """It takes seconds to write, of so many runs; what it reads must not vanish before."""
        window = self.open(self.make("many"))
        report = os.path.join(self.folder, "report.html")
        window.act("report-to", f"'{report}'")
        self.assert_calm(window)
        self.assertEqual([name for name in os.listdir(self.folder) if "report" in name and name != "report.html"], [])

    def test_numbers(self):
        for kind in ("numbers", "negative"):
            with self.subTest(kind):
                window = self.refused(kind, kind)
                self.visit(window)
                self.assert_calm(window)

    def test_types(self):
        """Names with a byte 0 are seen when the study is opened: it is not shown at all."""
        window = self.refused("types", "types")
        self.assertFalse(window.can("export-table"))
        self.assert_calm(window)

    def test_nothing_that_a_target_says_is_done(self):
        """It is shown only: the doctor looks at no host by itself, and opens no file that it names."""
        window = self.open(self.make("target"))
        self.visit(window)
        self.assertFalse(os.path.exists("stolen") or os.path.exists(os.path.join(self.folder, "stolen")))
        self.assert_calm(window)


if __name__ == "__main__":
    unittest.main()

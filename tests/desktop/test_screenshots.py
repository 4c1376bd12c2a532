# SPDX-License-Identifier: GPL-3.0-or-later
# Every page with the sample study, light and dark, on a small and on a large screen: each picture fills the screen, is
# as light as asked, and shows something of its own. The pictures are kept in CULPRIT_SCREENSHOTS.

import csv
import ctypes
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import desktop  # noqa: E402

SAMPLE = os.path.join(HERE, "..", "..", "data", "sample")
KEPT = os.environ.get("CULPRIT_SCREENSHOTS") or os.path.join(desktop.ROOT, "build", "screenshots")
SIZES = ("1366x768", "1920x1080")
COLOURS = ("light", "dark")
SMALL = (160, 90)  # in which pictures are compared
FEWEST_COLOURS = 60  # an empty window has some ten


def convert(path, *arguments):
    return subprocess.run(["convert", path, *arguments], check=True, capture_output=True, timeout=desktop.TIMEOUT).stdout


class Picture:
    def __init__(self, path):
        size, colours, mean = convert(path, "-format", "%wx%h %k %[fx:mean]", "info:").decode().split()
        self.size, self.colours, self.lightness = size, int(colours), float(mean)
        self.small = convert(path, "-resize", "{}x{}!".format(*SMALL), "-colorspace", "Gray", "-depth", "8", "gray:-")

    def is_in(self, colours):
        return self.lightness > 0.75 if colours == "light" else self.lightness < 0.35

    def difference(self, other):
        """The share of the places that differ so that one sees it."""
        return sum(abs(a - b) > 8 for a, b in zip(self.small, other.small, strict=True)) / len(self.small)


class Screenshots(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.study = os.path.join(shutil.copytree(SAMPLE, os.path.join(cls.folder, "sample")), "sample.culprit")
        cls.capture = culprit.rows(cls.study, "SELECT capture_id FROM capture WHERE file LIKE '%slides-003.dat'")[0]["capture_id"]
        os.makedirs(KEPT, exist_ok=True)

    def take(self, window, name, size):
        """Pictures of what is shown now, in all colours."""
        for colours in COLOURS:
            path = os.path.join(KEPT, f"{size}-{colours}-{name}.png")
            window.set_colours(colours)
            self.pictures.setdefault(colours, {})[name] = picture = self.settle(window, path, colours)
            with self.subTest(size=size, colours=colours, page=name):
                self.assertEqual(picture.size, size)
                self.assertGreater(picture.colours, FEWEST_COLOURS)

    def rows(self, window):
        """The rows of the table that is shown."""
        path = os.path.join(self.folder, "rows.csv")
        if os.path.exists(path):
            os.unlink(path)
        window.wait(lambda: (window.act("export-table-to", f"'{path}'"), os.path.exists(path))[1], "the export")
        window.act("dismiss")
        with open(path, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def move_pointer_away(self, window):
        """No tooltip in pictures."""
        x11 = ctypes.CDLL("libX11.so.6")
        x11.XOpenDisplay.restype = ctypes.c_void_p
        display = ctypes.c_void_p(x11.XOpenDisplay(window.environment["DISPLAY"].encode()))
        x11.XDefaultRootWindow.restype = ctypes.c_ulong
        root = ctypes.c_ulong(x11.XDefaultRootWindow(display))
        x11.XWarpPointer(display, ctypes.c_ulong(0), root, 0, 0, 0, 0, 0, 0)
        x11.XCloseDisplay(display)

    def settle(self, window, path, colours):
        """Takes pictures until two are the same, in @colours; gives the last. A slow machine paints later than asked."""
        before = None

        def settled():
            nonlocal before
            last = before
            window.screenshot(path)
            before = convert(path, "rgb:-")
            picture = Picture(path)
            return picture if last == before and picture.is_in(colours) else None

        return window.wait(settled, f"a picture in {colours} colours that stays")

    def see_all(self, size):
        self.pictures = {}
        window = desktop.Desktop(size=size, fill=True)
        self.addCleanup(window.close)
        self.move_pointer_away(window)
        self.take(window, "start", size)
        window.act_on_application("open-recent", f"'{self.study}'")
        window.wait(lambda: window.state("capture") not in (None, "0"), "the study being read")
        window.wait(lambda: all(row["class"] for row in self.rows(window)), "the verdict")
        window.act("capture", f"int64 {self.capture}")
        window.act("function", "'qh_completions [culprit_fault]'")
        for page in desktop.PAGES:
            window.act("page", f"'{page}'")
            window.wait(lambda page=page: window.state("page") == f"'{page}'")
            if page not in ("flame", "record"):
                window.wait(lambda: self.rows(window), f"rows of the page {page}")
            self.take(window, page, size)
        window.act("page", "'outliers'")
        window.act("details", "'timeline'")
        self.take(window, "timeline", size)
        window.act("timeline-full")
        self.take(window, "timeline-full", size)
        for colours, pictures in self.pictures.items():
            for one, other in itertools.combinations(pictures, 2):
                with self.subTest(size=size, colours=colours, one=one, other=other):
                    self.assertGreater(pictures[one].difference(pictures[other]), 0.02)
        self.assertEqual(window.close(), 0)

    def test_every_page_on_a_small_screen(self):
        self.see_all(SIZES[0])

    def test_every_page_on_a_large_screen(self):
        self.see_all(SIZES[1])


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# Every page with the sample study, light and dark, on a small and on a large screen: each picture fills the screen, is
# as light as asked, and shows something of its own. The pictures are kept in CULPRIT_SCREENSHOTS.

import csv
import itertools
import os
import shutil
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
EACH = 7  # Of so many pixels, the first is looked at for its colour.
FEWEST_COLOURS = 60  # an empty window has some ten


class Picture:
    def __init__(self, pixels, width, height):
        self.pixels, self.width, self.height = pixels, width, height
        some = memoryview(pixels).cast("I")[::EACH].tolist()
        self.colours = len(set(some))
        self.lightness = sum(pixel >> 8 & 255 for pixel in some) / len(some) / 255  # of green

    def places(self):
        """The mean of each place of SMALL, of green, of the line in its middle."""
        across, down = self.width // SMALL[0], self.height // SMALL[1]
        lines = (self.pixels[4 * line * self.width + 1:4 * (line + 1) * self.width:4] for line in range(down // 2, SMALL[1] * down, down))
        return [sum(line[start:start + across]) // across for line in lines for start in range(0, SMALL[0] * across, across)]

    def save(self, path):
        desktop.write_png(path, self.pixels, self.width, self.height)

    def is_in(self, colours):
        return self.lightness > 0.75 if colours == "light" else self.lightness < 0.35


def difference(one, other):
    """The share of the places that differ so that one sees it."""
    return sum(abs(a - b) > 8 for a, b in zip(one, other, strict=True)) / len(one)


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
            window.set_colours(colours)
            self.pictures.setdefault(colours, {})[name] = picture = self.settle(window, colours)
            picture.save(os.path.join(KEPT, f"{size}-{colours}-{name}.png"))
            with self.subTest(size=size, colours=colours, page=name):
                self.assertEqual(f"{picture.width}x{picture.height}", size)
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

    def settle(self, window, colours):
        """A picture in @colours that stays: two are the same. A slow machine paints later than asked."""
        before = None

        def settled():
            nonlocal before
            last, before = before, window.screen.pixels()
            if last != before:
                return None
            picture = Picture(before, *window.screen.size())
            return picture if picture.is_in(colours) else None

        return window.wait(settled, f"a picture in {colours} colours that stays")

    def see_all(self, size):
        self.pictures = {}
        window = desktop.Desktop(size=size, fill=True)
        self.addCleanup(window.close)
        window.screen.move_pointer_away()
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
            places = {name: picture.places() for name, picture in pictures.items()}
            for one, other in itertools.combinations(places, 2):
                with self.subTest(size=size, colours=colours, one=one, other=other):
                    self.assertGreater(difference(places[one], places[other]), 0.02)
        self.assertEqual(window.close(), 0)

    def test_every_page_on_a_small_screen(self):
        self.see_all(SIZES[0])

    def test_every_page_on_a_large_screen(self):
        self.see_all(SIZES[1])


if __name__ == "__main__":
    unittest.main()

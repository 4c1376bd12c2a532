# SPDX-License-Identifier: GPL-3.0-or-later
# What a screen reader is told: the window is read on the bus of assistive technology, page after page. Every control has a
# name, and every chart a text.

import os
import re
import shutil
import sys
import tempfile
import unittest
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import desktop  # noqa: E402

ROOT = "/org/a11y/atspi/accessible/root"
# Roles by their numbers on the bus: what people act on, and what has rows, which are not looked into.
CONTROLS = {7: "check box", 11: "combo box", 35: "menu item", 37: "page tab", 43: "button", 44: "radio button", 51: "slider",
            52: "spin button", 61: "text", 62: "toggle button", 79: "entry", 88: "link"}
LISTS = {31: "list", 55: "table", 65: "tree", 66: "tree table", 98: "list box"}
IMAGE = 27
REFERENCE = r"\('(?::[0-9.]+)?', (?:objectpath )?'([^']+)'\)"
TEXT = r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
ITEM = re.compile(rf"\({REFERENCE}, {REFERENCE}, {REFERENCE}, -?\d+, -?\d+, \[[^\]]*\], {TEXT}, (?:uint32 )?(\d+), {TEXT}, "
                  r"\[(?:uint32 )?(\d+)")
VISIBLE = 1 << 30  # among the states
CLASS = re.compile(r"(Gtk|Culprit)[A-Z]\w*|[A-Z][a-z]+Page")  # What has no name goes by its class.


@dataclass
class Item:
    parent: str
    name: str
    role: int
    description: str
    states: int

    def is_named(self):
        return self.name != "" and not CLASS.fullmatch(self.name)


class Reader:
    """Reads a window as a screen reader does."""

    def __init__(self, window):
        self.bus = desktop.Bus(re.search("'(.*)'", window.call("/org/a11y/bus", "org.a11y.Bus.GetAddress", name="org.a11y.Bus"))[1])
        self.lists = {}  # path -> whether it has rows
        self.name = window.wait(self.find_application, "the application on the bus of assistive technology")

    def call(self, name, path, method):
        return self.bus.call(name, path, f"org.a11y.atspi.{method}")

    def find_application(self):
        found = re.search(r"\('(:[0-9.]+)'", self.call("org.a11y.atspi.Registry", ROOT, "Accessible.GetChildren"))
        return found and found[1]

    def items(self):
        """path -> Item of all that the application has told of so far."""
        told = self.call(self.name, "/org/a11y/atspi/cache", "Cache.GetItems")
        return {path: Item(parent, name[1:-1], int(role), description[1:-1], int(states))
                for path, _, parent, name, role, description, states in ITEM.findall(told)}

    def ask(self, path, method):
        """What is gone since it was listed, e.g. because rows were read meanwhile, has no children."""
        try:
            return self.call(self.name, path, f"Accessible.{method}")
        except desktop.Refused as error:
            if path == ROOT or "DBus.Error.Unknown" not in str(error):
                raise
            return ""

    def is_list(self, path):
        if path not in self.lists:
            self.lists[path] = self.ask(path, "GetRole") in {f"(uint32 {role},)" for role in LISTS}
        return self.lists[path]

    def read(self):
        """The same, once it was asked for everything but rows. It tells of what was asked for."""
        left = [ROOT]
        while left:
            left += [path for path in re.findall(REFERENCE, self.ask(left.pop(), "GetChildren")) if not self.is_list(path)]
        return self.items()


class Accessible(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        study = os.path.join(folder, "sample.culprit")
        shutil.copytree(os.path.join(desktop.ROOT, "data", "sample"), folder, dirs_exist_ok=True)
        os.chmod(study, 0o644)
        window = desktop.Desktop(study, environment={"GTK_A11Y": "atspi", "NO_AT_BRIDGE": "0"})
        cls.addClassCleanup(window.close)
        window.wait(lambda: window.state("capture") not in ("", "0", None), "reading")
        reader = Reader(window)
        cls.items = {}
        for page in desktop.PAGES:
            window.act("page", f"'{page}'")
            window.wait(lambda page=page: window.state("page") == f"'{page}'")
            cls.take(reader.read())
        window.act("page", "'outliers'")
        window.act("details", "'timeline'")
        window.wait(lambda: any(item.name.startswith("Timeline of") and "late" in item.description for item in reader.read().values()),
                    "the timeline and its text")
        cls.take(reader.items())

    @classmethod
    def take(cls, items):
        """GTK 4.18 tells nothing of pages that are not shown, not even the names of what it told before."""
        cls.items.update((path, item) for path, item in items.items() if path not in cls.items or item.is_named())

    def above(self, item):
        while item.parent in self.items:
            item = self.items[item.parent]
            yield item

    def test_every_control_has_a_name(self):
        """A button of a menu or of a choice has its name outside, and what people press inside, or the other way round."""
        controls = [item for item in self.items.values() if item.role in CONTROLS and item.states & VISIBLE]
        self.assertGreater(len(controls), 80)
        named = {id(item) for item in controls if item.is_named()}
        with_named = {id(above) for item in controls if id(item) in named for above in self.above(item)}
        self.assertEqual([(CONTROLS[item.role], item.name, [above.name for above in self.above(item)]) for item in controls
                          if id(item) not in named | with_named and not any(id(above) in named for above in self.above(item))], [])

    def test_every_list_has_a_name(self):
        self.assertEqual([(item.name, [above.name for above in self.above(item)]) for item in self.items.values()
                          if item.role in LISTS and item.states & VISIBLE and not item.is_named() and
                          not any(above.role in LISTS for above in self.above(item))], [])

    def test_every_chart_has_a_text(self):
        charts = {item.name: item.description for item in self.items.values() if item.role == IMAGE and item.is_named()}
        self.assertIn("3 runs: slides/off-1 (n = 3,000, median 8.8 us", charts["Histogram of latencies"])
        self.assertIn("2 runs: slides/off-1 (n = 3,000, median 8.8 us", charts["Quantiles of latencies"])
        self.assertIn("qh_completions: 1.475 ms (46.7 %)", charts["The parts of the latency"])
        self.assertIn("late", charts["Timeline of slides-001.dat"])


if __name__ == "__main__":
    unittest.main()

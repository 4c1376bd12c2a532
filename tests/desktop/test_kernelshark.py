# SPDX-License-Identifier: GPL-3.0-or-later
# A late wake-up is opened in KernelShark: a program of that name tells what it was given.

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
from desktop import Desktop  # noqa: E402

DATA = os.path.join(HERE, "..", "data")


class KernelShark(unittest.TestCase):
    def setUp(self):
        self.make_study("count-1.dat")

    def make_study(self, name):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.capture = self.path(name)
        shutil.copy(os.path.join(DATA, name), self.capture)
        self.study = self.path("s.culprit")
        culprit.import_captures(self.study, [self.capture])

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def open_study(self, search_path):
        window = Desktop(self.study, environment={"PATH": search_path, "XDG_CACHE_HOME": self.path("cache")})
        self.addCleanup(window.close)
        window.wait(lambda: window.state("capture") not in (None, "0"), "the study being read")
        return window

    def make_program(self):
        """A kernelshark that writes its arguments down."""
        os.mkdir(self.path("bin"))
        with open(self.path("bin", "kernelshark"), "w", encoding="ascii") as file:
            file.write(f'#!/bin/sh\nprintf "%s\\n" "$@" >"{self.path("part")}"\nmv "{self.path("part")}" "{self.path("told")}"\n')
        os.chmod(file.name, 0o755)
        return self.path("bin") + ":" + os.environ["PATH"]

    def link_programs(self):
        """A folder with what the test itself runs, and no kernelshark."""
        os.mkdir(self.path("bin"))
        for name in ("Xvfb", "dbus-daemon", "sh"):
            if shutil.which(name):
                os.symlink(shutil.which(name), self.path("bin", name))
        return self.path("bin")

    def session(self, window):
        window.act("kernelshark")
        window.wait(lambda: os.path.exists(self.path("told")), "the program")
        with open(self.path("told"), encoding="utf-8") as file:
            option, path = file.read().splitlines()
        self.assertEqual(option, "-s")
        self.assertEqual(os.path.dirname(path), self.path("cache", "culprit"))
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def test_it_is_started_with_a_session_that_shows_the_late_wake_up(self):
        session = self.session(self.open_study(self.make_program()))
        outlier, = json.loads(culprit.run("outliers", "--study", self.study, "--json").stdout)
        window = outlier["window"]
        first, last = session["Model"]["range"]
        data = session["data streams"][0]["data"]
        self.assertEqual(session["type"], "kshark.config.session")
        self.assertEqual((data["file"], data["name"]), (self.capture, "top buffer"))
        self.assertEqual(data["time"], int(os.stat(self.capture).st_mtime))
        self.assertEqual(session["data streams"][0]["CPUPlots"], [outlier["cpu"]])
        self.assertEqual(session["data streams"][0]["TaskPlots"], [outlier["pid"]])
        self.assertTrue(first < window["start_ns"] < window["end_ns"] < last)
        self.assertLess(last - first, 2 * outlier["latency_ns"])

    @unittest.skipUnless(shutil.which("trace-cmd"), "trace-cmd counts the events")
    def test_the_markers_are_at_the_events_where_the_late_wake_up_begins_and_ends(self):
        self.check_markers(1)

    @unittest.skipUnless(shutil.which("trace-cmd"), "trace-cmd counts the events")
    def test_the_markers_count_the_events_of_all_cpus(self):
        self.make_study("wall-1.dat")
        self.check_markers(2)

    def check_markers(self, overwritten):
        """@overwritten: how many rows tell of what the ring buffer has overwritten, one for each CPU."""
        session = self.session(self.open_study(self.make_program()))
        outlier, = json.loads(culprit.run("outliers", "--study", self.study, "--json").stdout)
        report = subprocess.run(["trace-cmd", "report", "-R", "-t", self.capture], capture_output=True, text=True,
                                check=True).stdout
        times = [int(second + rest) for second, rest in re.findall(r"\[\d+\]\S* +(\d+)\.(\d{9}):", report)]
        markers = session["Markers"]
        first = times[markers["markA"]["row"] - overwritten]
        last = times[markers["markB"]["row"] - overwritten]
        self.assertTrue(markers["markA"]["isSet"] and markers["markB"]["isSet"])
        self.assertEqual(first, min(at for at in times if at >= outlier["window"]["start_ns"]))
        self.assertEqual(last, max(at for at in times if at <= outlier["window"]["end_ns"]))

    def test_what_to_install_is_told_where_it_is_not_there(self):
        window = self.open_study(self.link_programs())
        window.act("kernelshark")
        window.wait(lambda: "install the package kernelshark" in (window.state("dismiss") or ""), "the message")

    def test_a_capture_that_is_gone_is_told_of(self):
        search_path = self.make_program()
        os.unlink(self.capture)
        window = self.open_study(search_path)
        window.act("kernelshark")
        window.wait(lambda: "count-1.dat" in (window.state("dismiss") or ""), "the message")
        self.assertFalse(os.path.exists(self.path("told")))


if __name__ == "__main__":
    unittest.main()

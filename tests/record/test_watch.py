# SPDX-License-Identifier: GPL-3.0-or-later
# What the recorder, which is root, refuses to watch: names, events, filters and marks become part of what it writes into
# files of the kernel. Nothing is changed for any of these requests.

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import recorder  # noqa: E402

EVENTS = "sched:sched_waking..sched:sched_switch"
BREAKING = ('"', "'", "\\", ";", "\n", "\t", "\x7f")


class Requests(unittest.TestCase):
    def refused(self, **settings):
        lines = recorder.speak({"culprit": 1, "do": "watch", "limit_ns": 1000000} | settings)
        self.assertEqual([line["type"] for line in lines], ["hello", "error"], (settings, lines))
        self.assertNotIn("\n", lines[1]["text"])
        return lines[1]["text"]

    def test_names_that_could_end_a_text_of_the_kernel(self):
        for end in BREAKING:
            for setting in ("wakeup_of", "response_of"):
                with self.subTest(end=end, setting=setting):
                    self.assertIn("use its pid", self.refused(**{setting: f"a{end}b"}))

    def test_names_that_no_task_has(self):
        for name in ("", "a" * 16, "0", "1234567890", "ä" * 8):
            with self.subTest(name=name):
                self.assertIn("pid", self.refused(wakeup_of=name))

    def test_filters_and_marks_that_could_end_a_text_of_the_kernel(self):
        for end in BREAKING:
            with self.subTest(end=end):
                self.assertIn("marks must not have", self.refused(marks=f"a{end}..b"))
                if end != '"':
                    self.assertIn("the filter of sched:sched_waking has",
                                  self.refused(between=f"sched:sched_waking/pid=={end}1/..sched:sched_switch"))

    def test_what_are_no_events(self):
        for text in ("", "sched", "sched:", ":x", "sched:sched_waking", "sched:a/../b..sched:c", "../x:y..sched:z", "sched:a b..c:d",
                     "sched:a//..c:d", "sched:a/x..c:d", "sched:a/\"/..c:d", EVENTS + "x y", EVENTS + "/a/b", "a:b...c:d",
                     "a" * 70 + ":b..c:d", "a:b/" + "x" * 300 + "/..c:d"):
            with self.subTest(text=text):
                self.refused(between=text)

    def test_what_are_no_keys_or_marks(self):
        for key in ("", "pid", "pid=", "=pid", "pid=next_pid:x", "pid=a=b", "a b=c", "x" * 70 + "=y"):
            with self.subTest(key=key):
                self.assertIn("does not name a field of each event", self.refused(between=EVENTS, key=key))
        for marks in ("", "a", "a..", "..b", "a..a", "a" * 300 + "..b"):
            with self.subTest(marks=marks):
                self.assertIn("are not two marks", self.refused(marks=marks))

    def test_what_cannot_be_used_together(self):
        for settings, told in ((dict(), "what to watch is missing"),
                               (dict(wakeup_of="a", response_of="a"), "only one of"),
                               (dict(wakeup_of="a", marks="a..b"), "only one of"),
                               (dict(wakeup_of="a", from_timer=True, from_waking=True), "either at the timer or at the waking"),
                               (dict(between=EVENTS, from_waking=True), "belong to wakeup-of and response-of"),
                               (dict(wakeup_of="a", key="a=b"), "a key belongs to between"),
                               (dict(wakeup_of="a", captures=1), "captures need a threshold or a band"),
                               (dict(wakeup_of="a", captures=1, threshold_ns=1), "captures need tracing"),
                               (dict(wakeup_of="a", limit_ns=0), "nothing would end this recording")):
            with self.subTest(settings=settings):
                self.assertIn(told, self.refused(**({"period_ns": 1000000} if not settings else {}), **settings))

    def test_what_belongs_to_cycles(self):
        for setting, value in (("period_ns", 5000000), ("policy", "fifo"), ("priority", 80), ("cpus", [0]), ("method", "timer"),
                               ("cycles", 5), ("deadline_ns", 1000), ("skip_cycles", 5), ("aligned", True), ("clock", "monotonic"),
                               ("calibrate", "skip"), ("delay_at", "x"), ("treat", "x")):
            with self.subTest(setting=setting):
                self.assertIn("does not apply where windows of other tasks are measured", self.refused(wakeup_of="a", **{setting: value}))

    def test_other_requests_watch_nothing(self):
        lines = recorder.speak({"culprit": 1, "do": "record", "limit_ns": 1000000, "wakeup_of": "a"})
        self.assertEqual([line["type"] for line in lines], ["hello", "error"])
        self.assertIn('need the request "watch"', lines[1]["text"])


if __name__ == "__main__":
    unittest.main()

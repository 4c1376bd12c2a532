# SPDX-License-Identifier: GPL-3.0-or-later
# The lab's own view of who had the CPU, on small traces written by hand.

import os
import sys
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import truth  # noqa: E402


def lines(*events):
    """What trace-cmd prints of (ns, pid, flag, entry or exit, function, depth)."""
    return [f"{'some-task':.8}-{pid:<5}   0..{flag}1.     0.{ns:09}: funcgraph_{what + ':':7} "
            f"     {'-->' if what == 'entry' else '<--'} {function} ({depth}) (start: 1  end: 2) over: 0"
            for ns, pid, flag, what, function, depth in events]


def seen(events, log):
    comms = [f"   some-task-{pid}  [000]   0.000000000: x" for pid in {event[1] for event in events}]
    with mock.patch.object(truth, "report", lambda _, *options: lines(*events) if options else comms):
        return truth.who_had_the_cpu("x.dat", log)


def log_of(expected_ns, observed_ns, *cycles):
    return {"hit": {"cpu": 0, "pid": 7, "expected_ns": expected_ns, "observed_ns": observed_ns},
            "cycles": [*cycles, [expected_ns, observed_ns]]}


class Truth(unittest.TestCase):
    def test_a_call_that_began_before_the_capture_has_its_time(self):
        events = [(100, 9, ".", "entry", "copy_page", 2), (200, 9, ".", "exit", "copy_page", 2),
                  (900, 9, ".", "exit", "__x64_sys_fork", 1), (1000, 7, ".", "entry", "schedule", 0)]
        known = seen(events, log_of(100, 1000))
        self.assertEqual((known["kind"], known["source"]), ("task", "some-task"))
        self.assertEqual(known["doing"], {"__x64_sys_fork": 800, "user mode": 100})

    def test_a_soft_interrupt_in_a_system_call_is_not_the_tasks(self):
        events = [(100, 9, ".", "entry", "__x64_sys_sendto", 0), (200, 9, "s", "entry", "net_rx_action", 1),
                  (300, 9, "h", "entry", "timer_interrupt", 2), (350, 9, "h", "exit", "timer_interrupt", 2),
                  (900, 9, "s", "exit", "net_rx_action", 1), (1000, 7, ".", "entry", "schedule", 0)]
        known = seen(events, log_of(100, 1000))
        self.assertEqual((known["kind"], known["source"], known["doing"]), ("softirq", "softirq", {"net_rx_action": 650}))
        self.assertTrue(known["clear"])

    def test_what_is_usual_is_taken_off(self):
        events = [(100, 9, ".", "entry", "__x64_sys_read", 0), (600, 0, ".", "entry", "do_idle", 0),
                  (700, 7, ".", "entry", "schedule", 0), (1000, 9, ".", "entry", "__x64_sys_read", 0),
                  (1500, 0, ".", "entry", "do_idle", 0), (1900, 7, ".", "entry", "schedule", 0)]
        known = seen(events, log_of(1000, 1900, [100, 700]))
        self.assertEqual((known["kind"], known["share"], known["ordinary"]), ("idle", 1.0, 1))

    def test_two_with_more_than_half_are_not_clear(self):
        none = {"a": 0, "b": 0}
        self.assertIsNone(truth.alone({"a": 0.6, "b": 0.55, "c": -0.15}, none))
        self.assertEqual(truth.alone({"a": 0.6, "b": 0.4}, none), "a")

    def test_one_that_is_only_slower_as_all_are_is_not_clear(self):
        self.assertIsNone(truth.alone({"a": 0.6, "b": 0.4}, {"a": 0.5, "b": 0.5}))
        self.assertEqual(truth.alone({"a": 0.8, "b": 0.2}, {"a": 0.5, "b": 0.5}), "a")


if __name__ == "__main__":
    unittest.main()

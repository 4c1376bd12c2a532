# SPDX-License-Identifier: GPL-3.0-or-later
# Checks the naive reference against examples computed by hand from semantics.md.

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), HERE]

from events import HARDIRQ, entry, leave, marker, other, switch  # noqa: E402
from naive import Capture  # noqa: E402
from naive_costs import ordinary_nodes, ordinary_parts, part_costs, path_of, stall, window_costs  # noqa: E402
from naive_windows import find_marker, find_windows  # noqa: E402

A, B, C = 1, 2, 3
COMMS = {7: "cyclic", 8: "worker"}
NAMES = {A: "a", B: "b", C: "c", 9: "syscall_exit_work"}


def name_of(address):
    return NAMES[address], "", 0


def capture(measured=None, **cpus):
    """capture(cpu0=[...], cpu1=[...])"""
    return Capture({int(name[3:]): events for name, events in cpus.items()}, name_of, measured, COMMS)


def facts(capture_, func):
    """(calls, self, total, off-CPU, truncated) of a function."""
    calls = [call for call in capture_.calls if call.func == func]
    return (len(calls), sum(call.self_ns for call in calls), sum(call.total() for call in calls),
            sum(call.off_cpu for call in calls if call.outermost), sum(call.truncated for call in calls))


class Stacks(unittest.TestCase):
    def test_a_call_within_a_call_takes_its_time_from_it(self):
        found = capture(cpu0=[entry(100, 7, A, 0), entry(110, 7, B, 1), leave(140, 7, B, 1), leave(200, 7, A, 0)])
        self.assertEqual(facts(found, A), (1, 70, 100, 0, 0))
        self.assertEqual(facts(found, B), (1, 30, 30, 0, 0))

    def test_the_total_of_a_recursion_is_that_of_the_outermost_call(self):
        found = capture(cpu0=[entry(100, 7, A, 0), entry(110, 7, A, 1), leave(140, 7, A, 1), leave(200, 7, A, 0)])
        self.assertEqual(facts(found, A), (2, 100, 100, 0, 0))

    def test_an_exit_of_another_function_closes_what_is_above_and_is_marked(self):
        found = capture(cpu0=[entry(100, 7, A, 0), entry(110, 7, B, 1), leave(140, 7, C, 1, duration=5),
                              leave(200, 7, A, 0)])
        self.assertEqual(facts(found, B), (1, 30, 30, 0, 1))
        self.assertEqual(facts(found, C), (1, 0, 5, 0, 1))
        self.assertEqual(facts(found, A), (1, 70, 100, 0, 0))

    def test_a_missing_exit_is_made_up_for_by_the_exit_of_the_caller(self):
        found = capture(cpu0=[entry(100, 7, A, 0), entry(110, 7, B, 1), leave(200, 7, A, 0)])
        self.assertEqual(facts(found, B), (1, 90, 90, 0, 1))
        self.assertEqual(facts(found, A), (1, 10, 100, 0, 0))

    def test_a_call_that_began_before_the_capture_is_dated_and_gets_its_time(self):
        found = capture(cpu0=[entry(100, 7, B, 1), leave(130, 7, B, 1), leave(150, 7, A, 0, duration=80)])
        self.assertEqual(facts(found, A), (1, 20, 80, 0, 1))
        self.assertEqual(facts(found, B), (1, 30, 30, 0, 0))

    def test_open_calls_end_with_their_cpu(self):
        found = capture(cpu0=[entry(100, 7, A, 0), other(160, 7)], cpu1=[other(500, 8)])
        self.assertEqual(facts(found, A), (1, 60, 60, 0, 1))

    def test_a_depth_beyond_511_is_no_function_event(self):
        found = capture(cpu0=[entry(100, 7, A, 0), entry(110, 7, B, 512), leave(150, 7, A, 0)])
        self.assertEqual(facts(found, A), (1, 50, 50, 0, 0))
        self.assertEqual(facts(found, B), (0, 0, 0, 0, 0))


class LeavingTheCpu(unittest.TestCase):
    def test_time_off_the_cpu_is_nobodys_self(self):
        found = capture(cpu0=[entry(100, 7, A, 0), other(120, 8), other(170, 7), leave(200, 7, A, 0)])
        self.assertEqual(facts(found, A), (1, 50, 100, 50, 0))

    def test_who_left_by_a_switch_has_no_time_of_who_came_unseen(self):
        found = capture(cpu0=[entry(100, 7, A, 0), switch(120, 7, 0, 0, 0), other(170, 0, "waking", HARDIRQ),
                              switch(180, 0, 0, 7, 0), leave(200, 7, A, 0)])
        self.assertEqual(facts(found, A), (1, 20, 100, 80, 0))
        found = capture(cpu0=[entry(100, 7, A, 0), switch(120, 7, 0, 8, 0), entry(170, 9, B, 0)])
        self.assertEqual([(stretch.owner, stretch.pid, stretch.start, stretch.end) for stretch in found.stretches[0]
                          if stretch.owner == "[user]"], [("[user]", 8, 120, 170)])

    def test_who_came_shows_itself_by_the_end_of_the_switch(self):
        found = capture(cpu0=[entry(100, 7, A, 0), switch(120, 7, 0, 8, 0), leave(170, 8, B, 0, 60)])
        self.assertEqual(facts(found, A)[1], 70)

    def test_an_interrupt_strikes_who_was_there_before(self):
        found = capture(cpu0=[entry(100, 7, A, 0), other(170, 0, "waking", HARDIRQ), leave(200, 7, A, 0)])
        self.assertEqual(facts(found, A), (1, 0, 100, 100, 0))

    def test_a_task_comes_back_on_another_cpu(self):
        found = capture(cpu0=[entry(100, 7, A, 0), other(120, 0)], cpu1=[other(90, 0), leave(200, 7, A, 0)])
        self.assertEqual(facts(found, A), (1, 20, 100, 80, 0))

    def test_a_task_that_stays_away_is_off_until_the_end(self):
        found = capture(cpu0=[entry(100, 7, A, 0), other(120, 8), other(170, 8)])
        self.assertEqual(facts(found, A), (1, 20, 70, 50, 1))


class Loss(unittest.TestCase):
    def test_a_loss_ends_the_calls_of_its_cpu_at_the_event_before(self):
        found = capture(cpu0=[entry(100, 7, A, 0), other(120, 7), leave(200, 7, A, 0, duration=90, lost=5)])
        # The first call ends at 120; the exit afterwards belongs to a call that began before the new epoch.
        self.assertEqual(facts(found, A), (2, 20, 20 + 90, 0, 2))
        self.assertEqual(found.stretches[0][2].owner, "[not captured]")

    def test_a_loss_on_another_cpu_changes_nothing(self):
        found = capture(cpu0=[entry(100, 7, A, 0), leave(200, 7, A, 0)], cpu1=[other(90, 8), other(150, 8, lost=0)])
        self.assertEqual(facts(found, A), (1, 100, 100, 0, 0))


class Tracing(unittest.TestCase):
    def test_the_floor_is_the_first_percentile_of_a_hundred_stretches(self):
        events, ts = [], 0
        for i in range(200):
            events += [entry(ts, 7, A, 0), leave(ts + 50 + i, 7, A, 0)]
            ts += 1000
        found = capture(cpu0=events)
        self.assertEqual(found.floors[0]["entry_exit"], 52)
        self.assertEqual(found.floors[0]["exit_entry"], 1000 - 50 - 197)
        self.assertEqual(sum(call.tracing for call in found.calls), 50 + 51 + 198 * 52)

    def test_ninety_nine_stretches_are_too_few(self):
        events = [event for i in range(99) for event in (entry(i * 100, 7, A, 0), leave(i * 100 + 50, 7, A, 0))]
        self.assertEqual(capture(cpu0=events).floors[0]["entry_exit"], 0)


CYCLE = [  # Expected at 10000 and 20000; the second time 3 us late, of which b runs 2200 ns in an interrupt.
    entry(5000, 7, A, 0), other(5100, 0), other(10500, 7), leave(11000, 7, A, 0),
    entry(15000, 7, A, 0), other(15100, 0), entry(20100, 0, B, 0, HARDIRQ), leave(22300, 0, B, 0, 0, HARDIRQ),
    other(22500, 7), leave(23000, 7, A, 0), marker(24000, 7, 3, 2)]


class Windows(unittest.TestCase):
    def setUp(self):
        self.marker = find_marker({0: CYCLE})
        self.capture = capture(measured=7, cpu0=CYCLE)
        self.windows = find_windows(self.capture, self.marker, 10000)

    def test_the_marker_and_the_sleeps_give_the_windows(self):
        self.assertEqual([(window.kind, window.start, window.end) for window in self.windows],
                         [("outlier", 20000, 23000), ("ordinary", 10000, 11000)])

    def test_the_budget_of_the_outlier(self):
        parts = part_costs(window_costs(self.capture, self.windows[0]))
        costs = {key: (cost.calls, cost.self_ns, cost.total, cost.longest) for key, cost in parts.items()}
        self.assertEqual(costs, {("idle", ("[idle]", "", 0)): (0, 300, 300, 200),
                                 ("hardirq", ("b", "", 0)): (1, 2200, 2200, 2200),
                                 ("measured", ("a", "", 0)): (1, 500, 3000, 500)})

    def test_the_longest_stretch_is_the_stall(self):
        self.assertEqual(stall(self.capture, self.windows[0]), (20100, 2200, "hardirq", ("b", "", 0)))

    def test_the_ordinary_windows_add_up(self):
        nodes = ordinary_nodes(self.capture, self.windows[1:])
        self.assertEqual({path: (row["windows"], row["self_ns"], row["with_callees_max_ns"]) for path, row in nodes.items()},
                         {("measured", "cyclic", ()): (1, 0, 500), ("measured", "cyclic", (name_of(A),)): (1, 500, 500),
                          ("idle", "idle", ()): (1, 0, 500), ("idle", "idle", (("[idle]", "", 0),)): (1, 500, 500)})
        parts = ordinary_parts(self.capture, self.windows[1:])
        self.assertEqual(parts["measured", name_of(A)]["intrinsic_untraced"], 500 * 1000)
        self.assertEqual(parts["idle", ("[idle]", "", 0)]["intrinsic_squared"], 500 ** 2)

    def test_the_way_back_to_user_mode_belongs_to_the_sleep(self):
        events = CYCLE[:-1] + [entry(23100, 7, 9, 0), leave(23400, 7, 9, 0), CYCLE[-1]]
        outlier = find_windows(capture(measured=7, cpu0=events), self.marker, 10000)[0]
        self.assertEqual((outlier.start, outlier.end), (20400, 23400))

    def test_another_call_after_the_sleep_does_not(self):
        events = CYCLE[:-1] + [entry(23100, 7, C, 0), leave(23200, 7, C, 0), entry(23250, 7, 9, 0),
                               leave(23400, 7, 9, 0), CYCLE[-1]]
        outlier = find_windows(capture(measured=7, cpu0=events), self.marker, 10000)[0]
        self.assertEqual(outlier.end, 23000)


class Paths(unittest.TestCase):
    def paths(self, *events):
        found = capture(measured=7, cpu0=list(events))
        return {path_of(found, call) for call in found.calls}

    def test_a_call_is_below_the_one_that_it_was_made_by(self):
        self.assertEqual(self.paths(entry(100, 7, A, 0), entry(110, 7, B, 1), leave(140, 7, B, 1), leave(200, 7, A, 0)),
                         {("measured", "cyclic", (name_of(A),)), ("measured", "cyclic", (name_of(A), name_of(B)))})

    def test_what_an_interrupt_does_belongs_to_it(self):
        self.assertEqual(self.paths(entry(100, 8, A, 0), entry(110, 8, B, 1, HARDIRQ), entry(120, 8, C, 2, HARDIRQ),
                                    leave(140, 8, C, 2, 0, HARDIRQ), leave(150, 8, B, 1, 0, HARDIRQ), leave(200, 8, A, 0)),
                         {("task", "worker", (name_of(A),)), ("hardirq", "b", (name_of(B),)),
                          ("hardirq", "b", (name_of(B), name_of(C)))})

    def test_the_nearest_known_call_counts(self):
        self.assertEqual(self.paths(entry(100, 8, A, 0), entry(110, 8, B, 3), leave(140, 8, B, 3), leave(200, 8, A, 0)),
                         {("task", "worker", (name_of(A),)), ("task", "worker", (name_of(A), name_of(B)))})

    def test_no_node_is_deeper_than_64(self):
        calls = [entry(100 + depth, 0, A, depth) for depth in range(66)]
        self.assertEqual({len(path[2]) for path in self.paths(*calls, other(900, 0))}, set(range(1, 65)))


if __name__ == "__main__":
    unittest.main()

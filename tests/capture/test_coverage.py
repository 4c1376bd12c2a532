# SPDX-License-Identifier: GPL-3.0-or-later
# What was not traced is recognised. In the real captures, everything was traced; they are reduced to a depth, to chosen
# functions or to events outside interrupts, as the tracer's settings would, and the importer must tell these from the
# complete ones.

import fnmatch
import os
import re
import subprocess
import sys
import tempfile
import unittest
from dataclasses import replace

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), HERE]

import culprit  # noqa: E402
import foreign  # noqa: E402
from events import HARDIRQ, NMI, SOFTIRQ, Event, switch  # noqa: E402
from tracefile import TraceFile  # noqa: E402

DATA = os.path.join(HERE, "..", "data")
CAPTURES = ["cost-1", "count-rt-1", "wall-1", "none-1"]
COLUMNS = "file, graph_depth, graph_functions, interrupts_traced, no_windows"
LINE = re.compile(r"^\s*(.*)-(\d+)\s+(\d+)-0x([0-9a-f]+)\s+(\d+)\.(\d{9}): (\w+):\s+(.*)$")
FIELDS = re.compile(r"(\w+)=(\S+)")


class Real:
    """A real capture's events, as trace-cmd reads them, by CPU."""

    def __init__(self, name):
        text = subprocess.run(["trace-cmd", "report", "-R", "-l", "-t", os.path.join(DATA, name + ".dat")],
                              capture_output=True, text=True, check=True).stdout
        self.addresses, self.cpus, self.marker = {}, {}, None
        for name_ in ("schedule", "__schedule", "hrtimer_interrupt"):
            self.address(name_)
        for line in text.splitlines():
            match = LINE.match(line)
            if match:
                self.add(match)

    def address(self, name):
        return self.addresses.setdefault(name, foreign.BASE + 0x40 * len(self.addresses))

    def add(self, match):
        ts = int(match[5]) * 10 ** 9 + int(match[6])
        event = Event(ts, "unknown", int(match[2]), int(match[4], 16))
        fields = dict(FIELDS.findall(match[8]))
        if match[7].startswith("funcgraph_"):
            event.kind, event.func = match[7][len("funcgraph_"):], self.address(fields["func"])
            event.depth = int(fields["depth"])
            event.calltime, event.rettime = (int(fields.get(name, "0"), 16) for name in ("calltime", "rettime"))
        elif "hit latency threshold" in match[8]:
            event.kind, event.text = "print", match[8].split("buf=")[1] + "\n"
            self.marker = event
        self.cpus.setdefault(int(match[3]), []).append(event)

    def write(self, path, keep):
        cpus = {cpu: list(keep(events)) for cpu, events in self.cpus.items()}
        TraceFile({"": {cpu: events for cpu, events in cpus.items() if events}}, cpus=len(cpus),
                  symbols=[(address, name, "") for name, address in self.addresses.items()]).write(path)


def no_deeper_than(depth):
    return lambda events: (event for event in events if event.kind not in ("entry", "exit") or event.depth < depth)


def without_interrupts(events):
    """As the option funcgraph-irqs, switched off, leaves them."""
    return (event for event in events if not event.flags & (HARDIRQ | SOFTIRQ | NMI))


def only(*functions):
    """As set_graph_function leaves them."""
    def keep(events):
        depth = {}
        for event in events:
            key = event.pid
            if event.kind not in ("entry", "exit"):
                if event.kind == "print":
                    yield event
                continue
            if key not in depth and event.kind == "entry" and event.func in functions:
                depth[key] = event.depth
            if key in depth:
                base = depth[key]
                if event.kind == "exit" and event.depth == base:
                    del depth[key]
                yield Event(event.ts, event.kind, event.pid, event.flags, event.func, event.depth - base,
                            event.calltime, event.rettime)
    return keep


def filtered(*functions):
    """As set_ftrace_filter leaves them: these and nothing that they call."""
    def keep(events):
        open_calls = {}
        for event in events:
            if event.kind not in ("entry", "exit"):
                yield event
                continue
            above = open_calls.setdefault(event.pid, [])
            above[:] = [depth for depth in above if depth < event.depth]
            if event.func in functions:
                yield Event(event.ts, event.kind, event.pid, event.flags, event.func, len(above), event.calltime,
                            event.rettime)
                above += [event.depth] * (event.kind == "entry")
    return keep


def with_switches(real, keep, wakes):
    """The functions that @keep leaves, sched_switch from and to the measured task, and, if @wakes, its sched_waking."""
    def kept(events):
        found, wake, before = [*keep(events)], None, None
        for event in events:
            if event.kind == "entry" and event.func == real.address("try_to_wake_up") and event.flags & HARDIRQ:
                wake = event
            if before and event.pid != before.pid and real.marker.pid in (before.pid, event.pid):
                found.append(switch(max(before.ts, event.ts - 200), before.pid, 120, event.pid, 120))
                if wakes and wake and event.pid == real.marker.pid:
                    found.append(Event(wake.ts, "waking", wake.pid, HARDIRQ, priorities=(0, event.pid, 120)))
            before = event
        return sorted(found, key=lambda event: event.ts)
    return kept


class Coverage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.real = {name: Real(name) for name in CAPTURES}

    def found(self, keep, period="5ms"):
        """capture -> its row, with its window's as far as there is one."""
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name + ".dat") for name in CAPTURES]
            for name, path in zip(CAPTURES, paths):
                self.real[name].write(path, keep(self.real[name]))
            study = os.path.join(folder, "s.culprit")
            result = culprit.import_captures(study, paths, period)
            self.assertEqual(result.status, 0, result.stderr)
            self.complaints = result.stderr
            self.shown = culprit.run("show", "--study", study, CAPTURES[0] + ".dat").stdout
            self.verdict = culprit.run("verdict", "--study", study).stdout
            rows = culprit.rows(study, f"SELECT {COLUMNS}, start_ns, end_ns, uncertain_ns, (SELECT SUM (self_ns) FROM "
                                       "outlier_node n JOIN node USING (node_id) WHERE n.window_id = w.window_id AND context = 'measured') "
                                       "own_ns FROM capture LEFT JOIN window w USING (capture_id) "
                                       "WHERE IFNULL (kind, 'outlier') = 'outlier'")
        return {row["file"][:-len(".dat")]: row for row in rows}

    def test_a_whole_capture_misses_nothing(self):
        for row in self.found(lambda real: lambda events: events).values():
            self.assertEqual((row["graph_depth"], row["graph_functions"], row["interrupts_traced"]), (None, None, 1), row)
        self.assertNotIn("not traced", self.complaints + self.shown)

    def test_a_limited_depth_is_known(self):
        for depth in (2, 3, 4, 6, 9):
            with self.subTest(depth):
                rows = self.found(lambda real, depth=depth: no_deeper_than(depth))
                self.assertEqual({name: row["graph_depth"] for name, row in rows.items()}, dict.fromkeys(CAPTURES, depth))
                self.assertIn(f"not traced: calls nested more than {depth} deep", self.complaints)
                self.assertIn(f"not traced: calls nested more than {depth} deep", self.shown)

    def test_missing_interrupts_are_known(self):
        for row in self.found(lambda real: without_interrupts).values():
            self.assertEqual(row["interrupts_traced"], 0, row)
            self.assertEqual(row["graph_depth"], None, row)
        self.assertIn("not traced: interrupts", self.complaints)

    def test_an_event_in_an_interrupt_does_not_show_that_its_functions_are_traced(self):
        def keep(events):
            for number, event in enumerate(without_interrupts(events)):
                yield event
                if number == 50:
                    yield Event(event.ts, "waking", event.pid, HARDIRQ, priorities=(0, 100, 9))
        self.assertEqual({row["interrupts_traced"] for row in self.found(lambda real: keep).values()}, {0})

    def test_where_nobody_is_seen_to_write_the_marker_functions_were_chosen(self):
        names = ("schedule", "schedule_idle", "try_to_wake_up", "scheduler_tick", "irq_exit_rcu")
        timers = ("hrtimer_interrupt", "hrtimer_wakeup")
        for more in ((), timers, (*timers, "do_idle", "default_idle_call"), (*timers, "__sysvec_apic_timer_interrupt")):
            with self.subTest(more):
                rows = self.found(lambda real, chosen=names + more: filtered(*map(real.address, chosen)))
                for name, row in rows.items():
                    self.assertIsNotNone(row["graph_functions"], name)
                self.assertNotIn("late timer", self.verdict)

    def test_where_what_is_surely_called_is_not_seen_functions_were_chosen(self):
        for patterns in (("*sys*", "*sched*"), ("*timer*", "*sched*", "vfs_*"), ("*sched*", "*idle*", "hrtimer*", "vfs_*")):
            with self.subTest(patterns):
                rows = self.found(lambda real, patterns=patterns: filtered(
                    *(address for name, address in real.addresses.items() if any(fnmatch.fnmatch(name, one) for one in patterns))))
                for name, row in rows.items():
                    self.assertIsNotNone(row["graph_functions"], name)
                self.assertNotIn("late timer", self.verdict)

    def test_of_chosen_functions_no_period_is_inferred(self):
        rows = self.found(lambda real: only(real.address("hrtimer_interrupt")), period=None)
        self.assertEqual([row["start_ns"] is None for row in rows.values()], [False] * len(CAPTURES))
        self.assertIn("specify the task's period with --period", self.complaints)

    def test_chosen_functions_are_known_and_the_marker_bounds_the_window(self):
        whole = self.found(lambda real: lambda events: events)
        rows = self.found(lambda real: only(real.address("hrtimer_interrupt")))
        for name, row in rows.items():
            self.assertEqual(row["graph_functions"], "hrtimer_interrupt", row)
            self.assertEqual(row["graph_depth"], None, row)
            self.assertEqual(row["no_windows"], None, row)
            self.assertEqual(row["end_ns"] - row["start_ns"], whole[name]["end_ns"] - whole[name]["start_ns"])
            self.assertLess(abs(row["start_ns"] - whole[name]["start_ns"]), row["uncertain_ns"] + 5000, name)
        self.assertIn("not traced: calls outside of hrtimer_interrupt", self.complaints)

    def test_a_task_that_left_the_cpu_does_not_answer_for_whoever_came_unseen(self):
        def of_the_measured(real):
            return lambda events: (event for event in events if event.pid == real.marker.pid)

        whole = self.found(lambda real: lambda events: events)
        ways = {"its own": of_the_measured, "its sleep": lambda real: only(real.address("do_nanosleep")),
                "its switch": lambda real: only(real.address("schedule"))}
        for way, keep in ways.items():
            for wakes in (False, True):
                with self.subTest(way, wakes=wakes):
                    rows = self.found(lambda real, keep=keep, wakes=wakes: with_switches(real, keep(real), wakes))
                    for name, row in rows.items():
                        self.assertIsNotNone(row["graph_functions"], name)
                        self.assertLess(row["own_ns"], whole[name]["own_ns"] + 20_000, name)
                    self.assertIn("No cause", self.verdict)

    def test_a_task_that_has_the_cpu_whenever_the_measured_one_sleeps_came_unseen_too(self):
        def of_the_measured(real):
            return lambda events: (event for event in events if event.pid == real.marker.pid)

        def keep(real):
            kept = with_switches(real, of_the_measured(real), wakes=False)
            return lambda events: kept([replace(event, pid=event.pid or 4242) for event in events])

        for name, row in self.found(keep).items():
            self.assertIsNotNone(row["graph_functions"], name)

    def test_a_small_capture_of_shallow_calls_is_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for seed in range(40):
                paths.append(os.path.join(folder, f"{seed}.dat"))
                foreign.foreign(seed).trace().write(paths[-1])
            study = os.path.join(folder, "s.culprit")
            self.assertEqual(culprit.run("import", "--study", study, *paths).status, 0)
            rows = culprit.rows(study, f"SELECT {COLUMNS} FROM capture")
        self.assertEqual([row for row in rows if row["graph_depth"] or row["graph_functions"]
                          or row["interrupts_traced"] == 0], [])


if __name__ == "__main__":
    unittest.main()

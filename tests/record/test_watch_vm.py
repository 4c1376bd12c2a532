# SPDX-License-Identifier: GPL-3.0-or-later
# Windows of other tasks, measured by the kernel of a virtual machine: it counts those that a trace of the events
# themselves has, by every definition; captures come unattended, from the timer late interrupts are seen, and however a
# recording ends, the kernel has no event, trigger or instance of ours left, and all of other people's.

import base64
import functools
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
import recorder  # noqa: E402
import turns  # noqa: E402

KERNELS = turns.DICE.sample(("standard", "rt"), 1)  # By turns: each takes two minutes of a processor.
LINE = re.compile(r"\s*(?P<comm>.+)-(?P<task>\d+) +\[\d+\] (?P<flags>\S+) +(?P<seconds>\d+)\.(?P<us>\d{6}): (?P<event>\w+): (?P<rest>.*)")
FIELD = re.compile(r"(\w+)=(\S+)")
LOOSE_US = 20  # The trigger and the trace are called one after the other: up to 16 under emulation.


def setUpModule():
    subprocess.run([os.path.join(HERE, "..", "lab", "prepare")], check=True, stdout=subprocess.DEVNULL)
    os.environ["CULPRIT_VM_DIR"] = culprit.LAB


def build_loop(folder):
    program = os.path.join(folder, "loop")
    subprocess.run(["cc", "-O2", "-pthread", "-o", program, os.path.join(HERE, "..", "lab", "loop.c")], check=True)
    return program


def events(lines):
    """(time in us, event, fields) of the trace; a timer that an interrupt starts is none of the task below it."""
    for line in lines:
        found = LINE.match(line)
        if found:
            fields = dict(FIELD.findall(found["rest"]))
            if found["event"] != "hrtimer_start" or (found["flags"][2] == "." and found["comm"] == "myloop"):
                yield int(found["seconds"]) * 10**6 + int(found["us"]), found["event"], fields | {"task": found["task"]}


def wakeups(trace, from_waking):
    began = {}
    for time, event, fields in trace:
        if event == "sched_waking" and from_waking and fields["comm"] == "myloop":
            began[fields["pid"]] = time
        elif event == "hrtimer_start" and not from_waking:
            began[fields["task"]] = int(fields["softexpires"]) / 1000
        elif event == "sched_switch" and fields["next_comm"] == "myloop" and fields["next_pid"] in began:
            yield time - began.pop(fields["next_pid"])


def responses(trace, from_waking):
    """From the first waking after a sleep in the state S: the thread that moves waits in another one within its work."""
    began, due, armed, asleep = {}, {}, set(), set()
    for time, event, fields in trace:
        if event == "sched_waking" and from_waking and fields["pid"] in asleep:
            asleep.remove(fields["pid"])
            began[fields["pid"]] = time
        elif event == "hrtimer_start" and not from_waking:
            due[fields["task"]] = int(fields["softexpires"]) / 1000
            armed.add(fields["task"])
        elif event == "sched_switch":
            if fields["next_comm"] == "myloop" and fields["next_pid"] in due:
                began[fields["next_pid"]] = due.pop(fields["next_pid"])
            task = fields["prev_pid"]
            if fields["prev_comm"] == "myloop" and fields["prev_state"] == "S":
                asleep.add(task)
                if task in began and (from_waking or task in armed):
                    yield time - began.pop(task)
                armed.discard(task)


def between(trace):
    """With the name as key."""
    began = None
    for time, event, fields in trace:
        if event == "sched_waking" and fields["comm"] == "myloop":
            began = time
        elif event == "sched_switch" and fields["next_comm"] == "myloop" and began is not None:
            yield time - began
            began = None


@functools.cache
def counted(kernel):
    """What is said of windows that the kernel watches, and of those watched from user space; the errors."""
    with tempfile.TemporaryDirectory() as folder:
        said, errors = recorder.in_guest("watch-counts.sh", seconds=400, options=("--kernel", kernel, "--program", build_loop(folder)))
    ours, _, followed = said.partition("== follow\n")
    return {"kernel": ours, "follow": followed}, errors


class Counts(unittest.TestCase):
    def counts(self, kernel, how):
        """Of each definition: its latencies in us as watched by @how, the lines of the trace, and those of the loop."""
        said, errors = counted(kernel)
        self.said = said[how]
        parts = [part.split("\n") for part in ("\n" + self.said).split("\n= ")[1:]]
        self.assertEqual(len(parts), 9, self.said[-2000:] + errors)
        for lines in parts:
            bins = [json.loads(line)["bins"] for line in lines if line.startswith('{"type":"bins"')]
            latencies = sorted(us for us, count in bins[-1] for _ in range(count))
            own = [tuple(map(int, line.split())) for line in lines if re.fullmatch(r"(\d+ ){3}\d+", line)]
            yield lines[0], latencies, list(events(lines)), own

    def assert_the_same(self, latencies, expected):
        expected = sorted(expected)
        self.assertEqual(len(latencies), len(expected))
        self.assertEqual([(us, wanted) for us, wanted in zip(latencies, expected) if abs(us - wanted) > LOOSE_US], [])

    def test_are_those_of_a_trace_of_the_events_by_every_definition(self):
        naive = (lambda trace: wakeups(trace, False), lambda trace: wakeups(trace, True),
                 lambda trace: responses(trace, False), lambda trace: responses(trace, True),
                 lambda trace: wakeups(trace, True), between)
        for kernel in KERNELS:
            for (definition, latencies, trace, own), expected in zip(self.counts(kernel, "kernel"), (*naive, None, None, None)):
                with self.subTest(kernel=kernel, definition=definition):
                    self.assertEqual(len(own), 400)
                    if expected:
                        self.assert_the_same(latencies, expected(trace))
                    else:
                        self.assertEqual(len(latencies), 400)
                        slow = [latency for latency in latencies if latency >= 1000]
                        self.assertEqual(len(slow), len([1 for _, _, woken, done in own if done - woken >= 1000000]))

    def test_are_the_same_watched_from_user_space_where_the_kernel_lacks_something(self):
        """And a trace is stopped, whose late window is there as the recorder found it; nothing of ours is left."""
        naive = (lambda trace: wakeups(trace, False), lambda trace: wakeups(trace, True), lambda trace: responses(trace, False),
                 lambda trace: responses(trace, True), lambda trace: wakeups(trace, True), between)
        for (definition, latencies, trace, own), expected in zip(self.counts(KERNELS[0], "follow"), (*naive, None, None)):
            with self.subTest(definition=definition):
                self.assertEqual(len(own), 400)
                if expected:
                    self.assert_the_same(latencies, expected(trace))
                else:
                    self.assertEqual(len(latencies), 400)
        self.assertIn("have no buckets, as since Linux 5.13, so windows are watched from user space", self.said)
        lines = [json.loads(line) for line in self.said.splitlines() if line.startswith('{"type":')]
        log, = (line for line in lines if line["type"] == "capture")
        with tempfile.TemporaryDirectory() as folder:
            capture, study = os.path.join(folder, "c.dat"), os.path.join(folder, "s.culprit")
            with open(capture, "wb") as file:
                file.writelines(base64.b64decode(line["base64"]) for line in lines if line["type"] == "data")
            with open(os.path.join(folder, "c.json"), "w", encoding="utf-8") as file:
                json.dump(log, file)
            self.assertEqual(culprit.run("import", "--study", study, capture).status, 0)
            late, = culprit.rows(study, "SELECT latency_ns, pid FROM outlier")
        self.assertEqual(late["pid"], log["hit"]["pid"])
        self.assertGreater(log["hit"]["latency_ns"], 3000000)
        self.assertLessEqual(abs(late["latency_ns"] - log["hit"]["latency_ns"]), 1000 * LOOSE_US)
        self.assertEqual(self.said.splitlines()[-1], json.dumps(lines[-1], separators=(",", ":")))


@turns.tests(1, "test_interrupts_that_are_late_are_seen_from_the_timer_and_not_from_the_waking",
             "test_captures_come_unattended_each_with_what_the_kernel_measured_and_a_stall_is_named",
             "test_a_slow_system_call_is_named_as_what_made_a_response_slow",
             "test_what_a_program_does_between_two_of_its_functions_is_measured_in_turns_and_found_again")
class Recording(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")
        self.loop = build_loop(self.folder)

    def record(self, *arguments, kernel="standard", mode="plain", module="mode=count"):
        fault = os.path.join(culprit.LAB, kernel, "fault", "culprit_fault.ko")
        result = culprit.run("record", "--study", self.study, "--target", "vm", "--vm-kernel", kernel, "--vm-program", self.loop,
                             "--load", f"loop {mode} 100000 >/dev/null", "--vm-module", f"{fault} {module}", *arguments, timeout=280)
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assertEqual(culprit.run("check", "--study", self.study).status, 0)

    def late(self, run):
        return culprit.rows(self.study, "SELECT TOTAL (count) AS n FROM run_latency JOIN run USING (run_id) WHERE latency_ns"
                                        f" > 400000 AND name = '{run}'")[0]["n"]

    def test_interrupts_that_are_late_are_seen_from_the_timer_and_not_from_the_waking(self):
        for kernel in KERNELS:
            with self.subTest(kernel=kernel):
                options = ("--wakeup-of", "myloop", "--limit", "20s")
                self.record(*options, "--run", f"{kernel}-timer", kernel=kernel)
                self.record(*options, "--from-waking", "--run", f"{kernel}-waking", kernel=kernel)
                self.assertGreaterEqual(self.late(f"{kernel}-timer"), 5)
                self.assertLess(4 * self.late(f"{kernel}-waking"), self.late(f"{kernel}-timer"))

    def test_captures_come_unattended_each_with_what_the_kernel_measured_and_a_stall_is_named(self):
        for kernel in KERNELS:
            with self.subTest(kernel=kernel):
                self.record("--wakeup-of", "myloop", "--threshold", "1500us", "--captures", "4", "--buffer", "1200", "--run", kernel,
                            kernel=kernel, module="mode=blind every_min=25 every_max=50")
                late = culprit.rows(self.study, "SELECT file, latency_ns, ordinary_windows FROM window JOIN capture USING (capture_id)"
                                                " JOIN run USING (run_id) WHERE kind = 'outlier' AND name = '" + kernel +
                                                "' ORDER BY capture_id")
                others = culprit.rows(self.study, "SELECT no_windows FROM capture JOIN run USING (run_id) WHERE name = '" +
                                      kernel + "' AND no_windows IS NOT NULL")
                # On a busy machine the buffer may not reach back to the late one, which is told.
                self.assertEqual((len(late) + len(others), {row["no_windows"] for row in others} - {"other-late"}), (4, set()))
                self.assertGreaterEqual(len(late), 3)
                for window in late:
                    with open(os.path.join(self.folder, window["file"].replace(".dat", ".json")), encoding="utf-8") as file:
                        log = json.load(file)
                    self.assertEqual((log["window"], log["threshold_ns"], log["cycles"], log["needed_kb"]),
                                     ("wakeup-of/timer:myloop", 1500000, [], 0))
                    self.assertGreater(log["hit"]["latency_ns"], 1500000)
                    self.assertLessEqual(abs(window["latency_ns"] - log["hit"]["latency_ns"]), 5000)
                    self.assertGreater(window["ordinary_windows"], 0)
                cause = json.loads(culprit.run("verdict", "--study", self.study, "--run", kernel, "--json").stdout)["culprits"][0]
                self.assertEqual(cause["class"], "blind-stall")
                self.assertGreaterEqual(cause["captures"], len(late) - 1)
        self.assertEqual([dict(row) for row in culprit.rows(
            self.study, "SELECT name, window_kind FROM series ORDER BY name")],
            [{"name": kernel, "window_kind": "wakeup-of/timer:myloop"} for kernel in sorted(KERNELS)])

    def test_a_slow_system_call_is_named_as_what_made_a_response_slow(self):
        self.record("--response-of", "myloop", "--threshold", "3ms", "--captures", "3", "--buffer", "3000", "--run", "x", mode="call")
        late = json.loads(culprit.run("outliers", "--study", self.study, "--json").stdout)
        self.assertEqual(len(late), 3)
        for outlier in late:
            with open(os.path.join(self.folder, "s.captures", f"x-00{outlier['capture']}.json"), encoding="utf-8") as file:
                self.assertLessEqual(abs(outlier["latency_ns"] - json.load(file)["hit"]["latency_ns"]), 5000)
            self.assertEqual(outlier["budget_sum_ns"], outlier["latency_ns"])
        cause = json.loads(culprit.run("verdict", "--study", self.study, "--json").stdout)["culprits"][0]
        self.assertEqual(cause["function"], "read_zero")
        self.assertIn(cause["class"], ("took-too-long", "mixed"))  # Where tracing costs much, the next cycle's call is in it as well.
        self.assertGreaterEqual(cause["captures"], 2)  # The kernel's own work makes a response slow now and then.

    def test_what_a_program_does_between_two_of_its_functions_is_measured_in_turns_and_found_again(self):
        probes = ("--between", "uprobe:loop:work_begin..usdt:loop:myloop:work_end")
        self.record(*probes, "--threshold", "3ms", "--captures", "1", "--buffer", "3000", "--tracing", "both", "--runs", "2",
                    "--limit", "3s", "--run", "x", mode="call")
        runs = culprit.rows(self.study, "SELECT name, tracing, cycles FROM run ORDER BY run_id")
        self.assertEqual([run["name"] for run in runs], ["x/off-1", "x/on-1", "x/on-2", "x/off-2"])
        self.assertTrue(all(run["cycles"] > 375 for run in runs), runs)
        result = culprit.run("compare", "--study", self.study, "x/off", "x/on", "--json")
        self.assertEqual(result.status, 0, result.stderr)
        least = {row["tracing"]: row["ns"] for row in culprit.rows(
            self.study, "SELECT tracing, MIN (latency_ns) AS ns FROM run_latency JOIN run USING (run_id) GROUP BY tracing")}
        self.assertLess(least["off"], least["on"])
        capture = os.path.join(self.folder, "s.captures", "x-001")
        with open(f"{capture}.json", encoding="utf-8") as file:
            log = json.load(file)
        self.assertEqual(log["window"], f"between/common_pid=common_pid:{probes[1]}")
        shutil.copy(f"{capture}.dat", os.path.join(self.folder, "foreign.dat"))
        again = os.path.join(self.folder, "again.culprit")
        result = culprit.run("import", "--study", again, *probes, "--threshold", "3ms", os.path.join(self.folder, "foreign.dat"))
        self.assertEqual(result.status, 0, result.stderr)
        late, same = (culprit.rows(study, "SELECT start_ns, end_ns, latency_ns, pid FROM window WHERE kind = 'outlier'")[0]
                      for study in (self.study, again))
        self.assertEqual(dict(late), dict(same))
        self.assertLessEqual(abs(late["latency_ns"] - log["hit"]["latency_ns"]), 5000)


class Endings(unittest.TestCase):
    def test_whatever_ends_a_recording_nothing_of_ours_is_left_and_all_of_others(self):
        said, errors = recorder.in_guest("watch.sh", seconds=280, options=("--program", "/usr/bin/cyclictest"))
        lines = said.splitlines()
        cases = dict(line.split(": ", 1) for line in lines if re.match(r"[\w-]+: ", line))
        self.assertEqual(cases, dict.fromkeys(("off", "supervisor", "front", "stop", "end-of-input", "pid", "traced", "traced-stop",
                                               "next", "marks", "probes", "probes-stop", "newline", "no-event", "no-field", "no-such", "filtered", "follow",
                                               "follow-stop"), "same"), said + errors)
        restored = [line for line in lines if line.startswith("tracing is restored")]
        self.assertEqual(restored, ["tracing is restored to what it was before the recording"] * 5)
        self.assertIn("2", lines, said)
        self.assertIn("kernel.ftrace_enabled is 0", lines, said)
        self.assertIn('"reason":"captures"', lines, said)
        refused = [json.loads(line)["text"] for line in lines if line.startswith('{"type":"error"')]
        self.assertEqual(len(refused), 4, said)
        self.assertIn("no event sched:no_such_event", refused[0])
        self.assertIn('sched:sched_switch has no field "no_such_field"', refused[1])
        self.assertIn('irq:irq_handler_entry has no field "cpu"', refused[2])
        self.assertIn("somebody has set a filter for the event sched:sched_switch", refused[3])


if __name__ == "__main__":
    unittest.main()

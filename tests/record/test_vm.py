# SPDX-License-Identifier: GPL-3.0-or-later
# Recording in a virtual machine whose kernel can trace: captures of a known fault come unattended with exact windows, a
# band selects nothing else, and however a recording ends, the guest's tracing settings are restored.

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import recorder  # noqa: E402
import turns  # noqa: E402
import stand_in  # noqa: E402

VM = culprit.LAB
BOOT = os.path.join(HERE, "..", "..", "app", "record", "vm", "boot")
QUICKER = ("--time", "wall")  # It starts in less than half the processor time.
FAULT = os.path.join(VM, "standard", "fault", "culprit_fault.ko")


def setUpModule():
    subprocess.run([os.path.join(HERE, "..", "lab", "prepare")], check=True, stdout=subprocess.DEVNULL)
    os.environ["CULPRIT_VM_DIR"] = VM


class Recording(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")

    def record(self, *arguments):
        return culprit.run("record", "--study", self.study, "--target", "vm", "--aligned", *arguments,
                           timeout=280)

    def assert_adds_up(self):
        self.assertEqual(culprit.run("check", "--study", self.study).status, 0)
        for capture in culprit.rows(self.study, "SELECT * FROM capture JOIN window USING (capture_id)"
                                                " WHERE kind = 'outlier'"):
            self.assertEqual(capture["period_source"], "recorded")
            self.assertEqual(capture["start_ns"] % 5000000, 0)
            self.assertEqual(capture["needed_kb"], 0)
            self.assertGreater(capture["ordinary_windows"], 0)


@turns.tests(2, "test_of_a_fault_come_unattended_with_exact_windows", "test_a_period_that_tracing_makes_unsound_is_refused",
             "test_of_a_band_lie_in_it_and_runs_take_turns_so_that_drift_meets_both_alike")
class Captures(Recording):
    def test_of_a_fault_come_unattended_with_exact_windows(self):
        """The kernel's own work makes a wake-up late now and then: not every capture is of the fault."""
        result = self.record("--vm-module", f"{FAULT} mode=count", "--threshold", "700us", "--captures", "3",
                             "--buffer", "1200", "--run", "x")
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assert_adds_up()
        outliers = culprit.rows(self.study, "SELECT latency_ns, capture_id FROM window WHERE kind = 'outlier'")
        self.assertEqual(len(outliers), 3)
        self.assertTrue(all(outlier["latency_ns"] > 700000 for outlier in outliers))
        calls = culprit.rows(self.study, "SELECT calls FROM budget WHERE function = 'qh_completions' AND calls > 100")
        self.assertGreaterEqual(len(calls), 2)
        hits = culprit.rows(self.study, "SELECT hits, cycles, missed, page_faults FROM run")[0]
        self.assertEqual((hits["hits"], hits["page_faults"]), (3, 0))
        names = sorted(os.listdir(os.path.join(self.folder, "s.captures")))
        self.assertEqual(names, [f"x-00{n}.{kind}" for n in (1, 2, 3) for kind in ("dat", "json")])

    def test_of_a_band_lie_in_it_and_runs_take_turns_so_that_drift_meets_both_alike(self):
        result = self.record("--vm-module", f"{FAULT} mode=count", "--band", "2ms,3200us", "--captures", "1", "--buffer",
                             "1200", "--tracing", "both", "--runs", "2", "--cycles", "300", "--run", "x")
        self.assertEqual((result.status, result.stderr), (0, ""))
        runs = culprit.rows(self.study, "SELECT run.name, tracing, cycles, series.name AS series FROM run"
                                        " JOIN series USING (series_id) ORDER BY run_id")
        self.assertEqual([(run["name"], run["tracing"], run["series"]) for run in runs],
                         [("x/off-1", "off", "x"), ("x/on-1", "on", "x"), ("x/on-2", "on", "x"), ("x/off-2", "off", "x")])
        self.assertEqual({run["cycles"] for run in runs}, {300})
        for outlier in culprit.rows(self.study, "SELECT latency_ns FROM window WHERE kind = 'outlier'"):
            self.assertTrue(2000000 <= outlier["latency_ns"] <= 3200000, outlier)
        least = {run: culprit.rows(self.study, "SELECT MIN (latency_ns) AS ns FROM run_latency JOIN run USING (run_id)"
                                               f" WHERE tracing = '{run}'")[0]["ns"] for run in ("off", "on")}
        self.assertLess(least["off"] * 5, least["on"])

    def test_without_room_the_mend_is_named(self):
        result = self.record("--vm-time", "wall", "--threshold", "1ms", "--buffer", "400000")
        self.assertEqual((result.status, len(result.error_lines())), (2, 1))
        self.assertIn("MB free", result.stderr)

    def test_a_period_that_tracing_makes_unsound_is_refused(self):
        """Of a threshold and a band the recordings of endings.sh are warned."""
        result = self.record("--period", "250us", "--threshold", "200us")
        self.assertEqual((result.status, len(result.error_lines())), (2, 1))
        self.assertIn("under tracing", result.stderr)
        self.assertEqual(os.listdir(self.folder), [])


class Guests(unittest.TestCase):
    """Whatever runs in the machine can write where boot hears from it."""

    def boot(self, script, *options):
        return subprocess.run([BOOT, *options, "sh", "-c", script], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=280)

    def test_what_a_guest_tells_of_itself_is_no_command(self):
        with tempfile.TemporaryDirectory() as folder:
            mark = os.path.join(folder, "mark")
            result = self.boot(f"echo 'a[$(touch {mark})]' >/dev/vport0p3", *QUICKER)
            self.assertEqual((result.returncode, len(result.stderr.splitlines()), os.listdir(folder)), (2, 1, []), result.stderr)
            self.assertIn("something else than an exit status", result.stderr)

    def test_how_much_it_tells_is_limited_and_its_status_is_passed_on(self):
        for options in ((), (*QUICKER, "--program", recorder.PROGRAM)):
            result = self.boot("exit 7", *options)
            self.assertEqual((result.returncode, result.stderr), (7, ""))
        result = self.boot("tr '\\0' 7 </dev/zero | head -c 1000000 >/dev/vport0p3; exit 0", *QUICKER)
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (2, 1))
        self.assertLess(len(result.stderr), 300)


class HostileGuests(Recording):
    """What the machine sends is not what its recorder would."""

    def setUp(self):
        super().setUp()
        stand_in.use_ssh_of(self, self.folder)

    def assert_cut_off(self, *body, reason, ends="--threshold"):
        stand_in.write_machine(self.folder, "begin(tracing='off')", *body)
        result = self.record(ends, "1ms")
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        self.assertIn("vm: disconnected: ", result.stderr)
        self.assertIn(reason, result.stderr)

    def test_more_lines_than_anybody_reads(self):
        for line in ("say(type='note', text='x')", "progress()"):
            with self.subTest(line=line):
                self.assert_cut_off(f"while True: {line}", reason="lines per second")

    def test_a_capture_of_more_cpus_than_the_machine_has(self):
        stand_in.write_machine(self.folder, "begin(cpus=64)", "capture()", "while True: data(bytes(480 * 1024))")
        result = self.record("--threshold", "1ms", "--captures", "1", "--buffer", "64")
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        self.assertIn("64 kB on 1 CPUs", result.stderr)

    def test_a_recording_that_goes_on_for_ever(self):
        self.assert_cut_off("while True:", "    progress()", "    time.sleep(0.1)", reason="does not finish", ends="--limit")


class Endings(unittest.TestCase):
    def test_whatever_ends_a_recording_the_tracing_is_as_it_was_and_what_is_unsound_is_told(self):
        said, errors = recorder.in_guest("endings.sh", seconds=280)
        cases = dict(line.split(": ", 1) for line in said.splitlines() if ": " in line)
        same = ("traced", "whole", "loop", "group", "untraced", "interrupt", "end-of-input", "stop", "filtered-after",
                "disabled-after", "snapshots-after", "stopped-after", "busy-after", "held-after", "held-before-after",
                "memory-after", "owned-after", "restored-late", "snapshot", "kept", "refused", "untouched",
                "taken-over")
        told = ("threshold", "band", "filtered", "disabled", "snapshots", "stopped", "busy", "busy-still", "busy-traced",
                "busy-untraced", "held", "held-before", "memory", "remedy", "untraced-busy", "freed", "clock", "clock-back",
                "owned", "owned-watch", "owned-late")
        self.assertEqual(cases, {**dict.fromkeys(same, "same"), **dict.fromkeys(told, "told")},
                         said + errors)


if __name__ == "__main__":
    unittest.main()

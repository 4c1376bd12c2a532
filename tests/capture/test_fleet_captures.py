# SPDX-License-Identifier: GPL-3.0-or-later
# The made captures of a fleet are what they claim to be, by culprit and by trace-cmd: their host, kernel and latency; inside
# the late wake-up all times are scaled, outside they are as in the real capture.

import filecmp
import os
import re
import subprocess
import sys
import tempfile
import unittest

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TESTS, "support")]
import culprit  # noqa: E402
import fleet_captures  # noqa: E402

CAPTURES = 60


def report(path):
    """(time in ns, the rest) of each event, as trace-cmd shows it."""
    done = subprocess.run(["trace-cmd", "report", "-t", "-R", path], capture_output=True, text=True, check=True)
    assert "error" not in done.stderr.lower(), done.stderr
    lines = [re.match(r"(.*\[\d+\])\s+(\d+)\.(\d{9}):(.*)", line) for line in done.stdout.splitlines()]
    return [(int(found[2]) * 10 ** 9 + int(found[3]), found[1] + found[4]) for found in lines if found]


class Made(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.plans = fleet_captures.make_all(cls.folder, CAPTURES)
        cls.study = os.path.join(cls.folder, "all.culprit")
        real = sorted({os.path.join(fleet_captures.DATA, f"{plan.template}.dat") for plan in cls.plans})
        cls.importing = culprit.import_captures(cls.study, [cls.folder, *real])
        cls.rows = {os.path.relpath(row["file"], cls.folder) if row["file"].startswith("/") else row["file"]: row
                    for row in culprit.rows(cls.study, """
                        SELECT capture_id, file, sha256, host.name AS host, host.kernel AS kernel, run.name AS run,
                               first_ns, latency_ns, start_ns, end_ns, events, capture.ordinary_windows
                        FROM capture JOIN host USING (host_id) JOIN run USING (run_id)
                        LEFT JOIN (SELECT capture_id, latency_ns, start_ns, end_ns FROM outlier) USING (capture_id)""")}

    def real(self, plan):
        return next(row for file, row in self.rows.items() if file.endswith(f"/data/{plan.template}.dat"))

    def one_of_each(self):
        """A plan for each template that is used."""
        return {plan.template: plan for plan in self.plans}.values()

    def test_all_are_stored_each_once(self):
        self.assertEqual(self.importing.status, 0, self.importing.stderr)
        self.assertEqual(len({row["sha256"] for row in self.rows.values()}), len(self.rows))
        self.assertTrue({plan.path for plan in self.plans} < set(self.rows))

    def test_host_kernel_and_series_are_those_that_were_planned(self):
        for plan in self.plans:
            row = self.rows[plan.path]
            self.assertEqual((row["host"], row["kernel"], row["run"]), (plan.host, plan.kernel, plan.series))

    def test_the_latency_is_scaled_and_the_ordinary_wake_ups_are_kept(self):
        scaled = 0
        for plan in self.plans:
            row, real = self.rows[plan.path], self.real(plan)
            with self.subTest(plan.path):
                wanted = fleet_captures.latency_us(plan)
                self.assertEqual(row["latency_ns"], wanted and wanted * 1000)
                self.assertEqual((row["events"], row["ordinary_windows"]), (real["events"], real["ordinary_windows"]))
                self.assertEqual(row["first_ns"], real["first_ns"] + plan.shift_ns)
                scaled += bool(wanted) and abs(wanted / (real["latency_ns"] / 1000) / plan.factor - 1) < 0.001
        self.assertGreater(scaled, CAPTURES / 2, "most can be scaled as planned")

    def test_the_costs_of_the_late_wake_up_are_scaled_with_it(self):
        costs = """SELECT path, context, calls, self_ns FROM outlier_node JOIN window USING (window_id)
                   JOIN node USING (node_id) JOIN path USING (node_id) WHERE capture_id = {} AND self_ns > 0"""
        for plan in self.one_of_each():
            row, real = self.rows[plan.path], self.real(plan)
            if not row["latency_ns"]:
                continue
            factor = row["latency_ns"] / real["latency_ns"]
            parts, real_parts = ({(part["path"], part["context"]): part for part in
                                  culprit.rows(self.study, costs.format(which["capture_id"]))} for which in (row, real))
            with self.subTest(plan.template, factor=factor):
                self.assertEqual(set(parts), set(real_parts))
                for key, part in parts.items():
                    self.assertEqual(part["calls"], real_parts[key]["calls"], key)
                    self.assertAlmostEqual(part["self_ns"], real_parts[key]["self_ns"] * factor, delta=4 * part["calls"] + 4,
                                           msg=key)

    def test_trace_cmd_reads_the_same_events_at_the_changed_times(self):
        for plan in self.one_of_each():
            row, real = self.rows[plan.path], self.real(plan)
            start, end = real["start_ns"] or 0, real["end_ns"] or 0
            longer = row["latency_ns"] - real["latency_ns"] if row["latency_ns"] else 0
            made = report(os.path.join(self.folder, plan.path))
            as_it_was = report(os.path.join(fleet_captures.DATA, f"{plan.template}.dat"))
            with self.subTest(plan.template):
                self.assertEqual(len(made), len(as_it_was))
                for (time, text), (real_time, real_text) in zip(made, as_it_was):
                    if "hit latency" not in text:
                        self.assertEqual(text, real_text)
                    if real_time <= start or real_time >= end:
                        self.assertEqual(time, real_time + plan.shift_ns + (longer if real_time >= end > 0 else 0))
                    else:
                        factor = row["latency_ns"] / real["latency_ns"]
                        self.assertAlmostEqual(time - row["start_ns"], (real_time - start) * factor, delta=1)

    def test_the_same_number_gives_the_same_bytes_and_is_not_made_again(self):
        with tempfile.TemporaryDirectory() as folder:
            for plan in self.plans[:5]:
                fleet_captures.make(folder, plan)
                paths = [os.path.join(where, plan.path) for where in (folder, self.folder)]
                self.assertTrue(filecmp.cmp(*paths, shallow=False))
                self.assertEqual(os.stat(paths[0]).st_mtime, plan.saved)
                before = os.stat(paths[0]).st_ino
                fleet_captures.make(folder, plan)
                self.assertEqual(os.stat(paths[0]).st_ino, before)

    def test_another_seed_gives_other_captures(self):
        other = [fleet_captures.plan(plan.number, 20, 2) for plan in self.plans]
        self.assertNotEqual([plan.template for plan in self.plans], [plan.template for plan in other])

    def test_the_new_kernel_brings_a_cause_to_hosts_that_had_the_old_one(self):
        plans = [fleet_captures.plan(number, 20, 1) for number in range(1000)]
        costly = [plan for plan in plans if plan.template.startswith("cost")]
        old = {plan.host for plan in plans if plan.kernel == fleet_captures.OLD}
        self.assertEqual({plan.kernel for plan in costly}, {fleet_captures.NEW})
        self.assertLessEqual({plan.host for plan in costly}, old)
        self.assertGreater(len({plan.host for plan in costly}), 5)
        self.assertEqual(len({plan.host for plan in plans}), 20)


if __name__ == "__main__":
    unittest.main()

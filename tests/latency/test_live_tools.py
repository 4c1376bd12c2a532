# SPDX-License-Identifier: GPL-3.0-or-later
# What cyclictest and stress-ng really write on this machine is read.

import os
import re
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), HERE]

import culprit  # noqa: E402
from test_reading import Reading  # noqa: E402


def told_above(n):
    return f"{n} latenc{'y' if n == 1 else 'ies'} above" if n else None


class RealPrograms(Reading):
    def test_cyclictest_s_histogram_and_json_of_two_threads_are_one_profile(self):
        table = subprocess.run(["cyclictest", "-q", "-m", "-p", "80", "-t", "2", "-i", "1000", "-l", "200", "-h", "60",
                                f"--json={self.path('j.json')}"], capture_output=True, text=True, check=True).stdout
        expected = {}
        for line in re.findall(r"^(\d{6} .*)$", table, flags=re.MULTILINE):
            latency, *counts = map(int, line.split())
            if sum(counts):
                expected[latency * 1000] = sum(counts)
        overflows = sum(map(int, re.search(r"Overflows: (.*)", table)[1].split()))
        self.assert_read(table, expected, warning=told_above(overflows))
        self.assertEqual(sum(expected.values()), sum(map(int, re.search(r"Total: (.*)", table)[1].split())))
        result = culprit.run("import", "--study", self.study, self.path("j.json"))
        self.assertEqual((result.status, self.profile("j")), (0, expected))
        self.assertEqual((told_above(overflows) or "above") in result.stderr, overflows > 0)

    def test_cyclictest_s_stream(self):
        stream = subprocess.run(["cyclictest", "-m", "-p", "80", "-t", "1", "-i", "1000", "-l", "50", "-v"],
                                capture_output=True, text=True, check=True).stdout
        latencies = [int(latency) * 1000 for latency in re.findall(r"^ *\d+: *\d+: *(\d+)$", stream, flags=re.MULTILINE)]
        self.assertGreater(len(latencies), 10)
        self.assert_read(stream, {latency: latencies.count(latency) for latency in latencies})

    def test_what_stress_ng_prints_without_a_distribution_is_a_summary_and_its_yaml_holds_none(self):
        yaml = self.path("c.yaml")
        told = subprocess.run(["stress-ng", "--cyclic", "1", "--cyclic-samples", "500", "-t", "1", "--yaml", yaml],
                              capture_output=True, text=True, check=True)
        told = told.stdout + told.stderr
        self.assertEqual(self.run_import(told).status, 0)
        mean, = re.findall(r"mean: ([0-9.]+) ns", told)
        deviation, = re.findall(r"std.dev. ([0-9.]+)", told)
        row, = culprit.rows(self.study, "SELECT summary_mean_ns AS m, summary_sd_ns AS s, summary_samples AS n FROM run")
        self.assertEqual((row["m"], row["s"], row["n"]), (float(mean), float(deviation), 500))
        result = culprit.run("import", "--study", self.study, yaml)
        self.assertEqual((result.status, len(result.error_lines())), (2, 1))
        self.assertIn("--cyclic-dist", result.stderr)

    def test_stress_ng_s_distribution(self):
        told = subprocess.run(["stress-ng", "--cyclic", "1", "--cyclic-dist", "2000", "-t", "1"], capture_output=True,
                              text=True, check=True)
        told = told.stdout + told.stderr
        rows = re.findall(r"cyclic: +(\d+) +(\d+)$", told, flags=re.MULTILINE)
        samples = int(re.search(r"(\d+) samples", told)[1])
        above = samples - sum(int(count) for _, count in rows)  # It prints no more than 250 bins.
        self.assert_read(told, {int(latency): int(count) for latency, count in rows if int(count)},
                         warning=told_above(above))
        self.assertEqual(culprit.rows(self.study, "SELECT resolution_ns FROM run"), [{"resolution_ns": 2000}])


if __name__ == "__main__":
    unittest.main()

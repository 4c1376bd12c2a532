# SPDX-License-Identifier: GPL-3.0-or-later
# Other ways to show latencies: R's summary, stress-ng's list, spreadsheets, separate CPUs, late and missed wake-ups.

import csv
import io
import json
import os
import random
import re
import sqlite3
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402


class Options(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.study = os.path.join(folder, "s.culprit")
        generator = random.Random(5)
        cls.latencies = [int(generator.lognormvariate(9, 0.5)) for _ in range(10007)]
        with open(os.path.join(folder, "x.txt"), "w", encoding="ascii") as file:
            file.writelines(f"{latency}\n" for latency in cls.latencies)
        with open(os.path.join(folder, "few.txt"), "w", encoding="ascii") as file:
            file.write("vanilla 43.483 0.178 10\n")
        for name, unit in (("x", "1ns"), ("few", "1us")):
            assert culprit.run("import", "--study", cls.study, "--unit", unit, os.path.join(folder, name + ".txt")).status == 0
        with sqlite3.connect(cls.study) as database:
            database.execute("UPDATE run_latency SET cpu = 3 WHERE latency_ns > 10000")
            database.execute("UPDATE run SET source = 'record' WHERE name = 'x'")
        database.close()
        cls.latencies.sort()

    def latency(self, *options):
        result = culprit.run("latency", "--study", self.study, *options)
        self.assertEqual((result.status, result.stderr), (0, ""))
        return result.stdout

    def test_r_s_summary_is_a_line_for_each_run(self):
        lines = self.latency("--summary").splitlines()
        self.assertEqual(len(lines), 3)
        self.assertRegex(lines[0], "min us +1st qu. us +median us +mean us +3rd qu. us +max us")
        rank = (len(self.latencies) - 1) // 4
        self.assertIn(f" {self.latencies[2 * rank + 1] / 1000:.1f} ", lines[1])
        self.assertRegex(lines[2], r"^vanilla +10 +- +- +- +43\.5 +- +-$")

    def test_stress_ng_s_list_by_its_rule(self):
        told = re.findall(r"^ +([0-9.]+)%: +(\d+) ns$", self.latency("--percentiles", "x"), flags=re.MULTILINE)
        expected = [(text, str(self.latencies[len(self.latencies) * ten_thousandths // 10000]))
                    for text, ten_thousandths in (("25.00", 2500), ("50.00", 5000), ("75.00", 7500), ("90.00", 9000),
                                                  ("95.40", 9540), ("99.00", 9900), ("99.50", 9950), ("99.90", 9990),
                                                  ("99.99", 9999))]
        self.assertEqual(told, expected)

    def test_spreadsheets(self):
        first, second = csv.DictReader(io.StringIO(self.latency("--csv")))
        self.assertEqual((first["run"], int(first["n"]), int(first["max_ns"])), ("x", 10007, self.latencies[-1]))
        self.assertEqual((second["run"], second["mean_ns"], second["max_ns"]), ("vanilla", "43483", ""))

    def test_cpus_apart(self):
        profiles = json.loads(self.latency("--json", "--per-cpu", "x"))
        self.assertEqual([profile["run"] for profile in profiles], ["x, CPU 0", "x, CPU 3"])
        above = sum(latency > 10000 for latency in self.latencies)
        self.assertEqual([profile["n"] for profile in profiles], [10007 - above, above])

    def test_late_and_missed_wake_ups(self):
        self.assertIsNone(json.loads(self.latency("--json", "x"))[0]["lateness"])
        for options, deadline, period in ((("--period", "20us"), 10000, 20000),
                                          (("--period", "20us", "--deadline", "12us"), 12000, 20000)):
            lateness = json.loads(self.latency("--json", *options, "x"))[0]["lateness"]
            self.assertEqual(lateness, {"deadline_ns": deadline, "within_bin": False, "period_ns": period,
                                        "late": sum(latency >= deadline for latency in self.latencies),
                                        "missed": sum(latency >= period for latency in self.latencies)})
        late = sum(latency >= 12000 for latency in self.latencies)
        lateness = json.loads(self.latency("--json", "--deadline", "12us", "x"))[0]["lateness"]
        self.assertEqual((lateness["late"], lateness["period_ns"], lateness["missed"]), (late, None, None))
        self.assertIn(f"late by 12.0 us or more: {late:,}\n", self.latency("--deadline", "12us", "x"))
        self.assertIn(f"late by 10.0 us or more: {sum(latency >= 10000 for latency in self.latencies):,};",
                      self.latency("--period", "20us", "x"))

    def test_a_time_is_read_as_it_is_written(self):
        self.assertEqual(self.latency("--period", "20 us", "--deadline", "12.0 us", "x"),
                         self.latency("--period", "20us", "--deadline", "12us", "x"))

    def test_what_excludes_each_other(self):
        for options in (("--summary", "--percentiles"), ("--untraced",), ("--untraced", "--per-cpu", "x"),
                        ("--period", "5", "x"), ("--deadline", "x", "x"), ("--untraced", "x")):
            result = culprit.run("latency", "--study", self.study, *options)
            self.assertEqual((result.status, result.stdout, len(result.error_lines())), (2, "", 1), options)

    def compare(self, *options):
        return culprit.run("compare", "--study", self.study, "x", "x", *options)

    def test_a_latency_is_carried_over_only_where_the_base_has_some_above(self):
        result = self.compare("--map", "8us,10us")
        self.assertIn("8.0 us of x corresponds to 8.0 us", result.stdout)
        self.assertIn("corresponds to", result.stdout)
        result = self.compare("--map", "5ms")
        self.assertIn("5.000 ms is above all latencies of x", result.stdout)
        self.assertIsNone(json.loads(self.compare("--map", "5ms", "--json").stdout)["against"][0]["mapped"][0]["ns"])

    def test_an_interval_that_is_known_on_one_side_says_so(self):
        result = self.compare("--map", f"{self.latencies[-2]}ns")
        self.assertIn("(at least ", result.stdout)
        self.assertNotIn("?", result.stdout)

    def test_a_band_begins_at_its_lower_end(self):
        result = self.compare("--map", "10us,8us")
        self.assertEqual((result.status, result.stdout, len(result.error_lines())), (2, "", 1))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# Reading other tools' latency results: what rtla and jitterdebugger write according to their formats, tables and lists;
# and files that are none of these. test_live_tools.py has what others really write on this machine.

import itertools
import json
import os
import re
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402

TIMERLAT = """# RTLA timerlat histogram
# Time unit is microseconds (us)
# Duration:   0 00:00:10
Index   IRQ-000   Thr-000   Usr-000   IRQ-001   Thr-001   Usr-001
0          9000         0         0      9500         0         0
1           999      5000         7       499      6000         8
2             1      4998      9000         1      3999      9000
over:         0         2         3         0         1         2
count:    10000     10000      9010     10000     10000      9010
min:          0         1         1         0         1         1
avg:          0         1         1         0         1         1
max:          2         9         9         2         8         9
"""
OSNOISE = """# RTLA osnoise histogram
# Time unit is microseconds (us)
Index   CPU-000   CPU-001
1            10        20
5             2         0
over:         1         0
count:       13        20
"""
JITTER = {"version": 3, "cpu": {"0": {"histogram": {"2": 5, "3": 7}, "count": 12, "min": 2, "max": 3, "avg": 2.58},
                                "1": {"histogram": {"3": 1}, "count": 1}}}


class Reading(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_import(self, text, *options, name="x.txt"):
        with open(self.path(name), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return culprit.run("import", "--study", self.study, *options, self.path(name))

    def profile(self, name="x"):
        rows = culprit.rows(self.study, "SELECT latency_ns, count FROM run_latency JOIN run USING (run_id)"
                                        f" WHERE name = '{name}' ORDER BY latency_ns")
        return {row["latency_ns"]: row["count"] for row in rows}

    def assert_read(self, text, expected, *options, warning=None):
        result = self.run_import(text, *options)
        self.assertEqual(result.status, 0, result.stderr)
        self.assertEqual(self.profile(), expected)
        self.assertEqual(len(result.error_lines()), 1 if warning else 0, result.stderr)
        self.assertIn(warning or "", result.stderr)


class ByTheLetter(Reading):
    def test_rtla_timerlat_tells_how_late_threads_and_interrupts_were_and_the_return_to_user_mode(self):
        result = self.run_import(TIMERLAT)
        self.assertEqual((result.status, len(result.error_lines())), (0, 2), result.stderr)
        self.assertIn("x: 3 latencies above", result.stderr)
        self.assertIn("x-user: 5 latencies above", result.stderr)
        self.assertEqual([self.profile(name) for name in ("x", "x-irq", "x-user")],
                         [{1000: 11000, 2000: 8997}, {0: 18500, 1000: 1498, 2000: 2}, {1000: 15, 2000: 18000}])

    def test_rtla_osnoise(self):
        self.assert_read(OSNOISE, {1000: 30, 5000: 2}, warning="1 latency above")

    def test_absurd_numbers_of_latencies_above_the_end_are_no_more_than_can_be_counted(self):
        told = ["# Histogram", "000001 000003", "# Total: 000000003", "# Min Latencies: 00001", "# Avg Latencies: 00001",
                "# Max Latencies: 00001"]
        for above in (10**300, 2**64 - 1, 2**53 + 2):
            with self.subTest(above=above):
                result = self.run_import("\n".join([*told, f"# Histogram Overflows: {above}\n"]))
                self.assertEqual((result.status, self.profile()), (0, {1000: 3}))
                self.assertIn(f"{2**53} latencies above", result.stderr)

    def test_jitterdebugger(self):
        self.assert_read(json.dumps(JITTER), {2000: 5, 3000: 8})

    def test_json_of_very_many_latencies(self):
        counts = {number * 7: 1 + number % 3 for number in range(200000)}
        self.assert_read(json.dumps({"thread": {"0": {"histogram": counts}}}),
                         {latency * 1000: count for latency, count in counts.items()})

    def test_what_json_says_twice_counts_twice(self):
        self.assert_read('{"thread": {"0": {"histogram": {"5": 1, "7": 2, "5": 4}}, "0": {"histogram": {"7": 8}}}}',
                         {5000: 5, 7000: 10})

    def test_json_that_says_two_things_or_none_is_refused(self):
        threads = '"thread": {"0": {"histogram": {"5": 1}}}'
        cpus = '"cpu": {"0": {"histogram": {"5": 1}}}'
        for text, reason in ((f"{{{threads}, {threads}}}", '"thread" twice'), (f"{{{cpus}, {cpus}}}", '"cpu" twice'),
                             (f'{{"resolution_in_ns": 1, {threads}, "resolution_in_ns": 1000}}', '"resolution_in_ns" twice'),
                             (f'{{{cpus}, "sysinfo": {{}}, "sysinfo": {{"resolution_in_ns": 1}}}}', '"sysinfo" twice'),
                             (f'{{{cpus}, "sysinfo": {{"resolution_in_ns": 1, "resolution_in_ns": 9}}}}', '"resolution_in_ns" twice'),
                             ('{"thread": {"0": {"histogram": {"0x10": 1}}}}', '"0x10"'),
                             ('{"thread": {"0": {"histogram": {" 7": 1}}}}', '" 7"'),
                             ('{"thread": {"0": {"histogram": {"7": 9007199254740993}}}}', "counted")):
            with self.subTest(text):
                result = self.run_import(text, name="x.json")
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                self.assertIn(reason, result.stderr)

    def test_a_count_that_would_be_rounded_is_refused(self):
        result = self.run_import("5 9007199254740993\n")
        self.assertEqual((result.status, len(result.error_lines())), (2, 1))
        self.assertIn("more samples than can be counted", result.stderr)

    def test_tables_and_lists(self):
        self.assert_read("# delay count\n6 2257\n7\t3210\n\n100 1\n", {6000: 2257, 7000: 3210, 100000: 1})
        for number, (text, expected, *options) in enumerate((
                ("6,1\n7;2\n", {6000: 1, 7000: 2}), ("1.5\n1.5\n-2\n", {-2000: 1, 1500: 2}),
                ("1500\r\n1500\r\n", {1500: 2}, "--unit", "1ns"), ("0.25\n", {250000: 1}, "--unit", "1ms"))):
            result = self.run_import(text, *options, name=f"t{number}.txt")
            self.assertEqual((result.status, self.profile(f"t{number}")), (0, expected), result.stderr)


    def summaries(self):
        return [(row["name"], row["m"], row["s"], row["n"]) for row in culprit.rows(
            self.study, "SELECT name, summary_mean_ns AS m, summary_sd_ns AS s, summary_samples AS n FROM run ORDER BY name")]

    def test_mean_sd_and_number_with_a_name_or_without(self):
        result = self.run_import("# kernel mean sd n\nvanilla 43.483 0.178 10\nrt, 43.517, 0.265, 10\n")
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assertEqual(self.summaries(), [("rt", 43517, 265, 10), ("vanilla", 43483, 178, 10)])
        result = culprit.run("compare", "--study", self.study, "--json", "vanilla", "rt")
        against, = json.loads(result.stdout)["against"]
        self.assertAlmostEqual(against["t"], 0.337, places=3)
        self.assertIn("nothing else is known", culprit.run("latency", "--study", self.study, "rt").stdout)
        self.assertEqual(self.run_import("43.483 0.178 10\n", name="bare.txt").status, 0)
        self.assertIn(("bare", 43483, 178, 10), self.summaries())

    def test_the_same_result_is_stored_once_and_another_of_its_name_beside_it(self):
        names = []
        for text, stored, known in (("6 10\n7 20\n", 1, 0), ("6 10\n7 20\n", 0, 1), ("6 10\n7 21\n", 1, 0),
                                    ("43.483 0.178 10\n", 1, 0), ("43.483 0.178 10\n", 0, 1)):
            result = self.run_import(text, "--json")
            told = json.loads(result.stdout)
            self.assertEqual((told["profiles"], told["known"]), (stored, known))
            names.append(*told["read_as"])
        self.assertEqual([row["name"] for row in culprit.rows(self.study, "SELECT name FROM run ORDER BY name")],
                         ["x", "x-2", "x-3"])
        self.assertEqual([(name.split("it is run ") + [""])[1] for name in names], ["", "", "x-2", "x-3", ""])


class BadInput(Reading):
    def test_damaged_summaries(self):
        for text in ("a 1 0.5 1\n", "a 1 -0.5 10\n", "a nan 0.5 10\n", "a 1 0.5 10.5\n", "a 1 0.5 10\nb 2\n"):
            with self.subTest(text=text):
                result = self.run_import(text)
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                self.assertFalse(os.path.exists(self.study))

    def test_a_sparse_file_of_two_gigabytes_without_a_line_s_end(self):
        path = self.path("long.txt")
        with open(path, "wb") as file:
            file.write(b"1")
            file.truncate(2 << 30)
        result = culprit.run("import", "--study", self.study, path)
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        self.assertIn("long.txt", result.stderr)

    def test_what_is_none_is_refused_in_one_line_and_leaves_nothing(self):
        for text in ("", "\n\n", "# nothing\n", "hello\n", "6 many\n", "nan\n", "inf\n", "1e30\n", "6 -1\n", "6 1.5\n",
                     "6 nan\n", "6 9e18\n6 9e18\n", "1 2\n3\n", "1\n2 3\n", "0x10 5\n", "0X10\n", "5 0x3\n", "{}", "{\"thread\": {}}", "{\"thread\": 3}",
                     "{\"thread\": {\"0\": {}}}", "{\"thread\": {\"0\": {\"histogram\": {\"abc\": 5, \"7\": 3}}}}", "{\"thread\": {\"0\": {\"histogram\": {\"1\": \"x\"}}}}", b"\0\1\2",
                     b"1\n\xff\n", "1" * 100000, "1 " * 5000, "0 0\n"):
            with self.subTest(text=text[:40]):
                result = self.run_import(text)
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                self.assertIn("x.txt", result.stderr)
                self.assertFalse(os.path.exists(self.study))

    def test_bins_wider_than_a_second_are_refused(self):
        text = "cyclic: latency distribution (%d ns intervals):\ncyclic: 0 5\ncyclic: 1000 7\n"
        for width in (10 ** 9 + 1, 2 ** 63 - 1, 2 ** 64, 0, -1):
            with self.subTest(width):
                result = self.run_import(text % width)
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                self.assertIn("intervals", result.stderr)
                self.assertFalse(os.path.exists(self.study))
        self.assertEqual(self.run_import(text % 10 ** 9).status, 0)
        self.assertEqual(culprit.run("latency", "--study", self.study).status, 0)

    def test_figures_that_no_latencies_have_are_refused(self):
        good = {"mean": "5", "min": "1", "max": "9", "std": "2", "percentile": "4"}
        text = ("cyclic:   mean: {mean} ns, mode: 5 ns\ncyclic:   min: {min} ns, max: {max} ns, std.dev. {std}\ncyclic:   25.00%: {percentile} ns\n"
                "cyclic: latency distribution (1 ns intervals):\ncyclic: 1 5\ncyclic: 9 7\n")
        for bad in ({"mean": "-5"}, {"mean": "10"}, {"min": "900"}, {"std": "-7"}, {"percentile": "inf"}, {"percentile": "nan"}):
            with self.subTest(bad):
                result = self.run_import(text.format(**{**good, **bad}))
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                self.assertIn("x.txt: the mean", result.stderr)
                self.assertFalse(os.path.exists(self.study))
        self.assertEqual(self.run_import(text.format(**good)).status, 0)

    def test_a_table_whose_first_column_may_not_be_latencies_is_refused(self):
        for text, told in (("#,latency\n1,7\n2,8\n3,7\n", '"#,latency"'),
                           ("# latency (cycles)\n700\n800\n", '"# latency (cycles)"'),
                           ("# Latency of timer wake-ups, in microseconds\n7 3\n8 1\n", "give it with --unit"),
                           ("latency (10ns)\n700\n800\n", '"latency (10ns)"'),
                           ("start_us,latency_us\n5,7\n6,8\n", '"start_us,latency_us"'),
                           ("7,415\n7,498\n7,415\n", "does not ascend"), ("12,5;3\n13,5;4\n", "commas within"), ("0,5\t12\n0,7\t3\n", "commas within"),
                           ("1,000 4\n2,000 5\n", "commas within"), ("latency_cycles\n700\n800\n", '"latency_cycles"'),
                           ("7 3\n9 2\n8 1\n", "does not ascend")):
            with self.subTest(text=text):
                result = self.run_import(text)
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                self.assertIn(told, result.stderr)
        for i, (text, counts) in enumerate((("# latency histogram\n7 3\n8 1\n", {7000: 3, 8000: 1}), ("latency_us,count\n9,1\n7,3\n", {7000: 3, 9000: 1}),
                                            ("latency (nanosecs)\n700\n800\n", {700: 1, 800: 1}),
                                            ("# latencies (all CPUs)\n7\n8\n", {7000: 1, 8000: 1}),
                                            ("# latencies (4 CPUs)\n# latencies 2 runs, log of 2024\n7\n8\n", {7000: 1, 8000: 1}),
                                            ("7,3 # 1 2\n8,1 # 0 1\n", {7000: 3, 8000: 1}))):
            self.assertEqual((self.run_import(text, name=f"t{i}.txt").status, self.profile(f"t{i}")), (0, counts))

    def test_figures_that_are_not_of_the_rows_are_refused(self):
        text = ("stress-ng: info:  [1] cyclic: sched SCHED_FIFO: 100000 ns delay, 400 samples\n"
                "stress-ng: info:  [1] cyclic:   mean: 8500 ns, mode: 8490 ns\n"
                "stress-ng: info:  [1] cyclic:   min: 8478 ns, max: 10498 ns, std.dev. 236\n"
                "stress-ng: info:  [1] cyclic: latency percentiles:\n"
                "stress-ng: info:  [1] cyclic:   25.00%:       8480 ns\n"
                "stress-ng: info:  [1] cyclic: latency distribution (1000 nanosecond intervals):\n"
                "stress-ng: info:  [1] cyclic:   latency (ns) frequency\n"
                "stress-ng: info:  [1] cyclic:         8000        394\n"
                "stress-ng: info:  [1] cyclic:        10000          6\n")
        self.assert_read(text, {8000: 394, 10000: 6})
        for old, new in (("8480 ns", "2 ns"), ("min: 8478", "min: 9000"), ("mode: 8490", "mode: -5"), ("max: 10498", "max: 9999"),
                         ("8480 ns", "1e19 ns")):
            with self.subTest(new=new):
                result = self.run_import(text.replace(old, new))
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                self.assertIn("cannot be those of its rows", result.stderr)

    def test_figures_of_centuries_are_stored_as_json_has_them(self):
        for ns in (10 ** 17, 3 * 10 ** 17, 10 ** 18):
            result = self.run_import(f"stress-ng: info:  [1] cyclic: sched SCHED_FIFO: 100000 ns delay, 400 samples\n"
                                     f"stress-ng: info:  [1] cyclic:   mean: 8500 ns, mode: 8490 ns\n"
                                     f"stress-ng: info:  [1] cyclic:   min: 8478 ns, max: {ns} ns, std.dev. 236\n"
                                     "stress-ng: info:  [1] cyclic: latency percentiles:\n"
                                     f"stress-ng: info:  [1] cyclic:   99.99%:       {ns} ns\n"
                                     "stress-ng: info:  [1] cyclic: latency distribution (1000 nanosecond intervals):\n"
                                     "stress-ng: info:  [1] cyclic:         8000        394\n")
            self.assertEqual(result.status, 0, result.stderr)
            told = json.loads(culprit.run("latency", "--study", self.study, "--json").stdout)
            self.assertEqual(told[-1]["max_ns"], ns)

    def test_a_carriage_return_ends_no_column(self):
        """What a terminal overwrites, or lines of an old system, would be one row."""
        for text in ("10\r20\r30\r", "# Histogram\n000001 000005\r000002 000003\r000003 000001\n", "5\r10\r15\n"):
            with self.subTest(text=text):
                result = self.run_import(text)
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                self.assertIn("carriage return", result.stderr)

    def test_what_is_quoted_breaks_no_line(self):
        for text in ('{"thread": {"0": {"histogram": {"a\\nb": 5}}}}', "6 many\rmore\x1b[2J\n"):
            for name in ("x.json", "x\ny.json"):
                with self.subTest(text=text, name=name):
                    result = self.run_import(text, name=name)
                    self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                    self.assertIn("y.json" if "\n" in name else name, result.stderr)

    def test_json_that_is_nested_or_long_beyond_reason_is_refused_in_one_line(self):
        for text, reason in (('{"thread":' + "[" * 300000 + "]" * 300000 + "}", "nested"),
                             ('{"thread":' + '{"0":' * 300000 + "1" + "}" * 300001, "nested"),
                             ('{"thread":{"0":{"histogram":{"5":1' + " " * (33 << 20) + "}}}}", "32 MB")):
            with self.subTest(reason=reason, text=text[:20]):
                result = self.run_import(text, name="x.json")
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr[:200])
                self.assertIn("x.json", result.stderr)
                self.assertIn(reason, result.stderr)

    def test_names_of_json_that_are_alike_to_a_simple_hash(self):
        alike = map("".join, itertools.product(("bB", "ac"), repeat=17))
        names = ", ".join(f'"{name}": 1' for name in alike)
        for text in ('{"thread": {"0": {"histogram": {%s}}}}', '{"thread": {"0": {"histogram": {"5": 1}, %s}}}',
                     '{"thread": {%s}}', '{"thread": {"0": {"histogram": {"5": 1}}}, %s}'):
            with self.subTest(text):
                with open(self.path("x.json"), "w", encoding="utf-8") as file:
                    file.write(text % names)
                result = culprit.run("import", "--study", self.study, self.path("x.json"), before=("prlimit", "--cpu=20"))
                read = text.startswith('{"thread": {"0": {"histogram": {"5"')
                self.assertEqual((result.status, len(result.error_lines())), (0, 0) if read else (2, 1), result.stderr)

    def test_profiles_of_little_are_described_as_far_as_they_go(self):
        for name, text in (("one", "7\n"), ("equal", "7 1000\n"), ("negative", "-5\n-4\n3\n"), ("zero", "0\n1\n")):
            self.run_import(text, name=f"{name}.txt")
            with self.subTest(name=name):
                told, = json.loads(culprit.run("latency", "--study", self.study, "--json", name).stdout)
                self.assertIsNone(told["fits"]["gamma"])
                self.assertTrue(all(quantile["low_ns"] is None or quantile["high_ns"] is None
                                    for quantile in told["quantiles"]) or told["n"] > 5)
                self.assertEqual(culprit.run("latency", "--study", self.study, name).status, 0)
        result = culprit.run("compare", "--study", self.study, "one", "equal")
        self.assertEqual((result.status, len(result.error_lines())), (2, 1))

    def test_what_lies_deeper_in_json_is_not_of_the_thread(self):
        thread = {"histogram": {"7": 2}, "count": 5, "min": 7, "avg": 8, "max": 20, "other": {"min": 1, "max": 99}}
        result = self.run_import(json.dumps({"thread": {"0": thread}}), name="x.json")
        self.assertEqual((result.status, self.profile()), (0, {7000: 2}), result.stderr)
        told, = json.loads(culprit.run("latency", "--study", self.study, "--json", "x").stdout)
        self.assertEqual((told["min_ns"], told["max_ns"]), (7000, 20000))

    def test_more_latencies_than_anybody_counted_are_described(self):
        self.run_import("1000 2\n900000000000000 4503599627370496\n", name="much.txt")
        told, = json.loads(culprit.run("latency", "--study", self.study, "--json", "much").stdout)
        self.assertEqual((told["n"], told["min_ns"]), (4503599627370498, 1000000))

    def test_latencies_whose_sum_passes_64_bits_have_a_mean(self):
        self.run_import("".join(f"{latency} 1099511627776\n" for latency in (4998, 4999, 5000)))
        run, = json.loads(culprit.run("runs", "--study", self.study, "--json").stdout)
        self.assertEqual((run["cycles"], run["latency_mean_ns"]), (3 << 40, 4999000.0))

    def test_more_latencies_than_add_up_are_refused(self):
        result = self.run_import("5 9007199254740992\n6 1\n")
        self.assertEqual((result.status, len(result.error_lines())), (2, 1))
        self.assertIn("more samples than can be counted", result.stderr)

    def test_a_run_that_is_not_there(self):
        self.run_import("1\n2\n")
        for command in (["latency", "y"], ["compare", "x", "y"], ["compare", "x"]):
            result = culprit.run(command[0], "--study", self.study, *command[1:])
            self.assertEqual((result.status, len(result.error_lines())), (2, 1))


if __name__ == "__main__":
    unittest.main()

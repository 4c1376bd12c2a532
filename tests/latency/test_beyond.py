# SPDX-License-Identifier: GPL-3.0-or-later
# Latencies above the end of a tool's histogram: their number is kept, and nothing is said as if there were none.

import json
import os
import sqlite3
import sys
import tempfile
import unittest
from contextlib import closing

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402

COUNTS = {us: 40000 >> us // 8 for us in range(1, 100)}
WITHIN = sum(COUNTS.values())


def cyclictest(beyond, most_us):
    rows = "".join(f"{us:06} {count:06}\n" for us, count in COUNTS.items())
    return (f"# Histogram\n{rows}# Total: {WITHIN:09}\n# Min Latencies: 00001\n# Avg Latencies: 00011\n"
            f"# Max Latencies: {most_us:05}\n# Histogram Overflows: {beyond:05}\n")


def rtla(within, beyond):
    """Thread latencies of one CPU, of which @within are in the histogram, and interrupts that all are."""
    return ("# RTLA timerlat histogram\n# Time unit is microseconds (us)\n# Duration:   0 00:01:00\n"
            "Index   IRQ-000   Thr-000\n"
            f"0           100         0\n1             0  {within:8}\nover:         0  {beyond:8}\n"
            f"count:      100  {within + beyond:8}\nmin:          0         1\navg:          0        50\nmax:          0       400\n")


class Beyond(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        return path

    def imported(self, name, text, study=None):
        result = culprit.run("import", "--study", study or self.study, self.write(name, text))
        self.assertEqual(result.status, 0, result.stderr)
        return result

    def asked(self, *arguments, study=None):
        result = culprit.run(*arguments, "--study", study or self.study, "--json")
        self.assertEqual((result.status, result.stderr), (0, ""))
        return json.loads(result.stdout)

    def told(self, *arguments):
        result = culprit.run(*arguments, "--study", self.study)
        self.assertEqual((result.status, result.stderr), (0, ""))
        return " ".join(result.stdout.split())

    def tail(self, deadline, **options):
        return self.asked("tail", "--deadline", deadline, "x", **options)[0]

    def test_no_deadline_is_called_met_by_them_and_nothing_is_predicted(self):
        self.imported("x.txt", cyclictest(2000, 9000))
        for deadline, late in (("50us", sum(COUNTS[us] for us in COUNTS if us >= 50) + 2000), ("1ms", 2000), ("9ms", 2000), ("10ms", 0)):
            with self.subTest(deadline=deadline):
                tail = self.tail(deadline)
                self.assertEqual((tail["outcome"], tail["n"], tail["late"]), ("cut", WITHIN + 2000, late))
        self.assertIn("2,000 wake-ups are above the end of the histogram", self.told("tail", "x"))
        self.assertIn("2,000 of", self.told("tail", "--deadline", "1ms", "x"))

    def test_an_older_study_knows_by_the_tools_maximum_that_there_are_some(self):
        self.imported("x.txt", cyclictest(2000, 9000))
        with closing(sqlite3.connect(self.study)) as database, database:
            database.execute("UPDATE run SET told = json_remove (told, '$.beyond')")
        tail = self.tail("1ms")
        self.assertEqual([tail[key] for key in ("outcome", "late", "within_bin", "more_wakeups")], ["cut", 1, False, None])
        self.assertEqual((tail["late_counted"]["value"], tail["late_counted"]["high"]), (None, 1))
        self.assertEqual(self.tail("10ms")["late"], 0)
        within = sum(COUNTS[us] for us in COUNTS if us >= 50)
        for deadline, once_in, told in (("1ms", "100", "at least 1 of"), ("1ms", "100", "more than one in 100 is not known"),
                                        ("50us", "100", f"at least {within:,} of"), ("50us", "1e6", "probably more than one in 1,000,000")):
            self.assertIn(told, self.told("tail", "--deadline", deadline, "--once-in", once_in, "x"))
        self.assertIn("late by 1.000 ms or more: at least 1", self.told("latency", "--deadline", "1ms", "x"))

    def test_without_any_the_tail_is_predicted_as_ever(self):
        self.imported("x.txt", cyclictest(0, 99))
        self.assertNotEqual(self.tail("1ms")["outcome"], "cut")

    def told_of_late(self, deadline):
        """How many are late, and whether some of these may be earlier."""
        lateness = self.asked("latency", "--deadline", deadline, "x")[0]["lateness"]
        self.assertEqual(self.tail(deadline)["within_bin"], lateness["within_bin"])
        return lateness["late"], lateness["within_bin"]

    def test_they_are_known_to_be_late_up_to_the_end_of_the_last_bin(self):
        rows = "".join(f"{us:<9} {990 if us == 40 else 10 if us == 90 else 1:>9}\n" for us in range(0, 100, 10))
        self.imported("x.txt", "# RTLA timerlat histogram\n# Time unit is microseconds (us)\n# Duration:   0 00:00:01\nIndex   Thr-000\n"
                      f"{rows}over: 5\ncount: 1013\nmin: 0\navg: 45\nmax: 400\n")
        self.assertEqual([self.told_of_late(f"{us}us") for us in (100, 101, 105, 106)], [(5, False)] + [(5, True)] * 3)
        # Five are surely so late: more than one in 1,000, whatever the ten are.
        for deadline, once_in, told in (("95us", "100", "that is more than one in 100 is not known"), ("95us", "1e3", "probably more than one in 1,000:")):
            answer = culprit.run("tail", "--study", self.study, "--deadline", deadline, "--once-in", once_in, "x").stdout
            self.assertIn(told, " ".join(answer.split()))

    def test_a_maximum_in_whole_microseconds_may_have_been_later(self):
        self.imported("x.txt", cyclictest(12, 9000))
        self.assertEqual([self.told_of_late(deadline) for deadline in ("9ms", "9000500ns", "9001us")], [(12, True), (12, True), (0, False)])

    def test_oslat_s_last_row_is_above_the_end_of_all_cores_if_one_has_longer_ones(self):
        rows = "".join(f"    {us:03} (us):\t {counts}\n" for us, counts in ((1, "1000 1000"), (31, "0 0"), (32, "3 500 (including overflows)")))
        text = (f"oslat V 2.40\n        Core:\t 0 1\nCounter Freq:\t 1000 1000 (Mhz)\n{rows}     Minimum:\t 1 1 (us)\n"
                "     Average:\t 1.1 11.3 (us)\n     Maximum:\t 32 40 (us)\n")
        self.imported("x.txt", text)
        self.assertEqual([self.told_of_late(f"{us}us") for us in (31, 32, 33, 41)], [(503, False), (503, False), (503, True), (0, False)])
        self.imported("y.txt", text.replace(" 40 ", " 32 "))
        self.assertEqual([self.asked("latency", "y")[0][key] for key in ("n", "beyond", "max_ns")], [2503, 0, 32000])

    def test_quantiles_count_them_and_are_unknown_among_them(self):
        self.imported("x.txt", cyclictest(WITHIN, 9000))
        run, = self.asked("latency", "x")
        self.assertEqual((run["n"], run["beyond"], run["max_ns"], run["mean_ns"]), (WITHIN, WITHIN, 9000000, 11000))
        self.assertEqual([run[key] for key in ("sd_ns", "mad_ns", "skewness")], [None] * 3)
        values = [us * 1000 for us, count in COUNTS.items() for _ in range(count)]
        known = {quantile["p"]: quantile["ns"] for quantile in run["quantiles"]}
        self.assertEqual(known[0.25], values[(2 * WITHIN - 1) // 4])
        self.assertEqual([known[p] for p in known if p > 0.5], [None] * sum(p > 0.5 for p in known))
        self.assertIn("above the end of its histogram", self.told("latency", "x"))
        told = self.told("latency", "--percentiles", "x")
        self.assertIn("std.dev. - latency percentiles: 25.00%:", told)
        self.assertIn("99.00%: - ns", told)

    def test_a_comparison_counts_them_and_says_so(self):
        self.imported("x.txt", cyclictest(WITHIN // 4, 9000))
        self.imported("y.txt", cyclictest(0, 99))
        compared, = self.asked("compare", "y", "x", "--independent")["against"]
        values = [us * 1000 for us, count in COUNTS.items() for _ in range(count)]
        n = WITHIN + WITHIN // 4
        self.assertEqual([shift["difference_ns"] for shift in compared["quantiles"]],
                         [values[(n - 1) // 2] - values[(WITHIN - 1) // 2], None, None, None])
        self.assertAlmostEqual(compared["ks"]["d"], 1 - WITHIN / n)
        self.assertEqual([compared["tail"][key] for key in ("base", "run")], [0, WITHIN // 4])
        self.assertLess(compared["tail"]["p"], 1e-6)
        self.assertAlmostEqual(compared["mean_difference_ns"], 11000 - sum(values) / WITHIN)
        self.assertIn("Only counted: ", self.told("compare", "x", "y"))
        self.assertIn("Only counted: ", self.told("compare", "y", "x"))
        for limit, status in (("p50=5%", 1), ("p90=5%", 2)):
            with self.subTest(limit=limit):
                result = culprit.run("compare", "--study", self.study, "y", "x", "--independent", "--fail-if-worse", limit)
                self.assertEqual(result.status, status, result.stderr)

    def test_one_latency_below_the_end_can_be_drawn(self):
        self.imported("x.txt", cyclictest(WITHIN, 9000))
        self.imported("y.txt", "# Histogram\n000005 000001\n# Total: 000000001\n# Min Latencies: 00005\n# Avg Latencies: 08000\n"
                               "# Max Latencies: 09000\n# Histogram Overflows: 00300\n")
        for kind in ("quantiles", "probability", "histogram", "density"):
            with self.subTest(kind=kind):
                result = culprit.run("latency", "--study", self.study, "--plot", f"{kind}={self.folder}/{kind}.svg")
                self.assertEqual((result.status, result.stderr), (0, ""))
        with open(os.path.join(self.folder, "quantiles.svg"), encoding="utf-8") as file:
            self.assertIn("300 above its end", file.read())

    def test_they_are_drawn_above_the_end_and_no_row_is_longer_than_others(self):
        rows = "".join(f"{us:06} {int(us == 5):06}\n" for us in range(20))
        self.imported("x.txt", f"# Histogram\n{rows}# Total: 000000001\n# Min Latencies: 00005\n# Avg Latencies: 00022\n# Max Latencies: 00040\n"
                      "# Histogram Overflows: 20000\n")
        drawn = culprit.run("latency", "--study", self.study, "x").stdout.split("logarithmic axis")[1].splitlines()
        self.assertEqual([line.split()[:3] for line in drawn if "us+" in line], [["20.0", "us+", "20000"]])
        self.assertLess(max(map(len, drawn)), 100)

    def test_no_cpu_of_a_result_is_named(self):
        self.imported("x.txt", cyclictest(2000, 9000))
        self.assertEqual([(run["run"], run["beyond"]) for run in self.asked("latency", "--per-cpu", "x")], [("x", 2000)])

    def test_a_figure_that_no_latency_can_have_is_not_kept(self):
        self.imported("x.txt", cyclictest(2000, 10 ** 17))
        self.assertEqual(self.asked("latency", "x")[0]["max_ns"], None)

    def test_they_go_along_with_a_merge(self):
        other = os.path.join(self.folder, "other.culprit")
        self.imported("x.txt", cyclictest(2000, 9000), study=other)
        self.imported("z.txt", cyclictest(0, 99))
        self.assertEqual(culprit.run("merge", "--study", self.study, other).status, 0)
        self.assertEqual(self.asked("latency", "x")[0]["beyond"], 2000)

    def test_results_that_differ_in_them_are_two(self):
        self.imported("x.txt", cyclictest(0, 9000))
        self.assertIn("1 latency profile stored", self.imported("x.txt", cyclictest(2000, 9000)).stdout)
        self.assertIn("1 already in the study", self.imported("x.txt", cyclictest(2000, 9000)).stdout)

    def test_a_run_that_has_only_such_is_left_out_by_name(self):
        result = self.imported("x.txt", rtla(0, 100))
        self.assertIn("x is left out: all its 100 latencies are above the histogram's end", result.stderr)
        self.assertEqual([row["name"] for row in culprit.rows(self.study, "SELECT name FROM run")], ["x-irq"])
        self.assertIn("99 latencies above the histogram's end", self.imported("y.txt", rtla(1, 99)).stderr)
        self.assertIn("1 latency above the histogram's end is left out", self.imported("z.txt", cyclictest(1, 9000)).stderr)

    def test_nothing_is_said_of_spread_or_mean_that_are_not_known(self):
        self.imported("cut.txt", cyclictest(20000, 9000))
        self.imported("q.txt", cyclictest(20000, 9000).replace("# Avg Latencies: 00011\n", "").replace("# Max Latencies: 09000\n", ""))
        n = WITHIN + 20000
        compared = self.asked("compare", "590,10,60000", "cut", "--margin", "1us", "--independent")["against"][0]
        self.assertEqual([compared[key] for key in ("t", "p", "significant")], [None, None, False], compared)
        self.assertIn("above the end of a histogram", compared["p_reason"])
        self.assertIn("Not known whether cut differs from 590,10,60000", self.told("compare", "590,10,60000", "cut", "--independent"))
        table = culprit.run("compare", "q", "cut", "q", "--independent", "--csv", "--study", self.study).stdout.splitlines()
        rows = [dict(zip(table[0].split(","), line.split(","))) for line in table[1:]]
        self.assertEqual([(row["mean_ns"], row["sd_ns"], row["n"]) for row in rows], [("11000", "", str(n)), ("", "", str(n))])
        runs = {run["run"]: run for run in self.asked("runs")}
        self.assertEqual((runs["q"]["latency_mean_ns"], runs["q"]["latency_max_ns"]), (None, None))
        self.assertEqual((runs["cut"]["latency_mean_ns"], runs["cut"]["latency_max_ns"]), (11000, 9_000_000))

    def test_shapes_are_not_judged_if_a_peak_may_be_above_the_end(self):
        for i in range(1, 8):
            whole = {us: count + i for us, count in COUNTS.items()}
            for name, beyond in (("u", 0), ("c", 20000), ("few", 3)):
                rows = "".join(f"{us:06} {count:06}\n" for us, count in whole.items())
                self.imported(f"{name}-{i}.txt", f"# Histogram\n{rows}# Total: {sum(whole.values()):09}\n# Min Latencies: 00001\n"
                              f"# Avg Latencies: 00011\n# Max Latencies: {300 if beyond else 99:05}\n# Histogram Overflows: {beyond:05}\n")
        shapes = {name: self.asked("compare", "u", name, "--same-shape")["against"][0] for name in ("c", "few")}
        self.assertEqual(shapes["c"]["same_shape"]["verdict"], "inconclusive")
        self.assertEqual(shapes["few"]["same_shape"]["verdict"], "same")
        told = self.told("compare", "u", "c", "--same-shape")
        self.assertIn("more than 0.1 % of a run are above the end of its histogram", told)
        self.assertNotIn("twice as long", told)

    def test_a_density_leaves_their_share_out(self):
        self.imported("cut.txt", cyclictest(WITHIN, 9000))
        density = self.asked("latency", "cut", "--density")
        density = density[0]["density"] if isinstance(density, list) else density["density"]
        self.assertAlmostEqual(sum(density["values"]) * density["step_ns"], 0.5, delta=0.02)

    def import_mixed(self):
        """The same wake-ups four times: m-1 and m-3 count only those up to 100 us, of all of t and of m-2 and m-4 all is known."""
        late = {us: 10 for us in range(1000, 3000)}
        for i in range(1, 5):
            for name, counts in (("t", COUNTS | late), ("m", COUNTS | (late if i % 2 == 0 else {}))):
                rows = "".join(f"{us:06} {count:06}\n" for us, count in counts.items())
                over = WITHIN + 20000 - sum(counts.values())
                self.imported(f"{name}-{i}.txt", f"# Histogram\n{rows}# Total: {sum(counts.values()):09}\n# Min Latencies: 00001\n"
                              f"# Avg Latencies: 00700\n# Max Latencies: 02999\n# Histogram Overflows: {over:05}\n")

    def test_no_rank_is_known_above_the_first_end_of_several_histograms(self):
        self.import_mixed()
        for base, other, us in (("t", "m", 1500), ("m", "t", 2000)):
            with self.subTest(base=base):
                mapped, = self.asked("compare", base, other, "--map", f"{us}us")["against"][0]["mapped"]
                self.assertEqual([mapped[key] for key in ("ns", "low_ns", "high_ns")], [None] * 3)
                self.assertIn("is above the end of a histogram", self.told("compare", base, other, "--map", f"{us}us"))
        mapped, = self.asked("compare", "t", "m", "--map", "20us")["against"][0]["mapped"]
        self.assertAlmostEqual(mapped["ns"], 20000, delta=1000)

    def test_a_histogram_ends_where_it_could_count_and_not_with_its_last_latency(self):
        """All four of the same length: of one, the only longer latency is above the end."""
        for i in range(1, 5):
            counts = {us: 1000 for us in (range(5, 13) if i == 1 else range(5, 43))}
            rows = "".join(f"{us:06} {counts.get(us, 0):06}\n" for us in range(100))
            self.imported(f"g-{i}.txt", f"# Histogram\n{rows}# Total: {sum(counts.values()):09}\n# Min Latencies: 00005\n"
                          f"# Avg Latencies: 00020\n# Max Latencies: {500 if i == 1 else 42:05}\n# Histogram Overflows: {int(i == 1):05}\n")
        found = self.asked("explain", "--run", "g-2", "--no-record")
        self.assertEqual((found["wake_ups"], found["beyond"]), (122001, 1))
        self.imported("k.txt", cyclictest(0, 99))
        compared, = self.asked("compare", "g", "k", "--independent")["against"]
        self.assertNotIn(None, [shift["difference_ns"] for shift in compared["quantiles"][:3]])
        self.assertIn("1 of 122,001 latencies of g are above the end", self.told("compare", "g", "k", "--independent"))

    def test_peaks_are_explained_as_parts_of_all_latencies(self):
        self.import_mixed()
        self.imported("x.txt", cyclictest(WITHIN, 9000))
        for run, n, beyond in (("x", 2 * WITHIN, WITHIN), ("m", 4 * (WITHIN + 20000), 80000)):
            with self.subTest(run=run):
                found = self.asked("explain", "--run", run, "--no-record")
                self.assertEqual((found["wake_ups"], found["beyond"]), (n, beyond))
                self.assertEqual(len(found["peaks"]), 1)
                self.assertAlmostEqual(found["peaks"][0]["share"], (n - beyond) / n)
        self.assertIn(f"{WITHIN:,} of {2 * WITHIN:,} latencies of x are above the end", self.told("explain", "--run", "x", "--no-record"))

    def test_they_are_among_the_wake_ups_measured(self):
        self.imported("x.txt", cyclictest(2000, 9000))
        self.assertEqual([run["cycles"] for run in self.asked("runs")], [WITHIN + 2000])
        self.assertIn(f"x: {WITHIN + 2000} samples", self.told("latency", "--percentiles", "x"))

    def test_a_second_result_in_the_same_file_is_refused(self):
        tools = os.path.join(HERE, "..", "data", "tools")
        for name in ("oslat.txt", "stress-ng-summary.txt", "stress-ng-cyclic-dist-1000.txt"):
            with self.subTest(name=name):
                with open(os.path.join(tools, name), encoding="utf-8") as file:
                    text = file.read()
                self.imported(name, text)
                result = culprit.run("import", "--study", self.study, self.write("twice-" + name, text + text))
                self.assertEqual(result.status, 2)
                self.assertIn("another result follows the first", result.stderr)


if __name__ == "__main__":
    unittest.main()

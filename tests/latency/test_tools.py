# SPDX-License-Identifier: GPL-3.0-or-later
# Reading other tools' files exactly as they wrote them: tests/data/tools, their folders, tables with headers, saved
# colours.

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402

TOOLS = os.path.join(HERE, "..", "data", "tools")


def with_overflows(text, *above):
    """The output of rtla with so many more latencies, above the bins, of each column."""
    counts = [int(number) for number in re.search(r"count:(.*)", text)[1].split()]
    text = re.sub(r"over:.*", f"over: {' '.join(map(str, above))}", text)
    return re.sub(r"count:.*", f"count: {' '.join(str(sum(both)) for both in zip(counts, above))}", text, count=1)


class Tools(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")

    def bring_in(self, path, *options, before=()):
        result = culprit.run("import", "--study", self.study, *options, path, before=before)
        self.assertEqual(result.status, 0, result.stderr)
        return result

    def bring_in_text(self, text, *options, name="x.txt", before=()):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return self.bring_in(path, *options, before=before)

    def refuse(self, text, *told, options=()):
        path = os.path.join(self.folder, "refused.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        result = culprit.run("import", "--study", self.study, *options, path)
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        for words in ("refused.txt", *told):
            self.assertIn(words, result.stderr)

    def profiles(self):
        found = {}
        for row in culprit.rows(self.study, "SELECT name, latency_ns, count FROM run_latency JOIN run USING (run_id)"):
            found.setdefault(row["name"], {})[row["latency_ns"]] = row["count"]
        return found

    def profile(self):
        profile, = self.profiles().values()
        return profile

    def described(self, *options):
        described, = json.loads(culprit.run("latency", "--study", self.study, "--json", *options).stdout)
        return described


def tool(*parts):
    return os.path.join(TOOLS, *parts)


def text_of(*parts):
    with open(tool(*parts), encoding="utf-8") as file:
        return file.read()


def json_counts(member, unit_ns, *parts):
    counts = {}
    for thread in json.loads(text_of(*parts))[member].values():
        for latency, count in thread["histogram"].items():
            counts[int(latency) * unit_ns] = counts.get(int(latency) * unit_ns, 0) + count
    return counts


class Json(Tools):
    def test_jitterdebugger_s_resolution_is_its_unit(self):
        for folder, unit_ns in (("jitterdebugger-ns", 1), ("jitterdebugger-us", 1000)):
            with self.subTest(folder=folder):
                self.bring_in(tool(folder, "results.json"))
                self.assertEqual(self.profiles()[folder], json_counts("cpu", unit_ns, folder, "results.json"))
        self.assertEqual(culprit.rows(self.study, "SELECT name, resolution_ns AS r FROM run ORDER BY name"),
                         [{"name": "jitterdebugger-ns", "r": 1}, {"name": "jitterdebugger-us", "r": 1000}])

    def test_jitterdebugger_s_folder_imports_as_it_is_and_is_the_run_s_name(self):
        folder = shutil.copytree(tool("jitterdebugger-ns"), os.path.join(self.folder, "before"))
        for name in ("cmdline", "cpuinfo", "dmesg"):
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write("1 2\n")
        self.bring_in(folder)
        self.assertEqual(self.profiles(), {"before": json_counts("cpu", 1, "jitterdebugger-ns", "results.json")})

    def test_a_folder_of_such_folders(self):
        for name in ("one", "two"):
            shutil.copytree(tool(f"jitterdebugger-{'us' if name == 'one' else 'ns'}"), os.path.join(self.folder, "all", name))
        self.bring_in(os.path.join(self.folder, "all"))
        self.assertEqual(sorted(self.profiles()), ["one", "two"])

    def test_cyclictest_with_nsecs(self):
        self.bring_in(tool("cyclictest-ns.json"))
        self.assertEqual(self.profile(), json_counts("thread", 1, "cyclictest-ns.json"))

    def test_a_resolution_that_is_none_is_refused(self):
        for resolution in (-1, "\"x\"", 1.5, 10**15):
            self.refuse('{"sysinfo": {"resolution_in_ns": %s}, "cpu": {"0": {"histogram": {"7": 3}}}}' % resolution,
                        "resolution")

    def test_counts_in_json_may_be_reals_and_what_else_they_are_is_told(self):
        text = '{"thread": {"0": {"histogram": {"7": %s}}}}'
        self.bring_in_text(text % "2.0")
        self.assertEqual(self.profile(), {7000: 2})
        for count, told in (('"2"', 'the count of "7" in a histogram is text'), ("null", "is null"), ("[2]", "is array"), ("2.5", "2.5 is not a valid"),
                            ("-3", "-3 is not a valid")):
            self.refuse(text % count, told)

    def test_a_text_in_utf_16_is_called_so(self):
        for encoding in ("utf-16-le", "utf-16-be"):
            path = os.path.join(self.folder, "wide.txt")
            with open(path, "w", encoding=encoding) as file:
                file.write("\ufeff7\n8\n")
            result = culprit.run("import", "--study", self.study, path)
            self.assertEqual(result.status, 2)
            self.assertIn("wide.txt: its text is in UTF-16; convert it with iconv", result.stderr)

    def test_latencies_that_jitterdebugger_counted_but_did_not_tell(self):
        told = self.bring_in_text('{"cpu": {"0": {"histogram": {"7": 3}, "count": 5}}}')
        self.assertIn("2 latencies above", told.stderr)


class Colours(Tools):
    def test_a_table_saved_with_colours(self):
        table = subprocess.run(["cyclictest", "-q", "-m", "-t", "1", "-i", "1000", "-l", "60", "-h", "2000"],
                               capture_output=True, check=True).stdout
        self.bring_in_text(table, "--run", "plain")
        plain = self.profiles()["plain"]
        coloured = subprocess.run(["grep", "--color=always", "-E", "^|[0-9]{6}"], input=table, capture_output=True,
                                  check=True).stdout
        self.assertIn(b"\x1b[", coloured)
        self.bring_in_text(b"\x1b]0;title\x07\x1b(B" + coloured, "--run", "colour")
        self.assertEqual(self.profiles()["colour"], plain)

    def test_the_sequences_of_a_terminal_in_the_middle_of_numbers_and_at_the_end(self):
        self.bring_in_text("\x1b[1;31m6\x1b[0m \x1b[m\x1b[K2257\x1b[0K\n7\x1b[38;5;196m 10\n\x1b[")
        self.assertEqual(self.profile(), {6000: 2257, 7000: 10})

    def test_json_and_a_byte_order_mark(self):
        self.bring_in_text(b"\xef\xbb\xbf\x1b[32m" + text_of("jitterdebugger-us", "results.json").encode() + b"\x1b[0m")
        self.assertEqual(self.profile(), json_counts("cpu", 1000, "jitterdebugger-us", "results.json"))


class Headers(Tools):
    EXPECTED = {6000: 2257, 7000: 3210}

    def test_tables_with_headers(self):
        for number, text in enumerate((
                "Delay   Count\n-----   -----\n    6    2257\n    7    3210\n",
                "Delay\tCount\n6\t2257\n7\t3210\n",
                "latency_us,count\r\n6,2257\r\n7,3210\r\n",
                "latency (us);samples\n6;2257\n7;3210\n",
                "Delay (ns)   Count\n==========   =====\n6000   2257\n7000   3210\n",
                "Latency [\u00b5s]  Frequency\n6 2257\n7 3210\n",
                "# latency_ns count\n6000 2257\n7000 3210\n",
                "\"\",\"delay_ms\",\"n\"\n\"1\",0.006,2257\n\"2\",0.007,3210\n",
                "count,latency_ns\n2257,6000\n3210,7000\n",
                "| Delay | Count |\n|------:|------:|\n| 6 | 2257 |\n| 7 | 3210 |\n",
                "Wake-ups of the board\n\nDelay  CPU0  CPU1\n-----  ----  ----\n6      2000   257\n7      3000   210\n",
                "microseconds,count\n6,2257\n7,3210\n",
                "latency_us,count,percent\n6,2257,41.28\n7,3210,58.72\n",
                "Latency in usec\tOccurrences\n6\t2257\n-----\n7\t3210\n",
                "seconds count\n6e-6 2257\n7e-6 3210\n",
                "latencyNs;n\n6000;2257\n7000;3210\n", "latency_nanos,count\n6000,2257\n7000,3210\n",
                "latencyMillis,cnt\n0.006,2257\n0.007,3210\n", "ms_latency,count\n0.006,2257\n0.007,3210\n",
                "latency ns:,count\n6000,2257\n7000,3210\n", "nanos,count\n6000,2257\n7000,3210\n",
                "latency (\u00b5sec),count\n6,2257\n7,3210\n", "latency (\u03bcs),count\n6,2257\n7,3210\n",
                "latency (\u00b5s),count\n6,2257\n7,3210\n".encode("latin-1"),
                "# unit: ns\n6000 2257\n7000 3210\n", "# all times in nanoseconds\ndelay,count\n6000,2257\n7000,3210\n",
                "Latency (uS),count\n6,2257\n7,3210\n", "latency_uSec,count\n6,2257\n7,3210\n", "Delay (mS),n\n0.006,2257\n0.007,3210\n",
                "# unit: us\n# host rt1\n# systemd units: 12 stopped\n6 2257\n7 3210\n",
                *(f"{comment}\n6000 2257\n7000 3210\n" for comment in (
                    "# Unit: ns (nanoseconds)", "# Time unit is nanoseconds (ns)", "# unit [ns]", "# latencies (ns)",
                    "# times in units of ns", "# Latencies are given in ns.")),
                *(f"{comment}\n6 2257\n7 3210\n" for comment in (
                    "# times in UTC", "# values in rows", "# values are sorted", "# latencies in run 10 of 20")),
                "# latency_ns count\n# host rt1\n6000 2257\n7000 3210\n", "# latency_ns,count\n# load: hackbench, stress\n6000,2257\n7000,3210\n",
                *(f"# latency_ns count\n# {comment}\n6000 2257\n7000 3210\n" for comment in (
                    "Latency histogram", "wakeup latency", "jitter test", "period us", "delay 10ms", "max delay")),
                *(f"# latency_ns,count\n# {comment}\n6000,2257\n7000,3210\n" for comment in ("max, 77 us", "max latency, 77 us", "jitter, none")),
                "# us\nlatency_us,count\n6,2257\n7,3210\n")):
            with self.subTest(text=text):
                self.bring_in_text(text, name=f"t{number}.txt")
                self.assertEqual(self.profiles()[f"t{number}"], self.EXPECTED)

    def test_comments_cost_in_proportion(self):
        """Each takes about a second of processor time."""
        for number, comment in enumerate(("#unit:s", f"# unit:{' ' * 900}?", f"# times in a{'x' * 900}?", f"# unit{' in' * 300}", f"# in{' as' * 2600}")):
            with self.subTest(comment=comment[:20]):
                text = f"{comment}\n" * (1_000_000 // len(comment)) + "latency_s,count\n1,2\n2,3\n"
                self.bring_in_text(text, name=f"c{number}.txt", before=("prlimit", "--cpu=20"))
        wide = "#" + "," * 1000 + "a\n"
        self.bring_in_text(wide * (1_000_000 // len(wide)) + ",".join(["1"] * 1001), name="wide.txt", before=("prlimit", "--cpu=8"))

    def test_comments_state_a_unit_only_where_they_name_one_alone(self):
        rows = "latency count\n6 2257\n7 3210\n"
        for unit_ns, comments in (
                (1, ("latency is in ns", "Unit of latency: ns", "units are ns", "unit: 'ns'", "latencies in ns\n# delay (ns)")),
                (1000, ("latency (1000 Hz)", "latency (min)", "Latency (i7 @ 3.2 GHz)", "latency (max, avg, min)", "Unit: board 3", "Unit:",
                        "values in timestamp order", "latency in the log", "latencies in us")),
                (10 ** 6, ("times in ms", "latency (ms)", "DELAYS IN MS.")),
                (10 ** 9, ("latencies in second", "unit: second (s)"))):
            for number, comment in enumerate(comments):
                with self.subTest(comment=comment):
                    run = f"{number} in {unit_ns} ns"
                    self.bring_in_text(f"# {comment}\n{rows}", "--run", run, name=f"u{number}.txt")
                    self.assertEqual(self.profiles()[run], {6 * unit_ns: 2257, 7 * unit_ns: 3210})

        for comment in ("units: ns per bin", "latencies in ns; histogram in us", "All latencies are in ns. Counts are wake-ups.",
                        "units: nanoseconds (1e-9 s)", "times are in ns (clock tsc)", "latencies in ns: 60", "latencies (ns): 75 values",
                        "count of latencies in ns = 60", "1000 latencies in ns", "latencies in ns\n# max latency (us): 9",
                        "max latency (us): 9\n# latencies in ns", "Times in s, latencies in us", "latency (us, period in ms)", "latency (wake-ups/s)",
                        "latency (interval 1000 us)", "latencies (cyclictest -D 60s)", "unit: 1 us", "max latency: 77 ms", "Run time in seconds: 60",
                        "Start time in ns since boot: 1", "latency for 1 ms timer", "latencies (30 minutes)", "99 % of latencies are 10 ms or less",
                        "latencies of the second run", "latencies are in MS SQL", "Latency (us), x86_64 6.1.0-rt", "unit: us (x86_64)",
                        "latencies in us, times 10:00 to 11:00", "Latency (us) / 4 threads", "LATENCY IN MS FOR EACH WAKE-UP", "Latency in MS COUNT",
                        "unit: second for all columns", "unit: us\n# period in ms", "units: nanoseconds, count", "latency (10 us bins)",
                        "resolution: 10 ns", "interval 10 ms, duration 60 s", "latencies in ns\n# times in us"):
            with self.subTest(comment=comment):
                self.refuse(f"# {comment}\n{rows}", "refused.txt: line ", "--unit")

    def test_a_header_that_names_a_unit_goes_before_comments_that_give_none(self):
        for number, comment in enumerate(("# unit: 100 ns", "# max latency: 9000 ns", "# all times in us")):
            self.bring_in_text(f"{comment}\nlatency_us,count\n6,2\n", name=f"h{number}.txt")
            self.assertEqual(self.profiles()[f"h{number}"], {6000: 2}, comment)
        for comment in ("# latencies in cycles", "# all times in ns"):
            self.refuse(f"{comment}\nlatency_us,count\n6,2\n", "line ", "in doubt; give it with --unit")

    def test_a_comment_that_names_all_columns_is_their_header(self):
        """As without "#"; words about the table or its unit are none."""
        series, three, cumulative = "1000 12\n2000 15\n3000 9\n", "0 7 5\n1 8 3\n", "7 5 5\n8 3 8\n"
        swapped, read = "5 7\n3 8\n", {7000: 5, 8000: 3}
        unclear, unit = "in doubt; name them in a line without #", "in doubt; give it with --unit"
        cases = [(names, rows, {7000: 5, 8000: 3}) for names, rows in (
            ("count us", swapped), ("samples value_us", swapped), ("cpu us count", three), ("cpu response_us count", three), ("us count cumulative", cumulative),
            ("us count cdf", cumulative), ("from_us to_us count", "7 8 5\n8 9 3\n"), ("us cpu0 cpu1 total", "7 2 3 5\n8 3 0 3\n"), ("count lat", swapped))]
        cases += [(f"{names} count", "7000 5\n8000 3\n", read) for names in ("ns", "response_ns", "lat_ns", "time_ns", "lat(ns)")]
        cases += [("us count mean", three, {0: 7, 1000: 8}), ("bin us count", three, read), ("bin_start bin_end count", "7 8 5\n8 9 3\n", read), ("bin latency count", three, read)]
        cases += [(names, series, unclear) for names in (
            "time latency", "cycle latency", "sample latency", "time_s response_us", "start_us lat_us", "time_s latency", "index value")]
        cases += [(names, rows, unclear) for names, rows in (
            ("idx lat_us count", three), ("latency count idle", three), ("time response", series),
            ("start lat", series), ("time_s max_us", series), ("latency_us mean max", three), ("latency cpu0 cpu1 sum", "7 2 3 5\n8 3 0 3\n"),
            ("run latency_ns", "7000 5\n"))]
        cases += [(f"{names}\n# {other}", rows, expected) for names, rows, expected in cases[:]
                  for other in ("in us", "wakeup latency", "wakeup latency test") if "ns" not in names]
        cases += [(f"{one}\n# {other}", rows, expected) for one, other, rows, expected in (
            ("latency_us count", "count latency_us", swapped, unclear), ("latency_us count", "latency_ns count", swapped, unclear),
            ("time latency", "latency samples", series, unclear), ("count latency", "Count, Delay (us)", swapped, unclear),
            ("latency_ns count", "max delay", "7000 5\n8000 3\n", read), ("latency_us count", "unit: ns", "7 5\n8 3\n", unit),
            ("latency_us count", "latencies in cycles", "7 5\n8 3\n", unit), ("latency_us count", "max latency (ns): 9", "7 5\n8 3\n", read),
            *((title, names, series, unclear) for title in ("Latency samples", "wakeup events", "Latency counts", "delay count")
              for names in ("time response", "run max_us", "run response", "count value")),
            ("time response", "Latency samples", series, unclear),
            ("latency_ns count", "total samples", "7000 5\n8000 3\n", read),
            ("latency_us", "unit: ns", "7\n8\n", unit), ("latencies in ns", "delay_us", "7\n8\n", unit), ("ns", "us", "7\n8\n", unit))]
        cases += [(comment, "7 5\n8 3\n", read) for comment in (
            "CPU: i7-8700", "Samples: many", "date 2026-11-29", "no load", "number of samples", "host: rt1, cpu: 3", "in us")]
        cases += [(names, rows, unclear) for names, rows in (
            *((names, series) for names in ("run max_us", "cycle max_us", "iteration avg_us", "i max_us", "run response", "date max", "seq rtt", "time latency(us)", "p50_ns p99_ns", "no max_us")),
            ("run min_us avg_us max_us", "0 2 5 12\n"), ("min avg max", "2 5 12\n"))]
        cases += [(names, rows, unit) for names, rows in (
            ("latency_ns 0 1", three), ("latency_ns,0,1", "7,5,3\n"), ("Latency (ns) 0 1", three), ("latency_ms 2 3", three),
            ("usec 50 99 100", "0 2 5 12\n"), ("ns idle loaded", three), ("ns IRQ THR", three), ("latency_ns histogram", "7000 5\n"),
            *((names, "7 5\n8 3\n") for names in ("period us", "value latency(us)", "max_us: 12", "times in us, idle", "time 10s", "second run")))]
        cases += [("ns T:0 T:1", "7000 2 3\n8000 3 0\n", read)]
        cases += [(f"{name} count", "7 5\n8 3\n", read) for name in ("bin", "bucket", "value")]
        cases += [(comment, "7 5\n8 3\n", read) for comment in (
            "run 1", "Run 1, idle", "test run, idle", "samples 10000", "Thread 0", "max: 12", "max, 12", "7 5", "delay 100", "Latency histogram")]
        for number, (comment, rows, expected) in enumerate(cases):
            with self.subTest(comment=comment):
                if isinstance(expected, str):
                    self.refuse(f"# {comment}\n{rows}", "refused.txt: line ", expected)
                    continue
                self.bring_in_text(f"# {comment}\n{rows}", "--run", f"r{number}")
                self.assertEqual(self.profiles()[f"r{number}"], expected)

    def test_any_other_comment_with_a_unit_is_in_doubt_and_without_one_is_prose(self):
        rows = ("7 5\n8 3\n", "7\n8\n")
        for comment in ("Columns: latency_ns count", "latency_ns -> count", "latency, ns", "quantile us", "interval 10 ms", "latencyNs: count",
                        "latency_picoseconds/count", "in CPU cycles", "'ns' 'count'", "10us bins", "max latency (\u00b5s): 9",
                        "Задержка, нс", "в микросекундах", "latencia en milisegundos", "延迟(纳秒)", "遅延 ナノ秒", "지연 나노초"):
            for text in (f"# {comment}\n{row}" for row in rows):
                with self.subTest(text=text):
                    self.refuse(text, "line 1:", f"# {comment}", "give it with --unit, or in a header without #")
                    self.bring_in_text(text, "--unit", "1ns")
                    self.assertEqual(set(self.profiles()["x"]), {7, 8})
            self.bring_in_text(f"# {comment}\nlatency_ns,count\n7,5\n8,3\n")
        self.refuse("# mean_ns sd_ns n\n43.483 0.178 10\n", "line 1:", "give it with --unit\n")
        self.assertIn("times in 1 ns", self.bring_in_text("#\n# times in ns\n43.483 0.178 10\n").stdout)
        for number, comment in enumerate(("response time", "max load", "the host's disk", "log of 2024", "test run 3", "max: 12, avg 3")):
            for kind, row in enumerate(rows):
                with self.subTest(comment=comment, row=row):
                    self.bring_in_text(f"# {comment}\n{row}", "--run", f"p{number}-{kind}")
                    self.assertEqual(set(self.profiles()[f"p{number}-{kind}"]), {7000, 8000})

    def test_the_option_settles_the_unit_of_a_comment_that_others_contradict(self):
        self.bring_in_text("# latency_us count\n# unit: ns\n7 5\n", "--unit", "1ns")
        self.assertEqual(self.profiles(), {"x": {7: 5}})
        self.refuse("# idx latency_us count\n1 7 5\n", "name them in a line without #", options=("--unit", "1ns"))

    def test_any_text_that_mentions_a_unit_must_agree_with_that_of_the_table(self):
        """Above, between and below its rows, with "#" or not; the option settles it, but no columns."""
        rows, single, unit = "5000 1\n6000 2\n", "5000\n6000\n", "in doubt; give it with --unit"
        for text in (f"Wakeup latency (ns)\nlatency count\n{rows}", "unit;ns\nlatency;count\n5000;1\n6000;2\n", f"latency count\n[ns] [#]\n{rows}",
                     "latency,count\nns,1\n5000,1\n6000,2\n", f"% unit: ns\nlatency count\n{rows}",
                     f"# latence en nanosecondes\n{rows}", f"# histogram\n{rows}# Min: 5000 ns\n",
                     f"latency count\n{rows}# interval 10 ms\n", "5000 1 # 5000 ns\n6000 2\n",
                     f"# latency_us count\n{rows}# unit: ns\n", f"latency_us,count\n# unit: ns\n{rows}", f"latency_us\n{single}# in ns\n"):
            with self.subTest(text=text):
                self.refuse(text, "refused.txt: line ", unit)
                self.bring_in_text(text, "--unit", "1ns")
                self.assertIn(min(self.profiles().pop("x")), (5000, ))
        for text in (f"Interval in ms\nLatency\n{single}", f"latency_ns count\nlatency count\n{rows}"):
            self.refuse(text, "line 2:", "in doubt", options=("--unit", "1ns"))
        for number, text in enumerate((f"{rows}# unit: ns\n", f"latency count\n5000 1 # ns\n6000 2\n# times in ns\n", f"unit: ns\nlatency count\n{rows}",
                                       f"Latency\tCount\n(ns)\t\n{rows}", f"latency_ns count\nCPU0 isolated\n{rows}", f"latency_ns count\n{rows}# ran 60 s\n",
                                       f"Latency (nano seconds)  count\n{rows}", "# latency_ms count\n0.005 1\n# times in ms\n0.006 2\n")):
            with self.subTest(text=text):
                self.bring_in_text(text, "--run", f"t{number}")
                self.assertEqual(self.profiles()[f"t{number}"], {5000: 1, 6000: 2})
        for number, text in enumerate((f"{single}# all in ns\n", f"Latency (ns)\nhost42\n{single}", f"latency\n[ns]\n{single}", f"All times in nanoseconds\nLatency\n{single}", f"Unit: ns\nlatency\n{single}", "latency in micro-seconds\n5\n6\n")):
            with self.subTest(text=text):
                self.bring_in_text(text, "--run", f"l{number}")
                self.assertEqual(self.profiles()[f"l{number}"], {5000: 1, 6000: 1})

    def test_a_comment_tells_the_unit_of_what_cyclictest_printed(self):
        for number, name in enumerate(("cyclictest-h.txt", "cyclictest-verbose-nsecs.txt")):
            with open(os.path.join(TOOLS, name), encoding="ascii") as file:
                text = file.read()
            found = []
            for comment in ("", "# latencies in ns\n", "# unit: us\n"):
                run = f"{number} {comment}".strip()
                self.bring_in_text(comment + text, "--run", run)
                found.append(min(self.profiles()[run]))
            self.assertEqual(found, [1000 * found[1], found[1], 1000 * found[1]])
            self.refuse("# unit: ns\n# in ms\n" + text, "line 2:", "in doubt; give it with --unit")

    def test_an_s_that_is_an_option_a_plural_or_an_initial_is_no_unit(self):
        for number, comment in enumerate(("cyclictest -m -S -p 90 -i 200 -h 400 -q", "hackbench -s 512", "hackbench -g 4 -s", "CPU(s): 4", "Thread(s) per core: 2",
                                          "NUMA node(s)", "author: S. Rostedt", "by S. Rostedt", "J. S. Bach")):
            for kind, header in enumerate(("", "latency count\n")):
                with self.subTest(comment=comment, header=header):
                    self.bring_in_text(f"# {comment}\n{header}5 10\n6 20\n", "--run", f"s{number}-{kind}")
                    self.assertEqual(self.profiles()[f"s{number}-{kind}"], {5000: 10, 6000: 20})
        for comment in ("tiempo(s) medido", "cyclictest -D 60s", "hackbench -s 512, in s", "Times in S. Counts follow", "of us. S. Counts follow", "delays - s"):
            self.refuse(f"# {comment}\n5 10\n6 20\n", "line 1:", "in doubt; give it with --unit")

    def test_a_first_row_that_is_not_just_numbers_is_refused_like_any_other(self):
        for header, row, rest in (("latency_us,count", "<1,1000", "1,20"), ("latency_us cpu0 cpu1", "0 - 1000", "1 20 3"), ("latency_us,count", "0-1,1000", "2,3"),
                                  ("# latency_us count", "<5 1000", "5 20"), ("latency_us,count", '"1,000 or less",900', "1001,20"), ("latency_us,count", "NA,3", "1,20"),
                                  ("latency_us,count", "12.5us,3", "13,20"), ("latency,count", "12.5us,3", "13,20")):
            for before in ("", "\n-----\n# 3 runs\n", "CPU0 isolated\n"):
                with self.subTest(row=row, before=before):
                    self.refuse(f"run 5\n{header}\n{before}{row}\n{rest}\n", f"line {3 + before.count(chr(10))}:", " columns of numbers, found", row)
        for row in ("12.5us", "<1", "1,000 or less"):
            self.refuse(f"latency_us\n{row}\n13\n", "line 2: expected a latency, found", row)

    def test_time_stamps_are_no_latencies(self):
        self.refuse("timestamp_us,cpu,count\n1000,0,3\n2000,1,4\n", "line 1:", "columns in doubt")

    def test_a_latency_is_called_by_a_known_name_or_one_with_a_unit_in_a_known_place(self):
        for name in ("latency_ns (SCHED_FIFO)", "latencyns", "latencyms", "Latenz [Nanosekunden]", "latency*1000", "latency_nsek", "latency pico seconds",
                     "latency_us_s", "latency (ns) CPU0", "log_latency_us", "latency_x1000", "latency x10 ns", "Latenz", "host42"):
            for text in (f"{name}\n5\n6\n", f"{name};count\n5;1\n6;2\n"):
                with self.subTest(text=text):
                    self.refuse(text, "line 1:", f'"{name}', "leaves the columns in doubt", options=("--unit", "1ns"))

    def test_where_both_ends_of_bins_are_told_they_are_read_where_they_begin(self):
        for number, names in enumerate(("to_us from_us count", "end_us,begin_us,count", "upper (us);lower (us);samples", "bin_end bin_start count", "latency_to_us latency_from_us n",
                                        "le_us latency_us count", "mid_us low_us count", "right_us left_us count", "# to_us from_us count", "# bin_end bin_start count")):
            with self.subTest(names=names):
                self.bring_in_text(f"{names}\n8 7 5\n9 8 3\n", name=f"e{number}.txt")
                self.assertEqual(self.profiles()[f"e{number}"], {7000: 5, 8000: 3})

    def test_what_only_tells_another_place_of_bins_than_their_beginning_is_refused(self):
        for name in ("to_us", "bin_end_us", "binEndUs", "upper_us", "Upper bound (us)", "le_us", "up_to_us", "Up to [\u00b5s]", "high_us", "mid_us", "bin center (us)", "latency_upper_us",
                     "max_us", "Max Latency (us)", "bin_max_ns"):
            for names in (f"{name},count", f"count,{name}", *([] if " " in name else [f"# {name},count"])):
                with self.subTest(names=names):
                    self.refuse(f"{names}\n10,5\n20,3\n", "line 1: ", "in doubt", "where a bin begins and how many latencies it has")
        for names in ("min_us,max_us,count", "bin,end_us,count", "bin,max_us,count"):
            self.refuse(f"{names}\n10,20,5\n20,30,3\n", "line 1: ", "in doubt")
        for number, name in enumerate(("end_to_end_us", "End-to-end latency (us)", "wakeup_to_run_us", "time to wake (us)", "latency from irq to thread (us)", "high prio latency (us)", "low_us",
                                       "latency under load (us)", "above_us", "min_us")):
            with self.subTest(name=name):
                self.bring_in_text(f"{name},count\n7,5\n8,3\n", name=f"p{number}.txt")
                self.assertEqual(self.profiles()[f"p{number}"], {7000: 5, 8000: 3})
        for number, name in enumerate(("max_us", "upper_us", "# max_us", "end_us")):
            self.bring_in_text(f"{name}\n7\n8\n", name=f"l{number}.txt")
            self.assertEqual(self.profiles()[f"l{number}"], {7000: 1, 8000: 1})

    def test_cumulative_counts_are_refused_and_passed_over_beside_others(self):
        for number, name in enumerate(("count_below", "count_le", "count_up_to", "count (at most)", "running_count", "accumulated_count", "cumulated count", "samples_below", "samples less than",
                                       "exceed_count", "count_exceeding", "count_above", "samples_over", "number of samples above", "hits >=", "ccdf count")):
            with self.subTest(name=name):
                for names in (f"latency_us,{name}", f"latency,{name}", *([] if " " in name else [f"# latency_us,{name}"])):
                    self.refuse(f"{names}\n7,5\n8,8\n", "line 1: ", "in doubt", "where a bin begins and how many latencies it has")
                self.bring_in_text(f"latency_us,count,{name}\n7,5,5\n8,3,8\n", name=f"c{number}.txt")
                self.assertEqual(self.profiles()[f"c{number}"], {7000: 5, 8000: 3})
        for number, name in enumerate(("count_under_load", "samples over 60 s of rt1", "number of samples", "count of all cpus")):
            self.bring_in_text(f"latency_us,{name}\n7,5\n8,3\n", name=f"n{number}.txt")
            self.assertEqual(self.profiles()[f"n{number}"], {7000: 5, 8000: 3})

    def test_a_second_header_is_refused(self):
        for text in ("# latency_us count\n5 1\n\n\n# latency_ns count\n5000 3\n", "latency_us count\n5 1\n# latency_us count\n6 3\n",
                     "latency count\n5 1\n# cpu latency\n6 3\n", "latency_us count\n# kernel A\n5 1\n\n\n# kernel B\n6 3\n", "latency_us\n5\n# latency_ns\n5000\n"):
            with self.subTest(text=text):
                self.refuse(text, "another result follows the first", options=("--unit", "1us"))

    def test_comments_that_name_other_columns_than_mean_deviation_and_number_are_refused(self):
        for names, row in (("host min avg max", "rt1 3 5 100"), ("min avg max", "rt1 3 5 100"), ("min avg max", "3 5.5 100"), ("host n mean sd", "rt1 100000 50 3")):
            with self.subTest(names=names, row=row):
                self.refuse(f"# {names}\n{row}\n", f'"# {names}" leaves the columns in doubt', options=("--unit", "1us"))
                self.refuse(f"{row}\n# {names}\n", "another result follows the first", options=("--unit", "1us"))
        for number, names in enumerate(("host mean sd n", "mean stddev samples", "vanilla kernel", "made by mean.py")):
            self.bring_in_text(f"# {names}\nrt1 50 3 100\n", name=f"s{number}.txt")

    def test_lists_with_a_header(self):
        for number, text in enumerate(("latency_ns\n6000\n6000\n", "Delay (us)\n----\n6\n6\n", "# in us\n6\n6\n", "# ns\n6000\n6000\n", "# response time [ns]\n6000\n6000\n",
                                       *(f"# {name}\n6000\n6000\n" for name in ("max_ns", "mean_ns", "avg (ns)", "max [ns]", "p99_ns")), "# min_ms\n0.006\n0.006\n",
                                       "# latency_ns\n# host rt1\n6000\n6000\n", "# latency_ns\n# jitter\n6000\n6000\n", "# latency_ns\n# max_latency_us=12\n6000\n6000\n",
                                       "# latency_ns\n# /home/u/latency_us\n6000\n6000\n")):
            self.bring_in_text(text, name=f"l{number}.txt")
            self.assertEqual(self.profiles()[f"l{number}"], {6000: 2}, text)
        for comments in ("Latency in ns, interval in us", "latencies in ns\n# 1 latency per ms", "latency in us, time stamps in ns",
                         "all times in ms\n# latency_ns", "latency in ns\n# max_latency_us=12"):
            self.refuse(f"# {comments}\n6000\n", "in doubt; give it with --unit")

    def test_a_header_s_unit_goes_before_the_option_and_the_option_before_the_default(self):
        self.bring_in_text("delay_us count\n6 1\n", "--unit", "1ns", "--run", "named")
        self.bring_in_text("delay count\n6 1\n", "--unit", "1ns", "--run", "not")
        self.bring_in_text("# latencies in us\n7\n", "--unit", "1ns", "--run", "comment")
        self.bring_in_text("# delay_us\n7\n", "--unit", "1ns", "--run", "name")
        self.assertEqual(self.profiles(), {"named": {6000: 1}, "not": {6: 1}, "comment": {7: 1}, "name": {7000: 1}})

    def test_comments_that_leave_doubt_are_settled_by_the_option(self):
        text = "# latency in cycles\n# max latency in ns: 20345\n6 1\n"
        self.refuse(text, "line 1:", '"# latency in cycles" leaves the unit in doubt; give it with --unit')
        self.bring_in_text(text, "--unit", "1us")
        self.assertEqual(self.profiles(), {"x": {6000: 1}})

    def test_a_long_comment_with_a_unit_leaves_doubt(self):
        self.refuse("# all times in ns" + " " * 300 + "\n000001 5\n000002 3\n# Total: 000000008\n# Min Latencies: 00001\n# Avg Latencies: 00001\n"
                    "# Max Latencies: 00002\n# Histogram Overflows: 00000\n", "line 1:", "leaves the unit in doubt; give it with --unit")

    def test_it_is_told_what_was_taken_as_what(self):
        told = self.bring_in_text("count,latency_ns\n2257,6000\n").stdout
        self.assertRegex(told, r'x\.txt: .*"latency_ns" as latency in 1 ns, "count" as count')
        told = json.loads(self.bring_in_text("Delay Count\n6 2\n", "--json", name="y.txt").stdout)
        self.assertEqual(len(told["read_as"]), 1)
        self.assertRegex(told["read_as"][0], r'y\.txt: table; "Delay" as latency in 1\.0 us, "Count" as count')
        told = json.loads(self.bring_in(tool("jitterdebugger-ns"), "--json").stdout)
        self.assertRegex(told["read_as"][0], r"jitterdebugger JSON; latencies in 1 ns")

    def test_a_histogram_without_its_end_is_refused(self):
        """As a file that ends before, or has lost its comments: its longest latencies may not be there."""
        for name, line in (("rtla-timerlat-no-summary.txt", "over:"), ("cyclictest-h-overflows.txt", "# Histogram Overflows:")):
            with self.subTest(name=name):
                self.bring_in(tool(name))
                rows = "".join(re.findall(r"^(?:\d|#? ?RTLA|Index).*\n", text_of(name), flags=re.MULTILINE))
                self.refuse(rows, "how many latencies were above its end", f'"{line}"')
                self.refuse(rows + rows, "another result follows the first")

    def test_latencies_of_six_digits_are_a_table_s(self):
        self.bring_in_text("100500 3\n200500 1\n", "--unit", "1ns")
        self.assertEqual(self.profiles(), {"x": {100500: 3, 200500: 1}})

    def test_headers_that_leave_doubt_are_refused(self):
        for text, line, *told in (("latency,cpu\n6,1\n", 1, "count"), ("latency_us,mean,max\n6,1,2\n", 1, "count"), ("latency_us,cdf\n6,1\n", 1, "count"),
                                  ("latency,count\n6,1\n7,1,3\n", 3, "2 columns"), ("a b c\n6 1\n", 1, "a b c"),
                                  *((f"{names}\n6,1\n7,2\n", 1, names, "name them in a line without #, as in latency_us,count") for names in (
                                      "sample,latency_us", "n,latency_us", "seq,latency_us", "Sample #,Latency (us)", "sample number,latency_us",
                                      "i,latency", "latency_us,prio", "latency_us,temperature", "latency_us,samples_lost", "x,y", "latency_tsc,count", "latency_cyc,count", "log10(latency_us),count",
                                      "latency_us10,count", "latency (1/10 us),count", "latency in 100 ns,count", "latency_us_x10,count", "latency (picoSeconds),count",
                                      "latency (10*us),count", "latency (us/10),count", "latency_id,count", "CPU0,latency", "duration_s,max_us")),
                                  ("period_us,max_latency_us,samples\n1000,25,6000\n", 1, "columns in doubt"), ("# CPU0 latency\n5 10\n", 1, "columns in doubt"),
                                  *((f"# {names}\n6,1\n7,2\n", 1, names, "name them in a line without #") for names in ("sample,latency", "n,latency_us")),
                                  ("# unit: cycles\n6 1\n", 1, "# unit: cycles"), ("# Units: 100ns\n6\n", 1, "# Units: 100ns"),
                                  *((f"{comment}\n6 1\n7 2\n", 1, comment) for comment in (
                                      "# times in cycles", "# values in ticks", "# latencies in 10 us", "# times in 100 ns", "# times in 1/10 us", "# times in ps",
                                      "# times in us/10", "# times in 25us", "# all times in TSC cycles", "# latencies are in jiffies", "# latencies in hundredths",
                                      "# times in cycles (2 GHz)", "# values in log2", "# unit: ticks (10 ns)", "# unit: 50 ns", "# times in 25 us",
                                      "# unit: 0.1 us", "# unit: 1e-9 s", "# unit: 1/4 us", "# latencies in units of 50 ns", "# unit: 2 cycles",
                                      "# unit: CPU-cycles", "# latencies (50 ns)", "# latencies (cycles)", "# unit: ns (us)", "# units: s (time), us (latency)",
                                      "# unit (ns): 10", "# max latency (ms): 3", "# latency in ns x 10", "# latency in ns times 10",
                                      "# latencies x10 in ns", "# latencies (us x 10)", "# latency in ns (multiplied by 10)", "# latency in ns and us",
                                      "# latency in tens of ns", "# Max latency in ns: 20345", "# mean latency (ns): 14790.4",
                                      "# latency in ns: 2026-11-29 host", "# latency in second moment", "# latencies, in ns", "# latency of all CPUs in ms.")),
                                  ("delay,count\n6,1\nand so on\n", 3, "and so on"),
                                  ("delay,count\n6,1\n,5\n", 3, "2 columns"), ("6 many\n7 3\n", 1, "6 many")):
            with self.subTest(text=text):
                self.refuse(text, f"line {line}:", *told)


class Rtla(Tools):
    def test_figures_of_all_its_columns_count(self):
        """Averages may have decimals, as osnoise's; where a thread has no figure, none of all threads is known."""
        text = text_of("rtla-timerlat-two.txt")
        last = re.search(r"^max:.*?(\d+) *$", text, flags=re.MULTILINE)
        self.bring_in_text(text)
        self.bring_in_text(re.sub(r"^avg:.*$", lambda line: re.sub(r"(\d)(?= |$)", r"\1.00", line.group()), text, flags=re.MULTILINE), name="decimals.txt")
        self.bring_in_text(text[:last.start(1)] + "-" + text[last.end(1):], name="none.txt")
        keys = ("n", "beyond", "mean_ns", "max_ns")
        told = {name: [self.described(name)[key] for key in keys] for name in ("x", "decimals", "none")}
        self.assertEqual(told["decimals"], told["x"])
        self.assertEqual(told["none"], [*told["x"][:3], None])

    def test_timerlat_s_columns_for_threads_and_interrupts_are_both_profiles(self):
        told = self.bring_in(tool("rtla-timerlat-hist.txt"))
        expected = {}
        for line in re.findall(r"^\d+ .*$", text_of("rtla-timerlat-hist.txt"), flags=re.MULTILINE):
            latency, *counts = map(int, line.split())
            for run, of_it in (("rtla-timerlat-hist", counts[1::2]), ("rtla-timerlat-hist-irq", counts[0::2])):
                if sum(of_it):
                    expected.setdefault(run, {})[latency * 1000] = sum(of_it)
        self.assertEqual(self.profiles(), expected)
        self.assertIn("rtla-timerlat-hist-irq", told.stdout)
        self.assertIn("2 latency profiles stored", told.stdout)
        self.assertIn("2 already in the study", self.bring_in(tool("rtla-timerlat-hist.txt")).stdout)

    def test_it_tells_its_unit(self):
        self.bring_in_text(text_of("rtla-timerlat-hist.txt").replace("microseconds (us)", "nanoseconds (ns)"))
        self.assertEqual(max(self.profiles()["x"]), 58)

    def test_overflows_of_each_are_counted_apart(self):
        text = with_overflows(text_of("rtla-timerlat-hist.txt"), 1, 2, 3, 4, 0, 0, 0, 0, 0, 0)
        lines = self.bring_in_text(text).error_lines()
        self.assertEqual([re.search(r"(\S+): (\d+) latencies", line).groups() for line in lines],
                         [("x", "6"), ("x-irq", "4")])

    def test_a_second_result_is_refused_although_its_rows_would_continue_the_first(self):
        text = text_of("rtla-timerlat-no-summary.txt")
        row = re.search(r"^11 .*\n", text, flags=re.MULTILINE).group()
        self.refuse(text + re.sub(r"^\d.*\n", "", text, flags=re.MULTILINE).replace("over:", row + "over:"), "another result follows the first")

    def test_columns_beyond_those_that_are_read(self):
        columns = [f"CPU-{number:03}" for number in range(1024)]
        self.refuse(f"# RTLA osnoise histogram\nIndex {' '.join(columns)}\n1 {'5 ' * 1024}\n", "line 2: it has more than 1024 columns")


class Rows(Tools):
    """Each row is whole and counted once, or the file is refused."""
    BELOW = r"refused.txt: column \d+ has \d+ latencies, but \d+ are counted in all"

    def assert_noticed(self, name, pattern, wrong):
        """@wrong: what is told if the row that fits @pattern is made otherwise, with what takes its place."""
        text = text_of(name)
        row = re.search(pattern, text, flags=re.MULTILINE).group()
        for words, changed in [(self.BELOW, row + row), (f"{self.BELOW}|another result follows the first", text), *wrong(row)]:
            with self.subTest(name=name, changed=changed[:40]):
                self.refuse_like(words, text.replace(row, changed, 1) if changed != text else text + text)

    def refuse_like(self, words, text):
        path = os.path.join(self.folder, "refused.txt")
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        result = culprit.run("import", "--study", self.study, path)
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        self.assertRegex(result.stderr, words)

    def test_of_rtla_and_cyclictest(self):
        for name, pattern in (("rtla-timerlat-hist.txt", r"^7 .*\n"), ("cyclictest-two-h.txt", r"^000041 .*\n")):
            row_is = r"line \d+: expected \d+ columns of numbers, found \""
            self.assert_noticed(name, pattern, lambda row, row_is=row_is: [
                (self.BELOW, ""), (row_is, row[:-5].rstrip().rsplit(maxsplit=1)[0] + "\n"), (row_is, row[:-1] + "o\n"), (row_is, row[:-1] + " 3\n")])

    def test_of_cyclictest_with_other_lines_among_them(self):
        text = text_of("cyclictest-two-h.txt")
        self.bring_in_text(text)
        for number, line in enumerate(("nohup: ignoring input", "defaulting realtime priority to 2", "INFO: debugfs mountpoint: /sys/kernel/debug/tracing/",
                                       "WARN: stat /dev/cpu_dma_latency failed: No such file or directory", "[1] 1234", "spikes = 920")):
            for kind, mixed in enumerate((f"{line}\n{text}", text.replace("000041 ", f"{line}\n000041 "), f"{text}{line}\n")):
                with self.subTest(line=line, kind=kind):
                    self.bring_in_text(mixed, "--run", f"m{number}-{kind}")
                    self.assertEqual(self.profiles()[f"m{number}-{kind}"], self.profiles()["x"])
            self.refuse_like(self.BELOW, text.replace("000041 ", f"{line} 000041 "))

    def test_of_stress_ng(self):
        row_is = r"line \d+: expected 2 columns of numbers, found \"8"
        self.assert_noticed("stress-ng-cyclic-dist-1000.txt", r"^.*cyclic: +8000 .*\n", lambda row: [
            (row_is, row[:-1] + " 8\n"), (row_is, row[:-1] + "x\n"), (row_is, row.split("8000")[0] + "8000\n")])

    def test_of_a_stream(self):
        self.refuse("   0:       0:       5\n   0:       1:       x\n", 'line 2: expected a latency, found "x"')
        self.bring_in_text("   0:       0:       5\n   0:       1:     ")
        self.assertEqual(self.profile(), {5000: 1})

    def test_of_oslat_with_something_before_each(self):
        text = text_of("oslat.txt")
        for before in ("1732838401 ", "12.345 ", "Nov 29 00:00:01 ", "host: "):
            with self.subTest(before):
                self.refuse(re.sub("^", before, text, flags=re.MULTILINE), 'expected a latency alone before "(us):"', f'found "{before}')
        self.bring_in_text(text)
        self.bring_in_text(re.sub("^(?=.)", "  ", text, flags=re.MULTILINE), name="indented.txt")
        profiles = self.profiles()
        self.assertEqual(profiles["indented"], profiles["x"])

    def test_of_cyclictest_with_blanks_before_each(self):
        text = text_of("cyclictest-two-h.txt")
        self.bring_in_text(text)
        told = [self.described("x")[key] for key in ("n", "beyond", "max_ns")]
        self.study = os.path.join(self.folder, "indented.culprit")
        self.bring_in_text(re.sub("^(?=.)", "  ", text, flags=re.MULTILINE))
        self.assertEqual([self.described("x")[key] for key in ("n", "beyond", "max_ns")], told)
        self.assertEqual(told[2], 24_263_000)

    def test_of_oslat_with_more_cores_than_are_read(self):
        cores = 1025
        figures = "".join(f"{title}:\t{'2 ' * cores}(us)\n" for title in ("Minimum", "Average", "Maximum"))
        self.refuse(f"Counter Freq:\t{'2496 ' * cores}(Mhz)\n001 (us):\t{'7 ' * cores}\n002 (us):\t{'3 ' * cores}(including overflows)\n{figures}",
                    "line 2: it has more than 1024 columns")


class CutOff(Tools):
    """Files that end before or within the figures below a histogram: the histogram alone tells the latencies."""

    def assert_of_the_rows(self, text, cuts):
        for number, cut in enumerate(cuts):
            with self.subTest(cut):
                self.study = os.path.join(self.folder, f"{number}.culprit")
                self.bring_in_text(text[:text.index(cut)], "--run", "x")
                profile, described = self.profiles()["x"], self.described("x")
                self.assertEqual((described["min_ns"], described["max_ns"]), (min(profile), max(profile)))
                self.assertEqual(described["n"], sum(profile.values()))
                self.assertTrue(min(profile) <= described["mean_ns"] <= max(profile))

    def test_cyclictest_s(self):
        text = text_of("cyclictest-h-overflows.txt")
        for cut in ("# Total", "# Min", "# Avg", "# Max", "# Histogram Overflows", "84\n", "4\n"):
            with self.subTest(cut):
                self.refuse(text[:text.index(cut, text.index("# Total"))], "how many latencies were above its end")

    def test_rtla_s(self):
        text = text_of("rtla-timerlat-hist.txt")
        self.assert_of_the_rows(text, ("count:", "min:", "avg:", "max:"))
        self.refuse(text[:text.index("\ncount:")], "how many latencies were above its end")

    def test_a_line_that_may_be_cut_within_a_number_is_left_out_and_told(self):
        left_out = "its last line may be cut off, as no line feed ends it, and is left out"
        text = text_of("cyclictest-verbose.txt")
        whole, last = text[:-1].rsplit("\n", 1)
        self.assertNotIn(left_out, self.bring_in_text(whole + "\n", name="whole.txt").stdout)
        self.assertIn(left_out, self.bring_in_text(f"{whole}\n{last}", "--run", "cut", name="cut.txt").stdout)
        profiles = self.profiles()
        self.assertEqual(profiles["cut"], profiles["whole"])
        for name in ("oslat.txt", "rtla-timerlat-hist.txt", "rtla-timerlat-no-summary.txt", "cyclictest-h.txt", "stress-ng-cyclic-dist-1000.txt"):
            text = text_of(name).rstrip("\n")
            with self.subTest(name=name):
                self.assertEqual(left_out in self.bring_in_text(text, name=name).stdout, text[-1].isdigit())

    def test_a_table_or_list_needs_no_line_feed_at_its_end(self):
        for number, (text, counts) in enumerate((("6 3\n7 12", {6000: 3, 7000: 12}), ("6\n17", {6000: 1, 17000: 1}))):
            self.assertNotIn("left out", self.bring_in_text(text, name=f"t{number}.txt").stdout)
            self.assertEqual(self.profiles()[f"t{number}"], counts)

    def test_what_oslat_does_not_tell_is_not_nothing(self):
        """Nor does it take away what it tells."""
        text = text_of("oslat.txt")
        self.bring_in_text(text, "--run", "whole", name="whole.txt")
        for title, key in (("Minimum:", "min_ns"), ("Average:", "mean_ns")):
            line = next(line for line in text.splitlines(keepends=True) if title in line)
            self.bring_in_text(text.replace(line, ""), "--run", key, name=f"{key}.txt")
            described, whole = self.described(key), self.described("whole")
            self.assertEqual({other for other in ("min_ns", "mean_ns", "max_ns") if described[other] != whole[other]} - {key}, set())
        self.assertIsNone(self.described("mean_ns")["mean_ns"])

    def test_events_that_rtla_missed_are_told(self):
        text = text_of("rtla-timerlat-hist.txt")
        self.bring_in_text(text, "--run", "whole", name="whole.txt")
        for number, missed in enumerate(("12 (0.05%)", "unknown number of")):
            said = self.bring_in_text(f"{text}{missed} events missed, results might not be accurate\n", "--run", f"missed{number}", name=f"m{number}.txt").stdout
            self.assertIn("the tool missed events, so that latencies may be wrong or missing", said)
            self.assertEqual(self.profiles()[f"missed{number}"], self.profiles()["whole"])

    def test_oslat_s_last_row_is_not_known_without(self):
        text = text_of("oslat.txt")
        for cut in ("Minimum:", "Average:", "Maximum:"):
            with self.subTest(cut):
                self.refuse(text[:text.index(cut)], "it ends before the maximum of each core")

    def test_figures_that_contradict_the_histogram_are_not_told(self):
        self.bring_in_text(json.dumps({"thread": {"0": {"histogram": {"100": 5, "200": 1}, "cycles": 6, "min": 1, "avg": 1.5, "max": 2}}}),
                           "--run", "x", name="x.json")
        described = self.described("x")
        self.assertEqual((described["min_ns"], described["max_ns"]), (100_000, 200_000))


class Oslat:
    """What oslat prints since rt-tests 2.5 of latencies in ns, which it rounds up, with bins of @width ns, and as JSON."""

    def __init__(self, latencies, width, size=32, bias=0, version="2.80", omit=False):
        self.width, self.unit = width, 1 if width % 1000 else 1000
        self.latencies = [-(-ns // self.unit) * self.unit for ns in latencies]
        decimals, counts = 3 if self.unit == 1 else 0, [0] * size
        for ns in self.latencies:
            counts[min((ns - bias) // width, size - 1)] += 1
        ends = [f"{(bias + (i + 1) * width) / 1000:03.{decimals}f}" for i in range(size)]
        low, high = min(self.latencies), max(self.latencies)
        average = sum(count * float(end) for count, end in zip(counts, ends)) / len(latencies)
        rows = ""
        for i, (count, end) in enumerate(zip(counts, ends)):
            if count or not omit or i == size - 1:
                rows += f"{end + ' (us)':>12}:\t {count}{' (including overflows)' if i == size - 1 else ''}\n"
            elif not rows.endswith("...\n"):
                rows += "    ...\n"
        self.text = ((f"oslat V {version}\n" if version else "") + (f"Global bias set to {bias / 1000:.{decimals}f} (us)\n" if bias else "")
                     + f"        Core:\t 0\nCounter Freq:\t 1000 (MHz)\n{rows}     Minimum:\t {low / 1000:.{decimals}f} (us)\n"
                     f"     Average:\t {average:.3f} (us)\n     Maximum:\t {high / 1000:.{decimals}f} (us)\n"
                     f"     Max-Min:\t {(high - low) / 1000:.{decimals}f} (us)\n    Duration:\t 1.998 (sec)\n\n")
        thread = {"cpu": 0, "freq": 1000, "min": low // self.unit, "avg": average, "max": high // self.unit, "duration": 1.998,
                  "histogram": {end.lstrip("0") if decimals == 0 else end: count for count, end in zip(counts, ends) if count}}
        self.json = json.dumps({"file_version": 1, "cmdline:": f"oslat -D 2 -c 0 -qW{width} {'-B ' if bias else ''}--json=x",
                                "rt_test_version:": version, "num_threads": 1, "thread": {"0": thread}}, indent=2)

    def stored(self):
        counts = {}
        for ns in self.latencies:
            begin = ns // self.width * self.width
            counts[begin] = counts.get(begin, 0) + 1
        return counts


class OslatBins(Tools):
    LATENCIES = [60] * 300 + [170] * 500 + [1234] * 20 + [2500] * 7 + [3123] * 3 + [7234]

    def test_they_are_stored_where_they_are_and_as_wide(self):
        for width in (100, 250, 500, 1000, 2000, 5000):
            oslat = Oslat(self.LATENCIES, width, size=32 if width >= 1000 else 32000 // width)
            for form, text in (("text", oslat.text), ("json", oslat.json)):
                with self.subTest(width=width, form=form):
                    self.study = os.path.join(self.folder, f"{form}{width}.culprit")
                    self.bring_in_text(text, name="x.txt")
                    self.assertEqual(self.profile(), oslat.stored())
                    self.assertEqual(culprit.rows(self.study, "SELECT resolution_ns AS r FROM run"), [{"r": width}])
                    described = self.described()
                    self.assertEqual([described[key] for key in ("n", "beyond", "min_ns", "max_ns")],
                                     [len(self.LATENCIES), 0, min(oslat.latencies), max(oslat.latencies)])

    def test_what_is_longer_than_the_last_is_left_out_and_its_mean_is_not_known(self):
        for width, size, within in ((500, 5, 820), (1000, 8, 830), (2000, 4, 830)):
            oslat = Oslat(self.LATENCIES, width, size=size)
            for form, text in (("text", oslat.text), ("json", oslat.json)):
                with self.subTest(width=width, form=form):
                    self.study = os.path.join(self.folder, f"{form}{width}.culprit")
                    self.bring_in_text(text)
                    described = self.described()
                    self.assertEqual([described[key] for key in ("n", "beyond", "min_ns", "mean_ns", "max_ns")],
                                     [within, 831 - within, min(oslat.latencies), None, max(oslat.latencies)])

    def test_of_1_us_the_minimum_tells_what_the_rows_are_called_after(self):
        """2.10 is 2.1 or a later one; of results without their first line nothing else tells."""
        for version in ("2.80", "2.10", ""):
            oslat = Oslat(self.LATENCIES, 1000, version=version)
            for form, text in (("text", oslat.text), ("json", oslat.json)):
                with self.subTest(version=version, form=form):
                    self.study = os.path.join(self.folder, f"{form}{version}.culprit")
                    self.bring_in_text(text)
                    self.assertEqual(self.profile(), {1000: 800, 2000: 20, 3000: 7, 4000: 3, 8000: 1})
        before = text_of("oslat.txt")
        for name, text in (("whole", before), ("headless", before[before.index("        Core:"):])):
            self.bring_in_text(text, "--run", name, name=f"{name}.txt")
        self.assertEqual(self.profiles()["headless"], self.profiles()["whole"])

    def test_what_nothing_tells_is_refused(self):
        text = re.sub("     Minimum:.*\n", "", Oslat(self.LATENCIES, 1000, version="2.10").text)
        self.refuse(text, "neither its minimum nor its version tells whether its rows are latencies or ends of bins")
        self.refuse(Oslat(self.LATENCIES, 1000, bias=60, version="").text, "neither its minimum nor its version")
        self.refuse(Oslat([1234] * 20 + [3123] * 3 + [7234], 500, omit=True, size=64).text, "it does not tell how wide its bins are", "--zero-omit")
        self.refuse(re.sub(".*:\t 0\n", "", Oslat(self.LATENCIES[800:], 1000).text.replace("Core:\t 0", "Core:\t 1")), "it does not tell how wide its bins are")
        self.refuse(re.sub('  "cmdline:.*\n', "", Oslat(self.LATENCIES, 500, size=64).json), "it does not tell how wide its bins are")

    def test_what_contradicts_the_rows_is_refused(self):
        self.refuse(text_of("oslat.txt").replace("Minimum:\t 1 ", "Minimum:\t 2 "), "its minimum of 2 us is not among the latencies of its lowest row, 1 us")
        self.refuse(Oslat([ns + 5000 for ns in self.LATENCIES], 1000).text.replace("Minimum:\t 6 ", "Minimum:\t 1 "), "its minimum of 1 us is not among")
        self.refuse(Oslat(self.LATENCIES, 500, size=64).json.replace("-qW500", ""), "its row of 0.5 us is not at a positive multiple of the 1 us")

    def test_no_bin_begins_below_0(self):
        """As of a bias below 0, which no clock has."""
        self.refuse(Oslat([-1000] * 5 + [1000] * 7, 1000, bias=-1000).text, "its row of 0 us is not at a positive multiple of the 1 us")

    def test_a_command_line_with_many_cpus_tells_the_width(self):
        oslat = Oslat(self.LATENCIES, 500, size=64)
        self.bring_in_text(oslat.json.replace(" -c 0 ", f" -c {','.join(map(str, range(8192)))} "))
        self.assertEqual(self.profile(), oslat.stored())

    def test_rows_without_latencies_may_be_omitted(self):
        oslat = Oslat(self.LATENCIES, 500, size=64, omit=True)
        self.assertIn("    ...\n", oslat.text)
        self.bring_in_text(oslat.text)
        self.assertEqual(self.profile(), oslat.stored())

    def test_a_bias_moves_them_and_the_version_tells(self):
        for form in ("text", "json"):
            self.study = os.path.join(self.folder, f"{form}.culprit")
            self.bring_in_text(getattr(Oslat([ns + 1000 for ns in self.LATENCIES], 1000, bias=1000), form))
            self.assertEqual(self.profile(), {2000: 800, 3000: 20, 4000: 7, 5000: 3, 9000: 1})
            self.refuse(getattr(Oslat([ns + 1000 for ns in self.LATENCIES], 2000, bias=1000), form), "measure without --bias")


STRESS_NG = "stress-ng-cyclic-dist-10000.txt"
TOLD = {"min_ns": 5073, "mean_ns": 9017.32, "mode_ns": 5971, "median_ns": 7656, "max_ns": 126991, "sd_ns": 7226.87}


class Coarse(Tools):
    def test_what_stress_ng_says_of_itself_is_kept(self):
        self.bring_in(tool(STRESS_NG), "--run", "x")
        described = self.described("x")
        self.assertEqual({name: described[name] for name in TOLD}, TOLD)
        quantiles = {quantile["p"]: quantile for quantile in described["quantiles"]}
        for p, ns in ((.25, 6837), (.5, 7656), (.954, 17461), (.9999, 126991)):
            self.assertEqual([quantiles[p][name] for name in ("ns", "from_ns", "to_ns")], [ns] * 3)
        printed = culprit.run("latency", "--study", self.study, "--percentiles", "x").stdout
        for line in re.findall(r"[0-9.]+%: +\d+ ns", text_of(STRESS_NG)):
            self.assertIn(re.sub(" +", " ", line), re.sub(" +", " ", printed))
        self.assertIn("mean: 9017.32 ns, mode: 5971 ns", printed)
        self.assertIn("1 already in the study", self.bring_in(tool(STRESS_NG), "--run", "x").stdout)

    def test_of_bins_alone_quantiles_are_intervals_within_them(self):
        text = "".join(line for line in text_of(STRESS_NG).splitlines(True)
                       if not re.search(r"mean:|min:|percentiles|%:", line))
        for width_ns, options in ((10000, ()), (10 ** 6, ())):
            scaled = re.sub(r"(cyclic: +)(\d+)( +\d+)$", lambda row: f"{row[1]}{int(row[2]) * width_ns // 10000}{row[3]}",
                            text, flags=re.MULTILINE).replace("(10000 ns", f"({width_ns} ns")
            self.bring_in_text(scaled, *options, "--run", f"w{width_ns}")
            with self.subTest(width_ns=width_ns):
                described = self.described(f"w{width_ns}")
                self.assertEqual((described["min_ns"], described["max_ns"]), (0, 13 * width_ns))
                self.assertEqual(described["mode_ns"], width_ns / 2)
                expected = {.25: 0, .5: 0, .9: 1, .954: 1, .99: 4, .995: 6, .9999: 12}
                for quantile in described["quantiles"]:
                    if quantile["p"] in expected:
                        place = expected[quantile["p"]]
                        self.assertEqual((quantile["from_ns"], quantile["to_ns"]), (place * width_ns, (place + 1) * width_ns))
                        self.assertEqual(quantile["nearest_ns"], (place + .5) * width_ns)
                        self.assertTrue(quantile["low_ns"] is None or quantile["low_ns"] % width_ns == 0)
                counts = dict((float(low), int(n)) for low, n in re.findall(r"cyclic: +(\d+) +(\d+)$", scaled, re.MULTILINE))
                mean = sum((low + width_ns / 2) * n for low, n in counts.items()) / sum(counts.values())
                self.assertAlmostEqual(described["mean_ns"], mean, places=6)
        printed = culprit.run("latency", "--study", self.study, "w10000").stdout
        self.assertRegex(printed, r"50 % +0 ns to 10\.0 us")

    def test_fine_tables_are_as_they_were(self):
        for unit, unit_ns in (("1ns", 1), ("1us", 1000)):
            self.bring_in_text("7 3\n8 2\n", "--unit", unit, "--run", f"u{unit_ns}")
            described = self.described(f"u{unit_ns}")
            self.assertEqual((described["min_ns"], described["max_ns"], described["median_ns"]), (7 * unit_ns, 8 * unit_ns, 7 * unit_ns))
            self.assertTrue(all(quantile["from_ns"] == quantile["to_ns"] == quantile["ns"]
                                for quantile in described["quantiles"]))

    def test_latencies_finer_than_the_unit_of_their_table_are_no_bins(self):
        self.bring_in_text("delay_ms,count\n0.006,3\n0.007,2\n")
        described = self.described("x")
        self.assertEqual((described["min_ns"], described["max_ns"]), (6000, 7000))

    def test_the_rows_of_a_table_at_equal_distances_are_bins(self):
        for step, rows, width in ((10, 8, 10000), (10, 7, 1000), (1, 20, 1000), (3, 50, 3000)):
            name = f"s{step}-r{rows}x"
            self.bring_in_text("Delay (us)  Count\n" + "".join(f"{step * row} {row % 3}\n" for row in range(rows)),
                               "--run", name)
            row, = culprit.rows(self.study, f"SELECT resolution_ns AS r FROM run WHERE name = '{name}'")
            self.assertEqual(row["r"], width, name)
        self.bring_in_text("".join(f"{10 * row + (row > 4)} 1\n" for row in range(20)), "--run", "uneven")
        self.assertEqual(self.resolution("uneven"), 1000)

    def resolution(self, run):
        row, = culprit.rows(self.study, f"SELECT resolution_ns AS r FROM run WHERE name = '{run}'")
        return row["r"]

    def test_bins_are_known_in_any_unit_and_with_rows_left_out(self):
        """The decimals that are written bound what is known; a few latencies may share a divisor by chance."""
        for name, head, rows, width in (
                ("ms", "latency_ms", [f"{row / 100:.2f}" for row in range(12)], 10_000),
                ("fifths", "latency_ms", [f"{row / 20:.2f}" for row in range(12)], 50_000),
                ("half", "latency_us", [row / 2 for row in range(12)], 500),
                ("third", "latency_us", [f"{row / 3:.3f}" for row in range(12)], 1),
                ("gap", "latency_us", [0, 10, 20, 30, 40, 50, 60, 200], 10_000),
                ("blocks", "latency_us", [10, 20, 30, 40] * 4, 1000),
                ("down", "latency_us", range(80, 0, -10), 10_000),
                ("chance", "latency_us", [2, 4, 6, 8, 12, 14, 20, 30, 40], 1000),
                ("few", "latency_ms", [0.1, 0.3], 100_000),
                ("ticks", "latency_ns", [7 + 40 * row for row in range(40)], 1),
                ("odd", "latency_us", range(1, 17, 2), 1000),
                ("single", "latency_us", [10], 1000)):
            with self.subTest(name=name):
                self.bring_in_text(f"{head},count\n" + "".join(f"{latency},3\n" for latency in rows), "--run", name, name=f"{name}.txt")
                self.assertEqual(self.resolution(name), width)
        self.bring_in_text("latency_ms,count\n" + "".join(f"{row / 100:.2f},{row}\n" for row in range(12)), "--run", "scale")
        described = self.described("scale")
        self.assertEqual((described["min_ns"], described["max_ns"]), (10_000, 120_000))

    def test_bins_that_begin_elsewhere_are_refused(self):
        self.refuse("latency_us,count\n" + "".join(f"{latency},3\n" for latency in range(5, 125, 10)),
                    "10.0 us apart", "write where each begins")

    def test_bins_are_held_against_single_latencies_without_a_bias(self):
        generator = random.Random(3)
        latencies = [generator.gauss(50000, 12000) for _ in range(20000)]
        low = [int(latency // 4000) for latency in latencies]
        self.bring_in_text("".join(f"{round(latency)}\n" for latency in latencies), "--unit", "1ns", "--run", "single")
        self.bring_in_text("delay_us count\n" + "".join(f"{4 * place} {low.count(place)}\n" for place in range(max(low) + 1)),
                           "--run", "bins")
        told = json.loads(culprit.run("compare", "--study", self.study, "--json", "single", "bins").stdout)
        against, = told["against"]
        self.assertLess(abs(against["mean_difference_ns"]), 100)
        single, bins = (self.described(name) for name in ("single", "bins"))
        for one, other in zip(single["quantiles"], bins["quantiles"]):
            if one["p"] < .999:
                self.assertTrue(other["from_ns"] - 1 <= one["ns"] <= other["to_ns"] + 1, one)

    def test_plots_draw_bins_as_wide_as_they_are(self):
        self.bring_in(tool(STRESS_NG), "--run", "x")
        plot = os.path.join(self.folder, "x.svg")
        result = culprit.run("latency", "--study", self.study, "x", "--plot", f"histogram={plot}")
        self.assertEqual(result.status, 0, result.stderr)
        with open(plot, encoding="utf-8") as file:
            self.assertIn("latencies in each 10 us", file.read().replace("\u00b5", "u"))

    def plot(self, kind, *runs):
        plot = os.path.join(self.folder, f"{kind}.svg")
        result = culprit.run("latency", "--study", self.study, *runs, "--plot", f"{kind}={plot}")
        self.assertEqual(result.status, 0, result.stderr)
        with open(plot, encoding="utf-8") as file:
            return file.read().replace("\u00b5", "u")

    def lines(self, picture, width):
        """Those of @width; cairo 1.16 writes it into a style, 1.18 as an attribute."""
        return [path for path in re.findall(r"<path[^>]*>", picture)
                if re.search(rf'stroke-width(:{width};|="{width}")', path) and re.search(r'fill(:none;|="none")', path)]

    def test_bins_of_different_widths_are_laid_over_each_other_in_bins_that_hold_whole_ones(self):
        for width, count in ((4, 4000000), (10, 10000000)):
            self.bring_in_text("delay_us count\n" + "".join(f"{low} {count}\n" for low in range(0, 200, width)),
                               "--run", f"w{width}")
        picture = self.plot("histogram", "w4", "w10")
        self.assertIn("latencies in each 20 us", picture)
        steps = [re.search(r' d="([^"]*)"', line)[1] for line in self.lines(picture, "1.2")]
        self.assertEqual(len(steps), 2)
        for path in steps:
            self.assertEqual(len(set(re.findall(r"[ML] [\d.]+ ([\d.]+)", path))), 2, "even, and nothing at the ends")

    def test_quantiles_of_bins_are_drawn_from_where_a_bin_begins_to_where_it_ends(self):
        self.bring_in_text("delay_us count\n" + "".join(f"{low} 10\n" for low in range(0, 200, 10)), "--run", "bins")
        self.bring_in_text("".join(f"{latency} 10\n" for latency in range(200)), "--run", "fine")
        for run, lines in (("bins", 2), ("fine", 1)):
            picture = self.plot("quantiles", run)
            self.assertEqual(len(self.lines(picture, "2")), lines, run)
            self.assertEqual("in bins of 10" in picture, run == "bins")

    def test_least_mean_and_greatest_are_the_tool_s_where_latencies_are_above_its_histogram(self):
        self.bring_in(tool("cyclictest-ns.json"), "--run", "json")
        threads = json.loads(text_of("cyclictest-ns.json"))["thread"].values()
        mean = sum(thread["avg"] * thread["cycles"] for thread in threads) / sum(thread["cycles"] for thread in threads)
        described = self.described("json")
        self.assertEqual((described["min_ns"], described["max_ns"]), (7125, 77803))
        self.assertAlmostEqual(described["mean_ns"], mean, places=6)
        self.bring_in_text("# Histogram\n000006 000001\t000000\n000007 000002\t000001\n# Total: 000000003 000000001\n"
                           "# Min Latencies: 00006 00007\n# Avg Latencies: 00010 00030\n# Max Latencies: 00022 00053\n"
                           "# Histogram Overflows: 00001 00001\n# Histogram Overflow at cycle number:\n# Thread 0: 00002\n"
                           "# Thread 1: 00001\n", "--run", "table")
        described = self.described("table")
        self.assertEqual([described[name] for name in ("n", "min_ns", "max_ns")], [4, 6000, 53000])
        self.assertAlmostEqual(described["mean_ns"], (10 * 4 + 30 * 2) / 6 * 1000 + 500, places=6)  # the microsecond is cut off
        rows = "".join(f"{us:06} {count:06}\n" for us, count in ((3, 800), (4, 3199)))
        self.bring_in_text(f"# Histogram\n{rows}# Total: 000003999\n# Min Latencies: 00003\n# Avg Latencies: 00003\n# Max Latencies: 00120\n"
                           "# Histogram Overflows: 00001\n", "--run", "one")
        self.assertAlmostEqual(self.described("one")["mean_ns"], (3 * 800 + 4 * 3199 + 120) * 1000 / 4000, delta=15)
        text = with_overflows(text_of("rtla-timerlat-hist.txt"), 0, 0, 0, 0, 0, 0, 0, 0, 0, 7)
        text = re.sub(r"(max:.*) 50$", r"\1 312", text, flags=re.MULTILINE)
        self.bring_in_text(text + "ALL:        IRQ       Thr\ncount:   3000010   3000010\nmax:  24  999\nover: 0 7\n",
                           "--run", "rtla")
        self.assertEqual(self.described("rtla")["max_ns"], 312000)
        self.assertEqual(self.described("rtla-irq")["max_ns"], 24000)

    def test_latencies_above_the_bins_that_it_shows_are_counted(self):
        told = self.bring_in_text(text_of(STRESS_NG).replace("delay, 2000 samples", "delay, 2005 samples"))
        self.assertIn("5 latencies above", told.stderr)

    def test_merging_keeps_what_was_told_and_knows_it_again(self):
        self.bring_in(tool(STRESS_NG), "--run", "x")
        other = os.path.join(self.folder, "o.culprit")
        for _ in range(2):
            self.assertEqual(culprit.run("merge", "--study", other, self.study).status, 0)
        described, = json.loads(culprit.run("latency", "--study", other, "--json").stdout)
        self.assertEqual({name: described[name] for name in TOLD}, TOLD)

    def test_runs_list_what_was_told(self):
        self.bring_in(tool(STRESS_NG), "--run", "x")
        row, = json.loads(culprit.run("runs", "--study", self.study, "--json").stdout)
        self.assertEqual((row["latency_min_ns"], row["latency_mean_ns"], row["latency_max_ns"]), (5073, 9017, 126991))


if __name__ == "__main__":
    unittest.main()

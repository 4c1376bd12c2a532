# SPDX-License-Identifier: GPL-3.0-or-later
# What culprit explain records of each peak, and what it says of it. The target is a stand-in whose wake-ups are played: it sends
# what it is asked for, latencies with and without tracing, and captures whose wake-ups lie in the band.

import collections
import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from contextlib import closing

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), HERE]

import culprit  # noqa: E402
import play  # noqa: E402
import stand_in  # noqa: E402

OTHERS = ["scan_async", "qh_completions", "slow_path", "update_curr_rt", "pick_next_task", "check_preempt_curr", "hrtimer_forward"]

# peaks: for each its latency without and with tracing, how many wake-ups of such a run it has, and its captures.
BODY = """
request = greet()
peaks = json.load(open({folder!r} + "/peaks"))
def around(key):
    return [peak[key] + 13 * (i * 7 % 37) for peak in peaks for i in range(peak[key + "_count"])]
def traced():
    return around("traced") + peaks[0]["strays"]
def low():
    return request.get("band_low_ns", request.get("threshold_ns", 0))
if request["tracing"] == "both":
    run(1, "off", around("untraced"))
    run(2, "on", traced())
elif "captures" not in request:
    run(1, "on", traced())
else:
    peak, = [p for p in peaks if low() <= p["traced"] <= request.get("band_high_ns", 10 ** 9)]
    say(type="run", run=1, tracing="on", started_ns=1)
    for number in range(1, min(request["captures"], {most}) + 1):
        path = peak["captures"].pop(0)
        open({folder!r} + "/peaks", "w").write(json.dumps(peaks))
        say(**json.load(open(path[:-4] + ".json")), run=1, capture=number)
        content = open(path, "rb").read()
        for at in range(0, len(content), 49152): data(content[at:at + 49152])
        say(type="capture-end", capture=number, size_bytes=len(content))
    if request["captures"] > {most}:
        progress()
        asked()
    say(type="run-end", run=1, cycles=0)
end()
"""


def more(name, calls, each_ns=2_000):
    return lambda number: [*play.ordinary(number), *[(name, each_ns)] * calls]


def in_turn(number):
    """Whatever comes next is called often: nothing that two of them have in common."""
    return [*play.ordinary(number), *[(OTHERS[number % len(OTHERS)], 5_000)] * 300]


class Explain(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")
        stand_in.use_ssh_of(self, self.folder)

    def capture(self, name, number, late, wakes):
        """@late: of its number, what the late wake-up calls, or a function that plays it."""
        scene = play.Play()
        for i in range(wakes):
            scene.wake(play.ordinary(i + number))
        if late is behind_worker:
            late(scene)
        else:
            scene.wake(late(number))
        return scene.write(self.folder, f"{name}-{number}", len(name) * 1000 + ord(name[-1]) * 100 + number)

    def target(self, *lates, wakes=20, most=1000, captures=14):
        """A target whose wake-ups have a peak for each of @lates, and one of ordinary ones below."""
        counts = (2000, 600, 120)
        peaks = []
        for place, late in enumerate([play.ordinary, *lates]):
            paths = [self.capture(f"peak{place + 1}", number, late, wakes) for number in range(captures)]
            with open(paths[0][:-4] + ".json", encoding="ascii") as file:
                hit = json.load(file)["hit"]
            peaks.append({"untraced": [10_000, 100_000, 1_000_000][place], "untraced_count": counts[place], "captures": paths,
                          "traced": hit["observed_ns"] - hit["expected_ns"], "traced_count": counts[place], "strays": []})
        self.peaks_ns = [peak["traced"] for peak in peaks]
        self.write(peaks)
        self.answer(most)

    def write(self, peaks):
        with open(os.path.join(self.folder, "peaks"), "w", encoding="ascii") as file:
            json.dump(peaks, file)

    def change(self, place, **members):
        with open(os.path.join(self.folder, "peaks"), encoding="ascii") as file:
            peaks = json.load(file)
        peaks[place].update(members)
        self.write(peaks)

    def answer(self, most=1000):
        stand_in.write_ssh(self.folder, *BODY.format(folder=self.folder, most=most).splitlines())

    def requests(self):
        """What the target was asked for since the last time."""
        path = os.path.join(self.folder, "requests")
        if not os.path.exists(path):
            return []
        with open(path, encoding="ascii") as file:
            asked = [json.loads(line) for line in file]
        os.remove(path)
        return asked

    def run_explain(self, *options):
        result = culprit.run("explain", "--study", self.study, *options)
        self.assertEqual((result.status, result.stderr), (0, ""))
        return result.stdout

    def explain(self, *options, target=("--target", "ssh:box")):
        return json.loads(self.run_explain("--json", *target, *options))["peaks"]

    def labels(self, *options, **target):
        return [peak["label"] for peak in self.explain(*options, **target)]

    def test_each_peak_is_labelled_with_its_own_function(self):
        self.target(more("slow_path", 40), more("scan_async", 1, 900_000))
        lowest, middle, highest = self.explain("--captures", "5")
        self.assertEqual([peak["answer"] for peak in (lowest, middle, highest)], ["lowest", "explained", "explained"])
        self.assertEqual((lowest["label"], middle["label"]), (None, "slow_path × 40"))
        self.assertRegex(highest["label"], r"^scan_async, 90\d\.\d us$")
        self.assertEqual([len(peak["captures"]) for peak in (lowest, middle, highest)], [0, 5, 5])
        cause = middle["cause"]
        self.assertEqual((cause["function"], cause["context"], cause["captures"], cause["of"]), ("slow_path", "hardirq", 5, 5))
        self.assertEqual(cause["path"], "timer_interrupt > slow_path")
        self.assertAlmostEqual(cause["per_call_ns"], 2_000, delta=20)
        self.assertGreater(cause["weight"], 0.9)
        self.assertEqual([peak["lower_peak"] for peak in (lowest, middle, highest)], [0, 0, 2])
        checked = culprit.run("check", "--study", self.study)
        self.assertEqual(checked.status, 0, checked.stdout)

    def test_more_calls_of_what_the_lower_peak_consists_of_explain_the_next_one(self):
        for below, calls in ((40, 500), (300, 500)):
            with self.subTest(below=below):
                self.setUp()
                self.target(more("slow_path", below), more("slow_path", calls))
                _, middle, highest = self.explain("--captures", "5")
                self.assertEqual((middle["label"], highest["label"]), (f"slow_path × {below}", f"slow_path × {calls}"))
                self.assertAlmostEqual(highest["cause"]["ordinary_calls_when_run"], below)
                self.assertIn(f"{calls} times on average instead of {below}", highest["words"])

    def test_that_holds_if_it_has_most_of_the_time_in_both(self):
        """Without what it calls: the other third is spread over that."""
        def nested(calls):
            return lambda number: [*play.ordinary(number), *[("slow_path", 1_400, [("tiny", 600)])] * calls]
        self.target(nested(300), nested(500))
        highest = self.explain("--captures", "5")[2]
        self.assertEqual((highest["label"], highest["cause"]["class"]), ("slow_path × 500", "called-too-often"))

    def test_wake_ups_that_all_differ_have_nothing_in_common(self):
        self.target(more("slow_path", 40), in_turn)
        middle, highest = self.explain("--captures", "7")[1:]
        self.assertEqual((middle["label"], highest["label"]), ("slow_path × 40", "nothing in common"))
        self.assertEqual((highest["answer"], highest["cause"], len(highest["captures"])), ("nothing-in-common", None, 7))
        self.assertIn("nothing in common that those of peak 2 have not", " ".join(self.run_explain("--no-record").split()))

    def test_what_a_lower_peak_has_too_explains_nothing(self):
        """Both have the same function; only that of the upper one is its cause, though ordinary wake-ups have neither."""
        self.target(more("slow_path", 100), lambda number: [*more("slow_path", 100)(number), *[("scan_async", 2_000)] * 400])
        self.assertEqual(self.labels("--captures", "5")[1:], ["slow_path × 100", "scan_async × 400"])

    def test_a_task_that_keeps_the_cpu_is_a_label(self):
        self.target(more("slow_path", 40), behind_worker)
        highest = self.explain("--captures", "5")[2]
        self.assertRegex(highest["label"], r"^worker, ")
        self.assertEqual(highest["cause"]["class"], "interference")

    def test_captures_with_few_ordinary_wake_ups_are_compared_with_those_of_the_lowest_peak(self):
        self.target(more("slow_path", 40), more("scan_async", 500), wakes=2)
        lowest, middle, highest = self.explain("--captures", "6")
        self.assertEqual([request.get("captures") for request in self.requests()], [None, 6, 6, 6])
        self.assertEqual((lowest["answer"], len(lowest["captures"]), middle["lower_peak"], highest["lower_peak"]), ("lowest", 6, 1, 2))
        self.assertEqual((middle["label"], highest["label"]), ("slow_path × 40", "scan_async × 500"))
        self.assertIn("in none of 6 wake-ups of the lower peak", middle["words"])

    def test_it_asks_for_the_latencies_of_each_peak_and_only_for_what_is_missing(self):
        self.target(more("slow_path", 40), more("scan_async", 500))
        said = " ".join(self.run_explain("--captures", "4", "--target", "ssh:box", "--period", "3ms").split())
        both, middle, highest = self.requests()
        self.assertEqual((both["tracing"], both["aligned"], both["period_ns"], "captures" in both), ("both", True, 3_000_000, False))
        self.assertEqual([(one["tracing"], one["captures"], one["period_ns"], one["aligned"]) for one in (middle, highest)],
                         [("on", 4, 3_000_000, True)] * 2)
        self.assertLess(self.peaks_ns[0], middle["band_low_ns"])
        self.assertLess(middle["band_low_ns"], self.peaks_ns[1])
        self.assertLess(middle["band_high_ns"], highest["threshold_ns"])
        self.assertLess(highest["threshold_ns"], self.peaks_ns[2])
        self.assertNotIn("explains", middle)
        # 4 wake-ups of 600 in 2720, and 4 of 120, with 3 ms between wake-ups
        self.assertIn("Recording captures: 4 of peak 2 at 100.2 us, 4 of peak 3 at 1.000 ms. It takes about 326 ms of measuring", said)
        self.assertEqual([len(peak["captures"]) for peak in self.explain("--captures", "4", target=())], [0, 4, 4])
        self.assertEqual(self.requests(), [])
        self.assertEqual([len(peak["captures"]) for peak in self.explain("--captures", "6")], [0, 6, 6])
        self.assertEqual([one["captures"] for one in self.requests()], [2, 2])
        series = culprit.rows(self.study, "SELECT series.name, COUNT (*) AS runs FROM run JOIN series USING (series_id) GROUP BY 1 ORDER BY 1")
        self.assertEqual({row["name"]: row["runs"] for row in series}, {"explain": 2, "explain@1.000ms": 2, "explain@100.2us": 2})

    def test_a_run_of_a_machine_that_is_not_known(self):
        shutil.copy(os.path.join(culprit.ROOT, "data", "sample", "sample.culprit"), self.study)
        with contextlib.closing(sqlite3.connect(self.study)) as study, study:
            study.execute("UPDATE run SET host_id = NULL WHERE tracing = 'off'")
        result = culprit.run("explain", "--study", self.study, "--no-record")
        self.assertEqual((result.status, result.stdout), (2, ""))
        self.assertRegex(result.stderr, r': run "slides/off-1" is of a machine that is not known, unlike others of its series; record it again\n$')

    def test_peaks_of_a_program_are_recorded_of_that_program(self):
        """The test loop has others."""
        self.target(more("slow_path", 40), more("scan_async", 500))
        self.explain("--captures", "4")
        self.requests()
        with contextlib.closing(sqlite3.connect(self.study)) as study, study:
            study.execute("UPDATE series SET window_kind = 'response-of/waking:myloop', configuration = json_set (json_remove (configuration,"
                          " '$.period_ns', '$.policy', '$.priority', '$.method', '$.aligned'), '$.response_of', 'myloop', '$.from_waking',"
                          " json ('true')) WHERE name = 'explain'")
            study.execute("UPDATE run SET period_ns = NULL")
        culprit.run("explain", "--study", self.study, "--target", "ssh:box", "--captures", "6")
        request = self.requests()[0]
        self.assertEqual([request.get(name) for name in ("do", "response_of", "from_waking", "tracing", "captures")],
                         ["watch", "myloop", True, "on", 2])
        self.assertFalse({"period_ns", "policy", "priority", "method", "aligned", "calibrate"} & set(request))

    def test_a_peak_that_tracing_makes_rarer_is_recorded_from_its_valley_on(self):
        """By rank, it would begin among those between it and ordinary ones."""
        self.target(more("slow_path", 40), more("scan_async", 500))
        lowest_ns, middle_ns, _ = self.peaks_ns
        self.change(0, strays=[int(lowest_ns * (middle_ns / lowest_ns) ** (i / 1500)) for i in range(1500)])
        self.change(1, traced_count=200)
        self.explain("--captures", "3")
        self.assertGreater(self.requests()[1]["band_low_ns"], (lowest_ns + middle_ns) / 2)

    def test_a_peak_that_tracing_mixes_with_the_one_below_is_hidden(self):
        self.target(more("slow_path", 40), more("scan_async", 500))
        self.change(1, traced=self.peaks_ns[0])
        peaks = self.explain("--captures", "3")
        self.assertEqual([peak["answer"] for peak in peaks], ["lowest", "hidden", "explained"])
        self.assertEqual((peaks[1]["label"], peaks[2]["lower_peak"]), (None, 0))
        self.assertEqual(len(self.requests()), 2)

    def test_what_was_recorded_before_an_interrupt_is_not_recorded_again(self):
        self.target(more("slow_path", 40), more("scan_async", 500), most=3)
        process = subprocess.Popen([culprit.PROGRAM, "explain", "--study", self.study, "--target", "ssh:box", "--captures", "5", "--json"],
                                   stdout=subprocess.PIPE, text=True)
        while self.captures() < 3:
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertEqual([len(peak["captures"]) for peak in json.loads(said)["peaks"]], [0, 3, 0])
        self.assertEqual(len(self.requests()), 2)
        self.answer()
        self.assertEqual([len(peak["captures"]) for peak in self.explain("--captures", "5")], [0, 5, 5])
        self.assertEqual([request["captures"] for request in self.requests()], [2, 5])

    def captures(self):
        if not os.path.exists(self.study):
            return 0
        with closing(sqlite3.connect(f"file:{self.study}?mode=ro", uri=True)) as database:
            try:
                return database.execute("SELECT COUNT (*) FROM capture WHERE complete").fetchone()[0]
            except sqlite3.OperationalError:  # It is being created.
                return 0

    def test_bands_are_explained_in_place_of_peaks(self):
        self.target(more("slow_path", 40), more("scan_async", 500))
        peaks = self.explain("--captures", "4", "--band", "900us,2ms")
        self.assertEqual([(peak["peak"], peak["label"]) for peak in peaks], [(1, None), (2, "scan_async × 500")])
        self.assertEqual((peaks[1]["low_ns"], peaks[1]["high_ns"]), (900_000, 2_000_000))
        self.assertEqual(len(self.requests()), 2)
        # What was recorded for the band counts for the peak that it lies in.
        self.assertEqual([len(peak["captures"]) for peak in self.explain("--no-record")], [0, 0, 4])

    def explain_sample(self, *options):
        sample = os.path.join(culprit.ROOT, "data", "sample", "sample.culprit")
        result = culprit.run("explain", "--study", sample, "--run", "slides", "--no-record", "--json", *options)
        self.assertEqual((result.status, result.stderr), (0, ""))
        return json.loads(result.stdout)["peaks"]

    def test_captures_above_a_band_do_not_explain_it(self):
        """Of 3,000 wake-ups of the sample eight are later than 40 us, 1.3 ms at least, and these were captured."""
        for band in ("30us,33us", "32us,32.5us", "30us,40us"):
            with self.subTest(band):
                peak = self.explain_sample("--band", band)[1]
                self.assertEqual((peak["answer"], peak["captures"]), ("open", []))
                self.assertLess(peak["traced"]["high_ns"], 2_000_000)
        peak = self.explain_sample("--band", "1ms,1.9ms")[1]
        self.assertEqual((len(peak["captures"]), peak["traced"]["high_ns"]), (8, None))
        self.assertIn("qh_completions", peak["label"])

    def test_wake_ups_far_above_the_last_peak_are_no_part_of_it(self):
        peak = self.explain_sample()[-1]
        self.assertLess((peak["at_ns"], peak["high_ns"]), (33_000, 40_000))
        self.assertLess(peak["traced"]["high_ns"], 2_000_000)
        self.assertEqual(peak["captures"], [])
        shutil.copy(os.path.join(culprit.ROOT, "data", "sample", "sample.culprit"), self.study)
        said = " ".join(self.run_explain("--no-record").split())
        self.assertRegex(said, "8 wake-ups, 1.315 ms to 1.856 ms, are far above the last peak .* --band 1314576ns,1855507ns.$")

    def test_captures_of_a_peak_that_are_far_above_it_do_not_count(self):
        self.target(more("slow_path", 40), more("scan_async", 500))
        ids = self.explain("--captures", "4")[2]["captures"]
        with closing(sqlite3.connect(self.study)) as database, database:
            for tracing, place in (("off", 3_000_000), ("on", 9_000_000)):
                database.execute("INSERT INTO run_latency SELECT run_id, cpu, ?, 5 FROM run_latency JOIN run USING (run_id)"
                                 " WHERE name = 'explain/' || ? || '-1' LIMIT 1", [place, tracing])
            database.execute("UPDATE window SET end_ns = start_ns + 9000000, latency_ns = 9000000 WHERE capture_id = ? AND kind = 'outlier'", ids[:1])
        self.assertEqual(self.explain("--no-record")[2]["captures"], ids[1:])

    def measure(self, tracing, *peaks, resolution_ns=1):
        """Replaces what was measured. @peaks: the latency of each, how many wake-ups, and how far these reach."""
        counts = collections.Counter((at_ns + i * 37 % count * reach_ns // count) // resolution_ns * resolution_ns
                                     for at_ns, count, reach_ns in peaks for i in range(count))
        with closing(sqlite3.connect(self.study)) as database, database:
            run, = database.execute("SELECT run_id FROM run WHERE name = 'explain/' || ? || '-1'", [tracing]).fetchone()
            database.execute("DELETE FROM run_latency WHERE run_id = ?", [run])
            database.executemany("INSERT INTO run_latency VALUES (?, 0, ?, ?)", [(run, *one) for one in counts.items()])
            database.execute("UPDATE run SET cycles = ?, resolution_ns = ? WHERE run_id = ?", [counts.total(), resolution_ns, run])
        return max(counts)

    def place_capture(self, capture, latency_ns):
        with closing(sqlite3.connect(self.study)) as database, database:
            database.execute("UPDATE window SET end_ns = start_ns + ?2, latency_ns = ?2 WHERE capture_id = ?1 AND kind = 'outlier'",
                             [capture, latency_ns])

    def test_with_tracing_the_last_peak_ends_at_the_first_gap_however_few_are_above_it_without(self):
        self.target(more("slow_path", 40), more("scan_async", 500))
        ids = self.explain("--captures", "4")[2]["captures"]
        self.place_capture(ids[0], 9_000_000)
        for untraced, traced in ((0, 5), (1, 5), (1, 60)):
            with self.subTest(untraced=untraced, traced=traced):
                self.measure("off", (10_000, 2000, 500), (100_000, 600, 500), (1_000_000, 120, 500), (3_000_000, untraced, 0))
                latest_ns = self.measure("on", *zip(self.peaks_ns, (2000, 600, 120), (500,) * 3), (9_000_000, traced, 500_000))
                self.assertEqual(self.explain("--no-record")[2]["captures"], ids[1:])
                self.assertEqual(self.explain("--no-record", "--band", "900us,2ms")[1]["captures"], ids[1:])
                said = json.loads(self.run_explain("--json", "--no-record"))
                self.assertEqual(said["apart"], {"count": 1, "from_ns": 3_000_000, "to_ns": 3_000_000} if untraced else None)
                self.assertEqual(said["traced_apart"], {"count": traced, "from_ns": 9_000_000, "to_ns": latest_ns})
                said = " ".join(self.run_explain("--no-record").split())
                self.assertIn("1 wake-up, 3.000 ms, is far above the last peak and no part of it. Explain it with" if untraced else
                              "With tracing, 5 wake-ups, 9.000 ms to 9.400 ms, are far above the last peak and no part of it.", said)

    def test_a_peak_that_only_tracing_brings_is_not_taken_for_the_last_one(self):
        self.target(more("slow_path", 40))
        first, *_ = self.explain("--captures", "4")[1]["captures"]
        self.place_capture(first, 9_000_000)
        self.measure("off", (10_000, 3000, 2000), (100_000, 150, 6000), (1_400_000, 1, 0))
        self.measure("on", *zip(self.peaks_ns, (3000, 150), (500,) * 2), (9_000_000, 100, 900_000))
        self.assertNotIn(first, self.explain("--no-record")[1]["captures"])

    def test_what_is_above_the_end_of_a_histogram_is_no_part_of_its_last_peak(self):
        self.target(more("slow_path", 40), more("scan_async", 500))
        ids = self.explain("--captures", "4")[2]["captures"]
        self.place_capture(ids[0], 9_000_000)
        self.measure("off", (10_000, 2000, 5000), (100_000, 600, 5000), (1_000_000, 120, 5000), resolution_ns=1000)
        self.measure("on", *zip(self.peaks_ns, (2000, 600, 120), (500,) * 3), (9_000_000, 8, 500_000))
        with closing(sqlite3.connect(self.study)) as database, database:
            database.execute("UPDATE run SET told = json_object ('beyond', 8, 'end_ns', 1500000) WHERE name = 'explain/off-1'")
        self.assertEqual(self.explain("--no-record")[2]["captures"], ids[1:])

    def test_a_histogram_in_us_loses_no_capture_of_the_last_peak(self):
        self.target(more("slow_path", 40), more("scan_async", 500))
        ids = self.explain("--captures", "4")[2]["captures"]
        self.measure("off", (10_000, 2000, 5000), (100_000, 600, 5000), (1_000_000, 120, 5000), resolution_ns=1000)
        self.place_capture(ids[0], self.measure("on", *zip(self.peaks_ns, (2000, 600, 120), (500,) * 3)))
        for band in ([], ["--band", "900us,1004us"]):
            peak = self.explain("--no-record", *band)[-1]
            self.assertEqual((peak["captures"], peak["traced"]["high_ns"]), (ids, None))

    def test_a_peak_that_begins_with_tracing_where_the_next_one_does_is_hidden(self):
        self.target(more("slow_path", 40), more("scan_async", 500))
        self.explain("--captures", "3")
        self.measure("off", (10_000, 2000, 500), (100_000, 20, 500), (1_000_000, 120, 500))
        self.measure("on", (self.peaks_ns[0], 2000, 500), (self.peaks_ns[2], 120, 500))
        self.assertEqual([peak["answer"] for peak in self.explain("--no-record")], ["lowest", "hidden", "explained"])

    def test_a_run_without_one_with_tracing_gets_one(self):
        self.target(more("slow_path", 40), more("scan_async", 500))
        self.explain("--captures", "3")
        with closing(sqlite3.connect(self.study)) as database, database:
            database.execute("PRAGMA foreign_keys = ON")
            database.execute("DELETE FROM run WHERE name = 'explain/on-1'")
        self.requests()
        self.assertEqual([len(peak["captures"]) for peak in self.explain("--run", "explain", "--captures", "3")], [0, 3, 3])
        only, = self.requests()
        self.assertEqual((only["tracing"], "captures" in only, "threshold_ns" in only), ("on", False, False))
        self.assertEqual([peak["traced"] is None for peak in self.explain("--no-record")], [False] * 3)

    def test_without_recording_it_says_what_is_missing(self):
        self.target(more("slow_path", 40), more("scan_async", 500))
        self.explain("--captures", "3")
        with closing(sqlite3.connect(self.study)) as database, database:
            database.execute("PRAGMA foreign_keys = ON")
            database.execute("DELETE FROM run WHERE name LIKE 'explain@100%'")
        peaks = self.explain("--no-record")
        self.assertEqual([peak["answer"] for peak in peaks], ["lowest", "open", "open"])
        self.assertEqual(peaks[1]["words"], "It has no captures yet.")
        self.assertEqual(peaks[2]["words"], "It has captures, but peak 2, which it is to be compared with, has less than 3.")

    def test_an_ignored_capture_does_not_count(self):
        self.target(more("slow_path", 40), more("scan_async", 500))
        ids = self.explain("--captures", "4")[2]["captures"]
        with closing(sqlite3.connect(self.study)) as database, database:
            database.execute("UPDATE capture SET triage = 'ignored' WHERE capture_id = ?", ids[:1])
        self.assertEqual(self.explain("--no-record")[2]["captures"], ids[1:])

    def assert_complains(self, *options, about):
        result = culprit.run("explain", "--study", self.study, *options)
        self.assertEqual((result.status, result.stdout, len(result.error_lines())), (2, "", 1), result.stderr)
        self.assertIn(about, result.stderr)
        self.assertEqual(self.requests(), [])

    def test_bad_options_are_told_in_a_line(self):
        self.assert_complains("--no-record", about="s.culprit")
        self.target(more("slow_path", 40), more("scan_async", 500))
        for options, about in ((["--captures", "x"], "--captures"), (["--captures", "2"], "--captures"), (["--band", "5us"], "--band"),
                               (["--band", "9us,5us"], "--band"), (["--band", "5us,9us", "--band", "8us,12us"], "--band"),
                               (["qh_completions"], "qh_completions"), (["--target", "mars"], "mars"), (["--run", ""], "--run"),
                               (["--period", "1"], "--period"), (["--threshold", "5us"], "--threshold")):
            with self.subTest(options):
                self.assert_complains(*options, about=about)
        self.explain("--captures", "3")
        self.requests()
        for options, about in ((["--no-record", "--run", "mars"], "mars"), (["--band", "2ms,3ms"], "2.000 ms to 3.000 ms"),
                               (["--band", "1us,20us", "--no-record"], "below"), (["--captures", "9"], "ssh:box"),
                               (["--captures", "9", "--target", "vm"], "ssh:box")):
            with self.subTest(options):
                self.assert_complains(*options, about=about)
        with closing(sqlite3.connect(self.study)) as database, database:
            database.execute("UPDATE series SET configuration = json_set (configuration, '$.load', 'rm -rf x') WHERE name = 'explain'")
        self.assert_complains("--captures", "9", "--target", "ssh:box", about="--load")
        self.explain("--captures", "4", "--load", "true")
        self.assertEqual([request["load"] for request in self.requests()], ["true", "true"])

    def test_a_strangers_probes_are_not_made(self):
        self.target(more("slow_path", 40), more("scan_async", 500))
        self.explain("--captures", "3")
        self.requests()
        self.assert_complains("--captures", "4", "--target", "ssh:box", "--between", "a:b..c:d", about="leave out --between")
        for between in ("uprobe:x:f..a:b", "a:b/c==1/..usdt:x:y:z"):
            with self.subTest(between), closing(sqlite3.connect(self.study)) as database, database:
                database.execute("UPDATE series SET configuration = json_set (json_remove (configuration, '$.period_ns', '$.policy', '$.priority',"
                                 " '$.method', '$.aligned'), '$.between', ?), window_kind = 'between/:' || ?", [between] * 2)
                database.execute("UPDATE run SET period_ns = NULL")
            for other in ([], ["--between", "uprobe:x:f..uprobe:x:g"]):
                self.assert_complains("--captures", "4", "--target", "ssh:box", *other, about=f'between "{between}"; give that with --between')
            culprit.run("explain", "--study", self.study, "--target", "ssh:box", "--captures", "4", "--between", between)
            self.assertEqual(self.requests()[0]["between"], between)

    def answers(self, study, run):
        """Each peak's label and the latencies of its captures."""
        result = culprit.run("explain", "--study", study, "--no-record", "--json", "--run", run)
        self.assertEqual((result.status, result.stderr), (0, ""))
        late = {row["capture_id"]: row["latency_ns"] for row in culprit.rows(study, "SELECT capture_id, latency_ns FROM hit")}
        return [(peak["label"], [late[capture] for capture in peak["captures"]]) for peak in json.loads(result.stdout)["peaks"]]

    def two_studies(self):
        """Of one machine each, and called alike."""
        self.target(more("slow_path", 40), more("scan_async", 500))
        self.explain("--captures", "3")
        mine, self.study = self.study, os.path.join(self.folder, "other.culprit")
        self.target(more("qh_completions", 60), more("update_curr_rt", 600))
        self.change(0, untraced=11_000)
        self.explain("--captures", "4")
        return mine, self.study

    def merge(self, study, other):
        result = culprit.run("merge", "--study", study, other)
        self.assertEqual((result.status, result.stderr), (0, ""))

    def test_what_is_merged_explains_what_it_did_before(self):
        mine, other = self.two_studies()
        expected = [self.answers(study, "explain") for study in (mine, other)]
        for _ in range(2):
            self.merge(mine, other)
            self.assertEqual([self.answers(mine, run) for run in ("explain", "explain-2")], expected)
            self.assertEqual(culprit.rows(mine, "SELECT COUNT (*) AS n FROM series"), [{"n": 6}])
        self.study = mine
        self.requests()
        self.explain("--captures", "5", "--run", "explain-2")
        self.assertEqual([request["captures"] for request in self.requests()], [1, 1])
        self.assertEqual(self.answers(mine, "explain"), expected[0])
        self.assertEqual([len(late) for _, late in self.answers(mine, "explain-2")], [0, 5, 5])

    def test_what_is_merged_explains_nothing_that_was_there(self):
        mine, other = self.two_studies()
        expected = self.answers(mine, "explain")
        with closing(sqlite3.connect(other)) as database, database:
            database.execute("PRAGMA foreign_keys = ON")
            database.execute("DELETE FROM run WHERE name LIKE 'explain/%'")
            twice, = database.execute("SELECT configuration FROM series WHERE name LIKE '%@1.0%'").fetchone()
            database.execute("UPDATE series SET configuration = ? WHERE name LIKE '%@1.0%'",
                             [twice[:-1] + twice[twice.index(',"explains"'):]])
        self.merge(mine, other)
        self.assertEqual(self.answers(mine, "explain"), expected)

    def test_captures_of_another_machine_or_kernel_explain_nothing(self):
        self.target(more("slow_path", 40), more("scan_async", 500))
        self.explain("--captures", "3")
        with closing(sqlite3.connect(self.study)) as database, database:
            database.execute("INSERT INTO host (host_id, name, kernel, machine) SELECT 99, name, kernel || '-2', machine FROM host LIMIT 1")
            database.execute("UPDATE run SET host_id = 99 WHERE name LIKE 'explain@%'")
        self.assertEqual([len(peak["captures"]) for peak in self.explain("--no-record", target=())], [0, 0, 0])
        self.assertEqual([len(peak["captures"]) for peak in self.explain("--captures", "3")], [0, 3, 3])

    def test_captures_of_an_unknown_machine_in_its_series_explain_nothing(self):
        self.target(more("slow_path", 40), more("scan_async", 500))
        self.explain("--captures", "3")
        with closing(sqlite3.connect(self.study)) as database, database:
            database.execute("UPDATE run SET source = 'captures', host_id = NULL, series_id = (SELECT series_id FROM series WHERE name = 'explain') "
                             "WHERE name LIKE 'explain@%'")
        self.assertEqual([len(peak["captures"]) for peak in self.explain("--no-record", target=())], [0, 0, 0])

    def test_a_strangers_study_may_say_anything_of_what_it_explains(self):
        self.target(more("slow_path", 40), more("scan_async", 500))
        self.explain("--captures", "3")
        for explains in ("5", "[]", "{}", '{"series": 5, "at_ns": 1}', '{"series": "explain", "at_ns": "x"}', '{"series": "explain", "at_ns": -1e300}',
                         '{"series": "explain", "at_ns": 9223372036854775807}', '{"series": "explain", "at_ns": {"a": 1}}',
                         '{"series": "explain@100.2us", "at_ns": 10000}', '{"series": "explain", "at_ns": 10000}', "null"):
            with self.subTest(explains):
                copy = os.path.join(self.folder, "copy.culprit")
                shutil.copy(self.study, copy)
                with closing(sqlite3.connect(copy)) as database, database:
                    database.execute("UPDATE series SET configuration = json_set (configuration, '$.explains', json (?)) WHERE name LIKE '%@%'",
                                     [explains])
                result = culprit.run("explain", "--study", copy, "--no-record", "--json")
                self.assertEqual((result.status, result.stderr), (0, ""))
                self.assertEqual([peak["peak"] for peak in json.loads(result.stdout)["peaks"]], [1, 2, 3])

    def test_a_strangers_settings_of_a_recording_are_not_taken_over(self):
        self.target(more("slow_path", 40), more("scan_async", 500))
        self.explain("--captures", "3")
        self.requests()
        for settings in ({"policy": 5}, {"policy": None}, {"policy": []}, {"method": {}}, {"clock": 7}, {"cpus": 3}, {"aligned": "x"}):
            with self.subTest(settings):
                copy = os.path.join(self.folder, "copy.culprit")
                shutil.copy(self.study, copy)
                with closing(sqlite3.connect(copy)) as database, database:
                    database.execute("UPDATE series SET configuration = json_patch (configuration, ?) WHERE name = 'explain'", [json.dumps(settings)])
                    (left,) = settings.values()
                    if left is None:
                        database.execute("UPDATE series SET configuration = json_insert (configuration, '$.policy', NULL) WHERE name = 'explain'")
                result = culprit.run("explain", "--study", copy, "--captures", "4", "--target", "ssh:box", "--json")
                self.assertEqual((result.status, result.stderr), (0, ""))
                for request in self.requests():
                    self.assertNotEqual({key: request.get(key) for key in settings}, settings)

    def test_how_a_strangers_run_burdens_the_machine_is_told_and_how_much_memory_is_the_users_choice(self):
        self.target(more("slow_path", 40), more("scan_async", 500))
        self.assertNotIn("As that run was measured", self.run_explain("--target", "ssh:box", "--captures", "3"))
        with closing(sqlite3.connect(self.study)) as database, database:
            heavy = {"buffer_kb": 4194304, "method": "poll", "priority": 99, "period_ns": 20000, "load": "stress-ng --timer 1 --clock 1", "cpus": [0, 1], "events": ["*:*"]}
            database.execute("UPDATE series SET configuration = json_patch (configuration, ?) WHERE name = 'explain'", [json.dumps(heavy)])
        self.requests()
        told = " ".join(self.run_explain("--target", "ssh:box", "--captures", "4", "--priority", "98").split())
        self.assertIn('As that run was measured: --period 20.0 us, --cpus [0,1], --method "poll", --event ["*:*"], --load "stress-ng --timer 1 --clock 1".', told)
        asked = self.requests()
        self.assertTrue(asked)
        self.assertFalse([request for request in asked if "buffer_kb" in request or request["priority"] != 98])
        for captures, policy in (("5", "fifo"), ("6", "rr")):
            self.run_explain("--target", "ssh:box", "--captures", captures, "--policy", policy)
            self.assertEqual({(request["policy"], request["priority"]) for request in self.requests()}, {(policy, 99)})
        self.run_explain("--target", "ssh:box", "--captures", "7", "--policy", "other")
        asked = self.requests()
        self.assertTrue(asked)
        self.assertFalse([request for request in asked if "priority" in request])


def behind_worker(scene):
    scene.wake_behind([("page_fault", 700_000), ("tiny", 100), ("page_fault", 300_000)], (120, 20), "do_syscall")


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# Cases whose verdict is known beforehand: the function that is cheap each time and called far too often, stalls that
# strike anywhere, the same stall always in one place, and nothing at all.

import json
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), HERE]

import culprit  # noqa: E402
import play  # noqa: E402

EACH = [4625, 3375, 3250, 3250, 3625, 3375, 3375, 3375, 3250, 3250, 3375]
HOLE = [28_110_000, 28_109_000, 28_107_000]
PLACES = ["activate_task", "update_curr_rt", "pick_next_task", "enqueue_task_rt", "check_preempt_curr", "ttwu_do_wakeup",
          "hrtimer_forward"]


def scan(calls):
    """A driver's function that calls another for each of its queues."""
    return ("scan_async", 900, [("qh_completions", EACH[number % len(EACH)]) for number in range(calls)])


def with_hole(serial, place, length):
    return [(name, length if name == place else self_ns) for name, self_ns in play.ordinary(serial)]


class Classic(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")

    def verdict(self, paths, *options):
        result = culprit.run("import", "--study", self.study, *paths)
        self.assertEqual((result.status, result.stderr), (0, ""))
        result = culprit.run("verdict", "--study", self.study, "--json", *options)
        self.assertEqual((result.status, result.stderr), (0, ""))
        return json.loads(result.stdout)

    def classes(self):
        return [row["class"] for row in json.loads(culprit.run("outliers", "--study", self.study, "--json").stdout)]

    def holes(self, places):
        return [play.capture(self.folder, f"c{serial}", serial, with_hole(serial, place, HOLE[serial % 3]))
                for serial, place in enumerate(places)]

    def test_two_captures_of_it_beside_another_are_of_the_same_class(self):
        """They are too few to be certain, and stay what each of them is by itself."""
        data = os.path.join(HERE, "..", "data")
        culprit.run("import", "--study", self.study, *(os.path.join(data, name) for name in ("count-1.dat", "count-3.dat", "blind-1.dat")))
        verdict = json.loads(culprit.run("verdict", "--study", self.study, "--json").stdout)
        first = (verdict["culprits"] + verdict["suspects"])[0]
        self.assertEqual((first["function"], first["class"], first["captures"]), ("qh_completions", "called-too-often", 2))
        self.assertEqual(self.classes().count("called-too-often"), 2)

    def test_a_cheap_function_that_is_called_far_too_often(self):
        """Its caller is not blamed for what tracing the calls costs."""
        paths = [play.capture(self.folder, f"c{serial}", serial, [*play.ordinary(serial), scan(380 + 5 * serial)],
                              usual=lambda number: [*play.ordinary(number), scan(29 + number % 5)])
                 for serial in range(10)]
        verdict = self.verdict(paths)
        first = verdict["culprits"][0]
        self.assertEqual(len(verdict["culprits"]), 1)
        self.assertEqual((first["function"], first["class"], first["captures"], first["context"]),
                         ("qh_completions", "called-too-often", 10, "hardirq"))
        self.assertAlmostEqual(first["calls_mean"], 402.5)
        self.assertAlmostEqual(first["ordinary_calls_when_run"], 31, delta=0.5)
        self.assertAlmostEqual(first["per_call_ns"], sum(EACH) / len(EACH), delta=20)
        self.assertGreater(first["share"], 0.95)
        self.assertGreater(first["confidence"], 0.99)
        self.assertGreater(first["weight_low"], 0.7)
        self.assertEqual(first["leads"], 1)
        self.assertEqual(first["node"], ["timer_interrupt", "timer_interrupt", "scan_async", "qh_completions"])
        self.assertRegex(verdict["in_words"][0], "qh_completions .*was called too often: 402 times on average instead of 31")
        self.assertEqual(self.classes(), ["called-too-often"] * 10)
        self.assertFalse(verdict["stalls"]["blind"])

    def test_three_holes_each_in_another_function_are_likely_blind_stalls(self):
        verdict = self.verdict(self.holes(PLACES[:3]))
        first, = verdict["culprits"]
        self.assertEqual((first["class"], first["captures"], first["function"]), ("blind-stall", 3, None))
        self.assertTrue(verdict["stalls"]["blind"] and verdict["stalls"]["likely_only"])
        self.assertRegex(verdict["in_words"][0], "^Blind stalls, likely: .* for 28.1.. ms each time, in 3 of 3 late wake-ups, at 3 different places")
        self.assertIn("Take 2 more captures", verdict["next_steps"][0])
        self.assertEqual(self.classes(), ["blind-stall"] * 3)

    def test_from_five_on_they_are_blind_stalls(self):
        for count in (5, 7):
            with self.subTest(count=count):
                verdict = self.verdict(self.holes(PLACES[:count]))
                self.assertTrue(verdict["stalls"]["blind"])
                self.assertFalse(verdict["stalls"]["likely_only"])
                self.assertTrue(verdict["in_words"][0].startswith("Blind stalls: "))
                self.assertEqual(verdict["stalls"]["struck"], count)

    def test_the_same_hole_always_in_one_function_is_that_function(self):
        verdict = self.verdict(self.holes(["update_curr_rt"] * 6))
        first, = verdict["culprits"]
        self.assertEqual((first["function"], first["class"], first["captures"]), ("update_curr_rt", "took-too-long", 6))
        self.assertFalse(verdict["stalls"]["blind"])
        self.assertTrue(verdict["stalls"]["places"][0]["guilty"])

    def test_mostly_one_function_with_stray_holes_is_that_function(self):
        verdict = self.verdict(self.holes(["update_curr_rt"] * 8 + ["activate_task", "pick_next_task"]))
        self.assertEqual(verdict["culprits"][0]["function"], "update_curr_rt")
        self.assertEqual(verdict["culprits"][0]["captures"], 8)

    def test_nothing_stands_out_of_equal_wake_ups(self):
        paths = [play.capture(self.folder, f"c{serial}", serial, play.ordinary(serial)) for serial in range(6)]
        verdict = self.verdict(paths)
        self.assertEqual((verdict["culprits"], verdict["stand_out"]), ([], 0))
        self.assertTrue(verdict["in_words"][0].startswith("Nothing stands out"))
        self.assertEqual(self.classes(), ["unexplained"] * 6)

    def test_a_function_that_never_ran_before_is_called_too_often(self):
        paths = [play.capture(self.folder, f"c{serial}", serial, [*play.ordinary(serial), *[("slow_path", 4_000)] * 500])
                 for serial in range(3)]
        verdict = self.verdict(paths)
        first = verdict["culprits"][0]
        self.assertEqual((first["function"], first["class"], first["calls_mean"]), ("slow_path", "called-too-often", 500))
        self.assertIn("500 times on average, accounting for ", verdict["in_words"][0])

    def test_the_calls_of_one_capture_are_no_average(self):
        path = play.capture(self.folder, "c", 0, [*play.ordinary(0), *[("slow_path", 4_000)] * 500])
        self.assertIn("500 times, accounting for ", "".join(self.verdict([path])["in_words"]))

    def behind(self, name, priorities, calls):
        paths = []
        for serial in range(4):
            task = play.Play()
            for number in range(12):
                task.wake(play.ordinary(number))
            task.wake_behind(calls, priorities)
            paths.append(task.write(self.folder, f"{name}{serial}", f"{name}{serial}"))
        return self.verdict(paths)

    def test_another_task_that_does_many_things_is_one_culprit(self):
        calls = [(name, 150_000) for name in PLACES] * 2
        for name, priorities, inverted in (("unknown", None, 0), ("lower", (120, 19), 4), ("higher", (9, 19), 0)):
            with self.subTest(name=name):
                self.study = os.path.join(self.folder, f"{name}.culprit")
                verdict = self.behind(name, priorities, calls)
                first, = verdict["culprits"]
                self.assertEqual((first["culprit"], first["class"], first["captures"], first["inverted"]),
                                 ("worker", "interference", 4, inverted))
                self.assertEqual("priority inversion" in verdict["in_words"][0], inverted > 0)
                self.assertTrue(verdict["in_words"][0].startswith("The task worker held the CPU "))

    def test_one_function_in_another_task_that_has_most_of_it_is_told_with_the_task(self):
        verdict = self.behind("one", (120, 19), [("activate_task", 50_000), *[("slow_path", 4_000)] * 400])
        first, = verdict["culprits"]
        self.assertEqual((first["culprit"], first["class"], first["context"]), ("worker", "interference", "task"))
        self.assertEqual(first["node"], ["worker", "do_idle", "slow_path"])

    def test_an_interrupt_that_comes_late_to_an_idle_cpu_is_a_late_timer(self):
        paths = []
        for serial in range(6):
            task = play.Play()
            for number in range(20):
                task.wake(play.ordinary(number))
            task.wake(play.ordinary(0), late_ns=2_000_000 + 1_000 * serial)
            paths.append(task.write(self.folder, f"t{serial}", f"t{serial}"))
        first, = self.verdict(paths)["culprits"]
        self.assertEqual((first["culprit"], first["class"], first["captures"]), ("idle", "late-timer", 6))
        self.assertGreaterEqual(first["confidence"], 0.95)
        self.assertEqual(self.classes(), ["late-timer"] * 6)

    def test_a_slow_function_on_the_way_out_of_idle_is_no_late_timer(self):
        for count in (1, 4):
            with self.subTest(captures=count):
                self.study = os.path.join(self.folder, f"{count}.culprit")
                paths = []
                for serial in range(count):
                    task = play.Play()
                    for number in range(12):
                        task.wake(play.ordinary(number), leaving=[("tiny", 300), ("slow_path", 1_000)])
                    task.wake(play.ordinary(0), leaving=[("tiny", 300), ("slow_path", 3_000_000)])
                    paths.append(task.write(self.folder, f"i{count}{serial}", f"i{count}{serial}"))
                # One capture alone is no cause yet.
                verdict = self.verdict(paths)
                first, = verdict["culprits" if count > 1 else "suspects"]
                self.assertEqual((first["culprit"], first["class"], first["context"], first["captures"]),
                                 ("slow_path", "took-too-long", "idle", count))
                self.assertEqual("Take 9 more captures: 1 says little" in " ".join(verdict["next_steps"]), count == 1)

    def test_holders_of_its_own_ordinary_wake_ups_do_not_count_beside_another_run_s(self):
        paths = []
        for serial in range(4):
            task = play.Play()
            for number in range(13):
                task.wake_behind([(name, 140_000 + 1_000 * (number % 5)) for name in PLACES] * 2, None)
            paths.append(task.write(self.folder, f"behind{serial}", f"behind{serial}"))
        fast = [play.capture(self.folder, f"f{serial}", 50 + serial, play.ordinary(serial)) for serial in range(3)]
        culprit.run("import", "--study", self.study, "--run", "fast", *fast)
        culprit.run("import", "--study", self.study, "--run", "behind", *paths)
        first, = self.verdict(paths, "--run", "behind", "--base", "fast")["culprits"]
        self.assertEqual((first["culprit"], first["class"], first["captures"]), ("worker", "interference", 4))

    def test_another_run_s_ordinary_wake_ups_may_be_the_base(self):
        """Its own are as slow as the hit: only beside another run does it stand out."""
        slow = [*play.ordinary(0), ("slow_path", 1_000_000)]
        paths = [play.capture(self.folder, f"s{serial}", serial, slow,
                              usual=lambda number: [*play.ordinary(0), ("slow_path", 700_000 + 14_000 * (number % 20))]) for serial in range(3)]
        fast = [play.capture(self.folder, f"f{serial}", 50 + serial, play.ordinary(serial)) for serial in range(3)]
        culprit.run("import", "--study", self.study, "--run", "fast", *fast)
        culprit.run("import", "--study", self.study, "--run", "slow", *paths)
        alone = self.verdict(paths, "--run", "slow")
        self.assertEqual(alone["culprits"], [])
        beside = self.verdict(paths, "--run", "slow", "--base", "fast")
        self.assertEqual((beside["base_run"], beside["base_captures"], beside["culprits"][0]["function"]), ("fast", 3, "slow_path"))
        self.assertEqual(beside["borrowed"], 0)
        result = culprit.run("verdict", "--study", self.study, "--base", "none")
        self.assertEqual((result.status, len(result.error_lines())), (2, 1))


if __name__ == "__main__":
    unittest.main()

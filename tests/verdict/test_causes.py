# SPDX-License-Identifier: GPL-3.0-or-later
# What a verdict claims of several captures, and what it leaves open: classes, confidence and weight, tasks and places in the
# tree of calls, populations, stalls, captures that are ignored.

import json
import os
import random
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "study"), HERE]

import content  # noqa: E402
import culprit  # noqa: E402
import play  # noqa: E402

PLACES = ["activate_task", "update_curr_rt", "pick_next_task", "enqueue_task_rt", "check_preempt_curr", "ttwu_do_wakeup",
          "hrtimer_forward"]


def usual(number):
    """An ordinary wake-up whose costs vary by a few per cent."""
    vary = random.Random(number)
    return [(name, int(self_ns * vary.uniform(0.9, 1.1))) for name, self_ns in play.ordinary(number)]


def now_and_then(calls, every):
    """Ordinary wake-ups of which every so many also makes @calls."""
    return lambda number: [*usual(number), *(calls if number % every == 0 else [])]


def struck(serial, lengths):
    """A wake-up with stretches of @lengths in as many places, which move on from one serial to the next."""
    first = serial * 3
    added = {PLACES[(first + i) % len(PLACES)]: length for i, length in enumerate(lengths)}
    return [(name, self_ns + added.get(name, 0)) for name, self_ns in usual(serial)]


class Causes(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")

    def captures(self, name, count, outlier, wakes=20, ordinary=usual, cycles=None):
        """@outlier: of its number, what the late wake-up calls. Each has other bytes. @cycles: that were measured for each."""
        folder = os.path.join(self.folder, name)
        os.makedirs(folder, exist_ok=True)
        return [play.capture(folder, f"{name}{number}", hash_of(name) + number, outlier(number), wakes, ordinary,
                             cycles and cycles * (number + 1))
                for number in range(count)]

    def played(self, name, count, late, ordinary=None, wakes=20):
        """@late: of a Play and its number, plays the late wake-up; @ordinary: likewise one of the ordinary ones, else usual ones."""
        ordinary = ordinary or (lambda task, number: task.wake(usual(number)))
        paths = []
        for serial in range(count):
            task = play.Play()
            for number in range(wakes):
                ordinary(task, number + serial)
            late(task, serial)
            paths.append(task.write(self.folder, f"{name}{serial}", f"{name}{serial}"))
        return paths

    def add(self, paths, run=None):
        result = culprit.run("import", "--study", self.study, *(["--run", run] if run else []), *paths)
        self.assertEqual((result.status, result.stderr), (0, ""))

    def json(self, *arguments):
        result = culprit.run(*arguments, "--study", self.study, "--json")
        self.assertEqual((result.status, result.stderr), (0, ""))
        return json.loads(result.stdout)

    def classes(self, run):
        return [(row["class"], row["culprit"], row["confidence"]) for row in self.json("outliers") if row["run"] == run]


def hash_of(name):
    return sum(ord(letter) for letter in name) * 1000


class Classes(Causes):
    def blamed(self, count, outlier, ordinary=usual):
        self.add(self.captures("c", count, outlier, ordinary=ordinary))
        only, = self.json("verdict")["culprits"]
        return only

    def test_one_long_call_of_a_function_that_seldom_runs_took_too_long(self):
        only = self.blamed(10, lambda number: [*usual(number), ("slow_path", 2_500_000)], now_and_then([("slow_path", 5_000)], 7))
        self.assertEqual((only["function"], only["class"], only["captures"]), ("slow_path", "took-too-long", 10))
        self.assertAlmostEqual(only["ordinary_calls_when_run"], 1)

    def test_one_long_call_of_a_function_that_never_runs_ordinarily_took_too_long(self):
        only = self.blamed(10, lambda number: [*usual(number), ("slow_path", 2_500_000)])
        self.assertEqual((only["function"], only["class"]), ("slow_path", "took-too-long"))
        self.assertEqual((only["ordinary_calls_when_run"], only["ordinary_per_call_ns"]), (0, None))
        self.assertIn("It runs in none of 200 ordinary wake-ups", self.json("verdict")["in_words"][0])

    def test_of_three_calls_one_that_is_long_took_too_long(self):
        only = self.blamed(10, lambda number: [*usual(number), *[("slow_path", 5_000)] * 2, ("slow_path", 2_500_000)],
                           now_and_then([("slow_path", 5_000)], 2))
        self.assertEqual((only["function"], only["class"]), ("slow_path", "took-too-long"))

    def test_many_calls_that_are_as_long_as_elsewhere_are_too_many(self):
        only = self.blamed(10, lambda number: [*usual(number), *[("slow_path", 5_000)] * 300], now_and_then([("slow_path", 5_000)] * 3, 2))
        self.assertEqual((only["function"], only["class"]), ("slow_path", "called-too-often"))
        self.assertAlmostEqual(only["ordinary_calls_when_run"], 3)
        self.assertIn("300 times on average instead of 3, ", self.json("verdict")["in_words"][0])

    def test_a_number_of_calls_that_is_no_whole_one_is_told_so(self):
        self.blamed(4, lambda number: [*usual(number), *[("slow_path", 5_000)] * 300],
                    lambda number: [*usual(number), *[("slow_path", 5_000)] * (2 + number % 2)])
        self.assertIn("300 times on average instead of 2.5, ", self.json("verdict")["in_words"][0])

    def test_more_calls_and_each_of_them_longer_is_both(self):
        only = self.blamed(10, lambda number: [*usual(number), *[("slow_path", 20_000)] * 40], now_and_then([("slow_path", 5_000)] * 10, 2))
        self.assertEqual((only["function"], only["class"]), ("slow_path", "mixed"))
        self.assertRegex(self.json("verdict")["in_words"][0], "was called too often and took too long: 40 times on average instead of 10 "
                                                              "and .*at 20.*us per call instead of ")

    def test_a_few_long_calls_of_a_function_that_ran_nowhere_else_took_too_long(self):
        only = self.blamed(10, lambda number: [*usual(number), *[("slow_path", 400_000)] * 5])
        self.assertEqual((only["function"], only["class"]), ("slow_path", "took-too-long"))

    def test_no_share_is_more_than_all(self):
        """Where other functions were faster than usual."""
        def outlier(number):
            return [(name, self_ns // 4) for name, self_ns in usual(number)] + [("slow_path", 30_000)]
        self.add(self.captures("c", 10, outlier, ordinary=lambda number: [*usual(number), ("slow_path", 300)]))
        verdict = self.json("verdict")
        self.assertGreater(verdict["culprits"][0]["share"], 1.005)
        self.assertRegex(verdict["in_words"][0], r"accounting for all of the .* more than usual \(other functions were faster\)")
        text = culprit.run("verdict", "--study", self.study).stdout + culprit.run("show", "--study", self.study, "1").stdout
        self.assertNotRegex(text, r"\(10[1-9] %\)|: 1 times")


class Interrupts(Causes):
    def test_a_storm_is_to_blame_and_not_the_function_that_it_holds_up(self):
        """Each time it comes the idle task loses a little, too: its function is slower by far more than the interrupt's part."""
        self.add(self.played("storm", 6, lambda task, serial: task.wake(usual(serial), late_ns=[700] * (400 + serial))))
        self.assertEqual({(one["class"], one["context"]) for one in self.json("verdict")["culprits"]}, {("interference", "hardirq")})
        self.assertEqual({row["class"] for row in self.json("outliers")}, {"interference"})
        self.assertTrue(self.json("verdict")["in_words"][0].startswith("The interrupt scan_async held the CPU for "))


class Confidence(Causes):
    def test_two_certain_causes_are_both_certain_and_their_weights_are_their_parts(self):
        self.add([*self.captures("a", 8, lambda number: [*usual(number), ("slow_path", 2_000_000)]),
                  *self.captures("b", 5, lambda number: [*usual(number), *[("tiny", 4_000)] * 500])], "r")
        first, second = self.json("verdict")["culprits"]
        self.assertEqual((first["function"], second["function"]), ("slow_path", "tiny"))
        for found, part in ((first, 8 * 2.0 / 26), (second, 5 * 2.0 / 26)):
            self.assertGreaterEqual(found["confidence"], 0.95)
            self.assertAlmostEqual(found["weight"], part, delta=0.02)
            self.assertLess(found["weight_low"], part - 0.1)
            self.assertGreater(found["weight_high"], part + 0.1)
        self.assertAlmostEqual(first["leads"] + second["leads"], 1)

    def test_user_mode_is_not_to_blame_where_only_some_functions_were_traced(self):
        for number in range(20):
            one = play.Play()
            for n in range(20):
                one.wake(usual(number + n))
            one.wake(usual(3) + [("slow_path", 400_000 + 3_000 * number)])
            one.trace_only("qh_completions")
            one.write(self.folder, f"only{number}", number)
        culprit.run("import", "--study", self.study, "--run", "r", self.folder)
        self.assertEqual(self.json("verdict")["culprits"], [])
        self.assertEqual({(row["class"], row["culprit"]) for row in self.json("outliers")}, {("unexplained", None)})
        self.assertNotIn("[user]", culprit.run("verdict", "--study", self.study).stdout)

    def test_late_wake_ups_in_which_the_only_function_traced_did_not_run_count(self):
        for number in range(20):
            one = play.Play()
            for n in range(20):
                one.wake(usual(number + n))
            suspect = number < 8
            one.wake(usual(3) + [("qh_completions", 400_000 + 3_000 * number)] * suspect, late_ns=0 if suspect else 400_000 + 3_000 * number)
            one.trace_only("qh_completions")
            one.write(self.folder, f"only{number}", number)
        culprit.run("import", "--study", self.study, "--run", "r", self.folder)
        found, *_ = self.json("verdict")["culprits"]
        self.assertEqual((found["function"], found["captures"]), ("qh_completions", 8))
        self.assertLess(found["weight_high"], 0.7)

    def test_the_ranking_is_stable_from_leads_of_nine_tenths_on(self):
        self.add([*self.captures("a", 9, lambda number: [*usual(number), ("slow_path", 2_000_000)]),
                  *self.captures("b", 4, lambda number: [*usual(number), *[("tiny", 4_000)] * 500])], "r")
        for ignored, least, most in ((0, 0.9, 0.95), (2, 0.5, 0.9)):
            content.alter(self.study, f"UPDATE capture SET triage = 'ignored' WHERE capture_id <= {ignored}")
            verdict = self.json("verdict")
            leads = verdict["culprits"][0]["leads"]
            self.assertTrue(least <= leads < most, leads)
            self.assertEqual(any("the ranking is not yet stable" in step for step in verdict["next_steps"]), leads < 0.9)

    def test_one_capture_of_several_is_no_cause(self):
        self.add([*self.captures("a", 1, lambda number: [*usual(number), ("slow_path", 2_000_000)]), *self.captures("b", 9, usual)], "r")
        verdict = self.json("verdict")
        self.assertEqual(verdict["culprits"], [])
        suspect, = verdict["suspects"]
        self.assertEqual((suspect["function"], suspect["captures"]), ("slow_path", 1))
        self.assertLess(suspect["confidence"], 0.95)
        self.assertIn("One capture shows nothing general", verdict["in_words"][-1])

    def test_two_captures_that_agree_by_one_long_stretch_are_only_a_suspect(self):
        self.add(self.captures("c", 2, lambda number: [*usual(number), ("slow_path", 2_000_000)]))
        verdict = self.json("verdict")
        suspect, = verdict["suspects"]
        self.assertEqual((verdict["culprits"], suspect["function"], suspect["captures"]), ([], "slow_path", 2))
        self.assertAlmostEqual(suspect["confidence"], 1 - 1 / 8)

    def test_two_captures_that_agree_by_many_calls_are_a_cause(self):
        self.add(self.captures("c", 2, lambda number: [*usual(number), *[("tiny", 4_000)] * 500]))
        only, = self.json("verdict")["culprits"]
        self.assertEqual((only["function"], only["captures"]), ("tiny", 2))
        self.assertAlmostEqual(only["confidence"], 0.95)

    def test_late_only_because_of_tracing_is_told_and_in_no_cause(self):
        """Many calls of nothing: all that they take is the tracer's."""
        self.add(self.captures("c", 3, lambda number: [*usual(number), *[("tiny", 0)] * 3000]))
        verdict = self.json("verdict")
        self.assertEqual((verdict["culprits"], verdict["suspects"], verdict["stand_out"]), ([], [], 0))
        self.assertEqual({(row["class"], row["culprit"]) for row in self.json("outliers")}, {("tracing", None)})


class Degrees(Causes):
    """Ordinary wake-ups have some of it, too."""

    def only(self, late, ordinary, captures=10, wakes=170):
        """@ordinary: of a number that counts all wake-ups, what it has besides."""
        numbers = iter(range(captures * wakes))
        paths = self.captures("c", captures, lambda number: [*usual(number), *late(number)], wakes,
                              lambda number: [*usual(number), *ordinary(next(numbers))])
        self.add(paths)
        only, = self.json("verdict")["culprits"]
        self.assertGreaterEqual(only["confidence"], 0.95)
        return only

    def test_a_function_that_now_and_then_takes_long_takes_longer(self):
        only = self.only(lambda number: [("slow_path", 1_200_000 + 144_000 * number)],
                         lambda number: [("slow_path", 9_000 * number // 15)] if number % 113 == 0 else [])
        self.assertEqual((only["function"], only["class"], only["captures"], only["of"]), ("slow_path", "took-too-long", 10, 10))
        self.assertEqual((only["ordinary"]["windows"], only["ordinary"]["of"]), (16, 1700))
        self.assertLess(only["ordinary"]["max_ns"], 1_200_000)

    def test_a_function_that_ordinary_wake_ups_have_as_long_is_a_matter_of_degree(self):
        only = self.only(lambda number: [("slow_path", 1_200_000 + 144_000 * number)],
                         lambda number: [("slow_path", 100_000 * (number // 113))] if number % 113 == 0 else [])
        self.assertEqual((only["function"], only["captures"]), ("slow_path", 10))
        self.assertGreater(only["ordinary"]["max_ns"], 1_200_000)

    def test_a_function_that_is_called_often_now_and_then_is_called_too_often(self):
        only = self.only(lambda number: [("tiny", 4_000)] * 500,
                         lambda number: [("tiny", 4_000)] * (241 - number // 10) if number % 186 == 0 else [], captures=6, wakes=185)
        self.assertEqual((only["function"], only["class"], only["captures"]), ("tiny", "called-too-often", 6))
        self.assertEqual([only["ordinary"][name] for name in ("windows", "of", "max_calls")], [6, 1110, 241])

    def test_what_has_much_of_all_time_does_not_carry_what_is_slow_in_everything(self):
        """It takes ten times as long as usual, as does all that the interrupt does."""
        def heavy(number, times=1):
            return [(name, self_ns * times) for name, self_ns in [*usual(number), *[("slow_path", 3_000)] * 3]]
        self.add(self.captures("c", 5, lambda number: heavy(number, 10), ordinary=heavy))
        verdict = self.json("verdict")
        only, = verdict["culprits"] + verdict["suspects"]
        self.assertEqual((only["culprit"], only["class"], only["captures"]), ("timer_interrupt", "interference", 5))


class Places(Causes):
    """What has no function in common may meet in the tree of calls."""

    def test_what_meets_below_a_function_is_that(self):
        """Each time it is other functions that have it, all called by one."""
        def outlier(number):
            inner = [(PLACES[(number + place) % len(PLACES)], 4_000) for place in range(3)] * 150
            return [*usual(number), ("scan_async", 500, inner)]
        self.add(self.captures("c", 6, outlier))
        only, = self.json("verdict")["culprits"]
        self.assertEqual((only["class"], only["context"], only["captures"]), ("interference", "hardirq", 6))
        self.assertEqual(only["node"], ["timer_interrupt", "timer_interrupt", "scan_async"])

    def test_what_all_functions_of_an_interrupt_have_a_part_of_is_its_node(self):
        """One capture shows nothing general."""
        def outlier(number):
            return [(name, self_ns + 300_000) for name, self_ns in usual(number)]
        self.add(self.captures("c", 1, outlier))
        verdict = self.json("verdict")
        self.assertEqual(verdict["culprits"], [])
        suspect, = verdict["suspects"]
        self.assertEqual((suspect["confidence"], suspect["node"]), (0, ["timer_interrupt", "timer_interrupt"]))

    def test_the_node_of_a_function_is_where_most_of_its_time_is(self):
        """One capture has more than any other by one path, but most have it by another."""
        def outlier(number):
            by, calls = ("scan_async", 1250) if number == 0 else ("slow_path", 500)
            return [*usual(number), (by, 500, [("tiny", 4_000)] * calls)]
        self.add(self.captures("c", 5, outlier))
        only, = self.json("verdict")["culprits"]
        self.assertEqual((only["function"], only["captures"]), ("tiny", 5))
        self.assertEqual(only["node"], ["timer_interrupt", "timer_interrupt", "slow_path", "tiny"])

    def test_what_a_task_ordinarily_does_by_several_paths_is_known(self):
        def calls(times):
            return [(name, 500, [("slow_path", 4_000)] * count * times) for name, count in
                    (("scan_async", 2), ("page_fault", 3), ("hrtimer_forward", 2))]
        self.add(self.played("paths", 3, lambda task, _: task.wake_behind(calls(80), None, "do_syscall"),
                             lambda task, _: task.wake_behind(calls(1), None, "do_syscall"), wakes=12))
        only, = self.json("verdict")["culprits"]
        self.assertEqual((only["culprit"], only["node"]), ("worker", ["worker", "do_syscall", "page_fault", "slow_path"]))
        self.assertEqual([only["ordinary"][name] for name in ("windows", "of", "max_calls")], [36, 36, 3])

    def task(self, count, calls):
        """Captures in which another task has the CPU. @calls: of a number, the call at the bottom and what it makes."""
        def late(task, serial):
            outermost, inside = calls(serial)
            task.wake_behind(inside, (120, 19), outermost)

        self.add(self.played("task", count, late, wakes=12))
        return self.json("verdict")

    def test_what_a_task_does_is_one_cause_with_a_breakdown(self):
        """Whether it is in system calls or handles page faults."""
        verdict = self.task(5, lambda number: ("page_fault" if number == 4 else "do_syscall", [(PLACES[number], 4_000)] * 400))
        only, = verdict["culprits"]
        self.assertEqual((only["culprit"], only["class"], only["context"], only["captures"]), ("worker", "interference", "task", 5))
        self.assertEqual(only["node"], ["worker"])
        self.assertEqual([(part["node"], part["captures"]) for part in only["breakdown"]],
                         [(["worker", "do_syscall"], 4), (["worker", "page_fault"], 1)])
        self.assertAlmostEqual(only["confidence"], 1 - 0.05**4)

    def test_a_task_that_always_does_the_same_is_told_down_to_that(self):
        only, = self.task(3, lambda number: ("do_syscall", [("slow_path", 4_000)] * 400))["culprits"]
        self.assertEqual((only["culprit"], only["class"], only["node"]), ("worker", "interference", ["worker", "do_syscall", "slow_path"]))


class Common(Causes):
    """What is said where nothing is certain."""

    def spread(self, count):
        """Captures of which idle and an interrupt have a half each, more or less."""
        return self.played("spread", count, lambda task, serial: task.wake([(name, self_ns + 100_000) for name, self_ns in usual(serial)],
                                                                           late_ns=600_000))

    KINDS = {name: lambda number, name=name: [*usual(number), *[(name, 4_000)] * 500] for name in ("tiny", "slow_path")}

    def test_what_half_of_them_share_is_named(self):
        """Two of seven agree, and two others, all of them in an interrupt."""
        self.add([*self.spread(3), *(path for name, kind in self.KINDS.items() for path in self.captures(name, 2, kind))], "r")
        verdict = self.json("verdict")
        self.assertEqual((verdict["culprits"], [one["captures"] for one in verdict["suspects"]]), ([], [2, 2]))
        self.assertIn("What 4 of 7 late wake-ups have in common is where the time went: timer_interrupt", verdict["in_words"][0])

    def test_one_of_two_has_nothing_in_common(self):
        sample = os.path.join(culprit.ROOT, "data", "sample", "sample.culprit")
        verdict = json.loads(culprit.run("verdict", "--study", sample, "--where", "capture_id IN (1, 9)", "--json").stdout)
        self.assertRegex(verdict["in_words"][0], "^No cause is certain. In 1 of 2 late wake-ups the time went here: .* > qh_completions.$")

    def test_nothing_is_common_where_no_node_carries_half(self):
        task = play.Play()
        for number in range(20):
            task.wake(usual(number))
        task.wake_behind([(name, 4_000) for name in PLACES] * 60, None)
        self.add([*self.spread(2), *(path for name, kind in self.KINDS.items() for path in self.captures(name, 1, kind)),
                  task.write(self.folder, "behind", "behind")], "r")
        verdict = self.json("verdict")
        self.assertEqual((verdict["culprits"], verdict["spread"], verdict["stand_out"]), ([], 2, 5))
        self.assertIn("nothing is common to half of them", verdict["in_words"][0])

    def test_what_is_spread_over_everything_is_told(self):
        self.add(self.spread(4))
        verdict = self.json("verdict")
        self.assertEqual((verdict["culprits"], verdict["suspects"], verdict["spread"]), ([], [], 4))
        self.assertIn("in 4 of 4 late wake-ups nothing has half of the excess", verdict["in_words"][0])


class Populations(Causes):
    def test_another_series_changes_nothing(self):
        settle = self.captures("settle", 6, lambda number: [*usual(number), ("slow_path", 2_000_000)], ordinary=now_and_then([("slow_path", 4_000)], 5))
        self.add(settle, "settle")
        alone = self.classes("settle")
        self.assertEqual({row[:2] for row in alone}, {("took-too-long", "slow_path")})
        self.add(self.captures("stalls", 12, lambda number: struck(number, [2_000_000])), "stalls")
        self.assertEqual(self.classes("settle"), alone)
        self.assertEqual({row[0] for row in self.classes("stalls")}, {"blind-stall"})
        verdict = self.json("verdict")
        self.assertEqual([(found["class"], [(there["series"], there["captures"]) for there in found["where"]])
                          for found in verdict["culprits"]],
                         [("blind-stall", [("stalls", 12)]), ("took-too-long", [("settle", 6)])])
        self.assertEqual([(one["series"], one["captures"]) for one in verdict["populations"]], [("settle", 6), ("stalls", 12)])
        self.assertIn("Found in runs “stalls” on testhost, kernel 6.1.0-test-amd64: 12 of 12 captures", verdict["in_words"][0])

    def test_hosts_and_kernels_are_apart(self):
        self.add(self.captures("c", 6, lambda number: [*usual(number), ("slow_path", 2_000_000)]), "r")
        for number, (name, kernel) in enumerate((("testhost", "6.2"), ("otherhost", "6.1.0-test-amd64"))):
            content.alter(self.study, f"INSERT INTO host VALUES ({number + 2}, '{name}', '{kernel}', 'x86_64')",
                          f"UPDATE capture SET host_id = {number + 2} WHERE capture_id IN ({number + 1}, {number + 3})",
                          f"UPDATE capture SET triage = 'ignored' WHERE capture_id = {number + 3}")
        verdict = self.json("verdict")
        self.assertEqual([(one["host"], one["kernel"], one["captures"]) for one in verdict["populations"]],
                         [("testhost", "6.2", 1), ("otherhost", "6.1.0-test-amd64", 1), ("testhost", "6.1.0-test-amd64", 2)])

    def test_one_capture_each_of_many_series_is_a_cause(self):
        """In none of them it is more than a suspect."""
        for run in range(5):
            self.add([*self.captures(f"q{run}", 1, lambda number: [*usual(number), ("scan_async", 900, [("qh_completions", 4_000)] * 400)]),
                      *self.captures(f"s{run}", 1, lambda number: struck(number + run, [700_000]))], run=f"run{run}")
        first = self.json("verdict")["culprits"][0]
        self.assertEqual((first["function"], first["class"], first["captures"]), ("qh_completions", "called-too-often", 5))
        said = culprit.run("verdict", "--study", self.study).stdout
        self.assertIn("5 of 10 captures of 5 series of runs", " ".join(said.split()))

    def test_one_cause_in_two_series_is_one_cause(self):
        for run in ("one", "two"):
            self.add(self.captures(run, 5, lambda number: [*usual(number), ("slow_path", 2_000_000)], ordinary=now_and_then([("slow_path", 4_000)], 3)), run)
        only, = self.json("verdict")["culprits"]
        self.assertEqual((only["function"], only["captures"]), ("slow_path", 10))
        self.assertEqual([(there["series"], there["captures"]) for there in only["where"]], [("one", 5), ("two", 5)])


class Reasons(Causes):
    def why(self, capture):
        result = culprit.run("show", "--study", self.study, str(capture))
        self.assertEqual((result.status, result.stderr), (0, ""))
        return " ".join(result.stdout.split())

    def test_what_is_unexplained_says_why(self):
        self.add([*self.captures("a", 1, usual), *self.captures("b", 1, lambda number: [*usual(number), ("slow_path", 2_000_000)])])
        self.assertIn("it does not stand out from its ordinary wake-ups", self.why(1))
        content.alter(self.study, "UPDATE capture SET graph_depth = 3")
        self.assertIn("calls were traced only to a limited depth", self.why(2))


class Stalls(Causes):
    def test_stretches_at_different_places_are_blind_stalls(self):
        self.add(self.captures("c", 8, lambda number: struck(number, [2_000_000])))
        verdict = self.json("verdict")
        only, = verdict["culprits"]
        self.assertEqual((only["class"], only["captures"], only["node"], only["function"]), ("blind-stall", 8, None, None))
        self.assertGreaterEqual(only["confidence"], 0.95)

    def test_one_capture_alone_is_none_without_proof(self):
        self.add(self.captures("c", 1, lambda number: struck(number, [2_000_000])))
        self.assertEqual(self.json("verdict")["stalls"]["struck"], 0)
        content.alter(self.study, "UPDATE capture SET smi_count = 1")
        verdict = self.json("verdict")
        self.assertEqual((verdict["stalls"]["struck"], verdict["stalls"]["proof"]), (1, "confirmed"))
        self.assertAlmostEqual((verdict["culprits"] + verdict["suspects"])[0]["confidence"], 0.9)

    def test_lengths_that_hardly_differ_are_the_same_each_time(self):
        for captures, apart, constant in ((8, 0.04, True), (8, 0.06, False), (2, 0, False)):
            with self.subTest(captures=captures, apart=apart):
                self.study = os.path.join(self.folder, f"{captures}-{apart}.culprit")
                self.add(self.captures(f"c{captures}-{apart}-", captures, lambda number: struck(number, [int(2_000_000 * (1 + apart * (-1)**number))])))
                sentence = self.json("verdict")["in_words"][0]
                self.assertEqual((" each time" in sentence, "standard deviation" in sentence), (constant, not constant), sentence)

    def test_those_of_two_series_are_summed_up(self):
        """Whichever is first: they are sure where either is, and proved; the hypervisor's where both are."""
        for first, second in ((("few", 3), ("many", 7)), (("many", 7), ("few", 3))):
            self.study = os.path.join(self.folder, f"{first[0]}-first.culprit")
            for name, count in (first, second):
                self.add(self.captures(name, count, lambda number: struck(number, [2_000_000 + 300_000 * number])), name)
            few, many = (self.json("verdict", "--run", name)["stalls"] for name in ("few", "many"))
            both = self.json("verdict")
            stalls = both["stalls"]
            self.assertEqual((few["likely_only"], many["likely_only"], stalls["likely_only"]), (True, False, False))
            self.assertEqual((stalls["struck"], stalls["blind"], stalls["proof"]), (10, True, "unverifiable"))
            self.assertEqual(stalls["confidence"], max(few["confidence"], many["confidence"]))
            self.assertEqual(stalls["p_value"], min(few["p_value"], many["p_value"]))
            for name in ("few", "many"):
                content.alter(self.study, "UPDATE capture SET smi_count = 0", "UPDATE run SET facts = NULL",
                              f"UPDATE capture SET smi_count = 1 WHERE run_id = (SELECT run_id FROM run WHERE name = '{name}')",
                              f"UPDATE run SET facts = '{{\"virtual_machine\": true}}' WHERE name = '{name}'")
                both = self.json("verdict")
                self.assertEqual((both["stalls"]["proof"], both["stalls"]["likely_only"]), ("confirmed", False))
                self.assertNotIn("the hypervisor took the CPU", both["in_words"][0])
            content.alter(self.study, "UPDATE run SET facts = '{\"virtual_machine\": true}'")
            self.assertIn("the hypervisor took the CPU", self.json("verdict")["in_words"][0])

    def test_few_of_several_series_are_enough_together(self):
        for each, advice in ((2, "Take 1 more capture"), (3, None)):
            self.study = os.path.join(self.folder, f"twice-{each}.culprit")
            for name in ("here", "there"):
                self.add(self.captures(f"{name}{each}-", each, lambda number: struck(number, [2_000_000])), name)
            verdict = self.json("verdict")
            self.assertEqual((verdict["stalls"]["struck"], verdict["stalls"]["likely_only"]), (2 * each, advice is not None))
            text = " ".join(culprit.run("verdict", "--study", self.study).stdout.split())
            self.assertEqual("can be distinguished from a slow function" in text, advice is not None, text)
            self.assertIn(advice or "", text)

    def test_places_of_other_series_are_not_theirs(self):
        self.add(self.captures("stalls", 3, lambda number: struck(number, [2_000_000])), "stalls")
        self.add(self.captures("slow", 2, lambda number: [*usual(number), ("slow_path", 2_000_000)]), "slow")
        verdict = self.json("verdict")
        self.assertEqual([(one["culprit"], one["captures"]) for one in verdict["culprits"]], [("blind stall", 3)])
        self.assertIn("at 3 different places", verdict["in_words"][0])

    def test_a_slow_function_is_found_beside_them(self):
        self.add([*self.captures("a", 6, lambda number: struck(number, [1_000_000 + 300_000 * number])),
                  *self.captures("b", 6, lambda number: [*usual(number), ("slow_path", 3_000_000)])], "r")
        found = {(one["class"], one["culprit"], one["captures"]) for one in self.json("verdict")["culprits"]}
        self.assertEqual(found, {("blind-stall", "blind stall", 6), ("took-too-long", "slow_path", 6)})

    def at_one_place(self, captures, there):
        """Captures with a long stretch each: @there of them in one cheap function, and each other elsewhere."""
        self.add(self.captures("c", captures, lambda number: [*usual(number), ("tiny", 2_000_000)] if number < there else
                               struck(number, [2_000_000]),
                               ordinary=lambda number: [*usual(number), ("tiny", 40)]))
        return {(one["class"], one["culprit"]): one["captures"] for one in self.json("verdict")["culprits"]}

    def test_half_of_the_captures_at_a_cheap_function_are_not_chance(self):
        self.assertEqual(self.at_one_place(10, 5), {("blind-stall", "blind stall"): 5, ("took-too-long", "tiny"): 5})

    def test_two_of_ten_captures_at_a_cheap_function_may_be(self):
        self.assertEqual(self.at_one_place(10, 2), {("blind-stall", "blind stall"): 10})

    def test_a_place_that_has_most_of_the_time_is_struck_most(self):
        """Eight of ten stalls are where three quarters of the time is: odds of four to one would be enough for that."""
        def heavy(number):
            return [*usual(number), ("slow_path", 60_000)]
        self.add(self.captures("c", 10, lambda number: [*heavy(number), ("slow_path", 2_000_000)] if number < 8 else
                               struck(number, [2_000_000]), ordinary=heavy))
        found = [(one["culprit"], one["captures"]) for one in self.json("verdict")["culprits"]]
        self.assertEqual(found, [("blind stall", 10)])

    def test_in_a_virtual_machine_it_is_the_hypervisor(self):
        self.add(self.captures("c", 6, lambda number: struck(number, [2_000_000])))
        self.assertNotIn("the hypervisor took the CPU", self.json("verdict")["in_words"][0])
        content.alter(self.study, "UPDATE run SET facts = '{\"virtual_machine\": true}'")
        verdict = self.json("verdict")
        self.assertEqual([one["culprit"] for one in verdict["culprits"]], ["hypervisor"])
        self.assertIn("the hypervisor took the CPU", verdict["in_words"][0])
        self.assertEqual({row["culprit"] for row in self.json("outliers")}, {"hypervisor"})

    def late_timers(self, count):
        """Each in six pieces, none of which is far beyond what the idle CPU ordinarily waits now and then."""
        return self.played("late", count, lambda task, serial: task.wake(usual(serial), late_ns=[600_000 + 1_000 * serial] * 6),
                           lambda task, number: task.wake(usual(number), late_ns=5_000 * (1 + number % 7)**2))

    def test_the_hypervisor_that_takes_the_cpu_rings_late_too(self):
        self.add([*self.captures("c", 3, lambda number: struck(number, [5_000_000])), *self.late_timers(6)], "r")
        alone = [one["class"] for one in self.json("outliers")]
        content.alter(self.study, "UPDATE run SET facts = '{\"virtual_machine\": true}'")
        guest = {(one["class"], one["culprit"]) for one in self.json("outliers")}
        self.assertEqual((alone.count("late-timer"), guest), (6, {("blind-stall", "hypervisor")}))

    def late(self, idle):
        """Captures of timers that ring late. @idle: of a wake-up's number, where the idle CPU waits, as Play.wake() is told."""
        self.add(self.played("late", 12, lambda task, serial: task.wake(usual(serial), late_ns=600_000 + 1_000 * serial, idle=idle(serial)),
                             lambda task, number: task.wake(usual(number), idle=idle(number))))

    def test_an_idle_cpu_waits_in_several_functions(self):
        self.late(lambda number: ["do_idle", "acpi_safe_halt"][number % 2])
        only, = self.json("verdict")["culprits"]
        self.assertEqual((only["class"], only["captures"]), ("late-timer", 12))

    def test_what_the_idle_task_seldom_does_for_long_is_no_wait(self):
        self.add(self.played("s", 12, lambda task, serial: task.wake(usual(serial), leaving=[("slow_path", 600_000 + 1_000 * serial)]),
                             lambda task, number: task.wake(usual(number), leaving=[("slow_path", 40_000)] * (number % 3 == 0))))
        only, = self.json("verdict")["culprits"]
        self.assertEqual((only["function"], only["class"], only["captures"]), ("slow_path", "took-too-long", 12))

    def test_tasks_that_work_in_user_mode_are_no_stalls(self):
        self.add(self.played("b", 12, lambda task, serial: task.wake(usual(serial), users=[([play.OTHER, play.THIRD][serial % 2],
                                                                                            600_000 + 1_000 * serial)])))
        self.assertEqual({(one["culprit"], one["class"], one["captures"]) for one in self.json("verdict")["culprits"]},
                         {(name, "interference", 6) for name in ("worker", "logger")})

    def test_three_slow_functions_are_no_stalls_that_would_strike_more_places(self):
        slow = ["slow_path", "scan_async", "page_fault"]
        self.add(self.captures("c", 15, lambda number: [*usual(number), (slow[number % 3], 2_500_000 + 1_000 * number)]))
        self.assertEqual({(one["class"], one["culprit"]) for one in self.json("outliers")}, {("took-too-long", name) for name in slow})
        self.assertEqual({one["culprit"] for one in self.json("verdict")["suspects"]}, set(slow))

    def test_functions_that_have_the_cpu_by_turns_are_not_to_blame_for_what_strikes_them_as_often(self):
        """Each is called for an instant otherwise, or not at all."""
        turns = ["slow_path", "scan_async", "page_fault"]

        def calls(number, ns, instant):
            return [*usual(number), *((name, ns) if number % 3 == turn else (name, 3_000) for turn, name in enumerate(turns)
                                      if instant or number % 3 == turn)]

        for instant in (True, False):
            with self.subTest(instant=instant):
                self.study = os.path.join(self.folder, f"turns-{instant}.culprit")
                self.add(self.played("turns", 30, lambda task, serial: task.wake(calls(serial, 600_000 + 1_000 * serial, instant)),
                                     lambda task, number: task.wake(calls(number, 200_000, instant))))
                self.assertEqual(self.json("verdict")["culprits"], [])

    def test_a_function_that_is_long_now_and_then_is_to_blame_though_it_has_most_of_the_time(self):
        def calls(number, ns):
            return [*usual(number), ("slow_path", ns if number % 20 == 0 else 3_000)]

        self.add(self.played("seldom", 10, lambda task, serial: task.wake(calls(0, 3_000_000 + 1_000 * serial)),
                             lambda task, number: task.wake(calls(number, 2_000_000))))
        only, = self.json("verdict")["culprits"]
        self.assertEqual((only["function"], only["class"], only["captures"]), ("slow_path", "took-too-long", 10))

    def unequal(self, name, often, at_length):
        """Eleven captures late in slow_path, whose ordinary wake-ups run @often, and one late in @at_length, which it runs in many
        more of them."""
        def wakes(function, ns):
            return lambda task, number: task.wake([*usual(number), (function, ns + 1_000 * number)])

        self.study = os.path.join(self.folder, f"{name}.culprit")
        self.add([*self.played(f"{name}-few", 11, wakes("slow_path", 800_000), wakes(often, 200_000), wakes=12),
                  *self.played(f"{name}-many", 1, wakes(at_length, 800_000), wakes(at_length, 50_000), wakes=300)], run=name)
        return [(row["function"], row["captures"]) for row in self.json("verdict")["culprits"]]

    def test_a_capture_counts_once_however_many_ordinary_wake_ups_it_has(self):
        self.assertEqual(self.unequal("struck", "slow_path", "page_fault"), [])
        self.assertEqual(self.unequal("guilty", "page_fault", "slow_path"), [("slow_path", 12)])

    def behind(self, spread, ordinarily=True):
        """Captures with a long stretch of another task, in as many of its functions, which it runs in ordinary wake-ups, or not."""
        def stretch(task, serial):
            long = PLACES[serial % spread]
            task.wake_behind([(name, 2_000_000 if name == long else 2_000) for name in PLACES], None)

        self.add(self.played("behind", 14, stretch, (lambda task, number: task.wake_behind(
            [(name, 2_000 + 10 * number) for name in PLACES], None)) if ordinarily else None))

    def test_a_task_that_stalls_strike_in_many_functions_is_not_to_blame(self):
        for spread, ordinarily, blamed in ((len(PLACES), True, "blind stall"), (1, True, "worker"), (len(PLACES), False, "worker")):
            with self.subTest(spread=spread, ordinarily=ordinarily):
                self.study = os.path.join(self.folder, f"{spread}{ordinarily}.culprit")
                self.behind(spread, ordinarily)
                self.assertEqual({one["culprit"] for one in self.json("outliers")}, {blamed})

    def test_a_task_that_is_slow_in_one_function_is_to_blame_whatever_the_counter_of_smis_says(self):
        self.behind(1)
        content.alter(self.study, "UPDATE capture SET smi_count = 1")
        self.assertEqual({one["culprit"] for one in self.json("outliers")}, {"worker"})

    def test_user_mode_holds_no_timer_off(self):
        self.late(lambda number: None)
        self.assertEqual({(one["class"], one["culprit"]) for one in self.json("outliers")}, {("unexplained", None)})
        verdict = self.json("verdict")
        self.assertEqual((verdict["culprits"], verdict["suspects"]), ([], []))
        self.assertIn("in 12 of 12 late wake-ups the timer's interrupt came late, and user mode", " ".join(verdict["in_words"]))

    def test_an_idle_cpu_is_no_late_timer_where_no_timer_was_due(self):
        self.add(self.late_timers(6), "r")
        self.assertEqual({one["class"] for one in self.json("outliers")}, {"late-timer"})
        content.alter(self.study, "UPDATE function SET name = 'hrtimer_interrupt' WHERE name = 'hrtimer_forward'")
        self.assertEqual({one["class"] for one in self.json("outliers")}, {"late-timer"})
        for change in ("UPDATE series SET window_kind = 'wakeup-of/waking:cyclic'",
                       "UPDATE series SET window_kind = 'cyclic'; UPDATE function SET name = 'tick' WHERE name = 'ttwu_do_wakeup'",
                       "UPDATE function SET name = 'ttwu_do_wakeup' WHERE name = 'tick'; UPDATE function SET name = 'ipi' WHERE name = 'timer_interrupt'; "
                       "UPDATE node SET source = 'ipi' WHERE source = 'timer_interrupt'"):
            with self.subTest(change):
                content.alter(self.study, *change.split("; "))
                self.assertEqual({one["class"] for one in self.json("outliers")}, {"unexplained"})
                self.assertEqual(self.json("verdict")["culprits"], [])
        content.alter(self.study, "UPDATE function SET name = 'hrtimer_run_softirq' WHERE name = 'ipi'")
        self.assertEqual({one["class"] for one in self.json("outliers")}, {"late-timer"})

    def test_a_more_urgent_task_in_user_mode_keeps_the_cpu_where_interrupts_were_not_traced(self):
        self.late(lambda number: None)
        for its, blamed in ((19, "worker"), (120, None)):
            content.alter(self.study, "UPDATE capture SET interrupts_traced = 0",
                          "UPDATE outlier_node SET priority = CASE (SELECT context FROM node WHERE node.node_id = outlier_node.node_id) "
                          f"WHEN 'task' THEN {its} WHEN 'measured' THEN 80 END")
            self.assertEqual({one["culprit"] for one in self.json("outliers")}, {blamed})

    def test_each_place_says_why_it_is_guilty_or_not(self):
        self.add(self.captures("c", 8, lambda number: struck(number, [2_000_000])))
        for place in self.json("verdict")["stalls"]["places"]:
            self.assertEqual((place["guilty"], bool(place["reason"])), (False, True))
            if place["reason"] == "may be chance":
                self.assertGreaterEqual(place["p_value"], 0.05)
        text = " ".join(culprit.run("stalls", "--study", self.study).stdout.split())
        self.assertIn("not to blame: may be chance", text)

    def test_a_counter_of_smis_that_stood_still_speaks_against_them(self):
        self.add(self.captures("c", 8, lambda number: struck(number, [2_000_000])))
        for count, told in ((0, True), ("NULL", False), (1, False)):
            content.alter(self.study, f"UPDATE capture SET smi_count = {count}")
            self.assertEqual("SMI counter stood still" in self.json("verdict")["in_words"][0], told)

    def test_the_place_of_a_blind_stall_is_not_named_as_if_it_were_to_blame(self):
        self.add(self.captures("c", 8, lambda number: struck(number, [2_000_000])))
        text = culprit.run("show", "--study", self.study, "1").stdout
        self.assertIn("blind stall: ", text)
        self.assertRegex(text, r"(?m)^\w+ +stall \(in \w+\) ")


class Hidden(Causes):
    """What a capture does not show may have taken the time; tests/capture/test_coverage.py tells how that is known."""
    LIMITS = {"graph_depth = 4": ("long", "stalls"), "interrupts_traced = 0": ("long", "stalls"),
              "graph_functions = 'hrtimer_interrupt'": ()}

    def test_no_class_is_claimed_that_needs_what_was_not_traced(self):
        kinds = {"long": lambda number: [*usual(number), ("slow_path", 2_500_000)], "stalls": lambda number: struck(number, [2_000_000]),
                 "often": lambda number: [*usual(number), *[("tiny", 4_000)] * 500]}
        for kind, outlier in kinds.items():
            self.add(self.captures(kind, 6, outlier, ordinary=now_and_then([("tiny", 4_000)], 3)), kind)
        classes = {kind: {row[0] for row in self.classes(kind)} for kind in kinds}
        self.assertEqual(classes, {"long": {"took-too-long"}, "stalls": {"blind-stall"}, "often": {"called-too-often"}})
        for limit, hidden in self.LIMITS.items():
            with self.subTest(limit=limit):
                content.alter(self.study, "UPDATE capture SET graph_depth = NULL, graph_functions = NULL, interrupts_traced = 1",
                              f"UPDATE capture SET {limit}")
                for kind in kinds:
                    found = {row[0] for row in self.classes(kind)}
                    self.assertEqual(found, {"unexplained"} if kind in hidden else {"took-too-long"} if kind == "stalls" else classes[kind], kind)
                verdict = self.json("verdict")
                self.assertEqual(verdict["stalls"]["struck"], 0)
                self.assertEqual(len(verdict["culprits"]), 2 - ("long" in hidden))
                self.assertTrue(any("not show everything that ran" in step for step in verdict["next_steps"]))


class Ignored(Causes):
    def test_an_ignored_capture_counts_for_nothing(self):
        self.add([*self.captures("a", 5, lambda number: [*usual(number), ("slow_path", 2_000_000)]),
                  *self.captures("b", 3, lambda number: [*usual(number), *[("tiny", 4_000)] * 500])], "r")
        self.assertEqual({one["function"] for one in self.json("verdict")["culprits"]}, {"slow_path", "tiny"})
        content.alter(self.study, "UPDATE capture SET triage = 'ignored' WHERE capture_id > 5")
        verdict = self.json("verdict")
        only, = verdict["culprits"]
        self.assertEqual((only["function"], only["captures"], verdict["captures"], verdict["ignored"]), ("slow_path", 5, 5, 3))
        self.assertAlmostEqual(only["weight"], 1, delta=0.01)
        self.assertIn("3 ignored captures are left out.", verdict["next_steps"])
        content.alter(self.study, "UPDATE capture SET triage = 'ignored'")
        self.assertIn("All late wake-ups are ignored", self.json("verdict")["in_words"][0])


if __name__ == "__main__":
    unittest.main()

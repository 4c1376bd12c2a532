# SPDX-License-Identifier: GPL-3.0-or-later
# What a verdict claims of several captures, and what it leaves open: classes, confidence and weight, populations, stalls
# that come in several, captures that are ignored.

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
        self.assertIn("it does not run in ordinary wake-ups", self.json("verdict")["in_words"][0])

    def test_of_three_calls_one_that_is_long_took_too_long(self):
        only = self.blamed(10, lambda number: [*usual(number), *[("slow_path", 5_000)] * 2, ("slow_path", 2_500_000)],
                           now_and_then([("slow_path", 5_000)], 2))
        self.assertEqual((only["function"], only["class"]), ("slow_path", "took-too-long"))

    def test_many_calls_that_are_as_long_as_elsewhere_are_too_many(self):
        only = self.blamed(10, lambda number: [*usual(number), *[("slow_path", 5_000)] * 300], now_and_then([("slow_path", 5_000)] * 3, 2))
        self.assertEqual((only["function"], only["class"]), ("slow_path", "called-too-often"))
        self.assertAlmostEqual(only["ordinary_calls_when_run"], 3)
        self.assertIn("called 300 times on average instead of 3, ", self.json("verdict")["in_words"][0])

    def test_a_number_of_calls_that_is_no_whole_one_is_told_so(self):
        self.blamed(4, lambda number: [*usual(number), *[("slow_path", 5_000)] * 300],
                    lambda number: [*usual(number), *[("slow_path", 5_000)] * (2 + number % 2)])
        self.assertIn("called 300 times on average instead of 2.5, ", self.json("verdict")["in_words"][0])

    def test_more_calls_and_each_of_them_longer_is_both(self):
        only = self.blamed(10, lambda number: [*usual(number), *[("slow_path", 20_000)] * 40], now_and_then([("slow_path", 5_000)] * 10, 2))
        self.assertEqual((only["function"], only["class"]), ("slow_path", "mixed"))
        self.assertRegex(self.json("verdict")["in_words"][0], "was called too often and took too long: called 40 times on average instead of 10 "
                                                              "and at 20.*us per call instead of ")

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
        self.assertNotRegex(text, r"\(10[1-9] %\)|called 1 times")


class Interrupts(Causes):
    def test_a_storm_is_to_blame_and_not_the_function_that_it_holds_up(self):
        """Each time it comes the idle task loses a little, too: its function is slower by far more than the interrupt's part."""
        paths = []
        for serial in range(6):
            task = play.Play()
            for number in range(20):
                task.wake(usual(number + serial))
            task.wake(usual(serial), late_ns=[700] * (400 + serial))
            paths.append(task.write(self.folder, f"storm{serial}", f"storm{serial}"))
        self.add(paths)
        self.assertEqual({(one["class"], one["context"]) for one in self.json("verdict")["culprits"]}, {("interference", "hardirq")})
        self.assertEqual({row["class"] for row in self.json("outliers")}, {"interference"})
        self.assertTrue(self.json("verdict")["in_words"][0].startswith("The interrupt scan_async held the CPU: "))


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
        self.assertIn("One capture alone cannot show a cause", verdict["in_words"][-1])

    def test_what_the_worst_of_many_ordinary_wake_ups_has_is_nobody_s_fault(self):
        """A function is slower than ever in each, but each is the slowest of three thousand like it."""
        vary = random.Random(5)

        def cost():
            return int(vary.lognormvariate(8.5, 0.5))
        self.add(self.captures("c", 10, lambda number: [*usual(number), ("slow_path", max(cost() for _ in range(3000)))],
                               ordinary=lambda number: [*usual(number), ("slow_path", cost())], cycles=3000))
        verdict = self.json("verdict")
        self.assertEqual((verdict["culprits"], verdict["stand_out"]), ([], 10))
        self.assertEqual({row["class"] for row in self.json("outliers")}, {"unexplained"})
        self.assertIn("10 of 10 captures stand out, but nothing is common to them", verdict["in_words"][0])


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
        self.assertIn("Where: stalls on testhost, kernel 6.1.0-test-amd64: 12 of 12 captures", verdict["in_words"][0])

    def test_hosts_and_kernels_are_apart(self):
        self.add(self.captures("c", 6, lambda number: [*usual(number), ("slow_path", 2_000_000)]), "r")
        for number, (name, kernel) in enumerate((("testhost", "6.2"), ("otherhost", "6.1.0-test-amd64"))):
            content.alter(self.study, f"INSERT INTO host VALUES ({number + 2}, '{name}', '{kernel}', 'x86_64')",
                          f"UPDATE capture SET host_id = {number + 2} WHERE capture_id IN ({number + 1}, {number + 3})",
                          f"UPDATE capture SET triage = 'ignored' WHERE capture_id = {number + 3}")
        verdict = self.json("verdict")
        self.assertEqual([(one["host"], one["kernel"], one["captures"]) for one in verdict["populations"]],
                         [("testhost", "6.2", 1), ("otherhost", "6.1.0-test-amd64", 1), ("testhost", "6.1.0-test-amd64", 2)])

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
        content.alter(self.study, "UPDATE capture SET read_version = 3")
        self.assertIn("imported by an older version", self.why(2))


class Stalls(Causes):
    def several(self, number):
        vary = random.Random(7 * number)
        return [vary.randrange(600_000, 3_000_000) for _ in range(2 + number % 4)]

    def test_several_stretches_in_a_wake_up_count_together(self):
        self.add(self.captures("c", 8, lambda number: struck(number, self.several(number))))
        verdict = self.json("verdict")
        only, = verdict["culprits"]
        self.assertEqual((only["class"], only["captures"]), ("blind-stall", 8))
        self.assertGreaterEqual(only["confidence"], 0.95)
        self.assertAlmostEqual(verdict["stalls"]["stretches_mean"], sum(2 + number % 4 for number in range(8)) / 8)
        self.assertIn(" in 3.5 stretches, in 8 of 8 captures, ", verdict["in_words"][0])

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

    def test_a_slow_function_is_found_beside_them(self):
        self.add([*self.captures("a", 6, lambda number: struck(number, self.several(number))),
                  *self.captures("b", 6, lambda number: [*usual(number), ("slow_path", 3_000_000)])], "r")
        found = {(one["class"], one["culprit"], one["captures"]) for one in self.json("verdict")["culprits"]}
        self.assertEqual(found, {("blind-stall", "blind stall", 6), ("took-too-long", "slow_path", 6)})

    def at_one_place(self, captures, there):
        """Captures with a long stretch each: @there of them in one cheap function, and each other elsewhere."""
        self.add(self.captures("c", captures, lambda number: [*usual(number), ("tiny", 2_000_000)] if number < there else
                               struck(number, [2_000_000]),
                               ordinary=lambda number: [*usual(number), ("tiny", 40)]))
        return {(one["class"], one["culprit"]): one["captures"] for one in self.json("verdict")["culprits"]}

    def test_stalls_that_strike_few_places_alike_meet_at_a_cheap_function(self):
        """Where a stall waits for certain instructions, a place's share of the time does not tell how often it is struck."""
        self.assertEqual(self.at_one_place(6, 3), {("blind-stall", "blind stall"): 6})

    def test_half_of_the_captures_at_a_cheap_function_are_not_chance(self):
        self.assertEqual(self.at_one_place(10, 5), {("blind-stall", "blind stall"): 5, ("took-too-long", "tiny"): 5})

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
        paths = []
        for serial in range(count):
            task = play.Play()
            for number in range(20):
                task.wake(usual(number + serial), late_ns=5_000 * (1 + number % 7)**2)
            task.wake(usual(serial), late_ns=[600_000 + 1_000 * serial] * 6)
            paths.append(task.write(self.folder, f"late{serial}", f"late{serial}"))
        return paths

    def test_the_hypervisor_that_takes_the_cpu_rings_late_too(self):
        self.add([*self.captures("c", 3, lambda number: struck(number, [2_000_000])), *self.late_timers(6)], "r")
        alone = [one["class"] for one in self.json("outliers")]
        content.alter(self.study, "UPDATE run SET facts = '{\"virtual_machine\": true}'")
        guest = {(one["class"], one["culprit"]) for one in self.json("outliers")}
        self.assertEqual((alone.count("late-timer"), guest), (6, {("blind-stall", "hypervisor")}))

    def test_a_hypervisor_that_takes_the_cpu_in_ordinary_wake_ups_too_is_found(self):
        """There most functions have a long stretch now and then, so that single ones are not beyond chance."""
        def ordinary(number):
            return struck(number, [random.Random(number).randrange(300_000, 4_000_000)]) if number % 3 == 0 else usual(number)
        self.add(self.captures("c", 10, lambda number: struck(number, self.several(number + 2)), ordinary=ordinary))
        content.alter(self.study, "UPDATE run SET facts = '{\"virtual_machine\": true}'")
        self.assertEqual([one["culprit"] for one in self.json("verdict")["culprits"]], ["hypervisor"])
        found = [row["culprit"] for row in self.json("outliers")]
        self.assertGreaterEqual(found.count("hypervisor"), 8, found)

    def test_each_place_says_why_it_is_guilty_or_not(self):
        self.add(self.captures("c", 8, lambda number: struck(number, [2_000_000])))
        for place in self.json("verdict")["stalls"]["places"]:
            self.assertEqual((place["guilty"], bool(place["reason"])), (False, True))
            if place["reason"] == "may be chance":
                self.assertGreaterEqual(place["any_p_value"], 0.05)
                self.assertAlmostEqual(place["any_p_value"], min(place["p_value"] / place["time_share"], 1))
        text = " ".join(culprit.run("stalls", "--study", self.study).stdout.split())
        self.assertIn("not to blame: may be chance", text)
        self.assertIn("chance alone strikes some place that often with p = ", text)

    def test_the_place_of_a_blind_stall_is_not_named_as_if_it_were_to_blame(self):
        self.add(self.captures("c", 8, lambda number: struck(number, [2_000_000])))
        text = culprit.run("show", "--study", self.study, "1").stdout
        self.assertIn("blind stall: ", text)
        self.assertRegex(text, r"(?m)^\w+ +stall \(in \w+\) ")


class Hidden(Causes):
    """What a capture does not show may have taken the time; tests/capture/test_coverage.py tells how that is known."""
    LIMITS = {"graph_depth = 4": ("long", "stalls"), "interrupts_traced = 0": ("long", "stalls"),
              "graph_functions = 'hrtimer_interrupt'": ("stalls",)}

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
                    expected = {"unexplained"} if kind in hidden else classes[kind]
                    self.assertEqual({row[0] for row in self.classes(kind)}, expected, kind)
                verdict = self.json("verdict")
                self.assertEqual(len(verdict["culprits"]), len(kinds) - len(hidden))
                self.assertTrue(any("do not show everything that ran" in step for step in verdict["next_steps"]))


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

# SPDX-License-Identifier: GPL-3.0-or-later
# What a trial says of blocks whose latencies are known: p, difference and interval as they follow from all orders that
# could have been drawn, counted one by one; what was cut short, is missing or makes no sense; and the words.

import itertools
import json
import os
import random
import sqlite3
import statistics
import sys
import tempfile
import unittest
from contextlib import closing

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402

ALPHA = 0.025  # of each of two tests
PARTS = ("tail", "body")


def two_values(latencies):
    """In ns: the means of the latest hundredth of a block, and of all others."""
    ordered = sorted(round(value * 1000) for value in latencies)
    late = -(-len(ordered) // 100)
    return statistics.fmean(ordered[-late:]), statistics.fmean(ordered[:-late])


def aligned(rounds, effect):
    """(treated, value) of each round without its mean, had the treatment changed it by @effect less."""
    found = []
    for one in rounds:
        shifted = [(treated, value - effect * treated) for treated, value in one]
        mean = statistics.fmean(value for _, value in shifted)
        found.append([(treated, value - mean) for treated, value in shifted])
    return found


def ranks_of(lines):
    """The (treated, rank) of each value among all; values within a millionth of a ns are equal."""
    values = [round(value, 6) for one in lines for _, value in one]
    ranks = iter([sum(other < value for other in values) + (values.count(value) + 1) / 2 for value in values])
    return [[(treated, next(ranks)) for treated, _ in one] for one in lines]


def chance(rounds, effect=0.0):
    """The share of all orders with ranks at least as far apart."""
    ranked = ranks_of(aligned(rounds, effect))
    seen = sum(rank for one in ranked for treated, rank in one if treated)
    mean = sum(rank for one in ranked for _, rank in one) / 2
    sums = [[sum(drawn) for drawn in itertools.combinations([rank for _, rank in one], len(one) // 2)] for one in ranked]
    orders = [sum(chosen) for chosen in itertools.product(*sums)]
    return sum(abs(total - mean) >= abs(seen - mean) - 1e-9 for total in orders) / len(orders)


def normal_chance(rounds):
    """The same for many rounds, corrected for continuity."""
    ranked = ranks_of(aligned(rounds, 0.0))
    seen = sum(rank for one in ranked for treated, rank in one if treated)
    variance = sum(2 * 2 / (4 * 3) * sum((rank - statistics.fmean(r for _, r in one)) ** 2 for _, rank in one) for one in ranked)
    distance = abs(seen - sum(rank for one in ranked for _, rank in one) / 2) - 0.5
    return min(1, 2 * (1 - statistics.NormalDist().cdf(distance / variance ** 0.5)))


def estimate(rounds):
    """The median difference, and the ends of those effects which are not rejected."""
    values = [pair for one in aligned(rounds, 0.0) for pair in one]
    differences = sorted(a - b for (with_it, a), (without, b) in itertools.product(values, values) if with_it and not without)
    kept = [i for i in range(1, len(differences))
            if chance(rounds, (differences[i - 1] + differences[i]) / 2) > ALPHA]
    return statistics.median(differences), differences[kept[0] - 1], differences[kept[-1]]


class Trial:
    """Blocks in a study of their own. @draw: of (generator, block, treated) the latencies in us."""
    def __init__(self, draw, rounds=3, seed=1, configuration=None):
        self.folder = tempfile.TemporaryDirectory()
        self.study = os.path.join(self.folder.name, "s.culprit")
        generator = random.Random(seed)
        self.order = [treated for _ in range(rounds) for treated in generator.sample([False, False, True, True], 4)]
        self.blocks = [[round(value, 3) for value in draw(generator, i, treated)] for i, treated in enumerate(self.order)]
        files = []
        for turn, latencies in enumerate(self.blocks, 1):
            files.append(os.path.join(self.folder.name, f"t-{turn}.txt"))
            with open(files[-1], "w", encoding="ascii") as file:
                file.writelines(f"{value:.3f}\n" for value in latencies)
        result = culprit.run("import", "--study", self.study, *files)
        assert result.status == 0, result.stderr
        self.configure({"treat": "rmmod x", "undo": "modprobe x", "treatments": self.order} if configuration is None else configuration)

    def configure(self, configuration):
        with closing(sqlite3.connect(self.study)) as database, database:
            database.execute("UPDATE series SET configuration = ? WHERE name = 't'", (json.dumps(configuration),))

    def change(self, statement, *values):
        with closing(sqlite3.connect(self.study)) as database, database:
            database.execute("PRAGMA foreign_keys = ON")
            database.execute(statement, values)

    def miss(self, periods, block=None):
        """As many were missed in @block, or in all with fewer than 100 wake-ups."""
        for turn, latencies in enumerate(self.blocks, 1):
            if turn == block or (block is None and len(latencies) < 100):
                self.change("UPDATE run SET missed = ? WHERE turn = ?", periods, turn)

    def remove(self, block, wholly=False):
        table = "run" if wholly else "run_latency"
        self.change(f"DELETE FROM {table} WHERE run_id = (SELECT run_id FROM run WHERE turn = ?)", block)

    def show(self, *arguments):
        return culprit.run("trial", "--study", self.study, *arguments)

    def told(self):
        result = self.show("--json")
        assert result.stderr == "", result.stderr
        return json.loads(result.stdout)

    def rounds(self, part):
        pairs = [(treated, two_values(latencies)[part]) for treated, latencies in zip(self.order, self.blocks)]
        return [pairs[i:i + 4] for i in range(0, len(pairs), 4)]


def noise(generator, block, treated, n=150):
    return [8 + generator.gammavariate(4, 0.4) for _ in range(n)]


def drifting(generator, block, treated):
    return [value + block - 0.3 * treated for value in noise(generator, block, treated)]


def bursty(generator, block, treated):
    hit = 0 if treated else generator.choice([0.02, 0.3])
    return [60 if generator.random() < hit else value for value in noise(generator, block, treated, n=230)]


class Trials(unittest.TestCase):
    def trial(self, draw, **rules):
        trial = Trial(draw, **rules)
        self.addCleanup(trial.folder.cleanup)
        return trial

    def effects(self, trial):
        return trial.told()["trial"]["effects"]

    def words(self, trial):
        return " ".join(trial.show().stdout.split())

    def test_the_figures_are_those_of_all_orders_counted_one_by_one(self):
        for draw, rounds, seed in ((noise, 3, 1), (noise, 4, 2), (drifting, 3, 3), (bursty, 3, 4), (bursty, 4, 5), (drifting, 5, 6)):
            trial = self.trial(draw, rounds=rounds, seed=seed)
            for part, effect in enumerate(self.effects(trial)):
                with self.subTest(draw=draw.__name__, seed=seed, part=PARTS[part]):
                    p = chance(trial.rounds(part))
                    middle, low, high = estimate(trial.rounds(part))
                    self.assertEqual((effect["part"], effect["differs"]), (PARTS[part], p < ALPHA))
                    self.assertAlmostEqual(effect["p"], p, places=9)
                    for name, value in (("difference_ns", middle), ("low_ns", low), ("high_ns", high)):
                        self.assertAlmostEqual(effect[name], value, places=3)
                    values = [[value for one in trial.rounds(part) for treated, value in one if treated == arm] for arm in (False, True)]
                    self.assertAlmostEqual(effect["without_ns"], statistics.median(values[0]), places=6)
                    self.assertAlmostEqual(effect["with_ns"], statistics.median(values[1]), places=6)

    def test_each_block_is_told_as_it_was_measured(self):
        trial = self.trial(bursty)
        for number, (block, treated, latencies) in enumerate(zip(trial.told()["trial"]["blocks"], trial.order, trial.blocks), 1):
            self.assertEqual((block["block"], block["treated"], block["wakeups"]), (number, treated, len(latencies)))
            for name, value in zip(("tail_ns", "body_ns"), two_values(latencies)):
                self.assertAlmostEqual(block[name], value, places=6)

    def test_a_remedy_of_rare_late_wake_ups_is_told_by_the_tail_alone(self):
        trial = self.trial(lambda generator, block, treated: noise(generator, block, treated, n=997) + 3 * [8 if treated else 500])
        tail, body = self.effects(trial)
        self.assertEqual((body["differs"], tail["differs"]), (False, True))
        self.assertLess(tail["high_ns"], -100000)
        self.assertRegex(self.words(trial), r"The latest per cent of the wake-ups differs: with the treatment it is 1.* us sooner on average \(")
        self.assertIn("No difference was found in the other 99 per cent: with the treatment they are between ", self.words(trial))

    def test_more_blocks_are_named_where_it_cannot_tell(self):
        _, body = self.effects(self.trial(noise))
        reach = (body["high_ns"] - body["low_ns"]) / 2
        self.assertEqual(body["more_blocks_show_ns"], max(abs(body["difference_ns"]), reach / 2))
        quantile = statistics.NormalDist().inv_cdf
        total = 12 * (reach / body["more_blocks_show_ns"] * (1 + quantile(0.8) / quantile(1 - ALPHA / 2))) ** 2
        self.assertEqual(body["more_blocks"] % 4, 0)
        self.assertTrue(0 <= 12 + body["more_blocks"] - total < 4, (body, total))
        self.assertIn(f"{body['more_blocks']} more blocks would probably show a difference of", self.words(self.trial(noise)))

    def test_blocks_that_are_all_the_same_differ_in_nothing(self):
        trial = self.trial(lambda generator, block, treated: [10 + i / 7 for i in range(150)])
        for effect in self.effects(trial):
            self.assertEqual((effect["p"], effect["low_ns"], effect["high_ns"], effect["more_blocks"]), (1, 0, 0, 0))
        self.assertIn("all blocks are the same", self.words(trial))

    def test_many_blocks_are_tested_by_the_normal_distribution(self):
        trial = self.trial(lambda generator, block, treated: [value - 0.02 * treated for value in noise(generator, block, treated)], rounds=25)
        for part, effect in enumerate(self.effects(trial)):
            self.assertAlmostEqual(effect["p"], normal_chance(trial.rounds(part)), places=9)
            self.assertLess(0, effect["p"])
        _, body = self.effects(trial)
        self.assertTrue(body["low_ns"] < -20 < body["high_ns"], body)
        self.assertLess(body["high_ns"] - body["low_ns"], 100)

    def refusal(self, trial):
        told, result = trial.told(), trial.show()
        self.assertEqual((result.status, told["trial"]["effects"]), (1, []))
        self.assertEqual(told["words"], told["trial"]["refusal"])
        self.assertIn(told["words"], " ".join(result.stdout.split()))
        return told["words"]

    def test_a_round_that_is_not_complete_does_not_count(self):
        def cut_short(generator, block, treated):
            return noise(generator, block, treated, n=110 if block == 13 else 300)
        trial = self.trial(cut_short, rounds=4)
        told = trial.told()["trial"]
        self.assertEqual((told["rounds"], told["left_out"], len(told["blocks"])), (3, 1, 12))
        counts = (int(trial.order[13]), int(not trial.order[13]))
        self.assertIn("1 round was left out: of its blocks, %d with the treatment and %d without had fewer than 100 wake-ups" % counts,
                      self.words(trial))
        trial.remove(14, wholly=True)
        self.assertIn("1 round was left out: of its blocks, 1 was not measured.", self.words(trial))
        self.assertNotIn("left out", self.words(self.trial(noise)))
        self.assertIn("at least 3 rounds of 4 blocks", self.refusal(self.trial(cut_short, rounds=2)))
        self.assertIn("2 are complete", self.refusal(self.trial(noise, rounds=2)))
        self.assertIn("0 are complete", self.refusal(self.trial(lambda *drawn: noise(*drawn, n=99))))
        trial.configure({"treat": "a", "undo": "b", "treatments": [True] * 16})
        self.assertIn("0 are complete", self.refusal(trial))

    def test_blocks_that_a_treatment_starves_count_with_what_they_missed(self):
        def starved(generator, block, treated):
            if treated and block >= 12:
                return noise(generator, block, treated, n=60) + [generator.uniform(2000, 9000) for _ in range(20)]
            return [value - 0.5 * treated for value in noise(generator, block, treated, n=250)]
        trial = self.trial(starved, rounds=6)
        self.assertIn("Nothing can be concluded: 6 blocks with the treatment and 0 without had fewer than", self.refusal(trial))
        trial.miss(170)
        told = trial.told()["trial"]
        self.assertEqual((told["rounds"], told["left_out"], told["refusal"]), (6, 0, None))
        self.assertTrue(told["effects"][0]["high_ns"] > 1000000, told["effects"][0])

    def test_blocks_in_which_the_task_never_ran_are_no_reason_to_conclude_from_the_others(self):
        trial = self.trial(noise, rounds=6)
        treated = [turn for turn, given in enumerate(trial.order, 1) if given]
        trial.remove(treated[-1])
        self.assertIn("1 round was left out: of its blocks, 1 with the treatment and 0 without had", self.words(trial))
        trial.remove(treated[-4])
        self.assertIn("Nothing can be concluded: 2 blocks with the treatment and 0 without had", self.refusal(trial))

    def test_a_trial_of_a_number_of_wake_ups_may_have_blocks_that_took_much_longer(self):
        trial = self.trial(noise)
        trial.miss(5000, block=3)
        self.assertEqual((trial.told()["trial"]["rounds"], trial.told()["trial"]["left_out"]), (3, 0))

    def test_its_runs_are_not_shown_among_others_unless_named(self):
        trial = self.trial(noise)
        self.assertNotIn("t-3", culprit.run("latency", "--study", trial.study).stdout)
        self.assertIn("t-3: 150 latencies", culprit.run("latency", "--study", trial.study, "t-3").stdout)

    def test_a_configuration_that_makes_no_sense_is_refused_or_left_out(self):
        trial = self.trial(noise)
        for configuration in ({"treat": "a"}, {"treat": "a", "treatments": {}}, {"treat": 5, "treatments": trial.order},
                              {"treat": "a", "undo": ["b"], "treatments": [1, "x", None, 2 ** 62] * 3},
                              {"treat": "a\u001b[31m\n", "undo": "\u202eb", "treatments": trial.order},
                              {"treat": "a", "treatments": [True] * 401}):
            trial.configure(configuration)
            with self.subTest(configuration=str(configuration)[:60]):
                result = trial.show()
                self.assertIn((result.status, len(result.error_lines())), ((0, 0), (1, 0), (2, 1)), result.stderr)
                self.assertNotIn("\x1b", result.stdout + result.stderr)
                self.assertNotIn("\u202e", result.stdout + result.stderr)
        self.assertIn("damaged (t has more blocks than culprit trial measures)", result.stderr)

    def test_more_latencies_than_a_study_has_are_refused_by_name(self):
        trial = self.trial(noise)
        with closing(sqlite3.connect(trial.study)) as database, database:
            database.execute("UPDATE run_latency SET count = ? WHERE latency_ns = (SELECT MIN (latency_ns) FROM run_latency AS other "
                             "WHERE other.run_id = run_latency.run_id)", (2 ** 52,))
        result = trial.show()
        self.assertEqual((result.status, result.stdout), (2, ""))
        self.assertIn("damaged (t has more latencies than", result.stderr)

    def test_a_study_without_a_trial_says_so(self):
        study = os.path.join(culprit.ROOT, "data", "sample", "sample.culprit")
        for arguments, told in (((), "no treatment was tried yet"), (("--run", "demo"), 'a recording called "demo"')):
            result = culprit.run("trial", "--study", study, *arguments)
            self.assertEqual((result.status, len(result.error_lines())), (2, 1))
            self.assertIn(told, result.stderr)

    def test_wrong_options_are_refused_in_one_line(self):
        both = ("--treat", "true", "--undo", "true")
        for arguments, told in ((("--treat", "true"), "--undo"), (("--undo", "true"), "--treat"), (("--treat", "", "--undo", "true"), "--treat"),
                                (("--treat", "true", "--undo", "x" * 4096), "4095 bytes"), ((*both, "--blocks", "8"), "--blocks"),
                                ((*both, "--blocks", "14"), "--blocks"), ((*both, "--blocks", "404"), "--blocks"), ((*both, "rest"), "rest"),
                                ((*both, "--threshold", "1ms"), "threshold"), ((*both, "--run", ""), "--run"),
                                (("--treat", " ", "--undo", "true"), "--treat"), ((*both, "--cycles", "50"), "50 wake-ups"),
                                (("--blocks", "16"), "--treat and --undo"), (("--target", "vm"), "--treat and --undo"),
                                ((*both, "--target", "moon"), "moon"), ((*both, "--csv"), "csv")):
            with self.subTest(arguments=arguments[:6]):
                result = culprit.run("trial", "--study", "/nowhere/s.culprit", *arguments)
                self.assertEqual((result.status, len(result.error_lines()), result.stdout), (2, 1, ""), result.stderr)
                self.assertIn(told, result.stderr)

    def test_it_is_told_beforehand_how_long_it_takes(self):
        result = culprit.run("trial", "--study", "/nowhere/s.culprit", "--target", "ssh:nowhere.invalid", "--treat", "rmmod x", "--undo", "y")
        self.assertIn('Trying "rmmod x": 3 rounds of 4 blocks of 10 s each, in random order; it takes about 2 min, and as long',
                      result.stdout)


if __name__ == "__main__":
    unittest.main()

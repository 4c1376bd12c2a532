# SPDX-License-Identifier: GPL-3.0-or-later
# The verdict on many studies that were drawn at random, and on captures of scenes, is what the naive reading of the manual
# makes of their rows: classes, culprits, confidence, weights and stalls. CULPRIT_SEEDS says how many are drawn (200).

import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import unittest
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), HERE]

import culprit  # noqa: E402
import naive_causes  # noqa: E402
import naive_evidence  # noqa: E402
import random_study  # noqa: E402
import rare_worlds  # noqa: E402

CLOSE = 1e-6
LEADS_CLOSE = 0.2  # five standard deviations of both
STUDIES = int(os.environ.get("CULPRIT_SEEDS", "200"))
STUDIES_OF_A_WORLD = max(1, min(STUDIES // 10, 8))
FEW = 5
ENOUGH = 10
STEADY = 0.9
SENTENCES = 5
SCENES = ("null-20 wide", "cost wide", "settle wide", "half base", "several wide", "prone wide", "storm wide", "task wide")
TRUTH_CAPTURES = os.environ.get("TRUTH_CAPTURES") or os.path.join(culprit.ROOT, "build", "tests", "bench", "truth-captures")


class Differs(AssertionError):
    pass


class Compared:
    """What the program says of a study, beside what the naive verdict does."""
    def __init__(self, study):
        self.study = study
        self.verdict = self.json("verdict")
        self.outliers = {row["capture"]: row for row in self.json("outliers")}
        self.judges, self.causes = naive_causes.judge_study(study)
        self.late = {one.capture_id: one for judge in self.judges for one in judge.population.late}

    def json(self, command):
        result = culprit.run(command, "--study", self.study, "--json")
        if (result.status, result.stderr) != (0, ""):
            raise Differs(f"culprit {command}: status {result.status}: {result.stderr}")
        return json.loads(result.stdout)

    def equal(self, what, found, expected):
        if isinstance(found, float) and isinstance(expected, (int, float)) and not isinstance(expected, bool):
            same = math.isclose(found, expected, rel_tol=CLOSE, abs_tol=CLOSE * CLOSE if "p_value" in what else CLOSE * 1e-3)
        else:
            same = found == expected
        if not same:
            raise Differs(f"{what}: the program says {found}, the manual {expected}")

    def near(self, what, found_ns, expected_ns):
        """Times are told in whole nanoseconds."""
        if not math.isclose(found_ns, expected_ns, abs_tol=0.501):
            raise Differs(f"{what}: the program says {found_ns} ns, the manual {expected_ns}")

    def compare_outliers(self):
        self.equal("captures", sorted(self.outliers), sorted(self.late))
        for capture, row in self.outliers.items():
            one = self.late[capture]
            self.equal(f"class and culprit of {capture}", (row["class"], row["culprit"]), (one.klass, one.culprit))
            if one.ordinary:
                self.near(f"excess of {capture}", row["excess_ns"], one.excess_ns)
            if one.culprit:
                self.equal(f"share of {capture}", row["share"], one.ns / one.excess_ns)
                self.equal(f"confidence of {capture}", row["confidence"], one.confidence)

    def compare_causes(self):
        said = {}
        for sure, name in ((True, "culprits"), (False, "suspects")):
            for row in self.verdict[name]:
                key = (sure, row["culprit"], row["context"] if row["function"] else row["class"])
                said[key] = row
        self.equal("causes and suspects", sorted(said), sorted(self.causes))
        for key, row in said.items():
            cause = self.causes[key]
            self.equal(f"class, captures, context and inversions of {key}", (row["class"], row["captures"], row["context"], row["inverted"]),
                       (cause.klass, cause.captures, cause.context, cause.inverted))
            self.near(f"part by calls of {key}", row["count_part_ns"], cause.count_ns / cause.captures)
            self.near(f"part by cost of {key}", row["cost_part_ns"], (cause.ns - cause.count_ns) / cause.captures if cause.part else 0)
            for name, expected in (("share", cause.ns / cause.all_ns), ("confidence", cause.confidence), ("weight", cause.weight),
                                   ("weight_low", cause.low), ("weight_high", cause.high)):
                self.equal(f"{name} of {key}", row[name], expected)

    def compare_leads(self, sure, rows):
        """They are drawn at random, by the program and here."""
        captures = sum(len(judge.counting) for judge in self.judges)
        leads = naive_causes.draw_leads({key: cause for key, cause in self.causes.items() if key[0] == sure}, captures)
        for row in rows:
            expected = leads[sure, row["culprit"], row["context"] if row["function"] else row["class"]]
            if abs(row["leads"] - expected) > LEADS_CLOSE:
                raise Differs(f"leads of {row['culprit']}: the program says {row['leads']}, drawn again it is {expected}")

    def compare_stalls(self):
        said = self.verdict["stalls"]
        places = sorted((row["function"], row["context"], row["captures"], row["time_share"], row["p_value"], row["guilty"],
                         row["before"] or "", row["after"] or "", row["reason"]) for row in said["places"])
        expected = sorted((judge.suspects[key].name, key[1], *place[:4], *(event or "" for event in place[4:]), judge.why(judge.suspects[key]))
                          for judge in self.judges for key, place in judge.places.items())
        self.equal("places", len(places), len(expected))
        for place, other in zip(places, expected):
            for name, one, two in zip(("name", "context", "captures", "time share", "p_value", "guilty", "before", "after", "reason"), place, other):
                self.equal(f"{name} of the place {place[:2]}", one, two)
        hits = [row["captures"] for row in said["places"]]
        self.equal("order of the places", hits, sorted(hits, reverse=True))
        struck = sum(len(judge.left) for judge in self.judges)
        self.equal("candidates", said["candidates"], sum(len(judge.candidates) for judge in self.judges))
        self.equal("struck", said["struck"], struck)
        standing = sum(one.stands_out for judge in self.judges for one in judge.counting)
        self.equal("stand_out", self.verdict["stand_out"], standing)
        self.equal("blind", said["blind"], struck > 0 and struck >= naive_causes.HALF * standing)
        found = [judge for judge in self.judges if judge.left]
        self.equal("likely only", said["likely_only"], bool(found) and all(judge.likely for judge in found))
        if found:
            self.equal("confidence of stalls", said["confidence"], max(judge.stall_confidence for judge in found))
            self.equal("proof", said["proof"], max((judge.proof for judge in found), key=["unverifiable", "consistent", "confirmed"].index))
            lengths = [one.struck_ns for judge in found for one in judge.left]
            self.near("length", said["length_mean_ns"], sum(lengths) / struck)
            if struck > 1:
                self.near("deviation of the length", said["length_sd_ns"], statistics.stdev(lengths))
            self.equal("stretches", said["stretches_mean"], sum(len(one.struck) for judge in found for one in judge.left) / struck)
            self.equal("p_value of stalls", said["p_value"], min((place[2] for judge in self.judges for place in judge.places.values() if not place[3]), default=1))

    def compare_counts(self):
        counting = [(judge, one) for judge in self.judges for one in judge.counting]
        own = [len(one.own.latencies) for _, one in counting]
        excesses = [one.excess_ns for _, one in counting if one.stands_out]
        for name, expected in (("captures", len(counting)), ("ignored", len(self.late) - len(counting)),
                               ("explained", sum(judge.is_due_to_a_cause(one) for judge, one in counting)),
                               ("incomplete", sum(one.lost_events > 0 or one.not_captured_ns > 0 for _, one in counting)),
                               ("borrowed", sum(windows < naive_evidence.OWN_BASE_FROM for windows in own)),
                               ("ordinary_windows", sum(windows for windows in own if windows >= naive_evidence.OWN_BASE_FROM))):
            self.equal(name, self.verdict[name], expected)
        if excesses:
            self.near("mean excess", self.verdict["excess_mean_ns"], sum(excesses) / len(excesses))

    def compare_words(self):
        """Sentences and steps say what the numbers do."""
        verdict, stalls = self.verdict, self.verdict["stalls"]
        captures, causes, suspects = verdict["captures"], verdict["culprits"], verdict["suspects"]
        of_suspects = max(min(len(causes), SENTENCES), 1)
        for row, sentence in [*zip(causes[:SENTENCES], verdict["in_words"]), *zip(suspects[:SENTENCES], verdict["in_words"][of_suspects:])]:
            confidence = "over 99" if row["confidence"] > 0.995 else f"{math.floor(row['confidence'] * 100)}"
            weights = (min(row["weight"], 1), row["weight_low"], row["weight_high"])
            claim = (f". Confidence {confidence} %{' (few captures)' if captures < FEW else ''}; "
                     "{:.0f} % of all excess ({:.0f} to {:.0f} %).".format(*(weight * 100 for weight in weights)))
            self.equal(f"{claim} in {sentence}", claim in sentence, True)
            share = "all of the " if row["share"] >= 1.005 else f"({row['share'] * 100:.0f} %)"
            self.equal(f"{share} in {sentence}", share in sentence, row["class"] != "blind-stall")
            if row["class"] == "blind-stall":
                self.equal(f"the hypervisor in {sentence}", "the hypervisor took the CPU" in sentence, all(judge.in_guest for judge in self.judges if judge.left))
                constant = stalls["struck"] >= 3 and stalls["length_sd_ns"] < 0.05 * stalls["length_mean_ns"]
                self.equal(f"each time in {sentence}", " each time" in sentence, constant)
        leader = next(iter(causes + suspects), {"class": None})
        unknown = sum(one.hit_cycle is None for judge in self.judges for one in judge.counting)
        steps = " ".join(verdict["next_steps"])
        for text, expected in (("too few for a verdict", 0 < captures < ENOUGH and leader["class"] != "blind-stall"),
                               ("a firmware stall in", leader["class"] == "took-too-long" and 0 < stalls["candidates"] < FEW),
                               ("the ranking is not yet stable", captures >= ENOUGH and len(causes) > 1 and causes[0]["leads"] < STEADY),
                               (f"{verdict['borrowed']} of {captures} captures have too few", verdict["borrowed"] > 0),
                               (f"{verdict['incomplete']} of {captures} captures are incomplete", verdict["incomplete"] > 0),
                               (f"is not known for {unknown} of {captures} captures", unknown > 0)):
            self.equal(f"the step {text}", text in steps, expected)

    def compare(self):
        self.compare_counts()
        self.compare_words()
        self.compare_outliers()
        self.compare_causes()
        self.compare_leads(True, self.verdict["culprits"])
        self.compare_leads(False, self.verdict["suspects"])
        self.compare_stalls()


class Naive(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.empty = random_study.make_empty(cls.folder)

    def draw(self, seed, kind=None):
        study = os.path.join(self.folder, f"{seed}.culprit")
        random_study.fill(random.Random(seed), self.empty, study, kind)
        return study

    def test_studies_drawn_at_random(self):
        middle = 0
        for seed in range(STUDIES):
            with self.subTest(seed=seed):
                compared = Compared(self.draw(seed))
                compared.compare()
                middle += sum(0.01 < cause.confidence < 0.999 for cause in compared.causes.values())
                os.remove(compared.study)
        self.assertGreater(middle, STUDIES / 2)

    def test_studies_of_rare_worlds(self):
        for kind in rare_worlds.WORLDS:
            for seed in range(STUDIES_OF_A_WORLD):
                with self.subTest(world=kind.__name__, seed=seed):
                    compared = Compared(self.draw(seed, kind))
                    compared.compare()
                    os.remove(compared.study)

    def test_the_captures_of_scenes(self):
        for scene in SCENES:
            with self.subTest(scene=scene):
                folder = os.path.join(self.folder, scene)
                study = os.path.join(folder, "s.culprit")
                subprocess.run([TRUTH_CAPTURES, *scene.split(), str(zlib.crc32(scene.encode())), folder], check=True, capture_output=True)
                result = culprit.run("import", "--study", study, os.path.join(folder, "captures"))
                self.assertEqual((result.status, result.stderr), (0, ""))
                Compared(study).compare()


if __name__ == "__main__":
    unittest.main()

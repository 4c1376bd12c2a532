# SPDX-License-Identifier: GPL-3.0-or-later
# The verdict on many studies that were drawn at random, and on captures of scenes, is what the naive reading of the manual
# makes of their rows. CULPRIT_SEEDS says how many are drawn (60).

import json
import math
import os
import random
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
STUDIES = int(os.environ.get("CULPRIT_SEEDS", "60"))
STUDIES_OF_A_WORLD = max(1, STUDIES // 20)
SCENES = ("null-20 wide", "cost wide", "settle wide", "half base", "several wide", "prone wide", "storm wide", "task wide")
TRUTH_CAPTURES = os.environ.get("TRUTH_CAPTURES") or os.path.join(culprit.ROOT, "build", "tests", "bench", "truth-captures")


class Differs(AssertionError):
    pass


class Compared:
    """What the program says of a study, beside what the naive verdict does."""
    def __init__(self, study, raw=False, base=None):
        self.study, self.options = study, (*(["--raw"] if raw else []), *(["--base", base] if base else []))
        self.verdict = self.json("verdict", *self.options)
        self.outliers = {} if self.options else {row["capture"]: row for row in self.json("outliers")}
        self.judges = naive_causes.judge_study(study, raw=raw, base=base)
        self.found = naive_causes.describe_all(self.judges)
        self.late = {one.capture_id: (judge, one) for judge in self.judges for one in judge.population.late}

    def json(self, *command):
        result = culprit.run(*command, "--study", self.study, "--json")
        if (result.status, result.stderr) != (0, ""):
            raise Differs(f"culprit {command[0]}: status {result.status}: {result.stderr}")
        return json.loads(result.stdout)

    def equal(self, what, found, expected):
        if isinstance(found, float) and isinstance(expected, (int, float)) and not isinstance(expected, bool):
            same = math.isclose(found, expected, rel_tol=CLOSE, abs_tol=CLOSE * 1e-3)
        else:
            same = found == expected
        if not same:
            raise Differs(f"{what}: the program says {found}, the manual {expected}")

    def near(self, what, found_ns, expected_ns):
        """Times are told in whole nanoseconds."""
        if not math.isclose(found_ns, expected_ns, abs_tol=0.501):
            raise Differs(f"{what}: the program says {found_ns} ns, the manual {expected_ns}")

    def label(self, judge, one):
        """What a cause explains has its class and its name, unless it does not show what that depends on."""
        cause = judge.cause_of(one)
        said = next((said for said in self.found if said.sure and any(cause is other for other in said.causes)), None)
        return (said.klass, said.culprit) if said and not judge.hides(one, said.klass) else (one.klass, judge.culprit_of(one))

    def compare_outliers(self):
        self.equal("captures", sorted(self.outliers), sorted(self.late))
        for capture, row in self.outliers.items():
            judge, one = self.late[capture]
            self.equal(f"class and culprit of {capture}", (row["class"], row["culprit"]), self.label(judge, one))
            if one.ordinary:
                self.near(f"excess of {capture}", row["excess_ns"], one.excess_ns)
            if one.carrier:
                self.equal(f"share of {capture}", row["share"], one.carrier.ns / one.excess_ns)
            cause = judge.cause_of(one)
            if cause:
                self.equal(f"confidence of {capture}", row["confidence"], cause.confidence)

    def compare_causes(self):
        for sure, name in ((True, "culprits"), (False, "suspects")):
            rows = [(repr((row["culprit"], row["context"], row["node"], row["class"], row["captures"])), row) for row in self.verdict[name]]
            found = [(repr((said.culprit, said.context, said.node, said.klass, said.captures)), said) for said in self.found if said.sure == sure]
            self.equal(name, sorted(key for key, _ in rows), sorted(key for key, _ in found))
            for (key, row), (_, said) in zip(sorted(rows, key=lambda pair: pair[0]), sorted(found, key=lambda pair: pair[0])):
                self.compare_cause(f"of {key}", row, said)
            explained = [round(row["excess_mean_ns"] * row["captures"], -3) for _, row in rows]
            self.equal(f"order of {name}", explained, sorted(explained, reverse=True))

    def compare_cause(self, key, row, said):
        self.equal(f"n {key}", row["of"], said.of)
        function = None if said.kind in ("stall", "timer") or len(said.node or ()) < 2 else said.node[-1]
        self.equal(f"function {key}", row["function"], function)
        for name, expected in zip(("low", "high", "weight", "weight_low", "weight_high"), (*said.frequency, *said.weight)):
            self.equal(f"{name} {key}", row[name], expected)
        self.equal(f"confidence {key}", row["confidence"], said.confidence)
        self.equal(f"share {key}", row["share"], said.share)
        self.near(f"mean excess {key}", row["excess_mean_ns"], said.ns / said.captures)
        self.equal(f"breakdown {key}", {tuple(part["node"]): part["captures"] for part in row["breakdown"]}, said.breakdown)
        if said.ordinary:
            self.equal(f"ordinary ones {key}", [row["ordinary"][name] for name in ("windows", "of", "max_ns", "max_calls")], said.ordinary)

    def compare_stalls(self):
        said = self.verdict["stalls"]
        struck = [one for judge in self.judges for one in judge.struck]
        self.equal("candidates", said["candidates"], sum(len(judge.candidates) for judge in self.judges))
        self.equal("struck", said["struck"], len(struck))
        found = [judge for judge in self.judges if judge.struck]
        if found:
            self.equal("proof", said["proof"], max((judge.proof for judge in found), key=naive_causes.PROOFS.index))

    def compare_counts(self):
        counting = [one for judge in self.judges for one in judge.counting]
        own = [one.own.count() for one in counting]
        excesses = [one.excess_ns for one in counting if one.stands_out]
        for name, expected in (("captures", len(counting)), ("ignored", len(self.late) - len(counting)), ("stand_out", len(excesses)),
                               ("explained", sum(said.captures for said in self.found if said.sure)),
                               ("incomplete", sum(one.lost_events > 0 or one.not_captured_ns > 0 for one in counting)),
                               ("borrowed", sum(windows < naive_evidence.OWN_BASE_FROM for windows in own)),
                               ("ordinary_windows", sum(own))):
            if "--base" not in self.options or name not in ("borrowed", "ordinary_windows"):
                self.equal(name, self.verdict[name], expected)
        if excesses:
            self.near("mean excess", self.verdict["excess_mean_ns"], sum(excesses) / len(excesses))

    def compare(self):
        self.compare_counts()
        if not self.options:
            self.compare_outliers()
        self.compare_causes()
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

    def compare(self, study, **options):
        compared = Compared(study, **options)
        compared.compare()
        os.remove(study)
        return compared

    def test_studies_drawn_at_random(self):
        """Each is sound, and in many of them something is neither certain nor unknown."""
        middle = 0
        for seed in range(STUDIES):
            with self.subTest(seed=seed):
                study = self.draw(seed)
                if seed % 10 == 0:
                    self.assertEqual(culprit.run("check", "--study", study).stdout, f"{study}: OK.\n")
                compared = self.compare(study, raw=seed % 10 == 9, base="run1" if seed % 10 == 4 else None)
                middle += any(0.01 < said.confidence < 0.999 for said in compared.found)
        self.assertGreater(middle, STUDIES / 10)

    def test_studies_of_rare_worlds(self):
        for kind in rare_worlds.WORLDS:
            for seed in range(STUDIES_OF_A_WORLD):
                with self.subTest(world=kind.__name__, seed=seed):
                    self.compare(self.draw(seed, kind))

    def test_the_captures_of_scenes(self):
        for scene in SCENES:
            with self.subTest(scene=scene):
                folder = os.path.join(self.folder, scene)
                study = os.path.join(folder, "s.culprit")
                subprocess.run([TRUTH_CAPTURES, *scene.split(), str(zlib.crc32(scene.encode())), folder], check=True, capture_output=True)
                result = culprit.run("import", "--study", study, os.path.join(folder, "captures"))
                self.assertEqual((result.status, result.stderr), (0, ""))
                self.compare(study)


if __name__ == "__main__":
    unittest.main()

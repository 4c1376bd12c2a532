# SPDX-License-Identifier: GPL-3.0-or-later
# Simulated captures of cyclictest, whose truth is known, through the real import: the late cycle's window is where it
# was, or its uncertainty is stated; the period is right within its error; the ordinary cycles are found.
# CULPRIT_FOREIGN=500 simulates 500 and prints a table.

import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), HERE]

import culprit  # noqa: E402
import foreign  # noqa: E402

COUNT = int(os.environ.get("CULPRIT_FOREIGN", "100"))
EXACT_NS = 5000     # what a marker in whole microseconds allows
PROMPT_NS = 20000   # what an idle CPU takes to begin an interrupt, at most
ENOUGH_CYCLES = 5
COLUMNS = """SELECT file, kind, start_ns, end_ns, uncertain_ns, capture.period_ns, period_error_ns AS error_ns
             FROM capture LEFT JOIN window USING (capture_id) ORDER BY file, start_ns"""


def measured(seeds, timers=True, options=()):
    """(truth, rows) of each seed; every capture is a run of its own, so that none helps another."""
    with tempfile.TemporaryDirectory() as folder:
        study, truths = os.path.join(folder, "s.culprit"), {}
        for seed in seeds:
            truths[seed] = foreign.foreign(seed, timers)
            os.mkdir(os.path.join(folder, f"{seed:05}"))
            truths[seed].trace().write(os.path.join(folder, f"{seed:05}", "a.dat"))
        result = culprit.run("import", "--study", study, *options, folder)
        assert result.status == 0, result.stderr
        rows = culprit.rows(study, COLUMNS)
    found = {seed: [] for seed in seeds}
    for row in rows:
        found[int(row["file"].split("/")[-2])].append(row)
    return [Outcome(seed, truths[seed], found[seed]) for seed in seeds]


class Outcome:
    """What was found of a capture beside what is true of it."""

    def __init__(self, seed, truth, rows):
        self.seed, self.truth = seed, truth
        hits = [row for row in rows if row["kind"] == "outlier"]
        ordinary = [row for row in rows if row["kind"] == "ordinary"]
        self.window = hits[0] if hits else None
        self.error_ns = abs(hits[0]["start_ns"] - truth.expected) if hits else float("inf")
        self.uncertain_ns = hits[0]["uncertain_ns"] if hits else 0
        self.period_ns = rows[0]["period_ns"] or 0
        self.period_error_ns = rows[0]["error_ns"] or 0
        self.enough = len(truth.ordinary) >= ENOUGH_CYCLES
        self.found = sum(any(abs(row["start_ns"] - expected) <= EXACT_NS + self.uncertain_ns for row in ordinary)
                         for expected, _ in truth.ordinary)
        self.ordinary = len(ordinary)

    def is_exact(self):
        """Where the machine stood still only the timers tell, as exactly as interrupts come."""
        return self.error_ns <= (min(self.uncertain_ns, PROMPT_NS) if self.truth.blind else EXACT_NS) + EXACT_NS

    def is_covered(self):
        return self.error_ns <= EXACT_NS + self.uncertain_ns

    def period_is_right(self):
        return self.period_ns > 0 and abs(self.period_ns - self.truth.period_ns) <= self.period_error_ns + 1

    def __repr__(self):
        late = self.window["start_ns"] - self.truth.expected if self.window else float("nan")
        return (f"seed {self.seed}: {late / 1000:.1f} us off, uncertain {self.uncertain_ns / 1000:.1f} us; period "
                f"{self.period_ns} for {self.truth.period_ns:.0f} +- {self.period_error_ns}; {self.found} of "
                f"{len(self.truth.ordinary)} ordinary windows right, {self.ordinary} there; {self.truth.place}, "
                f"{self.truth.struck}")


def table(name, outcomes):
    with_cycles = [outcome for outcome in outcomes if outcome.enough]
    known = [outcome for outcome in with_cycles if outcome.period_ns]
    print(f"\n{name}: {len(outcomes)} captures, {len(with_cycles)} of them with {ENOUGH_CYCLES} ordinary cycles or more")
    for title, group in (("all", outcomes), ("with cycles", with_cycles)):
        errors = sorted(outcome.error_ns for outcome in group)
        print(f"  {title:12} within 5 us {sum(map(Outcome.is_exact, group))}, within what they say "
              f"{sum(map(Outcome.is_covered, group))}, off by 100 us and more {sum(e > 1e5 for e in errors)}, "
              f"worst {errors[-1] / 1000:.1f} us; said uncertain by over 20 us: "
              f"{sum(outcome.uncertain_ns > 20000 for outcome in group)}")
    wrong = [abs(outcome.period_ns / outcome.truth.period_ns - 1) for outcome in known]
    print(f"  periods: {sum(map(Outcome.period_is_right, with_cycles))} right within their error, "
          f"{sum(w > 1e-3 for w in wrong)} off by more than 0.1 %, worst {max(wrong):.2e}")
    print(f"  ordinary windows: {sum(o.found for o in with_cycles)} of {sum(len(o.truth.ordinary) for o in with_cycles)}"
          f" right, {sum(o.ordinary for o in with_cycles)} there")


class ForeignCaptures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.outcomes = measured(range(COUNT))
        if "CULPRIT_FOREIGN" in os.environ:
            table("timers traced", cls.outcomes)

    def none(self, wrong):
        self.assertFalse(wrong, "\n" + "\n".join(map(repr, wrong)))

    def test_the_window_is_where_it_was_or_says_how_uncertain_it_is(self):
        self.none([outcome for outcome in self.outcomes if not outcome.is_covered()])

    def test_with_five_cycles_it_is_exact(self):
        self.none([outcome for outcome in self.outcomes if outcome.enough and not outcome.is_exact()])

    def test_with_five_cycles_the_period_is_known(self):
        """One fit in a hundred may be off by more than its error; none by so much that windows drift away."""
        far = [o for o in self.outcomes if o.enough and abs(o.period_ns - o.truth.period_ns) * o.truth.sleeps > EXACT_NS]
        off = [o for o in self.outcomes if o.enough and not o.period_is_right()]
        self.none(far)
        self.none(off[len(self.outcomes) // 50:])

    def test_with_five_cycles_the_ordinary_windows_are_found(self):
        self.none([o for o in self.outcomes if o.enough and o.found < len(o.truth.ordinary)])


class WithoutTimers(unittest.TestCase):
    """The functions of timers were not traced: the returns alone bound the window."""

    def test_the_window_is_where_it_was_or_says_how_uncertain_it_is(self):
        outcomes = measured(range(1000, 1000 + COUNT // 4), timers=False)
        wrong = [outcome for outcome in outcomes if not outcome.is_covered()]
        self.assertFalse(wrong, "\n" + "\n".join(map(repr, wrong)))


    def test_a_window_that_may_lie_beside_the_late_cycle_is_none(self):
        """Its place is uncertain by 359 us, it would last 351 us."""
        with tempfile.TemporaryDirectory() as folder:
            path, study = os.path.join(folder, "a.dat"), os.path.join(folder, "s.culprit")
            foreign.foreign(1104, timers=False).trace().write(path)
            result = culprit.run("import", "--study", study, path)
            row, = culprit.rows(study, "SELECT no_windows, no_windows_number AS us, "
                                       "(SELECT count (*) FROM window) AS windows FROM capture")
        self.assertEqual((row["no_windows"], row["windows"]), ("not-placed", 0))
        self.assertGreaterEqual(row["us"], 351)
        self.assertIn(f"uncertain by {row['us']} us, which is no less than its latency", result.stderr)


class OneRun(unittest.TestCase):
    def test_a_capture_with_too_few_cycles_takes_the_period_of_its_run(self):
        seeds = {"many": next(s for s in range(100) if len(foreign.foreign(s).ordinary) > 20),
                 "few": next(s for s in range(100) if 0 < len(foreign.foreign(s).ordinary) < 3)}
        with tempfile.TemporaryDirectory() as folder:
            study = os.path.join(folder, "s.culprit")
            for name, seed in seeds.items():
                foreign.foreign(seed).trace().write(os.path.join(folder, name + ".dat"))
            for names, runs in ((("few",), "alone"), (("many", "few"), "together")):
                for name in names:
                    path = os.path.join(folder, name + ".dat")
                    self.assertEqual(culprit.run("import", "--study", study + runs, path).status, 0)
            alone, = culprit.rows(study + "alone", "SELECT period_ns, period_source FROM capture")
            first, second = culprit.rows(study + "together", "SELECT period_ns, period_source, period_error_ns FROM capture")
        self.assertEqual(alone, {"period_ns": None, "period_source": None})
        self.assertEqual(second, first)


if __name__ == "__main__":
    unittest.main()

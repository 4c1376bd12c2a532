# SPDX-License-Identifier: GPL-3.0-or-later
# The exact tests of culprit fleet against counting all cases, and against published values; and the order of kernels.

import itertools
import math
import os
import random
import sys
import unittest
from fractions import Fraction

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "..", "app", "fleet")]

import fleet_python  # noqa: E402

if sys.executable != fleet_python.PROGRAM and os.access(fleet_python.PROGRAM, os.X_OK):
    os.execv(fleet_python.PROGRAM, [fleet_python.PROGRAM, *sys.argv])  # Only this Python has numpy for certain.

from culprit_fleet import across, exact  # noqa: E402


def counted(tables):
    """The share of all ways to choose who is affected, within each table, in which at least, and at most, as many of the
    first are affected."""
    ways = []
    for affected, of, affected_before, of_before in tables:
        everyone = range(of + of_before)
        ways.append([sum(one < of for one in chosen) for chosen in itertools.combinations(everyone, affected + affected_before)])
    observed = sum(table[0] for table in tables)
    sums = [sum(one) for one in itertools.product(*ways)]
    return tuple(Fraction(sum(holds), len(sums)) for holds in ([one >= observed for one in sums], [one <= observed for one in sums]))


class Releases(unittest.TestCase):
    def test_kernels_are_in_the_order_in_which_they_came(self):
        """What is new with a kernel is so beside the one before."""
        came = ["5.10.0-9-amd64", "5.10.0-21-amd64", "6.1.0", "6.8.0-rc7", "6.8.0", "6.8.0-31-generic", "6.8.9", "6.8.10",
                "6.12~rc6-amd64", "6.12-amd64", "6.12.0-rc1", "6.12.0-rc7", "6.12.0-rc10-rt", "6.12.0", "6.12.0-1-amd64", "6.12.0-rt5", "6.12.1",
                "6.13.0-0.rc7.20250113", "6.13.0-200.fc42", "6.13.0-201.fc42"]
        chance = random.Random(3)
        for _ in range(20):
            self.assertEqual(sorted(chance.sample(came, len(came)), key=across.version), came)


    def test_the_one_before_is_of_the_same_flavour_if_any(self):
        for kernel, older, before in (("6.1.0-57-amd64", ["6.1.0-56-amd64", "6.1.0-56-rt-amd64"], "6.1.0-56-amd64"),
                                      ("6.1.0-57-rt-amd64", ["6.1.0-56-amd64", "6.1.0-57-amd64"], "6.1.0-57-amd64"),
                                      ("6.12.0", ["6.11.0-rt7", "6.12.0-rc7"], "6.12.0-rc7"),
                                      ("6.12.0-00012-gdeadbeef0123", ["6.12.0-rc1", "6.12.0-rt1"], "6.12.0-rc1"),
                                      ("5.15.77+g1c9b6f0a2b3c", ["5.15.71+g95448dd0dc5b", "5.15.71-rt51+gabcdef012345"], "5.15.71+g95448dd0dc5b"), ("6.1.0", [], None)):
            self.assertEqual(across.release_before(kernel, older), before)


class Exact(unittest.TestCase):
    def test_p_values_are_shares_of_all_cases(self):
        chance = random.Random(5)
        for _ in range(60):
            tables = []
            for _ in range(chance.randint(1, 2)):
                of, before = chance.randint(1, 4), chance.randint(1, 5)
                tables.append((chance.randint(0, of), of, chance.randint(0, before), before))
            for mine, theirs in zip(exact.more_often(tables), counted(tables)):
                self.assertAlmostEqual(mine, float(theirs), places=12, msg=str(tables))

    def test_the_lady_tasting_tea(self):
        self.assertAlmostEqual(exact.more_often([(3, 4, 1, 4)])[0], 17 / 70)

    def test_large_counts_do_not_overflow(self):
        low, weights = exact.hypergeometric(5000, 6000, 9000)
        self.assertEqual(low, 0)
        number = math.comb(6000, 2000) * math.comb(9000, 3000)
        self.assertAlmostEqual(weights[2000] / float(Fraction(number, math.comb(15000, 5000))), 1, places=9)

    def test_captures_of_a_bad_day_do_not_count_as_independent(self):
        """Hosts with two kernels between which nothing differs: rejected as rarely as is said, however alike a day's captures."""
        def days_of(number, captures, alike):
            for _ in range(number):
                of, bad = max(1, int(chance.expovariate(1 / captures))), chance.random() < 0.3
                yield sum(bad if chance.random() < alike else chance.random() < 0.3 for _ in range(of)), of

        for hosts, days, captures, alike in ((20, 10, 5, 0.9), (1, 10, 20, 1.0), (5, 4, 20, 0.9), (20, 1, 10, 0.9), (20, 10, 5, 0.0)):
            chance, rejected = random.Random(3), 0
            for _ in range(200):
                groups = [list(days_of(days, captures, alike)) for _ in range(2 * hosts)]
                effect, counts = exact.design_effect(groups), [tuple(map(sum, zip(*group))) for group in groups]
                tables = [exact.shrunk((*one, *other), effect) for one, other in zip(counts[::2], counts[1::2])]
                rejected += exact.more_often(tables)[0] <= 0.05
            self.assertLess(rejected, 20, (hosts, days, captures, alike))

    def test_independent_captures_count_as_they_are(self):
        self.assertEqual(exact.design_effect([[(i % 2, 1) for i in range(30)]]), 1.0)
        self.assertEqual(exact.shrunk((3, 9, 4, 20), 1.0), (3, 9, 4, 20))

    def test_days_that_are_all_or_nothing_count_once(self):
        effect = exact.design_effect([[(10 * (i % 2), 10) for i in range(20)]])
        self.assertAlmostEqual(effect, 10, delta=1)
        self.assertEqual(exact.shrunk((100, 200, 0, 200), 10.0), (10, 20, 0, 20))

    def test_holm_is_that_of_its_definition(self):
        self.assertEqual(exact.holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02])

    def test_an_interval_of_alike_hosts_is_narrow_and_of_one_host_unknown(self):
        low, high = exact.share_interval({str(i): (3.0, 10.0) for i in range(10)}, "seed")
        self.assertAlmostEqual(low, 0.3)
        self.assertAlmostEqual(high, 0.3)
        low, high = exact.share_interval({str(i): (10.0 * (i < 5), 10.0) for i in range(10)}, "seed")
        self.assertTrue(0.05 < low < 0.4 < 0.6 < high < 0.95, (low, high))
        self.assertEqual(exact.share_interval({"a": (1.0, 2.0)}, "seed"), (None, None))


if __name__ == "__main__":
    unittest.main()

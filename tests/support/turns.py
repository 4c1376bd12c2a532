# SPDX-License-Identifier: GPL-3.0-or-later
# Cases that take long are tried by turns: some of them in each run of the tests, any of them now and then. All with
# CULPRIT_SEEDS=100, or if tests are named. Which ones it is goes by CULPRIT_TURN, so that a test that is repeated in the same
# run tries the same.

import os
import random
import sys
import unittest

ALL = int(os.environ.get("CULPRIT_SEEDS", "50")) >= 100 or len(sys.argv) > 1
DICE = random.Random(os.environ.get("CULPRIT_TURN"))


def some(cases, n):
    return list(cases) if ALL else DICE.sample(list(cases), n)


def one_in(n, cases):
    """From anywhere on."""
    return list(cases) if ALL else list(cases)[DICE.randrange(n)::n]


def tests(n, *names):
    """Of a class: so many of the tests @names are run."""
    def decorate(case):
        chosen = some(names, n)
        for name in names:
            if name not in chosen:
                setattr(case, name, unittest.skip("by turns")(getattr(case, name)))
        return case

    return decorate

# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact tests and intervals for counts. Everything is conditional on the margins, so nothing is assumed of how often a
host is late."""

import math
import zlib
from typing import Dict, List, Sequence, Tuple

import numpy as np

RESAMPLES = 1000
AT_ONCE = 1_000_000  # hosts that are drawn
Table = Tuple[int, int, int, int]  # with the cause, of how many; the same of those compared with


def hypergeometric(drawn: int, marked: int, others: int) -> Tuple[int, List[float]]:
    """The probabilities of the number of marked ones among @drawn, from the lowest possible number on. By ratios from
    the most probable on, so that nothing overflows."""
    low, high = max(0, drawn - others), min(drawn, marked)
    mode = min(max((drawn + 1) * (marked + 1) // (marked + others + 2), low), high)
    up, down = [1.0], []
    for k in range(mode, high):
        up.append(up[-1] * (marked - k) * (drawn - k) / ((k + 1) * (others - drawn + k + 1)))
    weight = 1.0
    for k in range(mode, low, -1):
        weight *= k * (others - drawn + k) / ((marked - k + 1) * (drawn - k + 1))
        down.append(weight)
    weights = down[::-1] + up
    total = math.fsum(weights)
    return low, [one / total for one in weights]


def more_often(tables: Sequence[Table]) -> Tuple[float, float]:
    """Whether the first are more often, and less often, affected than those compared with, within each table: one-sided
    p-values of the exact conditional test over strata. For one table it is Fisher's."""
    observed, lowest, spread = 0, 0, [1.0]
    for affected, of, affected_before, of_before in tables:
        marked = affected + affected_before
        low, weights = hypergeometric(of, marked, of + of_before - marked)
        observed, lowest = observed + affected, lowest + low
        spread = [math.fsum(spread[j] * weights[i - j] for j in range(max(0, i - len(weights) + 1), min(i + 1, len(spread))))
                  for i in range(len(spread) + len(weights) - 1)]
    at = observed - lowest
    return min(1.0, math.fsum(spread[at:])), min(1.0, math.fsum(spread[:at + 1]))


def design_effect(groups: Sequence[Sequence[Tuple[int, int]]]) -> float:
    """How many captures count as one, as those of a day are alike (Rao and Scott 1992). @groups: of each host with a kernel,
    on each day, how many are affected, of how many. A day that is its host's only one counts as one capture, and so does
    every day if nothing varies."""
    found, expected = 0.0, 0.0
    for days in groups:
        affected, of = (sum(column) for column in zip(*days))
        alone = affected * (1 - affected / of)  # the variance of their number if they are independent
        apart = sum((one - affected / of * number)**2 for one, number in days)
        found += apart * len(days) / (len(days) - 1) if len(days) > 1 else alone * of
        expected += alone
    largest = max((number for days in groups for _, number in days), default=1)
    captures, days = sum(number for group in groups for _, number in group), sum(map(len, groups))
    effect = found / expected if expected > 0 else captures / max(days, 1)
    return min(max(effect, 1.0), float(largest))


def shrunk(table: Table, effect: float) -> Table:
    """The numbers of as many independent captures."""
    of, of_before = (max(round(number / effect), min(number, 1)) for number in (table[1], table[3]))
    return min(round(table[0] / effect), of), of, min(round(table[2] / effect), of_before), of_before


def holm(p_values: Sequence[float]) -> List[float]:
    """Corrected for their number, in the same order (Holm 1979)."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    corrected, highest = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[i]))
        corrected[i] = highest
    return corrected


def share_interval(parts: Dict[str, Tuple[float, float]], seed: str) -> Tuple[float, float]:
    """A 95 % interval for the sum of the first over the sum of the second, by resampling hosts, since the captures of
    one host are alike. (None, None) with fewer than three hosts."""
    if len(parts) < 3:
        return None, None
    explained, whole = np.array([parts[host] for host in sorted(parts)], float).T
    chance = np.random.default_rng(zlib.crc32(seed.encode()))
    shares: List[float] = []
    while len(shares) < RESAMPLES:
        rows = min(RESAMPLES - len(shares), max(1, AT_ONCE // len(whole)))
        drawn = chance.integers(0, len(whole), (rows, len(whole)))
        of_drawn = whole[drawn].sum(axis=1)
        shares += np.divide(explained[drawn].sum(axis=1), of_drawn, out=np.zeros(rows), where=of_drawn > 0).tolist()
    shares.sort()
    return shares[round(0.025 * (RESAMPLES - 1))], shares[round(0.975 * (RESAMPLES - 1))]

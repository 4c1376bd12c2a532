# SPDX-License-Identifier: GPL-3.0-or-later
# The mathematics that culprit-study(5) names under Causes and Spreads, written out plainly.

import collections
import functools
import math


def binomial_tail(least, tried, rate):
    """The probability that @least or more of @tried hit, each with @rate."""
    return sum(math.comb(tried, k) * rate**k * (1 - rate)**(tried - k) for k in range(least, tried + 1))


def beta_part(x, a, b):
    """The regularised incomplete beta function, by its continued fraction from the far end."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_part(1 - x, b, a)
    fraction = 0.0
    for m in range(60, 0, -1):
        odd = -(a + m - 1) * (a + b + m - 1) * x / ((a + 2 * m - 2) * (a + 2 * m - 1))
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        fraction = odd / (1 + even / (1 + fraction))
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    return front / (a * (1 + fraction))


@functools.cache
def beta_quantile(part, a, b):
    low, high = 0, 1
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if beta_part(middle, a, b) < part else (low, middle)
    return high


def bucket_of(value):
    shift = max(value.bit_length() - 4, 0)
    return 8 * shift + (value >> shift)


def bucket_middle(bucket):
    shift = max(bucket // 8 - 1, 0)
    return bucket if bucket < 16 else ((bucket - 8 * shift) << shift) + (1 << shift) / 2


def unpack_spread(blob):
    """Counts of buckets."""
    numbers, number, shift = [], 0, 0
    for byte in blob:
        number, shift = number | (byte & 127) << shift, shift + 7
        if byte < 128:
            numbers.append(number)
            number = shift = 0
    counts, bucket = {}, 0
    for distance, count in zip(numbers[::2], numbers[1::2]):
        bucket += distance
        counts[bucket] = count
    return counts


def spread_largest(counts, n):
    """The sum of the n largest values, each the middle of its bucket."""
    largest = sorted((bucket for bucket, count in counts.items() for _ in range(count)), reverse=True)
    return sum(map(bucket_middle, largest[:n]))


def rank_sum_p(some, others):
    """Wilcoxon's rank sum test, two-sided, from all ways to choose as many; ranks of equal values are their mean."""
    values = sorted(some + others)
    rank = {value: values.index(value) * 2 + values.count(value) + 1 for value in values}  # twice the mean rank
    ways = collections.Counter({(0, 0): 1})
    for value in values:
        for (chosen, total), count in list(ways.items()):
            ways[chosen + 1, total + rank[value]] += count
    sums = {total: count for (chosen, total), count in ways.items() if chosen == len(some)}
    middle = len(some) * (len(values) + 1)
    far = abs(sum(rank[value] for value in some) - middle)
    return sum(count for total, count in sums.items() if abs(total - middle) >= far) / sum(sums.values())


def pack_spread(counts):
    """@counts: of buckets. As the blob of a spread."""
    blob = bytearray()
    before = 0
    for bucket in sorted(counts):
        for number in (bucket - before, counts[bucket]):
            while number > 127:
                blob.append(number & 127 | 128)
                number >>= 7
            blob.append(number)
        before = bucket
    return bytes(blob)

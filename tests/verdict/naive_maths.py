# SPDX-License-Identifier: GPL-3.0-or-later
# The mathematics that culprit-study(5) names under Causes and Spreads, written out plainly.

import collections
import math


def binomial_tail(least, tried, rate):
    """The probability that @least or more of @tried hit, each with @rate."""
    return sum(math.comb(tried, k) * rate**k * (1 - rate)**(tried - k) for k in range(least, tried + 1))


def hypergeometric_tail(least, drawn, marked, all_of_them):
    """The probability that @least or more of @drawn are among the @marked."""
    ways = sum(math.comb(marked, k) * math.comb(all_of_them - marked, drawn - k)
               for k in range(least, min(drawn, marked) + 1))
    return ways / math.comb(all_of_them, drawn)


def several_tail(least, rates):
    """The same of tries that hit with a rate each."""
    exactly = [1.0]
    for rate in rates:
        exactly = [(exactly[k] if k < len(exactly) else 0) * (1 - rate) + (exactly[k - 1] * rate if k > 0 else 0)
                   for k in range(len(exactly) + 1)]
    return min(sum(exactly[least:]), 1)


def rank_sum_p(these, others):
    """How probable it is that the ranks of @these lie so far from the middle, of all ways to choose as many."""
    values = sorted(these + others)
    rank = {value: values.index(value) + values.count(value) / 2 + 0.5 for value in values}
    ways = collections.Counter({(0, 0): 1})
    for value in values:
        for (chosen, total), count in list(ways.items()):
            ways[chosen + 1, total + rank[value]] += count
    middle = len(these) * (len(values) + 1) / 2
    found = abs(sum(rank[value] for value in these) - middle)
    all_ways = {total: count for (chosen, total), count in ways.items() if chosen == len(these)}
    return sum(count for total, count in all_ways.items() if abs(total - middle) >= found) / sum(all_ways.values())


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


def halve(rises, target, low, high):
    """Where the function @rises reaches @target."""
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if rises(middle) < target else (low, middle)
    return high


def beta_quantile(part, a, b):
    return halve(lambda x: beta_part(x, a, b), part, 0, 1)


def bucket_of(value):
    shift = max(value.bit_length() - 4, 0)
    return 8 * shift + (value >> shift)


def bucket_range(bucket):
    """The first value of a bucket and that of the next, or just its value where there is only one."""
    if bucket < 16:
        return bucket, bucket
    shift = bucket // 8 - 1
    return (bucket - 8 * shift) << shift, (bucket - 8 * shift + 1) << shift


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


def unpack_spread(blob):
    numbers = [0]
    shift = 0
    for byte in blob or b"":
        numbers[-1] |= (byte & 127) << shift
        shift = shift + 7 if byte & 128 else 0
        if not byte & 128:
            numbers.append(0)
    bucket = 0
    counts = {}
    for distance, count in zip(numbers[:-1:2], numbers[1:-1:2]):
        bucket += distance
        counts[bucket] = count
    return counts

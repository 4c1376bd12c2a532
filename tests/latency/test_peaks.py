# SPDX-License-Identifier: GPL-3.0-or-later
# Peaks: their bands against a naive computation, late humps of few wake-ups, and none where the tail is smooth.

import json
import math
import os
import random
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import culprit  # noqa: E402

BODIES = {
    "narrow": lambda draw: draw.gauss(10000, 300),
    "gamma": lambda draw: draw.gammavariate(9, 1100),
    "log-normal": lambda draw: 9000 * math.exp(0.4 * draw.gauss(0, 1)),
    "two": lambda draw: draw.gauss(7000, 250) if draw.random() < 0.6 else draw.gauss(13000, 500),
}
TAILS = {
    "gamma": lambda draw: draw.gammavariate(2, 4000),
    "exponential": lambda draw: 5000 + draw.expovariate(1 / 3000),
    "log-normal": lambda draw: 8000 * math.exp(1.1 * draw.gauss(0, 1)),
    "Pareto": lambda draw: 8000 * draw.paretovariate(1.5),
    "few of a long exponential": lambda draw: draw.gauss(8000, 500) if draw.random() > 0.01
    else 8000 + draw.expovariate(1 / 100000),
    "few of a flat one": lambda draw: draw.gauss(8000, 500) if draw.random() > 0.01 else draw.uniform(8000, 600000),
    "flat": lambda draw: draw.uniform(5000, 20000),
}


def evened(count):
    return 2 * math.sqrt(count + 0.375)


def naive_band(counts, place):
    """The first and the last bin of the peak at @place: prominence by walking to higher ground on either side."""
    passes = []
    for step in (-1, 1):
        lowest, at = counts[place], place
        while 0 <= at + step < len(counts) and counts[at + step] <= counts[place]:
            at += step
            lowest = min(lowest, counts[at])
        if 0 <= at + step < len(counts):
            passes.append(lowest)
    level = evened(counts[place]) - (evened(counts[place]) - evened(max(passes, default=0))) / 2
    ends = []
    for step in (-1, 1):
        at = place
        while 0 <= at + step < len(counts) and evened(counts[at + step]) >= level:
            at += step
        ends.append(at)
    return ends


class Peaks(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.names = 0

    def describe(self, latencies, unit_ns=1):
        """What is found in @latencies (ns), measured in units of @unit_ns."""
        self.names += 1
        study = os.path.join(self.folder, f"{self.names}.culprit")
        path = os.path.join(self.folder, "x.txt")
        with open(path, "w", encoding="ascii") as file:
            file.writelines(f"{math.floor(latency / unit_ns)}\n" for latency in latencies)
        unit = "1us" if unit_ns == 1000 else f"{unit_ns}ns"
        result = culprit.run("import", "--study", study, "--unit", unit, path)
        self.assertEqual(result.status, 0, result.stderr)
        found, = json.loads(culprit.run("latency", "--study", study, "--json", "x").stdout)
        return found

    def sure(self, found):
        return [peak for peak in found["peaks"] if not peak["weak"]]

    def test_a_band_is_the_part_around_a_peak_that_is_above_half_of_its_prominence(self):
        bands = 0
        for seed, (name, body) in enumerate(BODIES.items()):
            for n, unit_ns in ((3000, 1000), (20000, 10), (50000, 1)):
                draw = random.Random(100 * seed + n)
                latencies = sorted(body(draw) if draw.random() < 0.9 else draw.gauss(22000, 700) for _ in range(n))
                latencies = [math.floor(latency / unit_ns) * unit_ns for latency in latencies]
                with self.subTest(name, n=n):
                    bands += self.assert_bands(self.describe(latencies, unit_ns), latencies)
        self.assertGreater(bands, 15)

    def assert_bands(self, found, latencies):
        main = min(found["peaks"], key=lambda peak: peak["to_ns"] - peak["ns"])
        width = main["to_ns"] - main["ns"] + 1
        begin = main["ns"] - math.ceil((main["ns"] - latencies[0]) / width) * width
        counts = [0] * ((latencies[-1] - begin) // width + 1)
        for latency in latencies:
            counts[(latency - begin) // width] += 1
        fine = [peak for peak in found["peaks"] if peak["to_ns"] - peak["ns"] + 1 == width]
        for number, peak in enumerate(found["peaks"]):
            self.assertLessEqual(found["min_ns"], peak["at_ns"])
            self.assertLessEqual(peak["at_ns"], found["max_ns"])
            self.assertTrue(peak["band_low_ns"] <= peak["at_ns"] <= peak["band_high_ns"], peak)
            if number:
                self.assertGreater(peak["band_low_ns"], found["peaks"][number - 1]["band_high_ns"])
        for peak in fine:
            first, last = naive_band(counts, (peak["ns"] - begin) // width)
            low, high = begin + first * width, begin + (last + 1) * width
            if not any(low <= other["at_ns"] < high for other in found["peaks"] if other is not peak):
                self.assertEqual((peak["band_low_ns"], peak["band_high_ns"]), (low, high - 1), peak)
        return len(fine)

    def test_a_late_hump_of_few_wake_ups_is_a_peak_with_a_band_of_its_own(self):
        for seed in range(24):
            draw = random.Random(seed)
            name, body = list(BODIES.items())[seed % len(BODIES)]
            n = draw.choice((3000, 10000, 40000))
            hump = draw.choice((6, 10, 20, 60))
            place = draw.choice((120000, 250000, 580000, 640000, 3000000))
            width = place * draw.choice((0.003, 0.01, 0.03))
            late = [draw.gauss(place, width) for _ in range(hump)]
            latencies = [body(draw) for _ in range(n)] + late
            with self.subTest(seed=seed, body=name, n=n, hump=hump, place=place, width=width):
                found = self.sure(self.describe(latencies, draw.choice((1, 10, 1000))))
                self.assertAlmostEqual(found[-1]["at_ns"], place, delta=3 * width + 1000)
                inside = sum(found[-1]["band_low_ns"] <= latency <= found[-1]["band_high_ns"] for latency in late)
                self.assertGreaterEqual(inside, 0.6 * hump, found[-1])
                self.assertGreater(found[-1]["band_low_ns"], max(latencies[:n]))
                self.assertAlmostEqual(found[-1]["share"], hump / (n + hump), delta=1 / n)

    def test_two_late_humps_are_two(self):
        draw = random.Random(7)
        latencies = ([draw.gammavariate(9, 1100) for _ in range(20000)] + [draw.gauss(580000, 5000) for _ in range(12)]
                     + [draw.gauss(2100000, 9000) for _ in range(15)])
        first, second = self.sure(self.describe(latencies))[-2:]
        self.assertAlmostEqual(first["at_ns"], 580000, delta=15000)
        self.assertAlmostEqual(second["at_ns"], 2100000, delta=27000)

    def test_a_hump_before_the_bulk_is_found_too(self):
        draw = random.Random(8)
        latencies = [draw.gauss(400000, 9000) for _ in range(20000)] + [draw.gauss(20000, 900) for _ in range(12)]
        self.assertAlmostEqual(self.sure(self.describe(latencies))[0]["at_ns"], 20000, delta=3000)

    def test_a_smooth_tail_has_no_peaks(self):
        for seed, (name, tail) in enumerate(TAILS.items()):
            for n, unit_ns in ((3000, 1), (3000, 1000), (30000, 1)):
                draw = random.Random(seed + n)
                latencies = [tail(draw) for _ in range(n)]
                with self.subTest(name, n=n, unit_ns=unit_ns):
                    self.assertEqual(len(self.sure(self.describe(latencies, unit_ns))), 1)

    def test_a_single_late_wake_up_is_no_peak(self):
        for late in ([580000], [580000, 590000], [300000, 580000, 2000000]):
            draw = random.Random(len(late))
            self.assertEqual(len(self.sure(self.describe([draw.gauss(10000, 300) for _ in range(3000)] + late))), 1)

    def test_a_peak_is_never_named_below_the_minimum(self):
        """The lowest bin begins below the latencies in it."""
        draw = random.Random(3)
        for low in (231400, 10007, 4999):
            found = self.describe([low + draw.expovariate(1 / 900) for _ in range(3000)])
            self.assertGreaterEqual(found["peaks"][0]["at_ns"], found["min_ns"])


if __name__ == "__main__":
    unittest.main()

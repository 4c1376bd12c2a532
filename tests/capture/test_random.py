# SPDX-License-Identifier: GPL-3.0-or-later
# Random captures, well-formed and damaged: every row of the study equals the naive reference's. CULPRIT_SEEDS sets
# their number (60), or selects some ("=17", "=17-40").

import os
import random
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), HERE]

import culprit  # noqa: E402
import naive_rows  # noqa: E402
import study_rows  # noqa: E402
from damage import damaged  # noqa: E402
from layouts import LAYOUTS  # noqa: E402
from streams import well_formed  # noqa: E402
from tracefile import TraceFile  # noqa: E402

BATCH = 50
SHAPES = [("6.1", 6, "none"), ("6.1", 7, "zstd"), ("5.10", 7, "none"), ("6.13-retaddr", 7, "zstd")]


def seeds():
    asked = os.environ.get("CULPRIT_SEEDS", "60")
    if asked.startswith("="):
        first, _, last = asked[1:].partition("-")
        return range(int(first), int(last or first) + 1)
    return range(int(asked))


def trace_of(seed, make):
    stream = make(random.Random(seed))
    layout, version, compression = SHAPES[seed % len(SHAPES)]
    trace = TraceFile({"": stream.cpus}, layout=LAYOUTS[layout], version=version, compression=compression,
                      symbols=stream.symbols, cmdlines=stream.cmdlines, overruns=stream.overruns,
                      noise_seed=seed if seed % 3 else None)
    return trace, stream.period


class RandomCaptures(unittest.TestCase):
    def compare_all(self, make):
        chosen = list(seeds())
        different = []
        for first in range(0, len(chosen), BATCH):
            different += self.compare(make, chosen[first:first + BATCH])
        self.assertFalse(different, f"{len(different)} of {len(chosen)} seeds differ:\n" + "\n".join(different[:12]))

    def compare(self, make, chosen):
        """One study for many captures; captures of one period are imported together."""
        with tempfile.TemporaryDirectory() as folder:
            expected, by_period = {}, {}
            for seed in chosen:
                trace, period = trace_of(seed, make)
                trace.write(os.path.join(folder, f"{seed}.dat"))
                expected[seed] = naive_rows.rows(trace, period)
                by_period.setdefault(period, []).append(os.path.join(folder, f"{seed}.dat"))
            study = os.path.join(folder, "s.culprit")
            complaints = ""
            for period, paths in by_period.items():
                result = culprit.import_captures(study, paths, f"{period}ns", "random")
                self.assertIn(result.status, (0, 2), result.stderr)
                complaints += result.stderr
            found = study_rows.by_file(study)
        return list(self.differences(chosen, expected, found, complaints))

    def differences(self, chosen, expected, found, complaints):
        for seed in chosen:
            name = f"{seed}.dat"
            if name not in found:
                said = [line for line in complaints.splitlines() if name in line]
                yield f"seed {seed}: not imported: {said}"
                continue
            difference = study_rows.difference(expected[seed], found[name])
            if difference:
                yield f"seed {seed}: {difference}"
            yield from self.wrong_sum(seed, found[name])

    @staticmethod
    def wrong_sum(seed, found):
        sum_ns = sum(row["self_ns"] for row in found["outlier_node"])
        latency = sum(row["latency_ns"] for row in found["window"] if row["kind"] == "outlier")
        if sum_ns != latency:
            yield f"seed {seed}: the parts sum to {sum_ns}, the latency is {latency}"

    def test_well_formed_captures_equal_the_reference(self):
        self.compare_all(well_formed)

    def test_damaged_captures_equal_the_reference(self):
        self.compare_all(damaged)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# The times without interrupts or preemption in every real capture, from what libtracecmd reads of its events, computed as
# the naive reference does.

import collections
import glob
import os
import sys
import tempfile
import types
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "capture"), HERE]

import culprit  # noqa: E402
import naive_sections  # noqa: E402
import records  # noqa: E402
import study_rows  # noqa: E402

CAPTURES = sorted(glob.glob(os.path.join(HERE, "..", "data", "*.dat")))
KINDS = ("entry_entry", "entry_exit", "exit_entry", "exit_exit")
SUMS = ("count", "held_ns", "tracing_ns", "outlier_ns", "outlier_tracing_ns", "waits")


def by_name(rows):
    """Sums by kind, context and the functions' names, as libtracecmd knows no module and no ordinal; and the longest."""
    found = collections.defaultdict(collections.Counter)
    for row in rows:
        sums = found[row["kind"], row["context"], row["opened"][0], row["closed"][0]]
        sums.update({column: row[column] for column in SUMS})
        for longest in ("longest", "longest_wait"):
            sums[longest] = max(sums[longest], row[f"{longest}_ns"] - row[f"{longest}_tracing_ns"])
    return dict(found)


def expected(path, found):
    outlier = next((types.SimpleNamespace(cpu=row["cpu"], start=row["start_ns"], end=row["end_ns"])
                    for row in found["window"] if row["kind"] == "outlier"), None)
    floors = {row["cpu"]: {kind: row[f"{kind}_floor_ns"] for kind in KINDS} for row in found["capture_cpu"]}
    capture = types.SimpleNamespace(events=records.events(path), floors=floors, functions=lambda name: (name, "", 0))
    return by_name(naive_sections.sections(capture, outlier))


class Sections(unittest.TestCase):
    def test_they_are_those_that_the_events_show(self):
        with tempfile.TemporaryDirectory() as folder:
            study = os.path.join(folder, "s.culprit")
            culprit.import_captures(study, CAPTURES)
            found = study_rows.by_file(study)
        for path in CAPTURES:
            with self.subTest(os.path.basename(path)):
                rows = found[os.path.basename(path)]
                self.assertEqual(by_name(rows["section"]), expected(path, rows))
                self.assertTrue(rows["section"])
        self.assertTrue(any(row["waits"] for rows in found.values() for row in rows["section"]))

    def test_entries_read_one_level_deeper_than_exits_unless_the_kernel_does_not_count(self):
        for path in CAPTURES:
            with self.subTest(os.path.basename(path)):
                cpus = [naive_sections.Cpu(cpu, events) for cpu, events in records.events(path).items()]
                lowest = [min(cpu.lowest[kind] for cpu in cpus) for kind in ("entry", "exit")]
                self.assertEqual(lowest, [0, 0] if "arm64" in path else [1, 0])


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# The synthetic captures of tests/support, read by libtracecmd and by culprit: every layout, word size, byte order, file
# version and compression, with losses. This checks the writer as much as the reader. Without the writer's noise, as
# libtraceevent 1.7 takes a discarded record for an event, and without the layout whose records are aligned to 8 bytes,
# as it assumes that the records of a 32-bit page begin at byte 12 whatever the file says.

import os
import random
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "capture"), HERE]

import culprit  # noqa: E402
import records  # noqa: E402
import study_rows  # noqa: E402
from layouts import LAYOUTS  # noqa: E402
from streams import well_formed  # noqa: E402
from tracefile import TraceFile  # noqa: E402

CONTAINERS = [(6, "none"), (7, "none"), (7, "zstd")]
SEEDS = range(3)
NAMES = [name for name, layout in LAYOUTS.items() if layout.data_offset == 8 + layout.long_size]


def trace(name, version, compression, seed):
    layout = LAYOUTS[name]
    stream = well_formed(random.Random(seed), layout.long_size)
    stream.cpus[0][len(stream.cpus[0]) // 2].lost = 7
    stream.cpus[max(stream.cpus)][20].lost = 0
    return TraceFile(instances={"": stream.cpus}, layout=layout, version=version, compression=compression,
                     symbols=stream.symbols, cmdlines=stream.cmdlines, overruns=stream.overruns, uname=f"Linux testhost 6.1.0 {name} {version} {compression} {seed}")


class Synthetic(unittest.TestCase):
    def test_libtracecmd_and_culprit_read_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = {}
            for seed in SEEDS:
                for name in NAMES:
                    for version, compression in CONTAINERS:
                        key = f"{name}-v{version}-{compression}-{seed}.dat"
                        paths[key] = os.path.join(folder, key)
                        trace(name, version, compression, seed).write(paths[key])
            study = os.path.join(folder, "s.culprit")
            culprit.import_captures(study, paths.values())
            found = study_rows.by_file(study)
            for key, path in paths.items():
                with self.subTest(key):
                    cpus, types, _ = records.read(path)
                    self.assertEqual(cpus, records.of_study(found[key]["capture_cpu"]))
                    self.assertEqual(types, sorted(row["count"] for row in found[key]["capture_event"]))
                    self.assertEqual(sum(cpu[3] for cpu in cpus.values()), 2, "both losses are there")


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Creates the fuzzer's corpus anew: a few captures with a few hundred bytes of events, in the layouts that differ most.

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

from events import HARDIRQ, entry, leave, marker, other  # noqa: E402
from layouts import LAYOUTS  # noqa: E402
from tracefile import TraceFile  # noqa: E402

F, G, SLEEP = 0x1000, 0x2000, 0x3000
PERIOD = 1_000_000


def cycles(pid, start):
    """A task that sleeps and is woken six times, the last time late, and says so."""
    events = [leave(start - 500, 0, G, 1, 900)]
    for cycle in range(6):
        at = start + cycle * PERIOD
        late = 400_000 if cycle == 5 else 20_000
        events += [entry(at, pid, SLEEP, 0), entry(at + 100, 0, F, 0),
                   entry(at + PERIOD - 900, 0, G, 1, HARDIRQ, lost=3 if cycle == 2 else None),
                   leave(at + PERIOD - 800, 0, G, 1, 100, HARDIRQ), leave(at + PERIOD - 700 + late - 20_000, 0, F, 0),
                   other(at + PERIOD - 600 + late - 20_000, 0), leave(at + PERIOD - 500 + late - 20_000, pid, SLEEP, 0)]
    return events + [marker(events[-1].ts + 10, pid, 390, 300)]


def main():
    for version, compression, layout in ((6, "none", "6.1"), (6, "none", "4.4-ppc32"), (7, "none", "6.13-retaddr"),
                                         (7, "zstd", "5.10")):
        trace = TraceFile({"": {0: cycles(7, 10_000_000), 1: cycles(9, 10_300_000)}}, LAYOUTS[layout], version,
                          compression, symbols=[(F, "f", ""), (G, "g", "mod"), (SLEEP, "nanosleep", "")],
                          cmdlines={7: "cyclictest"})
        trace.page_size = 512
        trace.write(os.path.join(HERE, "corpus", "reader", f"v{version}-{compression}-{layout}.dat"))


if __name__ == "__main__":
    main()

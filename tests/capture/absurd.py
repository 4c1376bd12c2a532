# SPDX-License-Identifier: GPL-3.0-or-later
# Captures with absurd times.

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

from events import entry, leave, other  # noqa: E402
from tracefile import TraceFile  # noqa: E402

ADDRESS = 0xffffffff81000000
STEP_NS = 5 * 10**17  # what one event of a ring buffer can tell


def write(path, span_ns, cpus, first_ns=1000):
    """A function runs for @span_ns on each CPU."""
    def events(cpu):
        yield entry(first_ns, 10 + cpu, ADDRESS, 0)
        for at_ns in range(first_ns + STEP_NS, first_ns + span_ns, STEP_NS):
            yield other(at_ns, 10 + cpu)
        yield leave(first_ns + span_ns, 10 + cpu, ADDRESS, 0)
    TraceFile({"": {cpu: list(events(cpu)) for cpu in range(cpus)}}, symbols=[(ADDRESS, "schedule", ""), (ADDRESS + 0x1000, "end", "")],
              cmdlines={10: "task"}).write(path)

# SPDX-License-Identifier: GPL-3.0-or-later
# The events of a synthetic capture as plain objects, which the writer writes and the naive reference reads. Times are
# nanoseconds. A capture's events are a dict from CPU to a list in ring-buffer order.

from dataclasses import dataclass, field
from typing import Optional

IRQS_OFF = 0x01
NEED_RESCHED, HARDIRQ, SOFTIRQ, NMI = 0x04, 0x08, 0x10, 0x40
LOST_UNCOUNTED = 0


@dataclass
class Event:
    """kind is entry, exit, print, switch, waking, migrate, timer, cancel or unknown. values: further fields by name. lost says how many events were lost just before this one:
    None for none, LOST_UNCOUNTED where the ring buffer only knows that there were some."""
    ts: int
    kind: str
    pid: int
    flags: int = 0
    func: int = 0
    depth: int = 0
    calltime: int = 0
    rettime: int = 0
    text: str = ""
    priorities: tuple = (0, 0, 0)  # of a switch: that of who leaves, the pid and the priority of who comes
    lost: Optional[int] = None
    values: dict = field(default_factory=dict)
    preempt: int = 0  # the preempt depth, as it was read


def entry(ts, pid, func, depth, flags=0, lost=None):
    return Event(ts, "entry", pid, flags, func, depth, lost=lost)


def leave(ts, pid, func, depth, duration=0, flags=0, lost=None):
    """The exit of a call that took @duration by the tracer's other clock."""
    calltime = 7_000_000_000_000
    return Event(ts, "exit", pid, flags, func, depth, calltime, calltime + duration, lost=lost)


def marker(ts, pid, latency_us, threshold_us):
    return Event(ts, "print", pid, text=f"hit latency threshold ({latency_us} > {threshold_us})\n")


def switch(ts, pid, priority, next_pid, next_priority):
    return Event(ts, "switch", pid, priorities=(priority, next_pid, next_priority))


def other(ts, pid, kind="switch", flags=0, lost=None):
    return Event(ts, kind, pid, flags, text="a line of text\n", lost=lost)

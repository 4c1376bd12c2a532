# SPDX-License-Identifier: GPL-3.0-or-later
# A capture of a program that is kept from running: while it responds, another task has its CPU for a while, and it waits for
# a lock until its holder wakes it, for long in the last response of many.
# Usage: kept.py STUDY: makes the study, with its capture in sample.captures beside it.

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import culprit  # noqa: E402
from events import HARDIRQ, Event, entry, leave  # noqa: E402
from tracefile import TraceFile  # noqa: E402

NAMES = ["do_nanosleep", "schedule", "futex_wait", "tick", "hrtimer_wakeup", "work", "write_back", "hold_lock", "do_idle"]
ADDRESS = {name: 0xffffffff81000000 + 64 * i for i, name in enumerate(NAMES)}
LOOP, HOLDER, WORKER = 31, 41, 42
RESPONSES = 40
PERIOD_NS, USUAL_NS, LONG_NS, PREEMPTED_NS = 1000000, 20000, 400000, 90000


class Kept:
    def __init__(self):
        self.now, self.on, self.events = 10 ** 9, 0, []

    def put(self, event, ns=1000):
        self.events.append(event)
        self.now += ns

    def call(self, name, depth, flags=0, ns=1000):
        self.put(entry(self.now, self.on, ADDRESS[name], depth, flags), ns)

    def back(self, name, depth, flags=0):
        self.put(leave(self.now, self.on, ADDRESS[name], depth, 500, flags))

    def switch(self, to, state):
        self.put(Event(self.now, "switch", self.on, priorities=(120, to, 120), values={"prev_state": state}))
        self.on = to

    def hold(self, name, ns):
        self.call(name, 0, 0, ns)
        self.back(name, 0)

    def wake(self, pid, flags=0):
        self.put(Event(self.now, "waking", self.on, flags, values={"pid": pid, "target_cpu": 0}))

    def sleep(self, expires):
        self.call("do_nanosleep", 0)
        self.put(Event(self.now, "timer", self.on, values={"hrtimer": 0x99, "function": ADDRESS["hrtimer_wakeup"],
                                                           "expires": expires}))
        self.call("schedule", 1)
        self.switch(0, 1)
        self.back("schedule", 1)
        self.back("do_idle", 0)
        self.call("do_idle", 0)

    def respond(self, expires, long):
        self.now = expires + 2000
        self.call("tick", 0, HARDIRQ)
        self.wake(LOOP, HARDIRQ)
        self.back("tick", 0, HARDIRQ)
        self.call("schedule", 1, ns=0)
        self.switch(LOOP, 0)
        self.back("schedule", 1)
        self.back("do_nanosleep", 0)
        self.call("work", 0)
        self.switch(WORKER, 0)
        self.hold("write_back", PREEMPTED_NS if long else 1000)
        self.switch(LOOP, 1)
        self.back("work", 0)
        self.call("futex_wait", 0)
        self.call("schedule", 1)
        self.switch(HOLDER, 1)
        self.hold("hold_lock", LONG_NS if long else USUAL_NS)
        self.wake(LOOP)
        self.switch(LOOP, 1)
        self.back("schedule", 1)
        self.back("futex_wait", 0)


def write(path):
    kept = Kept()
    kept.on = LOOP
    for number in range(1, RESPONSES + 1):
        expires = 10 ** 9 + number * PERIOD_NS
        kept.sleep(expires)
        kept.respond(expires, number == RESPONSES)
    kept.sleep(kept.now + PERIOD_NS)
    TraceFile({"": {0: kept.events}}, symbols=[(ADDRESS[name], name, "") for name in NAMES],
              cmdlines={LOOP: "myloop", HOLDER: "holder", WORKER: "worker"}, followed=True).write(path)


def make(study):
    captures = os.path.join(os.path.dirname(study), "sample.captures")  # where tests of the window have those of the sample
    os.makedirs(captures, exist_ok=True)
    path = os.path.join(captures, "kept.dat")
    write(path)
    return culprit.run("import", "--study", study, "--response-of", "myloop", path)


if __name__ == "__main__":
    if os.path.exists(sys.argv[1]):
        os.remove(sys.argv[1])
    done = make(sys.argv[1])
    sys.exit(done.stderr if done.status else 0)

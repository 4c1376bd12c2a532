# SPDX-License-Identifier: GPL-3.0-or-later
# Damages random captures as tracers and ring buffers do, and in ways they should not: every reader must still count the
# rest in the same way.

from dataclasses import replace

from streams import Stream, well_formed


def shifted(events, first, delta):
    for event in events[first:]:
        event.ts += delta


def lose(rng, events):
    """A sequence of events is lost, and the ring buffer says so, with or without their number."""
    at = rng.randrange(len(events))
    gone = rng.randint(1, 40)
    del events[at:at + gone]
    if at < len(events):
        events[at].lost = rng.choice([0, gone, gone * 3])


def forget_quietly(rng, events):
    del events[rng.randrange(len(events))]


def repeat(rng, events):
    at = rng.randrange(len(events))
    events.insert(at, replace(events[at], lost=None))


def wrong_depth(rng, events):
    event = rng.choice(events)
    event.depth = max(0, event.depth + rng.choice([-2, -1, 1, 2, 7]))


def far_too_deep(rng, events):
    rng.choice(events).depth = rng.choice([510, 511, 512, 600, 65536])


def wrong_function(rng, events):
    rng.choice(events).func = rng.choice([event.func for event in events if event.func] or [0])


def other_task(rng, events):
    """A sequence of events seems to belong to another task, which may be on another CPU at that time."""
    at, pid = rng.randrange(len(events)), rng.choice([0, 128, 128, 200, 201, 202])
    for event in events[at:at + rng.randint(1, 30)]:
        event.pid = pid


def same_time(rng, events):
    at = rng.randrange(len(events))
    for event in events[at:at + rng.randint(2, 6)]:
        shift = event.ts - events[at].ts
        event.ts = events[at].ts
        event.rettime = max(0, event.rettime - shift)


def odd_clock(rng, events):
    """calltime and rettime are on another clock, which may do anything."""
    event = rng.choice(events)
    event.calltime, event.rettime = rng.choice([(5, 0), (0, 10 ** 18), (event.calltime, event.calltime + 10 ** 6),
                                                (0, 0), (2 ** 63, 2 ** 63 + 1000)])


def deep_stack(rng, events):
    """A task recurses deeper and deeper, and returns only in part."""
    at, step = rng.randrange(len(events)), rng.randint(1, 300)
    like, height = events[at], rng.choice([20, 70, 520])
    func = like.func or next((event.func for event in events if event.func), 0)
    new = [replace(like, kind="entry", func=func, depth=like.depth + i, ts=like.ts + step * i, lost=None, text="")
           for i in range(height)]
    new += [replace(new[height - 1 - i], kind="exit", ts=new[-1].ts + step * (i + 1), calltime=10 ** 9,
                    rettime=10 ** 9 + 2 * step * i) for i in range(rng.randint(0, height))]
    shifted(events, at, new[-1].ts - like.ts + step)
    events[at:at] = new


def other_context(rng, events):
    rng.choice(events).flags ^= rng.choice([0x40, 0x08, 0x10, 0x01])


def long_gap(rng, events):
    """A gap longer than a record's relative time can hold."""
    shifted(events, rng.randrange(len(events)), rng.choice([1 << 27, (1 << 27) - 1, 1 << 33]))


HARM = [lose, lose, lose, forget_quietly, forget_quietly, repeat, wrong_depth, far_too_deep, wrong_function,
        other_task, same_time, odd_clock, deep_stack, other_context, long_gap]


def damaged(rng, long_size=8):
    stream = well_formed(rng, long_size)
    for _ in range(rng.choice([1, 3, 10, 30])):
        cpu = rng.choice(list(stream.cpus))
        if len(stream.cpus[cpu]) > 50:
            rng.choice(HARM)(rng, stream.cpus[cpu])
    if rng.random() < 0.2:
        stream.cpus[rng.choice(list(stream.cpus))][0].lost = rng.choice([0, 3])
    return Stream(stream.cpus, stream.symbols, stream.cmdlines, stream.overruns, stream.period)

# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the ring buffer's pages: records with relative times, time extends, absolute timestamps, padding, and marks for
# lost events. @noise (a random.Random) chooses among equivalent forms.

import struct

PADDING, TIME_EXTEND, TIME_STAMP = 29, 30, 31
MISSED_EVENTS, MISSED_STORED = 1 << 31, 1 << 30
DELTA_LIMIT = 1 << 27


class Page:
    def __init__(self, layout, size, ts, lost):
        self.layout, self.size, self.ts, self.lost = layout, size, ts, lost
        self.records = bytearray()

    def room(self):
        """A lost count is stored behind the records, where there is room: here there always is."""
        stored = self.layout.long_size if self.lost else 0
        return self.size - self.layout.data_offset - len(self.records) - stored

    def to_bytes(self):
        commit, stored = len(self.records), b""
        if self.lost is not None:
            commit |= MISSED_EVENTS
            if self.lost > 0:
                commit |= MISSED_STORED
                stored = word(self.layout, self.lost, self.layout.long_size)
        head = word(self.layout, self.ts, 8) + word(self.layout, commit, self.layout.long_size)
        return (head.ljust(self.layout.data_offset, b"\0") + self.records + stored).ljust(self.size, b"\0")


def word(layout, value, size):
    return value.to_bytes(size, "little" if layout.order == "<" else "big")


def record_head(layout, type_len, delta):
    bits = type_len | delta << 5 if layout.order == "<" else type_len << 27 | delta
    return struct.pack(layout.order + "I", bits)


def data_record(layout, payload, delta):
    padded = payload.ljust(-(-len(payload) // 4) * 4, b"\0")
    if layout.record_align == 8:
        padded = padded.ljust(-(-len(padded) // 8) * 8, b"\0")
    if len(padded) > 28 * 4 or layout.record_align == 8:
        return record_head(layout, 0, delta) + word(layout, len(padded) + 4, 4) + padded
    return record_head(layout, len(padded) // 4, delta) + padded


def time_record(layout, kind, value):
    return record_head(layout, kind, value % DELTA_LIMIT) + word(layout, value >> 27, 4)


def discarded_record(layout, length):
    return record_head(layout, PADDING, 1) + word(layout, length - 4, 4) + b"\xee" * (length - 8)


def event_records(layout, event, before, noise, absolute=False):
    """The bytes of an event, its time given relative to @before."""
    payload, delta = layout.encode(event), event.ts - before
    form = noise.random() if noise else 1
    if form < 0.03 or absolute:
        return time_record(layout, TIME_STAMP, event.ts) + data_record(layout, payload, 0)
    if form < 0.06 or delta >= DELTA_LIMIT:
        return time_record(layout, TIME_EXTEND, delta) + data_record(layout, payload, 0)
    return data_record(layout, payload, delta)


def first_stamp(event, before, noise):
    """A page's time stamp: that of its first event, or somewhat earlier."""
    if noise and noise.random() < 0.3:
        return max(before, event.ts - noise.randrange(5000), 0)
    return event.ts


def pages(events, layout, page_size, noise=None):
    """Readers disagree whether a discarded record's delta counts: the event after one has an absolute time."""
    written, page, now = [], None, 0
    for event in events:
        discarded = bool(noise and page and noise.random() < 0.02 and page.room() >= 64)
        if discarded:
            page.records += discarded_record(layout, 8 * noise.randint(1, 8))
        bytes_ = page and event_records(layout, event, now, noise, discarded)
        if not page or event.lost is not None or len(bytes_) > page.room():
            if page and noise and event.lost is None and page.room() >= 4 and noise.random() < 0.5:
                page.records += record_head(layout, PADDING, 0) + bytes(page.room() - 4)
            stamp = first_stamp(event, now, noise)
            page = Page(layout, page_size, stamp, event.lost)
            written.append(page)
            bytes_ = event_records(layout, event, stamp, noise)
        page.records += bytes_
        now = event.ts
    return b"".join(page.to_bytes() for page in written)

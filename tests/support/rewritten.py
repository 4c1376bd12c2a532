# SPDX-License-Identifier: GPL-3.0-or-later
# Rewrites a real capture (trace.dat of version 7, little-endian): another host and kernel, another time, and a late
# wake-up that took longer or shorter by a factor. Everything else stays as trace-cmd wrote it.

import bisect
import ctypes
import re
import struct

from tracefile import (BUFFER, BUFFER_SECTION, DONE, OPTIONS_SECTION, STRINGS_SECTION, UNAME, zstd)

TRACEID = 11
PADDING, TIME_EXTEND, TIME_STAMP = 29, 30, 31
COMMIT = (1 << 20) - 1
STAMP = (1 << 59) - 1
MARKER = re.compile(rb"hit latency threshold \((\d+) > (\d+)\)")


def unzstd(data, size):
    library = ctypes.CDLL("libzstd.so.1")
    library.ZSTD_decompress.restype = ctypes.c_size_t
    out = ctypes.create_string_buffer(size)
    assert library.ZSTD_decompress(out, ctypes.c_size_t(size), data, ctypes.c_size_t(len(data))) == size
    return out.raw


def section(data, offset):
    """The content of the section at @offset, and the offset of the next one."""
    kind, flags, _, size = struct.unpack_from("<HHIQ", data, offset)
    body = data[offset + 16:offset + 16 + size]
    if flags & 1 and kind != BUFFER_SECTION:
        packed, whole = struct.unpack_from("<II", body)
        body = unzstd(body[8:8 + packed], whole)
    return body, offset + 16 + size


def section_head(kind, size, flags=0):
    return struct.pack("<HHIQ", kind, flags, 0, size)


def option(kind, value):
    return struct.pack("<HI", kind, len(value)) + value


class Cpu:
    """The pages of a CPU, and where their times are: `stamps` are (offset, time) of the pages' own; `deltas` are (time,
    time before, offset, is long) of their records, in order of time."""

    def __init__(self, number, chunks, page_size):
        self.number, self.chunk_sizes = number, [len(chunk) for chunk in chunks]
        self.data = b"".join(chunks)
        self.stamps, self.deltas, self.absolute = [], [], []
        for page in range(0, len(self.data), page_size):
            self.read_page(page)
        self.times = [delta[0] for delta in self.deltas]

    def read_page(self, page):
        now, commit = struct.unpack_from("<QQ", self.data, page)
        self.stamps.append((page, now))
        at, end = page + 16, page + 16 + (commit & COMMIT)
        while at < end:
            word, after = struct.unpack_from("<II", self.data, at)
            kind, delta = word & 31, word >> 5
            if kind == PADDING and delta == 0:
                return
            before = now
            if kind == TIME_STAMP:
                now = delta | after << 27
                self.absolute.append((at, now))
            else:
                now += delta | after << 27 if kind == TIME_EXTEND else delta
                self.deltas.append((now, before, at, kind == TIME_EXTEND))
            at += 8 if kind in (TIME_EXTEND, TIME_STAMP) else 4 + after if kind in (0, PADDING) else 4 + 4 * kind

    def rewritten(self, new_time, first, last):
        """The pages, their times changed by @new_time, which changes only distances between @first and @last."""
        data = bytearray(self.data)
        for at, time in self.stamps:
            struct.pack_into("<Q", data, at, new_time(time))
        for at, time in self.absolute:
            self.put_long(data, at, new_time(time) & STAMP)
        for time, before, at, is_long in self.deltas[bisect.bisect_right(self.times, first):]:
            if before >= last:
                break
            delta = new_time(time) - new_time(before)
            if is_long:
                self.put_long(data, at, delta)
            else:
                assert delta < 1 << 27
                struct.pack_into("<I", data, at, data[at] & 31 | delta << 5)
        return data

    @staticmethod
    def put_long(data, at, value):
        struct.pack_into("<II", data, at, data[at] & 31 | (value & (1 << 27) - 1) << 5, value >> 27)


class RealCapture:
    """A capture to rewrite. @window: (start, end) of its late wake-up as culprit finds it, None if it has none."""

    def __init__(self, path, window):
        with open(path, "rb") as file:
            self.data = file.read()
        self.window = window
        compression = self.data.index(b"\0", 18)
        self.options_place = self.data.index(b"\0", compression + 1) + 1
        assert self.data[:12] == b"\x17\x08\x44tracing7\0" and self.data[18:compression] == b"zstd", path
        self.options_at, = struct.unpack_from("<Q", self.data, self.options_place)
        self.options, self.buffer = [], None
        self.read_options()
        marker = next(filter(None, (MARKER.search(cpu.data) for cpu in self.cpus)), None)
        self.latency_us, self.threshold_us = map(int, marker.groups()) if marker else (None, None)

    def read_options(self):
        following = self.options_at
        while following:
            body, _ = section(self.data, following)
            at = following = 0
            while at < len(body):
                kind, size = struct.unpack_from("<HI", body, at)
                value = body[at + 6:at + 6 + size]
                at += 6 + size
                if kind == DONE:
                    following, = struct.unpack("<Q", value)
                    break
                if kind == BUFFER:
                    self.read_buffer(value)
                else:
                    self.options.append((kind, value))

    def read_buffer(self, value):
        assert self.buffer is None, "one instance"
        at = value.index(b"\0", value.index(b"\0", 8) + 1) + 1
        self.buffer = value[8:at + 8]
        page_size, count = struct.unpack_from("<II", value, at)
        self.page_size = page_size
        self.cpus = [self.read_cpu(*struct.unpack_from("<IQQ", value, at + 8 + 20 * i)) for i in range(count)]

    def read_cpu(self, number, at, size):
        chunks = []
        count, = struct.unpack_from("<I", self.data, at)
        at += 4
        for _ in range(count):
            packed, whole = struct.unpack_from("<II", self.data, at)
            chunks.append(unzstd(self.data[at + 8:at + 8 + packed], whole))
            at += 8 + packed
        return Cpu(number, chunks, self.page_size)

    def possible_latency_us(self, factor):
        """The latency next to @factor times its own that can be written in place of it: as many digits, above the
        threshold, and within a period of 5 ms if it was."""
        digits = len(str(self.latency_us))
        lowest = max(self.threshold_us + 1, 10 ** (digits - 1))
        highest = min(max(self.latency_us, 4900), 10 ** digits - 1)
        return min(max(round(self.latency_us * factor), lowest), highest)

    def to_bytes(self, host, kernel, identity, shift_ns=0, latency_us=None):
        """The capture of @host, with @kernel, @shift_ns later; its late wake-up @latency_us late. @identity: 8 bytes."""
        new_time, first, last = self.clock(shift_ns, latency_us)
        marker = b"hit latency threshold (%d > " % latency_us if latency_us else None
        out = bytearray(self.data[:self.options_at])
        options = b"".join(option(kind, self.new_option(kind, value, host, kernel, identity)) for kind, value in self.options)
        places, buffer = [], bytearray()
        buffer_at = len(out) + 16 + len(options) + 14 + 16
        for cpu in self.cpus:
            data = cpu.rewritten(new_time, first, last)
            if marker:
                data = data.replace(b"hit latency threshold (%d > " % self.latency_us, marker)
            places.append((cpu.number, buffer_at + len(buffer), len(buffer)))
            buffer += self.packed(cpu, data)
        ends = [start for _, _, start in places[1:]] + [len(buffer)]
        table = b"".join(struct.pack("<IQQ", number, at, end - start)
                         for (number, at, start), end in zip(places, ends))
        second = option(BUFFER, struct.pack("<Q", buffer_at - 16) + self.buffer + table) + option(DONE, bytes(8))
        options += option(DONE, struct.pack("<Q", buffer_at + len(buffer)))
        out += section_head(OPTIONS_SECTION, len(options)) + options
        out += section_head(BUFFER_SECTION, len(buffer), 1) + buffer
        out += section_head(OPTIONS_SECTION, len(second)) + second
        return bytes(out + section_head(STRINGS_SECTION, 0))

    def packed(self, cpu, data):
        out, at = bytearray(struct.pack("<I", len(cpu.chunk_sizes))), 0
        for size in cpu.chunk_sizes:
            chunk = zstd(bytes(data[at:at + size]))
            out += struct.pack("<II", len(chunk), size) + chunk
            at += size
        return out

    def clock(self, shift_ns, latency_us):
        """A function from an old time to the new one, and between which times it does not only shift."""
        if not latency_us or latency_us == self.latency_us:
            return lambda time: time + shift_ns, 0, 0
        start, end = self.window
        old, new = end - start, end - start + (latency_us - self.latency_us) * 1000

        def new_time(time):
            if time <= start:
                return time + shift_ns
            if time >= end:
                return time + shift_ns + new - old
            return start + shift_ns + ((time - start) * new + old // 2) // old

        return new_time, start, end

    @staticmethod
    def new_option(kind, value, host, kernel, identity):
        if kind == UNAME:
            system, _, _, machine = value.rstrip(b"\0").decode().split(" ")
            return f"{system} {host} {kernel} {machine}\0".encode(errors="surrogateescape")
        return identity if kind == TRACEID else value

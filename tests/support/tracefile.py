# SPDX-License-Identifier: GPL-3.0-or-later
# Writes synthetic trace.dat files of versions 6 and 7, in every layout of layouts.py. Remembers the position of each
# length, count and offset (`lengths`), so that tests can corrupt them.

import ctypes
import random
from dataclasses import dataclass, field
from typing import Optional

from layouts import HEADER_EVENT, LAYOUTS, Layout
from ring import pages, word

DONE, CPUSTAT, BUFFER, TRACECLOCK, UNAME, OFFSET, CPUCOUNT, TSC2NSEC = 0, 2, 3, 4, 5, 7, 8, 14
HEADER_INFO, FTRACE_EVENTS, EVENT_FORMATS, KALLSYMS, PRINTK, CMDLINES = 16, 17, 18, 19, 20, 21
OPTIONS_SECTION, BUFFER_SECTION, STRINGS_SECTION = 0, 3, 15
CHUNK_PAGES = 4


def zstd(data):
    library = ctypes.CDLL("libzstd.so.1")
    library.ZSTD_compressBound.restype = ctypes.c_size_t
    library.ZSTD_compress.restype = ctypes.c_size_t
    size = library.ZSTD_compressBound(ctypes.c_size_t(len(data)))
    out = ctypes.create_string_buffer(size)
    size = library.ZSTD_compress(out, ctypes.c_size_t(size), data, ctypes.c_size_t(len(data)), 1)
    return out.raw[:size]


class Buffer:
    """Bytes that grow, numbers that can be filled in later, and a list of all lengths: (name, offset, size)."""

    def __init__(self, layout):
        self.layout, self.data, self.lengths = layout, bytearray(), []

    def __len__(self):
        return len(self.data)

    def put(self, data):
        self.data += data

    def string(self, text):
        self.data += text.encode() + b"\0"

    def number(self, value, size):
        self.data += word(self.layout, value, size)

    def length(self, name, value, size):
        """A number that a reader relies on; gives its place, to be filled in by fill()."""
        self.lengths.append((name, len(self.data), size))
        self.number(value, size)
        return len(self.data) - size

    def fill(self, place, value, size=8):
        self.data[place:place + size] = word(self.layout, value, size)

    def sized(self, name, data, size):
        self.length(name, len(data), size)
        self.put(data)

    def append(self, other):
        self.lengths += [(name, len(self.data) + offset, size) for name, offset, size in other.lengths]
        self.data += other.data

    def align(self, page_size):
        self.data += bytes(-len(self.data) % page_size)


@dataclass
class TraceFile:
    """instances: name ("" is the top one) -> CPU -> events. overruns: CPU -> events overwritten in the ring buffer
    of instance overruns_of. symbols: (address, name, module). tsc2nsec: (multiplier, shift, offset)."""
    instances: dict
    layout: Layout = LAYOUTS["6.1"]
    version: int = 6
    compression: str = "none"
    page_size: int = 4096
    symbols: list = field(default_factory=list)
    cmdlines: dict = field(default_factory=dict)
    overruns: dict = field(default_factory=dict)
    overruns_of: str = ""
    clock: str = "mono"
    clock_after_cpus: bool = False  # as trace-cmd 2 wrote version 6
    clocks: dict = field(default_factory=dict)  # those of instances that have another, in version 7
    uname: str = "Linux testhost 6.1.0-test-amd64 #1 SMP x86_64"
    tsc2nsec: Optional[tuple] = None
    offset: Optional[str] = None
    cpus: int = 0
    followed: bool = False  # Events about migration and timers are described, too.
    noise_seed: Optional[int] = None
    lengths: list = field(default_factory=list)

    def to_bytes(self):
        self.cpus = self.cpus or 1 + max(cpu for cpus in self.instances.values() for cpu in cpus)
        self.noise = random.Random(self.noise_seed) if self.noise_seed is not None else None
        out = Buffer(self.layout)
        out.put(b"\x17\x08\x44tracing")
        out.string(str(self.version))
        out.put(bytes([self.layout.order == ">", self.layout.user_long_size]))
        out.length("page size", self.page_size, 4)
        if self.version == 6:
            self.write_v6(out)
        else:
            self.write_v7(out)
        self.lengths = out.lengths
        return bytes(out.data)

    def write(self, path):
        with open(path, "wb") as file:
            file.write(self.to_bytes())

    # The parts that both versions have.

    def header_info(self, out):
        out.string("header_page")
        out.sized("header page", self.layout.header_page(self.page_size).encode(), 8)
        out.string("header_event")
        out.sized("header event", HEADER_EVENT.encode(), 8)

    def ftrace_formats(self, out):
        names = self.layout.names()
        out.length("ftrace formats", len(names), 4)
        for name in names:
            out.sized(f"format of {name}", self.layout.description(name).encode(), 8)

    def event_formats(self, out):
        systems = {"sched": ["sched_switch", "sched_waking"]}
        if self.followed:
            systems["sched"] += ["sched_migrate_task"]
            systems["timer"] = ["hrtimer_start", "hrtimer_cancel"]
        out.length("systems", len(systems), 4)
        for system, names in systems.items():
            out.string(system)
            out.length(f"events of {system}", len(names), 4)
            for name in names:
                out.sized(f"format of {name}", self.layout.description(name).encode(), 8)

    def kallsyms(self, out):
        lines = [f"{address:0{2 * self.layout.long_size}x} {'t' if module else 'T'} {name}"
                 + (f"\t[{module}]" if module else "") + "\n" for address, name, module in self.symbols]
        out.sized("kallsyms", "".join(lines).encode(), 4)

    def printk(self, out):
        out.sized("printk", b"", 4)

    def saved_cmdlines(self, out):
        out.sized("cmdlines", "".join(f"{pid} {comm}\n" for pid, comm in self.cmdlines.items()).encode(), 8)

    def option(self, out, kind, data):
        out.number(kind, 2)
        out.sized(f"option {kind}", data, 4)

    def common_options(self, out):
        if self.overruns_of:
            self.option(out, CPUSTAT, f"\nBuffer: {self.overruns_of}\n\n\0".encode())
        for cpu, overrun in self.overruns.items():
            text = (f"CPU: {cpu}\nentries: 0\noverrun: {overrun}\ncommit overrun: 0\nbytes: 0\n"
                    "oldest event ts:     0.000000\nnow ts:     1.000000\ndropped events: 0\nread events: 0\n")
            self.option(out, CPUSTAT, text.encode() + b"\0")
        self.option(out, TRACECLOCK, b"" if self.clock_after_cpus else self.clocks_text() + b"\0")
        self.option(out, UNAME, self.uname.encode() + b"\0")
        if self.offset is not None:
            self.option(out, OFFSET, self.offset.encode() + b"\0")
        if self.tsc2nsec:
            mult, shift, offset = self.tsc2nsec
            data = word(self.layout, mult, 4) + word(self.layout, shift, 4) + word(self.layout, offset, 8)
            self.option(out, TSC2NSEC, data)

    def clocks_text(self):
        return f"local global counter uptime perf [{self.clock}] mono_raw\n".encode()

    def cpu_pages(self, instance, cpu):
        return pages(self.instances[instance].get(cpu, []), self.layout, self.page_size, self.noise)

    # Version 6: one header, then the options, then the pages.

    def write_v6(self, out):
        for part in (self.header_info, self.ftrace_formats, self.event_formats, self.kallsyms, self.printk,
                     self.saved_cmdlines):
            part(out)
        out.length("cpus", self.cpus, 4)
        out.string("options  ")
        self.common_options(out)
        places = {}
        for name in filter(None, self.instances):
            out.number(BUFFER, 2)
            out.length("option 3", 8 + len(name) + 1, 4)
            places[name] = out.length(f"offset of {name}", 0, 8)
            out.string(name)
        out.number(DONE, 2)
        for name in sorted(self.instances):
            if name:
                out.fill(places[name], len(out))
            self.v6_instance(out, name)

    def v6_instance(self, out, name):
        out.string("flyrecord")
        table = [(out.length(f"offset of cpu {cpu}", 0, 8), out.length(f"size of cpu {cpu}", 0, 8))
                 for cpu in range(self.cpus)]
        if self.clock_after_cpus:
            out.sized("clocks", self.clocks_text(), 8)
        for cpu, (offset, size) in enumerate(table):
            out.align(self.page_size)
            data = self.cpu_pages(name, cpu)
            out.fill(offset, len(out))
            out.fill(size, len(data))
            out.put(data)

    # Version 7: sections, found by the options; the options are in two sections, the second found by the first.

    def write_v7(self, out):
        out.string(self.compression)
        out.string("" if self.compression == "none" else "1.5.4")
        first = out.length("offset of the options", 0, 8)
        titles = ["headers", "ftrace events", "events", "kallsyms", "printk", "cmdlines"]
        parts = [self.header_info, self.ftrace_formats, self.event_formats, self.kallsyms, self.printk,
                 self.saved_cmdlines]
        offsets, string_id = {}, 0
        for kind, part, title in zip(range(HEADER_INFO, CMDLINES + 1), parts, titles):
            offsets[kind] = len(out)
            body = Buffer(self.layout)
            part(body)
            self.section(out, kind, string_id, body)
            string_id += len(title) + 1
        body = Buffer(self.layout)
        for kind, offset in offsets.items():
            body.number(kind, 2)
            body.length(f"option {kind}", 8, 4)
            body.length(f"offset of section {kind}", offset, 8)
        self.common_options(body)
        self.option(body, CPUCOUNT, word(self.layout, self.cpus, 4))
        out.fill(first, len(out))
        second = self.options(out, body)
        body = Buffer(self.layout)
        for name in sorted(self.instances):
            self.v7_instance(out, body, name)
        strings = Buffer(self.layout)
        for title in titles:
            strings.string(title)
        self.section(out, STRINGS_SECTION, 0, strings)
        out.fill(second, len(out))
        self.last_options(out, body)

    def section(self, out, kind, string_id, body):
        compressed = self.compression == "zstd"
        out.number(kind, 2)
        out.number(int(compressed), 2)
        out.number(string_id, 4)
        if compressed:
            data = zstd(bytes(body.data))
            out.length(f"size of section {kind}", len(data) + 8, 8)
            out.length(f"compressed size of section {kind}", len(data), 4)
            out.length(f"whole size of section {kind}", len(body), 4)
            out.put(data)
        else:
            out.length(f"size of section {kind}", len(body), 8)
            out.append(body)

    def options(self, out, body):
        """An options section (never compressed); gives the place of the offset of the next one."""
        body.number(DONE, 2)
        body.length("option 0", 8, 4)
        body.length("offset of the next options", 0, 8)
        out.number(OPTIONS_SECTION, 2)
        out.number(0, 2)
        out.number(0, 4)
        out.length("size of section 0", len(body), 8)
        out.append(body)
        return len(out) - 8

    def last_options(self, out, body):
        self.options(out, body)

    def v7_instance(self, out, options, name):
        cpus = sorted(self.instances[name])
        start = len(out)
        out.number(BUFFER_SECTION, 2)
        out.number(int(self.compression != "none"), 2)
        out.number(0, 4)
        size = out.length(f"size of buffer {name}", 0, 8)
        table = [self.v7_cpu(out, name, cpu) for cpu in cpus]
        out.fill(size, len(out) - start - 16)

        text = f"{name}\0{self.clocks.get(name, self.clock)}\0".encode()
        options.number(BUFFER, 2)
        options.length("option 3", 8 + len(text) + 8 + 20 * len(cpus), 4)
        options.length(f"offset of buffer {name}", start, 8)
        options.put(text)
        options.length(f"page size of buffer {name}", self.page_size, 4)
        options.length(f"cpus of buffer {name}", len(cpus), 4)
        for cpu, (offset, length) in zip(cpus, table):
            options.length(f"number of cpu {cpu}", cpu, 4)
            options.length(f"offset of cpu {cpu}", offset, 8)
            options.length(f"size of cpu {cpu}", length, 8)

    def v7_cpu(self, out, name, cpu):
        data = self.cpu_pages(name, cpu)
        if self.compression == "none":
            out.align(self.page_size)
            start = len(out)
            out.put(data)
            return start, len(data)
        start, step = len(out), CHUNK_PAGES * self.page_size
        chunks = [data[i:i + step] for i in range(0, len(data), step)]
        out.length(f"chunks of cpu {cpu}", len(chunks), 4)
        for chunk in chunks:
            compressed = zstd(chunk)
            out.length(f"compressed size of a chunk of cpu {cpu}", len(compressed), 4)
            out.length(f"whole size of a chunk of cpu {cpu}", len(chunk), 4)
            out.put(compressed)
        return start, len(out) - start - 4  # as trace-cmd has it, without the number of chunks

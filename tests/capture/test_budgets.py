# SPDX-License-Identifier: GPL-3.0-or-later
# A capture costs memory and time in proportion to its size, whatever it claims to contain.

import base64
import itertools
import json
import os
import random
import struct
import sys
import tempfile
import unittest
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import culprit  # noqa: E402
from events import HARDIRQ, Event, entry, leave, marker, other  # noqa: E402
from tracefile import BUFFER, BUFFER_SECTION, KALLSYMS, TraceFile, zstd  # noqa: E402

FUNC = 0x1000
MEMORY = 700 << 20  # address space; a capture of tests/data takes some 150 MB of it, mostly threads' stacks
DATA = 300 << 20     # without what is only reserved
MEGABYTE = 1_000_000
SECONDS = 20        # of processor time; each takes less than one


def small_events(n=40):
    events = []
    for i in range(n):
        events += [entry(10 ** 9 + 1000 * i, 50, FUNC, 0), leave(10 ** 9 + 1000 * i + 500, 50, FUNC, 0)]
    return events + [marker(10 ** 9 + 1000 * n, 50, 900, 100)]


class Shared(TraceFile):
    """Version 7: each of @buffers buffers has @many CPUs, all of them with the pages of CPU 0."""
    many, buffers, size = 1, 1, None

    def before_buffers(self, options, offset):
        pass

    def v7_instance(self, out, options, name):
        start = len(out)
        out.number(BUFFER_SECTION, 2)
        out.number(int(self.compression == "zstd"), 2)
        out.number(0, 4)
        place = out.length("", 0, 8)
        offset, length = self.v7_cpu(out, name, 0)
        out.fill(place, len(out) - start - 16)
        self.before_buffers(options, offset)
        for i in range(self.buffers):
            text = f"{name}{i or ''}\0{self.clock}\0".encode()
            options.number(BUFFER, 2)
            options.length("", 8 + len(text) + 8 + 20 * self.many, 4)
            options.length("", start, 8)
            options.put(text)
            options.length("", self.page_size, 4)
            options.length("", self.many, 4)
            for cpu in range(self.many):
                options.length("", cpu, 4)
                options.length("", offset, 8)
                options.length("", length if self.size is None or cpu == 0 else self.size, 8)


class Covered(Shared):
    """And symbols of no bytes begin where these pages do."""
    many = 8

    def v7_cpu(self, out, name, cpu):
        out.align(self.page_size)
        out.put(bytes(self.page_size - 16))
        out.number(KALLSYMS, 2)
        out.put(bytes(14))
        return super().v7_cpu(out, name, cpu)

    def before_buffers(self, options, offset):
        self.option(options, KALLSYMS, (offset - 16).to_bytes(8, "little"))


class Repeated(TraceFile):
    """Version 7: its options name the kernel's symbols time and again."""
    def common_options(self, out):
        at = next(offset for name, offset, _ in out.lengths if name == f"offset of section {KALLSYMS}")
        where = bytes(out.data[at:at + 8])
        for _ in range(20000):
            self.option(out, KALLSYMS, where)
        super().common_options(out)


class Described(Shared):
    """One more event is described, in these words."""
    words = ""

    def ftrace_formats(self, out):
        texts = [*map(self.layout.description, self.layout.names()), self.words]
        out.length("", len(texts), 4)
        for text in texts:
            out.sized("", text.encode(), 8)


class LongSystem(TraceFile):
    """A system whose name is long has many events."""
    def event_formats(self, out):
        out.length("", 1, 4)
        out.put(b"A" * 450_000 + b"\0")
        out.length("", 20_000, 4)
        for i in range(20_000):
            out.sized("", b"e\nID:%d\n" % (40_000 + i), 8)


class BadSystem(TraceFile):
    """The bytes of a system's name are no text."""
    def event_formats(self, out):
        out.length("", 1, 4)
        out.put(b"\xff" * 4000 + b"\0")
        out.length("", 1, 4)
        out.sized("", self.layout.description("sched_switch").encode(), 8)


class Named(TraceFile):
    """The kernel's symbols are this text."""
    text = b""

    def kallsyms(self, out):
        out.sized("", self.text, 4)


class Bomb(TraceFile):
    """Version 7: a chunk of pages that unpack to far more than there is."""
    def v7_cpu(self, out, name, cpu):
        start, empty = len(out), bytes(8 << 20)
        chunks = [self.cpu_pages(name, cpu), *[empty] * 40]
        out.number(len(chunks), 4)
        packed = {chunk: zstd(chunk) for chunk in set(chunks)}
        for chunk in chunks:
            out.number(len(packed[chunk]), 4)
            out.number(len(chunk), 4)
            out.put(packed[chunk])
        return start, len(out) - start


class Tasks(TraceFile):
    """Version 7: chunks of pages full of twelve-byte events, each of another task than the one before."""
    chunks, padded, frames = 1, 0, b""

    def v7_cpu(self, out, name, cpu):
        start = len(out)
        events = b"".join(struct.pack("<IHBBi", 2, 9999, 0, 0, pid) for pid in (50, 51)) * ((self.page_size - 16) // 24)
        page = struct.pack("<QQ", 10 ** 9, len(events)) + events
        pack = {"zstd": zstd, "zlib": zlib.compress}[self.compression]
        packed = pack((page + bytes(self.page_size - len(page))) * 256) + self.frames
        out.number(self.chunks, 4)
        for _ in range(self.chunks):
            out.number(len(packed), 4)
            out.number(256 * self.page_size, 4)
            out.put(packed)
        out.put(bytes(self.padded))
        return start, len(out) - start


def put_chunks(out, chunks):
    """Pages, compressed chunk by chunk. Returns where they are."""
    start = len(out)
    out.number(len(chunks), 4)
    for chunk in chunks:
        packed = zstd(chunk)
        out.put(struct.pack("<II", len(packed), len(chunk)) + packed)
    return start, len(out) - start


class Visits(TraceFile):
    """Version 7: two tasks, each with open calls, take turns on a CPU with every event: each visit ends a part of each call."""
    def v7_cpu(self, out, name, cpu):
        opened = self.cpu_pages(name, cpu)
        events = b"".join(struct.pack("<IHBBi", 2 | 1 << 5, 9999, 0, 0, pid) for pid in (50, 51)) * ((self.page_size - 16) // 24)
        now, chunks = 10 ** 9 + 10 ** 6, [opened]
        for _ in range(4):
            pages = b""
            for _ in range(48):
                pages += (struct.pack("<QQ", now, len(events)) + events).ljust(self.page_size, b"\0")
                now += len(events) // 12
            chunks.append(pages)
        self.instances[name][cpu] = [marker(now + 1000, 50, 900, 100)]
        chunks.append(self.cpu_pages(name, cpu))
        return put_chunks(out, chunks)


class Followed(TraceFile):
    """Version 7: a task leaves a CPU and comes to it, with every event of twelve bytes."""
    def event_formats(self, out):
        fields = "".join(f"\tfield:int {name};\toffset:4;\tsize:4;\tsigned:1;\n" for name in ("prev_pid", "prev_prio", "next_pid", "next_prio"))
        out.length("", 1, 4)
        out.string("sched")
        out.length("", 1, 4)
        out.sized("", f"name: sched_switch\nID: 5000\nformat:\n{fields}".encode(), 8)

    def v7_cpu(self, out, name, cpu):
        events = struct.pack("<IHBBi", 2 | 1 << 5, 5000, 0, 0, 50) * ((self.page_size - 16) // 12)
        chunks = [self.cpu_pages(name, cpu)]
        for i in range(7):
            pages = (struct.pack("<QQ", 10 ** 9 + 10 ** 6 * (1 + 50 * i + k), len(events)) + events for k in range(50))
            chunks.append(b"".join(page.ljust(self.page_size, b"\0") for page in pages))
        return put_chunks(out, chunks)


class System(TraceFile):
    """Another system has two events, described in these words."""
    words = ""

    def event_formats(self, out):
        out.length("", 1, 4)
        out.string("sys")
        out.length("", 2, 4)
        for number, name in enumerate(("ev", "ew")):
            out.sized("", (f"name: {name}\nID: {5000 + number}\n" + self.words).encode(), 8)


def trace(kind=TraceFile, version=7, compression="none", **more):
    made = kind({"": {0: small_events()}}, version=version, compression=compression, symbols=[(FUNC, "f", "")],
                cmdlines={50: "cyclictest"})
    for name, value in more.items():
        setattr(made, name, value)
    return made


class Budgets(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")

    def import_(self, data):
        path = os.path.join(self.folder, "x.dat")
        with open(path, "wb") as file:
            file.write(data)
        return culprit.import_captures(self.study, [path], before=("prlimit", f"--cpu={SECONDS}", f"--as={MEMORY}"))

    def assert_refused(self, data, *words):
        result = self.import_(data)
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        for word in ("x.dat: damaged", *words):
            self.assertIn(word, result.stderr)

    def assert_stored(self, data):
        result = self.import_(data)
        self.assertEqual((result.status, culprit.rows(self.study, "SELECT events FROM capture")),
                         (0, [{"events": 81}]), result.stderr)

    def test_pages_belong_to_one_cpu(self):
        for many, buffers, compression in ((2, 1, "none"), (8000, 1, "none"), (1, 2, "none"), (2, 900, "none"),
                                           (8000, 1, "zstd")):
            with self.subTest(many=many, buffers=buffers, compression=compression):
                self.assert_refused(trace(Shared, compression=compression, many=many, buffers=buffers).to_bytes(),
                                    "overlap")

    def test_pages_behind_nothing_belong_to_one_cpu(self):
        self.assert_refused(trace(Covered).to_bytes(), "overlap")

    def test_pages_of_version_6_belong_to_one_cpu_and_are_no_headers(self):
        for name in ("offset of cpu 1", "offset of cpu 0"):
            made = trace(version=6, instances={"": {0: small_events(), 1: small_events()}})
            data = bytearray(made.to_bytes())
            places = {name: offset for name, offset, _ in made.lengths}
            other = "offset of cpu 0" if name.endswith("1") else None
            value = data[places[other]:places[other] + 8] if other else (64).to_bytes(8, "little")
            data[places[name]:places[name] + 8] = value
            with self.subTest(name):
                self.assert_refused(bytes(data), "overlap")

    def test_compressed_pages_end_where_their_cpu_does(self):
        made = trace(compression="zstd", instances={"": {0: small_events(), 1: small_events()}})
        data = bytearray(made.to_bytes())
        place, = (offset for name, offset, _ in made.lengths if name == "size of cpu 1")
        size = int.from_bytes(data[place:place + 8], "little")
        for claimed in (1, 4, 8, 12, size - 1):
            data[place:place + 8] = claimed.to_bytes(8, "little")
            with self.subTest(claimed):
                self.assert_refused(bytes(data), "where its data has ended")

    def test_a_part_of_the_headers_is_read_once(self):
        self.assert_refused(trace(Repeated).to_bytes(), "overlap")

    def test_more_buffers_than_anybody_has(self):
        self.assert_refused(trace(Shared, buffers=20000, many=0).to_bytes(), "buffers")

    def test_what_unpacks_out_of_proportion(self):
        self.assert_refused(trace(Bomb, compression="zstd").to_bytes(), "decompressed")

    def test_events_that_unpack_out_of_proportion(self):
        """What the file has beside them makes no difference: nothing, a megabyte anywhere, or behind each chunk."""
        skipped = struct.pack("<II", 0x184D2A50, 20_000) + bytes(20_000)
        for more, behind in (({}, 0), ({}, MEGABYTE), ({"padded": MEGABYTE}, 0), ({"frames": skipped}, 0),
                             ({"compression": "zlib", "frames": skipped}, 0)):
            with self.subTest(behind=behind, **{name: len(str(value)) for name, value in more.items()}):
                made = trace(Tasks, page_size=65536, chunks=2 if "frames" in more else 4, **{"compression": "zstd", **more})
                path = os.path.join(self.folder, "x.dat")
                with open(path, "wb") as file:
                    file.write(made.to_bytes() + bytes(behind))
                result = culprit.run("import", "--study", self.study, path, before=("prlimit", f"--data={DATA}"))
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                self.assertIn("decompressed" if "frames" in more else "more events than a file of this size", result.stderr)

    def import_windows(self, definition, data, status=0, told=1):
        """With a log that says what they are."""
        path = os.path.join(self.folder, "x.dat")
        with open(path, "wb") as file:
            file.write(data)
        with open(os.path.join(self.folder, "x.json"), "w", encoding="ascii") as file:
            json.dump({"type": "capture", "culprit_cycles": 1, "threshold_ns": 0, "window": definition}, file)
        result = culprit.run("import", "--study", self.study, path, before=("prlimit", f"--data={DATA}", f"--cpu={SECONDS}"))
        self.assertEqual((result.status, len(result.error_lines())), (status, told), result.stderr)

    def test_events_of_a_task_that_is_followed_out_of_proportion(self):
        data = trace(Followed, compression="zstd", page_size=65536).to_bytes()
        self.assertLess(len(data), 100_000)
        self.import_windows("wakeup-of/waking:cyclictest", data)
        self.assertEqual(culprit.rows(self.study, "SELECT no_windows FROM capture"), [{"no_windows": "too-many-events"}])

    def test_a_task_that_waits_while_many_cpus_are_not_seen(self):
        """None of which can have had it: their events begin after its own."""
        events, cpus = [], 6000
        for start in range(10 ** 9, 10 ** 9 + 60_000 * 4096, 4096):
            events += [Event(start, "waking", 0, values={"pid": 50}), Event(start + 1024, "switch", 0, priorities=(120, 50, 1)),
                       Event(start + 2048, "switch", 50, values={"prev_state": 1}, priorities=(1, 0, 120))]
        seen = [Event(10 ** 9 - 2000, "switch", 0, priorities=(120, 50, 1)), Event(10 ** 9 - 1000, "switch", 50, values={"prev_state": 1}, priorities=(1, 0, 120))]
        late = [entry(events[-1].ts + 1000, 0, FUNC, 0)]
        made = TraceFile({"": {0: events, 1: seen, **dict.fromkeys(range(2, cpus), late)}}, version=7, compression="zstd", cpus=cpus, followed=True,
                         overruns=dict.fromkeys(range(2, cpus), 1), symbols=[(FUNC, "f", "")], cmdlines={50: "cyclictest"})
        self.import_windows("wakeup-of/waking:cyclictest", made.to_bytes())
        self.assertEqual(culprit.rows(self.study, "SELECT COUNT (*) AS n FROM window"), [{"n": 60_000}])

    def test_symbols_that_unpack_out_of_proportion(self):
        self.assert_refused(trace(Named, compression="zstd", text=b"1 t a\n" * 5_000_000).to_bytes(), "more symbols than a file of this size")

    def test_symbols_that_are_no_text(self):
        """Made valid, they would take three times as much."""
        text = b"\xff" * 90_000_000 + base64.b64encode(random.Random(1).randbytes(400_000))
        self.write_log((10 ** 9, 10 ** 9 + 1000))
        path = os.path.join(self.folder, "x.dat")
        trace(Named, compression="zstd", text=text).write(path)
        result = culprit.run("import", "--study", self.study, path, before=("prlimit", f"--data={DATA}", f"--cpu={SECONDS}"))
        self.assertEqual(result.status, 0, result.stderr)

    def test_modules_that_unpack_out_of_proportion(self):
        text = b"".join(b"1 t a\t[%s%d]\n" % (b"\xff" * 170, i % 2) for i in range(160_000))
        self.assert_refused(trace(Named, compression="zstd", text=text).to_bytes(), "more symbols than a file of this size")

    def test_an_event_that_begins_windows_is_searched_in_proportion(self):
        self.import_windows("between/a=b:sys:ev..sys:ew", trace(System, compression="zstd", words="field:" * 2_000_000).to_bytes(), 2)

    def test_an_event_with_a_long_name(self):
        self.assert_stored(trace(Described, compression="zstd", words=f"name: {'n' * 30_000_000}\nID: 9999\n").to_bytes())

    def test_holes_are_refused_out_of_proportion(self):
        path = os.path.join(self.folder, "x.dat")
        for version in (6, 7):
            data = trace(version=version).to_bytes()
            for size, refused in ((len(data) + 1000, False), (5 << 20, True), (1 << 33, True), (1 << 42, True)):
                with self.subTest(version=version, size=size):
                    with open(path, "wb") as file:
                        file.write(data)
                        file.truncate(size)
                    result = culprit.import_captures(self.study, [path], before=("prlimit", f"--cpu={SECONDS}", f"--as={MEMORY}"))
                    if refused:
                        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                        self.assertRegex(result.stderr, r"x\.dat: sparse \([0-9]+ MB of it are holes\); .*cp --sparse=never")
                    else:
                        self.assertEqual(result.status, 0, result.stderr)

    def test_cpus_without_pages_cost_nothing(self):
        self.assert_stored(trace(Described, many=8000, size=0, words="name: last\nID: 65000\n").to_bytes())

    def test_cpus_with_little_on_them_cost_little(self):
        made = trace(instances={"": {cpu: small_events(1) for cpu in range(2000)}}, page_size=512)
        result = self.import_(made.to_bytes())
        self.assertEqual((result.status, culprit.rows(self.study, "SELECT events FROM capture")), (0, [{"events": 6000}]),
                         result.stderr)

    def test_a_description_is_searched_in_proportion(self):
        words = "name: funcgraph_entry\nID: 99\n" + "field:x func;\n" * 500_000
        self.assert_stored(trace(Described, words=words).to_bytes())

    def test_so_is_one_whose_lines_do_not_end(self):
        for words in ("field:x func;" * 500_000, "field:" * 1_000_000):
            with self.subTest(words[:8]):
                self.assert_cheap(small_events(), Described, words=f"name: funcgraph_entry\nID: 99\n{words}")

    def assert_cheap(self, events, kind=TraceFile, **more):
        instances = {"": events if isinstance(events, dict) else {0: events}}
        made = trace(kind, compression="zstd", instances=instances, **more)
        result = self.import_(made.to_bytes())
        self.assertEqual(result.status, 0, result.stderr)

    def test_symbols_of_modules_of_the_same_name(self):
        text = b"".join(b"%x t f%d\t[f%d]\n" % (FUNC + 16 * i, i, i) for i in range(1, 200_000))
        self.assert_cheap(small_events(), Named, text=text)

    def test_modules_whose_names_are_alike_to_a_simple_hash(self):
        names = map("".join, itertools.product(("bB", "ac"), repeat=17))
        text = b"".join(b"%x t f%d\t[%s]\n" % (FUNC + 16 * i, i, name.encode()) for i, name in enumerate(names))
        self.assert_cheap(small_events(), Named, text=text)

    def test_functions_whose_names_are_alike_to_a_simple_hash(self):
        names = list(map("".join, itertools.product(("bB", "ac"), repeat=16)))
        text = b"".join(b"%x t %s\n" % (FUNC + 16 * i, name.encode()) for i, name in enumerate(names))
        calls = [entry(10 ** 9 + i, 50, FUNC + 16 * i, 0) for i in range(len(names))]
        self.assert_cheap(calls, Named, text=text)

    def test_many_symbols_at_one_address(self):
        text = b"".join(b"%x t f%d\n" % (FUNC, i) for i in range(200_000))
        self.assert_cheap([entry(10 ** 9 + i, 50, FUNC + i, 0) for i in range(200_000)], Named, text=text)

    def test_addresses_of_one_slot(self):
        """A hash table that multiplies by a number that everybody knows has all of them in one place."""
        inverse = pow(0x9E3779B97F4A7C15, -1, 1 << 64)
        self.assert_cheap([entry(10 ** 9 + i, 50, i * inverse % (1 << 64), 0) for i in range(200_000)])

    def test_a_system_with_a_long_name(self):
        self.assert_stored(trace(LongSystem).to_bytes())

    def test_names_of_events_that_are_no_text(self):
        """Each byte of a name that is no text takes three, and each event that has it a row."""
        made = BadSystem({"": {0: [*small_events(), other(10 ** 9 + 10 ** 6, 50)]}}, symbols=[(FUNC, "f", "")], cmdlines={50: "cyclictest"})
        result = self.import_(made.to_bytes())
        self.assertEqual(result.status, 0, result.stderr)
        names = [row["event"] for row in culprit.rows(self.study, "SELECT event FROM capture_event")]
        self.assertIn("\ufffd" * 42 + ":sched_switch", names)

    def test_a_function_with_a_long_name(self):
        """The measured task calls it time and again."""
        text = b"%x t __x64_sys_clock_nanosleep\n%x t %s\n%x t end\n" % (FUNC, FUNC + 16, b"e_" * 200_000, FUNC + 32)
        calls = [call for i in range(60_000) for call in (entry(10 ** 9 + 20 * i, 50, FUNC + 16, 0), leave(10 ** 9 + 20 * i + 10, 50, FUNC + 16, 0))]
        self.assert_cheap([*calls, marker(10 ** 9 + 2_000_000, 50, 900, 100)], Named, text=text)

    def test_interrupts_whose_work_never_comes(self):
        """Each is looked ahead for."""
        text = b"%x t tick_irq_enter\n%x t f\n" % (FUNC, FUNC + 16)
        events = []
        for i in range(200_000):
            events.append(entry(10 ** 9 + 2 * i, 50, FUNC if i % 2 else FUNC + 16, i % 500, HARDIRQ if i % 2 else 0))
        self.assert_cheap(events, Named, text=text)

    def test_many_losses_among_many_tasks(self):
        before = [entry(10 ** 9 + i, 100 + i, FUNC, 0) for i in range(100_000)]
        after = [entry(10 ** 10 + i, 100, FUNC, 0, lost=1) for i in range(40_000)]
        self.assert_cheap(before + after, page_size=128)

    def test_many_visits_of_many_cpus(self):
        self.assert_cheap({cpu: [entry(10 ** 9 + 10 ** 6 * i + cpu, 1 + cpu + i % 2, FUNC, 0) for i in range(25)]
                           for cpu in range(8000)}, page_size=1024)

    def write_log(self, *windows):
        """The cycles that a recorder tells, the last of them the outlier."""
        log = {"type": "capture", "culprit_cycles": 1, "period_ns": 5000000, "threshold_ns": 700000, "needed_kb": 0,
               "hit": {"cpu": 0, "pid": 50, "cycle": 77, "expected_ns": windows[-1][0], "observed_ns": windows[-1][1]},
               "cycles": windows, "smi": 0, "steal_ns": None, "delays": {}}
        with open(os.path.join(self.folder, "x.json"), "w", encoding="ascii") as file:
            json.dump(log, file)

    def assert_outlier_cheap(self, calls, **more):
        """@calls happen in the outlier."""
        start, end = calls[0].ts - 1, calls[-1].ts + 10 ** 6
        self.write_log((start - 10 ** 7, start - 10 ** 7 + 10), (start, end))
        before = [entry(start - 10 ** 7, 50, FUNC, 0), leave(start - 10 ** 7 + 10, 50, FUNC, 0)]
        self.assert_cheap(before + calls + [marker(end, 50, 900, 100)], **more)
        self.assertEqual(len(culprit.rows(self.study, "SELECT * FROM outlier")), 1)
        result = culprit.run("show", "--study", self.study, "1", before=("prlimit", f"--cpu={SECONDS}"))
        self.assertEqual(result.status, 0, result.stderr)

    def test_many_tasks_in_the_outlier(self):
        self.assert_outlier_cheap([entry(10 ** 10 + 2 * i, 100 + i, FUNC, 0) for i in range(60_000)])

    def test_calls_that_are_interrupted_by_every_event(self):
        opened = [entry(10 ** 9 + 20 * depth + pid, pid, FUNC, depth) for depth in range(15) for pid in (50, 51)]
        data = trace(Visits, compression="zstd", page_size=65536, instances={"": {0: opened}}).to_bytes()
        self.assertLess(len(data), 100_000)
        end = 10 ** 9 + 10 ** 6 + 192 * (65520 // 24 * 2) + 1000
        self.write_log((end - 10 ** 6, end))
        result = self.import_(data)
        self.assertEqual(result.status, 0, result.stderr)
        page = os.path.join(self.folder, "x.html")
        result = culprit.run("report", "--study", self.study, "--out", page, before=("prlimit", f"--cpu={SECONDS}", f"--data={DATA}"))
        self.assertEqual(result.status, 0, result.stderr)
        with open(page, encoding="utf-8") as file:
            self.assertRegex(file.read(), r"could not be read, so it has no timeline: [^<]*x\.dat: [^<]*interrupted too often")

    def test_tasks_whose_names_are_alike_to_a_simple_hash(self):
        names = itertools.islice(map("".join, itertools.product(("bB", "ac"), repeat=17)), 60_000)
        self.assert_outlier_cheap([entry(10 ** 10 + 2 * i, 100 + i, FUNC, 0) for i in range(60_000)],
                                  cmdlines={50: "cyclictest", **{100 + i: name for i, name in enumerate(names)}})

    def test_tasks_whose_numbers_are_alike_to_a_simple_hash(self):
        self.assert_outlier_cheap([entry(10 ** 10 + 2 * i, 65521 + 32749 * i, FUNC, 0) for i in range(60_000)])

    def test_many_functions_below_one_in_the_outlier(self):
        text = b"".join(b"%x t f%d\n" % (FUNC + 16 * i, i) for i in range(100_000))
        calls = [entry(10 ** 10 + 2 * i, 50, FUNC + 16 * i, min(i, 1)) for i in range(100_000)]
        self.assert_outlier_cheap(calls, kind=Named, text=text)

    def test_more_paths_than_are_kept_in_the_outlier(self):
        """Each of 400 functions calls each of 400; what has no node of its own is directly below its source."""
        calls = [entry(10 ** 10, 50, FUNC, 0)]
        for outer in range(400):
            for depth, func in [(1, outer), *[(2, inner) for inner in range(400)]]:
                calls.append(entry(calls[-1].ts + 2, 50, FUNC + 16 * (1 + func), depth))
        self.assert_outlier_cheap(calls, kind=Named, text=b"".join(b"%x t f%d\n" % (FUNC + 16 * i, i) for i in range(401)))
        self.assertEqual(culprit.run("check", "--study", self.study).status, 0)
        found, = culprit.rows(self.study, "SELECT folded_calls, COUNT (*) AS nodes, SUM (calls) AS calls FROM capture "
                                          "JOIN window USING (capture_id) JOIN outlier_node USING (window_id)")
        self.assertEqual(found["calls"], len(calls))
        self.assertTrue(100_000 <= found["nodes"] <= 100_500, found)
        self.assertAlmostEqual(found["folded_calls"], len(calls) - 100_000, delta=10)

    def test_many_tasks_in_an_ordinary_wake_up(self):
        start, n = 10 ** 10, 60_000
        self.write_log((start, start + 2 * n), (start + 10 ** 7, start + 2 * 10 ** 7))
        self.assert_cheap([entry(start + 2 * i, 100 + i, FUNC, 0) for i in range(n)] +
                          [marker(start + 2 * 10 ** 7, 50, 900, 100)],
                          cmdlines={50: "cyclictest", **{100 + i: f"t{i}" for i in range(n)}})

    def test_cycles_that_are_no_numbers_are_one_error(self):
        for pair in ([1, {}], [{}, 1], [1, "2"], [1, None], [[], []]):
            with self.subTest(pair):
                self.write_log(*([pair] * 100), (1, 2))
                result = self.import_(trace().to_bytes())
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr[:300])
                self.assertIn("x.json", result.stderr)

    def test_a_cycle_log_that_is_no_file_is_named(self):
        log = os.path.join(self.folder, "x.json")
        for make in (os.mkfifo, os.mkdir):
            with self.subTest(make.__name__):
                make(log)
                result = self.import_(trace().to_bytes())
                (os.rmdir if make is os.mkdir else os.unlink)(log)
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr[:300])
                self.assertIn("x.json: ", result.stderr)
                self.assertIn("not a regular file", result.stderr)
        self.assert_stored(trace().to_bytes())

    def test_stacks_that_no_calls_made(self):
        events = [entry(10 ** 9 + i, 100 + i, FUNC, 511) for i in range(40_000)]
        self.assert_refused(trace(compression="zstd", instances={"": {0: events}}).to_bytes(), "calls")

    def test_the_headers_of_version_6_may_end_where_a_read_ends(self):
        """The table of the CPUs lies across the first 2 MB."""
        made = trace(version=6)
        made.symbols = [(FUNC, "f", "")]
        made.cpus = 64
        made.to_bytes()
        without = next(offset for name, offset, _ in made.lengths if name == "offset of cpu 0")
        made.symbols += [(FUNC + 1, "g" * ((2 << 20) - without - 100), "")]
        self.assert_stored(made.to_bytes())


if __name__ == "__main__":
    unittest.main()

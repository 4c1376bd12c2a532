# SPDX-License-Identifier: GPL-3.0-or-later
# Bad files of all kinds: the import says in one line which file and why, leaves nothing in the study, never crashes,
# and continues with the other files. Captures that merely lost something are imported.

import os
import random
import stat
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), HERE]

import culprit  # noqa: E402
import naive_rows  # noqa: E402
import study_rows  # noqa: E402
from events import entry, leave, other  # noqa: E402
from ring import DELTA_LIMIT, PADDING, TIME_EXTEND, TIME_STAMP, record_head, word  # noqa: E402
from streams import PLAIN, symbol_table, well_formed  # noqa: E402
from tracefile import TraceFile  # noqa: E402

CONTAINERS = [(6, "none"), (7, "none"), (7, "zstd")]
PERIOD = 1_000_000
FUNC = symbol_table()[0][0]
UNUSABLE_EXIT = """name: funcgraph_exit
ID: 999
format:
\tfield:unsigned long func;\toffset:8;\tsize:3;\tsigned:0;
\tfield:int depth;\toffset:65000;\tsize:8;\tsigned:1;
\tfield:unsigned long long calltime;\toffset:65000;\tsize:8;\tsigned:0;
\tfield:unsigned long long rettime;\toffset:65500;\tsize:8;\tsigned:0;
"""


def small_trace(version=6, compression="none", calls=200, **others):
    """Two CPUs of plain calls: a few pages, no windows."""
    cpus = {cpu: [event for i in range(calls) for event in
                  (entry(10 ** 9 + 1000 * i + cpu, 50 + cpu, FUNC, 0),
                   leave(10 ** 9 + 1000 * i + cpu + 300, 50 + cpu, FUNC, 0))] for cpu in range(2)}
    others.setdefault("instances", {"": cpus})
    return TraceFile(version=version, compression=compression, symbols=symbol_table(), cmdlines={50: PLAIN[0]},
                     **others)


def mixed_trace(version, compression):
    stream = well_formed(random.Random(5))
    return TraceFile({"": stream.cpus}, version=version, compression=compression, symbols=stream.symbols,
                     cmdlines=stream.cmdlines)


def with_number(data, offset, size, value):
    return data[:offset] + (value % (1 << 8 * size)).to_bytes(size, "little") + data[offset + size:]


def lies(true_value, size):
    """What a length field may claim instead."""
    claims = {0, 1, true_value + 1, 0x7fffffff, 1 << 8 * size - 1, (1 << 8 * size) - 1}
    return {str(value): value for value in claims if value != true_value}


def place_of(trace, name):
    return next((offset, size) for known, offset, size in trace.lengths if known == name)


def value_at(data, place):
    return int.from_bytes(data[place[0]:place[0] + place[1]], "little")


class BadFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.study = folder.name, os.path.join(folder.name, "s.culprit")

    def write(self, files):
        """@files: name -> bytes"""
        for name, data in files.items():
            with open(os.path.join(self.folder, name), "wb") as file:
                file.write(data)
        return [os.path.join(self.folder, name) for name in files]

    def stored(self):
        return study_rows.by_file(self.study) if os.path.exists(self.study) else {}

    def import_(self, paths):
        result = culprit.import_captures(self.study, paths, f"{PERIOD}ns", "damage")
        self.assertIn(result.status, (0, 2), f"crashed: {result.stderr[-2000:]}")
        return result

    def lines_about(self, result, name):
        return [line for line in result.error_lines() if "/" + name in line]

    def refuse(self, files):
        """All of them are refused, each with one line, and nothing is left of them in the study."""
        result = self.import_(self.write(files))
        stored = self.stored()
        for name in files:
            with self.subTest(name):
                self.assertNotIn(name, stored)
                self.assertEqual(len(self.lines_about(result, name)), 1, result.stderr[-2000:])
        self.assertEqual(result.status, 2)
        self.assertEqual(len(result.error_lines()), len(files), result.stderr[-2000:])

    def refuse_or_import(self, files):
        """Each is either refused with one line or stored, perhaps with notes: no third way."""
        result = self.import_(self.write(files))
        stored = self.stored()
        refused = [name for name in files if name not in stored]
        for name in refused:
            with self.subTest(name):
                self.assertEqual(len(self.lines_about(result, name)), 1, result.stderr[-500:])
        self.assertEqual(result.status, 2 if refused else 0)


class NotTraces(BadFiles):
    def test_files_that_are_no_traces_are_refused(self):
        self.refuse({"zip.dat": b"PK\x03\x04" + bytes(5000), "empty.dat": b"", "text.dat": b"latency: 12\n" * 400,
                     "magic.dat": b"\x17\x08\x44tracing", "version5.dat": b"\x17\x08\x44tracing5\0" + bytes(9000),
                     "version8.dat": b"\x17\x08\x44tracing8\0" + bytes(9000),
                     "no-version.dat": b"\x17\x08\x44tracing" + b"6" * 9000,
                     "noise.dat": b"\x17\x08\x44tracing6\0" + random.Random(1).randbytes(20000)})

    def test_a_missing_file_is_refused(self):
        result = self.import_([os.path.join(self.folder, "missing.dat")])
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        self.assertIn("missing.dat", result.stderr)

    def test_what_may_not_be_read_is_refused(self):
        before = ()
        if os.geteuid() == 0:
            before = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
        os.chmod(self.folder, 0o777)
        closed = os.path.join(self.folder, "closed")
        os.mkdir(closed)
        [file] = self.write({"secret.dat": small_trace().to_bytes()})
        os.chmod(closed, 0)
        os.chmod(file, 0)
        self.addCleanup(os.chmod, closed, stat.S_IRWXU)
        try:
            result = culprit.import_captures(self.study, [closed, file], before=before)
        except (FileNotFoundError, PermissionError) as error:
            self.skipTest(str(error))
        if before and result.status in (126, 127):
            self.skipTest(result.stderr)
        self.assertEqual(result.status, 2, result.stderr)
        for name in ("closed", "secret.dat"):
            self.assertEqual(sum(name in line for line in result.error_lines()), 1, result.stderr)

    def test_good_files_among_bad_ones_are_imported(self):
        good = small_trace()
        paths = self.write({"a.dat": b"PK", "b.dat": good.to_bytes(), "c.dat": b""})
        result = self.import_(paths)
        self.assertEqual(result.status, 2)
        self.assertEqual([len(self.lines_about(result, name)) for name in ("a.dat", "c.dat")], [1, 1])
        self.assertIsNone(study_rows.difference(naive_rows.rows(good, PERIOD), self.stored()["b.dat"]))


class CutFiles(BadFiles):
    def test_files_cut_at_every_4_kib_are_refused_or_whole(self):
        for version, compression in CONTAINERS:
            data = mixed_trace(version, compression).to_bytes()
            self.refuse_or_import({f"v{version}-{compression}-{at}.dat": data[:at] for at in
                                   range(4096, len(data), 4096)})

    def test_files_cut_within_the_first_600_bytes_are_refused(self):
        for version, compression in CONTAINERS:
            data = small_trace(version, compression).to_bytes()
            self.refuse({f"v{version}-{compression}-{at}-.dat": data[:at] for at in range(600)
                         if at or compression == "none" and version == 6})


class LyingFiles(BadFiles):
    def test_every_length_that_lies_is_refused_or_harmless(self):
        for version, compression in CONTAINERS:
            trace = small_trace(version, compression, instances={
                "": small_trace().instances[""], "side": {0: [other(5, 1)]}})
            data, files = trace.to_bytes(), {}
            for i, (name, offset, size) in enumerate(trace.lengths):
                for lie, value in lies(value_at(data, (offset, size)), size).items():
                    lying = f"v{version}-{compression}-{i}-{name.replace(' ', '-')}-{lie}.dat"
                    files[lying] = with_number(data, offset, size, value)
            self.refuse_or_import(files)

    def test_an_absurd_number_of_cpus_is_refused(self):
        files = {}
        for version, name in ((6, "cpus"), (7, "cpus of buffer ")):
            trace = small_trace(version)
            data = trace.to_bytes()
            for count in (1 << 20, 1 << 31, (1 << 32) - 1):
                files[f"v{version}-{count}.dat"] = with_number(data, *place_of(trace, name), count)
        self.refuse(files)

    def test_compressed_chunks_that_lie_or_are_garbage_are_refused(self):
        trace = small_trace(7, "zstd")
        data, files = trace.to_bytes(), {}
        for name, size_name in (("section", "compressed size of section 16"),
                                ("chunk", "compressed size of a chunk of cpu 0")):
            place = place_of(trace, size_name)
            whole_place = (place[0] + 4, 4)
            start, length, whole = place[0] + 8, value_at(data, place), value_at(data, whole_place)
            for lie, value in (("smaller", whole - 1), ("half", whole // 2), ("larger", whole + 4096),
                               ("huge", 0x7ffffff0), ("zero", 0)):
                files[f"{name}-whole-{lie}.dat"] = with_number(data, *whole_place, value)
            for lie, value in (("smaller", length - 1), ("larger", length + 1), ("huge", 0xfffffff0), ("zero", 0)):
                files[f"{name}-compressed-{lie}.dat"] = with_number(data, *place, value)
            files[f"{name}-garbage.dat"] = data[:start] + b"\xa7" * length + data[start + length:]
            files[f"{name}-flipped.dat"] = data[:start + 2] + bytes([data[start + 2] ^ 255]) + data[start + 3:]
        files["unknown-algorithm.dat"] = data.replace(b"zstd\0", b"zork\0", 1)
        self.refuse(files)

    def test_a_second_description_of_an_event_that_makes_no_sense_is_passed_over(self):
        class Twice(TraceFile):
            def ftrace_formats(self, out):
                names = self.layout.names()
                out.length("number of ftrace formats", len(names) + 1, 4)
                for text in [*map(self.layout.description, names), UNUSABLE_EXIT]:
                    out.sized("ftrace format", text.encode(), 8)

        trace = Twice({"": {0: [entry(10 ** 9, 50, FUNC, 0), leave(10 ** 9 + 300, 50, FUNC, 0),
                                leave(10 ** 9 + 500, 50, FUNC, 3)]}}, symbols=symbol_table())
        self.import_(self.write({"twice.dat": trace.to_bytes()}))
        self.assertIn("twice.dat", self.stored())

    def test_option_sections_that_loop_are_refused(self):
        trace = small_trace(7)
        data = trace.to_bytes()
        first = value_at(data, place_of(trace, "offset of the options"))
        links = [(offset, size) for name, offset, size in trace.lengths if name == "offset of the next options"]
        self.refuse({"to-itself.dat": with_number(data, *links[0], first),
                     "back-and-forth.dat": with_number(data, *links[1], first),
                     "beyond-the-end.dat": with_number(data, *links[0], len(data) + 10)})


class BadPages(BadFiles):
    """Pages of version 6, whose place is simple: CPU 0's first page."""

    def setUp(self):
        super().setUp()
        self.trace = small_trace()
        self.data = self.trace.to_bytes()
        self.page = value_at(self.data, place_of(self.trace, "offset of cpu 0"))
        self.layout = self.trace.layout

    def with_bytes(self, offset, new):
        at = self.page + offset
        return self.data[:at] + new + self.data[at + len(new):]

    def with_records(self, records):
        """The first page holds just these."""
        head = word(self.layout, 10 ** 9, 8) + word(self.layout, len(records), 8)
        return self.with_bytes(0, (head + records).ljust(4096, b"\0"))

    def test_a_commit_beyond_the_page_is_refused(self):
        self.refuse({f"{commit:x}.dat": self.with_bytes(8, word(self.layout, commit, 8))
                     for commit in (4081, 4096, 0x100000, 0x7ffffff)})

    def test_records_that_do_not_fit_are_refused(self):
        long = record_head(self.layout, 0, 5)
        self.refuse({
            "length-zero.dat": self.with_records(long + word(self.layout, 0, 4) + bytes(40)),
            "length-beyond-the-page.dat": self.with_records(long + word(self.layout, 5000, 4) + bytes(40)),
            "length-huge.dat": self.with_records(long + word(self.layout, 0xfffffff0, 4) + bytes(40)),
            "length-just-beyond.dat": self.with_records(long + word(self.layout, 64, 4) + bytes(40)),
            "short-record-beyond.dat": self.with_records(record_head(self.layout, 28, 5) + bytes(40)),
            "extend-beyond.dat": self.with_records(record_head(self.layout, TIME_EXTEND, 5)),
            "stamp-beyond.dat": self.with_records(record_head(self.layout, TIME_STAMP, 5)),
            "padding-beyond.dat": self.with_records(record_head(self.layout, PADDING, 1)
                                                    + word(self.layout, 4000, 4) + bytes(40)),
            "padding-huge.dat": self.with_records(record_head(self.layout, PADDING, 1)
                                                  + word(self.layout, 0xfffffffc, 4) + bytes(40))})

    def test_a_commit_too_small_for_a_record_is_refused_or_harmless(self):
        self.refuse_or_import({f"{commit}.dat": self.with_bytes(8, word(self.layout, commit, 8))
                               for commit in (0, 1, 2, 3)})

    def test_a_function_event_too_short_for_its_fields_is_refused(self):
        payload = self.layout.encode(entry(0, 50, FUNC, 0))[:12]
        self.refuse({"short.dat": self.with_records(record_head(self.layout, 3, 5) + payload)})

    def test_time_running_backwards_is_refused(self):
        event = self.layout.encode(entry(0, 50, FUNC, 0))
        whole = record_head(self.layout, len(event) // 4, 5) + event
        back = record_head(self.layout, TIME_STAMP, 7) + word(self.layout, 3, 4)
        second_page = self.with_bytes(4096, word(self.layout, 5, 8))
        self.refuse({"stamp.dat": self.with_records(whole + back + whole), "page.dat": second_page})

    def test_the_largest_times_do_not_overflow(self):
        event = self.layout.encode(entry(0, 50, FUNC, 0))
        whole = record_head(self.layout, len(event) // 4, DELTA_LIMIT - 1) + event
        extend = record_head(self.layout, TIME_EXTEND, DELTA_LIMIT - 1) + word(self.layout, 0xffffffff, 4)
        head = word(self.layout, (1 << 64) - 10, 8) + word(self.layout, len(whole), 8)
        self.refuse_or_import({"extends.dat": self.with_records((extend + whole) * 40),
                               "page.dat": self.with_bytes(0, head + whole)})


    def test_more_lost_events_than_can_be_added_up_are_refused(self):
        """Of one CPU, whose counts would be small again if they were added."""
        files = {}
        for version, compression in CONTAINERS:
            trace = small_trace(version, compression)
            for at, lost in ((4, 2 ** 63), (8, 2 ** 63 + 5)):
                trace.instances[""][0][at].lost = lost
            files[f"v{version}-{compression}.dat"] = trace.to_bytes()
        self.refuse(files)


class StrangeButSound(BadFiles):
    def accept(self, name, trace):
        self.write({name: trace.to_bytes()})
        result = self.import_([os.path.join(self.folder, name)])
        self.assertEqual(result.status, 0, result.stderr)
        self.assertIsNone(study_rows.difference(naive_rows.rows(trace, PERIOD), self.stored()[name]))

    def test_unknown_events_are_counted(self):
        trace = small_trace()
        trace.instances[""][0][10:10] = [other(10 ** 9 + 4100 + i, 50, "unknown") for i in range(30)]
        trace.instances[""][0].sort(key=lambda event: event.ts)
        self.accept("unknown.dat", trace)

    def test_a_head_overwritten_before_the_first_event_is_no_loss(self):
        trace = small_trace()
        trace.instances[""][0][0].lost = 12345
        self.accept("head.dat", trace)

    def test_a_trace_without_function_events_is_refused(self):
        cpus = {0: [other(1000 * i, 50) for i in range(100)]}
        self.refuse({f"v{version}-{compression}.dat": small_trace(version, compression, instances={"": cpus}).to_bytes()
                     for version, compression in CONTAINERS})

    def test_a_trace_without_events_is_refused(self):
        self.refuse({f"v{version}-{compression}.dat":
                     small_trace(version, compression, instances={"": {0: [], 1: []}}).to_bytes()
                     for version, compression in CONTAINERS})

    def test_random_single_bytes_do_no_harm(self):
        rng = random.Random(3)
        for version, compression in CONTAINERS:
            data, files = mixed_trace(version, compression).to_bytes(), {}
            for i in range(60):
                bad = bytearray(data)
                for _ in range(rng.randint(1, 4)):
                    bad[rng.randrange(len(bad))] = rng.choice([0, 1, 0x7f, 0x80, 0xff])
                files[f"v{version}-{compression}-{i}.dat"] = bytes(bad) + bytes([i])
            self.refuse_or_import(files)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# One small stream, written in every layout, word size, byte order, file version, compression and arrangement of buffer
# instances, gives the same rows.

import os
import random
import sys
import tempfile
import unittest
from dataclasses import replace

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), HERE]

import culprit  # noqa: E402
import naive_rows  # noqa: E402
import study_rows  # noqa: E402
from events import marker, other  # noqa: E402
from layouts import LAYOUTS  # noqa: E402
from streams import MEASURED, well_formed  # noqa: E402
from tracefile import TraceFile  # noqa: E402

SEED = 8
CONTAINERS = [(6, "none"), (7, "none"), (7, "zstd")]


def trace(layout="6.1", **others):
    layout = LAYOUTS[layout]
    stream = well_formed(random.Random(SEED), layout.long_size)
    stream.cpus[0][len(stream.cpus[0]) // 2].lost = 7
    stream.cpus[max(stream.cpus)][20].lost = 0
    others.setdefault("instances", {"": stream.cpus})
    return TraceFile(layout=layout, symbols=stream.symbols, cmdlines=stream.cmdlines, overruns=stream.overruns,
                     **others)


PERIOD = well_formed(random.Random(SEED)).period


class Layouts(unittest.TestCase):
    def check(self, traces):
        """@traces: name -> (TraceFile, the instance that counts). No two files are the same: one is imported once."""
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name + ".dat") for name in traces]
            for path, (file, _) in zip(paths, traces.values()):
                file.uname += " " + os.path.basename(path)
                file.write(path)
            study = os.path.join(folder, "s.culprit")
            result = culprit.import_captures(study, paths, f"{PERIOD}ns", "layouts")
            found = study_rows.by_file(study)
        for name, (file, instance) in traces.items():
            with self.subTest(name):
                self.assertIn(name + ".dat", found, result.stderr)
                self.assertIsNone(study_rows.difference(naive_rows.rows(file, PERIOD, instance), found[name + ".dat"]))

    def test_every_layout_in_every_container_gives_the_same_rows(self):
        for version, compression in CONTAINERS:
            self.check({f"{layout}-v{version}-{compression}":
                        (trace(layout, version=version, compression=compression), "") for layout in LAYOUTS})

    def test_every_form_of_a_records_time_gives_the_same_rows(self):
        self.check({f"{layout}-noise-{seed}": (trace(layout, noise_seed=seed), "")
                    for layout in LAYOUTS for seed in range(4)})

    def test_larger_sub_buffers_give_the_same_rows(self):
        self.check({f"page-{size}-v{version}-{compression}":
                    (trace(version=version, compression=compression, page_size=size), "")
                    for size in (4096, 8192, 65536) for version, compression in CONTAINERS})

    def test_the_instance_with_the_functions_counts(self):
        cpus = trace().instances[""]
        few = {0: [other(5_000_000_000 + i * 1000, 300) for i in range(20)]}
        for version, compression in CONTAINERS:
            kind = f"v{version}-{compression}"
            alone = trace(instances={"": {}, "graph": cpus}, version=version, compression=compression, cpus=4,
                          overruns_of="graph")
            self.check({f"in-an-instance-{kind}": (alone, "graph"),
                        f"beside-others-{kind}": (trace(instances={"": few, "events": few, "graph": cpus},
                                                        version=version, compression=compression), "graph"),
                        f"on-top-{kind}": (trace(instances={"": cpus, "events": few}, version=version,
                                                 compression=compression), "")})

    def test_a_marker_in_another_clock_tells_nothing(self):
        """Wherever it stands; one of the same clock counts in whatever buffer it is."""
        cpus = {cpu: [event for event in events if event.kind != "print"] for cpu, events in trace().instances[""].items()}
        end = max(event.ts for events in cpus.values() for event in events)
        mark, late = ({0: [marker(end + after, MEASURED, latency, 200)]} for after, latency in ((10, 300), (500, 310)))
        for expected, instances, clocks in (
                (None, {"": mark, "graph": cpus}, {"": "local"}),
                (None, {"": cpus, "events": mark}, {"events": "local"}),
                (None, {"": {0: [other(end, 300)]}, "events": mark, "graph": cpus}, {"": "mono_raw", "events": "mono_raw"}),
                (None, {"": {0: [other(end, 300)]}, "events": mark, "graph": cpus}, {"graph": "local"}),
                ("(310 > 200)", {"": mark, "events": late, "graph": cpus}, {"": "local"}),
                ("(300 > 200)", {"": mark, "graph": cpus}, {}),
                ("(300 > 200)", {"": cpus, "events": mark}, {})):
            with self.subTest(instances=list(instances), clocks=clocks), tempfile.TemporaryDirectory() as folder:
                path, study = os.path.join(folder, "a.dat"), os.path.join(folder, "s.culprit")
                trace(instances=instances, clocks=clocks, version=7).write(path)
                result = culprit.import_captures(study, [path], f"{PERIOD}ns")
                self.assertEqual(result.status, 0, result.stderr)
                found, = culprit.rows(study, "SELECT marker, (SELECT count(*) FROM window) AS windows FROM capture")
                if expected:
                    self.assertIn(expected, found["marker"])
                    self.assertGreater(found["windows"], 0)
                else:
                    self.assertEqual(found, {"marker": None, "windows": 0})

    def imported(self, instances):
        """The capture's row, and what the import says."""
        with tempfile.TemporaryDirectory() as folder:
            path, study = os.path.join(folder, "a.dat"), os.path.join(folder, "s.culprit")
            trace(instances=instances, version=7).write(path)
            result = culprit.import_captures(study, [path], f"{PERIOD}ns")
            self.assertEqual(result.status, 0, result.stderr)
            found, = culprit.rows(study, "SELECT instance, no_windows, no_windows_number AS number, "
                                         "(SELECT count(*) FROM window) AS windows FROM capture")
        return found, result.stderr

    def test_functions_of_other_cpus_are_not_those_of_the_late_one(self):
        """Whichever buffer has the marker."""
        cpus = trace().instances[""]
        late = 0
        mark = [event for event in cpus[late] if event.kind == "print"]
        others = {cpu: [event for event in events if event.kind != "print"] for cpu, events in cpus.items() if cpu != late}
        refused = {"no_windows": "cpu-not-traced", "number": late, "windows": 0}
        told = f"no functions were read of CPU {late}, on which its late wake-up was"
        for name, instances, left_out in (("", {"": {**others, late: mark}}, None),
                                          ("graph", {"": {late: mark}, "graph": others}, None),
                                          ("rest", {"": {late: cpus[late][:60] + mark}, "rest": others}, "the main one")):
            with self.subTest(instances=list(instances)):
                found, said = self.imported(instances)
                self.assertEqual(found, {"instance": name, **refused})
                self.assertIn(told, said)
                self.assertEqual(left_out is not None, "left out" in said, said)
                self.assertIn(f"left out: {left_out}" if left_out else "", said)

    def test_a_buffer_with_functions_that_is_left_out_is_named(self):
        cpus = trace().instances[""]
        found, said = self.imported({"": cpus, "busy": {max(cpus): cpus[max(cpus)]}})
        self.assertEqual((found["instance"], found["no_windows"]), ("", None))
        self.assertGreater(found["windows"], 0)
        self.assertIn("left out: busy", said)

    def test_cpus_without_events_leave_no_rows(self):
        cpus = dict(trace().instances[""])
        cpus[9] = []
        self.check({f"v{version}-{compression}": (trace(instances={"": cpus}, version=version,
                                                        compression=compression), "")
                    for version, compression in CONTAINERS})

    def check_times(self, written, meant, factor, shift=0):
        """The file says @written's times times @factor; with its options they must read as @meant's plus @shift."""
        for events in written.instances[""].values():
            for event in events:
                event.ts *= factor
        for events in meant.instances[""].values():
            for event in events:
                event.ts += shift
        self.check_reads_as(written, meant)

    def check_reads_as(self, written, meant):
        with tempfile.TemporaryDirectory() as folder:
            path, study = os.path.join(folder, "written.dat"), os.path.join(folder, "s.culprit")
            written.write(path)
            result = culprit.import_captures(study, [path], f"{PERIOD}ns")
            self.assertEqual(result.status, 0, result.stderr)
            found = study_rows.by_file(study)["written.dat"]
        self.assertIsNone(study_rows.difference(naive_rows.rows(meant, PERIOD), found))

    def test_a_host_without_a_name_is_called_so(self):
        """Linux calls it "(none)"."""
        with tempfile.TemporaryDirectory() as folder:
            path, study = os.path.join(folder, "a.dat"), os.path.join(folder, "s.culprit")
            trace(uname="Linux (none) 6.1.0-test #1 SMP x86_64").write(path)
            culprit.import_captures(study, [path], f"{PERIOD}ns")
            self.assertEqual(culprit.rows(study, "SELECT name, kernel FROM host"), [{"name": "unnamed", "kernel": "6.1.0-test"}])
            self.assertIn("  on unnamed, kernel 6.1.0-test,", culprit.run("show", "--study", study, "1").stdout)

    def test_a_clock_counted_in_cycles_becomes_nanoseconds(self):
        """Two cycles a nanosecond: (cycles * 2^30) >> 31."""
        self.check_times(trace(clock="x86-tsc", tsc2nsec=(1 << 30, 31, 0)), trace(clock="x86-tsc"), 2)

    def test_an_instance_with_a_clock_of_its_own_is_not_converted(self):
        found = []
        for made in (trace(clock="x86-tsc", clocks={"a": "mono"}, tsc2nsec=(1 << 29, 31, 0)), trace(clocks={"a": "mono"})):
            made.version, made.instances = 7, {"": {}, "a": made.instances[""]}
            with tempfile.TemporaryDirectory() as folder:
                path, study = os.path.join(folder, "written.dat"), os.path.join(folder, "s.culprit")
                made.write(path)
                self.assertEqual(culprit.import_captures(study, [path], f"{PERIOD}ns").status, 0)
                found.append(culprit.rows(study, "SELECT kind, start_ns, end_ns FROM window ORDER BY window_id"))
        self.assertEqual(*found)
        self.assertGreater(len(found[0]), 0)

    def test_the_clocks_of_trace_cmd_2_are_after_the_table_of_cpus(self):
        for clock in ("mono", "local"):
            with self.subTest(clock=clock):
                self.check_reads_as(trace(clock=clock, clock_after_cpus=True), trace(clock=clock))
        written = trace(clock="counter", clock_after_cpus=True)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "written.dat")
            written.write(path)
            result = culprit.import_captures(os.path.join(folder, "s.culprit"), [path], f"{PERIOD}ns")
            self.assertIn('its trace clock "counter" is not known to count nanoseconds', result.stderr)

    def test_what_counts_no_nanoseconds_is_refused(self):
        for clock in ("counter", "uptime", "ppc-tb", "s390-tod", "x86-tsc", "of-a-later-kernel"):
            with self.subTest(clock=clock), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "written.dat")
                trace(clock=clock).write(path)
                result = culprit.import_captures(os.path.join(folder, "s.culprit"), [path], f"{PERIOD}ns")
                self.assertEqual((result.status, len(result.error_lines())), (2, 1))
                self.assertIn(f'its trace clock "{clock}" is not known to count nanoseconds', result.stderr)

    def test_the_files_time_offset_is_added(self):
        for offset in (5000, -5000):
            self.check_times(trace(offset=str(offset)), trace(), 1, offset)

    def test_what_marks_code_and_data_among_the_symbols_of_arm_and_riscv_names_no_function(self):
        written = trace()
        written.symbols = [symbol for address, name, module in written.symbols
                           for symbol in [(address, "$x", module), (address, "$x.4", module), (address, name, module),
                                          (address + 2, "$d", module), (address + 4, "$xrv64i2p1", module)]]
        self.check_reads_as(written, trace())

    def test_an_unpacked_entry_of_any_alignment_is_read_by_its_description(self):
        self.check({f"{name}-align-{align}": (replace(trace(name), layout=replace(
            LAYOUTS[name], packed=False, u64_align=align)), "")
            for name in ("6.5-retval", "6.13-retaddr", "6.1-arm") for align in (1, 2, 4, 8)})


if __name__ == "__main__":
    unittest.main()

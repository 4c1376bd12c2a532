# SPDX-License-Identifier: GPL-3.0-or-later
# Every real capture against its peers: libtracecmd's record-by-record reading, trace-cmd's own profile, and the same
# capture converted to file version 6.

import collections
import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import study_rows  # noqa: E402

RECORDS = os.environ.get("ORACLE_RECORDS",
                         os.path.join(culprit.ROOT, "build", "tests", "oracle", "records"))
CAPTURES = sorted(glob.glob(os.path.join(HERE, "..", "data", "*.dat")))
# What differs between two files that hold the same capture.
OF_THE_FILE = ("capture_id", "window_id", "function_id", "run_id", "file", "sha256", "size_bytes", "file_version",
               "imported_utc")


def convert(path, folder):
    plain = os.path.join(folder, os.path.basename(path))
    subprocess.run(["trace-cmd", "convert", "-i", path, "-o", plain, "--file-version", "6"], check=True,
                   capture_output=True)
    return plain


def without(row, columns):
    return {column: value for column, value in row.items() if column not in columns}


class Peers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.plain = [convert(path, cls.folder.name) for path in CAPTURES]
        cls.rows = {}
        for version, paths in ((7, CAPTURES), (6, cls.plain)):
            study = os.path.join(cls.folder.name, f"v{version}.culprit")
            result = culprit.run("import", "--study", study, "--run", "data", *paths)
            assert result.status == 0, result.stderr
            cls.rows[version] = study_rows.by_file(study)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check_each(self, check):
        for version, paths in ((7, CAPTURES), (6, self.plain)):
            for path in paths:
                with self.subTest(version=version, capture=os.path.basename(path)):
                    check(path, self.rows[version][os.path.basename(path)])

    def test_libtracecmd_reads_the_same_events(self):
        self.check_each(self.same_events)

    def same_events(self, path, rows):
        output = subprocess.run([RECORDS, path], check=True, capture_output=True, text=True).stdout
        cpus = {int(m[1]): tuple(map(int, m.groups()[1:]))
                for m in re.finditer(r"cpu (\d+) first (\d+) last (\d+) events (\d+)", output)}
        self.assertEqual(cpus, {row["cpu"]: (row["first_ns"], row["last_ns"], row["events"])
                                for row in rows["capture_cpu"]})
        types = collections.Counter()
        for m in re.finditer(r"type (\d+) count (\d+)", output):
            types[m[1]] += int(m[2])
        self.assertEqual(sorted(types.values()), sorted(row["count"] for row in rows["capture_event"]))

    def test_version_6_gives_the_same_rows(self):
        for path in CAPTURES:
            name = os.path.basename(path)
            with self.subTest(name):
                for table, rows in self.rows[7][name].items():
                    plain = [without(row, OF_THE_FILE) for row in self.rows[6][name][table]]
                    self.assertCountEqual([without(row, OF_THE_FILE) for row in rows], plain, table)

    def test_the_parts_of_every_outlier_sum_to_its_latency(self):
        self.check_each(self.same_sum)

    def same_sum(self, _, rows):
        latency = sum(row["latency_ns"] for row in rows["window"] if row["kind"] == "outlier")
        self.assertEqual(sum(row["self_ns"] for row in rows["outlier_cost"]), latency)

    def test_trace_cmd_profile_counts_the_same_calls(self):
        self.check_each(self.same_calls)

    def same_calls(self, path, rows):
        """The peer counts no call that is truncated, and takes functions of one name as one. On several CPUs it is off
        by a call or two for a few functions: it keeps one stack for pid 0, which runs on all of them, and loses calls
        in which a task moved."""
        output = subprocess.run(["trace-cmd", "report", "--profile", "-i", path], check=True, capture_output=True,
                                text=True, errors="replace").stdout
        peer, ours = collections.Counter(), collections.Counter()
        for m in re.finditer(r"^ *Event: func: (\S+?)\(\) \((\d+)\)", output, re.MULTILINE):
            peer[m[1]] += int(m[2])
        for row in rows["capture_function"]:
            ours[row["function"]] += row["calls"] - row["truncated"]
        different = {name: (calls, peer[name]) for name, calls in ours.items() if calls != peer[name]}
        self.assertGreater(len(ours), 100)
        if rows["capture"][0]["cpus"] == 1:
            self.assertEqual(different, {})
        self.assertEqual({name: counts for name, counts in different.items() if abs(counts[1] - counts[0]) > 2}, {})
        self.assertLess(len(different), len(ours) / 20)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# Every real capture against independent readers: libtracecmd, record by record, and the same capture converted to file
# version 6.

import glob
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), HERE]

import culprit  # noqa: E402
import records  # noqa: E402
import study_rows  # noqa: E402

CAPTURES = sorted(glob.glob(os.path.join(HERE, "..", "data", "*.dat")))
# What differs between two files that hold the same capture.
OF_THE_FILE = ("capture_id", "window_id", "function_id", "node_id", "run_id", "file", "sha256", "size_bytes", "file_version",
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
        cpus, types, _ = records.read(path)
        self.assertEqual(cpus, records.of_study(rows["capture_cpu"]))
        self.assertEqual(types, sorted(row["count"] for row in rows["capture_event"]))

    def test_libtracecmd_finds_the_same_in_both_versions(self):
        """Every time and every type, by their checksum: the conversion itself changed nothing."""
        for path, plain in zip(CAPTURES, self.plain):
            with self.subTest(os.path.basename(path)):
                self.assertEqual(records.read(path), records.read(plain))

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
        self.assertEqual(sum(row["self_ns"] for row in rows["outlier_node"]), latency)


if __name__ == "__main__":
    unittest.main()

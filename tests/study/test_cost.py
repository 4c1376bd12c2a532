# SPDX-License-Identifier: GPL-3.0-or-later
# A megabyte of anything that a file from outside can fill costs no more than seconds and some hundred megabytes of memory,
# whatever a user does with it. tests/bench/cost measures what it does cost.

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import culprit  # noqa: E402
import megabyte  # noqa: E402

SECONDS = 10  # of processor time; each takes less than two
MEMORY = 500 << 20


class Cost(unittest.TestCase):
    def assert_cheap(self, wanted, *kinds):
        tried = 0
        with tempfile.TemporaryDirectory() as folder:
            for name, where, path in megabyte.write_all(folder, wanted, kinds):
                for arguments in megabyte.commands(where, path, folder):
                    with self.subTest(name=name, where=where, command=arguments[0]):
                        result = culprit.run(*arguments, before=("prlimit", f"--cpu={SECONDS}", f"--data={MEMORY}"))
                        self.assertIn(result.status, (0, 1, 2), result.stderr)
                        self.assertNotIn("memory", result.stderr)
                        if result.status == 2:
                            self.assertEqual(len(result.error_lines()), 1, result.stderr)
                tried += 1
        self.assertGreater(tried, 5)

    def test_captures(self):
        self.assert_cheap(list(megabyte.CAPTURES), "capture 7 compressed")

    def test_results_of_other_tools(self):
        self.assert_cheap(list(megabyte.LATENCIES), "latency result")

    def test_rows_of_studies(self):
        self.assert_cheap(["rows of", "calls below calls"])

    def test_texts_of_studies(self):
        self.assert_cheap(["a text"])


if __name__ == "__main__":
    unittest.main()

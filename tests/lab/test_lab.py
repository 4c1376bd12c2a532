# SPDX-License-Identifier: GPL-3.0-or-later
# The whole chain with a real kernel: a guest boots, a fault occurs, cyclictest stops the trace, and the capture is
# imported and agrees with what the fault module counted.

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402

SETTINGS = 'fault=count captures=1 buffer_kb=800 period_us=5000 threshold_us=700 events="" load="" symbols=all\n'


class Lab(unittest.TestCase):
    def test_a_fault_in_a_guest_is_found_as_often_as_it_was_counted(self):
        subprocess.run([os.path.join(HERE, "prepare")], check=True, stdout=subprocess.DEVNULL)
        with tempfile.TemporaryDirectory() as out:
            with open(os.path.join(out, "settings"), "w", encoding="ascii") as file:
                file.write(SETTINGS)
            subprocess.run([os.path.join(HERE, "guest"), "--time", "counted", "--out", out,
                            os.path.join(HERE, "capture-job")], check=True, stdout=subprocess.DEVNULL)
            with open(os.path.join(out, "1.truth"), encoding="ascii") as file:
                truth = dict(line.rstrip("\n").split(": ", 1) for line in file)
            study = os.path.join(out, "s.culprit")
            result = culprit.run("import", "--study", study, os.path.join(out, "1.dat"))
            self.assertEqual(result.status, 0, result.stderr)
            found = culprit.rows(study, "SELECT SUM (calls) AS calls FROM budget WHERE function = 'qh_completions'")
            self.assertEqual(found, [{"calls": int(truth["fault_calls_in_window"])}])
            self.assertEqual(culprit.run("check", "--study", study).status, 0)


if __name__ == "__main__":
    unittest.main()

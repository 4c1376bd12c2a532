# SPDX-License-Identifier: GPL-3.0-or-later
# How the programs are built, judging by their files: stacks are protected, addresses are randomized, tables of
# functions are read-only; and the recorder, which runs as root, checks what it copies.

import os
import re
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import recorder  # noqa: E402

PROGRAMS = [recorder.PROGRAM, culprit.PROGRAM, os.environ.get("CULPRIT_DESKTOP", culprit.PROGRAM)]


def read_elf(program):
    return subprocess.run(["readelf", "--wide", "--file-header", "--program-headers", "--dynamic", "--dyn-syms", program],
                          check=True, capture_output=True, text=True).stdout


MARKS = {"position-independent": r"\(FLAGS_1\) .*\bPIE\b", "read-only relocations": r"\bGNU_RELRO\b",
         "bound at the start": r"\(FLAGS_1\) .*\bNOW\b", "no code on the stack": r"GNU_STACK .* RW ",
         "guarded stacks": r"\b__stack_chk_fail\b"}


def missing(program, marks):
    told = read_elf(program)
    return [name for name, mark in marks.items() if not re.search(mark, told)]


class Built(unittest.TestCase):
    def setUp(self):
        if not missing(recorder.PROGRAM, {"sanitizers": r"\b__asan_init\b"}):
            self.skipTest("sanitizers bring their own checks")

    def test_every_program_is_hardened(self):
        for program in PROGRAMS:
            with self.subTest(program=program):
                self.assertEqual(missing(program, MARKS), [])

    def test_the_recorder_checks_the_room_it_prints_to(self):
        self.assertEqual(missing(recorder.PROGRAM, {"printing": r"\b__snprintf_chk\b"}), [])


if __name__ == "__main__":
    unittest.main()

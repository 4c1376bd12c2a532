# SPDX-License-Identifier: GPL-3.0-or-later
# The recorder beside a program that does not answer as culprit-delayer does: what it said is told as what it is, and it
# holds up no end. Needs root, as the recorder does.

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import recorder  # noqa: E402

REQUEST = {"culprit": 1, "do": "prove", "period_ns": 1000000, "cycles": 20, "delay_at": "hrtimer_wakeup", "delays": [0, 1000]}


class StandIn(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        program = shutil.copy(recorder.PROGRAM, self.folder)
        self.enterContext(mock.patch.object(recorder, "PROGRAM", program))

    def stand_in(self, *lines):
        path = os.path.join(self.folder, "culprit-delayer")
        with open(path, "w", encoding="ascii") as file:
            file.write("\n".join(("#!/bin/sh", f"cd {self.folder}", *lines, "")))
        os.chmod(path, 0o755)

    def test_one_that_answers_is_believed(self):
        self.stand_in("echo ready", "while read delay; do echo 7 700 0; done")
        said = recorder.speak(REQUEST)
        self.assertEqual(said[-1]["type"], "end", said[-1])
        self.assertEqual([line["delay_calls"] for line in said if line["type"] == "run-end"], [7, 7])

    def test_what_is_no_answer_is_told_as_what_it_is(self):
        long = "head -c 5000 /dev/zero | tr '\\0' a"
        for lines, told in (((long, "echo"), "a line that is too long"),
                            (("echo ready", f"while read delay; do {long}; done"), "a line that is too long"),
                            (("printf 'ready\\n1 2 3\\n'", "cat > /dev/null"), "more than it was asked"),
                            (("echo ready", "while read delay; do printf '1 2 3\\n4 5'; done"), "more than it was asked"),
                            (("echo ready", "read delay", "echo it fails"), "it fails"),
                            (("echo ready", "read delay"), "ended unexpectedly")):
            with self.subTest(lines=lines):
                self.stand_in(*lines)
                said = recorder.speak(REQUEST)
                self.assertEqual(said[-1]["type"], "error")
                self.assertIn(told, said[-1]["text"])

    def test_one_that_hangs_holds_up_no_end(self):
        for hangs in ("> waits", "echo ready; read delay; > waits",
                      "echo ready; read delay; echo 0 0 0; read delay; echo 0 0 0; read delay; > waits"):
            with self.subTest(hangs=hangs):
                self.stand_in("trap '' TERM", hangs, "exec sleep 1000")
                process = recorder.start(REQUEST, stderr=subprocess.DEVNULL)
                self.addCleanup(process.kill)
                recorder.wait_until(lambda: os.path.exists(os.path.join(self.folder, "waits")))
                os.unlink(os.path.join(self.folder, "waits"))
                output, _ = process.communicate(timeout=15)  # closes its input; as PROTOCOL.md promises
                last = json.loads(output.splitlines()[-1])
                self.assertEqual(last["type"], "error")
                self.assertIn("culprit-delayer does not answer", last["text"])

    def test_what_is_no_name_is_not_asked_for(self):
        self.stand_in("> asked", "echo ready")
        for name in ("a b", "", "a;b", "f" * 201, "\u00e9"):
            with self.subTest(name=name):
                said = recorder.speak(dict(REQUEST, delay_at=name))
                self.assertEqual(said[-1], {"type": "error", "text": f'"{name}" is no name of a function; expected FUNCTION or MODULE:FUNCTION'})
        self.assertFalse(os.path.exists(os.path.join(self.folder, "asked")))


if __name__ == "__main__":
    unittest.main()

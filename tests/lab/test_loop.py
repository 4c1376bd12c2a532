# SPDX-License-Identifier: GPL-3.0-or-later
# A program that knows nothing of Culprit, recorded with trace-cmd while it is late for a known reason: its windows agree
# with its own clock, their parts add up, and cause and class are named.

import json
import os
import subprocess
import sys
import tempfile
import unittest
from collections import namedtuple

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import turns  # noqa: E402

KERNEL = turns.DICE.choice(("standard", "rt"))  # By turns: each takes a minute of a processor.
WAKEUP, RESPONSE = ("--wakeup-of", "myloop"), ("--response-of", "myloop")
NEAR_NS = 5000  # from the switch to the program's clock
RETURN_NS = 60000  # likewise, if each function on the way is traced

# recording: as in loop-job, without the name
Scene = namedtuple("Scene", "recording options culprit class_")
SCENES = {
    "few": Scene("plain 9000000 - -l do_nanosleep -l hrtimer_interrupt", WAKEUP, None, None),
    "count": Scene("plain 1200 count", WAKEUP, "qh_completions", "called-too-often"),
    "cost": Scene("plain 1200 cost", WAKEUP, "scan_periodic", "took-too-long"),
    "lock": Scene("lock 2000 -", RESPONSE, "holder", "blocked"),
    "call": Scene("call 2000 -", RESPONSE, "read_zero", "took-too-long"),
}


class Loop(unittest.TestCase):
    def record(self, kernel):
        out = self.enterContext(tempfile.TemporaryDirectory())
        subprocess.run([os.path.join(HERE, "prepare"), kernel], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cc", "-O2", "-static", "-pthread", "-o", os.path.join(out, "loop"), os.path.join(HERE, "loop.c")], check=True)
        with open(os.path.join(out, "recordings"), "w", encoding="ascii") as file:
            file.writelines(f"{name} {scene.recording}\n" for name, scene in SCENES.items())
        subprocess.run([os.path.join(HERE, "guest"), "--time", "counted", "--kernel", kernel, "--timeout", "500", "--out", out,
                        os.path.join(HERE, "loop-job")], check=True, stdout=subprocess.DEVNULL)
        return out

    def check_windows(self, out, name, study):
        """Each begins when the program expected it to, and ends when it ran, but for the way back to user mode."""
        with open(os.path.join(out, f"{name}.log"), encoding="ascii") as file:
            cycles = {(pid, start): (woken, done) for pid, start, woken, done in (map(int, line.split()) for line in file)}
        windows = culprit.rows(study, "SELECT pid, start_ns, end_ns FROM window")
        of_cycles = [(window, cycles[window["pid"], window["start_ns"]]) for window in windows
                     if (window["pid"], window["start_ns"]) in cycles]
        self.assertGreaterEqual(len(of_cycles), len(windows) - 2, "the last sleeps of a thread are no cycles")
        self.assertGreater(len(of_cycles), 30)
        if SCENES[name].options == RESPONSE:
            self.assertTrue(all(window["end_ns"] > done for window, (_, done) in of_cycles))
            return
        after = [woken - window["end_ns"] for window, (woken, _) in of_cycles]
        self.assertGreater(min(after), 0)
        if name == "few":
            self.assertLess(max(after), NEAR_NS)
        else:  # Now and then an interrupt strikes on the way.
            self.assertLess(sorted(after)[len(after) * 9 // 10], RETURN_NS)

    def check_scene(self, out, name):
        scene, study = SCENES[name], os.path.join(out, f"{name}.culprit")
        result = culprit.run("import", "--study", study, *scene.options, os.path.join(out, f"{name}.dat"))
        self.assertEqual(result.status, 0, result.stderr)
        self.assertEqual(culprit.run("check", "--study", study).status, 0)
        outlier = json.loads(culprit.run("outliers", "--study", study, "--json").stdout)[0]
        self.assertEqual(outlier["budget_sum_ns"], outlier["latency_ns"])
        self.assertEqual(sum(part["self_ns"] for part in outlier["budget"]), outlier["latency_ns"])
        if scene.culprit:
            self.assertEqual((outlier["culprit"], outlier["class"]), (scene.culprit, scene.class_))
        self.check_windows(out, name, study)

    def test_each_scene_on_a_kernel(self):
        out = self.record(KERNEL)
        for name in SCENES:
            with self.subTest(kernel=KERNEL, scene=name):
                self.check_scene(out, name)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# What the doctor makes of facts: each problem is reported with its fix, and a good machine passes. The facts come from
# a stand-in for ssh, so that any machine can be examined.

import json
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402

GOOD = {"type": "facts", "host": "board", "kernel": "6.1", "machine": "x86_64", "root": True, "virtual_machine": False,
        "cpus": [{"cpu": 0, "online": True, "isolated": False, "governor": "performance", "smi_count": 4},
                 {"cpu": 1, "online": True, "isolated": True, "governor": "performance", "smi_count": 4}],
        "idle_states": [{"name": "POLL", "latency_us": 0, "disabled": False},
                        {"name": "C6", "latency_us": 133, "disabled": True}],
        "dma_latency": True, "rt_runtime_us": -1, "rt_period_us": 1000000, "preemption": "rt", "timer_migration": 0,
        "nmi_watchdog": 0, "ftrace_enabled": 1, "kptr_restrict": 0, "transparent_hugepage": "madvise", "clocksource": "tsc",
        "delay_accounting": True, "tracefs": "/sys/kernel/tracing", "tracers": ["function_graph", "nop"],
        "current_tracer": "nop", "tracing_on": True, "enabled_events": 0, "trace_entries": 0, "trace_cmd": True,
        "temporary_folder": "/var/lib/culprit", "temporary_free_bytes": 10**10, "memory_available_kb": 10**6}
CPU = GOOD["cpus"][0]
# What is different, the severity, the key, a part of the remedy.
CASES = [
    ({"root": False}, "blocker", "root", None),
    ({"tracefs": None}, "blocker", "tracefs", "mount -t tracefs"),
    ({"tracers": ["blk"]}, "blocker", "function-graph", "linux-image-amd64"),
    ({"ftrace_enabled": 0}, "blocker", "ftrace-enabled", "ftrace_enabled=1"),
    ({"trace_cmd": False}, "blocker", "trace-cmd", "apt-get install trace-cmd"),
    ({"current_tracer": "function"}, "blocker", "tracing-in-use", "trace-cmd reset"),
    ({"enabled_events": 3}, "blocker", "tracing-in-use", "trace-cmd reset"),
    ({"trace_entries": 1}, "blocker", "tracing-in-use", "trace-cmd reset"),
    ({"unrestored": True, "current_tracer": "function_graph"}, "blocker", "unrestored", "culprit-recorder restore"),
    ({"temporary_free_bytes": 1000}, "blocker", "room", None),
    ({"memory_available_kb": 1000}, "blocker", "memory", None),
    ({"kptr_restrict": 2}, "warning", "kernel-symbols", "kptr_restrict=1"),
    ({"virtual_machine": True}, "warning", "hypervisor", None),
    ({"clocksource": "hpet"}, "warning", "clocksource", "echo tsc"),
    ({"cpus": [{**CPU, "governor": "powersave", "isolated": True}]}, "warning", "governor", "echo performance"),
    ({"idle_states": [{"name": "C6", "latency_us": 133, "disabled": False}]}, "hint", "idle-states", "echo 1"),
    ({"idle_states": [{"name": "C6", "latency_us": 133, "disabled": False}], "dma_latency": False}, "warning",
     "idle-states", "echo 1"),
    ({"cpus": [CPU, {**CPU, "cpu": 1}]}, "hint", "isolation", None),
    ({"cpus": [{"cpu": 0, "isolated": True}]}, "hint", "smi", "modprobe msr"),
    ({"rt_runtime_us": 950000}, "hint", "throttling", "sched_rt_runtime_us=-1"),
    ({"preemption": "voluntary"}, "hint", "preemption", "echo full"),
    ({"delay_accounting": False}, "hint", "delay-accounting", "task_delayacct=1"),
    ({"nmi_watchdog": 1}, "hint", "nmi-watchdog", "nmi_watchdog=0"),
    ({"timer_migration": 1}, "hint", "timer-migration", "timer_migration=0"),
    ({"transparent_hugepage": "always"}, "hint", "huge-pages", "echo madvise"),
]


class Doctor(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        before = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", before)
        os.environ["PATH"] = f"{self.folder}:{before}"
        self.write("ssh", f"#!/bin/sh\ncat {self.folder}/said\ncat >/dev/null\n")
        os.chmod(os.path.join(self.folder, "ssh"), 0o755)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="ascii") as file:
            file.write(text)

    def examine(self, facts, *options):
        lines = [{"type": "hello", "protocol": 1, "version": "0"}, facts, {"type": "end", "reason": "examined"}]
        self.write("said", "".join(json.dumps(line) + "\n" for line in lines))
        return culprit.run("doctor", "--target", "ssh:board", *options)

    def test_a_good_machine_is_called_one(self):
        result = self.examine(GOOD, "--json")
        told = json.loads(result.stdout)
        self.assertEqual([(finding["severity"], finding["key"]) for finding in told["findings"]],
                         [("ok", "function-graph")])
        self.assertEqual((result.status, told["function_graph"], told["facts"]["host"]), (0, True, "board"))

    def test_each_thing_that_spoils_a_measurement_is_told_with_its_remedy(self):
        for different, severity, key, remedy in CASES:
            with self.subTest(different=different):
                result = self.examine({**GOOD, **different}, "--json")
                worst = json.loads(result.stdout)["findings"][0]
                self.assertEqual((worst["severity"], worst["key"]), (severity, key))
                self.assertEqual(result.status, 0 if severity == "hint" else 1)
                if remedy:
                    self.assertIn(remedy, worst["remedy"])
                else:
                    self.assertIsNone(worst["remedy"])

    def test_what_a_recording_can_do_about_it_is_told_as_an_option(self):
        for different, told in (({"memory_available_kb": 1000}, "CPUs need more; use a smaller --buffer.\n"),
                                ({"tracers": ["blk"]}, "or use a virtual machine with --target vm.")):
            with self.subTest(different=different):
                self.assertIn(told, self.examine({**GOOD, **different}).stdout.replace("\n         ", " "))

    def test_nothing_known_is_no_crash(self):
        for facts in ({"type": "facts"}, {key: [] for key in GOOD} | {"type": "facts"},
                      {key: [1, "x", None] for key in GOOD} | {"type": "facts"},
                      {key: 3.5 for key in GOOD} | {"type": "facts"}):
            with self.subTest(facts=str(facts)[:60]):
                self.assertEqual(self.examine(facts).status, 1)

    def test_people_read_it_in_100_columns(self):
        everything = dict(GOOD)
        for different, *_ in CASES:
            everything.update(different)
        result = self.examine(everything)
        self.assertTrue(all(len(line) <= 100 or line.lstrip().startswith("# ") for line in result.stdout.splitlines()),
                        result.stdout)
        self.assertIn("\n         # sysctl -w ", result.stdout)


if __name__ == "__main__":
    unittest.main()

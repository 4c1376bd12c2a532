# SPDX-License-Identifier: GPL-3.0-or-later
# Recording on this machine, without tracing: measurements are stored completely and in order; errors are one line;
# whatever is killed or closed, nothing is left running. Needs root, as the recorder does.

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import recorder  # noqa: E402

METHODS = ["clock_nanosleep", "clock_nanosleep-relative", "nanosleep", "timer", "itimer", "timerfd", "pselect", "poll"]
ABSOLUTE = {"clock_nanosleep", "timer", "itimer", "timerfd", "poll"}
PERIOD_NS = 2000000


class Recording(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")

    def record(self, *arguments, **options):
        return culprit.run("record", "--study", self.study, *arguments, **options)

    def assert_recorded(self, *arguments):
        result = self.record(*arguments)
        self.assertEqual((result.status, result.stderr), (0, ""))

    def samples(self, run):
        """cpu -> the (expected, latency) of the run's samples, in their order."""
        found = {}
        for row in recorder.blobs(self.study, run):
            found.setdefault(row["cpu"], []).extend(recorder.unpack(row, PERIOD_NS))
        return found


class Facts(unittest.TestCase):
    def test_names_of_tasks_are_passed_on_as_far_as_they_are_text(self):
        """Half a character, one of too many bytes (two lengths), and one beyond the last."""
        become = ("import os, sys; os.sched_setscheduler (0, os.SCHED_FIFO, os.sched_param (1)); "
                  "open ('/proc/self/comm', 'wb').write (bytes.fromhex (sys.argv[1])); print (flush=True); sys.stdin.read ()")
        for first in ("eda080", "e08080", "f0808080", "f4908080"):
            with self.subTest(first=first), subprocess.Popen(
                    [sys.executable, "-c", become, first + b"name".hex()], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as task:
                task.stdout.readline()
                result = culprit.run("doctor", "--json")
                task.stdin.close()
                self.assertEqual(result.stderr, "")
                names = {known["pid"]: known["comm"] for known in json.loads(result.stdout)["facts"]["tasks"]}
                self.assertEqual(names[task.pid], "?" * (len(first) // 2) + "name")


    def test_a_mount_whose_name_says_tracefs_is_not_taken_for_it(self):
        """To whoever reads the table of mounts word by word, a vertical tab ends one."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        fake = os.path.join(folder, "mine")
        os.mkdir(fake)
        os.makedirs(fake + "\vtracefs\vx")
        with open(os.path.join(fake, "available_tracers"), "w", encoding="ascii") as file:
            file.write("function_graph nop\n")
        script = ('mount --make-rprivate / && mount -t tmpfs none /run && { umount -l /sys/kernel/tracing; umount -l /sys/kernel/debug; } '
                  '2>/dev/null; mount -t debugfs none /sys/kernel/debug; mount -t tmpfs none "$1" && exec "$0" \'{"culprit":1,"do":"examine"}\'')
        done = subprocess.run(["unshare", "-m", "sh", "-c", script, recorder.PROGRAM, fake + "\vtracefs\vx"], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=60, check=False)
        facts, = (line for line in map(json.loads, done.stdout.splitlines()) if line["type"] == "facts")
        self.assertIn(facts.get("tracefs"), (None, "/sys/kernel/tracing", "/sys/kernel/debug/tracing"))


class Samples(Recording):
    def test_every_cycle_is_stored_in_order_and_counted_by_latency(self):
        self.assert_recorded("--period", "2ms", "--cycles", "700", "--aligned", "--run", "x")
        samples = self.samples("x")[0]
        self.assertEqual(len(samples), 700)
        expected = [time for time, _ in samples]
        self.assertEqual(expected, sorted(set(expected)))
        self.assertTrue(all(time % PERIOD_NS == 0 for time in expected))
        counts = {}
        for _, latency in samples:
            counts[latency] = counts.get(latency, 0) + 1
        stored = culprit.rows(self.study, "SELECT latency_ns, count FROM run_latency ORDER BY latency_ns")
        self.assertEqual({row["latency_ns"]: row["count"] for row in stored}, counts)
        run, = culprit.rows(self.study, "SELECT * FROM run")
        missed = (expected[-1] - expected[0] + samples[-1][1]) // PERIOD_NS + 1 - 700
        late = sum(latency > PERIOD_NS // 2 for _, latency in samples)
        self.assertEqual((run["cycles"], run["missed"], run["late"]), (700, missed, late))
        self.assertEqual((run["page_faults"], run["tracing"], run["period_ns"]), (0, "off", PERIOD_NS))

    def test_every_method_wakes_up_at_its_times(self):
        for method in METHODS:
            with self.subTest(method=method):
                self.assert_recorded("--period", "2ms", "--cycles", "100", "--method", method, "--run", method)
                samples = self.samples(method)[0]
                self.assertEqual(len(samples), 100)
                self.assertTrue(all(latency > -PERIOD_NS for _, latency in samples))
                gaps = [b[0] - a[0] for a, b in zip(samples, samples[1:])]
                if method in ABSOLUTE:
                    self.assertTrue(all(gap % PERIOD_NS == 0 and gap > 0 for gap in gaps), gaps)
                else:
                    self.assertTrue(all(gap >= PERIOD_NS for gap in gaps), gaps)

    def test_no_method_takes_a_time_that_was_missed_for_the_next_one(self):
        for method in sorted(ABSOLUTE):
            with self.subTest(method=method):
                self.assert_recorded("--period", "100us", "--limit", "1s", "--policy", "other", "--method", method, "--run", method,
                                     "--load", "while :; do :; done & while :; do :; done")
                run, = culprit.rows(self.study, f"SELECT MIN(latency_ns) AS least FROM run_latency JOIN run USING (run_id) WHERE name = '{method}'")
                self.assertGreaterEqual(run["least"], 0)

    def test_the_realtime_clock_gives_the_same_latencies(self):
        self.assert_recorded("--period", "2ms", "--cycles", "100", "--clock", "realtime", "--run", "x")
        self.assertTrue(all(-100000 < latency for _, latency in self.samples("x")[0]))

    def test_every_policy_is_granted_or_refused_in_one_line(self):
        for policy in ("other", "fifo", "rr", "deadline"):
            with self.subTest(policy=policy):
                result = self.record("--period", "2ms", "--cycles", "50", "--policy", policy, "--run", policy)
                if result.status == 0:
                    row, = culprit.rows(self.study, f"SELECT policy, cycles FROM run WHERE name = '{policy}'")
                    self.assertEqual(row, {"policy": policy, "cycles": 50})
                else:
                    self.assertEqual((result.status, len(result.error_lines())), (2, 1))

    def test_a_thread_of_policy_deadline_is_bound_to_its_cpu_or_refused(self):
        with open("/proc/sys/kernel/sched_rt_runtime_us", encoding="ascii") as file:
            throttled = int(file.read()) >= 0
        with open("/sys/devices/system/cpu/isolated", encoding="ascii") as file:
            isolated = file.read().strip()
        if os.cpu_count() == 1 or not throttled or isolated:
            self.skipTest("this kernel binds it")
        result = self.record("--period", "2ms", "--cycles", "50", "--policy", "deadline")
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        self.assertRegex(result.stderr, "use policy fifo, or first: sysctl kernel.sched_rt_runtime_us=-1")
        self.assertFalse(os.path.exists(self.study) and culprit.rows(self.study, "SELECT * FROM run_latency"))

    def changed(self, change):
        """The notes of a recording whose measuring thread is changed by @change meanwhile."""
        process = recorder.start({"culprit": 1, "do": "record", "period_ns": PERIOD_NS, "limit_ns": 2 * 10**9, "cpus": [0]})
        lines = []
        for line in process.stdout:
            lines.append(json.loads(line))
            if lines[-1]["type"] == "progress" and change:
                measuring, = [pid for pid in recorder.tree(process.pid) if "culprit-cycle" in recorder.threads(pid)]
                change(max(map(int, os.listdir(f"/proc/{measuring}/task"))))
                change = None
        process.communicate(timeout=20)
        self.assertEqual(lines[-1]["type"], "end")
        return "".join(line["text"] for line in lines if line["type"] == "note")

    def test_a_thread_that_is_moved_or_demoted_is_told(self):
        def demote(thread):
            os.sched_setscheduler(thread, os.SCHED_OTHER, os.sched_param(0))

        self.assertRegex(self.changed(demote), "run 1: the thread of CPU 0 was given another policy or priority by something else")
        if os.cpu_count() > 1:
            self.assertRegex(self.changed(lambda thread: os.sched_setaffinity(thread, {1})), "run 1: the thread of CPU 0 was moved to other CPUs")
        self.assertEqual(self.changed(None), "")

    def hold(self, process, held):
        """What a recording says whose measuring process is stopped at its first progress; @held: is called then, with its pid."""
        lines = []
        for line in process.stdout:
            lines.append(json.loads(line))
            if [line["type"] for line in lines].count("progress") == 1 and lines[-1]["type"] == "progress":
                measuring, = [pid for pid in recorder.tree(process.pid) if "culprit-cycle" in recorder.threads(pid)]
                os.kill(measuring, signal.SIGSTOP)
                held(measuring)
        return lines

    def test_a_wake_up_due_before_the_limit_that_comes_after_it_is_kept_with_what_it_missed(self):
        for method in ("clock_nanosleep", "timerfd", "nanosleep"):
            with self.subTest(method=method):
                process = recorder.start({"culprit": 1, "do": "record", "period_ns": PERIOD_NS, "limit_ns": 10**9, "cpus": [0],
                                          "method": method, "skip_cycles": 0, "threshold_ns": 5 * 10**8})
                lines = self.hold(process, lambda measuring: threading.Timer(1.2, os.kill, (measuring, signal.SIGCONT)).start())
                process.communicate(timeout=20)
                end, = [line for line in lines if line["type"] == "run-end"]
                self.assertEqual((lines[-1]["type"], end["hits"]), ("end", 1), end)
                self.assertTrue(10**9 < end["max_ns"] < 15 * 10**8, end)
                if method in ABSOLUTE:
                    self.assertTrue(495 <= end["cycles"] + end["missed"] <= 500, end)

    def given_up(self, on_hold=None, **members):
        """The end of a run whose measuring process is held, from its first progress on, until it is given up."""
        process = recorder.start({"culprit": 1, "do": "record", "period_ns": PERIOD_NS, "cpus": [0], "skip_cycles": 0,
                                  "threshold_ns": 5 * 10**8, **members})
        lines = self.hold(process, lambda measuring: on_hold and on_hold(process))
        process.stdin.close()
        process.stdout.close()
        process.wait(timeout=20)
        self.assertEqual(lines[-1]["type"], "error")
        self.assertIn("no longer scheduled", lines[-1]["text"])
        sent = [line for line in lines if line["type"] == "samples"]
        end, = [line for line in lines if line["type"] == "run-end"]
        self.assertEqual(sum(line["cycles"] for line in sent), end["cycles"])
        return end

    def test_a_wake_up_that_is_held_until_the_run_is_given_up_is_kept_as_late_as_it_is_by_then(self):
        for method in ("clock_nanosleep", "timerfd", "nanosleep"):
            with self.subTest(method=method):
                end = self.given_up(limit_ns=10**9, method=method)
                self.assertEqual(end["hits"], 1, end)
                self.assertTrue(2 * 10**9 < end["max_ns"] < 5 * 10**9, end)
                if method in ABSOLUTE:
                    self.assertTrue(495 <= end["cycles"] + end["missed"] <= 500, end)

    def test_a_wake_up_that_is_held_when_the_recording_is_stopped_is_kept_as_well(self):
        end = self.given_up(lambda process: process.stdin.close(), limit_ns=60 * 10**9)
        self.assertEqual(end["hits"], 1, end)
        self.assertTrue(2 * 10**9 < end["max_ns"] < 5 * 10**9, end)
        self.assertTrue(1000 <= end["missed"] < 2500, end)

    def test_each_cpu_has_a_thread_and_all_its_cycles(self):
        cpus = sorted(os.sched_getaffinity(0))
        self.assert_recorded("--period", "2ms", "--cycles", "200", "--cpus", ",".join(map(str, cpus)), "--run", "x")
        samples = self.samples("x")
        self.assertEqual(sorted(samples), cpus)
        self.assertEqual({len(of_cpu) for of_cpu in samples.values()}, {200})

    def test_runs_of_equal_name_are_told_apart(self):
        self.assert_recorded("--period", "2ms", "--cycles", "20", "--run", "x")
        self.assert_recorded("--period", "2ms", "--cycles", "20", "--run", "x")
        self.assertEqual(culprit.rows(self.study, "SELECT name FROM run ORDER BY name"), [{"name": "x"}, {"name": "x-2"}])

    def test_studies_of_runs_merge_and_add_up(self):
        self.assert_recorded("--period", "2ms", "--cycles", "50", "--run", "x")
        both = os.path.join(self.folder, "both.culprit")
        self.assertEqual(culprit.run("merge", "--study", both, self.study).status, 0)
        self.assertEqual(culprit.run("check", "--study", both).status, 0)
        query = "SELECT * FROM {} ORDER BY 1, 2, 3"
        for table in ("run", "run_latency", "run_sample"):
            self.assertEqual(culprit.rows(both, query.format(table)), culprit.rows(self.study, query.format(table)))

    def test_a_load_that_ends_too_early_is_told(self):
        result = self.record("--period", "2ms", "--cycles", "300", "--load", "true")
        self.assertEqual(result.status, 0)
        self.assertIn("the load ended before the measurement", result.stdout)

    def test_the_priority_is_kept_as_it_was(self):
        self.assert_recorded("--period", "2ms", "--cycles", "20")
        self.assertEqual(culprit.rows(self.study, "SELECT policy, priority FROM run"), [{"policy": "fifo", "priority": 80}])

    def test_what_is_beside_the_run_is_kept(self):
        self.assert_recorded("--period", "2ms", "--cycles", "20", "--load", "sleep 100")
        run, = culprit.rows(self.study, "SELECT load, facts, configuration, kernel FROM run JOIN host USING (host_id) JOIN series USING (series_id)")
        self.assertEqual((run["load"], run["kernel"]), ("sleep 100", os.uname().release))
        self.assertEqual(json.loads(run["facts"])["kernel"], os.uname().release)
        self.assertEqual(json.loads(run["configuration"])["cycles"], 20)

    def test_a_load_ready_to_hand_is_kept_as_its_command(self):
        self.assert_recorded("--period", "2ms", "--cycles", "20", "--load", "cpu")
        self.assertEqual(culprit.rows(self.study, "SELECT load FROM run"), [{"load": "stress-ng --cpu 0"}])

    def test_no_load_has_a_name_too(self):
        self.assert_recorded("--period", "2ms", "--cycles", "20", "--load", "none")
        self.assertEqual(culprit.rows(self.study, "SELECT load FROM run"), [{"load": None}])

    def test_json_is_an_object_on_each_line(self):
        result = self.record("--period", "2ms", "--cycles", "20", "--json")
        types = [json.loads(line)["type"] for line in result.stdout.splitlines()]
        self.assertEqual((result.status, types[0], types[-1]), (0, "facts", "end"))
        self.assertNotIn("samples", types)


class BadInput(Recording):
    def test_each_is_refused_in_one_line_and_makes_no_study(self):
        for arguments in (["--period", "0"], ["--period", "1us"], ["--period", "11s"], ["--priority", "100"],
                          ["--priority", "0"], ["--policy", "other", "--priority", "5"], ["--policy", "best"],
                          ["--method", "wish"], ["--cpus", "4000"], ["--cpus", "1-0"], ["--cpus", "0,0"],
                          ["--threshold", "soon"], ["--band", "5ms"], ["--band", "6ms,5ms"],
                          ["--band", "5ms,6ms", "--threshold", "1ms"], ["--captures", "3"],
                          ["--captures", "3", "--threshold", "1ms", "--tracing", "off"], ["--target", "moon"],
                          ["--vm-cpus", "2"], ["--runs", "0"], ["--tracing", "on", "--event", "a b"],
                          ["--target", "vm", "--vm-kernel", "none"],
                          ["--target", "vm", "--vm-arch", "mips"], ["--target", "vm", "--vm-module", "/none.ko"],
                          ["--method", "poll", "--policy", "deadline"], ["rest"], ["--csv"], ["--skip", "-1"],
                          ["--method", "itimer", "--period", "1000900ns"],
                          ["--max-depth", "-3"], ["--runs", "3"], ["--run", ""], ["--load", "false"],
                          ["--load", "no-such-command-here"], ["--graph", "schedule", "--graph", "schedule"],
                          [word for i in range(501) for word in ("--graph-not", f"f{i}")]):
            with self.subTest(arguments=arguments):
                result = self.record("--cycles", "10", *arguments)
                self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                self.assertFalse(os.listdir(self.folder))

    def test_no_cycles_are_refused(self):
        for cycles in ("0", "-1"):
            result = self.record("--cycles", cycles)
            self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)

    def test_what_ended_it_is_told(self):
        for cycles, limit_ns, reason in ((10, 60 * 10**9, "cycles"), (10**9, 100 * PERIOD_NS, "limit")):
            lines = recorder.speak({"culprit": 1, "do": "record", "period_ns": PERIOD_NS, "cycles": cycles, "limit_ns": limit_ns})
            self.assertEqual(lines[-1], {"type": "end", "reason": reason})

    def test_one_timer_of_the_process_measures_one_cpu(self):
        lines = recorder.speak({"culprit": 1, "do": "record", "period_ns": PERIOD_NS, "cycles": 10, "method": "itimer", "cpus": [0, 1]})
        self.assertEqual(lines[-1]["type"], "error")
        self.assertIn("itimer", lines[-1]["text"])

    def test_without_root_the_mend_is_named(self):
        for program in (recorder.PROGRAM, culprit.PROGRAM):
            if not recorder.others_may_run(program):
                self.skipTest(f"{program} lies where only root can go")
        lines = recorder.speak({"culprit": 1, "do": "record", "period_ns": PERIOD_NS, "cycles": 10},
                               before=["setpriv", "--reuid", "65534", "--clear-groups"])
        self.assertEqual(lines[-1]["type"], "error")
        self.assertIn("root", lines[-1]["text"])

    def test_a_kernel_without_function_graph_is_said_so_before_anything_is_done(self):
        facts = json.loads(culprit.run("doctor", "--json").stdout)
        if facts["function_graph"]:
            self.skipTest("this kernel has it")
        result = self.record("--threshold", "1ms")
        self.assertEqual((result.status, len(result.error_lines())), (2, 1))
        self.assertIn("function_graph", result.stderr)

    def test_nonsense_to_the_recorder_is_an_error_and_no_crash(self):
        for text in ("", "hello", "{}", '{"culprit":2,"do":"record"}', '{"culprit":1,"do":"dance"}', "[" * 5000,
                     '{"culprit":1,"do":"record","period_ns":1e9}', '{"culprit":1,"do":"record","cpus":[[1]]}',
                     '{"culprit":1,"do":"record","period_ns":"x"}', '{"a":"\\ud800"}', '{"culprit":1', "\0\0\0"):
            with self.subTest(text=text[:40]):
                done = subprocess.run([recorder.PROGRAM], input=text.encode() + b"\n", capture_output=True, timeout=20,
                                      check=False)
                lines = [json.loads(line) for line in done.stdout.splitlines()]
                self.assertEqual((done.returncode, done.stderr, lines[-1]["type"]), (2, b"", "error"))

    def test_a_request_that_is_too_long_is_said_to_be(self):
        request = {"culprit": 1, "do": "record", "period_ns": PERIOD_NS, "cycles": 10, "tracing": "on",
                   "events": ["x" * 150] * 2000}
        done = subprocess.run([recorder.PROGRAM], input=json.dumps(request).encode() + b"\n", capture_output=True,
                              timeout=20, check=False)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual((done.returncode, done.stderr, [line["type"] for line in lines]), (2, b"", ["hello", "error"]))
        self.assertIn("256 KB", lines[-1]["text"])


class Ends(Recording):
    """However it ends, the load is gone and the next run works."""

    def setUp(self):
        super().setUp()
        self.mark = f"culprit-test-{os.getpid()}-{self.id()}"

    def tearDown(self):
        recorder.wait_until(lambda: not recorder.processes(self.mark))
        self.assert_recorded("--period", "2ms", "--cycles", "20", "--run", "next")

    def load(self):
        """A load of several processes and sessions' worth of children, which can be found by its mark."""
        return f"sh -c 'sleep 1000; : {self.mark}' & sh -c 'sleep 1000; : {self.mark}'; : {self.mark}"

    def start(self, before=(), cycles=0):
        """A recording with a load that would last for long; returns when both run, after @cycles."""
        process = subprocess.Popen([*before, culprit.PROGRAM, "record", "--study", self.study, "--period", "2ms", "--limit",
                                    "100s", "--cpus", "0", "--load", self.load(), "--json"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        for line in map(json.loads, process.stdout):
            if line["type"] == "progress" and line["cycles"] >= cycles:
                break
        recorder.wait_until(lambda: recorder.processes(self.mark))
        return process

    def test_ctrl_c_ends_it_in_order(self):
        process = self.start()
        process.send_signal(signal.SIGINT)
        self.assert_ends_in_order(process)

    def assert_ends_in_order(self, process):
        output, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(json.loads(output.splitlines()[-1]), {"type": "end", "reason": "stopped"})
        run, = culprit.rows(self.study, "SELECT cycles FROM run")
        self.assertGreater(run["cycles"], 0)

    def test_a_closed_terminal_ends_it_in_order(self):
        """The shell and the kernel each say that it was closed."""
        process = self.start()
        process.send_signal(signal.SIGHUP)
        time.sleep(0.05)
        process.send_signal(signal.SIGHUP)
        self.assert_ends_in_order(process)

    def test_nohup_outlives_a_closed_terminal(self):
        process = self.start(before=["nohup"])
        process.send_signal(signal.SIGHUP)
        time.sleep(1)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        self.assert_ends_in_order(process)

    def test_all_but_the_last_seconds_outlive_it(self):
        process = self.start(cycles=4000)
        process.kill()
        process.wait()
        run, = culprit.rows(self.study, "SELECT cycles, (SELECT SUM (count) FROM run_latency) AS counted FROM run")
        self.assertIsNone(run["cycles"])
        self.assertGreater(run["counted"] or 0, 4000 - 3000)
        self.assertEqual(sum(len(samples) for samples in self.samples("run").values()), run["counted"])
        self.assertEqual(culprit.run("check", "--study", self.study).status, 0)

    def test_a_killed_measuring_process(self):
        process = self.start()
        os.kill(recorder.measuring_process(process.pid), signal.SIGKILL)
        _, errors = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 2)
        self.assertIn(b"was killed", errors)

    def test_a_killed_supervisor(self):
        process = self.start()
        os.kill(recorder.supervisor(process.pid), signal.SIGKILL)
        _, errors = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 2)
        self.assertIn(b"tracing is restored", errors)

    def test_a_killed_group(self):
        process = self.start()
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, -signal.SIGKILL)

    def test_a_closed_pipe(self):
        session = recorder.start({"culprit": 1, "do": "record", "period_ns": PERIOD_NS, "limit_ns": 10**11,
                                  "load": self.load()})
        for line in session.stdout:
            if json.loads(line)["type"] == "progress":
                break
        recorder.wait_until(lambda: recorder.processes(self.mark))
        session.stdout.close()
        self.assertEqual(session.wait(timeout=20), 0)
        session.stdin.close()


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# Targets that lie, flood, hang or send terminal sequences: each is disconnected with a one-line error that names it,
# none of the user's files is touched, and its process is gone. The target is a stand-in for ssh: a real process on real
# pipes.

import base64
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402
import mounts  # noqa: E402
import recorder  # noqa: E402
import stand_in  # noqa: E402
from desktop import Desktop  # noqa: E402

CAPTURE = os.path.join(culprit.ROOT, "tests", "data", "count-1.dat")
NEST = 200000
COMMANDS = "\x1b]0;owned\x07\x1b[31mred\x9b2J\u202etxt\u2066.\u2028end\rover"


class Hostile(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")
        self.captures = os.path.join(self.folder, "s.captures")
        stand_in.use_ssh_of(self, self.folder)

    def target(self, *body):
        """What the target does."""
        stand_in.write_ssh(self.folder, *body)

    def pids(self):
        with open(os.path.join(self.folder, "pids"), encoding="ascii") as file:
            return [int(line) for line in file]

    def assert_gone(self):
        self.assertEqual([pid for pid in self.pids() if "bin/ssh" in recorder.command_line(pid)], [])
        os.unlink(os.path.join(self.folder, "pids"))

    def record(self, *arguments, before=()):
        return culprit.run("record", "--study", self.study, "--target", "ssh:evil", *arguments, before=before, timeout=60)

    def record_captures(self, *arguments):
        return self.record("--threshold", "1ms", "--captures", "2", "--buffer", "100", *arguments)

    def assert_cut_off(self, result, reason=""):
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        self.assertIn("ssh:evil: ", result.stderr)
        self.assertIn(reason, result.stderr)
        self.assert_gone()


class Lines(Hostile):
    def test_a_line_without_end(self):
        for before in ("hello()", "begin()"):
            with self.subTest(before=before):
                self.target(before, "out.write(b'{\"type\":\"note\",\"text\":\"')", "while True: out.write(b'A' * 65536)")
                self.assert_cut_off(self.record("--cycles", "1"), "a line of more than 1 MB")

    def test_deep_nesting(self):
        for opening, closing in ("[]", ("{\\\"a\\\":", "}")):
            for type_ in ("hello", "facts", "note", "capture"):
                with self.subTest(type=type_, opening=opening):
                    depth = NEST if opening == "[" else NEST // 2
                    self.target("" if type_ == "hello" else "begin()",
                                f"out.write(b'{{\"type\":\"{type_}\",\"protocol\":1,\"x\":')",
                                f"out.write(b\"{opening}\" * {depth} + b'1' + b\"{closing}\" * {depth} + b'}}\\n')",
                                "out.flush()", "sys.stdin.read()")
                    self.assert_cut_off(self.record("--cycles", "1"))

    def test_brackets_that_quotes_or_comments_hide(self):
        for hidden in ("\"\\\\\\\"]\" : ", "/* \\\" */ \"x\":", "// \\\"\\n \"x\":", "\"x\":'\\\"',\"y\":"):
            with self.subTest(hidden=hidden):
                self.target("begin()", f"out.write(b'{{\"type\":\"note\",' + b'''{hidden}''' + b'[' * {NEST} + b'\\n')", "out.flush()",
                            "sys.stdin.read()")
                self.assert_cut_off(self.record("--cycles", "1"))

    def test_members_that_make_no_sense(self):
        cases = ["say(type='run', run=2, tracing='on')", "say(type='run', run=-2**63, tracing='on')",
                 "say(type='run', run=1, tracing=7)", "say(type='progress', run=1, cycles=-1)",
                 "say(type='progress', run=1, cycles=2**62)", "say(type='progress', run=1, cycles='x')",
                 "say(type='progress', run=1, cycles=1, max_ns=2**63 - 1)", "say(type='progress', cycles=1)",
                 "say(type='progress', run=2, cycles=1)", "say(type='samples', run=1, cpu=-5, first_cycle=0, cycles=1,"
                 " first_expected_ns=0, base64='AAAA')", "say(type='samples', run=1, cpu=0, first_cycle=0, cycles=2**62,"
                 " first_expected_ns=0, base64='AAAA')", "say(type='samples', run=1, cpu=0, first_cycle=0, cycles=1,"
                 " first_expected_ns=0, base64='/////////////w==')", "say(type='samples', run=1, cpu=0, first_cycle=0, cycles=1,"
                 " first_expected_ns=0)", "say(type='samples', run=1, cpu=0, first_cycle=0, cycles=0, first_expected_ns=0, base64='')",
                 "say(type='calibration')", "say(type='note', text=['a'])",
                 "say(type='note', text='A' * 100000)", "say(type='end', reason=5)", "say(type='capture', run=1, capture=0)",
                 "say(type='capture-end', capture=1, size_bytes=0)", "data(b'x')", "say(type='run-end', run=1, cycles=1, delays=[1])",
                 "say(type='facts', host='again')", "say(type=7)", "out.write(b'[]\\n')", "out.write(b'\\0\\n')",
                 "out.write(b'\\xff\\n')"]
        for case in cases:
            with self.subTest(case=case):
                self.target("begin()", case, "out.flush()", "end()", "sys.stdin.read()")
                self.assert_cut_off(self.record_captures())

    def test_latencies_of_windows_that_make_no_sense(self):
        watched, cyclic = ("--wakeup-of", "myloop", "--limit", "1s"), ("--cycles", "3")
        bins = "say(type='bins', run=1, bins={})".format
        for arguments, lines, told in ((watched, (bins("[[1,9]]"), bins("[[1,2],[1,1]]"), "say(type='run-end', run=1, cycles=3)", "end('limit')"), None),
                                       (watched, (bins("[[-1,2]]"),), '"bins"'), (watched, (bins("[[1,0]]"),), '"bins"'),
                                       (watched, (bins("[[2**60,1]]"),), '"bins"'), (watched, (bins("[[10**15,1]]"),), '"bins"'), (watched, (bins("[[1,2**53+1]]"),), '"bins"'),
                                       (watched, (bins("[[1,2**53],[2,1]]"),), '"bins"'), (watched, (bins("[[1]]"),), '"bins"'),
                                       (watched, (bins("[[1,1]]*50000"),), '"bins"'), (watched, (bins("7"),), '"bins"'),
                                       (watched, (bins("[['x',1]]"),), '"bins"'),
                                       (watched, (bins("[[1,1]]"), "say(type='run-end', run=1, cycles=2)"), "latencies of 1"),
                                       (watched, ("say(type='run-end', run=1, cycles=2)",), "latencies of 0"),
                                       (watched, ("say(type='samples', run=1, cpu=0, first_cycle=0, cycles=1, first_expected_ns=0,"
                                                  " base64='AAA=')",), "samples, which were not requested"),
                                       (cyclic, (bins("[[1,1]]"),), "not requested"),
                                       (cyclic, ("say(type='run-end', run=1, cycles=3)",), "3 cycles, but sent the latencies of 0")):
            with self.subTest(lines=lines):
                self.target("begin(tracing='off')", *lines, "sys.stdin.read()")
                result = self.record(*arguments)
                if told:
                    self.assert_cut_off(result, told)
                else:
                    self.assertEqual((result.status, result.stderr), (0, ""))
                    self.assertEqual(culprit.rows(self.study, "SELECT latency_ns, count FROM run_latency"),
                                     [{"latency_ns": 1000, "count": 3}])
                    self.assertEqual(culprit.run("check", "--study", self.study).status, 0)

    def test_more_delay_than_a_study_takes(self):
        for member in ("delay_calls", "delay_spun_ns", "delay_withheld"):
            for value, told in ((2 ** 53, None), (2 ** 53 + 1, member), (2 ** 60, member), (-1, member)):
                with self.subTest(member=member, value=value):
                    delayed = dict(delay_calls=1, delay_spun_ns=1, delay_withheld=0) | {member: value}
                    self.target("greet()", "say(type='run', run=1, tracing='off', started_ns=1)",
                                f"say(type='run-end', run=1, cycles=0, **{delayed})", "end()", "sys.stdin.read()")
                    result = culprit.run("prove", "f", "--study", self.study, "--target", "ssh:evil", timeout=60)
                    if told:
                        self.assert_cut_off(result, f'its "{told}" of "run-end" is not valid')
                    else:
                        self.assertEqual((result.status, result.stderr), (1, ""))

    def test_times_in_delays_that_no_recorder_tells(self):
        self.target("begin()", "say(type='run-end', run=1, cycles=0, delays=dict(cpu=dict(count=1, ns=1e308)))", "end()", "sys.stdin.read()")
        self.assert_cut_off(self.record_captures(), 'its "delays" of "run-end" is not valid')

    def test_what_can_be_done_about_an_error_is_told_as_an_option(self):
        for remedy, told in (("remedy='take-over'", "; end that with: trace-cmd reset, or use --take-over\n"),
                             ("remedy='longer-period', shortest_period_ns=120000", "; use --period 120us or longer, "),
                             ("remedy='smaller-buffer'", "; use a smaller --buffer\n"),
                             ("remedy='longer-period'", "evil: it fails\n"),
                             ("remedy='%s'", "evil: it fails\n"), ("remedy=5", "evil: it fails\n")):
            with self.subTest(remedy=remedy):
                self.target("greet()", f"say(type='error', text='it fails', {remedy})", "sys.stdin.read()")
                result = self.record("--cycles", "1")
                self.assert_cut_off(result, "it fails")
                self.assertIn(told, result.stderr)

    def test_facts_that_make_no_sense_are_not_told(self):
        self.target("hello()", "sys.stdin.readline()",
                    "say(type='facts', host=['a'], kernel={'x': 1}, cpus='x', tracers=[[1], {'a': 2}, 3, None, 'function_graph'],"
                    " idle_states=[1, [2], {'latency_us': 'x', 'name': 3}] + [{'latency_us': 2**63 - 1, 'name': '\\x1b[31m$(id)'}] * 99,"
                    " steal_ns=-2**63, temporary_free_bytes=-1, temporary_folder='/tmp\\x1b[31m; rm -rf ~', clocksource='\\u202e',"
                    " future={'a': [1]})", "end('examined')")
        result = culprit.run("doctor", "--target", "ssh:evil")
        self.assertEqual((result.status, result.stderr), (1, ""))
        self.assertNotIn("\x1b", result.stdout)
        self.assertNotIn("\u202e", result.stdout)
        self.assert_gone()

    def test_what_is_not_quite_json_becomes_json(self):
        """json-glib reads numbers and texts that programs after it do not."""
        loose = '{"type":"facts","host":"a\tb","x":0x10,"y":007,"large":1e22,"larger":[1e999]}'
        self.target("hello()", "sys.stdin.readline()", f"print({loose!r}, flush=True)", "say(type='run', run=1, tracing='off', started_ns=1)",
                    "say(type='run-end', run=1, cycles=0)", "end('cycles')")
        result = self.record("--tracing", "off", "--cycles", "1", "--json")
        if result.status != 0:  # Since 1.10 it reads JSON alone.
            self.assert_cut_off(result, "expected a recorder, but received")
            return
        self.assertEqual((result.status, result.stderr), (0, ""))
        facts, = (line for line in map(json.loads, result.stdout.splitlines()) if line["type"] == "facts")
        self.assertEqual(facts, {"type": "facts", "host": "a\tb", "x": 16, "y": 7})
        self.target("hello()", "sys.stdin.readline()", f"print({loose!r}, flush=True)", "end('examined')")
        self.assertEqual(json.loads(culprit.run("doctor", "--json", "--target", "ssh:evil").stdout)["facts"], facts)
        self.assertEqual(culprit.rows(self.study, "SELECT facts ->> 'x' AS x FROM run"), [{"x": 16}])

    def test_no_facts_at_all(self):
        self.target("hello()", "sys.stdin.readline()", "end('examined')")
        self.assert_cut_off(culprit.run("doctor", "--target", "ssh:evil"))


class Amounts(Hostile):
    def assert_nothing_kept(self):
        self.assertEqual(os.listdir(self.captures) if os.path.exists(self.captures) else [], [])

    def test_a_capture_that_does_not_end(self):
        self.target("begin(cpus=2)", "capture()", "while True: data(bytes(48 * 1024))")
        self.assert_cut_off(self.record_captures(), "100 kB on 2 CPUs")
        self.assert_nothing_kept()

    def test_a_capture_of_more_cpus_than_a_recorder_knows(self):
        self.target("begin(cpus=4096)", "capture()", "while True: data(bytes(480 * 1024))")
        self.assert_cut_off(self.record_captures(), "100 kB on 1024 CPUs")
        self.assert_nothing_kept()

    def test_a_capture_for_which_the_disk_has_no_room(self):
        if not mounts.own_mounts():
            self.skipTest("a small file system of its own can only be mounted by root")
        disk = os.path.join(self.folder, "disk")
        os.mkdir(disk)
        mounts.mount_small(self, disk, 4096)
        self.addCleanup(mounts.unmount, disk)
        self.study = os.path.join(disk, "s.culprit")
        self.captures = os.path.join(disk, "s.captures")
        self.target("begin()", "capture()", "while True: data(bytes(48 * 1024))")
        result = self.record_captures()
        self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
        self.assertIn("No space left on device", result.stderr)
        self.assert_nothing_kept()

    def test_data_without_bytes_that_does_not_end(self):
        self.target("begin()", "capture()", "while True: data(b'')")
        self.assert_cut_off(self.record_captures(), "larger than buffers")
        self.assert_nothing_kept()

    def test_a_capture_that_another_breaks_off(self):
        self.target("begin()", "capture()", "data(b'x')", "capture(2)", "sys.stdin.read()")
        self.assert_cut_off(self.record_captures(), "aborts capture 1")
        self.assert_nothing_kept()

    def test_more_captures_than_asked_for(self):
        self.target("begin()", "capture(3)", "sys.stdin.read()")
        self.assert_cut_off(self.record_captures(), "capture 3")
        self.assert_nothing_kept()

    def test_more_runs_than_asked_for(self):
        self.target("begin()", "run_end()", "say(type='run', run=2, tracing='off')", "sys.stdin.read()")
        self.assert_cut_off(self.record("--cycles", "1"), "begins run 2")
        self.assertEqual(len(culprit.rows(self.study, "SELECT * FROM run")), 1)

    def test_more_blocks_than_asked_for(self):
        self.target("greet()", "for i in range(1, 14):", "    say(type='run', run=i, tracing='off', started_ns=1, treated=True)",
                    "    say(type='run-end', run=i, cycles=0)", "sys.stdin.read()")
        result = culprit.run("trial", "--study", self.study, "--target", "ssh:evil", "--treat", "true", "--undo", "true", timeout=60)
        self.assert_cut_off(result, "begins run 13, after 12 of 12")

    def test_more_samples_than_there_were_cycles(self):
        line = "say(type='samples', run=1, cpu=0, first_cycle=i * 9000, cycles=9000, first_expected_ns=1, base64=text)"
        for arguments in (("--cycles", "10"), ("--limit", "1s"), ("--threshold", "1ms")):
            with self.subTest(arguments=arguments):
                self.target("begin()", "text = base64.b64encode(bytes(18000)).decode()", f"for i in range(1000): {line}",
                            "sys.stdin.read()")
                self.assert_cut_off(self.record(*arguments), "more samples")

    def test_an_end_amid_a_capture(self):
        self.target("begin()", "capture()", "data(bytes(1000))", "end('captures')")
        self.assert_cut_off(self.record_captures(), "aborts capture 1")
        self.assert_nothing_kept()

    def test_totals_that_no_run_has(self):
        samples = "say(type='samples', run=1, cpu=0, first_cycle=0, cycles=2, first_expected_ns=1, base64=base64.b64encode(bytes(4)).decode())"
        for totals in ("min_ns=5, mean_ns=-7, max_ns=9", "min_ns=1, mean_ns=5, max_ns=4", "min_ns=0, mean_ns=0, max_ns=0, hits=3",
                       "min_ns=0, mean_ns=0, max_ns=0, late=3"):
            with self.subTest(totals=totals):
                self.target("begin()", samples, f"say(type='run-end', run=1, cycles=2, {totals})", "sys.stdin.read()")
                self.assert_cut_off(self.record("--cycles", "2"), "are not those of any run")
        self.target("begin()", "say(type='run-end', run=1, cycles=0, min_ns=0, mean_ns=0, max_ns=0, hits=2**53-1)", "sys.stdin.read()")
        self.assert_cut_off(self.record("--cycles", "2"), "are not those of any run")

    def test_latencies_are_what_was_sent_not_what_is_said_of_them(self):
        self.target("begin(tracing='off')", "packed = bytes(byte for latency in (1000, 4000) for byte in (0, *leb128(2 * latency)))",
                    "say(type='samples', run=1, cpu=0, first_cycle=0, cycles=2, first_expected_ns=1, base64=base64.b64encode(packed).decode())",
                    "say(type='run-end', run=1, cycles=2, min_ns=0, mean_ns=10**9, max_ns=10**12, late=0)", "end('cycles')", "sys.stdin.read()")
        result = self.record("--cycles", "2")
        self.assertEqual(result.status, 0, result.stderr)
        self.assertIn("2 cycles, min 1.0 us, mean 2.5 us, max 4.0 us,", result.stdout)

    def test_facts_that_would_fill_the_disk_with_each_run(self):
        self.target("hello()", "sys.stdin.readline()", "say(type='facts', host='h', tracers=['x' * 1000] * 900)", "sys.stdin.read()")
        result = culprit.run("record", "--study", self.study, "--target", "ssh:evil", "--period", "1ms", "--cycles", "10", "--tracing", "both",
                             "--runs", "1000", timeout=60)
        self.assert_cut_off(result, "too long to be stored with each of 2000 runs")

    def test_more_lines_than_anybody_reads(self):
        for line in ("say(type='note', text='x')", "progress()", "say(type='future')"):
            with self.subTest(line=line):
                self.target("begin()", f"while True: {line}")
                self.assert_cut_off(self.record("--threshold", "1ms"), "lines per second")

    def test_standard_error_without_end_takes_no_room(self):
        self.target("begin()", "for i in range(64): os.write(2, b'E' * (1 << 20))", "run_end()", "end('cycles')")
        limit = resource.getrlimit(resource.RLIMIT_FSIZE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_FSIZE, limit)
        resource.setrlimit(resource.RLIMIT_FSIZE, (32 << 20, limit[1]))
        result = self.record("--cycles", "1")
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assert_gone()


class Time(Hostile):
    def test_silence(self):
        for body in ([], ["hello()"], ["begin()"], ["begin()", "capture()", "data(b'x')"]):
            with self.subTest(body=body):
                self.target(*body, "time.sleep(1000)")
                self.assert_cut_off(self.record_captures(), "does not respond")

    def test_a_doctor_who_gets_no_answer(self):
        for body in ([], ["hello()"]):
            with self.subTest(body=body):
                self.target(*body, "time.sleep(1000)")
                self.assert_cut_off(culprit.run("doctor", "--target", "ssh:evil", timeout=60), "does not respond")

    def test_a_doctor_who_gets_other_answers(self):
        for line, reason in (("say(type='note', text='x')", "does not finish"), ("say(type='run', run=1, tracing='on')", "run 1"),
                             ("capture()", "run 1")):
            with self.subTest(line=line):
                self.target("hello()", "while True:", f"    {line}", "    time.sleep(0.1)")
                self.assert_cut_off(culprit.run("doctor", "--target", "ssh:evil", timeout=60), reason)

    def test_a_recording_that_goes_on_for_ever(self):
        self.target("begin()", "while True:", "    progress()", "    time.sleep(0.1)")
        self.assert_cut_off(self.record("--limit", "1s"), "does not finish")

    def test_a_process_that_stays_after_its_last_line(self):
        self.target("deaf()", "begin()", "run_end()", "end('cycles')", "time.sleep(1000)")
        result = self.record("--cycles", "1")
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assert_gone()

    def test_a_process_that_stays_after_closing_its_output(self):
        self.target("deaf()", "begin()", "out.close()", "os.close(1)", "time.sleep(1000)")
        self.assert_cut_off(self.record("--cycles", "1"), "was lost")

    def test_a_process_that_ends_without_a_word(self):
        for end, told in (("os._exit(3)", "ended with status 3"), ("os.kill(os.getpid(), 9)", "was killed (signal 9)")):
            for before in ("pass", "begin()"):
                with self.subTest(end=end, before=before):
                    self.target(before, end)
                    self.assert_cut_off(self.record("--cycles", "1"), f": its command {told}")

    def begin(self, *body, until):
        """A recording without a terminal and without an end, that has come to the type @until."""
        self.target(*body)
        process = subprocess.Popen([culprit.PROGRAM, "record", "--study", self.study, "--target", "ssh:evil", "--threshold", "1ms",
                                    "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        for line in process.stdout:
            if json.loads(line)["type"] == until:
                return process
        raise AssertionError(process.stderr.read())

    def test_ctrl_c_ends_a_target_that_does_not_stop_and_all_its_processes(self):
        child = "subprocess.Popen([sys.executable, '-c', 'import signal, time; signal.signal(15, 1); time.sleep(1000)', 'bin/ssh'])"
        process = self.begin("deaf()", f"child = {child}", f"print(child.pid, file=open({self.folder!r} + '/pids', 'a'))", "begin()",
                             "while True:", "    progress()", "    time.sleep(0.01)", until="progress")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        self.assertEqual((process.returncode, len(errors.splitlines())), (2, 1), errors)
        self.assertIn("does not stop", errors)
        self.assertEqual(len(self.pids()), 2)
        self.assert_gone()

    def test_a_killed_session_takes_its_target_along(self):
        process = self.begin("begin()", "progress()", "time.sleep(1000)", until="progress")
        process.kill()
        process.wait()
        recorder.wait_until(lambda: not any("bin/ssh" in recorder.command_line(pid) for pid in self.pids()))


class Files(Hostile):
    SEND = ("begin()", "capture()", "data(b'owned')", "say(type='capture-end', capture=1, size_bytes=5)", "run_end()", "end()")

    def test_no_link_in_the_folder_is_followed(self):
        precious = os.path.join(self.folder, "precious")
        for name in ("run-001.dat.part", "run-001.json", "run-001.dat"):
            for there in (True, False):
                with self.subTest(name=name, there=there):
                    os.mkdir(self.captures)
                    os.symlink(precious, os.path.join(self.captures, name))
                    if there:
                        with open(precious, "w", encoding="ascii") as file:
                            file.write("dear")
                    self.target(*self.SEND)
                    self.assertEqual(self.record_captures().status, 2)  # Five bytes are no capture.
                    if there:
                        with open(precious, encoding="ascii") as file:
                            self.assertEqual(file.read(), "dear")
                        os.unlink(precious)
                    self.assertFalse(os.path.exists(precious))
                    self.assertTrue(os.path.islink(os.path.join(self.captures, name)))
                    shutil.rmtree(self.captures)
                    os.unlink(self.study)

    def test_the_folder_is_no_link(self):
        elsewhere = os.path.join(self.folder, "elsewhere")
        for there in (True, False):
            with self.subTest(there=there):
                if there:
                    os.mkdir(elsewhere)
                os.symlink(elsewhere, self.captures)
                self.target(*self.SEND)
                result = self.record_captures()
                self.assertEqual(result.status, 2)
                self.assertIn("is a link", result.stderr)
                self.assertEqual(os.listdir(elsewhere) if there else os.path.exists(elsewhere), [] if there else False)
                os.unlink(self.captures)
                if there:
                    os.rmdir(elsewhere)

    def test_a_file_that_was_there_stays(self):
        os.mkdir(self.captures)
        for name in ("run-001.dat", "run-001.json", "run-001-2.dat.part"):
            with open(os.path.join(self.captures, name), "w", encoding="ascii") as file:
                file.write(name)
        self.target(*self.SEND)
        self.record_captures()
        for name in ("run-001.dat", "run-001.json", "run-001-2.dat.part"):
            with open(os.path.join(self.captures, name), encoding="ascii") as file:
                self.assertEqual(file.read(), name)

class Cut(Hostile):
    """One that is cut off, or tells of other windows than it was asked for."""

    def test_what_the_kernel_had_counted_stays(self):
        for end in ("os._exit(0)", "end('limit')"):
            with self.subTest(end=end):
                self.target("begin(tracing='off')", "say(type='bins', run=1, bins=[[1,50]])", "say(type='bins', run=1, bins=[[1,60]])", end)
                run = end[:3]
                self.record("--wakeup-of", "myloop", "--limit", "1s", "--run", run)
                self.assertEqual(culprit.rows(self.study, "SELECT latency_ns, count FROM run_latency JOIN run USING (run_id)"
                                              f" WHERE name LIKE '{run}%'"), [{"latency_ns": 1000, "count": 60}])
                self.assertEqual(culprit.run("check", "--study", self.study).status, 0)

    def test_its_captures_have_the_windows_that_were_asked_for(self):
        for asked, told in ((("--wakeup-of", "myloop"), "response-of/timer:other"), (("--wakeup-of", "myloop"), "cyclic"),
                            ((), "wakeup-of/timer:other")):
            with self.subTest(asked=asked, told=told):
                self.setUp()
                self.target("begin()", f"say(type='capture', culprit_cycles=1, run=1, capture=1, window={told!r}, threshold_ns=1000,"
                            " hit=dict(cpu=0, pid=1, latency_ns=2000, observed_ns=5), cycles=[], needed_kb=0, delays={})",
                            f"content = open({CAPTURE!r}, 'rb').read()",
                            "for at in range(0, len(content), 49152): data(content[at:at + 49152])",
                            "say(type='capture-end', capture=1, size_bytes=len(content))", "sys.stdin.read()")
                self.record(*asked, "--threshold", "1ms", "--buffer", "10000")
                windows = [row["window_kind"] for row in culprit.rows(self.study, "SELECT DISTINCT window_kind FROM series")]
                self.assertEqual(windows, ["wakeup-of/timer:myloop" if asked else "cyclic"])


    def test_where_windows_of_nothing_begin(self):
        """Before anything is asked of the target."""
        result = self.record("--from-timer", "--limit", "1s")
        self.assertRegex(result.stderr, r"^culprit: --from-waking and --from-timer belong to --wakeup-of or --response-of\n$")
        result = self.record("--wakeup-of", "myloop", "--cycles", "9", "--limit", "1s")
        self.assertEqual(result.stderr, "culprit: --cycles is for the test loop, which does not run where another program is measured; "
                                        "leave it out\n")

    def test_windows_that_no_capture_could_have_are_not_begun(self):
        self.target("begin()", "sys.stdin.read()")
        result = self.record("--between", 'sched:sched_waking/(comm == "myloop")/..sched:sched_switch', "--limit", "1s")
        self.assertEqual(result.status, 2)
        self.assertRegex(result.stderr, r"^culprit: --between: .*expected a field at .*\n$")
        self.assertFalse(os.path.exists(self.study))


class Good(Hostile):
    """One that keeps to the protocol."""

    def setUp(self):
        super().setUp()
        packed = bytes([0, 200, 1, 3, 200, 1, 0, 9])  # Latencies of 100, 100 and -5 ns.
        self.target("begin()", "progress()", "say(type='samples', run=1, cpu=0, first_cycle=0, cycles=3, first_expected_ns=1,"
                    f" base64=base64.b64encode({packed!r}).decode())", "say(type='future', run='x')", "say(type='capture', run=1, capture=1)",
                    f"content = open({CAPTURE!r}, 'rb').read()",
                    "for at in range(0, len(content), 49152): data(content[at:at + 49152])",
                    "say(type='capture-end', capture=1, size_bytes=len(content))", "run_end(3)", "end()")

    def assert_stored(self):
        self.assertEqual(len(culprit.rows(self.study, "SELECT * FROM capture")), 1)
        self.assertEqual(culprit.rows(self.study, "SELECT cpu, latency_ns, count FROM run_latency ORDER BY latency_ns"),
                         [{"cpu": 0, "latency_ns": -5, "count": 1}, {"cpu": 0, "latency_ns": 100, "count": 2}])
        self.assertEqual(culprit.rows(self.study, "SELECT host.name, kernel, json_extract (facts, '$.host') AS host FROM host JOIN run"
                                                  " USING (host_id)"), [{"name": "h", "kernel": "k", "host": "h"}])

    def test_what_it_sends_comes_whole(self):
        result = self.record("--threshold", "1ms", "--buffer", "10000")
        self.assertEqual((result.status, result.stderr), (0, ""))
        with open(os.path.join(self.captures, "run-001.dat"), "rb") as came, open(CAPTURE, "rb") as sent:
            self.assertEqual(came.read(), sent.read())
        self.assertEqual(sorted(os.listdir(self.captures)), ["run-001.dat", "run-001.json"])
        for name in os.listdir(self.captures):
            self.assertEqual(os.stat(os.path.join(self.captures, name)).st_mode & 0o777, 0o600, "kernel addresses are root's")
        self.assert_stored()
        self.assert_gone()

    def test_the_window_brings_the_same(self):
        window = Desktop()
        self.addCleanup(window.close)
        window.begin_study(self.study)
        window.wait(lambda: window.state("recording") == "false", "the window")
        request = {"target": "ssh:evil", "threshold": "1ms", "buffer_kb": 10000}
        window.act("record-start", "'" + json.dumps(request) + "'")
        window.wait(lambda: os.path.exists(os.path.join(self.folder, "pids")), "the target")
        window.wait(lambda: window.state("recording") == "false", "the end of the recording")
        self.assertEqual(window.state("dismiss"), "''")
        self.assert_stored()
        self.assert_gone()
        self.assertEqual(window.close(), 0)

    @unittest.skipUnless(shutil.which("strace"), "needs strace")
    def test_a_capture_is_on_the_disk_before_its_row(self):
        trace = os.path.join(self.folder, "trace")
        result = self.record("--threshold", "1ms", "--buffer", "10000", before=(
            "strace", "-f", "-y", "-e", "trace=fsync,fdatasync,renameat2,renameat,rename", "-o", trace))
        self.assertEqual(result.status, 0, result.stderr)
        with open(trace, encoding="utf-8", errors="replace") as file:
            calls = [line for line in file if "resumed" not in line]

        def first(*parts, after=0):
            found = [number for number, line in enumerate(calls) if number >= after and all(part in line for part in parts)]
            self.assertTrue(found, (parts, calls))
            return found[0]

        renamed = first("rename", "run-001.dat")
        self.assertLess(first("sync(", "run-001.json>"), renamed)
        self.assertLess(first("sync(", "run-001.dat.part>"), renamed)
        folder = first("sync(", "s.captures>", after=renamed)
        stored = [number for number, line in enumerate(calls) if "s.culprit" in line and number > renamed]
        self.assertTrue(stored, calls)
        self.assertLess(folder, stored[0])


class Terminal(Hostile):
    def setUp(self):
        super().setUp()
        self.target("begin()", f"say(type='note', text={COMMANDS!r})", "run_end()", "end('cycles')")

    def assert_plain(self, text):
        self.assertEqual([character for character in text if not character.isprintable() and character != "\n"], [])

    def test_a_note_commands_no_terminal(self):
        result = self.record("--cycles", "1")
        self.assertEqual(result.status, 0)
        self.assert_plain(result.stdout)
        self.assertIn("red", result.stdout)

    def test_programs_get_the_note_as_it_is(self):
        result = self.record("--cycles", "1", "--json")
        self.assert_plain(result.stdout)
        notes = [line["text"] for line in map(json.loads, result.stdout.splitlines()) if line["type"] == "note"]
        self.assertEqual(notes, [COMMANDS])

    def test_an_error_commands_no_terminal(self):
        for body in ([f"say(type='error', text={COMMANDS!r})"], [f"os.write(2, {COMMANDS!r}.encode())", "sys.exit(1)"],
                     [f"out.write({COMMANDS!r}.encode() + b'\\n')", "out.flush()", "sys.stdin.read()"]):
            for before in ([], ["begin()"]):
                with self.subTest(body=body, before=before):
                    self.target(*before, *body)
                    result = self.record("--cycles", "1")
                    self.assertEqual((result.status, len(result.error_lines())), (2, 1), result.stderr)
                    self.assert_plain(result.stderr)


class Window(Hostile):
    def setUp(self):
        super().setUp()
        self.target("deaf()", "begin()", "while True:", "    progress()", "    time.sleep(0.01)")

    def open(self):
        self.window = Desktop()
        self.addCleanup(self.window.close)
        self.window.begin_study(self.study)
        self.window.wait(lambda: self.window.state("recording") == "false", "the window")

    def start(self):
        self.window.act("record-start", "'" + json.dumps({"target": "ssh:evil", "threshold": "1ms"}) + "'")
        self.window.wait(lambda: os.path.exists(os.path.join(self.folder, "pids")), "the target")

    def wait_for_end(self):
        self.window.wait(lambda: self.window.state("recording") == "false", "the end of the recording")

    def test_stop_ends_a_target_that_does_not(self):
        self.open()
        self.start()
        self.window.wait(lambda: os.path.exists(self.study), "a run")
        self.window.act("record-stop")
        self.wait_for_end()
        self.assertIn("does not stop", self.window.state("dismiss"))
        self.assert_gone()
        self.assertEqual(self.window.close(), 0)

    def test_stop_ends_a_target_that_does_not_even_greet(self):
        self.target("deaf()", "time.sleep(1000)")
        os.environ["CULPRIT_PATIENCE"] = "1000"
        self.open()
        self.start()
        self.window.act("record-stop")
        self.wait_for_end()
        self.assertEqual(self.window.state("dismiss"), "''")
        self.assert_gone()
        self.assertEqual(self.window.close(), 0)

    def test_many_small_lines_after_many_samples_do_not_hold_it_up(self):
        """They took a minute and more as long as all samples were sorted for each line."""
        self.target("begin(tracing='off')", "def samples(at, latencies): say(type='samples', run=1, cpu=0, first_cycle=at,"
                    " cycles=len(latencies), first_expected_ns=1, base64=base64.b64encode(bytes(byte for latency in latencies"
                    " for byte in (0, *leb128(2 * latency)))).decode())", "for at in range(0, 1000000, 100000):",
                    "    samples(at, range(at, at + 100000))", "for at in range(1000000, 1000900): samples(at, [at])",
                    "run_end(1000900)", "end('cycles')")
        self.open()
        self.window.act("record-start", "'" + json.dumps({"target": "ssh:evil", "cycles": 1000900}) + "'")
        self.window.wait(lambda: os.path.exists(self.study), "a run")
        self.wait_for_end()
        self.assertEqual(self.window.state("dismiss"), "''")
        self.assertEqual(self.window.close(), 0)

    def test_a_window_that_is_closed_takes_its_target_along(self):
        for action in ("record-start", "record-check"):
            with self.subTest(action=action):
                if action == "record-check":
                    self.target("time.sleep(1000)")
                self.open()
                self.start()
                if action == "record-check":
                    self.window.act("record-stop")
                    self.wait_for_end()
                    self.window.act("record-check")
                    self.window.wait(lambda: len(self.pids()) == 2, "the other target")
                self.assertEqual(self.window.close(), 0)
                recorder.wait_until(lambda: not any("bin/ssh" in recorder.command_line(pid) for pid in self.pids()))
                os.unlink(os.path.join(self.folder, "pids"))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# What the recorder, which is root, refuses to watch: names, events, filters and marks become part of what it writes into
# files of the kernel. Nothing is changed for any of these requests. Programs whose probes are wanted are read with the
# rights of the requesting user alone.

import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import recorder  # noqa: E402

EVENTS = "sched:sched_waking..sched:sched_switch"
BREAKING = ('"', "'", "\\", ";", "\n", "\t", "\x7f")


class Requests(unittest.TestCase):
    def refused(self, **settings):
        lines = recorder.speak({"culprit": 1, "do": "watch", "limit_ns": 1000000} | settings)
        self.assertEqual([line["type"] for line in lines], ["hello", "error"], (settings, lines))
        self.assertNotIn("\n", lines[1]["text"])
        return lines[1]["text"]

    def test_names_that_could_end_a_text_of_the_kernel(self):
        for end in BREAKING:
            for setting in ("wakeup_of", "response_of"):
                with self.subTest(end=end, setting=setting):
                    self.assertIn("use its pid", self.refused(**{setting: f"a{end}b"}))

    def test_names_that_no_task_has(self):
        for name in ("", "a" * 16, "0", "1234567890", "ä" * 8):
            with self.subTest(name=name):
                self.assertIn("pid", self.refused(wakeup_of=name))

    def test_filters_and_marks_that_could_end_a_text_of_the_kernel(self):
        for end in BREAKING:
            with self.subTest(end=end):
                self.assertIn("marks must not have", self.refused(marks=f"a{end}..b"))
                if end != '"':
                    self.assertIn("the filter of sched:sched_waking has",
                                  self.refused(between=f"sched:sched_waking/pid=={end}1/..sched:sched_switch"))

    def test_what_are_no_events(self):
        for text in ("uprobe:x", "uprobe::f..a:b", "uprobe:x:..a:b", "uprobe:x:f%exit..a:b", "uprobe:x:f g..a:b", "usdt:x:f..a:b",
                     "uprobe:x:f;..a:b", "uprobe:" + "x" * 300 + ":f..a:b", "uprobe:x:" + "f" * 250 + "..a:b",
                     "uprobe:a/x:f..uprobe:b/x:f", "uprobe:./x..uprobe:./y:f", "usdt:./x..usdt:./y:p:f", "uprobe:x:f.1..uprobe:x:f_1", "uprobe:x:f/a", "", "sched", "sched:", ":x", "sched:sched_waking", "sched:a/../b..sched:c", "../x:y..sched:z", "sched:a b..c:d",
                     "sched:a//..c:d", "sched:a/x..c:d", "sched:a/\"/..c:d", EVENTS + "x y", EVENTS + "/a/b", "a:b...c:d",
                     "a" * 70 + ":b..c:d", "a:b/" + "x" * 300 + "/..c:d"):
            with self.subTest(text=text):
                self.refused(between=text)

    def test_what_are_no_keys_or_marks(self):
        for key in ("", "pid", "pid=", "=pid", "pid=next_pid:x", "pid=a=b", "a b=c", "x" * 70 + "=y"):
            with self.subTest(key=key):
                self.assertIn("key: expected a field of each event", self.refused(between=EVENTS, key=key))
        for marks in ("", "a", "a..", "..b", "a..a", "a" * 300 + "..b"):
            with self.subTest(marks=marks):
                self.assertIn("expected two different texts", self.refused(marks=marks))

    def test_what_cannot_be_used_together(self):
        for settings, told in ((dict(), "what to watch is missing"),
                               (dict(wakeup_of="a", response_of="a"), "only one of"),
                               (dict(wakeup_of="a", marks="a..b"), "only one of"),
                               (dict(wakeup_of="a", from_timer=True, from_waking=True), "either at the timer or at the waking"),
                               (dict(between=EVENTS, from_waking=True), "belong to wakeup-of and response-of"),
                               (dict(wakeup_of="a", key="a=b"), "a key belongs to between"),
                               (dict(wakeup_of="a", captures=1), "captures need a threshold or a band"),
                               (dict(wakeup_of="a", captures=1, threshold_ns=1), "captures need tracing"),
                               (dict(wakeup_of="a", captures=1, threshold_ns=1, tracing="on"), "a limit of more than a second"),
                               (dict(wakeup_of="a", threshold_ns=10 ** 12), "shorter than 1000 s"),
                               (dict(between="a:b/c==1/..a:b/c==1/"), "would take no time"),
                               (dict(wakeup_of="a", limit_ns=0), "nothing would end this recording")):
            with self.subTest(settings=settings):
                self.assertIn(told, self.refused(**({"period_ns": 1000000} if not settings else {}), **settings))

    def test_what_belongs_to_cycles(self):
        for setting, value in (("period_ns", 5000000), ("policy", "fifo"), ("priority", 80), ("cpus", [0]), ("method", "timer"),
                               ("cycles", 5), ("deadline_ns", 1000), ("skip_cycles", 5), ("aligned", True), ("clock", "monotonic"),
                               ("calibrate", "skip"), ("delay_at", "x"), ("treat", "x")):
            with self.subTest(setting=setting):
                self.assertIn("is for the cyclic task, which does not run where another program is measured; leave it out", self.refused(wakeup_of="a", **{setting: value}))

    def test_other_requests_watch_nothing(self):
        lines = recorder.speak({"culprit": 1, "do": "record", "limit_ns": 1000000, "wakeup_of": "a"})
        self.assertEqual([line["type"] for line in lines], ["hello", "error"])
        self.assertIn('need the request "watch"', lines[1]["text"])


@unittest.skipIf(os.geteuid() != 0, "root reads programs for others")
class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        os.chmod(cls.folder, 0o755)
        cls.loop = os.path.join(cls.folder, "loop")
        subprocess.run(["cc", "-O2", "-pthread", "-o", cls.loop, os.path.join(HERE, "..", "lab", "loop.c")], check=True)

    def refused(self, probe, **options):
        said = recorder.speak({"culprit": 1, "do": "watch", "limit_ns": 1000000, "between": f"sched:sched_waking..{probe}"}, **options)
        lines = [line for line in said if line["type"] != "note"]  # that others' are restored
        self.assertEqual([line["type"] for line in lines], ["hello", "facts", "error"], lines)
        self.assertNotIn("\n", lines[2]["text"])
        return lines[2]["text"]

    def file(self, name, content, mode=0o644):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content)
        os.chmod(path, mode)
        return path

    def loop_bytes(self):
        with open(self.loop, "rb") as file:
            return file.read()

    def test_what_has_no_such_function_or_probe(self):
        stripped = shutil.copy(self.loop, os.path.join(self.folder, "stripped"))
        subprocess.run(["strip", stripped], check=True)
        for probe, told in (("uprobe:/no/such:f", '"/no/such" cannot be read: No such file'),
                            ("uprobe:no-such-program:f", '"no-such-program" cannot be read: No such file'),
                            ("uprobe:./x:f", f'"./x" cannot be read in {self.folder}: No such file'),
                            (f"uprobe:{self.folder}:f", "is no file"),
                            (f"uprobe:{self.file('text', b'#!/bin/sh')}:f", "is not in the format ELF"),
                            (f"uprobe:{self.file('short', self.loop_bytes()[:70])}:f", "segments cannot be read"),
                            (f"uprobe:{self.loop}:no_such", "has no function no_such"),
                            (f"uprobe:{self.loop}:printf", "has no function printf"),
                            (f"uprobe:{stripped}:work_begin", "is stripped"),
                            (f"usdt:{self.loop}:myloop:work", "has no probe myloop:work"),
                            (f"usdt:{self.loop}:my:work_begin", "has no probe my:work_begin"),
                            ("uprobe:/dev/zero:f", "is no file")):
            with self.subTest(probe=probe):
                self.assertIn(told, self.refused(probe, cwd=self.folder))

    def test_places_that_are_no_functions(self):
        """Written over, data are other data; between instructions, there are other instructions."""
        program = os.path.join(self.folder, "places")
        source = 'int main (void) { return 0; } __asm__ (".globl place; place: .byte 0; .data; .globl value; value: .byte 0");'
        subprocess.run(["cc", "-x", "c", "-o", program, "-"], input=source.encode(), check=True)
        for name in ("place", "value"):
            with self.subTest(name=name):
                self.assertIn(f"has no function {name}", self.refused(f"uprobe:{program}:{name}"))

    def test_what_the_requesting_user_may_not_read(self):
        secret = self.file("secret", self.loop_bytes(), 0o700)
        self.assertIn("Permission denied", self.refused(f"uprobe:{secret}:work_begin", env=os.environ | {"SUDO_UID": "65534"}))
        self.assertIn("user is not known", self.refused(f"uprobe:{secret}:work_begin", env=os.environ | {"SUDO_UID": "4000000000"}))

    def changed(self, name, *how):
        """The loop as objcopy makes it."""
        path = os.path.join(self.folder, name)
        subprocess.run(["objcopy", *how, self.loop, path], check=True)
        return path

    def returning(self, program, function="work_begin", user=0):
        """What is said of the return of a function, before the other end of the windows is refused."""
        lines = recorder.speak({"culprit": 1, "do": "watch", "limit_ns": 1000000,
                                "between": f"uprobe:{program}:{function}%return..uprobe:/no/such:f"}, env=os.environ | {"SUDO_UID": str(user)})
        return [line["text"] for line in lines if line["type"] in ("note", "error")]

    def test_returns_whose_probe_would_end_programs(self):
        self.assertRegex(" ".join(self.returning(self.loop)), '^"/no/such" cannot be read')
        go = self.changed("go", "--add-section", f".note.go.buildid={self.loop}")
        for program, function, told in ((go, "work_begin", "is a Go program"),
                                        (self.changed("vfork", "--redefine-sym", "work_begin=vfork"), "vfork", "a probe of vfork%return")):
            with self.subTest(told=told):
                refused, = self.returning(program, function)
                self.assertIn(told, refused)
        note, error = self.returning(self.changed("throws", "--add-section", f".gcc_except_table={self.loop}"))
        self.assertIn("one that leaves work_begin ends the program", note)
        self.assertIn("/no/such", error)

    def test_returns_are_probed_in_ones_own_programs(self):
        refused, = self.returning(self.loop, user=65534)
        self.assertIn("belongs to somebody else", refused)
        own = shutil.copy(self.loop, os.path.join(self.folder, "own"))
        os.chown(own, 65534, 65534)
        refused, = self.returning(own, user=65534)
        self.assertIn("/no/such", refused)

    def test_damaged_files_are_read_to_their_end(self):
        content = self.loop_bytes()
        for seed in range(40):
            with self.subTest(seed=seed):
                chance = random.Random(seed)
                damaged = bytearray(content)
                for _ in range(chance.choice((1, 20, 2000))):
                    damaged[chance.choice((chance.randrange(16, 1000), chance.randrange(16, len(content)), len(content) - chance.randrange(1, 2000)))] = (
                        chance.choice((0, 1, 0x7F, 0x80, 0xFF)))
                path = self.file("damaged", bytes(damaged)[:chance.choice((len(content), chance.randrange(20, len(content))))])
                self.assertNotIn("cannot be looked at", self.refused(chance.choice((f"uprobe:{path}:none", f"usdt:{path}:no:ne"))))

    def test_a_small_file_of_many_large_tables(self):
        """They overlap: 3,000 of 1 MB each, and each symbol has the name."""
        symbols, header, section = 40_000, 64, 64
        names = b"\0f\0"
        end = header + len(names) + 24 * symbols
        content = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 2, 62, 1, 0, 0, end, 0, header, 56, 0, section, 3001, 0)
        content += names + struct.pack("<IBBHQQ", 1, 2, 0, 1, 0, 0) * symbols
        content += struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, header, len(names), 0, 0, 1, 0)
        content += struct.pack("<IIQQQQIIQQ", 0, 2, 0, 0, header + len(names), 24 * symbols, 0, 0, 8, 24) * 3000
        path = self.file("tables", content)
        self.assertIn("has f too often", self.refused(f"uprobe:{path}:f"))
        self.assertIn("has no function g", self.refused(f"uprobe:{path}:g"))

    def other_mounts(self):
        """The program in a mount of another namespace than the recorder's, and the number of that mount."""
        other = subprocess.Popen(("unshare", "-m", "sh", "-c", f"mount -t tmpfs none {self.folder} && echo && exec cat"),
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(other.communicate)
        other.stdout.readline()
        path = f"/proc/{other.pid}/root{self.folder}/loop"
        shutil.copy(self.loop, path)
        with open(f"/proc/{other.pid}/mountinfo", encoding="utf-8") as file:
            mount, = (line.split()[0] for line in file if line.split()[4] == self.folder)
        return path, mount

    def test_a_file_in_a_mount_that_is_not_the_recorders(self):
        """Whoever mounted it may keep the kernel waiting for it."""
        path, _ = self.other_mounts()
        self.assertIn("in another mount namespace", self.refused(f"uprobe:{path}:work_begin"))

    def test_a_mount_of_a_long_path_is_not_taken_for_others(self):
        """Read by 4,095 bytes, one of these has the number at the beginning of the second part."""
        path, mount = self.other_mounts()
        spaces = "/".join([" " * 250] * 4)  # Each is four bytes in the kernel's list.
        tops = [f"{self.folder}/{'x' * shift}" for shift in range(1, len(mount) + 2)]
        script = ""
        for top in tops:
            place = f"{top}/{spaces}{f'/{mount}' * 60}"
            os.makedirs(place)
            self.addCleanup(shutil.rmtree, top)
            script += f"mount -t tmpfs none '{place}' && "
        self.assertIn("in another mount namespace", self.refused(f"uprobe:{path}:work_begin", before=(
            "unshare", "-m", "sh", "-c", f'{script} exec "$0"')))

    def test_a_file_system_of_a_process_is_not_asked(self):
        """This one never answers."""
        mount = f"exec 9<>/dev/fuse && mount -i -t fuse -o fd=9,rootmode=100000,user_id=0,group_id=0 none {self.loop}"
        if subprocess.run(("unshare", "-m", "sh", "-c", mount), stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.skipTest("no file system of a process can be mounted")
        self.assertIn("in a file system that a process provides", self.refused(f"uprobe:{self.loop}:work_begin", before=(
            "unshare", "-m", "sh", "-c", f'{mount} && "$0"; exec 9>&-')))


@unittest.skipIf(os.geteuid() != 0, "only root can have files of the kernel's of its own")
class Kernels(unittest.TestCase):
    """What a kernel may lack, by files over the kernel's."""
    HAS = ("synthetic_events", "dynamic_events", "uprobe_events", "events/sched/sched_switch/hist", "events/sched/sched_switch/format",
           "events/sched/sched_waking/format")

    def refused(self, without, between=None, manual=".buckets=", more=()):
        files = " ".join(name for name in (*self.HAS, *more) if name != without)
        script = f"""mount -t tracefs none /sys/kernel/tracing 2>/dev/null # unless it is already
            mount -t tmpfs none /run && mount -t tmpfs none /sys/kernel/tracing && cd /sys/kernel/tracing || exit
            echo '{manual}' >README; for file in {files}; do mkdir -p "$(dirname $file)"; echo >$file; done
            exec "$0\""""
        lines = recorder.speak({"culprit": 1, "do": "watch", "limit_ns": 1000000, **({"between": between} if between else {"marks": "a..b"})},
                               before=("unshare", "-m", "sh", "-c", script))
        self.assertEqual([line["type"] for line in lines], ["hello", "facts", "error"], lines)
        return lines[-1]

    def test_what_is_missing_is_named(self):
        probes = f"sched:sched_switch..uprobe:{recorder.PROGRAM}:main"
        event = "events/culprit_culprit_recorder/main/format"
        for told, remedy, settings in (
                ("no synthetic events (CONFIG_SYNTH_EVENTS)", "kernel-of-windows", {"without": "synthetic_events"}),
                ("no hist triggers (CONFIG_HIST_TRIGGERS)", "kernel-of-windows", {"without": "events/sched/sched_switch/hist"}),
                ("have no buckets, as since Linux 5.13", "kernel-of-windows", {"without": None, "manual": "x"}),
                ("no event sched:sched_switch", None, {"without": "events/sched/sched_switch/format",
                                                       "between": "sched:sched_switch..sched:sched_waking"}),
                ("no probes of programs (CONFIG_UPROBE_EVENTS)", "kernel-of-windows", {"without": "uprobe_events", "between": probes}),
                ('probes of programs have no field "cpu"', None, {"without": None, "between": f"{probes}/cpu==0/"}),
                ("there is a probe culprit_culprit_recorder:main already", None, {"without": None, "between": probes, "more": (event,)})):
            with self.subTest(told=told):
                error = self.refused(**settings)
                self.assertIn(told, error["text"])
                self.assertEqual(error.get("remedy"), remedy)


if __name__ == "__main__":
    unittest.main()

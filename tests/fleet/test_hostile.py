# SPDX-License-Identifier: GPL-3.0-or-later
# A fleet with absurd captures, hosts and kernels: all others are judged as without them, those that cannot be read are
# listed, nothing is written outside of the output folder, and what is shown is text.

import dataclasses
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "capture"), os.path.join(HERE, "..", "verdict")]

import absurd  # noqa: E402
import culprit  # noqa: E402
import fleet_captures  # noqa: E402
import fleet_python  # noqa: E402
import play  # noqa: E402
import turns  # noqa: E402
from test_fleet_spark import fleet  # noqa: E402

from culprit_fleet.output import as_text  # noqa: E402

KERNEL = fleet_captures.OLD
MOST = (1 << 53) - 2  # of latencies in a file
# Files of latencies: more wake-ups than are told, or fewer, by turns, as reading so many files takes half a minute.
COUNTS = 1010 if turns.ALL else turns.DICE.choice((10, 10, 10, 1010))
IN_MEMORY = "/dev/shm"  # where a file's time has 64 bits
SUMS = 516  # captures; 2^62 ns are the time of 512
NAMES = ("..", ".", "../../../../x", "a/b", "/etc", "h" * 5000, "é" * 300, "__HIVE_DEFAULT_PARTITION__", "a=b", "%2e%2e", "x%", "null", "NaN",
         "1", "01", "6.1.0\u00b2", "\u2460", "\u0663", "true", "\x1b[31mred\x07", "\u202egnp", "<script>alert(1)</script>", "&amp;", "'--;DROP", "${PATH}", "$(id)", "*", "-x", "\\", "\"",
         "\u00a0", "\U0001f9a0", "\udcff\udcfe", "", "\u00eb", "\u00e9")

USUAL, NOT_PLAIN = "qh_completions", "=Zoë\u202e\u009b\x7fxyz"  # of as many bytes


def files_of(folder):
    return sorted(os.path.join(path, name) for path, _, names in os.walk(folder) for name in names)


# In a folder that a user may stand in: modules of Python, which starts there and again for tasks, and a place from which the launcher
# of Spark takes classes first.
MODULES = ("culprit_fleet/__init__.py", "culprit_fleet/__main__.py", "decimal.py", "pyspark.py")
JAR, CLASS = "hive-jackson/x.jar", "org/apache/spark/deploy/SparkSubmit.class"


def standing_place(folder):
    """A folder in @folder that a stranger has made. What is in it makes a job fail."""
    place = os.path.join(folder, "place")
    for name in (*MODULES, JAR):
        os.makedirs(os.path.dirname(os.path.join(place, name)), exist_ok=True)
        with open(os.path.join(place, name), "w", encoding="ascii") as file:
            file.write("raise SystemExit('code of a stranger')\n")
    with zipfile.ZipFile(os.path.join(place, JAR), "w") as jar:
        jar.writestr(CLASS, "no class")
    return place


def scan(calls):
    return ("scan_async", 900, [(USUAL, 3400)] * calls)


class Hostile(unittest.TestCase):
    def test_others_are_judged_as_without_them(self):
        fleet_python.require()
        folder = self.enterContext(tempfile.TemporaryDirectory())
        captures = os.path.join(folder, "captures")
        plans = [dataclasses.replace(fleet_captures.plan(number, 1, 1), host="honest", kernel=KERNEL) for number in range(4)]
        for planned in plans:
            fleet_captures.make(captures, planned)
        alone = fleet([captures], os.path.join(folder, "alone"))
        honest, = alone["populations"]

        templates = fleet_captures.templates()
        for i, name in enumerate(NAMES):
            path = os.path.join(captures, "theirs", f"{i}.dat")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            data = templates["none-1"].to_bytes(name, name, bytes([i] * 8))
            with open(path, "wb") as file:
                file.write(data)
        # Host, series and kernel of which the same name might be made.
        for i, (series, kernel) in enumerate((("s", "6.1"), ("s", "6.2"), ("s 6.1", "6.1"))):
            os.makedirs(os.path.join(captures, series), exist_ok=True)
            with open(os.path.join(captures, series, f"{i}.dat"), "wb") as file:
                file.write(templates["none-1"].to_bytes("alike", kernel, bytes([200 + i] * 8)))
        # Captures that are called like other files, and what a recording that is going on writes.
        for i, name in enumerate(("named.dat", "named.json", "named.dat.json", "named.txt", "results.json", "named.dat.part")):
            with open(os.path.join(captures, "theirs", name), "wb") as file:
                file.write(templates["none-1"].to_bytes("named", KERNEL, bytes([210 + i] * 8)))
        # One that measures something else, first in the folder of the honest ones.
        first = os.path.join(os.path.dirname(files_of(captures)[0]), "aaa")
        with open(first + ".dat", "wb") as file:
            file.write(templates["none-1"].to_bytes("stranger", "stranger", b"stranger"))
        with open(first + ".json", "w", encoding="ascii") as file:
            file.write('{"type":"capture","culprit_cycles":1,"window":"wakeup-of/waking:50","threshold_ns":100}')
        for i, span_ns in enumerate((1 << 49, 1 << 49, 9 * 10 ** 18, 1 << 51)):
            absurd.write(os.path.join(captures, "theirs", f"absurd-{i}.dat"), span_ns, 8)
        for i in range(SUMS):
            absurd.write(os.path.join(captures, "theirs", f"sums-{i:03}.dat"), (1 << 50) - 10 ** 6, 8, first_ns=1000 + i)
        os.mkdir(os.path.join(captures, "theirs", "counts"))
        for i in range(COUNTS):
            with open(os.path.join(captures, "theirs", "counts", f"{i}.txt"), "w", encoding="ascii") as file:
                file.write(f"1 {MOST // 2}\n{i + 2} {MOST // 2}\n")
        for name, data in (("empty.dat", b""), ("cut.dat", data[:len(data) // 2]), ("a\nb.dat", b"\x17\x08\x44tracing"),
                           ("<b>x.dat", b"\x17\x08\x44tracing7\0"), (os.fsdecode(b"\xff\xfe.dat"), data[:500]),
                           (os.fsdecode(b"\xff.txt"), b"1 1\n"), (os.fsdecode(b"no text \xff"), data), ("empty.txt", b""), (os.fsdecode(b"\xff.else"), b"x")):
            with open(os.path.join(captures, "theirs", name), "wb") as file:
                file.write(data)
        # Names that Spark cannot list, beside a link, because of which every file is named to it.
        os.symlink("..", os.path.join(captures, "theirs", "up"))
        os.symlink("nowhere", os.path.join(captures, "theirs", "gone.dat"))
        os.mkdir(os.path.join(captures, "endless"))
        for name in ("_metadata_a", "_metadata_b", "_common_metadata"):
            os.symlink(".", os.path.join(captures, "endless", name))
        os.mkdir(os.path.join(captures, "theirs", os.fsdecode(b"\xff")))
        shutil.copy(files_of(captures)[0], os.path.join(captures, "theirs", os.fsdecode(b"\xff"), "capture"))
        shifted = self.enterContext(tempfile.TemporaryDirectory(dir=IN_MEMORY))
        shutil.copy(files_of(captures)[0], os.path.join(shifted, "shifted"))
        os.utime(os.path.join(shifted, "shifted"), (1 << 53, 1 << 53))

        before = files_of(captures)
        out = os.path.join(folder, "out")
        place = standing_place(self.enterContext(tempfile.TemporaryDirectory()))
        stood = files_of(place)
        verdict = fleet([os.path.relpath(captures, place), shifted], os.path.relpath(out, place), "--latencies", "*.txt", cwd=place, LC_ALL="C")
        self.assertEqual((files_of(captures), files_of(place)), (before, stood))
        self.assertIn((None, min(float(COUNTS * MOST), 9 * 10 ** 18)), [(one["host"], one["n"]) for one in verdict["latencies"]])
        self.assertEqual(sorted(os.listdir(folder)), ["alone", "captures", "out"])
        reasons = {os.path.basename(one["file"]): one["reason"] for one in verdict["failed"]}
        left_out = sorted(name for name in reasons if name.startswith("sums-"))
        self.assertEqual(left_out, [f"sums-{i:03}.dat" for i in range(SUMS - len(left_out), SUMS)])
        self.assertTrue(0 < len(left_out) < 10, left_out)
        for name in left_out:
            self.assertIn("too large to be added", reasons.pop(name))
        self.assertEqual(sorted(reasons), ["<b>x.dat", "a\nb.dat", "absurd-2.dat", "absurd-3.dat", "cut.dat", "empty.dat", "empty.txt", "gone.dat",
                                           "no text \ufffd", "shifted", "\ufffd", "\ufffd.txt", "\ufffd\ufffd.dat"])
        self.assertEqual(verdict["captures"] + len(reasons), len(before) + 1 - 2 - COUNTS - 2,
                         "one capture is there twice, one has a log, one is not finished, and one is none")
        self.assertEqual([one["captures"] for one in verdict["populations"] if one["host"] == "named"], [5])
        found = {(one["host"], one["kernel"]): one for one in verdict["populations"]}
        self.assertEqual(found["honest", KERNEL], honest)
        self.assertGreater(len(found), len(NAMES) - 4, "some names become alike")

        shown = as_text(verdict, ("host", "kernel"), out)
        for command in ("runs", "outliers", "functions", "verdict", "stalls", "check"):
            result = culprit.run(command, "--study", os.path.join(out, "fleet.culprit"))
            self.assertEqual(result.status, 0, f"{command}: {result.stderr}")
            shown += result.stdout
        self.assertEqual([c for c in "\x1b\x07\u202e" if c in shown], [])
        with open(os.path.join(out, "report.html"), encoding="utf-8") as file:
            report = file.read()
        self.assertIn("&lt;script&gt;alert", report)
        self.assertEqual([text for text in ("<script>alert", "<b>x.dat") if text in report], [])

    def test_a_culprit_whose_name_is_not_plain_counts_and_is_shown_as_text(self):
        fleet_python.require()
        folder = self.enterContext(tempfile.TemporaryDirectory())
        captures, out = os.path.join(folder, "captures"), os.path.join(folder, "out")
        os.mkdir(captures)
        for number in range(5):
            path = play.capture(captures, str(number), number, [*play.ordinary(number), scan(380 + 5 * number)],
                                usual=lambda serial: [*play.ordinary(serial), scan(29 + serial % 5)])
            with open(path, "rb+") as file:
                data = file.read().replace(USUAL.encode(), NOT_PLAIN.encode())
                file.seek(0)
                file.write(data)
        with open(os.path.join(captures, f"{NOT_PLAIN}.dat"), "wb"):
            pass
        verdict = fleet([captures], out)
        self.assertEqual([(one["function"], one["captures"]) for one in verdict["causes"]], [(NOT_PLAIN, 5)])
        self.assertEqual([os.path.basename(one["file"]) for one in verdict["failed"]], [f"{NOT_PLAIN}.dat"])
        days = culprit.rows(os.path.join(out, "fleet.culprit"), "SELECT function, SUM (captures) AS captures FROM fleet_day GROUP BY function")
        self.assertEqual([tuple(row.values()) for row in days], [(NOT_PLAIN, 5)])
        for name in ("verdict.json", "report.html"):
            with open(os.path.join(out, name), encoding="utf-8") as file:
                text = file.read()
            self.assertIn("Zoë", text)
            self.assertEqual([c for c in NOT_PLAIN if c in text and not c.isprintable()], [], name)

    def test_an_error_is_shown_as_text(self):
        fleet_python.require()
        done = subprocess.run([culprit.PROGRAM, "fleet", "captures", "--out", "out", "--by", NOT_PLAIN + "\n"], capture_output=True, text=True,
                              timeout=120, env=fleet_python.environment(), check=False)
        self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 1), done)
        self.assertIn("=Zoë???x", done.stderr)


if __name__ == "__main__":
    unittest.main()

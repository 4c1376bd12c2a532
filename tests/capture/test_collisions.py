# SPDX-License-Identifier: GPL-3.0-or-later
# Captures that were made to have the digest of another one, or parts with the digest of another one's parts: neither gives
# the other's facts to the honest one, and none is lost without a word.

import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), HERE]

import culprit  # noqa: E402
import xxh3  # noqa: E402
from events import entry, leave  # noqa: E402
from tracefile import TraceFile  # noqa: E402

FUNC = 0x1000
EVENTS = [event for i in range(50) for event in (entry(10 ** 9 + 1000 * i, 50, FUNC, 0), leave(10 ** 9 + 1000 * i + 300, 50, FUNC, 0))]


class Roomy(TraceFile):
    """There is room behind its symbols, which no reader looks at."""
    room = bytes(4 * xxh3.BLOCK)

    def kallsyms(self, out):
        self.begins = len(out)
        self.text = "".join(f"{address:016x} T {name}\n" for address, name, _ in self.symbols).encode()
        out.sized("kallsyms", self.text + self.room, 4)


def capture(name, room=Roomy.room):
    trace = Roomy({"": {0: EVENTS}}, symbols=[(FUNC, name, ""), (FUNC + 64, "end", "")], cmdlines={50: "t"})
    trace.room = room
    return trace, trace.to_bytes()


class Collisions(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")

    def write(self, name, data):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def functions(self):
        return {row["file"]: row["name"] for row in culprit.rows(
            self.study, "SELECT file, name FROM capture_function JOIN capture USING (capture_id) JOIN function USING (function_id)")}

    def with_one_digest(self):
        """(honest, forged): paths of captures that differ, and whose digest is the same."""
        trace, honest = capture("honest_function")
        _, other = capture("guilty_function")
        block = (trace.begins + len(trace.text)) // xxh3.BLOCK + 1
        forged = xxh3.match(honest, other, block)
        return self.write("honest.dat", honest), self.write("forged.dat", forged)

    def test_a_capture_with_the_digest_of_another_is_named(self):
        honest, forged = self.with_one_digest()
        for first, second, name in ((honest, forged, "honest_function"), (forged, honest, "guilty_function")):
            with self.subTest(first=first):
                self.study = os.path.join(self.folder, f"{name}.culprit")
                self.assertEqual(culprit.run("import", "--study", self.study, first).status, 0)
                result = culprit.run("import", "--study", self.study, second)
                self.assertEqual(result.status, 2)
                self.assertEqual(len(result.error_lines()), 1)
                self.assertIn("its digest is that of capture 1, but not its content", result.stderr)
                self.assertIn(second, result.stderr)
                self.assertEqual(list(self.functions().values()), [name])

    def test_the_same_capture_is_known(self):
        honest, _ = self.with_one_digest()
        for stored in (1, 0):
            result = culprit.run("import", "--study", self.study, honest)
            self.assertEqual(result.status, 0, result.stderr)
            self.assertIn("1 already in the study" if not stored else "1 capture stored", result.stdout)

    def test_symbols_are_those_of_the_capture(self):
        """What was read of parts is kept for captures with the same parts: nobody can find others with their digest."""
        data = {}
        for name, room in (("honest_function", bytes(4 * xxh3.BLOCK)), ("guilty_function", None)):
            if room is None:
                trace, _ = capture(name)
                part = (len(trace.text + trace.room)).to_bytes(4, "little") + trace.text + trace.room
                honest = part.replace(b"guilty", b"honest")
                room = xxh3.match(honest, part, 1)[4 + len(trace.text):]
            data[name] = self.write(f"{name}.dat", capture(name, room)[1])
        result = culprit.run("import", "--study", self.study, data["guilty_function"], data["honest_function"])
        self.assertEqual(result.status, 0, result.stderr)
        self.assertEqual({os.path.basename(file): name for file, name in self.functions().items()},
                         {f"{name}.dat": name for name in data})


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-3.0-or-later
# The power fails before each sync of an import, a recording and a merge, and after the last one. Of what was not
# synced, nothing is left, or the names without content, or some of it: what was reported as stored is there, with its
# captures, the study is intact, and repeating the command completes it. CULPRIT_FAULTS sets how many captures are
# imported (2); if it is set, each of the three is tried at each sync, otherwise one in turn.

import json
import os
import shutil
import signal
import subprocess
import tempfile
import unittest

from content import captures, content, differences, plain_captures, query

import culprit
import power
import stand_in
from culprit import import_captures, run

FAULTS = os.environ.get("CULPRIT_FAULTS")


@unittest.skipUnless(os.path.isdir(power.MEMORY), f"needs {power.MEMORY}")
class PowerCut(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(dir=power.MEMORY))
        self.root = self.path("disk")

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def cut(self, fill, command, examine):
        """On the disk that @fill makes, cuts @command off before each of its syncs, then lets it end. Calls @examine with the
        lines that it said, whether it ended, and the study that may be left."""
        cut = ended = 0
        while not ended:
            cut += 1
            os.mkdir(self.root)
            fill()
            disk = power.Disk(self.root, self.path("kept"))
            environment = {**disk.environment(cut), "XDG_CACHE_HOME": os.path.join(self.root, "cache")}
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
            self.assertIn(done.returncode, (0, -signal.SIGKILL), done.stderr)
            ended = done.returncode == 0
            for kind in power.KINDS if FAULTS or ended else [power.KINDS[cut % len(power.KINDS)]]:
                with self.subTest(cut=cut, kind=kind, ended=ended):
                    disk.cut_power(self.path("left"), kind, seed=cut)
                    examine(done.stdout.splitlines(), ended, self.path("left", "s.culprit"))
                shutil.rmtree(self.path("left"), ignore_errors=True)
            shutil.rmtree(self.root)
            shutil.rmtree(self.path("kept"))
        self.assertGreater(cut, 2, "hardly anything was synced: is the library preloaded")

    def digests(self, study):
        """Of the captures that are stored; the study is whole, and so are they."""
        if not os.path.exists(study) or not query(study, "SELECT 1 FROM sqlite_schema WHERE name = 'capture'"):
            return set()
        result = run("check", "--study", study)
        self.assertEqual((result.status, result.stderr), (0, ""), result.stdout)
        for file, size in query(study, "SELECT file, size_bytes FROM capture"):
            self.assertEqual(os.path.getsize(os.path.join(os.path.dirname(study), file)), size, file)
        return {digest for digest, in query(study, "SELECT sha256 FROM capture")}


class Imports(PowerCut):
    def assert_nothing_lost(self, before):
        """An import of all captures into a study that has those of @before."""
        files = captures()[:max(2, int(FAULTS or 2))]

        def fill():
            copies = [shutil.copy(path, self.root) for path in files]
            if before:
                import_captures(os.path.join(self.root, "s.culprit"), copies[:before], run_name="r")

        command = [culprit.PROGRAM, "import", "--study", os.path.join(self.root, "s.culprit"), "--period", "5ms", "--run", "r",
                   self.root]
        os.mkdir(self.path("whole"))
        for path in files:
            shutil.copy(path, self.path("whole"))
        result = import_captures(self.path("whole", "s.culprit"), [self.path("whole")], run_name="r")
        self.assertEqual(result.status, 0, result.stderr)
        whole = content(self.path("whole", "s.culprit"), without=("imported_utc", "file"))
        every = self.digests(self.path("whole", "s.culprit"))
        seen = set()

        def examine(_, ended, study):
            stored = self.digests(study)
            self.assertGreaterEqual(len(stored), len(files) if ended else before)
            self.assertLessEqual(stored, every)
            again = import_captures(study, [os.path.dirname(study)], run_name="r")
            self.assertEqual((again.status, self.digests(study)), (0, every), again.stderr)
            self.assertEqual(differences(content(study, without=("imported_utc", "file")), whole), [])
            seen.add(len(stored))

        self.cut(fill, command, examine)
        self.assertIn(before, seen)

    def test_into_a_new_study(self):
        self.assert_nothing_lost(before=0)

    def test_into_one_with_captures(self):
        self.assert_nothing_lost(before=1)


class Merges(PowerCut):
    def test_add_all_or_nothing(self):
        def fill():
            for path in plain_captures()[:3]:
                shutil.copy(path, self.root)
            for name, files in (("s", slice(1)), ("other", slice(1, 3))):
                paths = [os.path.join(self.root, os.path.basename(path)) for path in plain_captures()[files]]
                import_captures(os.path.join(self.root, f"{name}.culprit"), paths, run_name="r")

        command = [culprit.PROGRAM, "merge", "--study", os.path.join(self.root, "s.culprit"),
                   os.path.join(self.root, "other.culprit")]

        def examine(_, ended, study):
            self.assertIn(len(self.digests(study)), (3,) if ended else (1, 3))
            self.assertEqual(run("merge", "--study", study, os.path.join(os.path.dirname(study), "other.culprit")).status, 0)
            self.assertEqual(len(self.digests(study)), 3)

        self.cut(fill, command, examine)


class Recordings(PowerCut):
    def test_keep_what_they_told(self):
        stand_in.use_ssh_of(self, self.folder)
        lines = [line for number, path in enumerate(plain_captures()[:2], 1) for line in stand_in.lines_of_capture(path, number)]
        stand_in.write_ssh(self.folder, "begin()", *lines, "say(type='run-end', run=1, cycles=0)", "end()")
        command = [culprit.PROGRAM, "record", "--study", os.path.join(self.root, "s.culprit"), "--target", "ssh:x", "--threshold",
                   "1ms", "--captures", "2", "--buffer", "10000", "--json"]

        def examine(lines, ended, study):
            told = sum(json.loads(line)["type"] == "imported" for line in lines)
            self.assertGreaterEqual(len(self.digests(study)), 2 if ended else told)

        self.cut(lambda: None, command, examine)


if __name__ == "__main__":
    unittest.main()

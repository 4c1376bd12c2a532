# SPDX-License-Identifier: GPL-3.0-or-later
# culprit fleet against culprit import and culprit verdict on the same captures: the same facts and verdicts, however the
# captures are read, whatever is damaged or killed.

import glob
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import closing

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "..", "app", "fleet")]

import culprit  # noqa: E402
import fleet_captures  # noqa: E402
import fleet_python  # noqa: E402
import turns  # noqa: E402
from culprit_fleet.output import rounded  # noqa: E402

# The jobs are small: compiling for speed would take most of the time.
SETTINGS = ("spark.executor.extraJavaOptions=-XX:TieredStopAtLevel=1",
            "spark.driver.memory=1g", "spark.executor.memory=512m", "spark.sql.shuffle.partitions=4", "spark.ui.enabled=false")
HOSTS, CAPTURES, MORE = 4, 40, 44
KEYS = ("host", "kernel", "series")
# The path of each node as text, and the nodes of each capture.
PATHS = """
CREATE TEMP TABLE node_text AS
WITH RECURSIVE below (node_id, text) AS (
  SELECT node_id, context || '|' || source FROM node WHERE parent_id IS NULL
  UNION ALL
  SELECT node.node_id, text || '/' || name || '|' || module || '|' || ordinal
  FROM below JOIN node ON parent_id = below.node_id JOIN function USING (function_id))
SELECT node_id, text FROM below;
CREATE TEMP TABLE used AS
SELECT capture_id, node_id FROM ordinary_node UNION SELECT capture_id, node_id FROM outlier_node JOIN window USING (window_id);
"""


def command(captures, out, *arguments, master="local[2]"):
    settings = [part for setting in SETTINGS for part in ("--conf", setting)]
    return [culprit.PROGRAM, "fleet", *captures, "--out", out, "--master", master, "--json", *settings, *arguments]


def fleet(captures, out, *arguments, master="local[2]", cwd=None, **environment):
    done = subprocess.run(command(captures, out, *arguments, master=master), capture_output=True, text=True, timeout=600, cwd=cwd,
                          env=fleet_python.environment(**environment), check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def descendants(pid):
    """All processes below @pid, with their commands. Threads of a virtual machine start processes too."""
    found = []
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            with open(path, encoding="ascii") as file:
                children = file.read().split()
            for child in children:
                with open(f"/proc/{child}/cmdline", "rb") as line:
                    found.append((int(child), line.read().decode(errors="replace")))
                found += descendants(child)
        except FileNotFoundError:
            pass
    return found


def wait_for(condition, process):
    """The first true value of @condition while @process runs."""
    give_up = time.monotonic() + 240
    while time.monotonic() < give_up and process.poll() is None:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"it never came to that; status {process.poll()}")


def staging(out):
    return os.path.isdir(out) and any(name.startswith("staging-") for name in os.listdir(out))


def without_remarks(verdict):
    """Without what is said of captures that have no windows: a choice by kernel is among late wake-ups."""
    return {**verdict, "next_steps": [step for step in verdict.get("next_steps", ()) if "no windows" not in step]}


@turns.tests(1, "test_a_killed_driver_is_started_again_and_reads_only_what_is_new",
             "test_a_killed_worker_and_another_file_system_change_nothing")
class Fleet(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        fleet_python.require()
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.captures, cls.more = os.path.join(cls.folder, "captures"), os.path.join(cls.folder, "more")
        fleet_captures.make_all(cls.captures, CAPTURES, HOSTS)
        cls.plans = fleet_captures.make_all(cls.more, MORE, HOSTS)
        cls.files = sorted(os.path.join(cls.captures, planned.path) for planned in cls.plans[:CAPTURES])
        shutil.copy(cls.files[3], os.path.join(os.path.dirname(cls.files[3]), "zz twice [1].dat"))
        # A tenth is damaged: cut off, or no capture at all.
        cls.damaged = []
        for i, path in enumerate(cls.files[::10]):
            bad = os.path.join(os.path.dirname(path), f"bad-{i}.dat")
            with open(path, "rb") as file, open(bad, "wb") as cut:
                cut.write(file.read(20000) if i % 2 else b"not a trace\n" * 100)
            cls.damaged.append(bad)
        with open(os.path.join(os.path.dirname(cls.files[0]), "run.hist"), "w", encoding="ascii") as file:
            file.write("10 4\n20 5\n300 1\n")
        os.mkdir(os.path.join(cls.captures, "no-captures"))
        with open(os.path.join(cls.captures, "no-captures", "alone.hist"), "w", encoding="ascii") as file:
            file.write("40 3\n")
        with open(os.path.join(os.path.dirname(cls.files[-1]), "beyond.hist"), "w", encoding="ascii") as file:
            file.write("# Histogram\n000010 000006\n# Total: 000000006\n# Min Latencies: 00010\n# Avg Latencies: 02000\n"
                       "# Max Latencies: 09000\n# Histogram Overflows: 00002\n")
        cls.out = os.path.join(cls.folder, "out")
        cls.verdict = fleet([cls.captures], cls.out, "--latencies", "*.hist")
        # A study names files below its own folder relative to it.
        cls.one = os.path.join(cls.folder, "study", "one.culprit")
        os.mkdir(os.path.dirname(cls.one))
        cls.import_one(cls.one, cls.captures)
        facts = subprocess.run([fleet_python.PROGRAM, os.path.join(HERE, "facts_of.py"), os.path.join(cls.out, "facts")], capture_output=True,
                               text=True, timeout=120, check=False, env=fleet_python.environment())
        assert facts.returncode == 0, facts.stderr
        cls.facts = json.loads(facts.stdout)

    @classmethod
    def import_one(cls, study, root):
        """All captures in one study, each series of a host as a run."""
        for host in sorted(os.listdir(root)):
            for series in sorted(os.listdir(os.path.join(root, host))):
                culprit.run("import", "--study", study, "--run", f"{host}/{series}", os.path.join(root, host, series))

    OUTLIERS = "SELECT 1 FROM outlier WHERE run = '{host}/{series}' AND kernel = '{kernel}'"

    def assert_verdicts_of(self, verdict, study):
        populations = culprit.rows(study, "SELECT DISTINCT host.name AS host, kernel, run.name AS run FROM capture "
                                          "JOIN run USING (run_id) JOIN host ON host.host_id = capture.host_id")
        self.assertEqual({(one["host"], one["kernel"], f"{one['host']}/{one['series']}") for one in verdict["populations"]},
                         {(one["host"], one["kernel"], one["run"]) for one in populations})
        for one in verdict["populations"]:
            own = culprit.run("verdict", "--study", study, "--json", "--run", f"{one['host']}/{one['series']}", "--where",
                              f"kernel = '{one['kernel']}'")
            series = own.stdout.replace(f'"{one["host"]}/{one["series"]}"', f'"{one["series"]}"')
            expected = rounded(json.loads(series)) if culprit.rows(study, self.OUTLIERS.format(**one)) else {}
            self.assertEqual(without_remarks(one["verdict"]), without_remarks(expected), [one[key] for key in KEYS])

    def test_verdicts_are_those_of_one_study(self):
        self.assertGreater(len(self.verdict["populations"]), HOSTS)
        self.assertTrue(any(one["verdict"].get("culprits") for one in self.verdict["populations"]))
        self.assert_verdicts_of(self.verdict, self.one)

    def test_facts_are_those_of_one_study(self):
        """Every number of every table, by the digest of the capture."""
        self.assertEqual(self.facts.keys(), {"capture", "capture_cpu", "capture_event", "capture_function", "window", "node", "outlier_node",
                                             "ordinary_node", "ordinary_part", "stall", "tree"})
        with closing(sqlite3.connect(self.one)) as database:
            database.executescript(PATHS)
            for table, (columns, rows) in self.facts.items():
                if table != "tree":
                    mine = sorted(map(repr, map(tuple, rows)))
                    self.assertEqual(mine, sorted(map(repr, self.rows_of(database, table, columns))), table)

    @staticmethod
    def rows_of(database, table, columns):
        source = {"window_id": "JOIN window USING (window_id) JOIN capture USING (capture_id)", "capture_id": "JOIN capture USING (capture_id)"}
        described = [row[1] for row in database.execute(f"PRAGMA table_info ({table})")]
        joins = "JOIN used USING (node_id) JOIN capture USING (capture_id) LEFT JOIN function USING (function_id)"
        if table not in ("capture", "node"):
            joins = source["capture_id" if "capture_id" in described else "window_id"]
            if "function_id" in described:
                joins += " JOIN function USING (function_id)"
        if "node_id" in described:
            joins += " JOIN node_text USING (node_id)"
        names = {"capture": "sha256", "function": "function.name"}
        wanted = ", ".join(names.get(column) or (f"{table}.{column}" if column in described else column) for column in columns)
        found = database.execute(f'SELECT {wanted} FROM "{table}" {joins if table != "capture" else ""}')
        return [tuple(value.hex() if isinstance(value, bytes) else value for value in row) for row in found]

    def test_nodes_below_one_have_the_numbers_that_follow(self):
        captures = {}
        for capture, *node in self.facts["tree"][1]:
            captures.setdefault(capture, []).append(node)
        for nodes in captures.values():
            self.assertEqual([number for _, number, *_ in nodes], list(range(len(nodes))))
            for text, number, _, last, _ in nodes:
                below = [other[1] for other in nodes if f"{other[0]}/".startswith(f"{text}/")]
                self.assertEqual(below, list(range(number, last + 1)), text)

    def test_paths_have_the_same_number_in_all_captures(self):
        columns, rows = self.facts["tree"]
        pairs = {(row[columns.index("text")], row[columns.index("path")]) for row in rows}
        self.assertGreater(len(rows), 2 * len(pairs))
        self.assertEqual((len(pairs), len(pairs)), tuple(len(set(one)) for one in zip(*pairs)))

    def test_the_manual_has_every_table(self):
        with open(os.path.join(culprit.ROOT, "data", "man", "culprit-fleet.7"), encoding="utf-8") as file:
            described = file.read().split("\n.Sh TABLES\n")[1].split("\n.Sh RESULTS\n")[0]
        with open(os.path.join(culprit.ROOT, "app", "fleet", "culprit_fleet", "views", "spark.sql"), encoding="utf-8") as file:
            views = re.findall("VIEW ([a-z_]+) AS", file.read())
        self.assertEqual(sorted(line[4:] for line in described.splitlines() if line.startswith(".Ss ")), sorted(["facts", *views]))

    def test_what_cannot_be_read_is_listed(self):
        self.assertEqual([one["file"] for one in self.verdict["failed"]], sorted(self.damaged))
        self.assertEqual(self.verdict["captures"], CAPTURES)
        for one in self.verdict["failed"]:
            self.assertRegex(one["reason"], "not a trace-cmd file|truncated|ends|damaged")

    def test_the_study_of_a_selection_is_sound(self):
        study = os.path.join(self.out, "fleet.culprit")
        self.assertEqual(culprit.run("check", "--study", study).status, 0)
        self.assertEqual(culprit.rows(study, "SELECT sha256 FROM outlier JOIN capture USING (capture_id) ORDER BY 1"),
                         culprit.rows(self.one, "SELECT sha256 FROM outlier JOIN capture USING (capture_id) ORDER BY 1"))
        self.assertEqual(culprit.rows(study, "SELECT SUM (captures) AS n FROM fleet_population")[0]["n"], CAPTURES)
        self.assertEqual(culprit.rows(study, "SELECT SUM (count) AS n FROM run_latency")[0]["n"], 19)

    def test_latencies_belong_to_the_captures_beside_them(self):
        whole, beyond = (os.path.relpath(self.files[i], self.captures).split("/")[0] for i in (0, -1))
        self.assertEqual({one["host"]: [one[name] for name in ("n", "beyond", "median_ns", "p99_ns", "max_ns")] for one in self.verdict["latencies"]},
                         {None: [19, 2, None, None, 9000000], "": [3, 0, 40000, 40000, 40000], whole: [10, 0, 20000, 300000, 300000], beyond: [6, 2, 10000, None, 9000000]})

    def test_example_queries_agree(self):
        done = subprocess.run([fleet_python.PROGRAM, os.path.join(HERE, "example_queries.py"), os.path.join(self.out, "facts"), *SETTINGS],
                              capture_output=True, text=True, timeout=600, env=fleet_python.environment(), check=False)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        results = json.loads(done.stdout)
        self.assertEqual(len(results), 11)
        for name, (duck, spark) in results.items():
            self.assertTrue(duck, f"{name} finds nothing")
            self.assertEqual(duck, spark, name)

    def test_a_killed_driver_is_started_again_and_reads_only_what_is_new(self):
        out, captures = os.path.join(self.folder, "killed"), os.path.join(self.folder, "grown")
        shutil.copytree(self.out, out)
        shutil.copytree(self.captures, captures)  # with the times of the files
        for path in (os.path.relpath(path, self.captures) for path in self.files):
            self.spoil(os.path.join(captures, path))
        # The job knows files by their names, so the folder takes the place of the old one.
        os.rename(self.captures, self.captures + ".kept")
        os.rename(captures, self.captures)
        try:
            for planned in self.plans[CAPTURES:]:
                to = os.path.join(self.captures, planned.path)
                os.makedirs(os.path.dirname(to), exist_ok=True)
                shutil.copy2(os.path.join(self.more, planned.path), to)
            job = self.start(command([self.captures], out, "--latencies", "*.hist"))
            wait_for(lambda: staging(out), job)
            os.killpg(job.pid, signal.SIGKILL)
            job.communicate()
            again = fleet([self.captures], out, "--latencies", "*.hist", "--compact")
        finally:
            shutil.rmtree(self.captures)
            os.rename(self.captures + ".kept", self.captures)
        self.assertEqual((again["added"], again["captures"]), (MORE - CAPTURES, MORE))
        self.assertFalse(staging(out), "what the killed job left is gone")
        with open(os.path.join(out, "facts", "_manifest.json"), encoding="utf-8") as file:
            commits = json.load(file)["commits"]
        self.assertEqual(sorted(os.listdir(os.path.join(out, "facts"))), ["_manifest.json", *(f"commit={commit}" for commit in commits)])
        self.assertEqual(len(commits), 1, "the facts are compacted")
        study = os.path.join(self.folder, "grown.culprit")
        self.import_one(study, self.more)
        self.assert_verdicts_of(again, study)

    def start(self, words):
        job = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=fleet_python.environment(), text=True, start_new_session=True)
        self.addCleanup(lambda: job.poll() is None and os.killpg(job.pid, signal.SIGKILL))
        return job

    @staticmethod
    def spoil(path):
        """Makes reading it again fail, though name, size and time are the same."""
        status = os.stat(path)
        with open(path, "wb") as file:
            file.write(bytes(status.st_size))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def test_a_killed_worker_and_another_file_system_change_nothing(self):
        out, mount = os.path.join(self.folder, "cluster"), "spark.hadoop.fs.viewfs.mounttable.lab.link."
        os.mkdir(out)
        settings = ("--conf", f"{mount}/captures=file://{self.captures}", "--conf", f"{mount}/out=file://{out}", "--latencies", "*.hist")
        job = self.start(command(["viewfs://lab/captures"], "viewfs://lab/out", *settings, master="local-cluster[2,1,512]"))
        wait_for(lambda: staging(out), job)
        workers = [pid for pid, line in descendants(job.pid) if "CoarseGrainedExecutorBackend" in line and "java" in line.split("\0")[0]]
        self.assertTrue(workers)
        os.kill(workers[0], signal.SIGKILL)
        printed, errors = job.communicate(timeout=300)
        self.assertEqual(job.returncode, 0, errors[-3000:])
        verdict = json.loads(printed.replace("viewfs://lab/captures", self.captures))
        self.assertEqual(verdict, self.verdict)


if __name__ == "__main__":
    unittest.main()

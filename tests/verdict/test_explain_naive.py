# SPDX-License-Identifier: GPL-3.0-or-later
# What culprit explain says of the captures of two peaks is what the naive verdict makes of them, on studies that were drawn at
# random: of the lower peak compared with its ordinary wake-ups, of the upper one with the late ones of the lower one.
# CULPRIT_SEEDS says how many are drawn (100).

import json
import os
import random
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "study"), HERE]

import content  # noqa: E402
import culprit  # noqa: E402
import naive_causes  # noqa: E402
import random_study  # noqa: E402
from naive_evidence import OWN_BASE_FROM, STANDS_OUT_FROM  # noqa: E402
from test_causes_naive import Compared, Differs  # noqa: E402

STUDIES = int(os.environ.get("CULPRIT_SEEDS", "100"))
LATENCIES = [(place + 13 * (i % 37), 1) for place, count in ((10_000, 2000), (100_000, 600), (1_000_000, 120)) for i in range(count)]


def divide(study, draw):
    """Makes the captures those of two peaks of a run."""
    statements = ["INSERT INTO series (series_id, name) VALUES (100, 'all')",
                  "INSERT INTO run (run_id, name, source, tracing, series_id, period_ns) VALUES (100, 'all/off-1', 'record', 'off', 100, 5000000)"]
    for latency_ns in sorted({latency_ns for latency_ns, _ in LATENCIES}):
        count = sum(one == latency_ns for one, _ in LATENCIES)
        statements.append(f"INSERT INTO run_latency VALUES (100, 0, {latency_ns}, {count})")
    for number, at_ns in ((101, 100_200), (102, 1_000_200)):
        explains = json.dumps({"explains": {"series": "all", "at_ns": at_ns}})
        statements += [f"INSERT INTO series (series_id, name, configuration) VALUES ({number}, 'all@{at_ns}', '{explains}')",
                       f"INSERT INTO run (run_id, name, source, tracing, series_id) VALUES ({number}, 'all@{at_ns}/on-1', 'record', 'on', {number})"]
    content.alter(study, *statements)
    captures = [row["capture_id"] for row in culprit.rows(study, "SELECT capture_id FROM capture JOIN window USING (capture_id)"
                                                                 " WHERE kind = 'outlier' ORDER BY latency_ns - tracing_ns")]
    if draw.random() < 0.2:  # else the lower ones are less late, as in peaks
        draw.shuffle(captures)
    lower = captures[:draw.randint(0, len(captures))]
    content.alter(study, "UPDATE capture SET run_id = 102",
                  f"UPDATE capture SET run_id = 101 WHERE capture_id IN ({', '.join(map(str, lower))})", "DELETE FROM run_function",
                  "INSERT INTO run_function SELECT run_id, function_id, SUM (captures), SUM (calls), SUM (self_ns), SUM (tracing_ns),"
                  " SUM (total_ns), SUM (off_cpu_ns), SUM (truncated), SUM (outlier_calls), SUM (outlier_self_ns),"
                  " SUM (outlier_tracing_ns), SUM (ordinary_calls), SUM (ordinary_self_ns), SUM (ordinary_tracing_ns)"
                  " FROM capture_sum JOIN capture USING (capture_id) GROUP BY 1, 2")
    counting = culprit.rows(study, "SELECT capture_id, ordinary_windows FROM capture JOIN window USING (capture_id)"
                                   " WHERE kind = 'outlier' AND triage <> 'ignored'")
    return ({row["capture_id"]: row["ordinary_windows"] for row in counting if (row["capture_id"] in lower) == below} for below in (True, False))


class Peak(Compared):
    """What the program says of a peak, beside what the naive verdict does."""
    def __init__(self, peak, study, captures, lower):
        self.peak = peak
        self.found = naive_causes.describe_all(naive_causes.judge_study(study, only=set(captures), lower=lower and set(lower)))

    def compare(self):
        sure = [said for said in self.found if said.sure]
        row = self.peak["cause"]
        self.equal("answer", self.peak["answer"], "explained" if sure else self.peak["answer"])
        if not row:
            return
        largest = max(said.ns for said in sure)
        said = [said for said in sure if said.ns > largest - 1 and
                (said.culprit, said.context, said.node, said.klass, said.captures) ==
                (row["culprit"], row["context"], row["node"] and [*row["node"]], row["class"], row["captures"])]
        if not said:
            raise Differs(f"the program blames {row}, the manual {[said for said in sure if said.ns == largest]}")
        self.compare_cause(f"of {row['culprit']}", row, said[0])


class Naive(unittest.TestCase):
    def test_studies_drawn_at_random(self):
        """In some of them each peak is explained, and in some neither."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        empty = random_study.make_empty(folder)
        answers = []
        for seed in range(STUDIES):
            with self.subTest(seed=seed):
                study = os.path.join(folder, f"{seed}.culprit")
                random_study.fill(random.Random(seed), empty, study)
                lower, upper = divide(study, random.Random(seed))
                result = culprit.run("explain", "--study", study, "--no-record", "--json")
                self.assertEqual((result.status, result.stderr), (0, ""))
                peaks = json.loads(result.stdout)["peaks"]
                self.assertEqual([peak["captures"] for peak in peaks], [[], sorted(lower), sorted(upper)])
                if sum(lower.values()) >= OWN_BASE_FROM:
                    Peak(peaks[1], study, lower, None).compare()
                    answers.append((1, peaks[1]["answer"]))
                if len(lower) >= STANDS_OUT_FROM and upper:
                    Peak(peaks[2], study, upper, lower).compare()
                    answers.append((2, peaks[2]["answer"]))
                os.remove(study)
        if STUDIES >= 100:  # The first few do not have all of them.
            self.assertLessEqual({(place, answer) for place in (1, 2) for answer in ("explained", "nothing-in-common")}, set(answers))


if __name__ == "__main__":
    unittest.main()

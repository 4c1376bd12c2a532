# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the causes in the verdicts on populations, as JSON rows. Reads a list of [host, kernel, series, verdict] as JSON from
# standard input. Run by the Python of culprit fleet.

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "app", "fleet"))

from culprit_fleet import session  # noqa: E402
from culprit_fleet.facts import sql_text  # noqa: E402

spark = session.start("local[1]", {"spark.driver.memory": "1g", "spark.sql.shuffle.partitions": "1"})
populations = [(*key, json.dumps(verdict)) for *key, verdict in json.load(sys.stdin)]
spark.createDataFrame(populations, "host string, kernel string, series string, verdict string").createOrReplaceTempView("population")
json.dump([row.asDict() for row in spark.sql(sql_text("causes")).collect()], sys.stdout)
sys.stdout.flush()
os._exit(0)

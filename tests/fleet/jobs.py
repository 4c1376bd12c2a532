# SPDX-License-Identifier: GPL-3.0-or-later
# Runs jobs of culprit fleet in one Spark session, which takes seconds to start: reads the arguments of each as JSON from a
# line, and prints what came of it as a line. Run by the Python of culprit fleet.

import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "app", "fleet"))

from culprit_fleet import session  # noqa: E402
from culprit_fleet.arguments import parse  # noqa: E402
from culprit_fleet.errors import FleetError, cause_of  # noqa: E402
from culprit_fleet.job import run  # noqa: E402

# A file system that is not on this machine, by its mount points, of which those in /boards are in a folder that the test names.
OTHER = {f"spark.hadoop.fs.viewfs.mounttable.other.link.{point}": f"file://{folder}" for point, folder in
         ((tempfile.gettempdir(), tempfile.gettempdir()), *((f"/boards/{name}", f"{os.environ.get('BOARDS', '')}/{name}") for name in ("a", "b.dat", "gone")))}
# With another one, of Refusing.java, whose class is in the folder that the test names.
REFUSING = {"spark.driver.extraClassPath": os.environ.get("REFUSING", ""), "spark.hadoop.fs.refusing.impl": "Refusing"}
spark = session.start("local[2]", {"spark.driver.memory": "1g", "spark.sql.shuffle.partitions": "2", **OTHER, **REFUSING})
for line in sys.stdin:
    try:
        verdict = run(spark, parse(json.loads(line)))
        told = {name: verdict[name] for name in ("captures", "added", "failed")}
        told["hosts"] = sorted({one["host"] for one in verdict["populations"]})
    except FleetError as error:
        told = {"error": str(error)}
    except Exception as error:  # as the program says it
        told = {"error": cause_of(str(error))}
    print(json.dumps(told), flush=True)

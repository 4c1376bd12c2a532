# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts Spark, or finds the session of spark-submit."""

import logging
import os
import sys
import tempfile
import zipfile
from contextlib import contextmanager
from typing import Dict, Optional

from pyspark.sql import SparkSession

from .errors import FleetError
from .program import Limits, Program, find_here

SETTINGS = {
    "spark.app.name": "culprit fleet",
    "spark.sql.catalogImplementation": "in-memory",
    "spark.sql.session.timeZone": "UTC",
    # Kernels and hosts are text, even if one is called 6.1.
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
    # Otherwise all rows of a table would be sorted before they are written.
    "spark.sql.maxConcurrentOutputFileWriters": "64",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "2000",
    "spark.hadoop.mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
    "spark.sql.parquet.compression.codec": "zstd",
    # Rows with lists of a hundred columns make for code that takes longer to compile than it saves.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
}
LOCAL_SETTINGS = {  # On one machine nobody looks at Spark's own pages, and every moment until the first task counts.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "8",
    "spark.ui.showConsoleProgress": "false",
}


def start(master: Optional[str], more: Dict[str, str]) -> SparkSession:
    """@more overrides the settings above, which override nothing that spark-submit was given."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))
    logging.getLogger("py4j").setLevel(logging.ERROR)
    submitted = "PYSPARK_GATEWAY_PORT" in os.environ
    builder = SparkSession.builder
    if master or not submitted:
        builder = builder.master(master or "local[*]")
    local = not submitted and (master or "local").startswith("local")
    for key, value in {**SETTINGS, **(LOCAL_SETTINGS if local else {}), **more}.items():
        builder = builder.config(key, value)
    with hidden_errors():
        session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


@contextmanager
def hidden_errors():
    """What the Java machine writes to standard error, as it does whenever it starts, is shown if it fails only, or always
    if CULPRIT_FLEET_VERBOSE is set."""
    if os.environ.get("CULPRIT_FLEET_VERBOSE"):
        yield
        return
    kept = os.dup(2)
    with tempfile.TemporaryFile("w+", errors="replace") as log:
        os.dup2(log.fileno(), 2)
        try:
            yield
        except Exception as error:
            log.seek(0)
            lines = [line for line in log.read().splitlines() if line.strip()]
            raise FleetError(f"Spark did not start: {lines[-1] if lines else error}; see all of it with CULPRIT_FLEET_VERBOSE=1") from None
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def is_local(spark: SparkSession) -> bool:
    """Whether tasks run on this machine, where the program and this package are in place."""
    return spark.sparkContext.master.startswith("local")


def ship(spark: SparkSession, program: Optional[str], limits: Limits) -> Program:
    """Makes the program and this package available to tasks. @program: its path on the nodes, if they have it."""
    if is_local(spark):
        path = program or find_here()
    elif program:
        path = program
    else:
        spark.sparkContext.addFile(find_here())
        path = None
    here = os.path.dirname(os.path.abspath(__file__))
    if os.path.isdir(here) and not spark.sparkContext.master.startswith("local["):  # spark-submit has sent its zip file
        spark.sparkContext.addPyFile(packed(here))
    return Program(path, limits)


def packed(here: str) -> str:
    """This package as a zip file."""
    path = os.path.join(tempfile.mkdtemp(prefix="culprit-fleet-"), "culprit_fleet.zip")
    with zipfile.ZipFile(path, "w") as archive:
        for folder, _, names in os.walk(here):
            for name in names:
                if name.endswith((".py", ".sql")):
                    full = os.path.join(folder, name)
                    archive.write(full, os.path.join("culprit_fleet", os.path.relpath(full, here)))
    return path

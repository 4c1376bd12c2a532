# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts Spark, or finds the session of spark-submit."""

import glob
import logging
import os
import re
import shutil
import signal
import sys
import tempfile
import zipfile
from contextlib import contextmanager
from typing import Dict, List, Optional

from pyspark import SparkFiles
from pyspark.sql import SparkSession

from .errors import FleetError, cause_of
from .program import Program, find_here

UTF_8 = "C.UTF-8"
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
    # Java names files in the encoding of its locale.
    "spark.executorEnv.LC_ALL": UTF_8,
}
JAVA_OPTIONS, SOON = "spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1"
INTERRUPTED = 130  # the status after Ctrl+C


def archive_of(size: object) -> str:
    """Java's classes, as classes.py archives them, in a file of so many bytes."""
    return os.path.join(sys.prefix, f"classes-{size}.jsa")


def options_of_archive() -> List[str]:
    """Java ignores an archive of another Java, but crashes with one that was cut off."""
    found = glob.glob(os.path.join(glob.escape(sys.prefix), "classes-*.jsa"))
    return [f'"-XX:SharedArchiveFile={path}"' for path in found if path == archive_of(os.path.getsize(path))][:1]


LOCAL_SETTINGS = {  # On one machine nobody looks at Spark's own pages, and every moment until the first task counts.
    JAVA_OPTIONS: " ".join([SOON, *options_of_archive()]),
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "8",
    "spark.ui.showConsoleProgress": "false",
}
IN_THIS_PROCESS = re.compile(r"local(\[.*\])?")
# Other users of this machine can connect to the ports of Spark, which here makes the secret itself.
AUTHENTICATED = {"spark.authenticate": "true"}


def start(master: Optional[str], more: Dict[str, str]) -> SparkSession:
    """@more overrides the settings above, which override nothing that spark-submit was given."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))
    os.environ["LC_ALL"] = UTF_8
    logging.getLogger("py4j").setLevel(logging.ERROR)
    submitted = "PYSPARK_GATEWAY_PORT" in os.environ
    builder = SparkSession.builder
    if master or not submitted:
        builder = builder.master(master or "local[*]")
    local = not submitted and (master or "local").startswith("local")
    alone = not submitted and IN_THIS_PROCESS.fullmatch(master or "local")
    for key, value in {**SETTINGS, **(LOCAL_SETTINGS if local else {}), **(AUTHENTICATED if alone else {}), **more}.items():
        builder = builder.config(key, value)
    with hidden_output():
        session = builder.getOrCreate()
    # Spark's own handler lets its jobs fail first, and tells of that. The Java machine ends with this process.
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    session.sparkContext.setLogLevel("OFF")
    encoding = session.sparkContext._jvm.java.lang.System.getProperty("sun.jnu.encoding")
    if encoding != "UTF-8":
        raise FleetError(f"Java names files in {encoding}, in which not every host has a name; start it with LC_ALL={UTF_8}")
    return session


@contextmanager
def hidden_output():
    """What the Java machine writes to standard error, as it does whenever it starts, is shown if it fails only, or always
    if CULPRIT_FLEET_VERBOSE is set. Its log, which it writes to standard output, goes there too: ours is for the verdict."""
    kept = {stream: os.dup(stream) for stream in (1, 2)}
    with tempfile.TemporaryFile("w+", errors="replace") as log:
        shown = 2 if os.environ.get("CULPRIT_FLEET_VERBOSE") else log.fileno()
        for stream in kept:
            os.dup2(shown, stream)
        try:
            yield
        except Exception as error:
            if shown == 2:
                raise
            log.seek(0)
            raise FleetError(f"Spark did not start: {cause_of(log.read()) or error}; see all of it with CULPRIT_FLEET_VERBOSE=1") from None
        finally:
            for stream, own in kept.items():
                os.dup2(own, stream)
                os.close(own)


def is_here(spark: SparkSession) -> bool:
    """Whether tasks run on this machine, where the program is in place."""
    return spark.sparkContext.master.startswith("local")


def program_here(spark: SparkSession, program: Optional[str]) -> str:
    """The program on this machine. @program: its path on the nodes, if they have it."""
    if not program or not is_here(spark):
        return find_here()
    found = shutil.which(program)
    if not found:
        raise FleetError(f"--program: {program}: no such program")
    return os.path.abspath(found)


def ship(spark: SparkSession, program: Optional[str]) -> Program:
    """Makes the program and this package available to tasks. @program: as above."""
    path = program_here(spark, program) if is_here(spark) else program
    if not path:
        spark.sparkContext.addFile(find_here())
    here = os.path.dirname(os.path.abspath(__file__))
    in_this_process = IN_THIS_PROCESS.fullmatch(spark.sparkContext.master)
    if os.path.isdir(here) and not in_this_process:  # spark-submit has sent its zip file
        # Nodes fetch it as long as the job runs; Spark removes its own folder then.
        spark.sparkContext.addPyFile(packed(here, tempfile.mkdtemp(dir=SparkFiles.getRootDirectory())))
    return Program(path)


def packed(here: str, folder: str) -> str:
    """This package as a zip file in @folder."""
    path = os.path.join(folder, "culprit_fleet.zip")
    with zipfile.ZipFile(path, "w") as archive:
        for folder, _, names in os.walk(here):
            for name in names:
                if name.endswith((".py", ".sql")):
                    full = os.path.join(folder, name)
                    archive.write(full, os.path.join("culprit_fleet", os.path.relpath(full, here)))
    return path

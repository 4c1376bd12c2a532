# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes an archive of the Java classes that jobs load, so that Java maps them instead of reading, verifying and linking
ten thousand of them each time: python -m culprit_fleet.classes, once after Spark was installed."""

import os
import sys
import tempfile
from typing import Iterator

import pyarrow as pa
from pyspark.sql import functions as F

from . import session


def as_it_is(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    return batches


def main() -> None:
    """What a job asks of Spark, on a few numbers. Java writes the archive when it ends."""
    unfinished = session.archive_of("part")
    spark = session.start("local[2]", {session.JAVA_OPTIONS: f'{session.SOON} "-XX:ArchiveClassesAtExit={unfinished}"'})
    with tempfile.TemporaryDirectory() as folder:
        numbers = spark.range(0, 8, 1, 2).join(F.broadcast(spark.createDataFrame(pa.table({"id": range(8), "text": ['[{"one": 1}]'] * 8}))), "id")
        numbers = numbers.selectExpr("id", "text", "id % 2 AS half", "inline (from_json (text, 'array<struct<one bigint>>'))")
        numbers.mapInArrow(as_it_is, numbers.schema).write.partitionBy("half").parquet(f"{folder}/numbers")
        spark.read.parquet(f"{folder}/numbers").createOrReplaceTempView("numbers")
        spark.sql("SELECT half, SUM (id), COUNT (*) OVER (PARTITION BY half ORDER BY SUM (id)), MIN (struct (id, one)) FROM numbers "
                  "GROUP BY GROUPING SETS ((half), ())").toArrow()
        spark.table("numbers").union(numbers.select("id", "text", "one", "half")).groupBy("half").agg(F.max("id")).toArrow()
    java = spark.sparkContext._gateway.proc
    spark.stop()
    java.stdin.close()
    java.wait()
    with open(unfinished, "rb") as archive:
        os.fsync(archive.fileno())
        os.rename(unfinished, session.archive_of(os.path.getsize(unfinished)))


if __name__ == "__main__":
    sys.exit(main())

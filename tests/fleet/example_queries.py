# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the example queries on the facts below a folder in DuckDB and in Spark SQL, and prints the rows of both as JSON:
# query -> [DuckDB's, Spark's]. Run by the Python of culprit fleet.

import json
import os
import sys

import duckdb
from pyspark.sql import SparkSession

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.join(HERE, "..", "..", "app", "fleet", "culprit_fleet")
sys.path.insert(0, os.path.dirname(PACKAGE))

from culprit_fleet.session import LOCAL_SETTINGS, SETTINGS  # noqa: E402
ALL_FACTS = "CREATE VIEW facts AS SELECT * FROM read_parquet('{}/*/*/*/*/*.parquet', hive_partitioning = true, hive_types_autocast = false)"


def text_of(*name):
    with open(os.path.join(PACKAGE, *name), encoding="utf-8") as file:
        return file.read()


def main():
    facts, *settings = sys.argv[1:]
    builder = SparkSession.builder.master("local[2]")
    for key, value in {**SETTINGS, **LOCAL_SETTINGS, **dict(setting.split("=", 1) for setting in settings)}.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.read.parquet(facts).createOrReplaceTempView("facts")
    for statement in text_of("views", "spark.sql").removesuffix(";\n").split(";\n"):
        spark.sql(statement)
    duck = duckdb.connect()
    duck.execute(ALL_FACTS.format(facts))
    duck.execute(text_of("views", "duckdb.sql"))
    results = {}
    for name in sorted(os.listdir(os.path.join(PACKAGE, "queries"))):
        text = text_of("queries", name)
        results[name] = [[list(row) for row in duck.execute(text).fetchall()], [list(row) for row in spark.sql(text).collect()]]
    json.dump(results, sys.stdout)
    sys.stdout.flush()
    os._exit(0)


main()

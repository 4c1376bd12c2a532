#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Creates the study that is fuzzed: a small part of the sample, in which each byte counts. make-study.py SAMPLE STUDY

import contextlib
import os
import shutil
import sqlite3
import sys

sample, study = sys.argv[1:]
with contextlib.suppress(FileNotFoundError):
    os.remove(study)
shutil.copy(sample, study)
with contextlib.closing(sqlite3.connect(study, isolation_level=None)) as database:
    database.execute("PRAGMA foreign_keys = ON")
    database.execute("PRAGMA journal_mode = DELETE")
    database.execute("DELETE FROM capture WHERE capture_id NOT IN (SELECT capture_id FROM capture LIMIT 3)")
    database.execute("DELETE FROM run_latency WHERE latency_ns % 64 > 0")
    database.execute("DELETE FROM run_sample")
    for table, column in (("capture_function", "function_id"), ("run_function", "function_id"), ("ordinary_part", "function_id"),
                          ("ordinary_node", "node_id"), ("outlier_node", "node_id")):
        database.execute(f"DELETE FROM {table} WHERE {column} % 8 > 0")
    database.execute("DELETE FROM node WHERE node_id NOT IN (WITH RECURSIVE used (node_id) AS (SELECT node_id FROM outlier_node UNION "
                     "SELECT node_id FROM ordinary_node UNION SELECT parent_id FROM node JOIN used USING (node_id) "
                     "WHERE depth > 0) SELECT node_id FROM used)")
    database.execute("DELETE FROM function WHERE function_id NOT IN (SELECT function_id FROM node UNION SELECT function_id FROM "
                     "capture_function UNION SELECT function_id FROM run_function UNION SELECT function_id FROM ordinary_part)")
    database.execute("PRAGMA page_size = 1024")
    database.execute("VACUUM")

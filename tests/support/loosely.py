# SPDX-License-Identifier: GPL-3.0-or-later
# Writes to a study what its schema forbids, as an attacker can: temporarily, the schema in the file has no constraints.

import sqlite3
from contextlib import closing

ASKS = (" NOT NULL", " STRICT,", " STRICT")


def change_schema(study, changes):
    """@changes: SQL by the object's name."""
    with closing(sqlite3.connect(study, isolation_level=None)) as database:
        database.execute("PRAGMA writable_schema = ON")
        for name, sql in changes.items():
            database.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql, name))
        version, = database.execute("PRAGMA schema_version").fetchone()
        database.execute(f"PRAGMA schema_version = {version + 1}")


def schema(study, types=("table",)):
    with closing(sqlite3.connect(study)) as database:
        return {name: sql for kind, name, sql in database.execute("SELECT type, name, sql FROM sqlite_schema")
                if kind in types and sql}


def without_asks(sql):
    for asked in ASKS:
        sql = sql.replace(asked, "")
    return sql


def write(study, *statements):
    """Runs each of @statements, (SQL, values)."""
    strict = schema(study)
    change_schema(study, {name: without_asks(sql) for name, sql in strict.items()})
    with closing(sqlite3.connect(study, isolation_level=None)) as database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        for statement, values in statements:
            database.execute(statement, values)
    change_schema(study, strict)

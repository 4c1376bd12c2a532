# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the facts below a folder as the tables of a study, as JSON: table -> [columns, rows], bytes as hexadecimal digits. Only
# columns that a study has too. Run by the Python of culprit fleet.

import glob
import json
import os
import sys

import pyarrow.compute
import pyarrow.parquet

NOT_OF_STUDIES = ("number", "machine", "series", "modified_utc", "reason", "run", "run_latency")


def plain(value):
    return value.hex() if isinstance(value, bytes) else value


def main():
    tables = {}

    def add(name, columns):
        names = [column for column in columns if column not in NOT_OF_STUDIES]
        listed, rows = tables.setdefault(name, [names, []])
        assert listed == names
        rows += [list(map(plain, row)) for row in zip(*(columns[column].to_pylist() for column in names))]

    for path in sorted(glob.glob(os.path.join(sys.argv[1], "*", "outcome=capture", "*", "*", "*.parquet"))):
        found = pyarrow.parquet.ParquetFile(path).read().combine_chunks()
        flat = {}
        for name in (name for name in found.column_names if name not in NOT_OF_STUDIES):
            column = found.column(name).combine_chunks()
            if not hasattr(column, "flatten") or not pyarrow.types.is_list(column.type):
                flat[name] = column
                continue
            rows = column.flatten()
            digests = found.column("capture").take(pyarrow.compute.list_parent_indices(column))
            add(name, {"capture": digests, **dict(zip((field.name for field in rows.type), rows.flatten()))})
        add("capture", flat)
    json.dump(tables, sys.stdout)


main()

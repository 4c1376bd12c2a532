# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the facts below a folder as the tables of a study, as JSON: table -> [columns, rows], bytes as hexadecimal digits. Only
# columns that a study has too; nodes have the text of their path instead of numbers. The table tree has these numbers. Run by the
# Python of culprit fleet.

import glob
import json
import os
import sys

import pyarrow.parquet

NOT_OF_STUDIES = ("machine", "series", "modified_utc", "reason", "run", "run_latency")
NUMBERS = ("number", "parent", "last", "path")


def plain(value):
    return value.hex() if isinstance(value, bytes) else value


def paths_of(nodes):
    """The path of each node of a capture; parents come first."""
    paths = []
    for node in nodes:
        above = [] if node["parent"] is None else [paths[node["parent"]]]
        own = (node["context"], node["source"]) if node["parent"] is None else (node["function"], node["module"], str(node["ordinal"]))
        paths.append("/".join((*above, "|".join(own))))
    return paths


def main():
    tables = {}

    def add(name, rows):
        """@rows: as dictionaries."""
        for row in rows:
            names, listed = tables.setdefault(name, [list(row), []])
            assert names == list(row)
            listed.append(list(map(plain, row.values())))

    for path in sorted(glob.glob(os.path.join(sys.argv[1], "*", "outcome=capture", "*", "*", "*.parquet"))):
        for capture in pyarrow.parquet.ParquetFile(path).read().to_pylist():
            own = {name: value for name, value in capture.items() if name not in NOT_OF_STUDIES}
            paths, digest = paths_of(own["node"]), {"capture": own["capture"]}
            add("capture", [{name: value for name, value in own.items() if not isinstance(value, list)}])
            add("tree", ({**digest, "text": text, **{name: node[name] for name in NUMBERS}} for node, text in zip(own["node"], paths)))
            for name, rows in ((name, rows) for name, rows in own.items() if isinstance(rows, list)):
                nodes = ({"text": paths[row["number"]]} if "node" in name else {} for row in rows)
                add(name, ({**digest, **node, **{column: value for column, value in row.items() if column not in NUMBERS}}
                           for node, row in zip(nodes, rows)))
    json.dump(tables, sys.stdout)


main()

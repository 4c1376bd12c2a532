# SPDX-License-Identifier: GPL-3.0-or-later
# Reads what a study contains about its captures, and compares it with the expected rows. Nodes are known by their path.

import os
from collections import defaultdict

from culprit import rows

FUNCTION = "function.name AS function, module, ordinal"
QUERIES = {
    "capture": "SELECT * FROM capture",
    "capture_cpu": "SELECT * FROM capture_cpu",
    "capture_event": "SELECT * FROM capture_event",
    "capture_function": f"SELECT capture_function.*, {FUNCTION} FROM capture_function"
                        " JOIN function USING (function_id)",
    "window": "SELECT * FROM window",
    "outlier_node": "SELECT outlier_node.*, capture_id FROM outlier_node JOIN window USING (window_id)",
    "ordinary_node": "SELECT * FROM ordinary_node",
    "ordinary_part": f"SELECT ordinary_part.*, {FUNCTION} FROM ordinary_part JOIN function USING (function_id)",
    "section": "SELECT section.*, opened.name AS opened, opened.module AS opened_module, opened.ordinal AS opened_ordinal,"
               " closed.name AS closed, closed.module AS closed_module, closed.ordinal AS closed_ordinal FROM section"
               " JOIN function AS opened ON opened.function_id = opened_id"
               " JOIN function AS closed ON closed.function_id = closed_id",
    "stall": f"SELECT stall.*, capture_id, {FUNCTION} FROM stall JOIN window USING (window_id)"
             " JOIN function USING (function_id)",
}
KEYS = {"capture": (), "capture_cpu": ("cpu",), "capture_event": ("event",),
        "capture_function": ("function", "module", "ordinal"), "window": ("kind", "start_ns"),
        "outlier_node": ("path",), "ordinary_node": ("path",),
        "ordinary_part": ("context", "function", "module", "ordinal"), "stall": (),
        "section": ("kind", "context", "opened", "closed")}


def nodes(study):
    """node_id -> what is known of it; its path is (context, source, functions from the source on)."""
    found = {}
    for row in rows(study, f"SELECT node.*, {FUNCTION} FROM node LEFT JOIN function USING (function_id) ORDER BY depth"):
        above = found[row["parent_id"]]["path"][2] if row["depth"] else ()
        own = ((row["function"], row["module"], row["ordinal"]),) if row["depth"] else ()
        found[row["node_id"]] = {"path": (row["context"], row["source"], above + own), "depth": row["depth"],
                                 "recursive": row["recursive"]}
    return found


def by_file(study):
    """File name -> table -> rows."""
    found = defaultdict(lambda: {table: [] for table in QUERIES})
    captures = rows(study, QUERIES["capture"])
    name = {capture["capture_id"]: os.path.basename(capture["file"]) for capture in captures}
    known = nodes(study)
    for table, query in QUERIES.items():
        for row in captures if table == "capture" else rows(study, query):
            for end in ("opened", "closed") if table == "section" else ():
                row[end] = row[end], row.pop(f"{end}_module"), row.pop(f"{end}_ordinal")
            found[name[row["capture_id"]]][table].append({**row, **known.get(row.get("node_id"), {})})
    return dict(found)


def same(expected, found):
    if isinstance(found, float):
        return abs(expected - found) <= 1e-9 * max(abs(expected), abs(found))
    return expected == found


def keyed(table, rows_):
    return {tuple(row[column] for column in KEYS[table]): row for row in rows_}


def difference(expected, found):
    """The first difference between two captures' rows in words, or None. Only expected columns are compared."""
    for table in QUERIES:
        wanted, there = keyed(table, expected[table]), keyed(table, found[table])
        for key in sorted(set(wanted) | set(there)):
            where = f"{table} {key}"
            if key not in there:
                return f"{where}: no such row in the study; expected {wanted[key]}"
            if key not in wanted:
                return f"{where}: unexpected row in the study: {there[key]}"
            wrong = {column: f"expected {value}, found {there[key].get(column)}"
                     for column, value in wanted[key].items() if not same(value, there[key].get(column))}
            if wrong:
                return f"{where}: {wrong}"
    return None

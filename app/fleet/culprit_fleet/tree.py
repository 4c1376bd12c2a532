# SPDX-License-Identifier: GPL-3.0-or-later
"""The tree of calls of a scratch study. Each capture gets the part of it that its rows refer to, in an order in which every
node is followed by all that are below it, so that these are a range of numbers."""

from hashlib import blake2b
from typing import Dict, List, Sequence, Tuple

import numpy as np
import pyarrow as pa

PATH_BYTES = 8
NODES = ("SELECT node_id, IFNULL (parent_id, 0) AS parent_id, IFNULL (function_id, 0) AS function_id, context, source, depth, recursive "
         "FROM node ORDER BY depth, node_id")


def places_of(parents: Sequence[int]) -> Tuple[List[int], List[int]]:
    """The place of each node, and that of the last one below it. @parents: of nodes after those above them; -1 of sources."""
    sizes = [1] * len(parents)
    for i in range(len(parents) - 1, -1, -1):
        if parents[i] >= 0:
            sizes[parents[i]] += sizes[i]
    sources, places, free = 0, [], []
    for parent, size in zip(parents, sizes):
        if parent < 0:
            place, sources = sources, sources + size
        else:
            place = free[parent]
            free[parent] += size
        places.append(place)
        free.append(place + 1)
    return places, [place + size - 1 for place, size in zip(places, sizes)]


def paths_of(parents: Sequence[int], names: Sequence[str], key: bytes) -> np.ndarray:
    """Numbers that the same paths have in all captures of a fleet. Who does not know its @key can make none that are alike."""
    digests: List[bytes] = []
    for parent, name in zip(parents, names):
        above = digests[parent] if parent >= 0 else b""
        digests.append(blake2b(above + name.encode(), digest_size=PATH_BYTES, key=key).digest())
    return np.frombuffer(b"".join(digests), np.dtype("<i8"))


def once(numbers: np.ndarray) -> np.ndarray:
    """Each of @numbers, which are not negative, in order. np.unique() takes several times as long."""
    ordered = np.sort(numbers)
    return ordered[np.diff(ordered, prepend=-1) > 0]


class Tree:
    """All nodes, by place; parents: -1 of sources."""

    def __init__(self, found: pa.Table, functions: Dict[int, str], key: bytes):
        """@found: what NODES selects; functions: their names by number; key: of paths."""
        ids = found.column("node_id").to_pylist()
        at = {number: i for i, number in enumerate(ids)}
        parents = [at.get(number, -1) for number in found.column("parent_id").to_pylist()]
        named = zip(*(found.column(name).to_pylist() for name in ("function_id", "context", "source")))
        names = [functions[function] if function else f"{context}\n{source}" for function, context, source in named]
        places, last = (np.array(one, np.int64) for one in places_of(parents))
        order = np.argsort(places)
        self.rows = found.take(order)
        self.paths, self.last = paths_of(parents, names, key)[order], last[order]
        self.parents = np.array([*places, -1], np.int64)[np.array(parents, np.int64)][order]
        self.ids, self.by_id = np.sort(ids), places[np.argsort(ids)]

    def places(self, ids: np.ndarray) -> np.ndarray:
        return self.by_id[np.searchsorted(self.ids, ids)]


class Parts:
    """The nodes of each capture, those of one after those of the other."""

    def __init__(self, tree: Tree, captures: np.ndarray, tables: Sequence[pa.Table]):
        """@captures: the numbers of all captures, in order; tables: rows that refer to nodes."""
        self.tree, self.captures, self.size = tree, captures, max(len(tree.ids), 1)
        self.all = self.with_parents(once(np.concatenate([self.keys(table) for table in tables])))
        self.starts = np.searchsorted(self.all, np.arange(len(captures)) * self.size)

    def keys(self, table: pa.Table) -> np.ndarray:
        """What tells a node of a capture from all others, and sorts like them."""
        capture = np.searchsorted(self.captures, table.column("capture_id").to_numpy())
        return capture * self.size + self.tree.places(table.column("node_id").to_numpy())

    def with_parents(self, keys: np.ndarray) -> np.ndarray:
        """Normally these are there, and it is found at once."""
        while True:
            parents = self.tree.parents[keys % self.size]
            more = once(np.concatenate([keys, (keys - keys % self.size + parents)[parents >= 0]]))
            if len(more) == len(keys):
                return keys
            keys = more

    def numbers(self, keys: np.ndarray) -> np.ndarray:
        return np.searchsorted(self.all, keys) - self.starts[keys // self.size]

    def numbered(self, table: pa.Table) -> pa.Table:
        """Rows that refer to nodes, in the order of these."""
        keys = self.keys(table)
        order = np.argsort(keys)
        return table.take(order).append_column("number", pa.array(self.numbers(keys[order])))

    def rows(self) -> pa.Table:
        places, capture = self.all % self.size, self.all // self.size
        parents, first = self.tree.parents[places], self.all - places
        last = np.searchsorted(self.all, first + self.tree.last[places], side="right") - 1 - self.starts[capture]
        columns = {
            "capture_id": pa.array(self.captures[capture]), "number": pa.array(self.numbers(self.all)),
            "parent": pa.array(self.numbers(first + np.maximum(parents, 0)), mask=parents < 0), "last": pa.array(last),
            "path": pa.array(self.tree.paths[places])}
        own = self.tree.rows.drop_columns(["node_id", "parent_id"]).take(places)
        return pa.table({**columns, **dict(zip(own.column_names, own.columns))})

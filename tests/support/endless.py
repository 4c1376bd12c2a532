# SPDX-License-Identifier: GPL-3.0-or-later
# Studies of some hundred kilobytes with more rows than can ever be read: a few pages of a table name each other many times.

import sqlite3
import struct
from contextlib import closing

FAN = 60  # as many times a page names the next one
LEVELS = 12
TABLE_INNER, INDEX_INNER = 5, 2


def roots(path):
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
        return dict(database.execute("SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0"))


def inner_page(kind, size, child, payload=b"", begin=0):
    """A page that names the page @child FAN times and once more."""
    cell = struct.pack(">I", child) + (payload if kind == INDEX_INNER else b"\x01")
    page = bytearray(size)
    for i in range(FAN):
        at = size - (i + 1) * len(cell)
        page[at:at + len(cell)] = cell
        struct.pack_into(">H", page, begin + 12 + 2 * i, at)
    struct.pack_into(">BHHHBI", page, begin, kind, 0, FAN, size - FAN * len(cell), 0, child)
    return page


def small_leaf(kind, size, payload, begin=0):
    """A page with a single row, or key."""
    cell = payload if kind == 10 else payload[:1] + b"\x01" + payload[1:]
    page = bytearray(size)
    page[size - len(cell):] = cell
    struct.pack_into(">BHHHB", page, begin, kind, 0, 1, size - len(cell), 0)
    struct.pack_into(">H", page, begin + 8, size - len(cell))
    return page


def record(*values):
    """A row of texts and small numbers, with its length before."""
    types = bytes(13 + 2 * len(value) if isinstance(value, str) else 1 for value in values)
    body = bytes([len(types) + 1]) + types + b"".join(value.encode() if isinstance(value, str) else bytes([value]) for value in values)
    return bytes([len(body)]) + body


def pages_of(path, name):
    """The pages of a study whose table or index @name has no end, by their numbers, and how many there are then."""
    root = roots(path)[name] if name != "sqlite_schema" else 1
    with open(path, "rb") as file:
        data = file.read()
    size, = struct.unpack_from(">H", data, 16)
    last = len(data) // size
    begin = 100 if root == 1 else 0
    kind = data[(root - 1) * size + begin]
    inner = TABLE_INNER if kind in (TABLE_INNER, 13) else INDEX_INNER
    payload = record(1, 1)
    if root == 1:
        index = next(key for key in roots(path) if key.startswith("sqlite_autoindex"))
        payload = record("index", index, index[len("sqlite_autoindex_"):-2], roots(path)[index])
        payload = bytes([payload[0] + 1, payload[1] + 1]) + payload[2:6] + b"\x00" + payload[6:]  # no text
    changed = {last + 1: small_leaf(13 if inner == TABLE_INNER else 10, size, payload)}
    for page in range(last + 2, last + LEVELS):
        changed[page] = inner_page(inner, size, page - 1, payload)
    changed[root] = inner_page(inner, size, last + LEVELS - 1, payload, begin)
    changed[1] = bytearray(data[:100]) + changed.get(1, bytearray(data[:size]))[100:]
    struct.pack_into(">I", changed[1], 28, last + LEVELS - 1)
    return changed, size, last + LEVELS - 1


def write(path, name):
    changed, size, _ = pages_of(path, name)
    with open(path, "r+b") as file:
        for page, content in changed.items():
            file.seek((page - 1) * size)
            file.write(content)


def write_deep(path, name, depth):
    """A study in which each of @depth pages names only the next one, and a page without rows."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
        database.execute("PRAGMA page_size = 512")
        database.execute("VACUUM")
    root = roots(path)[name]
    with open(path, "rb") as file:
        data = bytearray(file.read())
    last = len(data) // 512

    def above(child):
        page = bytearray(512)
        page[507:] = struct.pack(">I", 0) + b"\x01"
        struct.pack_into(">BHHHBIH", page, 0, TABLE_INNER, 0, 1, 507, 0, child, 507)
        return page

    data += small_leaf(13, 512, record(1, 1)) + b"".join(above(last + 3 + i) for i in range(depth)) + small_leaf(13, 512, record(1, 1))
    data[(root - 1) * 512:root * 512] = above(last + 2)
    struct.pack_into(">I", data, 28, len(data) // 512)
    with open(path, "wb") as file:
        file.write(data)


def write_shared(path, name, column, size):
    """A study in which one row, with a JSON text of so many bytes, is named as often as its page has room."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
        database.execute(f"UPDATE {name} SET {column} = ? WHERE rowid = (SELECT MAX (rowid) FROM {name})", (f'"{"A" * size}"',))
        database.execute("VACUUM")
        page_size, = database.execute("PRAGMA page_size").fetchone()
    begin = (roots(path)[name] - 1) * page_size
    with open(path, "r+b") as file:
        file.seek(begin)
        page = bytearray(file.read(page_size))
        rows, first = struct.unpack_from(">HH", page, 3)
        last = page[8 + 2 * (rows - 1):8 + 2 * rows]
        page[8:first - first % 2] = last * ((first - first % 2 - 8) // 2)
        struct.pack_into(">H", page, 3, (first - 8) // 2)
        file.seek(begin)
        file.write(page)


def sums(data, before=(0, 0)):
    one, two = before
    for first, second in struct.iter_unpack("<II", data):
        one = (one + first + two) & 0xffffffff
        two = (two + second + one) & 0xffffffff
    return one, two


def write_log(path, name):
    """The same in a write-ahead log: the study itself is as it was."""
    write_pages_to_log(path, *pages_of(path, name))


def write_claim(path, pages):
    """A log that says that the study has so many pages."""
    with open(path, "rb") as file:
        data = file.read()
    size, = struct.unpack_from(">H", data, 16)
    first = bytearray(data[:size])
    struct.pack_into(">I", first, 28, pages)
    write_pages_to_log(path, {1: first}, size, pages)


def write_pages_to_log(path, changed, size, last):
    changed[1][18:20] = b"\x02\x02"
    with open(path, "r+b") as file:
        file.seek(18)
        file.write(b"\x02\x02")
    head = struct.pack(">IIIIII", 0x377f0682, 3007000, size, 0, 7, 7)
    before = sums(head)
    with open(path + "-wal", "wb") as log:
        log.write(head + struct.pack(">II", *before))
        for number, (page, content) in enumerate(changed.items()):
            frame = struct.pack(">II", page, last if number == len(changed) - 1 else 0)
            before = sums(frame + bytes(content), before)
            log.write(frame + struct.pack(">IIII", 7, 7, *before) + content)

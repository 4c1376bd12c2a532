# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists the files of the given folders, on this machine or through Hadoop, and puts those to be read into batches."""

import errno
import fnmatch
import json
import os
import re
from datetime import datetime, timedelta
from functools import reduce
from typing import Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

import pyarrow as pa
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from .errors import FleetError
from .store import as_uri, literal, shown

MAGIC = b"\x17\x08\x44tracing"
BATCH_BYTES = 128 << 20
BATCH_FILES = 200
LATENCY_FILE = "results.json"  # jitterdebugger's; culprit import takes it from a folder, too
LARGEST_CONTENT = (2 << 30) - (1 << 20)  # what Spark can hand to a task as one value
# Kinds of captures that no task can read, and why.
UNREADABLE = {"large": "larger than 2 GB, which Spark cannot read from this file system", "empty": "empty; copy or make it again",
              "no text": "its name is not valid UTF-8; rename it", "name": "its name cannot be that of a local file; shorten it", "gone": "a link to nothing; remove it",
              "no time": "the time of its last change is absurd; set it, e.g. with touch",
              "folder": "became a folder while the job ran; start it again",
              "unread": "cannot be read from its file system; see that it and its cycle log are whole, and permit its user to read them"}
# Likewise of folders.
UNSEARCHED = {"closed": "this folder cannot be searched; permit its user to read and enter it", "deep": "this folder is too deep; move it up",
              "unnamed": UNREADABLE["no text"]}
DATES_S = range(-62_135_596_800, 253_402_300_800)  # from year 1 to 9999, which others are not written as
DEEPEST, LONGEST = 100, 3840  # folders below that of the user, and bytes of its path: a file's path has 4,095 at most

READ = {"ignoreCorruptFiles": "true", "ignoreMissingFiles": "true"}
# As patterns, names cannot have a colon as well as what is special in one. Where they are none, Spark takes all once for each that looks
# like one; so only odd names come so, and it keeps each once if it is to look for folders.
LITERALLY = {"__globPaths__": "false", "recursiveFileLookup": "true"}
ENDING = ("FAILED_READ_FILE", "PATH_NOT_FOUND", "AccessControlException")  # what Spark says of a file that it does not leave out
REFUSED = (Py4JJavaError, PySparkException)  # as which it arrives: PySpark makes its own of some that Hadoop throws

OF_FILE_SYSTEM = re.compile(r"[^:/]+:(//[^/]*)?")

File = Dict[str, object]


def order_of(path: str) -> List[str]:
    """Sorts as culprit import does: folder by folder, by name."""
    return path.split("/")


class Entry(NamedTuple):
    """What is in a folder. @kind: "folder", "link" to one, of a file which of UNREADABLE it is, "" if none."""
    path: str
    kind: str
    size: int = 0
    modified_ms: int = 0


class Here:
    """This machine."""
    scheme = "file:"

    @staticmethod
    def root(folder: str) -> Optional[Entry]:
        """What the user named; None: it is not there."""
        path = shown(as_uri(folder))
        return Entry(path, "folder") if os.path.isdir(path) else Here.entry(path) if os.path.exists(path) else None

    @staticmethod
    def entries(folder: str) -> Optional[List[Entry]]:
        """What is in a folder. None: it cannot be searched."""
        try:
            with os.scandir(folder) as found:
                entries = [Here.entry(one.path, one) for one in found if not is_hidden(one.name)]
        except OSError:
            return None
        return entries if os.access(folder, os.X_OK) else None

    @staticmethod
    def entry(path: str, found: "Optional[os.DirEntry[str]]" = None) -> Entry:
        if found and (os.path.isdir(path) if found.is_symlink() else found.is_dir()):
            return Entry(path, "link" if found.is_symlink() else "folder")
        if not is_text(path):
            return Entry(path, "no text")
        try:
            status = os.stat(path)
            return Entry(path, "", status.st_size, status.st_mtime_ns // 10 ** 6)
        except OSError as error:
            return Entry(path, "gone" if error.errno in (errno.ENOENT, errno.ELOOP) else "unread")


class Elsewhere:
    """Any other file system that Hadoop knows, whose paths are URIs."""
    scheme = ""

    def __init__(self, spark: SparkSession):
        self.jvm, self.conf = spark.sparkContext._jvm, spark.sparkContext._jsc.hadoopConfiguration()

    def opened(self, uri: str):
        path = self.jvm.org.apache.hadoop.fs.Path(uri)
        return path.getFileSystem(self.conf), path

    def root(self, folder: str) -> Optional[Entry]:
        files, path = self.opened(folder)
        try:
            return self.entry(path, files.getFileStatus(path))
        except Py4JJavaError as error:
            if error.java_exception.getClass().getName() == "java.io.FileNotFoundException":
                return None
            raise

    def entries(self, folder: str) -> Optional[List[Entry]]:
        try:
            files, path = self.opened(folder)
            entries = [self.found(files, status) for status in files.listStatus(path)]
            return [entry for entry in entries if not is_hidden(os.path.basename(entry.path))]
        except REFUSED:
            return None

    def found(self, files, status) -> Entry:
        """Places where viewfs shows other file systems are links that are followed; those of this machine, below it, are not."""
        path = status.getPath()
        try:
            if status.isSymlink():
                return self.entry(path, files.getFileStatus(path))
            entry = self.entry(path, status)
            real = files.resolvePath(path).toUri() if entry.kind else None
            return entry._replace(kind="link") if real and real.getScheme() == "file" and os.path.islink(real.getPath()) else entry
        except REFUSED:
            return Entry(path.toString(), "folder")

    @staticmethod
    def entry(path, status) -> Entry:
        kind = "folder" if status.isDirectory() else ""
        return Entry(path.toString(), kind, status.getLen(), status.getModificationTime())

    def can_read(self, uri: str) -> bool:
        """To its end, as only there may be a block that is lost."""
        try:
            files, path = self.opened(uri)
            self.jvm.org.apache.hadoop.io.IOUtils.copyBytes(files.open(path), self.jvm.java.io.OutputStream.nullOutputStream(), 1 << 20, True)
            return True
        except REFUSED:
            return False


def list_files(spark: SparkSession, folders: Sequence[str], latencies: Sequence[str]) -> List[File]:
    """All files below @folders, in order, and the folders that are not searched. Names that begin with a dot or an underscore are
    hidden, as everywhere in Hadoop. @latencies: patterns of names of other tools' latency results."""
    found: Dict[str, File] = {}
    for folder in folders:
        source = Here() if as_uri(folder).startswith("file:") else Elsewhere(spark)
        root = source.root(folder)
        if not root:
            raise FleetError(f"{shown(as_uri(folder))}: no such folder; check the name")
        found.update((entry.path, file_of(entry, source.scheme + readable(entry.path))) for entry in walk(source, root, latencies))
    files = [file for file in found.values() if not file["file"].endswith(".part")]
    paths = {file["file"] for file in files}
    for file in files:
        if file["kind"]:
            continue
        folder, name = os.path.split(file["file"])
        file["series"] = os.path.basename(folder)
        stem = file["file"].removesuffix(".json")
        captures = {capture for capture in (f"{stem}.dat", stem) if log_of(capture) == file["file"]}
        if is_result(name, latencies):
            file["kind"] = "latencies"
        elif captures & paths and not (is_here(file) and is_capture(file["file"])):
            file["kind"] = "log"
        else:
            file["kind"] = "unknown"
    return sorted(files, key=lambda file: order_of(file["file"]))


def walk(source, root: Entry, latencies: Sequence[str]) -> Iterator[Entry]:
    """The files below @root, and the folders that are not searched, each with which of UNREADABLE and UNSEARCHED it is, "" if none.
    Files that nobody can read count if they are called, or begin, as what a fleet reads.
    Links to folders are not followed: one would go round with them, or leave what the user named."""
    left = [(root, 0)]
    while left:
        entry, depth = left.pop()
        if entry.kind == "folder":
            shut = "deep" if depth > DEEPEST or len(os.fsencode(entry.path)) > LONGEST else "" if is_text(entry.path) else "unnamed"
            entries = None if shut else source.entries(entry.path)
            left += [(one, depth + 1) for one in entries or []]
            if entries is None:
                yield Entry(entry.path, shut or "closed")
        elif not entry.kind and entry.modified_ms // 1000 not in DATES_S:
            yield Entry(entry.path, "no time")
        elif entry.kind == "unread" or (not entry.kind and entry.size):
            yield entry
        elif entry.kind != "link" and (entry.path.endswith(".dat") or is_result(os.path.basename(entry.path), latencies)
                                       or entry.kind == "no text" and is_capture(entry.path)):
            yield Entry(entry.path, entry.kind or "empty")


def file_of(entry: Entry, uri: str) -> File:
    modified = "" if entry.kind else (datetime(1970, 1, 1) + timedelta(milliseconds=entry.modified_ms)).isoformat(" ", "milliseconds")
    return {"uri": uri, "file": shown(uri), "size_bytes": entry.size, "modified_utc": modified, "kind": entry.kind, "series": ""}


def is_result(name: str, patterns: Sequence[str]) -> bool:
    """Whether a file is called as another tool's latency results are."""
    return name == LATENCY_FILE or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def is_hidden(name: str) -> bool:
    return name.startswith((".", "_")) and not ("=" in name and name[0] == "_") or name.endswith("._COPYING_")


def readable(name: str) -> str:
    return name.encode(errors="surrogateescape").decode(errors="replace")


def is_here(file: File) -> bool:
    """Whether every node can open it by its name."""
    return str(file["uri"]).startswith("file:")


def is_capture(local: str, otherwise: bool = False) -> bool:
    """Whether a file on this machine starts like a capture. @otherwise: if it is there, but cannot be opened."""
    try:
        with open(local, "rb", opener=lambda path, flags: os.open(path, flags | os.O_NONBLOCK)) as opened:
            return opened.read(len(MAGIC)) == MAGIC
    except OSError as error:
        return otherwise and error.errno not in (errno.ENOENT, errno.ENXIO)


def is_text(name: str) -> bool:
    try:
        return bool(name.encode())
    except UnicodeEncodeError:
        return False


def new_files(files: Iterable[File], known: Dict[Tuple[str, int, str], str]) -> List[File]:
    """Those that were not read before, by name, size and time, as what they are; a cycle log goes with its capture."""
    before = ((file, known.get((file["file"], file["size_bytes"], file["modified_utc"]))) for file in files)
    return [file for file, outcome in before
            if file["kind"] != "log" and (outcome is None or outcome == "other" and file["kind"] == "latencies")]


def batches_of(files: Sequence[File]) -> List[List[File]]:
    """Batches do not depend on the number of processors, and neither do results. Those of a batch are all on this machine, or none is."""
    batches: List[List[File]] = []
    size = 0
    for file in files:
        if not batches or len(batches[-1]) == BATCH_FILES or size + file["size_bytes"] > BATCH_BYTES or is_here(file) != is_here(batches[-1][0]):
            batches.append([])
            size = 0
        batches[-1].append(file)
        size += file["size_bytes"]
    return batches


PERIOD = ("period_ns", "period_error_ns")  # that a capture takes from another
FILE_TYPE = "batch bigint, place bigint, file string, size_bytes bigint, modified_utc string, series string, kind string, " + \
    ", ".join(f"{name} bigint" for name in PERIOD)
COLUMNS = tuple(part.split()[0] for part in FILE_TYPE.split(", "))


def in_place(spark: SparkSession, batches: Sequence[Sequence[File]]) -> DataFrame:
    """One partition for each batch of files that every node can open."""
    texts = [json.dumps([values(file, number, place) for place, file in enumerate(batch)]) for number, batch in enumerate(batches)]
    # As an Arrow table: Spark would start Python on every node to read a list.
    described = spark.createDataFrame(pa.table({"id": range(len(texts)), "text": texts}))
    # A range has exactly one number in each partition, and a broadcast leaves them there.
    return spark.range(0, len(texts), 1, len(texts)).join(F.broadcast(described), "id") \
        .selectExpr(f"inline (from_json (text, 'array<struct<{FILE_TYPE}>>'))")


def with_content(spark: SparkSession, batches: Sequence[Sequence[File]], by_name: Dict[str, File]) -> DataFrame:
    """The same with the content of each file, which Spark reads from its file system. As it leaves out those that it cannot read, each
    comes as unread, too: without_read() takes away what came with its content."""
    rows = []
    for number, batch in enumerate(batches):
        for place, file in enumerate(batch):
            log = by_name.get(log_of(file["file"]))
            if log and log["kind"] in UNREADABLE:
                file = {**file, "kind": "unread"}
            readable = log and log["kind"] == "log" and log["size_bytes"] <= LARGEST_CONTENT
            rows += [{"path": one["uri"], **values(one, number, place)} for one in ((file, log) if readable else (file,))]
    rows = [{**row, "kind": "large"} if row["size_bytes"] > LARGEST_CONTENT else row for row in rows]
    small = [row for row in rows if row["kind"] not in UNREADABLE]
    told = [row if row["kind"] in UNREADABLE else {**row, "kind": "unread log" if row["kind"] == "log" else "unread"} for row in rows]
    described = [spark.createDataFrame(pa.Table.from_pylist(told)).selectExpr(*COLUMNS, "CAST (NULL AS binary) AS content")]
    if small:
        content = content_of(spark, {row["path"] for row in small})
        described.append(content.join(F.broadcast(spark.createDataFrame(pa.Table.from_pylist(small))), "path").select(*COLUMNS, "content"))
    return reduce(DataFrame.union, described).repartition(len(batches), "batch")


def content_of(spark: SparkSession, uris: Iterable[str]) -> DataFrame:
    odd = {uri for uri in uris if literal(uri) != uri and ":" in OF_FILE_SYSTEM.sub("", uri, count=1)}
    plain = sorted(literal(uri) for uri in uris if uri not in odd)
    loads = [({}, plain)] * bool(plain) + [(LITERALLY, sorted(odd))] * bool(odd)
    parts = (spark.read.format("binaryFile").options(**READ, **options).load(paths) for options, paths in loads)
    return reduce(DataFrame.union, parts).select("path", "content")


def without_read(files: Sequence[dict]) -> List[dict]:
    """The files of a task, each once: as unread, unless it has come, and its cycle log, if it has one."""
    def places(*kinds: str) -> Set[Tuple[int, int]]:
        return {(file["batch"], file["place"]) for file in files if file["kind"] in kinds}

    without_log = places("unread log") - places("log")
    read = places(*{file["kind"] for file in files} - {"unread", "unread log", "log"}) - without_log
    return [file for file in files if ((file["batch"], file["place"]) in read) != (file["kind"] == "unread") and file["kind"] != "unread log"]


def find_unread(spark: SparkSession, files: Iterable[File], error: Exception) -> List[File]:
    """Those of @files because of which Spark ended with @error, as it does if one is gone or not permitted: here each is read, as it names
    but one."""
    if not any(name in str(error) for name in ENDING):
        return []
    source = Elsewhere(spark)
    return [file for file in files if not is_here(file) and file["kind"] not in UNREADABLE and file["size_bytes"] <= LARGEST_CONTENT
            and not source.can_read(file["uri"])]


def values(file: File, batch: int, place: int) -> Dict[str, object]:
    told = {**file, "batch": batch, "place": place}
    return {name: told.get(name) for name in COLUMNS}


def log_of(capture: str) -> str:
    """The name of a capture's cycle log."""
    return capture.removesuffix(".dat") + ".json"

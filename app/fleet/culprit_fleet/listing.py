# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists the files of the given folders through Spark, and puts those to be read into batches."""

import errno
import fnmatch
import json
import os
from functools import reduce
from typing import Container, Dict, Iterable, List, Optional, Sequence, Tuple

import pyarrow as pa
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from .errors import FleetError
from .store import as_uri, decoded, literal, shown

MAGIC = b"\x17\x08\x44tracing"
BATCH_BYTES = 128 << 20
BATCH_FILES = 200
LATENCY_FILE = "results.json"  # jitterdebugger's; culprit import takes it from a folder, too
LARGEST_CONTENT = (2 << 30) - (1 << 20)  # what Spark can hand to a task as one value
# Kinds of captures that no task can read, and why.
UNREADABLE = {"large": "larger than 2 GB, which Spark cannot read from this file system", "empty": "empty; copy or extract the capture again",
              "no text": "its name is not valid UTF-8; rename it", "name": "its name cannot be that of a local file; shorten it", "gone": "a link to nothing; remove it",
              "no time": "the time of its last change is absurd; set it, e.g. with touch",
              "folder": "became a folder while the job ran; start it again"}
# Likewise of folders.
UNSEARCHED = {"closed": "this folder cannot be searched; permit its user to read and enter it", "deep": "this folder is too deep; move it up",
              "unnamed": UNREADABLE["no text"]}
DATES_S = range(-62_135_596_800, 253_402_300_800)  # from year 1 to 9999: Spark ends a job whose listing has others
FOLLOWED = ("_metadata", "_common_metadata")
DEEPEST, LONGEST = 100, 3840  # folders below that of the user, and bytes of its path: a file's path has 4,095 at most

LISTED_HERE = "spark.sql.sources.parallelPartitionDiscovery.threshold"

File = Dict[str, object]


def order_of(path: str) -> List[str]:
    """Sorts as culprit import does: folder by folder, by name."""
    return path.split("/")


def list_files(spark: SparkSession, folders: Sequence[str], latencies: Sequence[str]) -> List[File]:
    """All files below @folders, in order. Names that begin with a dot or an underscore are hidden, as everywhere in
    Hadoop. @latencies: patterns of names of other tools' latency results."""
    # As patterns, names could not have a colon as well as what is special in one.
    reader = spark.read.format("binaryFile").option("recursiveFileLookup", "true").option("__globPaths__", "false")
    try:
        parts = [part for folder in folders for part in without_links(folder)]
        # Beyond that number Spark would start a task for each.
        spark.conf.set(LISTED_HERE, max(len(parts), int(spark.conf.get(LISTED_HERE))))
        found = reader.load([as_uri(part) for part in parts])
        rows = found.select("path", "length", F.date_format("modificationTime", "yyyy-MM-dd HH:mm:ss.SSS")).toArrow()
    except AnalysisException as error:
        if error.getCondition() == "PATH_NOT_FOUND":
            raise FleetError(f"{shown(error.getMessageParameters()['path'])}: no such folder; check the name") from None
        raise
    files = [{"uri": uri, "file": shown(uri), "size_bytes": size, "modified_utc": modified}
             for uri, size, modified in zip(*(column.to_pylist() for column in rows.columns))]
    files += left_out(found, folders, {file["file"] for file in files})
    paths = {file["file"] for file in files}
    for file in files:
        if "kind" in file:
            continue
        folder, name = os.path.split(file["file"])
        file["series"] = os.path.basename(folder)
        stem = file["file"].removesuffix(".json")
        captures = {capture for capture in (f"{stem}.dat", stem) if log_of(capture) == file["file"]}
        if name == LATENCY_FILE or any(fnmatch.fnmatchcase(name, pattern) for pattern in latencies):
            file["kind"] = "latencies"
        elif captures & paths and not (is_here(file) and is_capture(file["file"])):
            file["kind"] = "log"
        else:
            file["kind"] = "unknown"
    return sorted((file for file in files if not file["file"].endswith(".part")), key=lambda file: order_of(file["file"]))


def without_links(folder: str) -> List[str]:
    """What is below a folder, but, on this machine, not behind links to folders, with which Spark would go round, or leave what the
    user named, nor in folders that cannot be searched. It is the folder itself if there are none, else files and folders in it."""
    parts: Dict[str, List[str]] = {}
    for path, inner, files, unsearched in reversed(walk(folder)):
        real = [name for name in inner if not os.path.islink(name)]
        whole = real == inner and not unsearched and not {"no time", "hidden"} & set(files.values()) and all(parts[name] == [name] for name in real)
        parts[path] = [path] if whole else [*(name for name, kind in files.items() if not kind), *(one for name in real for one in parts.pop(name))]
    return parts.get(shown(as_uri(folder)), [folder])


def walk(folder: str) -> List[Tuple[str, List[str], Dict[str, str], str]]:
    """The folders from @folder down, if it is on this machine, each before those in it: its path, those of folders in it, of files in it
    with which kind of UNREADABLE each is, and which of UNSEARCHED the folder is. Names that Spark hides are left out, but for those that
    it hides of files, yet follows in folders: these are of the kind "hidden"."""
    walked = []
    left = [(shown(as_uri(folder)), 0)] if as_uri(folder).startswith("file:") and os.path.isdir(shown(as_uri(folder))) else []
    while left:
        path, depth = left.pop()
        shut = "deep" if depth > DEEPEST or len(os.fsencode(path)) > LONGEST else "" if is_text(path) else "unnamed"
        entries = None if shut else entries_of(path)
        inner = [name for name, kind in entries or [] if kind == "folder"]
        files = {name: kind for name, kind in entries or [] if kind != "folder"}
        walked.append((path, inner, files, shut or ("closed" if entries is None else "")))
        left += [(name, depth + 1) for name in inner if not os.path.islink(name)]
    return walked


def entries_of(folder: str) -> Optional[List[Tuple[str, str]]]:
    """What is in a folder, each with its kind: "folder" also of a link to one. None: it cannot be searched."""
    try:
        with os.scandir(folder) as found:
            entries = [(entry.path, file_kind(entry)) for entry in found if entry.name.startswith(FOLLOWED) or not is_hidden(entry.name)]
    except OSError:
        return None
    return entries if os.access(folder, os.X_OK) else None


def file_kind(entry: "os.DirEntry[str]") -> str:
    """"folder", or of a file which kind of UNREADABLE it is, "" if none; or "hidden"."""
    if entry.name.startswith(FOLLOWED):
        return "hidden"
    if os.path.isdir(entry.path) if entry.is_symlink() else entry.is_dir():
        return "folder"
    if not is_text(entry.path):
        return "no text"
    try:
        return "" if int(entry.stat().st_mtime) in DATES_S else "no time"
    except OSError as error:
        return "gone" if error.errno in (errno.ENOENT, errno.ELOOP) else ""


def is_hidden(name: str) -> bool:
    return name.startswith((".", "_")) and not ("=" in name and name[0] == "_") or name.endswith("._COPYING_")


def left_out(found: DataFrame, folders: Sequence[str], told: Container[str]) -> List[File]:
    """Captures by their names of which Spark told nothing: empty ones, and those on this machine that are UNREADABLE, such as those
    with a name that is not text, which Java cannot open; and folders that are not searched."""
    every = found._jdf.inputFiles()
    # One by one they take long. Spark names them with three slashes here, and with one there.
    empty = [uri for uri in map(decoded, every) if shown(uri) not in told] if len(every) > len(told) else []
    walked = [one for folder in folders for one in walk(folder)]
    unreadable = {name: kind for _, _, files, _ in walked for name, kind in files.items() if kind in UNREADABLE}
    told = [(readable(name), kind) for name, kind in [*((name, "empty") for name in empty), *sorted(unreadable.items())]
            if name.endswith(".dat") or kind == "no time"]
    told += sorted({(readable(path), unsearched) for path, _, _, unsearched in walked if unsearched})
    return [{"uri": as_uri(name), "file": shown(as_uri(name)), "size_bytes": 0, "modified_utc": "", "kind": kind, "series": ""} for name, kind in told]


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


def new_files(files: Iterable[File], known: Container[Tuple[str, int, str]]) -> List[File]:
    """Those that were not read before, by name, size and time; a cycle log goes with its capture."""
    return [file for file in files
            if file["kind"] != "log" and (file["file"], file["size_bytes"], file["modified_utc"]) not in known]


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


def with_content(spark: SparkSession, batches: Sequence[Sequence[File]], logs: Dict[str, File]) -> DataFrame:
    """The same with the content of each file, which Spark reads from its file system."""
    rows = []
    for number, batch in enumerate(batches):
        for place, file in enumerate(batch):
            log = logs.get(log_of(file["file"]))
            readable = log and log["size_bytes"] <= LARGEST_CONTENT
            rows += [{"path": one["uri"], **values(one, number, place)} for one in ((file, log) if readable else (file,))]
    rows = [{**row, "kind": "large"} if row["size_bytes"] > LARGEST_CONTENT else row for row in rows]
    large = [row for row in rows if row["kind"] in UNREADABLE]
    small = [row for row in rows if row["kind"] not in UNREADABLE]
    described = []
    if small:
        content = spark.read.format("binaryFile").load(sorted({literal(row["path"]) for row in small})).select("path", "content")
        described.append(content.join(F.broadcast(spark.createDataFrame(pa.Table.from_pylist(small))), "path").select(*COLUMNS, "content"))
    if large:
        described.append(spark.createDataFrame(pa.Table.from_pylist(large)).selectExpr(*COLUMNS, "CAST (NULL AS binary) AS content"))
    return reduce(DataFrame.union, described).repartition(len(batches), "batch")


def values(file: File, batch: int, place: int) -> Dict[str, object]:
    told = {**file, "batch": batch, "place": place}
    return {name: told.get(name) for name in COLUMNS}


def log_of(capture: str) -> str:
    """The name of a capture's cycle log."""
    return capture.removesuffix(".dat") + ".json"

# SPDX-License-Identifier: GPL-3.0-or-later
"""The facts: Parquet files that only ever grow by whole commits. A job writes beside them, then renames folders and replaces
the manifest, which alone says what belongs to the facts; what it does not name was left by a job that died."""

import json
import re
import secrets
import uuid
from importlib import resources
from typing import Callable, List, Optional, Set, Tuple

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from . import files
from .errors import FleetError
from .schema import PARTITIONS, Schema
from .store import Store, decoded, literal, shown

MANIFEST = "facts/_manifest.json"  # The underscore hides it from Spark.
VERSION = 3  # of the manifest and the columns of facts
COMMIT = re.compile(r"commit=(\d{6,}-[0-9a-f]{8}-(?:read|again|once|whole))")
# What a job that died may have left beside the commits.
LEFT = re.compile(r"staging-[0-9a-f]{32}|(?:_manifest\.json|fleet\.culprit|report\.html|verdict\.json)\.[0-9a-f]{32}\.part")
FOLDERS = tuple(name for name, _ in PARTITIONS)
OF_DUPLICATE = ("file", "size_bytes", "modified_utc", "series", "capture")
STAGING = "staging-"
KEY_BYTES = 16  # of the numbers of paths
# Reads captures again, each with the one whose period it takes, if there is one.
ReadAgain = Callable[[List[Tuple[Optional[dict], str]]], DataFrame]


def sql_text(name: str, folder: str = "sql") -> str:
    """The text of a query in sql/."""
    return (resources.files(__package__) / folder / f"{name}.sql").read_text("utf-8")


class Facts:
    def __init__(self, spark: SparkSession, store: Store, schema: Schema):
        self.spark, self.store, self.schema = spark, store, schema
        self.key = b""
        self.promised: Optional[int] = None  # how many files the facts are about
        odd = store.find_odd("facts")
        if odd:
            raise self.damaged(f"its {odd} is neither a plain file nor a folder")
        self.commits = self.read_manifest()
        missing = {f"commit={commit}" for commit in self.commits}.difference(store.names("facts"))
        if missing:
            raise self.damaged(f"its facts/{min(missing)} is missing")
        self.files = self.look("facts", self.paths()).drop_columns("written")

    def damaged(self, what: str) -> FleetError:
        return FleetError(f"{shown(self.store.path(MANIFEST))}: {what}; restore the folder from a copy, or use another --out")

    def read_manifest(self) -> List[str]:
        text = self.store.read_text(MANIFEST)
        if text is None:
            if any(COMMIT.fullmatch(name) for name in self.store.names("facts")):
                raise self.damaged("is missing, though there are facts")
            self.key = self.key or secrets.token_bytes(KEY_BYTES)
            return []
        try:
            told = json.loads(text)
            if told["version"] != VERSION:
                raise self.damaged("was written by another version of culprit fleet")
            self.key = bytes.fromhex(told.get("key", ""))  # Facts of earlier versions have none.
            self.promised = told.get("files")  # Likewise.
            if len(self.key) <= KEY_BYTES and all(COMMIT.fullmatch(f"commit={commit}") for commit in told["commits"]):
                return told["commits"]
        except (ValueError, LookupError, TypeError):
            pass
        raise self.damaged("is damaged")

    def write_manifest(self, n_files: int) -> None:
        told = {"version": VERSION, "key": self.key.hex(), "files": n_files, "commits": self.commits}
        self.store.write_text(MANIFEST, json.dumps(told, indent=1) + "\n")

    def begin(self) -> None:
        """Before anything is written: claims the folder and removes what jobs that died have left there, and nothing else."""
        self.store.claim()
        if self.read_manifest() != self.commits:
            raise self.overtaken()
        if self.promised not in (None, self.files.num_rows):
            raise self.damaged(f"tells of {self.promised} files, but {self.files.num_rows} can be read")
        if not self.store.exists(MANIFEST):
            self.write_manifest(0)
        self.sweep()

    def overtaken(self) -> FleetError:
        return FleetError(f"{shown(self.store.folder)}: another job added facts meanwhile; start this one again")

    def sweep(self) -> None:
        for name in self.store.names("facts"):
            commit = COMMIT.fullmatch(name)
            if LEFT.fullmatch(name) or (commit and commit[1] not in self.commits):
                self.store.remove(f"facts/{name}")
        for name in self.store.names(""):
            if LEFT.fullmatch(name):
                self.store.remove(name)

    @staticmethod
    def folder(commit: str) -> str:
        return f"facts/commit={commit}"

    def paths(self) -> List[str]:
        return [self.store.path(self.folder(commit)) for commit in self.commits]

    def read(self) -> DataFrame:
        """A row for each file of all commits; kernel and host are never NULL."""
        return self.load("facts", self.paths()).fillna("", ["kernel", "host"])

    def places(self) -> DataFrame:
        """The Parquet file of each row, as decoded() takes it."""
        return self.load("facts", self.paths()).select("capture", "host", "kernel", F.col("_metadata.file_path").alias("written"))

    def captures(self) -> DataFrame:
        return self.read().where("outcome = 'capture'")

    def load(self, base: str, paths: List[str]) -> DataFrame:
        """@paths: folders of commits, or files in them, below @base."""
        ddl = f"{self.schema.spark()}, commit string"
        return self.spark.read.schema(ddl).option("basePath", self.store.path(base)).parquet(*map(literal, paths))

    def look(self, base: str, paths: List[str]) -> pa.Table:
        """What the driver has to know of the files in some commits; written: the Parquet file that has the row."""
        if not paths:
            kinds = dict((*PARTITIONS, *self.schema.file.columns))
            return pa.schema([(name, kinds.get(name, pa.string())) for name in (*files.COLUMNS, "written")]).empty_table()
        found = self.load(base, paths).select(*files.COLUMNS, F.col("_metadata.file_path").alias("written")).toArrow()
        written = pa.array(map(decoded, found.column("written").to_pylist()), pa.string())
        return found.set_column(found.num_columns - 1, "written", written)

    def add(self, emitted: DataFrame, again: ReadAgain, n_files: int) -> None:
        """Commits the rows that the map emits, one for each of @n_files. @again: reads captures again, with the periods of
        others."""
        staging = f"{STAGING}{uuid.uuid4().hex}"
        parts = [self.write(emitted, staging, "read")]
        fresh = self.look(staging, [self.store.path(parts[0])])
        periods = files.find_periods(fresh, self.files)
        if periods:
            parts.append(self.write(again(periods), staging, "again"))
            self.store.remove(f"{parts[0]}/outcome=lacking")
            fresh = pa.concat_tables([files.without_outcome(fresh, "lacking"), self.look(staging, [self.store.path(parts[1])])])
        if fresh.num_rows != n_files:
            raise FleetError(f"{n_files} files were read, but {fresh.num_rows} have an outcome; this is a bug in culprit, and nothing was added")
        duplicates = files.find_duplicates(fresh, self.files)
        if duplicates:
            parts.append(self.drop_duplicates(staging, fresh, duplicates))
            fresh = files.mark_duplicates(fresh, duplicates)
        self.commit(parts, self.files.num_rows + n_files, replace=False)
        self.files = pa.concat_tables([self.files, fresh.drop_columns("written")])

    def view(self, name: str, rows: DataFrame) -> None:
        rows.createOrReplaceTempView(name)

    def define_tables(self) -> None:
        """The views that the manual describes, of the view `facts`."""
        for statement in sql_text("spark", "views").removesuffix(";\n").split(";\n"):
            self.spark.sql(statement)

    def query(self, name: str, **values) -> List[dict]:
        return self.spark.sql(sql_text(name).format(**values)).toArrow().to_pylist()

    def write(self, rows: DataFrame, staging: str, part: str) -> str:
        path = f"{staging}/commit={part}"
        rows.write.partitionBy(*FOLDERS).parquet(self.store.path(path))
        return path

    def drop_duplicates(self, staging: str, fresh: pa.Table, duplicates: Set[str]) -> str:
        """Of a duplicate only its file is noted. Only Parquet files that have one are rewritten."""
        written = sorted({row["written"] for row in fresh.select(["file", "written"]).to_pylist() if row["file"] in duplicates})
        self.view("duplicate", self.spark.createDataFrame(pa.table({"file": sorted(duplicates)})))
        self.view("spoiled", self.load(staging, written))
        columns = ", ".join(f"`{name}`" if name in OF_DUPLICATE else f"IF (double, NULL, `{name}`) AS `{name}`"
                            for name in self.schema.arrow().names if name != "outcome")
        part = self.write(self.spark.sql(sql_text("without_duplicates").format(columns=columns)), staging, "once")
        for path in written:
            self.store.remove_path(path)
        return part

    def commit(self, parts: List[str], n_files: int, replace: bool) -> None:
        """Parts are folders of their own: their names begin with the number of the commit. @n_files: of all facts, with them."""
        if self.read_manifest() != self.commits:
            raise self.overtaken()
        number = 1 + max((int(commit.split("-")[0]) for commit in self.commits), default=-1)
        names = [f"{number:06}-{uuid.uuid4().hex[:8]}-{part.split('=')[-1]}" for part in parts]
        for part, name in zip(parts, names):
            self.store.move_folder(part, self.folder(name))
        self.commits = [*([] if replace else self.commits), *names]
        self.write_manifest(n_files)
        self.sweep()

    def compact(self) -> None:
        """Rewrites the commits into one, with one file for each kernel and host. What was said of a file last is not known any more
        without them, so that what was said before goes."""
        rows, gone = self.read(), files.find_superseded(self.look("facts", self.paths()))
        if gone:
            rows = rows.join(F.broadcast(self.spark.createDataFrame(pa.Table.from_pylist(gone))), list(gone[0]), "left_anti")
        rows, staging = rows.drop("commit").repartition(*FOLDERS), f"{STAGING}{uuid.uuid4().hex}"
        part = self.write(rows, staging, "whole")
        self.commit([part], self.look(staging, [self.store.path(part)]).num_rows, replace=True)

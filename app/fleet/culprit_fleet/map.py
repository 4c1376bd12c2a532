# SPDX-License-Identifier: GPL-3.0-or-later
"""The map: a task imports its files with the culprit program into a scratch study and emits their facts."""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import groupby
from typing import Dict, Iterable, Iterator, List, Optional, Tuple

import pyarrow as pa
import pyarrow.compute as pc

from . import rows
from .listing import PERIOD, UNREADABLE, is_capture, log_of, without_read
from .program import Program, ProgramFailed, reason_of
from .schema import Schema

NOT_TOLD = "culprit does not say what became of it"
LARGEST_CHECKED = 1 << 24  # Bytes of a file that was refused: it may be sparse, of any length.
LONGEST_NAME = 255  # bytes; that of an object elsewhere may have more
PORTION = 64  # captures per emitted batch: their rows are large


def by_path(lines: List[str], paths: List[str]) -> Iterator[Tuple[str, str]]:
    """What lines of "PATH: TEXT" say, by path; one may begin like another: "a.dat", "a.dat: b.dat"."""
    for line in lines:
        path = max((path for path in paths if line.startswith(path + ": ")), key=len, default=None)
        if path is not None:
            yield path, line[len(path) + 2:]


@dataclass(frozen=True)
class Importer:
    """What a task needs to know; it is sent to every worker. @options: of culprit import. @alone: a capture takes no
    period from others of its batch, so that its facts do not depend on which these are; one that lacks a period gets the
    outcome `lacking`. @key: of the numbers of paths, the same for all facts of a folder."""
    program: Program
    schema: Schema
    empty_study: bytes
    options: Tuple[str, ...] = ()
    alone: bool = True
    key: bytes = b""

    def __call__(self, described: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        forget_archives()
        with tempfile.TemporaryDirectory(prefix="culprit-fleet-") as folder:
            # Spark keeps neither the order of rows nor batches apart.
            files = sorted(without_read(list(fetch(described, folder))), key=lambda file: (file["batch"], file["place"]))
            for _, batch in groupby(files, lambda file: file["batch"]):
                yield from self.import_batch(list(batch), folder)

    def import_batch(self, files: List[dict], folder: str) -> Iterator[pa.RecordBatch]:
        yield from self.import_each([file for file in files if file["kind"] == "capture"], folder)
        for file in files:
            if file["kind"] == "latencies":
                yield self.import_latencies(file, folder)
            elif file["kind"] == "other":
                yield rows.of_other(self.schema, file, "other")
            elif file["kind"] == "unread":  # It may be the file system's fault; the next job tries again.
                yield rows.of_other(self.schema, file, "stopped", UNREADABLE["unread"])
            elif file["kind"] in UNREADABLE:
                yield rows.of_other(self.schema, file, "failed", UNREADABLE[file["kind"]])

    def import_each(self, files: List[dict], folder: str) -> Iterator[pa.RecordBatch]:
        """If the program fails for all files together, then each by itself, so that none can harm others."""
        if not files:
            return
        try:
            yield from self.import_captures(files, folder)
            return
        except (subprocess.TimeoutExpired, ProgramFailed) as error:
            if len(files) == 1:
                yield self.stopped(files[0], error)
                return
        for file in files:
            yield from self.import_each([file], folder)

    def stopped(self, file: dict, error: Exception) -> pa.RecordBatch:
        reason = (f"could not be read within {error.timeout:g} seconds" if isinstance(error, subprocess.TimeoutExpired)
                  else str(error))
        return rows.of_other(self.schema, file, "stopped", reason)

    def import_captures(self, files: List[dict], folder: str) -> List[pa.RecordBatch]:
        """All or nothing: rows are returned when the whole batch was read."""
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            study = self.new_study(scratch)
            series: Dict[str, List[str]] = {}
            for file in files:
                series.setdefault(file["series"], []).append(file["local"])
            told: Dict[str, Tuple[str, Optional[str]]] = {}
            period, error = (files[0][name] for name in PERIOD)
            others = ["--alone"] if self.alone else [] if period is None else ["--others-period", f"{period},{error}"]
            for name, paths in series.items():
                told.update(self.run_import(study, scratch, paths, "--run", name, "--apart", *others))
            return self.read_captures(study, files, told)

    def new_study(self, scratch: str) -> str:
        study = os.path.join(scratch, "scratch.culprit")
        with open(study, "wb") as file:
            file.write(self.empty_study)
        return study

    def run_import(self, study: str, scratch: str, paths: List[str], *arguments: str) -> Dict[str, Tuple[str, Optional[str]]]:
        """(outcome, reason) of the files that were not stored, by path; status 2 says that some could not be read."""
        done = self.program.run(scratch, "import", "--json", "--study", study, *self.options, *arguments, *paths)
        if done.returncode not in (0, 2) or not done.stdout:
            raise ProgramFailed(reason_of(done))
        told = json.loads(done.stdout)
        if told["not_read"] or (done.returncode == 2 and not told["passed_over"]):
            raise ProgramFailed(reason_of(done))
        return {**{path: ("duplicate", None) for path in told["known_files"]},
                **{path: ("other", None) for path, _ in by_path(told["read_as"], paths)},
                **{path: ("failed" if is_readable(path) else "stopped", reason) for path, reason in by_path(told["passed_over"], paths)}}

    def read_captures(self, study: str, files: List[dict], told: Dict[str, Tuple[str, Optional[str]]]) -> List[pa.RecordBatch]:
        """Each file has one outcome, which the program has told, or is a row of the study."""
        found = rows.of_captures(study, self.schema, {file["local"]: file for file in files}, self.key)
        stored = set(found.column("file").to_pylist())
        found = self.mark(found)
        left = [file for file in files if file["file"] not in stored]
        for file in left:
            if file["local"] not in told:
                raise ProgramFailed(NOT_TOLD)
        others = [rows.of_other(self.schema, file, *told[file["local"]]) for file in left]
        return [found.slice(i, PORTION) for i in range(0, found.num_rows, PORTION)] + others

    def mark(self, found: pa.RecordBatch) -> pa.RecordBatch:
        """Tells the captures that lack a period by their outcome."""
        if not self.alone:
            return found
        lacking = pc.and_(pc.and_(found.column("period_ns").is_null(), found.column("hit_cycle").is_null()),
                          found.column("no_windows").is_null())
        outcome = pc.if_else(lacking, "lacking", "capture")
        return found.set_column(found.schema.get_field_index("outcome"), "outcome", outcome)

    def import_latencies(self, file: dict, folder: str) -> pa.RecordBatch:
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            study = self.new_study(scratch)
            try:
                told = self.run_import(study, scratch, [file["local"]])
            except (subprocess.TimeoutExpired, ProgramFailed) as error:
                return self.stopped(file, error)
            outcome, reason = told.get(file["local"], ("stopped", NOT_TOLD))
            if outcome != "other":
                return rows.of_other(self.schema, file, outcome, reason)
            return rows.of_runs(study, self.schema, file)


def forget_archives() -> None:
    """Spark puts zip files of PySpark into the path of modules, although it is installed, and reads their directories again
    for every task, which takes longer than emitting the rows of fifty captures."""
    archives = [path for path in sys.path if os.path.basename(path).startswith(("pyspark", "py4j")) and path.endswith(".zip")]
    for path in archives:
        sys.path.remove(path)
        for cached in [one for one in sys.path_importer_cache if one.startswith(path)]:
            del sys.path_importer_cache[cached]


def is_readable(capture: str) -> bool:
    """Whether it and its cycle log can be read: neither size nor time changes when that is permitted, or the disk is well or there
    again."""
    if not os.path.exists(capture):
        return False
    try:
        for path in filter(os.path.isfile, (capture, log_of(capture))):
            left = min(os.path.getsize(path), LARGEST_CHECKED)
            with open(path, "rb") as file:
                while left > 0:
                    left -= len(file.read(1 << 20)) or left
    except OSError:
        return False
    return True


def kind_of(file: dict, local: str) -> str:
    """As culprit import tells captures from other files in a folder, by how they start; but a file that is named like a
    capture and is none is reported, and so is one that cannot be opened."""
    if file["kind"] not in ("unknown", "latencies"):
        return file["kind"]
    if os.path.isdir(local):
        return "folder"
    if file["kind"] == "latencies":
        return "capture" if is_capture(local) else "latencies"
    if file["file"].endswith(".dat") or is_capture(local, otherwise=True):
        return "capture"
    return "other" if os.path.exists(local) else "unread"


def is_local_name(name: str) -> bool:
    """Whether a file of this machine can have the name of one elsewhere."""
    return "\0" not in name and len(os.fsencode(name)) <= LONGEST_NAME


def fetch(described: Iterable[pa.RecordBatch], folder: str) -> Iterator[dict]:
    """The files of a task, each with the path at which the program finds it. Those that come with their content are
    written below @folder, cycle logs beside their captures; the others are read in place."""
    folders: Dict[str, str] = {}
    for batch in described:
        for file in batch.to_pylist():
            content, local = file.pop("content", None), file["file"]
            parent, name = os.path.split(file["file"])
            if content is not None and not is_local_name(name):
                file["kind"] = "name"
            elif content is not None:
                below = folders.setdefault(parent, os.path.join(folder, "files", str(len(folders))))
                os.makedirs(below, exist_ok=True)
                local = os.path.join(below, name)
                with open(local, "wb") as copy:
                    copy.write(content)
            yield {**file, "local": local, "kind": kind_of(file, local)}

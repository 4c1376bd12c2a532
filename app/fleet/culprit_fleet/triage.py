# SPDX-License-Identifier: GPL-3.0-or-later
"""States and notes that users gave captures in fleet.culprit, which every job replaces: the new one has them, too."""

import json
import os
import sqlite3
import subprocess
import tempfile
import time
from contextlib import closing
from typing import Dict, Tuple

from .errors import FleetError
from .facts import MANIFEST, Facts
from .files import of_outcome
from .program import Program, reason_of
from .report import BEGINNING
from .store import Store, shown

STUDY = "fleet.culprit"
TEXTS = {"report.html": BEGINNING, "verdict.json": '{\n "captures": '}  # how they begin
RESULTS = (STUDY, *TEXTS)
ASIDE = ("-journal", "-wal")  # SQLite would roll those of the old study into the new one.
LONGEST_WRITE_S = 2  # A window stores a note in less.
NONE = ("new", "")

Triage = Dict[str, Tuple[str, str]]  # state and note of each capture


def check_folder(store: Store) -> None:
    """Before anything is written: that the results which the job will replace are those of an earlier job."""
    there = [name for name in RESULTS if store.exists(name)]
    others = [name for name in there if name in TEXTS and not is_own(store, name)] if store.exists(MANIFEST) else there
    if others:
        raise FleetError(f"{shown(store.path(others[0]))}: belongs to no facts in this folder, and would be replaced; move it elsewhere, or use "
                         "another --out")


def is_own(store: Store, name: str) -> bool:
    """Whether the text @name is one that a job wrote, or an empty one. The study is read before it is replaced."""
    return store.is_plain(name) and (store.size(name) == 0 or (store.read_text(name) or "").startswith(TEXTS[name]))


def check_study(facts: Facts, program: Program) -> None:
    """That nobody has added captures to the study that the job will replace; no other job does while this one has begun."""
    store = facts.store
    known = set(of_outcome(facts.files, "capture").column("capture").to_pylist())
    strange = len(read(store, program).keys() - known)
    if strange:
        raise FleetError(f"{shown(store.path(STUDY))}: has {strange} captures that this fleet has not read, and would be replaced; "
                         "move it elsewhere, or use another --out")


def read(store: Store, program: Program) -> Triage:
    """Those of all captures in the study that is there. The program rolls back what a killed one has left beside it; what is
    there after that belongs to one that writes, after which they are read again."""
    if not store.exists(STUDY):
        return {}
    until = time.monotonic() + LONGEST_WRITE_S
    while True:
        found = read_once(store, program)
        beside = [name for name in (STUDY + suffix for suffix in ASIDE) if store.size(name) > 0]
        if not beside:
            return found
        if time.monotonic() > until:
            raise FleetError(f"{shown(store.path(beside[0]))}: a program writes to the study, or was killed; end it, or move both files elsewhere")
        time.sleep(0.1)


def read_once(store: Store, program: Program) -> Triage:
    path = shown(store.path(STUDY))
    with tempfile.TemporaryDirectory(prefix="culprit-fleet-") as folder:
        study = path if store.local else os.path.join(folder, STUDY)
        if not store.local:
            store.get_file(STUDY, study)
        try:
            done = program.run(folder, "sql", "--json", "--study", study, "SELECT sha256, triage, note FROM capture")
        except subprocess.TimeoutExpired as error:
            raise FleetError(f"{path}: its notes could not be read within {error.timeout:g} seconds; end whatever writes to it") from error
    if done.returncode != 0:
        raise FleetError(f"{path}: its notes cannot be read, and it would be replaced ({reason_of(done)}); move it elsewhere")
    return {row["sha256"]: (row["triage"], row["note"]) for row in json.loads(done.stdout)}


def given(triage: Triage) -> Triage:
    """Those that somebody gave."""
    return {capture: one for capture, one in triage.items() if one != NONE}


def carry_over(study: str, store: Store, program: Program) -> None:
    """Gives the captures of the new @study the states and notes that they have in the old one."""
    old = given(read(store, program))
    with closing(sqlite3.connect(study)) as database, database:
        database.executemany("UPDATE capture SET triage = ?, note = ? WHERE sha256 = ?", ((*one, capture) for capture, one in old.items()))
        missing = len(old) - database.execute("SELECT COUNT (*) FROM capture WHERE (triage, note) <> (?, ?)", NONE).fetchone()[0]
    if missing:
        raise FleetError(f"{shown(store.path(STUDY))}: has states or notes of {missing} captures that the new one would not have; it was not "
                         "replaced; start this job again, and if it says so again, move it elsewhere")

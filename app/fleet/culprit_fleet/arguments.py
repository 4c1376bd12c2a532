# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of culprit fleet; the culprit program has checked them before, and shows their help."""

import argparse
import os
import re
from typing import List

from .errors import FleetError
from .output import COLUMNS
from .store import is_uri


MASTER = re.compile(r"local(\[[^]]+\])?|local-cluster\[[^]]+\]|(spark|k8s)://.+|yarn")


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise FleetError(f"{message}; see culprit help fleet")


def in_full(path: str, folder: str) -> str:
    return path if is_uri(path) else os.path.join(folder, path)


def parse(arguments: List[str]) -> argparse.Namespace:
    parser = Parser(prog="culprit fleet", description="Analyses the captures of many machines with Spark.")
    parser.add_argument("captures", nargs="+", metavar="CAPTURES")
    parser.add_argument("--out", required=True, metavar="FOLDER")
    parser.add_argument("--master", metavar="URL")
    parser.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--by", default="host,kernel", metavar="LIST")
    parser.add_argument("--period", metavar="TIME")
    parser.add_argument("--latencies", action="append", default=[], metavar="PATTERN")
    parser.add_argument("--worst", type=int, default=100, metavar="N")
    parser.add_argument("--sample", type=int, default=100, metavar="N")
    parser.add_argument("--capture-limit", type=float, default=300, metavar="SECONDS")
    parser.add_argument("--program", metavar="PATH")
    parser.add_argument("--compact", action="store_true")
    parser.add_argument("--json", action="store_true")
    # culprit says in which folder it was started: paths begin there, but this does not run there.
    parser.add_argument("--from", dest="folder", default="", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    options.out_as_given = options.out
    options.captures, options.out = [in_full(path, options.folder) for path in options.captures], in_full(options.out, options.folder)
    if options.program and os.sep in options.program:  # Others are looked up in PATH.
        options.program = os.path.join(options.folder, options.program)
    options.by = options.by.split(",")
    for name in options.by:
        if name not in COLUMNS:
            parser.error(f'--by: "{name}" is not one of {", ".join(COLUMNS)}')
    for setting in options.conf:
        if "=" not in setting:
            parser.error(f'--conf: "{setting}" is not of the form KEY=VALUE')
    if options.master and not MASTER.fullmatch(options.master):
        parser.error(f'--master: "{options.master}" is no master of Spark; expected local[N], spark://HOST:PORT, yarn or k8s://URL')
    if not options.capture_limit > 0:
        parser.error("--capture-limit must be above 0")
    if options.worst < 0 or options.sample < 0:
        parser.error("--worst and --sample must not be negative")
    return options

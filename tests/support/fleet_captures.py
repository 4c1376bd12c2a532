# SPDX-License-Identifier: GPL-3.0-or-later
# Makes captures of a fleet: many pretended hosts with several kernels, from the real captures of tests/data. The same
# seed and number give the same capture, byte for byte; captures that exist are not made again.
#
# FOLDER/HOST/SERIES/NUMBER.dat, last changed at the time when it was pretended to be saved. Of seven hosts, one has an old
# kernel only, one a new one only, one Linux 6.12, and the others get the new kernel in the middle of the time; then
# scan_periodic begins to take too long on them. Hosts differ in what else makes them late.

import argparse
import concurrent.futures
import functools
import os
import random
import tempfile
from dataclasses import dataclass

import culprit
from rewritten import RealCapture

DATA = os.path.join(culprit.ROOT, "tests", "data")
OLD, NEW, OTHER = "6.1.0-40-amd64", "6.1.0-41-amd64", "6.12.9-amd64"
FIRST_DAY = 1788220800  # 2026-09-01
DAYS, DAY = 60, 86400
TEMPLATES = {
    "count": ("count-1", "count-2", "count-3", "switch-1"), "loaded": ("wall-1",), "cost": ("cost-1", "cost-2"),
    "blind": ("blind-1", "blind-2", "blind-3"), "none": ("none-1",), "unmarked": ("no-marker-1",),
    "count-6.12": ("count-6.12-1",),
}
MIXES = (
    {"count": 6, "none": 2, "loaded": 1, "unmarked": 1},
    {"blind": 5, "count": 1, "none": 2},
    {"none": 6, "count": 1, "unmarked": 1},
)


@dataclass(frozen=True)
class Planned:
    number: int
    host: str
    kernel: str
    series: str
    template: str
    factor: float  # of the latency
    shift_ns: int
    saved: int     # seconds since 1970

    @property
    def path(self):
        return os.path.join(self.host, self.series, f"{self.number:06d}.dat")


def host_kernels(host):
    """The kernel in the first and in the second half of the time."""
    return {0: (OLD, OLD), 1: (NEW, NEW), 2: (OTHER, OTHER)}.get(host % 7, (OLD, NEW))


def plan(number, hosts, seed):
    chance = random.Random(f"{seed} {number}")
    host = chance.randrange(hosts)
    day = chance.randrange(DAYS)
    before, after = host_kernels(host)
    kernel = before if 2 * day < DAYS else after
    mix = {"count-6.12": 1} if kernel == OTHER else dict(MIXES[host % len(MIXES)])
    if kernel != before:
        mix["cost"] = 4
    template = chance.choice(TEMPLATES[chance.choices(list(mix), mix.values())[0]])
    series = "idle" if host % 5 == 0 and chance.random() < 0.5 else "load"
    speed = random.Random(f"{seed} host {host}").uniform(0.8, 1.2)
    return Planned(number, f"board-{host + 1:02d}", kernel, series, template, speed * chance.uniform(0.85, 1.15),
                   chance.randrange(10 ** 12), FIRST_DAY + day * DAY + chance.randrange(DAY))


@functools.cache
def templates():
    """Name -> capture. What is late in it is asked of culprit, once."""
    with tempfile.TemporaryDirectory() as folder:
        study = os.path.join(folder, "templates.culprit")
        paths = [os.path.join(DATA, f"{name}.dat") for names in TEMPLATES.values() for name in names]
        result = culprit.import_captures(study, paths)
        assert result.status == 0, result.stderr
        rows = culprit.rows(study, "SELECT file, start_ns, end_ns FROM capture LEFT JOIN outlier USING (capture_id, file)")
    windows = {os.path.basename(row["file"])[:-4]: row["end_ns"] and (row["start_ns"], row["end_ns"]) for row in rows}
    return {name: RealCapture(os.path.join(DATA, f"{name}.dat"), window) for name, window in windows.items()}


def latency_us(planned):
    """Of the capture that is made; None if it has no late wake-up."""
    template = templates()[planned.template]
    return template.possible_latency_us(planned.factor) if template.window else None


def make(folder, planned):
    path = os.path.join(folder, planned.path)
    if os.path.exists(path):
        return
    identity = random.Random(planned.number).randbytes(8)
    data = templates()[planned.template].to_bytes(planned.host, planned.kernel, identity, planned.shift_ns,
                                                  latency_us(planned))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".part", "wb") as file:
        file.write(data)
    os.utime(path + ".part", (planned.saved, planned.saved))
    os.rename(path + ".part", path)


def make_all(folder, captures, hosts=20, seed=1, processes=None):
    """Makes the captures and returns their plans."""
    plans = [plan(number, hosts, seed) for number in range(captures)]
    templates()
    with concurrent.futures.ProcessPoolExecutor(processes) as pool:
        for _ in pool.map(functools.partial(make, folder), plans, chunksize=16):
            pass
    return plans


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Makes captures of many pretended hosts and kernels.")
    parser.add_argument("folder")
    parser.add_argument("--captures", type=int, default=1000)
    parser.add_argument("--hosts", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    make_all(given.folder, given.captures, given.hosts, given.seed)

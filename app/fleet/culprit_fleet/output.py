# SPDX-License-Identifier: GPL-3.0-or-later
"""verdict.json and the table on the terminal."""

import json
import os
import re
from typing import Dict, List, Sequence

COLUMNS = {"host": "hosts", "kernel": "kernels", "series": "series"}
DIGITS = 12  # of numbers: the last depend on the order in which a sum was computed
WIDTH = 100


def rounded(value):
    """Without digits that are not the same in every run."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return value


def as_json(verdict: dict) -> str:
    """With characters that are not plain escaped, as in the JSON of culprit."""
    text = json.dumps(rounded(verdict), indent=1, ensure_ascii=False)
    return re.sub(r"[^ -~\n]", lambda found: found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1], text) + "\n"


def time(ns: int) -> str:
    for unit, size in (("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if abs(ns) >= size:
            return f"{ns / size:.3f} {unit}"
    return f"{ns} ns"


def percent(share: float) -> str:
    """What causes explain may exceed the excess a little, as other parts were faster than usual: then it is all of it."""
    return f"{100 * min(share, 1):.0f} %"


def weight(cause: dict) -> str:
    if cause["weight_low"] is None:
        return percent(cause["weight"])
    return f"{percent(cause['weight'])} ({percent(cause['weight_low'])[:-2]} to {percent(cause['weight_high'])[:-2]})"


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def aligned(rows: Sequence[Sequence[str]], right: Sequence[int]) -> List[str]:
    """Columns two blanks apart; those in @right end together."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.rjust(width) if i in right else cell.ljust(width) for i, (cell, width) in enumerate(zip(row, widths))).rstrip()
            for row in rows]


def clean(text: str) -> str:
    """Names come from files: no control characters reach the terminal."""
    return "".join(character if character.isprintable() else "?" for character in text)


def counted(verdict: dict, columns: Sequence[str]) -> List[Dict[str, str]]:
    """For each cause, how many of each column's values have it."""
    found = []
    for cause in verdict["causes"]:
        having = [one for one in verdict["populations"]
                  if any((row["culprit"], row["class"]) == (cause["function"], cause["class"]) for row in one["verdict"].get("culprits", []))]
        found.append({name: str(len({one[name] for one in having})) for name in columns})
    return found


def as_text(verdict: dict, columns: Sequence[str], out: str) -> str:
    """@out: the folder with the results."""
    populations = verdict["populations"]
    without = verdict["captures"] - sum(one["verdict"].get("captures", 0) for one in populations)
    lines = [f"{count(verdict['captures'], 'capture')} of {count(len({one['host'] for one in populations}), 'host')} with "
             f"{count(len({one['kernel'] for one in populations}), 'kernel')}; {verdict['added']:,} added"
             f"{f'; {without:,} without a late wake-up' if without > 0 else ''}."]
    if verdict["causes"]:
        head = ("culprit", "class", *(COLUMNS[name] for name in columns), "captures", "mean excess", "weight (95 %)")
        rows = [(clean(cause["function"])[:36], cause["class"], *(having[name] for name in columns), f"{cause['captures']:,}",
                 time(cause["excess_mean_ns"]), weight(cause)) for cause, having in zip(verdict["causes"], counted(verdict, columns))]
        lines += ["", *aligned([head, *rows], range(2, len(head)))]
    elif populations:
        lines += ["", "No cause is established in any population."]
    if verdict["new"]:
        lines += ["", "More frequent with a kernel than with the one before, on hosts that ran both:"]
        lines += aligned([("culprit", "class", "kernel", "before", "p"), *(
            (clean(one["function"])[:36], one["class"], f"{clean(one['kernel'])}: {one['captures']} of {one['outliers']}",
             f"{clean(one['kernel_before'])}: {one['captures_before']} of {one['outliers_before']}", f"{one['p_value']:.1g}")
            for one in verdict["new"])], (4,))
    if verdict["unlike"]:
        lines += ["", "Hosts unlike the others with the same kernels:"]
        lines += aligned([("host", "culprit", "class", "here", "others", "p"), *(
            (clean(one["host"]), clean(one["function"])[:36], one["class"], f"{one['captures']} of {one['outliers']}",
             f"{one['captures_others']} of {one['outliers_others']}", f"{one['p_value']:.1g}") for one in verdict["unlike"])], (3, 4, 5))
    if verdict["failed"]:
        lines += ["", f"{count(len(verdict['failed']), 'file')} could not be read:"]
        lines += [f"  {clean(one['file'])}: {clean(one['reason'])}" for one in verdict["failed"]]
    lines += ["", f"Hosts and days: {os.path.join(out, 'report.html')}. Captures: culprit outliers --study {os.path.join(out, 'fleet.culprit')}"]
    return "\n".join(lines) + "\n"

# SPDX-License-Identifier: GPL-3.0-or-later
"""report.html: what was found, on one page that needs nothing else."""

from collections import defaultdict
from html import escape
from typing import List, Sequence

from .across import whole_excess_ns
from .output import clean, percent, time, weight

CSS = """body { font: 15px/1.5 sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }
table { border-collapse: collapse; margin: 1em 0 } th, td { padding: .2em .8em; text-align: left; border-bottom: 1px solid #ddd }
td.n, th.n { text-align: right } caption { text-align: left; color: #555 } .heat td.n { min-width: 3em }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1d1d20 } th, td { border-color: #444 } caption { color: #aaa } }"""
BEGINNING = '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Fleet</title>'
MOST_DAYS = 90


def table(head: Sequence[str], rows: Sequence[Sequence], numbers: Sequence[int], caption: str = "") -> str:
    """A cell is text, or a pair of text and how dark it is, from 0 to 1."""
    def cell(i: int, value, tag: str) -> str:
        text, shade = value if isinstance(value, tuple) else (value, None)
        style = f' style="background: rgba(230, 97, 0, {shade:.2f})"' if shade else ""
        return f"<{tag}{' class=n' if i in numbers else ''}{style}>{escape(clean(str(text)))}</{tag}>"

    lines = [f"<table>{f'<caption>{escape(caption)}</caption>' if caption else ''}",
             f"<tr>{''.join(cell(i, name, 'th') for i, name in enumerate(head))}</tr>"]
    lines += [f"<tr>{''.join(cell(i, value, 'td') for i, value in enumerate(row))}</tr>" for row in rows]
    return "\n".join([*lines, "</table>"])


def hosts_by_causes(verdict: dict) -> str:
    """How much of each host's excess each cause explains."""
    causes = [(cause["function"], cause["class"]) for cause in verdict["causes"]]
    parts, whole = defaultdict(float), defaultdict(float)
    for one in verdict["populations"]:
        told = one["verdict"]
        excess = whole_excess_ns(told)
        whole[one["host"]] += excess
        for row in told.get("culprits", []):
            parts[one["host"], (row["culprit"], row["class"])] += (row["weight"] or 0) * excess
    rows = []
    for host in sorted(whole):
        shares = [parts[host, cause] / whole[host] if whole[host] > 0 else 0.0 for cause in causes]
        rows.append((host, *((percent(share) if share > 0 else "", min(share, 1.0)) for share in shares)))
    return table(("host", *(f"{name} ({kind})" for name, kind in causes)), rows, range(1, len(causes) + 1),
                 "The part of each host's excess that each cause explains.")


def days_by_causes(verdict: dict, days: List[dict]) -> str:
    """Late wake-ups by day; the causes are those of the verdicts."""
    causes = [(cause["function"], cause["class"]) for cause in verdict["causes"]]
    counts, whole = defaultdict(int), defaultdict(int)
    for row in days:
        counts[row["day"], (row["function"], row["class"])] += row["captures"]
        whole[row["day"]] += row["captures"]
    last = sorted(whole)[-MOST_DAYS:]
    rows = [(day, *((counts[day, cause] or "", counts[day, cause] / whole[day]) for cause in causes), whole[day]) for day in last]
    return table(("day (UTC)", *(f"{name} ({kind})" for name, kind in causes), "late wake-ups"), rows, range(1, len(causes) + 2),
                 "Late wake-ups of each day, by what made each late.")


def as_html(verdict: dict, days: List[dict]) -> str:
    populations = verdict["populations"]
    parts = [f"<p>{verdict['captures']:,} captures of {len({one['host'] for one in populations}):,} hosts with "
             f"{len({one['kernel'] for one in populations}):,} kernels.</p>", "<h2>Causes</h2>"]
    if verdict["causes"]:
        parts.append(table(("culprit", "class", "hosts", "kernels", "captures", "mean excess", "weight (95 %)"), [
            (one["function"], one["class"], one["hosts"], ", ".join(one["kernels"]), one["captures"], time(one["excess_mean_ns"]),
             weight(one)) for one in verdict["causes"]], (2, 4, 5, 6),
            "Weight: the part of the excess of all late wake-ups; the interval is from resampling hosts."))
        parts += [hosts_by_causes(verdict), days_by_causes(verdict, days)]
    else:
        parts.append("<p>No cause is established in any population.</p>")
    if verdict["new"]:
        parts += ["<h2>New with a kernel</h2>", table(("culprit", "class", "kernel", "late wake-ups", "before", "late wake-ups", "first seen", "p"), [
            (one["function"], one["class"], one["kernel"], f"{one['captures']} of {one['outliers']}", one["kernel_before"],
             f"{one['captures_before']} of {one['outliers_before']}", one["first_day"], f"{one['p_value']:.1g}") for one in verdict["new"]], (3, 5, 7),
            "More frequent than with the kernel before, on hosts that ran both (exact test within hosts, corrected after Holm).")]
    if verdict["unlike"]:
        parts += ["<h2>Hosts unlike the others</h2>", table(("host", "culprit", "class", "here", "others", "p"), [
            (one["host"], one["function"], one["class"], f"{one['captures']} of {one['outliers']}",
             f"{one['captures_others']} of {one['outliers_others']}", f"{one['p_value']:.1g}") for one in verdict["unlike"]], (3, 4, 5),
            "Compared with the others that have the same kernels (exact test within kernels, corrected after Holm).")]
    if verdict["latencies"]:
        names = ("min_ns", "mean_ns", "median_ns", "p99_ns", "p9999_ns", "max_ns")
        parts += ["<h2>Latencies</h2>", table(("host", "kernel", "samples", "beyond", "minimum", "mean", "median", "99 %", "99.99 %", "maximum"), [
            ("all" if one["host"] is None else one["host"] or "unknown", one["kernel"] or "", one["n"], one["beyond"], *("–" if one[name] is None else time(one[name]) for name in names))
            for one in verdict["latencies"]], range(2, 10), "Beyond: further samples, above the end of a tool's histogram. A dash: not known for that reason.")]
    if verdict["failed"]:
        parts += ["<h2>Files that could not be read</h2>", table(("file", "reason"), [(one["file"], one["reason"]) for one in verdict["failed"]], ())]
    body = "\n".join(parts)
    return (f'{BEGINNING}<style>\n{CSS}\n</style></head>'
            f"<body>\n<h1>Late wake-ups of a fleet</h1>\n{body}\n</body></html>\n")

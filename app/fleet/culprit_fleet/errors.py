# SPDX-License-Identifier: GPL-3.0-or-later
"""What ends a job with one line that says what is wrong and what to do."""

import re

OF_STACK = re.compile(r"\s+(at |\.\.\. \d)|\s*$|\S+ \S+ (WARN|INFO) |(WARN|INFO|WARNING)\b")
OF_PYTHON = re.compile(r"(?:\w+\.)*(?:FleetError|ProgramFailed|TimeoutExpired): (.+)")
CLASS = re.compile(r"^(Caused by: |Exception in thread \S+ |: )?((\w+\.)+\w*(Exception|Error): )?")


class FleetError(Exception):
    pass


def cause_of(text: str) -> str:
    """What an error of Java says in a line, without its stack: what a task of ours said, else the innermost cause, else the
    first line with an exception."""
    lines = [line for line in text.splitlines() if not OF_STACK.match(line)]
    ours = [found[1] for found in map(OF_PYTHON.match, lines) if found]
    if ours:
        return ours[0]
    causes = [line for line in lines if line.startswith("Caused by: ")]
    named = [line for line in lines if "Exception" in line or "Error" in line]
    line = (causes[-1:] or named[:1] or lines[-1:] or [""])[0]
    return CLASS.sub("", line).strip() or line.strip()

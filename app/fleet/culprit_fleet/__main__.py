# SPDX-License-Identifier: GPL-3.0-or-later
"""culprit fleet."""

import os
import sys

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from . import session
from .arguments import parse
from .errors import FleetError
from .job import run
from .output import as_json, as_text


def main() -> int:
    try:
        options = parse(sys.argv[1:])
        spark = session.start(options.master, dict(setting.split("=", 1) for setting in options.conf))
        verdict = run(spark, options)
        sys.stdout.write(as_json(verdict) if options.json else as_text(verdict, options.by))
        sys.stdout.flush()
    except FleetError as error:
        print(f"culprit fleet: {error}", file=sys.stderr)
        return 2
    except (PySparkException, Py4JError) as error:
        lines = [line for line in str(error).splitlines() if line.strip()]
        print(f"culprit fleet: {lines[-1] if lines else error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    status = main()
    sys.stderr.flush()
    # Stopping Spark in order takes seconds, and everything is written.
    os._exit(status)

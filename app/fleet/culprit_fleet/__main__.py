# SPDX-License-Identifier: GPL-3.0-or-later
"""culprit fleet."""

import os
import sys
import traceback

from . import session
from .arguments import parse
from .errors import FleetError, cause_of
from .job import run
from .output import as_json, as_text, clean


def main() -> int:
    try:
        options = parse(sys.argv[1:])
        spark = session.start(options.master, dict(setting.split("=", 1) for setting in options.conf))
        verdict = run(spark, options)
        sys.stdout.write(as_json(verdict) if options.json else as_text(verdict, options.by, options.out_as_given))
        sys.stdout.flush()
    except FleetError as error:
        print(f"culprit fleet: {clean(str(error))}", file=sys.stderr)
        return 2
    except Exception as error:  # whatever a file from outside made of it, one line says so
        if os.environ.get("CULPRIT_FLEET_VERBOSE"):
            traceback.print_exc()
        print(f"culprit fleet: {clean(cause_of(str(error))) or type(error).__name__}; see all of it with CULPRIT_FLEET_VERBOSE=1", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return session.INTERRUPTED
    return 0


if __name__ == "__main__":
    status = main()
    sys.stderr.flush()
    # Stopping Spark in order takes seconds, and everything is written.
    os._exit(status)

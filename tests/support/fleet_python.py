# SPDX-License-Identifier: GPL-3.0-or-later
# The Python of culprit fleet, and the environment that tests run it in.

import os
import unittest

PROGRAM = os.environ.get("CULPRIT_FLEET_PYTHON") or os.path.join(
    os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share"), "culprit", "fleet", "bin", "python")

# Root that permissions apply to.
CONFINED = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search") if os.geteuid() == 0 else ()


def require():
    if not os.access(PROGRAM, os.X_OK):
        raise unittest.SkipTest(f"{PROGRAM} is missing; app/fleet/setup tests creates it")


def environment(**more):
    """Without Meson's MALLOC_PERTURB_: the driver of SQLite reserves large buffers, and filling them took ten times as
    long as the rest."""
    own = {name: value for name, value in os.environ.items() if name != "MALLOC_PERTURB_"}
    return {**own, "CULPRIT_FLEET_PYTHON": PROGRAM, "SPARK_LOCAL_IP": "127.0.0.1", **more}

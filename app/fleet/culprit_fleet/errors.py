# SPDX-License-Identifier: GPL-3.0-or-later
"""What ends a job with one line that says what is wrong and what to do."""


class FleetError(Exception):
    pass

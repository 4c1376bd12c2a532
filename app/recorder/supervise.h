/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A whole recording, from the checks to restoring the last setting. */
#pragma once

#include "journal.h"

/* Does what the session requests. Returns the exit status. */
int supervise (Rescue *rescue);

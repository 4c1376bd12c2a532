/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A whole recording, from its checks to the last setting put back. */
#pragma once

#include "rescue.h"

/* Does what the session asks for. Returns the exit status. */
int supervise (Rescue *rescue);

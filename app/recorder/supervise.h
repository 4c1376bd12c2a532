/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A whole recording, from its checks to the last setting put back. */
#pragma once

#include "capture.h"
#include "tracing.h"

#include <sys/types.h>

/* What must be put in order whatever happens, in memory that the supervisor shares with whoever started it. */
typedef struct
{
  SavedTracing tracing;
  pid_t load;
  char folder[FOLDER_SIZE];
} Rescue;

/* Does what the session asks for. Returns the exit status. */
int supervise (Rescue *rescue);

/* Puts tracing back, ends the load, removes what lies about. May be called at any time, and twice. */
void rescue_all (Rescue *rescue);

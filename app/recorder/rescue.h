/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must be put in order whatever happens. */
#pragma once

#include "capture.h"
#include "tracing.h"

#include <sys/types.h>

/* In memory that the supervisor shares with whoever started it. */
typedef struct
{
  SavedSettings tracing;
  pid_t load;
  char folder[FOLDER_SIZE];
} Rescue;

/* Puts tracing back, ends the load, removes what lies about. May be called at any time, and twice. Gives the name of a
 * setting that could not be put back, which is in @rescue; NULL: all could. */
const char *rescue_all (Rescue *rescue);

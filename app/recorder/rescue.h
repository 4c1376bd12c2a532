/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must be restored whatever happens. */
#pragma once

#include "capture.h"
#include "tracing.h"

#include <sys/types.h>

/* In memory that the supervisor shares with the process that started it. */
typedef struct
{
  SavedSettings tracing;
  pid_t load;
  char folder[FOLDER_SIZE];
} Rescue;

/* Restores tracing settings, ends the load, removes temporary files. May be called at any time, and twice. Returns the
 * name of a setting that could not be restored, which is in @rescue; NULL: all were restored. */
const char *rescue_all (Rescue *rescue);

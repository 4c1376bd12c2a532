/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a recording must restore, in a file that outlives it: /run/culprit/journal, readable by root only. The folder is
 * also the lock that keeps two recordings from changing tracing at once; it is held as long as any of our processes
 * lives. */
#pragma once

#include "capture.h"
#include "tracing.h"

#include <sys/types.h>

/* What must be restored whatever happens. */

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

/* Opens the folder, before processes are forked, so that they share its lock. Without root, or without a place for it,
 * there is no journal, and the functions below say so. */
void journal_open (void);

/* Takes the lock, waiting a moment for the remains of a killed recording. False: @problem says who holds it. */
bool journal_lock (char *problem, size_t size);

/* Whether a recording whose processes are all gone did not restore what it changed. */
bool journal_is_left (void);

typedef enum
{
  RECOVERED,
  RECOVERED_NOTHING, /* There was nothing to restore. */
  RECOVERED_IN_PART, /* A setting rejected its old value, or the journal was damaged. */
  RECOVERED_NOT,     /* We are not root, or another recording is using tracing. */
} Recovered;

/* Takes the lock and restores what a killed recording left. @said tells in one line what was done, or why not. */
Recovered journal_recover (Rescue *rescue, char *said, size_t size);

/* Writes the content of @rescue. False: @problem says why that failed. */
bool journal_write (const Rescue *rescue, char *problem, size_t size);

/* Children that end with their parent, however that ends. */

/* To be called by a new child: when @parent ends, it receives the signal @number. The kernel does not send it if
 * @parent ended before we ask for it; in that case, exits. */
void lifeline_hold (pid_t parent, int number);

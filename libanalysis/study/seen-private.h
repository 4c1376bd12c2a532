/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remembers, in the user's cache, which digest files had when they were read, so that files that are known already need
 * not be read again. It is left out if there is no cache. */
#pragma once

#include "capture/capture.h"

typedef struct _Seen Seen;

/* What is remembered; NULL if nothing can be. */
Seen *seen_open (void);

/* The digest of the file at @path, if it is one that was read and nothing has written to it since; NULL otherwise. The
 * caller owns it. @seen may be NULL. */
char *seen_digest (Seen *seen, const char *path);

/* Remembers the file that @capture was read from. @seen may be NULL. */
void seen_add (Seen *seen, const CulpritCapture *capture);

void seen_close (Seen *seen);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Seen, seen_close)

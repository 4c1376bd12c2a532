/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remembers, in the user's cache, the digests of files that were read, so that known files need not be read again. Does
 * nothing if there is no cache. */
#pragma once

#include "capture/capture.h"

typedef struct _Seen Seen;

/* The cache; NULL if there is none. */
Seen *seen_open (void);

/* The digest of the file at @path, if it was read and has not been written to since; NULL otherwise. The caller owns
 * it. @seen may be NULL. */
char *seen_digest (Seen *seen, const char *path);

/* Remembers the file that @capture was read from. @seen may be NULL. */
void seen_add (Seen *seen, const CulpritCapture *capture);

void seen_close (Seen *seen);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Seen, seen_close)

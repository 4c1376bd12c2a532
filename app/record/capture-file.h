/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A capture that is being received, with its cycle log beside it; until it is complete it is written under another
 * name. No existing file is ever opened, replaced or followed, and what is finished survives a power cut. */
#pragma once

#include <gio/gio.h>

typedef struct _CaptureFile CaptureFile;

/* Begins the capture @number of the recording @name in @folder, which is created if needed; @log is its cycle log. NULL
 * with an error. */
CaptureFile *capture_file_new (const char *folder, const char *name, gint64 number, const char *log, GError **error);

gboolean capture_file_write (CaptureFile *file, const guint8 *bytes, gsize size, GError **error);

/* Finishes a capture of @size_bytes. Returns its path, which the caller owns; NULL with an error if it cannot be
 * written or is not complete. */
char *capture_file_finish (CaptureFile *file, gint64 size_bytes, GError **error);

/* Removes what was written of an unfinished capture. */
void capture_file_free (CaptureFile *file);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A capture that is being received: it is written under another name until it is whole, with its cycle log beside it.
 * No file that was there is ever opened, replaced or followed, and what is finished survives a power cut. */
#pragma once

#include <gio/gio.h>

typedef struct _CaptureFile CaptureFile;

/* Begins the capture @number of the recording @name in @folder, which is made where it is missing; @log is its cycle
 * log. NULL with an error. */
CaptureFile *capture_file_new (const char *folder, const char *name, gint64 number, const char *log, GError **error);

gboolean capture_file_write (CaptureFile *file, const guint8 *bytes, gsize size, GError **error);

/* Finishes a capture of @size_bytes. Its path, which the caller owns; NULL with an error where it cannot be written or
 * is not whole. */
char *capture_file_finish (CaptureFile *file, gint64 size_bytes, GError **error);

/* Removes what was written of a capture that is not finished. */
void capture_file_free (CaptureFile *file);

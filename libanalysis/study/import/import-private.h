/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two halves of an import: reading, which needs no study, and storing. */
#pragma once

#include "capture/capture.h"
#include "import.h"

/* How to read captures for @study (NULL: not created yet); without the period of other captures, which import_store()
 * looks up if needed. The caller owns capture_options->sha256_sizes. FALSE with an error. */
gboolean import_prepare (CulpritStudy *study,
                         const CulpritImportOptions *options,
                         CulpritCaptureOptions *capture_options,
                         GError **error);

/* Stores @capture, which was read from @path with @capture_options, and frees it. */
gboolean import_store (CulpritStudy *study,
                       const char *path,
                       CulpritCapture *capture,
                       const CulpritImportOptions *options,
                       const CulpritCaptureOptions *capture_options,
                       GCancellable *cancellable,
                       CulpritImportResult *result,
                       GError **error);

/* The file name that the study stores for @path: relative to its own folder if the file is in or below it, so that both
 * can be moved together. The caller owns it. */
char *rows_file_name (const CulpritStudy *study, const char *path);

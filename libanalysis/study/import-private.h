/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two halves of an import: what needs no study, and what does. */
#pragma once

#include "import.h"

#include "capture/capture.h"

/* How captures are read that @study (NULL: it is still to be made) shall store; without the period of others, which import_store() looks for where it
 * is wanted. The caller owns capture_options->sha256_sizes. FALSE with an error. */
gboolean import_prepare (CulpritStudy *study,
                         const CulpritImportOptions *options,
                         CulpritCaptureOptions *capture_options,
                         GError **error);

/* Stores @capture, which was read of @path with @capture_options and is freed. */
gboolean import_store (CulpritStudy *study,
                       const char *path,
                       CulpritCapture *capture,
                       const CulpritImportOptions *options,
                       const CulpritCaptureOptions *capture_options,
                       GCancellable *cancellable,
                       CulpritImportResult *result,
                       GError **error);

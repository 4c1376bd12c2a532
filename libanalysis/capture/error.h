/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The errors of reading a capture. Messages are one line, name the file first and say what to do. */
#pragma once

#include <glib.h>

#define CULPRIT_CAPTURE_ERROR (culprit_capture_error_quark ())

typedef enum
{
  CULPRIT_CAPTURE_ERROR_OPEN,         /* The file cannot be opened or read. */
  CULPRIT_CAPTURE_ERROR_NOT_A_TRACE,  /* The file is something else. */
  CULPRIT_CAPTURE_ERROR_DAMAGED,      /* The file contradicts itself or ends too early. */
  CULPRIT_CAPTURE_ERROR_UNSUPPORTED,  /* A format, compression or clock that cannot be read. */
  CULPRIT_CAPTURE_ERROR_NO_FUNCTIONS, /* A valid trace without function_graph events. */
  CULPRIT_CAPTURE_ERROR_DEFINITION,   /* A definition of windows that cannot be understood. */
} CulpritCaptureError;

GQuark culprit_capture_error_quark (void);

/* Sets @error: the capture at @path is damaged at @what. Returns FALSE. */
gboolean capture_damaged (const char *path, GError **error, const char *what, ...) G_GNUC_PRINTF (3, 4);

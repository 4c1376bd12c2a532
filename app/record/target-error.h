/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors of a target: beside their message, which says what is wrong, they have what people can do about it. */
#pragma once

#include "remedies.h"

#define CULPRIT_TARGET_ERROR (culprit_target_error_quark ())

typedef enum
{
  CULPRIT_TARGET_ERROR_HERE,  /* This machine lacks something, or the message names the target itself. */
  CULPRIT_TARGET_ERROR_THERE, /* The name of the target belongs in front of it. */
} CulpritTargetError;

GQuark culprit_target_error_quark (void);

/* Sets @error, as g_set_error() does. */
void culprit_target_error_set (GError **error, CulpritTargetError code, CulpritRemedy remedy, const char *message, ...)
    G_GNUC_PRINTF (4, 5);

/* What @error, of this domain or another, says: "vm: the connection to the recorder was lost". @target: its name there.
 * The caller owns it. */
char *culprit_target_error_words (const GError *error, const char *target, CulpritSurface surface);

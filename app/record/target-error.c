/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The remedy is private data of the GError. */
#include "target-error.h"

typedef struct
{
  CulpritRemedy remedy;
} CulpritTargetErrorPrivate;

static void
culprit_target_error_private_init (CulpritTargetErrorPrivate *private)
{
  private->remedy.kind = CULPRIT_REMEDY_NONE;
}

static void
culprit_target_error_private_copy (const CulpritTargetErrorPrivate *from, CulpritTargetErrorPrivate *to)
{
  *to = *from;
}

static void
culprit_target_error_private_clear (CulpritTargetErrorPrivate *private)
{
}

G_DEFINE_EXTENDED_ERROR (CulpritTargetError, culprit_target_error)

void
culprit_target_error_set (GError **error, CulpritTargetError code, CulpritRemedy remedy, const char *message, ...)
{
  va_list arguments;
  GError *set;

  va_start (arguments, message);
  set = g_error_new_valist (CULPRIT_TARGET_ERROR, code, message, arguments);
  va_end (arguments);
  culprit_target_error_get_private (set)->remedy = remedy;
  g_propagate_error (error, set);
}

char *
culprit_target_error_words (const GError *error, const char *target, CulpritSurface surface)
{
  g_autofree char *words = NULL;

  if (error->domain != CULPRIT_TARGET_ERROR)
    return g_strdup (error->message);
  words = culprit_problem_words (error->message, culprit_target_error_get_private (error)->remedy, surface);
  return error->code == CULPRIT_TARGET_ERROR_THERE ? g_strdup_printf ("%s: %s", target, words)
                                                   : g_steal_pointer (&words);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Causes go when a verdict does not know them any more; what somebody else named stays. */
#include "outliers/only.h"

#include "verdict/cards.h"

static void
take (OnlyCaptures *only, const char *cause, const char *whose, const GArray *captures)
{
  OnlyCaptures before = *only;

  *only = (OnlyCaptures) { g_strdup (cause), g_strdup (whose), captures ? g_array_copy ((GArray *) captures) : NULL };
  only_clear (&before);
}

void
only_init (OnlyCaptures *only)
{
  *only = (OnlyCaptures) { .cause = g_strdup ("") };
}

void
only_clear (OnlyCaptures *only)
{
  g_free (only->cause);
  g_free (only->whose);
  g_clear_pointer (&only->captures, g_array_unref);
}

void
only_of_cause (OnlyCaptures *only, const char *id, const CulpritVerdict *verdict)
{
  const CulpritCulprit *cause = verdict ? culprit_verdict_find (verdict, id) : NULL;

  if (cause)
    take (only, id, cause->name, cause->explains);
  else
    take (only, "", NULL, NULL);
}

void
only_update (OnlyCaptures *only, const CulpritVerdict *verdict)
{
  if (*only->cause)
    only_of_cause (only, only->cause, verdict);
}

void
only_of (OnlyCaptures *only, const GArray *captures, const char *whose)
{
  take (only, "", whose, captures);
}

static int
compare_captures (gconstpointer a, gconstpointer b)
{
  const gint64 *left = a;
  const gint64 *right = b;

  return (*left > *right) - (*left < *right);
}

gboolean
only_has (const OnlyCaptures *only, gint64 capture)
{
  return !only->captures || g_array_binary_search (only->captures, &capture, compare_captures, NULL);
}

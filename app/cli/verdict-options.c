/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the verdict for the captures selected on the command line. */
#include "verdict-options.h"

CulpritVerdict *
verdict_begin (const char *name, int argc, char **argv, Options *options, VerdictOptions *own, CulpritStudy **study)
{
  const GOptionEntry entries[] = {
    { "base", 0, 0, G_OPTION_ARG_STRING, &own->base,
      "Run whose ordinary wake-ups to compare with (default: each capture's)", "RUN" },
    { "raw", 0, 0, G_OPTION_ARG_NONE, &own->raw, "Include the tracer's own time", NULL },
    { NULL },
  };
  CulpritFilter filter;
  CulpritEvidenceOptions evidence = { .filter = &filter };
  CulpritVerdict *verdict;
  GError *error = NULL;

  *study = command_begin_with (name, argc, argv, entries, options, &filter, &own->status);
  if (!*study)
    return NULL;
  evidence.base = own->base;
  evidence.raw = own->raw;
  verdict = culprit_verdict_new (*study, &evidence, &error);
  if (!verdict)
    own->status = command_fail (error);
  return verdict;
}

void
verdict_options_clear (VerdictOptions *options)
{
  g_free (options->base);
}

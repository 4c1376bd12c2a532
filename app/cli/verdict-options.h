/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of the commands that compute a verdict. */
#pragma once

#include "command.h"
#include "verdict/verdict.h"

typedef struct
{
  char *base;
  gboolean raw;
  int status; /* with which to end if there is no verdict */
} VerdictOptions;

/* Parses, opens the study and judges what the options mean. NULL: the command is done, or the error was shown. */
CulpritVerdict *verdict_begin (
    const char *name, int argc, char **argv, Options *options, VerdictOptions *own, CulpritStudy **study);

void verdict_options_clear (VerdictOptions *options);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (VerdictOptions, verdict_options_clear)

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What people can do about a problem, in the words of the program that shows it. */
#pragma once

#include "problem.h"

typedef enum
{
  CULPRIT_AT_COMMAND, /* a terminal, or a program that reads JSON */
  CULPRIT_IN_WINDOW,
} CulpritSurface;

/* @text, which says what is wrong, and what can be done: "not enough memory; use a smaller --buffer". If @text is a
 * sentence with a full stop, so is this. The caller owns it. */
char *culprit_problem_words (const char *text, CulpritRemedy remedy, CulpritSurface surface);

/* The remedy that recorders call @key (app/recorder/PROTOCOL.md); CULPRIT_REMEDY_NONE if it is NULL or not known. */
CulpritRemedyKind culprit_remedy_from_key (const char *key);

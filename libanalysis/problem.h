/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems in two values: what is wrong, in a sentence that is right wherever it is shown, and what people can do about
 * it, which each program words itself: commands have options, a window has fields. */
#pragma once

#include <glib.h>

typedef enum
{
  CULPRIT_REMEDY_NONE,
  CULPRIT_REMEDY_GIVE_PERIOD,   /* of a capture's task */
  CULPRIT_REMEDY_LARGER_BUFFER, /* number: of this size in KB per CPU; 0: not known */
  CULPRIT_REMEDY_LARGER_BUFFER_OF_TRACE_CMD,
  CULPRIT_REMEDY_OTHER_KERNEL,
  CULPRIT_REMEDY_KERNEL_OF_WINDOWS, /* one that measures those of other tasks */
  CULPRIT_REMEDY_TAKE_OVER,
  CULPRIT_REMEDY_SMALLER_BUFFER,
  CULPRIT_REMEDY_MORE_ROOM,
  CULPRIT_REMEDY_LONGER_PERIOD, /* number: at least this one, in ns */
  CULPRIT_REMEDY_INSTALL_PKEXEC,
  CULPRIT_REMEDY_BECOME_ROOT,
  CULPRIT_REMEDY_WAIT_LONGER,
  CULPRIT_REMEDY_SEE_CONSOLE, /* of the virtual machine */
} CulpritRemedyKind;

typedef struct
{
  CulpritRemedyKind kind;
  gint64 number; /* see there */
} CulpritRemedy;

typedef struct
{
  char *text; /* what is wrong */
  CulpritRemedy remedy;
} CulpritProblem;

/* Takes ownership of @text. */
static inline CulpritProblem *
culprit_problem_new (char *text, CulpritRemedy remedy)
{
  CulpritProblem *problem = g_new (CulpritProblem, 1);

  *problem = (CulpritProblem) { text, remedy };
  return problem;
}

static inline void
culprit_problem_free (gpointer problem)
{
  g_free (((CulpritProblem *) problem)->text);
  g_free (problem);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The captures that alone are shown: those of a cause, or those of somebody else, such as a host. */
#pragma once

#include "verdict/verdict.h"

typedef struct
{
  char *cause;      /* its id; empty: not those of a cause */
  char *whose;      /* the name of the cause or of somebody else; NULL: all are shown */
  GArray *captures; /* of gint64, ascending; NULL likewise */
} OnlyCaptures;

void only_init (OnlyCaptures *only);

void only_clear (OnlyCaptures *only);

/* Those that the cause @id explains, as of culprit_verdict_find(); all if it is empty, or @verdict (may be NULL) does
 * not know it. */
void only_of_cause (OnlyCaptures *only, const char *id, const CulpritVerdict *verdict);

/* Those that the same cause explains in another verdict. */
void only_update (OnlyCaptures *only, const CulpritVerdict *verdict);

/* @captures, which are @whose. */
void only_of (OnlyCaptures *only, const GArray *captures, const char *whose);

gboolean only_has (const OnlyCaptures *only, gint64 capture);

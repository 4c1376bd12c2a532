/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much of the excess of all captures each cause explains. */
#pragma once

#include "verdict.h"

/* What one culprit explains of one capture. */
typedef struct
{
  guint culprit; /* its index */
  guint index;   /* of the case */
  double ns;
} Explained;

/* Culprits, and what they explain. */
typedef struct
{
  GArray *culprits;  /* of CulpritCulprit */
  GArray *explained; /* of Explained */
} Weighed;

/* Sets weight, its interval and leads of the culprits in each of the @n @all, which explain parts of @cases. */
void weigh (const Weighed *all, guint n, const GArray *cases);

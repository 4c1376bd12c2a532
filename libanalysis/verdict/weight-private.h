/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much of the excess of all captures each cause carries. */
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

/* Fills in weight, its interval and leads of the culprits of each of the @n @all, who explain something of @cases. */
void weigh (const Weighed *all, guint n, const GArray *cases);

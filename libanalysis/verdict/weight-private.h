/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much of the excess of all captures each cause carries. */
#pragma once

#include "verdict.h"

/* What one culprit explains of one capture. */
typedef struct
{
  guint culprit; /* its place */
  guint place;   /* of the case */
  double ns;
} Explained;

/* Fills in weight, its interval and leads of @culprits (of CulpritCulprit), which explain @all (of Explained) of
 * @cases. */
void weigh (GArray *culprits, const GArray *cases, const GArray *all);

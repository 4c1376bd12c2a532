/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of ordinary windows cost, over all of them. */
#pragma once

#include "cells-private.h"

typedef struct
{
  GArray *sums;     /* of CulpritOrdinaryCost; not owned */
  guint32 *indices; /* into them, plus one, by function and context; 0: none */
} Ordinary;

/* Starts with the ordinary costs of @capture, whose functions must be known. */
void ordinary_init (Ordinary *ordinary, CulpritCapture *capture);

void ordinary_clear (Ordinary *ordinary);

/* Adds @cell, complete, of the ordinary @window. */
void ordinary_add (Ordinary *ordinary, const CulpritCost *cell, const CulpritWindow *window);

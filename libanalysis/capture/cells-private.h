/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The costs of one window, by function and context. */
#pragma once

#include "capture.h"

/* Costs indexed by function and context: an entry of @indices is valid only if the cell it refers to agrees. */
typedef struct
{
  GArray *cells; /* of CulpritCost */
  guint32 *indices;
} Cells;

static inline guint
cell_key (guint function, CulpritContext context)
{
  return function * CULPRIT_CONTEXTS + context;
}

static inline void
cells_init (Cells *cells, guint n_functions)
{
  cells->cells = g_array_new (FALSE, FALSE, sizeof (CulpritCost));
  cells->indices = g_new0 (guint32, (gsize) n_functions * CULPRIT_CONTEXTS);
}

static inline void
cells_clear (Cells *cells)
{
  g_clear_pointer (&cells->cells, g_array_unref);
  g_free (cells->indices);
}

static inline CulpritCost *
cells_find (Cells *cells, guint function, CulpritContext context)
{
  guint32 *index = &cells->indices[cell_key (function, context)];
  CulpritCost cost = { .function = function, .context = context };
  CulpritCost *found = *index < cells->cells->len ? &g_array_index (cells->cells, CulpritCost, *index) : NULL;

  if (found && found->function == function && found->context == context)
    return found;
  *index = cells->cells->len;
  g_array_append_val (cells->cells, cost);
  return &g_array_index (cells->cells, CulpritCost, *index);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of calls in windows: which node a call belongs to, and what the nodes cost in one window. */
#pragma once

#include "addresses-private.h"
#include "session-private.h"

typedef struct
{
  const Session *session;
  CulpritCapture *capture; /* whose nodes are numbered */
  Addresses keys;          /* what identifies each node */
  GHashTable *names;       /* of sources that are not identified by a function, and their numbers */
  GHashTable *priorities;  /* of tasks by pid, plus one */
  guint most;              /* paths are distinguished: a later one is folded into its source */
} Nodes;

#define NODES_MOST 50000 /* paths in the ordinary windows of a capture, and as many more in its outlier */

/* Starts without a node. @session must be prepared. */
void nodes_init (Nodes *nodes, const Session *session);

void nodes_clear (Nodes *nodes);

/* Notes to which interrupt @frame belongs, the call on top of @task, which has just begun in a hard interrupt. */
void nodes_enter_interrupt (const Nodes *nodes, Task *task, Frame *frame);

/* Gives every open call of @task its node. */
void nodes_place (Nodes *nodes, Task *task);

/* The node that owns @stretch. */
guint nodes_owner (Nodes *nodes, const Stretch *stretch);

/* The node of the time that was not captured, while the CPU had a task with @context. */
guint nodes_not_captured (Nodes *nodes, CulpritContext context);

static inline const CulpritNode *
nodes_at (const Nodes *nodes, guint index)
{
  return &g_array_index (nodes->capture->nodes, CulpritNode, index);
}

/* The costs of one window by node. A node comes after its parent, which is there even if it has no time of its own. */
typedef struct
{
  GArray *cells;    /* of CulpritNodeCost */
  guint32 *indices; /* of cells, by node: one is valid only if the cell it refers to agrees */
  guint n_indices;
} Cells;

void cells_init (Cells *cells);

void cells_clear (Cells *cells);

/* The index of the cell of @node, if it is not the one that was found for it last. */
guint32 cells_search (Cells *cells, const Nodes *nodes, guint node);

static inline CulpritNodeCost *
cells_find (Cells *cells, const Nodes *nodes, guint node)
{
  guint32 index = G_LIKELY (node < cells->n_indices) ? cells->indices[node] : G_MAXUINT32;

  if (G_UNLIKELY (index >= cells->cells->len || g_array_index (cells->cells, CulpritNodeCost, index).node != node))
    index = cells_search (cells, nodes, node);
  return &g_array_index (cells->cells, CulpritNodeCost, index);
}

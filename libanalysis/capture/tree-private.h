/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds a call tree during a walk over a capture. */
#pragma once

#include "tree.h"
#include "walk-private.h"

typedef struct
{
  CulpritTree *tree;
  const CulpritCapture *capture;
  GHashTable *tasks;    /* pid -> node plus one */
  GHashTable *children; /* parent, function and context -> node */
  GArray *last;         /* of guint: the last of the tasks, then the last child of each node */
} TreeBuild;

/* Begins a tree of functions of @capture, which must keep their names. */
void tree_begin (TreeBuild *build, const CulpritCapture *capture);

/* Gives every open call of @task its node. Returns that of the innermost call, or the task's. */
guint tree_place (TreeBuild *build, Task *task);

/* Adds @length_ns of @stretch. */
void tree_add (TreeBuild *build, const Stretch *stretch, guint64 length_ns);

/* Sums up what is below each node. The caller owns the tree. */
CulpritTree *tree_finish (TreeBuild *build);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call tree of a window: what each task did on its CPU, with calls of one function by the same caller combined. */
#pragma once

#include "capture.h"
#include "units.h"

#define CULPRIT_TREE_NONE G_MAXUINT

typedef struct
{
  guint parent;       /* CULPRIT_TREE_NONE: a task */
  guint first_child;  /* CULPRIT_TREE_NONE: there is none */
  guint next_sibling; /* likewise; siblings are in the order in which they first ran */
  gint32 pid;
  const char *name; /* Of the function; for a task its command, which may be empty. */
  const char *module;
  guint ordinal; /* of the function, as in CulpritFunction */
  CulpritContext context;
  guint64 calls;       /* 0 for a task */
  guint64 self_ns;     /* For a task: what belongs to none of its calls. */
  guint64 tracing_ns;  /* The part of self_ns that is the tracer's. */
  guint64 total_ns;    /* From entry to exit, inside the window; for a task the time it held the CPU. */
  guint64 off_cpu_ns;  /* The part of total_ns in which the task did not run on the window's CPU. */
  guint64 on_cpu_ns;   /* self_ns of this node and all below it. */
  guint64 untraced_ns; /* on_cpu_ns minus the tracer's part. */
  guint64 truncated;   /* Calls whose entry or exit is missing. */
} CulpritTreeNode;

typedef struct
{
  GArray *nodes;    /* of CulpritTreeNode, parents before their children */
  guint first_task; /* The first node that is a task; the others follow as its siblings. */
  GStringChunk *strings;
} CulpritTree;

/* Reads the tree of CPU @cpu from @start_ns to @end_ns in the capture at @path; @measured_pid is the measured task.
 * NULL with a CULPRIT_CAPTURE_ERROR. */
CulpritTree *culprit_tree_read (
    const char *path, guint cpu, guint64 start_ns, guint64 end_ns, gint32 measured_pid, GError **error);

/* Takes a reference to @tree, which is freed with the last one. */
CulpritTree *culprit_tree_ref (CulpritTree *tree);

void culprit_tree_free (CulpritTree *tree);

static inline const CulpritTreeNode *
culprit_tree_node (const CulpritTree *tree, guint index)
{
  return &g_array_index (tree->nodes, CulpritTreeNode, index);
}

/* How long @node and all below it held the CPU. */
guint64 culprit_tree_node_time (const CulpritTreeNode *node, CulpritTimes times);

/* The nodes (of guint) from the sibling @first on, longest CPU time first. The caller owns the array. */
GArray *culprit_tree_siblings (const CulpritTree *tree, guint first, CulpritTimes times);

/* The tracer's part of all nodes, which their untraced times leave out. */
guint64 culprit_tree_tracing (const CulpritTree *tree);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritTree, culprit_tree_free)

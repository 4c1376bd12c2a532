/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call tree of a window: what each task on its CPU did there, calls of one function by one caller taken together.
 */
#pragma once

#include "capture.h"

#define CULPRIT_TREE_NONE G_MAXUINT

typedef struct
{
  guint parent;       /* CULPRIT_TREE_NONE: a task */
  guint first_child;  /* CULPRIT_TREE_NONE: there is none */
  guint next_sibling; /* likewise; siblings are in the order in which they first ran */
  gint32 pid;
  const char *name; /* Of the function; of a task its command, which may be empty. */
  const char *module;
  CulpritContext context;
  guint64 calls;       /* 0 of a task */
  guint64 self_ns;     /* Of a task: what belongs to none of its calls. */
  guint64 tracing_ns;  /* The part of self_ns that is the tracer's. */
  guint64 total_ns;    /* From entry to exit, inside the window; of a task the time it had the CPU. */
  guint64 off_cpu_ns;  /* The part of total_ns in which the task did not run on the window's CPU. */
  guint64 on_cpu_ns;   /* self_ns of this and of all below. */
  guint64 untraced_ns; /* on_cpu_ns less the tracer's part. */
  guint64 truncated;   /* Calls of which the entry or the exit was not seen. */
} CulpritTreeNode;

typedef struct
{
  GArray *nodes;    /* of CulpritTreeNode, parents before their children */
  guint first_task; /* The first node that is a task; the others follow as its siblings. */
  GStringChunk *strings;
} CulpritTree;

/* Reads the tree of the part of CPU @cpu from @start_ns to @end_ns, of the capture at @path; @measured_pid is the task
 * that is measured there. NULL with a CULPRIT_CAPTURE_ERROR. */
CulpritTree *culprit_tree_read (
    const char *path, guint cpu, guint64 start_ns, guint64 end_ns, gint32 measured_pid, GError **error);

void culprit_tree_free (CulpritTree *tree);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritTree, culprit_tree_free)

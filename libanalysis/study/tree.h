/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call tree of a late wake-up: what each source did while it had the CPU, with calls of one function by the same
 * path combined. */
#pragma once

#include "capture/capture.h"
#include "study.h"
#include "units.h"

#define CULPRIT_TREE_NONE G_MAXUINT

typedef struct
{
  guint parent;       /* CULPRIT_TREE_NONE: a source */
  guint depth;        /* below its source */
  guint first_child;  /* CULPRIT_TREE_NONE: there is none */
  guint next_sibling; /* likewise */
  const char *name;   /* of the function, or of the source: a task's command, or what an interrupt is known by */
  const char *module;
  guint ordinal; /* of the function, as in CulpritFunction */
  CulpritContext context;
  guint64 calls;       /* 0 for a source */
  guint64 self_ns;     /* 0 for a source: all its time belongs to what is below it */
  guint64 tracing_ns;  /* The part of self_ns that is the tracer's. */
  guint64 total_ns;    /* from entry to exit, inside the window; for a source the time that it had the CPU */
  guint64 off_cpu_ns;  /* the part of total_ns in which it did not run: its task was switched out, or interrupted */
  guint64 on_cpu_ns;   /* self_ns of this node and all below it */
  guint64 untraced_ns; /* on_cpu_ns minus the tracer's part */
  guint64 truncated;   /* calls whose entry or exit is missing */
  guint64 silence_ns;  /* the longest stretch of self_ns without any event; 0: none is worth a look */
} CulpritTreeNode;

typedef struct
{
  GArray *nodes;      /* of CulpritTreeNode, parents before their children */
  guint first_source; /* The first node that is a source; the others follow as its siblings. */
  GStringChunk *strings;
} CulpritTree;

/* The tree of the late wake-up of @capture; without nodes if it has none. NULL with an error. */
CulpritTree *culprit_query_tree (CulpritStudy *study, gint64 capture, GError **error);

/* Takes a reference to @tree, which is freed with the last one. */
CulpritTree *culprit_tree_ref (CulpritTree *tree);

void culprit_tree_free (CulpritTree *tree);

static inline const CulpritTreeNode *
culprit_tree_node (const CulpritTree *tree, guint index)
{
  return &g_array_index (tree->nodes, CulpritTreeNode, index);
}

/* How long @node and all below it had the CPU. */
guint64 culprit_tree_node_time (const CulpritTreeNode *node, CulpritTimes times);

/* The nodes (of guint) from the sibling @first on, longest CPU time first. The caller owns the array. */
GArray *culprit_tree_siblings (const CulpritTree *tree, guint first, CulpritTimes times);

/* The tracer's part of all nodes, which their untraced times leave out. */
guint64 culprit_tree_tracing (const CulpritTree *tree);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritTree, culprit_tree_free)

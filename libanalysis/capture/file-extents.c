/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps account of which bytes of a file belong to what: extents must not overlap. */
#include "file-private.h"

static int
compare_extents (gconstpointer a, gconstpointer b, gpointer data)
{
  const Extent *left = a;
  const Extent *right = b;

  return left->start < right->start ? -1 : left->start > right->start;
}

GTree *
extents_new (void)
{
  return g_tree_new_full (compare_extents, NULL, g_free, NULL);
}

gboolean
trace_file_has (const TraceFile *file, guint64 offset, guint64 size, GError **error)
{
  if (offset <= file->size && size <= file->size - offset)
    return TRUE;
  return trace_file_damaged (file, error, "%" G_GUINT64_FORMAT " bytes are needed at %" G_GUINT64_FORMAT, size, offset);
}

gboolean
trace_file_claim (TraceFile *file, guint64 offset, guint64 size, GError **error)
{
  Extent extent = { offset, offset + size };
  GTreeNode *after;
  GTreeNode *before;

  if (!trace_file_has (file, offset, size, error))
    return FALSE;
  if (size == 0)
    return TRUE;
  after = g_tree_upper_bound (file->extents, &extent);
  before = after ? g_tree_node_previous (after) : g_tree_node_last (file->extents);
  if ((after && ((const Extent *) g_tree_node_key (after))->start < extent.end) ||
      (before && ((const Extent *) g_tree_node_key (before))->end > offset))
    return trace_file_damaged (file, error, "two parts of it overlap at %" G_GUINT64_FORMAT, offset);
  g_tree_insert (file->extents, g_memdup2 (&extent, sizeof extent), NULL);
  return TRUE;
}

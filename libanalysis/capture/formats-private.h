/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout of a capture's pages and events, from its own format descriptions: it differs between kernels, so nothing
 * is taken from a struct. */
#pragma once

#include "file-private.h"

/* How the reader handles an event. */
typedef enum
{
  EVENT_UNKNOWN, /* No format description has this id. */
  EVENT_OTHER,   /* Any event not listed below. */
  EVENT_ENTRY,
  EVENT_ENTRY_RETADDR,
  EVENT_EXIT,
  EVENT_PRINT,
  EVENT_SWITCH,
} EventKind;

/* A number in an event; size 0 if the kernel has no such field. */
typedef struct
{
  guint offset;
  guint size;
} Field;

typedef struct
{
  /* Header of a sub-buffer. */
  guint commit_offset;
  guint commit_size;
  guint data_offset;

  /* Common to all events. */
  Field flags;
  Field pid;

  Field entry_function[2]; /* of EVENT_ENTRY and of EVENT_ENTRY_RETADDR */
  Field entry_depth[2];
  guint entry_size[2]; /* Minimum size of an event that has all of the fields above. */
  Field exit_function;
  Field exit_depth;
  Field call_time;
  Field return_time;
  guint exit_size;
  guint print_text_offset;
  Field switch_pid[2]; /* of the task that leaves and of the one that arrives */
  Field switch_priority[2];
  guint switch_size;

  guint8 kinds[65536]; /* EventKind by event id */
  guint n_ids;         /* all known ids are below this */
  GHashTable *names;   /* event id -> "system:event" */
} Formats;

/* Reads the descriptions of @file. An error if the pages cannot be read with them, or if there are no function_graph
 * events. Free with formats_unref(). */
Formats *formats_new (const TraceFile *file, GError **error);

void formats_unref (Formats *formats);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Formats, formats_unref)

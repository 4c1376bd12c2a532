/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where things lie in a capture's pages and events, as its own format descriptions say:
 * kernels differ, so nothing is taken from a struct. */
#pragma once

#include "file-private.h"

/* What the reader does with an event. */
typedef enum
{
  EVENT_UNKNOWN, /* No format description has this id. */
  EVENT_OTHER,   /* Any event that is not one of those below. */
  EVENT_ENTRY,
  EVENT_ENTRY_RETADDR,
  EVENT_EXIT,
  EVENT_PRINT,
  EVENT_SWITCH,
} EventKind;

/* A number inside an event; size 0 if the kernel has no such field. */
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
  guint entry_size[2]; /* Bytes an event must have for all of the fields above. */
  Field exit_function;
  Field exit_depth;
  Field call_time;
  Field return_time;
  guint exit_size;
  guint print_text_offset;
  Field switch_pid[2]; /* of the task that leaves and of the one that comes */
  Field switch_priority[2];
  guint switch_size;

  guint8 kinds[65536]; /* EventKind by event id */
  guint n_ids;         /* known ids are below it */
  GHashTable *names;   /* event id -> "system:event" */
} Formats;

/* Reads the descriptions of @file. An error where the pages cannot be read with them; a file whose kernel
 * has no function_graph events is none. Free with formats_unref(). */
Formats *formats_new (const TraceFile *file, GError **error);

void formats_unref (Formats *formats);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Formats, formats_unref)

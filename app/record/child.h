/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command that starts a recorder: a process with pipes to us, which is gone when we are done with it, whatever it
 * does. The lines that it writes, and its standard error, are limited in size. */
#pragma once

#include <gio/gio.h>

typedef struct _Child Child;

typedef enum
{
  CHILD_PLAIN,
  CHILD_DIES_WITH_US, /* is killed when the calling thread ends */
  CHILD_IN_SESSION,   /* does not receive the terminal's signals */
} ChildKind;

typedef enum
{
  CHILD_SAID_LINE,
  CHILD_SAID_TOO_MUCH, /* a line beyond JSON_LONGEST_LINE */
  CHILD_CLOSED,
  CHILD_TIMED_OUT,
  CHILD_CANCELLED,
} ChildHeard;

/* Starts @command. NULL with an error. */
Child *child_start (char **command, ChildKind kind, GError **error);

/* Its next line, without the line end, until @deadline_us by g_get_monotonic_time(); @cancellable may be NULL. @line
 * must be NULL, and the caller owns it whatever is returned. */
ChildHeard child_read_line (Child *child, gint64 deadline_us, GCancellable *cancellable, char **line, gsize *length);

/* Writes all of @text to it, until @deadline_us. FALSE: it is not reading. */
gboolean child_write (Child *child, const char *text, gint64 deadline_us);

/* Writes @line to it every @step_us from now on, whatever the calling thread does, until it is to end. What is written
 * meanwhile must be short. @line is borrowed. */
void child_keep_alive (Child *child, const char *line, gint64 step_us);

/* Lets it end: closes the pipes, waits @patience_us, and kills what is left of its process group. Returns its exit
 * status; -1 if it has none. */
int child_end (Child *child, gint64 patience_us);

/* The last line on its standard error. The caller owns it. */
char *child_last_said (const Child *child);

/* Ends it immediately. */
void child_free (Child *child);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Child, child_free)

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cycle log that a recorder leaves beside a capture: when the measured thread was expected to wake, and when it
 * did. With it a capture's windows are exact. Times are on CLOCK_MONOTONIC. */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "error.h"

typedef struct
{
  guint64 expected_ns;
  guint64 observed_ns;
} CulpritCycle;

typedef struct
{
  guint64 period_ns;
  guint64 trigger_ns; /* The threshold, or the lower end of the band. */
  guint cpu;
  gint32 pid;
  guint64 hit_cycle;       /* The hit's number in its run. */
  GArray *cycles;          /* of CulpritCycle, in the order of time; the hit is the last */
  guint64 needed_kb;       /* The ring buffer that would have held the hit's window; 0: this one did. */
  gint64 smi_count;        /* System management interrupts since the last capture; -1: not known. */
  gint64 steal_ns;         /* Time that a hypervisor took since then; -1: not known. */
  char *delays;            /* The measuring threads' delay accounting, as JSON; NULL: not known. */
  gboolean settings_known; /* Whether the following two are; older recorders did not tell. */
  guint graph_depth;       /* As CulpritCoverage.depth. */
  char *graph_functions;   /* As CulpritCoverage.functions. */
} CulpritCycles;

/* Where the cycle log of the capture at @path is, if there is one. The caller owns the result. */
char *culprit_cycles_path (const char *path);

/* Reads a cycle log. NULL with a CULPRIT_CAPTURE_ERROR where it is damaged; NULL without an error where there is none,
 * or the file is something else. */
CulpritCycles *culprit_cycles_read (const char *path, GError **error);

/* The same of what a file was parsed to; @path names it in errors. */
CulpritCycles *culprit_cycles_from_json (JsonNode *root, const char *path, GError **error);

void culprit_cycles_free (CulpritCycles *cycles);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritCycles, culprit_cycles_free)

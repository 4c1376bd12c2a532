/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log that a recorder writes beside a capture. Of a cyclic measurement: when the measured thread should have woken
 * up, and when it did, which makes a capture's windows exact. Else what its windows are. Times are on CLOCK_MONOTONIC.
 */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "capture/error.h"

typedef struct
{
  guint64 expected_ns;
  guint64 observed_ns;
} CulpritCycle;

typedef struct
{
  char *measured;       /* What its windows are: see measured.h. NULL: cycles. */
  guint64 period_ns;    /* of cycles; else 0 */
  guint64 trigger_ns;   /* The threshold, or the lower limit of the band. */
  guint64 band_high_ns; /* The upper one; 0: a threshold. */
  guint cpu;            /* of cycles */
  gint32 pid;           /* -1: not known, if the windows are not cycles */
  guint64 late_ns;      /* Of other windows, the latency of the late one, as the kernel measured it; 0: not stated. */
  guint64 late_end_ns;  /* and when it ended; 0: not stated */
  guint64 hit_cycle;    /* The hit's number in its run. */
  GArray *cycles;       /* of CulpritCycle, in order of time; the hit is the last. Empty for other windows. */
  guint64 needed_kb;    /* Ring buffer size that would have held the hit's window; 0: the buffer did hold it. */
  gint64 smi_count;     /* System management interrupts since the last capture; -1: not known. */
  gint64 steal_ns;      /* Time that a hypervisor took since then; -1: not known. */
  char *delays;         /* The measuring threads' delay accounting, as JSON; NULL: not known. */
  gboolean settings_known; /* Whether the next two are known; older recorders do not report them. */
  guint graph_depth;       /* As CulpritCoverage.depth. */
  char *graph_functions;   /* As CulpritCoverage.functions. */
} CulpritCycles;

/* The path of the cycle log that the capture at @path would have. The caller owns it. */
char *culprit_cycles_path (const char *path);

/* Reads a cycle log. NULL with a CULPRIT_CAPTURE_ERROR if it is damaged, cut short, no regular file, or cannot be read;
 * NULL without an error if it does not exist, or is something else. */
CulpritCycles *culprit_cycles_read (const char *path, GError **error);

/* The same from parsed JSON; @path is named in errors. */
CulpritCycles *culprit_cycles_from_json (JsonNode *root, const char *path, GError **error);

void culprit_cycles_free (CulpritCycles *cycles);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritCycles, culprit_cycles_free)

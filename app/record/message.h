/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of the recorder's protocol (app/recorder/PROTOCOL.md), parsed and checked once: its numbers are within bounds
 * and its texts safe to show on one line. It does not change, so threads may share it. */
#pragma once

#include "study/import/import.h"
#include "study/runs.h"
#include "target.h"

#include <json-glib/json-glib.h>

/* What a recorder found on its machine: its line of type "facts", see app/recorder/PROTOCOL.md. Texts are NULL and
 * flags -1 if not known. */

#define CULPRIT_MOST_CPUS 4096

typedef struct
{
  gint64 cpu;
  gint64 smi_count; /* -1: cannot be counted */
  gint isolated;
  char *governor;
} CulpritCpuFacts;

typedef struct
{
  char *name;
  gint64 latency_us; /* 0: not known */
  gint disabled;
} CulpritIdleState;

/* A real-time task. */
typedef struct
{
  gint64 pid;
  char *comm;
  char *policy;
  gint64 priority;
  gint64 cpu; /* where it ran last */
} CulpritTaskFacts;

typedef struct
{
  char *host;
  char *kernel;
  char *machine;
  char *preemption;
  char *transparent_hugepage;
  char *clocksource;
  char *tracefs;
  char *current_tracer;
  char *temporary_folder;
  gint root;
  gint virtual_machine;
  gint dma_latency;
  gint delay_accounting;
  gint trace_cmd;
  gint unrestored;      /* a killed recording left tracing settings or a treatment in place */
  gint64 rt_runtime_us; /* -1: no limit, or not known */
  gint64 rt_period_us;
  gint64 timer_migration; /* 0: not known, also below */
  gint64 nmi_watchdog;
  gint64 kptr_restrict;
  gint64 ftrace_enabled; /* 1: or not known */
  gint64 enabled_events;
  gint64 trace_entries;
  gint64 steal_ns;
  gint64 temporary_free_bytes; /* -1: not known, also below */
  gint64 memory_available_kb;
  GArray *cpus;        /* of CulpritCpuFacts */
  GArray *idle_states; /* of CulpritIdleState, by their numbers */
  GArray *tasks;       /* of CulpritTaskFacts: those that people most likely want to measure first */
  GPtrArray *tracers;  /* of char * */
} CulpritFacts;

/* Messages. */

typedef enum
{
  CULPRIT_MESSAGE_UNKNOWN, /* of a type that this version does not know */
  CULPRIT_MESSAGE_HELLO,
  CULPRIT_MESSAGE_FACTS,
  CULPRIT_MESSAGE_NOTE,
  CULPRIT_MESSAGE_CALIBRATION,
  CULPRIT_MESSAGE_RUN,
  CULPRIT_MESSAGE_PROGRESS,
  CULPRIT_MESSAGE_HIT,
  CULPRIT_MESSAGE_CAPTURE,
  CULPRIT_MESSAGE_DATA,
  CULPRIT_MESSAGE_CAPTURE_END,
  CULPRIT_MESSAGE_SAMPLES,
  CULPRIT_MESSAGE_BINS,
  CULPRIT_MESSAGE_RUN_END,
  CULPRIT_MESSAGE_ERROR,
  CULPRIT_MESSAGE_END,
  CULPRIT_MESSAGE_IMPORTED, /* from this program: a capture was added to the study */
} CulpritMessageType;

typedef struct
{
  CulpritMessageType type;
  char *json;      /* the line, written anew; NULL if it only has bytes */
  gint64 run;      /* its number in the recording; 0: not part of a run */
  gboolean traced; /* whether that run is */
  gint64 capture;  /* its number in the recording, for "imported" in the study; for "progress" the number of captures so
                      far */
  char *text; /* of "note" and "error"; the version for "hello", the reason for "end", the warning for "imported" */
  CulpritRemedy remedy; /* of what "note", "error" and the warning of "imported" say */
  union
  {
    gint64 protocol;                /* of "hello" */
    CulpritFacts facts;             /* of "facts" */
    CulpritRunTotals totals;        /* of "progress", as far as it has them, and "run-end" */
    CulpritRecordedSamples samples; /* of "samples" */
    CulpritProfile *latencies;      /* of "bins" */
    gint64 size_bytes;              /* of "capture-end" */
    struct
    {
      gint64 latency_median_ns;
      gint64 shortest_period_ns;
    } calibration;
    struct
    {
      guint8 *bytes;
      gsize size;
    } data;
    struct
    {
      char *file;
      gint64 latency_ns; /* 0: it has no windows */
      gint64 ordinary_windows;
    } imported;
  };
} CulpritMessage;

/* Parses the line @text of @length bytes. NULL with an error that says what is wrong, without the target's name. */
CulpritMessage *culprit_message_parse (const char *text, gsize length, GError **error);

/* A note with @text, from this program. */
CulpritMessage *culprit_message_note (const char *text);

/* The message that the capture in @file was added to the study, as @imported describes it. */
CulpritMessage *culprit_message_imported (const char *file, const CulpritImportResult *imported);
CulpritMessage *culprit_message_ref (CulpritMessage *message);
void culprit_message_unref (CulpritMessage *message);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritMessage, culprit_message_unref)

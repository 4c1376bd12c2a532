/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a recorder found on its machine: its line of type "facts", see app/recorder/PROTOCOL.md. Texts are NULL, flags
 * -1 where it does not say, or tells what makes no sense. */
#pragma once

#include <json-glib/json-glib.h>

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
  gint64 latency_us; /* 0: not told */
  gint disabled;
} CulpritIdleState;

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
  gint unrestored;      /* a killed recording left tracing as it had set it */
  gint64 rt_runtime_us; /* -1: no limit, or not told */
  gint64 rt_period_us;
  gint64 timer_migration; /* 0 if it is not told, as the next */
  gint64 nmi_watchdog;
  gint64 kptr_restrict;
  gint64 enabled_events;
  gint64 trace_entries;
  gint64 steal_ns;
  gint64 temporary_free_bytes; /* -1: not told, as the next */
  gint64 memory_available_kb;
  GArray *cpus;        /* of CulpritCpuFacts */
  GArray *idle_states; /* of CulpritIdleState, by their numbers */
  GPtrArray *tracers;  /* of char * */
} CulpritFacts;

/* Reads @object into @facts, which is to be cleared. */
void culprit_facts_read (JsonObject *object, CulpritFacts *facts);

void culprit_facts_clear (CulpritFacts *facts);

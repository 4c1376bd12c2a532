/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A capture, read and accounted for: what every function cost over all of it, the window of the hit with its
 * exact budget, the ordinary windows beside it, and what is missing.
 *
 * Times are nanoseconds. Instants are in the capture's own trace clock, the event's time in the ring buffer.
 * The exact meaning of each number is in culprit-study(5). */
#pragma once

#include <gio/gio.h>

#include "cycles.h"
#include "spread.h"

/* What ran at an instant. */
typedef enum
{
  CULPRIT_CONTEXT_MEASURED, /* The task whose wake-ups are measured. */
  CULPRIT_CONTEXT_TASK,     /* Another task. */
  CULPRIT_CONTEXT_IDLE,
  CULPRIT_CONTEXT_HARDIRQ,
  CULPRIT_CONTEXT_SOFTIRQ,
  CULPRIT_CONTEXT_NMI,
  CULPRIT_CONTEXTS,
} CulpritContext;

/* "measured", "task", "idle", "hardirq", "softirq", "nmi". */
const char *culprit_context_name (CulpritContext context);

/* Functions that are none, by index: they take the time that belongs to no call. */
enum
{
  CULPRIT_FUNCTION_USER,         /* [user]: nothing traced is on the task's stack */
  CULPRIT_FUNCTION_IDLE,         /* [idle]: the same, of the idle task */
  CULPRIT_FUNCTION_NOT_CAPTURED, /* [not captured]: before the first event, among lost ones, or in a call of which
                                    neither entry nor exit was kept */
  CULPRIT_FUNCTION_PSEUDO,       /* How many there are; functions proper follow. */
};

typedef struct
{
  const char *name;
  const char *module; /* Empty for the kernel itself. */
  guint ordinal;      /* 0 for the first function of that name and module by address, then 1... */

  /* Over the whole capture. Pseudo functions have none of these. */
  guint64 calls;
  guint64 self_ns;
  guint64 tracing_ns; /* The part of self_ns that is the tracer's. */
  guint64 total_ns;   /* Entry to exit; of recursive calls the outermost. */
  guint64 off_cpu_ns; /* The part of total_ns in which the task was switched out. */
  guint64 truncated;  /* Calls of which the entry or the exit was not seen. */
} CulpritFunction;

typedef struct
{
  guint cpu;
  guint64 events;
  guint64 first_ns;
  guint64 last_ns;
  guint64 losses;             /* Places where events were lost. */
  guint64 lost_events;        /* A loss of unknown size counts as one. */
  guint64 overwritten_events; /* Older than the first one kept: the ring buffer's overrun. */
  guint64 floors_ns[4];       /* The tracer's cost: entry-entry, entry-exit, exit-entry, exit-exit. */
} CulpritCpu;

typedef struct
{
  const char *event; /* "system:name"; "unknown:id" without a format description */
  guint64 count;
} CulpritEventCount;

/* One cycle's wake-up, from its expected to its observed time. */
typedef struct
{
  gboolean outlier; /* The hit's window; ordinary otherwise. */
  guint cpu;
  gint32 pid;
  guint64 start_ns;
  guint64 end_ns;
  guint64 tracing_ns;      /* The part that is the tracer's. */
  guint64 not_captured_ns; /* The part that belongs to [not captured]. */
  guint64 uncertain_ns;    /* It may lie so much earlier or later. */
} CulpritWindow;

/* What a function cost in the outlier window, in one context. */
typedef struct
{
  guint function;
  CulpritContext context;
  guint64 calls;
  guint64 self_ns;
  guint64 tracing_ns;
  guint64 total_ns;
  guint64 longest_stretch_ns;
  guint64 truncated;
  const char *path; /* the calls that led to most of it, from its source on; NULL where it is short */
} CulpritCost;

/* The same in the ordinary windows: sums, so that captures add up. */
typedef struct
{
  guint function;
  CulpritContext context;
  guint64 windows; /* in which it occurs */
  guint64 calls;
  double calls_squared;
  guint64 self_ns;
  double self_squared;
  double self_latency; /* of self times the window's latency */
  guint64 tracing_ns;
  double intrinsic_squared;  /* of untraced self: self less tracing */
  double intrinsic_untraced; /* of untraced self times the window's latency less its tracing */
  CulpritSpread untraced_ns; /* of self less tracing, as the next over the windows in which it occurs */
  CulpritSpread calls_made;  /* of calls */
  CulpritSpread stretch_ns;  /* of the longest stretch */
} CulpritOrdinaryCost;

/* Who had the CPU in the windows: a task, or an interrupt by the function that it began with. What was called by an
 * interrupt in its own context belongs to it. Sums of the windows' times, as of their parts. */
typedef struct
{
  CulpritContext context;
  gint32 pid;       /* of a task; 0 of an interrupt */
  guint function;   /* of an interrupt; CULPRIT_FUNCTION_USER of a task */
  const char *name; /* the task's command, "idle", or the function's name */
  guint64 windows;  /* in which it occurs */
  guint64 self_ns;
  guint64 tracing_ns;
  CulpritSpread untraced_ns; /* of self less tracing, over the ordinary windows in which it occurs */
  gint priority;             /* of a task, as the kernel counts: the lower comes first; -1: not known */
  const char *path;          /* of the outlier: the calls below it that took most of the time; may be empty */
} CulpritSource;

/* The longest stretch of the outlier window without any event on its CPU. */
typedef struct
{
  guint64 start_ns;
  guint64 length_ns; /* 0: there is none */
  guint function;
  CulpritContext context;
  const char
      *before;       /* the event that it begins with, as "entry of NAME" or "exit of NAME"; "" where the window does */
  const char *after; /* the event that ends it, likewise */
  guint other_cpus;  /* that could tell whether they stood still as well: before it they never were silent for half so
                        long */
  guint silent_cpus; /* of these, those that did: no event in most of it */
} CulpritStall;

/* What was traced. What was not hides its time in whoever was on top. */
typedef struct
{
  guint depth;     /* Calls as deep as this were not traced, counted from 0; 0: all were. */
  char *functions; /* The only ones that were traced, with what they call: names by commas, or "some" where it is not
                      known which, or "all but" names; NULL: all were. */
  gint interrupts; /* Whether interrupts were traced: 1 or 0; -1: it cannot be told. */
} CulpritCoverage;

/* What the system tells a file by that was read. */
typedef struct
{
  guint64 device;
  guint64 inode;
  guint64 size_bytes;
  gint64 changed_ns; /* when it was last written to or renamed; 0: so short ago that it may have been since */
} CulpritFileIdentity;

typedef struct
{
  guint file_version;
  guint64 size_bytes;
  char *digest; /* Of the file: see digest.h. */
  char *sha256; /* Of the file, where its size was asked for; NULL otherwise. */
  CulpritFileIdentity identity;
  char *host;     /* Node name; "unknown" where the file does not tell. */
  char *kernel;   /* Release; likewise. */
  char *machine;  /* Architecture; likewise. */
  char *instance; /* The buffer instance that was read; empty for the top one. */
  char *clock;
  guint64 first_ns;
  guint64 last_ns;
  guint64 events;
  guint64 function_events;
  guint64 lost_events;
  guint64 overwritten_events;
  guint64 truncated_calls;
  char *marker;           /* Text of the latency marker, or NULL. */
  guint64 trigger_ns;     /* The threshold it names; 0 without a marker. */
  char *comm;             /* Name of the measured task, or NULL. */
  guint64 period_ns;      /* 0: not known */
  gint64 period_error_ns; /* The period may be off by so much; -1: it was not inferred, or is not known. */
  gboolean period_given;  /* By the user, and not inferred from the task's returns. */
  CulpritCycles *cycles;  /* The cycle log, which told period and windows; NULL where there was none. */
  const char *no_windows; /* Why there is no outlier window; NULL where there is one. */

  CulpritCoverage coverage;
  GArray *functions;        /* of CulpritFunction, pseudo functions first */
  GArray *cpus;             /* of CulpritCpu */
  GArray *event_counts;     /* of CulpritEventCount, most frequent first */
  GArray *windows;          /* of CulpritWindow, in the order of time */
  GArray *costs;            /* of CulpritCost: the outlier window's budget, most self first */
  GArray *ordinary;         /* of CulpritOrdinaryCost */
  GArray *sources;          /* of CulpritSource: who had the CPU in the outlier window, most first */
  GArray *ordinary_sources; /* of CulpritSource: in the ordinary ones */
  CulpritStall stall;

  GStringChunk *strings; /* Owns the names above. */
} CulpritCapture;

typedef struct
{
  guint64 period_ns;        /* Of the cyclic task; 0 to infer it. */
  guint64 others_period_ns; /* Of other captures of the same run, where this one cannot tell; 0: not known. */
  guint64 others_period_error_ns;
  GHashTable *sha256_sizes; /* Sizes of files (GSIZE_TO_POINTER) whose SHA-256 is wanted; NULL: none. */
} CulpritCaptureOptions;

/* Reads the capture at @path, with the cycle log beside it where there is one, and accounts for every nanosecond of it.
 * Blocks; reads CPUs in parallel.
 * NULL with a CULPRIT_CAPTURE_ERROR, or G_IO_ERROR_CANCELLED. */
CulpritCapture *culprit_capture_read (const char *path,
                                      const CulpritCaptureOptions *options,
                                      GCancellable *cancellable,
                                      GError **error);

void culprit_capture_free (CulpritCapture *capture);

/* The outlier window; NULL where there is none. */
const CulpritWindow *culprit_capture_outlier (const CulpritCapture *capture);

static inline guint64
culprit_window_latency_ns (const CulpritWindow *window)
{
  return window->end_ns - window->start_ns;
}

/* What was not traced, in words that can follow "was not traced: "; NULL: nothing is known to be missing. The caller
 * owns it. */
char *culprit_coverage_in_words (guint depth, const char *functions, gboolean interrupts_missing);

/* Whether the kernel's own symbols were missing, so that functions are named by address only. */
gboolean culprit_capture_is_unnamed (const CulpritCapture *capture);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritCapture, culprit_capture_free)

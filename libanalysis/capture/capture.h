/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A capture, read and accounted for: what every function cost over all of it, the outlier window with its exact budget,
 * the ordinary windows, and what is missing.
 *
 * Times are nanoseconds. Instants are on the capture's own trace clock, the event's time in the ring buffer. The exact
 * meaning of each number is in culprit-study(5). */
#pragma once

#include <gio/gio.h>

#include "capture/windows/cycles.h"
#include "capture/windows/measured.h"
#include "spread.h"

/* The first bytes of a file that trace-cmd or Culprit saved. */
#define CULPRIT_CAPTURE_MAGIC "\x17\x08\x44tracing"
#define CULPRIT_CAPTURE_MAGIC_SIZE (sizeof CULPRIT_CAPTURE_MAGIC - 1)

/* What identifies a capture, wherever its file is: a digest of the file's bytes, as text of 64 characters.
 *
 * It is the XXH3-128 of the XXH3-128s of the file's blocks of 128 KiB (the last may be shorter), each hash in its
 * canonical form, in hexadecimal, followed by CULPRIT_DIGEST_KIND. Blocks can be hashed in any order while the capture
 * is being read from them, so that hashing costs next to nothing and covers exactly what was read. It is not a
 * signature: two captures with the same digest can be made on purpose.
 *
 * Studies of older versions identify captures by the file's SHA-256, 64 hexadecimal digits. */
#define CULPRIT_DIGEST_KIND "-xxh3-128-over-blocks-of-128-KiB"

/* The digest of the file at @path, of the same kind as @digest. The caller owns it. NULL with an error. */
char *culprit_digest_like (const char *digest, const char *path, GError **error);

/* What the CPU was running. */
typedef enum
{
  CULPRIT_CONTEXT_MEASURED, /* The task whose wake-ups are measured. */
  CULPRIT_CONTEXT_TASK,     /* Another task. */
  CULPRIT_CONTEXT_IDLE,
  CULPRIT_CONTEXT_HARDIRQ,
  CULPRIT_CONTEXT_SOFTIRQ,
  CULPRIT_CONTEXT_NMI,
  CULPRIT_CONTEXT_BLOCKED, /* No CPU ran the measured task: it waited to be woken. */
  CULPRIT_CONTEXTS,
} CulpritContext;

/* "measured", "task", "idle", "hardirq", "softirq", "nmi", "blocked". */
const char *culprit_context_name (CulpritContext context);

/* The context called @name; that of another task if there is none, as in a damaged study. */
CulpritContext culprit_context_named (const char *name);

/* What the CPU was running, for people. */
typedef struct
{
  const char *title;  /* "hardware interrupt" */
  const char *kind;   /* of what held the CPU, before its name: "interrupt"; NULL if nothing need be said */
  const char *inside; /* after a function: " (in an interrupt)", "" */
} CulpritContextWords;

extern const CulpritContextWords culprit_context_words[CULPRIT_CONTEXTS];

/* Who ended a blocked time, in words that can follow "until": the name of the task @source, or "an interrupt" if it is
 * "hardirq". */
const char *culprit_waker_in_words (const char *source);

/* Why the measured task did not run: "preempted by holder", "blocked in futex_wait until holder woke it". @who may be
 * empty, and so may @in, the call in which it waited. NULL: @context is neither another task nor blocked. The caller
 * owns it. */
char *culprit_kept_in_words (CulpritContext context, const char *who, const char *in);

/* Pseudo functions, by index: they own the time that belongs to no call. */
enum
{
  CULPRIT_FUNCTION_USER,         /* [user]: no traced function is on the task's stack */
  CULPRIT_FUNCTION_IDLE,         /* [idle]: the same for the idle task */
  CULPRIT_FUNCTION_NOT_CAPTURED, /* [not captured]: before the first event, between lost ones, or in a call whose entry
                                    and exit are both missing */
  CULPRIT_FUNCTION_BLOCKED,      /* [blocked]: the measured task was asleep */
  CULPRIT_FUNCTION_PSEUDO,       /* Their number; real functions follow. */
};

typedef struct
{
  const char *name;
  const char *module; /* Empty for the kernel itself. */
  guint ordinal;      /* Index among functions of the same name and module, by address. */

  /* Over the whole capture. Not for pseudo functions. */
  guint64 calls;
  guint64 self_ns;
  guint64 tracing_ns; /* The part of self_ns that is the tracer's. */
  guint64 total_ns;   /* Entry to exit; of recursive calls only the outermost. */
  guint64 off_cpu_ns; /* The part of total_ns in which the task was switched out. */
  guint64 truncated;  /* Calls whose entry or exit is missing. */
} CulpritFunction;

typedef struct
{
  guint cpu;
  guint64 events;
  guint64 first_ns;
  guint64 last_ns;
  guint64 losses;             /* How many times events were lost. */
  guint64 lost_events;        /* A loss of unknown size counts as one. */
  guint64 overwritten_events; /* Older than the first one kept: the ring buffer's overrun. */
  guint64 floors_ns[4];       /* The tracer's cost: entry-entry, entry-exit, exit-entry, exit-exit. */
} CulpritCpu;

typedef struct
{
  const char *event; /* "system:name"; "unknown:id" without a format description */
  guint64 count;
} CulpritEventCount;

/* Why a capture has no windows, in words that can follow "because": from the code and the number that the study stores.
 * The caller owns them. */
char *culprit_no_windows_in_words (const char *code, gint64 number);

/* The time of one event of its kind, e.g. of one wake-up. */
typedef struct
{
  gboolean outlier; /* The hit's window; ordinary otherwise. */
  guint cpu;
  gint32 pid;
  guint64 start_ns;
  guint64 end_ns;
  guint64 tracing_ns;      /* The part that is the tracer's. */
  guint64 not_captured_ns; /* The part that belongs to [not captured]. */
  guint64 uncertain_ns;    /* It may be earlier or later by this much. */
  guint layer;             /* Those of a layer are of one task, and do not overlap. */
  guint64 woken_ns;        /* when its task was woken, and by whom, as in CulpritPiece; 0: that is not known */
  gint32 waker;
  CulpritContext waker_context;
} CulpritWindow;

/* A part of a window: it lies on a CPU, whoever that runs, or its task is blocked. */
typedef struct
{
  guint window; /* its index */
  gboolean blocked;
  gboolean running; /* Its task runs, as scheduling events tell. */
  guint cpu;
  guint64 start_ns;
  guint64 end_ns;
  gint32 waker; /* the pid of the task that ends the blocking, or that an interrupt struck which does; -1: not known */
  CulpritContext waker_context; /* which of the two */
} CulpritPiece;

#define CULPRIT_NODE_NONE G_MAXUINT
#define CULPRIT_NODES_DEEPEST 64 /* below a source; a deeper call counts as one by the node above that depth */

/* A node of the tree of calls that ran in windows: a source, which had the CPU, or below it the calls of one function
 * by one path. A source is a task, by its command, or an interrupt, by the function that it began with: what an
 * interrupt calls belongs to it, not to the call that it struck. */
typedef struct
{
  guint parent; /* its index, lower than its own; CULPRIT_NODE_NONE: it is a source */
  guint depth;  /* below the source */
  CulpritContext context;
  const char *source;
  guint function;     /* not for a source */
  gboolean recursive; /* Its function is above it, too. */
  gint priority;      /* of a source that is a task, as counted by the kernel: lower is more urgent; -1: not known */
} CulpritNode;

/* What a node cost in one window, without what is below it. */
typedef struct
{
  guint node;
  guint64 calls;
  guint64 self_ns;
  guint64 tracing_ns;
  guint64 total_ns; /* from entry to exit, of all its calls */
  guint64 longest_stretch_ns;
  guint64 truncated;
  guint64 with_callees_ns; /* untraced, including what is below it */
} CulpritNodeCost;

/* The same over all ordinary windows, and the most in one of them. */
typedef struct
{
  guint64 windows; /* in which it, or something below it, ran */
  guint64 calls;
  guint64 self_ns;
  guint64 tracing_ns;
  guint64 calls_max;
  guint64 with_callees_max_ns; /* untraced */
} CulpritOrdinaryNode;

/* What a function, in one context, cost in the ordinary windows apart from the sums of its nodes. */
typedef struct
{
  guint function;
  CulpritContext context;
  guint64 windows; /* in which it occurs */
  guint64 calls_max;
  guint64 stretch_max_ns;    /* the longest stretch */
  double intrinsic_squared;  /* sum of squares of untraced self: self minus tracing */
  double intrinsic_untraced; /* sum of untraced self x (the window's latency minus its tracing) */
  CulpritSpread untraced_ns; /* of self minus tracing over the windows in which it occurs */
} CulpritOrdinaryPart;

/* The longest stretch of the outlier window without any event on its CPU. */
typedef struct
{
  guint64 start_ns;
  guint64 length_ns; /* 0: there is none */
  guint cpu;
  guint function;
  CulpritContext context;
  const char *before; /* the event at its beginning, "entry of NAME" or "exit of NAME"; "" at the window's */
  const char *after;  /* the event at its end, likewise */
  guint other_cpus;   /* on which a standstill would show: before, they never were silent for half as long */
  guint silent_cpus;  /* of these, those without an event in most of it */
} CulpritStall;

/* What a CPU may have disabled. */
typedef enum
{
  CULPRIT_HELD_INTERRUPTS,
  CULPRIT_HELD_PREEMPTION,
} CulpritHeld;

/* "interrupts", "preemption". */
const char *culprit_held_name (CulpritHeld held);

/* The sections of one kind, over the whole capture: the times of 20 us or more in which a CPU had interrupts, or
 * preemption, disabled at each of its function events, by the functions in which they were disabled and enabled. A
 * section is from its first such event to its last. */
typedef struct
{
  CulpritHeld kind;
  CulpritContext context; /* in which it began: task, softirq, hardirq or nmi */
  guint opened_by;
  guint closed_by; /* CULPRIT_FUNCTION_NOT_CAPTURED: the capture began, or ended, in it, or events were lost */
  guint64 count;
  guint64 held_ns;
  guint64 tracing_ns; /* The part that is the tracer's. */
  /* The one that is longest without tracing; the first of equals. */
  guint64 longest_ns;
  guint64 longest_tracing_ns;
  guint64 longest_gap_ns; /* It lasted up to this much longer: to the events before and after it. */
  guint64 longest_start_ns;
  guint longest_cpu;
  /* In the outlier window, on the CPU that it lies on at the time. */
  guint64 outlier_ns;
  guint64 outlier_tracing_ns;
  guint64 waits; /* in how many another task was to run, and waited for the end; the longest wait without tracing: */
  guint64 longest_wait_ns;
  guint64 longest_wait_tracing_ns;
} CulpritSection;

/* What was traced. The time of what was not is part of whatever was on top of the stack. */
typedef struct
{
  guint depth;     /* Calls at this depth or deeper were not traced, counted from 0; 0: all were. */
  char *functions; /* The only ones that were traced, with what they call: names separated by commas, "some" if they are
                      not known, or "all but" and names; NULL: all. */
  gint interrupts; /* Whether interrupts were traced: 1 or 0; -1: not known. */
} CulpritCoverage;

/* How the system identifies a file that was read. */
typedef struct
{
  guint64 device;
  guint64 inode;
  guint64 size_bytes;
  gint64 changed_ns; /* when it was last written to or renamed; 0: so recently that it may have changed since */
} CulpritFileIdentity;

typedef struct
{
  guint file_version;
  guint64 size_bytes;
  char *digest; /* Of the file: see CULPRIT_DIGEST_KIND. */
  char *sha256; /* Of the file, if its size was among sha256_sizes; else NULL. */
  CulpritFileIdentity identity;
  char *host;     /* Node name; "unknown" if the file does not contain it. */
  char *kernel;   /* Release; likewise. */
  char *machine;  /* Architecture; likewise. */
  char *instance; /* The buffer instance that was read; empty for the top-level one. */
  char *clock;
  guint64 first_ns;
  guint64 last_ns;
  guint64 events;
  guint64 function_events;
  guint64 lost_events;
  guint64 overwritten_events;
  guint64 truncated_calls;
  char *marker;             /* Text of the latency marker, or NULL. */
  guint64 trigger_ns;       /* The threshold that the marker states; 0 without a marker. */
  char *comm;               /* Name of the measured task, or NULL. */
  guint64 period_ns;        /* 0: not known */
  gint64 period_error_ns;   /* The period may be off by this much; -1: it was not inferred, or is not known. */
  gboolean period_given;    /* By the user, not inferred from the task's returns. */
  CulpritCycles *cycles;    /* The cycle log, from which period and windows were taken; NULL if there was none. */
  char *measured;           /* What its windows are: see measured.h. NULL: not known, as there are none. */
  const char *no_windows;   /* A code: why there is no outlier window; NULL if there is one. */
  gint64 no_windows_number; /* The CPU, or the number of windows or us, that the code is about; -1: none. */
  char *left_out;           /* The names of other buffers, of which functions were not read; NULL: none. */
  guint doubtful_windows;   /* Left out: an end and a beginning in them may have been lost. */

  CulpritCoverage coverage;
  GArray *functions;      /* of CulpritFunction, pseudo functions first */
  GArray *cpus;           /* of CulpritCpu */
  GArray *event_counts;   /* of CulpritEventCount, most frequent first */
  GArray *windows;        /* of CulpritWindow, in order of time */
  GArray *pieces;         /* of CulpritPiece: those of each window cover it, in order of time */
  GArray *nodes;          /* of CulpritNode */
  GArray *outlier_nodes;  /* of CulpritNodeCost: the outlier window, parents before what is below them */
  GArray *ordinary_nodes; /* of CulpritOrdinaryNode, by node; those after the last did not run */
  GArray *ordinary_parts; /* of CulpritOrdinaryPart */
  guint64 folded_calls;   /* whose path is not known, as there were too many: they are directly below their source */
  CulpritStall stall;
  GArray *sections; /* of CulpritSection */

  GStringChunk *strings; /* Owns the names above. */
} CulpritCapture;

typedef struct
{
  guint64 period_ns;        /* Of the cyclic task; 0 to infer it. */
  guint64 others_period_ns; /* Of other captures of the same run, if this capture's cannot be inferred; 0: not known. */
  guint64 others_period_error_ns;
  const char *measured;     /* What its windows are: see measured.h. NULL: what its log tells, else cycles. */
  guint64 threshold_ns;     /* The last of these that is longer is the outlier; 0: by its log, else the longest. */
  GHashTable *sha256_sizes; /* Sizes of files (GSIZE_TO_POINTER) whose SHA-256 is wanted; NULL: none. */
} CulpritCaptureOptions;

/* Reads the capture at @path, with its cycle log if there is one, and accounts for every nanosecond. Blocks; reads CPUs
 * in parallel. NULL with a CULPRIT_CAPTURE_ERROR or G_IO_ERROR_CANCELLED. */
CulpritCapture *culprit_capture_read (const char *path,
                                      const CulpritCaptureOptions *options,
                                      GCancellable *cancellable,
                                      GError **error);

void culprit_capture_free (CulpritCapture *capture);

/* The outlier window; NULL if there is none. */
const CulpritWindow *culprit_capture_outlier (const CulpritCapture *capture);

static inline guint64
culprit_window_latency_ns (const CulpritWindow *window)
{
  return window->end_ns - window->start_ns;
}

/* From which length on a stretch without any event is worth a look in a late wake-up of @latency_ns: a tenth of it, and
 * 10 us. */
static inline guint64
culprit_silence_least_ns (guint64 latency_ns)
{
  return MAX (latency_ns / 10, 10000);
}

/* What was not traced, in words that can follow "was not traced: "; NULL: nothing is known to be missing. The caller
 * owns the result. */
char *culprit_coverage_in_words (guint depth, const char *functions, gboolean interrupts_missing);

/* Whether the kernel's own symbols were missing, so that functions are named by address only. */
gboolean culprit_capture_is_unnamed (const CulpritCapture *capture);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritCapture, culprit_capture_free)

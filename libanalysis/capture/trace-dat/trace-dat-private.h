/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses a trace.dat file: its metadata, and where each CPU's ring buffer pages are.
 *
 * The container is parsed here rather than by libtracecmd, based on measurements: of 120 damaged files, libtracecmd
 * 3.1.6 reported 4, hung on one and read the others as if nothing were wrong; it keeps every decompressed chunk in
 * memory until close; and it parses all event formats of the kernel, while only a few are needed. Tests compare the
 * results for valid files with those of libtracecmd. */
#pragma once

#include "budgets.h"
#include "capture/events/builder-private.h"
#include "capture/events/bytes-private.h"
#include "capture/kept-private.h"
#include "capture/windows/filter.h"

/* Where the pages of a CPU are in the file. */
typedef struct
{
  guint cpu;
  guint64 offset;
  guint64 size;
} CpuData;

/* One ring buffer: the top-level one or an instance's. */
typedef struct
{
  char *name;  /* Empty for the top-level buffer. */
  char *clock; /* The selected trace clock. */
  guint32 page_size;
  gboolean compressed;
  GArray *cpus; /* of CpuData */
} FileBuffer;

/* Bytes of the file that belong to one item. */
typedef struct
{
  guint64 start;
  guint64 end;
} Extent;

/* A part of the file as it is stored: captures of one kernel have equal parts, which are parsed once. */
typedef struct
{
  guint id; /* OPTION_HEADER_INFO, OPTION_FTRACE_EVENTS, OPTION_EVENT_FORMATS, OPTION_KALLSYMS or OPTION_CMDLINES */
  gboolean compressed;
  guint8 *data;
  gsize size;
} FilePart;

typedef enum
{
  COMPRESSION_NONE,
  COMPRESSION_ZSTD,
  COMPRESSION_ZLIB,
} Compression;

typedef struct
{
  const Input *input; /* not owned */
  guint version;      /* 6 or 7 */
  gboolean swap;      /* The file is in the other byte order. */
  Compression compression;
  guint32 page_size;
  GPtrArray *parts;    /* of FilePart, in file order */
  char *uname;         /* "Linux host release version machine", or NULL. */
  char *clock;         /* The trace clock of the top-level buffer, or NULL. */
  GPtrArray *cpustats; /* Texts of per_cpu/cpu<n>/stats, in file order. */
  guint32 tsc_multiplier;
  guint32 tsc_shift;
  gint64 ts_offset;
  GPtrArray *buffers; /* of FileBuffer */
  GTree *extents;     /* of Extent, by their start: those that were claimed */
  gint64 *unpackable; /* how many more bytes may be decompressed; shared by threads */
  gint64 *decodable;  /* likewise, how many more bytes the events in compressed pages may take */
} TraceFile;

/* Reads the metadata of @input, which must outlive the result. */
TraceFile *trace_file_open (const Input *input, GError **error);
void trace_file_free (TraceFile *file);

/* The last part with @id; NULL if there is none. */
const FilePart *trace_file_part (const TraceFile *file, guint id);

/* Adds @part to a digest: its bytes, and all else that matters for how they are read. */
void file_part_digest (const TraceFile *file, const FilePart *part, XXH3_state_t *state);

/* Sets @bytes to the plain bytes of @part; the caller must free @unpacked. FALSE with an error. */
gboolean file_part_unpack (
    const TraceFile *file, const FilePart *part, guint8 **unpacked, Bytes *bytes, GError **error);

/* Decompresses @size bytes into exactly @plain_size bytes at @plain; FALSE if they do not decompress to that, or to
 * more than is in proportion to the file's size. */
gboolean trace_file_unpack (const TraceFile *file, const guint8 *packed, gsize size, guint8 *plain, gsize plain_size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TraceFile, trace_file_free)

/* Options that both layouts have. */
enum
{
  OPTION_DONE = 0,
  OPTION_CPUSTAT = 2,
  OPTION_BUFFER = 3,
  OPTION_TRACECLOCK = 4,
  OPTION_UNAME = 5,
  OPTION_OFFSET = 7,
  OPTION_TSC2NSEC = 14,
  OPTION_HEADER_INFO = 16,
  OPTION_FTRACE_EVENTS = 17,
  OPTION_EVENT_FORMATS = 18,
  OPTION_KALLSYMS = 19,
  OPTION_CMDLINES = 21,
};

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
  EVENT_WAKING,
  EVENT_TIMER_START,
  EVENT_TIMER_CANCEL,
  EVENT_MIGRATION,
} EventKind;

/* A number in an event; size 0 if the kernel has no such field. */
typedef struct
{
  guint offset;
  guint size;
} Field;

/* A task, in an event about tasks. */
typedef struct
{
  Field pid;
  Field priority;
} TaskFields;

/* An event that begins or ends windows. */
typedef struct
{
  guint id;
  Filter *filter; /* NULL: all */
  FilterKey *key; /* NULL: none */
} EventEnd;

/* The layout of a capture's pages and events, from its own format descriptions: it differs between kernels, so nothing
 * is taken from a struct. */
typedef struct
{
  /* Header of a sub-buffer. */
  guint commit_offset;
  guint commit_size;
  guint data_offset;

  /* Common to all events. */
  Field flags;
  Field preempt;
  guint8 preempt_bits; /* of it that are the preempt depth; 0: there is none */
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
  TaskFields left;    /* of EVENT_SWITCH: the task that leaves, */
  TaskFields arrived; /* and the one that arrives */
  Field left_state;
  guint switch_size;
  TaskFields woken; /* of EVENT_WAKING, and the CPU where it was last; of size 0: there is none */
  Field woken_ran_on;
  guint waking_size;
  Field timer; /* of EVENT_TIMER_START, */
  Field timer_expires;
  Field timer_function;
  guint timer_start_size;
  Field cancelled; /* of EVENT_TIMER_CANCEL */
  guint timer_cancel_size;
  Field migrated; /* of EVENT_MIGRATION: the pid, and the CPU that it goes to */
  Field migrated_to;
  guint migration_size;
  EventEnd *ends[2]; /* what begins and what ends windows between events; NULL: nothing does */

  const CulpritMeasured *measured; /* while the descriptions are read */
  GError *problem;                 /* with its events */

  guint8 kinds[65536]; /* EventKind by event id */
  guint n_ids;         /* all known ids are below this */
  GHashTable *names;   /* event id -> "system:event" */
} Formats;

/* Reads the descriptions of @file, also of the events that begin and end windows if @measured is between events. An
 * error if the pages cannot be read with them, or if there are no function_graph events. Free with formats_unref(). */
Formats *formats_new (const TraceFile *file, const CulpritMeasured *measured, GError **error);

/* Reads what a part with an id contains from @bytes, or only skips it if @formats is NULL. */
void formats_take (Formats *formats, guint id, Bytes *bytes);

void formats_unref (Formats *formats);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Formats, formats_unref)

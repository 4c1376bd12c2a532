/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses a trace.dat file: its metadata, and where each CPU's ring buffer pages are.
 *
 * The container is parsed here rather than by libtracecmd, based on measurements: of 120 damaged files, libtracecmd
 * 3.1.6 reported 4, hung on one and read the others as if nothing were wrong; it keeps every decompressed chunk in
 * memory until close; and it parses all event formats of the kernel, while only three are needed. Tests compare the
 * results for valid files with those of libtracecmd. */
#pragma once

#include "budgets.h"
#include "bytes-private.h"
#include "capture.h"
#include "digest-private.h"
#include <sys/stat.h>
#include <xxhash.h>

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
  guint id; /* OPTION_HEADER_INFO, OPTION_FTRACE_EVENTS, OPTION_EVENT_FORMATS or OPTION_KALLSYMS */
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
  char *path;
  int fd;
  guint64 size;
  struct stat status; /* when it was opened */
  Digest *digest;     /* of what is read of it; NULL: not wanted */
  guint version;      /* 6 or 7 */
  gboolean swap;      /* The file is in the other byte order. */
  Compression compression;
  guint32 page_size;
  GPtrArray *parts;    /* of FilePart, in file order */
  char *cmdlines;      /* Text, or NULL. */
  GHashTable *comms;   /* pid -> beginning of its name in cmdlines */
  char *uname;         /* "Linux host release version machine", or NULL. */
  char *clock;         /* The trace clock of the top-level buffer, or NULL. */
  GPtrArray *cpustats; /* Texts of per_cpu/cpu<n>/stats, in file order. */
  guint32 tsc_multiplier;
  guint32 tsc_shift;
  gint64 ts_offset;
  GPtrArray *buffers; /* of FileBuffer */
  GTree *extents;     /* of Extent, by their start: those that were claimed */
  gint64 *unpackable; /* how many more bytes may be decompressed; shared by threads */
} TraceFile;

/* Opens @path and reads its metadata. */
TraceFile *trace_file_open (const char *path, GError **error);
void trace_file_free (TraceFile *file);

/* From now on, digests what is read of the file. */
void trace_file_begin_digest (TraceFile *file);

/* The digest of the file, after it was read, and its SHA-256 if its size is among @sha256_sizes (may be NULL); the
 * caller owns them. FALSE with an error, also if the file changed since it was opened. */
gboolean trace_file_digest (const TraceFile *file,
                            GHashTable *sha256_sizes,
                            GCancellable *cancellable,
                            char **digest,
                            char **sha256,
                            GError **error);

/* The name of @pid in the saved command lines; NULL if it is not there. The caller owns it. */
char *trace_file_find_comm (const TraceFile *file, gint32 pid);

/* How the system identifies @file. */
CulpritFileIdentity trace_file_identity (const TraceFile *file);

/* Adds @part to a digest: its bytes, and all else that matters for how they are read. */
void file_part_digest (const TraceFile *file, const FilePart *part, XXH3_state_t *state);

/* Sets @bytes to the plain bytes of @part; the caller must free @unpacked. FALSE with an error. */
gboolean file_part_unpack (
    const TraceFile *file, const FilePart *part, guint8 **unpacked, Bytes *bytes, GError **error);

/* Reads the @size bytes at @offset into @data. */
gboolean trace_file_read_into (const TraceFile *file, guint8 *data, guint64 offset, guint64 size, GError **error);

/* The same, newly allocated. */
guint8 *trace_file_read_at (const TraceFile *file, guint64 offset, guint64 size, GError **error);

/* Sets @error: the file is damaged at @what. Returns FALSE. */
gboolean trace_file_damaged (const TraceFile *file, GError **error, const char *what, ...) G_GNUC_PRINTF (3, 4);

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

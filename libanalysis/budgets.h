/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What files from outside may cost: the limits of all readers. Everything else is limited by the size of the file:
 * extents of a capture may not overlap, so that each byte is read and counted once. */
#pragma once

/* Captures. */
#define MAX_CPUS 8192
#define MAX_BUFFERS 1000
#define MAX_SECTION (512 * 1024 * 1024) /* bytes of a section of the headers, uncompressed */
#define MAX_OPEN_CALLS (1 << 20)        /* of all tasks together */
#define MAX_CHUNK (64 * 1024 * 1024)    /* bytes of compressed pages, compressed and uncompressed */
#define MAX_WINDOWS 200000              /* of a capture; each is a row of the study */
#define HOLD_LEAST_NS 20000             /* Shorter times without interrupts or preemption are not kept. */
#define SECTIONS_MOST 1000 /* pairs of functions that begin and end longer ones; others count as one pair */
/* What a file may become, in bytes for each of its compressed bytes that are read, beyond what any file may: unpacked,
 * and as events in memory. Files of ftrace have about 20, and 10. */
#define UNPACKED_PER_BYTE 200
#define UNPACKED_ALLOWANCE (32 * 1024 * 1024)
#define DECODED_PER_BYTE 100
#define DECODED_ALLOWANCE (64 * 1024 * 1024)
/* What following tasks by its events may take, likewise, also of events that are not compressed. */
#define FOLLOWED_PER_BYTE 200
#define FOLLOWED_ALLOWANCE (32 * 1024 * 1024)
/* What of a file may be holes, for each byte that is in none, likewise: they cost nothing to make, and time to read. */
#define HOLES_PER_BYTE 4
#define HOLES_ALLOWANCE (1024 * 1024)
/* What the spans of its timeline may take, likewise. Real ones have about one. */
#define SHOWN_PER_BYTE 50
#define SHOWN_ALLOWANCE (64 * 1024 * 1024)

/* Numbers. Any double tells whole numbers up to the largest sum. */
#define MAX_SPAN_NS (1ull << 50) /* between any two events of a capture, or in a window: 13 days */
#define MAX_SUM (1ull << 53)     /* of times or counts, of a capture or a latency result */

/* JSON. */
#define JSON_DEEPEST 32             /* nesting; our own files have four levels */
#define JSON_LONGEST_LINE (1 << 20) /* of a recorder, or of a cycle log, which is a single line; see PROTOCOL.md */
#define JSON_MOST_MEMBERS 512       /* of an object in a line: its names are hashed by a known function */
#define JSON_LONGEST_FILE (32l * 1024 * 1024) /* of other tools */

/* Latency results of other tools, and the latencies of runs: study/sql/parts/too-large.sql has the same limits. */
#define MAX_LATENCY_FILE (1024l * 1024 * 1024)                 /* bytes */
#define MAX_LATENCY_NS G_GINT64_CONSTANT (1000000000000000000) /* 31 years: small multiples fit into 64 bits */
#define MAX_WIDTH_NS G_GINT64_CONSTANT (1000000000)            /* of a histogram's bins */
#define MAX_SUMMARIES 10000                                    /* of a file; each becomes a run */

/* Studies. */
#define STUDY_SMALL_SUM                                                                                                \
  (1ull << 42) /* Of such sums, a million of captures fit into 64 bits: nothing else is checked. */
#define STUDY_LONGEST_VALUE (64 * 1024 * 1024) /* bytes of a text, a blob or a row */
#define STUDY_LONGEST_NAME 1024                /* bytes: a name is repeated for each row that refers to it */

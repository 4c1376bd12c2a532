/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What files from outside may cost: all budgets of the readers. Beside these, everything is bounded by the file's own
 * size: no extent of a capture may overlap another, so that each byte is read and counted once. */
#pragma once

/* Captures. */
#define MAX_CPUS 8192
#define MAX_BUFFERS 1000
#define MAX_SECTION (512 * 1024 * 1024) /* bytes of a part of the headers, unpacked */
#define MAX_OPEN_CALLS (1 << 20)        /* of all tasks, as deep as their calls are said to be */
#define MAX_CHUNK (64 * 1024 * 1024)    /* bytes of compressed pages, before and after */
#define UNPACKED_PER_BYTE 200           /* of a compressed file, on the whole; those of ftrace have some 20 */
#define UNPACKED_ALLOWANCE (64 * 1024 * 1024)

/* JSON. */
#define JSON_DEEPEST 32                       /* brackets within brackets; ours have four */
#define JSON_LONGEST_LINE (1 << 20)           /* of a recorder, and of a cycle log, which is one; see PROTOCOL.md */
#define JSON_MOST_MEMBERS 512                 /* of an object in a line: its names are hashed in a way that is known */
#define JSON_LONGEST_FILE (32l * 1024 * 1024) /* of other tools */

/* Latency results of other tools. */
#define MAX_LATENCY_FILE (1024l * 1024 * 1024) /* bytes */

/* Studies. */
#define STUDY_LONGEST_VALUE (64 * 1024 * 1024) /* bytes of a text, a blob or a row */

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a capture, in the byte order chosen, of what a fuzzer's bytes decide. */
#pragma once

#include "choices.h"

typedef struct
{
  Choices choices;
  GByteArray *out;
  GArray *lengths; /* of gsize: where what may lie stands */
  gboolean big;    /* the byte order */
  guint version;
  gboolean packed;
  guint page_size;
  guint64 now_ns;
  guint depth; /* of calls */
} Maker;

void put (Maker *maker, const void *data, gsize size);
void put_text (Maker *maker, const char *text);
void put_number (Maker *maker, guint64 value, guint bytes);

/* A number that may lie; gives where it stands. */
gsize put_length (Maker *maker, guint64 value, guint bytes);

/* A text behind its length. */
void put_sized (Maker *maker, const char *text, guint bytes);

/* Writes over a number of @bytes that stands @at. */
void put_over (Maker *maker, gsize at, guint64 value, guint bytes);

/* The last @size bytes packed, with both lengths before them. */
void pack_last (Maker *maker, gsize size);

/* A CPU's pages of events; gives their size. */
gsize put_cpu (Maker *maker);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creates a capture, in the chosen byte order, from a fuzzer's bytes. */
#pragma once

#include "choices.h"

typedef struct
{
  Choices choices;
  GByteArray *out;
  GArray *lengths; /* of gsize: positions of numbers that may be wrong */
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

/* A number that may be wrong; returns its position. */
gsize put_length (Maker *maker, guint64 value, guint bytes);

/* A text after its length. */
void put_sized (Maker *maker, const char *text, guint bytes);

/* Overwrites a number of @bytes at the position @at. */
void put_over (Maker *maker, gsize at, guint64 value, guint bytes);

/* Compresses the last @size bytes, with both lengths before them. */
void pack_last (Maker *maker, gsize size);

/* A CPU's pages of events; returns their size. */
gsize put_cpu (Maker *maker);

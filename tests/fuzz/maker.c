/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the pieces of captures, and keeps track of the lengths that may be wrong. */
#include "maker.h"

#include <zstd.h>

void
put (Maker *maker, const void *data, gsize size)
{
  g_byte_array_append (maker->out, data, size);
}

void
put_text (Maker *maker, const char *text)
{
  put (maker, text, strlen (text) + 1);
}

static void
write_number (const Maker *maker, guint8 *to, guint64 value, guint bytes)
{
  for (guint i = 0; i < bytes; i++)
    to[maker->big ? bytes - 1 - i : i] = value >> 8 * i;
}

void
put_number (Maker *maker, guint64 value, guint bytes)
{
  guint8 number[8];

  write_number (maker, number, value, bytes);
  put (maker, number, bytes);
}

/* A number that may be wrong; returns its position. */
gsize
put_length (Maker *maker, guint64 value, guint bytes)
{
  gsize at = maker->out->len;

  g_array_append_val (maker->lengths, at);
  put_number (maker, value, bytes);
  return at;
}

void
put_over (Maker *maker, gsize at, guint64 value, guint bytes)
{
  write_number (maker, maker->out->data + at, value, bytes);
}

void
put_sized (Maker *maker, const char *text, guint bytes)
{
  put_length (maker, strlen (text), bytes);
  put (maker, text, strlen (text));
}

void
pack_last (Maker *maker, gsize size)
{
  gsize bound = ZSTD_compressBound (size);
  g_autofree guint8 *packed = g_malloc (bound);
  gsize length = ZSTD_compress (packed, bound, maker->out->data + maker->out->len - size, size, 1);

  g_byte_array_set_size (maker->out, maker->out->len - size);
  put_length (maker, length, 4);
  put_length (maker, size, 4);
  put (maker, packed, length);
}

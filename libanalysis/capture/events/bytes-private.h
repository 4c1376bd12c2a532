/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads numbers and strings from hostile bytes: every read is checked, and after one fails all further reads fail too,
 * so that a parser may check once at the end of a step. */
#pragma once

#include <glib.h>
#include <string.h>

typedef struct
{
  const guint8 *data;
  gsize size;
  gsize position;
  gboolean swap; /* The numbers are in the other byte order. */
  gboolean failed;
} Bytes;

/* The next @size bytes, or NULL if there are not that many. */
static inline const guint8 *
bytes_take (Bytes *bytes, guint64 size)
{
  const guint8 *start = bytes->data + bytes->position;

  if (bytes->failed || size > bytes->size - bytes->position)
    {
      bytes->failed = TRUE;
      return NULL;
    }
  bytes->position += size;
  return start;
}

/* load_u16() etc.: the number at @from; bytes_u16() etc.: the next number, 0 if there is none. */
#define DEFINE_NUMBER(bits)                                                                                            \
  static inline guint##bits load_u##bits (const guint8 *from, gboolean swap)                                           \
  {                                                                                                                    \
    guint##bits value;                                                                                                 \
                                                                                                                       \
    memcpy (&value, from, sizeof value);                                                                               \
    return swap ? GUINT##bits##_SWAP_LE_BE (value) : value;                                                            \
  }                                                                                                                    \
                                                                                                                       \
  static inline guint##bits bytes_u##bits (Bytes *bytes)                                                               \
  {                                                                                                                    \
    const guint8 *from = bytes_take (bytes, sizeof (guint##bits));                                                     \
                                                                                                                       \
    return from ? load_u##bits (from, bytes->swap) : 0;                                                                \
  }

DEFINE_NUMBER (16)
DEFINE_NUMBER (32)
DEFINE_NUMBER (64)

/* The next string, which must end within the bytes; NULL if it does not. */
static inline const char *
bytes_string (Bytes *bytes)
{
  const guint8 *start = bytes->data + bytes->position;
  const guint8 *end = bytes->failed ? NULL : memchr (start, 0, bytes->size - bytes->position);

  if (!end)
    {
      bytes->failed = TRUE;
      return NULL;
    }
  bytes->position += end - start + 1;
  return (const char *) start;
}

/* Whether the next @size bytes are @expected; skips them. */
static inline gboolean
bytes_expect (Bytes *bytes, const char *expected, gsize size)
{
  const guint8 *found = bytes_take (bytes, size);

  if (found && memcmp (found, expected, size) != 0)
    bytes->failed = TRUE;
  return !bytes->failed;
}

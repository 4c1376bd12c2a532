/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fuzzer's bytes as decisions: what is built from them is valid unless they decide otherwise. When they are used
 * up, every decision is 0. */
#pragma once

#include <glib.h>

typedef struct
{
  const guint8 *data;
  gsize size;
} Choices;

static inline guint8
choose_byte (Choices *choices)
{
  if (choices->size == 0)
    return 0;
  choices->size--;
  return *choices->data++;
}

/* A number below @n, which is at most 256. */
static inline guint
choose (Choices *choices, guint n)
{
  return choose_byte (choices) % n;
}

/* Any number of @bytes bytes. */
static inline guint64
choose_number (Choices *choices, guint bytes)
{
  guint64 number = 0;

  for (guint i = 0; i < bytes; i++)
    number = number << 8 | choose_byte (choices);
  return number;
}

/* A number that readers often get wrong. */
static inline guint64
choose_odd (Choices *choices)
{
  static const guint64 odd[] = { 0,
                                 1,
                                 3,
                                 7,
                                 0x7f,
                                 0xff,
                                 0x7fff,
                                 0xffff,
                                 0x7fffffff,
                                 0xffffffff,
                                 (guint64) G_MAXINT64,
                                 (guint64) G_MININT64,
                                 G_MAXUINT64,
                                 G_MAXUINT64 - 15 };

  return odd[choose (choices, G_N_ELEMENTS (odd))];
}

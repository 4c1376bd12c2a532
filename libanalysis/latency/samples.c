/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unpacks pairs of zigzag LEB128 numbers: the gap to the previous sample, and the latency. */
#include "samples.h"

#define MAX_NUMBER_SHIFT 63
#define MAX_LATENCY_NS ((gint64) 1 << 61)

/* Reads a number and advances. FALSE: there is none. */
static gboolean
unpack (const guint8 **at, const guint8 *end, gint64 *value)
{
  guint64 number = 0;

  for (guint shift = 0; *at < end && shift <= MAX_NUMBER_SHIFT; shift += 7)
    {
      guint8 byte = *(*at)++;

      number |= (guint64) (byte & 0x7f) << shift;
      if (byte & 0x80)
        continue;
      *value = (gint64) (number >> 1) ^ -(gint64) (number & 1);
      return TRUE;
    }
  return FALSE;
}

CulpritProfile *
culprit_samples_unpack (const guint8 *packed, gsize size, gint64 cycles)
{
  g_autoptr (CulpritProfile) profile = culprit_profile_new (1);
  const guint8 *at = packed;
  const guint8 *end = packed + size;
  gint64 gap_ns;
  gint64 latency_ns;

  for (gint64 i = 0; i < cycles; i++)
    {
      if (!unpack (&at, end, &gap_ns) || !unpack (&at, end, &latency_ns) || latency_ns <= -MAX_LATENCY_NS ||
          latency_ns >= MAX_LATENCY_NS)
        return NULL;
      culprit_profile_add (profile, latency_ns, 1);
    }
  culprit_profile_finish (profile);
  return at == end ? g_steal_pointer (&profile) : NULL;
}

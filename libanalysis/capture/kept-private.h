/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was read of the parts that captures of one kernel have in common, kept for the next of them: reading the same
 * symbols and descriptions again takes longer than a small capture itself. What was used last is kept, up to 24 MB of
 * each kind, for the whole program; several threads may use it. */
#pragma once

#include <glib.h>
#include <xxhash.h>

typedef enum
{
  KEPT_SYMBOLS,
  KEPT_FORMATS,
  KEPT_KINDS,
} KeptKind;

/* What was read of bytes with the digest @key, as a reference that the caller owns; NULL: it is not kept. */
gpointer kept_find (KeptKind kind, XXH128_hash_t key);

/* Keeps @read, made by g_atomic_rc_box_new() and not changed any more, by a reference of its own; it takes @size
 * bytes, and @clear clears it when nobody uses it any more. */
void kept_add (KeptKind kind, XXH128_hash_t key, gpointer read, gsize size, GDestroyNotify clear);

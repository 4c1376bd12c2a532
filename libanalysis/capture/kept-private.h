/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cache of what was read of parts that captures of one kernel share: reading the same symbols and descriptions again
 * takes longer than reading a small capture. The most recently used are kept, up to 24 MB of each kind, for the whole
 * program; several threads may use it. */
#pragma once

#include <glib.h>
#include <xxhash.h>

typedef enum
{
  KEPT_SYMBOLS,
  KEPT_FORMATS,
  KEPT_KINDS,
} KeptKind;

/* Begins the digest of the bytes that are read, a key of the cache. It depends on bytes drawn at the start of the
 * program: who could find others with the same digest would give his symbols to captures that are read after his. The
 * caller ends it with kept_key(). */
XXH3_state_t *kept_key_begin (void);

/* The digest of what @state was told; frees it. */
XXH128_hash_t kept_key (XXH3_state_t *state);

/* What was read of bytes with the digest @key, as a reference that the caller owns; NULL: not in the cache. */
gpointer kept_find (KeptKind kind, XXH128_hash_t key);

/* Keeps a reference to @read, which was made by g_atomic_rc_box_new() and does not change any more; it takes @size
 * bytes, and @clear clears it when it is no longer used. */
void kept_add (KeptKind kind, XXH128_hash_t key, gpointer read, gsize size, GDestroyNotify clear);

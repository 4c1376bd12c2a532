/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of a kernel: maps addresses of a capture to functions that can be compared between boots, by name,
 * module, and ordinal among functions of equal name. */
#pragma once

#include "capture/kept-private.h"

typedef struct
{
  guint64 address;
  const char *name;
  const char *module; /* Empty for the kernel itself. */
  guint32 ordinal;    /* 0 for the first of that name and module, by address. */
} Symbol;

typedef struct
{
  GStringChunk *strings; /* the names */
  GArray *symbols;       /* of Symbol, by address */
  guint32 *slots;        /* a hash table of the names: symbol index plus one; 0: empty */
  guint slot_bits;
  gsize size; /* of everything here, approximately */
} Symbols;

/* Reads @text, of at most @size bytes, lines as in /proc/kallsyms: "ffffffff81000000 T name\t[module]". Free with
 * symbols_unref(). NULL: they would take more than @room bytes. */
Symbols *symbols_new (const char *text, gsize size, gint64 room);

/* Keeps @symbols for other captures that have what @key is the digest of. */
void symbols_keep (Symbols *symbols, XXH128_hash_t key);

void symbols_unref (Symbols *symbols);

/* The function that contains @address; NULL if it is not known. */
const Symbol *symbols_find (const Symbols *symbols, guint64 address);

/* Whether the kernel itself has the function @name. */
gboolean symbols_has (const Symbols *symbols, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Symbols, symbols_unref)

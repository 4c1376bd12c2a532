/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of a kernel: from the addresses in a capture to functions that meet those of other boots, by a name, a
 * module, and the ordinal among functions of equal name. */
#pragma once

#include "file-private.h"

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
  guint32 *slots;        /* a hash table of the names: an index among the symbols plus one; 0: free */
  guint slot_bits;
  gsize size; /* of all this, about */
} Symbols;

/* Reads the symbols of @file; none are there if it has none. Free with symbols_unref(). NULL with an error. */
Symbols *symbols_new (const TraceFile *file, GError **error);

void symbols_unref (Symbols *symbols);

/* The function that @address belongs to; NULL if it is not known. */
const Symbol *symbols_find (const Symbols *symbols, guint64 address);

/* Whether the kernel itself has the function @name. */
gboolean symbols_has (const Symbols *symbols, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Symbols, symbols_unref)

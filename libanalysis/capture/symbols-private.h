/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the addresses in a capture to functions that meet those of other boots:
 * a name, a module, and the ordinal among functions of equal name. */
#pragma once

#include <glib.h>

typedef struct
{
  char *name;    /* "0x..." where the kernel's symbols do not tell. */
  char *module;  /* Empty for the kernel itself. */
  guint ordinal; /* 0 for the first of that name and module, by address. */
} Symbol;

/* The symbol of each of @addresses (of guint64), in their order; a GArray of Symbol that the caller owns.
 * @kallsyms is the text of /proc/kallsyms, or NULL. */
GArray *symbols_resolve (const char *kallsyms, const GArray *addresses);

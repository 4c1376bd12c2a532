/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Somebody else at work in the same folder: preloaded, it moves PLACED_FROM to PLACED_TO when a program opens
 * PLACED_FOR for the PLACED_AT-th time. */
#define _GNU_SOURCE 1

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
open64 (const char *path, int flags, ...)
{
  static atomic_int opened;
  int (*usual) (const char *, int, ...) = (int (*) (const char *, int, ...)) dlsym (RTLD_NEXT, "open64");
  va_list values;
  int mode;

  va_start (values, flags);
  mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg (values, int) : 0;
  va_end (values);
  if (strcmp (path, getenv ("PLACED_FOR")) == 0 && atomic_fetch_add (&opened, 1) + 1 == atoi (getenv ("PLACED_AT")))
    rename (getenv ("PLACED_FROM"), getenv ("PLACED_TO"));
  return usual (path, flags, mode);
}

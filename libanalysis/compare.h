/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compare two numbers by their addresses, to sort and to search. */
#pragma once

#include <glib.h>

static inline int
compare_uint (gconstpointer a, gconstpointer b)
{
  const guint *left = a;
  const guint *right = b;

  return (*left > *right) - (*left < *right);
}

static inline int
compare_int64 (gconstpointer a, gconstpointer b)
{
  const gint64 *left = a;
  const gint64 *right = b;

  return (*left > *right) - (*left < *right);
}

static inline int
compare_double (gconstpointer a, gconstpointer b)
{
  const double *left = a;
  const double *right = b;

  return (*left > *right) - (*left < *right);
}

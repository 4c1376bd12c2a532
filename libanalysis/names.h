/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of functions and hosts. */
#pragma once

#include <glib.h>

/* Whether @name is "[user]", "[idle]" or "[not captured]": time that belongs to no call. */
static inline gboolean
culprit_name_is_pseudo (const char *name)
{
  return *name == '[';
}

/* A function's @name as people see it: 334 of a kernel's names stand at several addresses, and the second function of a
 * name is "NAME#2". @ordinal: counted from 0. The caller owns it. */
static inline char *
culprit_function_label (const char *name, guint ordinal)
{
  return ordinal > 0 ? g_strdup_printf ("%s#%u", name, ordinal + 1) : g_strdup (name);
}

/* What a function is known by: its label, and the module that it is in, if any. No other has the same. The caller owns
 * it. */
static inline char *
culprit_function_key (const char *name, const char *module, guint ordinal)
{
  g_autofree char *label = culprit_function_label (name, ordinal);

  return *module ? g_strdup_printf ("%s [%s]", label, module) : g_steal_pointer (&label);
}

/* What a host is called of which uname(2) tells @name; NULL: it tells none. */
static inline const char *
culprit_name_of_host (const char *name)
{
  if (!name)
    return "unknown";
  return *name && !g_str_equal (name, "(none)") ? name : "unnamed";
}

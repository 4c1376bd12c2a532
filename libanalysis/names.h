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

/* What a host is called of which uname(2) tells @name; NULL: it tells none. */
static inline const char *
culprit_name_of_host (const char *name)
{
  if (!name)
    return "unknown";
  return *name && !g_str_equal (name, "(none)") ? name : "unnamed";
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands for no function of the kernel's in the names of functions. */
#pragma once

#include <glib.h>

/* Whether @name is "[user]", "[idle]" or "[not captured]": time that belongs to no call. */
static inline gboolean
culprit_name_is_pseudo (const char *name)
{
  return *name == '[';
}

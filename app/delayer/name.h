/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be delayed: FUNCTION or MODULE:FUNCTION. All that ask for it, or are asked, agree on that. */
#pragma once

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define DELAY_LONGEST_NAME 200
#define DELAY_NO_NAME "\"%s\" is no name of a function; expected FUNCTION or MODULE:FUNCTION"

static inline bool
delay_is_name (const char *text)
{
  size_t length = strlen (text);

  for (const char *at = text; *at; at++)
    if (!isalnum ((unsigned char) *at) && !strchr ("_.:$", *at))
      return false;
  return length > 0 && length <= DELAY_LONGEST_NAME;
}

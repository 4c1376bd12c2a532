/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers start one thread per processor, which takes longer than reading a fuzzer's input. */
#include <glib.h>

guint
g_get_num_processors (void)
{
  return 1;
}

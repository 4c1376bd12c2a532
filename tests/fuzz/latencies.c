/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the reader of other tools' latency results: a result that is accepted has profiles that add up and can be
 * described. */
#include "latency/description.h"
#include "latency/tools/read.h"
#include "units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
require_sound (const CulpritProfile *profile)
{
  guint64 n = 0;

  for (guint i = 0; i < profile->bins->len; i++)
    {
      if (i > 0 && culprit_profile_bin (profile, i)->latency_ns <= culprit_profile_bin (profile, i - 1)->latency_ns)
        abort ();
      n += culprit_profile_bin (profile, i)->count;
    }
  if (n != profile->n || n == 0)
    abort ();
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (CulpritLatencyFile) file = NULL;

  culprit_numbers_init ();
  memcpy (text, data, size);
  file = culprit_latency_parse ("x.txt", text, size, 0, NULL, &error);
  if (!file == !error || (error && strchr (error->message, '\n')))
    abort ();
  for (guint i = 0; file && i < file->profiles->len; i++)
    require_sound (((const CulpritNamedProfile *) g_ptr_array_index (file->profiles, i))->profile);
  return 0;
}

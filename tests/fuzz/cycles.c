/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the reader of cycle logs: a log that is accepted must be consistent. */
#include "capture/windows/cycles.h"
#include "json.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
require_sound (const CulpritCycles *log)
{
  const CulpritCycle *last = NULL;

  if (log->cycles->len == 0 || log->period_ns == 0 || log->pid < 0)
    abort ();
  for (guint i = 0; i < log->cycles->len; i++)
    {
      const CulpritCycle *cycle = &g_array_index (log->cycles, CulpritCycle, i);

      if (last && cycle->expected_ns <= last->expected_ns)
        abort ();
      last = cycle;
    }
  if (last->observed_ns <= last->expected_ns)
    abort ();
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (JsonNode) root = json_parse_bounded ((const char *) data, size, JSON_LONGEST_LINE, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (CulpritCycles) log = root ? culprit_cycles_from_json (root, "x.json", &error) : NULL;

  if (log)
    require_sound (log);
  if (error && (log || strchr (error->message, '\n')))
    abort ();
  return 0;
}

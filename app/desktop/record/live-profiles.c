/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recorder sends samples after each capture, at the end of a run, and whenever it has some ten thousand; between
 * these there are only sums, of which no histogram can be drawn. */
#include "record/live-profiles.h"

enum
{
  UNTRACED,
  TRACED,
  KINDS,
};

struct _LiveProfiles
{
  CulpritProfile *profiles[KINDS]; /* NULL: nothing yet */
};

LiveProfiles *
live_profiles_new (void)
{
  return g_new0 (LiveProfiles, 1);
}

void
live_profiles_free (LiveProfiles *live)
{
  for (guint kind = 0; kind < KINDS; kind++)
    g_clear_pointer (&live->profiles[kind], culprit_profile_free);
  g_free (live);
}

gboolean
live_profiles_take (LiveProfiles *live, const CulpritMessage *message)
{
  CulpritProfile **place = &live->profiles[message->traced ? TRACED : UNTRACED];

  if (message->type != CULPRIT_MESSAGE_SAMPLES)
    return FALSE;
  if (!*place)
    *place = culprit_profile_new (1);
  culprit_profile_add_all (*place, message->samples.latencies);
  culprit_profile_finish (*place);
  return TRUE;
}

Chart *
live_profiles_chart (const LiveProfiles *live)
{
  static const char *const names[KINDS] = { "tracing off", "tracing on" };
  ChartSeries series[KINDS];
  guint n = 0;

  for (guint kind = 0; kind < KINDS; kind++)
    if (live->profiles[kind] && live->profiles[kind]->n > 0)
      series[n++] = (ChartSeries) { names[kind], live->profiles[kind], kind };
  return n > 0 ? chart_new (CHART_HISTOGRAM, series, n, CULPRIT_FITS, CHART_SCALE_AUTOMATIC) : NULL;
}

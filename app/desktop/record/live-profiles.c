/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recorder sends samples after each capture, at the end of a run, and whenever it has some ten thousand; between
 * these there are only sums, of which no histogram can be drawn. */
#include "record/live-profiles.h"

#include "json-private.h"
#include "study/record.h"

enum
{
  UNTRACED,
  TRACED,
  KINDS,
};

struct _LiveProfiles
{
  CulpritProfile *profiles[KINDS]; /* NULL: nothing yet */
  guint kind;                      /* of the present run */
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

/* Puts @more, which it takes, to the others of the run's kind. */
static void
add (LiveProfiles *live, CulpritProfile *more)
{
  CulpritProfile **place = &live->profiles[live->kind];
  g_autoptr (GPtrArray) both = g_ptr_array_new_with_free_func ((GDestroyNotify) culprit_profile_free);

  if (*place)
    g_ptr_array_add (both, *place);
  g_ptr_array_add (both, more);
  *place = culprit_profile_sum (both);
}

gboolean
live_profiles_take (LiveProfiles *live, JsonObject *line)
{
  const char *type = json_member_text (line, "type");
  CulpritProfile *more;

  if (g_strcmp0 (type, "run") == 0)
    live->kind = g_strcmp0 (json_member_text (line, "tracing"), "on") == 0 ? TRACED : UNTRACED;
  if (g_strcmp0 (type, "samples") != 0)
    return FALSE;
  more = culprit_samples_profile (line);
  if (more)
    add (live, more);
  return more != NULL;
}

Chart *
live_profiles_chart (const LiveProfiles *live)
{
  static const char *const names[KINDS] = { "tracing off", "tracing on" };
  ChartSeries series[KINDS];
  guint n = 0;

  for (guint kind = 0; kind < KINDS; kind++)
    if (live->profiles[kind] && live->profiles[kind]->n > 0)
      series[n++] = (ChartSeries) { names[kind], live->profiles[kind] };
  return n > 0 ? chart_new (CHART_HISTOGRAM, series, n, CULPRIT_FITS) : NULL;
}

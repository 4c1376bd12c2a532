/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures that tools print below a histogram for each thread: number of latencies, minimum, mean, maximum, and how
 * many were above the histogram's end, about which nothing else is known. */
#include "read-private.h"

#include "budgets.h"

#include <math.h>
#include <string.h>

void
reader_leave_out (CulpritNamedProfile *profile, double n)
{
  profile->overflows = MIN (profile->overflows + (guint64) fmin (fmax (n, 0), MAX_SUM), MAX_SUM);
}

void
reader_tell (const Reader *reader, CulpritNamedProfile *profile, const ThreadTold *thread)
{
  CulpritTold *told;
  double sum;

  reader_leave_out (profile, thread->above);
  if (!(thread->n > 0) || !isfinite (thread->min) || !isfinite (thread->mean) || !isfinite (thread->max))
    return;
  if (!profile->profile->told)
    profile->profile->told = culprit_told_new ();
  told = profile->profile->told;
  sum = profile->told_n > 0 ? told->mean_ns * profile->told_n : 0;
  sum += thread->mean * reader->unit_ns * thread->n;
  profile->told_n += thread->n;
  told->mean_ns = sum / profile->told_n;
  told->min_ns = fmin (told->min_ns, thread->min * reader->unit_ns);
  told->max_ns = fmax (told->max_ns, thread->max * reader->unit_ns);
}

void
read_told_line (const char *line, const ToldTitles *titles, ThreadTold *columns)
{
  const struct
  {
    const char *title;
    gsize offset;
  } kinds[] = {
    { titles->n, G_STRUCT_OFFSET (ThreadTold, n) },         { titles->min, G_STRUCT_OFFSET (ThreadTold, min) },
    { titles->mean, G_STRUCT_OFFSET (ThreadTold, mean) },   { titles->max, G_STRUCT_OFFSET (ThreadTold, max) },
    { titles->above, G_STRUCT_OFFSET (ThreadTold, above) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const char *at = g_str_has_prefix (line, kinds[i].title) ? line + strlen (kinds[i].title) : NULL;

      for (guint column = 1; at && column < READ_MAX_COLUMNS; column++)
        {
          char *end;

          G_STRUCT_MEMBER (double, &columns[column], kinds[i].offset) = g_ascii_strtoull (at, &end, 10);
          at = end != at ? end : NULL;
          if (!at)
            G_STRUCT_MEMBER (double, &columns[column], kinds[i].offset) = 0;
        }
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the ordinary windows with less than a late one, from the spread that the study stores. */
#include "standing.h"

#include "spread.h"
#include "statement-private.h"
#include "units.h"

#include <math.h>

/* In how many of the windows in which the function ran it took less than @untraced_ns. */
static gint64
count_less (Statement *row, gint64 untraced_ns)
{
  CulpritSpread spread = { .max = sqlite3_column_int64 (row, 5) };
  guint bucket = culprit_bucket_of (MAX (untraced_ns, 0));
  gint64 less = 0;

  culprit_spread_add_packed (&spread, sqlite3_column_blob (row, 6), sqlite3_column_bytes (row, 6));
  for (guint i = 0; spread.buckets && i < spread.buckets->len; i++)
    {
      const CulpritBucket *counted = &g_array_index (spread.buckets, CulpritBucket, i);

      if (counted->bucket < bucket || untraced_ns > sqlite3_column_int64 (row, 5))
        less += counted->count;
    }
  culprit_spread_clear (&spread);
  return less;
}

static CulpritStanding
read_standing (Statement *row)
{
  CulpritStanding standing = { .ordinary = sqlite3_column_int64 (row, 0),
                               .calls = sqlite3_column_int64 (row, 1),
                               .untraced_ns = sqlite3_column_int64 (row, 2),
                               .mean_ns = sqlite3_column_double (row, 4) };
  gint64 ran = sqlite3_column_int64 (row, 3);

  if (ran > 0 && sqlite3_column_type (row, 6) == SQLITE_NULL)
    standing.ordinary_less = -1;
  else
    standing.ordinary_less =
        (standing.untraced_ns > 0 ? standing.ordinary - ran : 0) + count_less (row, standing.untraced_ns);
  return standing;
}

gboolean
culprit_query_standing (CulpritStudy *study,
                        gint64 capture,
                        const char *key,
                        CulpritContext context,
                        CulpritStanding *standing,
                        GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "standing", error);
  gboolean row;

  *standing = (CulpritStanding) { 0 };
  if (!statement)
    return FALSE;
  statement_bind_named (statement, "i:capture t:key t:context", capture, key, culprit_context_name (context));
  if (!statement_step (study, statement, &row, error))
    return FALSE;
  if (row)
    *standing = read_standing (statement);
  return TRUE;
}

char *
culprit_standing_in_words (const CulpritStanding *standing)
{
  GString *text = g_string_new (NULL);
  g_autofree char *untraced = culprit_time_format (standing->untraced_ns);
  g_autofree char *mean = culprit_time_format (llround (standing->mean_ns));

  if (standing->calls == 0 && standing->untraced_ns == 0)
    g_string_append (text, "Did not run in this late wake-up");
  else
    g_string_append_printf (text, "%" G_GINT64_FORMAT " call%s in this late wake-up, %s without the tracer",
                            standing->calls, culprit_plural (standing->calls), untraced);
  if (standing->ordinary == 0)
    g_string_append (text, "; there are no ordinary ones");
  else if (standing->ordinary_less < 0 || standing->untraced_ns == 0)
    g_string_append_printf (text, "; ordinary mean %s", mean);
  else if (standing->ordinary_less == 0)
    g_string_append_printf (text, ": not more than in any of %" G_GINT64_FORMAT " ordinary ones (mean %s)",
                            standing->ordinary, mean);
  else if (standing->ordinary_less == standing->ordinary)
    g_string_append_printf (text, ": more than in any of %" G_GINT64_FORMAT " ordinary ones (mean %s)",
                            standing->ordinary, mean);
  else
    g_string_append_printf (text, ": more than in %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " ordinary ones (mean %s)",
                            standing->ordinary_less, standing->ordinary, mean);
  return g_string_free (text, FALSE);
}

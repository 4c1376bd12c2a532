/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says which captures were stored without windows, and why: they are in no table of late wake-ups. */
#include "query-private.h"

#define MOST_NAMED 3 /* captures in a sentence */

/* Captures that have no windows for the same reason. */
typedef struct
{
  char *reason;
  GString *named;
  guint captures;
} Group;

/* "Captures 3, 7, 9 and 2 more have no windows, each because it has no latency marker."; if they are not @numbered, "5
 * captures have ...". Ends @group. */
static char *
in_words (Group *group, gboolean numbered)
{
  guint more = group->captures - MIN (group->captures, MOST_NAMED);
  g_autofree char *others = more > 0 ? g_strdup_printf (" and %u more", more) : g_strdup ("");
  const char *plural = group->captures > 1 ? "s" : "";
  g_autofree char *which = numbered ? g_strdup_printf ("Capture%s %s%s", plural, group->named->str, others)
                                    : g_strdup_printf ("%u capture%s", group->captures, plural);
  char *words =
      g_strdup_printf (group->captures > 1 ? "%s have no windows, each because %s." : "%s has no windows, because %s.",
                       which, group->reason);

  g_free (group->reason);
  g_string_free (group->named, TRUE);
  *group = (Group) { NULL };
  return words;
}

GPtrArray *
culprit_query_without_windows (CulpritStudy *study, const CulpritFilter *filter, gboolean numbered, GError **error)
{
  const CulpritFilter everything = { 0 };
  g_autoptr (Statement) statement = statement_named (study, "without-windows", error);
  g_autoptr (GPtrArray) sentences = g_ptr_array_new_with_free_func (g_free);
  Group group = { NULL };
  gboolean row = statement != NULL;

  if (!statement)
    return NULL;
  query_bind_filter (statement, filter ? filter : &everything);
  while (row && !(filter && filter->where))
    {
      gboolean good = statement_step (study, statement, &row, error);

      if (group.reason && (!good || !row || !g_str_equal (group.reason, statement_text (statement, 0))))
        g_ptr_array_add (sentences, in_words (&group, numbered));
      if (!good)
        return NULL;
      if (!row)
        break;
      if (!group.reason)
        group = (Group) { g_strdup (statement_text (statement, 0)), g_string_new (NULL), 0 };
      if (group.captures++ < MOST_NAMED)
        g_string_append_printf (group.named, "%s%" G_GINT64_FORMAT, group.captures > 1 ? ", " : "",
                                (gint64) sqlite3_column_int64 (statement, 1));
    }
  return g_steal_pointer (&sentences);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs NAME, NAME-1, NAME-2... belong together, as everywhere in a study. */
#include "compare/choices.h"

#include <string.h>

CompareChoice *
compare_choice_copy (const CompareChoice *choice)
{
  CompareChoice *copy = g_new (CompareChoice, 1);

  *copy = (CompareChoice) { g_strdup (choice->label), g_strdup (choice->title), choice->runs, choice->member,
                            choice->untraced };
  return copy;
}

void
compare_choice_free (CompareChoice *choice)
{
  g_free (choice->label);
  g_free (choice->title);
  g_free (choice);
}

/* @name without a number behind it. The caller owns it. */
static char *
stem_of (const char *name)
{
  const char *dash = strrchr (name, '-');

  if (!dash || dash == name || dash[1] == '\0' || strspn (dash + 1, "0123456789") != strlen (dash + 1))
    return g_strdup (name);
  return g_strndup (name, dash - name);
}

/* "off", "cyclic/off", "busy-off". */
static gboolean
is_called_off (const char *stem)
{
  gsize length = strlen (stem);

  return g_str_has_suffix (stem, "off") && (length == 3 || strchr ("/-_. ", stem[length - 4]) != NULL);
}

static gboolean
is_untraced (const char *name, const CulpritTable *runs)
{
  g_autofree char *stem = stem_of (name);

  for (guint i = 0; i < culprit_table_rows (runs); i++)
    if (g_str_equal (culprit_table_text (runs, i, "run"), name) &&
        g_str_equal (culprit_table_text (runs, i, "tracing"), "off"))
      return TRUE;
  return is_called_off (stem);
}

/* @one: the run, or one of them. */
static CompareChoice *
choice_new (const char *label, const CulpritLatencies *one, const CulpritTable *table, guint runs, gboolean member)
{
  CompareChoice *choice = g_new (CompareChoice, 1);

  *choice =
      (CompareChoice) { g_strdup (label), runs > 1 ? g_strdup_printf ("%s (%u runs)", label, runs) : g_strdup (label),
                        runs, member, is_untraced (one->name, table) };
  return choice;
}

static gboolean
has_spread (const CulpritLatencies *one)
{
  if (one->description)
    return one->description->moments.n >= 2 && one->description->moments.sd_ns > 0;
  return !one->facts.whole && one->facts.summary.n >= 2 && one->facts.summary.sd_ns > 0;
}

/* How many runs of which every latency is known have the stem @stem. */
static guint
count_stem (const GPtrArray *latencies, const char *stem)
{
  guint count = 0;

  for (guint i = 0; i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);
      g_autofree char *own = stem_of (one->name);

      count += one->profile && g_str_equal (own, stem);
    }
  return count;
}

GPtrArray *
compare_choices (const GPtrArray *latencies, const CulpritTable *runs)
{
  GPtrArray *choices = g_ptr_array_new_with_free_func ((GDestroyNotify) compare_choice_free);
  g_autoptr (GPtrArray) members = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);
      g_autofree char *stem = stem_of (one->name);
      guint together = one->profile ? count_stem (latencies, stem) : 0;

      if (!has_spread (one))
        continue;
      g_ptr_array_add (together > 1 ? members : choices, choice_new (one->name, one, runs, 1, together > 1));
      if (together > 1 && !g_hash_table_contains (seen, stem))
        {
          g_ptr_array_add (choices, choice_new (stem, one, runs, together, FALSE));
          g_hash_table_add (seen, g_steal_pointer (&stem));
        }
    }
  g_ptr_array_extend_and_steal (choices, g_steal_pointer (&members));
  return choices;
}

guint
compare_choices_base (const GPtrArray *choices, const char *title)
{
  for (guint i = 0; title && i < choices->len; i++)
    if (g_str_equal (((const CompareChoice *) g_ptr_array_index (choices, i))->title, title))
      return i;
  for (guint i = 0; i < choices->len; i++)
    if (((const CompareChoice *) g_ptr_array_index (choices, i))->untraced)
      return i;
  return 0;
}

static guint
count_whole (const GPtrArray *choices)
{
  guint count = 0;

  for (guint i = 0; i < choices->len; i++)
    count += !((const CompareChoice *) g_ptr_array_index (choices, i))->member;
  return count;
}

gboolean
compare_choices_beside (const GPtrArray *choices, guint base, guint place)
{
  const CompareChoice *choice = g_ptr_array_index (choices, place);
  const CompareChoice *against = g_ptr_array_index (choices, base);

  if (place == base)
    return FALSE;
  if (count_whole (choices) < 2)
    return choice->member;
  return against->member ? choice->runs == 1 : !choice->member;
}

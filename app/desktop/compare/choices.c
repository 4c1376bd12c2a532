/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs NAME, NAME-1, NAME-2... belong together, as everywhere in a study. */
#include "compare/choices.h"

#include <string.h>

CompareChoice *
compare_choice_copy (const CompareChoice *choice)
{
  CompareChoice *copy = g_new (CompareChoice, 1);

  *copy = (CompareChoice) { choice->kind, g_strdup (choice->label), g_strdup (choice->name), g_strdup (choice->title),
                            choice->untraced };
  return copy;
}

void
compare_choice_free (CompareChoice *choice)
{
  g_free (choice->label);
  g_free (choice->name);
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

/* @run: the run, or one of them. */
static gboolean
is_untraced (const char *run, const CulpritTable *runs)
{
  g_autofree char *stem = stem_of (run);

  for (guint i = 0; i < culprit_table_rows (runs); i++)
    if (g_str_equal (culprit_table_text (runs, i, "run"), run) &&
        g_str_equal (culprit_table_text (runs, i, "tracing"), "off"))
      return TRUE;
  return is_called_off (stem);
}

/* Takes @name and @title. */
static void
add_choice (GPtrArray *choices, CompareKind kind, const char *label, char *name, char *title, gboolean untraced)
{
  CompareChoice *choice = g_new (CompareChoice, 1);

  *choice = (CompareChoice) { kind, g_strdup (label), name, title, untraced };
  g_ptr_array_add (choices, choice);
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

/* Those of which every latency or a summary is known. */
static void
add_measured (GPtrArray *choices, GPtrArray *members, const GPtrArray *latencies, const CulpritTable *runs)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);
      g_autofree char *stem = stem_of (one->name);
      guint together = one->profile ? count_stem (latencies, stem) : 0;
      gboolean untraced = is_untraced (one->name, runs);

      if (!has_spread (one))
        continue;
      add_choice (together > 1 ? members : choices, together > 1 ? COMPARE_MEMBER : COMPARE_RUN, one->name,
                  g_strdup (one->name), g_strdup (one->name), untraced);
      if (together <= 1 || g_hash_table_contains (seen, stem))
        continue;
      add_choice (choices, COMPARE_RUNS, stem, g_strdup (stem), g_strdup_printf ("%s (%u runs)", stem, together),
                  untraced);
      g_hash_table_add (seen, g_steal_pointer (&stem));
    }
}

/* Those of which wake-ups were captured. */
static void
add_captured (GPtrArray *choices, const CulpritTable *runs)
{
  g_autoptr (GHashTable) count = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < culprit_table_rows (runs); i++)
      {
        const char *run = culprit_table_text (runs, i, "run");
        g_autofree char *stem = stem_of (run);
        guint runs_of_stem = GPOINTER_TO_UINT (g_hash_table_lookup (count, stem));

        if (culprit_table_integer (runs, i, "ordinary_windows") + culprit_table_integer (runs, i, "outliers") < 2)
          continue;
        if (pass == 1 && runs_of_stem > 0)
          {
            const char *label = runs_of_stem > 1 ? stem : run;

            add_choice (choices, COMPARE_CAPTURED, label, g_strdup_printf ("%s without the tracer", label),
                        g_strdup_printf ("%s without the tracer", label), FALSE);
          }
        g_hash_table_replace (count, g_steal_pointer (&stem), GUINT_TO_POINTER (pass == 0 ? runs_of_stem + 1 : 0));
      }
}

GPtrArray *
compare_choices (const GPtrArray *latencies, const CulpritTable *runs)
{
  GPtrArray *choices = g_ptr_array_new_with_free_func ((GDestroyNotify) compare_choice_free);
  g_autoptr (GPtrArray) members = g_ptr_array_new ();

  add_measured (choices, members, latencies, runs);
  add_captured (choices, runs);
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
count_kinds (const GPtrArray *choices, CompareKind first, CompareKind last)
{
  guint count = 0;

  for (guint i = 0; i < choices->len; i++)
    {
      CompareKind kind = ((const CompareChoice *) g_ptr_array_index (choices, i))->kind;

      count += kind >= first && kind <= last;
    }
  return count;
}

gboolean
compare_choices_beside (const GPtrArray *choices, guint base, guint place)
{
  CompareKind kind = ((const CompareChoice *) g_ptr_array_index (choices, place))->kind;
  CompareKind against = ((const CompareChoice *) g_ptr_array_index (choices, base))->kind;
  gboolean whole = kind <= COMPARE_RUNS;

  if (place == base)
    return FALSE;
  if (against == COMPARE_MEMBER)
    return kind == COMPARE_RUN || kind == COMPARE_MEMBER;
  if (against == COMPARE_CAPTURED || count_kinds (choices, COMPARE_RUN, COMPARE_RUNS) > 1)
    return whole;
  return kind == (count_kinds (choices, COMPARE_MEMBER, COMPARE_MEMBER) > 0 ? COMPARE_MEMBER : COMPARE_CAPTURED);
}

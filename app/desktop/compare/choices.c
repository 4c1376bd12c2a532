/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists what can be compared: the runs of one arm of a series together, and each run alone. */
#include "compare/choices.h"

#include "latency/comparison.h"
#include "seeded-hash.h"

#include <string.h>

CompareChoice *
compare_choice_copy (const CompareChoice *choice)
{
  CompareChoice *copy = g_new (CompareChoice, 1);

  *copy =
      (CompareChoice) { choice->kind,     g_strdup (choice->label), g_strdup (choice->name),   g_strdup (choice->title),
                        choice->untraced, choice->traced,           g_strdup (choice->system), g_strdup (choice->run) };
  return copy;
}

void
compare_choice_free (CompareChoice *choice)
{
  g_free (choice->label);
  g_free (choice->name);
  g_free (choice->title);
  g_free (choice->system);
  g_free (choice->run);
  g_free (choice);
}

/* What runs have in common that are an arm. The caller owns it. */
static char *
arm_key (const char *series, const char *arm)
{
  return g_strdup_printf ("%s\n%s", series, arm);
}

/* Counts one more run of the arm @key, which it takes. */
static void
count_one (GHashTable *arms, char *key)
{
  guint count = GPOINTER_TO_UINT (g_hash_table_lookup (arms, key));

  g_hash_table_replace (arms, key, GUINT_TO_POINTER (count + 1));
}

/* "off", "cyclic/off", "busy-off". */
static gboolean
is_called (const char *name, const char *tracing)
{
  gsize before = strlen (name) - MIN (strlen (name), strlen (tracing));

  return g_str_has_suffix (name, tracing) && (before == 0 || strchr ("/-_. ", name[before - 1]) != NULL);
}

/* Whether it is recorded with @tracing "off" or "on" or, where nobody knows, called so. */
static gboolean
has_tracing (const CulpritLatencies *one, const char *tracing)
{
  return *one->tracing ? g_str_equal (one->tracing, tracing) : is_called (one->arm, tracing);
}

/* What both arms of a series have in common; of imported runs that are called "off" and "on", what precedes that. */
static char *
system_of (const CulpritLatencies *one)
{
  const char *tracing = has_tracing (one, "off") ? "off" : has_tracing (one, "on") ? "on" : NULL;

  if (*one->tracing)
    return g_strdup_printf ("series %s", one->series);
  return tracing ? g_strdup_printf ("name %.*s", (int) (strlen (one->arm) - strlen (tracing)), one->arm)
                 : g_strdup ("");
}

/* Takes @name and @title. @one: the run or one of them; NULL: tracing is not what matters. */
static void
add_choice (
    GPtrArray *choices, CompareKind kind, const char *label, char *name, char *title, const CulpritLatencies *one)
{
  CompareChoice *choice = g_new (CompareChoice, 1);

  *choice = (CompareChoice) { kind,
                              g_strdup (label),
                              name,
                              title,
                              one && has_tracing (one, "off"),
                              one && has_tracing (one, "on"),
                              one ? system_of (one) : g_strdup (""),
                              g_strdup (one ? one->name : label) };
  g_ptr_array_add (choices, choice);
}

static gboolean
has_spread (const CulpritLatencies *one)
{
  if (one->description)
    return one->description->moments.n >= 2 && one->description->moments.sd_ns > 0;
  return !one->facts.whole && culprit_summary_has_spread (&one->facts.summary);
}

/* Those of which every latency or a summary is known. */
static void
add_measured (GPtrArray *choices, GPtrArray *members, const GPtrArray *latencies)
{
  g_autoptr (GHashTable) arms = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);

  for (guint i = 0; i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);

      if (one->profile)
        count_one (arms, arm_key (one->series, one->arm));
    }
  for (guint i = 0; i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);
      g_autofree char *key = arm_key (one->series, one->arm);
      guint together = one->profile ? GPOINTER_TO_UINT (g_hash_table_lookup (arms, key)) : 0;

      if (!has_spread (one))
        continue;
      add_choice (together > 1 ? members : choices, together > 1 ? COMPARE_MEMBER : COMPARE_RUN, one->name,
                  g_strdup (one->name), g_strdup (one->name), one);
      if (together > 1 && g_hash_table_add (seen, g_steal_pointer (&key)))
        add_choice (choices, COMPARE_RUNS, one->arm, g_strdup (one->arm),
                    g_strdup_printf ("%s (%u runs)", one->arm, together), one);
    }
}

static gboolean
is_captured (const CulpritTable *runs, guint row)
{
  return culprit_table_integer (runs, row, "ordinary_windows") + culprit_table_integer (runs, row, "outliers") >= 2;
}

/* Those of which wake-ups were captured. */
static void
add_captured (GPtrArray *choices, const CulpritTable *runs)
{
  g_autoptr (GHashTable) arms = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);

  for (guint i = 0; i < culprit_table_rows (runs); i++)
    if (is_captured (runs, i))
      count_one (arms, arm_key (culprit_table_text (runs, i, "series"), culprit_table_text (runs, i, "arm")));
  for (guint i = 0; i < culprit_table_rows (runs); i++)
    {
      const char *arm = culprit_table_text (runs, i, "arm");
      g_autofree char *key = arm_key (culprit_table_text (runs, i, "series"), arm);
      guint together = GPOINTER_TO_UINT (g_hash_table_lookup (arms, key));
      const char *label = together > 1 ? arm : culprit_table_text (runs, i, "run");

      if (is_captured (runs, i) && together > 0)
        add_choice (choices, COMPARE_CAPTURED, label, g_strdup_printf ("%s without the tracer", label),
                    g_strdup_printf ("%s without the tracer", label), NULL);
      g_hash_table_remove (arms, key);
    }
}

GPtrArray *
compare_choices (const GPtrArray *latencies, const CulpritTable *runs)
{
  GPtrArray *choices = g_ptr_array_new_with_free_func ((GDestroyNotify) compare_choice_free);
  g_autoptr (GPtrArray) members = g_ptr_array_new ();

  add_measured (choices, members, latencies);
  add_captured (choices, runs);
  g_ptr_array_extend_and_steal (choices, g_steal_pointer (&members));
  return choices;
}

guint
compare_choices_base (const GPtrArray *choices, const char *name)
{
  for (guint i = 0; name && i < choices->len; i++)
    if (g_str_equal (((const CompareChoice *) g_ptr_array_index (choices, i))->name, name))
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

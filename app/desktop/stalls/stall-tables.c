/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns and rows of the page of stalls. */
#include "stalls/stall-tables.h"

#include "triage.h"
#include "units.h"

#include <math.h>

const TableColumn stall_columns[] = {
  { "capture", "#", CELL_COUNT, "The capture's number in the study.", 3 },
  { "length_ns", "Stretch", CELL_TIME, "The longest stretch without any event in this late wake-up.", 8 },
  { "excess_ns", "Excess", CELL_TIME, "What this late wake-up has more than ordinary ones.", 8 },
  { "ordinary_ns", "Usual", CELL_TIME, "The longest stretch at this place in any ordinary wake-up.", 8 },
  { "class", "Class", CELL_CLASS, "What the late wake-up is due to.", 15 },
  { "function", "Place", CELL_TEXT, "The function that was struck.", 16, TRUE },
  { "context", "Context", CELL_TEXT, "Where it ran: the measured task, another task, an interrupt, idle.", 8 },
  { "others", "Others", CELL_TEXT, "Whether the other CPUs stood still at the same time, where there are any.", 8 },
  { "smi", "SMIs", CELL_COUNT, "What the CPU's SMI counter counted during the capture.", 5 },
  { NULL },
};

const TableColumn stall_place_columns[] = {
  { "function", "Place", CELL_TEXT, "The function that was struck.", 14, TRUE },
  { "hits", "Struck", CELL_COUNT, "How many late wake-ups have an abnormal stretch there.", 5 },
  { "share", "Expected share", CELL_PERCENT,
    "What part of ordinary time is spent there: a blind stall strikes places in "
    "proportion to that.",
    7 },
  { "p", "p", CELL_P, "How probable so many hits there are by chance.", 6 },
  { "guilty", "Consistent culprit", CELL_TEXT, "Whether the function took too long, or stalls struck it, and why.", 20,
    TRUE },
  { "between", "Between", CELL_TEXT, "The two events around the stretch, where they are always the same.", 16, TRUE },
  { NULL },
};

static CulpritTable *
begin (const TableColumn *columns)
{
  CulpritTable *table = culprit_table_new ();

  for (; columns->key; columns++)
    culprit_table_add_column (table, columns->key);
  return table;
}

static void
add_known (CulpritTable *table, gint64 number)
{
  if (number >= 0)
    culprit_table_add_integer (table, number);
  else
    culprit_table_add_real (table, NAN);
}

static const char *
others_in_words (const CulpritStretch *stretch)
{
  if (stretch->other_cpus <= 0)
    return "–";
  return stretch->silent_cpus == stretch->other_cpus ? "silent" : stretch->silent_cpus > 0 ? "some silent" : "ran";
}

CulpritRows *
stall_rows (const CulpritVerdict *verdict, CulpritRows *outliers)
{
  CulpritTable *table = begin (stall_columns);

  for (guint i = 0; i < verdict->evidence->cases->len; i++)
    {
      const CulpritCase *one = &g_array_index (verdict->evidence->cases, CulpritCase, i);
      CulpritRow *row = culprit_rows_find (outliers, "capture", one->capture);

      if (row && triage_ignores (row))
        continue;
      culprit_table_add_integer (table, one->capture);
      culprit_table_add_real (table, one->stretch.length_ns);
      culprit_table_add_real (table, one->ordinary > 0 ? one->excess_ns : NAN);
      culprit_table_add_real (table, one->stretch.ordinary_ns);
      culprit_table_add_text (table, culprit_class_name (one->class));
      culprit_table_add_text (table, one->stretch.name);
      culprit_table_add_text (table, culprit_context_name (one->stretch.context));
      culprit_table_add_text (table, others_in_words (&one->stretch));
      add_known (table, one->smi_count);
    }
  return culprit_rows_new (table);
}

CulpritRows *
stall_place_rows (const CulpritStalls *stalls)
{
  CulpritTable *table = begin (stall_place_columns);

  for (guint i = 0; i < stalls->places->len; i++)
    {
      const CulpritPlace *place = &g_array_index (stalls->places, CulpritPlace, i);
      g_autofree char *between =
          place->before && place->after
              ? g_strdup_printf ("%s – %s", *place->before ? place->before : "the window's start",
                                 *place->after ? place->after : "its end")
              : g_strdup ("varies");
      g_autofree char *guilty = g_strdup_printf ("%s: %s", place->guilty ? "yes" : "no", place->reason);

      culprit_table_add_text (table, place->name);
      culprit_table_add_integer (table, place->hits);
      culprit_table_add_real (table, place->share);
      culprit_table_add_real (table, place->p);
      culprit_table_add_text (table, guilty);
      culprit_table_add_text (table, between);
    }
  return culprit_rows_new (table);
}

char *
stall_test_in_words (const CulpritStalls *stalls)
{
  static const char *const proofs[] = { "Nothing that was recorded could confirm it.",
                                        "The other CPUs stood still at the same time.",
                                        "The SMI counter or the hypervisor's steal time confirms it." };
  g_autofree char *length = culprit_time_format (llround (stalls->length_ns));

  if (stalls->candidates == 0)
    return g_strdup ("No blind stalls: what made these wake-ups late could be traced.");
  if (!stalls->spread)
    return g_strdup ("No blind stalls: the long stretches lie where a function, or an idle CPU's timer, explains them. "
                     "Firmware or a hypervisor would strike places in proportion to the time spent there.");
  return g_strdup_printf ("Blind stalls%s in %u late wake-up%s, %s on average: no place explains them, which is how "
                          "%s takes the CPU. %s",
                          stalls->likely ? ", likely," : "", stalls->struck, culprit_plural (stalls->struck), length,
                          stalls->virtual_machine ? "a hypervisor" : "firmware (an SMI) or a hypervisor",
                          proofs[stalls->proof]);
}

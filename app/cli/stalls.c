/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit stalls */
#include "print.h"
#include "units.h"
#include "verdict-options.h"

#include <math.h>

#define WIDTH 100

static const Column columns[] = {
  { "capture", "#", COLUMN_COUNT },
  { "length_ns", "longest", COLUMN_TIME },
  { "ordinary_ns", "ordinary", COLUMN_TIME },
  { "stretches", "abnormal", COLUMN_COUNT },
  { "stretches_ns", "together", COLUMN_TIME },
  { "excess_ns", "excess", COLUMN_TIME },
  { "context", "context", COLUMN_TEXT },
  { "function", "place", COLUMN_TEXT },
  { "class", "class", COLUMN_WORD },
  { NULL },
};

static void
add_known (CulpritTable *table, gint64 number)
{
  culprit_table_add_real (table, number < 0 ? NAN : number);
}

static CulpritTable *
make_table (const CulpritVerdict *verdict)
{
  static const char *const names[] = { "capture",     "file",         "length_ns",   "excess_ns",
                                       "stretches",   "stretches_ns", "ordinary_ns", "context",
                                       "function",    "before",       "after",       "other_cpus",
                                       "silent_cpus", "smi_count",    "steal_ns",    "class" };
  CulpritTable *table = culprit_table_new ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    culprit_table_add_column (table, names[i]);
  for (guint i = 0; i < verdict->evidence->cases->len; i++)
    {
      const CulpritCase *one = &g_array_index (verdict->evidence->cases, CulpritCase, i);

      culprit_table_add_integer (table, one->capture);
      culprit_table_add_text (table, one->file);
      culprit_table_add_real (table, one->stretch.length_ns);
      culprit_table_add_real (table, one->excess_ns);
      culprit_table_add_integer (table, one->struck);
      culprit_table_add_real (table, one->struck_ns);
      culprit_table_add_real (table, one->stretch.ordinary_ns);
      culprit_table_add_text (table, culprit_context_name (one->stretch.context));
      culprit_table_add_text (table, one->stretch.name);
      culprit_table_add_text (table, one->stretch.before ? one->stretch.before : "");
      culprit_table_add_text (table, one->stretch.after ? one->stretch.after : "");
      add_known (table, one->stretch.other_cpus);
      add_known (table, one->stretch.silent_cpus);
      add_known (table, one->smi_count);
      add_known (table, one->steal_ns);
      culprit_table_add_text (table, culprit_class_name (one->class));
    }
  return table;
}

static void
print_place (const CulpritStalls *stalls, const CulpritPlace *place)
{
  g_autofree char *between =
      place->before && place->after
          ? g_strdup_printf (", always from %s to %s", *place->before ? place->before : "the window's start",
                             *place->after ? place->after : "its end")
          : NULL;
  g_autofree char *words =
      g_strdup_printf ("%s (%s)%s: struck in %u of %u; it has %.2f %% of ordinary time, p = %.3g; %s: %s", place->name,
                       culprit_context_name (place->context), between ? between : "", place->hits, stalls->candidates,
                       place->share * 100, place->p, place->guilty ? "took too long" : "not to blame", place->reason);

  g_print ("  - ");
  print_wrapped (words, 4, WIDTH);
}

/* The test, place by place. */
static void
print_test (const CulpritStalls *stalls)
{
  g_print ("\nOf %u capture%s that stand%s out, %u %s abnormal stretches of half of the excess or more.\n",
           stalls->captures, culprit_plural (stalls->captures), stalls->captures == 1 ? "s" : "", stalls->candidates,
           stalls->candidates == 1 ? "has" : "have");
  for (guint i = 0; i < stalls->places->len; i++)
    print_place (stalls, &g_array_index (stalls->places, CulpritPlace, i));
  if (stalls->spread)
    g_print ("Blind stalls%s in %u capture%s: no place explains them.\n", stalls->likely ? ", likely," : "",
             stalls->struck, culprit_plural (stalls->struck));
  else if (stalls->candidates > 0)
    g_print ("No blind stalls.\n");
}

int
command_stalls (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_auto (VerdictOptions) own = { 0 };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (CulpritVerdict) verdict = verdict_begin ("stalls", argc, argv, &options, &own, &study);
  g_autoptr (CulpritTable) table = NULL;

  if (!verdict)
    return own.status;
  table = make_table (verdict);
  print_table (table, options.format, columns, "No late wake-ups yet.");
  if (options.format == FORMAT_TEXT && culprit_table_rows (table) > 0)
    print_test (verdict->stalls);
  return EXIT_DONE;
}

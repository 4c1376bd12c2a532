/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit stalls */
#include "tables/stalls.h"
#include "print.h"
#include "units.h"
#include "verdict-options.h"

static void
print_place (const CulpritStalls *stalls, const CulpritPlace *place)
{
  g_autofree char *between = culprit_place_between (place);
  g_autofree char *share = culprit_small_part_format (place->share);
  g_autofree char *p = culprit_p_in_words (place->p);
  g_autofree char *words = g_strdup_printf (
      "%s (%s)%s%s: struck in %u of %u; it has %s of ordinary time; blind stalls strike it that often with %s; %s: %s",
      place->name, culprit_context_name (place->context), between ? ", always from " : "", between ? between : "",
      place->hits, stalls->candidates, share, p, place->guilty ? "took too long" : "not to blame", place->reason);

  g_print ("  - ");
  print_wrapped (words, 4);
}

/* The test, place by place. */
static void
print_test (const CulpritStalls *stalls)
{
  g_autofree char *tested = culprit_stalls_tested (stalls);
  g_autofree char *finding = culprit_stalls_finding (stalls);

  g_print ("\n");
  print_wrapped (tested, 0);
  for (guint i = 0; i < stalls->places->len; i++)
    print_place (stalls, &g_array_index (stalls->places, CulpritPlace, i));
  if (stalls->candidates > 0)
    print_wrapped (finding, 0);
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
  table = culprit_stalls_table (verdict);
  print_table (table, options.format, &culprit_stretches, "No late wake-ups to test yet.");
  if (options.format == FORMAT_TEXT && culprit_table_rows (table) > 0)
    print_test (verdict->stalls);
  return EXIT_DONE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The texts and cells of the Stalls page besides its tables. */
#include "stalls/stall-tables.h"

#include "show.h"
#include "tables/class-cell.h"
#include "units.h"

#include <math.h>

static void
show_others (GtkWidget *cell, CulpritRow *row)
{
  gint64 others = culprit_row_integer (row, "other_cpus");
  gint64 silent = culprit_row_integer (row, "silent_cpus");

  show_line (cell, others == 0 ? "–" : silent == others ? "silent" : silent > 0 ? "some silent" : "ran");
}

static void
show_class (GtkWidget *cell, CulpritRow *row)
{
  class_cell_set (cell, culprit_row_text (row, "class"), NULL);
}

const TableCell stall_cells[] = {
  { "class", class_cell_make, show_class },
  { "others", NULL, show_others },
  { NULL },
};

char *
stall_test_in_words (const CulpritStalls *stalls)
{
  static const char *const proofs[] = { "Nothing in the recording could confirm it.",
                                        "The other CPUs stood still at the same time.",
                                        "The SMI counter or the hypervisor's steal time confirms it." };
  g_autofree char *length = culprit_time_format (llround (stalls->length_ns));

  if (stalls->candidates == 0)
    return g_strdup ("No blind stalls: what made these wake-ups late was traced.");
  if (stalls->struck == 0)
    return g_strdup ("No blind stalls: the long stretches lie where a function, or an idle CPU's timer, explains them. "
                     "Firmware or a hypervisor would strike places in proportion to the time spent there.");
  return g_strdup_printf ("Blind stalls%s in %u late wake-up%s, %s on average: no place explains them, which is how "
                          "%s takes the CPU. %s",
                          stalls->likely ? ", likely," : "", stalls->struck, culprit_plural (stalls->struck), length,
                          stalls->virtual_machine ? "a hypervisor" : "firmware (an SMI) or a hypervisor",
                          proofs[stalls->proof]);
}

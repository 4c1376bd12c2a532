/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was found on many machines, in words. */
#include "fleet/fleet.h"
#include "tables/format.h"
#include "units.h"

char *
culprit_fleet_cause_in_words (const char *culprit, const char *class)
{
  g_autofree char *text = culprit_class_text (class);

  return g_str_equal (text, culprit) ? g_strdup (culprit) : g_strdup_printf ("%s (%s)", culprit, text);
}

char *
culprit_fleet_new_in_words (const CulpritFleet *fleet, guint row)
{
  const CulpritTable *table = fleet->new_ones;
  gint64 hosts = culprit_table_integer (table, row, "hosts");
  g_autofree char *cause = culprit_fleet_cause_in_words (culprit_table_text (table, row, "culprit"),
                                                         culprit_table_text (table, row, "class"));
  g_autofree char *p = culprit_p_in_words (culprit_value_number (culprit_table_value (table, row, "p_value")));

  return g_strdup_printf (
      "%s since %s: in %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " late wake-ups, with %s in %" G_GINT64_FORMAT
      " of %" G_GINT64_FORMAT ", on the %" G_GINT64_FORMAT " host%s that ran both (%s).",
      cause, culprit_table_text (table, row, "kernel"), culprit_table_integer (table, row, "captures"),
      culprit_table_integer (table, row, "outliers"), culprit_table_text (table, row, "kernel_before"),
      culprit_table_integer (table, row, "captures_before"), culprit_table_integer (table, row, "outliers_before"),
      hosts, culprit_plural (hosts), p);
}

char *
culprit_fleet_host_in_words (const CulpritFleet *fleet, guint host)
{
  const CulpritFleetHost *is = culprit_fleet_host (fleet, host);

  return g_strdup_printf ("%s: %u late wake-up%s in %u capture%s, %u of them in this study; %s", is->name, is->outliers,
                          culprit_plural (is->outliers), is->captures, culprit_plural (is->captures), is->selected->len,
                          is->kernels);
}

char *
culprit_fleet_cause_everywhere (const CulpritFleet *fleet, guint cause)
{
  const CulpritFleetCause *is = culprit_fleet_cause (fleet, cause);
  g_autofree char *name = culprit_fleet_cause_in_words (is->culprit, is->class);

  return g_strdup_printf ("%s: %u late wake-up%s on %u host%s", name, is->captures, culprit_plural (is->captures),
                          is->hosts, culprit_plural (is->hosts));
}

char *
culprit_fleet_cell_in_words (const CulpritFleet *fleet, guint host, guint cause)
{
  const CulpritFleetHost *on = culprit_fleet_host (fleet, host);
  const CulpritFleetCause *is = culprit_fleet_cause (fleet, cause);
  const CulpritFleetCell *cell = culprit_fleet_cell (fleet, host, cause);
  g_autofree char *name = culprit_fleet_cause_in_words (is->culprit, is->class);
  g_autofree char *share = culprit_share_format (cell->weight);

  return g_strdup_printf ("%s, %s: %u of %u late wake-up%s, %s of the excess", on->name, name, cell->captures,
                          on->outliers, culprit_plural (on->outliers), share);
}

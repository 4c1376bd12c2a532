/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the fleet's tables, and adds up causes by host. */
#include "fleet/fleet.h"

#include "fleet/trend-private.h"
#include "study/query.h"
#include "study/statement-private.h"
#include "units.h"

static CulpritTable *
read_rows (CulpritStudy *study, const char *name, GError **error)
{
  g_autofree char *sql = sql_text (name, NULL);

  return culprit_query_sql (study, sql, error);
}

/* A number of captures; a study from outside may have any. */
static guint
read_count (const CulpritTable *table, guint row, const char *column)
{
  return CLAMP (culprit_table_integer (table, row, column), 0, G_MAXINT);
}

const CulpritFleetHost *
culprit_fleet_host (const CulpritFleet *fleet, guint host)
{
  return &g_array_index (fleet->hosts, CulpritFleetHost, host);
}

const CulpritFleetCause *
culprit_fleet_cause (const CulpritFleet *fleet, guint cause)
{
  return &g_array_index (fleet->causes, CulpritFleetCause, cause);
}

static CulpritFleetCell *
cell_of (const CulpritFleet *fleet, guint host, guint cause)
{
  return &fleet->cells[host * fleet->causes->len + cause];
}

const CulpritFleetCell *
culprit_fleet_cell (const CulpritFleet *fleet, guint host, guint cause)
{
  return cell_of (fleet, host, cause);
}

static void
clear_host (gpointer data)
{
  g_array_unref (((CulpritFleetHost *) data)->selected);
}

/* The index of the host @name, or the number of hosts. */
static guint
find_host (const CulpritFleet *fleet, const char *name)
{
  guint low = 0;
  guint high = fleet->hosts->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;
      int order = g_strcmp0 (name, culprit_fleet_host (fleet, middle)->name);

      if (order == 0)
        return middle;
      if (order < 0)
        high = middle;
      else
        low = middle + 1;
    }
  return fleet->hosts->len;
}

static guint
find_cause (const CulpritFleet *fleet, const char *culprit, const char *class)
{
  guint i = 0;

  while (i < fleet->causes->len && !(g_str_equal (culprit, culprit_fleet_cause (fleet, i)->culprit) &&
                                     g_str_equal (class, culprit_fleet_cause (fleet, i)->class)))
    i++;
  return i;
}

static gboolean
read_hosts (CulpritFleet *fleet, CulpritStudy *study, GError **error)
{
  g_autoptr (CulpritTable) hosts = read_rows (study, "fleet-hosts", error);
  g_autoptr (CulpritTable) captures = hosts ? read_rows (study, "fleet-captures", error) : NULL;

  for (guint row = 0; captures && row < culprit_table_rows (hosts); row++)
    {
      g_auto (GStrv) kernels = g_strsplit (culprit_table_text (hosts, row, "kernels"), ",", -1);
      g_autofree char *joined = g_strjoinv (", ", kernels);
      const CulpritFleetHost host = {
        .name = g_string_chunk_insert (fleet->texts, culprit_table_text (hosts, row, "host")),
        .kernels = g_string_chunk_insert (fleet->texts, joined),
        .captures = read_count (hosts, row, "captures"),
        .outliers = read_count (hosts, row, "outliers"),
        .excess_ns = culprit_table_integer (hosts, row, "excess_ns"),
        .selected = g_array_new (FALSE, FALSE, sizeof (gint64)),
      };

      g_array_append_val (fleet->hosts, host);
      fleet->captures += host.captures;
    }
  for (guint row = 0; captures && row < culprit_table_rows (captures); row++)
    {
      guint host = find_host (fleet, culprit_table_text (captures, row, "host"));
      gint64 capture = culprit_table_integer (captures, row, "capture");

      if (host < fleet->hosts->len)
        g_array_append_val (culprit_fleet_host (fleet, host)->selected, capture);
    }
  fleet->selected = captures ? culprit_table_rows (captures) : 0;
  return captures != NULL;
}

static int
compare_causes (gconstpointer a, gconstpointer b)
{
  const CulpritFleetCause *left = a;
  const CulpritFleetCause *right = b;

  int order = g_strcmp0 (left->culprit, right->culprit);

  if (left->captures != right->captures)
    return left->captures < right->captures ? 1 : -1;
  return order != 0 ? order : g_strcmp0 (left->class, right->class);
}

static void
find_causes (CulpritFleet *fleet)
{
  for (guint row = 0; row < culprit_table_rows (fleet->table); row++)
    {
      const char *culprit = culprit_table_text (fleet->table, row, "culprit");
      const char *class = culprit_table_text (fleet->table, row, "class");
      guint place = find_cause (fleet, culprit, class);

      if (place == fleet->causes->len)
        {
          const CulpritFleetCause cause = { g_string_chunk_insert (fleet->texts, culprit),
                                            g_string_chunk_insert (fleet->texts, class) };

          g_array_append_val (fleet->causes, cause);
        }
      g_array_index (fleet->causes, CulpritFleetCause, place).captures += read_count (fleet->table, row, "captures");
    }
  g_array_sort (fleet->causes, compare_causes);
  g_array_set_size (fleet->causes, MIN (fleet->causes->len, CULPRIT_FLEET_CAUSES));
}

static void
fill_cells (CulpritFleet *fleet)
{
  fleet->cells = g_new0 (CulpritFleetCell, fleet->hosts->len * fleet->causes->len + 1);
  for (guint row = 0; row < culprit_table_rows (fleet->table); row++)
    {
      guint captures = read_count (fleet->table, row, "captures");
      guint host = find_host (fleet, culprit_table_text (fleet->table, row, "host"));
      guint cause = find_cause (fleet, culprit_table_text (fleet->table, row, "culprit"),
                                culprit_table_text (fleet->table, row, "class"));
      CulpritFleetCell *cell;

      if (host == fleet->hosts->len || cause == fleet->causes->len)
        continue;
      cell = cell_of (fleet, host, cause);
      g_array_index (fleet->causes, CulpritFleetCause, cause).hosts += cell->captures == 0 && captures > 0;
      cell->captures += captures;
      cell->excess_ns += (double) captures * culprit_table_integer (fleet->table, row, "excess_mean_ns");
    }
  for (guint host = 0; host < fleet->hosts->len; host++)
    for (guint cause = 0; cause < fleet->causes->len; cause++)
      {
        CulpritFleetCell *cell = cell_of (fleet, host, cause);
        double whole_ns = culprit_fleet_host (fleet, host)->excess_ns;

        cell->weight = whole_ns > 0 ? CLAMP (cell->excess_ns / whole_ns, 0, 1) : 0;
      }
}

CulpritFleet *
culprit_fleet_read (CulpritStudy *study, GError **error)
{
  g_autoptr (CulpritFleet) fleet = g_new0 (CulpritFleet, 1);
  g_autoptr (CulpritTable) days = NULL;

  fleet->texts = g_string_chunk_new (1024);
  fleet->hosts = g_array_new (FALSE, FALSE, sizeof (CulpritFleetHost));
  g_array_set_clear_func (fleet->hosts, clear_host);
  fleet->causes = g_array_new (FALSE, FALSE, sizeof (CulpritFleetCause));
  if (!read_hosts (fleet, study, error))
    return NULL;
  fleet->table = read_rows (study, "fleet-causes", error);
  fleet->new_ones = fleet->table ? read_rows (study, "fleet-new", error) : NULL;
  days = fleet->new_ones ? read_rows (study, "fleet-days", error) : NULL;
  if (!days)
    return NULL;
  find_causes (fleet);
  fill_cells (fleet);
  fleet_trend_fill (&fleet->days, days, "day");
  fleet_trend_fill (&fleet->kernels, days, "kernel");
  return g_steal_pointer (&fleet);
}

void
culprit_fleet_free (CulpritFleet *fleet)
{
  g_clear_pointer (&fleet->table, culprit_table_free);
  g_clear_pointer (&fleet->new_ones, culprit_table_free);
  fleet_trend_clear (&fleet->days);
  fleet_trend_clear (&fleet->kernels);
  g_array_unref (fleet->hosts);
  g_array_unref (fleet->causes);
  g_free (fleet->cells);
  g_string_chunk_free (fleet->texts);
  g_free (fleet);
}

gboolean
culprit_fleet_selection (CulpritStudy *study, char **words, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "fleet-selection", error);
  gboolean row;

  *words = NULL;
  if (!statement || !statement_step (study, statement, &row, error))
    return FALSE;
  if (row)
    {
      gint64 hosts = sqlite3_column_int64 (statement, 2);
      g_autofree char *selected = culprit_count_format (sqlite3_column_int64 (statement, 0));
      g_autofree char *captures = culprit_count_format (sqlite3_column_int64 (statement, 1));

      *words = g_strdup_printf ("This study contains %s of %s captures from %" G_GINT64_FORMAT " host%s", selected,
                                captures, hosts, culprit_plural (hosts));
    }
  return TRUE;
}

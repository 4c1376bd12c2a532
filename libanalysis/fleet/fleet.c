/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the fleet's tables, and adds up causes by host. */
#include "fleet/fleet.h"

#include "seeded-hash.h"
#include "study/query.h"
#include "study/statement-private.h"
#include "tables/column.h"
#include "units.h"

#include <stdio.h>

/* Counts outliers by day or kernel, and by culprit. */

#define MOST_NAMES 5 /* Others are counted together. */
#define MOST_DAYS 4000

typedef struct
{
  const char *name;
  double captures;
} Count;

static int
compare_counts (gconstpointer a, gconstpointer b)
{
  const Count *left = a;
  const Count *right = b;

  if (left->captures != right->captures)
    return left->captures < right->captures ? 1 : -1;
  return g_strcmp0 (left->name, right->name);
}

/* The culprits of @rows, most captures first. */
static GArray *
count_culprits (const CulpritTable *rows)
{
  GArray *counts = g_array_new (FALSE, FALSE, sizeof (Count));
  g_autoptr (GHashTable) places = g_hash_table_new (culprit_hash_text, g_str_equal);

  for (guint row = 0; row < culprit_table_rows (rows); row++)
    {
      const Count none = { culprit_table_text (rows, row, "culprit"), 0 };
      gpointer place;

      if (!*none.name)
        continue;
      if (!g_hash_table_lookup_extended (places, none.name, NULL, &place))
        {
          place = GUINT_TO_POINTER (counts->len);
          g_hash_table_insert (places, (gpointer) none.name, place);
          g_array_append_val (counts, none);
        }
      g_array_index (counts, Count, GPOINTER_TO_UINT (place)).captures +=
          MAX (culprit_table_integer (rows, row, "captures"), 0);
    }
  g_array_sort (counts, compare_counts);
  return counts;
}

/* The places of @names by name. */
static GHashTable *
find_places (const GPtrArray *names)
{
  GHashTable *places = g_hash_table_new (culprit_hash_text, g_str_equal);

  for (guint i = 0; i < names->len; i++)
    g_hash_table_insert (places, g_ptr_array_index (names, i), GUINT_TO_POINTER (i));
  return places;
}

/* The place of @name; @otherwise: it has none. */
static guint
find (GHashTable *places, const char *name, guint otherwise)
{
  gpointer place;

  return g_hash_table_lookup_extended (places, name, NULL, &place) ? GPOINTER_TO_UINT (place) : otherwise;
}

/* FALSE: @text is no day. */
static gboolean
parse_day (const char *text, GDate *date)
{
  guint year;
  guint month;
  guint day;
  int end = 0;

  if (sscanf (text, "%4u-%2u-%2u%n", &year, &month, &day, &end) != 3 || end != 10 || text[end] ||
      !g_date_valid_dmy (day, month, year))
    return FALSE;
  g_date_clear (date, 1);
  g_date_set_dmy (date, day, month, year);
  return TRUE;
}

/* Adds the days after the last of @labels and before @next, on which there was nothing. */
static void
fill_gap (GPtrArray *labels, const char *next)
{
  GDate from;
  GDate to;
  char text[16];

  if (labels->len == 0 || !parse_day (g_ptr_array_index (labels, labels->len - 1), &from) || !parse_day (next, &to))
    return;
  for (g_date_add_days (&from, 1); g_date_compare (&from, &to) < 0 && labels->len < MOST_DAYS;
       g_date_add_days (&from, 1))
    {
      g_date_strftime (text, sizeof text, "%Y-%m-%d", &from);
      g_ptr_array_add (labels, g_strdup (text));
    }
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(char *const *) a, *(char *const *) b);
}

static void
fill_labels (GPtrArray *labels, const CulpritTable *rows, const char *key)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (culprit_hash_text, g_str_equal);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();

  for (guint row = 0; row < culprit_table_rows (rows); row++)
    if (g_hash_table_add (seen, (gpointer) culprit_table_text (rows, row, key)))
      g_ptr_array_add (sorted, (gpointer) culprit_table_text (rows, row, key));
  g_ptr_array_sort (sorted, compare_texts);
  for (guint i = 0; i < sorted->len; i++)
    {
      fill_gap (labels, g_ptr_array_index (sorted, i));
      g_ptr_array_add (labels, g_strdup (g_ptr_array_index (sorted, i)));
    }
}

/* Fills @trend from the rows of fleet-days.sql, by their column @key, "day" or "kernel". */
static void
fleet_trend_fill (CulpritFleetTrend *trend, const CulpritTable *rows, const char *key)
{
  g_autoptr (GArray) culprits = count_culprits (rows);
  guint named = MIN (culprits->len, MOST_NAMES);
  gboolean others = culprits->len > named;
  g_autoptr (GHashTable) names = NULL;
  g_autoptr (GHashTable) labels = NULL;

  trend->labels = g_ptr_array_new_with_free_func (g_free);
  trend->names = g_ptr_array_new_with_free_func (g_free);
  fill_labels (trend->labels, rows, key);
  for (guint i = 0; i < named; i++)
    g_ptr_array_add (trend->names, g_strdup (g_array_index (culprits, Count, i).name));
  if (others)
    g_ptr_array_add (trend->names,
                     g_strdup_printf ("%u other%s", culprits->len - named, culprit_plural (culprits->len - named)));
  g_ptr_array_add (trend->names, g_strdup ("no culprit"));
  trend->counts = g_new0 (double, trend->names->len * trend->labels->len + 1);
  names = find_places (trend->names);
  labels = find_places (trend->labels);
  for (guint row = 0; row < culprit_table_rows (rows); row++)
    {
      const char *culprit = culprit_table_text (rows, row, "culprit");
      guint name = *culprit ? find (names, culprit, trend->names->len - 2) : trend->names->len - 1;
      guint label = find (labels, culprit_table_text (rows, row, key), 0);

      trend->counts[name * trend->labels->len + label] += MAX (culprit_table_integer (rows, row, "captures"), 0);
    }
}

static void
fleet_trend_clear (CulpritFleetTrend *trend)
{
  g_clear_pointer (&trend->labels, g_ptr_array_unref);
  g_clear_pointer (&trend->names, g_ptr_array_unref);
  g_clear_pointer (&trend->counts, g_free);
}

/* What was found on many machines, in words. */

/* "qh_completions (called too often)"; a class that says no more than the culprit is left out. The caller owns it. */
static char *
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

/* Its index among the few that are shown, or their number. */
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
  g_autoptr (GHashTable) places = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);

  for (guint row = 0; row < culprit_table_rows (fleet->table); row++)
    {
      const char *culprit = culprit_table_text (fleet->table, row, "culprit");
      const char *class = culprit_table_text (fleet->table, row, "class");
      char *key = g_strconcat (culprit, "\n", class, NULL);
      guint place = find (places, key, fleet->causes->len);

      if (place == fleet->causes->len)
        {
          const CulpritFleetCause cause = { g_string_chunk_insert (fleet->texts, culprit),
                                            g_string_chunk_insert (fleet->texts, class) };

          g_array_append_val (fleet->causes, cause);
        }
      g_hash_table_insert (places, key, GUINT_TO_POINTER (place));
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

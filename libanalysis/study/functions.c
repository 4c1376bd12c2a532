/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of functions, and their cost in each late wake-up. */
#include "functions.h"

#include "compare.h"
#include "names.h"
#include "seeded-hash.h"
#include "statement-private.h"

/* One query for all functions: SQLite sums over the contexts of a late wake-up, each function's times are sorted here.
 * 1,000 captures take 60 ms. */

struct _CulpritFunctionPoints
{
  GHashTable *by_id;  /* function_id -> array of gint64 */
  GHashTable *by_key; /* culprit_function_key() -> one of these arrays */
};

void
culprit_function_points_free (CulpritFunctionPoints *points)
{
  g_hash_table_unref (points->by_key);
  g_hash_table_unref (points->by_id);
  g_free (points);
}

const GArray *
culprit_function_points_of (const CulpritFunctionPoints *points,
                            const char *function,
                            const char *module,
                            gint64 ordinal)
{
  g_autofree char *key = culprit_function_key (function, module, ordinal);

  return g_hash_table_lookup (points->by_key, key);
}

static void
add_cost (CulpritFunctionPoints *points, gint64 function, gint64 own_ns)
{
  GArray *array = g_hash_table_lookup (points->by_id, GSIZE_TO_POINTER (function));

  if (!array)
    {
      array = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_hash_table_insert (points->by_id, GSIZE_TO_POINTER (function), array);
    }
  g_array_append_val (array, own_ns);
}

/* Sets the number of late wake-ups. */
static gboolean
read_costs (CulpritStudy *study, const CulpritFilter *filter, CulpritFunctionPoints *points, guint *n, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "function-points", error);
  gint64 window = 0;
  gboolean row = statement != NULL;

  *n = 0;
  if (statement)
    query_bind_filter (statement, filter);
  while (row)
    {
      if (!statement_step (study, statement, &row, error))
        return FALSE;
      if (!row)
        break;
      *n += sqlite3_column_int64 (statement, 0) != window;
      window = sqlite3_column_int64 (statement, 0);
      add_cost (points, sqlite3_column_int64 (statement, 1), sqlite3_column_int64 (statement, 2));
    }
  return statement != NULL;
}

/* Sorts @times, adds zeros up to @n of them, and keeps @most: the first, the last, and evenly spaced ones in
 * between. */
static void
thin (GArray *times, guint n, guint most)
{
  guint ran = times->len;

  g_array_set_size (times, n);
  for (guint i = ran; i < n; i++)
    g_array_index (times, gint64, i) = 0;
  g_array_sort (times, compare_int64);
  if (n <= most)
    return;
  for (guint i = 0; i < most; i++)
    g_array_index (times, gint64, i) = g_array_index (times, gint64, (guint64) i * (n - 1) / (most - 1));
  g_array_set_size (times, most);
}

static gboolean
name_functions (CulpritStudy *study, CulpritFunctionPoints *points, GError **error)
{
  g_autoptr (Statement) statement =
      statement_new (study, "SELECT function_id, name, module, ordinal FROM function", error);
  gboolean row = statement != NULL;

  while (row)
    {
      GArray *times;

      if (!statement_step (study, statement, &row, error))
        return FALSE;
      times = row ? g_hash_table_lookup (points->by_id, GSIZE_TO_POINTER (sqlite3_column_int64 (statement, 0))) : NULL;
      if (times)
        g_hash_table_insert (points->by_key,
                             culprit_function_key (statement_text (statement, 1), statement_text (statement, 2),
                                                   sqlite3_column_int64 (statement, 3)),
                             times);
    }
  return statement != NULL;
}

CulpritFunctionPoints *
culprit_query_function_points (CulpritStudy *study, const CulpritFilter *filter, guint most, GError **error)
{
  g_autoptr (CulpritFunctionPoints) points = g_new0 (CulpritFunctionPoints, 1);
  GHashTableIter each;
  gpointer times;
  guint n;

  g_return_val_if_fail (most >= 2, NULL);
  points->by_id = g_hash_table_new_full (culprit_hash_direct, NULL, NULL, (GDestroyNotify) g_array_unref);
  points->by_key = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);
  if (!read_costs (study, filter, points, &n, error) || !name_functions (study, points, error))
    return NULL;
  g_hash_table_iter_init (&each, points->by_id);
  while (g_hash_table_iter_next (&each, NULL, &times))
    thin (times, n, most);
  return g_steal_pointer (&points);
}

/* The table of functions: sums of runs, and sums of products over all captures, which are added up here. */

/* Function -> the sum of its products, a double; NULL with an error. */
static GHashTable *
add_up_products (CulpritStudy *study, const CulpritFilter *filter, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "function-products", error);
  g_autoptr (GHashTable) products = g_hash_table_new_full (culprit_hash_number, g_int64_equal, g_free, g_free);
  gboolean row = statement != NULL;

  if (statement)
    query_bind_filter (statement, filter);
  while (row)
    {
      gint64 function;
      double *sum;

      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (!row)
        break;
      function = sqlite3_column_int64 (statement, 0);
      sum = g_hash_table_lookup (products, &function);
      if (!sum)
        g_hash_table_insert (products, g_memdup2 (&function, sizeof function), sum = g_new0 (double, 1));
      *sum += sqlite3_column_double (statement, 1);
    }
  return statement ? g_steal_pointer (&products) : NULL;
}

/* SQL function: the sum of the products of a function; 0 if it has none. */
static void
product_sum (sqlite3_context *context, int n_arguments, sqlite3_value **arguments)
{
  CulpritStudy *study = sqlite3_user_data (context);
  gint64 function = sqlite3_value_int64 (arguments[0]);
  const double *sum = g_hash_table_lookup (study->products, &function);

  sqlite3_result_double (context, sum ? *sum : 0);
}

CulpritTable *
culprit_query_functions (CulpritStudy *study, const CulpritFilter *filter, GError **error)
{
  gboolean known = study->products != NULL;

  g_clear_pointer (&study->products, g_hash_table_unref);
  study->products = add_up_products (study, filter, error);
  if (!study->products)
    return NULL;
  if (!known)
    sqlite3_create_function (study->database, "product_sum", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, study, product_sum,
                             NULL, NULL);
  return query_read_filtered (study, "functions", filter, error);
}

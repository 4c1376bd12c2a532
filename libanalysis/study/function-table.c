/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of functions: sums of runs, and sums of products over all captures, which are added up here. */
#include "query-private.h"
#include "seeded-hash.h"

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

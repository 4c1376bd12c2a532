/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names and identities of functions. */
#include "evidence-private.h"

#include "names.h"
#include "study/statement-private.h"

static void
take_name (Reading *reading, Statement *row)
{
  gint64 function = sqlite3_column_int64 (row, 0);
  g_autofree char *name = g_utf8_make_valid (statement_text (row, 1), -1);
  g_autofree char *module = g_utf8_make_valid (statement_text (row, 2), -1);
  guint ordinal = sqlite3_column_int64 (row, 3);
  g_autofree char *label = culprit_function_label (name, ordinal);

  g_hash_table_insert (reading->names, g_memdup2 (&function, sizeof function),
                       g_string_chunk_insert (reading->texts, label));
  g_hash_table_insert (reading->evidence->keys, g_memdup2 (&function, sizeof function),
                       culprit_function_key (name, module, ordinal));
}

gboolean
evidence_read_names (Reading *reading, GError **error)
{
  g_autoptr (Statement) statement = statement_named (reading->study, "evidence-names", error);
  gboolean row = statement != NULL;

  while (row)
    {
      if (!statement_step (reading->study, statement, &row, error))
        return FALSE;
      if (row)
        take_name (reading, statement);
    }
  return statement != NULL;
}

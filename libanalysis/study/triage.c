/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes the columns triage and note of captures. */
#include "triage.h"

#include "statement-private.h"

const char *const culprit_triage_states[] = { "new", "seen", "explained", CULPRIT_TRIAGE_IGNORED, NULL };

gboolean
culprit_triage_ignores (const char *state)
{
  return g_str_equal (state, CULPRIT_TRIAGE_IGNORED);
}

char *
culprit_ignored_in_words (guint ignored)
{
  if (ignored == 0)
    return NULL;
  return g_strdup_printf ("%u ignored capture%s left out", ignored, ignored == 1 ? " is" : "s are");
}

static void
triage_clear (gpointer data)
{
  CulpritTriage *triage = data;

  g_free (triage->digest);
  g_free (triage->state);
  g_free (triage->note);
}

GArray *
culprit_study_triage (CulpritStudy *study, const gint64 *captures, guint n, GError **error)
{
  g_autoptr (Statement) statement =
      statement_new (study, "SELECT triage, note, sha256 FROM capture WHERE capture_id = ?1", error);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (CulpritTriage));
  gboolean row = TRUE;

  if (!statement)
    return NULL;
  g_array_set_clear_func (all, triage_clear);
  for (guint i = 0; i < n; i++)
    {
      CulpritTriage triage = { .capture = captures[i] };

      sqlite3_reset (statement);
      statement_bind (statement, "i", captures[i]);
      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (!row)
        {
          g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
                       "%s: capture %" G_GINT64_FORMAT " no longer exists", culprit_study_path (study), captures[i]);
          return NULL;
        }
      triage.state = g_strdup (statement_text (statement, 0));
      triage.note = g_utf8_make_valid (statement_text (statement, 1), -1);
      triage.digest = g_strdup (statement_text (statement, 2));
      g_array_append_val (all, triage);
    }
  return g_steal_pointer (&all);
}

static gboolean
set_all (CulpritStudy *study, const GArray *triage, GError **error)
{
  g_autoptr (Statement) statement =
      statement_new (study, "UPDATE capture SET triage = ?2, note = ?3 WHERE capture_id = ?1 AND sha256 = ?4", error);

  for (guint i = 0; statement && i < triage->len; i++)
    {
      const CulpritTriage *one = &g_array_index (triage, CulpritTriage, i);

      statement_bind (statement, "ittt", one->capture, one->state, one->note, one->digest);
      if (!statement_run (study, statement, error))
        return FALSE;
      if (sqlite3_changes (study->database) == 0)
        {
          g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
                       "%s: capture %" G_GINT64_FORMAT
                       " is another one than the window shows; mark it once that was read",
                       culprit_study_path (study), one->capture);
          return FALSE;
        }
    }
  return statement != NULL;
}

gboolean
culprit_study_set_triage (CulpritStudy *study, const GArray *triage, GError **error)
{
  if (!study_begin (study, error))
    return FALSE;
  if (set_all (study, triage, error) && study_commit (study, error))
    return TRUE;
  study_roll_back (study);
  return FALSE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes the columns triage and note of captures. */
#include "triage.h"

#include "capture/capture.h"
#include "statement-private.h"

#include <string.h>

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

void
culprit_triage_clear (gpointer data)
{
  CulpritTriage *triage = data;

  g_free (triage->identity);
  g_free (triage->state);
  g_free (triage->note);
}

/* An identity: the extent of the capture, and its digest. */
#define IDENTITY "printf ('%d,%d,%d,%d %s', size_bytes, first_ns, last_ns, events, sha256)"

static gsize
extent_length (const char *identity)
{
  return strchr (identity, ' ') - identity;
}

/* A capture that an older version has read gets a digest of another kind when it is imported again; then the extents
 * are compared, as where studies are merged. The file's name would tell less: captures are moved, and others get it. */
gboolean
culprit_triage_is_same (const char *identity, const char *other)
{
  gsize extent;

  if (!identity || !other)
    return identity == other;
  extent = extent_length (identity);
  if (g_str_has_suffix (identity, CULPRIT_DIGEST_KIND) == g_str_has_suffix (other, CULPRIT_DIGEST_KIND))
    return g_str_equal (identity + extent, other + extent_length (other));
  return extent == extent_length (other) && strncmp (identity, other, extent) == 0;
}

GArray *
culprit_study_triage (CulpritStudy *study, const gint64 *captures, guint n, GError **error)
{
  g_autoptr (Statement) statement =
      statement_new (study, "SELECT triage, note, " IDENTITY " FROM capture WHERE capture_id = ?1", error);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (CulpritTriage));
  gboolean row = TRUE;

  if (!statement)
    return NULL;
  g_array_set_clear_func (all, culprit_triage_clear);
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
      triage.identity = g_strdup (statement_text (statement, 2));
      g_array_append_val (all, triage);
    }
  return g_steal_pointer (&all);
}

/* Whether @now is what @expected says, where @change changes it. */
static gboolean
is_expected (const CulpritTriage *change, const CulpritTriage *expected, const CulpritTriage *now)
{
  return (!change->state || g_str_equal (now->state, expected->state)) &&
         (!change->note || g_str_equal (now->note, expected->note));
}

static CulpritTriage
copy_of (const CulpritTriage *triage, const char *state, const char *note)
{
  return (CulpritTriage) { triage->capture, g_strdup (triage->identity), g_strdup (state), g_strdup (note) };
}

static gboolean
refuse_other (CulpritStudy *study, gint64 capture, const char *what, GError **error)
{
  g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
               "%s: capture %" G_GINT64_FORMAT " is another one than the window shows; %s once that was read",
               culprit_study_path (study), capture, what);
  return FALSE;
}

gboolean
culprit_study_check_capture (CulpritStudy *study, gint64 capture, const char *identity, GError **error)
{
  g_autoptr (GArray) now = culprit_study_triage (study, &capture, 1, error);

  return now && (culprit_triage_is_same (g_array_index (now, CulpritTriage, 0).identity, identity) ||
                 refuse_other (study, capture, "look at it", error));
}

/* Stores @change, and what it is from and to, unless that is the same. */
static gboolean
change_one (CulpritStudy *study,
            Statement *statement,
            const CulpritTriage *change,
            const CulpritTriage *now,
            CulpritTriageChanged *changed,
            GError **error)
{
  CulpritTriage before;
  CulpritTriage after;
  gboolean same;

  if (!culprit_triage_is_same (change->identity, now->identity))
    return refuse_other (study, change->capture, "mark it", error);
  before = copy_of (change, now->state, now->note);
  after = copy_of (change, change->state ? change->state : now->state, change->note ? change->note : now->note);
  same = g_str_equal (before.state, after.state) && g_str_equal (before.note, after.note);
  g_array_append_val (changed->before, before);
  g_array_append_val (changed->after, after);
  if (same)
    {
      g_array_set_size (changed->before, changed->before->len - 1);
      g_array_set_size (changed->after, changed->after->len - 1);
      return TRUE;
    }
  statement_bind (statement, "itt", change->capture, change->state, change->note);
  return statement_run (study, statement, error);
}

/* The same within a transaction. */
static gboolean
change_all (
    CulpritStudy *study, const GArray *changes, const GArray *expected, CulpritTriageChanged *changed, GError **error)
{
  g_autoptr (Statement) statement =
      statement_new (study,
                     "UPDATE capture SET triage = IFNULL (?2, triage), note = IFNULL (?3, note) "
                     "WHERE capture_id = ?1",
                     error);
  g_autofree gint64 *captures = g_new (gint64, changes->len);
  g_autoptr (GArray) now = NULL;

  for (guint i = 0; i < changes->len; i++)
    captures[i] = g_array_index (changes, CulpritTriage, i).capture;
  now = statement ? culprit_study_triage (study, captures, changes->len, error) : NULL;
  for (guint i = 0; now && i < changes->len; i++)
    {
      const CulpritTriage *change = &g_array_index (changes, CulpritTriage, i);
      const CulpritTriage *one = &g_array_index (now, CulpritTriage, i);

      if (expected && !is_expected (change, &g_array_index (expected, CulpritTriage, i), one))
        changed->others++;
      else if (!change_one (study, statement, change, one, changed, error))
        return FALSE;
    }
  return now != NULL;
}

gboolean
culprit_study_change_triage (
    CulpritStudy *study, const GArray *changes, const GArray *expected, CulpritTriageChanged *changed, GError **error)
{
  *changed = (CulpritTriageChanged) { g_array_new (FALSE, FALSE, sizeof (CulpritTriage)),
                                      g_array_new (FALSE, FALSE, sizeof (CulpritTriage)), 0 };
  g_array_set_clear_func (changed->before, culprit_triage_clear);
  g_array_set_clear_func (changed->after, culprit_triage_clear);
  if (!study_begin (study, error))
    return FALSE;
  if (change_all (study, changes, expected, changed, error) && study_commit (study, error))
    return TRUE;
  study_roll_back (study);
  return FALSE;
}

void
culprit_triage_changed_clear (CulpritTriageChanged *changed)
{
  g_clear_pointer (&changed->before, g_array_unref);
  g_clear_pointer (&changed->after, g_array_unref);
}

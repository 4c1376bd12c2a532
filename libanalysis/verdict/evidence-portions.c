/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A verdict spends most of its time reading rows: if there are many captures, each processor reads some of them. The
 * result does not depend on how they are divided. */
#include "evidence-private.h"
#include "seeded-hash.h"

#define LEAST_CASES 250 /* per portion: a thread is not worthwhile for fewer */
#define MOST_PORTIONS 4

typedef struct
{
  Reading reading; /* Without a study, it opens its own. */
  const char *path;
  GThread *thread;
  GError *error;
  gboolean good;
} Portion;

static gpointer
read_portion (gpointer data)
{
  Portion *portion = data;
  Reading *reading = &portion->reading;
  g_autoptr (CulpritStudy) own = NULL;

  if (!reading->study)
    reading->study = own = culprit_study_open (portion->path, CULPRIT_STUDY_READ, &portion->error);
  portion->good = reading->study && evidence_read_late (reading, &portion->error) &&
                  evidence_read_ordinary (reading, &portion->error);
  if (!portion->good)
    g_atomic_int_set (reading->stop, 1);
  return NULL;
}

static void
begin_portion (Portion *portion, const Reading *whole, guint index, guint n)
{
  guint cases = whole->evidence->cases->len;

  *portion = (Portion) { .reading = *whole, .path = culprit_study_path (whole->study) };
  portion->reading.from = (guint64) cases * index / n;
  portion->reading.to = (guint64) cases * (index + 1) / n;
  portion->reading.texts = g_string_chunk_new (16 * 1024);
  portion->reading.room = g_string_chunk_new (ROOM_BLOCK);
  g_ptr_array_add (whole->rooms, portion->reading.room);
  portion->reading.kept = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);
  portion->reading.pools = g_ptr_array_new_with_free_func ((GDestroyNotify) base_free);
  for (guint i = 0; i < whole->pools->len; i++)
    g_ptr_array_add (portion->reading.pools, base_new ());
  if (index == 0)
    return;
  portion->reading.study = NULL;
  portion->thread = g_thread_new ("culprit-evidence", read_portion, portion);
}

/* Adds what was read. FALSE with an error if this is the portion that failed. */
static gboolean
end_portion (Portion *portion, Reading *whole, GError **error)
{
  if (portion->thread)
    g_thread_join (portion->thread);
  for (guint i = 0; i < whole->pools->len; i++)
    base_take (g_ptr_array_index (whole->pools, i), g_ptr_array_index (portion->reading.pools, i));
  g_ptr_array_add (whole->evidence->more_texts, portion->reading.texts);
  g_hash_table_unref (portion->reading.kept);
  g_ptr_array_unref (portion->reading.pools);
  if (portion->error && error && !*error)
    g_propagate_error (error, g_steal_pointer (&portion->error));
  g_clear_error (&portion->error);
  return portion->good;
}

gboolean
evidence_read_portions (Reading *reading, GError **error)
{
  guint cases = reading->evidence->cases->len;
  guint n = CLAMP (cases / LEAST_CASES, 1, MIN (g_get_num_processors (), MOST_PORTIONS));
  g_autofree Portion *portions = g_new (Portion, n);
  gboolean good = TRUE;

  if (cases == 0)
    return TRUE;
  for (guint i = 0; i < n; i++)
    begin_portion (&portions[i], reading, i, n);
  read_portion (&portions[0]);
  for (guint i = 0; i < n; i++)
    good &= end_portion (&portions[i], reading, error);
  return good;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each thread takes the next index when it is done with one. */
#include "each.h"

typedef struct
{
  CulpritEach run;
  gpointer data;
  guint n;
  gint next;
} Job;

static gpointer
take_indices (gpointer data)
{
  Job *job = data;

  for (guint i = g_atomic_int_add (&job->next, 1); i < job->n; i = g_atomic_int_add (&job->next, 1))
    job->run (job->data, i);
  return NULL;
}

void
culprit_each (guint n, CulpritEach run, gpointer data)
{
  guint n_threads = CLAMP (n, 1, g_get_num_processors ());
  g_autofree GThread **threads = g_new0 (GThread *, n_threads);
  Job job = { run, data, n, 0 };

  for (guint i = 1; i < n_threads; i++)
    threads[i] = g_thread_new ("culprit-each", take_indices, &job);
  take_indices (&job);
  for (guint i = 1; i < n_threads; i++)
    g_thread_join (threads[i]);
}

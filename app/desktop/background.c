/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps a list of the running tasks. */
#include "background.h"

#define LONGEST_US (10 * G_USEC_PER_SEC) /* to wait for the end: ending a silent target takes half of it */

static GMutex mutex;
static GCond one_ended;
static GPtrArray *running; /* of GTask; NULL: none has run yet */

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GTaskThreadFunc function = g_task_get_source_tag (task);

  function (task, source, data, cancellable);
  g_mutex_lock (&mutex);
  g_ptr_array_remove_fast (running, task);
  g_cond_signal (&one_ended);
  g_mutex_unlock (&mutex);
}

void
background_run (GTask *task, GTaskThreadFunc function)
{
  g_mutex_lock (&mutex);
  if (!running)
    running = g_ptr_array_new ();
  g_ptr_array_add (running, task);
  g_mutex_unlock (&mutex);
  g_task_set_source_tag (task, function);
  g_task_run_in_thread (task, run);
}

gboolean
background_end (void)
{
  gint64 until_us = g_get_monotonic_time () + LONGEST_US;
  gboolean ended;
  g_autoptr (GPtrArray) cancelled = g_ptr_array_new_with_free_func (g_object_unref);

  g_mutex_lock (&mutex);
  for (guint i = 0; running && i < running->len; i++)
    {
      GCancellable *cancellable = g_task_get_cancellable (g_ptr_array_index (running, i));

      if (cancellable)
        g_ptr_array_add (cancelled, g_object_ref (cancellable));
    }
  g_mutex_unlock (&mutex);
  for (guint i = 0; i < cancelled->len; i++)
    g_cancellable_cancel (g_ptr_array_index (cancelled, i));
  g_mutex_lock (&mutex);
  while (running && running->len > 0 && g_cond_wait_until (&one_ended, &mutex, until_us))
    ;
  ended = !running || running->len == 0;
  g_mutex_unlock (&mutex);
  return ended;
}

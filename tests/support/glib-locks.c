/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements GLib's locks by pthread locks, which the thread sanitizer knows; it does not see GLib's own, which use
 * futexes. Linked into programs built with it, where they replace GLib's. */
#include <glib.h>
#include <pthread.h>

static pthread_mutex_t *
mutex_of (GMutex *mutex)
{
  pthread_mutex_t *made = g_atomic_pointer_get (&mutex->p);

  if (made)
    return made;
  made = g_new0 (pthread_mutex_t, 1);
  pthread_mutex_init (made, NULL);
  if (g_atomic_pointer_compare_and_exchange (&mutex->p, NULL, made))
    return made;
  g_free (made);
  return g_atomic_pointer_get (&mutex->p);
}

static pthread_cond_t *
cond_of (GCond *cond)
{
  pthread_cond_t *made = g_atomic_pointer_get (&cond->p);

  if (made)
    return made;
  made = g_new0 (pthread_cond_t, 1);
  pthread_cond_init (made, NULL);
  if (g_atomic_pointer_compare_and_exchange (&cond->p, NULL, made))
    return made;
  g_free (made);
  return g_atomic_pointer_get (&cond->p);
}

void
g_mutex_init (GMutex *mutex)
{
  mutex->p = NULL;
}

void
g_mutex_clear (GMutex *mutex)
{
  g_free (mutex->p);
}

void
g_mutex_lock (GMutex *mutex)
{
  pthread_mutex_lock (mutex_of (mutex));
}

void
g_mutex_unlock (GMutex *mutex)
{
  pthread_mutex_unlock (mutex_of (mutex));
}

void
g_cond_init (GCond *cond)
{
  cond->p = NULL;
}

void
g_cond_clear (GCond *cond)
{
  g_free (cond->p);
}

void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  pthread_cond_wait (cond_of (cond), mutex_of (mutex));
}

void
g_cond_signal (GCond *cond)
{
  pthread_cond_signal (cond_of (cond));
}

void
g_cond_broadcast (GCond *cond)
{
  pthread_cond_broadcast (cond_of (cond));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A short queue for each kind: what is used moves to the head; what exceeds the limit is dropped at the tail. */
#include "kept-private.h"

#define MAX_KEPT (24 * 1024 * 1024) /* bytes per kind, in addition to the one added last */

typedef struct
{
  XXH128_hash_t key;
  gpointer read;
  gsize size;
  GDestroyNotify clear;
} Kept;

static GMutex lock;
static GQueue kept[KEPT_KINDS]; /* of Kept */

XXH3_state_t *
kept_key_begin (void)
{
  static guint32 secret[XXH3_SECRET_SIZE_MIN / sizeof (guint32) + 1];
  static gsize drawn = 0;
  XXH3_state_t *state = XXH3_createState ();

  if (g_once_init_enter (&drawn))
    {
      for (guint i = 0; i < G_N_ELEMENTS (secret); i++)
        secret[i] = g_random_int ();
      g_once_init_leave (&drawn, 1);
    }
  XXH3_128bits_reset_withSecret (state, secret, sizeof secret);
  return state;
}

XXH128_hash_t
kept_key (XXH3_state_t *state)
{
  XXH128_hash_t key = XXH3_128bits_digest (state);

  XXH3_freeState (state);
  return key;
}

gpointer
kept_find (KeptKind kind, XXH128_hash_t key)
{
  GQueue *queue = &kept[kind];
  gpointer found = NULL;

  g_mutex_lock (&lock);
  for (GList *link = queue->head; link && !found; link = link->next)
    {
      const Kept *entry = link->data;

      if (!XXH128_isEqual (entry->key, key))
        continue;
      found = g_atomic_rc_box_acquire (entry->read);
      g_queue_unlink (queue, link);
      g_queue_push_head_link (queue, link);
      break;
    }
  g_mutex_unlock (&lock);
  return found;
}

/* Drops what exceeds the limit from the tail. */
static void
trim (GQueue *queue)
{
  gsize size = 0;

  for (const GList *link = queue->head; link; link = link->next)
    size += ((const Kept *) link->data)->size;
  while (size > MAX_KEPT && queue->length > 1)
    {
      Kept *left = g_queue_pop_tail (queue);

      size -= left->size;
      g_atomic_rc_box_release_full (left->read, left->clear);
      g_free (left);
    }
}

void
kept_add (KeptKind kind, XXH128_hash_t key, gpointer read, gsize size, GDestroyNotify clear)
{
  Kept *entry = g_new (Kept, 1);

  *entry = (Kept) { key, g_atomic_rc_box_acquire (read), size, clear };
  g_mutex_lock (&lock);
  g_queue_push_head (&kept[kind], entry);
  trim (&kept[kind]);
  g_mutex_unlock (&lock);
}

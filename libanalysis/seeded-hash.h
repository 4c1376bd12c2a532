/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hashes for names and numbers from outside: since g_str_hash() is known, names could be chosen that all collide. */
#pragma once

#include <glib.h>

/* A random number drawn when the program starts. */
guint64 culprit_hash_seed (void);

/* Hashes the text @key, as a GHashFunc. */
guint culprit_hash_text (gconstpointer key);

/* Hashes the gint64 that @key points to, as a GHashFunc that fits g_int64_equal(). */
guint culprit_hash_number (gconstpointer key);

/* Hashes the number in @key, from GINT_TO_POINTER (), as a GHashFunc. */
guint culprit_hash_direct (gconstpointer key);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hashes for what strangers name and number: nobody can choose names that all come to lie in one place of a table, for
 * which g_str_hash() is known. */
#pragma once

#include <glib.h>

/* A number that is drawn when the program begins. */
guint64 culprit_hash_seed (void);

/* Hashes the text @key, as a GHashFunc. */
guint culprit_hash_text (gconstpointer key);

/* Hashes the gint64 @key points to, as a GHashFunc beside g_int64_equal(). */
guint culprit_hash_number (gconstpointer key);

/* Hashes the number that @key is, by GINT_TO_POINTER (), as a GHashFunc. */
guint culprit_hash_direct (gconstpointer key);

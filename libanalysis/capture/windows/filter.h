/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions on the fields of an event, as in the kernel's filters: comparisons such as next_pid == 42 or
 * comm ~ "my*", joined by && and ||, of which && binds more closely. Without parentheses. */
#pragma once

#include <glib.h>

typedef struct _Filter Filter;

/* Reads @text. NULL with an error. */
Filter *filter_parse (const char *text, GError **error);

/* Looks the fields up in @format, the kernel's description of the event. FALSE with an error if it lacks one. */
gboolean filter_bind (Filter *filter, const char *format, GError **error);

/* Whether an event, of which there are @size bytes at @data, meets @filter; @swap: in the other byte order. */
gboolean filter_matches (const Filter *filter, const guint8 *data, gsize size, gboolean swap);

/* The key of an event: the number in a field, or a hash of its text. FALSE: the event ends before. */
typedef struct _FilterKey FilterKey;

/* NULL with an error if the event of @format has no field called @name. */
FilterKey *filter_key_new (const char *name, const char *format, GError **error);
gboolean filter_key_read (const FilterKey *key, const guint8 *data, gsize size, gboolean swap, guint64 *value);
void filter_key_free (FilterKey *key);

void filter_free (Filter *filter);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Filter, filter_free)

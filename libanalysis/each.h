/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work that can be done in any order. */
#pragma once

#include <glib.h>

typedef void (*CulpritEach) (gpointer data, guint index);

/* Calls @run with @data and each index below @n once, on as many threads as there are processors; returns when all of
 * them are done. */
void culprit_each (guint n, CulpritEach run, gpointer data);

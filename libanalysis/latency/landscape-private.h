/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A histogram as a landscape of hills: where each ends, how far it rises, and how unlikely it is in a slope. */
#pragma once

#include <glib.h>

typedef struct Landscape Landscape;

/* The counts of @n bins, at least one; takes @counts. */
Landscape *landscape_new (guint64 *counts, guint n);

void landscape_free (Landscape *landscape);

/* How far the hill whose highest bin is @index rises above the valley in which it meets a higher one, in standard
 * deviations; 0 for a bin that is not the highest of its hill. */
double landscape_prominence (const Landscape *landscape, guint index);

/* The bins around the highest bin @index of a hill that are lower by @part of its prominence at most, both included. */
void landscape_find_band (const Landscape *landscape, guint index, double part, guint *first, guint *last);

/* The logarithm of a bound on the probability that counts which only fall off from the bins @low and @high, those of
 * other peaks, would have as many in this hill's band, or more, as compared with the bins between; corrected for all
 * bands and distances that could be compared. Beyond the first or the last bin: there is no other peak on that side. */
double landscape_rarity (const Landscape *landscape, guint index, double part, gint64 low, gint64 high);

/* The lowest bin from @from to @to; of equal ones, the first of the longest stretch. */
guint landscape_find_valley (const Landscape *landscape, guint from, guint to);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Landscape, landscape_free)

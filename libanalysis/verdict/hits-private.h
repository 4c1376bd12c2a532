/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many of many tries hit: where the probability is the same in some of them, these count together. */
#pragma once

#include <glib.h>

/* The probability of each number of hits; of those not told it is 0. */
typedef struct
{
  guint first;
  GArray *p; /* of double: of first, first + 1 and so on */
} Hits;

/* No try yet. */
Hits *hits_new (void);

void hits_free (Hits *hits);

/* Adds @n tries, each of which hits with probability @p. */
void hits_try (Hits *hits, guint n, double p);

/* The probability of @least hits or more. */
double hits_at_least (const Hits *hits, guint least);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Hits, hits_free)

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The distribution of the number of hits among many tries; tries with equal probability are handled together. */
#pragma once

#include <glib.h>

/* The probability of each number of hits; 0 for numbers not listed. */
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

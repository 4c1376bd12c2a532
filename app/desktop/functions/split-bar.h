/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table cell that shows how much of an excess comes from more calls and how much from more expensive ones. */
#pragma once

#include "tables/rows.h"

#include <gtk/gtk.h>

GtkWidget *split_bar_new (void);

/* Shows the parts of @row's excess beside the largest excess of its table. */
void split_bar_show (GtkWidget *bar, CulpritRow *row);

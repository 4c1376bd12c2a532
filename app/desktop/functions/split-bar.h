/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cell that shows what part of an excess is by more calls and what by dearer ones. */
#pragma once

#include "tables/rows.h"

#include <gtk/gtk.h>

GtkWidget *split_bar_new (void);

/* Shows the parts of @row's excess beside the largest excess of its table. */
void split_bar_show (GtkWidget *bar, CulpritRow *row);

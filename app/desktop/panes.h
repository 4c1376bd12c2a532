/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remembers where people put the dividers of pages. */
#pragma once

#include <gtk/gtk.h>

/* Puts the dividers in all of @pages where they were, and remembers where they are put. */
void panes_keep (GtkStack *pages);

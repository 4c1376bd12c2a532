/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What widgets that are made of others have in common. */
#pragma once

#include <gtk/gtk.h>

/* Lets go of all that @widget consists of, when it is disposed of. */
void widget_drop_children (GtkWidget *widget);

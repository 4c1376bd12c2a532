/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the pages and their parts. */
#include "widgets.h"

void
widget_drop_children (GtkWidget *widget)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (widget)))
    gtk_widget_unparent (child);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A label whose style names the class. */
#include "tables/class-cell.h"

#include "show.h"
#include "tables/column.h"

GtkWidget *
class_cell_make (void)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_widget_set_halign (label, GTK_ALIGN_START);
  gtk_widget_set_valign (label, GTK_ALIGN_CENTER);
  return label;
}

void
class_cell_set (GtkWidget *cell, const char *class, const char *missing)
{
  g_autofree char *text = culprit_class_text (*class || !missing ? class : missing);
  g_autofree char *style = g_strconcat ("class-", class, NULL);
  const char *badge[] = { "badge", style, NULL };
  const char *none[] = { "dim-label", NULL };

  show_line (cell, text);
  gtk_widget_set_css_classes (cell, *class ? badge : none);
}

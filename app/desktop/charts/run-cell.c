/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A box of the run's colour and its name. */
#include "charts/run-cell.h"

#include "charts/swatch.h"
#include "show.h"

#define SPACING 6
#define WIDTH 12
#define NUMBERS "run-numbers"

void
run_cell_attach (CulpritRows *rows, GArray *numbers)
{
  culprit_rows_attach (rows, NUMBERS, numbers, (GDestroyNotify) g_array_unref);
}

GtkWidget *
run_cell_make (void)
{
  GtkWidget *cell = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), WIDTH);
  gtk_box_append (GTK_BOX (cell), culprit_swatch_new (0));
  gtk_box_append (GTK_BOX (cell), label);
  return cell;
}

void
run_cell_show (GtkWidget *cell, CulpritRow *row)
{
  const GArray *numbers = culprit_row_attached (row, NUMBERS);
  GtkWidget *label = gtk_widget_get_last_child (cell);

  culprit_swatch_set_run (CULPRIT_SWATCH (gtk_widget_get_first_child (cell)),
                          g_array_index (numbers, guint, culprit_row_place (row)));
  show_line (label, culprit_row_text (row, "run"));
  show_tooltip (label, culprit_row_text (row, "run"));
}

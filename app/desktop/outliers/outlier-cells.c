/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A class is a badge, a state has a sign where there is a note. */
#include "outliers/outlier-cells.h"

#include "charts/run-cell.h"
#include "show.h"
#include "study/triage.h"
#include "tables/class-cell.h"
#include "triage.h"

#define MISSING "missing-class"

void
outlier_cells_attach (CulpritRows *rows, const char *missing)
{
  culprit_rows_attach (rows, MISSING, (gpointer) missing, NULL);
}

/* That a capture does not count says more than its class. */
static void
show_class (GtkWidget *cell, CulpritRow *row)
{
  const char *class = triage_ignores (row) ? CULPRIT_TRIAGE_IGNORED : culprit_row_text (row, "class");

  class_cell_set (cell, class, culprit_row_attached (row, MISSING));
}

/* The state, with a sign where there is a note, which is its tooltip. */
static GtkWidget *
make_state (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (box), gtk_label_new (NULL));
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("document-edit-symbolic"));
  return box;
}

static void
show_state (GtkWidget *cell, CulpritRow *row)
{
  const char *state = culprit_row_text (row, "triage");
  const char *note = culprit_row_text (row, "note");
  g_autofree char *style = g_strconcat ("state-", state, NULL);
  g_autofree char *spoken = g_strconcat ("Note: ", note, NULL);
  const char *classes[] = { style, NULL };
  GtkWidget *sign = gtk_widget_get_last_child (cell);

  show_line (gtk_widget_get_first_child (cell), state);
  gtk_widget_set_css_classes (gtk_widget_get_first_child (cell), classes);
  gtk_widget_set_visible (sign, *note != '\0');
  show_tooltip (cell, *note ? note : NULL);
  show_to_reader (sign, GTK_ACCESSIBLE_PROPERTY_LABEL, spoken);
}

const TableCell outlier_cells[] = {
  RUN_CELL,
  { "class", class_cell_make, show_class },
  { "triage", make_state, show_state },
  { NULL },
};

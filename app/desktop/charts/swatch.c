/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws one rectangle with round corners. */
#include "charts/swatch.h"

#include "show.h"
#include "widgets.h"

#define SIZE 11

struct _CulpritSwatch
{
  GtkWidget parent;
  guint number;
};

G_DEFINE_FINAL_TYPE (CulpritSwatch, culprit_swatch, GTK_TYPE_WIDGET)

static void
swatch_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  ChartPalette palette = is_dark (widget) ? CHART_DARK : CHART_LIGHT;
  const GdkRGBA colour = rgba_of (chart_run_colour (palette, CULPRIT_SWATCH (widget)->number), 1);
  GskRoundedRect box;

  gsk_rounded_rect_init_from_rect (&box, &GRAPHENE_RECT_INIT (0, 0, SIZE, SIZE), 2);
  gtk_snapshot_push_rounded_clip (snapshot, &box);
  gtk_snapshot_append_color (snapshot, &colour, &box.bounds);
  gtk_snapshot_pop (snapshot);
}

/* Screen readers read the name beside it. */
static void
culprit_swatch_class_init (CulpritSwatchClass *class)
{
  GTK_WIDGET_CLASS (class)->snapshot = swatch_snapshot;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
culprit_swatch_init (CulpritSwatch *swatch)
{
  gtk_widget_set_size_request (GTK_WIDGET (swatch), SIZE, SIZE);
  gtk_widget_set_valign (GTK_WIDGET (swatch), GTK_ALIGN_CENTER);
  gtk_widget_set_halign (GTK_WIDGET (swatch), GTK_ALIGN_CENTER);
}

GtkWidget *
culprit_swatch_new (guint number)
{
  CulpritSwatch *swatch = g_object_new (CULPRIT_TYPE_SWATCH, NULL);

  swatch->number = number;
  return GTK_WIDGET (swatch);
}

/* Shows the colour of the run @number, as of culprit_study_run_number(). */
static void
culprit_swatch_set_run (CulpritSwatch *swatch, guint number)
{
  swatch->number = number;
  gtk_widget_queue_draw (GTK_WIDGET (swatch));
}

/* A box of the run's colour and its name. */

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

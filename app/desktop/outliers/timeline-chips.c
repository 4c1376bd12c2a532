/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chips are made anew when a highlight changes: there are five at most. */
#include "outliers/timeline-chips.h"

#include "show.h"

#define SWATCH "\xe2\x96\xa0" /* a black square */
#define LETTERS 32

typedef struct
{
  CulpritTimelineView *view;
  guint index;
  TimelineChipsRemove remove;
  gpointer data;
} Chip;

static void
free_chip (gpointer chip, GClosure *closure)
{
  g_free (chip);
}

/* The chips are made anew: their focus would be lost. */
static void
on_clicked (GtkButton *button, gpointer data)
{
  const Chip *chip = data;
  CulpritTimelineView *view = chip->view;

  culprit_timeline_view_go_through (view, chip->index);
  gtk_widget_grab_focus (GTK_WIDGET (view));
}

static void
on_removed (GtkButton *button, gpointer data)
{
  const Chip *chip = data;
  CulpritTimelineView *view = chip->view;

  chip->remove (chip->index, chip->data);
  gtk_widget_grab_focus (GTK_WIDGET (view));
}

static void
connect (GtkWidget *button, const Chip *chip, GCallback callback)
{
  g_signal_connect_data (button, "clicked", callback, g_memdup2 (chip, sizeof *chip), free_chip, 0);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
}

static GtkWidget *
make_swatch (const GdkRGBA *colour)
{
  GtkWidget *swatch = gtk_label_new (SWATCH);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_foreground_new (colour->red * G_MAXUINT16, colour->green * G_MAXUINT16,
                                                                 colour->blue * G_MAXUINT16));
  gtk_label_set_attributes (GTK_LABEL (swatch), attributes);
  return swatch;
}

static GtkWidget *
make_name (const CulpritTimelineHighlight *highlight)
{
  g_autofree char *text =
      highlight->is_function ? g_strdup (highlight->text) : g_strdup_printf ("“%s”", highlight->text);
  GtkWidget *name = show_label_new (text);

  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (name), LETTERS);
  show_tooltip (name, text);
  if (highlight->is_current)
    gtk_widget_add_css_class (name, "current");
  return name;
}

static GtkWidget *
make_chip (const CulpritTimelineHighlight *highlight, const Chip *chip)
{
  GtkWidget *both = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *button = gtk_button_new ();
  GtkWidget *remove = gtk_button_new_from_icon_name ("window-close-symbolic");
  g_autofree char *label = g_strdup_printf ("Go through the calls of %s", highlight->text);
  g_autofree char *remove_label = g_strdup_printf ("Stop highlighting %s", highlight->text);

  gtk_box_append (GTK_BOX (content), make_swatch (&highlight->colour));
  gtk_box_append (GTK_BOX (content), make_name (highlight));
  gtk_button_set_child (GTK_BUTTON (button), content);
  show_to_reader (button, GTK_ACCESSIBLE_PROPERTY_LABEL, label);
  show_to_reader (remove, GTK_ACCESSIBLE_PROPERTY_LABEL, remove_label);
  show_tooltip (remove, remove_label);
  connect (button, chip, G_CALLBACK (on_clicked));
  connect (remove, chip, G_CALLBACK (on_removed));
  gtk_box_append (GTK_BOX (both), button);
  gtk_box_append (GTK_BOX (both), remove);
  gtk_widget_add_css_class (both, "highlight");
  return both;
}

void
timeline_chips_fill (GtkBox *box, CulpritTimelineView *view, TimelineChipsRemove remove, gpointer data)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))))
    gtk_box_remove (box, child);
  for (guint i = 0; i < culprit_timeline_view_highlights (view); i++)
    {
      CulpritTimelineHighlight highlight = culprit_timeline_view_get_highlight (view, i);

      gtk_box_append (box, make_chip (&highlight, &(Chip) { view, i, remove, data }));
    }
}

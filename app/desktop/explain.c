/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the definition of each number in a popover. */
#include "explain.h"

#include "show.h"

static GtkWidget *
make_label (const char *text, const char *class, int width)
{
  GtkWidget *label = show_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), width);
  gtk_widget_add_css_class (label, class);
  return label;
}

GtkWidget *
explain_button_new (const char *const *entries)
{
  GtkWidget *button = gtk_menu_button_new ();
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  for (int row = 0; entries[0]; entries += 2, row++)
    {
      gtk_grid_attach (GTK_GRID (grid), make_label (entries[0], "heading", 16), 0, row, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), make_label (entries[1], "body", 56), 1, row, 1, 1);
    }
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), grid);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 480);
  gtk_scrolled_window_set_overlay_scrolling (GTK_SCROLLED_WINDOW (scrolled), FALSE);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_popover_set_child (GTK_POPOVER (popover), scrolled);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "help-about-symbolic");
  gtk_widget_set_tooltip_text (button, "What the numbers mean");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, "What the numbers mean", -1);
  gtk_widget_add_css_class (button, "flat");
  return button;
}

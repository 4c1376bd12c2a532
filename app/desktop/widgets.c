/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers shared by the pages and their parts. */
#include "widgets.h"

#include "clean.h"
#include "show.h"
#include "state.h"
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

#define MAX_SENTENCES 3000 /* characters */

void
widget_class_set_template (gpointer class, const char *name)
{
  g_autofree char *path = g_strconcat ("/io/github/culprit/desktop/", name, NULL);

  gtk_widget_class_set_template_from_resource (class, path);
}

void
label_set_sentence (GtkWidget *label, const char *words)
{
  g_autofree char *text = culprit_clean_start (words, MAX_SENTENCES, '\n');
  g_autoptr (GRegex) quantity = g_regex_new ("[0-9] (%|[nmu]?s\\b)", 0, 0, NULL);
  g_autoptr (GMatchInfo) found = NULL;
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  for (g_regex_match (quantity, text, 0, &found); g_match_info_matches (found); g_match_info_next (found, NULL))
    {
      PangoAttribute *together = pango_attr_allow_breaks_new (FALSE);
      int start;
      int end;

      g_match_info_fetch_pos (found, 0, &start, &end);
      together->start_index = start;
      together->end_index = end;
      pango_attr_list_insert (attributes, together);
    }
  gtk_label_set_attributes (GTK_LABEL (label), attributes);
  gtk_label_set_label (GTK_LABEL (label), text);
}

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

/* Narrow windows: the limit grows with the size of letters. */

#define WIDE_FROM 1000 /* pixels, at the usual size of letters */
#define USUAL_DPI (96 * 1024)

static void
set_width (GtkWindow *window, int width)
{
  gboolean narrow;
  gboolean before;
  int dpi;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (window)), "gtk-xft-dpi", &dpi, NULL);
  narrow = width < WIDE_FROM * MAX (dpi, USUAL_DPI) / USUAL_DPI;
  g_object_get (window, "narrow", &before, NULL);
  if (narrow != before)
    g_object_set (window, "narrow", narrow, NULL);
}

static void
on_layout (GdkSurface *surface, int width, int height, GtkWindow *window)
{
  set_width (window, width);
}

static void
on_realize (GtkWindow *window)
{
  g_signal_connect_object (gtk_native_get_surface (GTK_NATIVE (window)), "layout", G_CALLBACK (on_layout), window, 0);
}

/* So that a window does not come out wider than requested. */
static void
on_default_width (GtkWindow *window)
{
  int width;

  g_object_get (window, "default-width", &width, NULL);
  set_width (window, width);
}

static void
on_letters (GtkWidget *window)
{
  if (gtk_widget_get_width (window) > 0)
    set_width (GTK_WINDOW (window), gtk_widget_get_width (window));
}

void
narrow_keep (GtkWindow *window)
{
  g_signal_connect (window, "realize", G_CALLBACK (on_realize), NULL);
  g_signal_connect (window, "notify::default-width", G_CALLBACK (on_default_width), NULL);
  g_signal_connect_object (gtk_widget_get_settings (GTK_WIDGET (window)), "notify::gtk-xft-dpi",
                           G_CALLBACK (on_letters), window, G_CONNECT_SWAPPED);
}

/* Dividers: the position of every GtkPaned, by its page, its number in the page and its orientation. */

#define GROUP "dividers"

static char *
key_of (GtkPaned *paned, const char *place)
{
  gboolean above = gtk_orientable_get_orientation (GTK_ORIENTABLE (paned)) == GTK_ORIENTATION_VERTICAL;

  return g_strconcat (place, above ? "-above" : "", NULL);
}

/* A divider that nobody has moved follows its content. */
static void
on_position (GtkPaned *paned, GParamSpec *spec, const char *place)
{
  g_autofree char *key = key_of (paned, place);
  gboolean put;

  g_object_get (paned, "position-set", &put, NULL);
  if (put)
    state_set_integer (GROUP, key, gtk_paned_get_position (paned));
}

/* FALSE: nobody has moved it. */
static gboolean
recall (GtkPaned *paned, const char *place)
{
  g_autofree char *key = key_of (paned, place);
  int position = state_integer (GROUP, key, -1);

  if (position >= 0)
    gtk_paned_set_position (paned, position);
  return position >= 0;
}

static void
on_orientation (GtkPaned *paned, GParamSpec *spec, const char *place)
{
  g_signal_handlers_block_by_func (paned, on_position, (gpointer) place);
  if (!recall (paned, place))
    g_object_set (paned, "position-set", FALSE, NULL);
  g_signal_handlers_unblock_by_func (paned, on_position, (gpointer) place);
}

static void
free_place (gpointer place, GClosure *closure)
{
  g_free (place);
}

/* Takes @place. */
static void
keep (GtkPaned *paned, char *place)
{
  recall (paned, place);
  g_signal_connect (paned, "notify::orientation", G_CALLBACK (on_orientation), place);
  g_signal_connect_data (paned, "notify::position", G_CALLBACK (on_position), place, free_place, 0);
}

static void
keep_all (GtkWidget *widget, const char *name, guint *place)
{
  if (GTK_IS_PANED (widget))
    keep (GTK_PANED (widget), g_strdup_printf ("%s-%u", name, ++*place));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    keep_all (child, name, place);
}

void
panes_keep (GtkStack *pages)
{
  for (GtkWidget *page = gtk_widget_get_first_child (GTK_WIDGET (pages)); page;
       page = gtk_widget_get_next_sibling (page))
    {
      guint place = 0;

      keep_all (page, gtk_stack_page_get_name (gtk_stack_get_page (pages, page)), &place);
    }
}

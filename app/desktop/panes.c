/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the position of every GtkPaned, by its page and its place in it. */
#include "panes.h"

#include "state.h"

#define GROUP "dividers"

/* Where nobody put it, it follows what is in it. */
static void
on_position (GtkPaned *paned, GParamSpec *spec, const char *key)
{
  gboolean put;

  g_object_get (paned, "position-set", &put, NULL);
  if (put)
    state_set_integer (GROUP, key, gtk_paned_get_position (paned));
}

static void
free_key (gpointer key, GClosure *closure)
{
  g_free (key);
}

static void
keep (GtkPaned *paned, char *key)
{
  int position = state_integer (GROUP, key, -1);

  if (position >= 0)
    gtk_paned_set_position (paned, position);
  g_signal_connect_data (paned, "notify::position", G_CALLBACK (on_position), key, free_key, 0);
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

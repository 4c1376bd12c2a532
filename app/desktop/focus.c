/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remembers the last focus outside menus, and checks again when the window is idle, as GTK moves the focus in steps. */
#include "focus.h"

#include "compat.h"

#define GUARD "focus-guard" /* as data of the window */

typedef struct
{
  GtkWindow *window;
  GtkStack *pages;
  GtkWidget *last;   /* NULL: none, or it no longer exists */
  GtkWidget *before; /* the same, before a menu was opened */
  GtkWidget *button; /* of a menu that was closed, or NULL */
  guint looking;     /* the source that checks; 0: none */
} Guard;

static void
guard_free (gpointer data)
{
  Guard *guard = data;

  g_clear_weak_pointer (&guard->last);
  g_clear_weak_pointer (&guard->before);
  g_clear_weak_pointer (&guard->button);
  g_clear_handle_id (&guard->looking, g_source_remove);
  g_free (guard);
}

/* The first visible list below @widget, or NULL. */
static GtkWidget *
find_list (GtkWidget *widget)
{
  if (!gtk_widget_get_child_visible (widget) || !gtk_widget_get_visible (widget))
    return NULL;
  if (GTK_IS_COLUMN_VIEW (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_list (child);

      if (found)
        return found;
    }
  return NULL;
}

void
focus_page (GtkStack *pages)
{
  GtkWidget *page = gtk_stack_get_visible_child (pages);
  GtkWidget *list = page ? find_list (page) : NULL;

  if (page && !(list && (compat_focus_selected (gtk_widget_get_last_child (list)) || gtk_widget_grab_focus (list))))
    gtk_widget_child_focus (page, GTK_DIR_TAB_FORWARD);
}

static gboolean
give (GtkWidget *widget)
{
  return widget && gtk_widget_get_mapped (widget) && gtk_widget_grab_focus (widget);
}

/* Whether the focus is nowhere, or where GTK puts it when a menu closes: on its button. */
static gboolean
look (gpointer data)
{
  Guard *guard = data;
  GtkWidget *focus = gtk_window_get_focus (guard->window);
  gboolean left = guard->button && focus && gtk_widget_is_ancestor (focus, guard->button);

  guard->looking = 0;
  g_clear_weak_pointer (&guard->button);
  if (focus && gtk_widget_get_mapped (focus) && !left)
    return G_SOURCE_REMOVE;
  if (!give (left ? guard->before : guard->last) && gtk_widget_get_mapped (GTK_WIDGET (guard->pages)))
    focus_page (guard->pages);
  return G_SOURCE_REMOVE;
}

static void
look_soon (Guard *guard)
{
  if (guard->looking == 0)
    guard->looking = g_idle_add (look, guard);
}

static void
on_closed (GtkWidget *popover, Guard *guard)
{
  g_set_weak_pointer (&guard->button, gtk_widget_get_parent (popover));
  look_soon (guard);
}

static void
on_focus (GtkWindow *window, GParamSpec *spec, Guard *guard)
{
  GtkWidget *focus = gtk_window_get_focus (window);
  GtkWidget *popover = focus ? gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) : NULL;

  if (!focus)
    look_soon (guard);
  else if (!popover)
    g_set_weak_pointer (&guard->last, focus);
  else
    {
      g_set_weak_pointer (&guard->before, guard->last);
      g_signal_handlers_disconnect_by_func (popover, on_closed, guard);
      g_signal_connect (popover, "closed", G_CALLBACK (on_closed), guard);
    }
}

void
focus_guard (GtkWindow *window, GtkStack *pages)
{
  Guard *guard = g_new0 (Guard, 1);

  guard->window = window;
  guard->pages = pages;
  g_object_set_data_full (G_OBJECT (window), GUARD, guard, guard_free);
  g_signal_connect (window, "notify::focus-widget", G_CALLBACK (on_focus), guard);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The choice is in the states of actions. GTK sorts ascending when a title is clicked, and has no keys for titles
 * before 4.10: clicks are handled here, and the menu does the same. */
#include "tables/column-choice.h"

#include "compat.h"
#include "state.h"

#define SORT "sort"
#define STATE "tables" /* the group in the remembered state */

typedef struct
{
  GtkColumnViewColumn *column; /* not owned */
  GSimpleAction *shown;
  gboolean offered;
} Choice;

struct _ColumnChoice
{
  GtkColumnView *list; /* not owned */
  TableColumn *columns;
  GArray *choices; /* of Choice, one for each column */
  GSimpleActionGroup *actions;
  GMenu *menu;
  char *name; /* of the remembered choice; NULL: it is not remembered */
};

static Choice *
choice_at (ColumnChoice *choice, guint i)
{
  return &g_array_index (choice->choices, Choice, i);
}

static int
find_column (ColumnChoice *choice, const char *key)
{
  for (guint i = 0; i < choice->choices->len; i++)
    if (g_str_equal (choice->columns[i].is.key, key))
      return i;
  return -1;
}

/* Remembering. */

static void
keep (ColumnChoice *choice, const char *what, const char *text)
{
  g_autofree char *key = choice->name ? g_strconcat (choice->name, "-", what, NULL) : NULL;

  if (key)
    state_set_text (STATE, key, text);
}

/* The sort key: "latency_ns", or "-latency_ns" for descending order. */
static void
keep_order (ColumnChoice *choice, guint i)
{
  g_autofree char *order = g_strconcat (choice->columns[i].descending ? "-" : "", choice->columns[i].is.key, NULL);

  keep (choice, SORT, order);
}

/* The keys of the chosen columns, whether or not they can be shown. */
static void
keep_shown (ColumnChoice *choice)
{
  g_autoptr (GString) keys = g_string_new (NULL);

  for (guint i = 0; i < choice->choices->len; i++)
    {
      g_autoptr (GVariant) shown = g_action_get_state (G_ACTION (choice_at (choice, i)->shown));

      if (g_variant_get_boolean (shown))
        g_string_append_printf (keys, "%s ", choice->columns[i].is.key);
    }
  keep (choice, "columns", keys->str);
}

/* Visible columns. */

gboolean
column_choice_shows (ColumnChoice *choice, guint i)
{
  return gtk_column_view_column_get_visible (choice_at (choice, i)->column);
}

/* Titles of numbers are aligned to the right. GTK creates a title again when its column is shown again. */
static void
align_titles (ColumnChoice *choice)
{
  for (guint i = 0, place = 0; i < choice->choices->len; i++)
    if (column_choice_shows (choice, i))
      {
        if (choice->columns[i].is.kind >= CULPRIT_KIND_NUMBER)
          compat_align_title (choice->list, place);
        place++;
      }
}

static void
update_shown (ColumnChoice *choice)
{
  for (guint i = 0; i < choice->choices->len; i++)
    {
      Choice *one = choice_at (choice, i);
      g_autoptr (GVariant) shown = g_action_get_state (G_ACTION (one->shown));

      gtk_column_view_column_set_visible (one->column, one->offered && g_variant_get_boolean (shown));
      g_simple_action_set_enabled (one->shown, one->offered);
    }
  align_titles (choice);
}

static void
on_shown (GSimpleAction *action, GVariant *shown, ColumnChoice *choice)
{
  g_simple_action_set_state (action, shown);
  update_shown (choice);
  keep_shown (choice);
}

void
column_choice_offer (ColumnChoice *choice, const char *key, gboolean offered)
{
  choice_at (choice, find_column (choice, key))->offered = offered;
  update_shown (choice);
}

/* The order. */

static void
sort (ColumnChoice *choice, guint i, gboolean descending)
{
  GSimpleAction *action = G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (choice->actions), SORT));

  choice->columns[i].descending = descending;
  gtk_column_view_sort_by_column (choice->list, choice_at (choice, i)->column,
                                  descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
  g_simple_action_set_state (action, g_variant_new_string (choice->columns[i].is.key));
}

void
column_choice_sort (ColumnChoice *choice, const char *key)
{
  int i = find_column (choice, key);

  sort (choice, i, culprit_column_is_greatest_first (&choice->columns[i].is));
}

/* Reverses the order if this column determines it already. */
static void
sort_or_turn (ColumnChoice *choice, guint i)
{
  g_autoptr (GVariant) sorted = g_action_group_get_action_state (G_ACTION_GROUP (choice->actions), SORT);

  if (g_str_equal (g_variant_get_string (sorted, NULL), choice->columns[i].is.key))
    sort (choice, i, !choice->columns[i].descending);
  else
    column_choice_sort (choice, choice->columns[i].is.key);
  keep_order (choice, i);
}

static void
on_sort (GSimpleAction *action, GVariant *key, ColumnChoice *choice)
{
  int i = find_column (choice, g_variant_get_string (key, NULL));

  if (i >= 0)
    sort_or_turn (choice, i);
}

static void
on_title_released (GtkGestureClick *click, int presses, double x, double y, ColumnChoice *choice)
{
  int place = compat_title_at (choice->list, x, y);

  for (guint i = 0; i < choice->choices->len && place >= 0; i++)
    if (column_choice_shows (choice, i) && place-- == 0)
      {
        gtk_gesture_set_state (GTK_GESTURE (click), GTK_EVENT_SEQUENCE_CLAIMED);
        sort_or_turn (choice, i);
      }
}

/* Handled before the title itself takes the click; dragging to make a column wider has been taken before. */
static void
take_clicks (ColumnChoice *choice)
{
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect (click, "released", G_CALLBACK (on_title_released), choice);
  gtk_widget_add_controller (gtk_widget_get_first_child (GTK_WIDGET (choice->list)), GTK_EVENT_CONTROLLER (click));
}

/* The choice. */

/* Columns with the same title are distinguished by the one before: "Usual (Calls)". */
static char *
label_of (ColumnChoice *choice, guint i)
{
  const char *title = choice->columns[i].is.title;

  for (guint k = 0; k < choice->choices->len; k++)
    if (k != i && i > 0 && g_str_equal (choice->columns[k].is.title, title))
      return g_strdup_printf ("%s (%s)", title, choice->columns[i - 1].is.title);
  return g_strdup (title);
}

static void
fill_menu (ColumnChoice *choice)
{
  g_autoptr (GMenu) shown = g_menu_new ();
  g_autoptr (GMenu) orders = g_menu_new ();

  for (guint i = 0; i < choice->choices->len; i++)
    {
      g_autofree char *label = label_of (choice, i);
      g_autofree char *action =
          g_strconcat ("columns.", g_action_get_name (G_ACTION (choice_at (choice, i)->shown)), NULL);
      g_autoptr (GMenuItem) order = g_menu_item_new (label, NULL);

      g_menu_append (shown, label, action);
      g_menu_item_set_action_and_target (order, "columns." SORT, "s", choice->columns[i].is.key);
      g_menu_append_item (orders, order);
    }
  g_menu_append_submenu (choice->menu, "Sort By", G_MENU_MODEL (orders));
  g_menu_append_section (choice->menu, "Columns", G_MENU_MODEL (shown));
}

/* Names of actions cannot have underscores. */
static GSimpleAction *
add_action (ColumnChoice *choice, const TableColumn *column)
{
  g_autofree char *name = g_strdelimit (g_strconcat ("show-", column->is.key, NULL), "_", '-');
  g_autoptr (GSimpleAction) action = g_simple_action_new_stateful (name, NULL, g_variant_new_boolean (!column->more));

  g_signal_connect (action, "change-state", G_CALLBACK (on_shown), choice);
  g_action_map_add_action (G_ACTION_MAP (choice->actions), G_ACTION (action));
  return action;
}

static void
add_sort_action (ColumnChoice *choice)
{
  g_autoptr (GSimpleAction) action =
      g_simple_action_new_stateful (SORT, G_VARIANT_TYPE_STRING, g_variant_new_string (""));

  g_signal_connect (action, "activate", G_CALLBACK (on_sort), choice);
  g_action_map_add_action (G_ACTION_MAP (choice->actions), G_ACTION (action));
}

static void
choice_free (gpointer data)
{
  ColumnChoice *choice = data;

  g_array_unref (choice->choices);
  g_object_unref (choice->actions);
  g_object_unref (choice->menu);
  g_free (choice->name);
  g_free (choice);
}

ColumnChoice *
column_choice_new (GtkColumnView *list, TableColumn *columns)
{
  ColumnChoice *choice = g_new (ColumnChoice, 1);
  GListModel *all = gtk_column_view_get_columns (list);

  *choice = (ColumnChoice) { list, columns, g_array_new (FALSE, FALSE, sizeof (Choice)), g_simple_action_group_new (),
                             g_menu_new () };
  add_sort_action (choice);
  for (guint i = 0; columns[i].is.key; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (all, i);
      Choice one = { column, add_action (choice, &columns[i]), TRUE };

      gtk_column_view_column_set_header_menu (column, G_MENU_MODEL (choice->menu));
      g_array_append_val (choice->choices, one);
    }
  fill_menu (choice);
  take_clicks (choice);
  update_shown (choice);
  gtk_widget_insert_action_group (GTK_WIDGET (list), "columns", G_ACTION_GROUP (choice->actions));
  g_object_set_data_full (G_OBJECT (list), "column-choice", choice, choice_free);
  return choice;
}

GMenuModel *
column_choice_menu (ColumnChoice *choice)
{
  return G_MENU_MODEL (choice->menu);
}

GActionGroup *
column_choice_actions (ColumnChoice *choice)
{
  return G_ACTION_GROUP (choice->actions);
}

static char *
kept (const char *name, const char *what)
{
  g_autofree char *key = g_strconcat (name, "-", what, NULL);

  return state_text (STATE, key);
}

/* Columns that no longer exist are left out, unless none would be left. */
static void
restore_shown (ColumnChoice *choice, const char *keys)
{
  g_auto (GStrv) names = g_strsplit (keys, " ", -1);
  gboolean any = FALSE;

  for (guint i = 0; i < choice->choices->len; i++)
    any = any || g_strv_contains ((const char *const *) names, choice->columns[i].is.key);
  for (guint i = 0; i < choice->choices->len && any; i++)
    {
      gboolean shown = g_strv_contains ((const char *const *) names, choice->columns[i].is.key);

      g_simple_action_set_state (choice_at (choice, i)->shown, g_variant_new_boolean (shown));
    }
  update_shown (choice);
}

void
column_choice_keep (ColumnChoice *choice, const char *name)
{
  g_autofree char *shown = kept (name, "columns");
  g_autofree char *order = kept (name, SORT);
  int sorted = order ? find_column (choice, order + (*order == '-')) : -1;

  if (shown)
    restore_shown (choice, shown);
  if (sorted >= 0)
    sort (choice, sorted, *order == '-');
  for (guint i = 0; i < choice->choices->len; i++)
    {
      g_autofree char *key = g_strconcat (name, "-width-", choice->columns[i].is.key, NULL);

      state_keep (choice_at (choice, i)->column, "fixed-width", STATE, key);
    }
  choice->name = g_strdup (name);
}

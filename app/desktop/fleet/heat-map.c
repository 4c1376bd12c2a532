/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The widget: its geometry, its words, and what keys and the pointer do. */
#include "fleet/heat-map-private.h"

#include "show.h"
#include "units.h"

#include <math.h>

#define MOST_WIDTH 220

G_DEFINE_FINAL_TYPE (CulpritHeatMap, culprit_heat_map, GTK_TYPE_WIDGET)

static guint activated;

guint
heat_map_causes (CulpritHeatMap *map)
{
  return map->fleet ? map->fleet->causes->len : 0;
}

guint
heat_map_hosts (CulpritHeatMap *map)
{
  return map->fleet ? map->fleet->hosts->len : 0;
}

double
heat_map_value (CulpritHeatMap *map, const CulpritFleetCell *cell)
{
  return map->shade == HEAT_WEIGHT ? cell->weight : cell->captures;
}

char *
heat_map_value_text (CulpritHeatMap *map, double value)
{
  return map->shade == HEAT_WEIGHT ? culprit_share_format (value) : culprit_count_format (llround (value));
}

/* Geometry. */

double
heat_map_cause_width (CulpritHeatMap *map)
{
  double room = gtk_widget_get_width (GTK_WIDGET (map)) - HOST_WIDTH;

  return CLAMP (room / MAX (heat_map_causes (map), 1), LEAST_WIDTH, MOST_WIDTH);
}

GtkAdjustment *
heat_map_scrolled (CulpritHeatMap *map)
{
  GtkWidget *window = gtk_widget_get_ancestor (GTK_WIDGET (map), GTK_TYPE_SCROLLED_WINDOW);

  return window ? gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (window)) : NULL;
}

double
heat_map_scrolled_by (CulpritHeatMap *map)
{
  return heat_map_scrolled (map) ? gtk_adjustment_get_value (heat_map_scrolled (map)) : 0;
}

/* FALSE: there is no column at @x. */
static gboolean
find_column (CulpritHeatMap *map, double x, int *cause)
{
  *cause = x < HOST_WIDTH ? WHOLE_HOST : (int) ((x - HOST_WIDTH) / heat_map_cause_width (map));
  return *cause < (int) heat_map_causes (map);
}

/* FALSE: there is no cell at @x, @y. */
static gboolean
find_cell (CulpritHeatMap *map, double x, double y, guint *host, int *cause)
{
  if (y < heat_map_scrolled_by (map) + HEAD || y >= HEAD + (double) heat_map_hosts (map) * ROW)
    return FALSE;
  *host = (y - HEAD) / ROW;
  return find_column (map, x, cause);
}

/* FALSE: there is no heading of a cause at @x, @y. */
static gboolean
find_head (CulpritHeatMap *map, double x, double y, int *cause)
{
  return y < heat_map_scrolled_by (map) + HEAD && find_column (map, x, cause) && *cause != WHOLE_HOST;
}

static void
heat_map_measure (
    GtkWidget *widget, GtkOrientation orientation, int size, int *least, int *natural, int *baseline, int *other)
{
  CulpritHeatMap *map = CULPRIT_HEAT_MAP (widget);

  *least = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? HOST_WIDTH + LEAST_WIDTH * (int) heat_map_causes (map)
                                                                : HEAD + ROW * (int) heat_map_hosts (map);
}

/* Words. */

static char *
tell_cell (CulpritHeatMap *map, guint host, int cause)
{
  return cause == WHOLE_HOST ? culprit_fleet_host_in_words (map->fleet, host)
                             : culprit_fleet_cell_in_words (map->fleet, host, cause);
}

/* All of it, for who cannot see it, and the cell where the keys are. */
static void
describe (CulpritHeatMap *map)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *current = map->host < heat_map_hosts (map) ? tell_cell (map, map->host, map->cause) : g_strdup ("");

  for (guint host = 0; host < heat_map_hosts (map); host++)
    {
      const char *before = ": ";

      g_string_append (text, culprit_fleet_host (map->fleet, host)->name);
      for (guint cause = 0; cause < heat_map_causes (map); cause++)
        {
          double value = heat_map_value (map, culprit_fleet_cell (map->fleet, host, cause));
          g_autofree char *number = heat_map_value_text (map, value);

          if (value > 0)
            g_string_append_printf (text, "%s%s %s", before, culprit_fleet_cause (map->fleet, cause)->culprit, number);
          before = value > 0 ? ", " : before;
        }
      g_string_append (text, ". ");
    }
  show_to_reader (map, GTK_ACCESSIBLE_PROPERTY_LABEL, "Causes by host");
  show_to_reader (map, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text->str);
  show_to_reader (map, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, current);
}

static gboolean
heat_map_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  CulpritHeatMap *map = CULPRIT_HEAT_MAP (widget);
  guint host = map->host;
  int cause = map->cause;
  g_autofree char *text = NULL;

  if (!keyboard && find_head (map, x, y, &cause))
    text = culprit_fleet_cause_everywhere (map->fleet, cause);
  else if ((keyboard || find_cell (map, x, y, &host, &cause)) && host < heat_map_hosts (map))
    text = tell_cell (map, host, cause);
  else
    return FALSE;
  show_tip (tooltip, text);
  return TRUE;
}

/* Input. */

static void
move_to (CulpritHeatMap *map, gint64 host, int cause)
{
  if (heat_map_hosts (map) == 0)
    return;
  map->host = CLAMP (host, 0, (gint64) heat_map_hosts (map) - 1);
  map->cause = CLAMP (cause, WHOLE_HOST, (int) heat_map_causes (map) - 1);
  if (heat_map_scrolled (map))
    gtk_adjustment_clamp_page (heat_map_scrolled (map), (double) map->host * ROW,
                               HEAD + (double) (map->host + 1) * ROW);
  describe (map);
  gtk_widget_queue_draw (GTK_WIDGET (map));
}

static void
activate (CulpritHeatMap *map)
{
  if (map->host < heat_map_hosts (map))
    g_signal_emit (map, activated, 0, map->host, map->cause);
}

static void
on_click (GtkGestureClick *click, int times, double x, double y, CulpritHeatMap *map)
{
  guint host;
  int cause;

  gtk_widget_grab_focus (GTK_WIDGET (map));
  if (!find_cell (map, x, y, &host, &cause))
    return;
  move_to (map, host, cause);
  activate (map);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, CulpritHeatMap *map)
{
  const gint64 host = map->host;

  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Up:
    case GDK_KEY_Down:
      move_to (map, host + (key == GDK_KEY_Up ? -1 : 1), map->cause);
      return TRUE;
    case GDK_KEY_Left:
    case GDK_KEY_Right:
      move_to (map, host, map->cause + (key == GDK_KEY_Left ? -1 : 1));
      return TRUE;
    case GDK_KEY_Home:
    case GDK_KEY_End:
      move_to (map, key == GDK_KEY_Home ? 0 : G_MAXUINT, map->cause);
      return TRUE;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_space:
      activate (map);
      return TRUE;
    default:
      return FALSE;
    }
}

/* The widget. */

/* The heading moves with what is seen. */
static void
heat_map_root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (culprit_heat_map_parent_class)->root (widget);
  if (heat_map_scrolled (CULPRIT_HEAT_MAP (widget)))
    g_signal_connect_object (heat_map_scrolled (CULPRIT_HEAT_MAP (widget)), "value-changed",
                             G_CALLBACK (gtk_widget_queue_draw), widget, G_CONNECT_SWAPPED);
}

static void
culprit_heat_map_class_init (CulpritHeatMapClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  widget->snapshot = heat_map_draw;
  widget->measure = heat_map_measure;
  widget->query_tooltip = heat_map_tooltip;
  widget->root = heat_map_root;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget, "heatmap");
  activated = g_signal_new ("activated", CULPRIT_TYPE_HEAT_MAP, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                            G_TYPE_UINT, G_TYPE_INT);
}

static void
culprit_heat_map_init (CulpritHeatMap *map)
{
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), map);
  g_signal_connect (click, "released", G_CALLBACK (on_click), map);
  gtk_widget_add_controller (GTK_WIDGET (map), key);
  gtk_widget_add_controller (GTK_WIDGET (map), GTK_EVENT_CONTROLLER (click));
  gtk_widget_set_focusable (GTK_WIDGET (map), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (map), TRUE);
}

static void
update (CulpritHeatMap *map)
{
  map->most = 0;
  for (guint i = 0; i < heat_map_hosts (map) * heat_map_causes (map); i++)
    map->most = MAX (map->most, heat_map_value (map, &map->fleet->cells[i]));
  describe (map);
  gtk_widget_queue_draw (GTK_WIDGET (map));
}

void
culprit_heat_map_set_fleet (CulpritHeatMap *map, const CulpritFleet *fleet)
{
  map->fleet = fleet;
  map->host = 0;
  map->cause = WHOLE_HOST;
  update (map);
  gtk_widget_queue_resize (GTK_WIDGET (map));
}

void
culprit_heat_map_set_shade (CulpritHeatMap *map, HeatShade shade)
{
  map->shade = shade;
  update (map);
}

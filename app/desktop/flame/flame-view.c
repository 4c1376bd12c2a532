/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture is drawn once and kept until something in it changes; what is current or below the pointer is drawn over
 * it. Only boxes of a pixel or more are laid out, and only labels of LABEL pixels or more. */
#include "flame/flame-view.h"

#include "chart/picture.h"
#include "charts/swatch.h"
#include "show.h"
#include "widgets.h"

#include <math.h>

#define ROW 22
#define UNSEEN_WIDTH 1000 /* in pixels, of a picture that is saved before it has a place in the window */
#define LABEL 40          /* the least width of a box with a label */
#define PADDING 4
#define GAP 3 /* the least width of a box with a gap after it */

struct _CulpritFlameView
{
  GtkWidget parent;
  CulpritFlame *flame; /* NULL: none */
  gboolean upwards;
  guint zoom;
  guint current;
  guint pointed;   /* below the pointer; CULPRIT_FLAME_NONE: none */
  guint8 *has;     /* whether each node is searched for; NULL: nothing is */
  GArray *history; /* of guint: what was zoomed to before */
  GArray *boxes;   /* of CulpritFlameBox; NULL: not laid out */
  int laid_out;    /* for this width */
  int rows;
  GskRenderNode *drawn; /* NULL: not drawn */
  guint revealing;      /* the source that scrolls to the current node; 0: none */
};

G_DEFINE_FINAL_TYPE (CulpritFlameView, culprit_flame_view, GTK_TYPE_WIDGET)

enum
{
  PROPERTY_UPWARDS = 1,
  PROPERTIES,
};

static GParamSpec *properties[PROPERTIES];

static guint changed;
static guint menu;
static guint activated;

/* Geometry. */

static void
forget_drawing (CulpritFlameView *view)
{
  g_clear_pointer (&view->drawn, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

static void
forget_layout (CulpritFlameView *view)
{
  g_clear_pointer (&view->boxes, g_array_unref);
  forget_drawing (view);
  gtk_widget_queue_resize (GTK_WIDGET (view));
}

static void
lay_out (CulpritFlameView *view, int width)
{
  if (!view->flame || (view->boxes && view->laid_out == width))
    return;
  g_clear_pointer (&view->boxes, g_array_unref);
  g_clear_pointer (&view->drawn, gsk_render_node_unref);
  view->boxes = culprit_flame_layout (view->flame, view->zoom, width, 1);
  view->laid_out = width;
  view->rows = 0;
  for (guint i = 0; i < view->boxes->len; i++)
    {
      guint node = g_array_index (view->boxes, CulpritFlameBox, i).node;

      view->rows = MAX (view->rows, (int) culprit_flame_node (view->flame, node)->depth + 1);
    }
}

static double
row_top (CulpritFlameView *view, guint node)
{
  double depth = culprit_flame_node (view->flame, node)->depth;

  return view->upwards ? gtk_widget_get_height (GTK_WIDGET (view)) - (depth + 1) * ROW : depth * ROW;
}

static graphene_rect_t
place_box (CulpritFlameView *view, const CulpritFlameBox *box)
{
  return GRAPHENE_RECT_INIT (box->x, row_top (view, box->node), box->width > GAP ? box->width - 1 : box->width,
                             ROW - 1);
}

/* The box of @node; NULL: it is too narrow. */
static const CulpritFlameBox *
find_box (CulpritFlameView *view, guint node)
{
  for (guint i = 0; view->boxes && i < view->boxes->len; i++)
    if (g_array_index (view->boxes, CulpritFlameBox, i).node == node)
      return &g_array_index (view->boxes, CulpritFlameBox, i);
  return NULL;
}

/* CULPRIT_FLAME_NONE: there is no box at @x, @y. */
static guint
find_node (CulpritFlameView *view, double x, double y)
{
  for (guint i = 0; view->boxes && i < view->boxes->len; i++)
    {
      const CulpritFlameBox *box = &g_array_index (view->boxes, CulpritFlameBox, i);
      double top = row_top (view, box->node);

      if (x >= box->x && x < box->x + box->width && y >= top && y < top + ROW)
        return box->node;
    }
  return CULPRIT_FLAME_NONE;
}

static void
flame_view_measure (
    GtkWidget *widget, GtkOrientation orientation, int size, int *least, int *natural, int *baseline, int *other)
{
  CulpritFlameView *view = CULPRIT_FLAME_VIEW (widget);

  *least = *natural = 0;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    return;
  lay_out (view, size > 0 ? size : gtk_widget_get_width (widget));
  *least = *natural = view->rows * ROW;
}

static GtkSizeRequestMode
flame_view_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* Scrolling. */

static gboolean
reveal (gpointer data)
{
  CulpritFlameView *view = data;
  GtkWidget *window = gtk_widget_get_ancestor (data, GTK_TYPE_SCROLLED_WINDOW);

  view->revealing = 0;
  if (window && view->flame)
    gtk_adjustment_clamp_page (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (window)),
                               row_top (view, view->current), row_top (view, view->current) + ROW);
  return G_SOURCE_REMOVE;
}

/* Scrolls to the current node, once the view has its size. */
static void
reveal_soon (CulpritFlameView *view)
{
  if (view->revealing == 0)
    view->revealing = g_idle_add_full (GDK_PRIORITY_REDRAW + 10, reveal, view, NULL);
}

static void
flame_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  CulpritFlameView *view = CULPRIT_FLAME_VIEW (widget);

  lay_out (view, width);
  g_clear_pointer (&view->drawn, gsk_render_node_unref); /* It grows upwards from the bottom. */
  if (view->upwards)
    reveal_soon (view);
}

/* Drawing. */

static void
draw_label (CulpritFlameView *view, GtkSnapshot *snapshot, guint node, const graphene_rect_t *place, const GdkRGBA *ink)
{
  g_autofree char *title = culprit_flame_title (view->flame, node);
  guint cause = culprit_flame_node (view->flame, node)->cause;
  g_autofree char *marked = cause > 0 ? g_strdup_printf ("Cause %u: %s", cause, title) : g_steal_pointer (&title);
  g_autoptr (PangoLayout) layout = show_layout_new (GTK_WIDGET (view), marked);
  g_autoptr (PangoAttrList) look = pango_attr_list_new ();
  int height;

  pango_attr_list_insert (look, pango_attr_scale_new (PANGO_SCALE_SMALL));
  if (cause > 0)
    pango_attr_list_insert (look, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (layout, look);
  pango_layout_set_width (layout, (place->size.width - 2 * PADDING) * PANGO_SCALE);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_get_pixel_size (layout, NULL, &height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (
      snapshot, &GRAPHENE_POINT_INIT (place->origin.x + PADDING, place->origin.y + floorf ((ROW - 1 - height) / 2.0f)));
  gtk_snapshot_append_layout (snapshot, layout, ink);
  gtk_snapshot_restore (snapshot);
}

static void
draw_border (GtkSnapshot *snapshot, const graphene_rect_t *place, float width, GdkRGBA colour)
{
  const float widths[] = { width, width, width, width };
  const GdkRGBA colours[] = { colour, colour, colour, colour };
  GskRoundedRect outline;

  gsk_rounded_rect_init_from_rect (&outline, place, 0);
  gtk_snapshot_append_border (snapshot, &outline, widths, colours);
}

static void
draw_box (CulpritFlameView *view, GtkSnapshot *snapshot, ChartPalette palette, const CulpritFlameBox *box)
{
  const CulpritFlameNode *node = culprit_flame_node (view->flame, box->node);
  double most_ns = view->flame->most_ns;
  double part = most_ns > 0 ? culprit_flame_difference_ns (view->flame, box->node) / most_ns : 0;
  ChartColour colour = chart_difference_colour (palette, part);
  ChartColour text = chart_text_on (&colour);
  GdkRGBA fill = rgba_of (&colour, view->has && !view->has[box->node] ? 0.25 : 1);
  GdkRGBA ink = rgba_of (fill.alpha < 1 ? chart_ink (palette) : &text, fill.alpha < 1 ? 0.5 : 1);
  graphene_rect_t place = place_box (view, box);

  gtk_snapshot_append_color (snapshot, &fill, &place);
  if (node->cause > 0)
    draw_border (snapshot, &place, 2, rgba_of (chart_ink (palette), 1));
  if (box->width >= LABEL)
    draw_label (view, snapshot, box->node, &place, &ink);
}

static void
draw_picture (CulpritFlameView *view)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  ChartPalette palette = is_dark (GTK_WIDGET (view)) ? CHART_DARK : CHART_LIGHT;

  for (guint i = 0; i < view->boxes->len; i++)
    draw_box (view, snapshot, palette, &g_array_index (view->boxes, CulpritFlameBox, i));
  view->drawn = gtk_snapshot_free_to_node (snapshot);
}

static void
draw_export (cairo_t *cr, double width, double height, gconstpointer data)
{
  CulpritFlameView *view = (CulpritFlameView *) data;

  if (view->upwards)
    cairo_translate (cr, 0, height - gtk_widget_get_height (GTK_WIDGET (view)));
  if (view->drawn)
    gsk_render_node_draw (view->drawn, cr);
}

gboolean
culprit_flame_view_export (CulpritFlameView *view, const char *heading, const char *path, GError **error)
{
  g_autofree char *description = culprit_flame_in_words (view->flame);
  int width = gtk_widget_get_width (GTK_WIDGET (view));
  Picture picture = { .draw = draw_export,
                      .data = view,
                      .scale = PICTURE_SCALE,
                      .heading = heading,
                      .title = "Call paths of late wake-ups",
                      .description = description,
                      .palette = is_dark (GTK_WIDGET (view)) ? CHART_DARK : CHART_LIGHT };

  if (!picture_knows (path))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: the file name must end in .svg or .png", path);
      return FALSE;
    }
  lay_out (view, width > 0 ? width : UNSEEN_WIDTH); /* It may be asked for before the first frame. */
  picture.width = view->laid_out;
  picture.height = view->rows * ROW;
  if (!view->drawn)
    draw_picture (view);
  return picture_save (&picture, path, error);
}

static void
draw_over (CulpritFlameView *view, GtkSnapshot *snapshot, guint node, gboolean focused)
{
  const CulpritFlameBox *box = find_box (view, node);
  const ChartColour *ink = chart_ink (is_dark (GTK_WIDGET (view)) ? CHART_DARK : CHART_LIGHT);
  graphene_rect_t place;

  if (!box)
    return;
  place = place_box (view, box);
  draw_border (snapshot, &place, focused ? 2 : 1, rgba_of (ink, focused ? 1 : 0.6));
}

static void
flame_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CulpritFlameView *view = CULPRIT_FLAME_VIEW (widget);

  if (!view->boxes)
    return;
  if (!view->drawn)
    draw_picture (view);
  if (view->drawn)
    gtk_snapshot_append_node (snapshot, view->drawn);
  if (view->pointed != view->current && view->pointed != CULPRIT_FLAME_NONE)
    draw_over (view, snapshot, view->pointed, FALSE);
  draw_over (view, snapshot, view->current, gtk_widget_has_visible_focus (widget));
}

/* Words. */

static void
describe (CulpritFlameView *view)
{
  g_autofree char *whole = view->flame ? culprit_flame_in_words (view->flame) : NULL;
  g_autofree char *current = view->flame ? culprit_flame_describe (view->flame, view->current) : NULL;

  show_to_reader (view, GTK_ACCESSIBLE_PROPERTY_LABEL, "Call paths of late wake-ups");
  show_to_reader (view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, whole);
  show_to_reader (view, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, current);
}

static gboolean
flame_view_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  CulpritFlameView *view = CULPRIT_FLAME_VIEW (widget);
  guint node = !view->flame ? CULPRIT_FLAME_NONE : keyboard ? view->current : find_node (view, x, y);
  const CulpritFlameBox *box = node == CULPRIT_FLAME_NONE ? NULL : find_box (view, node);
  g_autofree char *text = box ? culprit_flame_describe (view->flame, node) : NULL;
  graphene_rect_t place;

  if (!text)
    return FALSE;
  place = place_box (view, box);
  show_tip (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip,
                            &(GdkRectangle) { place.origin.x, place.origin.y, MAX (place.size.width, 1), ROW });
  return TRUE;
}

/* Moving. */

static void
move_to (CulpritFlameView *view, guint node)
{
  view->current = node;
  describe (view);
  reveal_soon (view);
  gtk_widget_queue_draw (GTK_WIDGET (view));
  g_signal_emit (view, changed, 0);
}

static void
zoom_to (CulpritFlameView *view, guint node)
{
  view->zoom = node;
  forget_layout (view);
  move_to (view, node);
}

void
culprit_flame_view_zoom (CulpritFlameView *view, guint node)
{
  if (!view->flame || node == view->zoom || culprit_flame_node (view->flame, node)->total_ns == 0)
    return;
  g_array_append_val (view->history, view->zoom);
  zoom_to (view, node);
}

/* Returns to what it was zoomed to before. FALSE: there is nothing before. */
static gboolean
zoom_back (CulpritFlameView *view)
{
  guint before;

  if (view->history->len == 0)
    return FALSE;
  before = g_array_index (view->history, guint, view->history->len - 1);
  g_array_set_size (view->history, view->history->len - 1);
  zoom_to (view, before);
  return TRUE;
}

/* The widest node below the current one, or below the same as it, the next or previous one: of those that are seen. */
static void
move_by (CulpritFlameView *view, int down, int across)
{
  const CulpritFlameNode *node = culprit_flame_node (view->flame, view->current);
  guint found = down < 0 ? node->parent : CULPRIT_FLAME_NONE;

  for (guint i = 0; down >= 0 && i < view->boxes->len; i++)
    {
      guint other = g_array_index (view->boxes, CulpritFlameBox, i).node;
      guint parent = culprit_flame_node (view->flame, other)->parent;

      if (down > 0 ? parent == view->current
                   : parent == node->parent && (across > 0 ? other > view->current : other < view->current))
        {
          found = other;
          if (down > 0 || across > 0)
            break;
        }
    }
  if (found != CULPRIT_FLAME_NONE)
    move_to (view, found);
}

static void
ask_for_menu (CulpritFlameView *view)
{
  const CulpritFlameBox *box = find_box (view, view->current);
  graphene_rect_t place = box ? place_box (view, box) : GRAPHENE_RECT_INIT (0, 0, 0, 0);

  g_signal_emit (view, menu, 0, place.origin.x + MIN (place.size.width / 2, 60.0), place.origin.y + ROW / 2.0);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, CulpritFlameView *view)
{
  const int downwards = view->upwards ? -1 : 1;

  if (!view->flame || state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return FALSE;
  lay_out (view, gtk_widget_get_width (GTK_WIDGET (view))); /* A key may come before the next frame. */
  if (key == GDK_KEY_F10 && state & GDK_SHIFT_MASK)
    key = GDK_KEY_Menu;
  switch (key)
    {
    case GDK_KEY_Up:
    case GDK_KEY_Down:
      move_by (view, key == GDK_KEY_Down ? downwards : -downwards, 0);
      return TRUE;
    case GDK_KEY_Left:
    case GDK_KEY_Right:
      move_by (view, 0, key == GDK_KEY_Right ? 1 : -1);
      return TRUE;
    case GDK_KEY_Home:
      culprit_flame_view_zoom (view, 0);
      return TRUE;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      culprit_flame_view_zoom (view, view->current);
      return TRUE;
    case GDK_KEY_space:
      g_signal_emit (view, activated, 0);
      return TRUE;
    case GDK_KEY_Menu:
      ask_for_menu (view);
      return TRUE;
    case GDK_KEY_Escape:
    case GDK_KEY_BackSpace:
      return zoom_back (view);
    default:
      return FALSE;
    }
}

static void
on_click (GtkGestureClick *click, int times, double x, double y, CulpritFlameView *view)
{
  guint node = find_node (view, x, y);

  gtk_widget_grab_focus (GTK_WIDGET (view));
  if (node == CULPRIT_FLAME_NONE)
    return;
  if (gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (click)) == GDK_BUTTON_SECONDARY)
    {
      move_to (view, node);
      g_signal_emit (view, menu, 0, x, y);
      return;
    }
  culprit_flame_view_zoom (view, node);
  move_to (view, node);
}

static void
point_at (CulpritFlameView *view, guint node)
{
  if (view->pointed == node)
    return;
  view->pointed = node;
  gtk_widget_queue_draw (GTK_WIDGET (view));
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, CulpritFlameView *view)
{
  point_at (view, find_node (view, x, y));
}

static void
on_leave (GtkEventControllerMotion *controller, CulpritFlameView *view)
{
  point_at (view, CULPRIT_FLAME_NONE);
}

/* What is shown. */

void
culprit_flame_view_set_flame (CulpritFlameView *view, CulpritFlame *flame)
{
  view->flame = flame;
  view->zoom = view->current = 0;
  view->pointed = CULPRIT_FLAME_NONE;
  g_clear_pointer (&view->has, g_free);
  g_array_set_size (view->history, 0);
  forget_layout (view);
  describe (view);
  g_signal_emit (view, changed, 0);
}

void
culprit_flame_view_update (CulpritFlameView *view)
{
  forget_drawing (view);
  describe (view);
}

void
culprit_flame_view_search (CulpritFlameView *view, const char *text, guint *found, guint64 *ns)
{
  g_clear_pointer (&view->has, g_free);
  *found = 0;
  *ns = 0;
  if (view->flame && text && *text)
    view->has = culprit_flame_find (view->flame, text, found, ns);
  forget_drawing (view);
}

guint
culprit_flame_view_found_outside (CulpritFlameView *view)
{
  guint end = view->has ? culprit_flame_node (view->flame, view->zoom)->end : 0;
  guint outside = 0;

  for (guint i = 0; view->has && i < view->flame->nodes->len; i++)
    outside += view->has[i] && (i < view->zoom || i >= end);
  for (guint i = view->zoom; view->has && i != 0; i = culprit_flame_node (view->flame, i)->parent)
    outside -= i != view->zoom && view->has[i];
  return outside;
}

guint
culprit_flame_view_current (CulpritFlameView *view)
{
  return view->current;
}

guint
culprit_flame_view_zoomed (CulpritFlameView *view)
{
  return view->zoom;
}

/* The widget. */

static void
flame_view_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (culprit_flame_view_parent_class)->css_changed (widget, change);
  forget_drawing (CULPRIT_FLAME_VIEW (widget));
}

static void
flame_view_get_property (GObject *object, guint property, GValue *value, GParamSpec *spec)
{
  g_value_set_boolean (value, CULPRIT_FLAME_VIEW (object)->upwards);
}

static void
flame_view_set_property (GObject *object, guint property, const GValue *value, GParamSpec *spec)
{
  CULPRIT_FLAME_VIEW (object)->upwards = g_value_get_boolean (value);
  forget_layout (CULPRIT_FLAME_VIEW (object));
  reveal_soon (CULPRIT_FLAME_VIEW (object));
}

static void
flame_view_dispose (GObject *object)
{
  g_clear_handle_id (&CULPRIT_FLAME_VIEW (object)->revealing, g_source_remove);
  G_OBJECT_CLASS (culprit_flame_view_parent_class)->dispose (object);
}

static void
flame_view_finalize (GObject *object)
{
  CulpritFlameView *view = CULPRIT_FLAME_VIEW (object);

  g_free (view->has);
  g_array_unref (view->history);
  g_clear_pointer (&view->boxes, g_array_unref);
  g_clear_pointer (&view->drawn, gsk_render_node_unref);
  G_OBJECT_CLASS (culprit_flame_view_parent_class)->finalize (object);
}

static void
culprit_flame_view_class_init (CulpritFlameViewClass *class)
{
  GObjectClass *object = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  object->get_property = flame_view_get_property;
  object->set_property = flame_view_set_property;
  object->dispose = flame_view_dispose;
  object->finalize = flame_view_finalize;
  properties[PROPERTY_UPWARDS] =
      g_param_spec_boolean ("upwards", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object, PROPERTIES, properties);
  widget->measure = flame_view_measure;
  widget->get_request_mode = flame_view_request_mode;
  widget->size_allocate = flame_view_size_allocate;
  widget->snapshot = flame_view_snapshot;
  widget->css_changed = flame_view_css_changed;
  widget->query_tooltip = flame_view_tooltip;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget, "flame");
  changed = g_signal_new ("changed", CULPRIT_TYPE_FLAME_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  menu = g_signal_new ("menu", CULPRIT_TYPE_FLAME_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                       G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  activated =
      g_signal_new ("activated", CULPRIT_TYPE_FLAME_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
culprit_flame_view_init (CulpritFlameView *view)
{
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  view->history = g_array_new (FALSE, FALSE, sizeof (guint));
  view->pointed = CULPRIT_FLAME_NONE;
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), 0);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), view);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), view);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), view);
  g_signal_connect (click, "released", G_CALLBACK (on_click), view);
  gtk_widget_add_controller (GTK_WIDGET (view), key);
  gtk_widget_add_controller (GTK_WIDGET (view), motion);
  gtk_widget_add_controller (GTK_WIDGET (view), GTK_EVENT_CONTROLLER (click));
  gtk_widget_set_focusable (GTK_WIDGET (view), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (view), TRUE);
}

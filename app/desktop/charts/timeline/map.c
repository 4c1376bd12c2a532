/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paints the capture once into a texture; after that, drawing costs the texture and four rectangles. */
#include "charts/timeline/map.h"

#include "charts/timeline/brush.h"
#include "show.h"
#include "units.h"
#include "widgets.h"

#include <math.h>

#define HEIGHT 18
#define MIN_FRAME 8 /* pixels, so that it can be seen and dragged */
#define MIN_LATE 3
#define FONT_SCALE 0.85

struct _CulpritTimelineMap
{
  GtkWidget parent;
  CulpritTimelineView *view;
  CulpritTimeline *timeline; /* of the picture, or NULL */
  GdkTexture *picture;
  int width; /* of the picture, like the next two */
  int scale;
  gboolean dark;
  double grip_ns; /* from the start of the visible range to where the drag holds it */
};

G_DEFINE_FINAL_TYPE (CulpritTimelineMap, culprit_timeline_map, GTK_TYPE_WIDGET)

/* The picture. */

/* The whole capture across the width of the map. */
static Scene
make_scene (CulpritTimelineMap *map, const CulpritTimeline *timeline)
{
  Scene scene = { .timeline = timeline, .width = gtk_widget_get_width (GTK_WIDGET (map)), .height = HEIGHT };

  scene_set_range (&scene, 0, (double) (timeline->last_ns - timeline->first_ns));
  return scene;
}

static void
paint_cpu (const Scene *scene, const Brush *brush, const TimelinePalette *palette, guint cpu)
{
  const GArray *cpus = scene->timeline->cpus;
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineMark));
  double height = (double) HEIGHT / cpus->len;

  culprit_timeline_query (scene->timeline, g_array_index (cpus, CulpritTimelineCpu, cpu).first_lane,
                          scene->timeline->first_ns, scene->timeline->last_ns + 1, scene_plot_width (scene), marks);
  for (guint i = 0; i < marks->len; i++)
    {
      const CulpritTimelineMark *mark = &g_array_index (marks, CulpritTimelineMark, i);
      double x = scene_x (scene, mark->start_ns);

      brush_fill (brush, x, cpu * height, scene_x (scene, mark->end_ns) - x, height,
                  &palette->calls[mark->context][0][SCENE_LEVELS - 1]);
    }
}

static void
paint (CulpritTimelineMap *map, const CulpritTimeline *timeline, const Brush *brush)
{
  const TimelinePalette *palette = timeline_palette_get (map->dark);
  const CulpritWindow *outlier = culprit_capture_outlier (timeline->capture);
  Scene scene = make_scene (map, timeline);
  double x;

  brush_fill (brush, SCENE_GUTTER, 0, scene_plot_width (&scene), HEIGHT, &palette->paper);
  for (guint cpu = 0; cpu < timeline->cpus->len; cpu++)
    paint_cpu (&scene, brush, palette, cpu);
  for (guint i = 0; i < timeline->silences->len; i++)
    {
      const CulpritTimelineSilence *silence = &g_array_index (timeline->silences, CulpritTimelineSilence, i);
      double height = (double) HEIGHT / timeline->cpus->len;

      x = scene_x (&scene, silence->start_ns);
      brush_hatch (brush, x, silence->cpu * height, MAX (scene_x (&scene, silence->end_ns) - x, 1), height,
                   CHART_HATCH_RIGHT, &palette->silence);
    }
  if (!outlier)
    return;
  x = scene_x (&scene, outlier->start_ns);
  brush_fill (brush, x, 0, MAX (scene_x (&scene, outlier->end_ns) - x, MIN_LATE), HEIGHT, &palette->late);
}

static GdkTexture *
make_picture (CulpritTimelineMap *map, const CulpritTimeline *timeline)
{
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_ARGB32, map->width * map->scale, HEIGHT * map->scale);
  Brush brush = { .cr = cairo_create (surface) };
  g_autoptr (GBytes) bytes = NULL;
  GdkTexture *picture;

  cairo_scale (brush.cr, map->scale, map->scale);
  paint (map, timeline, &brush);
  cairo_destroy (brush.cr);
  cairo_surface_flush (surface);
  bytes = g_bytes_new (cairo_image_surface_get_data (surface),
                       (gsize) cairo_image_surface_get_stride (surface) * HEIGHT * map->scale);
  picture = gdk_memory_texture_new (map->width * map->scale, HEIGHT * map->scale, GDK_MEMORY_DEFAULT, bytes,
                                    cairo_image_surface_get_stride (surface));
  cairo_surface_destroy (surface);
  return picture;
}

static void
forget_picture (CulpritTimelineMap *map)
{
  g_clear_object (&map->picture);
  g_clear_pointer (&map->timeline, culprit_timeline_unref);
}

/* Paints the picture again if anything it depends on has changed. */
static void
update_picture (CulpritTimelineMap *map, CulpritTimeline *timeline)
{
  int width = gtk_widget_get_width (GTK_WIDGET (map));
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (map));
  gboolean dark = is_dark (GTK_WIDGET (map));

  if (map->timeline == timeline && map->width == width && map->scale == scale && map->dark == dark)
    return;
  forget_picture (map);
  map->timeline = culprit_timeline_ref (timeline);
  map->width = width;
  map->scale = scale;
  map->dark = dark;
  map->picture = make_picture (map, timeline);
}

/* On the screen. */

static void
show_length (CulpritTimelineMap *map, GtkSnapshot *snapshot)
{
  g_autofree char *text = culprit_time_format (map->timeline->last_ns - map->timeline->first_ns);
  g_autoptr (PangoLayout) layout = show_layout_new (GTK_WIDGET (map), text);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  Brush brush = { .snapshot = snapshot };
  int height;

  pango_attr_list_insert (attributes, pango_attr_scale_new (FONT_SCALE));
  pango_layout_set_attributes (layout, attributes);
  labels_size (layout, NULL, &height);
  brush_text (&brush, 4, floor ((HEIGHT - height) / 2.0), layout, &timeline_palette_get (map->dark)->faint);
}

static void
show_frame (CulpritTimelineMap *map, GtkSnapshot *snapshot)
{
  const TimelinePalette *palette = timeline_palette_get (map->dark);
  Scene scene = make_scene (map, map->timeline);
  Brush brush = { .snapshot = snapshot };
  guint64 start_ns;
  guint64 end_ns;
  double x;
  double width;

  if (!culprit_timeline_view_get_range (map->view, &start_ns, &end_ns))
    return;
  x = floor (scene_x (&scene, start_ns));
  width = MAX (ceil (scene_x (&scene, end_ns)) - x, MIN_FRAME);
  x = CLAMP (x, SCENE_GUTTER, MAX (scene.width - width, SCENE_GUTTER));
  brush_fill (&brush, x, 0, width, HEIGHT, &palette->select);
  brush_frame (&brush, x, 0, width, HEIGHT, 2, &palette->ink);
}

static void
map_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CulpritTimelineMap *map = CULPRIT_TIMELINE_MAP (widget);
  CulpritTimeline *timeline = map->view ? culprit_timeline_view_get_timeline (map->view) : NULL;

  if (!timeline || gtk_widget_get_width (widget) <= SCENE_GUTTER)
    return;
  update_picture (map, timeline);
  gtk_snapshot_append_texture (snapshot, map->picture, &GRAPHENE_RECT_INIT (0, 0, map->width, HEIGHT));
  show_length (map, snapshot);
  show_frame (map, snapshot);
}

static void
map_measure (GtkWidget *widget,
             GtkOrientation orientation,
             int for_size,
             int *minimum,
             int *natural,
             int *minimum_baseline,
             int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_VERTICAL ? HEIGHT : 2 * SCENE_GUTTER;
}

/* Dragging. */

/* Moves the visible range along with the pointer at @x. */
static void
hold_at (CulpritTimelineMap *map, double x)
{
  CulpritTimeline *timeline = culprit_timeline_view_get_timeline (map->view);
  Scene scene = make_scene (map, timeline);
  guint64 start_ns;
  guint64 end_ns;
  double from_ns;

  culprit_timeline_view_get_range (map->view, &start_ns, &end_ns);
  from_ns = MAX ((double) (scene_time (&scene, x) - timeline->first_ns) - map->grip_ns, 0);
  culprit_timeline_view_zoom_to (map->view, timeline->first_ns + (guint64) from_ns,
                                 timeline->first_ns + (guint64) from_ns + (end_ns - start_ns));
}

/* Inside the frame, the drag holds it there; elsewhere, its middle jumps to the pointer. */
static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, CulpritTimelineMap *map)
{
  CulpritTimeline *timeline = culprit_timeline_view_get_timeline (map->view);
  guint64 start_ns;
  guint64 end_ns;
  Scene scene;
  double from;

  if (!timeline || !culprit_timeline_view_get_range (map->view, &start_ns, &end_ns))
    return;
  scene = make_scene (map, timeline);
  from = scene_x (&scene, start_ns);
  if (x >= from && x < MAX (scene_x (&scene, end_ns), from + MIN_FRAME))
    map->grip_ns = (double) (gint64) (scene_time (&scene, x) - start_ns);
  else
    map->grip_ns = (end_ns - start_ns) / 2.0;
  hold_at (map, x);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, CulpritTimelineMap *map)
{
  double x;

  if (culprit_timeline_view_get_timeline (map->view) && gtk_gesture_drag_get_start_point (gesture, &x, NULL))
    hold_at (map, x + dx);
}

void
culprit_timeline_map_set_view (CulpritTimelineMap *map, CulpritTimelineView *view)
{
  map->view = view;
  g_signal_connect_object (view, "range-changed", G_CALLBACK (gtk_widget_queue_draw), map, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "highlights-changed", G_CALLBACK (gtk_widget_queue_draw), map, G_CONNECT_SWAPPED);
}

/* The widget. */

static void
map_dispose (GObject *object)
{
  forget_picture (CULPRIT_TIMELINE_MAP (object));
  G_OBJECT_CLASS (culprit_timeline_map_parent_class)->dispose (object);
}

static void
culprit_timeline_map_class_init (CulpritTimelineMapClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = map_dispose;
  widget->snapshot = map_snapshot;
  widget->measure = map_measure;
  gtk_widget_class_set_css_name (widget, "timeline-map");
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
culprit_timeline_map_init (CulpritTimelineMap *map)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_widget_set_tooltip_text (GTK_WIDGET (map), "The whole capture; drag the frame to move");
  gtk_widget_set_overflow (GTK_WIDGET (map), GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (map), GTK_ACCESSIBLE_PROPERTY_LABEL, "The whole capture", -1);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), map);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), map);
  gtk_widget_add_controller (GTK_WIDGET (map), GTK_EVENT_CONTROLLER (drag));
}

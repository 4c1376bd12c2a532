/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what the timeline view shows to a file: the same stretch of time, but all rows, however few are seen. */
#include "chart/picture.h"
#include "charts/timeline/view-private.h"

#define LEAST_WIDTH 960
#define MOST_HEIGHT 4000 /* of rows; more would be seen by nobody */

/* As on the screen, and what is highlighted in the legend. */
static void
draw (cairo_t *cr, double width, double height, gconstpointer drawing)
{
  const Brush brush = { .cr = cr };

  draw_timeline (drawing, &brush);
}

/* Makes room for all rows of @scene, and its whole legend. */
static void
make_room (Scene *scene, const Drawing *drawing)
{
  int rows =
      MAX ((int) MIN (scene_rows_height (scene), MOST_HEIGHT) + SCENE_CPU_GAP, scene_bottom (scene) - SCENE_AXIS);

  scene->width = MAX (scene->width, LEAST_WIDTH);
  scene->foot = frame_legend_height (drawing);
  scene->scroll = 0;
  scene->height = SCENE_AXIS + rows + scene->foot;
}

gboolean
culprit_timeline_view_export (
    CulpritTimelineView *view, const char *heading, guint scale, const char *path, GError **error)
{
  Drawing drawing = view_drawing (view);
  Scene scene = view->scene;
  g_autofree char *description = culprit_timeline_view_describe (view);
  Picture picture = { .draw = draw,
                      .data = &drawing,
                      .heading = heading,
                      .title = "Timeline",
                      .description = description,
                      .palette = drawing.palette == timeline_palette_get (TRUE) ? CHART_DARK : CHART_LIGHT };

  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), FALSE);
  if (!picture_knows (path))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: the file name must end in .svg or .png", path);
      return FALSE;
    }
  drawing.scene = &scene;
  drawing.names_highlights = TRUE;
  make_room (&scene, &drawing);
  picture.width = scene.width;
  picture.height = scene.height;
  picture.scale = scale;
  return picture_save (&picture, path, error);
}

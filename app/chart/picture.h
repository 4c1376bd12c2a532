/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes charts, and what else is drawn with cairo, to files. */
#pragma once

#include "chart.h"

#include <gio/gio.h>

#define PICTURE_WIDTH 900
#define PICTURE_HEIGHT 540
#define PICTURE_SCALE 2 /* pixels of a PNG for each of the screen's, so that it is sharp on paper and when enlarged */

typedef struct
{
  void (*draw) (cairo_t *cr, double width, double height, gconstpointer data);
  gconstpointer data;
  double width;
  double height;       /* without the heading */
  double scale;        /* pixels of a PNG for each unit */
  const char *heading; /* a line above it: what it is of, and when that was; NULL: none */
  const char *title;   /* of an SVG, as is the description */
  const char *description;
  ChartPalette palette;
} Picture;

/* Whether picture_save() knows the suffix of @path: .svg or .png. */
gboolean picture_knows (const char *path);

/* Writes @picture to @path, which afterwards has the new content completely or is unchanged: an SVG with title and
 * description, or a PNG. */
gboolean picture_save (const Picture *picture, const char *path, GError **error);

/* Writes @chart likewise. @heading: as of Picture. */
gboolean picture_write (const Chart *chart,
                        ChartPalette palette,
                        const char *heading,
                        const char *path,
                        guint width,
                        guint height,
                        guint scale,
                        GError **error);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes charts to files. */
#pragma once

#include "chart.h"

#include <gio/gio.h>

#define PICTURE_WIDTH 900
#define PICTURE_HEIGHT 540

/* Whether picture_write() knows the suffix of @path: .svg or .png. */
gboolean picture_knows (const char *path);

/* Writes @chart to @path, which afterwards has the new content completely or is unchanged: an SVG with the chart's
 * title and description, or a PNG. */
gboolean picture_write (
    const Chart *chart, ChartPalette palette, const char *path, guint width, guint height, GError **error);

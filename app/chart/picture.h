/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Charts as files. */
#pragma once

#include "chart.h"

#include <gio/gio.h>

#define PICTURE_WIDTH 900
#define PICTURE_HEIGHT 540

/* Whether picture_write() knows the suffix of @path: .svg or .png. */
gboolean picture_knows (const char *path);

/* Writes @chart to @path, which is afterwards wholly there or as it was before: an SVG with the chart's title and
 * description, or a PNG. */
gboolean picture_write (
    const Chart *chart, ChartPalette palette, const char *path, guint width, guint height, GError **error);

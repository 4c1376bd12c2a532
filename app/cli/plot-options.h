/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options that ask for plots. */
#pragma once

#include "chart/chart.h"

#include <gio/gio.h>

typedef struct
{
  char **plots; /* each KIND=FILE */
  char *fit;
  char *scale;
  gboolean dark;
} PlotOptions;

/* The entries for command_parse(), ending with an empty one, before which those in @own stand. The caller owns the
 * array. */
GOptionEntry *plot_options_entries (PlotOptions *options, const GOptionEntry *own);

/* Whether they make sense. FALSE with an error that names the option. */
gboolean plot_options_check (const PlotOptions *options, GError **error);

/* Writes the plots that they ask for, of @series (of ChartSeries), at least one. */
gboolean plot_options_write (const PlotOptions *options, const GArray *series, GError **error);

void plot_options_clear (PlotOptions *options);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlotOptions, plot_options_clear)

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options for plots. */
#pragma once

#include "chart/chart.h"

#include <gio/gio.h>

typedef struct
{
  char **plots; /* each KIND=FILE, or FILE where there is only one kind */
  char *fit;
  char *scale;
  gboolean dark;
  gboolean tail; /* Plots are of the tail, without a KIND. */
} PlotOptions;

/* Entries for command_parse(), beginning with those in @own and ending with an empty one. The caller owns the array. */
GOptionEntry *plot_options_entries (PlotOptions *options, const GOptionEntry *own);

/* The same for a command with plots of the tail alone. */
GOptionEntry *plot_options_entries_tail (PlotOptions *options, const GOptionEntry *own);

/* Whether the options are valid. FALSE with an error that names the option. */
gboolean plot_options_check (const PlotOptions *options, GError **error);

/* Writes the requested plots of @series (of ChartSeries). FALSE with an error, as if there are none. */
gboolean plot_options_write (const PlotOptions *options, const GArray *series, GError **error);

void plot_options_clear (PlotOptions *options);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PlotOptions, plot_options_clear)

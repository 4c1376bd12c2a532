/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses the options for plots and writes the plots. */
#include "plot-options.h"

#include "chart/picture.h"
#include "study/study.h"

#include <string.h>

/* @own and then @n of @entries. */
static GOptionEntry *
join_entries (const GOptionEntry *own, const GOptionEntry *entries, guint n)
{
  GArray *all = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  for (const GOptionEntry *entry = own; entry->long_name; entry++)
    g_array_append_vals (all, entry, 1);
  g_array_append_vals (all, entries, n);
  return (GOptionEntry *) (gpointer) g_array_free (all, FALSE);
}

#define SCALE_AND_DARK                                                                                                 \
  { "scale",                                                                                                           \
    0,                                                                                                                 \
    0,                                                                                                                 \
    G_OPTION_ARG_STRING,                                                                                               \
    &options->scale,                                                                                                   \
    "Latency axis of plots: log or linear (default: log if the maximum is more than 20 times the median)",             \
    "NAME" },                                                                                                          \
  {                                                                                                                    \
    "dark", 0, 0, G_OPTION_ARG_NONE, &options->dark, "Draw plots on a dark background", NULL                           \
  }

GOptionEntry *
plot_options_entries (PlotOptions *options, const GOptionEntry *own)
{
  const GOptionEntry entries[] = {
    { "plot", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->plots,
      "Draw a histogram, density, quantiles or probability into FILE.svg or .png", "KIND=FILE" },
    { "fit", 0, 0, G_OPTION_ARG_STRING, &options->fit,
      "For probability plots: normal, gamma or lognormal (default: the likeliest)", "NAME" },
    SCALE_AND_DARK,
  };

  return join_entries (own, entries, G_N_ELEMENTS (entries));
}

GOptionEntry *
plot_options_entries_tail (PlotOptions *options, const GOptionEntry *own)
{
  const GOptionEntry entries[] = {
    { "plot", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->plots,
      "Draw what is observed and predicted into FILE.svg or .png", "FILE" },
    SCALE_AND_DARK,
  };

  options->tail = TRUE;
  return join_entries (own, entries, G_N_ELEMENTS (entries));
}

/* Splits "KIND=FILE". FALSE with an error if it is malformed. */
static gboolean
read_plot (const PlotOptions *options, const char *plot, ChartKind *kind, const char **path, GError **error)
{
  const char *equals = options->tail ? NULL : strchr (plot, '=');
  gsize length = equals ? (gsize) (equals - plot) : strlen (plot);

  for (*kind = options->tail ? CHART_TAIL : 0; *kind < CHART_TAIL; (*kind)++)
    if (strlen (chart_kind_name (*kind)) == length && strncmp (plot, chart_kind_name (*kind), length) == 0)
      break;
  *path = options->tail ? plot : equals ? equals + 1 : "";
  if ((*kind < CHART_TAIL || options->tail) && picture_knows (*path))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               *kind < CHART_TAIL || options->tail
                   ? "--plot \"%s\": the file must end with .svg or .png"
                   : "--plot \"%s\": must be KIND=FILE, with histogram, density, quantiles or probability",
               plot);
  return FALSE;
}

/* Parses the name of a distribution; CULPRIT_FITS: the likeliest. */
static gboolean
read_fit (const char *name, CulpritFitKind *kind, GError **error)
{
  *kind = CULPRIT_FITS;
  for (guint i = 0; name && i < CULPRIT_FITS; i++)
    if (g_str_equal (name, culprit_fit_name (i)))
      *kind = i;
  if (!name || *kind != CULPRIT_FITS)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "--fit \"%s\": must be normal, gamma or lognormal",
               name);
  return FALSE;
}

static gboolean
read_scale (const char *name, ChartScale *scale, GError **error)
{
  *scale = !name ? CHART_SCALE_AUTOMATIC : g_str_equal (name, "log") ? CHART_SCALE_LOGARITHMIC : CHART_SCALE_LINEAR;
  if (*scale != CHART_SCALE_LINEAR || g_str_equal (name, "linear"))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "--scale \"%s\": must be log or linear", name);
  return FALSE;
}

gboolean
plot_options_check (const PlotOptions *options, GError **error)
{
  CulpritFitKind fit;
  ChartScale scale;

  for (char **plot = options->plots; plot && *plot; plot++)
    {
      ChartKind kind;
      const char *path;

      if (!read_plot (options, *plot, &kind, &path, error))
        return FALSE;
    }
  return read_fit (options->fit, &fit, error) && read_scale (options->scale, &scale, error);
}

gboolean
plot_options_write (const PlotOptions *options, const GArray *series, GError **error)
{
  CulpritFitKind fit;
  ChartScale scale;

  if (!read_fit (options->fit, &fit, error) || !read_scale (options->scale, &scale, error))
    return FALSE;
  if (options->plots && series->len == 0)
    {
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
                   "nothing to plot: no run has latencies yet");
      return FALSE;
    }
  for (char **plot = options->plots; plot && *plot; plot++)
    {
      g_autoptr (Chart) chart = NULL;
      ChartKind kind;
      const char *path;

      if (!read_plot (options, *plot, &kind, &path, error))
        return FALSE;
      chart = chart_new (kind, (const ChartSeries *) (gpointer) series->data, series->len, fit, scale);
      if (!picture_write (chart, options->dark ? CHART_DARK : CHART_LIGHT, NULL, path, PICTURE_WIDTH, PICTURE_HEIGHT, 1,
                          error))
        return FALSE;
    }
  return TRUE;
}

void
plot_options_clear (PlotOptions *options)
{
  g_strfreev (options->plots);
  g_free (options->fit);
  g_free (options->scale);
}

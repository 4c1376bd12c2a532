/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws two rows of dots on one axis that starts at zero. */
#include "charts/strip.h"

#include "charts/swatch.h"
#include "show.h"
#include "units.h"

#include <math.h>

#define HEIGHT 74
#define LEFT 76
#define RIGHT 16
#define DOT 7

struct _CulpritStrip
{
  GtkWidget parent;
  char *title;
  gboolean times;
  GArray *values[2]; /* of double: late, ordinary */
  double most;
};

G_DEFINE_FINAL_TYPE (CulpritStrip, culprit_strip, GTK_TYPE_WIDGET)

enum
{
  PROPERTY_TITLE = 1,
  PROPERTY_TIMES,
};

static void
draw_text (CulpritStrip *strip, GtkSnapshot *snapshot, const char *text, double x, double y, double part)
{
  g_autoptr (PangoLayout) layout = show_layout_new (GTK_WIDGET (strip), text);
  GdkRGBA colour;
  int width;

  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (strip)), &colour);
  pango_layout_get_pixel_size (layout, &width, NULL);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x - width * part, y));
  gtk_snapshot_append_layout (snapshot, layout, &colour);
  gtk_snapshot_restore (snapshot);
}

static char *
format_value (CulpritStrip *strip, double value)
{
  return strip->times ? culprit_time_format (llround (value)) : g_strdup_printf ("%.4g", value);
}

static void
draw_dots (CulpritStrip *strip, GtkSnapshot *snapshot, const GArray *values, double y, const GdkRGBA *colour)
{
  double width = gtk_widget_get_width (GTK_WIDGET (strip)) - LEFT - RIGHT;

  for (guint i = 0; i < values->len; i++)
    {
      double x = LEFT + width * g_array_index (values, double, i) / strip->most;
      GskRoundedRect dot;

      gsk_rounded_rect_init_from_rect (&dot, &GRAPHENE_RECT_INIT (x - DOT / 2.0, y, DOT, DOT), DOT / 2.0);
      gtk_snapshot_push_rounded_clip (snapshot, &dot);
      gtk_snapshot_append_color (snapshot, colour, &dot.bounds);
      gtk_snapshot_pop (snapshot);
    }
}

static void
strip_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CulpritStrip *strip = CULPRIT_STRIP (widget);
  const GdkRGBA late = rgba_of (chart_late (CHART_LIGHT), 0.65);
  const GdkRGBA ordinary = rgba_of (chart_ordinary (CHART_LIGHT), 0.65);
  const GdkRGBA line = rgba_of (chart_rule (CHART_LIGHT), 0.6);
  g_autofree char *most = format_value (strip, strip->most);
  int width = gtk_widget_get_width (widget);

  draw_text (strip, snapshot, strip->title, 0, 0, 0);
  draw_text (strip, snapshot, "late", LEFT - 10, 18, 1);
  draw_text (strip, snapshot, "ordinary", LEFT - 10, 35, 1);
  gtk_snapshot_append_color (snapshot, &line, &GRAPHENE_RECT_INIT (LEFT, 55, MAX (width - LEFT - RIGHT, 1), 1));
  draw_text (strip, snapshot, "0", LEFT, 56, 0.5);
  draw_text (strip, snapshot, most, width - RIGHT, 56, 1);
  draw_dots (strip, snapshot, strip->values[0], 23, &late);
  draw_dots (strip, snapshot, strip->values[1], 40, &ordinary);
}

static void
strip_set_property (GObject *object, guint property, const GValue *value, GParamSpec *spec)
{
  CulpritStrip *strip = CULPRIT_STRIP (object);

  if (property == PROPERTY_TITLE)
    strip->title = g_value_dup_string (value);
  else
    strip->times = g_value_get_boolean (value);
}

static void
strip_finalize (GObject *object)
{
  CulpritStrip *strip = CULPRIT_STRIP (object);

  g_free (strip->title);
  for (guint i = 0; i < G_N_ELEMENTS (strip->values); i++)
    g_array_unref (strip->values[i]);
  G_OBJECT_CLASS (culprit_strip_parent_class)->finalize (object);
}

static void
culprit_strip_class_init (CulpritStripClass *class)
{
  const GParamFlags flags = G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  G_OBJECT_CLASS (class)->set_property = strip_set_property;
  G_OBJECT_CLASS (class)->finalize = strip_finalize;
  g_object_class_install_property (G_OBJECT_CLASS (class), PROPERTY_TITLE,
                                   g_param_spec_string ("title", NULL, NULL, NULL, flags));
  g_object_class_install_property (G_OBJECT_CLASS (class), PROPERTY_TIMES,
                                   g_param_spec_boolean ("times", NULL, NULL, FALSE, flags));
  GTK_WIDGET_CLASS (class)->snapshot = strip_snapshot;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
culprit_strip_init (CulpritStrip *strip)
{
  gtk_widget_set_size_request (GTK_WIDGET (strip), 220, HEIGHT);
  for (guint i = 0; i < G_N_ELEMENTS (strip->values); i++)
    strip->values[i] = g_array_new (FALSE, FALSE, sizeof (double));
  strip->most = 1;
}

static double
take (CulpritStrip *strip, guint line, const GArray *values)
{
  double most = 0;

  g_array_set_size (strip->values[line], 0);
  for (guint i = 0; i < values->len; i++)
    {
      double value = g_array_index (values, double, i);

      if (!isfinite (value))
        continue;
      value = MAX (value, 0);
      g_array_append_val (strip->values[line], value);
      most = MAX (most, value);
    }
  return most;
}

void
culprit_strip_set_values (CulpritStrip *strip, const GArray *late, const GArray *ordinary)
{
  double most = MAX (take (strip, 0, late), take (strip, 1, ordinary));
  g_autofree char *maximum = NULL;
  g_autofree char *text = NULL;

  strip->most = most > 0 ? most : 1;
  maximum = format_value (strip, strip->most);
  text = g_strdup_printf ("%s: %u late wake-ups, maximum %s", strip->title, strip->values[0]->len, maximum);
  show_to_reader (strip, GTK_ACCESSIBLE_PROPERTY_LABEL, text);
  gtk_widget_queue_draw (GTK_WIDGET (strip));
}

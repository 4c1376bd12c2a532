/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cache of layouts by text and width, in steps so that zooming does not lay all names out anew. */
#include "timeline-labels.h"

#include <math.h>

#define MAX_LABELS 4096
#define STEP 12
#define ELLIPSIS_FROM 90 /* In less room it would take the place of what tells names apart. */
#define MIN_LETTERS 3
#define FONT_SCALE 0.8

struct _Labels
{
  PangoContext *context;
  PangoFontDescription *font;
  GHashTable *layouts; /* text, and width where it is cut -> PangoLayout */
};

Labels *
labels_new (GtkWidget *widget)
{
  Labels *labels = g_new0 (Labels, 1);

  labels->context = gtk_widget_create_pango_context (widget);
  labels->font = pango_font_description_copy (pango_context_get_font_description (labels->context));
  pango_font_description_set_size (labels->font, pango_font_description_get_size (labels->font) * FONT_SCALE);
  labels->layouts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  return labels;
}

void
labels_free (Labels *labels)
{
  g_object_unref (labels->context);
  pango_font_description_free (labels->font);
  g_hash_table_unref (labels->layouts);
  g_free (labels);
}

/* The layout kept as @key, or a new one of @text. */
static PangoLayout *
find_layout (Labels *labels, const char *key, const char *text, int width)
{
  PangoLayout *layout = g_hash_table_lookup (labels->layouts, key);

  if (layout)
    return layout;
  if (g_hash_table_size (labels->layouts) >= MAX_LABELS)
    g_hash_table_remove_all (labels->layouts);
  layout = pango_layout_new (labels->context);
  pango_layout_set_font_description (layout, labels->font);
  pango_layout_set_text (layout, text, -1);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  if (width > 0)
    {
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
      pango_layout_set_width (layout, width * PANGO_SCALE);
    }
  g_hash_table_insert (labels->layouts, g_strdup (key), layout);
  return layout;
}

/* As much of the beginning of @text as fits into @width, where all of it takes @natural; NULL where that tells
 * nothing. */
static char *
cut_text (const char *text, double width, int natural)
{
  glong letters = g_utf8_strlen (text, -1) * width / natural;

  return letters >= MIN_LETTERS ? g_utf8_substring (text, 0, letters) : NULL;
}

PangoLayout *
labels_get (Labels *labels, const char *text, double width)
{
  PangoLayout *layout = find_layout (labels, text, text, 0);
  g_autofree char *key = NULL;
  int natural;

  if (width <= 0)
    return layout;
  pango_layout_get_pixel_size (layout, &natural, NULL);
  if (natural <= width)
    return layout;
  if (width < ELLIPSIS_FROM)
    {
      key = cut_text (text, width, natural);
      return key ? find_layout (labels, key, key, 0) : NULL;
    }
  width = floor (width / STEP) * STEP;
  key = g_strdup_printf ("%d\n%s", (int) width, text);
  return find_layout (labels, key, text, width);
}

void
labels_size (PangoLayout *layout, int *width, int *height)
{
  pango_layout_get_pixel_size (layout, width, height);
}

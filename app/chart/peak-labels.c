/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels of peaks. A label that would touch another one or its mark, or leave the frame, is left out; the text for
 * people who cannot see the chart has all of them. */
#include "canvas-private.h"

#define ABOVE 12.0 /* pixels from a peak to its label */
#define GAP 3.0
#define SIGN 4.0 /* half the width of a peak's mark */

typedef struct
{
  const char *text;
  double x; /* the middle of its foot */
  double y;
} Label;

typedef struct
{
  double left;
  double top;
  double right;
  double bottom;
} Box;

static int
compare_heights (gconstpointer a, gconstpointer b)
{
  const Label *left = a;
  const Label *right = b;

  return (left->y > right->y) - (left->y < right->y);
}

static GArray *
find_labels (const Canvas *canvas)
{
  GArray *labels = g_array_new (FALSE, FALSE, sizeof (Label));

  for (guint i = 0; i < canvas->chart->marks->len; i++)
    {
      const ChartMark *mark = g_ptr_array_index (canvas->chart->marks, i);

      for (guint k = 0; k < mark->labels->len && k < mark->points->len; k++)
        {
          const ChartPoint *point = &g_array_index (mark->points, ChartPoint, k);
          const Label label = { g_ptr_array_index (mark->labels, k), canvas_x (canvas, point->x),
                                canvas_y (canvas, point->y) - ABOVE };

          g_array_append_val (labels, label);
        }
    }
  g_array_sort (labels, compare_heights);
  return labels;
}

/* The positions of the marks. */
static GArray *
find_signs (const GArray *labels)
{
  GArray *signs = g_array_new (FALSE, FALSE, sizeof (Box));

  for (guint i = 0; i < labels->len; i++)
    {
      const Label *label = &g_array_index (labels, Label, i);
      const Box box = { label->x - SIGN, label->y, label->x + SIGN, label->y + ABOVE };

      g_array_append_val (signs, box);
    }
  return signs;
}

static gboolean
has_room (const Canvas *canvas, const GArray *taken, const Box *box)
{
  if (box->left < canvas->left || box->right > canvas->right || box->top < canvas->top)
    return FALSE;
  for (guint i = 0; i < taken->len; i++)
    {
      const Box *other = &g_array_index (taken, Box, i);

      if (box->left < other->right && box->right > other->left && box->top < other->bottom && box->bottom > other->top)
        return FALSE;
    }
  return TRUE;
}

void
canvas_label_peaks (const Canvas *canvas)
{
  g_autoptr (GArray) labels = find_labels (canvas);
  g_autoptr (GArray) taken = find_signs (labels);

  canvas_use (canvas, chart_ink (canvas->palette), 1);
  for (guint i = 0; i < labels->len; i++)
    {
      const Label *label = &g_array_index (labels, Label, i);
      double width;
      double height;
      Box box;

      canvas_measure (canvas, label->text, SMALL_FONT, &width, &height);
      box = (Box) { label->x - width / 2 - GAP, label->y - height, label->x + width / 2 + GAP, label->y };
      if (!has_room (canvas, taken, &box))
        continue;
      canvas_text (canvas, label->text, SMALL_FONT, label->x, label->y, 0.5, 1);
      g_array_append_val (taken, box);
    }
}

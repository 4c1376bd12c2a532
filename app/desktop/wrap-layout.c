/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills rows with children of their natural widths, at most the available one. */
#include "widgets.h"

#define SPACING 6

struct _CulpritWrapLayout
{
  GtkLayoutManager parent;
};

G_DEFINE_FINAL_TYPE (CulpritWrapLayout, culprit_wrap_layout, GTK_TYPE_LAYOUT_MANAGER)

/* The children of a row: from @first to before @end. */
typedef struct
{
  GtkWidget *first;
  GtkWidget *end;
  int width;
  int height;
  guint expanding;
} Row;

/* The next child from @child on that should be laid out. */
static GtkWidget *
next_of (GtkWidget *child)
{
  while (child && !gtk_widget_should_layout (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

static int
width_of (GtkWidget *child, int width)
{
  int minimum;
  int natural;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  return MAX (MIN (natural, width), minimum);
}

static int
height_of (GtkWidget *child, int width)
{
  int height;

  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, NULL, &height, NULL, NULL);
  return height;
}

/* The row that begins with @first, in @width. */
static Row
find_row (GtkWidget *first, int width)
{
  Row row = { .first = first };

  for (row.end = first; row.end; row.end = next_of (gtk_widget_get_next_sibling (row.end)))
    {
      int own = width_of (row.end, width);
      int before = row.end == first ? 0 : row.width + SPACING;

      if (row.end != first && before + own > width)
        break;
      row.width = before + own;
      row.height = MAX (row.height, height_of (row.end, own));
      row.expanding += gtk_widget_compute_expand (row.end, GTK_ORIENTATION_HORIZONTAL);
    }
  return row;
}

static int
measure_rows (GtkWidget *widget, int width)
{
  int height = 0;
  Row row;

  for (GtkWidget *first = next_of (gtk_widget_get_first_child (widget)); first; first = row.end)
    {
      row = find_row (first, width);
      height += row.height + (height > 0 ? SPACING : 0);
    }
  return height;
}

static GtkSizeRequestMode
wrap_layout_request_mode (GtkLayoutManager *layout, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
wrap_layout_measure (GtkLayoutManager *layout,
                     GtkWidget *widget,
                     GtkOrientation orientation,
                     int for_size,
                     int *minimum,
                     int *natural,
                     int *minimum_baseline,
                     int *natural_baseline)
{
  if (orientation == GTK_ORIENTATION_VERTICAL)
    {
      *minimum = *natural = measure_rows (widget, for_size < 0 ? G_MAXINT / 2 : for_size);
      return;
    }
  *minimum = 0;
  *natural = -SPACING;
  for (GtkWidget *child = next_of (gtk_widget_get_first_child (widget)); child;
       child = next_of (gtk_widget_get_next_sibling (child)))
    {
      int own_minimum;
      int own_natural;

      gtk_widget_measure (child, orientation, -1, &own_minimum, &own_natural, NULL, NULL);
      *minimum = MAX (*minimum, own_minimum);
      *natural += own_natural + SPACING;
    }
  *natural = MAX (*natural, *minimum);
}

static void
allocate_row (const Row *row, int width, int y)
{
  int spare = width - row->width;
  guint expanding = row->expanding;
  int x = 0;

  for (GtkWidget *child = row->first; child != row->end; child = next_of (gtk_widget_get_next_sibling (child)))
    {
      int own = width_of (child, width);

      if (gtk_widget_compute_expand (child, GTK_ORIENTATION_HORIZONTAL))
        {
          own += spare / (int) expanding;
          spare -= spare / (int) expanding;
          expanding--;
        }
      gtk_widget_size_allocate (child, &(GtkAllocation) { x, y, own, row->height }, -1);
      x += own + SPACING;
    }
}

static void
wrap_layout_allocate (GtkLayoutManager *layout, GtkWidget *widget, int width, int height, int baseline)
{
  int y = 0;
  Row row;

  for (GtkWidget *first = next_of (gtk_widget_get_first_child (widget)); first; first = row.end)
    {
      row = find_row (first, width);
      allocate_row (&row, width, y);
      y += row.height + SPACING;
    }
}

static void
culprit_wrap_layout_class_init (CulpritWrapLayoutClass *class)
{
  GtkLayoutManagerClass *layout = GTK_LAYOUT_MANAGER_CLASS (class);

  layout->get_request_mode = wrap_layout_request_mode;
  layout->measure = wrap_layout_measure;
  layout->allocate = wrap_layout_allocate;
}

static void
culprit_wrap_layout_init (CulpritWrapLayout *layout)
{
}

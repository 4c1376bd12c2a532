/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names on a timeline's boxes, laid out once: shaping text costs more than drawing it. */
#pragma once

#include <gtk/gtk.h>

typedef struct _Labels Labels;

/* Labels in the font of @widget, a little smaller than its text. */
Labels *labels_new (GtkWidget *widget);

void labels_free (Labels *labels);

/* The layout of @text for at most @width pixels (0: as many as it takes), cut where that is too little; NULL where next
 * to nothing fits. Valid until the next call. */
PangoLayout *labels_get (Labels *labels, const char *text, double width);

/* How wide and high it is. */
void labels_size (PangoLayout *layout, int *width, int *height);

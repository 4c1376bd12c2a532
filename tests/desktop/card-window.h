/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cards of the verdict in the window of the sample. */
#pragma once

#include "sample-window.h"

#define CARD_WINDOW_FUNCTION 0  /* the place of the card of the function that was called too often */
#define CARD_WINDOW_STALL 1     /* that of blind stalls */
#define CARD_WINDOW_EXPLAINED 8 /* captures, by the function */
#define CARD_WINDOW_CAPTURES 13

/* Goes to the page Outliers. */
void card_window_show (SampleWindow *sample);

/* The list of late wake-ups. */
GtkWidget *card_window_list (SampleWindow *sample);

/* How many cards are seen. */
guint card_window_count (SampleWindow *sample);

/* What is seen in the card at a place: the label or button that has @text, and the menu button whose tooltip has
 * @number; NULL: there is none. */
GtkWidget *card_window_label (SampleWindow *sample, guint card, const char *text);
GtkWidget *card_window_button (SampleWindow *sample, guint card, const char *label);
GtkWidget *card_window_fact (SampleWindow *sample, guint card, const char *number);

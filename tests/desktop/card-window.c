/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cards by their places, and what is in them by its text. */
#include "card-window.h"

#include "outliers/verdict-box.h"

#include <string.h>

void
card_window_show (SampleWindow *sample)
{
  culprit_study_window_show_page (sample->window, "outliers");
  sample_window_settle ();
}

GtkWidget *
card_window_list (SampleWindow *sample)
{
  g_autoptr (GPtrArray) lists = sample_window_find (sample, GTK_TYPE_COLUMN_VIEW);

  return g_ptr_array_index (lists, 0);
}

guint
card_window_count (SampleWindow *sample)
{
  g_autoptr (GPtrArray) cards = sample_window_find (sample, CULPRIT_TYPE_CAUSE_CARD);

  return cards->len;
}

static GtkWidget *
find_card (SampleWindow *sample, guint place)
{
  g_autoptr (GPtrArray) cards = sample_window_find (sample, CULPRIT_TYPE_CAUSE_CARD);

  g_assert_cmpuint (place, <, cards->len);
  return g_ptr_array_index (cards, place);
}

/* Of the widgets of @type in @card, the one for which @property reads @text; NULL: none. */
static GtkWidget *
find_in (SampleWindow *sample, GtkWidget *card, GType type, const char *property, const char *text)
{
  g_autoptr (GPtrArray) found = sample_window_find (sample, type);

  for (guint i = 0; i < found->len; i++)
    {
      g_autofree char *own = NULL;

      if (!gtk_widget_is_ancestor (g_ptr_array_index (found, i), card))
        continue;
      g_object_get (g_ptr_array_index (found, i), property, &own, NULL);
      if (own && strstr (own, text))
        return g_ptr_array_index (found, i);
    }
  return NULL;
}

GtkWidget *
card_window_label (SampleWindow *sample, guint card, const char *text)
{
  return find_in (sample, find_card (sample, card), GTK_TYPE_LABEL, "label", text);
}

GtkWidget *
card_window_button (SampleWindow *sample, guint card, const char *label)
{
  return find_in (sample, find_card (sample, card), GTK_TYPE_BUTTON, "label", label);
}

GtkWidget *
card_window_fact (SampleWindow *sample, guint card, const char *number)
{
  return find_in (sample, find_card (sample, card), GTK_TYPE_MENU_BUTTON, "tooltip-text", number);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers shared by the pages and their parts. */
#include "widgets.h"

#include "clean.h"

#define LONGEST 10000 /* characters, of several lines */

void
widget_class_set_template (gpointer class, const char *name, gssize offset)
{
  g_autofree char *path = g_strconcat ("/io/github/culprit/desktop/", name, NULL);

  gtk_widget_class_set_template_from_resource (class, path);
  /* Only children that are bound are let go of; none may be bound twice. */
  gtk_widget_class_bind_template_child_full (class, "content", FALSE, offset);
}

void
label_set_sentence (GtkWidget *label, const char *words)
{
  g_autofree char *text = culprit_clean_start (words, LONGEST, '\n');
  g_autoptr (GRegex) quantity = g_regex_new ("[0-9] (%|[nmu]?s\\b)", 0, 0, NULL);
  g_autoptr (GMatchInfo) found = NULL;
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  for (g_regex_match (quantity, text, 0, &found); g_match_info_matches (found); g_match_info_next (found, NULL))
    {
      PangoAttribute *together = pango_attr_allow_breaks_new (FALSE);
      int start;
      int end;

      g_match_info_fetch_pos (found, 0, &start, &end);
      together->start_index = start;
      together->end_index = end;
      pango_attr_list_insert (attributes, together);
    }
  gtk_label_set_attributes (GTK_LABEL (label), attributes);
  gtk_label_set_label (GTK_LABEL (label), text);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills a drop-down with the classes. */
#include "outliers/class-choice.h"

#include "show.h"
#include "tables/format.h"
#include "verdict/case.h"

static guint
count_class (CulpritRows *rows, const char *class)
{
  guint count = 0;

  for (guint i = 0; rows && i < g_list_model_get_n_items (G_LIST_MODEL (rows)); i++)
    {
      g_autoptr (CulpritRow) row = g_list_model_get_item (G_LIST_MODEL (rows), i);

      count += g_str_equal (culprit_row_text (row, "class"), class);
    }
  return count;
}

void
class_choice_fill (GtkDropDown *choice, CulpritRows *rows)
{
  g_autoptr (GtkStringList) classes = gtk_string_list_new (NULL);
  guint chosen = gtk_drop_down_get_selected (choice);

  gtk_string_list_append (classes, "Any class");
  for (CulpritClass class = 0; class < CULPRIT_CLASSES; class ++)
    {
      g_autofree char *name = culprit_class_text (culprit_class_name (class));
      g_autofree char *text =
          rows ? g_strdup_printf ("%s (%u)", name, count_class (rows, culprit_class_name (class))) : g_strdup (name);

      show_in_list (classes, text);
    }
  gtk_drop_down_set_model (choice, G_LIST_MODEL (classes));
  gtk_drop_down_set_selected (choice, chosen == GTK_INVALID_LIST_POSITION ? 0 : chosen);
}

const char *
class_choice_chosen (GtkDropDown *choice)
{
  guint chosen = gtk_drop_down_get_selected (choice);

  return chosen > 0 && chosen <= CULPRIT_CLASSES ? culprit_class_name (chosen - 1) : NULL;
}

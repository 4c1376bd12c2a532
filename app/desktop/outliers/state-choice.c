/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills a drop-down with the states, below the choices that are of several. */
#include "outliers/state-choice.h"

#include "study/triage.h"
#include "triage.h"

/* The places of the choices. */
enum
{
  ANY,
  NOT_IGNORED,
  FIRST_STATE,
};

void
state_choice_fill (GtkDropDown *choice)
{
  static const char *const several[] = { [ANY] = "Any state", [NOT_IGNORED] = "Not ignored", NULL };
  g_autoptr (GtkStringList) states = gtk_string_list_new (several);

  gtk_string_list_splice (states, FIRST_STATE, 0, culprit_triage_states);
  gtk_drop_down_set_model (choice, G_LIST_MODEL (states));
}

gboolean
state_choice_shows (GtkDropDown *choice, CulpritRow *row)
{
  guint chosen = gtk_drop_down_get_selected (choice);

  if (chosen == ANY || chosen == GTK_INVALID_LIST_POSITION)
    return TRUE;
  if (chosen == NOT_IGNORED)
    return !triage_ignores (row);
  return g_str_equal (culprit_triage_states[chosen - FIRST_STATE], culprit_row_text (row, "triage"));
}

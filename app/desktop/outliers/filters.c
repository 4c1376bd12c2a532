/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the table of late wake-ups is filtered by: classes, states, and what somebody chose. */
#include "outliers/filters.h"

#include "show.h"
#include "study/triage.h"
#include "tables/column.h"
#include "triage.h"
#include "verdict/cards.h"
#include "verdict/case.h"

/* Fills a drop-down with the classes. */

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

/* Fills a drop-down with the states, below the choices that are of several. */

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

/* Causes go when a verdict does not know them any more; what somebody else named stays. */

static void
take (OnlyCaptures *only, const char *cause, const char *whose, const GArray *captures)
{
  OnlyCaptures before = *only;

  *only = (OnlyCaptures) { g_strdup (cause), g_strdup (whose), captures ? g_array_copy ((GArray *) captures) : NULL };
  only_clear (&before);
}

void
only_init (OnlyCaptures *only)
{
  *only = (OnlyCaptures) { .cause = g_strdup ("") };
}

void
only_clear (OnlyCaptures *only)
{
  g_free (only->cause);
  g_free (only->whose);
  g_clear_pointer (&only->captures, g_array_unref);
}

void
only_of_cause (OnlyCaptures *only, const char *id, const CulpritVerdict *verdict)
{
  const CulpritCulprit *cause = verdict ? culprit_verdict_find (verdict, id) : NULL;

  if (cause)
    take (only, id, cause->name, cause->explains);
  else
    take (only, "", NULL, NULL);
}

void
only_update (OnlyCaptures *only, const CulpritVerdict *verdict)
{
  if (*only->cause)
    only_of_cause (only, only->cause, verdict);
}

void
only_of (OnlyCaptures *only, const GArray *captures, const char *whose)
{
  take (only, "", whose, captures);
}

static int
compare_captures (gconstpointer a, gconstpointer b)
{
  const gint64 *left = a;
  const gint64 *right = b;

  return (*left > *right) - (*left < *right);
}

gboolean
only_has (const OnlyCaptures *only, gint64 capture)
{
  return !only->captures || g_array_binary_search (only->captures, &capture, compare_captures, NULL);
}

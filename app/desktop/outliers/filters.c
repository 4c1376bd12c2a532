/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters by class, by state, and by captures that were chosen elsewhere. */
#include "outliers/filters.h"

#include "compare.h"
#include "show.h"
#include "study/triage.h"
#include "tables/column.h"
#include "triage.h"
#include "verdict/cards.h"
#include "verdict/case.h"

/* Classes. */

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

/* States, below two choices of several of them. */

/* The positions of the choices. */
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

/* A cause is dropped when the verdict no longer has it; other names stay. */

static void
take (CaptureFilter *filter, const char *cause, const char *name, const GArray *captures)
{
  CaptureFilter before = *filter;

  *filter = (CaptureFilter) { g_strdup (cause), g_strdup (name), captures ? g_array_copy ((GArray *) captures) : NULL };
  capture_filter_clear (&before);
}

void
capture_filter_init (CaptureFilter *filter)
{
  *filter = (CaptureFilter) { .cause = g_strdup ("") };
}

void
capture_filter_clear (CaptureFilter *filter)
{
  g_free (filter->cause);
  g_free (filter->name);
  g_clear_pointer (&filter->captures, g_array_unref);
}

void
capture_filter_set_cause (CaptureFilter *filter, const char *id, const CulpritVerdict *verdict)
{
  const CulpritCulprit *cause = verdict ? culprit_verdict_find (verdict, id) : NULL;

  if (cause)
    take (filter, id, cause->name, cause->explains);
  else
    take (filter, "", NULL, NULL);
}

void
capture_filter_update (CaptureFilter *filter, const CulpritVerdict *verdict)
{
  if (*filter->cause)
    capture_filter_set_cause (filter, filter->cause, verdict);
}

void
capture_filter_set (CaptureFilter *filter, const GArray *captures, const char *name)
{
  take (filter, "", name, captures);
}

gboolean
capture_filter_passes (const CaptureFilter *filter, gint64 capture)
{
  return !filter->captures || g_array_binary_search (filter->captures, &capture, compare_int64, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields for state and note of the selected captures. */
#include "outliers/triage-bar.h"

#include "show.h"
#include "study/triage.h"
#include "triage.h"

struct _CulpritTriageBar
{
  CulpritDocumentView parent;
  GtkWidget *content;
  GtkWidget *states;
  GtkWidget *note;
  gint64 noted;     /* the chosen capture; 0: none yet */
  GArray *captures; /* as of triage_captures(): those that the fields refer to, including that one */
  char *shown_note; /* as it was filled in, or stored since */
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (CulpritTriageBar, culprit_triage_bar, CULPRIT_TYPE_DOCUMENT_VIEW)

/* Of CulpritRow; the caller owns it. */
static GPtrArray *
find_rows (CulpritTriageBar *bar)
{
  CulpritDocument *document = culprit_document_view_document (bar);
  GPtrArray *rows = g_ptr_array_new ();

  for (guint i = 0; i < bar->captures->len; i++)
    {
      CulpritRow *row = culprit_document_row (document, g_array_index (bar->captures, CulpritTriage, i).capture);

      if (row)
        g_ptr_array_add (rows, row);
    }
  return rows;
}

static void
store (CulpritTriageBar *bar, const char *state, const char *note)
{
  if (bar->captures->len > 0)
    triage_set_captures (culprit_document_view_document (bar), bar->captures, state, note);
}

/* The note that all of them have; empty if they differ. */
static const char *
common_note (CulpritTriageBar *bar)
{
  g_autoptr (GPtrArray) rows = find_rows (bar);
  const char *note = rows->len > 0 ? culprit_row_text (g_ptr_array_index (rows, 0), "note") : "";

  for (guint i = 1; i < rows->len; i++)
    if (!g_str_equal (culprit_row_text (g_ptr_array_index (rows, i), "note"), note))
      return "";
  return note;
}

static const char *
note_text (CulpritTriageBar *bar)
{
  return gtk_editable_get_text (GTK_EDITABLE (bar->note));
}

static void
keep_note (CulpritTriageBar *bar)
{
  g_free (bar->shown_note);
  bar->shown_note = g_strdup (note_text (bar));
}

/* Whether the user has changed what was shown. */
static gboolean
is_note_changed (CulpritTriageBar *bar)
{
  return bar->shown_note && !g_str_equal (note_text (bar), bar->shown_note);
}

/* What was pasted may have lines, and could not be edited later on. */
static void
store_note (CulpritTriageBar *bar)
{
  g_autofree char *note = g_strdup (note_text (bar));

  if (!is_note_changed (bar))
    return;
  show_in_field (bar->note, note);
  keep_note (bar);
  store (bar, NULL, bar->shown_note);
}

/* A note that is not shown as it is would be lost if it were edited. */
static void
show_note (CulpritTriageBar *bar, const char *note)
{
  gboolean editable = show_in_field (bar->note, note);

  /* Ctrl+Z takes back what was typed, not what was shown here before. */
  gtk_editable_set_enable_undo (GTK_EDITABLE (bar->note), FALSE);
  gtk_editable_set_enable_undo (GTK_EDITABLE (bar->note), editable);
  gtk_editable_set_editable (GTK_EDITABLE (bar->note), editable);
  show_tooltip (bar->note, editable ? "Saved when you press Enter or leave the field"
                                    : "This note has several lines, is very long, or has characters that are not "
                                      "shown here; it stays as it is");
  keep_note (bar);
}

/* Says how many captures a note would go to. */
static void
show_count (CulpritTriageBar *bar)
{
  g_autofree char *text =
      bar->captures->len > 1 ? g_strdup_printf ("Note for all %u selected", bar->captures->len) : g_strdup ("Note");

  gtk_entry_set_placeholder_text (GTK_ENTRY (bar->note), text);
  show_to_reader (bar->note, GTK_ACCESSIBLE_PROPERTY_LABEL, text);
}

static void
refer_to (CulpritTriageBar *bar, const GPtrArray *rows)
{
  g_array_unref (bar->captures);
  bar->captures = triage_captures (rows);
}

void
culprit_triage_bar_set_rows (CulpritTriageBar *bar, const GPtrArray *rows)
{
  if (rows->len == 0)
    return;
  store_note (bar);
  refer_to (bar, rows);
  show_note (bar, common_note (bar));
  show_count (bar);
}

static void
show_triage (CulpritTriageBar *bar, CulpritRow *row)
{
  const char *state = culprit_row_text (row, "triage");
  gint64 capture = culprit_row_integer (row, "capture");

  if (capture != bar->noted)
    {
      g_autoptr (GPtrArray) rows = g_ptr_array_new ();

      store_note (bar);
      g_ptr_array_add (rows, row);
      refer_to (bar, rows);
      show_count (bar);
    }
  bar->filling = TRUE;
  for (guint i = 0; culprit_triage_states[i]; i++)
    if (g_str_equal (culprit_triage_states[i], state))
      gtk_drop_down_set_selected (GTK_DROP_DOWN (bar->states), i);
  if (capture != bar->noted || !is_note_changed (bar))
    show_note (bar, common_note (bar));
  bar->noted = capture;
  bar->filling = FALSE;
}

static void
on_state (GtkDropDown *states, GParamSpec *spec, CulpritTriageBar *bar)
{
  if (!bar->filling)
    store (bar, culprit_triage_states[gtk_drop_down_get_selected (states)], NULL);
}

/* On Enter, and when the entry loses the focus. */
static void
on_note (gpointer from, CulpritTriageBar *bar)
{
  store_note (bar);
}

static void
on_row_changed (CulpritRow *row, CulpritTriageBar *bar)
{
  if (row == culprit_document_chosen_row (culprit_document_view_document (bar)))
    show_triage (bar, row);
}

static void
follow (CulpritTriageBar *bar)
{
  CulpritRow *row = culprit_document_chosen_row (culprit_document_view_document (bar));

  if (!row)
    return;
  g_signal_handlers_disconnect_by_func (row, on_row_changed, bar);
  g_signal_connect_object (row, "changed", G_CALLBACK (on_row_changed), bar, 0);
  show_triage (bar, row);
}

static void
bar_changed (CulpritDocumentView *view, CulpritPartKind part)
{
  if (part == CULPRIT_PART_OUTLIERS)
    follow (CULPRIT_TRIAGE_BAR (view));
}

/* The note is of those that were shown, and told not to be stored. */
static void
bar_replaced (CulpritDocumentView *view)
{
  store_note (CULPRIT_TRIAGE_BAR (view));
  CULPRIT_TRIAGE_BAR (view)->noted = 0;
}

static void
bar_capture_chosen (CulpritDocumentView *view)
{
  follow (CULPRIT_TRIAGE_BAR (view));
}

/* The widget. */

static void
culprit_triage_bar_finalize (GObject *object)
{
  g_free (CULPRIT_TRIAGE_BAR (object)->shown_note);
  g_array_unref (CULPRIT_TRIAGE_BAR (object)->captures);
  G_OBJECT_CLASS (culprit_triage_bar_parent_class)->finalize (object);
}

static void
culprit_triage_bar_class_init (CulpritTriageBarClass *class)
{
  CulpritDocumentViewClass *view = CULPRIT_DOCUMENT_VIEW_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = culprit_triage_bar_finalize;
  view->changed = bar_changed;
  view->replaced = bar_replaced;
  view->capture_chosen = bar_capture_chosen;
  widget_class_set_template (class, "outliers/triage-bar.ui");
  widget_class_bind_children (class, CulpritTriageBar, content, states, note);
  widget_class_bind_callbacks (class, on_state, on_note);
}

static void
culprit_triage_bar_init (CulpritTriageBar *bar)
{
  g_autoptr (GtkStringList) states = gtk_string_list_new (culprit_triage_states);

  bar->captures = g_array_new (FALSE, FALSE, sizeof (CulpritTriage));
  bar->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (bar));
  gtk_drop_down_set_model (GTK_DROP_DOWN (bar->states), G_LIST_MODEL (states));
  bar->filling = FALSE;
}

void
culprit_triage_bar_append (CulpritTriageBar *bar, GtkWidget *widget)
{
  gtk_box_append (GTK_BOX (bar->content), widget);
}

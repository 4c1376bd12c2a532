/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cards are made anew with each verdict. The height is that of the style, whatever the verdict is, so that what is
 * below stays where it is when it comes. */
#include "outliers/verdict-box.h"

#include "outliers/cause-card.h"
#include "show.h"

struct _CulpritVerdictBox
{
  CulpritDocumentView parent;
  GtkWidget *expander;
  GtkWidget *head;    /* shown while it is expanded */
  GtkWidget *summary; /* while it is not */
  GtkWidget *none;    /* where there are no causes */
  GtkWidget *cards;
  GtkWidget *notes_card;
  GtkWidget *notes;
  GtkWidget *more;
};

G_DEFINE_FINAL_TYPE (CulpritVerdictBox, culprit_verdict_box, CULPRIT_TYPE_DOCUMENT_VIEW)

static void
on_function (CulpritCauseCard *card, const char *function, CulpritVerdictBox *box)
{
  culprit_document_choose_function (culprit_document_view_document (box), function);
  gtk_widget_activate_action (GTK_WIDGET (box), "win.page", "s", "functions");
}

static void
clear (GtkWidget *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (box)))
    gtk_box_remove (GTK_BOX (box), child);
}

/* A line that is cut has its tooltip. */
static void
show_with_tooltip (GtkWidget *label, const char *text)
{
  show_line (label, text);
  show_tooltip (label, text);
}

static void
show_none (CulpritVerdictBox *box, const char *text)
{
  show_line (box->none, text ? text : "");
  gtk_widget_set_visible (box->none, text != NULL);
}

static char *
head (const CulpritVerdict *verdict)
{
  g_autofree char *basis = culprit_verdict_basis (verdict);

  return verdict->selection ? g_strdup_printf ("%s. %s", basis, verdict->selection) : g_steal_pointer (&basis);
}

/* Of any capture; "": there is none. */
static const char *
find_run (const CulpritVerdict *verdict)
{
  const GArray *cases = verdict->evidence->cases;

  return cases->len > 0 ? g_array_index (cases, CulpritCase, 0).run : "";
}

/* Cards have the button that takes more captures; without any it is here. */
static void
show_notes (CulpritVerdictBox *box, const CulpritVerdict *verdict, gboolean carded)
{
  g_autoptr (GPtrArray) notes = culprit_verdict_notes (verdict);
  g_autoptr (GString) text = g_string_new (NULL);
  char *why;

  culprit_verdict_more (verdict, &why);
  if (why)
    g_ptr_array_insert (notes, 0, why);
  for (guint i = 0; i < notes->len; i++)
    {
      g_autofree char *note = shown (g_ptr_array_index (notes, i));

      g_string_append_printf (text, "%s• %s", i > 0 ? "\n" : "", note);
    }
  show_lines (box->notes, text->str);
  gtk_widget_set_visible (box->notes_card, notes->len > 0);
  culprit_cause_offer_more (box->more, verdict, find_run (verdict));
  if (carded)
    gtk_widget_set_visible (box->more, FALSE);
}

static void
fill (CulpritVerdictBox *box, const CulpritVerdict *verdict)
{
  g_autoptr (GPtrArray) cards = culprit_verdict_cards (verdict);
  g_autofree char *first = head (verdict);
  g_autofree char *summary = culprit_verdict_summary (verdict);

  show_with_tooltip (box->head, first);
  show_with_tooltip (box->summary, summary);
  show_none (box, verdict->culprits->len == 0 ? summary : NULL);
  for (guint i = 0; i < cards->len; i++)
    {
      GtkWidget *card = culprit_cause_card_new (verdict, g_ptr_array_index (cards, i));

      g_signal_connect (card, "function", G_CALLBACK (on_function), box);
      gtk_box_append (GTK_BOX (box->cards), card);
    }
  gtk_widget_set_visible (box->cards, cards->len > 0);
  show_notes (box, verdict, cards->len > 0);
}

static void
box_changed (CulpritDocumentView *view, CulpritPartKind part)
{
  CulpritVerdictBox *box = CULPRIT_VERDICT_BOX (view);
  CulpritDocument *document = culprit_document_view_document (view);
  const CulpritVerdict *verdict = culprit_document_verdict (document);

  /* That of other captures says nothing of these. */
  if (part != CULPRIT_PART_VERDICT && !(part == CULPRIT_PART_OUTLIERS && !verdict))
    return;
  clear (box->cards);
  if (verdict)
    {
      fill (box, verdict);
      return;
    }
  show_with_tooltip (box->head, "");
  show_with_tooltip (box->summary, culprit_document_no_verdict (document));
  show_none (box, culprit_document_no_verdict (document));
  gtk_widget_set_visible (box->cards, FALSE);
  gtk_widget_set_visible (box->notes_card, FALSE);
}

GtkWidget *
culprit_verdict_box_expander (CulpritVerdictBox *box)
{
  return box->expander;
}

static void
culprit_verdict_box_class_init (CulpritVerdictBoxClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  CULPRIT_DOCUMENT_VIEW_CLASS (class)->changed = box_changed;
  widget_class_set_template (class, "outliers/verdict-box.ui", 0);
  gtk_widget_class_bind_template_child (widget, CulpritVerdictBox, expander);
  gtk_widget_class_bind_template_child (widget, CulpritVerdictBox, head);
  gtk_widget_class_bind_template_child (widget, CulpritVerdictBox, summary);
  gtk_widget_class_bind_template_child (widget, CulpritVerdictBox, none);
  gtk_widget_class_bind_template_child (widget, CulpritVerdictBox, cards);
  gtk_widget_class_bind_template_child (widget, CulpritVerdictBox, notes_card);
  gtk_widget_class_bind_template_child (widget, CulpritVerdictBox, notes);
  gtk_widget_class_bind_template_child (widget, CulpritVerdictBox, more);
}

static void
culprit_verdict_box_init (CulpritVerdictBox *box)
{
  gtk_widget_init_template (GTK_WIDGET (box));
}

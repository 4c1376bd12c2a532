/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cards of the verdict. The height comes from the style sheet, not from the verdict, so that nothing below moves
 * when the verdict comes. */
#include "outliers/verdict-box.h"

#include "show.h"
#include "tables/column.h"
#include "widgets.h"

/* A card. Its template has everything that a card can have; what does not apply is hidden. */

#define USUAL_CAPTURES 0 /* the default number of captures */

struct _CulpritCauseCard
{
  AdwBin parent;
  GtkWidget *content;
  GtkWidget *name;
  GtkWidget *badge;
  GtkWidget *doubt;
  GtkWidget *meter;
  GtkWidget *captures;
  GtkWidget *confidence;
  GtkWidget *confidence_word;
  GtkWidget *confidence_text;
  GtkWidget *weight;
  GtkWidget *weight_word;
  GtkWidget *weight_text;
  GtkWidget *finding;
  GtkWidget *path;
  GtkWidget *proved;
  GtkWidget *advice;
  GtkWidget *where;
  GtkWidget *show;
  GtkWidget *graph;
  GtkWidget *prove;
  GtkWidget *proof;
  GtkWidget *stalls;
  GtkWidget *more;
  char *cause; /* culprit_verdict_find() finds it */
};

G_DEFINE_FINAL_TYPE (CulpritCauseCard, culprit_cause_card, ADW_TYPE_BIN)

static guint function_chosen;

static gboolean
on_link (GtkLabel *label, const char *function, CulpritCauseCard *card)
{
  g_signal_emit (card, function_chosen, 0, function);
  return TRUE;
}

static gboolean
show_typical (GtkWidget *card, GVariant *arguments, gpointer data)
{
  return gtk_widget_activate_action (card, "win.typical", "s", CULPRIT_CAUSE_CARD (card)->cause);
}

static gboolean
is_inside (GtkWidget *widget, GType type)
{
  return gtk_widget_get_ancestor (widget, type) != NULL;
}

/* Anywhere but on what has a use of its own. That text can be selected ends clicks, so this is for their beginning. */
static void
on_pressed (GtkGestureClick *click, int presses, double x, double y, CulpritCauseCard *card)
{
  GtkWidget *picked = gtk_widget_pick (GTK_WIDGET (card), x, y, GTK_PICK_DEFAULT);
  gboolean used = !picked || is_inside (picked, GTK_TYPE_BUTTON) || is_inside (picked, GTK_TYPE_SCROLLBAR) ||
                  (GTK_IS_LABEL (picked) && gtk_label_get_current_uri (GTK_LABEL (picked)));

  if (!used && presses == 1)
    show_typical (GTK_WIDGET (card), NULL, NULL);
}

/* @text as a link to the function @key, or without a link if that is NULL. The caller owns it. */
static char *
link_to (const char *text, const char *key)
{
  g_autofree char *shown = shown_escaped (text);
  g_autofree char *target = key ? g_markup_escape_text (key, -1) : NULL;

  return key ? g_strdup_printf ("<a href=\"%s\">%s</a>", target, shown) : g_steal_pointer (&shown);
}

static void
show_name (CulpritCauseCard *card, const CulpritVerdict *verdict, const CulpritCard *from)
{
  const CulpritCulprit *culprit = from->culprit;
  g_autofree char *link = link_to (culprit->name, culprit_verdict_key (verdict, culprit));
  g_autofree char *aside = shown_escaped (from->aside);
  g_autofree char *markup = g_strdup_printf ("%s<span weight=\"normal\">%s</span>", link, aside);
  g_autofree char *plain = g_strconcat (culprit->name, from->aside, NULL);
  g_autofree char *class = culprit_class_text (culprit_class_name (culprit->class));
  g_autofree char *style = g_strconcat ("class-", culprit_class_name (culprit->class), NULL);

  gtk_label_set_markup (GTK_LABEL (card->name), markup);
  show_tooltip (card->name, plain);
  show_line (card->badge, class);
  gtk_widget_add_css_class (card->badge, style);
  gtk_widget_set_visible (card->doubt, !from->established);
  show_to_reader (card, GTK_ACCESSIBLE_PROPERTY_LABEL, plain);
  show_to_reader (card, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, from->finding);
}

/* Fills a button called @title: a word on it; the number and its meaning in its popover and tooltip. */
typedef struct
{
  GtkWidget *button;
  GtkWidget *word;
  GtkWidget *text;
  const char *title;
} Fact;

static void
show_fact (const Fact *fact, const char *word, const char *number, const char *meaning)
{
  g_autofree char *label = g_strdup_printf ("%s: %s", fact->title, word);
  g_autofree char *text = g_strdup_printf ("%s. %s", number, meaning);

  show_line (fact->word, label);
  show_line (fact->text, text);
  show_tooltip (fact->button, text);
  show_to_reader (fact->button, GTK_ACCESSIBLE_PROPERTY_LABEL, label);
  show_to_reader (fact->button, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, number);
}

static void
show_facts (CulpritCauseCard *card, const CulpritCard *from)
{
  const Fact confidence = { card->confidence, card->confidence_word, card->confidence_text, "Confidence" };
  const Fact weight = { card->weight, card->weight_word, card->weight_text, "Weight" };

  show_fact (&confidence, from->confidence, from->confidence_number, culprit_confidence_meaning);
  show_fact (&weight, from->weight, from->weight_number, culprit_weight_meaning);
}

static void
show_text (GtkWidget *label, const char *text)
{
  show_line (label, text ? text : "");
  gtk_widget_set_visible (label, text && *text);
}

static void
show_path (CulpritCauseCard *card, const GArray *path)
{
  g_autoptr (GString) markup = g_string_new (NULL);

  for (guint i = 0; i < path->len; i++)
    {
      const CulpritPathCall *call = &g_array_index (path, CulpritPathCall, i);
      g_autofree char *link = link_to (call->name, call->key);

      g_string_append_printf (markup, "%s%s", i > 0 ? " › " : "", link);
    }
  gtk_label_set_markup (GTK_LABEL (card->path), markup->str);
  gtk_widget_set_visible (card->path, path->len > 0);
}

/* Makes @button fill in the form to record as many more captures like @run as @verdict needs; hides it if it needs
 * none. */
static void
culprit_cause_offer_more (GtkWidget *button, const CulpritVerdict *verdict, const char *run)
{
  g_autofree char *why = NULL;
  gint64 more = culprit_verdict_more (verdict, &why);
  g_autofree char *label = g_strdup_printf ("Take %" G_GINT64_FORMAT " More", more);

  gtk_button_set_label (GTK_BUTTON (button), label);
  show_tooltip (button, why);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "(ssx)", run, "", more);
  gtk_widget_set_visible (button, more > 0);
}

/* The proof for @function among @proofs; NULL: there is none. */
static const CulpritStoredProof *
find_proof (const GPtrArray *proofs, const char *function)
{
  for (guint i = 0; proofs && function && i < proofs->len; i++)
    if (g_str_equal (culprit_stored_proof_name (g_ptr_array_index (proofs, i)), function))
      return g_ptr_array_index (proofs, i);
  return NULL;
}

/* What was proved, or else the button that proves it. */
static void
show_proof (CulpritCauseCard *card, const CulpritVerdict *verdict, const CulpritCard *from, const GPtrArray *proofs)
{
  const char *function = culprit_verdict_function (verdict, from->culprit);
  const CulpritStoredProof *stored = find_proof (proofs, function);
  g_autofree char *words = stored ? culprit_path_proof_in_words (stored->proof, stored->function) : NULL;
  g_autofree char *proved = words ? g_strconcat ("Proved by delays: ", words, NULL) : NULL;

  show_text (card->proved, proved);
  gtk_widget_set_visible (card->prove, function && from->graph && !stored);
  gtk_widget_set_visible (card->proof, stored != NULL);
  if (function)
    gtk_actionable_set_action_target (GTK_ACTIONABLE (card->prove), "(ss)", from->run, function);
  if (stored)
    gtk_actionable_set_action_target (GTK_ACTIONABLE (card->proof), "s", stored->function);
}

static void
show_actions (CulpritCauseCard *card, const CulpritVerdict *verdict, const CulpritCard *from)
{
  gtk_actionable_set_action_target (GTK_ACTIONABLE (card->show), "s", from->id);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (card->graph), "(ssx)", from->run, from->culprit->name,
                                    (gint64) USUAL_CAPTURES);
  gtk_widget_set_visible (card->graph, from->graph);
  gtk_widget_set_visible (card->stalls, from->culprit->class == CULPRIT_CLASS_BLIND_STALL);
  culprit_cause_offer_more (card->more, verdict, from->run);
}

/* A widget for @card of @verdict and @proofs; all may be freed afterwards. It emits "function" (const char *key) when a
 * function is chosen. */
static GtkWidget *
culprit_cause_card_new (const CulpritVerdict *verdict, const CulpritCard *from, const GPtrArray *proofs)
{
  CulpritCauseCard *card = g_object_new (CULPRIT_TYPE_CAUSE_CARD, NULL);

  card->cause = g_strdup (from->id);
  show_name (card, verdict, from);
  gtk_level_bar_set_max_value (GTK_LEVEL_BAR (card->meter), verdict->captures);
  gtk_level_bar_set_value (GTK_LEVEL_BAR (card->meter), from->culprit->captures);
  show_line (card->captures, from->captures);
  show_tooltip (card->captures, from->interval);
  show_facts (card, from);
  label_set_sentence (card->finding, from->finding);
  show_path (card, from->path);
  show_text (card->advice, from->advice);
  show_text (card->where, from->where);
  show_proof (card, verdict, from, proofs);
  show_actions (card, verdict, from);
  return GTK_WIDGET (card);
}

static void
card_finalize (GObject *object)
{
  g_free (CULPRIT_CAUSE_CARD (object)->cause);
  G_OBJECT_CLASS (culprit_cause_card_parent_class)->finalize (object);
}

static void
culprit_cause_card_class_init (CulpritCauseCardClass *class)
{
  static const guint keys[] = { GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_space };

  G_OBJECT_CLASS (class)->finalize = card_finalize;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "cause");
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding (GTK_WIDGET_CLASS (class), keys[i], 0, show_typical, NULL);
  function_chosen = signal_new (CULPRIT_TYPE_CAUSE_CARD, "function", 1, G_TYPE_STRING);
  widget_class_set_template (class, "outliers/cause-card.ui");
  widget_class_bind_children (class, CulpritCauseCard, content, name, badge, doubt, meter, captures, confidence,
                              confidence_word, confidence_text, weight, weight_word, weight_text, finding, path, proved,
                              advice, where, show, graph, prove, proof, stalls, more);
  widget_class_bind_callbacks (class, on_link, on_pressed);
}

static void
culprit_cause_card_init (CulpritCauseCard *card)
{
  gtk_widget_init_template (GTK_WIDGET (card));
}

struct _CulpritVerdictBox
{
  CulpritDocumentView parent;
  GtkWidget *expander;
  GtkWidget *head;    /* shown while it is expanded */
  GtkWidget *summary; /* shown while it is collapsed */
  GtkWidget *none;    /* shown if there are no causes */
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

/* The tooltip has the whole line, which may be ellipsized. */
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

/* The run of any capture; "": there is none. */
static const char *
find_run (const CulpritVerdict *verdict)
{
  const GArray *cases = verdict->evidence->cases;

  return cases->len > 0 ? g_array_index (cases, CulpritCase, 0).run : "";
}

/* The button that takes more captures is on the cards; without cards, it is here. */
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
      GtkWidget *card = culprit_cause_card_new (verdict, g_ptr_array_index (cards, i),
                                                culprit_document_proofs (culprit_document_view_document (box)));

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

  /* The previous verdict was about other captures. */
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
  CULPRIT_DOCUMENT_VIEW_CLASS (class)->changed = box_changed;
  widget_class_set_template (class, "outliers/verdict-box.ui");
  widget_class_bind_children (class, CulpritVerdictBox, expander, head, summary, none, cards, notes_card, notes, more);
}

static void
culprit_verdict_box_init (CulpritVerdictBox *box)
{
  gtk_widget_init_template (GTK_WIDGET (box));
}

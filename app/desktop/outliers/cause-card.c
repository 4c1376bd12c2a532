/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The template has all that a card can have; what does not apply is hidden. */
#include "outliers/cause-card.h"

#include "show.h"
#include "tables/format.h"
#include "widgets.h"

#define USUAL_CAPTURES 0 /* as many as are taken where nothing is asked for */

struct _CulpritCauseCard
{
  GtkWidget parent;
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
  GtkWidget *advice;
  GtkWidget *where;
  GtkWidget *show;
  GtkWidget *graph;
  GtkWidget *stalls;
  GtkWidget *more;
};

G_DEFINE_FINAL_TYPE (CulpritCauseCard, culprit_cause_card, GTK_TYPE_WIDGET)

static guint function_chosen;

static gboolean
on_link (GtkLabel *label, const char *function, CulpritCauseCard *card)
{
  g_signal_emit (card, function_chosen, 0, function);
  return TRUE;
}

/* @text, as a link to the function @key; NULL: to none. The caller owns it. */
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

/* What a button @title tells: a word; the number and what it means when it is pressed or the pointer rests on it. */
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

void
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

GtkWidget *
culprit_cause_card_new (const CulpritVerdict *verdict, const CulpritCard *from)
{
  CulpritCauseCard *card = g_object_new (CULPRIT_TYPE_CAUSE_CARD, NULL);

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
  show_actions (card, verdict, from);
  return GTK_WIDGET (card);
}

static void
card_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), CULPRIT_TYPE_CAUSE_CARD);
  G_OBJECT_CLASS (culprit_cause_card_parent_class)->dispose (object);
}

static void
culprit_cause_card_class_init (CulpritCauseCardClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = card_dispose;
  function_chosen = g_signal_new ("function", CULPRIT_TYPE_CAUSE_CARD, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  widget_class_set_template (class, "outliers/cause-card.ui", G_STRUCT_OFFSET (CulpritCauseCard, content));
  gtk_widget_class_bind_template_child (widget, CulpritCauseCard, name);
  gtk_widget_class_bind_template_child (widget, CulpritCauseCard, badge);
  gtk_widget_class_bind_template_child (widget, CulpritCauseCard, doubt);
  gtk_widget_class_bind_template_child (widget, CulpritCauseCard, meter);
  gtk_widget_class_bind_template_child (widget, CulpritCauseCard, captures);
  gtk_widget_class_bind_template_child (widget, CulpritCauseCard, confidence);
  gtk_widget_class_bind_template_child (widget, CulpritCauseCard, confidence_word);
  gtk_widget_class_bind_template_child (widget, CulpritCauseCard, confidence_text);
  gtk_widget_class_bind_template_child (widget, CulpritCauseCard, weight);
  gtk_widget_class_bind_template_child (widget, CulpritCauseCard, weight_word);
  gtk_widget_class_bind_template_child (widget, CulpritCauseCard, weight_text);
  gtk_widget_class_bind_template_child (widget, CulpritCauseCard, finding);
  gtk_widget_class_bind_template_child (widget, CulpritCauseCard, path);
  gtk_widget_class_bind_template_child (widget, CulpritCauseCard, advice);
  gtk_widget_class_bind_template_child (widget, CulpritCauseCard, where);
  gtk_widget_class_bind_template_child (widget, CulpritCauseCard, show);
  gtk_widget_class_bind_template_child (widget, CulpritCauseCard, graph);
  gtk_widget_class_bind_template_child (widget, CulpritCauseCard, stalls);
  gtk_widget_class_bind_template_child (widget, CulpritCauseCard, more);
  gtk_widget_class_bind_template_callback (widget, on_link);
}

static void
culprit_cause_card_init (CulpritCauseCard *card)
{
  gtk_widget_init_template (GTK_WIDGET (card));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A label for each sentence; the function in it leads to where it is shown. */
#include "outliers/verdict-box.h"

#include "units.h"

#define WIDTH 160 /* characters; a scrolled window is as high as its lines are at this width, not at its own */

struct _CulpritVerdictBox
{
  CulpritDocumentView parent;
  GtkWidget *sentences;
};

G_DEFINE_FINAL_TYPE (CulpritVerdictBox, culprit_verdict_box, CULPRIT_TYPE_DOCUMENT_VIEW)

static void
clear (GtkWidget *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (box)))
    gtk_box_remove (GTK_BOX (box), child);
}

static void
add_line (GtkWidget *box, const char *markup, const char *class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), WIDTH);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_focusable (label, FALSE);
  gtk_widget_add_css_class (label, class);
  gtk_box_append (GTK_BOX (box), label);
}

/* The sentence with its culprit as a link. */
static char *
mark_up (const char *sentence, const CulpritCulprit *culprit, const char *key)
{
  g_autofree char *escaped = g_markup_escape_text (sentence, -1);
  g_autofree char *name = culprit ? g_markup_escape_text (culprit->name, -1) : NULL;
  g_autofree char *target = NULL;

  if (!key || !g_str_has_prefix (escaped, name))
    return g_strdup (escaped);
  target = g_markup_escape_text (key, -1);
  return g_strdup_printf ("<a href=\"%s\"><b>%s</b></a>%s", target, name, escaped + strlen (name));
}

static gboolean
on_link (GtkLabel *label, const char *function, CulpritVerdictBox *box)
{
  culprit_document_choose_function (culprit_document_view_document (box), function);
  gtk_widget_activate_action (GTK_WIDGET (label), "win.page", "s", "functions");
  return TRUE;
}

static char *
head (const CulpritVerdict *verdict)
{
  return g_strdup_printf ("%u of %u late wake-up%s clearly exceed%s %u ordinary one%s", verdict->stands_out,
                          verdict->captures, culprit_plural (verdict->captures), verdict->stands_out == 1 ? "s" : "",
                          verdict->ordinary, culprit_plural (verdict->ordinary));
}

static void
fill (CulpritVerdictBox *box, const CulpritVerdict *verdict)
{
  g_autoptr (GPtrArray) sentences = culprit_verdict_in_words (verdict);
  g_autoptr (GPtrArray) steps = culprit_verdict_next_steps (verdict);
  g_autofree char *first = head (verdict);

  add_line (box->sentences, first, "dim-label");
  for (guint i = 0; i < sentences->len; i++)
    {
      const CulpritCulprit *culprit =
          i < verdict->culprits->len ? &g_array_index (verdict->culprits, CulpritCulprit, i) : NULL;
      g_autofree char *markup =
          mark_up (g_ptr_array_index (sentences, i), culprit, culprit ? culprit_verdict_key (verdict, culprit) : NULL);

      add_line (box->sentences, markup, "verdict-sentence");
      g_signal_connect (gtk_widget_get_last_child (box->sentences), "activate-link", G_CALLBACK (on_link), box);
    }
  for (guint i = 0; i < steps->len; i++)
    {
      g_autofree char *escaped = g_markup_escape_text (g_ptr_array_index (steps, i), -1);
      g_autofree char *markup = g_strdup_printf ("→ %s", escaped);

      add_line (box->sentences, markup, "next-step");
    }
}

static void
box_changed (CulpritDocumentView *view, CulpritPartKind part)
{
  CulpritVerdictBox *box = CULPRIT_VERDICT_BOX (view);
  CulpritDocument *document = culprit_document_view_document (view);
  const CulpritVerdict *verdict = culprit_document_verdict (document);

  if (part != CULPRIT_PART_VERDICT)
    return;
  clear (box->sentences);
  if (verdict)
    fill (box, verdict);
  else
    add_line (box->sentences, culprit_document_no_verdict (document), "dim-label");
}

static void
culprit_verdict_box_class_init (CulpritVerdictBoxClass *class)
{
  CULPRIT_DOCUMENT_VIEW_CLASS (class)->changed = box_changed;
  widget_class_set_template (class, "outliers/verdict-box.ui", 0);
  gtk_widget_class_bind_template_child (GTK_WIDGET_CLASS (class), CulpritVerdictBox, sentences);
}

static void
culprit_verdict_box_init (CulpritVerdictBox *box)
{
  gtk_widget_init_template (GTK_WIDGET (box));
  add_line (box->sentences, "The verdict comes with the first captures.", "dim-label");
}

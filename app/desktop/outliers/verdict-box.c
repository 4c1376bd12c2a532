/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A label for each sentence; the function in it leads to where it is shown. */
#include "outliers/verdict-box.h"

#include "units.h"

#define WIDTH 160 /* characters; a scrolled window is as high as its lines are at this width, not at its own */

typedef struct
{
  CulpritDocument *document; /* lives longer: the window has both */
  GtkWidget *sentences;
} VerdictBox;

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
on_link (GtkLabel *label, const char *function, VerdictBox *box)
{
  culprit_document_choose_function (box->document, function);
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
fill (VerdictBox *box)
{
  const CulpritVerdict *verdict = culprit_document_verdict (box->document);
  g_autoptr (GPtrArray) sentences = culprit_verdict_in_words (verdict);
  g_autoptr (GPtrArray) steps = culprit_verdict_next_steps (verdict);
  g_autofree char *first = head (verdict);

  clear (box->sentences);
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
on_changed (CulpritDocument *document, guint part, GtkWidget *widget)
{
  if (part == CULPRIT_PART_OUTLIERS)
    fill (g_object_get_data (G_OBJECT (widget), "verdict"));
}

GtkWidget *
verdict_box_new (CulpritDocument *document)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  VerdictBox *box = g_new0 (VerdictBox, 1);

  box->document = document;
  box->sentences = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  gtk_widget_add_css_class (box->sentences, "verdict");
  add_line (box->sentences, "The verdict comes with the first captures.", "dim-label");
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), box->sentences);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 170);
  g_object_set_data_full (G_OBJECT (scrolled), "verdict", box, g_free);
  g_signal_connect_object (document, "changed", G_CALLBACK (on_changed), scrolled, 0);
  return scrolled;
}

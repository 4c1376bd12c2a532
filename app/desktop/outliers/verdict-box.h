/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict above the late wake-ups: a card for each cause and suspect, and what is to be kept in mind. Its height
 * does not depend on what it shows; it can be collapsed to a line. */
#pragma once

#include "page.h"
#include "verdict/cards.h"

#include <gtk/gtk.h>

/* A cause of late wake-ups, or a suspect: what it is, how much it explains and how surely, and what can be done. */

#define CULPRIT_TYPE_CAUSE_CARD (culprit_cause_card_get_type ())

G_DECLARE_FINAL_TYPE (CulpritCauseCard, culprit_cause_card, CULPRIT, CAUSE_CARD, GtkWidget)

#define CULPRIT_TYPE_VERDICT_BOX (culprit_verdict_box_get_type ())

G_DECLARE_FINAL_TYPE (CulpritVerdictBox, culprit_verdict_box, CULPRIT, VERDICT_BOX, CulpritDocumentView)

/* The GtkExpander that collapses it. */
GtkWidget *culprit_verdict_box_expander (CulpritVerdictBox *box);

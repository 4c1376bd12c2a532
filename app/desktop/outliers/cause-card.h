/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cause of late wake-ups, or a suspect: what it is, how much it explains and how surely, and what can be done. */
#pragma once

#include "verdict/cards.h"

#include <gtk/gtk.h>

#define CULPRIT_TYPE_CAUSE_CARD (culprit_cause_card_get_type ())
G_DECLARE_FINAL_TYPE (CulpritCauseCard, culprit_cause_card, CULPRIT, CAUSE_CARD, GtkWidget)

/* Shows @card of @verdict, neither of which is needed afterwards. It emits "function" (const char *, what it is known
 * by) for one that is chosen. */
GtkWidget *culprit_cause_card_new (const CulpritVerdict *verdict, const CulpritCard *card);

/* Lets @button fill in the recording of as many more captures like @run as @verdict needs; hides it where it needs
 * none. */
void culprit_cause_offer_more (GtkWidget *button, const CulpritVerdict *verdict, const char *run);

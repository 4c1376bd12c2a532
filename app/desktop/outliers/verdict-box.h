/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict above the late wake-ups: a card for each cause and suspect, and caveats. Its height does not depend on
 * its contents; it can be collapsed to a line. */
#pragma once

#include "page.h"
#include "verdict/cards.h"

#include <adwaita.h>

/* The card of a cause or suspect: what it is, how much it explains and how certainly, and what can be done. */

#define CULPRIT_TYPE_CAUSE_CARD (culprit_cause_card_get_type ())

G_DECLARE_FINAL_TYPE (CulpritCauseCard, culprit_cause_card, CULPRIT, CAUSE_CARD, AdwBin)

#define CULPRIT_TYPE_VERDICT_BOX (culprit_verdict_box_get_type ())

G_DECLARE_FINAL_TYPE (CulpritVerdictBox, culprit_verdict_box, CULPRIT, VERDICT_BOX, CulpritDocumentView)

/* The GtkExpander that collapses it. */
GtkWidget *culprit_verdict_box_expander (CulpritVerdictBox *box);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict above the late wake-ups: a card for each cause and suspect, and what is to be kept in mind. Its height
 * does not depend on what it shows; it can be collapsed to a line. */
#pragma once

#include "document-view.h"

#define CULPRIT_TYPE_VERDICT_BOX (culprit_verdict_box_get_type ())
G_DECLARE_FINAL_TYPE (CulpritVerdictBox, culprit_verdict_box, CULPRIT, VERDICT_BOX, CulpritDocumentView)

/* The GtkExpander that collapses it. */
GtkWidget *culprit_verdict_box_expander (CulpritVerdictBox *box);

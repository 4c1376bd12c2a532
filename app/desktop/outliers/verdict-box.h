/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict on top of the late wake-ups: its sentences, and what to do next. */
#pragma once

#include "document-view.h"

#define CULPRIT_TYPE_VERDICT_BOX (culprit_verdict_box_get_type ())
G_DECLARE_FINAL_TYPE (CulpritVerdictBox, culprit_verdict_box, CULPRIT, VERDICT_BOX, CulpritDocumentView)

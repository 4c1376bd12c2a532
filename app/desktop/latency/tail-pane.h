/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is predicted from the tail of a run: in words, as a table of latencies, and for a deadline that can be typed. */
#pragma once

#include "chart/chart.h"
#include "page.h"

#define CULPRIT_TYPE_TAIL_PANE (culprit_tail_pane_get_type ())

/* It emits "drawn" (Chart *, which the handler takes) when the tail has been read and its chart made. */
G_DECLARE_FINAL_TYPE (CulpritTailPane, culprit_tail_pane, CULPRIT, TAIL_PANE, CulpritDocumentView)

/* Reads the tail of the run @name with the colour @number; NULL: of none. */
void culprit_tail_pane_show (CulpritTailPane *pane, const char *name, guint number, ChartScale scale);

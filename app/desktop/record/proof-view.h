/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What became of the peaks when a function was delayed on purpose: in words, and the line through the delays; or what a
 * treatment changed: in words, and the latencies without and with it. */
#pragma once

#include "page.h"

#define CULPRIT_TYPE_PROOF_VIEW (culprit_proof_view_get_type ())

G_DECLARE_FINAL_TYPE (CulpritProofView, culprit_proof_view, CULPRIT, PROOF_VIEW, CulpritDocumentView)

/* Reads the proof in the series @series; NULL: the last one of @function, or if that is NULL, too, of the study. */
void culprit_proof_view_show (CulpritProofView *view, const char *series, const char *function);

/* Reads the trial in the series @series. */
void culprit_proof_view_show_trial (CulpritProofView *view, const char *series);

gboolean culprit_proof_view_export (CulpritProofView *view, const char *heading, const char *path, GError **error);

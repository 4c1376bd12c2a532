/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building blocks of the verdict's sentences and cards. */
#pragma once

#include "verdict.h"

/* The context of a function, if worth mentioning: " (in an interrupt)"; else "". */
const char *words_context (CulpritContext context);

/* What was found about @culprit, without its name, in sentences: "402 times on average instead of 31, accounting for
 * ...". */
void words_say_finding (GString *words, const CulpritVerdict *verdict, const CulpritCulprit *culprit);

/* " Where: SERIES on HOST, kernel KERNEL: 3 of 4 captures.", for each place where it occurs, if there are several in
 * all. */
void words_say_where (GString *words, const CulpritVerdict *verdict, const CulpritCulprit *culprit);

/* "Confidence 94 %", and "62 % of all excess (35 to 84 %)". The caller owns them. */
char *words_confidence (const CulpritVerdict *verdict, const CulpritCulprit *culprit);
char *words_weight (const CulpritCulprit *culprit);

/* "carries 44 to 100 % of such wake-ups". The caller owns it. */
char *words_interval (const CulpritVerdict *verdict, const CulpritCulprit *culprit);

/* Why it is not established, in a sentence. The caller owns it. */
char *words_why_suspect (const CulpritCulprit *suspect);

/* What to do about @culprit, in a sentence that names no command. The caller owns it; NULL: look at it more closely, or
 * take more captures. */
char *words_advice (const CulpritVerdict *verdict, const CulpritCulprit *culprit);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts that sentences and cards of the verdict are made of. */
#pragma once

#include "verdict.h"

/* Where a function ran, in contexts that are worth mentioning: " (in an interrupt)"; else "". */
const char *words_context (CulpritContext context);

/* What is found of @culprit, without saying what it is: "called 402 times instead of 31, accounting for ...". */
void words_say_finding (GString *words, const CulpritVerdict *verdict, const CulpritCulprit *culprit);

/* " Where: SERIES on HOST, kernel KERNEL: 3 of 4 captures.", for each place where it occurs, if there are several in
 * all. */
void words_say_where (GString *words, const CulpritVerdict *verdict, const CulpritCulprit *culprit);

/* "Confidence 94 %", and "62 % of all excess (35 to 84 %)". The caller owns them. */
char *words_confidence (const CulpritVerdict *verdict, const CulpritCulprit *culprit);
char *words_weight (const CulpritCulprit *culprit);

/* Why it is not established, in a sentence. */
const char *words_why_suspect (const CulpritCulprit *suspect);

/* What to do about @culprit, in a sentence that names no command. The caller owns it; NULL: to look closer at it, or to
 * take more captures. */
char *words_advice (const CulpritVerdict *verdict, const CulpritCulprit *culprit);

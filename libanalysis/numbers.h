/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prepares the arithmetic of the library. */
#pragma once

/* To be called first by every program that uses the library. A GSL function that cannot compute its result then gives
 * NaN, which is shown as not known; by default it would abort the program. */
void culprit_numbers_init (void);

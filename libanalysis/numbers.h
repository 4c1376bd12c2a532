/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prepares the arithmetic of the library. */
#pragma once

/* To be called first by every program that uses the library; one that starts GTK calls gtk_disable_setlocale() as well.
 * The program then has the user's locale, except that numbers are written and read with a point: reports, options and
 * times that are read again are the same everywhere. A GSL function that cannot compute its result gives NaN, which is
 * shown as not known; by default it would abort the program. */
void culprit_numbers_init (void);

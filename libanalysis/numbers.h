/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the arithmetic of the library needs before it is used. */
#pragma once

/* To be called first by every program that uses the library. A function of GSL that cannot compute its result gives NaN
 * then, which is shown as not known; by default it would end the program. */
void culprit_numbers_init (void);

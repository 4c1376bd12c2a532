/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which function, task or interrupt one case is due to. */
#pragma once

#include "case.h"

#define CULPRIT_MOSTLY_COUNT 0.7 /* of the excess is by calls: called too often */
#define CULPRIT_MOSTLY_COST 0.3  /* no more is: took too long; between them it is mixed */

/* Gives @one its class and culprit. What only many captures can tell, blind stalls, comes after this. */
void culprit_judge (CulpritCase *one);
